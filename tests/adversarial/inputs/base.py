"""The clean numbers that most hostile inputs dress up: multiples of 1/16, exact in any format."""

import numpy as np

RNG = np.random.default_rng(20)
N, P = 12, 4
X = RNG.integers(0, 80, (N, P)) / 8 * [4.0, 2.0, 1.0, 0.5]
WHOLE = RNG.integers(0, 100, (N, P))
MASK = [[(i, j) == (7, 2) for j in range(P)] for i in range(N)]
NAMES = list("abcd")
X.setflags(write=False)
WHOLE.setflags(write=False)


def changed(value, at=(7, 2), dtype=float, source=X):
    """A copy with another value in one place (or row, or column)."""
    A = source.astype(dtype)
    A[at] = value
    return A


def objects(convert, source=X):
    """An object array, each number converted."""
    A = np.empty(source.shape, dtype=object)
    for place, value in np.ndenumerate(source):
        A[place] = convert(value.item())
    return A
