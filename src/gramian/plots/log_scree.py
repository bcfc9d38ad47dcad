"""The scree plot on logarithmic scales, on which decays are seen over many orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.plots.layout import CURVES_HEIGHT, CURVES_WIDTH, around
from gramian.plots.look import across, upwards
from gramian.plots.record import Axis, Curve, Layer, Panel, Points
from gramian.plots.style import ACCENT, POINT_COLOR

_FEW = 2.3  # orders, below which 2 and 5 are ticked as well as 1
_ZERO = 1e-15  # of the largest inertia: smaller ones are 0 but for rounding


def log_axis(title: str, values: np.ndarray) -> Axis:
    """Return the scale of positive values that are drawn at their logarithms to base 10.

    >>> log_axis("λ", np.array([0.03, 40.0])).ticks
    ((-1.0, '0.1'), (0.0, '1'), (1.0, '10'))
    """
    low, high = around(np.log10(values))
    steps = (1, 2, 5) if high - low < _FEW else (1,)
    orders = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 1)
    every = -(-len(orders) // 10)  # at most ten orders have a text
    ticks = [(k + np.log10(s), s * 10.0**k) for k in orders if k % every == 0 for s in steps]
    shown = tuple((float(at), f"{value:g}") for at, value in ticks if low <= at <= high)
    return Axis(title, (low, high), shown)


def log_scree(
    inertia: np.ndarray, label: str, references: Sequence[Curve], *, both: bool
) -> tuple[Panel, list[Layer], list[str]]:
    """Return panel, layers and notes: inertias at their logarithms, negative ones by modulus."""
    size = np.abs(inertia)
    live = size > _ZERO * size.max()
    if not live.any():
        raise InputError('scale="log": all inertias are 0, which has no logarithm: use "linear"')
    k = np.arange(1.0, len(inertia) + 1.0)
    x = np.log10(k) if both else k
    y = np.log10(size, out=np.zeros_like(size), where=live)
    above, below = live & (inertia > 0), live & (inertia < 0)
    layers: list[Layer] = [Curve(x[above], y[above], POINT_COLOR, marker_size=4.0)]
    layers += [_moved(curve, x) for curve in references]
    if below.any():
        layers.append(_negative(x[below], y[below], k[below]))
    known = np.concatenate([size[live], *(curve.y[curve.y > 0] for curve in references)])
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=across(CURVES_WIDTH),
        height=upwards(CURVES_HEIGHT),
        x=log_axis("Axis", k) if both else Axis("Axis", (0.4, len(k) + 0.6), whole=True),
        y=log_axis(label, known),
        layers=(),
    )
    idle = int((~live).sum())
    return panel, layers, [f"{idle} axes of inertia 0 are left out"] if idle else []


def _moved(curve: Curve, x: np.ndarray) -> Curve:
    """Return a curve to compare with, at the logarithms of its values."""
    live = curve.y > 0
    at = x[: len(curve.y)][live]
    return Curve(at, np.log10(curve.y[live]), curve.color, dash=curve.dash, name=curve.name)


def _negative(x: np.ndarray, y: np.ndarray, axes: np.ndarray) -> Points:
    look: dict[str, Any] = {"size": 6.0, "marker": "triangle-down", "filled": False}
    names = [f"Axis {number:.0f}" for number in axes]
    return Points(np.column_stack([x, y]), ACCENT, labels=names, name="negative: modulus", **look)
