"""Maps in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gramian._core.check import flag, short
from gramian._core.numbers import vector
from gramian.errors import InputError
from gramian.plots.cloud import name_rows, point_layers, row_weights, sample_notes
from gramian.plots.coloring import coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import axis_title, check_axes, individuals_of
from gramian.plots.groups import barycentre_layers, barycentres_of, names_of_groups
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, single
from gramian.plots.record import Axis, Figure, Labels, Layer, Panel
from gramian.plots.style import across, upwards

_SIDE = 400.0
_ROW_REACH, _GROUP_REACH = 5.0, 32.0  # of a name from its point, without a line between them
_TICK_ROOM = 70.0  # above and below the box, for ticks and titles
_BOX_SHARE = 0.9  # the diagonal of the box, in widths of the panel


@as_plot
def map3d(
    fitted: Any,
    axes: Sequence[int] = (1, 2, 3),
    *,
    color: Any = None,
    color_as: str | None = None,
    size: str | None = None,
    labels: Any = "auto",
    by: str = "contribution",
    barycentres: bool = False,
    view: tuple[float, float] = (20.0, -60.0),
    X: Any = None,
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
    layers += _labels(panel, namings, Z)
    return single(
        panel,
        layers,
        legend_title="" if colors.scale else colors.title,
        notes=[*_notes(size), *sample_notes(rows, X)],
        numbers={"individuals": rows, "barycentres": centres},
    )


def _notes(size: str | None) -> list[str]:
    return ["area of the markers: cos² on the three axes"] if size else []


def _space(fitted: Any, axes: Sequence[int], Z: np.ndarray, view: tuple[float, float]) -> Panel:
    """Return the empty view of three axes, equal units on all of them."""
    x, y, z = (
        Axis(axis_title(fitted, k), around(column, zero=True))
        for k, column in zip(axes, Z.T, strict=True)
    )
    spans = np.array([axis.limits[1] - axis.limits[0] for axis in (x, y, z)])
    wide, high = across(_SIDE), upwards(_SIDE)
    seen = float(np.abs(_screen(view)[:, 1]) @ spans)  # how high the box looks
    unit = _BOX_SHARE * min(wide, high) / float(np.linalg.norm(spans))
    unit = min(unit, max(high - _TICK_ROOM, 0.3 * high) / seen)
    height = float(np.clip(seen * unit + _TICK_ROOM, 0.6 * high, high))
    return Panel(0.0, 0.0, wide, height, x, y, (), z=z, view=view, unit=unit)


def _labels(panel: Panel, namings: Sequence[Naming], Z: np.ndarray) -> list[Labels]:
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
