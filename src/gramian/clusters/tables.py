"""The columns that a fit was made of, as numbers and categories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import dense, is_array, is_sparse, to_numpy
from gramian._estimators.factors.correspondence import CA
from gramian._reading.coding import Coding
from gramian._reading.columns import Factor, Numeric, Supplement
from gramian._reading.grouping import Grouping
from gramian.distances.mixed import Gower
from gramian.kernels.mixed import MixedTable


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


def beside(own: Supplement, other: Supplement) -> Supplement:
    """Return the columns of a fit and those of a table that are not the same ones again."""
    columns: list[Numeric | Factor] = [*own.numeric, *own.factors]
    known = {column.name: column for column in columns}

    def is_new(column: Numeric | Factor) -> bool:
        return column.name not in known or not _is_same(known[column.name], column)

    numeric = [column for column in other.numeric if is_new(column)]
    factors = [column for column in other.factors if is_new(column)]
    return Supplement(own.numeric + numeric, own.factors + factors)


def _is_same(one: Numeric | Factor, other: Numeric | Factor) -> bool:
    """Whether two columns agree wherever both have a value."""
    if isinstance(one, Factor) and isinstance(other, Factor):
        known = (one.codes >= 0) & (other.codes >= 0)
        texts = [np.asarray(c.labels.astype(str))[c.codes[known]] for c in (one, other)]
        return bool((texts[0] == texts[1]).all())
    a, b = _as_numbers(one), _as_numbers(other)
    known = ~(np.isnan(a) | np.isnan(b))
    return bool(known.any() and np.allclose(a[known], b[known]))


def _as_numbers(column: Numeric | Factor) -> np.ndarray:
    """Return a column as numbers; categories that are no numbers become NaN."""
    if isinstance(column, Numeric):
        return column.values
    levels = pd.to_numeric(pd.Series(column.labels.astype(str)), errors="coerce")
    return np.append(levels.to_numpy(dtype=float), np.nan)[column.codes]


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
