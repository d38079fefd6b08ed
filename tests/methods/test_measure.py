"""Test sets, accuracies, steps and predictions at new points, against what is computed from outputs by hand."""

import numpy as np
import pytest

import festina as fs

RNG = np.random.default_rng(0)
CLASS = np.repeat([0, 1, 2], [10, 8, 6])
X, TEST = RNG.standard_normal((24, 4)) + 1.5 * np.eye(4)[CLASS], RNG.standard_normal((9, 4))
NAMES = np.array(["ant", "bee", "cat"])
LABELS, TEST_CLASS = NAMES[CLASS], np.array([0, 1, 0, 1, 0, 1, 0, 0, 0])  # no cat is tested
GROUPS = ["left", "right", "right"] * 8
OBSERVE = (
    "loss", "outputs", "accuracy", "class_accuracy", "group_loss", "group_accuracy", "test_loss", "test_accuracy",
    "test_class_loss", "test_outputs", "weights",
)  # fmt: skip
WIDE = fs.initial.Gaussian(0.3)
TIMES = [0.0, 1.0, 4.0]


def task(loss="cross_entropy", **more):
    return fs.Task(X, labels=LABELS, loss=loss, test=(TEST, NAMES[TEST_CLASS]), contexts=GROUPS, **more)


@pytest.mark.parametrize("method", [fs.Train(rate=0.1), fs.Flow(), fs.Reduced(), fs.Exact()], ids=repr)
@pytest.mark.parametrize(
    "network", [fs.ReLU((5,), initial=WIDE, bias=True), fs.DeepLinear((3,), initial=WIDE)], ids=repr
)
@pytest.mark.filterwarnings("ignore:from t")
def test_every_method_measures_as_from_its_outputs(network, method):
    learned = task("squared" if isinstance(method, fs.Exact) else "cross_entropy")
    if isinstance(method, fs.Exact):
        if isinstance(network, fs.ReLU):
            return
        learned, network = learned.whitened(), fs.DeepLinear((3,), initial=fs.initial.Balanced(0.3))
    run = fs.evolve(network, learned, TIMES, method=method, seeds=2, observe=OBSERVE)
    test = learned.test
    assert run.outputs_at(test.x) == pytest.approx(run["test_outputs"], rel=1e-6, abs=1e-9)
    assert run.outputs_at(learned.x) == pytest.approx(run.outputs, rel=1e-6, abs=1e-6)
    right = run.outputs.argmax(-1) == CLASS
    assert run["accuracy"] == pytest.approx(right.mean(-1))
    assert run["class_accuracy"] == pytest.approx(np.stack([right[..., k == CLASS].mean(-1) for k in range(3)], -1))
    side = np.array(GROUPS) == "left"
    assert run["group_accuracy"] == pytest.approx(np.stack([right[..., s].mean(-1) for s in (side, ~side)], -1))
    assert run["test_accuracy"] == pytest.approx((run["test_outputs"].argmax(-1) == TEST_CLASS).mean(-1))
    for seed in range(2):
        for k in range(len(TIMES)):
            outputs, tested = run.outputs[seed, k], run["test_outputs"][seed, k]
            assert run["test_loss"][seed, k] == pytest.approx(float(learned.loss.mean(tested, test.y)))
            groups = [float(learned.loss.mean(outputs[s], learned.y[s])) for s in (side, ~side)]
            assert run["group_loss"][seed, k] == pytest.approx(groups, rel=1e-6)
    assert np.all(np.isnan(run["test_class_loss"][..., 2]))
    assert np.all(np.isfinite(run["test_class_loss"][..., :2]))
    assert run.to_xarray()["group_accuracy"].sel(group="left").shape == (2, len(TIMES))


@pytest.mark.parametrize(
    ("loss", "values"), [("binary", (0.0, 1.0)), ("squared", (-1.0, 1.0)), ("squared", (2.0, 5.0))]
)
def test_one_output_has_two_classes(loss, values):
    y = np.where(CLASS > 0, *values[::-1])
    run = fs.evolve(
        fs.ReLU((5,), initial=WIDE, bias=True), fs.Task(X, y, loss=loss), [0.0, 20.0], method=fs.Train(rate=0.05),
        observe=("accuracy", "class_accuracy", "outputs"),
    )  # fmt: skip
    level = 0.0 if loss == "binary" else np.mean(values)
    right = (run.outputs[..., 0] > level) == (CLASS > 0)
    assert run["accuracy"] == pytest.approx(right.mean(-1))
    assert run["class_accuracy"][:, 1] == pytest.approx(right[:, CLASS > 0].mean(-1))
    assert run["accuracy"][-1] > 0.8


@pytest.mark.parametrize(
    ("given", "observe", "said"),
    [
        (fs.Task(X, labels=LABELS), "test_loss", "no test set"),
        (fs.Task(X, labels=LABELS), "group_loss", "no groups"),
        (fs.Task(X, X), "accuracy", "no classes"),
        (fs.Task(X, X[:, :1]), "accuracy", "no classes"),
    ],
)
def test_what_is_missing_is_said(given, observe, said):
    for method in (fs.Train(rate=0.1), fs.Reduced()):
        with pytest.raises(ValueError, match=said):
            fs.evolve(fs.ReLU((5,), initial=WIDE), given, TIMES, method=method, observe=observe)


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ((TEST[:, :2], NAMES[TEST_CLASS]), "test has 2 inputs"),
        ((TEST, np.repeat("dog", 9)), "test labels 'dog' is unknown. Known: ant, bee, cat"),
        ((TEST,), "test holds 1 things"),
        (fs.Task(TEST, np.eye(3)[TEST_CLASS]), "the loss 'squared'"),
    ],
)
def test_test_sets_that_do_not_fit(test, said):
    with pytest.raises(ValueError, match=said):
        fs.Task(X, labels=LABELS, loss="cross_entropy", test=test)


