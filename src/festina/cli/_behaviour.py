"""``festina fit-behaviour``: what models say of the animals of a table, in a folder that grows animal by animal."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import io
import json
import platform
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

import festina as fs
from festina.checks import check
from festina.core.display import document
from festina.papers.references import entries, own_entry
from festina.runtime import progress
from festina.storage.store import CorruptError, Store, save

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from festina.behaviour import Comparison, Fit, Table

COMPARED = (
    "tutor-executor", "tutor-executor-gradient", "shallow", "rescorla-wagner", "reinforce", "q-learning", "drifting",
    "engagement", "psychometric", "psychometric + history",
)  # fmt: skip
"""Models that the report sets side by side, unless others are named."""

LOGISTIC = "logistic"
"""The model that has a curve per session; it has no population."""

TOGETHER = 8
"""Animals that are fitted side by side, which takes a third of the time of one after another."""

PARTS = ("comparison", "tests", "confusion", "parameters")
"""Tables of every animal; the folder holds each for all animals as a CSV file."""

SOURCES = {
    "tutor-executor": "liebana2025", "tutor-executor-gradient": "liebana2025", "shallow": "liebana2025",
    "reinforce": "williams1992", "rescorla-wagner": "rescorla1972", "engagement": "ashwood2022",
}  # fmt: skip
"""Papers from which models are."""

OPTIONS = {
    "columns": "--column",
    "mapping": "--column {first}=YOURS, with the name that your table has for it",
    "percent": "--percent",
}
"""Arguments in the errors of ``fs.behaviour.read_table``, as the command line has them."""

STYLE = """
th, td { text-align: right; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
.note { color: light-dark(#8a5a00, #f0bb45); }
"""


@dataclass(frozen=True)
class Settings:
    """Models and settings of the fits."""

    models: tuple[str, ...]
    confusion: int
    starts: int

    def key(self, own: Table) -> str:
        """A hash of all that the results of an animal depend on."""
        columns = [own.subject, own.session, own.contrast, own.right, own.reward, own.played, own.prior]
        told = json.dumps([version("festina"), *map(str, vars(self).values())]).encode()
        return hashlib.sha256(told + b"".join(np.ascontiguousarray(column).tobytes() for column in columns)).hexdigest()


def write_report(table: Table, folder: Path, settings: Settings) -> Path:
    """Fit every animal that the folder does not hold yet, and write tables, figures, methods and one page."""
    import pandas as pd

    if folder.is_file() or folder.suffix.lower() in (".html", ".htm", ".csv"):
        raise ValueError(f"--out is {str(folder)!r}; name a folder, in which report.html and the tables are written.")
    store = Store(folder / "animals", "animal", ".json")
    done: dict[str, dict[str, Any]] = {}
    with progress.bar(len(table.subjects), "animals") as move:
        for subject, found in _each(table, settings, store, folder):
            done[subject] = found
            move(1)
            _write_tables(folder, done, table)
    frames = {name: pd.DataFrame([row for of in done.values() for row in of.get(name, ())]) for name in PARTS}
    several = {subject: of for subject, of in done.items() if "failed" not in of}
    population, selection, pooled = _together(table, several, settings, frames["comparison"])
    for name, frame in (("population", population), ("selection", selection)):
        if isinstance(frame, pd.DataFrame):
            save("--out", folder / f"{name}.csv", frame.to_csv(index=False))
    selected = isinstance(selection, pd.DataFrame)
    methods = describe_methods(
        table, settings, selected=selected, pooled=pooled if isinstance(population, pd.DataFrame) else ""
    )
    save("--out", folder / "methods.txt", methods + "\n")
    cited = [entry for key, entry in entries().items() if key in methods]
    save("--out", folder / "references.bib", "\n\n".join([own_entry(), *cited]) + "\n")
    if len(frames["comparison"]):
        with fs.plot.style():
            figure, (ax,) = fs.plot.panels(1, 1, width=6, height=1 + 0.45 * len(settings.models))
            fs.plot.models(frames["comparison"], ax)
            _save_figure(figure, folder / "figures" / "models")
    page = _page(table, done, frames, population, selection, pooled, methods, folder)
    return save("--out", folder / "report.html", page)


def _each(table: Table, settings: Settings, store: Store, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Results of every animal, as they come: from the folder, or fitted now, several animals side by side."""
    numbers = {subject: f"{number:03d}" for number, subject in enumerate(table.subjects, start=1)}
    # blocks add a parameter, for all animals of a table
    for _, alike in groupby(table.subjects, lambda subject: table.select(subject).blocks):
        subjects = list(alike)
        for begin in range(0, len(subjects), TOGETHER):
            batch = {subject: numbers[subject] for subject in subjects[begin : begin + TOGETHER]}
            yield from _fit_batch(table, batch, settings, store, folder).items()


def _fit_batch(
    table: Table, numbers: dict[str, str], settings: Settings, store: Store, folder: Path
) -> dict[str, dict[str, Any]]:
    """Results of some animals, whose files have these numbers."""
    found, keys = {}, {subject: settings.key(table.select(subject)) for subject in numbers}
    for subject, number in numbers.items():
        with contextlib.suppress(CorruptError):
            kept = store.load(number, keys[subject])
            found |= {} if kept is None else {subject: json.loads(kept)}
    rest = [subject for subject in numbers if subject not in found]
    # one animal never ends a report: those beside it are fitted alone, and its reason is in the report instead
    for batch in (rest, *((subject,) for subject in rest)):
        left = [subject for subject in batch if subject not in found]
        try:
            made = _fit_animals(table.select(*left), settings, folder, numbers) if left else {}
        except Exception as error:
            made = {left[0]: {"failed": f"{type(error).__name__}: {error}"}} if len(batch) == 1 else {}
        found |= made
        for subject in made:
            if "failed" not in made[subject]:
                store.write(numbers[subject], json.dumps(made[subject]).encode(), keys[subject])
    return {subject: found[subject] for subject in numbers}


def _fit_animals(table: Table, settings: Settings, folder: Path, numbers: dict[str, str]) -> dict[str, dict[str, Any]]:
    """All models on these animals, and their figures, as plain data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        compared = fs.behaviour.compare_models(
            table, settings.models, confusion=settings.confusion, starts=settings.starts
        )
    return {
        subject: _tell(subject, compared, table, folder / "figures" / numbers[subject]) for subject in table.subjects
    }


def _tell(subject: str, compared: Comparison, table: Table, figure: Path) -> dict[str, Any]:
    """Results of one animal as plain data, and its figure."""
    import pandas as pd

    comparison: Any = compared.frame[compared.frame["subject"] == subject]
    confusion: Any = compared.confusion[compared.confusion["subject"] == subject]
    fits = {name: found[subject] for name, found in compared.fits.items()}
    tests = [check.to_pandas() for of in compared.checks.values() for check in of if check.subject == subject]
    described: Any = comparison[comparison["describes"]]
    shown: Any = described if len(described) else comparison
    best = None if shown["bic"].isna().all() else shown.loc[shown["bic"].idxmin(), "model"]
    parameters = pd.concat([
        fit.to_pandas(profile=name == best).assign(interval="profile" if name == best else "± errors")
        for name, fit in fits.items() if not fit.failed
    ], ignore_index=True)  # fmt: skip
    parts = (comparison, pd.concat(tests, ignore_index=True), confusion, parameters)
    rows = {
        name: json.loads(str(frame.to_json(orient="records", double_precision=15)))
        for name, frame in zip(PARTS, parts, strict=True)
    }
    if best is not None:
        with fs.plot.style():
            _save_figure(_draw_animal(fits[best], table), figure)
    messages = {name: list(fit.messages) for name, fit in fits.items() if fit.messages}
    return {**rows, "sentence": compared.sentences[subject], "messages": messages}


def _together(
    table: Table, done: dict[str, Any], settings: Settings, comparison: pd.DataFrame
) -> tuple[pd.DataFrame | str | None, pd.DataFrame | str | None, str]:
    """The population, the frequencies of models, and the model that was pooled: the most frequent one that can be.

    The first two are None for one animal, and words where they fail.
    """
    pooled = settings.models[0]
    if len(done) < 2:
        return None, None, pooled
    population = selection = None
    if len(set(comparison["model"])) > 1:
        try:
            selection = fs.behaviour.select_models(comparison)
            learners: Any = selection[selection["model"] != LOGISTIC]
            pooled = str(learners.loc[learners["frequency"].idxmax(), "model"])
        except ValueError as error:
            selection = str(error)
    if pooled != LOGISTIC:
        try:
            found = fs.behaviour.fit_population(table.select(*done), pooled, starts=settings.starts)
            population = found.to_pandas()
        except (ValueError, np.linalg.LinAlgError) as error:
            population = f"The population could not be fitted: {error}"
    return population, selection, pooled


def _write_tables(folder: Path, done: dict[str, dict[str, Any]], table: Table) -> None:
    """The tables of the animals so far."""
    import pandas as pd

    for name in PARTS:
        frame = pd.DataFrame([row for of in done.values() for row in of.get(name, ())])
        save("--out", folder / f"{name}.csv", frame.to_csv(index=False))
    failed = {subject: of["failed"] for subject, of in done.items() if "failed" in of}
    said = [f"{subject}: {of.get('sentence') or 'failed: ' + of['failed']}" for subject, of in done.items()]
    save("--out", folder / "verdicts.txt", "\n".join([*said, f"{len(done)} of {len(table.subjects)} animals"]) + "\n")
    if failed:
        save("--out", folder / "failed.json", json.dumps(failed, indent=1))


def describe_methods(table: Table, settings: Settings, *, selected: bool, pooled: str) -> str:
    """A paragraph for the methods of a paper: what was run, with versions.

    ``selected`` says whether frequencies of models were estimated, ``pooled`` is the model of the population.
    """
    extended = " Every model included a weight of the block prior." if table.blocks else ""
    rivals = (
        f" For the model with the smallest BIC among those not rejected, up to {settings.confusion} animals were "
        "simulated from the fit of every rival on the animal's stimuli (fewer where the first ones left no doubt; "
        "their number is in confusion.csv) and refitted with both models; a rival is taken for the model where the "
        "model has the smaller BIC (wilson2019)."
        if settings.confusion
        else ""
    )
    population = (
        f" The population was fitted with {pooled}; over animals, the coordinates of its parameters were normally "
        "distributed. Typical values, spreads and their 90 % intervals are from the joint posterior of means, spreads "
        "and animals, under priors flat in means and spreads (Gibbs sampling, 4,000 draws). The likelihood of each "
        "animal was represented by 1,024 points from adaptive importance sampling."
        if pooled
        else ""
    )
    compared = (
        f" Models were compared by AIC, BIC and five-fold cross-validation over sessions.{rivals}"
        if len(settings.models) > 1
        else ""
    )
    frequent = (
        " Frequencies of models over animals were estimated with models as random effects (stephan2009), with "
        "protected exceedance probabilities (rigoux2014)."
        if selected
        else ""
    )
    models = ", ".join(_told(name, table) for name in settings.models)
    return (
        f"Choices of {_count(len(table.subjects), 'animal')} ({int(table.played.sum())} choices; trials without a "
        f"choice were excluded from the likelihood) were fitted with {_count(len(settings.models), 'model')}: {models}."
        f"{extended} {' '.join(table.notes)} The log-likelihood of each animal's choices, given all earlier choices "
        f"and rewards, was maximised by Fisher scoring with bounds from {_count(settings.starts, 'starting point')}. "
        "Its derivatives were computed by forward differentiation through the learning rule. Intervals (90 %) "
        "of single animals are profile-likelihood intervals (venzon1988) for the model that describes the animal best, "
        "and estimates ± 1.64 standard errors from the observed information for the others. Every fit was tested by "
        "score tests of its residuals (contrast, part of the sessions, previous choice, and the predictions of the "
        "other models, davidson1981) that account for fitted parameters, and by 100 simulated animals; a model was "
        f"rejected at p < 0.05, Bonferroni-corrected over these tests.{compared}{frequent}{population} "
        f"Analyses used festina {version('festina')} (festina), JAX {version('jax')}, NumPy {version('numpy')} and "
        f"SciPy {version('scipy')} with Python {platform.python_version()}. "
        "Words in parentheses are keys of references.bib."
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _told(name: str, table: Table) -> str:
    """A model with its parameters and its source."""
    if name == LOGISTIC:
        return f"{name} (a curve per session)"
    model = fs.behaviour.find_model(name, blocks=table.blocks)
    source = SOURCES.get(name.split("+", maxsplit=1)[0].strip())
    words = ", ".join(p.name for p in model.parameters) + (f"; {source}" if source else "")
    return f"{model.name} ({words})"


def _page(
    table: Table, done: dict[str, dict[str, Any]], frames: dict[str, pd.DataFrame],
    population: pd.DataFrame | str | None, selection: pd.DataFrame | str | None, pooled: str, methods: str,
    folder: Path,
) -> str:  # fmt: skip
    verdicts = "".join(
        f"<li>{html.escape(of.get('sentence') or f'{subject} could not be analysed: ' + of['failed'])}</li>"
        for subject, of in done.items()
    )
    parts = [
        f"<h1>Learning to decide: {_count(len(table.subjects), 'animal')}</h1>",
        f"<p>{len(table)} trials, {int((~table.played).sum())} without a choice; contrasts "
        f"{', '.join(f'{c:g}' for c in table.contrasts)}. {html.escape(' '.join(table.notes))}</p>",
        f"<h2>Does any model describe the animal, and which?</h2><ul>{verdicts}</ul>",
    ]
    if len(frames["comparison"]):
        shown = ["subject", "model", "describes", "p", "finding", "parameters", "delta_bic", "delta_aic", "held_out"]
        parts += [
            "<h2>Models side by side</h2><p><i>Describes</i>: no test of the fit rejects the model at 5 %, all tests "
            "together (p); <i>finding</i> is what the clearest test found. Differences are from the best model of the "
            "animal; <i>held out</i> is the log-likelihood per choice of sessions that were not fitted (log ½ = −0.693 "
            "is chance). In the figure, open points are animals for which the model is rejected.</p>",
            _table(frames["comparison"].loc[:, shown]),
            _image(folder / "figures" / "models.png", "Models side by side"),
        ]
    if len(frames["confusion"]):
        parts += [
            "<h2>Could another model be taken for the best?</h2><p>Share of animals, simulated from the fit of the "
            "rival to this animal, on which the best model has the smaller BIC.</p>",
            _table(frames["confusion"]),
        ]
    for title, of, words in (
        ("Which model do most animals follow?", selection, "Expected share of animals, 90 % interval, probability of "
         "being the most frequent (exceedance; protected against chance)."),
        (f"The population under {html.escape(pooled)}", population,
         "Typical value and 90 % interval of the mean; spread is the standard deviation over animals in the coordinate "
         "of the parameter (of its logarithm where the scale is log)."),
    ):  # fmt: skip
        if of is not None:
            body = f"<p class=note>{html.escape(of)}</p>" if isinstance(of, str) else f"<p>{words}</p>{_table(of)}"
            parts.append(f"<h2>{title}</h2>{body}")
    if len(frames["parameters"]):
        parts += [
            "<h2>Parameters</h2><p>Maximum-likelihood estimates with 90 % intervals: from the profile likelihood for "
            "the model that describes the animal best, estimates ± 1.64 standard errors for the others.</p>",
            _table(frames["parameters"].drop(columns=["standard_error", "scale"])),
        ]
    said = [
        f"<li class=note>{html.escape(f'{subject}, {model}: {word}')}</li>"
        for subject, of in done.items()
        for model, words in of.get("messages", {}).items()
        for word in words
    ]
    parts.append(f"<ul>{''.join(said)}</ul>" if said else "")
    parts.append(
        "<h2>Animals</h2><p>Under the model that describes the animal best (the best by BIC where none does): shares "
        "of right choices with standard errors, the probabilities that the model gave them (lines), and 90 % of "
        "animals simulated from the fit (bands); share of rewarded trials of each session. "
        "For a network also the slopes of the psychometric curve of each session, with standard errors and arrows in "
        "the direction of time, among the stationary points of the fitted network (L left, R right, c constant pathway "
        "active). Each figure is in the folder figures as PDF and SVG, with the numbers behind its panels as CSV.</p>"
    )
    for number, subject in enumerate(done, start=1):
        image = folder / "figures" / f"{number:03d}.png"
        if image.is_file():
            parts.append(f"<h3>{html.escape(subject)}</h3>" + _image(image, subject))
    parts.append(f"<h2>Methods</h2><p>{html.escape(methods)}</p>")
    return document("Learning to decide", parts, STYLE)


def _table(frame: pd.DataFrame) -> str:
    return frame.to_html(index=False, border=0, escape=True, float_format=lambda value: f"{value:.4g}")


def _draw_animal(one: Fit, table: Table) -> Figure:
    """Curves with the fit, rewards over sessions, and for a network the path among its stationary points."""
    own = table.select(one.subject)
    sides = own.contrasts.min() < 0 < own.contrasts.max()
    located = sides and one.recursion is not None and hasattr(one.recursion, "partial")
    figure, axes = fs.plot.panels(1, 3 if located else 2, width=4, height=3)
    fs.plot.fit(one, table, axes[0])
    axes[0].legend(loc="upper left", fontsize=7)
    fs.plot.fit(one, table, axes[1], quantity="rewarded", draws=100)
    axes[1].legend(fontsize=7)
    if located:
        shown = [float((own.contrast == level).mean()) for level in own.contrasts]
        task = fs.behaviour.DecisionTask(contrasts=own.contrasts.tolist(), probabilities=shown)
        points = one.network.stationary_points(task, moving_weights=True)
        fs.plot.decision(fs.behaviour.locate_sessions(own, task, points), axes[2], points=points, color="0.4")
        # room for the names of points
        axes[2].margins(0.15)
    return figure


def _save_figure(figure: Figure, path: Path) -> None:
    """The figure as PNG for the page, and as ``fs.plot.export`` writes it: SVG, PDF, and the numbers of each panel."""
    from matplotlib import pyplot

    data = io.BytesIO()
    figure.savefig(data, format="png")
    for end, content in {".png": data.getvalue(), **fs.plot.files(figure)}.items():
        save("--out", path.with_name(path.name + end), content)
    pyplot.close(figure)


def _image(path: Path, name: str) -> str:
    """An image file inside the page."""
    code = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{html.escape(name, quote=True)}" src="data:image/png;base64,{code}">'


def fit_behaviour(
    table: Annotated[Path, typer.Argument(help="A .csv or .parquet file, or a folder with one file per session.")],
    out: Annotated[
        Path, typer.Option(help="The folder to write; animals that were fitted there before are not fitted again.")
    ] = Path("behaviour"),
    model: Annotated[
        list[str] | None,
        typer.Option(help="Fit only this model, such as shallow+history or shallow+lapse. Repeatable."),
    ] = None,
    confusion: Annotated[
        int,
        typer.Option(help="Largest number of animals simulated from every rival of the best model; 0 leaves this out."),
    ] = 20,
    starts: Annotated[int, typer.Option(help="Starts of every search.")] = 4,
    subject: Annotated[
        str | None, typer.Option(help="The subject of all trials, if there is no column for it.")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="A column under another name: --column choice=response. Repeatable.")
    ] = None,
    percent: Annotated[
        bool | None,
        typer.Option("--percent/--fraction", help="Contrasts are percentages; detected by default."),
    ] = None,
) -> None:
    """Fit models of learning to the animals of a table: a report, tables, figures and methods in one folder."""
    mapping = {}
    for pair in column or ():
        ours, equals, theirs = pair.partition("=")
        if not equals or not theirs:
            raise ValueError(f"--column is {pair!r}; write it as ours=theirs, such as choice=response.")
        mapping[ours] = theirs
    try:
        read = fs.behaviour.read_table(table, columns=mapping or None, subject=subject, percent=percent)
    except check.ArgumentError as error:
        raise ValueError(error.told(OPTIONS)) from None
    settings = Settings(tuple(model or COMPARED), confusion, starts)
    for name in settings.models:
        if name != LOGISTIC:
            try:
                fs.behaviour.find_model(name)
            except ValueError as error:
                raise ValueError(f"--model: {error}") from None
    typer.echo(f"{read!r}: fitting …", err=True)
    with progress.shown(sys.stderr.isatty()):
        typer.echo(f"wrote {write_report(read, out, settings)}")
