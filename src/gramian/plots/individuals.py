"""Maps of individuals: on two axes, on every pair of the first axes, in space; raw columns."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack, cast

import numpy as np
import pandas as pd
from scipy.stats import gaussian_kde, norm

from gramian._core.array import to_dense
from gramian._core.check import flag, is_list, short, whole
from gramian._core.numbers import vector
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots import cloud, elements, groups
from gramian.plots.coloring import ColorColumn, Coloring, ColorReading, Group, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import LabelChoice, Ranking, Selection, column_positions
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, columns_panel, finish, map_panel, single
from gramian.plots.record import Axis, Curve, Figure, Labels, Layer, Panel, Points
from gramian.plots.style import FAINT, INK, MUTED, POINT_COLOR, across, clean, upwards

_FEW_COLUMNS, _MAX_COLUMNS = 4, 8  # that a table is drawn by, and that have room
_PAIRS_SIDE, _PAIRS_GAP = 480.0, 9.0
_SPACE_SIDE = 400.0
_CONSTANT = 1e-9  # of the length of an axis, or of the longest one: a smaller spread is rounding
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
    color_as: ColorReading = None,
    size: str | None = None,
    alpha: str | None = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: Ranking = "contribution",
    barycentres: bool = False,
    ellipses: Any = None,
    level: float = 0.95,
    lost: bool = False,
    supplementary: TableLike | None = None,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the individuals on two axes.

    Parameters
    ----------
    color : column of n values, "cos2", "contribution", "quality" or "trust", optional
        Numbers give a colour scale, anything else (and whole numbers with at most 8 different
        values) groups with a legend; with more groups than colours, groups also differ by marks and
        are named at their barycentres. The words are how well the plane represents each row, its
        contribution to the plane, how well all axes represent it, and how far its place can be
        trusted (`fit.places`).
    size, alpha : "cos2", optional
        Markers whose area or opacity shows how well the plane represents each row.
    barycentres : bool
        Mark the barycentre of each group.
    ellipses : "concentration", "confidence", "hull", "density" or a study, optional
        Around each group: where `level` of its points lie if they are normal, where its
        barycentre lies with this probability, the smallest convex outline of it, or lines of
        equal density around half of its points and around `level` of them. With a study of
        `gm.stability`, around each point: where `level` of its resampled places lie.
    level : float
        Share of the points, or probability, that the ellipses are drawn for.
    lost : bool
        Lines from rows that are misplaced in the plane (`fit.places`) or, with `select`, from
        those selected, to their neighbours in the data that are far away in the plane.
    supplementary : table, optional
        New rows, placed by `transform` and drawn as hollow diamonds, as are rows of weight 0.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> fit = gm.PCA(scale=True).fit(iris.data)
    >>> record = gm.plots.individuals(fit, color=iris.groups.iloc[:, 0], backend="none")
    >>> record.panels[0].x.title
    'Axis 1 (73.0 %)'
    """
    axes = elements.check_axes(fitted, axes, 2)
    rows = elements.individuals_of(fitted, axes, X)
    w = cloud.row_weights(fitted, len(rows.index), X)
    places = None
    if flag(lost, "lost") or (isinstance(color, str) and color == "trust"):
        from gramian._estimators.places import positions

        places = positions(cast(SpectralEstimator, fitted), X, axes)
        rows = replace(rows, trust=places.kept.trust)
    colors = coloring(color, rows.index, color_as, rows)
    selected = elements.selection_mask(rows, select, by) & (w > 0)
    muted = (w > 0) & ~selected
    others = [rows.take(w == 0)] if (w == 0).any() else []  # that had no part in the axes
    if supplementary is not None:
        others.append(elements.individuals_of(fitted, axes, supplementary))
    shapes: Any = {}
    marks: list[Points | Curve] = []  # from the bottom up
    if hasattr(ellipses, "ellipses"):
        shapes = groups.places_of(ellipses, rows, axes, level)
        marks += groups.place_layers(shapes, colors, selected)
    elif ellipses is not None:
        shapes = groups.ellipses_of(rows.coordinates, colors, w, ellipses, level)
        marks += groups.ellipse_layers(shapes, colors)
    marks += cloud.point_layers(rows, colors, selected, size=size, alpha=alpha, muted=muted)
    marks += [cloud.supplementary_layer(part) for part in others]
    centres = None
    if flag(barycentres, "barycentres"):
        centres = groups.barycentres_of(rows.coordinates, colors, w)
        marks += groups.barycentre_layers(centres, colors)

    namings = groups.names_of_groups(rows.coordinates, colors, w, marked=barycentres)
    # Numbers, and labels of other rows, do not name supplementary ones.
    option = labels if isinstance(labels, bool | str | None) else "auto"
    for part in others:
        every = np.ones(len(part.index), dtype=bool)
        namings.append(
            cloud.name_points(part, elements.positions_to_name(part, option, "cos2", every), INK)
        )
    namings.append(
        cloud.name_rows(rows, labels, by, selected, colors.inks(), grown=size is not None)
    )

    at = [mark.at if isinstance(mark, Points) else np.stack([mark.x, mark.y], 1) for mark in marks]
    panel = cloud.plane(fitted, axes, np.vstack(at))
    # A text across a thin outline can be read, one on a point hides it: fewer spots on outlines.
    steps = [1 if isinstance(mark, Points) else 5 for mark in marks]
    spots = [panel.to_page(Z[::step]) for Z, step in zip(at, steps, strict=True)]
    options = (("area", size), ("opacity", alpha))
    notes = [f"{what} of the markers: cos² in the plane" for what, option in options if option]
    numbers = {"individuals": rows, "selected": selected}
    lines: list[Curve] = []
    if lost and places is not None:
        chosen = places.misplaced if select is None else selected
        shown = rows.coordinates
        there = shown if X is None else elements.individuals_of(fitted, axes).coordinates
        lines = _lines_to_lost(shown, there, places.lost_pairs, chosen)
        notes.append("lines: to neighbours in the data that are lost on the map")
    return single(
        panel,
        [*cloud.origin_lines(), *lines, *marks, *label_layers(panel, namings, spots)],
        legend_title=colors.legend_title,
        notes=[*notes, *cloud.sample_notes(rows, X)],
        numbers=numbers | {"barycentres": centres, "ellipses": shapes},
    )


