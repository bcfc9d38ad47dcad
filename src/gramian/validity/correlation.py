"""The nearest correlation matrix, by a Newton method."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from gramian._core.check import warn
from gramian._core.spectral.dense import eigh
from gramian.errors import ConvergenceWarning

_MAX_STEPS = 200


def nearest_with_unit_diagonal(K: np.ndarray) -> np.ndarray:
    """Return the positive semi-definite matrix with unit diagonal nearest to K.

    It is (K + Diag(y))₊ for the y that minimises the convex ½|(K + Diag(y))₊|² − Σy, found by
    Newton steps with conjugate gradients and a line search (Qi and Sun 2006).
    """
    n = len(K)
    y = 1.0 - K.diagonal()
    value, gradient, state = _dual(K, y)
    target = 4.0 * n * 2.0**-52 * max(1.0, float(np.abs(K).max()))
    for _ in range(_MAX_STEPS):
        size = float(np.linalg.norm(gradient))
        if size <= target:
            break
        step = _newton_step(state, gradient, size)
        slope = float(gradient @ step)
        t = 1.0
        while True:
            new_value, new_gradient, new_state = _dual(K, y + t * step)
            flat = abs(new_value - value) <= 1e-12 * abs(value)
            if new_value <= value + 1e-4 * t * slope or flat or t < 1e-10:
                break
            t *= 0.5
        if flat and np.linalg.norm(new_gradient) >= size:
            break  # as near as rounding allows
        y, value, gradient, state = y + t * step, new_value, new_gradient, new_state
    if float(np.linalg.norm(gradient)) > 1e-8 * np.sqrt(n):
        warn(
            "nearest_psd: the diagonal is 1 only to "
            f"{np.abs(gradient).max():.1g} before it is made so",
            ConvergenceWarning,
        )
    values, V = state
    X = (V * np.maximum(values, 0.0)) @ V.T
    d = np.sqrt(np.maximum(X.diagonal(), 2.0**-52))
    X = X / d[:, None] / d[None, :]
    X = 0.5 * (X + X.T)
    np.fill_diagonal(X, 1.0)
    return X


State = tuple[np.ndarray, np.ndarray]


def _dual(K: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray, State]:
    """Return the dual function, its gradient and the eigenpairs of K + Diag(y)."""
    values, V = eigh(K + np.diag(y))
    positive = np.maximum(values, 0.0)
    gradient = (V**2) @ positive - 1.0
    return 0.5 * float(positive @ positive) - float(y.sum()), gradient, (values, V)


def _newton_step(state: State, gradient: np.ndarray, size: float) -> np.ndarray:
    """Return the solution of H·step = −gradient, H the generalised Hessian plus a little."""
    values, V = state
    n, r = len(values), int((values > 0).sum())
    if r == n:
        return -gradient
    # First divided differences of max(λ, 0): 1 between positives, 0 between negatives.
    with np.errstate(divide="ignore", invalid="ignore"):
        W = values[:r, None] / (values[:r, None] - values[None, r:])
    P, Q = V[:, :r], V[:, r:]

    def product(h: np.ndarray) -> np.ndarray:
        h = np.ravel(h)
        A = P.T @ (h[:, None] * P)
        B = W * (P.T @ (h[:, None] * Q))
        left = np.einsum("ij,ij->i", P @ A, P)
        return left + 2.0 * np.einsum("ij,ij->i", P @ B, Q) + 1e-10 * h

    H = LinearOperator((n, n), matvec=product, dtype=float)
    step, _ = cg(H, -gradient, rtol=min(0.1, size), maxiter=200)
    return step if gradient @ step < 0 else -gradient
