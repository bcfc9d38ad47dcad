"""A first guess of leading axes by products with one column at a time.

A matrix that stays in the cache is multiplied by one column as quickly, a column, as by many, and
one Krylov space of degree k holds the leading axes better than a block of as many columns does. The
guess is that of one random column, blind to a second axis of the same eigenvalue: the witness of
the search that starts from it is not.
"""

from __future__ import annotations

import numpy as np

from gramian._blocks import one_blas_thread
from gramian.spectral.krylov import BORDER

__all__ = ["CACHED", "lanczos_subspace"]

CACHED = 2_000  # rows of a matrix of doubles up to which it stays in the cache
_LOOK = 4  # steps between two looks at the residuals
_STEPS = 60  # and two for each axis: where they are not enough, blocks are better


def lanczos_subspace(
    G: np.ndarray,
    p: np.ndarray,
    root: np.ndarray,
    q: int,
    width: int,
    tol: float,
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Return an orthonormal basis, (n, width), of what holds the q leading axes of a centred matrix

    A = P^½(I − 1pᵀ)G(I − p1ᵀ)P^½, `root` being P^½.

    Lanczos' method with full reorthogonalisation, until |A u − λ u| ≤ tol·λ₁ for each of the q;
    None where that takes too long. A space that is nearly one is no start for a search: what all
    its axes lack is one and the same column.
    """
    n = len(p)
    most = min(_STEPS + 2 * q, n - 1)
    limit = np.append(BORDER, np.full(q, 0.25 * tol))  # the first of those left out may be tied
    V, T = np.empty((most, n)), np.zeros((most, most))
    w = rng.standard_normal(n)
    with one_blas_thread():
        for k in range(most):
            V[k] = w / np.linalg.norm(w)
            w = root * V[k]
            w = G @ (w - w.sum() * p)
            w = root * (w - p @ w)
            T[: k + 1, k] = h = V[: k + 1] @ w
            w -= h @ V[: k + 1]
            rest = float(np.linalg.norm(w))
            if k + 1 < width or (k % _LOOK and k + 1 < most):
                continue
            values, S = np.linalg.eigh(T[: k + 1, : k + 1], UPLO="U")
            if (rest * np.abs(S[-1, -q - 1 :]) <= limit * abs(values[-1])).all():
                return V[: k + 1].T @ S[:, ::-1][:, :width]
    return None
