"""Kernel PCA beside PCA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.nystrom import Nystrom
from gramian._study.subject import standardised
from gramian.kernels.base import Kernel
from gramian.stability.procrustes import procrustes

_EXACT = 2_000  # rows up to which kernel PCA is exact
_RANK = 300  # landmarks beyond
_AXES = 5


@dataclass(frozen=True, eq=False)
class KernelMap:
    """Kernel PCA of a table, and how it compares with PCA."""

    fit: Any
    kernel: Kernel | None  # the one that was asked for, None for the usual one
    rank: int | None  # landmarks, None where kernel PCA is exact
    agreement: float  # correlation of the two maps after rotation


def kernel_map(fit: Any, X: pd.DataFrame, seed: int, kernel: Kernel | None) -> KernelMap | None:
    """Return kernel PCA (Gaussian by default) of standardised columns; None for a single axis."""
    if fit.n_components_ < 2:
        return None
    n = len(X)
    S = pd.DataFrame(standardised(X.to_numpy(dtype=float)), index=X.index, columns=X.columns)
    rank = None if n <= _EXACT else _RANK
    curved = KernelPCA(
        n_components=min(_AXES, n - 1),
        kernel="gaussian" if kernel is None else kernel,
        approximation=None if rank is None else Nystrom(rank=rank, random_state=seed),
        indefinite="raise" if kernel is None else "clip",
        random_state=seed,
    ).fit(S)
    maps = [np.asarray(each.coordinates_, dtype=float)[:, :2] for each in (fit, curved)]
    return KernelMap(curved, kernel, rank, procrustes(*maps, symmetric=True).correlation)
