"""Units that stand for all their images, against the network of all these images."""

from itertools import permutations

import numpy as np
import pytest

import festina as fs
from festina.papers import Results
from festina.papers.experiments import turning
from festina.papers.setups.turning import Symmetry, closings, follow, gates, representatives, turn

CONTEXTS, ITEMS = 3, 8
SWAPS = ((0, 4), (0, 2), (4, 2), (0, 1), (2, 1), (4, 1), (6, 1))
"""First item and number of items of the two branches that can be exchanged, for every branching of the tree."""


@pytest.fixture(scope="module")
def symmetry() -> Symmetry:
    return Symmetry.of(fs.tasks.context(CONTEXTS).spanned()[0], CONTEXTS)


def group(points: int) -> list[np.ndarray]:
    """All 128 · 3! permutations of data points, made by hand from exchanges of branches and of contexts."""
    trees = [np.arange(ITEMS)]
    for first, size in SWAPS:
        swap = np.arange(ITEMS)
        swap[first : first + size], swap[first + size : first + 2 * size] = (
            np.arange(first + size, first + 2 * size),
            np.arange(first, first + size),
        )
        trees += [tree[swap] for tree in trees]
    numbers = np.arange(points).reshape(CONTEXTS, ITEMS)
    return [numbers[list(order)][:, tree].ravel() for order in permutations(range(CONTEXTS)) for tree in trees]


def test_symmetries_change_no_scalar_product(symmetry) -> None:
    task, images = symmetry.task, group(len(symmetry.task.x))
    assert len({tuple(image) for image in images}) == 128 * 6
    for image in images[::37]:
        np.testing.assert_allclose((task.x @ task.x.T)[np.ix_(image, image)], task.x @ task.x.T, atol=1e-12)
        np.testing.assert_allclose((task.y @ task.y.T)[np.ix_(image, image)], task.y @ task.y.T, atol=1e-9)


def test_amplitudes_are_those_of_all_images_together(symmetry) -> None:
    """The mean of 768 images, computed one by one, has the eight amplitudes and nothing else."""
    task, rng = symmetry.task, np.random.default_rng(0)
    w, a = rng.standard_normal((2, task.x.shape[1])), rng.standard_normal((2, task.y.shape[1]))
    outputs = np.zeros_like(task.y)
    images = group(len(task.x))
    for image in images:
        own_w, own_a = (w @ task.x.T)[:, image] @ symmetry.into.T, (a @ task.y.T)[:, image] @ symmetry.out.T
        outputs += np.maximum(own_w @ task.x.T, 0.0).T @ own_a / len(images)
    once = symmetry.amplitudes(np.maximum(w @ task.x.T, 0.0).T @ a)
    np.testing.assert_allclose(symmetry.residual(once), outputs, atol=1e-9)
    whole = ((task.y - outputs) ** 2).sum() / (2 * len(task.x))
    assert symmetry.loss(1 - once[None])[0] == pytest.approx(whole, rel=1e-9)


def test_canonical_position_is_the_same_for_all_images_of_a_unit(symmetry) -> None:
    task, rng = symmetry.task, np.random.default_rng(1)
    h, b = (rng.standard_normal((1, n)) @ part.T for n, part in ((task.x.shape[1], task.x), (task.y.shape[1], task.y)))
    first = symmetry.canonical(h, b)
    for image in group(len(task.x))[::101]:
        for one, other in zip(first, symmetry.canonical(h[:, image], b[:, image]), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-12)


def test_representatives_keep_the_second_moments_of_all(symmetry) -> None:
    task, rng = symmetry.task, np.random.default_rng(2)
    # on everywhere: a common part, and the components that grow, as after the first plateau
    w = rng.uniform(0.5, 2.0, (60, 1)) + 0.1 * rng.standard_normal((60, task.x.shape[1]))
    a = w @ task.x.T @ task.y / 10
    ((few, out),) = representatives(symmetry, w, a, [12])
    assert few.shape == (12, task.x.shape[1])
    wanted = symmetry.moments(w @ task.x.T, a @ task.y.T)
    np.testing.assert_allclose(symmetry.moments(few @ task.x.T, out @ task.y.T), wanted, atol=1e-6 * wanted.max())


def test_a_unit_alone_in_the_residual_of_all_moves_as_it_does_among_them(symmetry) -> None:
    """``turn`` in the amplitudes of ``follow``, observed at every step, has the gates of the followed units."""
    task, rng, rate = symmetry.task, np.random.default_rng(3), 0.02
    w, a = 0.3 * rng.standard_normal((8, task.x.shape[1])), 0.3 * rng.standard_normal((8, task.y.shape[1]))
    steps = np.arange(301)
    amplitudes, end, _ = follow(symmetry, w, a, rate, steps)
    on = turn(symmetry, w, a, rate, steps, amplitudes)
    # the last step of follow goes one beyond the last observation
    before = follow(symmetry, w, a, rate, steps[:-1])[1]
    np.testing.assert_array_equal(on[-1], gates(np.maximum(before @ task.x.T, 0.0)))
    assert symmetry.loss(amplitudes)[-1] < symmetry.loss(amplitudes)[0]
    assert np.isfinite(end).all()


def test_closings_are_the_first_observation_after_the_last_on() -> None:
    on = np.array([[1, 1, 0, 1], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], bool)[:, None, :]
    assert closings(on)[0].tolist() == [-1, 3, -1, 1]


def test_two_networks_are_as_far_apart_as_their_losses_times_and_shares() -> None:
    times = np.linspace(0, 10, 101)
    loss = np.stack([np.maximum(1 - times / 10, 0.0), np.maximum(1 - times / 5, 0.0)])
    shares = np.array([[0.2, 0.8], [0.5, 0.5]])
    known, networks = {"loss": loss[:1], "shares": shares[:1]}, {"loss": loss, "shares": shares}
    case = Results(None, times=times, floor=1.0, plain_area=1.0, known=known, networks=networks)
    c = Results(turning.quick, cases={3: case})

    time, loss_area, shared = turning._time.decide(c), turning._units.decide(c), turning._shares_on.decide(c)
    # one learns twice as fast as the other: the differences are 1 and 1/2 in the two orders
    assert time.floor == pytest.approx(0.75)
    assert loss_area.floor == pytest.approx(0.75, rel=1e-2)
    assert shared.floor == pytest.approx(0.3)
    # of what is predicted, here the first network, the distance is that to the mean
    assert shared.measured == pytest.approx(0.15)
