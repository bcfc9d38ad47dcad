"""Many p-values at once: what is left of them after their number is allowed for."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.evidence.door import p_values_of

__all__ = ["benjamini_hochberg", "holm"]


def holm(p: Any) -> np.ndarray:
    """Return p-values corrected for their number by Holm's step-down rule.

    The chance that any true hypothesis falls below alpha is at most alpha, whatever the
    dependence: p₍ᵢ₎ becomes max_{j ≤ i} (m − j + 1)·p₍ⱼ₎. A NaN (not tested) stays NaN and does not
    count.

    Parameters
    ----------
    p : array (m,)

    Returns
    -------
    array (m,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    return _stepwise(p, _down)


def benjamini_hochberg(p: Any) -> np.ndarray:
    """Return p-values corrected for the expected share of false ones among those that pass.

    p₍ᵢ₎ becomes min_{j ≥ i} m·p₍ⱼ₎/j: those at most alpha are, on the average, false in a share of
    at most alpha (independent or positively dependent tests). A NaN stays NaN and does not count.

    Parameters
    ----------
    p : array (m,)

    Returns
    -------
    array (m,)

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    return _stepwise(p, _up)


def _stepwise(p: Any, steps: Any) -> np.ndarray:
    p = p_values_of(p)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    out = np.full_like(p, np.nan)
    out[order] = np.minimum(steps(p[order]), 1.0)
    return out


def _down(p: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(p * np.arange(len(p), 0, -1))


def _up(p: np.ndarray) -> np.ndarray:
    ranked = p * len(p) / np.arange(1, len(p) + 1)
    return np.minimum.accumulate(ranked[::-1])[::-1]
