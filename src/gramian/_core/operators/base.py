"""What the solvers see: symmetric matrices one may multiply by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Self

import numpy as np

from gramian._core.array import Array, namespace, to_numpy
from gramian.errors import InputError


class Operator(ABC):
    """A symmetric n × n matrix of which only products are needed, and what makes them cheaper."""

    n: int
    roughness = 0.0  # how far it is, beyond the rounding of its sums, from what it stands for

    @abstractmethod
    def matmul(self, V: Array) -> Array:
        """Return the product with V (n, r)."""

    @abstractmethod
    def dense(self) -> Array:
        """Return the matrix itself, (n, n): an explicit call, never a silent one."""

    @property
    @abstractmethod
    def like(self) -> Array:
        """An array of the operator's library, device and precision."""

    def width(self, columns: int) -> int:
        """Return up to how many columns a product costs as much as with `columns`."""
        return columns

    def lowered(self) -> Self | None:
        """Return the operator in single precision, where products are then cheaper."""
        return None

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return a guess of the leading subspace, centred, (n, width), where one is cheap."""
        return None


class Symmetric(Operator):
    """A symmetric operator on R^n: all that an iterative solver needs."""

    dtype: Any

    @abstractmethod
    def trace(self) -> float:
        """Return the trace, exact whatever part of the spectrum is computed."""

    def sketch_width(self, columns: int) -> int:
        """Return how many columns a first guess should have for blocks of `columns`."""
        return columns

    by_columns = False  # whether a search by products of one column is the quickest

    def held(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return G, p and P^½ of P^½(I − 1pᵀ)G(I − p1ᵀ)P^½, where G is held as NumPy doubles."""
        return None


class Gram(Operator):
    """The matrix G of k(x_i, x_j) over the training points.

    `matmul`, `diag`, `block` and `like` are what a fit needs; `cross` (and `cross_diag`) what new
    rows need. Everything else has a default.
    """

    psd: bool | None = None  # whether G is positive semi-definite; None where nobody knows
    remakes = False  # whether every product makes the entries of G again

    @abstractmethod
    def diag(self) -> Array:
        """Return k(x_i, x_i), (n,)."""

    @abstractmethod
    def block(self, rows: slice, cols: slice) -> Array:
        """Return a block of G."""

    def dense(self) -> Array:
        """Return G itself, (n, n)."""
        return self.block(slice(0, self.n), slice(0, self.n))

    def prepared(self) -> Gram:
        """Return the operator in the form that is best for several products."""
        return self

    def cross(self, new: Any) -> Array:
        """Return k(x, x_i) for the rows of `new` and the training points, (m, n)."""
        raise InputError(
            "X: this Gram operator says nothing of new rows: define cross(X_new) in "
            f"{type(self).__name__}, the (m, n) block k(new, training)"
        )

    def cross_matmul(self, new: Any, V: Array) -> tuple[Array, Array | None]:
        """Return k(new, training)·V, (m, r), and k(x, x) of the new rows."""
        return self.cross(new) @ V, self.cross_diag(new)

    def cross_diag(self, new: Any) -> Array | None:
        """Return k(x, x) for the rows of `new`, (m,), or None where it is not known."""
        return None


class DenseGram(Gram):
    """A Gram matrix given as an array (n, n)."""

    K: Annotated[Array, "(n, n)"]
    n: Annotated[int, "n", ">= 1"]

    def __init__(self, K: Array) -> None:
        self.K = K
        self.n = K.shape[0]

    def matmul(self, V: Array) -> Array:
        """K·V."""
        if isinstance(self.K, np.ndarray):  # BLAS is quicker with the long side first
            return (V.T @ self.K).T
        return self.K @ V

    def diag(self) -> Array:
        """The diagonal."""
        return namespace(self.K).linalg.diagonal(self.K)

    def block(self, rows: slice, cols: slice) -> Array:
        """A view of the block."""
        return self.K[rows, cols]

    @property
    def like(self) -> Array:
        """The matrix."""
        return self.K


def require_range(diag: Array) -> float:
    """Return the largest |k(x, x)|; refuse numbers that overflow, or too small to have digits."""
    d = np.abs(to_numpy(diag))
    if np.isnan(d).any():
        raise InputError(
            f"kernel: k(x, x) is NaN for row {int(np.isnan(d).argmax())} of X: its formula is not "
            "defined there, or overflows on the way: rescale the data or check the kernel"
        )
    top = float(d.max())
    if top == np.inf:
        raise InputError("kernel: its values overflow on X: rescale the data or the kernel")
    kind = np.finfo(d.dtype)
    if 0 < top < kind.tiny / kind.eps:
        raise InputError(
            f"kernel: its values on X are at most {top:.3g}, where {d.dtype} numbers lose their "
            "digits: multiply the data by a power of two, or rescale the kernel"
        )
    return top


def vanished() -> InputError:
    """Return the refusal of rows that differ although their products do not."""
    return InputError(
        "kernel: all its values on X are zero although rows differ: products of numbers so small "
        "vanish: multiply the data by a power of two, or rescale the kernel"
    )


def out_of_range(gram: Gram, means: Array) -> InputError:
    """Return the refusal of an operator with entries that are no numbers, from its means."""
    i = int(np.argmax(~np.isfinite(to_numpy(means))))
    row = to_numpy(gram.block(slice(i, i + 1), slice(0, gram.n)))[0]
    if not np.isnan(row).any():
        overflow: InputError = InputError(
            "kernel: its values overflow on X: rescale the data or the kernel"
        )
        return overflow
    return InputError(
        f"kernel: its value for rows {i} and {int(np.isnan(row).argmax())} of X is NaN: its "
        "formula is not defined there, or overflows on the way: rescale the data or check it"
    )
