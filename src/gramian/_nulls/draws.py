"""Random draws: tables whose columns are independent of each other, and orders of rows.

A draw takes a table of features by columns, (p, n), the row of each being one column of the data,
and a seed, and returns a table of the same shape. The same seed gives the same draw whatever the
number of threads.

Long columns are permuted once and then rotated: every draw moves each column round by a number of
rows of its own, a window on the column written twice, which takes no time beside its product. A
draw is again one of independent uniform permutations of the columns. All of them belong to one
group, the turns in the order of the first permutation, and a test over random members of a group is
exact (Hemerik and Goeman 2018); two draws agree in a pair of columns with probability 1/n only.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from scipy import fft

from gramian._core.check import short
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.parallel import parallel_map
from gramian.errors import InputError

Draw = Callable[[np.ndarray, int], np.ndarray]
_WORTH_COMPILING = 40_000_000  # numbers to shuffle, under which importing numba costs more
_LONG = 512  # rows from which on turns are as good as permutations
_WORTH_TURNING = 2_000_000  # numbers to shuffle, under which all is done in no time
_MANY_DRAWS = 150  # whose products take longer than all correlations of two columns
_COLUMNS_AT_ONCE = 16  # whose transforms stay in the cache
_MAX_ENTRIES = 1 << 23  # of the Gram matrices of all draws together


def permute_columns(columns: np.ndarray, seed: int) -> np.ndarray:
    """Permute the values of each column, independently of the others."""
    return np.random.default_rng(seed).permuted(columns, axis=1)


def _permute_compiled(columns: np.ndarray, seed: int) -> np.ndarray:
    """Do the same, with other numbers from the same seed, ten times faster."""
    out = np.empty_like(columns)
    _permute(columns, out, np.uint64(seed))
    return out


def fastest_draw(draw: Draw, columns: np.ndarray, n_draws: int) -> Draw:
    """Return the draw, compiled where so much work is ahead that it pays."""
    # The choice depends on the sizes alone, so that the same call gives the same numbers.
    pays = columns.size * n_draws >= _WORTH_COMPILING and columns.shape[1] < _LONG
    return _permute_compiled if draw is permute_columns and pays and has_numba() else draw


def choose_rotations(draw: Draw, columns: np.ndarray, seed: int, n_draws: int) -> Draw:
    """Return the draw; of long columns that would be permuted often, turns of one permutation."""
    short_ = columns.shape[1] < _LONG or columns.size * n_draws < _WORTH_TURNING
    if draw is not permute_columns or short_:
        return draw
    return Turns(permute_columns(columns, seed))


@lazy_jit
def _permute(columns, out, state):  # type: ignore[no-untyped-def]
    """Fisher–Yates, inside out; splitmix64 gives two numbers of 32 bits a step."""
    # A position is the high half of a 64-bit product (Lemire), uneven by less than n/2³².
    p, n = columns.shape
    step = np.uint64(0x9E3779B97F4A7C15)
    first, second = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    for j in range(p):
        source, target = columns[j], out[j]
        target[0] = source[0]
        for i in range(1, n, 2):
            state = state + step
            z = state
            z = (z ^ (z >> np.uint64(30))) * first
            z = (z ^ (z >> np.uint64(27))) * second
            z = z ^ (z >> np.uint64(31))
            k = np.int64(((z >> half) * np.uint64(i + 1)) >> half)
            target[i] = target[k]
            target[k] = source[i]
            if i + 1 < n:
                k = np.int64(((z & low) * np.uint64(i + 2)) >> half)
                target[i + 1] = target[k]
                target[k] = source[i + 1]


def normal_columns(columns: np.ndarray, seed: int) -> np.ndarray:
    """Draw normal columns with the means and variances of those given."""
    mean = columns.mean(axis=1, keepdims=True)
    deviation = columns.std(axis=1, keepdims=True, ddof=1)
    draw = np.random.default_rng(seed).standard_normal(columns.shape)
    return np.asarray(mean + deviation * draw)


def flip_signs(columns: np.ndarray, seed: int) -> np.ndarray:
    """Flip the sign of each deviation from its column's mean with probability 1/2."""
    # Each entry keeps its own size, so that noise may have another variance in every cell.
    mean = columns.mean(axis=1, keepdims=True)
    bits = np.random.default_rng(seed).integers(0, 2, columns.shape, dtype=np.int8)
    return np.asarray(mean + (columns - mean) * (2.0 * bits - 1.0))


