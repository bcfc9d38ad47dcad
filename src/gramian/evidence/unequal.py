"""Rows of unequal variance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gramian.evidence.finding import Finding
from gramian.evidence.scores import normal_scores

__all__ = ["unequal_rows"]

_COLUMNS = 400  # of a wide table, which show the scales of its rows as well as all
_EXACT = 20_000  # numbers, over which normal draws are not ranked
_FIRST_LOOK = 49
_IDLE = 0.2  # a p-value that more draws will not bring under any level


def unequal_rows(X: np.ndarray, n_draws: int, rng: np.random.Generator) -> Finding:
    """Test whether some rows are larger in all columns than others.

    Columns become normal scores Z, so that long tails of their own do not count. The energy of row
    i is e_i = Σ_j z_ij², and the statistic Var(e)/(2|R|²), R the correlations of the scores: 1 for
    normal rows whatever their correlations, more where rows have scales of their own. Two nulls
    must fail: columns that are permuted (exact where they are independent), and normal rows of the
    same correlations (so that an axis is not taken for a scale).
    """
    Z = normal_scores(X[:, rng.permutation(X.shape[1])[:_COLUMNS]])
    Z = Z[:, Z.any(axis=0)]
    if Z.shape[1] < 2:
        return Finding(1.0, 1.0, "ratio of spreads")
    seen = _spread(Z)
    p = 0.0
    for draw in (_free, _normal(Z)):
        drawn: list[float] = []
        for stop in sorted({min(_FIRST_LOOK, n_draws), n_draws}):
            drawn += [_spread(draw(Z, rng)) for _ in range(stop - len(drawn))]
            share = (1 + np.count_nonzero(np.array(drawn) >= seen)) / (1 + len(drawn))
            if share > _IDLE:
                break
        p = max(p, share)
        if p > _IDLE:
            break
    return Finding(float(p), _ratio(Z), "ratio of spreads", 1 / (1 + n_draws))


def _free(Z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.permuted(Z, axis=0)


def _normal(Z: np.ndarray) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Return the draw of normal rows with the correlations of a table."""
    n, p = Z.shape
    _, s, Vt = np.linalg.svd(Z, full_matrices=False)
    root = (s[:, None] * Vt) / np.sqrt(n)

    def draw(Z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        Y = rng.standard_normal((n, len(root))) @ root
        # Ranks again, but where so many rows make no difference.
        return normal_scores(Y) if n * p <= _EXACT else (Y - Y.mean(axis=0)) / Y.std(axis=0)

    return draw


def _spread(Z: np.ndarray) -> float:
    """Return the variance of the energies over that of normal rows with these correlations."""
    energy = np.einsum("ij,ij->i", Z, Z)
    G = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T
    return float(energy.var() / max(2.0 * np.einsum("ij,ij->", G, G) / len(Z) ** 2, 1e-300))


def _ratio(Z: np.ndarray) -> float:
    """Return how many times larger a large row (nine of ten) is than a small one (one of ten)."""
    low, high = np.quantile(np.sqrt(np.einsum("ij,ij->i", Z, Z)), [0.1, 0.9])
    return float(high / max(low, 1e-12))
