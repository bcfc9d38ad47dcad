"""The tiles of a Gaussian Gram matrix, made, multiplied and forgotten in one compiled loop.

No line of Python runs between tiles, so that they can be small enough for a core's own cache. The
matrix products inside are BLAS's. To be imported where numba is.
"""

import numpy as np

from gramian._core.compiled import FAST, by_precision, exp32, exp64, jit

_exp = by_precision(exp64, exp32, fastmath=FAST)


def _add_tiles(left, right, V, tiles, size, out):  # type: ignore[no-untyped-def]
    """Add K·V over some tiles of K = exp(left·rightᵀ), of diagonal 1, to `out`, and their mirrors.

    `tiles` (t, 2) are the first row and column of each, on or above the diagonal.
    """
    n, width = V.shape
    entries = np.empty(size * size, V.dtype)
    images = np.empty(size * width, V.dtype)
    for t in range(len(tiles)):
        a, c = tiles[t, 0], tiles[t, 1]
        b, d = min(a + size, n), min(c + size, n)
        flat = entries[: (b - a) * (d - c)]
        T = flat.reshape(b - a, d - c)
        np.dot(left[a:b], right[c:d].T, T)
        _exp(flat)
        if a == c:  # symmetric to the last bit, and 1 on the diagonal
            for i in range(b - a):
                T[i, i] = 1.0
                for j in range(i):
                    T[i, j] = T[j, i]
        image = images[: (b - a) * width].reshape(b - a, width)
        np.dot(T, V[c:d], image)
        # Sums over tiles are in double precision: there may be hundreds of them.
        for i in range(b - a):
            for j in range(width):
                out[a + i, j] += image[i, j]
        if a != c:
            turned = images[: (d - c) * width].reshape(width, d - c)
            np.dot(V[a:b].T, T, turned)
            for i in range(d - c):
                for j in range(width):
                    out[c + i, j] += turned[j, i]


add_tiles = jit(_add_tiles)
