"""What the study repeats: finding networks in sets of rows, and comparing them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.check import answer
from gramian._core.pairs import Points
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.graph import EdgeOverlap, as_graph
from gramian.kernels.graph.on_nodes import VALUES
from gramian.networks.correlations import unit_columns, upper
from gramian.networks.infer import Edges, Recipe
from gramian.networks.structure import clustered_modules

AGREEMENTS = ("links", "weights", "modules")
MIN_EDGES = 20  # of a network by default, or one for two columns if these are fewer
_SOFT = 6  # power of correlations in weighted networks (Zhang and Horvath 2005)


@dataclass(frozen=True)
class Custom:
    """A function of a table that returns a network, a graph or an adjacency matrix."""

    function: Callable[[np.ndarray], Any]
    least_rows = 2

    def many(self, tables: Sequence[np.ndarray]) -> list[Edges]:
        """Return the edges found in each table."""
        return [self._edges(X) for X in tables]

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
    """Return how networks are found, from what the user gives."""
    if infer is None:
        return default_recipe(within)
    if isinstance(infer, str):
        return Recipe(infer)
    if isinstance(infer, dict):
        known = {field.name for field in fields(Recipe)}
        unknown = sorted(set(map(str, infer)) - known)
        if unknown:
            raise InputError(
                f"infer has {unknown[0][:40]!r}, which is not an option: use {', '.join(known)}"
            )
        return Recipe(**infer)
    if callable(infer):
        return Custom(infer)
    raise InputTypeError(
        f"infer is {type(infer).__name__}: give a method's name, a dictionary of options of "
        "infer, or a function of a table"
    )


def default_recipe(within: np.ndarray) -> Recipe:
    """Return the strongest correlations, as many as are significant in a table."""
    # At a false discovery rate of 0.05, with no upper limit, which would cut through links of equal
    # strength: the same number at every size, so that small and large samples are compared on equal
    # terms. There are at least `MIN_EDGES`: a network of two or three edges agrees with another by
    # whole thirds. More than there are links would never agree.
    p = within.shape[1]
    pairs = p * (p - 1) // 2
    significant = Recipe(fdr=0.05).edges(within).pairs.size
    count = max(significant, min(MIN_EDGES, p / 2))
    return Recipe(shrinkage=0.0, density=min(count / pairs, 1.0))


@dataclass(frozen=True, eq=False)
class Similarity:
    """k(G, H)/√(k(G, G)·k(H, H)) between networks on p nodes, and how these are found."""

    kernel: Kernel
    p: int
    finder: Finder
    agreement: str = "links"

    def of_tables(self, tables: Sequence[np.ndarray]) -> np.ndarray:
        """Return the similarities of the networks that are found in tables."""
        return self(self.finder.many(tables))

    def compare(self, tables: Sequence[np.ndarray]) -> tuple[list[Edges], np.ndarray]:
        """Return the networks that are found in tables, and how far their links, … agree."""
        networks = self.finder.many(tables)
        if self.agreement == "weights":
            return networks, _weights_in_common(tables)
        if self.agreement == "modules":
            return networks, self._modules_in_common(tables, networks)
        return networks, self(networks)

    def _modules_in_common(
        self, tables: Sequence[np.ndarray], networks: Sequence[Edges]
    ) -> np.ndarray:
        """Return Hubert and Arabie's index, over all genes, of the modules of tables."""
        i, j = upper(self.p)
        rows = []
        for X, edges in zip(tables, networks, strict=True):
            module = clustered_modules(X, edges.pairs.size)
            rows.append(np.flatnonzero((module[i] == module[j]) & (module[i] > 0)))
        starts = np.concatenate([[0], np.cumsum([row.size for row in rows])])
        pairs = np.concatenate(rows)
        M = sparse.csr_array((np.ones(pairs.size), pairs, starts), shape=(len(rows), i.size))
        both, size = np.asarray((M @ M.T).todense()), np.diff(starts).astype(float)
        expected = np.outer(size, size) / i.size
        room = 0.5 * (size[:, None] + size) - expected
        return np.where(room > 0, (both - expected) / np.where(room > 0, room, 1.0), 0.0)

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
            half = sparse.coo_array((weights, (i[pairs], j[pairs])), shape=(self.p, self.p))
            matrices.append(sparse.csr_array(half + half.T))
        return matrices


def _weights_in_common(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Return Σ w·w′/√(Σ w²·Σ w′²) over all pairs, w = sign(r)·|r|⁶."""
    at = upper(tables[0].shape[1])
    W = np.empty((len(tables), at[0].size), dtype=np.float32)
    for k, X in enumerate(tables):
        U, _ = unit_columns(X)
        r = np.clip((U.T @ U)[at], -1.0, 1.0)
        w = np.sign(r) * r**_SOFT
        W[k] = w / (np.sqrt((w**2).sum()) or 1.0)
    return np.asarray(W @ W.T, dtype=np.float64)


def similarity_of(
    kernel: Kernel | None, finder: Finder, within: np.ndarray, r: int, agreement: str = "links"
) -> Similarity:
    """Return the similarity of networks; a kernel whose scale depends on data gets one scale."""
    # It is that of networks found in sets of rows of all conditions together, less their means: it
    # does not depend on which row belongs to which condition.
    if kernel is not None and agreement != "links":
        raise InputError(f'kernel compares links, not agreement="{agreement}": give one of the two')
    if kernel is None:
        kernel = EdgeOverlap(value="sign")
    if not isinstance(kernel, Kernel):
        raise InputTypeError(
            f"kernel is {type(kernel).__name__}: give a kernel on graphs, of gramian.kernels.graph"
        )
    plain = Similarity(kernel, within.shape[1], finder, agreement)
    rng = np.random.default_rng(0)
    r = min(r, len(within))
    tables = [within[rng.choice(len(within), r, replace=False)] for _ in range(20)]
    rows = kernel.rows(plain.graphs(finder.many(tables)), "X")
    return replace(plain, kernel=kernel.resolve(Points(rows)))
