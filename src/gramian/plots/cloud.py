"""Clouds of points and bunches of arrows: the layers that maps share."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._core.check import short
from gramian._core.frames import is_scan
from gramian._core.types import TableLike
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots.coloring import Coloring, Group
from gramian.plots.elements import Elements, LabelChoice, axis_title, positions_to_name
from gramian.plots.labels import Naming
from gramian.plots.layout import around, map_panel
from gramian.plots.record import Arrows, Axis, Guide, Panel, Points
from gramian.plots.style import FAINT, INK, MUTED, point_alpha, point_size

_MAX_ONE_TURN = 1_000  # more points than this are drawn in turns, so that no group hides another
_MAX_TURNS, _MAX_LAYERS = 8, 80  # at most; many groups take fewer turns, which are slow to draw
_MAX_MARKER_SCALE = 1.6  # the largest marker where sizes vary, in usual sizes


def row_weights(fitted: Reading, n: int, X: TableLike | None = None) -> np.ndarray:
    """Return the weights of the fitted rows, 0 of supplementary ones; those of X are equal."""
    w = fitted.row_weights if X is None else None
    return np.full(n, 1.0 / n) if w is None else w


def sample_notes(rows: Elements, X: Any) -> list[str]:
    """Return a note where only some rows of a scan are drawn."""
    n = len(rows.index)
    return [f"{n:,} of {X.count():,} rows, at random"] if is_scan(X) and n < X.count() else []


def plane(fitted: Reading, axes: Sequence[int], Z: np.ndarray) -> Panel:
    """Return the empty map of two axes, large enough for the points Z."""
    x, y = (
        Axis(axis_title(fitted, k), around(z, zero=True)) for k, z in zip(axes, Z.T, strict=True)
    )
    return map_panel(x, y)


def origin_lines() -> list[Guide]:
    """Return the two lines through the origin, which is the barycentre."""
    return [Guide(axis, 0.0, color=FAINT, width=0.8, dash="dash") for axis in ("x", "y")]


def point_layers(
    rows: Elements,
    colors: Coloring,
    selected: np.ndarray,
    *,
    muted: np.ndarray | None = None,
    size: str | None = None,
    alpha: str | None = None,
    scale: float = 1.0,
) -> list[Points]:
    """Return the points group by group: those selected in colour, the muted faintly below."""
    n = int(selected.sum())
    diameter = scale * point_size(n)
    opacity = point_alpha(n)
    sizes = _by_quality(size, "size", rows, 0.4 * diameter, _MAX_MARKER_SCALE * diameter, diameter)
    alphas = _by_quality(alpha, "alpha", rows, 0.08, 0.95, opacity)
    layers = []
    if muted is not None and muted.any():
        faint = Group("", muted, FAINT)
        layers.append(
            _points(rows, faint, muted, np.full(len(selected), 0.8 * diameter), 0.5 + 0 * alphas)
        )
    turns = 1
    if n > _MAX_ONE_TURN and len(colors.groups) > 1:
        turns = int(np.clip(_MAX_LAYERS // len(colors.groups), 2, _MAX_TURNS))
    turn = np.zeros(len(selected), dtype=int)
    for group in colors.groups:  # every group has its part in the first turns
        turn[group.rows] = np.arange(group.rows.sum()) % turns
    plain = not colors.is_crowded and (n > _MAX_ONE_TURN or rows.coordinates.shape[1] == 3)
    for k in range(turns):
        for group in colors.groups:
            part = group.rows & selected & (turn == k)
            if part.any():
                layers.append(_points(rows, group, part, sizes, alphas, colors, plain))
    return layers


def _by_quality(
    option: str | None, name: str, rows: Elements, low: float, high: float, usual: float
) -> np.ndarray:
    """Return the usual value for every point, or values between low and high that show cos²."""
    if option is None:
        return np.full(len(rows.index), usual)
    if not isinstance(option, str) or option != "cos2":
        raise InputError(f'{name}={short(option)} must be "cos2" or None')
    if rows.cos2 is None:
        raise InputError(f'{name}="cos2" needs a method that has cos²: use {name}=None')
    quality = np.clip(np.nan_to_num(rows.cos2), 0.0, 1.0)
    if name == "size":  # it is the area that is seen
        return np.sqrt(low**2 + (high**2 - low**2) * quality)
    return low + (high - low) * quality


def _points(
    rows: Elements,
    group: Group,
    part: np.ndarray,
    sizes: np.ndarray,
    alphas: np.ndarray,
    colors: Coloring | None = None,
    plain: bool = False,
) -> Points:
    some = rows.take(part)
    numbers = None if colors is None or group.name else colors.numbers
    return Points(
        some.coordinates,
        color=group.color if numbers is None else numbers[part],
        scale=None if colors is None or numbers is None else colors.scale,
        size=_one(sizes[part]),
        alpha=_one(alphas[part]),
        marker="circle" if plain else group.marker,
        filled=group.filled,
        labels=some.labels,
        details=some.details(),
        name=group.name,
    )


def _one(values: np.ndarray) -> float | np.ndarray:
    """Return a single number where all are equal: backends draw that faster."""
    return float(values[0]) if (values == values[0]).all() else values


def supplementary_layer(rows: Elements) -> Points:
    """Return points that had no part in the axes: hollow diamonds."""
    n = len(rows.index)
    all_rows, size = np.ones(n, dtype=bool), np.full(n, point_size(n))
    group = Group("supplementary", all_rows, INK, "diamond")
    return replace(_points(rows, group, all_rows, size, np.full(n, 0.9)), filled=False)


def name_rows(
    rows: Elements,
    labels: LabelChoice,
    by: str,
    selected: np.ndarray,
    inks: np.ndarray,
    *,
    grown: bool = False,
) -> Naming:
    """Return the labels of the rows that the option `labels` names, among those selected."""
    which = positions_to_name(rows, labels, by, selected)
    picky = isinstance(labels, str) and len(which) < selected.sum()
    return name_points(rows, which, inks, grown=grown, picky=picky)


def name_points(
    rows: Elements,
    which: np.ndarray,
    inks: str | np.ndarray,
    *,
    grown: bool = False,
    picky: bool = False,
) -> Naming:
    """Return the labels of some points; `picky` leaves out those without a good place."""
    some = rows.take(which)
    colors = inks if isinstance(inks, str) else list(inks[which])
    radius = point_size(len(rows.index)) / 2 * (_MAX_MARKER_SCALE if grown else 1.0)
    patience = 5.0 if picky else np.inf
    return Naming(some.coordinates, some.labels, colors, radius, patience=patience)


def arrow_layers(
    arrows: Elements, colors: Coloring, selected: np.ndarray, *, width: float = 1.1, name: str = ""
) -> list[Arrows]:
    """Return arrows to the coordinates of the variables that are selected, group by group."""
    if selected.sum() > 15:
        width *= 0.7
    layers = []
    for group in colors.groups:
        some = arrows.take(group.rows & selected)
        look: dict[str, Any] = {"labels": some.labels, "details": some.details()}
        look["name"] = group.name or name
        color: Any = group.color
        if colors.numbers is not None and not group.name:
            color, look["scale"] = colors.numbers[group.rows & selected], colors.scale
        layers.append(Arrows(some.coordinates, color, width, **look))
    return [layer for layer in layers if len(layer.at)]


def faint_tips(arrows: Elements, which: np.ndarray) -> list[Points]:
    """Return where the tips of the other arrows are."""
    some = arrows.take(which)
    n = len(some.index)
    if n == 0:
        return []
    texts: dict[str, Any] = {"labels": some.labels, "details": some.details()}
    color, size = FAINT if n > 50 else MUTED, min(point_size(n), 3.5)
    return [Points(some.coordinates, color, size=size, alpha=0.6, **texts)]


def name_arrows(arrows: Elements, which: Sequence[int] | np.ndarray, inks: np.ndarray) -> Naming:
    """Return the labels of some arrows, ahead of their tips."""
    some = arrows.take(np.asarray(which, dtype=int))
    Z = some.coordinates
    length = np.hypot(*Z.T)[:, None]
    directions = np.divide(Z, length, out=np.zeros_like(Z), where=length > 0)
    return Naming(Z, some.labels, list(inks[which]), 1.5, directions)


def along(panel: Panel, arrows: Elements, which: np.ndarray) -> np.ndarray:
    """Return spots along some arrows that labels should not cover, on the panel, (m, 2)."""
    Z = arrows.coordinates[which]
    steps = np.linspace(0.2, 1.0, 12)
    return panel.to_page(np.multiply.outer(steps, Z).reshape(-1, 2))
