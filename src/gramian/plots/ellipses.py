"""Barycentres of groups and the ellipses around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from gramian.errors import InputError

__all__ = ["Ellipse", "barycentre", "ellipse"]


@dataclass(frozen=True, eq=False)
class Ellipse:
    """The points z with (z − centre)ᵀ shape⁻¹ (z − centre) = 1."""

    centre: np.ndarray  # (2,)
    shape: np.ndarray  # (2, 2)

    def outline(self, count: int = 121) -> np.ndarray:
        """Return points on the ellipse, the last equal to the first, (count, 2)."""
        turn = np.linspace(0.0, 2.0 * np.pi, count)
        values, axes = np.linalg.eigh(self.shape)
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        return self.centre + circle * np.sqrt(np.clip(values, 0.0, None)) @ axes.T

    def holds(self, Z: np.ndarray) -> np.ndarray:
        """Return which rows of Z lie inside, (n,)."""
        D = Z - self.centre
        return (D * np.linalg.solve(self.shape, D.T).T).sum(axis=1) <= 1.0


def barycentre(Z: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the weighted mean of the rows of Z."""
    return w @ Z / w.sum()


def ellipse(Z: np.ndarray, w: np.ndarray, kind: str, level: float) -> Ellipse | None:
    """Return the ellipse of a group, None where it has too few points for one.

    With S the covariance of the group (divisor n − 1), "concentration" is the ellipse that holds
    `level` of a normal distribution with this mean and covariance, χ²₂(level)·S, and "confidence"
    the one that holds the true barycentre with this probability, Hotelling's
    2(n − 1)/(n(n − 2))·F₂,ₙ₋₂(level)·S. Unequal weights count as n = (Σw)²/Σw² rows.

    >>> Z = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> ellipse(Z, np.ones(4), "concentration", 0.95).shape.round(3)
    array([[7.989, 0.   ],
           [0.   , 7.989]])
    """
    if kind not in ("concentration", "confidence"):
        raise InputError(f'ellipses={kind!r} must be "concentration", "confidence" or None')
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level!r} must lie between 0 and 1")
    w = w / w.sum()
    n = 1.0 / float(w @ w)
    if n <= 2.0 + 1e-9:
        return None
    centre = w @ Z
    D = Z - centre
    S = (D * w[:, None]).T @ D * n / (n - 1.0)
    if kind == "concentration":
        factor = stats.chi2.ppf(level, 2)
    else:
        factor = 2.0 * (n - 1.0) / (n * (n - 2.0)) * stats.f.ppf(level, 2, n - 2.0)
    return Ellipse(centre, factor * S)
