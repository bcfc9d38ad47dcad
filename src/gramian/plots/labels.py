"""The names of points on a map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gramian.plots.look import sized
from gramian.plots.placement import Page, boxes_at, place
from gramian.plots.record import Labels, Panel
from gramian.plots.style import INK, SMALL
from gramian.plots.text import height, shorten, width

_MOST = 300  # texts for which a panel could have room


@dataclass(frozen=True, eq=False)
class Naming:
    """Texts that belong to points of a map, most important first."""

    at: np.ndarray  # (k, 2)
    texts: Sequence[str]
    colors: Sequence[str] | str = INK
    radius: float | np.ndarray = 3.0  # of the markers, in points
    directions: np.ndarray | None = None
    bold: bool = False
    size: float = SMALL
    patience: float = np.inf  # the most that a place may cost, beyond which there is no label
    over: bool = False  # whether texts may cover points
    reach: float = np.inf  # how far from its point a text may stand


def label_layers(
    panel: Panel, namings: Sequence[Naming], spots: Sequence[np.ndarray]
) -> list[Labels]:
    """Return the texts that find a place on the panel; earlier namings come first.

    `spots` are positions on the panel, (m, 2) in points, that should not be covered.
    """
    page = Page((panel.width, panel.height), np.vstack([np.empty((0, 2)), *spots]))
    layers = []
    bare = Page((panel.width, panel.height), np.empty((0, 2)))
    for naming in namings:
        ground = bare if naming.over else page
        layers.append(_label_layer(panel, naming, ground))
        bare.taken = np.vstack([bare.taken, layers[-1].boxes])
        page.taken = np.vstack([page.taken, layers[-1].boxes])
    return [layer for layer in layers if layer.texts]


def _label_layer(panel: Panel, naming: Naming, page: Page) -> Labels:
    texts = [shorten(text) for text in naming.texts[:_MOST]]
    k, size = len(texts), sized(naming.size)
    spots = panel.to_page(naming.at[:k])
    # Bold letters are wider by about a tenth.
    widths = [width(text, size) * (1.12 if naming.bold else 1.0) for text in texts]
    sizes = np.column_stack([widths, np.full(k, height(size))])
    radii = np.broadcast_to(np.asarray(naming.radius, dtype=float), (k,))
    directions = None if naming.directions is None else naming.directions[:k]
    limits = {"reach": naming.reach, "patience": naming.patience}
    offsets, has_place = place(page, spots, sizes, radii, directions, **limits)
    which = np.flatnonzero(has_place)
    colors = [naming.colors] * k if isinstance(naming.colors, str) else list(naming.colors)
    far = (np.abs(offsets) - sizes / 2).max(axis=1, initial=0.0) - radii
    return Labels(
        at=naming.at[which],
        texts=tuple(texts[i] for i in which),
        offsets=offsets[which],
        colors=tuple(colors[i] for i in which),
        leaders=far[which] > 6.0,
        boxes=boxes_at(spots[which] + offsets[which], sizes[which]),
        rows=which,
        bold=naming.bold,
        size=size,
    )
