"""Training with the settings of PyTorch's optimisers and schedulers takes PyTorch's own steps."""

from typing import Any

import numpy as np
import optax
import pytest
import torch
from torch import nn
from torch.optim import lr_scheduler

import festina as fs

pytestmark = pytest.mark.slow

STEPS, TOLERANCE = 40, 1e-11
"""What both libraries agree to, relative to the first loss, in double precision."""

SCHEDULED = {
    "steps": lambda optimizer: lr_scheduler.StepLR(optimizer, 10, gamma=0.3),
    "warm-up": lambda optimizer: lr_scheduler.SequentialLR(
        optimizer,
        [lr_scheduler.LinearLR(optimizer, 0.1, total_iters=10), lr_scheduler.CosineAnnealingLR(optimizer, 25)],
        milestones=[10],
    ),
    "one cycle": lambda optimizer: lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=60, cycle_momentum=False),
}

CASES = {
    "nesterov": (lambda w: torch.optim.SGD(w, lr=0.02, momentum=0.8, nesterov=True, weight_decay=0.1), None, {}),
    "decay": (lambda w: torch.optim.SGD(w, lr=0.05, weight_decay=0.3), None, {}),
    "adam": (lambda w: torch.optim.Adam(w, lr=0.01, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.2), None, {}),
    "adamw": (lambda w: torch.optim.AdamW(w, lr=0.01, weight_decay=0.5), "steps", {}),
    "rmsprop": (lambda w: torch.optim.RMSprop(w, lr=0.01, alpha=0.9), None, {}),
    "clip": (lambda w: torch.optim.SGD(w, lr=0.1), "warm-up", {"clip": 0.3}),
    "one cycle": (lambda w: torch.optim.SGD(w, lr=0.1, momentum=0.5), "one cycle", {}),
    "batches": (lambda w: torch.optim.Adam(w, lr=0.02), None, {"batch": 5}),
}


def setting(outputs=3):
    torch.manual_seed(0)
    rng = np.random.default_rng(1)
    module = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, outputs)).double()
    return module, fs.Task(rng.normal(size=(30, 6)), rng.normal(size=(30, outputs)))


def steps_of_torch(module, task, optimizer, scheduler, clip, rows):
    x, y, losses = torch.from_numpy(task.x.copy()), torch.from_numpy(task.y.copy()), []
    for k in range(STEPS + 1):
        losses.append(0.5 * float(((module(x) - y) ** 2).sum().detach()) / len(x))
        part = slice(None) if rows is None else rows[k % len(rows)]
        optimizer.zero_grad()
        nn.functional.mse_loss(module(x[part]), y[part]).backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(module.parameters(), clip)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return np.array(losses)


@pytest.mark.parametrize("name", list(CASES))
def test_every_step_is_that_of_pytorch(name):
    make, schedule, settings = CASES[name]
    module, task = setting()
    network, optimizer = fs.from_torch(module), make(module.parameters())
    scheduler = None if schedule is None else SCHEDULED[schedule](optimizer)
    rows = None
    if "batch" in settings:
        rows = np.random.default_rng(0).integers(0, 30, (7, settings["batch"]))
        settings = {**settings, "batch": rows}
    ours = fs.evolve(network, task, steps=np.arange(STEPS + 1), method=fs.Train.like(optimizer, scheduler, **settings))
    theirs = steps_of_torch(module, task, optimizer, scheduler, settings.get("clip"), rows)
    assert np.abs(ours.loss - theirs).max() < TOLERANCE * theirs[0]
    assert theirs[-1] < theirs[0]


def test_a_learning_rate_is_that_of_pytorchs_loss():
    module, task = setting()
    network = fs.from_torch(module)
    run = fs.evolve(network, task, steps=[0, 5], method=fs.Train(lr=0.3))
    same = fs.evolve(network, task, steps=[0, 5], method=fs.Train(rate=0.2))
    np.testing.assert_allclose(run.loss, same.loss, rtol=1e-14)
    assert run.method.rate == pytest.approx(0.2)
    assert run.times[-1] == pytest.approx(1.0)


def test_a_schedule_is_a_function_or_a_table_and_is_saved_as_a_table(tmp_path):
    _, task = setting()
    network = fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.1))
    decay = optax.cosine_decay_schedule(1.0, 20)
    made = fs.evolve(network, task, steps=[0, 10, 30], method=fs.Train(rate=0.1, schedule=decay))
    table = [np.asarray(decay(k)).item() for k in range(21)]
    listed = fs.evolve(network, task, steps=[0, 10, 30], method=fs.Train(rate=0.1, schedule=table))
    np.testing.assert_allclose(made.loss, listed.loss, rtol=1e-6)  # optax computes the factors in single precision
    again = fs.load(made.save(tmp_path / "run.nc"))
    assert again.method == made.method
    assert repr(made.method) == "Train(rate=0.1, schedule=<30 factors>)"
    halved = fs.evolve(network, task, steps=[0, 4], method=fs.Train(rate=0.1, schedule=[0.5]))
    plain = fs.evolve(network, task, steps=[0, 4], method=fs.Train(rate=0.05))
    np.testing.assert_allclose(halved.loss, plain.loss, rtol=1e-13)


