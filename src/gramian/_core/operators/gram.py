"""Gram operators: symmetric matrices that solvers multiply by, and their centring.

With weights p (sum 1) the operator that is diagonalised is

    A = P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½,

whose eigenvalues are inertias. Training points need G·p and pᵀGp once; new points nothing more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np

from gramian._core.array import Array, Values, as_kind, eps, gram64, is_numpy, namespace, to_numpy
from gramian._core.check import whole
from gramian.errors import InputError

SPARE_COLUMNS = 8  # columns of a first guess beyond a block
_CORNER_POINTS = 6  # points whose entries are compared
_SINGLE_TOLERANCE = 1e-4  # of matrices in single precision
_DOUBLE_TOLERANCE = 1e-8


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

    def to_single(self) -> Self | None:
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

    def null_level(self, scale: float) -> float:
        """Return the size under which an eigenvalue is rounding.

        The weights sum to 1, so that errors of eps in every entry of a Gram matrix of size `scale`
        move no eigenvalue by more than eps·scale, whatever n.
        """
        return 64.0 * eps(self.like.dtype, namespace(self.like)) * scale + self.roughness

    by_columns = False  # whether a search by products of one column is the quickest

    def dense_parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return G, p and P^½ of P^½(I − 1pᵀ)G(I − p1ᵀ)P^½, where G is held as NumPy doubles."""
        return None


