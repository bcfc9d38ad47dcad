"""Whether the rows of a fit, kept but not copied, are still what they were."""

from __future__ import annotations

import numpy as np

from gramian._array import Array, as_kind, eps, is_sparse, namespace, to_numpy
from gramian.embedding.coordinates import Embedding
from gramian.errors import InputError
from gramian.estimators._clouds import CHANGED

__all__ = ["require_same_moments", "require_same_witnesses", "witnesses"]


def witnesses(X: Array) -> Array:
    """Return a copy of a few rows, by which a table is known again."""
    n, p = X.shape
    few = max(2, min(100, (1 << 16) // p))
    some = X[:: -(-n // few), :]
    return some.copy() if is_sparse(X) else namespace(X).asarray(some, copy=True)


def require_same_witnesses(X: Array, before: Array) -> None:
    """Refuse rows of which a few are not those of the fit."""
    differ = witnesses(X) != before
    if bool(differ.nnz) if is_sparse(X) else bool(namespace(X).any(differ)):
        raise InputError(CHANGED)


def require_same_moments(e: Embedding, p: np.ndarray | None) -> None:
    """Refuse coordinates whose means and variances are not those of the fit."""
    Z, values = e.coordinates, e.spectrum.values
    xp = namespace(Z)
    w = xp.ones_like(Z[:, 0]) / Z.shape[0] if p is None else as_kind(p, Z)
    mean, variance = to_numpy(w @ Z), to_numpy(w @ (Z * Z))
    rounding = eps(Z.dtype, xp) ** 0.4
    moved = np.abs(mean).max() > rounding * np.sqrt(values[0])
    if moved or np.abs(variance - values).max() > rounding * values[0]:
        raise InputError(CHANGED)
