import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-12
"""Sums of products in double precision."""

INTERPOLATION = 2e-3
"""Linear interpolation on steps of 0.05 in a curve of rate ≤ 1: step²·curvature/8 over slope, in flow time."""

NETWORK = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3))


@pytest.fixture(scope="module")
def task() -> fs.Task:
    return fs.tasks.living_things(4)


@pytest.fixture(scope="module")
def theory(task) -> fs.Trajectory:
    times = np.linspace(0, 60, 1201)
    return fs.evolve(NETWORK, task, times, observe=("strengths", "outputs", "hidden"))


@pytest.fixture(scope="module")
def shallow(task) -> fs.Trajectory:
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.3))
    return fs.evolve(network, task, np.linspace(0, 60, 301), seeds=4, observe=("strengths", "outputs", "hidden"))


def trajectory(times: np.ndarray, task: fs.Task | None = None, **values: np.ndarray) -> fs.Trajectory:
    return fs.Trajectory(times=times, values=values, task=fs.tasks.living_things(4) if task is None else task)


class TestRiseTimes:
    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
    def test_agree_with_the_closed_form(self, task, theory, share):
        s = task.statistics
        expected = fs.linear.time_to_strength(share * s.targets, s.strengths, s.curvatures, np.array(1e-3))
        assert np.abs(theory.rise_times(share) - expected).max() < INTERPOLATION

    def test_never_reached_is_infinite_and_reached_at_once_is_the_first_time(self, task):
        ends = task.statistics.targets
        flat = trajectory(np.array([1.0, 2.0]), strengths=np.array([[1.0, 0.4, 0.5, 0.0]] * 2) * ends)
        assert flat.rise_times().tolist() == [1.0, np.inf, 1.0, np.inf]

    def test_first_crossing_counts(self, task):
        shares = np.array([0.0, 1.0, 0.0, 1.0])
        wave = trajectory(np.arange(4.0), strengths=shares[:, None] * task.statistics.targets)
        assert np.abs(wave.rise_times() - 0.5).max() < ROUNDING

    def test_seeds_are_a_loop(self, task):
        network = fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.01))
        times = np.linspace(0, 60, 121)
        both = fs.evolve(network, task, times, method=fs.Reduced(), seeds=2, observe=("strengths",))
        found = both.rise_times()
        for seed in range(2):
            one = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed, observe=("strengths",))
            assert np.array_equal(found[seed], one.rise_times())

    def test_of_a_network_without_modes_are_those_of_its_outputs(self, task, theory):
        outputs = fs.Trajectory(times=theory.times, values={"outputs": theory.outputs}, task=task)
        assert np.abs(outputs.rise_times() - theory.rise_times()).max() < ROUNDING
        relu = fs.ReLU((16,), initial=fs.initial.Gaussian(0.01))
        found = fs.evolve(relu, task, np.linspace(0, 60, 61), method=fs.Train(rate=0.1), seeds=2).rise_times()
        assert found.shape == (2, 4)
        assert np.all(np.diff(found[:, :3]) > 0)

    def test_bad_arguments_are_named(self, task, theory):
        for share in (1.0, 1.5):
            with pytest.raises(ValueError, match=r"share is .*a number between 0 and 1"):
                theory.rise_times(share)
        with pytest.raises(ValueError, match=r"trajectory observed loss; this analysis needs .*'outputs'"):
            trajectory(np.array([0.0]), loss=np.zeros(1)).rise_times()
        with pytest.raises(ValueError, match="trajectory is of None; one task is needed"):
            fs.Trajectory.from_arrays([0.0], [1.0], strengths=[[1.0]]).rise_times()


class TestDifferentiation:
    def test_levels_in_order(self, task, theory):
        found = theory.differentiation()
        assert found.levels.tolist() == [0, 1, 2, 2]
        assert found.order.tolist() == [0, 1, 2]
        assert found.ordered == 1
        assert np.allclose(found.level_times, [found.times[0], found.times[1], found.times[2:].mean()])
        assert found.spread == pytest.approx(found.times[2] / found.times[0] - 1, rel=ROUNDING)

    def test_shallow_networks_learn_all_at_once(self, task):
        network = fs.DeepLinear(initial=fs.initial.Aligned(1e-6))
        run = fs.evolve(network, task, np.linspace(0, 40, 801), observe=("strengths",))
        found = run.differentiation()
        # from strength 1e-6 the modes reach half their ends (≥ 1) at times that differ by less than 1e-6
        assert found.spread < 1e-6
        assert np.abs(found.times - 4 * np.log(2)).max() < INTERPOLATION

    def test_reversed_times_are_in_the_wrong_order(self, task):
        times = np.arange(6.0)
        shares = times[:, None] > np.array([4, 3, 1, 2])
        found = trajectory(times, strengths=shares * task.statistics.targets).differentiation()
        assert found.ordered == 0
        assert found.order.tolist() == [2, 1, 0]

    def test_one_level_is_in_order(self):
        task = fs.tasks.partition(3, 2)
        network = fs.DeepLinear((3,), initial=fs.initial.Aligned(1e-3))
        run = fs.evolve(network, task, np.linspace(0, 200, 400), observe=("strengths",))
        found = run.differentiation()
        assert found.levels.tolist() == [0, 0, 0]
        assert (found.ordered, found.order.tolist()) == (1, [0])


