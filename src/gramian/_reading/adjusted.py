"""The inertias of a multiple correspondence analysis, adjusted."""

from __future__ import annotations

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.embedding.models import FeatureModel, Record
from gramian._core.operators.moments import moments


def all_inertias(fit: Record) -> np.ndarray:
    """Return every eigenvalue of a fit to features, those of axes that were left out too."""
    assert isinstance(fit.model, FeatureModel)
    rows, p = fit.training.active()
    values = fit.model.spectrum.values
    if values.sum() >= (1.0 - 1e-12) * fit.model.spectrum.total:
        return values
    m = moments(rows.values, p)
    d = to_numpy(m.unit * fit.model.principal.standard.factor)
    return np.linalg.eigvalsh(to_numpy(m.covariance) * np.outer(d, d))[::-1]


def benzecri(values: np.ndarray, K: int) -> np.ndarray:
    """Return Benzécri's inertias of K questions, (K/(K − 1))²(λ − 1/K)² for λ > 1/K, else 0.

    >>> benzecri(np.array([0.75, 0.25]), 2)
    array([0.25, 0.  ])
    """
    if K < 2:
        return np.array(values, dtype=float)
    return np.where(values > 1.0 / K, (K / (K - 1.0) * (values - 1.0 / K)) ** 2, 0.0)


def greenacre_total(values: np.ndarray, K: int, J: int) -> float:
    """Return K/(K − 1)·(Σλ² − (J − K)/K²): the mean inertia of the Burt table off its diagonal.

    >>> round(greenacre_total(np.array([0.75, 0.25]), 2, 4), 6)
    0.25
    """
    if K < 2:
        return float(values.sum())
    return float(K / (K - 1.0) * ((values**2).sum() - (J - K) / K**2))
