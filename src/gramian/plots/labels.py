"""Labels that do not overlap: each text is put where it covers least, or left out.

Texts are taken in order of importance. Each has a ring of places around its point; places that meet
another text or the edge are out, the others cost what they cover and how far they are. More rounds
let early texts move now that the later ones are known, and the cheapest of three orders wins.
There is no chance in it: the same points give the same picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gramian.plots.record import Labels, Panel
from gramian.plots.style import INK, SMALL, height, shorten, text_size, width

_ANGLES = np.deg2rad([0, 90, 180, 270, 45, 135, 315, 225, 22, 158, 338, 202, 67, 113, 293, 247])
_RINGS = np.array([0.0, 5.0, 11.0, 20.0, 32.0, 48.0, 68.0])
_LEADER_POINTS = np.linspace(0.1, 0.9, 7)[:, None]  # where a leader is looked at
_ROUNDS = 4
_MAX_COMPARED = 30  # so many of the free places of a text, the cheapest, are compared in full
_GAP = 1.5  # between two texts, points
_NEIGHBOUR_REACH = 70.0  # texts look away from the points within this distance
# What a place costs: each point covered, each line crossed, each point of distance.
_COST_COVERED, _COST_CROSSED, _COST_DISTANCE = 4.0, 5.0, 0.14
_COST_MISSING = 60.0  # what a missing text costs, more for the important ones
_MAX_REACH = 0.25  # of the shorter side of a panel, from a point to its text
_MAX_TEXTS = 300  # texts for which a panel could have room


class Page:
    """A panel on which texts are placed: how much is drawn where, and which boxes are taken.

    Sums over rectangles take constant time, however many points there are.
    """

    def __init__(self, room: tuple[float, float], spots: np.ndarray) -> None:
        self.room = np.array(room)
        self.taken = np.empty((0, 4))
        shape = (int(np.ceil(room[0])) + 1, int(np.ceil(room[1])) + 1)
        cells = np.floor(spots).astype(int)
        inside = ((cells >= 0) & (cells < shape)).all(axis=1)
        grid = np.zeros(shape)
        np.add.at(grid, tuple(cells[inside].T), 1.0)
        # A crowd in one place hides as much as a few points do.
        self._sums = np.zeros((shape[0] + 1, shape[1] + 1))
        self._sums[1:, 1:] = np.minimum(grid, 3.0).cumsum(axis=0).cumsum(axis=1)

    def under(self, boxes: np.ndarray, radius: float = 0.0) -> np.ndarray:
        """Return how many spots lie under each box or within a radius of it, (k,)."""
        boxes = boxes + radius * np.array([-1.0, -1.0, 1.0, 1.0])
        top = np.array(self._sums.shape) - 1
        x0, y0 = (np.clip(np.floor(boxes[:, j]).astype(int), 0, top[j]) for j in (0, 1))
        x1, y1 = (np.clip(np.ceil(boxes[:, j + 2]).astype(int), 0, top[j]) for j in (0, 1))
        S = self._sums
        return S[x1, y1] - S[x0, y1] - S[x1, y0] + S[x0, y0]

    def is_free(self, boxes: np.ndarray) -> np.ndarray:
        """Return which boxes lie on the panel and on no box that is taken, (k,)."""
        out = (boxes[:, :2] < 0).any(axis=1) | (boxes[:, 2:] > self.room).any(axis=1)
        met = overlaps(boxes[:, None], self.taken[None], _GAP).any(axis=1)
        return np.logical_not(out | met)


def overlaps(box: np.ndarray, others: np.ndarray, gap: float = 0.0) -> np.ndarray:
    """Return whether each of the other boxes meets this one, or comes nearer than `gap`."""
    apart = (
        (others[..., 0] >= box[..., 2] + gap)
        | (others[..., 2] <= box[..., 0] - gap)
        | (others[..., 1] >= box[..., 3] + gap)
        | (others[..., 3] <= box[..., 1] - gap)
    )
    return ~apart


def place(
    page: Page,
    spots: np.ndarray,
    sizes: np.ndarray,
    radii: np.ndarray,
    directions: np.ndarray | None = None,
    *,
    reach: float = np.inf,
    patience: float = np.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres (k, 2) of the texts relative to their spots, and which have a place.

    Spots (k, 2) are where the points are, sizes (k, 2) and radii (k,) those of texts and markers,
    most important first, all in points. Directions (k, 2) are unit vectors to where each text would
    like to stand: the tip of an arrow is labelled ahead of it; by default away from the neighbours.
    """
    away = _away(spots) if directions is None else directions
    menus = [
        _menu(page, spot, size, radius, direction, reach)
        for spot, size, radius, direction in zip(spots, sizes, radii, away, strict=True)
    ]
    by_height = np.argsort(spots[:, 1], kind="stable")
    # Which text is placed first decides much: from above and from below are tried as well.
    orders = (np.arange(len(spots)), by_height[::-1], by_height)
    different = dict.fromkeys(tuple(order.tolist()) for order in orders)
    tries = [_settle(spots, menus, order, patience) for order in different]
    offsets, has_place, _ = min(tries, key=lambda attempt: attempt[2])
    return offsets, has_place


@dataclass(frozen=True, eq=False)
class _Menu:
    """The places of one text, and what each costs whatever the other texts do; cheapest first."""

    centres: np.ndarray  # (c, 2), relative to the spot
    boxes: np.ndarray  # (c, 4)
    cost: np.ndarray  # (c,)


