"""The shortest-path kernel."""

from __future__ import annotations

import numpy as np

from gramian._core.check import flag
from gramian._core.hashing import combine
from gramian.kernels.features import Occurrences
from gramian.kernels.graph._batch import Batch
from gramian.kernels.graph._kernel import Counting
from gramian.kernels.graph._paths import lengths, steps
from gramian.kernels.registry import register

BINS = 1 << 23  # counting into bins beats sorting while there are no more of them


@register(kind="graphs")
class ShortestPath(Counting):
    """Pairs of nodes equally far apart: k(G, H) = Σ c(G)·c(H) over kinds of pairs.

    The kind of an unordered pair of nodes is the length of the shortest path between them and,
    where labels are used, the two labels. Pairs that are not connected do not count.

    Parameters
    ----------
    labelled : bool or None
        Whether labels count; None means if the graphs have any.
    weighted : bool
        False counts steps; True adds the weights up as lengths, compared to 10 digits.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(ShortestPath()([path])[0, 0])
    5.0
    """

    def __init__(self, labelled: bool | None = None, weighted: bool = False) -> None:
        self.labelled = labelled
        self.weighted = weighted

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The kind of every connected pair."""
        labelled = batch.is_labelled if self.labelled is None else flag(self.labelled, "labelled")
        codes = batch.codes if labelled else np.zeros(batch.owner.size, dtype=np.uint64)
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
    batch: Batch,
    kinds: np.ndarray,
    index: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    d: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count pairs in bins (graph, label, label, distance), or list them where bins are too many."""
    L, D = kinds.size, int(d.max(initial=0)) + 1
    first = int(batch.owner[u[0]]) if u.size else 0
    graphs = int(batch.owner[u[-1]]) - first + 1 if u.size else 0
    if graphs * L * L * D > BINS:
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
