"""A user's own network explained: planted modules are found, and every route gives the same."""

import json

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from networks import XOR, Nested, torch, written

import festina as fs
from festina.probe._decompose import _switched
from festina.probe._safe import read_safetensors

save_file = pytest.importorskip("safetensors.torch", reason="install safetensors to write its files").save_file

EXACT = 1e-12
"""Rounding error of sums of a few dozen products of numbers near one, in double precision."""

CONTEXT = fs.tasks.context(3)


def planted(seed=0, per=5):
    """A network of four known modules on the context task: on everywhere, and on in all contexts but one."""
    rng = np.random.default_rng(seed)
    rows, owners = [], []
    for module in range(4):
        for _ in range(per):
            context = np.zeros(3)
            if module:
                context[module - 1] = -3.0
            rows.append(np.concatenate([rng.uniform(0.2, 1, 8), context]))
            owners.append(module)
    order = rng.permutation(len(rows))
    first, owners = np.array(rows)[order], np.array(owners)[order]
    # targets of its own making: what it has learned is known
    second = rng.standard_normal((6, len(rows)))
    y = np.maximum(CONTEXT.x @ first.T, 0) @ second.T
    return [first, second], CONTEXT.x, y, owners


def as_equinox(model):
    """The same weights in an equinox MLP."""
    layers = [m for m in model if isinstance(m, torch.nn.Linear)]
    mlp = eqx.nn.MLP(3, 1, 24, 1, key=jax.random.key(0))
    arrays = [jnp.asarray(p.detach().numpy()) for m in layers for p in (m.weight, m.bias)]
    return eqx.tree_at(lambda m: [a for layer in m.layers for a in (layer.weight, layer.bias)], mlp, arrays)


def test_planted_modules_are_found_with_their_units():
    weights, x, y, owners = planted()
    found = fs.explain(weights, x, y)
    context = x[:, 8:].argmax(axis=1)
    expected = [np.ones(24, bool), *(context != c for c in (2, 1, 0))]
    np.testing.assert_array_equal(found.gates, expected)
    for module, owner in zip(found.modules, (0, 3, 2, 1), strict=True):
        np.testing.assert_array_equal(module.units, np.flatnonzero(owners == owner))
        assert module.agreement == 1.0
    assert found.error < EXACT
    assert found.loss < EXACT
    np.testing.assert_allclose(found.imitated, found.outputs, atol=EXACT * np.abs(found.outputs).max())


def test_what_a_module_is_good_for_is_what_is_missing_without_it():
    weights, x, y, _ = planted()
    found = fs.explain(weights, x, y)
    outputs = np.maximum(x @ weights[0].T, 0) @ weights[1].T
    for module in found.modules:
        silent = weights[1].copy()
        silent[:, module.units] = 0
        without = np.maximum(x @ weights[0].T, 0) @ silent.T
        assert module.loss_without == pytest.approx(0.5 * ((y - without) ** 2).sum() / len(x))
        assert module.output == pytest.approx(((outputs - without) * outputs).sum() / (outputs**2).sum())
        seen = fs.Task(module.pattern[:, None] * x, y).statistics.strengths
        np.testing.assert_allclose(module.strengths, seen)
    assert sum(m.output for m in found.modules) == pytest.approx(1)
    assert sum(m.share for m in found.modules) == pytest.approx(1)


def test_units_in_another_order_are_the_same_modules():
    weights, x, y, _ = planted()
    order = np.random.default_rng(3).permutation(20)
    first, second = (fs.explain(w, x, y) for w in (weights, [weights[0][order], weights[1][:, order]]))
    for a, b in zip(first.modules, second.modules, strict=True):
        np.testing.assert_array_equal(a.units, np.sort(order[b.units]))
        assert a.output == pytest.approx(b.output)


def test_a_bias_is_the_weight_of_an_input_that_is_always_one():
    weights, x, y, _ = planted()
    pairs = [(weights[0], np.full(20, -0.1)), weights[1]]
    y = np.maximum(x @ weights[0].T - 0.1, 0) @ weights[1].T
    first = fs.explain(pairs, x, y)
    second = fs.explain(
        [np.hstack([weights[0], pairs[0][1][:, None]]), weights[1]], np.hstack([x, np.ones((24, 1))]), y
    )
    for a, b in zip(first.modules, second.modules, strict=True):
        np.testing.assert_array_equal(a.pattern, b.pattern)
        np.testing.assert_array_equal(a.units, b.units)


