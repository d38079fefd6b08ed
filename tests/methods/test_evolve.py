"""The one verb: seeds, times, what is observed, and every argument that is refused."""

import numpy as np
import pytest

import festina as fs

TASK = fs.tasks.hierarchy(levels=1)
ALIGNED = fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1))
RANDOM = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.03))
TIMES = np.array([0.0, 0.5, 2.0])
CASES = [(ALIGNED, fs.Exact()), (RANDOM, fs.Reduced()), (RANDOM, fs.Flow()), (RANDOM, fs.Train(rate=0.05))]


@pytest.mark.parametrize(("network", "method"), CASES)
def test_seeds_are_a_leading_axis_and_each_is_the_run_of_its_seed(network, method):
    many = fs.evolve(network, TASK, TIMES, method=method, seed=4, seeds=3, observe=("loss", "outputs"))
    assert many.seeds == (4, 5, 6)
    assert many.loss.shape == (3, 3)
    assert many.outputs.shape == (3, 3, *TASK.y.shape)
    for i, seed in enumerate((4, 5, 6)):
        one = fs.evolve(network, TASK, TIMES, method=method, seed=seed, observe=("loss", "outputs"))
        assert one.seeds is None
        np.testing.assert_allclose(many.loss[i], one.loss, rtol=1e-12)
        np.testing.assert_allclose(many.outputs[i], one.outputs, atol=1e-12)
    if network is RANDOM:
        assert len(set(many.loss[:, -1])) == 3


@pytest.mark.parametrize("hidden", [(), (3,), (3, 4)])
def test_every_method_starts_from_the_same_weights(hidden):
    network = fs.DeepLinear(hidden, initial=fs.initial.Aligned(0.1))
    start = network.start(TASK, 7)
    for method in (fs.Exact(), fs.Flow(), fs.Train(rate=0.1)):
        found = fs.evolve(network, TASK, [0.0, 1.0], method=method, seed=7, observe="weights").weights
        for a, b in zip(found, start, strict=True):
            np.testing.assert_allclose(a[0], b, atol=1e-15)


def test_no_times_mean_the_limit():
    for method in (fs.Exact(), fs.Reduced()):
        limit = fs.evolve(ALIGNED, TASK, None, method=method)
        assert limit.times.tolist() == [np.inf]
        assert limit.loss[0] == pytest.approx(0, abs=1e-15)
    with pytest.raises(ValueError, match=r"times is None \(t → ∞\), which an ODE solver cannot reach"):
        fs.evolve(ALIGNED, TASK, None, method=fs.Flow())
    with pytest.raises(ValueError, match=r"times is None \(t → ∞\), which no training run reaches"):
        fs.evolve(ALIGNED, TASK, None, method=fs.Train(rate=0.1))


def test_a_single_time_is_a_time():
    assert fs.evolve(ALIGNED, TASK, 3).times.tolist() == [3.0]


def test_training_times_are_whole_steps():
    run = fs.evolve(RANDOM, TASK, [0.0, 0.14, 0.5], method=fs.Train(rate=0.1))
    np.testing.assert_allclose(run.times, [0.0, 0.1, 0.5])
    assert run.notes["steps"] == [0, 1, 5]


def test_the_trajectory_says_what_was_run():
    run = fs.evolve(ALIGNED, TASK, TIMES)
    assert run.label == "Exact()"
    assert run.network is ALIGNED
    assert run.task is TASK
    assert "saxe2014" in run.sources
    assert {a.name for a in run.assumptions} == {"commuting", "alignment", "agreement"}
    assert all(a.holds for a in run.assumptions)


def test_the_reported_assumption_is_the_worst_over_seeds():
    many = fs.evolve(RANDOM, TASK, TIMES, method=fs.Reduced(), seeds=4)
    each = [fs.evolve(RANDOM, TASK, TIMES, method=fs.Reduced(), seed=k) for k in range(4)]

    def aligned(run):
        return next(a.measured for a in run.assumptions if a.name == "alignment")

    assert aligned(many) == max(aligned(run) for run in each)


def test_progress_goes_to_stderr_only(capsys):
    fs.evolve(RANDOM, TASK, TIMES, method=fs.Reduced(), seeds=2, progress=True)
    assert capsys.readouterr().out == ""


