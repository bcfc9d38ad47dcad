"""Repeat a step until it stands still, faster than the step alone would.

Majorisation converges linearly, and often slowly. Anderson's extrapolation from the last few steps
is tried at each turn; where it does not lower the loss, the plain step, which always does, is
taken instead, so that the loss never rises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Run", "majorise"]

_MEMORY = 6  # steps that an extrapolation looks back on
_FLAT = 1e-30  # a loss this small is zero to rounding


@dataclass(frozen=True)
class Run:
    """Where a start led to."""

    X: np.ndarray  # (n, q)
    loss: float
    history: np.ndarray  # the loss at each accepted configuration
    n_iter: int  # steps computed
    converged: bool


def majorise(
    step: Callable[[np.ndarray], tuple[float, np.ndarray]],
    X: np.ndarray,
    *,
    max_iter: int,
    tol: float,
    report: Callable[[int, float], None] | None = None,
) -> Run:
    """Return the fixed point of `step` that the start X leads to.

    It has converged when a step moves the points by at most `tol`, relative to their size.
    """
    loss, Z = step(X)
    history, n_iter = [loss], 1
    mixer = _Mixer()
    while True:
        moved = float(np.linalg.norm(Z - X))
        converged = moved <= tol * float(np.linalg.norm(X)) or loss <= _FLAT
        if report is not None:
            report(n_iter, loss)
        if converged or n_iter >= max_iter:
            return Run(X, loss, np.array(history), n_iter, converged)
        guess = mixer(X, Z)
        new_loss, new_Z = step(guess)
        n_iter += 1
        if not new_loss <= loss and guess is not Z:
            mixer = _Mixer()
            guess = Z
            new_loss, new_Z = step(guess)
            n_iter += 1
        X, Z, loss = guess, new_Z, new_loss
        history.append(loss)


class _Mixer:
    """Anderson's extrapolation: the combination of past steps that would stand still if linear."""

    def __init__(self) -> None:
        self.X: list[np.ndarray] = []
        self.F: list[np.ndarray] = []

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Return the extrapolated configuration, Z itself as long as there is no past."""
        self.X.append(X)
        self.F.append(Z - X)
        if len(self.X) == 1:
            return Z
        del self.X[: -_MEMORY - 1], self.F[: -_MEMORY - 1]
        dF = np.array([b - a for a, b in zip(self.F[:-1], self.F[1:], strict=True)])
        dX = np.array([b - a for a, b in zip(self.X[:-1], self.X[1:], strict=True)])
        flat = dF.reshape(len(dF), -1)
        M = flat @ flat.T
        # The ridge keeps nearly parallel differences from being weighed against each other.
        M[np.diag_indices_from(M)] += 1e-10 * np.trace(M) + np.finfo(float).tiny
        weights = np.linalg.solve(M, flat @ self.F[-1].ravel())
        return Z - np.tensordot(weights, dX + dF, axes=1)