def test_points_are_drawn_with_replacement():
    task = fs.Task(np.eye(8), 1 + np.random.default_rng(0).random((8, 1)))
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(
        network, task, steps=np.arange(41), method=fs.Train(rate=0.1, batch=4, replace=True), observe="weights"
    )
    moved = (np.abs(np.diff(run.weights[0], axis=0)) > 0).sum(axis=(1, 2))
    assert moved.max() == 4
    assert moved.min() < 4  # a point came twice


class Own(torch.optim.SGD):
    """An optimiser of one's own."""


def wandering():
    weights = [nn.Parameter(torch.ones(1))]
    optimizer = torch.optim.Adam(weights, lr=0.1)
    weights[0].grad = torch.ones(1)
    optimizer.step()
    return optimizer


def pair():
    return [nn.Parameter(torch.ones(1))], [nn.Parameter(torch.ones(1))]


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("optimizer", "scheduler", "message"),
    [
        (
            lambda: Own([nn.Parameter(torch.ones(1))]),
            None,
            "optimizer is Own; SGD, Adam, AdamW, RMSprop of torch.optim",
        ),
        (lambda: 3, None, "optimizer is int; SGD"),
        (wandering, None, "optimizer has taken steps, and its memory is not taken over"),
        (lambda: torch.optim.SGD(pair()[0], lr=0.1, momentum=0.9, dampening=0.5), None, "has dampening=0.5"),
        (
            lambda: torch.optim.SGD([{"params": pair()[0], "lr": 0.2}, {"params": pair()[1]}]),
            None,
            "different settings",
        ),
        (lambda: torch.optim.SGD(pair()[0], lr=0.1), lr_scheduler.ReduceLROnPlateau, "number of steps alone"),
        (
            lambda: torch.optim.SGD(pair()[0], lr=0.1),
            lambda _: lr_scheduler.StepLR(torch.optim.SGD(pair()[0]), 3),
            "scheduler belongs to another optimizer",
        ),
    ],
)
def test_what_cannot_be_taken_over_is_refused(optimizer, scheduler, message):
    made = optimizer()
    with pytest.raises(ValueError, match=message):
        fs.Train.like(made, None if scheduler is None else scheduler(made))


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "rate is None; a number > 0 is needed .*, or lr="),
        ({"lr": -1}, "lr is -1; a number > 0"),
        ({"rate": 1, "betas": (0.9,)}, "betas is .*two numbers"),
        ({"rate": 1, "nesterov": True}, "nesterov is True and optimiser 'gd'"),
        ({"rate": 1, "schedule": [-1.0]}, "schedule holds factors"),
        ({"rate": 1, "schedule": "cosine"}, "schedule"),
        ({"rate": 1, "weight_decay": -1}, "weight_decay is -1"),
        ({"rate": 1, "clip": 0}, "clip is 0; a number > 0"),
        ({"rate": 1, "replace": True}, "replace is True and batch None"),
        ({"rate": 1, "batch": [[0.5]]}, "batch has shape"),
        ({"rate": 1, "batch": [[0, 1], [2]]}, "batch holds steps of 1 and of 2 points.*drop_last=True"),
        ({"rate": 1, "optimiser": optax.lion, "clip": 1.0}, "settings of its own"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        fs.Train(**settings)


def test_only_plain_steps_are_descent():
    assert fs.Train(rate=0.1).is_descent
    more: Any = ({"weight_decay": 0.1}, {"clip": 1.0}, {"schedule": [1.0, 0.5]}, {"batch": 4}, {"optimiser": "adam"})
    assert not any(fs.Train(rate=0.1, **settings).is_descent for settings in more)


def test_listed_batches_print_briefly_and_compare():
    method = fs.Train(rate=0.1, batch=np.arange(6).reshape(3, 2))
    assert repr(method) == "Train(rate=0.1, batch=<3 × 2 rows>)"
    assert method == fs.Train(rate=0.1, batch=[[0, 1], [2, 3], [4, 5]])
    assert hash(method) == hash(fs.Train(rate=0.1, batch=[[0, 1], [2, 3], [4, 5]]))


def test_rows_that_are_not_there_are_refused():
    _, task = setting()
    network = fs.DeepLinear(initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="batch holds row 30 with 30 data points"):
        fs.evolve(network, task, steps=2, method=fs.Train(rate=0.1, batch=[[30]]))


def test_an_optimiser_of_pytorch_as_rate_names_like(untyped):
    optimizer: Any = torch.optim.AdamW(torch.nn.Linear(2, 1).parameters())
    with pytest.raises(ValueError, match=r"fs\.Train\.like\(optimizer, scheduler\)"):
        fs.Train(optimizer)


def test_a_name_in_other_letters_suggests_itself():
    with pytest.raises(ValueError, match=r"'AdamW' is unknown\. Did you mean 'adamw'"):
        fs.Train(rate=0.1, optimiser="AdamW")