DRAWS: dict[str, Draw] = {
    "permutation": permute_columns,
    "normal": normal_columns,
    "signflip": flip_signs,
}


def draw_named(null: str) -> Draw:
    """Return the draw of a null model."""
    if not isinstance(null, str) or null not in DRAWS:
        raise InputError(f"null={short(null)} is not a null model: use one of {', '.join(DRAWS)}")
    return DRAWS[null]


def column_draw(null: str, columns: np.ndarray) -> Draw:
    """Return the draw of a null model of residuals; "shifts" turns columns as they are."""
    return Turns(columns) if null == "shifts" else DRAWS[null]


def row_orders(
    n: int, count: int, rng: np.random.Generator, strata: np.ndarray | None = None
) -> np.ndarray:
    """Return permutations of n rows, (count, n), within strata where there are any."""
    key = rng.random((count, n))
    if strata is None:
        return np.argsort(key, axis=1)
    orders = np.empty((count, n), dtype=int)
    orders[:, np.argsort(strata, kind="stable")] = np.argsort(key + strata, axis=1)
    return orders


def row_rotations(n: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return orders of n rows that go round by a random step, (count, n)."""
    return (np.arange(n) + rng.integers(1, n, (count, 1))) % n


def bootstrap_counts(B: int, n: int, q: int, rng: np.random.Generator) -> np.ndarray:
    """Return how often each row is drawn, (B, n), at least q + 1 different rows each time."""
    counts, even = np.zeros((B, n)), np.full(n, 1.0 / n)
    for count in counts:
        while np.count_nonzero(count) < min(q + 1, n):  # again only in tables of a few rows
            count[:] = rng.multinomial(n, even)
    return counts


class Turns:
    """Draws that turn the columns of a table."""

    def __init__(self, columns: np.ndarray) -> None:
        self.columns = columns  # (p, n), permuted

    @cached_property
    def _twice(self) -> np.ndarray:
        return np.tile(self.columns, 2)

    def steps(self, seed: int) -> np.ndarray:
        """Return by how many rows each column is rotated, (p,)."""
        p, n = self.columns.shape
        return np.random.default_rng(seed).integers(0, n, (p,))

    def __call__(self, columns: np.ndarray, seed: int) -> np.ndarray:
        """Return the table, (p, n)."""
        p, n = self.columns.shape
        windows = np.lib.stride_tricks.sliding_window_view(self._twice, n, axis=1)
        return np.asarray(windows[np.arange(p), self.steps(seed)])


def grams_pay(turns: Turns, n_draws: int) -> bool:
    """Whether to correlate all columns once is quicker than a product for each draw."""
    p, n = turns.columns.shape
    return n_draws >= _MANY_DRAWS and 1 < p <= n and p * (p - 1) // 2 * n_draws <= _MAX_ENTRIES


class Grams:
    """The Gram matrices Σ_i x_j(i + s_j)·x_k(i + s_k) of rotated columns, without any product.

    An entry is the circular correlation of two columns at the difference s_k − s_j of their turns:
    one Fourier transform for each pair of columns holds those of every draw.
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
                for start in range(j + 1, p, _COLUMNS_AT_ONCE):
                    others = slice(start, min(start + _COLUMNS_AT_ONCE, p))
                    lags = fft.irfft(wave * waves[others], length, axis=1)
                    if length > n:  # what ran over the end comes in again at the beginning
                        lags[:, :n] += lags[:, length - n :]
                    at = (steps[others] - steps[j]) % n
                    rows = slice(first + others.start, first + others.stop)
                    entries[rows] = np.take_along_axis(lags, at, axis=1)

        parallel_map(work, range(p - 1), operations=50.0 * n * len(entries))
        self._entries = np.ascontiguousarray(entries.T)

    def __getitem__(self, k: int) -> np.ndarray:
        """Return the diagonal and what is below it of the Gram matrix of draw k, (p, p)."""
        G = np.diag(self._squares)
        G[self._below] = self._entries[k]
        return G
