"""What the report says of a network for digits is true: every sentence against loops over its own weights."""

import re

import numpy as np
import pytest
from networks import descend, torch, torch_network
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeCV

import festina as fs

pytestmark = pytest.mark.slow

NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ROUNDING = 1e-9


@pytest.fixture(name="digits", scope="module")
def digits_network():
    """A network trained on cross-entropy, its data, and its explanation with four modules on a sample."""
    images, labels = load_digits(return_X_y=True)
    x = images / 16
    model = torch_network(64, 32, 10)
    given, wanted = torch.tensor(x, dtype=torch.float32), torch.tensor(labels)
    descend(model, lambda: torch.nn.functional.cross_entropy(model(given), wanted), 150, 0.1)
    found = fs.explain(
        model, x, labels, modules=4, restarts=2, sample=800, output_names=NAMES, image_shape=(8, 8), rivals=True
    )
    weights = [p.detach().double().numpy() for p in model.parameters()]
    return weights, x, labels, found


def run(weights, x, silent=()):
    """Pre-activations and logits, with some units silent."""
    first, b, second, c = weights
    pre = x @ first.T + b
    h = pre * (pre > 0)
    h[:, list(silent)] = 0
    return pre, h @ second.T + c


def centred(outputs):
    """Softmax does not see the mean of its inputs."""
    return outputs - outputs.mean(axis=1, keepdims=True)


def sentences(found):
    text = str(found)
    return [next(line for line in text.splitlines() if f" Module {m.number} " in line) for m in found.modules]


def said(pattern, text):
    """What a sentence says where it follows a pattern, which it has to."""
    found = re.search(pattern, text)
    assert found is not None, f"{text!r} says nothing like {pattern!r}"
    return found


def near(text, value):
    """A percentage is printed with two digits, or as a whole number."""
    return float(text) / 100 == pytest.approx(value, abs=0.0051)


def test_the_quality_that_is_reported_is_that_of_the_network_on_all_points(digits):
    weights, x, labels, found = digits
    _, logits = run(weights, x)
    log = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    right = [row[c] - max(v for i, v in enumerate(row) if i != c) for row, c in zip(logits, labels, strict=True)]
    assert found.loss == pytest.approx(-log[range(len(x)), labels].mean(), abs=ROUNDING)
    assert found.accuracy == (logits.argmax(axis=1) == labels).mean()
    assert found.margin == pytest.approx(np.mean(right), abs=ROUNDING)
    assert "sample of 800" in found.notes[0]
    assert near(said(r"accuracy ([\d.]+) %", found.headline)[1], found.accuracy)


def test_on_rates_by_class_are_counted_point_by_point(digits):
    weights, x, labels, found = digits
    pre, _ = run(weights, x[found.points])
    own = labels[found.points]
    strength = [
        np.linalg.norm(weights[2][:, j] - weights[2][:, j].mean()) * np.sqrt(np.mean(np.maximum(pre[:, j], 0) ** 2))
        for j in range(32)
    ]
    on = pre > 0.01 * np.maximum(pre.max(axis=0), 0)
    for module, sentence in zip(found.modules, sentences(found), strict=True):
        total = sum(strength[j] for j in module.units)
        gate = np.array([sum(strength[j] for j in module.units if row[j]) > total / 2 for row in on])
        np.testing.assert_array_equal(module.gate, gate)
        rates = {name: gate[own == c].mean() for c, name in enumerate(NAMES)}
        np.testing.assert_allclose(module.on_rates, list(rates.values()), atol=ROUNDING)
        check_when(sentence, rates, gate.mean())


