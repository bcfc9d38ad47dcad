"""Bars of squared cosines: how well axes represent each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from gramian.errors import InputError
from gramian.plots.bars import axes_text, axis_tuple, bars, elements_of
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.record import Figure


@drawn
def cos2(
    fitted: Any,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    X: Any = None,
    title: str = "",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest squared cosines: how well an axis, or several, represent each element.

    Parameters
    ----------
    axis : int or several
        Counted from 1; squared cosines of several axes add up.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.cos2(fit, of="variables", backend="none").numbers["values"].round(3)
    array([0.983, 0.931, 0.792, 0.212])
    """
    axes = axis_tuple(fitted, axis)
    elements = elements_of(fitted, axes, of, X)
    if elements.cos2 is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no squared cosines")
    return bars(elements, elements.cos2, f"cos² on {axes_text(axes)}", top, title=title)
