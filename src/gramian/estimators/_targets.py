"""What is predicted: classes or numbers, and the weights of the rows they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite

from gramian._validate import weights
from gramian.errors import InputError

__all__ = [
    "Classes",
    "classes_of",
    "numbers_of",
    "raw_weights",
]


@dataclass(frozen=True)
class Classes:
    """Class labels as codes."""

    labels: np.ndarray  # (c,), sorted
    codes: np.ndarray  # (n,)

    def __len__(self) -> int:
        return len(self.labels)


def _target(y: Any, n: int, owner: str) -> Any:
    if y is None:
        raise InputError(f"{owner} requires y to be passed, but the target y is None")
    rows = getattr(y, "shape", None) or np.asarray(y).shape
    if rows and rows[0] != n:
        raise InputError(f"y has {rows[0]} values but X has {n} rows: inconsistent lengths")
    return y


def classes_of(y: Any, n: int, w: np.ndarray | None, owner: str) -> Classes:
    """Return the classes of the rows that have a weight; the code of any other row is 0."""
    y = column_or_1d(_target(y, n, owner), warn=True)
    assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    live = np.ones(n, dtype=bool) if w is None else w > 0
    labels, places = np.unique(y[live], return_inverse=True)
    if len(labels) < 2:
        raise InputError(
            f"y has only one class ({str(labels[0])[:40]!r}): at least 2 classes are needed"
        )
    codes = np.zeros(n, dtype=int)
    codes[live] = places
    return Classes(labels, codes)


def numbers_of(y: Any, n: int, owner: str) -> np.ndarray:
    """Return the numbers to predict, (n,) or (n, t)."""
    return check_array(
        _target(y, n, owner), ensure_2d=False, dtype=np.float64, input_name="y", copy=True
    )


def raw_weights(sample_weight: Any, n: int) -> np.ndarray | None:
    """Return the weights as they were given: two rows of weight 1 are one row of weight 2."""
    p = weights(sample_weight, n)
    if sample_weight is None:
        return None
    total = float(np.broadcast_to(np.asarray(np.asarray(sample_weight), dtype=float), (n,)).sum())
    return np.full(n, total / n) if p is None else p * total
