"""The constant kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import Array, is_array, is_sparse, namespace
from gramian._check import is_number, short
from gramian._pairs import Pairs
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel
from gramian.kernels.registry import register


@register(short=False)
class Constant(Kernel):
    """The constant kernel, k(x, y) = value ≥ 0.

    >>> float(Constant(2.0)([[1.0], [5.0]])[0, 1])
    2.0
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True
    shift_changes: Change = "nothing"

    def __init__(self, value: float = 1.0) -> None:
        if not is_number(value) or not 0 <= value < np.inf:
            raise InputError(
                f"a kernel can be multiplied or shifted by {short(value)} only if it is ≥ 0"
            )
        self.value = value

    def reading(self, reader: Any, names: Any = None) -> Kernel:
        """Return itself: it compares nothing."""
        return self

    def evaluate(self, pairs: Pairs) -> Array:
        """The value, for every pair."""
        return pairs.full(self.value)

    def squared_distance(self, pairs: Pairs) -> Array:
        """Zero: every point has the same image."""
        return 0.0 * self.evaluate(pairs)

    def self_similarity(self, X: Any) -> Array:
        """The value, for every row."""
        if is_array(X) and not is_sparse(X):
            return namespace(X).full(X.shape[0], self.value, dtype=X.dtype, device=X.device)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        return np.full(n, float(self.value), getattr(X, "dtype", float))
