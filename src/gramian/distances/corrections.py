"""Corrections that make any distances Euclidean by adding a constant."""

from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from scipy import linalg

from gramian.errors import InputError

_TOLERANCE = 1e-6  # of the largest distance: what single precision leaves


def double_centre(M: np.ndarray) -> np.ndarray:
    """Return (I − 11ᵀ/n) M (I − 11ᵀ/n)."""
    row = M.mean(axis=0)
    return np.asarray(M - row[None, :] - M.mean(axis=1)[:, None] + row.mean())


def distinct(D: np.ndarray, name: str = "X") -> np.ndarray:
    """Return the distances between distinct points: of points at distance 0 the first stays.

    Equal points stay equal under a correction, so that it is the distinct ones that must become
    Euclidean. Points at distance 0 that are not equally far from others cannot stay so.
    """
    equal = np.tril(D == 0, k=-1)
    repeated = equal.any(axis=1)
    for i in np.flatnonzero(repeated):
        j = int(equal[i].argmax())
        k = int(np.abs(D[i] - D[j]).argmax())
        if abs(D[i, k] - D[j, k]) > _TOLERANCE * D.max():
            far = f"{D[j, k]:.6g} and {D[i, k]:.6g}"
            raise InputError(
                f"{name}: points {j} and {i} have distance 0 but are {far} from point {k}: no "
                "constant mends that: correct the 0, or drop one of the two"
            )
    return D[np.ix_(~repeated, ~repeated)]


def lingoes(D: np.ndarray) -> float:
    """Return the smallest c ≥ 0 for which √(d² + 2c) is Euclidean off the diagonal."""
    values = linalg.eigvalsh(double_centre(-0.5 * D**2))
    rounding = 10.0 * values.size * 2.0**-52 * float(np.abs(values).max())
    return float(-values[0]) if -values[0] > rounding else 0.0


def cailliez(D: np.ndarray) -> float:
    """Return the smallest c ≥ 0 for which d + c is Euclidean off the diagonal.

    It is the largest eigenvalue of [[0, 2B₁], [−I, −4B₂]], B₁ and B₂ the centred −½d² and −½d.
    """
    if lingoes(D) == 0.0:
        return 0.0
    n = D.shape[0]
    B1, B2 = double_centre(-0.5 * D**2), double_centre(-0.5 * D)
    M = np.block([[np.zeros((n, n)), 2.0 * B1], [-np.eye(n), -4.0 * B2]])
    values = linalg.eigvals(M, overwrite_a=True, check_finite=False)
    real = np.abs(values.imag) <= 1e-8 * np.abs(values).max()
    return float(max(values.real[real].max(), 0.0))


# name: the constant from the training distances, and how distances are changed by it
CORRECTIONS: dict[
    str, tuple[Callable[[np.ndarray], float], Callable[[np.ndarray, float], np.ndarray]]
] = {
    "lingoes": (lingoes, lambda D, c: np.where(D > 0, np.sqrt(D**2 + 2.0 * c), 0.0)),
    "cailliez": (cailliez, lambda D, c: np.where(D > 0, D + c, 0.0)),
}


class GoodnessOfFit(NamedTuple):
    """The share of the kept axes in the inertia, where some of it is negative: two conventions.

    `signed` divides by the sum of all |λ|, `positive` by the sum of the positive λ. Both are NaN
    where only the leading eigenvalues were computed and others may be negative.
    """

    signed: Annotated[float, "nan"]
    positive: Annotated[float, "nan"]


def goodness_of_fit(
    values: np.ndarray, total: float, negative: float, *, known: bool
) -> GoodnessOfFit:
    """Return both shares from the kept eigenvalues, the trace and Σ|λ| of the negative ones."""
    if not known:
        return GoodnessOfFit(float("nan"), float("nan"))
    top = float(values.sum())
    return GoodnessOfFit(top / (total + 2.0 * negative), top / (total + negative))
