"""Stages: what is learned and when, against times that are computed without them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import festina as fs
from festina.analysis.stages import delay_of_steps, plus_minus

TIMES = np.linspace(0, 60, 601)
LINEAR = fs.DeepLinear(hidden=(16,), initial=fs.initial.Gaussian(1e-3))


def test_animals_and_plants_come_before_birds_and_fish_before_single_items():
    found = fs.evolve(LINEAR, fs.tasks.living_things(8), TIMES, method=fs.Reduced()).stages()
    words = [stage.what for stage in found]
    assert words[0] == "everything: grow"
    assert words[1] == "animals | plants: move ↔ roots"
    assert words[2] == "birds | fish; trees | flowers"
    assert words[3].startswith("canary | robin; salmon | sunfish")
    assert [stage.when for stage in found] == sorted(stage.when for stage in found)


def test_times_are_those_of_the_modes_equation():
    # da/dt = 2a(s − a d) of each mode on its own, by SciPy; it knows nothing of stages
    task = fs.tasks.living_things(4)
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), task, TIMES).stages()
    for stage in found:
        s, d = (float(v[stage.modes[0]]) for v in (task.statistics.strengths, task.statistics.curvatures))
        path = solve_ivp(lambda t, a, s=s, d=d: 2 * a * (s - a * d), (0, 60), [1e-3], rtol=1e-9, dense_output=True)
        for at, share in ((stage.begins, 0.1), (stage.half, 0.5), (stage.ends, 0.9)):
            assert path.sol(at[0])[0] == pytest.approx(share * s / d, rel=3e-3)


@pytest.mark.parametrize("method", [fs.Flow(), fs.Train(rate=0.02)])
def test_stages_from_outputs_have_the_names_and_times_of_those_from_modes(method):
    run = fs.evolve(LINEAR, fs.tasks.living_things(8), TIMES, method=method, observe=("loss", "outputs", "strengths"))
    modes = run.stages()
    outputs = fs.Trajectory(
        run.times, {"loss": run.loss, "outputs": run.outputs}, network=LINEAR, task=run.task, method=method
    ).stages()
    things = [[stage.what.partition(":")[0] for stage in found][:2] for found in (outputs, modes)]
    assert things[0] == things[1]
    assert set(outputs[2].what.split("; ")) == set(modes[2].what.split("; "))
    assert [s.when for s in outputs][:3] == pytest.approx([s.when for s in modes][:3], rel=0.1)


def test_a_staircase_has_its_plateaus():
    times = np.linspace(0, 100, 1001)
    loss = 1 - 0.5 / (1 + np.exp(-(times - 30))) - 0.4 / (1 + np.exp(-(times - 70)))
    found = fs.Trajectory.from_arrays(times, loss).stages()
    assert [p.loss for p in found.plateaus] == pytest.approx([1.0, 0.5], abs=0.02)
    assert found.plateaus[1].begins == pytest.approx(34, abs=2)
    assert found.plateaus[1].ends == pytest.approx(66, abs=2)
    assert [stage.when for stage in found] == pytest.approx([30, 70], abs=0.5)
    assert found[0].what == "the loss falls to 0.5"


def test_a_smooth_decay_is_one_stage_without_plateaus():
    times = np.linspace(0, 10, 101)
    found = fs.Trajectory.from_arrays(times, np.exp(-times)).stages()
    assert found.plateaus == ()
    assert len(found) == 1


def test_the_error_becomes_an_uncertainty_of_times():
    run = fs.evolve(LINEAR, fs.tasks.living_things(8), np.linspace(0, 100, 201), method=fs.Reduced())
    assert all(np.isnan(stage.uncertainty) for stage in run.stages())
    assert not run.estimated, "asking for stages does not integrate"
    sure = run.stages(errors=True)
    flow = fs.evolve(LINEAR, fs.tasks.living_things(8), np.linspace(0, 100, 201), method=fs.Flow()).stages()
    for stage, true in zip(sure, flow, strict=True):
        assert abs(stage.when - true.when) <= stage.uncertainty + 0.1
    assert "±" in str(sure)


@pytest.mark.parametrize(("hidden", "scale"), [(64, 1e-3), (16, 0.03)])
def test_training_comes_within_what_is_stated(hidden, scale):
    # benchmarks/stage_times.py does so for fifty seeds and more networks; docs/notes/attack.md has its table
    network = fs.DeepLinear((hidden,), initial=fs.initial.Gaussian(scale))
    task, times = fs.tasks.living_things(8), np.linspace(0, 80, 401)
    shares = []
    for seed in range(2):
        theory, training = (
            fs.evolve(network, task, times, method=m, seed=seed) for m in (fs.Reduced(), fs.Train(rate=0.01))
        )
        assert np.all(np.isnan([stage.uncertainty for stage in fs.compare(theory, training).stages]))
        _ = theory.error
        shares += [abs(stage.difference) / stage.uncertainty for stage in fs.compare(theory, training).stages]
    assert max(shares) <= 1
    assert np.median(shares) > 0.2, "an uncertainty that is far too large says nothing"


@pytest.mark.parametrize(("hidden", "rate"), [((8,), 0.05), ((8, 8), 0.02)])
def test_steps_delay_stages_by_as_much_as_is_said(hidden, rate):
    task, times = fs.tasks.living_things(4), np.linspace(0, 60 if len(hidden) == 1 else 200, 2001)
    network = fs.DeepLinear(hidden, initial=fs.initial.Aligned(1e-2))
    theory = fs.evolve(network, task, times)
    descent = fs.evolve(network, task, times, method=fs.Train(rate=rate))
    for stage, true in zip(theory.stages(), descent.stages(), strict=True):
        assert true.when - stage.when == pytest.approx(delay_of_steps(theory, stage, rate) - rate / 2, rel=0.1)


def test_correlated_inputs_teach_more_than_the_modes():
    # the strong cue agrees with the target in seven of eight points: one mode, which explains 61 % of the loss
    target = np.array([1, 1, 1, 1, -1, -1, -1, -1.0])
    cue = np.where(np.arange(8) == 3, -1, target)
    task = fs.Task(np.stack([2 * cue, 0.5 * target], axis=1), target[:, None], inputs=["cue", "rule"])
    found = fs.evolve(LINEAR, task, TIMES, method=fs.Flow()).stages()
    assert found[-1].after < 0.05 * found[0].before
    assert found[0].what == "high rule, cue"
    assert found[0].modes == ()


def test_seeds_give_a_range():
    found = fs.evolve(LINEAR, fs.tasks.living_things(4), TIMES, method=fs.Reduced(), seeds=3).stages()
    assert found[0].half.shape == (3,)
    assert "3 seeds" in str(found)


def test_false_beliefs_are_told_where_things_have_names():
    run = fs.evolve(fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3)), fs.tasks.living_things(8), TIMES)
    assert "False beliefs on the way: canary: red breast" in str(run)
    assert not any(s.beliefs for s in fs.evolve(LINEAR, fs.tasks.hierarchy(2), TIMES, method=fs.Flow()).stages())


def test_amounts_are_believed_to_be_too_high_or_too_low():
    task = fs.Task(np.eye(3), [[1.0, 0.9], [1.0, 0.2], [0.4, 0.0]], items=list("abc"), outputs=["size", "speed"])
    run = fs.evolve(fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3)), task, np.linspace(0, 200, 401))
    told = {f"{item} {belief}" for stage in run.stages() for item, belief, _, _ in stage.beliefs}
    assert "c speed too high" in told
    assert all(each.endswith((" too high", " too low")) for each in told)


def test_what_is_not_half_learned_within_the_run_is_told_apart():
    network = fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3))
    told = str(fs.evolve(network, fs.tasks.living_things(8), np.linspace(0, 15, 151)).stages())
    assert told.startswith("Exact(): 2 stages by t = 15")
    assert "Not half learned by then: “birds | fish; trees | flowers”, “canary | robin; " in told
    told = fs.evolve(network, fs.tasks.living_things(8), np.linspace(0, 6, 61)).stages()
    assert str(told).startswith("Exact(): no stage by t = 6")
    assert str(told).splitlines()[2:] == ["  The loss rests at 2 until t = 2.35."]
    assert "<table" not in told._repr_html_()


@pytest.mark.parametrize(
    ("uncertainty", "words"),
    [(0.25, " ± 0.25"), (0.004, " ± <0.02"), (0.0, " ± <0.02"), (np.inf, " ± inf"), (np.nan, "")],
)
def test_an_uncertainty_has_no_more_digits_than_the_time(uncertainty, words):
    assert plus_minus(uncertainty, 18.6) == words


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: fs.evolve(LINEAR, fs.tasks.hierarchy(2), [0.0], method=fs.Flow()), "fewer than three times"),
        (lambda: fs.Trajectory.from_arrays([0, 1, 2], [1.0, np.nan, 1.0]), "not finite"),
        (lambda: fs.Trajectory(np.arange(3.0), {"x": np.zeros(3)}), "neither loss, strengths nor outputs"),
        (
            lambda: fs.evolve(LINEAR, fs.Task(np.eye(2), np.zeros((2, 1))), TIMES, method=fs.Flow()),
            "nothing was learned",
        ),
    ],
)
def test_where_there_are_no_stages_a_sentence_says_why(run, words):
    found = run().stages()
    assert len(found) == 0
    assert words in str(found)
    assert words in found._repr_html_()


def test_a_sequence_of_tasks_has_the_stages_of_each():
    tasks = fs.sequence([fs.tasks.living_things(4), fs.tasks.living_things(4).reversed()])
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Balanced(0.3)), tasks, TIMES, method=fs.Flow()).stages()
    assert found[0].what.startswith("task 1: ")
    assert found[-1].what.startswith("task 2: ")
    assert found[-1].when > 60


@pytest.mark.filterwarnings("ignore:method is Reduced", "ignore:the theory of independent modes has")
@settings(max_examples=20)
@given(
    rows=st.lists(st.lists(st.sampled_from([0.0, 1.0, -1.0, 0.5]), min_size=2, max_size=2), min_size=1, max_size=4),
    times=st.sampled_from([[0.0], [0.0, 5.0], np.linspace(0, 50, 26)]),
    seeds=st.sampled_from([None, 1, 3]),
    method=st.sampled_from([fs.Reduced(), fs.Flow()]),
    again=st.booleans(),
)
@pytest.mark.filterwarnings("ignore:the theory .* estimated error")  # where there is nothing to learn
def test_drawn_tasks_have_stages_or_a_reason(rows, times, seeds, method, again):
    # equal modes, one item, zero targets, a single time, sequences, several seeds
    task = fs.Task(np.eye(len(rows)), rows)
    network = fs.DeepLinear((4,), initial=fs.initial.Gaussian(1e-2))
    run = fs.evolve(network, fs.sequence([task, task]) if again else task, times, method=method, seeds=seeds)
    found = run.stages()
    assert len(found) > 0 or found.reason.endswith(".")
    assert (len(found) == 0) or np.any(rows)
    for stage in found:
        assert stage.half.shape == (seeds or 1,)
        assert np.all((stage.begins <= stage.half) & (stage.half <= stage.ends))
    assert str(run) == str(found)
    assert found._repr_html_()
    assert len(found.to_pandas()) == len(found)
    for part in [run.part(0), run.part(1)] if again else [run]:
        assert len(part.learned(by="item")) == len(rows)
        assert len(part.learned(by="output").times) == (seeds or 1)


def test_lags_of_a_recurrent_network_are_not_taken_for_times():
    task = fs.tasks.integration(length=5, strengths=(1.0, 0.6))
    network = fs.LinearRNN(16, length=5, initial=fs.recurrent.AlignedRecurrence(0.01, recurrent=0.1))
    run = fs.evolve(network, task, np.linspace(0, 30, 121), method=fs.Flow())
    assert "strengths" in run
    # the outputs of the task are the two modes, of which the second is partly learned beside the first
    for stage, output in zip(run.stages(), (1, 0), strict=True):
        size = np.abs(run.outputs[:, :, output]).sum(axis=1)
        assert 0.4 < np.interp(stage.when, run.times, size) / size[-1] < 0.75
    assert run.learned(by="mode").names == tuple(stage.what for stage in run.stages())
    assert "x2 at 1" in run.stages()[0].what


def test_the_table_as_data():
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), fs.tasks.living_things(4), TIMES).stages()
    table = found.to_pandas()
    assert table["what"].tolist() == [stage.what for stage in found]
    numbers = {name: np.asarray(table[name]) for name in table.columns[1:-1]}
    assert np.all(numbers["10 %"] < numbers["50 %"])
    assert np.all(numbers["50 %"] < numbers["90 %"])
    assert np.all(numbers["loss before"] > numbers["loss after"])
    assert numbers["share"].sum() == pytest.approx(1)


def test_two_runs_are_compared_stage_by_stage():
    task = fs.tasks.living_things(8)
    relu = fs.ReLU((32,), initial=fs.initial.Gaussian(1e-2))
    runs = [fs.evolve(relu, task, np.linspace(0, 60, 201), method=m, seed=1) for m in (fs.Flow(), fs.Train(rate=0.01))]
    agreement = fs.compare(*runs)
    assert len(agreement.stages) == len(runs[0].stages()) >= 2
    for stage in agreement.stages:
        assert stage.measured == pytest.approx(stage.predicted, rel=0.02)
        assert stage.losses[1] == pytest.approx(stage.losses[0], rel=0.05)
    assert agreement.stages[0].what in str(agreement)
    assert agreement.plot().get_ylabel() == "loss"


def test_at_most_ten_lines_are_printed_and_the_largest_stages_are_among_them():
    x = np.eye(14)
    task = fs.Task(x, np.diag(np.linspace(3, 1, 14)))
    found = fs.evolve(fs.DeepLinear((14,), initial=fs.initial.Aligned(1e-4)), task, np.linspace(0, 150, 601)).stages()
    told = str(found).splitlines()
    assert len(found) == 14
    assert len(told) == 10
    assert any("item 1: output 1" in line for line in told)
    assert "smaller stages are not shown" in str(found)


def test_a_notebook_shows_the_loss_as_a_picture_with_its_words():
    run = fs.evolve(fs.DeepLinear((4,), initial=fs.initial.Aligned(1e-2)), fs.tasks.living_things(4), [0.0, 5.0, 30.0])
    told = run._repr_html_()
    assert told.count("<polyline") == 1
    assert f"loss, {run.loss[0]:.3g} to {run.loss[-1]:.3g}; 0 to 30 (flow time)" in told
    one = fs.evolve(fs.DeepLinear((4,), initial=fs.initial.Aligned(1e-2)), fs.tasks.living_things(4), [0.0])
    assert "<polyline" not in one._repr_html_()


@pytest.mark.parametrize("loss", ["cross_entropy", "binary"])
def test_stages_of_a_classifier_do_not_depend_on_how_long_it_is_trained(loss):
    """Outputs grow for ever where classes can be separated; what is half learned has half of its probability."""
    x = np.array([[1.0, 0.1], [-1.0, 0.1], [1.0, -0.1], [-1.0, -0.1]])
    task = fs.Task(x, labels=[0, 1, 0, 1], loss=loss)
    network = fs.DeepLinear((6,), initial=fs.initial.Gaussian(1e-3), bias=True)
    times = np.linspace(0, 2000, 8001)
    long = fs.evolve(network, task, times, method=fs.Train(rate=0.25), observe=("loss", "outputs"))
    short = fs.evolve(network, task, times[:801], method=fs.Train(rate=0.25), observe=("loss", "outputs"))
    (late,), (soon,) = long.stages(), short.stages()
    assert soon.half == pytest.approx(late.half, rel=0.05)
    outputs = long.outputs[..., 0] if loss == "binary" else long.outputs[..., 0] - long.outputs[..., 1]
    certain = 1 / (1 + np.exp(-outputs[:, 0]))
    half = np.interp((certain[0] + certain[-1]) / 2, certain, times)
    assert late.half == pytest.approx(half, rel=0.01)
    assert outputs[-1, 0] > 1.2 * outputs[800, 0]
