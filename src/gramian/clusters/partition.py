"""Classes of rows: their centres, and the exchange of rows between them."""

from __future__ import annotations

import numpy as np

_ROUNDS = 100


def centres_of(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the barycentres of classes 0, 1, …, (k, q)."""
    mass = np.bincount(codes, w)
    return np.stack([np.bincount(codes, w * f) / mass for f in F.T], axis=1)


def squared_gaps(F: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the squared distances of rows to centres, (n, k)."""
    return np.stack([((F - c) ** 2).sum(axis=1) for c in centres], axis=1)


def nearest(F: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the class whose centre is nearest to each row, (n,)."""
    return np.asarray(squared_gaps(F, centres).argmin(axis=1))


def consolidated(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return classes between which no row can be moved to lose inertia within them.

    Rows go to the nearest centre until none does, then the one whose move gains most (Hartigan).
    """
    for _ in range(_ROUNDS):
        codes = _settled(F, w, codes)
        mass, gaps = np.bincount(codes, w), squared_gaps(F, centres_of(F, w, codes))
        rows = np.arange(len(F))
        own, rest = gaps[rows, codes], mass[codes] - w
        stay = np.divide(mass[codes] * own, rest, out=np.full(len(F), -1.0), where=rest > 1e-12)
        move = mass * gaps / (mass + w[:, None])
        move[rows, codes] = np.inf
        gain = w * (stay - move.min(axis=1))
        best = int(gain.argmax())
        if gain[best] <= 1e-12 * (w @ own):
            break
        codes = codes.copy()
        codes[best] = move[best].argmin()
    return codes


def _settled(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return classes after rows have gone to the nearest centre until none does."""
    k = int(codes.max()) + 1
    for _ in range(_ROUNDS):
        other = nearest(F, centres_of(F, w, codes))
        if (other == codes).all() or len(np.unique(other)) < k:
            break
        codes = other
    return codes


def numbered(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return codes 0, 1, … in the order of the classes on the first axis."""
    order = np.argsort(centres_of(F[:, :1], w, codes)[:, 0], kind="stable")
    return np.asarray(np.argsort(order)[codes])
