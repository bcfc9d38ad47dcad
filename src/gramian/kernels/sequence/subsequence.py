"""The gap-weighted subsequence kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import positive, short, whole
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.pairs import Pairs
from gramian._core.parallel import parallel_map, row_blocks
from gramian.errors import InputError
from gramian.kernels.objects import Objects
from gramian.kernels.registry import register
from gramian.kernels.sequence._tokens import (
    SequenceKernel,
    Tokens,
    as_sequences,
    tokens_of,
)

WORTH_COMPILING = 1 << 22  # cells; below, NumPy is done before numba is imported


@register(kind="sequences")
class Subsequence(SequenceKernel):
    """Subsequences, gaps allowed: k(x, y) = Σ_u Σ_{i: x[i]=u} Σ_{j: y[j]=u} decay^{|i|+|j|}.

    u goes over the sequences of `length` tokens, i and j over the increasing positions at which x
    and y spell u, and |i| is the number of tokens from the first of these positions to the last.

    Parameters
    ----------
    length : int
    decay : float in (0, 1]
        What every token of the span costs; small values keep only subsequences without gaps.

    Examples
    --------
    >>> float(Subsequence(length=2, decay=0.5)(["cat"], ["car"])[0, 0])
    0.0625
    """

    def __init__(self, length: int = 3, decay: float = 0.5) -> None:
        self.length = length
        self.decay = decay

    def evaluate(self, pairs: Pairs) -> Array:
        """The weighted numbers of common subsequences."""
        X, Y = as_sequences(pairs.A.X)[pairs.rows], as_sequences(pairs.B.X)[pairs.cols]
        rows, cols = np.indices((len(X), len(Y))).reshape(2, -1)
        if pairs.same:
            rows, cols = np.triu_indices(len(X))
        K = np.zeros((len(X), len(Y)))
        K[rows, cols] = self._values(X, Y, rows, cols)
        return K

    def self_similarity(self, X: Any) -> Array:
        """The weighted number of pairs of equal subsequences."""
        X = as_sequences(X)

        def make(all: Objects) -> np.ndarray:
            every = np.arange(len(all))
            return self._values(all, all, every, every)

        return X.take(X.cached(("diagonal", repr(self)), make))

    def _values(self, X: Objects, Y: Objects, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        p, decay = whole(self.length, "length", 1), positive(self.decay, "decay")
        if decay > 1:
            raise InputError(f"decay={short(decay)} must be at most 1")
        s, t = tokens_of(X), tokens_of(Y)
        i, j = X.positions[rows], Y.positions[cols]
        cells = int(s.lengths[i] @ t.lengths[j])
        if has_numba() and cells > WORTH_COMPILING:
            out = np.empty(i.size)

            def work(parts: Sequence[slice]) -> None:
                for part in parts:
                    pairs = (i[part], j[part], p, decay, out[part])
                    _loop(s.codes, s.offsets, t.codes, t.offsets, *pairs)

            parts = list(row_blocks(i.size, max(1, i.size // 32)))
            work(parts[:1])  # compiles in one thread
            parallel_map(work, parts[1:])
            return out
        return np.array([_one(_of(s, a), _of(t, b), p, decay) for a, b in zip(i, j, strict=True)])


def _of(tokens: Tokens, k: int) -> np.ndarray:
    return tokens.codes[tokens.offsets[k] : tokens.offsets[k + 1]]


def _one(x: np.ndarray, y: np.ndarray, p: int, decay: float) -> float:
    """Return the kernel of two sequences.

    κ_q(i, j), the sum over matches of q tokens that end at i and j, is decay² where x_i = y_j
    times the sum of decay^{(i−1−i')+(j−1−j')} κ_{q−1}(i', j') over i' < i, j' < j: a first-order
    filter along each of the two axes.
    """
    from scipy.signal import lfilter

    if min(x.size, y.size) < p:
        return 0.0
    match = np.where(x[:, None] == y[None, :], decay * decay, 0.0)
    kappa = match
    for _ in range(p - 1):
        summed = lfilter([1.0], [1.0, -decay], kappa, axis=1)
        summed = lfilter([1.0], [1.0, -decay], summed, axis=0)
        kappa = np.zeros_like(match)
        kappa[1:, 1:] = match[1:, 1:] * summed[:-1, :-1]
    return float(kappa.sum())


@lazy_jit
def _loop(  # type: ignore[no-untyped-def]
    s, s_offsets, t, t_offsets, rows, cols, p, decay, out
):
    """Do what `_one` does, for many pairs, all lengths in one sweep."""
    square = decay * decay
    for k in range(rows.size):
        x = s[s_offsets[rows[k]] : s_offsets[rows[k] + 1]]
        y = t[t_offsets[cols[k]] : t_offsets[cols[k] + 1]]
        n, m = x.size, y.size
        if min(n, m) < p:
            out[k] = 0.0
            continue
        # Filtered sums of the matches of 1..p−1 tokens: over the rows so far, along this row, and
        # over the rows before at the column before.
        sums, along, corner = np.zeros((m, p)), np.zeros(p), np.zeros(p)
        total = 0.0
        for i in range(n):
            along[:] = 0.0
            corner[:] = 0.0
            for j in range(m):
                equal = x[i] == y[j]
                if equal:
                    total += square * (corner[p - 2] if p > 1 else 1.0)
                for q in range(p - 2, -1, -1):
                    kappa = 0.0
                    if equal:
                        kappa = square * (corner[q - 1] if q > 0 else 1.0)
                    along[q] = kappa + decay * along[q]
                    corner[q] = sums[j, q]
                    sums[j, q] = along[q] + decay * sums[j, q]
        out[k] = total