class Gram(Operator):
    """The matrix G of k(x_i, x_j) over the training points.

    A fit needs `matmul`, `diag`, `block` and `like`; new rows need `cross` (and `cross_diag`).
    Everything else has a default.
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
        return self.block(slice(0, self.n), slice(0, self.n))

    def prepare(self) -> Gram:
        """Return the operator in the form that is best for several products."""
        return self

    def cross(self, new: Values) -> Array:
        """Return k(x, x_i) for the rows of `new` and the training points, (m, n)."""
        raise InputError(
            "X: this Gram operator cannot place new rows: define cross(X_new) in "
            f"{type(self).__name__}, the (m, n) block k(new, training)"
        )

    def cross_matmul(self, new: Values, V: Array) -> tuple[Array, Array | None]:
        """Return k(new, training)·V, (m, r), and k(x, x) of the new rows."""
        return self.cross(new) @ V, self.cross_diag(new)

    def cross_diag(self, new: Values) -> Array | None:
        """Return k(x, x) for the rows of `new`, (m,), or None where it is not known."""
        return None


class DenseGram(Gram):
    """A Gram matrix stored as an array (n, n).

    >>> gm.operators.DenseGram(np.array([[2.0, 1.0], [1.0, 3.0]])).diag()
    array([2., 3.])
    """

    K: Annotated[Array, "(n, n)"]
    n: Annotated[int, "n", ">= 1"]

    def __init__(self, K: Array) -> None:
        self.K = K
        self.n = K.shape[0]

    def matmul(self, V: Array) -> Array:
        if isinstance(self.K, np.ndarray) and self.K.dtype == np.float32:
            return (V.T @ self.K).T  # BLAS adds up rows more exactly than columns
        return self.K @ V

    def diag(self) -> Array:
        return namespace(self.K).linalg.diagonal(self.K)

    def block(self, rows: slice, cols: slice) -> Array:
        return self.K[rows, cols]

    @property
    def like(self) -> Array:
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


def zero_kernel_error() -> InputError:
    """Return the refusal of rows that differ although their products do not."""
    return InputError(
        "kernel: all its values on X are zero although rows differ: products of numbers so small "
        "vanish: multiply the data by a power of two, or rescale the kernel"
    )


def kernel_range_error(gram: Gram, means: Array) -> InputError:
    """Return the refusal of an operator with entries that are no numbers, from its means."""
    i = int(np.argmax(~np.isfinite(to_numpy(means))))
    row = to_numpy(gram.block(slice(i, i + 1), slice(0, gram.n)))[0]
    if not np.isnan(row).any():
        return InputError("kernel: its values overflow on X: rescale the data or the kernel")
    return InputError(
        f"kernel: its value for rows {i} and {int(np.isnan(row).argmax())} of X is NaN: its "
        "formula is not defined there, or overflows on the way: rescale the data or check it"
    )


@dataclass(frozen=True)
class Centering:
    """All that is needed to centre: the weights p, the means G·p and their mean pᵀGp."""

    p: Annotated[Array, "(n,)", "> 0"]
    means: Annotated[Array, "(n,)"]  # G·p
    grand: float  # pᵀGp

    def distance2(self, cross_p: Array, diag: Array) -> Array:
        """Return k̃(x, x), the squared distance to the barycentre, from cross·p and k(x, x)."""
        square = diag - 2.0 * cross_p + self.grand
        if is_numpy(square):
            return np.maximum(square, 0.0)
        return namespace(square).clip(square, 0.0, None)


class CenteredGram(Symmetric):
    """P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½ for any Gram operator G.

    Products need no means; these are one more column of the first product.

    >>> G = gm.operators.DenseGram(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> gm.operators.CenteredGram(G).trace()
    0.75
    """

    def __init__(self, gram: Gram, p: np.ndarray | None = None) -> None:
        self.gram = gram
        self.n = gram.n
        self.dtype = gram.like.dtype
        self._weights = p
        weights = np.full(self.n, 1.0 / self.n) if p is None else p
        self.p = as_kind(weights, gram.like)
        self._xp = namespace(self.p)
        self.root = as_kind(np.sqrt(weights), gram.like)
        self._means: Array | None = None
        self._centering: Centering | None = None

    @property
    def like(self) -> Array:
        return self.p

    @property
    def centering(self) -> Centering:
        """The means and their mean."""
        if self._means is None:
            with np.errstate(over="ignore", invalid="ignore"):  # looked at below
                means = self.gram.matmul(self.p[:, None])[:, 0]
            self._means = self._numbers(means)
        if self._centering is None:
            grand = gram64(self._means[:, None], self.p[:, None])  # single precision loses digits
            self._centering = Centering(self.p, self._means, float(grand[0, 0]))
        return self._centering

    def matmul(self, V: Array) -> Array:
        """A·V by one product with G and two corrections of rank one."""
        W = self.root[:, None] * V
        xp = self._xp
        W -= self.p[:, None] * xp.sum(W, axis=0)
        if self._means is None:
            W = xp.concat([W, self.p[:, None]], axis=1)
            with np.errstate(over="ignore", invalid="ignore"):
                W = self.gram.matmul(W)
            W, self._means = W[:, :-1], self._numbers(W[:, -1])
        else:
            W = self.gram.matmul(W)
        W -= (self.p @ W)[None, :]
        return self.root[:, None] * W

    def _numbers(self, means: Array) -> Array:
        """Return the means, which have met every entry of G; refuse entries that are no numbers."""
        if not bool(self._xp.all(self._xp.isfinite(means))):
            raise kernel_range_error(self.gram, means)
        return means

    def width(self, columns: int) -> int:
        return self.gram.width(columns)

    def sketch_width(self, columns: int) -> int:
        """Return the free width above that, less the column of the means in the first product.

        Where every column has its price a few more pay: a guess that holds all axes which are
        nearly alike saves a product.
        """
        free = self.gram.width(self.gram.width(columns) + 1) - 1
        return free if free > columns else columns + SPARE_COLUMNS

    def dense_parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        G = self.gram.K if isinstance(self.gram, DenseGram) else None
        if G is None or not is_numpy(G) or G.dtype != np.float64:
            return None
        self.centering  # noqa: B018  what are no numbers is refused now
        return G, self.p, self.root

    def to_single(self) -> Self | None:
        low = self.gram.to_single()
        if low is None:
            return None
        A = type(self)(low, self._weights)
        A.roughness = low.roughness
        return A

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        guess = self.gram.sketch(width, rng)
        if guess is None:
            return None
        return self.root[:, None] * (guess - (self.p @ guess)[None, :])

    def diag(self) -> Array:
        """Return the squared distances of the training points to the barycentre (no weights)."""
        return self.centering.distance2(self.centering.means, self.gram.diag())

    def trace(self) -> float:
        """Σ p_i k(x_i, x_i) − pᵀGp, summed in double precision."""
        d = to_numpy(self.gram.diag()).astype(np.float64)
        p = to_numpy(self.p).astype(np.float64)
        return float(d @ p) - self.centering.grand

    def dense(self) -> Array:
        """The matrix A, symmetric to the last bit."""
        m = self.centering.means
        means = m[:, None] + m[None, :]
        means -= self.centering.grand
        A = self.gram.dense() - means
        A *= self.root[:, None] * self.root[None, :] if self._weights is not None else 1.0 / self.n
        return A

    def coefficients(self, U: Array, values: Array) -> Array:
        """Return C with k̃(x, ·)·C the coordinates of x, from eigenvectors U, (n, q)."""
        return self.root[:, None] * U * _inverse_root(values)

    def scores(self, AU: Array, values: Array) -> Array:
        """Return the coordinates of the training points from A·U, (n, q)."""
        return AU * _inverse_root(values) / self.root[:, None]


def _inverse_root(values: Array) -> Array:
    """Return sign(λ)/√|λ|, 0 for a null axis."""
    if is_numpy(values) and values.all():
        return np.sign(values) / np.sqrt(np.abs(values))
    xp = namespace(values)
    safe = xp.where(values == 0, xp.ones_like(values), values)
    return xp.sign(values) / xp.sqrt(xp.abs(safe))


def require_gram(gram: Gram) -> None:
    """Refuse an operator whose parts contradict each other, at the price of one product.

    G·V for two random columns and the first unit vectors shows its shape, whether it is finite and
    symmetric, and whether `block` and `diag` are those of the same matrix.
    """
    who, n = type(gram).__name__, int(whole(getattr(gram, "n", None), "X: its n", least=2))
    like = gram.like
    if not namespace(like).isdtype(like.dtype, "real floating"):
        raise InputError(f"X: {who}.like holds {like.dtype}: give an array of float64 or float32")
    k = min(_CORNER_POINTS, n)
    V = np.concatenate([np.random.default_rng(0).standard_normal((n, 2)), np.eye(n, k)], axis=1)
    product = _numbers(gram.matmul(as_kind(V, like)), (n, k + 2), f"{who}.matmul(V)")
    diag = _numbers(gram.diag(), (n,), f"{who}.diag()")
    block = _numbers(gram.block(slice(0, k), slice(0, k)), (k, k), f"{who}.block(rows, cols)")
    single = str(like.dtype).endswith("float32")
    size = max(float(np.abs(product).max()), float(np.abs(diag).max()))
    near = (_SINGLE_TOLERANCE if single else _DOUBLE_TOLERANCE) * size
    a, b = V[:, 0] @ product[:, 1], V[:, 1] @ product[:, 0]
    if abs(a - b) > near * np.sqrt(n):
        raise InputError(f"X: {who}.matmul is not symmetric: x·Gy = {a:.6g} but y·Gx = {b:.6g}")
    corner = product[:k, 2:]
    for name, part, truth in (("block", block, corner), ("diag", diag[:k], corner.diagonal())):
        if np.abs(part - truth).max() > near:
            raise InputError(
                f"X: {who}.{name} and {who}.matmul are of different matrices: they differ by "
                f"{np.abs(part - truth).max():.3g} among the first {k} points"
            )


def _numbers(a: object, shape: tuple[int, ...], what: str) -> np.ndarray:
    values = np.asarray(to_numpy(a))
    if values.shape != shape:
        raise InputError(f"X: {what} has shape {values.shape}, not {shape}")
    if not np.isfinite(values).all():
        raise InputError(f"X: {what} holds NaN or inf: check the operator on a few points")
    return values.astype(np.float64)
