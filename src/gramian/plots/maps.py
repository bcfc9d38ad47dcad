"""Maps of variables and of categories, biplots, and maps of missing values and of outliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, one_of, positive, share
from gramian._core.types import TableLike
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.readings import Reading
from gramian._estimators.why import mean_slopes
from gramian.errors import InputError
from gramian.plots import cloud, elements
from gramian.plots.coloring import ColorColumn, Coloring, ColorReading, Group, coloring, one_color
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import Elements, LabelChoice, Ranking, Selection
from gramian.plots.groups import names_of_groups, place_layers, place_outlines
from gramian.plots.labels import label_layers
from gramian.plots.layout import (
    MAP_WIDTH,
    around,
    empty_panel,
    finish,
    map_panel,
    margin_left,
    single,
)
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, FAINT, INK, MUTED, POINT_COLOR, TEXT, n_looks

if TYPE_CHECKING:
    from gramian.missing import MultipleImputation

_MAX_ARROWS = 25  # more variables than this are points, and the best of them arrows
_MAX_BIPLOT_ARROWS = 15
_PANEL_SCALE = 0.67  # of the width of a map, for each of two side by side
_GAP = 14.0  # between them


@as_plot
def variables(
    fitted: Reading,
    axes: Sequence[int] = (1, 2),
    *,
    table: TableLike | None = None,
    values: Literal["auto", "correlation", "coordinate"] = "auto",
    color: ColorColumn = None,
    color_as: ColorReading = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: Ranking = "contribution",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the variables on two axes, with the circle of correlations.

    Parameters
    ----------
    table : table with the rows of the fit, optional
        Its numeric columns are drawn as supplementary variables, in another colour. A method
        without variables of its own (kernel PCA, MDS) needs it.
    values : "auto", "correlation" or "coordinate"
        What the arrows show. "auto" is the correlation with the axes where variables are scaled or
        `table` adds others, in their own units; else coordinates √λ·a, which no circle bounds.
    color : column of p values, "cos2", "contribution" or "quality", optional
        Groups of variables, or numbers; the words as for `individuals`.
    select : int, float, labels or mask, optional
        Variables drawn as arrows, the others being faint points: the best ones (int), those above a
        threshold below 1 (float), those named, or those marked. By default the 25 best.
    by : "contribution" or "cos2"
        What "best" means: those that contribute most to each axis, in turn, or those best
        represented in the plane. A threshold looks at the two axes together.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.wine().data)
    >>> record = gm.plots.variables(fit, select=0.6, by="cos2", backend="none")
    >>> int(record.numbers["selected"].sum())
    7
    """
    axes = elements.check_axes(fitted, axes, 2)
    measure = one_of(values, "values", ("auto", "correlation", "coordinate"))
    if measure == "auto":
        scaled = not fitted.has_variables or fitted.is_scaled or table is not None
        measure = "correlation" if scaled else "coordinate"
    active = elements.variables_of(fitted, axes, None, measure) if fitted.has_variables else None
    others = None if table is None else elements.variables_of(fitted, axes, table, measure)
    parts: list[Any] = []
    for arrows, chosen, order in ((active, select, by), (others, select, "cos2")):
        if arrows is None:
            continue
        if parts:  # `color` and `select` are about the active variables, where there are any
            colors, chosen = one_color(len(arrows.index), ACCENT), None
        else:
            colors = coloring(color, arrows.index, color_as, arrows)
        chosen = min(_MAX_ARROWS, len(arrows.index)) if chosen is None else chosen
        selected = elements.selection_mask(arrows, chosen, order)
        # Where points are labelled, all arrows are: a selection is made to be read.
        named = elements.positions_to_name(arrows, labels, order, selected)
        parts.append(_Part(arrows, colors, selected, named))
    if not parts:
        raise InputError(
            f"table is missing: {type(fitted).__name__} keeps no variables of its own: give table= "
            "the columns to read on the axes"
        )
    circled = measure == "correlation"
    panel = plane_of_variables(
        fitted, axes, circled, np.vstack([part.arrows.coordinates for part in parts])
    )
    layers: list[Layer] = [*cloud.origin_lines(), *(circle() if circled else [])]
    for k, part in enumerate(parts):
        layers += cloud.faint_tips(part.arrows, ~part.selected)
        name = "supplementary" if k == 1 else "active" if len(parts) == 2 else ""
        layers += cloud.arrow_layers(part.arrows, part.colors, part.selected, name=name)
    namings = [cloud.name_arrows(part.arrows, part.named, part.colors.inks()) for part in parts]
    spots = [cloud.along(panel, part.arrows, part.selected) for part in parts]
    layers += label_layers(panel, namings, spots)
    first = parts[0]
    return single(
        panel,
        layers,
        legend_title=first.colors.legend_title,
        notes=_arrow_notes(first, select, by),
        numbers={"variables": active, "supplementary": others, "selected": first.selected},
    )