def test_as_many_modules_as_units_imitate_any_network_exactly():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((30, 4))
    weights = [(rng.standard_normal(s), rng.standard_normal(s[0])) for s in ((5, 4), (6, 5), (2, 6))]
    h = x
    for matrix, bias in weights[:-1]:
        h = np.maximum(h @ matrix.T + bias, 0)
    y = h @ weights[-1][0].T + weights[-1][1]
    found = fs.explain(weights, x, y, modules=6, most=6)
    assert found.error < EXACT
    # one unit of the second layer is off at all points
    assert [(len(layer.modules), layer.silent) for layer in found.layers] == [(5, 0), (5, 1)]
    few = fs.explain(weights, x, y, modules=1)
    assert few.error > 0.01
    assert "Hidden layer 2: 1 module(s)" in str(few)
    assert "These 1 and 1 modules leave" in few.notes[-1]
    assert not found.notes


def test_a_unit_belongs_to_the_module_that_changes_its_activity_least():
    rng = np.random.default_rng(1)
    pre, gates = rng.standard_normal((9, 40)), rng.random((3, 9)) > 0.5
    switched, which = _switched(pre, gates)
    choices = [*gates, np.zeros(9, bool)]
    for unit in range(40):
        h = pre[:, unit]
        best = int(np.argmin([(((h > 0) - g * 1.0) ** 2 * h**2).sum() for g in choices]))
        assert which[unit] == (best if best < 3 else -1)
        np.testing.assert_array_equal(switched[:, unit], choices[best])
    assert set(which) == {-1, 0, 1, 2}


def test_every_route_gives_the_same_explanation(trained, tmp_path):
    state = trained.state_dict()
    save_file(state, tmp_path / "torch.safetensors")
    np.savez(tmp_path / "torch.npz", **{k: v.numpy() for k, v in state.items()})
    mlp = as_equinox(trained)
    arrays = {f"layers[{i}].{k}": getattr(layer, k) for i, layer in enumerate(mlp.layers) for k in ("weight", "bias")}
    np.savez(tmp_path / "equinox.npz", **arrays)
    flax = {f"Dense_{i}/{k}": v.numpy().T for i, n in enumerate((0, 2)) for k, v in
            (("kernel", state[f"{n}.weight"]), ("bias", state[f"{n}.bias"]))}  # fmt: skip
    routes = {
        "torch": trained, "state": state, "equinox": mlp, "flax": flax,
        **{name: tmp_path / name for name in ("torch.safetensors", "torch.npz", "equinox.npz")},
    }  # fmt: skip
    told = {name: fs.explain(route, XOR.x, XOR.y).to_json() for name, route in routes.items()}
    assert all(one == told["torch"] for one in told.values())
    assert json.loads(json.dumps(told["torch"])) == told["torch"]


def test_a_network_trained_in_equinox():
    model = eqx.nn.Sequential(
        [
            eqx.nn.Linear(3, 16, use_bias=False, key=jax.random.key(0)),
            eqx.nn.Lambda(jax.nn.relu),
            eqx.nn.Linear(16, 1, use_bias=False, key=jax.random.key(1)),
        ]
    )
    x, y = jnp.asarray(XOR.x), jnp.asarray(XOR.y)

    def forward(parameters, x):
        return jnp.maximum(x @ parameters[0].T, 0) @ parameters[1].T

    parameters = [model.layers[0].weight, model.layers[2].weight]
    gradient = jax.jit(jax.grad(lambda p: ((forward(p, x) - y) ** 2).mean()))
    for _ in range(500):
        parameters = [w - 0.1 * g for w, g in zip(parameters, gradient(parameters), strict=True)]
    model = eqx.tree_at(lambda m: [m.layers[0].weight, m.layers[2].weight], model, parameters)
    found = fs.explain(model, XOR.x, XOR.y)
    assert found.loss < 0.01
    assert found.error <= 0.01
    assert repr(found).startswith("Explanation(modules: ")


def test_nested_modules_are_read_and_left_as_they_were(trained):
    nested = Nested(trained).train()
    assert fs.explain(nested, XOR.x, XOR.y).to_json() == fs.explain(trained, XOR.x, XOR.y).to_json()
    assert nested.training
    assert not any(m._forward_hooks for m in nested.modules())


