"""A fitted animal: its curves over sessions with the model's, predictive checks, and models side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.core.look import COLOURS, axis, plain, styled, themed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from festina.behaviour import Fit, Table


MAX_DRAWS = 10_000
"""Simulated animals: more do not change a band of 90 % that can be seen."""


@styled
def fit(
    fit: Fit,
    table: Table,
    ax: Axes | None = None,
    *,
    quantity: str = "curves",
    groups: int = 3,
    draws: int = 40,
    **line: Any,
) -> Axes:
    """Draw an animal's psychometric curves over its sessions, with the fitted model's; or a predictive check.

    Points are fractions of right choices with binomial standard errors. Lines are the mean probability that the model
    gave to right on the same trials, given the earlier trials. Bands hold 90 % of animals simulated from the fit, which
    learn from their own choices.

    Args:
        fit: one of ``behaviour.fit``.
        table: the table it was fitted to.
        ax: where to draw; None is pyplot's current axes.
        quantity: ``"curves"``; or, as a check of every session, ``"rewarded"``, the share of rewarded trials, or
            ``"right"``, the share of right choices, with the band that holds 90 % of the simulated animals.
        groups: parts of equally many sessions, from early to late; of the curves.
        draws: simulated animals for the bands; 0 draws none.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> contrast = np.tile([-0.5, 0.5], 60)
        >>> rows = {"subject": ["a"] * 120, "session": np.repeat([1, 2, 3], 40), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": contrast > 0, "reward": [1] * 120})
        >>> (found,) = fs.behaviour.fit(table, "q-learning")
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.fit(found, table, ax, draws=0).get_ylabel()
        'P(choose right)'
    """
    from festina.behaviour import Fit, Table

    ax = axis(ax)
    check.instance("fit", fit, Fit, "one of the fits that fs.behaviour.fit(table) gives")
    check.instance("table", table, Table, "the table it was fitted to, from fs.behaviour.read_table(...),")
    curves = check.known("quantity", quantity, ("curves", "rewarded", "right")) == "curves"
    check.whole("draws", draws, 0 if curves else 1, MAX_DRAWS)
    if not curves:
        return _draw_sessions(fit, table, ax, quantity, draws)
    own, sessions = table.select(fit.subject), table.sessions(fit.subject)
    groups = min(check.whole("groups", groups), len(sessions))
    copies = fit.replicate(table, draws) if draws else None
    for part, colour in zip(np.array_split(np.arange(len(sessions)), groups), COLOURS, strict=False):
        rows = np.isin(own.session, np.array(sessions)[part]) & own.played
        levels = np.unique(own.contrast[rows])
        if not len(levels):
            continue
        each = [rows & (own.contrast == level) for level in levels]
        share = np.array([own.right[r].mean() for r in each])
        error = np.sqrt(np.maximum(share * (1 - share), 0) / [r.sum() for r in each])
        name = f"session {part[0] + 1}" if len(part) == 1 else f"sessions {part[0] + 1}–{part[-1] + 1}"
        ax.errorbar(levels, share, error, fmt="o", markersize=3, color=colour, elinewidth=0.8, label=name)
        ax.plot(levels, [fit.probabilities[r].mean() for r in each], **{"color": colour, **line})
        if copies is not None:
            shares = np.stack([copies.right[:, r].mean(axis=1) for r in each], axis=1)
            low, high = np.quantile(shares, [0.05, 0.95], axis=0)
            ax.fill_between(levels, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set(ylim=(-0.02, 1.02), xlabel="contrast (left < 0 < right)", ylabel="P(choose right)")
    return ax


def _draw_sessions(fit: Fit, table: Table, ax: Axes, quantity: str, draws: int) -> Axes:
    """A quantity of every session, and the band in which animals simulated from the fit lie."""
    own, sessions = table.select(fit.subject), table.sessions(fit.subject)
    copies = fit.replicate(table, draws)
    observed, simulated = (own.reward, copies.reward) if quantity == "rewarded" else (own.right, copies.right)
    rows = [(own.session == session) & own.played for session in sessions]
    rows = [r for r in rows if r.any()]
    number = np.arange(1, len(rows) + 1)
    low, high = np.quantile([simulated[:, r].mean(axis=1) for r in rows], [0.05, 0.95], axis=1)
    ax.fill_between(number, low, high, color=COLOURS[0], alpha=0.25, linewidth=0, label=f"{plain(fit.model)}, 90 %")
    name = plain(fit.subject)
    ax.plot(number, [observed[r].mean() for r in rows], color=themed("black"), marker="o", markersize=2, label=name)
    ax.set(ylim=(-0.02, 1.02), xlabel="session", ylabel=f"share {'rewarded' if quantity == 'rewarded' else 'right'}")
    return ax


@styled
def models(frame: pd.DataFrame, ax: Axes | None = None, *, criterion: str = "delta_bic") -> Axes:
    """Draw models side by side: how far each is behind the best, one point per animal and the mean as a bar.

    First comes whether a model describes the animals at all: points are open where the tests of the fit reject it, and
    its name says how many animals it describes.

    Args:
        frame: from ``behaviour.compare_models``.
        ax: where to draw; None is pyplot's current axes.
        criterion: ``"delta_bic"`` or ``"delta_aic"``; 0 is the best model of an animal.

    Returns:
        The axes.

    Example:
        >>> import pandas as pd, festina as fs
        >>> frame = pd.DataFrame({"subject": ["a", "a"], "model": ["x", "y"], "delta_bic": [0.0, 12.0]})
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.models(frame, ax).get_xlabel()
        'BIC above the best model'
    """
    ax = axis(ax)
    check.known("criterion", criterion, ("delta_bic", "delta_aic"))
    columns = getattr(frame, "columns", ())
    if not isinstance(columns, Iterable) or not {"model", criterion} <= set(columns):
        raise ValueError(
            f"frame is {check.shown(frame)}; a data frame with the columns model and {criterion} is needed, as "
            "fs.behaviour.compare_models(table) gives it."
        )
    names, told = list(dict.fromkeys(frame["model"])), []
    for n, name in enumerate(names):
        own, colour = frame.loc[frame["model"] == name], COLOURS[n % len(COLOURS)]
        values = np.asarray(own[criterion], dtype=float)
        ax.barh(n, np.nanmean(values) if np.isfinite(values).any() else 0.0, color=colour, alpha=0.4)
        describes = np.asarray(own["describes"] if "describes" in columns else np.ones(len(own)), dtype=bool)
        for which, fill in ((describes, colour), (~describes, themed("white"))):
            ax.plot(
                values[which], np.full(which.sum(), n), "o", markersize=4, color=colour, markerfacecolor=fill,
                clip_on=False, zorder=4,
            )  # fmt: skip
        told.append(f"{name}\ndescribes {describes.sum()} of {len(own)}" if "describes" in columns else name)
    ax.set_yticks(range(len(names)), list(map(plain, told)))
    ax.invert_yaxis()
    ax.set_xscale("symlog", linthresh=10)
    ax.set_xlabel(f"{criterion.split('_')[1].upper()} above the best model")
    return ax
