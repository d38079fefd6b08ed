"""Losses against PyTorch in double precision, and everything that follows them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import softmax

import festina as fs
from festina.core import Binary, CrossEntropy, Huber, OwnLoss, SquaredError

torch = pytest.importorskip("torch")

RNG = np.random.default_rng(0)
OUTPUTS = 3.0 * RNG.standard_normal((7, 3))
CLASSES = np.eye(3)[[0, 1, 2, 0, 1, 2, 0]]
ROUNDING = 1e-13


def rounded(outputs, targets):
    return ((1 + (outputs - targets) ** 2) ** 0.5).sum(-1)


def torch_mean(loss, outputs, targets):
    """The same mean over data points (and sum over outputs) in PyTorch."""
    each, count = torch.nn.functional, len(outputs)
    if isinstance(loss, CrossEntropy):
        return each.cross_entropy(outputs, targets, label_smoothing=loss.smoothing)
    if isinstance(loss, Binary):
        return each.binary_cross_entropy_with_logits(outputs, targets, reduction="sum") / count
    if isinstance(loss, Huber):
        return each.huber_loss(outputs, targets, reduction="sum", delta=loss.delta) / count
    if isinstance(loss, SquaredError):
        return 0.5 * each.mse_loss(outputs, targets, reduction="sum") / count
    return rounded(outputs, targets).mean()


LOSSES = [
    SquaredError(),
    CrossEntropy(),
    CrossEntropy(smoothing=0.2),
    Binary(),
    Huber(),
    Huber(delta=0.3),
    OwnLoss(rounded),
]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_value_and_residual_are_pytorchs(loss):
    ours = torch.tensor(OUTPUTS, requires_grad=True)
    value = torch_mean(loss, ours, torch.tensor(CLASSES))
    value.backward()
    with jax.enable_x64(True):
        for make in (np.asarray, jnp.asarray):
            outputs, targets = make(OUTPUTS), make(CLASSES)
            assert float(loss.mean(outputs, targets)) == pytest.approx(value.item(), rel=ROUNDING)
            residual = np.asarray(loss.residual(outputs, targets))
            assert np.abs(residual + len(OUTPUTS) * ours.grad.numpy()).max() < ROUNDING * np.abs(residual).max()
        slope = np.asarray(jax.grad(lambda f: loss.mean(f, CLASSES))(OUTPUTS))
    assert np.abs(slope - ours.grad.numpy()).max() < ROUNDING


@pytest.mark.parametrize("loss", [CrossEntropy(), Binary()], ids=repr)
def test_extreme_outputs_stay_finite(loss):
    outputs = np.array([[800.0, -800.0, 0.0]])
    with jax.enable_x64(True):
        for make in (np.asarray, jnp.asarray):
            found = float(loss.total(make(outputs), make(CLASSES[1:2])))
            assert found == pytest.approx(1600.0 if loss.name == "cross_entropy" else 1600.0 + np.log(2))
            assert np.all(np.isfinite(np.asarray(loss.residual(make(outputs), make(CLASSES[1:2])))))


def network(kind, width=5):
    """A network with weights of order one, so that outputs leave the linear range of every loss."""
    initial = fs.initial.Gaussian(0.7)
    return fs.DeepLinear((width,), initial=initial) if kind == "linear" else fs.ReLU((width,), initial=initial)


X = RNG.standard_normal((7, 4))


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("kind", ["linear", "relu"])
def test_training_is_pytorchs_loop(kind, loss):
    task, rate, steps = fs.Task(X, CLASSES, loss=loss), 0.05, 25
    run = fs.evolve(network(kind), task, [0.0, rate * steps], method=fs.Train(rate=rate), observe=("loss", "weights"))
    weights = [torch.tensor(w, requires_grad=True) for w in network(kind).start(task, 0)]

    def value():
        hidden = torch.tensor(X) @ weights[0].T
        return torch_mean(
            loss, (torch.relu(hidden) if kind == "relu" else hidden) @ weights[1].T, torch.tensor(CLASSES)
        )

    first, optimiser = value().item(), torch.optim.SGD(weights, lr=rate)
    for _ in range(steps):
        optimiser.zero_grad()
        value().backward()
        optimiser.step()
    assert run.loss == pytest.approx([first, value().item()], rel=1e-12)
    for found, expected in zip(run.weights, weights, strict=True):
        assert np.abs(found[-1] - expected.detach().numpy()).max() < 1e-12


def test_flow_of_cross_entropy_is_that_of_scipy():
    task, times = fs.Task(X, CLASSES, loss="cross_entropy"), np.array([0.0, 1.0, 5.0])
    first, second = network("linear").start(task, 0)

    def slope(_, flat):
        w1, w2 = flat[: first.size].reshape(first.shape), flat[first.size :].reshape(second.shape)
        pull = (CLASSES - softmax(X @ w1.T @ w2.T, axis=1)).T @ X / len(X)
        return np.concatenate([(w2.T @ pull).ravel(), (pull @ w1.T).ravel()])

    start = np.concatenate([first.ravel(), second.ravel()])
    path = solve_ivp(slope, (0, 5), start, t_eval=times, rtol=1e-11, atol=1e-12, method="DOP853").y
    run = fs.evolve(network("linear"), task, times, method=fs.Flow(rtol=1e-9), observe=("loss", "weights"))
    ends = np.concatenate([w[-1].ravel() for w in run.weights])
    assert np.abs(ends - path[:, -1]).max() < 1e-6


def test_gated_networks_follow_the_loss():
    on = np.array([1, 1, 1, 0, 0, 0, 0])
    gated = fs.gated.pathways([on, 1 - on], 4, initial=fs.initial.Gaussian(0.7))
    task = fs.Task(np.vstack([X] * 3), np.vstack([CLASSES] * 3), loss="cross_entropy")
    gated = fs.gated.pathways([np.tile(on, 3), np.tile(1 - on, 3)], 4, initial=fs.initial.Gaussian(0.7))
    run = fs.evolve(gated, task, [0.0, 2.0], method=fs.Train(rate=0.1), observe=("loss", "outputs"))
    assert run.loss == pytest.approx([task.loss.mean(f, task.y) for f in run.outputs], rel=1e-12)
    flow = fs.evolve(gated, task, [0.0, 2.0], method=fs.Flow())
    assert flow.loss[-1] == pytest.approx(run.loss[-1], rel=0.02)


def test_mini_batches_and_tasks_in_turn_follow_the_loss():
    task = fs.Task(X, CLASSES, loss="cross_entropy")
    run = fs.evolve(network("relu"), task, [0.0, 3.0], method=fs.Train(rate=0.1, batch=3), observe=("loss", "outputs"))
    assert run.loss == pytest.approx([task.loss.mean(f, task.y) for f in run.outputs], rel=1e-12)
    second = fs.Task(X, CLASSES[::-1])
    both = fs.evolve(
        network("relu"), fs.sequence([task, second]), [0.0, 1.0], method=fs.Train(rate=0.1), observe=("outputs",)
    )
    expected = [[one.loss.mean(f, one.y) for one in (task, second)] for f in both.outputs]
    assert both["losses"] == pytest.approx(np.array(expected), rel=1e-12)


def test_theories_of_squared_error_refuse_another_loss():
    task = fs.Task(X, CLASSES, loss=Huber(delta=0.1))
    with pytest.raises(fs.AssumptionError, match=r"assumes that the loss is squared.*'huber'"):
        fs.evolve(network("linear"), task, [0.0, 1.0])
    with pytest.raises(fs.AssumptionError, match=r"No reduction applies.*fs.Flow.*'huber'"):
        fs.evolve(network("relu"), task, [0.0, 1.0], method=fs.Reduced("growing units"))
    assert all(row.theory.losses is None for row in fs.theories(network("relu"), task).rows if row.applies)


@pytest.mark.parametrize(
    ("y", "loss", "said"),
    [
        (CLASSES[:, :1], "cross_entropy", "y has 1 output"),
        (2 * CLASSES, "cross_entropy", "differs from 1 by up to 1"),
        (2 * CLASSES, "binary", "between 0 and 2"),
        (CLASSES, "crossentropy", "Did you mean 'cross_entropy'"),
        (CLASSES, 3, "loss is 3"),
        (CLASSES, CrossEntropy, "loss is"),
    ],
)
def test_targets_and_names_that_do_not_suit(y, loss, said):
    with pytest.raises(ValueError, match=said):
        fs.Task(X, y, loss=loss)


@pytest.mark.parametrize(("kind", "value"), [(CrossEntropy, 1.0), (CrossEntropy, -0.1), (Huber, 0.0)])
def test_settings_that_are_not_allowed(kind, value):
    with pytest.raises(ValueError, match="is needed"):
        kind(value)


def test_correlations_are_enough_for_squared_error_only():
    with pytest.raises(ValueError, match="needs loss='squared'"):
        fs.Task.from_statistics([[1.0]], [[1.0]], loss="huber")
    with pytest.raises(ValueError, match="needs loss='squared'"):
        fs.Task(X, CLASSES, loss="huber").spanned()


def test_an_own_loss_of_the_wrong_shape_says_so():
    task = fs.Task(X, CLASSES, loss=lambda outputs, targets: ((outputs - targets) ** 2).mean())
    with pytest.raises(ValueError, match=r"gives shape \(\) for 7 data points"):
        fs.evolve(network("relu"), task, [0.0, 1.0], method=fs.Train(rate=0.1))


def test_a_network_that_does_not_know_the_loss_is_refused():
    class Mine(fs.Network):
        predict = property(lambda self: lambda weights, x: x @ weights)

        def start(self, task, seed):
            return np.zeros((4, 3))

        def context(self, task):
            return {"data": fs.core.Data(task.x, task.y, float(len(task.x)))}

    with pytest.raises(ValueError, match="Mine learns by 'squared'"):
        fs.evolve(Mine(), fs.Task(X, CLASSES, loss="binary"), [0.0, 1.0], method=fs.Train(rate=0.1))


@pytest.mark.parametrize("loss", LOSSES[:-1], ids=repr)
def test_a_file_keeps_the_loss(tmp_path, loss):
    task = fs.Task(X, CLASSES, loss=loss)
    run = fs.evolve(network("relu"), task, [0.0, 1.0], method=fs.Train(rate=0.1))
    run.save(tmp_path / "run.h5")
    kept = fs.load(tmp_path / "run.h5").task
    assert isinstance(kept, fs.Task)
    assert kept.loss == loss


def test_a_loss_of_pytorch_is_refused_with_the_name_to_give():
    with pytest.raises(
        ValueError, match="PyTorch's CrossEntropyLoss; give a name instead, such as loss='cross_entropy'"
    ):
        fs.Task([[1.0], [2.0]], labels=[0, 1], loss=torch.nn.CrossEntropyLoss())