def check_when(sentence, rates, mean):
    """What a sentence says about when a module is on."""
    words = said(r"\) (is .*?);", sentence)[1]
    if found := re.fullmatch(r"is on for (.*) and off for (.*)", words):
        groups = [(found[1], 0.8, 1), (found[2], 0, 0.2)]
    elif found := re.fullmatch(r"is (on|off) for all but (.*), for which it is on at times", words):
        named = ", ".join(name for name in NAMES if name not in found[2])
        groups = [(named, *((0.8, 1) if found[1] == "on" else (0, 0.2))), (found[2], 0.2, 0.8)]
    elif found := re.fullmatch(r"is (on|off) for (.*) and at times for the others", words):
        groups = [(found[2], *((0.8, 1) if found[1] == "on" else (0, 0.2)))]
    else:
        found = said(r"^is on at ([\d.]+) % of the data points", words)
        assert near(found[1], mean)
        groups = []
        if more := re.search(r"most for (\w+) \(([\d.]+) %\) and least for (\w+) \(([\d.]+) %\)", words):
            assert rates[more[1]] == max(rates.values())
            assert rates[more[3]] == min(rates.values())
            assert near(more[2], rates[more[1]])
            assert near(more[4], rates[more[3]])
    for listed, low, high in groups:
        for name in re.findall("|".join(NAMES), listed):
            assert low <= rates[name] <= high


def test_what_is_lost_without_a_module_is_what_its_silence_costs(digits):
    weights, x, labels, found = digits
    x, labels = x[found.points], labels[found.points]
    _, whole = run(weights, x)
    for module, sentence in zip(found.modules, sentences(found), strict=True):
        _, logits = run(weights, x, module.units)
        log = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        loss, accuracy = -log[range(len(x)), labels].mean(), (logits.argmax(axis=1) == labels).mean()
        assert module.loss_without == pytest.approx(loss, abs=ROUNDING)
        assert module.accuracy_without == accuracy
        told = said(r"the loss is ([\d.]+) and the accuracy ([\d.]+) %", sentence)
        assert float(told[1]) == pytest.approx(loss, rel=0.006)
        assert near(told[2], accuracy)
        taken = said(r"([\d.]+) % of (\w+) are taken for (\w+)", sentence)
        own = labels == NAMES.index(taken[2])
        assert near(taken[1], (logits[own].argmax(axis=1) == NAMES.index(taken[3])).mean())
        changed = np.linalg.norm(centred(whole - logits), axis=1)
        assert module.directions[0].features[0][0].startswith("pixel ")
        assert set(module.examples[:3]) == set(found.points[np.argsort(-changed)[:3]])


def test_the_classes_that_a_module_tells_apart_are_those_whose_margin_it_raises_most(digits):
    weights, x, labels, found = digits
    x, labels = x[found.points], labels[found.points]
    _, whole = run(weights, x)
    for module, sentence in zip(found.modules, sentences(found), strict=True):
        effect = whole - run(weights, x, module.units)[1]
        gains = {}
        for a in range(10):
            for b in range(a):
                one = (effect[labels == a, a] - effect[labels == a, b]).mean()
                other = (effect[labels == b, b] - effect[labels == b, a]).mean()
                gains[frozenset((NAMES[a], NAMES[b]))] = (one + other) / 2
        told = said(r"it tells (\w+) from (\w+) \(margin ([+-][\d.]+)\)", sentence)
        best = max(gains, key=lambda pair: gains[pair])
        assert {told[1], told[2]} == best
        assert float(told[3]) == pytest.approx(gains[best], rel=0.051)


def test_errors_of_the_modules_and_of_the_linear_map_are_those_of_another_fit(digits):
    weights, x, _, found = digits
    x = x[found.points]
    _, logits = run(weights, x)
    wanted = centred(logits)
    order = np.random.default_rng(0).permutation(len(x))
    fit, test = order[:400], order[400:]
    spread = ((wanted[test] - wanted[test].mean(axis=0)) ** 2).sum()

    def missed(features):
        model = RidgeCV(np.logspace(-6, 3, 19)).fit(features[fit], wanted[fit])
        return ((model.predict(features[test]) - wanted[test]) ** 2).sum() / spread

    (layer,) = found.layers
    assert layer.linear == pytest.approx(missed(x), rel=0.1)
    one = np.hstack([x, np.ones((len(x), 1))])
    gated = np.hstack([x, *(module.gate[:, None] * one for module in found.modules)])
    # penalties differ, and ours is chosen for the hidden layer
    assert layer.error == pytest.approx(missed(gated), rel=0.2)
    assert "is nearly linear on these data" in found.headline
    assert near(said(r"map loses ([\d.]+) %", found.headline)[1], layer.linear)
    told = said(r"modules ([\d.]+) %; best linear map ([\d.]+) %", str(found))
    assert (near(told[1], layer.error), near(told[2], layer.linear)) == (True, True)
