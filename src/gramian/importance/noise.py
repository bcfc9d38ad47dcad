"""What a measure of importance says of columns that have nothing to do with one another."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from gramian._core.check import whole
from gramian._estimators.foreign import outside
from gramian._nulls.p_values import permutation_p_value
from gramian.errors import RankWarning, TiedAxesWarning

Measure = Callable[[Any, np.ndarray], pd.DataFrame]  # of a fit and its rows, with ("share", "")


def unfitted(fitted: Any) -> Any:
    """Return the estimator of a fit, with its number of axes and its kernel as resolved."""
    again = clone(fitted).set_params(n_components=fitted.n_components_)
    if isinstance(fitted, outside.Outside):
        kernel = getattr(outside.last_step(fitted.fitted_), "kernel_", None)
        if kernel is not None:
            outside.last_step(again.estimator).set_params(kernel=kernel)
    if "kernel" in again.get_params(deep=False):
        again.set_params(kernel=fitted.kernel_)
    return again


def against_noise(
    measure: Measure,
    fitted: Any,
    X: np.ndarray,
    p: np.ndarray,
    n_noise: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the table of a measure, with columns on noise where they are asked for.

    The level of noise is that of tables with every column shuffled by itself. It has no test in it:
    a column that has two modes, or a large variance, makes axes of its own there. What tells that a
    variable goes with the others is that the first axes hold less of the inertia once it alone is
    shuffled: p-values are of that.
    """
    whole(n_noise, "n_noise", 0)
    table = measure(fitted, X)
    if n_noise == 0:
        return table
    drawn = [rng.permuted(X, axis=0) for _ in range(n_noise)]
    shares = np.array([measure(_fit(fitted, Z, p), Z)["share", ""].to_numpy() for Z in drawn])
    table["noise", "mean"], table["noise", "largest"] = shares.mean(axis=0), shares.max(axis=0)
    own = _held(_fit(fitted, X, p))
    columns = range(X.shape[1])
    table["p_value", ""] = [_p_value(own, fitted, X, p, j, n_noise, rng) for j in columns]
    return table


def _fit(fitted: Any, X: np.ndarray, p: np.ndarray) -> Any:
    with warnings.catch_warnings():
        # What a fit says of a random table is of no use.
        warnings.simplefilter("ignore", TiedAxesWarning)
        warnings.simplefilter("ignore", RankWarning)
        return unfitted(fitted).fit(X, sample_weight=p)


def _held(fit: Any) -> float:
    """Return the share of the inertia on the axes of a fit."""
    return float(np.abs(np.asarray(fit.eigenvalues_)).sum() / abs(float(fit.inertia_)))


def _p_value(
    own: float,
    fitted: Any,
    X: np.ndarray,
    p: np.ndarray,
    j: int,
    count: int,
    rng: np.random.Generator,
) -> float:
    """Return how often the axes hold as much with column j shuffled as with the table's own."""
    Z, reference = X.copy(), np.empty(count)
    for b in range(count):
        Z[:, j] = rng.permutation(X[:, j])
        reference[b] = _held(_fit(fitted, Z, p))
    return permutation_p_value(own, reference, "greater")
