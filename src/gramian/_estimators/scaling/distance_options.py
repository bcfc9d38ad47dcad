"""What the parameters of classical scaling ask for, put into one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.check import warn
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table
from gramian._estimators._base import like_this
from gramian._estimators._noise import null_table_by_fits
from gramian._estimators.scaling.distances import is_euclidean
from gramian._reading.null_table import NullTable, features_by_columns
from gramian._reading.rules import selection
from gramian.errors import NotEuclideanWarning


def distance_request(est: Any, n: int, shape: tuple[int, int] | None = None) -> Request:
    """Return what is asked; `shape` is that of a table whose principal components it is."""
    return Request(
        axes=selection(est.n_components, n, "the number of rows", shape=shape),
        solver=est.solver,
        tol=1e-12,
        policy="drop",
        budget=budget_bytes(None),
        dimension=None if shape is None else shape[1],
    )


def distance_null_table(est: Any, rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the columns that parallel analysis draws anew."""
    if is_euclidean(est.metric):
        return features_by_columns(rows.values, p)
    # The constant of a correction is larger for noise than for data and would hide every axis.
    # A metric may be of amounts or categories, which have no signs to flip.
    return null_table_by_fits(like_this(est, correction=None), rows, p, has_signs=False)


def say_not_euclidean(negative: float, total: float) -> None:
    """Warn of distances that no Euclidean space can hold."""
    text = "the distances are not Euclidean: negative eigenvalues hold "
    text += f"{negative:.3g} of inertia against a total of {total:.3g}; "
    warn(NotEuclideanWarning(text + "correction='lingoes' or 'cailliez' removes them"))
