"""When each thing is learned, against curves whose times are known."""

import numpy as np
import pytest

import festina as fs

TIMES = np.linspace(0, 10, 1001)


def run(outputs, **task):
    """A trajectory of outputs that are given, (times, items, outputs)."""
    y = task.pop("y", np.ones(outputs.shape[1:]))
    return fs.Trajectory(TIMES, {"outputs": outputs}, task=fs.Task(np.eye(len(y)), y, **task))


def curves(*functions):
    return np.stack([function(TIMES) for function in functions], axis=-1)[..., None]


def test_items_reach_half_of_their_error_when_the_curve_says_so():
    found = run(curves(lambda t: np.minimum(t / 4, 1), lambda t: np.minimum(t / 8, 1))).learned(by="item")
    # (1 − t/4)² = ½
    assert [found["item 1"], found["item 2"]] == pytest.approx([4 * (1 - 0.5**0.5), 8 * (1 - 0.5**0.5)], abs=0.01)
    assert found.order == (("item 1",), ("item 2",))


def test_ties_never_forgotten_and_known_are_told_apart():
    outputs = curves(
        lambda t: np.minimum(t, 1.0), lambda t: np.minimum(t, 1.0), lambda t: 0 * t, lambda t: 1 + 0 * t,
        lambda t: np.where(t < 5, np.minimum(t / 2, 1), np.maximum(6 - t, 0)),
    )  # fmt: skip
    found = run(outputs, items=["a", "b", "never", "known", "lost"]).learned(by="item")
    assert found.order == (("known",), ("a", "b"), ("lost",))
    assert found.never == ("never",)
    assert [found.status(name) for name in found] == [
        "learned", "learned", "not learned by the end", "known from the start", "forgotten again",
    ]  # fmt: skip
    # 1 − (1 − ŷ)² = ½ on the way down, ŷ = 6 − t
    assert found.forgotten[0, 4] == pytest.approx(6 - (1 - 0.5**0.5), abs=0.01)
    assert "forgotten again at t" in str(found)
    assert found.to_pandas()["status"].tolist()[-1] == "not learned by the end"


def test_classes_pairs_outputs_and_contexts():
    y = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    rise = np.stack([np.minimum(TIMES / t, 1) for t in (2, 4, 8)], axis=-1)
    outputs = rise[:, [0, 0, 1, 1, 2, 2], None] * y
    task = fs.Task(np.eye(6), labels=list("aabbcc"), contexts=["one", "two"] * 3)
    path = fs.Trajectory(TIMES, {"outputs": outputs}, task=task)
    assert path.learned(by="class").order == (("a",), ("b",), ("c",))
    pairs = path.learned(by="pair")
    # the mean of both classes' outputs is at one half: (t/2 + t/4)/2 = ½
    assert pairs["a | b"] == pytest.approx(4 / 3, abs=0.01)
    assert pairs.order[0] == ("a | b",)
    assert path.learned(by="output").order == (("a",), ("b",), ("c",))
    assert path.learned(by="context")["one"] == pytest.approx(path.learned(by="context")["two"])


def test_modes_are_learned_at_their_half_rise():
    network = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3))
    path = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 60, 301), seeds=2)
    assert path.learned(by="mode").times == pytest.approx(path.rise_times())
    relu = fs.evolve(
        fs.ReLU((32,), initial=fs.initial.Gaussian(1e-2)), fs.tasks.living_things(4), np.linspace(0, 40, 101),
        method=fs.Flow(),
    )  # fmt: skip
    assert relu.learned(by="mode").names[0].startswith("everything")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"by": "colour"}, "by 'colour'"),
        ({"level": 1.5}, "level is 1.5"),
        ({"by": "class"}, "targets are not classes"),
        ({"by": "context"}, "has no contexts"),
    ],
)
def test_bad_questions_are_refused(arguments, words):
    path = run(curves(lambda t: t / 10))
    with pytest.raises(ValueError, match=words):
        path.learned(**arguments)


def test_without_outputs_the_error_says_what_to_observe():
    path = fs.Trajectory.from_arrays([0.0, 1.0, 2.0], [1.0, 0.5, 0.2])
    with pytest.raises(ValueError, match="observe=\\('outputs',\\)"):
        path.learned(by="item")


@pytest.mark.parametrize("seeds", [None, 2])
def test_times_are_steps_where_steps_were_asked_for(seeds):
    task, network, rate = fs.tasks.living_things(4), fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-2)), 0.05
    train = fs.Train(rate=rate)
    by_steps = fs.evolve(network, task, steps=800, method=train, seeds=seeds)
    by_times = fs.evolve(network, task, by_steps.times, method=train, seeds=seeds)
    for by in ("output", "item", "mode"):
        steps, times = by_steps.learned(by=by), by_times.learned(by=by)
        np.testing.assert_allclose(steps.times, times.times / rate)
        assert steps.unit == "steps"
        assert "(steps)" in str(steps)
    for ours, other in zip(by_steps.stages(errors=True), by_times.stages(), strict=True):
        np.testing.assert_allclose([ours.begins, ours.half], np.array([other.begins, other.half]) / rate)
    assert "by t = 800 (steps)" in str(by_steps)
    assert "e+" not in str(by_steps) + str(by_steps.learned(by="output"))


def test_a_sequence_and_a_comparison_count_in_steps_too():
    first, second = fs.tasks.living_things(4), fs.tasks.hierarchy(levels=2)
    pair = fs.sequence([first, fs.Task(first.x, -first.y)])
    network, rate = fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-2)), 0.05
    steps = fs.evolve(network, pair, steps=400, method=fs.Train(rate=rate))
    times = fs.evolve(network, pair, steps.times[: len(steps.times) // 2], method=fs.Train(rate=rate))
    ours, other = ([stage.when for stage in run.stages()] for run in (steps, times))
    np.testing.assert_allclose(ours, np.array(other) / rate)
    runs = [fs.evolve(network, second, steps=400, rate=rate, method=m) for m in (fs.Flow(), fs.Train(rate=rate))]
    plain = [fs.evolve(network, second, runs[0].times, method=run.method) for run in runs]
    agreement, same = fs.compare(*runs), fs.compare(*plain)
    assert agreement.area == pytest.approx(same.area)
    assert agreement.time_shift == pytest.approx(same.time_shift / rate, rel=0.01)
    for stage, plain_stage in zip(agreement.stages, same.stages, strict=True):
        assert stage.measured == pytest.approx(plain_stage.measured / rate)
        assert stage.uncertainty == pytest.approx(plain_stage.uncertainty / rate, nan_ok=True)
    assert fs.compare(runs[0], plain[1]).stages[0].measured == pytest.approx(same.stages[0].measured)
