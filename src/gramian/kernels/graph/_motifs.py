"""Numbers of copies of connected graphs on 3, 4 and 5 nodes, by formulas.

They follow from degrees, common neighbours, triangles and cliques. A copy need not be induced.
Each formula counts a product of choices and takes away those in which two choices meet.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations

import numpy as np
from scipy import sparse

from gramian._core.parallel import budget_bytes, require_memory, row_blocks
from gramian.kernels.graph._batch import Batch
from gramian.kernels.objects import ranges

CLIQUES_AT_ONCE = 1 << 17  # cliques that are grown together


def two(x: np.ndarray) -> np.ndarray:
    """The number of pairs among x things."""
    return np.asarray(x * (x - 1) // 2)


def three(x: np.ndarray) -> np.ndarray:
    """The number of triples among x things."""
    return np.asarray(x * (x - 1) * (x - 2) // 6)


class Motifs:
    """Numbers of copies of each motif in every graph of a batch, (g,), by name.

    d, t: degree and triangles of a node; T: triangles on an edge; W: common neighbours of a pair.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.cliques = Cliques(batch)
        self.d = batch.degrees.astype(np.int64)
        self._counts: dict[str, np.ndarray] = {}

    def over_nodes(self, x: np.ndarray) -> np.ndarray:
        """Add up the nodes of each graph."""
        return np.add.reduceat(x, self.batch.offsets[:-1])

    def over(self, nodes: np.ndarray, x: np.ndarray | int) -> np.ndarray:
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

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the number of copies of a motif in each graph, counted once."""
        if name not in self._counts:
            self._counts[name] = np.asarray(MOTIFS[name][1](self))
        return self._counts[name]

    @cached_property
    def a(self) -> np.ndarray:
        """The degree of the tail of each arc."""
        return np.asarray(self.d[self.batch.tails])

    @cached_property
    def b(self) -> np.ndarray:
        """The degree of the head of each arc."""
        return np.asarray(self.d[self.batch.heads])

    @cached_property
    def near(self) -> np.ndarray:
        """Σ (d − 1) over the neighbours of each node."""
        return np.asarray(self.batch.pattern @ (self.d - 1))

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
        return np.asarray(_each(self.W, two).sum(axis=1))

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


def _off_diagonal(M: sparse.csr_array) -> sparse.csr_array:
    off = M.copy()
    off.sort_indices()
    rows = np.repeat(np.arange(M.shape[0]), np.diff(off.indptr))
    off.data[rows == off.indices] = 0
    off.eliminate_zeros()
    return off


def _each(M: sparse.csr_array, f: Callable[[np.ndarray], np.ndarray]) -> sparse.csr_array:
    return sparse.csr_array((f(M.data), M.indices, M.indptr), shape=M.shape)


def _at(M: sparse.csr_array, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Return entries of a sparse matrix, 0 where nothing is stored."""
    return np.asarray(M[rows, cols]).ravel() if rows.size else np.zeros(0, dtype=np.int64)


