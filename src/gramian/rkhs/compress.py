"""A function on fewer points, within a stated error."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from gramian._core.array import eps, namespace, to_numpy
from gramian._core.check import number
from gramian._core.operators.tiled import TiledGram
from gramian._core.pairs import Pairs
from gramian.rkhs.function import Function

_MIN_RESIDUAL = 1e-10  # what must be left of k(x, x), as a share, for a point to be worth taking


def compress(f: Function, error: float) -> Function:
    """Return the projection of f on the span of as few of its points as reach the error.

    Newton's basis v₁, v₂, … of the chosen points is orthonormal in H; a point x lowers |f − g|² by
    r(x)²/w(x), r the residual at x and w what is left of k(x, x), and the largest one is taken.
    """
    allowed = number(error, "error", least=0.0)
    basis = _Newton(f)
    again = 0  # points at which the error is next looked at: each look costs n² kernel values
    while True:
        k = len(basis.chosen)
        if basis.left <= allowed**2 and k >= again:
            g = basis.projection()
            if g.error <= allowed:
                return g
            again = k + 1 + k // 8
        if k == len(f) - 1 or not basis.grow():
            g = basis.projection()
            return g if g.error <= allowed else f


class _Newton:
    """The orthonormal basis of the chosen points, and the residual of f."""

    def __init__(self, f: Function) -> None:
        self.f = f
        gram = TiledGram(f.kernel, f._points)
        self.r = to_numpy(gram.matmul(f._alpha[:, None]))[:, 0].astype(float)
        self.w = f._lengths
        self.least = _MIN_RESIDUAL * self.w
        self.left = f.norm() ** 2
        self.V = np.empty((len(f), 8))
        self.chosen: list[int] = []
        self.steps: list[float] = []

    def grow(self) -> bool:
        """Take the point that brings the projection nearest to f; False if none brings anything."""
        live = self.w > self.least
        gain = np.where(live, self.r**2 / np.where(live, self.w, 1.0), 0.0)
        i = int(gain.argmax())
        if gain[i] == 0.0:
            return False
        k, size = len(self.chosen), np.sqrt(self.w[i])
        if k == self.V.shape[1]:
            self.V = np.concatenate([self.V, np.empty_like(self.V)], axis=1)
        points, V = self.f._points, self.V
        column = self.f.kernel.evaluate(Pairs(points, points.take(np.array([i]))))
        V[:, k] = (to_numpy(column)[:, 0] - V[:, :k] @ V[i, :k]) / size
        self.steps.append(float(self.r[i] / size))
        self.r = self.r - self.steps[-1] * V[:, k]
        self.w = self.w - V[:, k] ** 2
        self.w[i] = 0.0
        self.left -= self.steps[-1] ** 2
        self.chosen.append(i)
        return True

    def projection(self) -> Function:
        """Return the projection of f on the chosen points, its distance to f measured."""
        f, rows, k = self.f, np.array(self.chosen or [0]), len(self.chosen)
        beta = np.zeros(1)
        if k:
            beta = solve_triangular(self.V[rows, :k].T, np.array(self.steps), lower=False)
        rest = to_numpy(f._alpha).astype(float).copy()
        rest[rows] -= beta
        left = Function.of_points(f.kernel, f._points, rest)
        # A bound, so that what rounding hides counts as error too.
        hidden = 8.0 * eps(f._like.dtype, namespace(f._like)) * left._size
        error = f.error + float(np.sqrt(left.norm() ** 2 + hidden))
        return Function.of_points(f.kernel, f._points.take(rows), beta, error)
