"""Every experiment, at its quick settings: it runs, draws, and its verdicts are the ones we stand by."""

import dataclasses
import json
from pathlib import Path

import pytest

from festina.papers import Claim, find, names
from festina.papers._claim import plain


@pytest.fixture(scope="module", params=names())
def outcome(request):
    experiment = find(request.param)
    return experiment.run(experiment.settings(quick=True))


def test_verdicts_are_the_ones_we_stand_by(outcome):
    assert {v.name: v.status for v in outcome.verdicts} == {v.name: v.stands for v in outcome.verdicts}


def test_outcome_is_plain_json(outcome):
    told = json.loads(json.dumps(outcome.to_json(), allow_nan=False))
    assert set(told) == {"settings", "claims", "values"}
    assert told["values"]
    for claim in told["claims"]:
        assert set(claim) == {"name", "statement", "measured", "bound", "status"}
        assert claim["status"] in ("holds", "fails", "open")


def test_figure_has_labels_on_every_panel(outcome, tmp_path):
    paths = outcome.save(tmp_path)
    assert [p.suffix for p in paths] == [".png", ".svg", ".json"]
    assert all(p.stat().st_size > 1000 for p in paths[:2])
    figure = outcome.draw()
    drawn = [ax for ax in figure.axes if ax.has_data()]
    assert drawn
    for ax in drawn:
        assert ax.get_title(loc="left") or ax.get_title() or ax.get_xlabel() or ax.get_ylabel()


@pytest.mark.parametrize("name", names())
def test_declaration_is_whole(name):
    experiment = find(name)
    assert experiment.question.endswith("?"), "the first line of the docstring is the question"
    assert experiment.citations
    assert experiment.claims
    assert len({claim.name for claim in experiment.claims}) == len(experiment.claims)
    assert all(isinstance(claim, Claim) and claim.source for claim in experiment.claims)
    assert experiment.module.Settings.__dataclass_params__.frozen
    for field, comment in experiment.fields().values():
        assert comment, f"{field.name} needs a comment of one line above it"
    assert plain(dataclasses.asdict(experiment.settings()))


def test_claim_is_open_when_the_bound_is_within_two_standard_errors():
    def claim(measured):
        return Claim("c", "s", lambda _: measured, 1.0, "<=").judge(None)

    assert claim(0.5).status == "holds"
    assert claim(1.5).status == "fails"
    assert claim((1.5, 0.3)).status == "open"
    assert claim((1.5, 0.2)).status == "fails"
    assert claim(float("nan")).status == "open"


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match=r"experiment is 'nope'.*known are: .*semantic"):
        find("nope")
    with pytest.raises(ValueError, match=r"setting of semantic is 'nope'.*seeds"):
        find("semantic").settings(nope=1)


DOCS = Path(__file__).parents[2] / "docs"


def test_table_of_claims_is_whole_and_says_what_the_experiments_say():
    from festina.papers._table import render

    facts = json.loads((DOCS / "claims.json").read_text(encoding="utf-8"))
    assert list(facts) == names()
    assert render(facts) == (DOCS / "claims.md").read_text(encoding="utf-8")
    for name, fact in facts.items():
        experiment = find(name)
        recorded = {c["name"]: (c["statement"], c["status"]) for c in fact["claims"]}
        assert recorded == {c.name: (c.statement, c.stands) for c in experiment.claims}, name
        assert fact["settings"] == plain(dataclasses.asdict(experiment.settings())), name
        assert (DOCS / "figures" / f"{name}.png").exists()
