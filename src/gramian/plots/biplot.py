"""Biplots, and maps of categories: two clouds on one map."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, one_of, positive
from gramian._core.types import TableLike
from gramian._estimators.factors.base import level_names
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots.cloud import (
    along,
    arrow_layers,
    faint_tips,
    name_arrows,
    name_points,
    name_rows,
    origin_lines,
    plane,
    point_layers,
    row_weights,
    sample_notes,
    supplementary_layer,
)
from gramian.plots.coloring import ColorColumn, Coloring, coloring, one_color
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    LabelChoice,
    Selection,
    check_axes,
    elements_of,
    individuals_of,
    positions_to_name,
    selection_mask,
    variables_of,
)
from gramian.plots.groups import names_of_groups
from gramian.plots.labels import label_layers
from gramian.plots.layout import single
from gramian.plots.record import Figure, Layer
from gramian.plots.style import ACCENT, INK, MUTED, TEXT

_MAX_ARROWS = 15


def gabriel(
    fitted: Any, axes: Sequence[int], scaling: str, Z: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the markers of rows (n, k) and columns (p, k) whose products approximate the features.

    With coordinates F = U√λ and axes A, "form" is (F, A), in which distances between rows are
    those of the map; "covariance" is (F/√λ, A√λ), in which the products of columns are their
    covariances. Both have the products F·Aᵀ, the best approximation of the centred (and scaled)
    table on these axes. Rows are those of the fit, or those with coordinates Z, (m, k).

    >>> import gramian as gm
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0], [5.0, 4.0]])
    >>> rows, columns = gabriel(gm.PCA().fit(X), (1, 2), "covariance")
    >>> bool(np.allclose(rows @ columns.T, X - X.mean(axis=0)))
    True
    """
    one_of(scaling, "scaling", ("form", "covariance"))
    if not fitted.has_variables:
        raise InputError(
            f"fitted: a biplot needs variables, which {type(fitted).__name__} has not: use PCA, or "
            "individuals() and variables(table=...) side by side"
        )
    chosen_axes = [k - 1 for k in axes]
    F = to_numpy(fitted.coordinates_)[:, chosen_axes].astype(float) if Z is None else Z
    A = to_numpy(fitted.components_)[chosen_axes].T.astype(float)
    if scaling == "form":
        return F, A
    root = np.sqrt(np.asarray(fitted.eigenvalues_)[chosen_axes])
    return F / np.where(root > 0, root, 1.0), A * root  # a null axis has F = 0


