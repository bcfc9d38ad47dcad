"""Graphs on a common set of nodes, brought to one order of the nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._core.hashing import codes
from gramian._core.parallel import budget_bytes, require_memory
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, batch_of
from gramian.kernels.objects import Objects


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
    """Return the graphs over their common nodes; refuse graphs whose nodes are others."""
    return X.cached("aligned", lambda all: _align(batch_of(all)))


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
