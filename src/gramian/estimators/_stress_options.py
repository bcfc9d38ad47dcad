"""The options of stress scaling, checked before anything is computed."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from gramian._validate import table
from gramian.dissimilarity import condensed_of, dissimilarities
from gramian.errors import InputError
from gramian.stress.problem import LOSSES, SCALINGS, TIES

__all__ = ["check_dimension", "check_options", "pair_weights", "square_weights", "start_array"]


def check_options(est: Any) -> None:
    """Refuse options of `MDS` that have no meaning."""
    for name, known in (("scaling", SCALINGS), ("loss", LOSSES), ("ties", TIES)):
        if getattr(est, name) not in known:
            raise InputError(f"{name}={getattr(est, name)!r} must be one of {', '.join(known)}")
    for name in ("n_init", "max_iter"):
        _whole(name, getattr(est, name), 1, math.inf)
    tol = est.tol
    if isinstance(tol, bool) or not isinstance(tol, numbers.Real) or not 0 < float(tol) < 1:
        raise InputError(f"tol={tol!r} must be a number between 0 and 1")
    if isinstance(est.start, str) and est.start not in ("classical", "random"):
        raise InputError(f'start={est.start!r} must be "classical", "random" or an array (n, q)')
    if isinstance(est.pair_weight, str) and est.pair_weight != "sammon":
        raise InputError(f'pair_weight={est.pair_weight!r} must be None, "sammon" or an array')


def check_dimension(n_components: Any, n: int) -> int:
    """Return the dimension of the map."""
    return _whole("n_components", n_components, 1, n)


def _whole(name: str, value: Any, least: int, most: float) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise InputError(f"{name}={value!r} must be a whole number")
    if not least <= int(value) <= most:
        upper = "" if math.isinf(most) else f" and at most {most}, the number of rows"
        raise InputError(f"{name}={value!r} must be at least {least}{upper}")
    return int(value)


def start_array(start: Any, n: int, q: int, unit: float) -> Any:
    """Return a start in units if it is an array, else its name."""
    if isinstance(start, str):
        return start
    X = np.asarray(table(start, "start", min_rows=1, allow_sparse=False).values, dtype=float)
    if X.shape != (n, q):
        raise InputError(f"start has shape {X.shape} but the map has shape {(n, q)}")
    if not np.ptp(X, axis=0).any():
        raise InputError("start: all its points are the same, and would stay so: spread them")
    return X / unit


def square_weights(pair_weight: Any) -> np.ndarray:
    """Return given weights of pairs as a symmetric matrix, (n, n)."""
    try:
        found = dissimilarities(pair_weight, "pair_weight").values
    except InputError as error:
        if "diagonal" not in str(error):
            raise
        values = np.array(table(pair_weight, "pair_weight", allow_sparse=False).values, dtype=float)
        np.fill_diagonal(values, 0.0)  # a point has no pair with itself
        found = dissimilarities(values, "pair_weight").values
    return np.asarray(found, dtype=float)


def pair_weights(given: Any, delta: np.ndarray, p: np.ndarray | None) -> np.ndarray | None:
    """Return the weights of the pairs in condensed order, None where all are 1.

    Parameters
    ----------
    given : None, "sammon" or array
    delta : array (n(n−1)/2,)
        Dissimilarities, NaN where missing.
    p : array (n,), optional
        Weights of the points, sum 1: a pair has the product of both, in multiples of the mean.
    """
    known = ~np.isnan(delta)
    if given is None and p is None and known.all():
        return None
    w = known.astype(float)
    if isinstance(given, str):
        if (delta == 0).any():
            raise InputError(
                'pair_weight="sammon" is 1/δ, but some dissimilarity is 0: drop one of two points '
                "that are the same, or give weights as an array"
            )
        w[known] /= delta[known] / delta[known].max()
    elif given is not None:
        W = condensed_of(square_weights(given))
        if W.shape != w.shape:
            raise InputError(
                f"pair_weight has {W.size} pairs but X has {w.size}: give one weight for each pair"
            )
        w *= W
    if p is not None:
        s = p * len(p)
        first, second = np.triu_indices(len(p), 1)
        w *= s[first] * s[second]
    return w
