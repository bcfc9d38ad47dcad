"""A configuration turned to its principal axes."""

from __future__ import annotations

import numpy as np

from gramian.embedding.coordinates import Embedding
from gramian.spectral.dense import eigh
from gramian.spectral.spectrum import Spectrum, tied_groups

__all__ = ["principal_map"]


def principal_map(X: np.ndarray, p: np.ndarray | None, unit: float, solver: str) -> Embedding:
    """Return the points centred and on axes of decreasing inertia, signs fixed.

    Parameters
    ----------
    X : array (n, q), in multiples of `unit`
    p : array (n,), optional
        Weights of the points, sum 1; equal by default.
    solver : str
        What made the map, in words.
    """
    w = np.full(len(X), 1.0 / len(X)) if p is None else p
    X = X - w @ X
    values, V = eigh((w[:, None] * X).T @ X)
    values = np.maximum(values, 0.0)
    Z = X @ V
    size = np.where(values > 0, np.sqrt(values), 1.0)
    spectrum = Spectrum(
        values,
        np.sqrt(w)[:, None] * Z / size,
        float(values.sum()),
        np.zeros(len(values)),
        solver,
        tied=tied_groups(values),
    )
    spectrum.warn_of_ties()
    blank = np.zeros((0, X.shape[1]))
    found = Embedding(spectrum, Z, np.sum(Z * Z, axis=1), blank, unit=unit)
    return found.with_signs_of_points()
