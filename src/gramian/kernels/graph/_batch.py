"""A whole collection as one graph: the block-diagonal adjacency in compressed rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from gramian._core.check import flag
from gramian._core.pairs import Points
from gramian._core.types import RowsLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel, Names, Weights
from gramian.kernels.graph._graph import Graph, as_graphs
from gramian.kernels.objects import Featured, Objects, Occurrences, ranges


@dataclass(frozen=True, eq=False)
class Batch:
    """The nodes of all graphs, numbered through; every edge is two arcs, one from each end."""

    offsets: np.ndarray  # (g+1,) the first node of each graph
    indptr: np.ndarray  # (N+1,) the first arc of each node
    heads: np.ndarray  # (M,) where each arc goes
    weights: np.ndarray  # (M,)
    node_codes: np.ndarray | None  # (N,) codes of the labels
    edge_codes: np.ndarray | None  # (M,)
    graphs: list[Graph]
    has_edge_labels: bool

    @classmethod
    def of(cls, graphs: list[Graph]) -> Batch:
        """Put the graphs side by side."""
        offsets = _starts([g.indptr.size - 1 for g in graphs])
        arcs = _starts([g.indices.size for g in graphs])
        indptr = np.concatenate([g.indptr[:-1] for g in graphs]).astype(np.int64)
        indptr += np.repeat(arcs[:-1], np.diff(offsets))
        heads = np.concatenate([g.indices for g in graphs]).astype(np.int64)
        heads += np.repeat(offsets[:-1], np.diff(arcs))
        nodes, edges = [g.codes for g in graphs], [g.edge_codes for g in graphs]
        return cls(
            offsets,
            np.append(indptr, heads.size),
            heads,
            np.concatenate([g.weights for g in graphs]),
            _concatenate(nodes),
            _concatenate(edges),
            graphs,
            has_edge_labels=any(codes is not None and codes.size for codes in edges),
        )

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def is_labelled(self) -> bool:
        """Whether any graph has node labels."""
        return self.node_codes is not None or any(g.codes is not None for g in self.graphs)

    @property
    def sizes(self) -> np.ndarray:
        """The number of nodes of each graph, (g,)."""
        return np.diff(self.offsets)

    @cached_property
    def owner(self) -> np.ndarray:
        """The graph of each node, (N,)."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @cached_property
    def degrees(self) -> np.ndarray:
        """The number of neighbours of each node, (N,)."""
        return np.diff(self.indptr)

    @cached_property
    def tails(self) -> np.ndarray:
        """Where each arc comes from, (M,)."""
        return np.repeat(np.arange(self.owner.size), self.degrees)

    @cached_property
    def edges(self) -> np.ndarray:
        """The arcs that go up, one for each edge."""
        return np.flatnonzero(self.tails < self.heads)

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """The matrix of weights, block by block, (N, N)."""
        N = self.owner.size
        return sparse.csr_array((self.weights, self.heads, self.indptr), shape=(N, N))

    @cached_property
    def pattern(self) -> sparse.csr_array:
        """The adjacency without weights, of whole numbers."""
        ones = np.ones(self.heads.size, dtype=np.int64)
        return sparse.csr_array((ones, self.heads, self.indptr), shape=self.adjacency.shape)

    @property
    def codes(self) -> np.ndarray:
        """The codes of the nodes' labels, (N,); refused where a graph has none."""
        if self.node_codes is None:
            k = next(k for k, g in enumerate(self.graphs) if g.codes is None)
            raise InputError(
                f'X[{k}] has no node labels, which this kernel needs: set the attribute "label" '
                "of its nodes, give (adjacency, labels), or use labelled=False"
            )
        return self.node_codes

    @property
    def kinds(self) -> np.ndarray:
        """The codes of the arcs' labels, (M,); refused where a graph has none."""
        if self.edge_codes is None:
            k = next((k for k, g in enumerate(self.graphs) if g.edge_codes is None), 0)
            raise InputError(
                f'X[{k}] has no edge labels: set the attribute "label" of its edges, or use '
                'by="ends"'
            )
        return self.edge_codes

    def uses_labels(self, labelled: bool | None) -> bool:
        """Return the option `labelled`; None means if the graphs have labels."""
        return self.is_labelled if labelled is None else flag(labelled, "labelled")

    def first_codes(self, labelled: bool | None) -> np.ndarray:
        """Return the codes of the nodes' labels if they are used; zeros otherwise, (N,)."""
        used = self.uses_labels(labelled)
        return self.codes if used else np.zeros(self.owner.size, dtype=np.uint64)

    def relabel(self, codes: np.ndarray) -> Batch:
        """Return the same graphs with other node labels and no edge labels."""
        return replace(self, node_codes=codes, edge_codes=None, has_edge_labels=False)

    def take(self, where: np.ndarray) -> Batch:
        """Return some of the graphs."""
        nodes = ranges(self.offsets[where], self.sizes[where])
        arcs = ranges(self.indptr[nodes], self.degrees[nodes])
        offsets = _starts(self.sizes[where])
        shift = np.repeat(offsets[:-1] - self.offsets[where], self.sizes[where])
        return replace(
            self,
            offsets=offsets,
            indptr=_starts(self.degrees[nodes]),
            heads=self.heads[arcs] + np.repeat(shift, self.degrees[nodes]),
            weights=self.weights[arcs],
            node_codes=None if self.node_codes is None else self.node_codes[nodes],
            edge_codes=None if self.edge_codes is None else self.edge_codes[arcs],
            graphs=[self.graphs[k] for k in where],
        )

    def refuse_negative(self, what: str) -> None:
        """Refuse negative weights, naming the first."""
        if (self.weights < 0).any():
            k = int(np.flatnonzero(self.weights < 0)[0])
            g = int(self.owner[self.tails[k]])
            raise InputError(
                f"X[{g}] has an edge of weight {self.weights[k]:.6g}: {what} needs weights that "
                "are not negative: give absolute values, or one graph for each sign"
            )


def batch_of(X: Objects) -> Batch:
    """Return the collection that X is, or is a part of, as one graph."""
    return X.memoize("batch", lambda all: Batch.of(all.items))


def cut(cost: np.ndarray, most: float) -> Iterator[tuple[int, int]]:
    """Cut a sequence into runs that cost no more than so much each, or are single items."""
    total = np.cumsum(cost)
    first = 0
    while first < total.size:
        done = total[first - 1] if first else 0
        last = max(int(np.searchsorted(total, done + most, side="right")), first + 1)
        yield first, last
        first = last


def _starts(sizes: npt.ArrayLike) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _concatenate(parts: list[Any]) -> np.ndarray | None:
    return None if any(part is None for part in parts) else np.concatenate(parts)


class GraphKernel(Kernel):
    """A kernel on graphs."""

    psd: bool | None = True
    takes_vectors = False

    def _objects(self, X: RowsLike, name: str) -> Objects:
        return as_graphs(X, name)

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with `labelled` decided by whether the graphs have labels."""
        kernel = super().resolve(points, weights, names)
        if getattr(self, "labelled", False) is None:
            kernel.set_params(labelled=batch_of(as_graphs(points.X)).is_labelled)
        return kernel


class Counting(GraphKernel, Featured):
    """A graph kernel that counts; a subclass writes `occurrences_in(batch)`."""

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """Return what is counted in the graphs."""
        raise NotImplementedError

    def occurrences(self, X: Objects) -> Occurrences:
        """Return what is counted in the graphs."""
        return self.occurrences_in(batch_of(X))