@as_plot
def procrustes(
    a: Any,
    b: Any,
    axes: Sequence[int] = (1, 2),
    *,
    color: ColorColumn = None,
    labels: LabelChoice = "auto",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw two superimposed maps, with a line between the two places of each row.

    Parameters
    ----------
    a, b : fitted estimators or arrays (n, q) and (n, r)
        Two maps of the same rows, as for `gm.maps.compare`; the second is translated, rotated,
        reflected and scaled to match the first as closely as possible. Rows that move away from
        their neighbours are highlighted, and named first.
    color : column of n values, optional
        As for `individuals`; a dot is the place on the first map.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> a, b = gm.PCA(2).fit(X), gm.PCA(2, scale=True).fit(X)
    >>> record = gm.plots.procrustes(a, b, backend="none")
    >>> round(record.numbers["comparison"].correlation, 2)
    0.95
    """
    from gramian.maps import compare

    result = compare(a, b, n_permutations=1)
    first, second = (np.asarray(M) for M in (result.fit.target, result.fit.fitted))
    q = first.shape[1]
    for k in axes if is_list(axes) else [axes]:
        whole(k, "axes", 1, q, what="the axes of the maps")
    if not is_list(axes) or len(axes) != 2:
        raise InputError(f"axes={short(axes)} must name 2 axes")
    at = [k - 1 for k in axes]
    Z, W = first[:, at], second[:, at]
    far = result.rows["distance"].to_numpy()
    differs = result.rows["differs"].to_numpy()
    rows = elements.Elements(result.rows.index, Z, contribution=far + differs * far.max())
    colors = coloring(color, rows.index, None, rows)
    every = np.ones(len(Z), dtype=bool)
    x, y = (Axis(f"Axis {k}", around(np.r_[Z[:, i], W[:, i]])) for i, k in enumerate(axes))
    panel = map_panel(x, y)
    order = np.argsort(differs, kind="stable")  # those that differ lie on top
    ends = np.stack([Z, W], axis=1)  # (n, 2, 2)
    lines = [Curve(ends[i, :, 0], ends[i, :, 1], INK if differs[i] else FAINT, 0.8) for i in order]
    marks = cloud.point_layers(rows, colors, every)
    names = cloud.name_rows(rows, labels, "contribution", every, colors.inks())
    return single(
        panel,
        [*lines, *marks, *label_layers(panel, [names], [panel.to_page(Z)])],
        legend_title=colors.legend_title,
        notes=[
            f"Procrustes correlation {result.correlation:.2f}; {result.overlap:.0%} of neighbours "
            f"shared; {int(differs.sum())} rows stand elsewhere (dark lines)"
        ],
        numbers={"comparison": result, "first": first, "second": second},
    )


def _lines_to_lost(
    Z: np.ndarray, there: np.ndarray, pairs: tuple[np.ndarray, np.ndarray], chosen: np.ndarray
) -> list[Curve]:
    """Return lines from the chosen rows to the neighbours that the map has lost."""
    row, neighbor = (part[chosen[pairs[0]]] for part in pairs)
    layers = []
    for i in np.unique(row):
        ends = there[neighbor[row == i]]
        path = np.stack([np.broadcast_to(Z[i], ends.shape), ends], axis=1).reshape(-1, 2)
        # There and back again: one line with as many spokes as there are neighbours.
        layers.append(Curve(path[:, 0], path[:, 1], FAINT, 0.7))
    return layers


@as_plot
def pairs(
    fitted: Reading,
    n_axes: int = 4,
    *,
    color: ColorColumn = None,
    color_as: ColorReading = None,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the individuals on every pair of the first axes, and their density on each.

    Parameters
    ----------
    n_axes : int
        Number of axes, or all if there are fewer.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> len(gm.plots.pairs(fit, 3, backend="none").panels)
    6
    """
    whole(n_axes, "n_axes", 2)
    elements.check_axes(fitted, (1, 2), 2)
    q = min(n_axes, fitted.n_components_)
    rows = elements.individuals_of(fitted, range(1, q + 1), X)
    spread = np.ptp(rows.coordinates, axis=0)
    kept = spread > _CONSTANT * spread.max()  # on the others all rows have the same place
    rows = replace(rows, coordinates=np.where(kept, rows.coordinates, 0.0))
    w = cloud.row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    scales = [
        Axis(elements.axis_title(fitted, k + 1), around(rows.coordinates[:, k], 0.08, zero=True))
        for k in range(q)
    ]
    return finish(
        _pair_panels(rows, scales, colors, w, cloud.origin_lines()),
        legend_title=colors.legend_title,
        corner=True,
        notes=cloud.sample_notes(rows, X),
        numbers={"individuals": rows},
    )


@as_plot
def scatter(
    X: TableLike,
    columns: Sequence[Any] | None = None,
    *,
    color: ColorColumn = None,
    color_as: ColorReading = None,
    labels: LabelChoice = None,
    view: tuple[float, float] = (20.0, -60.0),
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw columns of a table against one another as they are, before any method.

    Two columns make a plane, three a view of space, and more each pair of them with their
    densities. Space has equal units, the plane too unless one column spreads over four times as
    much as the other.

    Parameters
    ----------
    X : table (n, p)
        The table whose columns are drawn.
    columns : positions or names, optional
        Two to eight columns; the first four by default.
    color, color_as : optional
        As for `individuals`.
    labels : optional
        As for `individuals`, in the plane and in space; none by default.
    view : (float, float)
        Elevation and azimuth of the eye, in degrees, for three columns.

    Examples
    --------
    >>> spheres = gm.datasets.spheres()
    >>> record = gm.plots.scatter(spheres.data, color=spheres.groups["sphere"], backend="none")
    >>> [axis.title for axis in (record.panels[0].x, record.panels[0].y, record.panels[0].z)]
    ['x', 'y', 'z']
    """
    read = table(X, "X", min_rows=1)
    values = to_dense(read.values).astype(float)
    n, p = values.shape
    default = range(min(p, _FEW_COLUMNS))
    which = column_positions(default if columns is None else columns, read.columns, p)
    if not 2 <= len(set(which)) == len(which) <= _MAX_COLUMNS:
        raise InputError(f"columns: give 2 to {_MAX_COLUMNS} different columns, not {len(which)}")
    names = [f"x{k + 1}" if read.columns is None else clean(read.columns[k]) for k in which]
    index = pd.RangeIndex(n) if read.index is None else read.index
    rows, w = elements.Elements(index, values[:, which]), np.full(n, 1.0 / n)
    colors, Z = coloring(color, index, color_as, None), values[:, which]
    options: Any = {"legend_title": colors.legend_title, "numbers": {"columns": Z, "names": names}}
    if len(which) > 3:
        scales = [Axis(name, around(z, 0.08)) for name, z in zip(names, Z.T, strict=True)]
        return finish(_pair_panels(rows, scales, colors, w), corner=True, **options)
    marks: list[Layer] = [*cloud.point_layers(rows, colors, w > 0)]
    naming = cloud.name_rows(rows, labels, "contribution", w > 0, colors.inks())
    if len(which) == 3:
        _check_view(view)
        panel = _space([Axis(m, around(z)) for m, z in zip(names, Z.T, strict=True)], view)
        return single(panel, [*marks, *_space_labels(panel, [naming], Z)], **options)
    panel = columns_panel(Z, names)
    return single(panel, [*marks, *label_layers(panel, [naming], [panel.to_page(Z)])], **options)


def _pair_panels(
    rows: elements.Elements,
    scales: list[Axis],
    colors: Coloring,
    w: np.ndarray,
    guides: Sequence[Layer] = (),
) -> list[Panel]:
    """Return a panel for each pair of columns below the diagonal, and densities on it."""
    panels = []
    for i, scale in enumerate(scales):
        for j in range(i):
            pair = replace(rows, coordinates=rows.coordinates[:, [j, i]])
            layers = [*guides, *cloud.point_layers(pair, colors, w > 0, scale=0.75)]
            panels.append(_pair_cell(scales, j, i, scale, layers))
        curves = _densities(rows.coordinates[:, i], scale, colors, w)
        highest = max((float(curve.y.max()) for curve in curves), default=1.0)
        y = Axis("", (0.0, 1.08 * highest), (), line=False)
        panels.append(_pair_cell(scales, i, i, y, curves))
    return panels


def _pair_cell(scales: list[Axis], j: int, i: int, y: Axis, layers: Sequence[Layer]) -> Panel:
    """Return the panel of axes j (across) and i (up); only the outer ones have ticks and titles."""
    q = len(scales)
    wide, high = (
        (page - (q - 1) * _PAIRS_GAP) / q for page in (across(_PAIRS_SIDE), upwards(_PAIRS_SIDE))
    )
    left, bottom = j * (wide + _PAIRS_GAP), (q - 1 - i) * (high + _PAIRS_GAP)
    x = scales[j] if i == q - 1 else replace(scales[j], title="", ticks=())
    y = y if j == 0 and i > 0 else replace(y, title="", ticks=())
    return Panel(left, bottom, wide, high, x, y, tuple(layers))


def _densities(z: np.ndarray, scale: Axis, colors: Coloring, w: np.ndarray) -> list[Curve]:
    """Return what stands on the diagonal: the density of each group, by its weight."""
    grid = np.linspace(*scale.limits, 160)
    parts = colors.groups if colors.numbers is None else (Group("", w > 0, POINT_COLOR),)
    curves = [curve for group in parts for curve in _density_curve(group, z, w, grid)]
    # Groups of one or two rows have no density, all rows together may have.
    return curves or _density_curve(Group("", w > 0, MUTED), z, w, grid)


def _density_curve(group: Group, z: np.ndarray, w: np.ndarray, grid: np.ndarray) -> list[Curve]:
    """Return the density of a group as a closed line, or nothing where it has too few rows."""
    part, step = group.rows & (w > 0), grid[1] - grid[0]
    least = _CONSTANT * (grid[-1] - grid[0])
    if part.sum() < 3 or np.ptp(z[w > 0]) <= least:
        return []
    if np.ptp(z[part]) <= least:  # all at one place, as wide as can be seen
        height = w[part].sum() * norm.pdf(grid, z[part].mean(), step)
    else:
        density = gaussian_kde(z[part], weights=w[part])
        narrow = step / np.sqrt(density.covariance[0, 0])
        if narrow > 1.0:  # it would stand between two places of the grid
            density.set_bandwidth(density.factor * narrow)
        height = w[part].sum() * density(grid)
    closed = np.concatenate([height, [0.0, 0.0, height[0]]])
    ends = np.concatenate([grid, [grid[-1], grid[0], grid[0]]])
    return [Curve(ends, closed, group.color, width=1.0, fill=0.18)]


@as_plot
def map3d(
    fitted: Reading,
    axes: Sequence[int] = (1, 2, 3),
    *,
    color: ColorColumn = None,
    color_as: ColorReading = None,
    size: str | None = None,
    labels: LabelChoice = "auto",
    by: Ranking = "contribution",
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
        As for `individuals`; names that would overlap from this viewpoint are left out.
    view : (float, float)
        Elevation and azimuth of the eye, in degrees.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.map3d(fit, backend="none").panels[0].z.title
    'Axis 3 (3.7 %)'
    """
    axes = elements.check_axes(fitted, axes, 3)
    _check_view(view)
    rows = elements.individuals_of(fitted, axes, X)
    Z, w = rows.coordinates, cloud.row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    layers: list[Layer] = [*cloud.point_layers(rows, colors, w > 0, size=size)]
    centres = groups.barycentres_of(Z, colors, w) if flag(barycentres, "barycentres") else None
    if centres is not None:
        layers += groups.barycentre_layers(centres, colors)
    titles = [elements.axis_title(fitted, k) for k in axes]
    panel = _space([Axis(t, around(z, zero=True)) for t, z in zip(titles, Z.T, strict=True)], view)
    namings = groups.names_of_groups(Z, colors, w, marked=barycentres)
    namings.append(cloud.name_rows(rows, labels, by, w > 0, colors.inks()))
    layers += _space_labels(panel, namings, Z)
    return single(
        panel,
        layers,
        legend_title=colors.legend_title,
        notes=[*([_AREA_NOTE] if size else []), *cloud.sample_notes(rows, X)],
        numbers={"individuals": rows, "barycentres": centres},
    )


def _check_view(view: Any) -> None:
    if vector(view, "view").size != 2:
        raise InputError(f"view={short(view)} must be two angles, elevation and azimuth")


def _space(axes: Sequence[Axis], view: tuple[float, float]) -> Panel:
    """Return the empty view of three axes, equal units on all of them."""
    x, y, z = axes
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
