"""Every experiment, at its quick settings: it runs, draws, and its verdicts are the expected ones."""

import dataclasses
import json
import re
from pathlib import Path

import jax
import pytest

from festina.papers import Claim, Results, find, names
from festina.papers.chapters import CHAPTERS, chapter
from festina.papers.claims import KINDS, Baseline, Verdict, fill, plain
from festina.papers.experiment import Outcome
from festina.papers.settings import in_steps
from festina.papers.setups.structure import BASELINES
from festina.papers.table import declared, split_caption
from festina.plot import style
from festina.runtime import program
from own_experiment import FILE

MAX_PANELS = 6
"""Panels of a figure that a page shows."""

STRUCTURES = {"xor_structure", "blobs", "digits", "mnist"}
"""Experiments that ask whether a theory knows a structure."""


COUNTED = ("seeds", "flesch_seeds", "gated_seeds", "theory_seeds", "lazy_seeds", "followed", "animals", "agents")
"""Settings that count networks: two show that every part of an experiment works."""

SMALLEST = {
    "adam": {"trials": 2, "hidden": 4, "width": 30, "epochs": 100, "xor_epochs": 100, "grid": 6, "blob_epochs": 200,
             "items": 100, "digit_epochs": 10},
    "alignment": {"widths": (8, 16), "sets": 2},
    "architectures": {"kinds": ("linear", "diagonal"), "most": 1},
    "blobs": {"grid": 5, "epochs": (150, 250, 50), "flesch_steps": 400},
    "context": {"hidden": 60, "units": 12, "points": 21},
    "contexts": {"hidden": (60, 60, 60), "wide": 60, "published": 12, "plain": 12, "predicted": 1, "units": (12,),
                 "points": 21},
    "deep": {"others": 2, "predicted": 1, "wide": 60, "hidden": 30, "std": 0.0033, "points": 52, "accuracy": 0.05},
    "depth": {"small_depths": (2, 3), "pretrained_depths": (2, 4), "orthogonal_depths": (2, 8),
              "searched_depths": (2,)},
    "digits": {"items": 100, "shown": 20, "epochs": 40, "theory_items": 20},
    "equivalence": {"hidden": (60,), "units": 10, "layers": 20},
    "final_distance": {"names": ("narrow",), "width": 20, "epochs": 200, "grid": 3},
    "gates": {"hidden": 60, "planted": 2},
    "imitation": {"hidden": 8, "steps": 60, "points": 4},
    "in_context": {"length": 8, "softmax_sequences": 10},
    "initial_weights": {"width": 20, "epochs": 300, "lazy_width": 20, "lazy_epochs": 100},
    "layers": {"width": 20, "epochs": 300},
    "mnist": {"items": 100, "shown": 20, "width": 20, "epochs": 40, "theory_items": 20, "longer": 2},
    "possible_gates": {"sizes": ((2, 2), (3, 3)), "hidden": 40},
    "turning": {"contexts": (3, 4), "hidden": (60, 40), "units": 4, "others": (6,)},
    "two_points": {"names": ("default",), "width": 20, "epochs": 500, "text_seeds": 2},
    "unfitted": {"width": 20, "other_width": 20, "epochs": 200, "units": (4, 8), "shown": 8, "names": ("relu",)},
    "winners": {"deltas": (1.0,), "hidden": 32, "context_hidden": (100,), "gates": 20},
    "xor_structure": {"width": 20, "hidden": 8, "epochs": (400, 100, 100), "shallow": (0.0015, 0.24, 500)},
}  # fmt: skip
"""Further settings at which every part of an experiment still runs: fewer kinds, smaller and shorter."""

COMMON = {"0", "0.0", "1", "1.0", "2", "2.0", "10", "50"}
"""Numbers that statements have for other reasons: signs, squares, the mean time to lose 50 % or 10 %."""

WHOLE = {"decision", "mice"}
"""Experiments that need as many networks as their quick settings have."""


