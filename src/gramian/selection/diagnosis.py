"""What a Gram matrix looks like, and whether a kernel that gives it can be of use."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.kernels.base import Kernel

USEFUL = "useful"
FLAT = 0.8  # of the axes there could be: nearly all are equally long
CONSTANT = 0.98  # of k(x, x) is common to all points
_ROUNDING = 1e-9


def entropy(values: np.ndarray) -> float:
    """Return −Σ s log s, s the shares of the eigenvalues; its exponential counts axes.

    >>> float(np.exp(entropy(np.array([1.0, 1.0, 0.0]))).round(6))
    2.0
    """
    live = values[values > 0]
    s = live / live.sum()
    return float(-(s * np.log(s)).sum())


def diagnosis(
    kernel: Kernel, K: np.ndarray, values: np.ndarray, size: float | None = None
) -> dict[str, Any]:
    """Return what is seen in a Gram matrix K and its inertias, computed from numbers of a size.

    - "effective_rank": exp of the spectral entropy;
    - "first_share": the share of the first axis;
    - "common": the mean of k over the mean of k(x, x), 1 for a constant;
    - "contrast": the standard deviation of the cosines k(x, y)/√(k(x, x)·k(y, y)), x ≠ y;
    - "verdict": "useful", or what is wrong.
    """
    diagonal = np.diag(K)
    total = float(values.sum())
    common = float(K.mean() / diagonal.mean()) if diagonal.mean() > 0 else np.nan
    empty = total <= _ROUNDING * abs(float(diagonal.mean()) if size is None else size)
    rank = np.nan if empty else float(np.exp(entropy(values)))
    return {
        "effective_rank": rank,
        "first_share": np.nan if empty else float(values[0] / total),
        "common": common,
        "contrast": _contrast(K),
        "verdict": _verdict(kernel, values, rank, common, empty),
    }


def _contrast(K: np.ndarray) -> float:
    root = np.sqrt(np.clip(np.diag(K), 0.0, None))
    live = root > 0
    C = K[np.ix_(live, live)] / (root[live, None] * root[None, live])
    off = C[np.triu_indices(len(C), k=1)]
    return float(off.std()) if off.size else 0.0


def _verdict(kernel: Kernel, values: np.ndarray, rank: float, common: float, empty: bool) -> str:
    scaled = "scale" in kernel.get_params(deep=False)
    if empty:
        return "constant: all points look the same" + (": scale too large" if scaled else "")
    if values[-1] < -_ROUNDING * values[0]:
        return f"indefinite: smallest eigenvalue {values[-1] / values[0]:.2g} of the largest"
    if rank > FLAT * len(values):
        what = f"flat spectrum ({rank:.0f} of {len(values)} axes count alike): every point "
        return what + "resembles only itself" + (": scale too small" if scaled else "")
    if scaled and common > CONSTANT:
        return f"one constant is {100 * common:.0f} % of the kernel: scale too large"
    return USEFUL
