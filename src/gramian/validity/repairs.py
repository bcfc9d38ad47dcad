"""From a matrix that is not valid to one that is, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._core.array import power_of_two
from gramian._core.check import flag
from gramian._core.spectral.dense import eigh
from gramian.distances.corrections import CORRECTIONS, distinct
from gramian.errors import InputError
from gramian.validity.correlation import nearest_with_unit_diagonal
from gramian.validity.matrices import matrix_of


@dataclass(frozen=True, eq=False)
class Repair:
    """A repaired matrix and what was changed; NumPy takes it as the matrix.

    >>> import numpy as np
    >>> from gramian.validity import clip
    >>> repair = clip(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> repair.matrix.round(12).tolist(), round(repair.loss, 12)
    ([[1.5, 1.5], [1.5, 1.5]], 1.0)
    """

    matrix: np.ndarray = field(repr=False)
    loss: float  # Frobenius norm of the change
    relative_loss: float  # over the norm of the matrix before
    negative_inertia: float  # Σ|λ| over the negative eigenvalues that were there
    method: str
    constant: float = 0.0  # what was added: to the diagonal (shift) or to distances

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.matrix, dtype=dtype, copy=copy)


def _repair(
    K: np.ndarray, new: np.ndarray, negative: float, method: str, constant: float = 0.0
) -> Repair:
    unit = power_of_two(float(np.abs(K).max()))
    size = float(np.linalg.norm(K / unit))
    loss = float(np.linalg.norm(new / unit - K / unit))
    relative = loss / size if size > 0 else 0.0
    return Repair(new, loss * unit, relative, negative, method, constant)


def _by_eigenvalues(K: Any, method: str) -> Repair:
    A, _ = matrix_of(K, "K", "kernel")
    values, V = eigh(A)
    negative = float(-values[values < 0].sum())
    if negative == 0:
        return _repair(A, A, 0.0, method)
    if method == "shift":
        c = float(-values[-1])
        return _repair(A, A + c * np.eye(len(A)), negative, method, c)
    positive = np.abs(values) if method == "flip" else np.maximum(values, 0.0)
    # From the root, so that the result is positive semi-definite but for the last rounding.
    B = (V * np.sqrt(positive)) @ (V * np.sqrt(positive)).T
    return _repair(A, 0.5 * (B + B.T), negative, method)


def clip(K: Any) -> Repair:
    """Set negative eigenvalues to 0: the nearest positive semi-definite matrix.

    Parameters
    ----------
    K : matrix (n, n)

    Returns
    -------
    Repair

    Examples
    --------
    >>> round(clip([[0.0, 1.0], [1.0, 0.0]]).loss, 12)
    1.0
    """
    return _by_eigenvalues(K, "clip")


def flip(K: Any) -> Repair:
    """Replace eigenvalues by their moduli.

    Parameters
    ----------
    K : matrix (n, n)

    Returns
    -------
    Repair

    Examples
    --------
    >>> flip([[0.0, 1.0], [1.0, 0.0]]).matrix.round(12) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    return _by_eigenvalues(K, "flip")


def shift(K: Any) -> Repair:
    """Add to the diagonal the least constant that makes the matrix positive semi-definite.

    Similarities between different points stay as they are.

    Parameters
    ----------
    K : matrix (n, n)

    Returns
    -------
    Repair
        `constant` is what was added.

    Examples
    --------
    >>> round(shift([[0.0, 1.0], [1.0, 0.0]]).constant, 12)
    1.0
    """
    return _by_eigenvalues(K, "shift")


def nearest_psd(K: Any, *, unit_diagonal: bool = False) -> Repair:
    """Return the nearest positive semi-definite matrix in the Frobenius norm.

    Parameters
    ----------
    K : matrix (n, n)
    unit_diagonal : bool
        Whether the diagonal must be 1: the nearest correlation matrix (Higham 2002), here by the
        quadratically convergent Newton method of Qi and Sun (2006).

    Returns
    -------
    Repair

    Examples
    --------
    >>> import numpy as np
    >>> K = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    >>> repair = nearest_psd(K, unit_diagonal=True)
    >>> repair.matrix[0, 1].round(4), repair.matrix[0, 2].round(4)
    (np.float64(0.7607), np.float64(0.1573))
    """
    if not flag(unit_diagonal, "unit_diagonal"):
        return _by_eigenvalues(K, "nearest")
    A, _ = matrix_of(K, "K", "kernel")
    if np.abs(A).max() > 1e4:
        raise InputError("K: its entries are too large for a unit diagonal to be near: rescale K")
    values = eigh(A)[0]
    negative = float(-values[values < 0].sum())
    return _repair(A, nearest_with_unit_diagonal(A), negative, "nearest with unit diagonal")


def lingoes(D: Any) -> Repair:
    """Make distances Euclidean by d ↦ √(d² + 2c) between distinct points, c as small as possible.

    Parameters
    ----------
    D : matrix (n, n) of distances, not squared

    Returns
    -------
    Repair
        `constant` is c; `negative_inertia` Σ|λ| of the negative eigenvalues of −½D² centred.

    Examples
    --------
    >>> import numpy as np
    >>> square = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0.0]])
    >>> round(lingoes(square).constant, 12)
    1.0
    """
    return _correct(D, "lingoes")


def cailliez(D: Any) -> Repair:
    """Make distances Euclidean by d ↦ d + c between distinct points, c as small as possible.

    Parameters
    ----------
    D : matrix (n, n) of distances, not squared

    Returns
    -------
    Repair
        `constant` is c.

    Examples
    --------
    >>> import numpy as np
    >>> square = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0.0]])
    >>> round(cailliez(square).constant, 6)
    1.414214
    """
    return _correct(D, "cailliez")


def _correct(D: Any, method: str) -> Repair:
    A, _ = matrix_of(D, "D", "distance")
    unit = power_of_two(float(A.max()))
    B = A / unit
    np.fill_diagonal(B, 0.0)
    constant, add = CORRECTIONS[method]
    c = constant(distinct(B * unit, "D") / unit)
    m = -0.5 * B**2
    r = m.mean(axis=0)
    values = np.linalg.eigvalsh(m - r[:, None] - r[None, :] + r.mean())
    noise = max(len(B), 16) * 2.0**-52 * float(np.abs(values).max())
    negative = float(-values[values < -noise].sum())
    power = unit if method == "cailliez" else unit * unit
    with np.errstate(over="ignore", under="ignore"):
        scaled = float(np.float64(c) * power)
        inertia = float(np.float64(negative) * unit * unit)
    return _repair(A, add(B, c) * unit, inertia, method, scaled)
