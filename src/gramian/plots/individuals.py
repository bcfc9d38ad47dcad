"""Maps of individuals: on two axes, on every pair of the first axes, and in space."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from scipy.stats import gaussian_kde

from gramian._core.check import flag, short, whole
from gramian._core.numbers import vector
from gramian._core.types import TableLike
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots.cloud import (
    name_points,
    name_rows,
    origin_lines,
    plane,
    point_layers,
    row_weights,
    sample_notes,
    supplementary_layer,
)
from gramian.plots.coloring import ColorColumn, Coloring, Group, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    LabelChoice,
    Selection,
    axis_title,
    check_axes,
    individuals_of,
    positions_to_name,
    selection_mask,
)
from gramian.plots.groups import (
    barycentre_layers,
    barycentres_of,
    ellipse_layers,
    ellipses_of,
    names_of_groups,
    place_layers,
    places_of,
)
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, finish, single
from gramian.plots.record import Axis, Curve, Figure, Labels, Layer, Panel, Points
from gramian.plots.style import INK, MUTED, POINT_COLOR, across, upwards

_PAIRS_SIDE, _PAIRS_GAP = 480.0, 9.0
_SPACE_SIDE = 400.0
_ROW_REACH, _GROUP_REACH = 5.0, 32.0  # of a name from its point, without a line between them
_TICK_ROOM = 70.0  # above and below the box, for ticks and titles
_AREA_NOTE = "area of the markers: cos² on the three axes"
_BOX_SHARE = 0.9  # the diagonal of the box, in widths of the panel


@as_plot
def individuals(
    fitted: Reading,
    axes: Sequence[int] = (1, 2),
    *,
    color: ColorColumn = None,
    color_as: str | None = None,
    size: str | None = None,
    alpha: str | None = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: str = "contribution",
    barycentres: bool = False,
    ellipses: Any = None,
    level: float = 0.95,
    supplementary: TableLike | None = None,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the individuals on two axes.

    Parameters
    ----------
    color : column of n values, "cos2", "contribution" or "quality", optional
        Numbers give a colour scale, anything else (and whole numbers with at most 8 different
        values) groups with a legend; where groups are more than colours, they differ by marks,
        too, and are named at their barycentres. The words stand for how well the plane represents
        each row, what it contributes to the plane, and how well all axes represent it.
    size, alpha : "cos2", optional
        Markers whose area or opacity shows how well the plane represents each row.
    labels : "auto", bool, int or labels
        "auto" names all rows up to 40, else the 12 that matter most; a number names so many; True
        all. A name that finds no free place is left out.
    select : int, float, labels or mask, optional
        Rows drawn in full, the others faintly: so many of the best, those above a threshold
        below 1, the ones named, or the ones marked.
    by : "contribution" or "cos2"
        What "best" means for `labels` and `select`, on the two axes together.
    barycentres : bool
        Mark the barycentre of each group.
    ellipses : "concentration", "confidence", "hull", "density" or a study, optional
        Around each group: where `level` of its points lie if they are normal, where its
        barycentre lies with this probability, the smallest convex outline of it, or lines of
        equal density around half of its points and around `level` of them. With a study of
        `gm.stability`, around each point: where `level` of its resampled places lie.
    level : float
        Share of the points, or probability, that the ellipses are drawn for.
    supplementary : table, optional
        New rows, placed by `transform` and drawn as hollow diamonds, as are rows of weight 0.

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> fit = gm.PCA(scale=True).fit(iris.data)
    >>> record = gm.plots.individuals(fit, color=iris.groups.iloc[:, 0], backend="none")
    >>> record.panels[0].x.title
    'Axis 1 (73.0 %)'
    """
    axes = check_axes(fitted, axes, 2)
    rows = individuals_of(fitted, axes, X)
    w = row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    selected = selection_mask(rows, select, by) & (w > 0)
    muted = (w > 0) & ~selected
    others = _others(fitted, axes, rows, w, supplementary)
    shapes, outlines = _ellipses(ellipses, level, rows, axes, colors, w, selected)
    flag(barycentres, "barycentres")
    centres = barycentres_of(rows.coordinates, colors, w) if barycentres else None
    namings = names_of_groups(rows.coordinates, colors, w, marked=barycentres)

    marks: list[Points | Curve] = [*outlines]  # from the bottom up
    marks += point_layers(rows, colors, selected, size=size, alpha=alpha, muted=muted)
    marks += [supplementary_layer(part) for part in others]
    marks += [] if centres is None else barycentre_layers(centres, colors)

    namings += [_name_others(part, labels) for part in others]
    grown = size is not None
    namings.append(name_rows(rows, labels, by, selected, colors.inks(), grown=grown))

    panel = plane(fitted, axes, np.vstack([_positions(mark) for mark in marks]))
    names = label_layers(panel, namings, [_spots(panel, mark) for mark in marks])
    return single(
        panel,
        [*origin_lines(), *marks, *names],
        legend_title=colors.legend_title,
        notes=[*_notes(size, alpha), *sample_notes(rows, X)],
        numbers={
            "individuals": rows,
            "selected": selected,
            "barycentres": centres,
            "ellipses": shapes,
        },
    )


