"""The evidence for kernels that were compared."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from gramian._check import short
from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.layout import around, single
from gramian.plots.look import across, upwards
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, MUTED, PALETTE
from gramian.plots.text import shorten

_WIDTH, _HEIGHT = 420.0, 230.0
_USEFUL = "useful"


@drawn
def selection(
    found: Any,
    criterion: str | None = None,
    *,
    title: str = "",
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
    if not hasattr(found, "table") or not hasattr(found, "kernels"):
        raise InputTypeError(
            f"found must be the result of gm.kernels.select, got {type(found).__name__}"
        )
    return _record(found, criterion, title)


def _record(candidates: Any, criterion: str | None, title: str) -> Figure:
    table = candidates.table
    name = _criterion(candidates, criterion)
    values, rank = table[name].to_numpy(), table["effective_rank"].to_numpy()
    useful = (table["verdict"] == _USEFUL).to_numpy()
    labels = _labels(candidates)
    at = np.arange(1.0, len(values) + 1.0)
    shown = np.isfinite(values)
    winner = float(1 + list(candidates.kernels).index(candidates.label))
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
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=across(_WIDTH),
        height=upwards(_HEIGHT),
        x=Axis(_heading(candidates), (0.4, len(at) + 0.6), ticks, upright=True),
        y=Axis(name, around(values[shown], zero=True)),
        y2=Axis("Effective rank", around(rank, zero=True), color=MUTED),
        layers=(),
    )
    numbers = {name: values, "effective_rank": rank, "useful": useful, "labels": labels}
    notes = [shorten(note, 90) for note in candidates.notes]
    return single(panel, layers, title=title, numbers=numbers, notes=notes)


def _criterion(candidates: Any, criterion: str | None) -> str:
    """Return the column to draw: the one named, or the one that decided."""
    name = candidates.criterion if criterion is None else criterion
    known = [column for column, kind in candidates.table.dtypes.items() if kind.kind == "f"]
    if not isinstance(name, str) or name not in known:
        raise InputError(
            f"criterion={short(name)} is not a column of the table: use one of {', '.join(known)}"
        )
    return str(name)


def _heading(candidates: Any) -> str:
    return "scale" if _is_grid(candidates) else "kernel"


def _is_grid(candidates: Any) -> bool:
    """Whether the candidates are one kernel at several scales."""
    kinds = {type(kernel) for kernel in candidates.kernels.values()}
    return len(kinds) == 1 and bool(candidates.table["scale"].notna().all())


def _labels(candidates: Any) -> list[str]:
    if _is_grid(candidates):
        return [f"{scale:.3g}" for scale in candidates.table["scale"]]
    return [shorten(label, 24) for label in candidates.kernels]
