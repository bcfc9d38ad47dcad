"""Many graphs checked and sorted at once: a few operations on long arrays, not many on short."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian._core.hashing import codes
from gramian._core.numbers import as_floats
from gramian.errors import InputError

_NOT_FINITE = "the weight of ({i}, {j}) is nan or inf: give a number, or drop the edge"
ONE_WAY = "directed graphs are not supported: give (A + A.T)/2 if the direction does not matter"


class RawGraph(NamedTuple):
    """A graph as it was given, in compressed rows that may be unsorted or hold zeros."""

    n: int
    degrees: Any  # (n,) entries of each row
    heads: Any  # (m,) their columns
    weights: Any = None  # (m,) ones by default
    labels: list[Any] | None = None
    names: list[Any] | None = None
    edge_labels: list[Any] | None = None  # (m,)
    both_ways: bool = False  # whether symmetry is known


class Arcs(NamedTuple):
    """The compressed rows of one graph, sorted and symmetric, and codes of its labels."""

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray
    codes: np.ndarray | None
    edge_codes: np.ndarray | None


def check_graphs(
    raw: Sequence[RawGraph], numbers: Sequence[int] | None = None, name: str | None = None
) -> Iterator[Arcs]:
    """Yield the arcs of each graph; refuse what is not an undirected graph with finite weights.

    `numbers` are the graphs' places in the collection `name`, for messages.
    """
    if not raw:
        return
    graphs = _Graphs(raw, numbers, name)
    tails, heads, weights = graphs.sort_arcs()
    degrees = np.bincount(tails, minlength=graphs.offsets[-1])
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    starts = indptr[graphs.offsets]
    heads = heads - np.repeat(graphs.offsets[:-1], np.diff(starts))
    nodes, kinds = graphs.label_codes(), graphs.edge_codes(starts)
    for k, _ in enumerate(raw):
        first, last = graphs.offsets[k], graphs.offsets[k + 1]
        mine = slice(starts[k], starts[k + 1])
        rows = indptr[first : last + 1] - starts[k]
        yield Arcs(rows, heads[mine], weights[mine], nodes[k], kinds[k])


class _Graphs:
    """The nodes of all graphs numbered through, and their arcs one after the other."""

    def __init__(
        self, raw: Sequence[RawGraph], numbers: Sequence[int] | None, name: str | None
    ) -> None:
        self.raw = raw
        self.names = [""] * len(raw) if numbers is None else [f"{name}[{k}]: " for k in numbers]
        sizes = [g.n for g in raw]
        if 0 in sizes:
            raise InputError(f"{self.names[sizes.index(0)]}the graph has no nodes: leave it out")
        self.offsets = np.concatenate([[0], np.cumsum(sizes)])
        self.counts = [len(g.heads) for g in raw]
        self.order: Any = slice(None)  # where the sorted arcs stood

    def sort_arcs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return tails, heads and weights, sorted; zeros left out and repeated entries added up."""
        degrees = _concatenate([g.degrees for g in self.raw], np.int64)
        tails = np.repeat(np.arange(degrees.size), degrees)
        heads = _concatenate([g.heads for g in self.raw], np.int64)
        heads += np.repeat(self.offsets[:-1], self.counts)
        weights = self._weights()
        self._refuse(~np.isfinite(weights), tails, heads, _NOT_FINITE)
        place = tails * degrees.size + heads
        if not (place[1:] > place[:-1]).all():
            self.order = np.argsort(place, kind="stable")
            place = place[self.order]
        first = np.flatnonzero(np.diff(place, prepend=-1))
        weights = weights[self.order]
        if first.size < weights.size:
            weights = np.add.reduceat(weights, first)
        if not weights.all():
            first, weights = first[weights != 0], weights[weights != 0]
        self.order = first if isinstance(self.order, slice) else self.order[first]
        tails, heads = tails[self.order], heads[self.order]
        self._refuse(tails == heads, tails, heads, "node {i} has a loop: set the diagonal to 0")
        return tails, heads, self._both_ways(tails, heads, weights)

    def _weights(self) -> np.ndarray:
        if all(g.weights is None for g in self.raw):
            return np.ones(sum(self.counts))
        parts = [
            np.ones(count) if g.weights is None else as_floats(g.weights, f"{name}the weight")
            for g, count, name in zip(self.raw, self.counts, self.names, strict=True)
        ]
        return _concatenate(parts, np.float64)

    def _refuse(self, bad: np.ndarray, tails: np.ndarray, heads: np.ndarray, text: str) -> None:
        """Refuse the first bad arc, naming its graph and its ends as the graph numbers them."""
        if not bad.any():
            return
        arc = int(np.flatnonzero(bad)[0])
        k = int(np.searchsorted(self.offsets, tails[arc], side="right")) - 1
        i, j = int(tails[arc] - self.offsets[k]), int(heads[arc] - self.offsets[k])
        raise InputError(self.names[k] + text.format(i=i, j=j))

    def _both_ways(self, tails: np.ndarray, heads: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Refuse edges that go one way; return the weights, differences of rounding evened out."""
        if all(g.both_ways for g in self.raw):
            return weights
        N = int(self.offsets[-1])
        forth, back = tails * N + heads, heads * N + tails
        order = np.argsort(back)
        text = "the weight of ({i}, {j}) differs from that of ({j}, {i}): " + ONE_WAY
        if not np.array_equal(back[order], forth):
            self._refuse(~np.isin(forth, back), tails, heads, text)
        other = weights[order]
        gap = np.abs(other - weights)
        if not gap.any():
            return weights
        self._refuse(gap > 1e-10 * np.abs(weights), tails, heads, text)
        return np.asarray(0.5 * (weights + other))

    def label_codes(self) -> list[np.ndarray | None]:
        """Return the codes of the nodes' labels, graph by graph."""
        lists = [[] if g.labels is None else g.labels for g in self.raw]
        joined = self._codes(lists)
        ends = np.cumsum([len(labels) for labels in lists])
        return [
            None if g.labels is None else joined[end - g.n : end]
            for g, end in zip(self.raw, ends, strict=True)
        ]

    def edge_codes(self, starts: np.ndarray) -> list[np.ndarray | None]:
        """Return the codes of the edges' labels; a graph without edges has them all."""
        kinds = [g.edge_labels for g in self.raw]
        sizes = np.diff(starts)
        none = [None if size else np.empty(0, dtype=np.uint64) for size in sizes]
        if all(kind is None for kind in kinds):
            return none
        blank = [[0] * count for count in self.counts]
        filled = [b if kind is None else kind for kind, b in zip(kinds, blank, strict=True)]
        sorted_codes = self._codes(filled)[self.order]
        parts = np.split(sorted_codes, starts[1:-1])
        return [
            n if kind is None else part for kind, part, n in zip(kinds, parts, none, strict=True)
        ]

    def _codes(self, labels: list[list[Any]]) -> np.ndarray:
        try:
            return codes(chain.from_iterable(labels))
        except InputError:
            for name, own in zip(self.names, labels, strict=True):
                try:
                    codes(own)
                except InputError as error:
                    raise InputError(f"{name}{error}") from error
            raise


def _concatenate(parts: list[Any], dtype: npt.DTypeLike) -> np.ndarray:
    """Return lists or arrays as one array."""
    if all(type(part) is list for part in parts):
        return np.fromiter(chain.from_iterable(parts), dtype=dtype)
    arrays = [np.fromiter(part, dtype=dtype) if type(part) is list else part for part in parts]
    return np.concatenate(arrays).astype(dtype)