def _path5(m: Motifs) -> np.ndarray:
    near2 = m.batch.pattern @ (m.d - 1) ** 2
    ends = m.over_nodes(2 * m.t * m.d) - 9 * m["triangle"]
    return np.asarray(m.over_nodes((m.near**2 - near2) // 2) - ends - 4 * m["cycle4"])


def _fork(m: Motifs) -> np.ndarray:
    both = (m.b - 1) * two(m.a - 1) + (m.a - 1) * two(m.b - 1)
    return np.asarray(m.over_edges(both) - m.over_nodes(2 * m.t * (m.d - 2)))


def _cycle5(m: Motifs) -> np.ndarray:
    closed = m.over_entries(m.A2.multiply(m.A3))
    return np.asarray((closed - 30 * m["triangle"] - m.over_nodes(10 * (m.d - 2) * m.t)) // 10)


def _house(m: Motifs) -> np.ndarray:
    squares = _at(m.A3, m.batch.tails, m.batch.heads) - m.a - m.b + 1
    return np.asarray(m.over_edges(m.T * squares) - 4 * m["diamond"])


def _kite(m: Motifs) -> np.ndarray:
    tips = np.zeros(len(m.batch), dtype=np.int64)
    for first, second, tip in ((0, 1, 2), (1, 2, 0), (0, 2, 1)):
        u, v, w = (m.cliques.triangles[:, c] for c in (first, second, tip))
        tips += m.over(u, (m.T[m.cliques.arcs(u, v)] - 1) * (m.d[w] - 2))
    return np.asarray(tips - 12 * m["clique4"])


def _gem(m: Motifs) -> np.ndarray:
    i, j, k = m.cliques.triangles.T
    a, b, c = (m.T[m.cliques.arcs(u, v)] - 1 for u, v in ((i, j), (j, k), (i, k)))
    return np.asarray(m.over(i, a * b + b * c + a * c) - 12 * m["clique4"])


def _bipartite23_edge(m: Motifs) -> np.ndarray:
    links = m.links.tocoo()
    s, t = m.batch.heads[links.row], m.batch.heads[links.col]
    return m.over(s, links.data * (_at(m.W, s, t) - 2)) // 4


def _clique5_less_edge(m: Motifs) -> np.ndarray:
    N = m.d.size
    fours = np.sort(m.cliques.fours, axis=1)
    keys = [
        m.cliques.arcs(fours[:, a], fours[:, b]) * N + fours[:, c]
        for a, b, c in combinations(range(4), 3)
    ]
    triangle, times = np.unique(np.concatenate(keys), return_counts=True)
    return m.over(triangle % N, two(times))


# Connected graphs on up to 5 nodes: the edges between their nodes 0, 1, 2, …, and their number.
MOTIFS: dict[str, tuple[str, Callable[[Motifs], np.ndarray]]] = {
    "wedge": ("01 12", lambda m: m.over_nodes(two(m.d))),
    "triangle": ("01 12 02", lambda m: m.over_nodes(m.t) // 3),
    "path4": ("01 12 23", lambda m: m.over_edges((m.a - 1) * (m.b - 1)) - 3 * m["triangle"]),
    "star4": ("01 02 03", lambda m: m.over_nodes(three(m.d))),
    "cycle4": ("01 12 23 03", lambda m: m.over_nodes(m.squares) // 4),
    "paw": ("01 12 02 23", lambda m: m.over_nodes(m.t * (m.d - 2))),
    "diamond": ("01 12 02 13 23", lambda m: m.over_edges(two(m.T))),
    "clique4": ("01 02 03 12 13 23", lambda m: m.over(m.cliques.fours[:, 0], 1)),
    "path5": ("01 12 23 34", _path5),
    "fork": ("01 02 03 34", _fork),
    "star5": ("01 02 03 04", lambda m: m.over_nodes(three(m.d) * (m.d - 3) // 4)),
    "cycle5": ("01 12 23 34 04", _cycle5),
    "bull": (
        "01 12 02 13 24",
        lambda m: m.over_edges(m.T * (m.a - 2) * (m.b - 2)) - 2 * m["diamond"],
    ),
    "cricket": ("01 12 02 03 04", lambda m: m.over_nodes(m.t * two(m.d - 2))),
    "tadpole": (
        "01 12 02 23 34",
        lambda m: m.over_nodes(m.t * (m.near - 2 * m.d)) + 6 * m["triangle"] - 4 * m["diamond"],
    ),
    "banner": ("01 12 23 03 34", lambda m: m.over_nodes(m.squares * (m.d - 2)) - 2 * m["diamond"]),
    "house": ("01 12 23 03 04 14", _house),
    "bipartite23": ("02 03 04 12 13 14", lambda m: m.over_entries(_each(m.W, three)) // 2),
    "butterfly": ("01 02 12 03 04 34", lambda m: m.over_nodes(two(m.t)) - 2 * m["diamond"]),
    "dart": ("01 12 02 13 23 14", lambda m: m.over_edges(two(m.T) * (m.a + m.b - 6))),
    "kite": ("01 12 02 13 23 04", _kite),
    "gem": ("01 02 03 04 12 23 34", _gem),
    "clique4_tail": (
        "01 02 03 12 13 23 34",
        lambda m: m.over_nodes(m.on_nodes(m.cliques.fours) * (m.d - 3)),
    ),
    "book": ("01 02 03 04 12 13 14", lambda m: m.over_edges(three(m.T))),
    "bipartite23_edge": ("02 03 04 12 13 14 23", _bipartite23_edge),
    "wheel": (
        "01 02 03 04 12 23 34 14",
        lambda m: m.over(m.batch.tails, _each(m.links, two).sum(axis=1)) // 4,
    ),
    "clique4_ear": (
        "01 02 03 12 13 23 04 14",
        lambda m: m.over_edges(m.on_edges(m.cliques.fours) * (m.T - 2)),
    ),
    "clique5_less_edge": ("01 02 03 04 12 13 14 23 24", _clique5_less_edge),
    "clique5": (
        "01 02 03 04 12 13 14 23 24 34",
        lambda m: sum((m.over(fives[:, 0], 1) for fives in m.cliques.fives()), 0 * m.edges),
    ),
}


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
        return np.asarray(self.batch.tails * self.n_nodes + self.batch.heads)

    def arcs(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the arcs between nodes that are known to be neighbours."""
        return np.asarray(np.searchsorted(self.keys, tails * self.n_nodes + heads))

    def are_neighbours(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return whether there is an arc."""
        pairs = tails * self.n_nodes + heads
        place = np.searchsorted(self.keys, pairs)
        return np.asarray(np.append(self.keys, -1)[place] == pairs)

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
        for rows in row_blocks(len(self.fours), CLIQUES_AT_ONCE):
            yield self.grow(self.fours[rows])
