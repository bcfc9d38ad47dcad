"""Rows of unequal variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.evidence.finding import Finding
from gramian.evidence.scores import normal_scores

__all__ = ["unequal_rows"]


def unequal_rows(X: np.ndarray, n_draws: int, rng: Any) -> Finding:
    """Test whether some rows are larger in all columns than others.

    Columns become normal scores Z, so that long tails of their own do not count. The energy of row
    i is e_i = Σ_j z_ij², and the statistic Var(e)/(2|R|²), R the correlations of the scores: 1 for
    normal rows whatever their correlations, more where rows have scales of their own. Two nulls
    must fail: columns that are permuted (exact where they are independent), and normal rows of the
    same correlations (so that an axis is not taken for a scale).
    """
    Z = normal_scores(X)
    Z = Z[:, Z.any(axis=0)]
    if Z.shape[1] < 2:
        return Finding(1.0, 1.0, "ratio of spreads")
    seen = _spread(Z)
    n = len(Z)
    free = np.array([_spread(rng.permuted(Z, axis=0)) for _ in range(n_draws)])
    p = (1 + np.count_nonzero(free >= seen)) / (1 + n_draws)
    if p <= 0.2:
        # Random mixtures of rows are normal rows with the correlations of the table.
        mix = rng.standard_normal
        tied = np.array([_spread(_mixture(Z, mix((n, n)))) for _ in range(n_draws)])
        p = max(p, (1 + np.count_nonzero(tied >= seen)) / (1 + n_draws))
    return Finding(float(p), _ratio(Z), "ratio of spreads")


def _mixture(Z: np.ndarray, W: np.ndarray) -> np.ndarray:
    return normal_scores(W @ Z)


def _spread(Z: np.ndarray) -> float:
    """Return the variance of the energies over that of normal rows with these correlations."""
    energy = np.einsum("ij,ij->i", Z, Z)
    G = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T
    return float(energy.var() / max(2.0 * np.einsum("ij,ij->", G, G) / len(Z) ** 2, 1e-300))


def _ratio(Z: np.ndarray) -> float:
    """Return how many times larger a large row (nine of ten) is than a small one (one of ten)."""
    low, high = np.quantile(np.sqrt(np.einsum("ij,ij->i", Z, Z)), [0.1, 0.9])
    return float(high / max(low, 1e-12))
