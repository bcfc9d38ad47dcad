"""Kernels for graphs on a common set of nodes, such as networks of the same genes.

Nodes are matched by name, or by position in graphs that come without names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import flag, one_of, positive
from gramian._core.hashing import codes, combine
from gramian._core.pairs import Pairs
from gramian._core.parallel import budget_bytes, distribute, require_memory, row_blocks
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, Counting, GraphKernel, batch_of
from gramian.kernels.graph._graph import GraphLike, as_graphs
from gramian.kernels.objects import Objects, Occurrences
from gramian.kernels.registry import register

VALUES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "presence": lambda w: np.ones_like(w),
    "sign": lambda w: np.sign(w),
    "weight": lambda w: w,
}


@register(kind="graphs")
class EdgeOverlap(Counting):
    """The edge overlap kernel, Σ v_e(G)·v_e(H) over the edges e that both graphs have.

    Edges are matched by the names of their nodes, so the graphs need not have the same nodes.
    `EdgeOverlap().normalized()` is the number of shared edges over the geometric mean of the two
    numbers of edges. v_e is 1 (`value="presence"`), the sign of the weight ("sign") or itself
    ("weight").

    >>> path, star = [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> float(EdgeOverlap()([path], [star])[0, 0])
    1.0
    """

    def __init__(self, value: str = "presence") -> None:
        self.value = value

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The edges, under the names of their ends."""
        one_of(self.value, "value", VALUES)
        names, arcs = np.concatenate(name_codes(batch)), batch.edges
        a, b = names[batch.tails[arcs]], names[batch.heads[arcs]]
        edges = combine(np.minimum(a, b), np.maximum(a, b))
        counts = VALUES[self.value](batch.weights[arcs])
        return Occurrences(batch.owner[batch.tails[arcs]], edges, counts)


class OfLaplacian(GraphKernel):
    """k(G, H) = Σ_ij F(G)_ij F(H)_ij, F a function of the Laplacian; a subclass writes `of_values`.

    The Laplacian is D − A, or I − D^−½ A D^−½ where `scaled`, D the diagonal of the degrees.
    """

    def __init__(self, time: float = 1.0, scaled: bool = False) -> None:
        self.time = time
        self.scaled = scaled

    def of_values(self, values: np.ndarray) -> np.ndarray:
        """Return the function of the eigenvalues."""
        raise NotImplementedError

    def matrix(self, graph: GraphLike) -> np.ndarray:
        """Return F of one graph: a kernel between its nodes, (n, n), in the order of its nodes."""
        X = as_graphs([graph])
        return np.asarray(self._matrices(X.items[0].adjacency.toarray()[None])[0])

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner products of the matrices."""
        X, Y = as_graphs(pairs.A.X), as_graphs(pairs.B.X)
        refuse_other_nodes(align(X).nodes, align(Y).nodes)
        return self._vectors(X)[pairs.rows] @ self._vectors(Y)[pairs.cols].T

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """The squared Frobenius norm."""
        F = self._vectors(as_graphs(X))
        return np.einsum("ij,ij->i", F, F)

    def _vectors(self, X: Objects) -> np.ndarray:
        """Return the upper triangles, off-diagonal entries times √2, so that products agree."""

        def make(all: Objects) -> np.ndarray:
            batch_of(all).refuse_negative("a Laplacian")
            graphs = align(all)
            i, j = np.triu_indices(graphs.nodes.size)
            scale = np.where(i == j, 1.0, np.sqrt(2.0))
            blocks = list(row_blocks(len(all), 16))
            return np.concatenate(distribute(self._triangles, blocks, graphs, (i, j), scale))

        return X.take(X.memoize(("matrices", repr(self)), make))

    def _triangles(
        self, blocks: Sequence[slice], graphs: Aligned, at: tuple[Any, Any], scale: np.ndarray
    ) -> list[np.ndarray]:
        return [self._matrices(graphs.dense(block))[:, *at] * scale for block in blocks]

    def _matrices(self, A: np.ndarray) -> np.ndarray:
        positive(self.time, "time")
        n, degrees = A.shape[1], A.sum(axis=2)
        if flag(self.scaled, "scaled"):
            root = np.sqrt(np.where(degrees > 0, degrees, 1.0))
            A = A / (root[:, :, None] * root[:, None, :])
            degrees = (degrees > 0).astype(float)
        values, vectors = np.linalg.eigh(degrees[:, :, None] * np.eye(n) - A)
        F = vectors * self.of_values(np.maximum(values, 0.0))[:, None, :]
        return np.asarray(F @ vectors.mT)


@register(kind="graphs")
class Diffusion(OfLaplacian):
    """The diffusion kernel of graphs on the same nodes, ⟨e^{−time·L(G)}, e^{−time·L(H)}⟩.

    Heat spreads for some `time` along the edges, whose weights are conductances. Where `scaled`,
    the Laplacian is divided by the degrees, I − D^−½ A D^−½.

    >>> float(Diffusion(time=1.0)([[[0, 1], [1, 0]]])[0, 0].round(6))
    1.018316
    """

    def of_values(self, values: np.ndarray) -> np.ndarray:
        """e^{−time·λ}."""
        return np.exp(-self.time * values)


@register(kind="graphs")
class Laplacian(OfLaplacian):
    """The regularised Laplacian kernel, ⟨(I + time·L(G))⁻¹, (I + time·L(H))⁻¹⟩.

    `time` and `scaled` are as for `Diffusion`.

    >>> float(Laplacian(time=1.0)([[[0, 1], [1, 0]]])[0, 0].round(6))
    1.111111
    """

    def of_values(self, values: np.ndarray) -> np.ndarray:
        """1/(1 + time·λ)."""
        return 1.0 / (1.0 + self.time * values)


@dataclass(frozen=True, eq=False)
class Aligned:
    """The weights of all pairs of nodes i < j, (g, n(n−1)/2), row by row of the matrix."""

    nodes: np.ndarray  # the codes of their names, sorted
    pairs: np.ndarray

    def dense(self, graphs: slice) -> np.ndarray:
        """Return the adjacency matrices of some graphs, (c, n, n)."""
        n = self.nodes.size
        i, j = np.triu_indices(n, 1)
        chosen = self.pairs[graphs]
        A = np.zeros((len(chosen), n, n))
        A[:, i, j] = A[:, j, i] = chosen
        return A


def align(X: Objects) -> Aligned:
    """Return the graphs over their common nodes; raise an error if their nodes differ."""
    return X.memoize("aligned", lambda all: _align(batch_of(all)))


def _align(batch: Batch) -> Aligned:
    names = name_codes(batch)
    nodes = np.sort(names[0])
    for k, own in enumerate(names):
        if own.size != nodes.size or (np.sort(own) != nodes).any():
            raise InputError(
                f"X[{k}] has other nodes than X[0] ({own.size} and {nodes.size} of them): this "
                "kernel compares graphs on one set of nodes: add the missing ones, without edges"
            )
    n = nodes.size
    size = n * (n - 1) // 2
    require_memory(
        8.0 * len(batch) * size, budget_bytes(None), "a table of all edges", "fewer graphs"
    )
    place = np.searchsorted(nodes, np.concatenate(names))
    tails, heads = batch.tails[batch.edges], batch.heads[batch.edges]
    low = np.minimum(place[tails], place[heads])
    high = np.maximum(place[tails], place[heads])
    pairs = np.zeros((len(batch), size))
    at = low * n - low * (low + 1) // 2 + high - low - 1
    pairs[batch.owner[tails], at] = batch.weights[batch.edges]
    return Aligned(nodes, pairs)


def name_codes(batch: Batch) -> list[np.ndarray]:
    """Return the codes of the nodes' names, graph by graph; nodes without are known by position."""
    with_names = [k for k, g in enumerate(batch.graphs) if g.names is not None]
    if 0 < len(with_names) < len(batch):
        without = min(set(range(len(batch))) - set(with_names))
        raise InputError(f"X[{without}] has no node names but X[{with_names[0]}] has: name all")
    return [codes(range(g.n_nodes) if g.names is None else g.names) for g in batch.graphs]


def refuse_other_nodes(left: np.ndarray, right: np.ndarray) -> None:
    """Refuse to compare two collections on different nodes."""
    if left.size != right.size or (left != right).any():
        raise InputError(
            f"X has other nodes than the graphs it is compared with ({left.size} and {right.size} "
            "of them): this kernel compares graphs on one set of nodes"
        )
