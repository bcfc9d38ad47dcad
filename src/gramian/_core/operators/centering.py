"""Centring: the barycentre of weighted points becomes the origin, for training and new points.

With weights p (sum 1) the operator that is diagonalised is

    A = P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½,

whose eigenvalues are inertias. Training points need G·p and pᵀGp once; new points nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from gramian._core.array import Array, as_kind, gram64, is_numpy, namespace, to_numpy
from gramian._core.operators.base import DenseGram, Gram, Symmetric, out_of_range

SPARE = 8  # columns of a first guess beyond a block


@dataclass(frozen=True)
class Centering:
    """All that is needed to centre: the weights p, the means G·p and their mean pᵀGp."""

    p: Annotated[Array, "(n,)", "> 0"]
    means: Annotated[Array, "(n,)"]  # G·p
    grand: float  # pᵀGp

    def __call__(self, cross: Array) -> Array:
        """Return the centred kernel k̃ from a block k(new, training), (m, n)."""
        return cross - (cross @ self.p)[:, None] - self.means[None, :] + self.grand

    def distance2(self, cross_p: Array, diag: Array) -> Array:
        """Return k̃(x, x), the squared distance to the barycentre, from cross·p and k(x, x)."""
        square = diag - 2.0 * cross_p + self.grand
        if is_numpy(square):
            return np.maximum(square, 0.0)
        return namespace(square).clip(square, 0.0, None)


class CenteredGram(Symmetric):
    """P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½ for any Gram operator G.

    Products need no means; those come as one more column of the first product.
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
        """The weights."""
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
            raise out_of_range(self.gram, means)
        return means

    def width(self, columns: int) -> int:
        """Return the free width of the Gram operator."""
        return self.gram.width(columns)

    def sketch_width(self, columns: int) -> int:
        """Return the free width above that, less the column of the means in the first product.

        Where every column has its price a few more pay: a guess that holds all axes which are
        nearly alike saves a product.
        """
        free = self.gram.width(self.gram.width(columns) + 1) - 1
        return free if free > columns else columns + SPARE

    def held(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Return the Gram matrix, the weights and their roots, where they are NumPy doubles."""
        G = self.gram.K if isinstance(self.gram, DenseGram) else None
        if G is None or not is_numpy(G) or G.dtype != np.float64:
            return None
        self.centering  # noqa: B018  what are no numbers is refused now
        return G, self.p, self.root

    def lowered(self) -> Self | None:
        """Return the same operator in single precision, if its Gram has one."""
        low = self.gram.lowered()
        if low is None:
            return None
        A = type(self)(low, self._weights)
        A.roughness = low.roughness
        return A

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return a guess of the leading subspace, if the Gram has one."""
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