def test_a_test_set_follows_its_task():
    whole = fs.Task(X, X[:, :2], test=(TEST, TEST[:, :2]))
    white = whole.whitened()
    whitened, back = white.test, whole.reversed().test
    assert whitened is not None
    assert back is not None
    assert white.whitening is not None
    assert whitened.x == pytest.approx(TEST @ white.whitening)
    assert back.y == pytest.approx(-TEST[:, :2])
    turned, rotation = whole.spanned()
    assert turned.test is not None
    assert turned.test.y == pytest.approx(TEST[:, :2] @ rotation)


def test_a_test_set_is_kept_in_a_file(tmp_path):
    run = fs.evolve(fs.ReLU((5,), initial=WIDE), task(), TIMES, method=fs.Train(rate=0.1), observe="test_loss")
    again = fs.load(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again["test_loss"], run["test_loss"])
    assert isinstance(again.task, fs.Task)
    assert again.task.test is not None
    assert np.array_equal(again.task.test.x, TEST)


def test_gates_are_not_known_at_new_points():
    gated = fs.gated.pathways([CLASS > 0, CLASS == 0], 4, initial=WIDE)
    run = fs.evolve(gated, fs.Task(X, X[:, :2]), TIMES, method=fs.Flow(), observe="weights")
    with pytest.raises(ValueError, match="not known at new inputs"):
        run.outputs_at(TEST)


def test_new_points_need_weights_or_a_map_and_the_right_columns():
    linear, learned = fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1)), fs.Task(X, X[:, :2]).whitened()
    run = fs.evolve(linear, learned, TIMES, observe=("map", "outputs"))
    assert run.outputs_at(learned.x) == pytest.approx(run.outputs)
    with pytest.raises(ValueError, match="x has 2 columns"):
        run.outputs_at(TEST[:, :2])
    with pytest.raises(ValueError, match="need the weights"):
        fs.evolve(linear, learned, TIMES, observe="loss").outputs_at(TEST)


LINEAR = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-2))
ITEMS = fs.tasks.living_things(4)


def test_steps_are_times_over_the_rate():
    trained = fs.evolve(LINEAR, ITEMS, steps=[0, 3, 40], method=fs.Train(rate=0.1))
    assert trained.times == pytest.approx([0.0, 0.3, 4.0])
    assert trained.steps.tolist() == [0, 3, 40]
    predicted = fs.evolve(LINEAR, ITEMS, steps=[0, 3, 40], rate=0.1)
    assert np.array_equal(predicted.loss, fs.evolve(LINEAR, ITEMS, trained.times).loss)
    by_time = fs.evolve(LINEAR, ITEMS, [0.0, 0.35], rate=0.1)
    assert by_time.steps == pytest.approx([0, 3.5])
    for first, second, label in ((predicted, by_time, "step"), (by_time, predicted, "time (flow time)")):
        ax = second.plot(first.plot(fs.plot.panels(1, 1)[1][0]))
        assert ax.get_xlabel() == label
        shown = [one.steps if label == "step" else one.times for one in (first, second)]
        assert [np.asarray(line.get_xdata())[-1] for line in ax.lines[:2]] == pytest.approx([at[-1] for at in shown])
    assert len(fs.evolve(LINEAR, ITEMS, steps=5, rate=0.1).times) == 6
    assert len(fs.evolve(LINEAR, ITEMS, steps=5000, rate=0.1).times) == 201


TORCH = {"squared": "MSELoss", "cross_entropy": "CrossEntropyLoss", "binary": "BCEWithLogitsLoss", "huber": "HuberLoss"}


@pytest.mark.parametrize(("loss", "name"), TORCH.items())
def test_lr_is_that_of_pytorchs_loss(loss, name):
    torch = pytest.importorskip("torch")
    given, lr = fs.Task(X, np.eye(3)[CLASS], loss=loss), 0.2
    rate = given.loss.rate_of(lr, 3)
    outputs = torch.tensor(RNG.standard_normal((24, 3)), requires_grad=True)
    getattr(torch.nn, name)()(outputs, torch.tensor(given.y)).backward()
    ours = rate * given.loss.residual(outputs.detach().numpy(), given.y) / 24
    assert ours == pytest.approx(-lr * outputs.grad.numpy())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "times is missing"),
        ({"steps": 5}, "without a step size"),
        ({"steps": 5, "times": [0.0], "rate": 0.1}, "both given"),
        ({"steps": [0.5], "rate": 0.1}, "whole numbers"),
        ({"steps": 5, "rate": 0.1, "lr": 0.1}, "give one of them"),
        ({"steps": 5, "rate": 0.1, "method": fs.Train(rate=0.2)}, "with a rate of 0.2"),
        ({"steps": -1, "rate": 0.1}, "steps start at -1"),
    ],
)
def test_clocks_that_contradict_each_other(asked, said):
    with pytest.raises(ValueError, match=said):
        fs.evolve(LINEAR, ITEMS, **asked)


def test_steps_that_are_not_known_are_not_guessed():
    with pytest.raises(ValueError, match="say the step size"):
        _ = fs.evolve(LINEAR, ITEMS, TIMES).steps
