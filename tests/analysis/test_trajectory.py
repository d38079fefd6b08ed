"""A trajectory labels its axes and names what was not observed."""

import numpy as np
import pytest

import festina as fs

OBSERVED = ("loss", "strengths", "map", "outputs", "weights", "hidden")
NETWORKS = [
    fs.DeepLinear(initial=fs.initial.Gaussian(0.1)),
    fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1)),
    fs.DeepLinear((3, 4), initial=fs.initial.Aligned(0.1)),
]


def test_axes_are_labelled():
    data = fs.evolve(NETWORKS[1], fs.tasks.hierarchy(levels=1), [0.0, 1.0], observe=OBSERVED, seeds=2).to_xarray()
    assert data["loss"].dims == ("seed", "time")
    assert data["strengths"].dims == ("seed", "time", "mode")
    assert data["map"].dims == ("seed", "time", "output", "input")
    assert data["outputs"].dims == ("seed", "time", "item", "output")
    assert data["weights_1"].dims[:2] == ("seed", "time")
    assert data["time"].attrs["units"] == "flow time"
    assert data["seed"].values.tolist() == [0, 1]


def test_what_was_not_observed_is_named():
    one = fs.Trajectory(np.array([0.0]), {"loss": np.ones(1)})
    with pytest.raises(KeyError, match="'map' was not observed; this trajectory has: loss"):
        one["map"]
    for name in ("strengths", "outputs", "weights"):
        with pytest.raises(AttributeError, match=f"'{name}' was not observed"):
            getattr(one, name)
    assert repr(one) == "Trajectory(no method: loss at 1 times to 0 (flow time))"


def test_the_names_of_what_was_observed_can_be_asked_for_and_gone_through():
    run = fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5], accuracy=[0.1, 0.9])
    assert "accuracy" in run
    assert "outputs" not in run
    assert list(run) == ["loss", "accuracy"]


def test_the_mean_over_seeds():
    values = {"loss": np.array([[1.0, 2.0], [3.0, 6.0]]), "weights": (np.ones((2, 2, 1, 1)),)}
    one = fs.Trajectory(np.array([0.0, 1.0]), values, seeds=(4, 5))
    mean = one.mean()
    assert mean.loss.tolist() == [2.0, 4.0]
    assert mean.weights[0].shape == (2, 1, 1)
    assert mean.seeds is None
    assert mean.mean() is mean
    assert repr(one).endswith("(flow time), 2 seeds)")


@pytest.mark.parametrize("high", [True, False])
def test_the_relative_error_is_the_area_that_compare_gives_wherever_the_prediction_lies(high):
    times = np.linspace(0.0, 2.0, 5)
    true, predicted = (np.full(5, 1.0), np.full(5, 50.0)) if high else (np.full(5, 50.0), np.full(5, 1.0))
    found = fs.Trajectory(times, {"loss": predicted}, estimate=predicted - true)
    assert found.relative_error == pytest.approx(49.0 if high else 0.98)
    assert found.relative_error == pytest.approx(fs.compare(found, fs.Trajectory(times, {"loss": true})).area)
    assert np.all(found.error == 49.0)


def test_the_relative_error_of_a_single_time_is_a_ratio_and_an_unknown_one_is_not_zero():
    one = fs.Trajectory(np.array([1.0]), {"loss": np.array([3.0])}, estimate=np.array([1.0]))
    assert one.relative_error == pytest.approx(0.5)
    unknown = fs.Trajectory(np.array([0.0, 1.0]), {"loss": np.ones(2)}, estimate=np.array([0.0, np.nan]))
    assert np.isnan(unknown.relative_error)


def test_predictions_beside_each_other_can_be_told_apart():
    first, second = (fs.Trajectory.from_arrays([0.0, 1.0], [1.0, end], label=f"theory {end}") for end in (0.5, 0.4))
    _, (ax,) = fs.plot.panels(1, 1)
    first.plot(ax, kind="predicted")
    second.plot(ax, kind="predicted")
    first.plot(ax, kind="predicted", linestyle=":")
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--", ":"]


def test_printing_and_drawing_compute_nothing():
    def refuse():
        raise AssertionError("an error estimate was computed")

    run = fs.Trajectory(np.array([0.0, 1.0]), {"loss": np.array([1.0, 0.5])}, method=fs.Reduced(), estimate=refuse)
    assert "estimated" not in repr(run) + run._repr_html_()
    run.plot()
    counted = fs.Trajectory(run.times, run.values, method=fs.Reduced(), estimate=lambda: np.array([0.0, 0.1]))
    assert counted.error is not None
    assert "estimated error" in repr(counted)