def run(name, settings):
    with program.running_briefly():
        return find(name).run(settings)


def smallest(name):
    """The quick settings with two networks of each kind, and less of what takes long."""
    experiment = find(name)
    counts = {field: getattr(experiment.module.quick, field, 0) for field in COUNTED}
    fewer = {
        field: min(count, 2)
        for field, count in counts.items()
        if isinstance(count, int) and count and name not in WHOLE
    }
    return experiment.settings(quick=True, **{**fewer, **SMALLEST.get(name, {})})


@pytest.fixture(scope="module", params=names())
def outcome(request):
    """At the smallest settings, where programs compile for longer than they compute."""
    before = jax.config.values["jax_disable_most_optimizations"]
    jax.config.update("jax_disable_most_optimizations", True)
    try:
        return run(request.param, smallest(request.param))
    finally:
        jax.config.update("jax_disable_most_optimizations", before)


@pytest.mark.verdict
@pytest.mark.parametrize("name", names())
def test_no_verdict_contradicts_the_expected_one(name):
    outcome = run(name, find(name).settings(quick=True))
    assert [v.name for v in outcome.verdicts if v.contradicts] == []


def test_outcome_is_plain_json(outcome):
    told = json.loads(json.dumps(outcome.to_json(), allow_nan=False))
    assert set(told) == {"settings", "claims", "values"}
    assert told["values"]
    for claim in told["claims"]:
        assert set(claim) == {field.name for field in dataclasses.fields(Verdict)}
        assert claim["status"] in ("holds", "fails", "open")


def test_figure_has_labels_on_every_panel(outcome):
    # laid out once, with all its panels; that every file is written is shown below
    with style():
        figure = outcome.draw(whole=True)
        figure.draw_without_rendering()
    drawn = [ax for ax in figure.axes if ax.has_data()]
    assert [ax for ax in figure.axes if not ax.has_data() and ax.get_label() != "<colorbar>"] == [], "a blank panel"
    assert drawn
    for ax in drawn:
        assert ax.get_title(loc="left") or ax.get_title() or ax.get_xlabel() or ax.get_ylabel()


def test_a_structure_is_shown_beside_every_baseline(outcome):
    if outcome.experiment.name in STRUCTURES:
        with style():
            axes = outcome.draw().axes
        assert set(BASELINES) <= {label.get_text() for ax in axes for label in ax.get_yticklabels()}


MORE = """

@panel("More", "x", "y", detail=True)
def more(c, ax):
    ax.imshow([[1]])
"""


@pytest.mark.parametrize("details", [False, True])
def test_the_figure_is_saved_as_png_and_svg_and_whole_where_pages_show_a_part(write, tmp_path, monkeypatch, details):
    figures, draw = [], Outcome.draw

    def remember(self, **chosen):
        figures.append(draw(self, **chosen))
        return figures[-1]

    monkeypatch.setattr(Outcome, "draw", remember)
    paths = write(FILE + MORE if details else FILE).run().save(tmp_path / "out")
    more = [".png"] if details else []
    assert [p.suffix for p in paths] == [".png", ".svg", ".pdf", ".csv", *more, ".json"]
    assert all(p.stat().st_size > 1000 for p in paths if p.suffix in (".png", ".svg", ".pdf"))
    # every figure is drawn once for all files
    assert [len(figure.axes) for figure in figures] == ([1, 2] if details else [1])
    (told,) = json.loads(paths[-1].read_text())["panels"]
    rows = paths[3].read_text().splitlines()[1:]
    assert len(rows) == sum(len(one["x"]) for one in told["series"]) > 1


@pytest.mark.parametrize("name", names())
def test_declaration_is_whole(name):
    experiment = find(name)
    experiment.check()
    assert len({claim.name for claim in experiment.claims}) == len(experiment.claims)
    assert plain(dataclasses.asdict(experiment.settings()))
    assert {"seed", "seeds"} <= {field.name for field in dataclasses.fields(experiment.module.Settings)}
    finding, panels = split_caption(experiment.module.caption)
    assert finding.endswith(".")
    assert panels
    assert 0 < sum(not panel.detail for panel in experiment.panels) <= MAX_PANELS
    assert chapter(name) is not None