def _menu(
    page: Page, spot: np.ndarray, size: np.ndarray, radius: float, away: np.ndarray, reach: float
) -> _Menu:
    rings = _RINGS[reach >= _RINGS]
    ring, angle = (grid.ravel() for grid in np.meshgrid(rings, _ANGLES, indexing="ij"))
    turn = np.column_stack([np.cos(angle), np.sin(angle)])
    centres = turn * (radius + 1.0 + ring[:, None] + size / 2)
    boxes = boxes_at(spot + centres, size)
    order = np.tile(np.arange(_ANGLES.size), rings.size)  # right, above, left, below, oblique
    cost = _COST_DISTANCE * ring - 1.2 * (turn @ away) + 0.04 * order
    cost += _COST_COVERED * page.under(boxes, radius)
    free = np.flatnonzero(page.is_free(boxes))
    best = free[np.argsort(cost[free], kind="stable")]
    return _Menu(centres[best], boxes[best], cost[best])


def _settle(
    spots: np.ndarray, menus: Sequence[_Menu], order: Sequence[int], patience: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Place the texts one after the other, then again; return the places and what they cost."""
    k = len(spots)
    boxes, offsets, costs = np.full((k, 4), np.inf), np.zeros((k, 2)), np.zeros(k)
    for _ in range(_ROUNDS):
        before = boxes.copy()
        for i in order:
            boxes[i], menu = np.inf, menus[i]
            rest = np.isfinite(boxes[:, 0])  # the others that have a place by now
            met = overlaps(menu.boxes[:, None], boxes[rest][None], _GAP).any(axis=1)
            free = np.flatnonzero(~met)[:_MAX_COMPARED]
            costs[i] = _COST_MISSING * (1.0 + 1.0 / (1.0 + i))
            if not free.size:
                continue
            others = boxes[rest], spots[rest], offsets[rest]
            best, cost = _cheapest(spots[i], menu, free, others)
            if cost < patience:
                boxes[i], offsets[i], costs[i] = menu.boxes[best], menu.centres[best], cost
        if np.array_equal(boxes, before):
            break  # no text moved, and none would in another round
    return offsets, np.isfinite(boxes[:, 0]), float(costs.sum())


def _cheapest(
    spot: np.ndarray, menu: _Menu, free: np.ndarray, others: tuple[np.ndarray, ...]
) -> tuple[int, float]:
    """Return which of the free places costs least among the other texts, and how much."""

    def cost_of(some: np.ndarray) -> np.ndarray:
        crossed = _crossings(spot, menu.centres[some], menu.boxes[some], others)
        return np.asarray(menu.cost[some] + _COST_CROSSED * crossed)

    cost = cost_of(free[:1])
    if cost[0] > menu.cost[free[0]]:
        cost = cost_of(free)  # else the first crosses nothing, and the menu is in order
    k = int(np.argmin(cost))
    return int(free[k]), float(cost[k])


def _away(spots: np.ndarray) -> np.ndarray:
    """Return for each spot the direction away from its neighbours, 0 where it has none."""
    apart = spots[:, None, :] - spots[None, :, :]
    near = np.hypot(*np.moveaxis(apart, 2, 0)) < _NEIGHBOUR_REACH
    pull = (apart * near[:, :, None]).sum(axis=1)
    size = np.hypot(*pull.T)[:, None]
    return np.divide(pull, size, out=np.zeros_like(pull), where=size > 1e-9)


def _crossings(
    spot: np.ndarray, centres: np.ndarray, texts: np.ndarray, others: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Count the texts under the leader of each place, the leaders under its text, and those met."""
    boxes, spots, offsets = others
    own = spot + centres[:, None, :] * _LEADER_POINTS  # (c, t, 2)
    leaders = (spots[:, None, :] + offsets[:, None, :] * _LEADER_POINTS).reshape(-1, 2)
    under_leader = _inside(own[:, None], boxes[None, :, None]).any(axis=2).sum(axis=1)
    under_text = _inside(leaders[None, :], texts[:, None]).reshape(
        len(texts), len(spots), len(_LEADER_POINTS)
    )
    met = _cross(spot, spot + centres[:, None], spots, spots + offsets)
    return under_leader + under_text.any(axis=2).sum(axis=1) + met.sum(axis=1)


def _cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Whether the segments from a to b cross those from c to d."""
    return (_side(a, b, c) * _side(a, b, d) < 0) & (_side(c, d, a) * _side(c, d, b) < 0)


def _side(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return on which side of the line from a to b the point p lies."""
    u, v = b - a, p - a
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]


def _inside(points: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    x, y = points[..., 0], points[..., 1]  # pairs of numbers would be compared two by two
    left, low, right, high = (boxes[..., k] for k in range(4))
    return (x > left) & (x < right) & (y > low) & (y < high)


def boxes_at(centres: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return boxes of a size around their centres, (k, 4)."""
    return np.hstack([centres - size / 2, centres + size / 2])


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
    texts = [shorten(text) for text in naming.texts[:_MAX_TEXTS]]
    k, size = len(texts), text_size(naming.size)
    spots = panel.to_page(naming.at[:k])
    # Bold letters are wider by about a tenth.
    widths = [width(text, size) * (1.12 if naming.bold else 1.0) for text in texts]
    sizes = np.column_stack([widths, np.full(k, height(size))])
    radii = np.broadcast_to(np.asarray(naming.radius, dtype=float), (k,))
    directions = None if naming.directions is None else naming.directions[:k]
    reach = min(naming.reach, _MAX_REACH * min(panel.width, panel.height))
    limits = {"reach": reach, "patience": naming.patience}
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
