"""The tree of classes."""

from typing import Unpack

import numpy as np

from gramian.clusters import Clusters
from gramian.plots.coloring import Coloring, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import require_kind
from gramian.plots.layout import empty_panel, single
from gramian.plots.record import Axis, Curve, Figure, Layer, Panel, Points
from gramian.plots.style import MUTED
from gramian.plots.text import clean, shorten

_WIDTH, _HEIGHT = 460.0, 260.0
_MAX_NAMES = 60  # leaves up to which their names stand below
_MAJORITY = 0.8  # share of its rows in one class from which on a branch has its colour


@as_plot
def dendrogram(found: Clusters, **drawing: Unpack[Drawing]) -> Figure:
    """Draw the tree that classes were cut from; a union stands at the inertia that it costs.

    Branches have the colour of the class that most of their rows are in, and marks below that of
    each row after consolidation: a mark of another colour has changed its class.

    Parameters
    ----------
    found : Clusters
        The result of `gm.clusters.find`.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.dendrogram(gm.clusters.find(fit, n_clusters=3), backend="none")
    >>> record.numbers["gains"][:2].round(2).tolist()
    [2.52, 0.53]
    """
    require_kind(isinstance(found, Clusters), found, "found", "the result of gm.clusters.find")
    merges = found.tree.merges
    order = _leaf_order(merges)
    place = np.empty(len(order))
    place[order] = np.arange(1.0, len(order) + 1.0)
    live = np.flatnonzero(found.weights > 0)
    counts = np.zeros((len(order), found.n_clusters))
    np.add.at(counts, (found.tree.leaves, found.labels.to_numpy()[live] - 1), 1.0)
    colors = coloring(found, found.labels.index)
    layers: list[Layer] = [*_branches(merges, place, counts, colors)]
    layers += _marks(place, counts, colors)
    names = _names(found, live, order)
    numbers = {"gains": found.tree.gains, "order": order, "suggested": found.tree.suggested}
    return single(_panel(merges, names), layers, legend_title="class", numbers=numbers)


def _leaf_order(merges: np.ndarray) -> np.ndarray:
    """Return leaves from left to right."""
    n, waiting, order = len(merges) + 1, [2 * len(merges)], list[int]()
    while waiting:
        node = waiting.pop()
        if node < n:
            order.append(node)
        else:
            waiting += merges[node - n, :2].astype(int).tolist()[::-1]
    return np.array(order)


def _branches(
    merges: np.ndarray, place: np.ndarray, counts: np.ndarray, colors: Coloring
) -> list[Curve]:
    """Return the unions as brackets, one line for all of a colour."""
    n = len(place)
    x = np.concatenate([place, np.zeros(n - 1)])
    y = np.zeros(2 * n - 1)
    held = np.vstack([counts, np.zeros((n - 1, counts.shape[1]))])
    lines: dict[str, list[np.ndarray]] = {}
    for step, (a, b, height, _) in enumerate(merges):
        i, j, node = int(a), int(b), n + step
        x[node], y[node], held[node] = 0.5 * (x[i] + x[j]), height, held[i] + held[j]
        bracket = [[x[i], y[i]], [x[i], height], [x[j], height], [x[j], y[j]], [np.nan, np.nan]]
        most = int(held[node].argmax())
        clear = held[node, most] >= _MAJORITY * held[node].sum()
        color = colors.groups[most].color if clear else MUTED
        lines.setdefault(color, []).append(np.array(bracket))
    joined = {color: np.vstack(parts) for color, parts in lines.items()}
    return [Curve(line[:, 0], line[:, 1], color, width=0.9) for color, line in joined.items()]


def _marks(place: np.ndarray, counts: np.ndarray, colors: Coloring) -> list[Points]:
    """Return a mark below each leaf, in the colour of its class."""
    own = counts.argmax(axis=1)
    size = float(np.clip(300.0 / len(place), 2.0, 5.0))
    return [
        Points(
            np.column_stack([place[own == k], np.zeros((own == k).sum())]),
            color=group.color,
            size=size,
            marker=group.marker,
            filled=group.filled,
            name=group.name,
        )
        for k, group in enumerate(colors.groups)
        if (own == k).any()
    ]


def _names(found: Clusters, live: np.ndarray, order: np.ndarray) -> list[tuple[float, str]]:
    """Return the names of leaves, where there is room and each is a row."""
    if len(order) > _MAX_NAMES or len(order) != len(live):
        return []
    rows = found.labels.index[live][order]
    return [(k + 1.0, shorten(clean(row), 16)) for k, row in enumerate(rows)]


def _panel(merges: np.ndarray, names: list[tuple[float, str]]) -> Panel:
    high = float(merges[-1, 2]) or 1.0
    n = len(merges) + 1
    x = Axis("", (0.0, n + 1.0), names, line=False, upright=True)
    y = Axis("Inertia between classes lost", (-0.03 * high, 1.05 * high))
    return empty_panel(_WIDTH, _HEIGHT, x, y)
