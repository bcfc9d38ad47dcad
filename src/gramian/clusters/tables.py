"""The columns that a fit was made of, as numbers and categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import is_array, is_sparse, to_numpy
from gramian.distances.mixed import Gower
from gramian.reading.columns import Numeric, Supplement

__all__ = ["own_columns"]


def own_columns(fit: Any) -> Supplement | None:
    """Return the columns that a fit was made of, None where it keeps none."""
    training = getattr(fit, "training_", None)
    if training is None or training.kind != "table" or isinstance(training.reader, Gower):
        return None
    values = training.rows
    if is_sparse(values):
        values = values.toarray()
    if not is_array(values):
        return None
    X = np.asarray(to_numpy(values), dtype=float)
    names = training.columns or [f"x{j}" for j in range(X.shape[1])]
    return Supplement([Numeric(name, x) for name, x in zip(names, X.T, strict=True)], [])
