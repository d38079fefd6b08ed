"""Stages: what is learned and when, against times that are computed without them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import festina as fs

TIMES = np.linspace(0, 60, 601)
LINEAR = fs.DeepLinear(hidden=(16,), initial=fs.initial.Gaussian(1e-3))


def test_animals_and_plants_come_before_birds_and_fish_before_single_items():
    found = fs.evolve(LINEAR, fs.tasks.living_things(8), TIMES, method=fs.Reduced()).stages()
    words = [stage.what for stage in found]
    assert words[0] == "everything: grow"
    assert words[1] == "animals | plants: move ↔ roots"
    assert words[2] == "birds | fish; trees | flowers"
    assert words[3].startswith("canary | robin; salmon | sunfish")
    assert [stage.when for stage in found] == sorted(stage.when for stage in found)


def test_times_are_those_of_the_modes_equation():
    # da/dt = 2a(s − a d) of each mode on its own, by SciPy; it knows nothing of stages
    task = fs.tasks.living_things(4)
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), task, TIMES).stages()
    for stage in found:
        s, d = (float(v[stage.modes[0]]) for v in (task.statistics.strengths, task.statistics.curvatures))
        path = solve_ivp(lambda t, a, s=s, d=d: 2 * a * (s - a * d), (0, 60), [1e-3], rtol=1e-9, dense_output=True)
        for at, share in ((stage.begins, 0.1), (stage.half, 0.5), (stage.ends, 0.9)):
            assert path.sol(at[0])[0] == pytest.approx(share * s / d, rel=3e-3)


@pytest.mark.parametrize("method", [fs.Flow(), fs.Train(rate=0.02)])
def test_stages_from_outputs_have_the_names_and_times_of_those_from_modes(method):
    run = fs.evolve(LINEAR, fs.tasks.living_things(8), TIMES, method=method, observe=("loss", "outputs", "strengths"))
    modes = run.stages()
    outputs = fs.Trajectory(
        run.times, {"loss": run.loss, "outputs": run.outputs}, network=LINEAR, task=run.task, method=method
    ).stages()
    things = [[stage.what.partition(":")[0] for stage in found][:2] for found in (outputs, modes)]
    assert things[0] == things[1]
    assert set(outputs[2].what.split("; ")) == set(modes[2].what.split("; "))
    assert [s.when for s in outputs][:3] == pytest.approx([s.when for s in modes][:3], rel=0.1)


def test_a_staircase_has_its_plateaus():
    times = np.linspace(0, 100, 1001)
    loss = 1 - 0.5 / (1 + np.exp(-(times - 30))) - 0.4 / (1 + np.exp(-(times - 70)))
    found = fs.Trajectory.from_arrays(times, loss).stages()
    assert [p.loss for p in found.plateaus] == pytest.approx([1.0, 0.5], abs=0.02)
    assert found.plateaus[1].begins == pytest.approx(34, abs=2)
    assert found.plateaus[1].ends == pytest.approx(66, abs=2)
    assert [stage.when for stage in found] == pytest.approx([30, 70], abs=0.5)
    assert found[0].what == "the loss falls to 0.5"


def test_a_smooth_decay_is_one_stage_without_plateaus():
    times = np.linspace(0, 10, 101)
    found = fs.Trajectory.from_arrays(times, np.exp(-times)).stages()
    assert found.plateaus == ()
    assert len(found) == 1


def test_the_error_becomes_an_uncertainty_of_times():
    run = fs.evolve(LINEAR, fs.tasks.living_things(8), np.linspace(0, 100, 201), method=fs.Reduced())
    assert all(np.isnan(stage.uncertainty) for stage in run.stages())
    assert not run.estimated, "asking for stages does not integrate"
    sure = run.stages(errors=True)
    flow = fs.evolve(LINEAR, fs.tasks.living_things(8), np.linspace(0, 100, 201), method=fs.Flow()).stages()
    for stage, true in zip(sure, flow, strict=True):
        assert abs(stage.when - true.when) <= stage.uncertainty + 0.1
    assert "±" in str(sure)


def test_seeds_give_a_range():
    found = fs.evolve(LINEAR, fs.tasks.living_things(4), TIMES, method=fs.Reduced(), seeds=3).stages()
    assert found[0].half.shape == (3,)
    assert "3 seeds" in str(found)


def test_false_beliefs_are_told_where_things_have_names():
    run = fs.evolve(fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3)), fs.tasks.living_things(8), TIMES)
    assert "Believed falsely on the way: canary: red breast" in str(run)
    assert not any(s.beliefs for s in fs.evolve(LINEAR, fs.tasks.hierarchy(2), TIMES, method=fs.Flow()).stages())


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: fs.evolve(LINEAR, fs.tasks.hierarchy(2), [0.0], method=fs.Flow()), "fewer than three times"),
        (lambda: fs.Trajectory.from_arrays([0, 1, 2], [1.0, np.nan, 1.0]), "not finite"),
        (lambda: fs.Trajectory(np.arange(3.0), {"x": np.zeros(3)}), "neither loss, strengths nor outputs"),
        (
            lambda: fs.evolve(LINEAR, fs.Task(np.eye(2), np.zeros((2, 1))), TIMES, method=fs.Flow()),
            "nothing was learned",
        ),
    ],
)
def test_where_there_are_no_stages_a_sentence_says_why(run, words):
    found = run().stages()
    assert len(found) == 0
    assert words in str(found)
    assert words in found._repr_html_()


def test_a_sequence_of_tasks_has_the_stages_of_each():
    tasks = fs.sequence([fs.tasks.living_things(4), fs.tasks.living_things(4).reversed()])
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Balanced(0.3)), tasks, TIMES, method=fs.Flow()).stages()
    assert found[0].what.startswith("task 1: ")
    assert found[-1].what.startswith("task 2: ")
    assert found[-1].when > 60


def test_the_table_as_data():
    found = fs.evolve(fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), fs.tasks.living_things(4), TIMES).stages()
    table = found.to_pandas()
    assert table["what"].tolist() == [stage.what for stage in found]
    numbers = {name: np.asarray(table[name]) for name in table.columns[1:-1]}
    assert np.all(numbers["10 %"] < numbers["50 %"])
    assert np.all(numbers["50 %"] < numbers["90 %"])
    assert np.all(numbers["loss before"] > numbers["loss after"])
    assert numbers["share"].sum() == pytest.approx(1)


def test_two_runs_are_compared_stage_by_stage():
    task = fs.tasks.living_things(8)
    relu = fs.ReLU((32,), initial=fs.initial.Gaussian(1e-2))
    runs = [fs.evolve(relu, task, np.linspace(0, 60, 201), method=m, seed=1) for m in (fs.Flow(), fs.Train(rate=0.01))]
    agreement = fs.compare(*runs)
    assert len(agreement.stages) == len(runs[0].stages()) >= 2
    for stage in agreement.stages:
        assert stage.measured == pytest.approx(stage.predicted, rel=0.02)
        assert stage.losses[1] == pytest.approx(stage.losses[0], rel=0.05)
    assert agreement.stages[0].what in str(agreement)
    assert agreement.plot().get_ylabel() == "loss"
