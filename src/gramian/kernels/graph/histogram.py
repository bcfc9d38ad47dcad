"""Kernels that count labels of nodes and of edges."""

from __future__ import annotations

import numpy as np

from gramian._core.check import one_of
from gramian._core.hashing import combine
from gramian._core.pairs import Points
from gramian.errors import InputError
from gramian.kernels.base import Kernel, Names, Weights
from gramian.kernels.graph._batch import Batch, Counting, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.objects import Occurrences
from gramian.kernels.registry import register

EDGE_KINDS = ("auto", "label", "ends", "none")


@register(kind="graphs")
class VertexHistogram(Counting):
    """Nodes with equal labels: k(G, H) = Σ_l c_l(G)·c_l(H), c_l the number of nodes labelled l.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(VertexHistogram()([(path, ["a", "a", "b"])])[0, 0])
    5.0
    """

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The label of every node."""
        return Occurrences(batch.owner, batch.codes)


@register(kind="graphs")
class EdgeHistogram(Counting):
    """Edges of equal kind: k(G, H) = Σ_l c_l(G)·c_l(H), c_l the number of edges of kind l.

    Every edge counts once.

    Parameters
    ----------
    by : "auto", "label", "ends" or "none"
        The kind of an edge: its own label, the two labels of its ends, or all the same. "auto"
        takes the first of these that the graphs have.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(EdgeHistogram(by="ends")([(path, ["a", "b", "a"])])[0, 0])
    4.0
    """

    def __init__(self, by: str = "auto") -> None:
        self.by = by

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The kind of every edge."""
        arcs = batch.edges
        rows = batch.owner[batch.tails[arcs]]
        by = self._by(batch)
        if by == "label":
            return Occurrences(rows, _edge_codes(batch)[arcs])
        if by == "none":
            return Occurrences(rows, np.zeros(arcs.size, dtype=np.uint64))
        a, b = batch.codes[batch.tails[arcs]], batch.codes[batch.heads[arcs]]
        return Occurrences(rows, combine(np.minimum(a, b), np.maximum(a, b)))

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with the kind of an edge decided."""
        return EdgeHistogram(self._by(batch_of(as_graphs(points.X))))

    def _by(self, batch: Batch) -> str:
        one_of(self.by, "by", EDGE_KINDS)
        if self.by != "auto":
            return self.by
        if batch.has_edge_labels:
            return "label"
        return "ends" if batch.is_labelled else "none"


def _edge_codes(batch: Batch) -> np.ndarray:
    if batch.edge_codes is None:
        k = next((k for k, g in enumerate(batch.graphs) if g.edge_codes is None), 0)
        raise InputError(
            f'X[{k}] has no edge labels: set the attribute "label" of its edges, or use by="ends"'
        )
    return batch.edge_codes
