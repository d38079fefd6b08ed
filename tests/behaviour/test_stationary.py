"""Stationary points: zeros, eigenvalues, escape, and weights that move at three partial errors."""

from functools import cache

import numpy as np
import pytest

import festina as fs
from festina.behaviour import DecisionTask, Shallow, TutorExecutor
from festina.behaviour import _expected as expected


@cache
def stationary_points(network, task, **settings):
    return network.stationary_points(task, **settings)


TASK = DecisionTask()
OTHER = DecisionTask(contrasts=(-1.0, -0.2, 0.1, 0.6), probabilities=(0.1, 0.3, 0.4, 0.2))
ZERO = 1e-10
"""Per unit of trials × rate: what the project asks of a stationary point; solutions come out near 1e-15."""
EIGENVALUE = 1e-4
"""Per unit of trials × rate. Central differences with step 1e-6 leave 1e-10 in the matrix; some eigenvalues are
defective (neutral rescaling of layers), where that is its square root, 1e-5, in the eigenvalue."""
GROWTH = 1e-3
"""Relative: the rate measured over the e-foldings in which a perturbation grows from 1e-6 to 1e-4."""

DEEP = [
    TutorExecutor(),
    TutorExecutor(rule="gradient"),
    TutorExecutor(beta=3.0),
    TutorExecutor(rule="gradient", beta=3.0),
]
ALL = [*DEEP, Shallow(), Shallow(rule="gradient")]


def update(network, task, w, W):
    """The expected update with clipping, of all weights in a row."""
    moved, taught = expected.velocity(network, task, w, W)
    flat, push = np.concatenate([w, W.ravel()]), np.concatenate([moved, taught.ravel()])
    return np.where((flat <= 0) & (push < 0), 0, push)


@pytest.mark.parametrize("task", [TASK, OTHER], ids=["mice", "uneven"])
@pytest.mark.parametrize("network", ALL, ids=str)
def test_points_are_zeros_of_the_expected_update(network, task):
    points = stationary_points(network, task)
    assert points
    for point in points:
        assert np.max(np.abs(update(network, task, *point.weights))) < ZERO
        np.testing.assert_allclose(point.weights[1] * point.weights[0], point.map, atol=1e-15)
        assert np.all(point.map >= 0)


@pytest.mark.parametrize("network", ALL, ids=str)
def test_eigenvalues_are_those_of_a_numerical_jacobian(network):
    first = 0 if network.learns_tutor else 3

    def move(y):
        moved, taught = expected.velocity(network, TASK, y[:3], y[3:].reshape(2, 3))
        return np.concatenate([moved, taught.ravel()])[first:]

    for point in stationary_points(network, TASK):
        at, step = np.concatenate([point.weights[0], point.weights[1].ravel()]), 1e-6
        columns = [(move(at + step * e) - move(at - step * e)) / (2 * step) for e in np.eye(9)[first:]]
        numerical = np.linalg.eigvals(np.stack(columns, axis=1))
        found = point.eigenvalues
        assert len(found) == 9 - first
        for a, b in ((found, numerical), (numerical, found)):
            assert np.max(np.min(np.abs(a[:, None] - b), axis=1)) < EIGENVALUE, point.name


def test_one_point_for_every_set_of_pathways_with_the_gradient():
    points = stationary_points(TutorExecutor(rule="gradient"), TASK)
    assert len({point.pathways for point in points}) == len(points) == 8
    assert [point.saddle for point in points] == [True] * 7 + [False]
    best = min(points, key=lambda point: point.loss)
    assert best.pathways == ("left", "right", "constant")


def test_three_partial_errors_leave_five_all_saddles():
    points = stationary_points(TutorExecutor(), TASK)
    assert [point.name for point in points] == ["none", "constant", "left", "right", "left + right"]
    assert all(point.saddle for point in points)


@pytest.mark.parametrize("rule", ["partial", "gradient"])
def test_without_depth_there_is_one_and_it_is_stable(rule):
    (point,) = stationary_points(Shallow(rule=rule), TASK)
    assert point.pathways == ("left", "right", "constant")
    assert not point.saddle
    assert np.max(np.real(point.eigenvalues)) < 0
    end = fs.evolve(Shallow(rule=rule, offset=0.2), TASK, [2.6e5], method=fs.Flow(), observe="map")
    np.testing.assert_allclose(end["map"][0], point.map, atol=1e-5)


def test_known_values():
    points = {point.name: point for point in stationary_points(TutorExecutor(), TASK)}
    mean_input = 0.3 * 0.5 + 0.15 * 0.25
    assert points["none"].loss == pytest.approx(0.25)
    assert points["constant"].loss == pytest.approx(0.125)
    np.testing.assert_allclose(points["constant"].map, [[0, 0, 0.5], [0, 0, 0.5]], atol=1e-14)
    # at chance P(a) = 1/2; the tutor is taught by 1 − Q_const = 1/2, the executor by 1
    assert points["none"].rates["left"] == pytest.approx(mean_input / 2)
    assert points["constant"].rates["left"] == pytest.approx(mean_input / 2 * np.sqrt(0.5))
    assert points["none"].rates["constant"] == pytest.approx(np.sqrt(2 * 0.25**2))


