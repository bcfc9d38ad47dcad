"""Triangles and larger cliques, listed for a whole batch of graphs at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from gramian._core.parallel import budget_bytes, require_memory, row_blocks
from gramian.kernels.graph._batch import Batch, ranges

AT_ONCE = 1 << 17  # cliques that are grown together


class Cliques:
    """Cliques as rows of nodes, each listed once.

    Arcs are directed from nodes of smaller to nodes of larger degree, so that few go out of any
    node; a clique is grown by a node to which arcs go from all its nodes.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.n_nodes = batch.owner.size

    @cached_property
    def keys(self) -> np.ndarray:
        """The arcs as sorted numbers."""
        return self.batch.tails * self.n_nodes + self.batch.heads

    def arcs(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the arcs between nodes that are known to be neighbours."""
        return np.searchsorted(self.keys, tails * self.n_nodes + heads)

    def are_neighbours(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return whether there is an arc."""
        pairs = tails * self.n_nodes + heads
        place = np.searchsorted(self.keys, pairs)
        return np.append(self.keys, -1)[place] == pairs

    @cached_property
    def _up(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the upward arcs of each node start, and where they go."""
        b = self.batch
        rank = np.empty(self.n_nodes, dtype=np.int64)
        rank[np.argsort(b.degrees, kind="stable")] = np.arange(self.n_nodes)
        up = rank[b.tails] < rank[b.heads]
        starts = np.concatenate([[0], np.cumsum(up)])[b.indptr]
        return starts, b.heads[up]

    def grow(self, cliques: np.ndarray) -> np.ndarray:
        """Return the cliques with one more node, (m, r+1), made of these, (n, r)."""
        starts, heads = self._up
        last = cliques[:, -1]
        number = starts[last + 1] - starts[last]
        size = 8.0 * (cliques.shape[1] + 3) * float(number.sum())
        what = f"a list of the cliques of {cliques.shape[1] + 1} nodes"
        require_memory(size, budget_bytes(None), what, "use a lower k, or samples= for an estimate")
        parent = np.repeat(np.arange(last.size), number)
        new = heads[ranges(starts[last], number)]
        for column in range(cliques.shape[1] - 1):
            good = self.are_neighbours(cliques[parent, column], new)
            parent, new = parent[good], new[good]
        return np.column_stack([cliques[parent], new])

    @cached_property
    def edges(self) -> np.ndarray:
        """Every edge, from its lower node to its upper."""
        starts, heads = self._up
        tails = np.repeat(np.arange(self.n_nodes), np.diff(starts))
        return np.column_stack([tails, heads])

    @cached_property
    def triangles(self) -> np.ndarray:
        """Every triangle, (T, 3)."""
        return self.grow(self.edges)

    @cached_property
    def fours(self) -> np.ndarray:
        """Every clique of 4 nodes."""
        return self.grow(self.triangles)

    def fives(self) -> Iterator[np.ndarray]:
        """Yield every clique of 5 nodes, some at a time: a dense graph has too many to keep."""
        for rows in row_blocks(len(self.fours), AT_ONCE):
            yield self.grow(self.fours[rows])
