"""YᵀP(Y − 1·meanᵀ)·v of CSR rows and one column, compiled: a row is read once for both products.

Twin: `SparseRows.product` without numba, two products by SciPy, which reads the rows twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._compiled import compiled, has_numba

__all__ = ["column_product", "pays"]

_WORTH_COMPILING = 100_000  # stored numbers, products with which take longer than the import


def pays(Y: Any, columns: int) -> bool:
    """Whether the compiled loop is the quicker one."""
    return columns == 1 and Y.nnz >= _WORTH_COMPILING and has_numba()


def column_product(
    Y: Any, v: np.ndarray, mean: float, weight: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return Yᵀs, (p,), and Σs, with s = weight·(Y·v − mean), (n,).

    >>> from scipy import sparse
    >>> Y = sparse.csr_array([[1.0, 0.0], [2.0, 3.0]])
    >>> product, total = column_product(Y, np.array([1.0, 1.0]), 1.0, np.array([0.5, 0.5]))
    >>> product.tolist(), total
    ([4.0, 6.0], 2.0)
    """
    product = np.zeros(Y.shape[1])
    return product, _add_rows(Y.indptr, Y.indices, Y.data, v, mean, weight, product)


@compiled(fastmath={"contract"})
def _add_rows(indptr, indices, data, v, mean, weight, out):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(weight.size):
        # Unsigned: places that might count from the end would each be looked at.
        start, stop = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        s = -mean
        for k in range(start, stop):
            s += data[k] * v[np.uint64(indices[k])]
        s *= weight[i]
        total += s
        for k in range(start, stop):
            out[np.uint64(indices[k])] += data[k] * s
    return total
