"""Is a matrix positive semi-definite, conditionally negative definite, or one of distances?"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from gramian._core.array import eps, power_of_two, to_numpy
from gramian._core.check import share
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import distance_matrix, pair_table, square
from gramian.validity.verdict import Verdict


def matrix_of(M: Any, name: str, what: str) -> tuple[np.ndarray, float]:
    """Return a symmetric matrix in double precision and the unit roundoff it came with."""
    rows = pair_table(M, name, "kernel", min_rows=1)
    if what == "distance":
        distance_matrix(rows, name)
    else:
        square(rows, name, what)
    A = to_numpy(rows.values)
    require_memory(
        24 * A.size, budget_bytes(None), f"the eigenvalues of {name}", "give fewer points"
    )
    half = getattr(M, "dtype", None) == np.float16  # computed in single precision, rounded before
    precision = eps(np.float16) if half else eps(A.dtype)
    # Halves before the sum: numbers near the largest must not overflow.
    return 0.5 * A.astype(np.float64) + 0.5 * A.T.astype(np.float64), precision


def rounding(
    tolerance: float | None, n: int, precision: float, size: float, largest: float
) -> float:
    """Return what counts as rounding of an eigenvalue.

    Products in double precision are right to n·eps·size; entries that were rounded by `precision`
    each, independently, move eigenvalues by some √n times that.
    """
    if tolerance is None:
        return max(n, 16) * 2.0**-52 * size + 16.0 * np.sqrt(n) * precision * largest
    return share(tolerance, "tolerance", zero=True) * size


def check_psd(K: Any, tolerance: float | None = None) -> Verdict:
    """Whether all eigenvalues are at least −tolerance·|K|."""
    A, precision = matrix_of(K, "K", "kernel")
    unit = power_of_two(float(np.abs(A).max()))
    B = A * (1.0 / unit)
    values = linalg.eigvalsh(B, check_finite=False, driver="evd")
    size = float(np.abs(values).max())
    slack = rounding(tolerance, len(A), precision, size, float(np.abs(B).max()))
    least = float(values[0])
    if least >= -slack:
        reason = f"the smallest of {len(A)} eigenvalues"
        return _verdict(least, slack, size, unit, reason)
    c = _eigenvector(B, 0)
    return _verdict(least, slack, size, unit, "cᵀKc < 0 for the witness c", c, float(c @ B @ c))


def check_cnd(D2: Any, tolerance: float | None = None) -> Verdict:
    """Whether cᵀ·D2·c ≤ 0 for all c with Σc = 0, up to tolerance·|D2|."""
    return _cnd(*matrix_of(D2, "D2", "squared distance"), tolerance)


def check_euclidean(D: Any, tolerance: float | None = None) -> Verdict:
    """Whether the squares of the distances are conditionally negative definite."""
    A, precision = matrix_of(D, "D", "distance")
    unit = power_of_two(float(A.max()))
    return _cnd((A * (1.0 / unit)) ** 2, precision, tolerance, unit)


def _cnd(D2: np.ndarray, precision: float, tolerance: float | None, length: float = 1.0) -> Verdict:
    """Look at −½·D2 on the vectors that sum to 0; `length` is the unit of the distances."""
    n = len(D2)
    if n == 1:
        return Verdict(True, 0.0, 0.0, relative_margin=0.0, reason="one point")
    unit = power_of_two(float(np.abs(D2).max()))
    B = D2 * (-0.5 / unit)
    M = _on_contrasts(B)
    values = linalg.eigvalsh(M, check_finite=False, driver="evd")
    size = max(float(np.abs(values).max()), float(np.abs(B).max()))
    slack = rounding(tolerance, n, precision, size, float(np.abs(B).max()))
    least = float(values[0])
    with np.errstate(over="ignore", under="ignore"):
        whole = float(np.float64(unit) * length * length)
    if least >= -slack:
        reason = f"the smallest of the {n - 1} inertias, eigenvalues of −½D² centred"
        return _verdict(least, slack, size, whole, reason)
    c = _from_contrasts(_eigenvector(M, 0))
    c -= c.mean()
    value = float(c @ (-2.0 * B) @ c)
    return _verdict(least, slack, size, whole, "Σc = 0 and cᵀD²c > 0 for the witness c", c, value)


def _verdict(
    least: float,
    slack: float,
    size: float,
    unit: float,
    reason: str,
    witness: np.ndarray | None = None,
    value: float = float("nan"),
) -> Verdict:
    """Return the verdict in the matrix's own unit."""
    relative = least / size if size > 0 else 0.0
    with np.errstate(over="ignore", under="ignore"):
        margin, tolerance, form = (float(np.float64(v) * unit) for v in (least, slack, value))
    return Verdict(witness is None, margin, tolerance, witness, form, relative, reason=reason)


def _eigenvector(A: np.ndarray, k: int) -> np.ndarray:
    """Return the eigenvector of the k-th smallest eigenvalue, its largest entry positive."""
    _, V = linalg.eigh(A, subset_by_index=[k, k], check_finite=False)
    c = V[:, 0]
    return c * np.sign(c[np.abs(c).argmax()])


def _reflector(n: int) -> np.ndarray:
    """Return w with (I − 2wwᵀ)·1/√n = −e₁, |w| = 1."""
    w = np.full(n, n**-0.5)
    w[0] += 1.0
    return w / np.linalg.norm(w)


def _on_contrasts(B: np.ndarray) -> np.ndarray:
    """Return B on an orthonormal basis of the vectors that sum to 0, (n − 1, n − 1).

    The reflection that takes the constant vector to the first axis leaves the others as that basis.
    B is centred first, so that a large constant in it does not drown the rest.
    """
    m = B.mean(axis=0)
    C = B - m[:, None] - m[None, :] + m.mean()
    w = _reflector(len(B))
    y = C @ w
    M = C - 2.0 * (np.outer(w, y) + np.outer(y, w)) + 4.0 * (w @ y) * np.outer(w, w)
    return 0.5 * (M + M.T)[1:, 1:]


def _from_contrasts(v: np.ndarray) -> np.ndarray:
    """Return the vector of length n that sums to 0 from its n − 1 coordinates."""
    c = np.concatenate([[0.0], v])
    w = _reflector(len(c))
    return c - 2.0 * w * float(w @ c)