def test_a_caption_says_how_many_steps_a_unit_of_flow_time_is_where_there_is_one_rate():
    settings = find("semantic").settings()
    assert f"is {1 / settings.rate:g} steps" in in_steps(settings)
    assert in_steps(find("decision").settings()) == in_steps(find("two_points").settings()) == ""


@pytest.mark.parametrize("name", names())
def test_claims_are_sentences_with_a_kind_a_source_and_a_reason_for_the_bound(name):
    for claim in find(name).claims:
        assert re.fullmatch(r"[A-Z].*\.", claim.statement, re.DOTALL), claim.statement
        assert not re.match(r"(And|So|But|They|It|That|The same|These|Those)\b", claim.statement), claim.statement
        assert claim.reason, claim.name
        assert claim.kind in KINDS
        if claim.kind in ("paper", "other paper"):
            assert re.match(r"[a-z]+(\d{4}|_lecture)\b", claim.source), claim.source


def test_chapters_name_every_experiment_once():
    listed = [name for part in CHAPTERS for name in part.names]
    assert listed == names()
    assert len(CHAPTERS) == 6


@pytest.fixture(name="write")
def make_file(tmp_path):
    def write(text):
        path = tmp_path / f"own{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        return find(path)

    return write


def test_the_experiment_of_the_page_on_development_runs(write):
    page = (DOCS / "develop.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```python\n(\"\"\".*?)```", page.partition("## A new experiment")[2], re.DOTALL)
    experiment = write(text)
    outcome = experiment.run(experiment.settings(quick=True))
    assert [v.status for v in outcome.verdicts] == ["holds"]
    outcome.draw()


def test_a_file_of_ones_own_is_an_experiment(write):
    outcome = write(FILE).run()
    assert outcome.verdicts[0].status == "holds"
    assert outcome.values == {"count": 2}


@pytest.mark.parametrize(
    ("lacks", "message"),
    [
        ("@panel", r"lacks a panel \(a function below @festina.papers.panel"),
        ("@claim", r"lacks a claim \(a function below @festina.papers.claim"),
        ("caption =", r"lacks caption \("),
        ("Is a file an experiment?", r"lacks a docstring whose first line is the question"),
        ("Source: saxe2014 eq. (9).", r"lacks a last line of the docstring with its sources"),
        ("(frozen=True)", r"lacks @dataclass\(frozen=True\) above Settings"),
        (', "networks", least=1', r"a help text for the setting seeds|Settings"),
        ('@claim("saxe2014"', r"kind \(one of paper, other paper, extension, identity\) and source of the claim 'few'"),
    ],
)
def test_a_file_that_lacks_something_is_refused_before_it_computes(write, lacks, message):
    text = FILE.replace("    return Results(", "    raise AssertionError('computed')\n    return Results(")
    if lacks == "caption =":
        text = text.replace(lacks, "other =")
    elif lacks == '@claim("saxe2014"':
        text = text.replace(lacks, '@claim(""')
    elif lacks.startswith("@"):
        text = re.sub(rf"{lacks}\(.*\n", "", text)
    elif "networks" in lacks:
        text = text.replace('setting(2, "networks", least=1)', "2")
    else:
        text = text.replace(lacks, "")
    with pytest.raises(ValueError, match=message):
        write(text).run()