@as_plot
def biplot(
    fitted: Reading,
    axes: Sequence[int] = (1, 2),
    *,
    scaling: str = "form",
    color: ColorColumn = None,
    color_as: str | None = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: str = "contribution",
    stretch: float | str = "auto",
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw individuals and variables on one map (Gabriel's biplot, or the map of both clouds).

    The product of a row's and a variable's markers is the value in the centred (and scaled) table,
    as well as two axes can give it. The arrows may be lengthened by one common factor, which is
    written below the figure and stands in the record as ``numbers["stretch"]``.

    Of a factor method (CA, MCA, FAMD, MFA) rows and columns, or individuals and categories, are
    both points in their principal coordinates: those on one side of the origin go together.

    Parameters
    ----------
    fitted : fitted PCA or factor method
    scaling : "form" or "covariance"
        Rows in principal coordinates (distances between rows are right), or columns (lengths and
        angles of arrows are standard deviations and correlations).
    labels : "auto", bool, int or labels
        Rows to name: "auto" names none above 40.
    select : int, float, labels or mask, optional
        Variables drawn as arrows; by default the 15 best.
    stretch : "auto" or float
        Factor of the arrows.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.biplot(fit, backend="none")
    >>> record.numbers["rows"].shape, record.numbers["columns"].shape
    ((150, 2), (4, 2))
    """
    axes = check_axes(fitted, axes, 2)
    if fitted.is_factor_method:
        return symmetric_map(fitted, axes, color, color_as, labels, select, by, X)
    rows = individuals_of(fitted, axes, X)
    F, A = gabriel(fitted, axes, scaling, None if X is None else rows.coordinates)
    rows = replace(rows, coordinates=F)
    auto = isinstance(stretch, str) and stretch == "auto"
    factor = _stretch(F, A) if auto else positive(stretch, "stretch")
    arrows = replace(variables_of(fitted, axes), coordinates=factor * A)
    colors = coloring(color, rows.index, color_as, rows)
    ink = one_color(len(A), INK)
    selected = selection_mask(arrows, min(_MAX_ARROWS, len(A)) if select is None else select, by)
    w = row_weights(fitted, len(F), X)
    live = w > 0

    panel = plane(fitted, axes, np.vstack([F, arrows.coordinates[selected]]))
    layers: list[Layer] = [*origin_lines(), *point_layers(rows, colors, live, scale=0.85)]
    layers += faint_tips(arrows, ~selected)
    layers += arrow_layers(arrows, ink, selected, width=1.2)
    namings = [  # arrows first: they say what the directions mean
        name_arrows(arrows, positions_to_name(arrows, True, by, selected), ink.inks()),
        *(replace(names, size=TEXT) for names in names_of_groups(F, colors, w, marked=False)),
        name_points(rows, _row_names(rows, labels, by, live), colors.inks()),
    ]
    spots = [panel.to_page(F), along(panel, arrows, selected)]
    layers += label_layers(panel, namings, spots)
    return single(
        panel,
        layers,
        legend_title=colors.legend_title,
        notes=[*([f"arrows × {factor:g}"] if factor != 1.0 else []), *sample_notes(rows, X)],
        numbers={
            "rows": pd.DataFrame(F, rows.index),
            "columns": pd.DataFrame(A, arrows.index),
            "stretch": factor,
            "selected": selected,
        },
    )


def _row_names(rows: Elements, labels: LabelChoice, by: str, live: np.ndarray) -> np.ndarray:
    """Return the rows to name; of many none is, so that the arrows can be."""
    which = positions_to_name(rows, labels, by, live)
    return which[:0] if isinstance(labels, str) and len(which) < live.sum() else which


def _stretch(F: np.ndarray, A: np.ndarray) -> float:
    """Return a round factor that makes the longest arrow about as long as the cloud is wide."""
    longest = np.hypot(*A.T).max()
    widest = np.quantile(np.hypot(*F.T), 0.98)
    if longest == 0 or widest == 0:
        return 1.0
    return float(f"{0.9 * widest / longest:.1g}")


@as_plot
def categories(
    fitted: Reading,
    axes: Sequence[int] = (1, 2),
    *,
    table: TableLike | None = None,
    individuals: bool = False,
    color: ColorColumn = None,
    color_as: str | None = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
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
    return _category_map(fitted, axes, own, colors, rows, None, others, labels, select, by)


def symmetric_map(
    fitted: Reading,
    axes: Sequence[int],
    color: ColorColumn,
    color_as: str | None,
    labels: LabelChoice,
    select: Selection,
    by: str,
    X: TableLike | None = None,
) -> Figure:
    """Return the record of individuals and categories, or rows and columns, on one map."""
    rows = individuals_of(fitted, axes, X)
    of = _categories_of if fitted.has_categories else variables_of
    own = of(fitted, axes)
    colors = coloring(color, rows.index, color_as, rows)
    return _category_map(
        fitted, axes, own, one_color(len(own.index), ACCENT), rows, colors, None, labels, select,
        by, X,
    )  # fmt: skip


def _category_map(
    fitted: Reading,
    axes: Sequence[int],
    own: Elements | None,
    colors: Coloring | None,
    rows: Elements | None,
    row_colors: Coloring | None,
    others: Elements | None,
    labels: LabelChoice,
    select: Selection,
    by: str,
    X: TableLike | None = None,
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


def _categories_of(fitted: Any, axes: Sequence[int], table: TableLike | None = None) -> Elements:
    """Return categories on the axes, named by their levels where these are clear alone."""
    readings = fitted.categories() if table is None else fitted.categories(table)
    readings = readings.set_axis(pd.Index(level_names(readings.index)))
    return elements_of(fitted, readings, axes)
