"""What an explanation says is true: compared with brute-force computation on the same weights."""

import json

import numpy as np
import pytest
from planted import found_patterns, outputs, random_network, teacher

import festina as fs
from festina.explanation._explain import match

pytestmark = pytest.mark.slow

ROUNDING = 1e-10
"""Sums of a few hundred products of numbers near one, in double precision."""


def forward(weights, x, silent=()):
    """Outputs of a list of (matrix, bias), with units (layer, unit) silent."""
    for layer, (matrix, bias) in enumerate(weights[:-1]):
        x = np.maximum(x @ matrix.T + bias, 0)
        for where, unit in silent:
            if where == layer:
                x[:, unit] = 0
    return x @ weights[-1][0].T + weights[-1][1]


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_planted_modules_are_found_with_number_and_patterns(layers, seed):
    weights, x, patterns = teacher(seed, layers)
    found = fs.explain(weights, x, outputs(weights, x))
    for layer, planted in zip(found.layers, patterns, strict=True):
        assert layer.verdict == "shared"
        assert found_patterns(layer) == planted
        assert len(layer.modules) == len(planted)
        assert layer.error < layer.baselines["random groups"]
    assert "consists of" in found.headline


def test_a_random_network_has_no_few_modules():
    weights, x = random_network(0)
    found = fs.explain(weights, x, outputs(weights, x), max_modules=4)
    assert found.layers[0].verdict == "none"
    assert "does not divide into a few modules" in found.headline


def test_modules_divide_the_units_and_sum_to_the_outputs(classes):
    weights, x, _, found = classes
    (layer,) = found.layers
    units = np.concatenate([m.units for m in layer.modules])
    assert len(set(units.tolist())) == len(units)
    whole, bias = forward(weights, x), weights[-1][1]
    parts = [whole - forward(weights, x, [(0, u) for u in m.units]) for m in layer.modules]
    missing = [u for u in range(12) if u not in units]
    rest = forward(weights, x, [(0, u) for u in range(12) if u not in missing])
    np.testing.assert_allclose(sum(parts) + rest, whole, atol=ROUNDING)
    assert rest.shape == (len(x), len(bias))


def test_silencing_on_rates_and_effects_are_those_of_the_network(classes):
    weights, x, labels, found = classes
    (layer,) = found.layers
    whole = forward(weights, x)
    pre = x @ weights[0][0].T + weights[0][1]
    for module in layer.modules:
        without = forward(weights, x, [(0, u) for u in module.units])
        shifted = without - without.max(axis=1, keepdims=True)
        log = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        loss = -log[np.arange(len(x)), labels].mean() if found.loss_name == "cross_entropy" else (
            0.5 * ((np.eye(3)[labels] - without) ** 2).sum(axis=1).mean()
        )  # fmt: skip
        assert module.loss_without == pytest.approx(loss)
        assert module.accuracy_without == pytest.approx((without.argmax(axis=1) == labels).mean())
        weight = np.linalg.norm(weights[1][0], axis=0) * np.sqrt((np.maximum(pre, 0) ** 2).mean(axis=0))
        on = pre > 0.01 * np.maximum(pre.max(axis=0), 0)
        units = module.units
        gate = on[:, units] @ weight[units] > weight[units].sum() / 2
        for c in range(3):
            assert module.on_rates[c] == pytest.approx(gate[labels == c].mean(), abs=0.03)
            np.testing.assert_allclose(module.adds[c], (whole - without)[labels == c].mean(axis=0), atol=ROUNDING)


def test_pairs_confusions_and_examples_are_counted_directly(classes):
    weights, x, labels, found = classes
    names = ("ant", "bee", "cat")
    whole = forward(weights, x)
    for module in found.modules:
        without = forward(weights, x, [(0, u) for u in module.units])
        effect = whole - without
        a, b, gain = module.separates[0]
        i, j = names.index(a), names.index(b)
        one = (effect[labels == i, i] - effect[labels == i, j]).mean()
        other = (effect[labels == j, j] - effect[labels == j, i]).mean()
        assert gain == pytest.approx((one + other) / 2)
        for a, b, before, after in module.confuses:
            own = labels == names.index(a)
            assert before == pytest.approx((whole.argmax(axis=1)[own] == names.index(b)).mean())
            assert after == pytest.approx((without.argmax(axis=1)[own] == names.index(b)).mean())
        size = np.linalg.norm(effect @ found_frame(found), axis=1)
        assert module.examples[0] == size.argmax()


def found_frame(found):
    count = len(found.output_names)
    return np.eye(count) - (1 / count if found.loss_name == "cross_entropy" else 0)


