"""A network, drawn by its shortest paths."""

from __future__ import annotations

import warnings
from typing import Any, Unpack

import numpy as np

from gramian._check import generator, whole
from gramian.errors import ConvergenceWarning, InputTypeError, TiedAxesWarning
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, single, sized_map
from gramian.plots.record import Axis, Curve, Figure, Panel, Points
from gramian.plots.style import ACCENT, INK, PALETTE
from gramian.plots.text import clean

_UNEVEN = 0.1  # the most by which a path is taken for longer than it is


@drawn
def network(
    network: Any, *, labels: int = 12, title: str = "", **drawing: Unpack[Drawing]
) -> Figure:
    """Draw a network: near nodes are joined by short paths, large ones have many neighbours.

    Nodes without edges are left out. Positive edges are blue, negative ones orange.

    Parameters
    ----------
    network : Network
        Such as `study.consensus()`.
    labels : int
        How many nodes are named, those with most neighbours.

    Examples
    --------
    >>> import gramian as gm
    >>> net = gm.networks.Network([[0, 1, 0], [1, 0, -1], [0, -1, 0]], names=["a", "b", "c"])
    >>> gm.plots.network(net, backend="none").numbers["positions"].shape
    (3, 2)
    """
    if not hasattr(network, "degree") or not hasattr(network, "edge_values"):
        raise InputTypeError(f"network is {type(network).__name__}: give a networks.Network")
    whole(labels, "labels", 0)
    degree = network.degree().to_numpy()
    joined = np.flatnonzero(degree > 0)
    Z = _positions(network.adjacency[joined][:, joined])
    panel = _panel(Z)
    nodes = _nodes(Z, degree[joined], [clean(network.names[k]) for k in joined])
    best = np.argsort(-degree[joined], kind="stable")[:labels]
    texts = label_layers(panel, [_naming(nodes, best)], [panel.to_page(Z)])
    layers = [*_edges(network, Z, joined), nodes, *texts]
    alone = network.n_nodes - joined.size
    left_out = f", nodes without any left out: {alone}" if alone else ""
    notes = [f"edges: {network.n_edges}{left_out}"]
    numbers = {"positions": Z, "nodes": joined}
    return single(panel, layers, title=title, notes=notes, numbers=numbers)


def _panel(Z: np.ndarray) -> Panel:
    """Return the empty map: its axes mean nothing, so neither is ticked nor drawn."""
    x, y = (Axis("", around(Z[:, k]), (), line=False) for k in (0, 1))
    return sized_map(x, y)


def _edges(network: Any, Z: np.ndarray, joined: np.ndarray) -> list[Curve]:
    """Return the edges, positive ones below negative ones."""
    place = np.full(network.n_nodes, -1)
    place[joined] = np.arange(joined.size)
    ends = place[network.ends.T]
    signs = (
        ("positive", network.weights > 0, PALETTE[5]),
        ("negative", network.weights < 0, ACCENT),
    )
    return [_lines(Z, ends[:, those], color, name) for name, those, color in signs if those.any()]


def _nodes(Z: np.ndarray, degree: np.ndarray, names: list[str]) -> Points:
    """Return the nodes, whose areas grow with their numbers of neighbours."""
    sizes = 4.0 + 8.0 * np.sqrt(degree / degree.max(initial=1))
    details = {"neighbours": degree.astype(float)}
    return Points(Z, INK, size=sizes, labels=names, details=details)


def _naming(nodes: Points, which: np.ndarray) -> Naming:
    return Naming(
        nodes.at[which], [nodes.labels[k] for k in which], INK, np.asarray(nodes.size)[which] / 2
    )


def _lines(Z: np.ndarray, ends: np.ndarray, color: str, name: str) -> Curve:
    """Return edges as one line with gaps."""
    gap = np.full(ends.shape[1], np.nan)
    x, y = (np.stack([Z[ends[0], k], Z[ends[1], k], gap], axis=1).ravel() for k in (0, 1))
    return Curve(x, y, color, width=0.8, name=name)


def _positions(A: Any) -> np.ndarray:
    """Return nodes in the plane, as far apart as their shortest paths are long (MDS)."""
    from scipy.sparse.csgraph import shortest_path

    from gramian.estimators.scaling.stress_mds import MDS

    n = A.shape[0]
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)])
    D = shortest_path(abs(A).sign(), directed=False, unweighted=True)
    reached = np.isfinite(D)
    D[~reached] = D[reached].max() + 1.0  # parts that nothing joins stand apart
    # Parts alike leave the plane open, and nodes that start on one another would stay there: small
    # differences between paths, always the same, decide.
    U = np.triu(generator(0).random((n, n)), 1)
    D = D * (1.0 + _UNEVEN * (U + U.T))
    with warnings.catch_warnings():
        # Rings and stars have no first axis, and large networks settle slowly: nodes need places
        # that can be looked at, neither axes nor the last digit.
        for kind in (TiedAxesWarning, ConvergenceWarning):
            warnings.simplefilter("ignore", kind)
        return np.asarray(MDS(2, metric="precomputed", n_init=1).fit(D).coordinates_)
