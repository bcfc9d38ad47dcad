"""All graphs on k nodes up to renumbering, and how many copies of each lie in each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np

# Connected graphs on up to 5 nodes by the edges between their nodes 0, 1, 2, …
NAMED = {
    "wedge": "01 12",
    "triangle": "01 12 02",
    "path4": "01 12 23",
    "star4": "01 02 03",
    "cycle4": "01 12 23 03",
    "paw": "01 12 02 23",
    "diamond": "01 12 02 13 23",
    "clique4": "01 02 03 12 13 23",
    "path5": "01 12 23 34",
    "fork": "01 02 03 34",
    "star5": "01 02 03 04",
    "cycle5": "01 12 23 34 04",
    "bull": "01 12 02 13 24",
    "cricket": "01 12 02 03 04",
    "tadpole": "01 12 02 23 34",
    "banner": "01 12 23 03 34",
    "house": "01 12 23 03 04 14",
    "bipartite23": "02 03 04 12 13 14",
    "butterfly": "01 02 12 03 04 34",
    "dart": "01 12 02 13 23 14",
    "kite": "01 12 02 13 23 04",
    "gem": "01 02 03 04 12 23 34",
    "clique4_tail": "01 02 03 12 13 23 34",
    "book": "01 02 03 04 12 13 14",
    "bipartite23_edge": "02 03 04 12 13 14 23",
    "wheel": "01 02 03 04 12 23 34 14",
    "clique4_ear": "01 02 03 12 13 23 04 14",
    "clique5_less_edge": "01 02 03 04 12 13 14 23 24",
    "clique5": "01 02 03 04 12 13 14 23 24 34",
}


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
    return Patterns(k, kind, copies, np.array([_is_connected(int(f), pairs, k) for f in forms]))


def _is_connected(graph: int, pairs: list[tuple[int, int]], k: int) -> bool:
    reached = {0}
    for _ in range(k):
        for bit, pair in enumerate(pairs):
            if graph >> bit & 1 and reached & set(pair):
                reached |= set(pair)
    return len(reached) == k
