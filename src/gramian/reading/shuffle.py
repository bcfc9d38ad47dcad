"""Tables as they would be if their columns had nothing to do with each other.

A draw takes a table of features by columns, (p, n), the row of each being one column of the data,
and a seed, and returns a table of the same shape. The same seed gives the same draw whatever the
number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gramian._check import short
from gramian._compiled import compiled, has_numba
from gramian.errors import InputError
from gramian.reading.turns import Turns

__all__ = [
    "DRAWS",
    "Draw",
    "draw_named",
    "flip_signs",
    "normal_columns",
    "permute_columns",
    "quickest",
    "turned",
]

Draw = Callable[[np.ndarray, int], np.ndarray]
_WORTH_COMPILING = 40_000_000  # numbers to shuffle, under which importing numba costs more
_LONG = 512  # rows from which on turns are as good as permutations
_WORTH_TURNING = 2_000_000  # numbers to shuffle, under which all is done in no time


def permute_columns(columns: np.ndarray, seed: int) -> np.ndarray:
    """Permute the values of each column, independently of the others.

    >>> np.sort(permute_columns(np.array([[3.0, 1.0, 2.0]]), 0))
    array([[1., 2., 3.]])
    """
    return np.random.default_rng(seed).permuted(columns, axis=1)


def _permute_compiled(columns: np.ndarray, seed: int) -> np.ndarray:
    """Do the same, with other numbers from the same seed, ten times faster."""
    out = np.empty_like(columns)
    _permute(columns, out, np.uint64(seed))
    return out


def quickest(draw: Draw, columns: np.ndarray, n_draws: int) -> Draw:
    """Return the draw, compiled where so much work is ahead that it pays.

    The choice depends on the sizes alone, so that the same call gives the same numbers.
    """
    pays = columns.size * n_draws >= _WORTH_COMPILING and columns.shape[1] < _LONG
    return _permute_compiled if draw is permute_columns and pays and has_numba() else draw


def turned(draw: Draw, columns: np.ndarray, seed: int, n_draws: int) -> Draw:
    """Return the draw; of long columns that would be permuted often, turns of one permutation."""
    short_ = columns.shape[1] < _LONG or columns.size * n_draws < _WORTH_TURNING
    if draw is not permute_columns or short_:
        return draw
    return Turns(permute_columns(columns, seed))


@compiled
def _permute(columns, out, state):  # type: ignore[no-untyped-def]
    """Fisher–Yates, inside out; splitmix64 gives two numbers of 32 bits a step.

    A position is the high half of a 64-bit product (Lemire), uneven by less than n/2³².
    """
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
    """Draw normal columns with the means and variances of those given.

    >>> normal_columns(np.zeros((2, 5)), 0).shape
    (2, 5)
    """
    mean = columns.mean(axis=1, keepdims=True)
    deviation = columns.std(axis=1, keepdims=True, ddof=1)
    draw = np.random.default_rng(seed).standard_normal(columns.shape)
    return mean + deviation * draw


def flip_signs(columns: np.ndarray, seed: int) -> np.ndarray:
    """Flip the sign of each deviation from its column's mean with probability 1/2.

    Each entry keeps its own size, so that noise may have another variance in every cell.

    >>> np.abs(flip_signs(np.array([[-1.0, 1.0]]), 0))
    array([[1., 1.]])
    """
    mean = columns.mean(axis=1, keepdims=True)
    bits = np.random.default_rng(seed).integers(0, 2, columns.shape, dtype=np.int8)
    return mean + (columns - mean) * (2.0 * bits - 1.0)


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