@dataclass(frozen=True, eq=False)
class _Part:
    arrows: Elements
    colors: Coloring
    selected: np.ndarray  # drawn as arrows, (p,) bool
    named: np.ndarray  # positions, most important first


def plane_of_variables(fitted: Reading, axes: Sequence[int], circled: bool, Z: np.ndarray) -> Panel:
    """Return the empty map of variables: around the circle of correlations, or their tips Z."""
    if not circled:
        return cloud.plane(fitted, axes, Z)
    # Wider than high: texts run sideways.
    x, y = (
        Axis(elements.axis_title(fitted, k), (-reach, reach))
        for k, reach in zip(axes, (1.4, 1.12), strict=True)
    )
    return map_panel(x, y)


def circle() -> list[Curve]:
    """Return the circle that no correlations leave."""
    turn = np.linspace(0.0, 2.0 * np.pi, 241)
    return [Curve(np.cos(turn), np.sin(turn), color=MUTED, width=0.9)]


def _arrow_notes(part: _Part, select: Selection, by: str) -> list[str]:
    """Return which of the variables are arrows, where not all are."""
    if part.selected.all():
        return []
    some = f"{int(part.selected.sum())} of {len(part.selected)} variables"
    what = "cos²" if by == "cos2" or part.arrows.contribution is None else "contribution"
    if select is None or (isinstance(select, int) and select >= 1):
        if what == "contribution":
            return [f"arrows: the {some} that contribute most to either axis"]
        return [f"arrows: the {some} with the largest {what} in the plane"]
    if isinstance(select, float):
        return [f"arrows: the {some} with {what} ≥ {select:g} in the plane"]
    return [f"arrows: {some}"]


