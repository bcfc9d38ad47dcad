"""Rows that arrive in blocks, and rows of numbers and categories, seen through kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Rows
from .common import leading, manhattan, vary


def never(X: np.ndarray) -> bool:
    return False


def gower(fit: Any, t: Rows) -> Any:
    """The axes of 1 − the mean of |x − y|/range, where every column has a range."""
    if not t.varies.all():
        return []
    U = (t.X - t.X[0]) / np.ptp(t.X, axis=0)
    return leading(fit, np.maximum(t.kernel_inertias(-manhattan(U, U) / t.p), 0))


def within_bound(fit: Any, t: Rows) -> list[Pair]:
    """What was left out is as much as is said: Σ(√λ − √μ)² ≤ ε·mean k(x, x), k(x, x) = 1."""
    scale = Real(fit.kernel_.scale)
    want = np.maximum(t.kernel_inertias(np.exp(-t.d2 / (2 * scale * scale))), 0)
    got = np.zeros(len(want))
    got[: len(fit.eigenvalues_)] = np.maximum(fit.eigenvalues_, 0)
    gap = ((np.sqrt(want) - np.sqrt(got)) ** 2).sum()
    return [(gap <= fit.approximation_error_ + 1e-9, True)]


ENTRIES = [
    Entry(
        "KernelPCA(Nystrom).partial_fit",
        lambda x, v: gm.KernelPCA(approximation=gm.Nystrom(len(v))).partial_fit(x),
        within_bound,
        "X approximation rank",
        never,
    ),
    Entry(
        "KernelPCA(Gower).fit",
        lambda x, v: gm.KernelPCA(kernel=gm.kernels.Gower()).fit(x),
        gower,
        fits=vary,
        takes="pandas,polars,pyarrow,number types,containers",
    ),
]