def _others(
    fitted: Reading,
    axes: Sequence[int],
    rows: Elements,
    w: np.ndarray,
    supplementary: TableLike | None,
) -> list[Elements]:
    """Return the rows that had no part in the axes: those of weight 0, and new ones."""
    others = [rows.take(w == 0)] if (w == 0).any() else []
    if supplementary is not None:
        others.append(individuals_of(fitted, axes, supplementary))
    return others


def _ellipses(
    ellipses: Any,
    level: float,
    rows: Elements,
    axes: Sequence[int],
    colors: Coloring,
    w: np.ndarray,
    selected: np.ndarray,
) -> tuple[Any, list[Curve]]:
    """Return ellipses and their outlines: around groups or, with a study, around points."""
    if ellipses is None:
        return {}, []
    if hasattr(ellipses, "ellipses"):
        places = places_of(ellipses, rows, axes, level)
        return places, place_layers(places, colors, selected)
    shapes = ellipses_of(rows.coordinates, colors, w, ellipses, level)
    return shapes, ellipse_layers(shapes, colors)


def _name_others(rows: Elements, labels: LabelChoice) -> Naming:
    """Return the labels of supplementary rows, which numbers and labels of others do not name."""
    option = labels if isinstance(labels, bool | str | None) else "auto"
    every = np.ones(len(rows.index), dtype=bool)
    return name_points(rows, positions_to_name(rows, option, "cos2", every), INK)


def _notes(size: str | None, alpha: str | None) -> list[str]:
    options = (("area", size), ("opacity", alpha))
    return [f"{what} of the markers: cos² in the plane" for what, option in options if option]


def _positions(mark: Points | Curve) -> np.ndarray:
    return mark.at if isinstance(mark, Points) else np.column_stack([mark.x, mark.y])


def _spots(panel: Panel, mark: Points | Curve) -> np.ndarray:
    """Return where a label would cover a mark, on the panel, (m, 2)."""
    # A text across a thin outline can be read, one on a point hides it: fewer spots on outlines.
    return panel.to_page(_positions(mark)[:: 1 if isinstance(mark, Points) else 5])