class TestIllusions:
    def test_agree_with_a_loop(self, task, theory):
        found = theory.illusions()
        for i in range(4):
            for k in range(7):
                curve = theory.outputs[:, i, k]
                low, high = sorted((curve[0], curve[-1]))
                rise, fall = max(curve.max() - high, 0), max(low - curve.min(), 0)
                assert found.heights[i, k] == pytest.approx(rise if rise >= fall else -fall, abs=ROUNDING)
                if rise > 0.05:
                    assert curve[theory.times == found.times[i, k]][0] == curve.max()

    def test_every_false_property_of_a_deep_network_and_no_true_one(self, task, theory):
        found = theory.illusions()
        assert found.count() == np.sum(task.y == 0)
        assert np.array_equal(np.abs(found.heights) >= 0.05, task.y == 0)
        rows = found.strongest()
        assert [abs(r[3]) for r in rows] == sorted((abs(r[3]) for r in rows), reverse=True)
        assert {("canary", "swim"), ("canary", "roots")} <= {row[:2] for row in rows}

    def test_a_shallow_network_has_none_from_any_start(self, task, shallow):
        found = shallow.illusions()
        assert found.heights.shape == (4, 4, 7)
        assert np.abs(found.heights).max() < ROUNDING
        assert found.count(0.001).tolist() == [0, 0, 0, 0]
        assert found.strongest() == []

    def test_dips_are_negative(self):
        task = fs.Task(np.eye(1), [[1.0]])
        dip = trajectory(np.arange(3.0), task, outputs=np.array([0.0, -0.4, 1.0])[:, None, None])
        assert dip.illusions().strongest() == [("item 1", "output 1", 1.0, -0.4)]

    @given(st.lists(st.floats(-1, 1), min_size=1, max_size=6))
    def test_sign_of_targets_plays_no_part(self, values):
        curve = np.array(values)[:, None, None]
        task = fs.Task(np.eye(1), [[1.0]])
        times = np.arange(float(len(values)))
        up = trajectory(times, task, outputs=curve).illusions()
        down = trajectory(times, task, outputs=-curve).illusions()
        assert abs(up.heights[0, 0]) == abs(down.heights[0, 0])


class TestTypicalityAndPrototypes:
    @pytest.mark.parametrize("levels", [1, 2, 3])
    def test_on_one_hot_items_typicality_is_the_analyser(self, levels):
        task = fs.tasks.hierarchy(levels)
        assert np.abs(task.typicality() - task.statistics.right).max() < ROUNDING

    def test_prototypes_are_weighted_averages_of_items(self, task):
        averages = task.typicality().T @ task.y
        assert np.abs(task.prototypes() - averages).max() < ROUNDING

    @given(st.integers(0, 50))
    def test_items_are_predicted_from_prototypes(self, seed):
        task = fs.tasks.teacher(4, 3, seed=seed)
        assert np.abs(task.typicality() @ task.prototypes() - task.y).max() < 1e3 * ROUNDING

    def test_over_time_they_rebuild_the_outputs(self, task, theory):
        outputs = task.typicality() @ theory.prototypes()
        assert np.abs(outputs - theory.outputs).max() < ROUNDING

    def test_what_is_held_typical_grows_to_what_is(self, task, theory):
        found = theory.typicality()
        assert found.shape == (1201, 4, 4)
        assert np.abs(found[0]).max() < 2e-3
        assert np.abs(found[-1] - task.typicality()).max() < 1e-6

    def test_an_item_with_fewer_shared_properties_is_less_typical(self):
        y = np.ones((4, 6))
        y[3, 2:] = 0
        found = fs.Task(np.eye(4), y).typicality()
        assert found[3, 0] < found[0, 0]


class TestProjection:
    def test_is_what_teaching_the_output_weights_does(self):
        hidden = np.random.default_rng(0).standard_normal((3, 4, 6))
        found = fs.Trajectory(times=np.arange(3.0), values={"hidden": (hidden,)}).projection()
        for time, taught in np.ndindex(3, 4):
            weights = np.linalg.lstsq(hidden[time, taught][None], np.ones(1), rcond=None)[0]
            assert np.abs(hidden[time] @ weights - found[time, taught]).max() < ROUNDING * 100

    @given(st.integers(0, 100))
    def test_rotations_of_the_hidden_layer_play_no_part(self, seed):
        rng = np.random.default_rng(seed)
        hidden = rng.standard_normal((2, 5, 3))
        turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        first, second = (
            fs.Trajectory(times=np.arange(2.0), values={"hidden": (h,)}).projection()
            for h in (hidden, 7 * hidden @ turn)
        )
        assert np.abs(first - second).max() < 1e4 * ROUNDING
        assert np.abs(np.einsum("tii->ti", first) - 1).max() < ROUNDING

    def test_relatives_are_believed_more(self, theory):
        end = theory.projection()[-1, 0]
        assert end[0] == pytest.approx(1)
        assert end[1] > end[2] == pytest.approx(end[3])

    def test_generalisation_narrows_as_distinctions_are_learned(self, theory):
        found = theory.projection()[:, 0, 2]
        assert found[np.searchsorted(theory.times, 8.0)] > found[-1]

    def test_silent_items_project_nothing(self):
        hidden = np.array([[[0.0, 0.0], [1.0, 0.0]]])
        run = fs.Trajectory(times=np.zeros(1), values={"hidden": (hidden,)})
        assert run.projection()[0].tolist() == [[0.0, 0.0], [0.0, 1.0]]

    def test_bad_arguments_are_named(self, theory):
        for layer in (1, -2):
            with pytest.raises(ValueError, match=f"layer is {layer}; the network has 1 hidden layer"):
                theory.projection(layer)
        with pytest.raises(ValueError, match="layer is -1; the network has 0 hidden layer"):
            fs.Trajectory(times=np.zeros(1), values={"hidden": ()}).projection()
