"""The tiles of a Gaussian Gram matrix, made, multiplied and forgotten in one compiled loop.

No line of Python runs between tiles, so that they can be small enough for a core's own cache. The
matrix products inside are BLAS's. To be imported where numba is.
"""

import numpy as np

from gramian._core.compiled import FAST, by_precision, exp32, exp64, jit

_exp = by_precision(exp64, exp32, fastmath=FAST)


def _add_tiles(left, right, V, tiles, size, out):  # type: ignore[no-untyped-def]
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


_loop = jit(_add_tiles)


def add_tiles(
    left: np.ndarray,
    right: np.ndarray,
    V: np.ndarray,
    tiles: np.ndarray,
    size: int,
    out: np.ndarray,
) -> None:
    """Add K·V over some tiles of K = exp(left·rightᵀ) to `out`, each tile and its mirror image.

    Parameters
    ----------
    left, right : arrays (n, k)
        Factors of the exponents, which are symmetric with a diagonal of 0.
    V : array (n, r)
    tiles : array (t, 2) of int
        The first row and the first column of each tile on and above the diagonal.
    size : int
        The side of a tile.
    out : array (n, r) of double precision
    """
    _loop(left, right, V, tiles, size, out)