@as_plot
def pairs(
    fitted: Reading,
    n_axes: int = 4,
    *,
    color: ColorColumn = None,
    color_as: str | None = None,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the individuals on every pair of the first axes, and their density on each.

    Parameters
    ----------
    n_axes : int
        The first so many axes, or all there are.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> len(gm.plots.pairs(fit, 3, backend="none").panels)
    6
    """
    whole(n_axes, "n_axes", 2)
    check_axes(fitted, (1, 2), 2)
    q = min(n_axes, fitted.n_components_)
    rows = individuals_of(fitted, range(1, q + 1), X)
    w = row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    scales = [
        Axis(axis_title(fitted, k + 1), around(rows.coordinates[:, k], 0.08, zero=True))
        for k in range(q)
    ]
    panels = [
        _density_panel(scales, i, rows, colors, w)
        if i == j
        else _pair_panel(scales, j, i, rows, colors, w)
        for i in range(q)
        for j in range(i + 1)
    ]
    return finish(
        panels,
        legend_title=colors.legend_title,
        corner=True,
        notes=sample_notes(rows, X),
        numbers={"individuals": rows},
    )


def _pair_cell(scales: list[Axis], j: int, i: int, y: Axis, layers: Sequence[Layer]) -> Panel:
    """Return the panel of axes j (across) and i (up); only the outer ones have ticks and titles."""
    q = len(scales)
    wide, high = (
        (page - (q - 1) * _PAIRS_GAP) / q for page in (across(_PAIRS_SIDE), upwards(_PAIRS_SIDE))
    )
    x = scales[j] if i == q - 1 else replace(scales[j], title="", ticks=())
    return Panel(
        left=j * (wide + _PAIRS_GAP),
        bottom=(q - 1 - i) * (high + _PAIRS_GAP),
        width=wide,
        height=high,
        x=x,
        y=y if j == 0 and i > 0 else replace(y, title="", ticks=()),
        layers=tuple(layers),
    )


def _pair_panel(
    scales: list[Axis], j: int, i: int, rows: Elements, colors: Coloring, w: np.ndarray
) -> Panel:
    pair = replace(rows, coordinates=rows.coordinates[:, [j, i]])
    points = point_layers(pair, colors, w > 0, scale=0.75)
    return _pair_cell(scales, j, i, scales[i], [*origin_lines(), *points])


def _density_panel(
    scales: list[Axis], i: int, rows: Elements, colors: Coloring, w: np.ndarray
) -> Panel:
    """Return the panel on the diagonal: the density of each group, by its weight."""
    grid = np.linspace(*scales[i].limits, 160)
    groups = colors.groups if colors.numbers is None else (Group("", w > 0, POINT_COLOR),)
    z = rows.coordinates[:, i]
    curves = [curve for group in groups for curve in _density_curve(group, z, w, grid)]
    if not curves:  # groups of one or two rows have no density, all rows together may have
        curves = _density_curve(Group("", w > 0, MUTED), z, w, grid)
    highest = max((float(curve.y.max()) for curve in curves), default=1.0)
    return _pair_cell(scales, i, i, Axis("", (0.0, 1.08 * highest), (), line=False), curves)


def _density_curve(group: Group, z: np.ndarray, w: np.ndarray, grid: np.ndarray) -> list[Curve]:
    """Return the density of a group as a closed line, or nothing where it has too few rows."""
    part = group.rows & (w > 0)
    if part.sum() < 3 or np.ptp(z[part]) == 0:
        return []
    height = w[part].sum() * gaussian_kde(z[part], weights=w[part])(grid)
    closed = np.concatenate([height, [0.0, 0.0, height[0]]])
    ends = np.concatenate([grid, [grid[-1], grid[0], grid[0]]])
    return [Curve(ends, closed, group.color, width=1.0, fill=0.18)]


@as_plot
def map3d(
    fitted: Reading,
    axes: Sequence[int] = (1, 2, 3),
    *,
    color: ColorColumn = None,
    color_as: str | None = None,
    size: str | None = None,
    labels: LabelChoice = "auto",
    by: str = "contribution",
    barycentres: bool = False,
    view: tuple[float, float] = (20.0, -60.0),
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the individuals on three axes.

    Parameters
    ----------
    axes : (int, int, int)
        Counted from 1.
    color, color_as, size, labels, by, barycentres
        As for `individuals`; names that would overlap from where one looks are left out.
    view : (float, float)
        Elevation and azimuth of the eye, in degrees.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.map3d(fit, backend="none").panels[0].z.title
    'Axis 3 (3.7 %)'
    """
    axes = check_axes(fitted, axes, 3)
    if vector(view, "view").size != 2:
        raise InputError(f"view={short(view)} must be two angles, elevation and azimuth")
    rows = individuals_of(fitted, axes, X)
    Z, w = rows.coordinates, row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    layers: list[Layer] = [*point_layers(rows, colors, w > 0, size=size)]
    centres = barycentres_of(Z, colors, w) if flag(barycentres, "barycentres") else None
    if centres is not None:
        layers += barycentre_layers(centres, colors)
    panel = _space(fitted, axes, Z, view)
    namings = names_of_groups(Z, colors, w, marked=barycentres)
    namings.append(name_rows(rows, labels, by, w > 0, colors.inks()))
    layers += _space_labels(panel, namings, Z)
    return single(
        panel,
        layers,
        legend_title=colors.legend_title,
        notes=[*([_AREA_NOTE] if size else []), *sample_notes(rows, X)],
        numbers={"individuals": rows, "barycentres": centres},
    )


def _space(fitted: Reading, axes: Sequence[int], Z: np.ndarray, view: tuple[float, float]) -> Panel:
    """Return the empty view of three axes, equal units on all of them."""
    x, y, z = (
        Axis(axis_title(fitted, k), around(column, zero=True))
        for k, column in zip(axes, Z.T, strict=True)
    )
    spans = np.array([axis.limits[1] - axis.limits[0] for axis in (x, y, z)])
    wide, high = across(_SPACE_SIDE), upwards(_SPACE_SIDE)
    seen = float(np.abs(_screen(view)[:, 1]) @ spans)  # how high the box looks
    unit = _BOX_SHARE * min(wide, high) / float(np.linalg.norm(spans))
    unit = min(unit, max(high - _TICK_ROOM, 0.3 * high) / seen)
    height = float(np.clip(seen * unit + _TICK_ROOM, 0.6 * high, high))
    return Panel(0.0, 0.0, wide, height, x, y, (), z=z, view=view, unit=unit)


def _space_labels(panel: Panel, namings: Sequence[Naming], Z: np.ndarray) -> list[Labels]:
    """Return the texts that find a place as seen by the eye; they stand by their points."""
    screen = replace(panel, x=Axis("", (0.0, panel.width)), y=Axis("", (0.0, panel.height)), z=None)
    shown = [naming for naming in namings if len(naming.texts)]
    flat = [
        replace(naming, at=_project(panel, naming.at), reach=reach)
        for naming in shown
        for reach in [_GROUP_REACH if naming.bold else _ROW_REACH]
    ]
    placed = label_layers(screen, flat, [_project(panel, Z)])
    return [
        replace(layer, at=naming.at[layer.rows], leaders=layer.leaders & False)
        for layer, naming in zip(placed, shown, strict=True)
    ]


def _screen(view: tuple[float, float]) -> np.ndarray:
    """Return the directions that the eye sees as right and up, (3, 2)."""
    elevation, azimuth = np.deg2rad(view)
    right = [-np.sin(azimuth), np.cos(azimuth), 0.0]
    tilt = np.sin(elevation)
    up = [-tilt * np.cos(azimuth), -tilt * np.sin(azimuth), np.cos(elevation)]
    return np.column_stack([right, up])


def _project(panel: Panel, Z: np.ndarray) -> np.ndarray:
    """Return where points of space are seen on the panel, by parallel projection, in points."""
    assert panel.z is not None
    middle = np.mean([axis.limits for axis in (panel.x, panel.y, panel.z)], axis=1)
    return panel.unit * (Z - middle) @ _screen(panel.view) + [panel.width / 2, panel.height / 2]
