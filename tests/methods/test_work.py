"""The operations of a step are those that its products take, counted by hand."""

import jax
import numpy as np
import pytest
from jax import lax

import festina as fs
from festina.core.network import Data
from festina.methods._device_choice import step_work
from festina.methods._step import TrainSpec


def counted(loss, start, context, **settings):
    return step_work(TrainSpec(loss, dict, ("loss",), **settings), context, start)


def work(loss, start, context, **settings):
    return counted(loss, start, context, **settings).operations


def of(network, task, **settings):
    """The work of a step of a network's own loss."""
    return work(network.loss, network.start(task, 0), network.context(task), **settings)


def dense(weights, data, _):
    return ((data.x @ weights[0].T @ weights[1].T - data.y) ** 2).sum()


START = (np.zeros((700, 11)), np.zeros((60, 700)))
POINTS = Data(np.zeros((24, 11)), np.zeros((24, 60)), 24.0)
FORWARD = 2 * 24 * (11 * 700 + 700 * 60)


def test_a_dense_network_multiplies_each_weight_with_each_point_forward_and_twice_back():
    assert work(dense, START, {"data": POINTS}) == 3 * FORWARD


@pytest.mark.parametrize("settings", [{}, {"batch": 6}])
def test_each_layer_is_a_product_forward_and_two_back_however_many_points_there_are(settings):
    assert counted(dense, START, {"points": POINTS, "data": POINTS}, **settings).products == 3 * 2


def test_a_mini_batch_takes_its_share():
    assert work(dense, START, {"points": POINTS, "data": POINTS}, batch=6) == 3 * FORWARD / 4


def test_points_that_are_drawn_afresh_count_as_drawn():
    def sample(key, count, _):
        return Data(jax.random.normal(key, (count, 11)), np.zeros((count, 60)), float(count))

    assert work(dense, START, {"data": POINTS}, batch=12, sample=sample) == 3 * FORWARD / 2


def test_a_loop_counts_each_turn_and_a_choice_its_longer_branch():
    def loss(weights, data, _):
        w = weights[0]
        many = lax.scan(lambda x, _: (x @ w, None), data.x, None, length=7)[0]
        return lax.cond(many.sum() > 0, lambda x: (x @ w @ w).sum(), lambda x: (x @ w).sum(), many)

    found = counted(loss, (np.zeros((11, 11)),), {"data": POINTS})
    assert found == (3 * (7 + 2), 3 * 2 * 24 * 11 * 11 * (7 + 2))


def test_a_convolution_counts_its_weights_at_every_pixel():
    network = fs.FeedForward((30, 30), connection="convolution", channels=4, kernel=3)
    task = fs.Task(np.zeros((2, 1)), np.zeros((2, 2)))
    pixels, weights = (28, 26, 24), (4 * 1 * 3, 4 * 4 * 3, 1 * 4 * 3)
    products = 30 + sum(p * w for p, w in zip(pixels, weights, strict=True)) + 24 * 2
    assert of(network, task) == 3 * 2 * 2 * products


@pytest.mark.parametrize("network", [fs.FeedForward((5, 5), dropout=0.2), fs.FeedForward((5, 5))])
def test_units_that_are_dropped_count_all_the_same(network):
    task = fs.Task(np.zeros((2, 1)), np.zeros((2, 2)))
    assert of(network, task, noisy=network.noisy) == 3 * 2 * 2 * (5 + 25 + 10)
