"""Graphs on a common set of nodes, brought to one order of the nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._blocks import budget_bytes, require
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, batch_of
from gramian.kernels.graph._spectra import adjacencies
from gramian.kernels.hashing import codes
from gramian.kernels.objects import Objects

__all__ = ["Aligned", "aligned", "name_codes", "refuse_other_nodes"]


def name_codes(batch: Batch) -> list[np.ndarray]:
    """Return the codes of the nodes' names, graph by graph; nodes without are known by position."""
    with_names = [k for k, g in enumerate(batch.graphs) if g.names is not None]
    if 0 < len(with_names) < len(batch):
        without = min(set(range(len(batch))) - set(with_names))
        raise InputError(f"X[{without}] has no node names but X[{with_names[0]}] has: name all")
    return [codes(range(g.n_nodes) if g.names is None else g.names) for g in batch.graphs]


@dataclass(frozen=True, eq=False)
class Aligned:
    """The adjacency matrices over the same nodes in the same order, (g, n, n)."""

    nodes: np.ndarray  # the codes of their names, sorted
    A: np.ndarray


def aligned(X: Objects) -> Aligned:
    """Return the graphs over their common nodes; refuse graphs whose nodes are others."""
    return X.kept("aligned", lambda all: _aligned(batch_of(all)))


def _aligned(batch: Batch) -> Aligned:
    names = name_codes(batch)
    order = [np.argsort(own) for own in names]
    nodes = names[0][order[0]]
    for k, (own, by) in enumerate(zip(names, order, strict=True)):
        if own.size != nodes.size or (own[by] != nodes).any():
            raise InputError(
                f"X[{k}] has other nodes than X[0] ({own.size} and {nodes.size} of them): this "
                "kernel compares graphs on one set of nodes: add the missing ones, without edges"
            )
    n = nodes.size
    require(24.0 * len(batch) * n * n, budget_bytes(None), "the adjacency matrices", "fewer graphs")
    ((_, A),) = adjacencies(batch, entries=len(batch) * n * n)
    for k, by in enumerate(order):
        A[k] = A[k][np.ix_(by, by)]
    return Aligned(nodes, A)


def refuse_other_nodes(left: np.ndarray, right: np.ndarray) -> None:
    """Refuse to compare two collections on different nodes."""
    if left.size != right.size or (left != right).any():
        raise InputError(
            f"X has other nodes than the graphs it is compared with ({left.size} and {right.size} "
            "of them): this kernel compares graphs on one set of nodes"
        )
