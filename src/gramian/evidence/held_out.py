"""The axes of a table without one of its columns, for every column at once."""

from __future__ import annotations

import numpy as np

_STEPS = 60  # halvings: more digits than a float has
_ENTRIES = 2e6  # of the columns taken together


def axes_without(X: np.ndarray, q: int) -> np.ndarray:
    """Return, for each column j and axis k, the axis that X without column j gives, (p, q, n).

    A column takes part in the axes that it is then compared with; where columns outnumber rows
    that alone makes noise look tied to them. With X = U S Vᵀ (columns centred) the Gram matrix
    without column j is U (S² − z zᵀ) Uᵀ, z = S v_j: its eigenvalues solve 1 = Σ z_i²/(s_i² − μ)
    one between each two of S², and its eigenvectors are z_i/(s_i² − μ). Axis k of the whole table
    is projected on the first q of these, so that axes which change places are told apart.
    """
    U, s, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    # One value more than axes, if only a zero: the value of an axis lies above the next one.
    r = max(int((s > 1e-10 * s[0]).sum()), min(q + 1, len(s)))
    U, d, Z = U[:, :r], np.maximum(s[:r], 1e-10 * s[0]) ** 2, V[:r].T * s[:r]
    d = d * (1.0 - 1e-12 * np.arange(len(d)))  # equal values would leave no room between them
    # A column at right angles to an axis leaves it as it is: the limit of a tiny angle.
    least = 1e-7 * np.sqrt(d[0])
    Z = np.where(np.abs(Z) < least, np.where(Z < 0, -least, least), Z)
    step = max(1, int(_ENTRIES / len(d)))
    parts = [_some(d, Z[a : a + step], q) for a in range(0, len(Z), step)]
    return np.asarray(np.concatenate(parts) @ U.T)


def _some(d: np.ndarray, Z: np.ndarray, q: int) -> np.ndarray:
    """Return the projected axes in the basis of the whole table's, (columns, q, r)."""
    W = np.stack([_vector(d, Z, k) for k in range(q)], axis=1)
    W = W / np.linalg.norm(W, axis=2, keepdims=True)
    # Row k is Σ_l ⟨w_l, e_k⟩ w_l.
    return np.asarray(W[:, :, :q].transpose(0, 2, 1) @ W)


def _vector(d: np.ndarray, Z: np.ndarray, k: int) -> np.ndarray:
    """Return the eigenvectors of axis k, not normed, (columns, r)."""
    gap, squares = d - d[k], Z**2
    low = np.zeros(len(Z))
    high = np.full(len(Z), d[k] - d[k + 1])
    for _ in range(_STEPS):
        # How far below d_k the value lies: a difference that must keep its own digits.
        middle = 0.5 * (low + high)
        above = (squares / (gap + middle[:, None])).sum(axis=1) > 1.0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(Z / (gap + high[:, None]))
