"""The options of stress scaling, checked before anything is computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.check import flag, one_of, share, short, whole
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array
from gramian._core.table import table
from gramian._estimators.stress import LOSSES, SCALINGS, TIES, Arrangement
from gramian.distances.dissimilarities import dissimilarities
from gramian.errors import InputError


def check_options(est: Any) -> None:
    """Refuse options of `MDS` that have no meaning."""
    for name, known in (("scaling", SCALINGS), ("loss", LOSSES), ("ties", TIES)):
        one_of(getattr(est, name), name, known)
    for name in ("n_init", "max_iter"):
        whole(getattr(est, name), name)
    share(est.tol, "tol")
    flag(est.progress, "progress")
    if isinstance(est.start, str) and est.start not in ("classical", "random"):
        raise InputError(
            f'start={short(est.start)} must be "classical", "random" or an array (n, q)'
        )
    if isinstance(est.pair_weight, str) and est.pair_weight != "sammon":
        raise InputError(f'pair_weight={short(est.pair_weight)} must be None, "sammon" or an array')


def check_dimension(n_components: Any, n: int) -> int:
    """Return the dimension of the map."""
    return whole(n_components, "n_components", most=n, what="the number of rows")


def start_array(start: Any, points: Arrangement, q: int) -> np.ndarray:
    """Return a start that was given for rows as one for points, (m, q)."""
    X = np.asarray(table(start, "start", min_rows=1, allow_sparse=False).values, dtype=float)
    if X.shape != (len(points.where), q):
        raise InputError(
            f"start has shape {X.shape} but the map has shape {(len(points.where), q)}"
        )
    if not np.ptp(X, axis=0).any():
        raise InputError("start: all its points are the same, and would stay so: spread them")
    return X[points.rows]


def square_weights(pair_weight: Any, n: int) -> np.ndarray:
    """Return given weights of pairs as a symmetric matrix with a zero diagonal, (n, n)."""
    if not isinstance(pair_weight, np.ndarray) and not is_frame(pair_weight):
        pair_weight = as_array(pair_weight, "pair_weight")
    if np.ndim(pair_weight) == 2:  # a point has no pair with itself, whatever stands there
        pair_weight = np.array(
            table(pair_weight, "pair_weight", allow_sparse=False).values, dtype=float
        )
        np.fill_diagonal(pair_weight, 0.0)
    W = np.asarray(dissimilarities(pair_weight, "pair_weight").values, dtype=float)
    if len(W) != n:
        raise InputError(f"pair_weight is for {len(W)} points but X has {n}: give the same ones")
    return W


def pair_weights(
    pair_weight: Any, delta: np.ndarray, s: np.ndarray | None, W: np.ndarray | None
) -> np.ndarray | None:
    """Return the weights of the pairs in condensed order, None where all are 1.

    Parameters
    ----------
    pair_weight : None, "sammon" or array
        As it was given; only its kind matters.
    delta : array (n(n−1)/2,)
        Dissimilarities, NaN where missing.
    s : array (n,), optional
        Weights of the points: a pair has the product of both.
    W : array (n(n−1)/2,), optional
        Given weights of pairs (which hold those of the points already).
    """
    known = ~np.isnan(delta)
    if pair_weight is None and s is None and known.all():
        return None
    w = known.astype(float)
    if W is not None:
        return w * W
    if pair_weight is not None:
        if (delta == 0).any():
            raise InputError(
                'pair_weight="sammon" is 1/δ, but two different points have dissimilarity 0: drop '
                "one of them, or give weights as an array"
            )
        w[known] /= delta[known]
    if s is not None:
        first, second = np.triu_indices(len(s), 1)
        w *= s[first] * s[second]
    return w
