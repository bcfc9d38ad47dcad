"""Landmark points: the few that make the axes, the others being placed by their distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.check import generator, is_whole
from gramian._core.numbers import as_array, refuse_masks
from gramian.errors import InputError


def landmark_weights(
    landmarks: Any, weight: np.ndarray | None, n: int, q: Any, random_state: Any
) -> np.ndarray:
    """Return weights that are zero outside the landmarks, (n,).

    Parameters
    ----------
    landmarks : int or array of positions
        A number of rows to draw among those that have a weight, or which rows.
    weight : array (n,), optional
        The weights of the rows; landmarks keep theirs.
    q : int or other
        The number of axes, if it is known: there must be more landmarks than axes.
    """
    w = np.ones(n) if weight is None else weight
    chosen = _positions(landmarks, w, n, random_state)
    least = int(q) + 1 if is_whole(q) else 2
    if len(chosen) < least:
        raise InputError(f"landmarks: {len(chosen)} of them for {q} axes: give at least {least}")
    out = np.zeros(n)
    out[chosen] = w[chosen]
    return out


def _positions(landmarks: Any, w: np.ndarray, n: int, random_state: Any) -> np.ndarray:
    if is_whole(landmarks):
        able = np.flatnonzero(w > 0)
        if not 1 <= int(landmarks) <= able.size:
            raise InputError(
                f"landmarks={landmarks} must lie between 1 and {able.size}, the number of rows "
                "that have a weight"
            )
        return np.sort(generator(random_state).choice(able, int(landmarks), replace=False))
    refuse_masks(landmarks, "landmarks")
    chosen = as_array(landmarks, "landmarks")
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise InputError("landmarks must be a number of rows or an array of their positions")
    if chosen.size and not (chosen.min() >= 0 and chosen.max() < n):
        wrong = int(chosen[(chosen < 0) | (chosen >= n)][0])
        raise InputError(f"landmarks: {wrong} is not the position of a row (0 to {n - 1})")
    if np.unique(chosen).size < chosen.size:
        raise InputError("landmarks: a row is named twice: give each position once")
    return chosen
