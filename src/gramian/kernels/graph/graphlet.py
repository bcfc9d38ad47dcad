"""The graphlet kernel, which counts small induced subgraphs."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np

from gramian._core.check import flag, generator, is_whole, short, whole
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.types import RowsLike
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, Counting, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.graph._motifs import MOTIFS, Cliques, Motifs, two
from gramian.kernels.objects import Occurrences
from gramian.kernels.registry import register


@register(kind="graphs")
class Graphlet(Counting):
    """The graphlet kernel, k(G, H) = Σ_i c_i(G)·c_i(H) over the patterns i of k nodes.

    c_i is the exact number of k-subsets of the nodes that induce pattern i, computed in about the
    time it takes to list the triangles and cliques. Labels and weights are ignored.

    Parameters
    ----------
    k : 3, 4 or 5
        Number of nodes of a pattern; there are 4, 11 and 34 patterns.
    connected : bool
        Whether only connected patterns count.
    frequencies : bool
        Divide by the number of subsets, so that large graphs do not outweigh small ones.
    samples : int, optional
        Estimate the counts from this many random subsets of each graph instead.
    random_state : int, Generator or RandomState, optional
        The seed of the sampling, the same for every graph: equal graphs get equal estimates.

    Examples
    --------
    >>> square = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    >>> float(Graphlet(k=3)([square])[0, 0])
    16.0
    """

    def __init__(
        self,
        k: int = 3,
        connected: bool = False,
        frequencies: bool = False,
        samples: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.k = k
        self.connected = connected
        self.frequencies = frequencies
        self.samples = samples
        self.random_state = random_state

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The numbers of the patterns."""
        counts = self._counts(batch)
        if self.frequencies:
            counts = counts / np.maximum(_choose(batch.sizes, self.k), 1)[:, None]
        if self.connected:
            counts = counts * patterns(self.k).connected
        rows, which = np.nonzero(counts)
        return Occurrences(rows, which.astype(np.uint64), counts[rows, which])

    def counts(self, X: RowsLike) -> np.ndarray:
        """Return the number of subsets that induce each pattern, (n, 4, 11 or 34).

        Patterns go from no edges to all.

        >>> Graphlet(k=3).counts([[[0, 1, 0], [1, 0, 1], [0, 1, 0]]])
        array([[0, 0, 1, 0]])
        """
        X = as_graphs(X)
        return X.take(self._counts(batch_of(X)))

    def _counts(self, batch: Batch) -> np.ndarray:
        if not is_whole(self.k) or self.k not in (3, 4, 5):
            raise InputError(f"k={short(self.k)} must be 3, 4 or 5")
        flag(self.connected, "connected")
        flag(self.frequencies, "frequencies")
        n = int(batch.sizes.max())
        if math.comb(n, self.k) * self.k >= 2**63:
            raise InputError(f"k={self.k}: {n} nodes have too many subsets to count: use a lower k")
        if self.samples is None:
            return count_induced(batch, self.k)
        samples = whole(self.samples, "samples")
        require_memory(
            8.0 * self.k * samples, budget_bytes(None), f"{samples} samples", "draw fewer"
        )
        return self._sample_counts(batch)

    def _sample_counts(self, batch: Batch) -> np.ndarray:
        k, S = self.k, int(self.samples or 0)
        known, cliques = patterns(k), Cliques(batch)
        counts = np.zeros((len(batch), known.connected.size))
        for g in np.flatnonzero(batch.sizes >= k):
            n = int(batch.sizes[g])
            nodes = batch.offsets[g] + _subsets(n, k, S, self.random_state)
            drawn = np.zeros(S, dtype=np.int64)
            for bit, (i, j) in enumerate(combinations(range(k), 2)):
                drawn |= cliques.are_neighbours(nodes[:, i], nodes[:, j]).astype(np.int64) << bit
            kinds = np.bincount(known.kind[drawn], minlength=counts.shape[1])
            counts[g] = kinds * (math.comb(n, k) / S)
        return counts