def test_the_map_of_a_module_is_the_derivative_through_its_units():
    rng = np.random.default_rng(2)
    weights = [(rng.standard_normal(s), 0.1 * rng.standard_normal(s[0])) for s in ((6, 3), (5, 6), (2, 5))]
    x = rng.standard_normal((30, 3))
    found = fs.explain(weights, x, forward(weights, x), modules=2)
    for layer in found.layers:
        for module in layer.modules:
            rows = np.flatnonzero(module.gate > 0.5)
            total = np.zeros((2, 3))
            for i in rows:
                for k in range(3):
                    total[:, k] += _slope(weights, x[i], k, layer.number - 1, module.units)
            np.testing.assert_allclose(module.map, total / max(len(rows), 1), atol=1e-6)


def _slope(weights, point, k, layer, units, step=1e-6):
    """Central difference of the outputs by input k, through some units of a layer only."""
    values = []
    for sign in (1, -1):
        moved = point.copy()
        moved[k] += sign * step
        h, own = moved, point
        for number, (matrix, bias) in enumerate(weights[:-1]):
            h, own = np.maximum(matrix @ h + bias, 0), np.maximum(matrix @ own + bias, 0)
            if number == layer:
                kept = own.copy()
                kept[units] = h[units]
                h = kept
        values.append(weights[-1][0] @ h + weights[-1][1])
    return (values[0] - values[1]) / (2 * step)


def test_what_feeds_a_module_sums_to_its_drive_but_for_biases_and_units_of_no_module():
    weights, x, _ = teacher(1, 2)
    found = fs.explain(weights, x, outputs(weights, x))
    feeds = found.layers[1].feeds
    assert feeds.shape == tuple(len(layer.modules) for layer in found.layers)
    np.testing.assert_allclose(feeds.sum(axis=0), 1, atol=0.05)


def test_what_feeds_a_module_is_the_drive_that_goes_when_the_module_before_is_silent():
    rng = np.random.default_rng(5)
    weights = [rng.standard_normal(s) for s in ((8, 4), (6, 8), (2, 6))]
    x = rng.standard_normal((40, 4))
    found = fs.explain(weights, x, outputs(weights, x), modules=2, restarts=1)
    h = np.maximum(x @ weights[0].T, 0)
    z = h @ weights[1].T
    for before in found.layers[0].modules:
        rest = h.copy()
        rest[:, before.units] = 0
        gone = z - rest @ weights[1].T
        for after in found.layers[1].modules:
            part = whole = 0.0
            for k in after.units:
                effect = (weights[2][:, k] ** 2).sum()
                part += effect * sum(z[i, k] * gone[i, k] for i in range(40) if z[i, k] > 0)
                whole += effect * sum(z[i, k] ** 2 for i in range(40) if z[i, k] > 0)
            share = found.layers[1].feeds[before.number - 1, after.number - 1]
            assert share == pytest.approx(part / whole, abs=ROUNDING)


def test_the_best_linear_map_is_measured_on_points_held_out():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((80, 5))
    weights = [rng.standard_normal((30, 5)), rng.standard_normal((2, 30))]
    found = fs.explain(weights, x, outputs(weights, x), modules=2, restarts=1)
    y = outputs(weights, x)
    order = np.random.default_rng(0).permutation(80)
    fit, test = order[:40], order[40:]
    one = np.hstack([x, np.ones((80, 1))])
    plain = np.linalg.lstsq(one[fit], y[fit], rcond=None)[0]
    missed = ((one[test] @ plain - y[test]) ** 2).sum() / ((y[test] - y[test].mean(axis=0)) ** 2).sum()
    # the penalty can only be small, since the points are many for the five inputs
    assert found.layers[0].baselines["best linear map"] == pytest.approx(missed, rel=0.1)


def test_losses_that_people_use():
    rng = np.random.default_rng(4)
    x = rng.standard_normal((60, 4))
    weights = [rng.standard_normal((8, 4)), 3 * rng.standard_normal((3, 8))]
    logits = outputs(weights, x)
    labels = logits.argmax(axis=1)
    found = fs.explain(weights, x, labels, modules=1, restarts=1)
    assert found.loss_name == "cross_entropy"
    assert found.accuracy == 1
    ordered = np.sort(logits, axis=1)
    assert found.margin == pytest.approx((ordered[:, -1] - ordered[:, -2]).mean())
    exact = -(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))[np.arange(60), labels].mean()
    assert found.loss == pytest.approx(exact)
    same = fs.explain(weights, x, np.eye(3)[labels], modules=1, restarts=1)
    assert same.to_json() == found.to_json()
    yes = (logits[:, :1] > 0).astype(float)
    single = [weights[0], 20 * weights[1][:1]]
    binary = fs.explain(single, x, yes, modules=1, restarts=1)
    assert binary.loss_name == "binary"
    assert binary.loss == pytest.approx(np.mean(np.log1p(np.exp(-np.abs(20 * logits[:, 0])))))
    regression = fs.explain(weights, x, logits, modules=1, restarts=1)
    assert (regression.loss_name, regression.accuracy) == ("squared", None)


