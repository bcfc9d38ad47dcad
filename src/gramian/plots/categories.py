"""Maps of categories, and of the rows and columns of a table of counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gramian._core.check import flag
from gramian._estimators.factors.base import level_names
from gramian.errors import InputError
from gramian.plots.cloud import (
    name_rows,
    origin_lines,
    plane,
    point_layers,
    row_weights,
    supplementary_layer,
)
from gramian.plots.coloring import Coloring, coloring, one_color
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    check_axes,
    elements_of,
    individuals_of,
    selection_mask,
    variables_of,
)
from gramian.plots.labels import label_layers
from gramian.plots.layout import single
from gramian.plots.record import Figure, Layer
from gramian.plots.style import ACCENT, MUTED


@as_plot
def categories(
    fitted: Any,
    axes: Sequence[int] = (1, 2),
    *,
    table: Any = None,
    individuals: bool = False,
    color: Any = None,
    color_as: str | None = None,
    labels: Any = "auto",
    select: Any = None,
    by: str = "contribution",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the categories on two axes.

    Parameters
    ----------
    table : table with the rows of the fit, optional
        Its categories are drawn as hollow diamonds. A method without categories of its own (PCA,
        kernel PCA, MDS) needs it.
    individuals : bool
        Draw the individuals too, faintly.
    color, color_as : optional
        Of the categories of the fit: groups of them.
    labels : "auto", bool, int or labels
        "auto" names all up to 40, else the 12 that matter most.
    select : int, float, labels or mask, optional
        Categories drawn in full, the others faintly.

    Examples
    --------
    >>> import gramian as gm
    >>> X = {"tea": ["black", "green", "green", "black"], "milk": ["yes", "no", "no", "no"]}
    >>> record = gm.plots.categories(gm.MCA().fit(X), backend="none")
    >>> record.numbers["categories"].labels
    ['black', 'green', 'milk=no', 'milk=yes']
    """
    axes = check_axes(fitted, axes, 2)
    own = _categories_of(fitted, axes) if fitted.has_categories else None
    others = None if table is None else _categories_of(fitted, axes, table)
    if own is None and others is None:
        raise InputError(
            f"table is missing: {type(fitted).__name__} has no categories of its own: give table= "
            "the columns whose categories should be drawn"
        )
    rows = individuals_of(fitted, axes) if flag(individuals, "individuals") else None
    colors = None
    if own is not None:
        plain = one_color(len(own.index), ACCENT)
        colors = plain if color is None else coloring(color, own.index, color_as, own)
    return _map(fitted, axes, own, colors, rows, None, others, labels, select, by)


def symmetric_map(
    fitted: Any,
    axes: Sequence[int],
    color: Any,
    color_as: str | None,
    labels: Any,
    select: Any,
    by: str,
    X: Any = None,
) -> Figure:
    """Return the record of individuals and categories, or rows and columns, on one map."""
    rows = individuals_of(fitted, axes, X)
    of = _categories_of if fitted.has_categories else variables_of
    own = of(fitted, axes)
    colors = coloring(color, rows.index, color_as, rows)
    return _map(
        fitted, axes, own, one_color(len(own.index), ACCENT), rows, colors, None, labels, select,
        by, X,
    )  # fmt: skip


def _map(
    fitted: Any,
    axes: Sequence[int],
    own: Elements | None,
    colors: Coloring | None,
    rows: Elements | None,
    row_colors: Coloring | None,
    others: Elements | None,
    labels: Any,
    select: Any,
    by: str,
    X: Any = None,
) -> Figure:
    """Return the record: individuals below, categories above, supplementary ones on top."""
    layers: list[Layer] = [*origin_lines()]
    namings, clouds = [], []
    selected = None
    if own is not None and colors is not None:
        selected = selection_mask(own, select, by)
        namings.append(name_rows(own, labels, by, selected, colors.inks()))
        clouds.append(own)
    if others is not None:
        every = np.ones(len(others.index), dtype=bool)
        inks = one_color(len(others.index), ACCENT).inks()
        namings.append(name_rows(others, labels, "cos2", every, inks))
        clouds.append(others)
    if rows is not None:
        live = row_weights(fitted, len(rows.index), X) > 0
        look = row_colors or one_color(len(rows.index), MUTED)
        layers += point_layers(rows, look, live, scale=0.8)
        clouds.append(rows)
        if row_colors is not None and rows.has_names:
            namings.append(name_rows(rows, labels, by, live, look.inks()))
    if own is not None and colors is not None and selected is not None:
        layers += point_layers(own, colors, selected, muted=~selected, scale=1.2)
    layers += [] if others is None else [supplementary_layer(others)]
    panel = plane(fitted, axes, np.vstack([cloud.coordinates for cloud in clouds]))
    spots = [panel.to_page(cloud.coordinates) for cloud in clouds]
    layers += label_layers(panel, namings, spots)
    legend = row_colors or colors
    numbers = {"categories": own, "supplementary": others, "rows": rows, "selected": selected}
    legend_title = "" if legend is None or legend.scale else legend.title
    return single(panel, layers, legend_title=legend_title, numbers=numbers)


def _categories_of(fitted: Any, axes: Sequence[int], table: Any = None) -> Elements:
    """Return categories on the axes, named by their levels where these are clear alone."""
    readings = fitted.categories() if table is None else fitted.categories(table)
    readings = readings.set_axis(pd.Index(level_names(readings.index)))
    return elements_of(fitted, readings, axes)
