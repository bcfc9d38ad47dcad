"""Long columns that are permuted once and then turned, and the Gram matrices of all such draws.

Every column is permuted once, and a draw turns each by a number of rows of its own: a window on the
column written twice, which takes no time beside its product. A draw is again one of independent
uniform permutations of the columns. All of them belong to one group, the turns in the order of the
first permutation, and a test over random members of a group is exact (Hemerik and Goeman 2018); two
draws agree in a pair of columns with probability 1/n only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import fft

from gramian._blocks import spread

__all__ = ["Grams", "Turns", "grams_pay"]

_MANY = 150  # draws whose products take longer than all correlations of two columns
_TOGETHER = 16  # columns whose transforms stay in the cache
_MOST = 1 << 23  # entries that are kept, of all draws together


class Turns:
    """A draw of such tables.

    >>> turns = Turns(np.array([[1.0, 2.0, 3.0]]))
    >>> np.sort(turns(turns.columns, 0)).tolist()
    [[1.0, 2.0, 3.0]]
    """

    def __init__(self, columns: np.ndarray) -> None:
        self.columns = columns  # (p, n), permuted

    @cached_property
    def _twice(self) -> np.ndarray:
        return np.tile(self.columns, 2)

    def steps(self, seed: int) -> np.ndarray:
        """Return by how many rows each column is turned, (p,)."""
        p, n = self.columns.shape
        return np.random.default_rng(seed).integers(0, n, (p,))

    def __call__(self, columns: np.ndarray, seed: int) -> np.ndarray:
        """Return the table, (p, n)."""
        p, n = self.columns.shape
        windows = np.lib.stride_tricks.sliding_window_view(self._twice, n, axis=1)
        return windows[np.arange(p), self.steps(seed)]


def grams_pay(turns: Turns, n_draws: int) -> bool:
    """Whether to correlate all columns once is quicker than a product for each draw."""
    p, n = turns.columns.shape
    return n_draws >= _MANY and 1 < p <= n and p * (p - 1) // 2 * n_draws <= _MOST


class Grams:
    """The Gram matrices Σ_i x_j(i + s_j)·x_k(i + s_k) of turned columns, without any product.

    An entry is the circular correlation of two columns at the difference s_k − s_j of their turns:
    one Fourier transform for each pair of columns holds those of every draw.

    >>> turns = Turns(np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]))
    >>> table = turns(turns.columns, 5)
    >>> bool(np.allclose(Grams(turns, [5])[0], np.tril(table @ table.T)))
    True
    """

    def __init__(self, turns: Turns, seeds: Sequence[int] | np.ndarray) -> None:
        X = turns.columns
        p, n = X.shape
        self.n = n
        self._squares = np.einsum("ij,ij->i", X, X)
        self._below = np.triu_indices(p, 1)[::-1]
        entries = np.empty((p * (p - 1) // 2, len(seeds)))
        steps = np.array([turns.steps(int(seed)) for seed in seeds]).T
        # Prime factors make a transform slow: a column is then followed by zeros.
        length = n if fft.next_fast_len(n, real=True) == n else fft.next_fast_len(2 * n, real=True)
        waves = fft.rfft(X, length, axis=1)
        ends = np.cumsum(np.arange(p - 1, -1, -1))  # of the pairs of each column with later ones

        def work(share: Sequence[int]) -> None:
            for j in share:
                wave, first = waves[j].conj(), ends[j] - p
                for start in range(j + 1, p, _TOGETHER):
                    others = slice(start, min(start + _TOGETHER, p))
                    lags = fft.irfft(wave * waves[others], length, axis=1)
                    if length > n:  # what ran over the end comes in again at the beginning
                        lags[:, :n] += lags[:, length - n :]
                    at = (steps[others] - steps[j]) % n
                    rows = slice(first + others.start, first + others.stop)
                    entries[rows] = np.take_along_axis(lags, at, axis=1)

        spread(work, range(p - 1), operations=50.0 * n * len(entries))
        self._entries = np.ascontiguousarray(entries.T)

    def __getitem__(self, k: int) -> np.ndarray:
        """Return the diagonal and what is below it of the Gram matrix of draw k, (p, p)."""
        G = np.diag(self._squares)
        G[self._below] = self._entries[k]
        return G
