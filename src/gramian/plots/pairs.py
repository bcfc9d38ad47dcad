"""All planes of the first axes at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from scipy.stats import gaussian_kde

from gramian._core.check import whole
from gramian.plots.cloud import origin_lines, point_layers, row_weights, sample_notes
from gramian.plots.coloring import Coloring, Group, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import Elements, axis_title, check_axes, individuals_of
from gramian.plots.layout import around, finish
from gramian.plots.record import Axis, Curve, Figure, Layer, Panel
from gramian.plots.style import MUTED, POINT_COLOR, across, upwards

_PAGE, _GAP = 480.0, 9.0


@as_plot
def pairs(
    fitted: Any,
    n_axes: int = 4,
    *,
    color: Any = None,
    color_as: str | None = None,
    X: Any = None,
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
        _density(scales, i, rows, colors, w) if i == j else _plane(scales, j, i, rows, colors, w)
        for i in range(q)
        for j in range(i + 1)
    ]
    return finish(
        panels,
        legend_title="" if colors.scale else colors.title,
        corner=True,
        notes=sample_notes(rows, X),
        numbers={"individuals": rows},
    )


def _cell(scales: list[Axis], j: int, i: int, y: Axis, layers: Sequence[Layer]) -> Panel:
    """Return the panel of axes j (across) and i (up); only the outer ones have ticks and titles."""
    q = len(scales)
    wide, high = ((page - (q - 1) * _GAP) / q for page in (across(_PAGE), upwards(_PAGE)))
    x = scales[j] if i == q - 1 else replace(scales[j], title="", ticks=())
    return Panel(
        left=j * (wide + _GAP),
        bottom=(q - 1 - i) * (high + _GAP),
        width=wide,
        height=high,
        x=x,
        y=y if j == 0 and i > 0 else replace(y, title="", ticks=()),
        layers=tuple(layers),
    )


def _plane(
    scales: list[Axis], j: int, i: int, rows: Elements, colors: Coloring, w: np.ndarray
) -> Panel:
    pair = replace(rows, coordinates=rows.coordinates[:, [j, i]])
    points = point_layers(pair, colors, w > 0, scale=0.75)
    return _cell(scales, j, i, scales[i], [*origin_lines(), *points])


def _density(scales: list[Axis], i: int, rows: Elements, colors: Coloring, w: np.ndarray) -> Panel:
    """Return the panel on the diagonal: the density of each group, by its weight."""
    grid = np.linspace(*scales[i].limits, 160)
    groups = colors.groups if colors.numbers is None else (Group("", w > 0, POINT_COLOR),)
    z = rows.coordinates[:, i]
    curves = [curve for group in groups for curve in _curve(group, z, w, grid)]
    if not curves:  # groups of one or two rows have no density, all rows together may have
        curves = _curve(Group("", w > 0, MUTED), z, w, grid)
    highest = max((float(curve.y.max()) for curve in curves), default=1.0)
    return _cell(scales, i, i, Axis("", (0.0, 1.08 * highest), (), line=False), curves)


def _curve(group: Group, z: np.ndarray, w: np.ndarray, grid: np.ndarray) -> list[Curve]:
    """Return the density of a group as a closed line, or nothing where it has too few rows."""
    part = group.rows & (w > 0)
    if part.sum() < 3 or np.ptp(z[part]) == 0:
        return []
    height = w[part].sum() * gaussian_kde(z[part], weights=w[part])(grid)
    closed = np.concatenate([height, [0.0, 0.0, height[0]]])
    ends = np.concatenate([grid, [grid[-1], grid[0], grid[0]]])
    return [Curve(ends, closed, group.color, width=1.0, fill=0.18)]
