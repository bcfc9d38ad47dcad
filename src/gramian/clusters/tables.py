"""The columns that a fit was made of, as numbers and categories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._array import dense, is_array, is_sparse, to_numpy
from gramian.distances.mixed import Gower
from gramian.estimators.correspondence import CA
from gramian.kernels.mixed import MixedTable
from gramian.reading.coding import Coding
from gramian.reading.columns import Factor, Numeric, Supplement
from gramian.reading.grouping import Grouping

__all__ = ["own_columns", "own_tally"]


def own_tally(fit: Any, codes: np.ndarray) -> tuple[Factor, np.ndarray] | None:
    """Return the columns of a correspondence analysis, and their counts in each class, (k, J)."""
    if not isinstance(fit, CA):
        return None
    training = fit.training_
    profiles = training.rows
    profiles = dense(profiles)
    mass = np.full(training.n, 1.0 / training.n) if training.weights is None else training.weights
    counts = np.asarray(profiles, dtype=float) * (mass * fit.total_)[:, None]
    member = codes == np.arange(int(codes.max()) + 1)[:, None]
    columns = Factor("column", np.empty(0, dtype=int), pd.Index(fit.variables().index))
    return columns, member.astype(float) @ counts


def own_columns(fit: Any) -> Supplement | None:
    """Return the columns that a fit was made of, None where it keeps none."""
    training = getattr(fit, "training_", None)
    if training is None or training.kind != "table" or isinstance(fit, CA):
        return None
    values, reader = training.rows, training.reader
    if isinstance(reader, MixedTable):
        reader = reader.reader
    if isinstance(reader, Gower):
        return _of_codes(values, reader, training.columns)
    if isinstance(reader, Grouping):
        reader = reader.coding
    if isinstance(reader, Coding):
        return Supplement(reader.numbers(values), reader.factors(values))
    if is_sparse(values):
        values = values.toarray()
    if not is_array(values):
        return None
    X = np.asarray(to_numpy(values), dtype=float)
    names = training.columns or [f"x{j}" for j in range(X.shape[1])]
    return Supplement([Numeric(name, x) for name, x in zip(names, X.T, strict=True)], [])


def _of_codes(values: np.ndarray, reader: Gower, names: Any) -> Supplement:
    """Return numbers and categories that were read as numbers and codes."""
    numbers, factors = list[Numeric](), list[Factor]()
    for k, (column, own) in enumerate(zip(reader.columns, values.T, strict=True)):
        name = f"x{k}" if names is None else names[k]
        if column.codes is None:
            numbers.append(Numeric(name, own))
        else:
            codes = np.where(np.isnan(own), -1, own).astype(int)
            factors.append(Factor(name, codes, pd.Index(list(column.codes), dtype=object)))
    return Supplement(numbers, factors)
