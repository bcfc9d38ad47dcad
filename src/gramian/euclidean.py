"""Corrections that make any distances Euclidean by adding a constant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg

__all__ = ["CORRECTIONS", "cailliez", "double_centre", "lingoes"]


def double_centre(M: np.ndarray) -> np.ndarray:
    """Return (I − 11ᵀ/n) M (I − 11ᵀ/n)."""
    row = M.mean(axis=0)
    return M - row[None, :] - M.mean(axis=1)[:, None] + row.mean()


def lingoes(D: np.ndarray) -> float:
    """Return the smallest c ≥ 0 for which √(d² + 2c) is Euclidean off the diagonal.

    >>> lingoes(np.array([[0.0, 1.0], [1.0, 0.0]]))
    0.0
    """
    values = linalg.eigvalsh(double_centre(-0.5 * D**2))
    return float(max(-values[0], 0.0)) if -values[0] > _rounding(values) else 0.0


def cailliez(D: np.ndarray) -> float:
    """Return the smallest c ≥ 0 for which d + c is Euclidean off the diagonal.

    It is the largest eigenvalue of [[0, 2B₁], [−I, −4B₂]], B₁ and B₂ the centred −½d² and −½d.
    """
    if lingoes(D) == 0.0:
        return 0.0
    n = D.shape[0]
    B1, B2 = double_centre(-0.5 * D**2), double_centre(-0.5 * D)
    M = np.block([[np.zeros((n, n)), 2.0 * B1], [-np.eye(n), -4.0 * B2]])
    values = linalg.eigvals(M, overwrite_a=True, check_finite=False)
    real = np.abs(values.imag) <= 1e-8 * np.abs(values).max()
    return float(max(values.real[real].max(), 0.0))


def _rounding(values: np.ndarray) -> float:
    return 10.0 * values.size * 2.0**-52 * float(np.abs(values).max())


def _add_lingoes(D: np.ndarray, c: float) -> np.ndarray:
    return np.where(D > 0, np.sqrt(D**2 + 2.0 * c), 0.0)


def _add_cailliez(D: np.ndarray, c: float) -> np.ndarray:
    return np.where(D > 0, D + c, 0.0)


# name: the constant from the training distances, and how distances are changed by it
CORRECTIONS: dict[
    str, tuple[Callable[[np.ndarray], float], Callable[[np.ndarray, float], np.ndarray]]
] = {"lingoes": (lingoes, _add_lingoes), "cailliez": (cailliez, _add_cailliez)}
