"""Arrows from the origin: variables on a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.plots.coloring import Coloring
from gramian.plots.elements import Elements
from gramian.plots.labels import Naming
from gramian.plots.record import Arrows, Panel, Points
from gramian.plots.style import FAINT, MUTED, point_size


def arrow_layers(
    arrows: Elements, colors: Coloring, selected: np.ndarray, *, width: float = 1.1, name: str = ""
) -> list[Arrows]:
    """Return arrows to the coordinates of the variables that are selected, group by group."""
    if selected.sum() > 15:
        width *= 0.7
    layers = []
    for group in colors.groups:
        some = arrows.take(group.rows & selected)
        look: dict[str, Any] = {
            "labels": some.labels,
            "details": some.details(),
            "name": group.name or name,
        }
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
    size = min(point_size(n), 3.5)
    tips = Points(
        some.coordinates,
        FAINT if n > 50 else MUTED,
        size=size,
        alpha=0.6,
        labels=some.labels,
        details=some.details(),
    )
    return [tips]


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