def test_layers_are_ordered_by_number_or_by_shape(tmp_path):
    rng = np.random.default_rng(0)
    matrices = [rng.standard_normal(s) for s in ((7, 11), *((7, 7),) * 9, (6, 7))]
    x = CONTEXT.x
    h = x
    for matrix in matrices[:-1]:
        h = np.maximum(h @ matrix.T, 0)
    y = h @ matrices[-1].T
    written(tmp_path / "deep.npz", **{f"layer{i}.weight": m for i, m in reversed(list(enumerate(matrices)))})
    assert fs.explain(tmp_path / "deep.npz", x, y, modules=2).loss < EXACT
    weights, x, y, _ = planted()
    np.savez(tmp_path / "words.npz", outwards=weights[1], inwards=weights[0])
    assert fs.explain(tmp_path / "words.npz", x, y).loss < EXACT
    np.savez(tmp_path / "unclear.npz", a=np.eye(4), c=np.eye(4), b=np.ones((4, 11)))
    with pytest.raises(ValueError, match="order neither their names nor their shapes tell"):
        fs.explain(tmp_path / "unclear.npz", x, np.ones((24, 4)))


def test_half_precision_files_are_read(tmp_path):
    tensors = {"a": torch.arange(6.0).reshape(2, 3) / 7}
    for kind in (torch.bfloat16, torch.float16, torch.float64, torch.int32):
        cast = {"a": tensors["a"].to(kind)}
        save_file(cast, tmp_path / "half.safetensors", metadata={"made": "by a test"})
        found = read_safetensors(tmp_path / "half.safetensors")
        np.testing.assert_array_equal(found["a"], cast["a"].double().numpy())
    save_file({"a": torch.zeros(2, dtype=torch.complex64)}, tmp_path / "complex.safetensors")
    with pytest.raises(ValueError, match="kind C64; known are"):
        read_safetensors(tmp_path / "complex.safetensors")


@pytest.fixture(name="run", scope="module")
def training_run():
    network = fs.ReLU((48,), initial=fs.initial.Gaussian(1e-3))
    task = fs.tasks.extended_xor(0.0)
    run = fs.evolve(network, task, np.linspace(0, 40, 6), method=fs.Train(rate=0.4), observe=("weights",))
    return task, [[w[i] for w in run.weights] for i in range(6)], run.notes["steps"]


def test_checkpoints_tell_when_modules_became_active(run):
    task, stages, steps = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1], steps=steps)
    assert found.times.tolist() == steps
    assert found.errors.shape == found.losses.shape == (6,)
    assert found.losses[0] > 0.4
    assert found.losses[-1] < 1e-6
    assert all(steps[0] < module.active_at <= steps[-1] for module in found.modules)
    numbered = fs.explain(stages[-1], task.x, task.y, stages[:-1])
    assert numbered.times.tolist() == [0, 1, 2, 3, 4, 5]
    assert numbered.gates.tolist() == found.gates.tolist()


def test_with_the_rate_modules_are_trained_beside_the_network(run):
    task, stages, steps = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1], steps=steps, rate=0.4, modules=4)
    assert found.reln is not None
    assert found.reln.imitation[4] < 0.01
    assert "over all of training" in str(found)
    assert found.to_json()["reln"]["modules"] == 4
    for wrong, message in (({"steps": None}, "rate needs steps"), ({"rate": -1.0}, "rate is -1.0")):
        with pytest.raises(ValueError, match=message):
            fs.explain(stages[-1], task.x, task.y, stages[:-1], **{"steps": steps, "rate": 0.4, **wrong})
    biased = [[stage[0], (stage[1], np.ones(1))] for stage in stages]
    with pytest.raises(ValueError, match="one hidden layer without an output bias"):
        fs.explain(biased[-1], task.x, task.y + 1, biased[:-1], steps=steps, rate=0.4)


def test_a_classifier_whose_outputs_are_no_targets_is_explained_with_a_word():
    weights, x, y, _ = planted()
    labels = np.eye(6)[y.argmax(axis=1)]
    found = fs.explain([weights[0], 10 * weights[1]], x, labels)
    assert "a classifier" in found.notes[0]
    assert found.notes[0] in str(found)


def test_every_view_is_drawn(run):
    from matplotlib.figure import Figure

    task, stages, _ = run
    found = fs.explain(stages[-1], task.x, task.y, stages[:-1])
    for view in ("modules", "use", "number", "outputs", "training"):
        ax = Figure().subplots()
        assert fs.plot.explanation(found, ax, view=view) is ax
        assert ax.has_data()
        assert ax.get_xlabel()
    with pytest.raises(ValueError, match="view is 'nope'"):
        fs.plot.explanation(found, Figure().subplots(), view="nope")
    with pytest.raises(ValueError, match="layer is 2; the hidden layers are 1 to 1"):
        fs.plot.explanation(found, Figure().subplots(), layer=2)