def test_all_that_is_missing_is_listed_at_once(write):
    with pytest.raises(ValueError, match=r"lacks a docstring.*sources.*Settings \(.*quick.*compute.*panel.*claim"):
        write("x = 1\n").check()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": 0}, r"setting seeds of own\d is 0; >= 1 is needed \(networks\)"),
        ({"seeds": 1.5}, r"setting seeds of own\d is 1.5; int is needed"),
        ({"seeds": True}, r"setting seeds of own\d is True; int is needed"),
        ({"scales": ()}, r"setting scales of own\d is \(\); tuple\[float, ...\] is needed"),
        ({"scales": (0.1, 2.0)}, r"setting scales of own\d is \(0.1, 2.0\); > 0 and <= 1 is needed"),
        ({"scales": (float("nan"),)}, r"setting scales"),
        ({"kind": "c"}, r"setting kind of own\d is 'c'; one of a, b is needed"),
        ({"sede": 1}, r"setting of own\d 'sede' is unknown. Did you mean 'seed'\? Known"),
    ],
)
def test_settings_are_checked_before_anything_is_computed(write, changes, message):
    experiment = write(FILE)
    with pytest.raises(ValueError, match=message):
        experiment.settings(**changes)


def test_the_default_and_quick_settings_pass_their_own_ranges():
    for name in names():
        experiment = find(name)
        assert experiment.settings() == experiment.module.Settings()
        assert experiment.settings(quick=True) == experiment.module.quick


def test_a_baseline_is_measured_beside_the_claim():
    claim = Claim("c", "A sentence.", lambda _: 0.5, 1.0, baseline=Baseline("chance", lambda _: 0.25))
    assert claim.decide(None).baseline == 0.25


def test_claim_is_open_when_the_bound_is_within_two_standard_errors():
    def claim(measured):
        return Claim("c", "A sentence.", lambda _: measured, 1.0, "<=").decide(None)

    assert claim(0.5).status == "holds"
    assert claim(1.5).status == "fails"
    assert claim((1.5, 0.3)).status == "open"
    assert claim((1.5, 0.2)).status == "fails"
    assert claim(float("nan")).status == "open"


@pytest.mark.parametrize(
    ("measured", "expected", "contradictions"),
    [(0.5, "fails", 1), (1.5, "holds", 1), (float("nan"), "holds", 0), (0.5, "open", 0), (0.5, "holds", 0)],
)
def test_only_what_holds_and_was_to_fail_or_fails_and_was_to_hold_counts(measured, expected, contradictions):
    claim = Claim("c", "A sentence.", lambda _: measured, 1.0, expected=expected)
    outcome = Outcome(find("semantic"), None, Results(None), (claim.decide(None),), 0.0, 0.0)
    assert outcome.contradictions == contradictions


def test_claims_of_the_source_documents_are_counted_apart_from_those_of_other_papers():
    def kind(source, **given):
        return Claim("c", "A sentence.", lambda _: 0.0, 1.0, source=source, **given).kind

    assert kind("saxe2019; jarvis2025 Fig. 7") == "paper"
    assert kind("saxe2019") == "other paper"
    assert kind("saxe2019", kind="extension") == "extension"


def test_a_statement_has_the_numbers_of_the_settings_it_was_decided_at():
    quick = find("recovery").settings(quick=True)
    said = {claim.name: fill(claim.statement, quick) for claim in find("recovery").claims}
    assert "after 1,000 trials" in said["intervals"]
    assert "Estimates from 1,000 trials" in said["bias"]
    agents = find("decision").settings(sessions=30)
    assert all("12,000" not in fill(claim.statement, agents) for claim in find("decision").claims)
    mice = find("mice").settings(quick=True)
    assert all("0.758" not in fill(claim.statement, mice) for claim in find("mice").claims)


def _numbers(value):
    return [n for part in value for n in _numbers(part)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("name", names())
def test_no_statement_keeps_a_number_of_the_full_settings_at_the_quick_ones(name):
    experiment = find(name)
    full, quick = (dataclasses.asdict(experiment.settings(quick=small)) for small in (False, True))
    changed = {str(n) for key in full if full[key] != quick[key] for n in _numbers(full[key])}
    changed -= {str(n) for value in quick.values() for n in _numbers(value)}
    for claim in experiment.claims:
        told = declared(claim, experiment.settings(quick=True))
        text = " ".join(told[part] for part in ("statement", "beside", "between"))
        said = re.findall(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w.])", text)
        left = {n.replace(",", "") for n in said} & changed - COMMON
        assert not left, (claim.name, left)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match=r"experiment 'nope'.*Known: .*semantic"):
        find("nope")
    with pytest.raises(ValueError, match=r"setting of semantic 'nope'.*seeds"):
        find("semantic").settings(nope=1)


DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_says_how_long_two_cores_took_and_what_was_made_on_another_machine():
    from festina.papers.table import made_on

    card = "one NVIDIA H200 with 16 cores"
    facts = {
        "a": {"seconds": 40.0, "processor": 60.0}, "b": {"seconds": 80.0, "machine": "two cores"},
        "c": {"seconds": 5.0, "machine": card}, "d": {"seconds": 7.0, "machine": card},
        "e": {"seconds": 9.0, "machine": "16 cores"},
    }  # fmt: skip
    assert made_on(facts).startswith(
        "At full settings the 2 of 5 experiments that were run on two cores took 2 min; `c` and `d` were run on one "
        "NVIDIA H200 with 16 cores in 12 s; `e` was run on 16 cores in 9.0 s. "
    )
    assert made_on(facts).endswith(" Processor time, recorded by 1 of them: 1 min.")


def test_an_experiment_is_recorded_with_its_machine(write, tmp_path, monkeypatch):
    from festina.papers import measure

    monkeypatch.setattr(measure, "find", lambda name: write(FILE))
    monkeypatch.setattr(measure, "machine", lambda: "nine cores")
    found = measure.measure("own", tmp_path / "docs")
    assert found["machine"] == "nine cores"
    assert found["seconds"] >= 0
    assert 0 <= found["processor"] < 60
    assert [path.suffix for path in (tmp_path / "docs" / "figures").iterdir()] == [".png"]


def test_a_record_at_the_papers_settings_says_so_and_how_to_make_it_again():
    from festina.papers.coverage import TAKES
    from festina.papers.measure import at_published
    from festina.papers.table import command, stored

    experiment = find("mnist")
    fact = json.loads((DOCS / "claims.json").read_text(encoding="utf-8"))["mnist"]
    kinds = []
    for settings in (experiment.settings(), experiment.settings(**TAKES["mnist"][0])):
        made = {**fact, "settings": plain(dataclasses.asdict(settings))}
        kinds.append((at_published("mnist", made), {c["at"] for c in stored("mnist", made) if c["kind"] == "paper"}))
    assert kinds == [(False, {"reduced"}), (True, {"published"})]
    assert command(experiment, made) == (
        "festina run mnist --data mnist.npz --items 60000 --epochs 10 --seeds 50 --scaled 50"
    )
    assert not at_published("semantic", {"settings": {}})


def test_table_of_claims_is_whole_and_says_what_the_experiments_say():
    from festina.papers.measure import at_published
    from festina.papers.table import render, stored

    facts = json.loads((DOCS / "claims.json").read_text(encoding="utf-8"))
    assert list(facts) == [name for name in names() if name in facts]
    assert render(facts) == (DOCS / "claims.md").read_text(encoding="utf-8")
    for name, fact in facts.items():
        experiment = find(name)
        recorded = {c["name"]: c["status"] for c in stored(name, fact)}
        assert recorded == {c.name: c.expected for c in experiment.claims}, name
        usual = fact["settings"] == plain(dataclasses.asdict(experiment.settings()))
        assert usual or at_published(name, fact), name
        assert (DOCS / "figures" / f"{name}.png").exists()


def test_digits_trained_by_adam_have_no_lazy_limit_to_be_compared_with():
    few = {"items": 60, "shown": 20, "width": 20, "epochs": 6, "seeds": 2}
    found = run("digits", find("digits").settings(quick=True, optimiser="adam", **few))
    decided = {v.name: v for v in found.verdicts}
    assert decided["classes"].chosen not in ("", "lazy limit")
    assert decided["best baseline"].status == "open"
