"""Rows that do not go with the others: too far out along the axes, or too far from their plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

__all__ = ["Why", "outliers", "reasons"]

_REASONS = 3


@dataclass(frozen=True)
class Why:
    """A variable that sets a row apart, and how many standard deviations from the mean it is."""

    name: Any
    z: float


def outliers(fit: Any, q: int, *, alpha: float = 0.05) -> pd.DataFrame:
    """Return the rows that are far out, one row each, the farthest first.

    Along the q axes the squared score distance d² = Σ f²/λ of a row of a normal cloud follows
    (n − 1)·Beta(q/2, (n − q − 1)/2). Across them, the residual distance to the power 2/3 is near
    to normal (Wilson and Hilferty) and is held against the median and the median deviation. Both
    levels are divided by the number of rows (Bonferroni), so that in a table without outliers
    nothing is named, but for a chance of alpha each.

    Columns: "position", "along" and "across" (distances divided by their limits, so that 1 is the
    limit).
    """
    table = fit.individuals()
    F = table["coordinate"].to_numpy()[:, :q]
    n = len(F)
    values = np.abs(np.asarray(fit.eigenvalues_, dtype=float)[:q])
    along = np.zeros(n)
    if n - q - 1 > 0 and (values > 0).all():
        d2 = (F**2 / values).sum(axis=1) / (n - 1)
        along = np.sqrt(d2 / stats.beta.ppf(1 - alpha / n, q / 2, (n - q - 1) / 2))
    across = _across(table["distance2", ""].to_numpy() - (F**2).sum(axis=1), table, alpha / n)
    far = pd.DataFrame(
        {"position": np.arange(n), "along": along, "across": across}, index=table.index
    )
    far = far[(along > 1) | (across > 1)]
    worst = far[["along", "across"]].max(axis=1).to_numpy()
    return far.iloc[np.argsort(-worst, kind="stable")]


def _across(rest: np.ndarray, table: pd.DataFrame, alpha: float) -> np.ndarray:
    """Return residual distances as multiples of their limit; zeros where nothing is left over."""
    whole = float(np.abs(table["distance2", ""].to_numpy()).mean())
    rest = np.maximum(rest, 0.0)
    if whole <= 0 or rest.mean() < 1e-10 * whole or len(rest) < 8:
        return np.zeros(len(rest))
    t = np.cbrt(rest)
    middle = np.median(t)
    spread = 1.4826 * np.median(np.abs(t - middle))
    if spread <= 1e-9 * middle:
        return np.zeros(len(rest))
    limit = middle + spread * stats.norm.isf(alpha)
    return (t / limit) ** 1.5


def reasons(table: pd.DataFrame | None, position: int) -> tuple[Why, ...]:
    """Return the variables on which a row is farthest from the mean, two deviations at least."""
    if table is None:
        return ()
    X = table.to_numpy(dtype=float)
    z = (X[position] - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    order = np.argsort(-np.abs(z), kind="stable")[:_REASONS]
    return tuple(Why(table.columns[j], float(z[j])) for j in order if abs(z[j]) >= 2.0)
