"""``festina fit-behaviour``: a one-page report about the animals of a table, in one self-contained HTML file."""

from __future__ import annotations

import base64
import html
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from festina import behaviour, plot
from festina.storage.store import save

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from festina.behaviour import Population, Table

COMPARED = ("tutor-executor", "tutor-executor-gradient", "shallow", "drifting", "q-learning", "logistic")
"""Models that the report sets side by side."""

NETWORKS = COMPARED[:3]
"""Those with stationary points."""

OPTIONS = {
    r"columns=\{'(\w+)': your name\}": r"--column \1=YOURS, with the name that your table has for it",
    r"\bcolumns (has|maps)\b": r"--column \1",
    r"\bpercent=True\b": "--percent",
}
"""Arguments in the errors of ``fs.behaviour.read_table``, as the command line has them."""

FIGURES = 12
"""Animals that are drawn; the tables hold all."""

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
img { max-width: 100%; } .note { color: #8a5a00; }
"""


def write_report(table: Table, path: Path, *, model: str, lapse: str | None) -> Path:
    """Write models side by side, the parameters of every animal, the population, and figures to one HTML file."""
    if path.suffix.lower() not in (".html", ".htm") or not path.parent.is_dir():
        raise ValueError(f"--out is {str(path)!r}; an .html file in a folder that exists is needed.")
    fits = behaviour.fit(table, model, lapse=lapse)
    compared = behaviour.compare_models(table, COMPARED, lapse=lapse)
    several = len(table.subjects) > 1 and model != "logistic"
    population = behaviour.fit_population(table, model, lapse=lapse) if several else None
    with plot.style():
        page = _page(table, compared, fits, population)
    return save("--out", path, page)


def _page(table: Table, compared: pd.DataFrame, fits: Any, population: Population | None) -> str:
    model, count = fits[0].model, len(table.subjects)
    winners = compared.loc[compared["best"], "model"].tolist()
    best = ", ".join(f"{name} {winners.count(name)}" for name in dict.fromkeys(winners))
    parts = [
        f"<h1>Learning to decide: {count} animal{'s' if count != 1 else ''}</h1>",
        f"<p>{len(table)} trials, {int((~table.played).sum())} without a choice; contrasts "
        f"{', '.join(f'{c:g}' for c in table.contrasts)}. "
        f"Best model by BIC, number of animals: {html.escape(best)}.</p>",
        "<h2>Models side by side</h2><p>Log-likelihood in nats; differences are from the best model of the animal; "
        "<i>held out</i> is the log-likelihood per choice of sessions that were not fitted (log ½ = −0.693 is "
        "chance).</p>",
        _table(compared.drop(columns=["aic", "bic"])),
        _image(_draw_models(compared), "Models side by side"),
    ]
    if population is not None:
        parts += [
            f"<h2>The population ({html.escape(model)})</h2><p>Typical value and 90 % interval of the mean; spread is "
            "the standard deviation over animals in the coordinate of the parameter (of its logarithm where the scale "
            "is log). Animals inform one another (partial pooling).</p>",
            _table(population.to_pandas()),
        ]
    parts += [
        f"<h2>Every animal ({html.escape(model)})</h2><p>Maximum-likelihood estimates with 90 % intervals from the "
        "Hessian.</p>",
        _table(fits.to_pandas().drop(columns=["model"])),
    ]
    for one in fits:
        said = "".join(f"<li class=note>{html.escape(one.subject)}: {html.escape(word)}</li>" for word in one.messages)
        parts.append(f"<ul>{said}</ul>" if said else "")
    if model in NETWORKS:
        parts.append(
            "<p>Left: shares of right choices with standard errors, the probabilities that the fitted model gave them "
            "(lines), and 90 % of animals simulated from the fit (bands). Middle: share of rewarded trials of each "
            "session. Right: slopes of the psychometric curve of each session with standard errors, among the "
            "stationary points of the fitted network (L left, R right, c constant pathway active).</p>"
        )
    for one in fits[:FIGURES]:
        parts.append(f"<h3>{html.escape(one.subject)}</h3>" + _image(_draw_animal(one, table), one.subject))
    if len(fits) > FIGURES:
        parts.append(f"<p>Figures of the first {FIGURES} animals are shown.</p>")
    head = f"<meta charset=utf-8><title>Learning to decide</title><style>{STYLE}</style>"
    return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def _table(frame: pd.DataFrame) -> str:
    return frame.to_html(index=False, border=0, escape=True, float_format=lambda value: f"{value:.4g}")


def _draw_models(compared: pd.DataFrame) -> Figure:
    figure, (ax,) = plot.panels(1, 1, width=6, height=2.6)
    plot.models(compared, ax)
    return figure


def _draw_animal(one: Any, table: Table) -> Figure:
    """Curves with the fit, rewards over sessions, and for a network the path among its stationary points."""
    own = table.select(one.subject)
    sides = own.contrasts.min() < 0 < own.contrasts.max()
    located = one.model in NETWORKS and sides
    figure, axes = plot.panels(1, 3 if located else 2, width=4, height=3)
    plot.fit(one, table, axes[0])
    axes[0].legend(loc="upper left", fontsize=7)
    plot.fit(one, table, axes[1], quantity="rewarded", draws=100)
    axes[1].legend(fontsize=7)
    if located:
        shown = [float((own.contrast == level).mean()) for level in own.contrasts]
        task = behaviour.DecisionTask(contrasts=own.contrasts.tolist(), probabilities=shown)
        points = one.network.stationary_points(task, drifting=True)
        plot.decision(behaviour.locate_sessions(own, task, points), axes[2], points=points, color="0.4")
        # room for the names of points
        axes[2].margins(0.15)
    return figure


def _image(figure: Figure, name: str) -> str:
    """The figure as an image inside the page."""
    from matplotlib import pyplot

    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110)
    pyplot.close(figure)
    code = base64.b64encode(data.getvalue()).decode()
    return f'<img alt="{html.escape(name, quote=True)}" src="data:image/png;base64,{code}">'


def fit_behaviour(
    table: Annotated[Path, typer.Argument(help="A .csv or .parquet file, or a folder with one file per session.")],
    out: Annotated[Path, typer.Option(help="The HTML file to write.")] = Path("behaviour.html"),
    model: Annotated[str, typer.Option(help="The model whose parameters are reported.")] = "tutor-executor",
    lapse: Annotated[str | None, typer.Option(help="Lapse rates: one (shared by the sides) or two.")] = None,
    subject: Annotated[str | None, typer.Option(help="The subject of all trials, if no column says it.")] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="A column under another name: --column choice=response. Repeatable.")
    ] = None,
    percent: Annotated[
        bool | None, typer.Option("--percent/--fraction", help="Contrasts are percentages; found out if not said.")
    ] = None,
) -> None:
    """Fit models of learning to the animals of a table and write a one-page report."""
    mapping = {}
    for pair in column or ():
        ours, equals, theirs = pair.partition("=")
        if not equals or not theirs:
            raise ValueError(f"--column is {pair!r}; write it as ours=theirs, such as choice=response.")
        mapping[ours] = theirs
    try:
        read = behaviour.read_table(table, columns=mapping or None, subject=subject, percent=percent)
    except ValueError as error:
        text = str(error)
        for argument, option in OPTIONS.items():
            text = re.sub(argument, option, text)
        raise ValueError(text) from None
    typer.echo(f"{read!r}: fitting …", err=True)
    typer.echo(f"wrote {write_report(read, out, model=model, lapse=lapse)}")


def register(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command("fit-behaviour")(fit_behaviour)
