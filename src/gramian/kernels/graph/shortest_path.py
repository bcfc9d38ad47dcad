"""The shortest-path kernel."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse.csgraph import shortest_path

from gramian._core.check import flag
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.hashing import combine
from gramian._core.parallel import distribute
from gramian.kernels.graph._batch import Batch, Counting, cut
from gramian.kernels.objects import Occurrences, ranges
from gramian.kernels.registry import register

MAX_BINS = 1 << 23  # counting into bins beats sorting while there are no more of them
PAIRS_AT_ONCE = 1 << 22
WORTH_COMPILING = 1 << 17  # pairs; below, SciPy is done before numba is imported


@register(kind="graphs")
class ShortestPath(Counting):
    """The shortest-path kernel, Σ c(G)·c(H) over the kinds of pairs of nodes.

    The kind of an unordered pair of nodes is the length of the shortest path between them and,
    where they are `labelled` (None means if the graphs have labels), the two labels. Pairs that are
    not connected do not count. Where `weighted`, a length adds weights up, compared to 10 digits;
    otherwise it counts steps.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(ShortestPath()([path])[0, 0])
    5.0
    """

    def __init__(self, labelled: bool | None = None, weighted: bool = False) -> None:
        self.labelled = labelled
        self.weighted = weighted

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The kind of every connected pair."""
        codes = batch.first_codes(self.labelled)
        if flag(self.weighted, "weighted"):
            batch.refuse_negative("the length of a path")
            parts = [_list_pairs(batch, codes, u, v, *_digits(d)) for u, v, d in lengths(batch)]
        else:
            kinds, index = np.unique(codes, return_inverse=True)
            parts = [_count_pairs(batch, kinds, index, *pairs) for pairs in steps(batch)]
        rows, keys, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Occurrences(rows, keys, counts)


def _digits(d: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 10 digits and the exponent: sums in another order may differ in the last bits."""
    exponent = np.floor(np.log10(d))
    digits = np.round(d / 10.0 ** (exponent - 9))
    carry = digits >= 1e10
    digits, exponent = np.where(carry, 1e9, digits), exponent + carry
    return digits.astype(np.uint64), (exponent + 400).astype(np.uint64)


def _list_pairs(
    batch: Batch, codes: np.ndarray, u: np.ndarray, v: np.ndarray, *distance: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs one by one."""
    a, b = codes[u], codes[v]
    keys = combine(np.minimum(a, b), np.maximum(a, b), *distance)
    return batch.owner[u], keys, np.ones(u.size)


def _count_pairs(
    batch: Batch, kinds: np.ndarray, index: np.ndarray, u: np.ndarray, v: np.ndarray, d: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count pairs in bins (graph, label, label, distance), or list them where bins are too many."""
    L, D = kinds.size, int(d.max(initial=0)) + 1
    first = int(batch.owner[u[0]]) if u.size else 0
    graphs = int(batch.owner[u[-1]]) - first + 1 if u.size else 0
    if graphs * L * L * D > MAX_BINS:
        return _list_pairs(batch, kinds[index], u, v, d.astype(np.uint64))
    a, b = index[u], index[v]
    low, high = np.minimum(a, b), np.maximum(a, b)
    bins = (((batch.owner[u] - first) * L + low) * L + high) * D + d
    counts = np.bincount(bins)
    full = np.flatnonzero(counts)
    rest, d = np.divmod(full, D)
    rest, high = np.divmod(rest, L)
    row, low = np.divmod(rest, L)
    keys = combine(kinds[low], kinds[high], d.astype(np.uint64))
    return row + first, keys, counts[full]


@lazy_jit
def _steps(  # type: ignore[no-untyped-def]
    indptr, heads, first, last, end, out
):
    """Breadth-first search from the nodes first..last−1; out holds the distances to later nodes."""
    distance = np.full(end[last - 1], -1, np.int32)
    queue = np.empty(end[last - 1], np.int64)
    at = 0
    for source in range(first, last):
        distance[source] = 0
        queue[0] = source
        read, write = 0, 1
        while read < write:
            u = queue[read]
            read += 1
            for k in range(indptr[u], indptr[u + 1]):
                v = heads[k]
                if distance[v] < 0:
                    distance[v] = distance[u] + 1
                    queue[write] = v
                    write += 1
        for v in range(source + 1, end[source]):
            out[at] = distance[v]
            at += 1
        for k in range(write):
            distance[queue[k]] = -1


def steps(batch: Batch) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (u, v, number of steps) for all pairs u < v of one graph that are connected."""
    end = np.repeat(batch.offsets[1:], batch.sizes)
    later = end - np.arange(end.size) - 1  # nodes after each one in its graph
    use = has_numba() and later.sum() > WORTH_COMPILING
    for first, last in cut(later, PAIRS_AT_ONCE):
        distances = (_numba_steps if use else _scipy_steps)(batch, first, last, end, later)
        u = np.repeat(np.arange(first, last), later[first:last])
        v = ranges(np.arange(first, last) + 1, later[first:last])
        reached = distances >= 0
        yield u[reached], v[reached], distances[reached]


def _numba_steps(
    batch: Batch, first: int, last: int, end: np.ndarray, later: np.ndarray
) -> np.ndarray:
    starts = np.concatenate([[0], np.cumsum(later[first:last])])
    cuts = np.linspace(first, last, 33).astype(int)
    parts = [
        (int(a), int(b), int(starts[b - first] - starts[a - first]))
        for a, b in pairwise(cuts)
        if a < b
    ]
    common = batch.indptr, batch.heads, end
    head = _steps_from(parts[:1], *common)  # compiles in one thread
    return np.concatenate(head + distribute(_steps_from, parts[1:], *common))


def _steps_from(
    parts: Sequence[tuple[int, int, int]], indptr: np.ndarray, heads: np.ndarray, end: np.ndarray
) -> list[np.ndarray]:
    """Return the numbers of steps from nodes a..b−1, so many of them."""
    out = [np.empty(size, dtype=np.int32) for _, _, size in parts]
    for (a, b, _), part in zip(parts, out, strict=True):
        _steps(indptr, heads, a, b, end, part)
    return out


def _scipy_steps(
    batch: Batch, first: int, last: int, end: np.ndarray, later: np.ndarray
) -> np.ndarray:
    parts = []
    for g in range(batch.owner[first], batch.owner[last - 1] + 1):
        start, stop = batch.offsets[g], batch.offsets[g + 1]
        sources = np.arange(max(start, first), min(stop, last)) - start
        D = shortest_path(batch.graphs[g].adjacency, unweighted=True, indices=sources)
        after = np.arange(stop - start)[None, :] > sources[:, None]
        parts.append(np.where(np.isfinite(D), D, -1.0)[after])
    return np.concatenate(parts).astype(np.int32)


def lengths(batch: Batch) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (u, v, shortest sum of weights) for all pairs u < v of one graph that are connected."""
    for g, graph in enumerate(batch.graphs):
        D = shortest_path(graph.adjacency, method="D")
        u, v = np.nonzero(np.triu(np.isfinite(D), 1))
        yield u + batch.offsets[g], v + batch.offsets[g], D[u, v]
