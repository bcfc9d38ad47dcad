"""Maps of what made the axes of counts, categories and mixed tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.estimators.axis_elements import axis_elements
from gramian.plots.backends import draw
from gramian.plots.cloud import name_rows, origin_lines, plane, point_layers
from gramian.plots.coloring import coloring
from gramian.plots.elements import check_axes, elements_on
from gramian.plots.labels import label_layers
from gramian.plots.layout import single

__all__ = ["categories"]


def categories(
    fitted: Any,
    axes: Sequence[int] = (1, 2),
    *,
    labels: Any = "auto",
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw the columns of a CA, or the categories of an MCA or FAMD, on two axes.

    Parameters
    ----------
    fitted : fitted CA, MCA or FAMD
    axes : (int, int)
        Counted from 1.
    labels : "auto", bool, int or labels
        As for `individuals`.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.CA().fit([[20, 5, 1], [6, 18, 6], [2, 7, 25]])
    >>> gm.plots.categories(fit, backend="none").panels[0].x.title
    'Axis 1 (79.7 %)'
    """
    axes = check_axes(fitted, axes, 2)
    table = axis_elements(fitted)
    if table is None:
        raise InputError(
            f"fitted: {type(fitted).__name__} has no categories of its own: give a CA, MCA or FAMD"
        )
    points = elements_on(fitted, table, axes)
    colors = coloring(None, points.index)
    every = np.ones(len(points.index), dtype=bool)
    panel = plane(fitted, axes, points.coordinates)
    marks = point_layers(points, colors, every)
    naming = name_rows(points, labels, "contribution", every, colors.inks())
    texts = label_layers(panel, [naming], [panel.to_page(mark.at) for mark in marks])
    return draw(single(panel, [*origin_lines(), *marks, *texts], title=title), backend)
