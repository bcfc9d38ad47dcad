"""Small pieces of statistics that several parts of a study share."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["holm"]


def holm(p: Any) -> np.ndarray:
    """Return p-values corrected for their number by Holm's step-down rule.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, dtype=float)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    out = np.empty_like(p)
    out[order] = np.minimum(steps, 1.0)
    return out
