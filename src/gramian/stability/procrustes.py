"""Procrustes analysis: the best superposition of two configurations of points."""

from dataclasses import dataclass, field

import numpy as np

from gramian._core.array import power_of_two, to_numpy
from gramian._core.check import flag, generator
from gramian._core.frames import in_order_of, labels_of
from gramian._core.numbers import require_square
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian._core.views import Facts
from gramian._nulls.p_values import number_of_permutations, permutation_p_value
from gramian.errors import InputError


@dataclass(frozen=True)
class Procrustes(Facts):
    """The best fit of Y to X: fitted = scale·Y·rotation + translation.

    With `symmetric` X and Y are centred and of size 1 first; `target` is what Y was fitted to.
    """

    statistic: float  # Σ|target − fitted|²
    rotation: np.ndarray = field(repr=False)  # (q, q), orthogonal; a reflection is allowed
    scale: float
    translation: np.ndarray = field(repr=False)  # (q,)
    fitted: np.ndarray = field(repr=False)  # (n, q)
    target: np.ndarray = field(repr=False)  # (n, q)

    @property
    def residuals(self) -> np.ndarray:
        """The distance of each point to its target, (n,)."""
        return np.asarray(np.sqrt(np.sum((self.target - self.fitted) ** 2, axis=1)))

    @property
    def rmse(self) -> float:
        """The root of the mean squared residual."""
        return float(np.sqrt(self.statistic / len(self.target)))

    @property
    def correlation(self) -> float:
        """√(1 − Σ|target − fitted|²/Σ|target|²), the target being centred."""
        size = float(np.sum((self.target - self.target.mean(axis=0)) ** 2))
        return float(np.sqrt(max(1.0 - self.statistic / size, 0.0)))


@dataclass(frozen=True)
class Protest:
    """The Procrustes correlation of two configurations and its permutation test."""

    statistic: float  # t = √(1 − symmetric Procrustes statistic)
    p_value: float
    reference: np.ndarray = field(repr=False)
    fit: Procrustes = field(repr=False)


def procrustes(
    X: TableLike, Y: TableLike, *, scale: bool = True, symmetric: bool = False
) -> Procrustes:
    """Rotate, reflect, scale and translate the points Y to match X as closely as possible.

    It minimises Σ|x_i − (s·y_i·R + t)|² over orthogonal R, s and t. Not symmetric in X and Y,
    unless requested: then both are centred and brought to size 1 first, and the statistic is
    1 − (Σσ)², σ the singular values of XᵀY (SciPy's disparity).

    Parameters
    ----------
    X : array (n, q)
        The target, which is not changed.
    Y : array (n, r)
        The configuration that is moved; the one with fewer columns gets columns of zeros. Frames
        with the same row labels in another order are paired by label.
    scale : bool
        Whether Y may be rescaled.
    symmetric : bool
        Bring both configurations to size 1, so that the statistic does not depend on their order.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> round(procrustes(square, 3 * square[:, ::-1] + 5).scale, 6)
    0.333333
    """
    flag(scale, "scale")
    flag(symmetric, "symmetric")
    (A, a), (B, b) = (_in_units(M) for M in _configurations(X, Y))
    x_mean, y_mean = A.mean(axis=0), B.mean(axis=0)
    A0, B0 = A - x_mean, B - y_mean
    if symmetric:
        A0, B0 = A0 / np.linalg.norm(A0), B0 / np.linalg.norm(B0)
        x_mean, y_mean, a, b = np.zeros(A.shape[1]), np.zeros(A.shape[1]), 1.0, 1.0
    U, sigma, Vt = np.linalg.svd(A0.T @ B0)
    R = (U @ Vt).T
    s = float(sigma.sum() / np.sum(B0 * B0)) if scale else b / a
    fitted = s * B0 @ R + x_mean
    target = A0 + x_mean
    rest = float(np.sum((target - fitted) ** 2))
    moved = x_mean - s * y_mean @ R
    with np.errstate(over="ignore"):  # looked at here
        own = moved * a, fitted * a, target * a
    if not all(np.isfinite(part).all() for part in own):
        raise InputError("X has numbers near the largest one: divide it by 2")
    if rest > 1e-14:  # else it is zero but for rounding, whatever the unit
        require_square(np.sqrt(rest) * a, "X: what is left between it and Y")
    return Procrustes(rest * a * a, R, s * (a / b), *own)