@pytest.mark.parametrize("rule", ["partial", "gradient"])
def test_a_small_push_grows_at_the_escape_rate(rule):
    """Each pathway at rest is touched, and the flow (scipy) is followed while the linearisation holds."""
    network = TutorExecutor(rule=rule)
    for point in stationary_points(network, TASK):
        for i, pathway in enumerate(("left", "right", "constant")):
            rate = point.rates.get(pathway, 0.0)
            if rate == 0:
                continue
            w, W = (array.copy() for array in point.weights)
            e = expected.drives(network, TASK, point.map)[1][:, i]
            # along the growing direction, so that no transient is measured
            w[i], W[:, i] = 1e-6, 1e-6 * np.maximum(e, 0) / rate
            times = np.log([10.0, 100.0]) / rate
            found = expected.follow(network, TASK, np.concatenate([w, W.ravel()]), times)
            measured = np.log(found[1, i] / found[0, i]) / (times[1] - times[0])
            assert measured == pytest.approx(rate, rel=GROWTH), (point.name, pathway)


def test_rescaling_layers_changes_neither_rest_nor_escape():
    network = TutorExecutor(rule="gradient")
    for point in stationary_points(network, TASK):
        w, W = point.weights
        scale = np.array([3.0, 0.5, 2.0])
        assert np.max(np.abs(update(network, TASK, w * scale, W / scale))) < ZERO


def test_one_root_per_stimulus_pathway():
    """A scan that does not know the solver's starts: the error of a lone stimulus pathway changes sign once."""
    network = TutorExecutor()
    scan = np.linspace(1e-3, 20, 20001)
    q = np.zeros((len(scan), 2, 3))
    q[:, 0, 0] = scan
    error = expected.drives(network, TASK, q)[1][:, 0, 0]
    crossing = scan[:-1][np.diff(np.sign(error)) != 0]
    points = {point.name: point for point in stationary_points(network, TASK)}
    np.testing.assert_allclose(crossing, points["left"].map[0, 0], atol=2e-3)


def test_mirror_images():
    points = {point.name: point for point in stationary_points(TutorExecutor(), TASK, moving_weights=True)}
    for name in ("left", "left + constant", "left + constant (2)"):
        left, right = points[name], points[name.replace("left", "right")]
        np.testing.assert_allclose(left.map, right.map[::-1][:, [1, 0, 2]], atol=1e-9)
        assert left.loss == pytest.approx(right.loss)
        assert left.shape[0] == pytest.approx(-right.shape[0])


@pytest.mark.parametrize(("offset", "name"), [(0.1, "right + constant"), (0.3, "right + constant (2)")])
def test_partial_errors_bring_the_map_to_rest_where_predicted(offset, name):
    """With left dead, the weights never rest while the map does: two ends, and the initial bias decides which."""
    network = TutorExecutor(noise=0, offset=offset, tutor=(0, 0.05, 1.0), executor=(0, 0.2, 0.0))
    points = {point.name: point for point in stationary_points(network, TASK, moving_weights=True)}
    assert points[name].moving_weights
    run = fs.evolve(network, TASK, [26.0, 260.0, 2600.0], method=fs.Flow(), observe=("map", "weights"))
    apart = run.saddle_distances([points[name]])[:, 0]
    # the distance falls like 1/√trials, as the weights that carry it do
    assert apart[2] < 3e-2
    assert apart[2] < 0.4 * apart[1] < 0.16 * apart[0]
    growth = run.weights[1][:, 1, 1]
    assert growth[2] / growth[1] == pytest.approx(np.sqrt(10), rel=0.05)


def test_all_pathways_come_to_rest_at_the_end_of_the_gradient_rule():
    """Symmetric ends of both rules are one: the regression of reward on stimulus with a constant."""
    partial = stationary_points(TutorExecutor(), TASK, moving_weights=True)[-1]
    gradient = stationary_points(TutorExecutor(rule="gradient"), TASK)[-1]
    assert partial.moving_weights
    assert partial.rates == {}
    np.testing.assert_allclose(partial.map, gradient.map, atol=1e-9)


def test_distances():
    run = fs.evolve(TutorExecutor(noise=0), TASK, [0.0, 0.01, 0.02], method=fs.Train(1e-3), seeds=3, observe="map")
    points = stationary_points(TutorExecutor(), TASK)
    found = run.saddle_distances(points)
    np.testing.assert_array_equal(run.saddle_distances(), found)
    assert found.shape == (3, 3, 5)
    assert found[0, 0, 0] == pytest.approx(0.02)
    with pytest.raises(ValueError, match="points is empty"):
        run.saddle_distances([])


@pytest.mark.parametrize("rule", ["partial", "gradient"])
@pytest.mark.parametrize("beta", [100.0, 200.0])
def test_an_action_that_is_never_chosen_makes_no_stationary_point(rule, beta):
    """At low temperature P(left) falls to e^(−70) where right is worth more: no update is not the same as no error."""
    names = [
        [point.name for point in fs.behaviour.TutorExecutor(rule=rule, beta=b).stationary_points(DecisionTask())]
        for b in (9.0, beta)
    ]
    assert sorted(names[0]) == sorted(names[1])
    assert [point.name for point in Shallow(rule=rule, beta=beta).stationary_points(TASK)] == [
        "left + right + constant"
    ]


@pytest.mark.parametrize("beta", [9.0, 60.0, 200.0])
def test_two_contrasts_have_no_point_where_all_pathways_move(beta):
    """Stimuli on both sides make the constant superfluous: only with one of them does its map come to rest."""
    task = DecisionTask(contrasts=(-0.5, 0.5), probabilities=(0.5, 0.5))
    found = stationary_points(TutorExecutor(beta=beta), task, moving_weights=True)
    assert [point.pathways for point in found if point.moving_weights] == [
        ("left", "constant"), ("right", "constant"), ("left", "constant"), ("right", "constant"),
    ]  # fmt: skip
    assert all(point.map[point.map > 0].min() > 1e-3 for point in found if point.pathways)
