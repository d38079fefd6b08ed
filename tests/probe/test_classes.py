"""A probe of a classifier: class separation, kernel alignment, points of different classes, and a table."""

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from torch import nn

import festina as fs

pytestmark = pytest.mark.slow


def trained(kernel=True, steps=60):
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0, 2], 8)
    x = torch.from_numpy(rng.normal(size=(24, 5)) + 1.5 * np.eye(5)[labels]).float()
    model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 3))
    probe = fs.probe.watch(model, x, labels=labels, layers=["1", "2"], unit="steps", kernel=kernel)
    shown = repr(probe)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for step in range(steps + 1):
        if step % 20 == 0:
            probe.record(step)
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(x), torch.from_numpy(labels)).backward()
        optimiser.step()
    return probe, shown, labels


def test_separation_and_alignment_grow_while_classes_are_learned():
    probe, shown, labels = trained()
    assert shown == "Probe(24 points, 0 records, layers: 1, 2)"
    recording = probe.recording
    table = recording.to_pandas()
    names = ["accuracy", "separation in 1", "separation in 2", "kernel alignment"]
    assert table.columns.tolist() == names
    assert table.index.name == "steps"
    assert table["accuracy"].iloc[-1] > 0.9
    for name in names[1:]:
        assert table[name].iloc[-1] > table[name].iloc[0] + 0.02
    hidden = recording.hidden["1"][2]
    total = sum(np.var(hidden[:, unit]) for unit in range(12))
    within = sum(np.var(hidden[labels == k][:, unit]) * 8 / 24 for k in range(3) for unit in range(12))
    assert recording.separation("1")[2] == pytest.approx(1 - within / total, rel=1e-6)


def test_the_kernel_is_that_of_derivatives_of_the_outputs():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2)).double()
    x, y = np.random.default_rng(0).normal(size=(5, 2)), np.eye(2)[[0, 1, 0, 1, 1]]
    probe = fs.probe.watch(model, x, y, kernel=True)
    probe.record(0)
    w, b, v, c = (jnp.asarray(p.detach().numpy()) for p in model.parameters())

    def network(p, x):
        hidden = jnp.tanh(x @ p[0].T + p[1])
        return hidden @ p[2].T + p[3], {"hidden": hidden}

    same = fs.probe.watch(network, x, y, kernel=True)
    same.record(0, (w, b, v, c))
    found = probe.recording.kernels[0]
    np.testing.assert_allclose(found, same.recording.kernels[0], rtol=1e-5)
    step, plain = 1e-6, model(torch.from_numpy(x)).detach().numpy()
    slopes = []
    for parameter in model.parameters():  # by finite differences
        for k in range(parameter.numel()):
            with torch.no_grad():
                parameter.view(-1)[k] += step
                slopes.append((model(torch.from_numpy(x)).numpy() - plain) / step)
                parameter.view(-1)[k] -= step
    slopes = np.array(slopes)
    np.testing.assert_allclose(found, np.einsum("pio,pjo->ij", slopes, slopes) / 2, rtol=1e-4, atol=1e-5)


def test_a_pair_has_different_targets_and_kernels_are_saved(tmp_path):
    probe, _, _ = trained(steps=20)
    assert probe.recording.rows() == [0, 8]
    assert probe.recording.rows(9) == [9, 0]
    assert probe.recording.rows(None, 3) == [8, 3]
    again = fs.probe.Recording.load(probe.recording.save(tmp_path / "seen"))
    np.testing.assert_array_equal(again.alignment(), probe.recording.alignment())
    assert probe.recording.to_xarray()["kernel"].shape == (2, 24, 24)


def test_what_was_not_recorded_is_named():
    probe, _, _ = trained(kernel=False, steps=20)
    with pytest.raises(ValueError, match=r"kernels were not recorded; use fs.probe.watch\(\.\.\., kernel=True\)"):
        probe.recording.alignment()
    two = fs.probe.watch(nn.Sequential(nn.Linear(1, 1)), [[0.0], [1.0]], [[0.0], [1.0]])
    two.record(0)
    with pytest.raises(ValueError, match="2 points have 2 different targets; separation needs at least two classes"):
        two.recording.separation()
