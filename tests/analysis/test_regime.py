"""Rich or lazy, read off runs of any network and off recordings."""

import numpy as np
import pytest
import torch

import festina as fs


def run_of(network, task, times, **options):
    return fs.evolve(network, task, times, method=fs.Flow(), observe=("weights", "hidden", "outputs"), **options)


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    return fs.Task(rng.normal(size=(12, 6)), rng.normal(size=(12, 2)) @ rng.normal(size=(2, 3)))


def test_the_kernel_of_a_linear_network_moves_as_its_factors_say(task):
    run = run_of(fs.DeepLinear((5,), initial=fs.initial.Gaussian(0.3)), task, [0.0, 1.0, 4.0], seeds=2)
    found = run.regime()
    assert found.kernel_distance is not None
    assert np.allclose(found.kernel_distance, run.kernel_distance(), atol=1e-9)
    aligned = fs.evolve(run.network, task, run.times, method=fs.Flow(), seeds=2, observe=("alignment",))["alignment"]
    assert found.kernel_alignment is not None
    assert np.allclose(found.kernel_alignment, aligned, atol=1e-6)


def test_measures_are_what_their_names_say(task):
    run = run_of(fs.ReLU((7,), initial=fs.initial.Gaussian(0.5)), task, [0.0, 2.0])
    (layer,) = run.regime().layers
    hidden = run["hidden"][0][-1]
    centred = hidden - hidden.mean(axis=0)
    values = np.linalg.svd(centred, compute_uv=False) ** 2
    shares = values[values > 1e-14] / values.sum()
    assert layer.participation_ratio[-1] == pytest.approx(values.sum() ** 2 / (values**2).sum())
    assert layer.effective_rank[-1] == pytest.approx(np.exp(-(shares * np.log(shares)).sum()))
    # alignment with the task is the CKA of representations and targets
    ours, targets = (fs.analysis.RDMs.from_activity(part) for part in (hidden, task.y))
    assert layer.task_alignment[-1] == pytest.approx(fs.representation.similarity(ours, targets, "cka")[0, 0])
    before, now = (part @ part.T for part in (run["hidden"][0][0], hidden))
    assert layer.change[-1] == pytest.approx(np.linalg.norm(now - before) / np.linalg.norm(before))


NAMES = ("participation_ratio", "effective_rank", "task_alignment")


@pytest.mark.parametrize(("hidden", "scale", "end"), [((8,), 1e-3, 600.0), ((8, 8), 1e-2, 4e4)], ids=["two", "three"])
def test_linear_networks_tend_to_the_rich_limit_as_their_weights_shrink(task, hidden, scale, end):
    gaps = []
    for times in (3, 1):
        network = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(times * scale))
        layers = run_of(network, task, [0, end]).regime().layers
        gaps.append([abs(getattr(layer, name)[-1] / layer.rich[name] - 1) for layer in layers for name in NAMES])
    large, small = np.array(gaps)
    assert small.max() < 0.04
    assert np.all(small < np.maximum(0.5 * large, 1e-6))


def test_wide_networks_from_large_weights_stay_in_the_lazy_limit(task):
    found = run_of(fs.DeepLinear((300,), initial=fs.initial.Gaussian(1.0)), task, [0, 1.0]).regime()
    assert found.name == "lazy"
    for name in NAMES:
        assert getattr(found.layers[0], name)[-1] == pytest.approx(found.layers[0].lazy[name], rel=0.03)


def test_a_recording_of_a_network_in_pytorch_is_rich_or_lazy(task):
    torch.set_num_threads(1)
    x, y = (torch.tensor(part) for part in (task.x, task.y))
    for scale, rate, name in ((0.05, 0.02, "rich"), (4.0, 2e-4, "lazy")):
        torch.manual_seed(0)
        model = torch.nn.Sequential(
            torch.nn.Linear(6, 200, bias=False), torch.nn.ReLU(), torch.nn.Linear(200, 3, bias=False)
        ).double()
        with torch.no_grad():
            for part in model.parameters():
                part.mul_(scale)
        probe = fs.probe.watch(model, x, y, layers="1")
        optimiser = torch.optim.SGD(model.parameters(), lr=rate)
        for step in range(2000):
            if step % 500 == 0:
                probe.record(step)
            optimiser.zero_grad()
            (0.5 * (model(x) - y) ** 2).sum(dim=1).mean().backward()
            optimiser.step()
        found = probe.recording.regime()
        assert found.name == name
        assert found.kernel_distance is None
        assert "the representation in 1 turns by" in str(found)


def test_what_is_missing_is_named(task):
    network = fs.ReLU((7,), initial=fs.initial.Gaussian(0.5))
    with pytest.raises(ValueError, match=r"a regime needs fs.evolve\(..., observe=\('weights', 'hidden'\)\)"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Flow()).regime()
    with pytest.raises(ValueError, match="the distance is from time 0"):
        fs.evolve(network, task, [0.5, 1.0], method=fs.Flow(), observe=("weights",)).regime()
    _, (ax,) = fs.plot.panels(1, 1)
    drawn = run_of(network, task, [0.0, 1.0]).regime().plot(ax)
    assert len(drawn.lines) == 5