def _gabriel(
    fitted: Any, axes: Sequence[int], scaling: str, Z: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the markers of rows (n, k) and columns (p, k) whose products approximate the features.

    With coordinates F = U√λ and axes A, "form" is (F, A), in which distances between rows are
    those of the map; "covariance" is (F/√λ, A√λ), in which the products of columns are their
    covariances. Both have the products F·Aᵀ, the best approximation of the centred (and scaled)
    table on these axes. Rows are those of the fit, or those with coordinates Z, (m, k).
    """
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
    scaling: Literal["form", "covariance"] = "form",
    color: ColorColumn = None,
    color_as: ColorReading = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: Ranking = "contribution",
    stretch: float | str = "auto",
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw individuals and variables on one map (Gabriel's biplot, or the map of both clouds).

    The product of a row's and a variable's markers is the value in the centred (and scaled) table,
    as well as two axes can give it. The arrows may be lengthened by one common factor, which is
    written below the figure and stored in the record as ``numbers["stretch"]``.

    For a factor method (CA, MCA, FAMD, MFA), rows and columns, or individuals and categories, are
    points in their principal coordinates: those on the same side of the origin are associated.

    For a nonlinear map (kernel PCA, MDS of a table), an arrow is the mean slope of the axes along a
    variable, per standard deviation: where rows move on average as the variable increases. Its
    cos², ``numbers["steady"]``, is the square of the mean over the mean square: 1 if all rows move
    alike, near 0 if slopes cancel and the arrow is not informative.

    Parameters
    ----------
    fitted : fitted PCA, kernel PCA, MDS or factor method
        The fit whose rows and columns are drawn.
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
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.biplot(fit, backend="none")
    >>> record.numbers["rows"].shape, record.numbers["columns"].shape
    ((150, 2), (4, 2))
    """
    axes = elements.check_axes(fitted, axes, 2)
    rows = elements.individuals_of(fitted, axes, X)
    if fitted.is_factor_method:
        own = (_categories_of if fitted.has_categories else elements.variables_of)(fitted, axes)
        colors = coloring(color, rows.index, color_as, rows)
        plain = one_color(len(own.index), ACCENT)
        return _category_map(fitted, axes, own, plain, rows, colors, None, labels, select, by, X)
    one_of(scaling, "scaling", ("form", "covariance"))
    steady = None
    if fitted.has_variables:
        F, A = _gabriel(fitted, axes, scaling, None if X is None else rows.coordinates)
        own = elements.variables_of(fitted, axes)
    else:
        slopes = mean_slopes(cast(SpectralEstimator, fitted), axes)
        F, A, steady = rows.coordinates, slopes[list(axes)].to_numpy(), slopes["steady"]
        own = Elements(slopes.index, A, steady.to_numpy(), np.sum(A**2, axis=1), by_axis=A**2)
    rows = replace(rows, coordinates=F)
    auto = isinstance(stretch, str) and stretch == "auto"
    factor = _stretch(F, A) if auto else positive(stretch, "stretch")
    arrows = replace(own, coordinates=factor * A)
    colors = coloring(color, rows.index, color_as, rows)
    ink = one_color(len(A), INK)
    selected = elements.selection_mask(
        arrows, min(_MAX_BIPLOT_ARROWS, len(A)) if select is None else select, by
    )
    w = cloud.row_weights(fitted, len(F), X)
    live = w > 0

    panel = cloud.plane(fitted, axes, np.vstack([F, arrows.coordinates[selected]]))
    layers: list[Layer] = [
        *cloud.origin_lines(),
        *cloud.point_layers(rows, colors, live, scale=0.85),
    ]
    layers += cloud.faint_tips(arrows, ~selected)
    layers += cloud.arrow_layers(arrows, ink, selected, width=1.2)
    which = elements.positions_to_name(rows, labels, by, live)
    if isinstance(labels, str) and len(which) < live.sum():
        which = which[:0]  # of many rows none is named, so that the arrows can be
    namings = [  # arrows first: they say what the directions mean
        cloud.name_arrows(
            arrows, elements.positions_to_name(arrows, True, by, selected), ink.inks()
        ),
        *(replace(names, size=TEXT) for names in names_of_groups(F, colors, w, marked=False)),
        cloud.name_points(rows, which, colors.inks()),
    ]
    spots = [panel.to_page(F), cloud.along(panel, arrows, selected)]
    layers += label_layers(panel, namings, spots)
    return single(
        panel,
        layers,
        legend_title=colors.legend_title,
        notes=[*([f"arrows × {factor:g}"] if factor != 1.0 else []), *cloud.sample_notes(rows, X)],
        numbers={
            "rows": pd.DataFrame(F, rows.index),
            "columns": pd.DataFrame(A, arrows.index),
            "stretch": factor,
            "selected": selected,
            "steady": steady,
        },
    )


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
    color_as: ColorReading = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: Ranking = "contribution",
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
        Of the categories of the fit: groups of them; their variables by default.

    Examples
    --------
    >>> X = {"tea": ["black", "green", "green", "black"], "milk": ["yes", "no", "no", "no"]}
    >>> record = gm.plots.categories(gm.MCA().fit(X), backend="none")
    >>> record.numbers["categories"].labels
    ['black', 'green', 'milk=no', 'milk=yes']
    """
    axes = elements.check_axes(fitted, axes, 2)
    own = _categories_of(fitted, axes) if fitted.has_categories else None
    readings: Any = fitted  # a method with categories of its own needs no table
    others = None if table is None else _categories_of(fitted, axes, table)
    if own is None and others is None:
        raise InputError(
            f"table is missing: {type(fitted).__name__} has no categories of its own: give table= "
            "the columns whose categories should be drawn"
        )
    rows = elements.individuals_of(fitted, axes) if flag(individuals, "individuals") else None
    colors = None
    if own is not None and color is None:
        questions = readings.categories().index.get_level_values(0)
        colors = one_color(len(own.index), ACCENT)
        if 1 < questions.nunique() <= n_looks():
            colors = coloring([str(name) for name in questions], own.index, "groups")
    elif own is not None:
        colors = coloring(color, own.index, color_as, own)
    return _category_map(fitted, axes, own, colors, rows, None, others, labels, select, by)


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
    layers: list[Layer] = [*cloud.origin_lines()]
    namings, parts = [], []
    selected = None
    if own is not None and colors is not None:
        selected = elements.selection_mask(own, select, by)
        namings.append(cloud.name_rows(own, labels, by, selected, colors.inks()))
        parts.append(own)
    if others is not None:
        every = np.ones(len(others.index), dtype=bool)
        inks = one_color(len(others.index), ACCENT).inks()
        namings.append(cloud.name_rows(others, labels, "cos2", every, inks))
        parts.append(others)
    if rows is not None:
        live = cloud.row_weights(fitted, len(rows.index), X) > 0
        look = row_colors or one_color(len(rows.index), MUTED)
        layers += cloud.point_layers(rows, look, live, scale=0.8)
        parts.append(rows)
        if row_colors is not None and rows.has_names:
            namings.append(cloud.name_rows(rows, labels, by, live, look.inks()))
    if own is not None and colors is not None and selected is not None:
        layers += cloud.point_layers(own, colors, selected, muted=~selected, scale=1.2)
    layers += [] if others is None else [cloud.supplementary_layer(others)]
    panel = cloud.plane(fitted, axes, np.vstack([part.coordinates for part in parts]))
    spots = [panel.to_page(part.coordinates) for part in parts]
    layers += label_layers(panel, namings, spots)
    legend = row_colors or colors
    title = "" if legend is None else legend.legend_title
    numbers = {"categories": own, "supplementary": others, "rows": rows, "selected": selected}
    return single(panel, layers, legend_title=title, numbers=numbers)


def _categories_of(fitted: Any, axes: Sequence[int], table: TableLike | None = None) -> Elements:
    """Return categories on the axes, named by their levels where these are clear alone."""
    from gramian._estimators.factors.base import level_names

    readings = fitted.categories() if table is None else fitted.categories(table)
    readings = readings.set_axis(pd.Index(level_names(readings.index)))
    return elements.elements_of(fitted, readings, axes)


@as_plot
def imputations(
    many: MultipleImputation,
    axes: Sequence[int] = (1, 2),
    *,
    level: float = 0.95,
    labels: LabelChoice = "auto",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the uncertainty of the map of a table with missing values.

    On the left the individuals: around each with missing values the region where the map of the
    whole table would put it. On the right the variables: an arrow for each, and around its tip
    where the completed tables have it. Regions that are large compared with the map mean that it
    depends on imputed values.

    Parameters
    ----------
    many : MultipleImputation
        From `gm.missing.multiple`.
    level : float
        Probability of the regions.
    labels : "auto", bool, int or labels
        Which individuals are named; "auto" names those with the largest regions.

    Examples
    --------
    >>> many = gm.missing.multiple(gm.datasets.airquality().data, n_components=2, n_tables=20)
    >>> record = gm.plots.imputations(many, backend="none")
    >>> int(record.numbers["open"].sum())
    42
    """
    elements.require_kind(
        hasattr(many, "places_of_variables"), many, "many", "the result of gm.missing.multiple"
    )
    axes = elements.check_axes(many.fit, axes, 2)
    share(level, "level")
    places = many.ellipses(axes, level)
    open_rows = np.asarray(many.imputation.holes.to_numpy().any(axis=1))
    panels = [_imputed_individuals(many, axes, places, open_rows, labels)]
    tips = many.arrows[:, :, [k - 1 for k in axes]]
    if tips.shape[1]:
        other = _imputed_variables(many, axes, tips)
        left = panels[0].width + margin_left(other.y) + _GAP
        panels.append(replace(other, left=left))
    return finish(
        panels,
        numbers={"ellipses": places, "open": open_rows, "tips": tips},
        notes=[f"regions: {level:.0%}, over {len(tips)} completed tables"],
    )


def _small(panel: Panel) -> Panel:
    """Return a panel about half as wide as a page."""
    return replace(panel, width=_PANEL_SCALE * panel.width, height=_PANEL_SCALE * panel.height)


def _imputed_individuals(
    many: MultipleImputation,
    axes: Sequence[int],
    places: pd.DataFrame,
    open_rows: np.ndarray,
    labels: LabelChoice,
) -> Panel:
    """Return the map of the individuals, with a region for each with missing values."""
    rows = elements.individuals_of(many.fit, axes)
    groups = (
        Group("complete", ~open_rows, FAINT),
        Group("with missing values", open_rows, POINT_COLOR),
    )
    colors = Coloring("", tuple(group for group in groups if group.rows.any()))
    outlines = place_layers(places, colors, open_rows)
    reach = [outline for outline in place_outlines(places[open_rows])]
    panel = _small(cloud.plane(many.fit, axes, np.vstack([rows.coordinates, *reach])))
    marks = cloud.point_layers(rows, colors, np.ones(len(open_rows), dtype=bool))
    size = (places["major"] * places["minor"]).to_numpy() * open_rows
    ranked = replace(rows, contribution=size)  # the largest regions are the ones to look up
    auto = isinstance(labels, str) and labels == "auto"
    option = 8 if auto and open_rows.sum() > 8 else labels
    naming = cloud.name_rows(ranked, option, "contribution", open_rows, colors.inks())
    names = label_layers(panel, [naming], [panel.to_page(mark.at) for mark in marks])
    return replace(panel, layers=(*cloud.origin_lines(), *outlines, *marks, *names))


def _imputed_variables(many: MultipleImputation, axes: Sequence[int], tips: np.ndarray) -> Panel:
    """Return the map of the variables, with the tips that each completed table gives them."""
    names = many.variables
    arrows = Elements(names, many.places_of_variables[:, [k - 1 for k in axes]])
    ends = tips.reshape(-1, 2)
    colors = one_color(len(names), ACCENT)
    panel = _small(
        plane_of_variables(many.fit, axes, many.scaled, np.vstack([arrows.coordinates, ends]))
    )
    every = np.ones(len(names), dtype=bool)
    layers = [*cloud.origin_lines(), *(circle() if many.scaled else [])]
    size = 2.0 if len(ends) < 5000 else 1.0
    layers += [
        Points(ends, ACCENT, size=size, alpha=0.25),
        *cloud.arrow_layers(arrows, colors, every),
    ]
    naming = cloud.name_arrows(arrows, np.arange(len(names)), colors.inks())
    spots = [cloud.along(panel, arrows, every), panel.to_page(ends[:: max(1, len(ends) // 500)])]
    layers += label_layers(panel, [naming], spots)
    return replace(panel, layers=tuple(layers))


@as_plot
def outliers(
    fitted: Any,
    *,
    alpha: float = 0.05,
    color: ColorColumn = None,
    labels: LabelChoice = "auto",
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the outlier map: distances of rows on the axes and from them, with their limits.

    The vertical axis is the distance from the axes, the horizontal one that on the axes, √Σ f²/λ:
    rows above the dashed line do not fit the axes, rows to the right of the other one are extreme.

    Parameters
    ----------
    fitted : fitted PCA, KernelPCA, RobustPCA, …
        For RobustPCA, distances and cut-offs are those of `outliers`; for others the roots of T²
        and Q and of their limits (`fit.limits`).
    alpha : float
        The share of new rows that may be outside, for `fit.limits`.
    color : column of n values, optional
        As for `individuals`; by default whether a row is inside.
    labels : "auto", bool, int or labels
        Which rows outside the limits are named, the farthest first.
    X : table, optional
        New rows to draw instead of those of the fit.

    Examples
    --------
    >>> import numpy as np, gramian as gm
    >>> rows = np.random.default_rng(0).standard_normal((60, 4))
    >>> fit = gm.PCA(2).fit(rows)
    >>> new = [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0]]
    >>> record = gm.plots.outliers(fit, X=new, backend="none")
    >>> record.numbers["inside"].tolist()
    [True, False]
    """
    elements.check_axes(fitted, (1,))
    if hasattr(fitted, "outliers"):  # a robust fit, with cut-offs of its own
        table = fitted.outliers(X)
        inside = ~table["outlier"].to_numpy()
        columns = ["score_distance", "orthogonal_distance", "score_cutoff", "orthogonal_cutoff"]
        read = table[columns].to_numpy(dtype=float)
    else:
        table = fitted.limits(X, alpha=alpha)
        inside = table["inside"].to_numpy()
        read = np.sqrt(table[["t2", "q", "t2_limit", "q_limit"]].to_numpy(dtype=float))
    at, cut = read[:, :2], read[0, 2:]
    beyond = np.max(at / np.where(cut > 0, cut, max(float(at.max()), 1.0)), axis=1)
    rows = Elements(table.index, at, contribution=beyond)
    default = np.where(inside, "inside", "outside")
    colors = coloring(default if color is None else color, table.index, None, rows)
    x, y = (
        Axis(f"Distance {where} the axes", (0.0, around([*z, c], zero=True)[1]))
        for where, z, c in zip(("on", "from"), at.T, cut, strict=True)
    )
    panel = empty_panel(MAP_WIDTH, 0.75 * MAP_WIDTH, x, y)
    names = cloud.name_rows(rows, labels, "contribution", ~inside, colors.inks())
    lines = [Guide(k, float(c), MUTED, dash="dash") for k, c in zip("xy", cut, strict=True)]
    return single(
        panel,
        [
            *lines,
            *cloud.point_layers(rows, colors, np.ones(len(at), dtype=bool)),
            *label_layers(panel, [names], [panel.to_page(at)]),
        ],
        legend_title=colors.legend_title if color is not None else "",
        notes=[f"{int((~inside).sum())} of {len(at)} rows outside"],
        numbers={"table": table, "distances": at, "limits": cut, "inside": inside},
    )
