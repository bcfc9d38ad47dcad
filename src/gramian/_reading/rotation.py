"""Rotations of loadings to simple structure: pure functions of a table of loadings."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gramian._core.spectral.spectrum import column_signs
from gramian._reading.cloud import ratio

_MAX_SWEEPS = 1_000  # of plane rotations
_MAX_STEPS = 20_000  # of a gradient projection
_ANGLE_TOLERANCE = 1e-13
_GRADIENT_TOLERANCE = 1e-11
_MAX_HALVINGS = 40


@dataclass(frozen=True)
class Turn:
    """A rotation: loadings·pattern are the new loadings, Φ are the correlations of the new axes."""

    pattern: np.ndarray  # (q, q)

    @property
    def scores(self) -> np.ndarray:
        """What standardised coordinates are multiplied by, (q, q)."""
        return np.linalg.inv(self.pattern).T

    @property
    def correlations(self) -> np.ndarray:
        """Φ, the correlations of the rotated axes, (q, q)."""
        return self.scores.T @ self.scores

    def inertias(self, L: np.ndarray) -> np.ndarray:
        """Return the inertia of each axis, diag(Φ·LᵀL): the sum is that before the rotation.

        One of an axis that is strongly correlated with others may be negative.
        """
        turned = L @ self.pattern
        return np.einsum("jk,jk->k", turned @ self.correlations, turned)

    def in_order(self, L: np.ndarray) -> "Turn":
        """Return the rotation with axes by decreasing Σ l_jk², the largest loadings positive."""
        size = ((L @ self.pattern) ** 2).sum(axis=0)
        P = self.pattern[:, np.argsort(-size, kind="stable")]
        return Turn(P * column_signs(L @ P))


def orthomax(L: np.ndarray, gamma: float, owner: np.ndarray | None = None) -> np.ndarray:
    """Return the orthogonal matrix (q, q) that is best in every plane of two axes.

    The criterion is Σ_k [Σ_j s_jk² − γ/m (Σ_j s_jk)²], s_jk the squared loadings of variable j on
    axis k, of its categories together: `owner` is the variable of each row of L. With γ = 1 it is
    varimax, Σ_k Var_j(l_jk²) up to a factor, with γ = 0 quartimax, Σ l_jk⁴.
    """
    A, q = L.copy(), L.shape[1]
    T = np.eye(q)
    total = _sums(owner, len(L))
    for _ in range(_MAX_SWEEPS):
        angles = [0.0]
        for k in range(q - 1):
            for m in range(k + 1, q):
                angle = _plane_angle(A[:, k], A[:, m], gamma, total)
                c, s = np.cos(angle), np.sin(angle)
                plane = np.array([[c, -s], [s, c]])
                A[:, [k, m]] = A[:, [k, m]] @ plane
                T[:, [k, m]] = T[:, [k, m]] @ plane
                angles.append(abs(angle))
        if max(angles) < _ANGLE_TOLERANCE:
            break
    return T


def _sums(owner: np.ndarray | None, rows: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that adds up the rows of each variable."""
    if owner is None:
        return lambda values: values
    starts = np.flatnonzero(np.diff(owner, prepend=-1))  # rows of a variable stand together
    return lambda values: np.add.reduceat(values, starts, axis=0)


def _plane_angle(
    x: np.ndarray, y: np.ndarray, gamma: float, total: Callable[[np.ndarray], np.ndarray]
) -> float:
    """Return the best angle in the plane of two axes (Kaiser, 1958)."""
    u, v = total(x * x - y * y), total(2.0 * x * y)
    first, second = float(u.sum()), float(v.sum())
    sine = 2.0 * float(u @ v) - 2.0 * gamma * first * second / len(u)
    cosine = float(u @ u - v @ v) - gamma * (first**2 - second**2) / len(u)
    size = float(u @ u + v @ v)
    # A criterion that is the same at every angle turns nothing.
    return 0.25 * float(np.arctan2(sine, cosine)) if np.hypot(sine, cosine) > 1e-14 * size else 0.0


def promax(
    L: np.ndarray,
    owner: np.ndarray | None = None,
    *,
    power: int = 4,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the oblique transformation towards the powers of the varimax loadings.

    The target is |l|^(power−1)·l (Hendrickson and White, 1964); axes have variance 1 again.
    """
    T = orthomax(L, 1.0, owner) if start is None else start
    A = L @ T
    U = np.linalg.lstsq(A, A * np.abs(A) ** (power - 1), rcond=None)[0]
    U = U * np.sqrt(np.diagonal(np.linalg.inv(U.T @ U)))
    return T @ U


def oblimin(L: np.ndarray, owner: np.ndarray | None = None) -> np.ndarray:
    """Return the oblique transformation of least Σ_{k≠m} Σ_j s_jk·s_jm: direct quartimin.

    By gradient projection (Jennrich, 2002) from the axes as they are.
    """
    T, total = np.eye(L.shape[1]), _sums(owner, len(L))
    value, G = _quartimin(L, T, owner, total)
    step = 1.0
    for _ in range(_MAX_STEPS):
        slope = G - T * (T * G).sum(axis=0)
        size = float(np.linalg.norm(slope))
        if size < _GRADIENT_TOLERANCE:
            break
        step *= 2.0
        for _ in range(_MAX_HALVINGS):
            trial = T - step * slope
            trial /= np.linalg.norm(trial, axis=0)
            there, G_there = _quartimin(L, trial, owner, total)
            if value - there > 0.5 * size**2 * step:
                break
            step /= 2.0
        else:
            break  # no step is an improvement beyond rounding
        T, value, G = trial, there, G_there
    return np.linalg.inv(T).T


def _quartimin(
    L: np.ndarray,
    T: np.ndarray,
    owner: np.ndarray | None,
    total: Callable[[np.ndarray], np.ndarray],
) -> tuple[float, np.ndarray]:
    """Return the criterion at L·T⁻ᵀ and its gradient in T."""
    inverse = np.linalg.inv(T)
    A = L @ inverse.T
    S = total(A * A)
    others = S.sum(axis=1, keepdims=True) - S
    G = A * (others if owner is None else others[owner])
    return 0.25 * float((S * others).sum()), -(A.T @ G @ inverse).T


# name → the transformation, and whether rows are brought to length 1 first (Kaiser), as in R.
ROTATIONS: dict[str, tuple[Callable[..., np.ndarray], bool]] = {
    "varimax": (lambda L, owner: orthomax(L, 1.0, owner), True),
    "quartimax": (lambda L, owner: orthomax(L, 0.0, owner), False),
    "promax": (promax, True),
    "oblimin": (oblimin, False),
}


def rotation(
    L: np.ndarray, method: str, normalize: bool | None = None, owner: np.ndarray | None = None
) -> Turn:
    """Return the rotation of loadings L (p, q) by a method of `ROTATIONS`, axes in order."""
    turn, kaiser = ROTATIONS[method]
    A = L if not (kaiser if normalize is None else normalize) else _normalized(L, owner)
    if method == "promax":  # the rows of length 1 serve varimax alone
        return Turn(promax(L, owner, start=orthomax(A, 1.0, owner))).in_order(L)
    return Turn(turn(A, owner)).in_order(L)


def _normalized(L: np.ndarray, owner: np.ndarray | None) -> np.ndarray:
    """Return the loadings with each variable at length 1."""
    size = np.sqrt(_sums(owner, len(L))((L * L).sum(axis=1)))
    return ratio(L, (size if owner is None else size[owner])[:, None])