def _subsets(n: int, k: int, size: int, random_state: int | None) -> np.ndarray:
    """Draw k different numbers below n, size times, (size, k)."""
    rng = generator(random_state)
    chosen = np.empty((size, k), dtype=np.int64)
    for i in range(k):
        x = rng.integers(0, n - i, size)
        for earlier in np.sort(chosen[:, :i], axis=1).T:  # step over those already taken
            x += x >= earlier
        chosen[:, i] = x
    return chosen


def count_induced(batch: Batch, k: int) -> np.ndarray:
    """Return how many k-subsets of each graph's nodes induce each pattern, (g, patterns).

    Copies of a pattern are those inside each induced subgraph: the numbers of induced subgraphs
    follow by back substitution, from many edges to few, in whole numbers.
    """
    known = patterns(k)
    counts = np.zeros((known.connected.size, len(batch)), dtype=np.int64)
    for edges, number in _copies(batch, k).items():
        counts[known.of(edges)] = number
    for j in range(len(counts) - 1, -1, -1):
        counts[j] -= known.copies[j, j + 1 :] @ counts[j + 1 :]
    return counts.T


def _copies(batch: Batch, k: int) -> dict[str, np.ndarray]:
    """Return the number of copies of every pattern on k nodes, by its edges."""
    m, n = Motifs(batch), batch.sizes.astype(np.int64)
    e = m.edges
    copies = {"": np.ones_like(n), "01": e}
    copies |= {edges: m[name] for name, (edges, _) in MOTIFS.items() if _nodes(edges) <= k}
    if k >= 4:
        copies["01 23"] = two(e) - m["wedge"]
    if k == 5:
        # A wedge or a triangle and an edge apart: all choices, less those in which they meet.
        meet = 2 * m["wedge"] + 3 * m["triangle"] + 2 * m["path4"] + 3 * m["star4"]
        copies["01 12 34"] = m["wedge"] * e - meet
        copies["01 12 02 34"] = m["triangle"] * (e - 3) - m["paw"]
    return {s: x * _choose(n - _nodes(s), k - _nodes(s)) for s, x in copies.items()}


def _nodes(edges: str) -> int:
    return len(set(edges.replace(" ", "")))


def _choose(n: np.ndarray, k: int) -> np.ndarray:
    value = np.ones_like(n)
    for i in range(k):
        value = value * np.maximum(n - i, 0) // (i + 1)
    return value


@dataclass(frozen=True, eq=False)
class Patterns:
    """The graphs on k nodes: a graph is a set of pairs of nodes, written as bits of a number."""

    k: int
    kind: np.ndarray  # (2^pairs,) the pattern of each graph
    copies: np.ndarray  # (v, v) copies of pattern i in pattern j; 1 on the diagonal, 0 below
    connected: np.ndarray  # (v,)

    def of(self, edges: str) -> int:
        """Return the pattern with these edges; nodes without an edge are isolated."""
        pairs = ["".join(map(str, pair)) for pair in combinations(range(self.k), 2)]
        return int(self.kind[sum(1 << pairs.index(edge) for edge in edges.split())])


@cache
def patterns(k: int) -> Patterns:
    """Return the patterns on k nodes, from few edges to many."""
    pairs = list(combinations(range(k), 2))
    graphs = np.arange(1 << len(pairs))
    smallest = graphs.copy()
    for p in permutations(range(k)):
        moved = np.zeros_like(graphs)
        for bit, (i, j) in enumerate(pairs):
            to = pairs.index((min(p[i], p[j]), max(p[i], p[j])))
            moved |= ((graphs >> bit) & 1) << to
        smallest = np.minimum(smallest, moved)
    ones = np.array([int(g).bit_count() for g in graphs])
    forms = np.unique(smallest)
    forms = forms[np.argsort(ones[forms], kind="stable")]
    number = np.zeros(graphs.size, dtype=np.int64)
    number[forms] = np.arange(forms.size)
    kind = number[smallest]
    copies = np.stack(
        [np.bincount(kind[(graphs & ~form) == 0], minlength=forms.size) for form in forms], axis=1
    )
    known = Patterns(k, kind, copies, np.zeros(forms.size, dtype=bool))
    known.connected[[known.of(edges) for edges, _ in MOTIFS.values() if _nodes(edges) == k]] = True
    return known
