"""Where rows lie along the curve that follows their cloud."""

from __future__ import annotations

import numpy as np

__all__ = ["along_curve"]

_DEGREE = 2  # more would let it coil up within a cluster
_AXES = 3  # of the rows: a curve may wind through all the noise of many
_ROUNDS = 8
_POINTS = 101  # of the curve
_BEYOND = np.linspace(0.01, 0.3, 30)[:, None]  # of its length, straight on at both ends
_AT_ONCE = 1 << 20  # numbers of the gaps between rows and pieces


def along_curve(F: np.ndarray) -> np.ndarray:
    """Return the arc length at which each row is nearest to a principal curve, (n,).

    Every one of the first principal axes of the rows is a polynomial of the place along the curve,
    and the place is that of the nearest point, in turn from the first axis on (Hastie and Stuetzle
    1989). Beyond its ends the curve goes straight on: rows that lie beyond would else all have the
    place of the end.

    >>> angle = np.linspace(0.0, 2.0, 40)
    >>> s = along_curve(np.column_stack([np.cos(angle), np.sin(angle)]))
    >>> bool(np.abs(np.abs(s - s[0]) - angle).max() < 0.1)
    True
    """
    U, size, _ = np.linalg.svd(F - F.mean(axis=0), full_matrices=False)
    F, s = (U * size)[:, :_AXES], U[:, 0]
    for _ in range(_ROUNDS):
        length = np.ptp(s)
        if length == 0:
            break
        s = _places(F, _curve(F, 2.0 * (s - s.min()) / length - 1.0))
    return np.asarray(s)


def _curve(F: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return points along the curve of rows with places t between −1 and 1."""
    powers = np.polynomial.legendre.legvander
    C = np.linalg.lstsq(powers(t, _DEGREE), F, rcond=None)[0]
    P = powers(np.linspace(-1.0, 1.0, _POINTS), _DEGREE) @ C
    reach = _BEYOND * np.linalg.norm(np.diff(P, axis=0), axis=1).sum()
    return np.vstack(
        [P[0] - reach[::-1] * _unit(P[1] - P[0]), P, P[-1] + reach * _unit(P[-1] - P[-2])]
    )


def _unit(v: np.ndarray) -> np.ndarray:
    return v / max(float(np.linalg.norm(v)), 1e-300)


def _places(F: np.ndarray, P: np.ndarray) -> np.ndarray:
    """Return the arc length of the nearest point of a polygon, (n,)."""
    piece = np.diff(P, axis=0)
    length = np.maximum(np.linalg.norm(piece, axis=1), 1e-300)
    arc = np.concatenate([[0.0], np.cumsum(length)])
    size = max(1, _AT_ONCE // piece.size)
    parts = []
    for start in range(0, len(F), size):
        gap = F[start : start + size, None] - P[:-1]
        share = np.clip(np.einsum("njd,jd->nj", gap, piece) / length**2, 0.0, 1.0)
        rest = ((gap - share[:, :, None] * piece) ** 2).sum(axis=2)
        j = rest.argmin(axis=1)
        parts.append(arc[j] + share[np.arange(len(j)), j] * length[j])
    return np.concatenate(parts)
