"""Which rows may change places: the scheme of the rows, as tests of labels and numbers use it."""

from __future__ import annotations

import numpy as np

from gramian._nulls.draws import row_orders, turned_rows
from gramian._nulls.p_values import p_values, smallest_p_value

_DOUBT = 0.2  # a sequence that looks ordered at this level is not taken for a random one
_DRAWS = 199


def shuffles(
    n: int, count: int, rng: np.random.Generator, scheme: str = "permutation"
) -> np.ndarray:
    """Return permutations of n rows, (count, n); with "shifts", those that go round."""
    if scheme == "shifts" and n > 1:
        return turned_rows(n, count, rng)
    return row_orders(n, count, rng)


def least(n: int, count: int, scheme: str) -> float:
    """Return the smallest p-value that so many draws can give."""
    return 1.0 / n if scheme == "shifts" and n <= count else smallest_p_value(count)


def in_order(values: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether neighbours in a sequence of codes or numbers are more alike than chance has it.

    Two sequences that both wander are tied by that alone. The mean squared step (of numbers), or
    the number of changes (of integer codes), is held against those of the shuffled sequence, at a
    lenient level: a doubt is enough.
    """
    sequences = values[np.vstack([np.arange(len(values)), shuffles(len(values), _DRAWS, rng)])]
    step = np.diff(sequences, axis=1)
    roughness = (step != 0).sum(axis=1) if values.dtype.kind in "iu" else (step**2).sum(axis=1)
    return bool(p_values(-roughness[0], -roughness[1:]) <= _DOUBT)
