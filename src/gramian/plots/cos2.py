"""Bars of squared cosines: how well axes represent each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from gramian.errors import InputError
from gramian.plots.bars import axes_text, axis_tuple, bars, elements_of
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.record import Figure

__all__ = ["cos2"]


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
    fitted : fitted estimator
    axis : int or several
        Counted from 1; squared cosines of several axes add up.
    of : "individuals", "variables" or "categories"
    top : int
        How many bars.
    X : table, optional
        Rows to draw in place of those of the fit, which one on blocks of rows does not keep; of a
        scan, 2,000 of them by chance.
    title : str

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

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
