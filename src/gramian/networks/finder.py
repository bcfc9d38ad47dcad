"""What the study repeats: finding networks in sets of rows, and comparing them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.check import answer
from gramian._core.pairs import Points
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.graph import EdgeOverlap, as_graph
from gramian.kernels.graph.on_nodes import VALUES
from gramian.networks.contrasts import Pool, Samples
from gramian.networks.correlations import upper
from gramian.networks.infer import Edges, Recipe

_MAX_DENSITY = 0.1  # share of the pairs that are edges, by default
_MAX_EDGES_PER_COLUMN = 10  # by default


@dataclass(frozen=True)
class Custom:
    """A function of a table that returns a network, a graph or an adjacency matrix."""

    function: Callable[[np.ndarray], Any]
    least_rows = 2

    def many(self, pool: Pool, subsets: Sequence[np.ndarray]) -> list[Edges]:
        """Return the edges found in the tables of some sets of things."""
        return [self._edges(pool.table(rows)) for rows in subsets]

    def _edges(self, X: np.ndarray) -> Edges:
        p = X.shape[1]
        A = as_graph(answer(self.function, "infer", X.copy())).adjacency
        if A.shape[0] != p:
            raise InputError(f"infer returned a network of {A.shape[0]} nodes for {p} columns")
        upper_half = sparse.triu(A, 1).tocoo()
        i, j = upper_half.row.astype(np.int64), upper_half.col.astype(np.int64)
        pairs = i * p - i * (i + 1) // 2 + j - i - 1
        order = np.argsort(pairs)
        return Edges(pairs[order], upper_half.data[order].astype(np.float64))

    def __repr__(self) -> str:
        return f"Custom({getattr(self.function, '__qualname__', type(self.function).__name__)})"


Finder = Recipe | Custom


def as_finder(
    infer: str | dict[str, Any] | Callable[[np.ndarray], Any] | None, within: np.ndarray
) -> Finder:
    """Return how networks are found.

    By default these are the strongest correlations, as many as are significant (false discovery
    rate 0.05) in all samples less the means of conditions, at least one for two columns: the same
    number at every size, so that small and large samples are compared on equal terms.
    """
    if infer is None:
        p = within.shape[1]
        pairs = p * (p - 1) // 2
        significant = Recipe(fdr=0.05).edges(within).pairs.size
        count = max(min(significant, _MAX_DENSITY * pairs, _MAX_EDGES_PER_COLUMN * p), p / 2)
        return Recipe(shrinkage=0.0, density=min(count / pairs, 1.0))
    if isinstance(infer, str):
        return Recipe(infer)
    if isinstance(infer, dict):
        known = {field.name for field in fields(Recipe)}
        unknown = sorted(set(map(str, infer)) - known)
        if unknown:
            raise InputError(
                f"infer has {unknown[0][:40]!r}, which is no option here: use {', '.join(known)}"
            )
        return Recipe(**infer)
    if callable(infer):
        return Custom(infer)
    raise InputTypeError(
        f"infer is {type(infer).__name__}: give a method's name, a dictionary of options of "
        "infer, or a function of a table"
    )


@dataclass(frozen=True, eq=False)
class Similarity:
    """k(G, H)/√(k(G, G)·k(H, H)) between networks on p nodes."""

    kernel: Kernel
    p: int

    def __call__(self, networks: Sequence[Edges]) -> np.ndarray:
        """Return the similarities, (m, m); a network of length 0 is like none, itself included."""
        K = self._values(networks)
        d = np.diagonal(K)
        length = np.where(d > 0, np.sqrt(np.maximum(d, 0.0)), np.inf)
        S = K / (length[:, None] * length)
        S[np.diag_indices(len(S))] = np.where(d > 0, 1.0, 0.0)
        return np.asarray(S)

    def _values(self, networks: Sequence[Edges]) -> np.ndarray:
        if type(self.kernel) is not EdgeOverlap:
            return np.asarray(self.kernel.pairwise(self.graphs(networks)), dtype=np.float64)
        # The kernel's numbers without a graph for each network: an edge is its pair's number.
        values = [VALUES[self.kernel.value](edges.weights) for edges in networks]
        starts = np.concatenate([[0], np.cumsum([edges.pairs.size for edges in networks])])
        arcs = np.concatenate(values), np.concatenate([edges.pairs for edges in networks]), starts
        M = sparse.csr_array(arcs, shape=(len(networks), self.p * (self.p - 1) // 2))
        return np.asarray((M @ M.T).todense(), dtype=np.float64)

    def graphs(self, networks: Sequence[Edges]) -> list[sparse.csr_array]:
        """Return the networks as symmetric adjacency matrices."""
        i, j = upper(self.p)
        matrices = []
        for pairs, weights in networks:
            tails = np.concatenate([i[pairs], j[pairs]])
            heads = np.concatenate([j[pairs], i[pairs]])
            order = np.argsort(tails * self.p + heads)
            starts = np.searchsorted(tails[order], np.arange(self.p + 1))
            arcs = np.concatenate([weights, weights])[order], heads[order], starts
            matrices.append(sparse.csr_array(arcs, shape=(self.p, self.p)))
        return matrices


def similarity_of(kernel: Kernel | None, finder: Finder, within: np.ndarray, r: int) -> Similarity:
    """Return the similarity of networks; a kernel whose scale depends on data gets one scale.

    It is that of networks found in sets of rows of all conditions together, less their means, so
    that it does not depend on which row belongs to which condition.
    """
    if kernel is None:
        kernel = EdgeOverlap(value="sign")
    if not isinstance(kernel, Kernel):
        raise InputTypeError(
            f"kernel is {type(kernel).__name__}: give a kernel on graphs, of gramian.kernels.graph"
        )
    plain = Similarity(kernel, within.shape[1])
    rng = np.random.default_rng(0)
    r = min(r, len(within))
    subsets = [rng.choice(len(within), r, replace=False) for _ in range(20)]
    rows = kernel.rows(plain.graphs(finder.many(Samples(within), subsets)), "X")
    return Similarity(kernel.resolve(Points(rows)), within.shape[1])
