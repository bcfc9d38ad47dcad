"""Numbers of copies of connected graphs on 3, 4 and 5 nodes, by formulas.

They follow from degrees, common neighbours, triangles and cliques. A copy need not be induced.
Each formula counts a product of choices and takes away those in which two choices meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.blocks import budget_bytes, require, row_blocks
from gramian.kernels.graph._batch import Batch, ranges


def two(x: Any) -> Any:
    """The number of pairs among x things."""
    return x * (x - 1) // 2


def three(x: Any) -> Any:
    """The number of triples among x things."""
    return x * (x - 1) * (x - 2) // 6


class Motifs:
    """Counts in every graph of a batch, (g,) each, under the names of the patterns.

    d, t: degree and triangles of a node; T: triangles on an edge; W: common neighbours of a pair.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.cliques = Cliques(batch)
        self.d = batch.degrees.astype(np.int64)

    def over_nodes(self, x: np.ndarray) -> np.ndarray:
        """Add up the nodes of each graph."""
        return np.add.reduceat(x, self.batch.offsets[:-1])

    def over(self, nodes: np.ndarray, x: Any) -> np.ndarray:
        """Add up by graph, for things known by one of their nodes."""
        total = np.zeros(len(self.batch), dtype=np.int64)
        np.add.at(total, self.batch.owner[nodes], x)
        return total

    def over_entries(self, M: sparse.csr_array) -> np.ndarray:
        """Add up the entries of a block-diagonal matrix over nodes."""
        return self.over_nodes(M.sum(axis=1))

    def on_nodes(self, cliques: np.ndarray) -> np.ndarray:
        """Count the cliques at each node."""
        return np.bincount(cliques.ravel(), minlength=self.d.size)

    def on_edges(self, cliques: np.ndarray) -> np.ndarray:
        """Count the cliques on each arc (the same on both of an edge)."""
        total = np.zeros(self.batch.heads.size, dtype=np.int64)
        for i, j in combinations(range(cliques.shape[1]), 2):
            u, v = cliques[:, i], cliques[:, j]
            for arcs in (self.cliques.arcs(u, v), self.cliques.arcs(v, u)):
                total += np.bincount(arcs, minlength=total.size)
        return total

    def over_edges(self, x: np.ndarray) -> np.ndarray:
        """Add up one number for each edge, given for all arcs."""
        arcs = self.batch.edges
        return self.over(self.batch.tails[arcs], x[arcs])

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The degrees of the two ends of each arc."""
        return self.d[self.batch.tails], self.d[self.batch.heads]

    @cached_property
    def t(self) -> np.ndarray:
        """Triangles at each node."""
        return self.on_nodes(self.cliques.triangles)

    @cached_property
    def T(self) -> np.ndarray:
        """Triangles on each arc."""
        return self.on_edges(self.cliques.triangles)

    @cached_property
    def A2(self) -> sparse.csr_array:
        """Walks of two steps."""
        return self.batch.pattern @ self.batch.pattern

    @cached_property
    def W(self) -> sparse.csr_array:
        """Common neighbours of two different nodes."""
        return _off_diagonal(self.A2)

    @cached_property
    def A3(self) -> sparse.csr_array:
        """Walks of three steps."""
        return self.A2 @ self.batch.pattern

    @cached_property
    def squares(self) -> np.ndarray:
        """Cycles of four nodes through each node."""
        return _each(self.W, two).sum(axis=1)

    @cached_property
    def links(self) -> sparse.csr_array:
        """Common neighbours of two arcs (p, s), (p, t): the nodes next to p, s and t."""
        i, j, k = self.cliques.triangles.T
        rows, cols = [], []
        for p, a, b in ((i, j, k), (j, i, k), (k, i, j)):
            first, second = self.cliques.arcs(p, a), self.cliques.arcs(p, b)
            rows += [first, second]
            cols += [second, first]
        at = (np.concatenate(rows), np.concatenate(cols))
        M = self.batch.heads.size
        link = sparse.csr_array((np.ones(at[0].size, dtype=np.int64), at), shape=(M, M))
        return _off_diagonal(link @ link)

    @cached_property
    def edges(self) -> np.ndarray:
        """The number of edges."""
        return self.over_nodes(self.d) // 2

    @property
    def wedge(self) -> np.ndarray:
        return self.over_nodes(two(self.d))

    @property
    def triangle(self) -> np.ndarray:
        return self.over_nodes(self.t) // 3

    @property
    def path4(self) -> np.ndarray:
        a, b = self.ends
        return self.over_edges((a - 1) * (b - 1)) - 3 * self.triangle

    @property
    def star4(self) -> np.ndarray:
        return self.over_nodes(three(self.d))

    @property
    def cycle4(self) -> np.ndarray:
        return self.over_nodes(self.squares) // 4

    @property
    def paw(self) -> np.ndarray:
        return self.over_nodes(self.t * (self.d - 2))

    @property
    def diamond(self) -> np.ndarray:
        return self.over_edges(two(self.T))

    @property
    def clique4(self) -> np.ndarray:
        return self.over(self.cliques.fours[:, 0], 1)

    @property
    def path5(self) -> np.ndarray:
        near = self.batch.pattern @ (self.d - 1)
        near2 = self.batch.pattern @ (self.d - 1) ** 2
        ends = self.over_nodes(2 * self.t * self.d) - 9 * self.triangle
        return self.over_nodes((near**2 - near2) // 2) - ends - 4 * self.cycle4

    @property
    def fork(self) -> np.ndarray:
        a, b = self.ends
        both = (b - 1) * two(a - 1) + (a - 1) * two(b - 1)
        return self.over_edges(both) - self.over_nodes(2 * self.t * (self.d - 2))

    @property
    def star5(self) -> np.ndarray:
        return self.over_nodes(three(self.d) * (self.d - 3) // 4)

    @property
    def cycle5(self) -> np.ndarray:
        closed = self.over_entries(self.A2.multiply(self.A3))
        return (closed - 30 * self.triangle - self.over_nodes(10 * (self.d - 2) * self.t)) // 10

    @property
    def bull(self) -> np.ndarray:
        a, b = self.ends
        return self.over_edges(self.T * (a - 2) * (b - 2)) - 2 * self.diamond

    @property
    def cricket(self) -> np.ndarray:
        return self.over_nodes(self.t * two(self.d - 2))

    @property
    def tadpole(self) -> np.ndarray:
        near = self.batch.pattern @ (self.d - 1)
        return (
            self.over_nodes(self.t * near - 2 * self.t * self.d)
            + 6 * self.triangle
            - 4 * self.diamond
        )

    @property
    def banner(self) -> np.ndarray:
        return self.over_nodes(self.squares * (self.d - 2)) - 2 * self.diamond

    @property
    def house(self) -> np.ndarray:
        a, b = self.ends
        squares = _at(self.A3, self.batch.tails, self.batch.heads) - a - b + 1
        return self.over_edges(self.T * squares) - 4 * self.diamond

    @property
    def bipartite23(self) -> np.ndarray:
        return self.over_entries(_each(self.W, three)) // 2

    @property
    def butterfly(self) -> np.ndarray:
        return self.over_nodes(two(self.t)) - 2 * self.diamond

    @property
    def dart(self) -> np.ndarray:
        a, b = self.ends
        return self.over_edges(two(self.T) * (a + b - 6))

    @property
    def kite(self) -> np.ndarray:
        tips = np.zeros(len(self.batch), dtype=np.int64)
        for first, second, tip in ((0, 1, 2), (1, 2, 0), (0, 2, 1)):
            u, v, w = (self.cliques.triangles[:, c] for c in (first, second, tip))
            tips += self.over(u, (self.T[self.cliques.arcs(u, v)] - 1) * (self.d[w] - 2))
        return tips - 12 * self.clique4

    @property
    def gem(self) -> np.ndarray:
        i, j, k = self.cliques.triangles.T
        a, b, c = (self.T[self.cliques.arcs(u, v)] - 1 for u, v in ((i, j), (j, k), (i, k)))
        return self.over(i, a * b + b * c + a * c) - 12 * self.clique4

    @property
    def clique4_tail(self) -> np.ndarray:
        return self.over_nodes(self.on_nodes(self.cliques.fours) * (self.d - 3))

    @property
    def book(self) -> np.ndarray:
        return self.over_edges(three(self.T))

    @property
    def bipartite23_edge(self) -> np.ndarray:
        links = self.links.tocoo()
        s, t = self.batch.heads[links.row], self.batch.heads[links.col]
        return self.over(s, links.data * (_at(self.W, s, t) - 2)) // 4

    @property
    def wheel(self) -> np.ndarray:
        return self.over(self.batch.tails, _each(self.links, two).sum(axis=1)) // 4

    @property
    def clique4_ear(self) -> np.ndarray:
        return self.over_edges(self.on_edges(self.cliques.fours) * (self.T - 2))

    @property
    def clique5_less_edge(self) -> np.ndarray:
        N = self.d.size
        fours = np.sort(self.cliques.fours, axis=1)
        keys = [
            self.cliques.arcs(fours[:, a], fours[:, b]) * N + fours[:, c]
            for a, b, c in combinations(range(4), 3)
        ]
        triangle, times = np.unique(np.concatenate(keys), return_counts=True)
        return self.over(triangle % N, two(times))

    @property
    def clique5(self) -> np.ndarray:
        total = np.zeros(len(self.batch), dtype=np.int64)
        for fives in self.cliques.fives():
            total += self.over(fives[:, 0], 1)
        return total


def _off_diagonal(M: sparse.csr_array) -> sparse.csr_array:
    off = M.copy()
    off.sort_indices()
    rows = np.repeat(np.arange(M.shape[0]), np.diff(off.indptr))
    off.data[rows == off.indices] = 0
    off.eliminate_zeros()
    return off


def _each(M: sparse.csr_array, f: Any) -> sparse.csr_array:
    return sparse.csr_array((f(M.data), M.indices, M.indptr), shape=M.shape)


def _at(M: sparse.csr_array, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Return entries of a sparse matrix, 0 where nothing is stored."""
    return np.asarray(M[rows, cols]).ravel() if rows.size else np.zeros(0, dtype=np.int64)


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
        require(size, budget_bytes(None), what, "use a lower k, or samples= for an estimate")
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
