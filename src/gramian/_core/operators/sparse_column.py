"""YᵀP(Y − 1·meanᵀ)·v of CSR rows and one column, compiled: a row is read once for both products.

Twin: `SparseRows.product` without numba, two products by SciPy, which reads the rows twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.compiled import has_numba, lazy_jit

_WORTH_COMPILING = 100_000  # stored numbers, products with which take longer than the import


def pays(Y: Any, columns: int) -> bool:
    """Whether the compiled loop is the quicker one."""
    return columns == 1 and Y.nnz >= _WORTH_COMPILING and has_numba()


def add_column_product(
    Y: Any, v: np.ndarray, mean: float, weight: np.ndarray, out: np.ndarray
) -> float:
    """Add Yᵀs, (p,), to `out` and return Σs, with s = weight·(Y·v − mean), (n,).

    >>> from scipy import sparse
    >>> Y, product = sparse.csr_array([[1.0, 0.0], [2.0, 3.0]]), np.zeros(2)
    >>> add_column_product(Y, np.array([1.0, 1.0]), 1.0, np.array([0.5, 0.5]), product)
    2.0
    >>> product.tolist()
    [4.0, 6.0]
    """
    return float(_add_rows(Y.indptr, Y.indices, Y.data, v, mean, weight, out))


def by_length(Y: Any, weight: np.ndarray, parts: int) -> list[tuple[Any, np.ndarray]]:
    """Return the rows and their weights in parts, each from short rows to long ones.

    A processor foresees where a row ends if the one before was as long: a third of the time.

    >>> from scipy import sparse
    >>> Y = sparse.csr_array([[1.0, 2.0], [0.0, 3.0]])
    >>> [(rows, weight)] = by_length(Y, np.array([0.25, 0.75]), 1)
    >>> rows.toarray().tolist(), weight.tolist()
    ([[0.0, 3.0], [1.0, 2.0]], [0.75, 0.25])
    """
    order = np.argsort(np.diff(Y.indptr), kind="stable")
    return [(Y[order[k::parts]], weight[order[k::parts]]) for k in range(parts)]


@lazy_jit(fastmath={"contract"})
def _add_rows(indptr, indices, data, v, mean, weight, out):  # type: ignore[no-untyped-def]
    total = 0.0
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    for i in range(weight.size):
        # Unsigned: places that might count from the end would each be looked at.
        start, stop = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        rest = stop - (stop - start) % four
        # Four sums at a time: an addition to one of them need not wait for the last.
        a, b, c, d = -mean, 0.0, 0.0, 0.0
        for k in range(start, rest, four):
            a += data[k] * v[np.uint64(indices[k])]
            b += data[k + one] * v[np.uint64(indices[k + one])]
            c += data[k + two] * v[np.uint64(indices[k + two])]
            d += data[k + three] * v[np.uint64(indices[k + three])]
        for k in range(rest, stop):
            b += data[k] * v[np.uint64(indices[k])]
        s = weight[i] * ((a + b) + (c + d))
        total += s
        for k in range(start, stop):
            out[np.uint64(indices[k])] += data[k] * s
    return total