def test_what_is_observed_twice_is_given_once():
    assert list(fs.evolve(ALIGNED, TASK, TIMES, observe=("loss", "map", "loss")).values) == ["loss", "map"]


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": [0.0, 2.0, 1.0]}, r"times must increase: times\[1\]=2 is followed by times\[2\]=1"),
        ({"times": [0.0, 0.0]}, "times must increase"),
        ({"times": [-1.0, 2.0]}, "times start at -1; time starts at 0"),
        ({"times": []}, r"times has shape \(0,\); give a one-dimensional array with at least one time"),
        ({"times": [[1.0]]}, r"times has shape \(1, 1\); give a one-dimensional"),
        ({"times": [0.0, np.nan]}, r"times holds 1 value\(s\) that are not finite, the first at \(1,\): nan"),
        ({"times": [0.0, np.inf]}, r"times holds 1 value\(s\) that are not finite"),
        ({"times": "soon"}, "times is str that is not an array of real numbers"),
        ({"network": "deep"}, r"network is 'deep' \(str\); a network such as fs.DeepLinear"),
        ({"task": np.eye(3)}, r"task is array.*ndarray\); fs.Task\(x, y\)"),
        (
            {"method": "Exact"},
            r"method is 'Exact' \(str\); fs.Exact\(\), fs.Reduced\(\), fs.Flow\(\) or fs.Train\(rate=...\)",
        ),
        ({"method": fs.Exact}, r"method is <class .*Exact'> \(ABCMeta\); fs.Exact"),
        ({"seed": -1}, "seed is -1; a whole number >= 0 is needed"),
        ({"seed": 0.5}, "seed is 0.5; a whole number"),
        ({"seeds": 0}, "seeds is 0; a whole number >= 1 is needed"),
        ({"seeds": True}, "seeds is True; a whole number"),
        ({"observe": 3}, "observe is 3; a list of names is needed"),
        ({"method": fs.Train(rate=99.0), "times": [0.0, 9.0]}, "rate is 99 and times end at 9, before the first step"),
        ({"observe": ()}, "observe is empty; name at least one observable"),
        ({"observe": "entropy"}, r"observe holds 'entropy'; with Exact\(\) DeepLinear gives: .*loss.*map.*outputs"),
        (
            {"observe": ("loss", "x"), "method": fs.Flow()},
            r"observe holds 'x'; with Flow\(\) DeepLinear gives: .*loss",
        ),
        (
            {"observe": "x", "method": fs.Train(rate=0.1)},
            r"observe holds 'x'; with Train\(\) DeepLinear gives: .*loss",
        ),
        (
            {"observe": "weights", "method": fs.Reduced()},
            r"observe holds 'weights'; with Reduced\(\) DeepLinear gives: .*lo",
        ),
    ],
)
def test_arguments_that_are_refused(changes, message):
    arguments = {"network": ALIGNED, "task": TASK, "times": TIMES, **changes}
    with pytest.raises(ValueError, match=message):
        fs.evolve(arguments.pop("network"), arguments.pop("task"), arguments.pop("times"), **arguments)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fs.Train(rate=-0.1), "rate is -0.1; a number > 0 is needed"),
        (lambda: fs.Train(rate=0), "rate is 0; a number > 0 is needed"),
        (lambda: fs.Train(rate=np.nan), "rate is nan; a number > 0 is needed"),
        (lambda: fs.Train(rate="0.1"), "rate is '0.1'; a number > 0 is needed"),  # pyright: ignore
        (lambda: fs.Train(rate=None), "rate is None; a number > 0 is needed"),  # pyright: ignore
        (lambda: fs.Train(rate=0.1, precision="half"), "precision 'half' is unknown. Known: double, s"),
        (lambda: fs.linear.FiniteStep(rate=-1), "rate is -1; a number > 0 is needed"),
        (lambda: fs.Flow(solver="Euler"), "solver 'Euler' is unknown. Known: BDF, Chebyshev, DOP853, LSODA"),
        (lambda: fs.Flow(rtol=0), "rtol is 0; a number > 0"),
        (lambda: fs.Flow(atol=-1e-9), "atol is -1e-09; a number > 0"),
    ],
)
def test_methods_that_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_theory_is_chosen_by_its_name():
    task, network = fs.tasks.hierarchy(levels=2), fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3))
    names = [row.theory.name for row in fs.theories(network, task).rows]
    assert {"decoupled modes", "independent modes"} <= set(names)
    for method in (fs.Exact("decoupled modes"), fs.Reduced("independent modes")):
        assert fs.evolve(network, task, [0.0, 1.0], method=method).notes["theory"] == method.theory
    with pytest.raises(ValueError, match=r"theory 'decoupled mode'.*Did you mean 'decoupled modes'\?"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Exact("decoupled mode"))


@pytest.mark.usefixtures("untyped")
def test_what_is_no_theory_is_refused():
    with pytest.raises(ValueError, match=r"theory is 3; the name of a theory as fs\.theories"):
        fs.Reduced(3)  # pyright: ignore[reportArgumentType]
