"""What was chosen: the number of axes by each rule, and kernels that were compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from gramian._core.check import short
from gramian.errors import InputError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import require_kind
from gramian.plots.layout import around, empty_panel, single
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, BAR_COLOR, FAINT, MUTED, PALETTE
from gramian.plots.text import shorten

if TYPE_CHECKING:
    from gramian.dimension import Choices
    from gramian.selection import KernelSelection

_RULES_WIDTH, _RULE_STEP = 320.0, 16.0
_KERNELS_WIDTH, _KERNELS_HEIGHT = 420.0, 230.0
_USEFUL = "useful"


@as_plot
def dimension(found: Choices, **drawing: Unpack[Drawing]) -> Figure:
    """Draw the number of axes that each rule keeps, and the consensus as a dashed line.

    Rules that agree with the consensus are in colour; the p-value of the last axis kept stands
    beside the rules that are tests.

    Parameters
    ----------
    found : Choices
        The result of `gm.dimension.choose`.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> choices = gm.dimension.choose(X, rules=["kaiser", "elbow", "cattell"])
    >>> gm.plots.dimension(choices, backend="none").numbers["q"].tolist()
    [1, 1, 3]
    """
    known = hasattr(found, "consensus") and "q" in found
    require_kind(known, found, "found", "the result of gm.dimension.choose")
    q, votes = found["q"].to_numpy(), found.votes
    label = f"consensus: {found.consensus} ({votes[found.consensus]} of {votes.sum()} votes)"
    consensus = Guide("x", float(found.consensus), ACCENT, 1.2, "dash", name=label)
    layers: list[Layer] = [*_stems(q), consensus, *_points(found)]
    numbers = {"q": q, "rules": list(found.index), "consensus": found.consensus}
    return single(_panel(found), layers, numbers=numbers)


def _heights(q: np.ndarray) -> np.ndarray:
    """Return where rules stand: one below the other, from 1."""
    return np.arange(1.0, len(q) + 1.0)


def _stems(q: np.ndarray) -> list[Curve]:
    return [
        Curve(np.array([0.0, k]), np.array([y, y]), FAINT, width=1.0)
        for k, y in zip(q, _heights(q), strict=True)
    ]


def _points(choices: Choices) -> list[Points]:
    """Return the rules that agree with the consensus, then those that differ."""
    q = choices["q"].to_numpy()
    agree = q == choices.consensus
    xy = np.column_stack([q, _heights(q)])
    looks = ((agree, BAR_COLOR, "agree"), (~agree, MUTED, "differ"))
    return [
        Points(xy[rows], color, size=7.0, labels=list(map(str, choices.index[rows])), name=name)
        for rows, color, name in looks
        if rows.any()
    ]


def _panel(choices: Choices) -> Panel:
    q = choices["q"].to_numpy()
    ticks = list(zip(_heights(q), _texts(choices), strict=True))
    x = Axis("Axes kept", (-0.02 * (q.max() or 1), 1.06 * max(q.max(), 1)), whole=True)
    y = Axis("", (len(q) + 0.6, 0.4), ticks, line=False)
    return empty_panel(_RULES_WIDTH, _RULE_STEP * len(q) + 8.0, x, y)


def _texts(choices: Choices) -> list[str]:
    """Return the names of the rules, with p-values where they are tests."""
    pairs = zip(choices.index, choices["p_value"], strict=True)
    return [shorten(f"{rule} (p = {p:.2g})" if p == p else str(rule), 32) for rule, p in pairs]


@as_plot
def selection(
    found: KernelSelection,
    criterion: str | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the criterion of each candidate of `gm.kernels.select`, and its effective rank.

    Kernels that are of no use are hollow, the chosen one stands on a dashed line.

    Parameters
    ----------
    found : KernelSelection
    criterion : str, optional
        A numeric column of its table; the one that decided by default.

    Examples
    --------
    >>> import gramian as gm
    >>> candidates = gm.kernels.select(gm.datasets.iris().data, criterion="contrast")
    >>> gm.plots.selection(candidates, backend="none").numbers["contrast"].max().round(2)
    np.float64(0.37)
    """
    known = hasattr(found, "table") and hasattr(found, "kernels")
    require_kind(known, found, "found", "the result of gm.kernels.select")
    table = found.table
    name = _criterion(found, criterion)
    values, rank = table[name].to_numpy(), table["effective_rank"].to_numpy()
    useful = (table["verdict"] == _USEFUL).to_numpy()
    labels = _labels(found)
    at = np.arange(1.0, len(values) + 1.0)
    shown = np.isfinite(values)
    winner = float(1 + list(found.kernels).index(found.label))
    layers: list[Layer] = [
        Guide("x", winner, ACCENT, dash="dash"),
        Curve(at, rank, MUTED, marker_size=3.0, secondary=True, name="effective rank"),
        Curve(at[shown], values[shown], PALETTE[0], width=1.5, name=name),
    ]
    for rows, filled, kind in ((useful, True, ""), (~useful, False, "of no use")):
        if (rows & shown).any():
            xy = np.column_stack([at, values])[rows & shown]
            layers.append(Points(xy, PALETTE[0], size=6.0, filled=filled, name=kind))
    ticks = list(zip(at, labels, strict=True))
    heading = "scale" if _is_grid(found) else "kernel"
    x = Axis(heading, (0.4, len(at) + 0.6), ticks, upright=True)
    y = Axis(name, around(values[shown], zero=True))
    y2 = Axis("Effective rank", around(rank, zero=True), color=MUTED)
    panel = empty_panel(_KERNELS_WIDTH, _KERNELS_HEIGHT, x, y, y2=y2)
    numbers = {name: values, "effective_rank": rank, "useful": useful, "labels": labels}
    notes = [shorten(note, 90) for note in found.notes]
    return single(panel, layers, numbers=numbers, notes=notes)


def _criterion(candidates: KernelSelection, criterion: str | None) -> str:
    """Return the column to draw: the one named, or the one that decided."""
    name = candidates.criterion if criterion is None else criterion
    known = [str(column) for column, kind in candidates.table.dtypes.items() if kind.kind == "f"]
    if not isinstance(name, str) or name not in known:
        raise InputError(
            f"criterion={short(name)} is not a column of the table: use one of {', '.join(known)}"
        )
    return str(name)


def _is_grid(candidates: KernelSelection) -> bool:
    """Whether the candidates are one kernel at several scales."""
    kinds = {type(kernel) for kernel in candidates.kernels.values()}
    return len(kinds) == 1 and bool(candidates.table["scale"].notna().all())


def _labels(candidates: KernelSelection) -> list[str]:
    if _is_grid(candidates):
        return [f"{scale:.3g}" for scale in candidates.table["scale"]]
    return [shorten(label, 24) for label in candidates.kernels]
