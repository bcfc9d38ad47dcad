"""The features F = P^½·(x − mean)·factor of a table, one class for each way of holding it.

Products with sparse rows, and with rows not far from the origin, take the mean off the result and
leave the rows as they are. Others are centred in a copy, or the products would lose their digits.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from gramian._core.array import Array, as_kind, is_numpy, is_sparse
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.operators.moments import Moments, add_products, shift_sparse
from gramian._core.parallel import even_blocks, parallel_map
from gramian._core.sparse import csr_slice

Side: TypeAlias = str  # "primal": FᵀF on R^p, "dual": F·Fᵀ on R^n

_BLOCK_ENTRIES = 1 << 20
_CACHE_ENTRIES = 1 << 16  # entries of a block that stays in the cache
_ALL_ROWS = slice(None)
_ENTRY_OPERATIONS, _COMPILED_OPERATIONS = 32, 16  # that a stored number costs, by loop
NEAR_DEVIATIONS = 8.0  # deviations between the mean and the origin that cost no more than a digit
MIN_SINGLE_ENTRIES = 1 << 24  # of a table beyond the caches, products with which wait for memory
_MIN_COMPILED_ENTRIES = 100_000  # stored numbers, products with which take longer than the import


class Rows(ABC):
    """All that an operator asks of the features F, (n, p)."""

    shape: tuple[int, int]
    product_bytes: int = 0  # what the table takes once more for products
    dense_bytes: int = 0  # what it takes once more for the matrix

    @abstractmethod
    def matmul(self, V: Array) -> Array:
        """F·V, from R^p to R^n."""

    @abstractmethod
    def rmatmul(self, W: Array) -> Array:
        """Fᵀ·W, from R^n to R^p."""

    @abstractmethod
    def dense(self, side: Side) -> Array:
        """FᵀF, (p, p), or F·Fᵀ, (n, n)."""

    def product(self, V: Array, side: Side) -> Array:
        """FᵀF·V or F·Fᵀ·V."""
        return self.rmatmul(self.matmul(V)) if side == "primal" else self.matmul(self.rmatmul(V))

    def to_single(self) -> "Rows | None":
        """Return the features in single precision where their copy is soon worth its price."""
        return None


@dataclass(frozen=True)
class Features:
    """Blocks of F in double precision, taken from the rows of a table when they are needed."""

    X: Array  # (n, p), dense
    shift: Array  # (p,)
    rest: Array  # the mean less the shift, (p,)
    factor: Array  # (p,)
    root: Array  # P^½, (n, 1)

    def block(self, rows: slice, columns: slice) -> Array:
        """Return a block of F; the mean is taken off in two steps, as in `FeatureMap`."""
        F = self.X[rows, columns] - self.shift[columns]
        F -= self.rest[columns]
        F *= self.factor[columns]
        F *= self.root[rows, :]
        return F

    def whole(self, dtype: type = np.float64) -> np.ndarray:
        """Return F of NumPy rows, filled in by all cores."""
        n, p = self.X.shape
        F = np.empty((n, p), dtype)

        def work(blocks: Sequence[slice]) -> None:
            for rows in blocks:
                F[rows] = self.block(rows, _ALL_ROWS)

        parallel_map(work, even_blocks(n, max(1, _CACHE_ENTRIES // p)))
        return F

    def rmatmul(self, W: np.ndarray) -> np.ndarray:
        """Return Fᵀ·W of NumPy rows, from blocks of columns."""
        V = np.empty((self.X.shape[1], W.shape[1]))

        def work(blocks: Sequence[slice]) -> None:
            for columns in blocks:
                np.matmul(self.block(_ALL_ROWS, columns).T, W, out=V[columns])

        parallel_map(work, self._columns())
        return V

    def dense(self, side: Side) -> np.ndarray:
        """Return FᵀF or F·Fᵀ of NumPy rows, added up over blocks."""
        n, p = self.X.shape
        primal = side == "primal"
        size = p if primal else n

        def work(blocks: Sequence[slice]) -> np.ndarray:
            M = np.zeros((size, size))
            for part in blocks:
                F = self.block(part, _ALL_ROWS) if primal else self.block(_ALL_ROWS, part).T
                add_products(M, F)
            return M

        blocks = even_blocks(n, max(64, _CACHE_ENTRIES // p)) if primal else self._columns()
        return np.sum(parallel_map(work, blocks), axis=0)

    def _columns(self) -> list[slice]:
        n, p = self.X.shape
        return even_blocks(p, max(64, _CACHE_ENTRIES // n))


class UncentredRows(Rows):
    """F = P^½·(Y − 1·meanᵀ)·column for rows Y that are left alone: products are corrected."""

    def __init__(self, Y: Array, mean: np.ndarray, column: np.ndarray, root: np.ndarray) -> None:
        self.Y, self.mean, self.root = Y, mean, root
        self.column = column[:, None]
        self.shape = Y.shape

    def matmul(self, V: np.ndarray) -> np.ndarray:
        """P^½·(Y·DV − mean·DV)."""
        V = self.column * V
        return self.root * (self.Y @ V - (self.mean @ V)[None, :])

    def rmatmul(self, W: np.ndarray) -> np.ndarray:
        """D·(YᵀP^½W − mean·ΣP^½W)."""
        W = self.root * W
        return self.column * (self.Y.T @ W - self.mean[:, None] * W.sum(axis=0)[None, :])


class SparseRows(UncentredRows):
    """A CSR matrix as it is, or with its stored entries shifted or in units; it stays sparse."""

    def __init__(
        self, X: sparse.csr_array, m: Moments, factor: np.ndarray, root: np.ndarray
    ) -> None:
        Y, unit = shift_sparse(X, m.shift, m.unit)
        super().__init__(Y, unit * (m.first / m.weight), m.unit / unit * factor, root)
        self.weight = root[:, 0] ** 2
        self.dense_bytes = 8 * Y.shape[0] * Y.shape[1]
        blocks = even_blocks(Y.shape[0], Y.shape[0] - 1)
        self.parts = [(csr_slice(Y, rows), self.weight[rows]) for rows in blocks]
        if pays(Y, 1):
            self.product_bytes = Y.data.nbytes + Y.indices.nbytes  # of `rows_by_length`

    @cached_property
    def rows_by_length(self) -> list[tuple[sparse.csr_array, np.ndarray]]:
        """The rows once more, for products with one column, of which a search makes hundreds."""
        return by_length(self.Y, self.weight, len(self.parts))

    def product(self, V: np.ndarray, side: Side) -> np.ndarray:
        """FᵀF·V, every core with rows of its own."""
        if side == "dual":
            return super().product(V, side)
        V = self.column * V
        mean = self.mean @ V
        at_once = pays(self.Y, V.shape[1])

        def work(parts: Sequence[tuple[sparse.csr_array, np.ndarray]]) -> tuple[Any, Any]:
            product: Any = 0.0
            sums: Any = 0.0
            for Y, weight in parts:
                W = (Y @ V - mean) * weight[:, None]
                product, sums = product + Y.T @ W, sums + W.sum(axis=0)
            return product, sums

        def work_at_once(parts: Sequence[tuple[sparse.csr_array, np.ndarray]]) -> tuple[Any, Any]:
            product, sums = np.zeros((self.shape[1], 1)), 0.0
            for Y, weight in parts:
                sums += add_column_product(Y, V[:, 0], mean[0], weight, product[:, 0])
            return product, np.full(1, sums)

        if at_once:
            operations = _COMPILED_OPERATIONS * self.Y.nnz
            shares = parallel_map(work_at_once, self.rows_by_length, operations=operations)
        else:
            operations = _ENTRY_OPERATIONS * self.Y.nnz * V.shape[1]
            shares = parallel_map(work, self.parts, operations=operations)
        product, sums = (sum(share[k] for share in shares) for k in (0, 1))
        return self.column * (product - self.mean[:, None] * sums[None, :])

    def dense(self, side: Side) -> np.ndarray:
        F = self.root * (self.Y.toarray() - self.mean) * self.column.T
        again = F.copy()  # keeps NumPy off its syrk path, which crashes on large n
        return F.T @ again if side == "primal" else F @ again.T


class RowsInPlace(UncentredRows):
    """NumPy doubles near the origin, where taking the mean off products costs no digits."""

    def __init__(self, features: Features, mean: np.ndarray) -> None:
        super().__init__(features.X, mean, features.factor, features.root)
        self.features = features

    def product(self, V: np.ndarray, side: Side) -> np.ndarray:
        """FᵀF·V with the rows read from memory once."""
        if side == "dual":
            return super().product(V, side)
        V = self.column * V
        mean = self.mean @ V

        def work(blocks: Sequence[slice]) -> tuple[np.ndarray, np.ndarray]:
            product, sums = np.zeros(V.T.shape), np.zeros(V.shape[1])
            for rows in blocks:
                W = (self.Y[rows] @ V - mean) * self.root[rows] ** 2
                sums += W.sum(axis=0)
                product += W.T @ self.Y[rows]
            return product, sums

        parts = parallel_map(work, _readings(self.Y))
        product, sums = (np.sum([part[k] for part in parts], axis=0) for k in (0, 1))
        return self.column * (product.T - self.mean[:, None] * sums[None, :])

    def dense(self, side: Side) -> np.ndarray:
        return self.features.dense(side)

    def to_single(self) -> Rows | None:
        n, p = self.shape
        return SingleRows(self.features) if n * p >= MIN_SINGLE_ENTRIES else None


class DeviceRows(Rows):
    """Rows of another array library, centred in a copy where they live, made when it is needed."""

    def __init__(self, features: Features) -> None:
        self.features = features
        self.shape = features.X.shape
        self.product_bytes = self.dense_bytes = 8 * self.shape[0] * self.shape[1]

    @cached_property
    def F(self) -> Array:
        """The features, (n, p)."""
        return self.features.block(_ALL_ROWS, _ALL_ROWS)

    def matmul(self, V: Array) -> Array:
        return self.F @ V

    def rmatmul(self, W: Array) -> Array:
        return self.F.T @ W

    def dense(self, side: Side) -> Array:
        return self.F.T @ self.F if side == "primal" else self.F @ self.F.T


class CentredRows(DeviceRows):
    """NumPy rows centred in a copy, which is made when the first product needs it."""

    def __init__(self, features: Features) -> None:
        super().__init__(features)
        self.dense_bytes = 0

    @cached_property
    def F(self) -> np.ndarray:
        return self.features.whole()

    def rmatmul(self, W: np.ndarray) -> np.ndarray:
        """Fᵀ·W; block by block where no product has asked for the copy."""
        return self.F.T @ W if "F" in vars(self) else self.features.rmatmul(W)

    def product(self, V: np.ndarray, side: Side) -> np.ndarray:
        """Two products with the features, which are read from memory once."""
        F = self.F if side == "primal" else self.F.T

        def work(blocks: Sequence[slice]) -> np.ndarray:
            total = np.zeros(V.T.shape)
            for rows in blocks:
                total += (F[rows] @ V).T @ F[rows]
            return total

        return np.sum(parallel_map(work, _readings(F)), axis=0).T.astype(V.dtype, copy=False)

    def dense(self, side: Side) -> np.ndarray:
        return self.features.dense(side)


class SingleRows(CentredRows):
    """The same in single precision, which is half as much to read; sums are in double precision."""

    @cached_property
    def F(self) -> np.ndarray:
        return self.features.whole(np.float32)


def rows_for(X: Array, moments: Moments, factor: Array, p: np.ndarray | None, side: Side) -> Rows:
    """Return the features of the rows of X in the form that costs least on the given side."""
    n = X.shape[0]
    root = as_kind(np.full(n, n**-0.5) if p is None else np.sqrt(p), factor)[:, None]
    if is_sparse(X):
        return SparseRows(X, moments, factor, root)
    features = Features(X, moments.shift, moments.rest, factor, root)
    if not is_numpy(X):
        return DeviceRows(features)
    if side == "primal" and X.dtype == np.float64 and _is_near(moments):
        return RowsInPlace(features, moments.mean)
    return CentredRows(features)


def _is_near(moments: Moments) -> bool:
    """Whether every column is near the origin, in deviations, and of a common size."""
    unit = moments.unit
    plain = (unit > 2.0**-100) & (unit < 2.0**100)
    with np.errstate(over="ignore"):  # of columns that are not plain
        return bool((plain & (np.abs(moments.mean) <= NEAR_DEVIATIONS * moments.deviation)).all())


def _readings(F: np.ndarray) -> list[slice]:
    """Return the blocks of rows in which F is read for two products at once."""
    return even_blocks(F.shape[0], max(1, _BLOCK_ENTRIES // F.shape[1]))


def pays(Y: sparse.csr_array, columns: int) -> bool:
    """Whether the compiled loop is the quicker one."""
    return columns == 1 and Y.nnz >= _MIN_COMPILED_ENTRIES and has_numba()


def add_column_product(
    Y: sparse.csr_array, v: np.ndarray, mean: float, weight: np.ndarray, out: np.ndarray
) -> float:
    """Add Yᵀs, (p,), to `out` and return Σs, with s = weight·(Y·v − mean), (n,)."""
    return float(_add_rows(Y.indptr, Y.indices, Y.data, v, mean, weight, out))


def by_length(
    Y: sparse.csr_array, weight: np.ndarray, parts: int
) -> list[tuple[sparse.csr_array, np.ndarray]]:
    """Return the rows and their weights in parts, each from short rows to long ones.

    A processor foresees where a row ends if the one before was as long: a third of the time.
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