def test_labels_of_ones_own_name_the_groups(classes):
    weights, x, labels, _ = classes
    words = np.where(labels == 0, "left", "right")
    found = fs.explain(weights, x, labels, groups=words, feature_names=list("abcd"), modules=3)
    assert found.group_names == ("left", "right")
    assert found.modules[0].on_rates.shape == (2,)
    assert found.output_names == ("0", "1", "2")
    assert {name for m in found.modules for d in m.directions for name, _ in d.features} <= set("abcd")
    named = fs.explain(weights, x, labels, groups=np.array(["cat", "ant", "bee"])[labels], modules=3, restarts=1)
    assert named.group_names == ("ant", "bee", "cat")
    assert named.output_names == ("cat", "ant", "bee")
    a, b, _ = named.modules[0].separates[0]
    assert {a, b} <= {"ant", "bee", "cat"}


def test_no_loss_is_minus_zero():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((4, 3)), 1e4 * np.vstack([np.ones(4), -np.ones(4)])]
    found = fs.explain(weights, rng.uniform(1, 2, (20, 3)), np.zeros(20, int), loss="cross_entropy", modules=1)
    assert found.constant_loss == found.loss == 0
    assert "Loss (cross-entropy) 0; the best constant answer has 0." in str(found)


def test_more_modules_than_units_are_refused():
    """The layer with the fewest units that do something sets the limit; a unit that is never on does not count."""
    rng = np.random.default_rng(0)
    x, labels = rng.standard_normal((60, 5)), np.arange(60) % 3
    weights = [rng.standard_normal(shape) for shape in ((6, 5), (4, 6), (3, 4))]
    weights[1][0] = 0.0
    message = r"modules is 4, and hidden layer 2 has 3 unit\(s\) that are on.*from 1 to 3, or 'auto'"
    with pytest.raises(ValueError, match=message):
        fs.explain(weights, x, labels, modules=4)
    found = fs.explain(weights, x, labels, modules=3, restarts=1)
    assert [len(layer.modules) for layer in found.layers] == [3, 3]


def test_one_start_does_not_tell_whether_groups_are_found():
    weights, x = random_network(1)
    (layer,) = fs.explain(weights, x, outputs(weights, x), modules=3, restarts=1).layers
    assert layer.verdict == "none"
    assert not layer.stability


def test_a_sample_is_stated_and_the_loss_is_that_of_all(classes):
    weights, x, labels, _ = classes
    found = fs.explain(weights, x, labels, sample=60, modules=2)
    assert len(found.points) == 60
    assert "sample of 60" in found.notes[0]
    assert found.accuracy == pytest.approx((forward(weights, x).argmax(axis=1) == labels).mean())


def test_rivals_are_reported(classes):
    weights, x, labels, _ = classes
    found = fs.explain(weights, x, labels, modules=2, rivals=True)
    rivals = {"clusters of gates", "clusters of weights", "factors of activity"}
    assert rivals <= set(found.layers[0].baselines)
    assert "clusters of weights" in str(found)


@pytest.fixture(name="run", scope="module")
def training_run():
    """Gradient descent on XOR, every twentieth step kept."""
    task, rng = fs.tasks.extended_xor(0.0), np.random.default_rng(0)
    first, second = 1e-3 * rng.standard_normal((48, 3)), 1e-3 * rng.standard_normal((1, 48))
    stages = []
    for step in range(101):
        if step % 20 == 0:
            stages.append([first.copy(), second.copy()])
        h = np.maximum(task.x @ first.T, 0)
        wrong = (h @ second.T - task.y) / len(h)
        back = (wrong @ second) * (h > 0)
        first, second = first - 0.4 * back.T @ task.x, second - 0.4 * wrong.T @ h
    return task, stages, list(range(0, 101, 20))


def test_checkpoints_tell_when_modules_became_active(run):
    task, stages, steps = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1], steps=steps)
    assert found.times.tolist() == list(steps)
    assert found.losses[0] > 0.4
    assert found.losses[-1] < 1e-6
    assert all(steps[0] < module.active_at <= steps[-1] for module in found.modules)
    appear = [event for event in found.events if event.kind == "appears"]
    assert {event.modules[0] for event in appear} == {1, 2, 3, 4}
    assert "Through training" in str(found)


