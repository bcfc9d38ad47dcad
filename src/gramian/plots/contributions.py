"""Bars of contributions: what an axis is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from gramian.errors import InputError
from gramian.estimators import protocol
from gramian.plots.bars import axes_text, axis_tuple, bars, elements_of
from gramian.plots.cloud import row_weights
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.record import Figure


@drawn
def contributions(
    fitted: Any,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    title: str = "",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest contributions to an axis, or to several axes together.

    The dashed line is the contribution that each would have if all had the same.

    Parameters
    ----------
    axis : int or several
        Counted from 1. The contribution to several axes is to the inertia they have together.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.contributions(fit, of="variables", backend="none")
    >>> record.numbers["values"].round(1).tolist(), record.numbers["uniform"]
    ([33.7, 31.9, 27.2, 7.3], 25.0)
    """
    axes = axis_tuple(fitted, axis)
    if protocol.is_gone(fitted) and of == "individuals":
        raise InputError(
            "of='individuals': the fit was made of blocks of rows, and kept none: use "
            "of='variables', or cos2(fit, X=sample)"
        )
    elements = elements_of(fitted, axes, of)
    if elements.contribution is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no contributions: use cos2")
    n = len(elements.index)
    if of == "individuals":
        n = int((row_weights(fitted, n) > 0).sum())
    label = f"Contribution to {axes_text(axes)} (%)"
    values = 100.0 * elements.contribution
    return bars(elements, values, label, top, uniform=100.0 / n, title=title)