def rotate_to(X: np.ndarray, maps: np.ndarray) -> np.ndarray:
    """Return configurations, (B, n, q), each laid on X by rotation and translation alone."""
    unit = power_of_two(float(max(np.abs(X).max(), np.abs(maps).max())))
    A, B = X / unit, maps / unit
    A0, B0 = A - A.mean(axis=0), B - B.mean(axis=1, keepdims=True)
    U, _, Vt = np.linalg.svd(np.matmul(A0.T, B0))
    R = np.matmul(U, Vt).transpose(0, 2, 1)
    return np.asarray((np.matmul(B0, R) + A.mean(axis=0)) * unit)


def largest_angle(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the largest angle between the spaces of pairs of bases, (B, m, k) each, in radians."""
    # From its sine where it is small and from its cosine where it is large, so that no angle loses
    # its digits (Björck and Golub 1973).
    P, Q = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    inner = np.matmul(P.transpose(0, 2, 1), Q)
    cosine = np.linalg.svd(inner, compute_uv=False)[:, -1].clip(0.0, 1.0)
    sine = np.linalg.svd(Q - np.matmul(P, inner), compute_uv=False)[:, 0].clip(0.0, 1.0)
    return np.asarray(np.where(cosine**2 >= 0.5, np.arcsin(sine), np.arccos(cosine)))


def protest(
    X: TableLike, Y: TableLike, *, n_permutations: int = 999, random_state: SeedLike = None
) -> Protest:
    """Test whether two configurations of the same points agree better than at random.

    The statistic is the Procrustes correlation t = √(1 − m²), m² the symmetric statistic; under the
    hypothesis the points of Y are matched with those of X at random.

    Parameters
    ----------
    X, Y : arrays (n, q) and (n, r)
        Paired as in `procrustes`.
    n_permutations, random_state : int
        Number of permutations, and the seed that they are drawn from.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((20, 2))
    >>> protest(X, X @ [[0.0, 1.0], [-1.0, 0.0]], n_permutations=99).p_value
    0.01
    """
    fit = procrustes(X, Y, symmetric=True)
    A, B = (_in_units(M)[0] for M in _configurations(X, Y))
    A, B = A - A.mean(axis=0), B - B.mean(axis=0)
    A, B = A / np.linalg.norm(A), B / np.linalg.norm(B)
    rng = generator(random_state)
    draws = range(number_of_permutations(n_permutations))
    products = np.array([A.T @ B[rng.permutation(len(B))] for _ in draws])
    reference = np.linalg.svd(products, compute_uv=False).sum(axis=1)
    t = float(np.linalg.svd(A.T @ B, compute_uv=False).sum())
    return Protest(t, permutation_p_value(t, reference, "greater"), reference, fit)


def _in_units(M: np.ndarray) -> tuple[np.ndarray, float]:
    """Return points in a unit in which their squares stay in the range of numbers, and the unit."""
    unit = power_of_two(float(np.abs(M).max()))
    return M / unit, unit


def _configurations(X: TableLike, Y: TableLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both configurations with the same number of columns."""
    Y = in_order_of(Y, labels_of(X), "Y")
    A, B = (
        np.asarray(to_numpy(table(M, name, allow_sparse=False).values), dtype=float)
        for M, name in ((X, "X"), (Y, "Y"))
    )
    if len(A) != len(B):
        raise InputError(f"Y has {len(B)} points but X has {len(A)}: give the same points")
    for M, name in ((A, "X"), (B, "Y")):
        if not np.ptp(M, axis=0).any():
            raise InputError(f"{name}: all its points are the same: there is nothing to fit")
    q = max(A.shape[1], B.shape[1])
    padded = [np.pad(M, ((0, 0), (0, q - M.shape[1]))) for M in (A, B)]
    return padded[0], padded[1]