def test_found_modules_are_put_beside_those_of_the_theory(run):
    task, stages, steps = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1], steps=steps, rate=0.4)
    assert sorted(m.found or 0 for m in found.matches) == [1, 2, 3, 4]
    assert sorted(m.predicted or 0 for m in found.matches) == [1, 2, 3, 4]
    for one in found.matches:
        assert one.agreement == 1
        # a large step delays learning by at most one checkpoint
        assert one.found_at is not None
        assert one.predicted_at is not None
        assert abs(one.found_at - one.predicted_at) <= steps[1]
    assert "Compared with the theory" in str(found)
    with pytest.raises(ValueError, match="rate needs checkpoints and steps"):
        fs.explain(stages[-1], task.x, task.y, stages[:-1], rate=0.4)


def test_no_time_is_predicted_from_a_checkpoint_at_which_modules_are_active(run):
    task, stages, steps = run
    found = fs.explain(stages[-1], task.x, task.y, stages[-2:-1], steps=steps[-2:], rate=0.4)
    assert all(one.found_at is None and one.predicted_at is None for one in found.matches)
    assert "active at the first checkpoint already, which is too late" in str(found)


def test_the_best_bar_is_highlighted_whoever_it_is(classes):
    from dataclasses import replace

    _, _, _, found = classes
    (layer,) = found.layers
    for best in ("the modules", "k-means on inputs"):
        value = layer.error / 2 if best != "the modules" else 1.0
        baselines = {name: 1.0 if name != best else value for name in layer.baselines}
        changed = replace(found, layers=(replace(layer, baselines=baselines),))
        _, (ax,) = fs.plot.panels(1, 1)
        fs.plot.explanation(changed, ax, view="baselines")
        names = [text.get_text() for text in ax.get_yticklabels()]
        colours = [bar.get_facecolor() for bar in ax.patches]
        marked = [name for name, colour in zip(names, colours, strict=True) if colours.count(colour) == 1]
        assert marked == [best if best != "the modules" else names[0]]


def test_modules_that_were_not_predicted_and_not_found_are_listed(run):
    task, stages, _ = run
    four, two = (fs.explain(stages[-1], task.x, task.y, modules=n, restarts=1).modules for n in (4, 2))
    for found, predicted in ((four, two), (two, four)):
        pairs = match(found, predicted, first=0.0)
        assert sorted(m.found for m in pairs if m.found is not None) == [m.number for m in found]
        assert sorted(m.predicted for m in pairs if m.predicted is not None) == [m.number for m in predicted]
        assert len(pairs) == 4
    assert str(match(four, two, 0.0)[-1]).endswith("was not predicted.")
    assert str(match(two, four, 0.0)[-1]).endswith("was not found.")


def test_rate_is_refused_where_no_theory_predicts_modules():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal(s) for s in ((4, 3), (4, 4), (1, 4))]
    x = rng.standard_normal((6, 3))
    with pytest.raises(ValueError, match="ReLU networks with one hidden layer"):
        fs.explain(weights, x, outputs(weights, x), [weights], steps=[0, 1], rate=0.1)


def test_text_and_json_carry_the_same_facts(classes):
    found = classes[3]
    text, data = str(found), json.loads(json.dumps(found.to_json()))
    assert text.splitlines()[0] == data["headline"]
    assert "best linear map" in text
    assert len(data["layers"][0]["modules"]) == len(found.modules)
    assert found.headline in found._repr_html_()


def test_every_view_is_drawn(run, tmp_path):
    from matplotlib.figure import Figure

    task, stages, _ = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1], modules=2, restarts=1)
    for view in ("on", "silenced", "number", "baselines", "adds", "map", "examples", "pathways", "training"):
        ax = Figure().subplots()
        assert fs.plot.explanation(found, ax, view=view) is ax
    with pytest.raises(ValueError, match="view 'nope'"):
        fs.plot.explanation(found, Figure().subplots(), view="nope")
    with pytest.raises(ValueError, match="layer is 2; the hidden layers are 1 to 1"):
        fs.plot.explanation(found, Figure().subplots(), layer=2)
    with pytest.raises(ValueError, match="module is 9; the modules of hidden layer 1"):
        fs.plot.explanation(found, Figure().subplots(), module=9)
    page = found.save_html(tmp_path / "page.html").read_text()
    assert found.headline in page
    assert "http" not in page.split("base64")[0]
    assert page.count("<figcaption>") == 4


def test_units_of_which_each_has_a_gate_of_its_own_are_no_modules():
    x, y = [[1, 0], [0, 1], [1, 1], [-1, -1]], [[1.0], [1.5], [2], [0]]
    found = fs.explain([np.eye(2), np.ones((1, 2))], x, y)
    assert "does not divide into modules: few of its units share a gate (2 units have 2 gates)" in found.headline
    twice = fs.explain([np.repeat(np.eye(2), 2, axis=0), np.ones((1, 4))], x, y)
    assert "consists of 2 modules" in twice.headline
