"""Pre-images: points of the data's space whose images are close to given points of feature space.

A projection on a few axes of kernel PCA is Σ_i γ_i φ(x_i); no point x has exactly this image as a
rule. `fixed_point` finds the nearest one, `learned` a smooth map from coordinates to points.
"""

from collections.abc import Sequence

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.check import generator, number, positive, short, whole
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian.errors import InputError, InputTypeError
from gramian.kernels.radial import Radial

__all__ = ["fixed_point", "learned"]

_MAX_STARTS = 4_096  # points among which the best is where a search starts
_MAX_LEARNING_ROWS = 2_000  # rows from which a map is learned
_PENALTIES = 10.0 ** np.arange(-12.0, 3.0)
_BLOCK_ROWS = 256
_MAX_HALVINGS = 12
_MAX_NUMBER = 1e150


def fixed_point(
    kernel: Radial,
    points: Points,
    coefficients: np.ndarray,
    *,
    max_iter: int = 1_000,
    tol: float = 1e-7,
    random_state: int | None = None,
) -> np.ndarray:
    """Return the x that are nearest to Σ_i γ_i φ(x_i) in the space of a radial kernel.

    As |φ(x)| is constant, x maximises Σ_i γ_i k(x, x_i). The gradient is 0 where
    x = Σ w_i x_i / Σ w_i, w_i = −γ_i·profile′(t_i) (Mika and others 1999). This is iterated from
    the best of the points themselves; a step that does not improve is halved, so that the result is
    never worse than any of the points.

    Parameters
    ----------
    kernel : Radial, with a derivative
    points : Points (n, p)
    coefficients : array (m, n)
        γ, one row for each point x, (m, p).
    tol : float
        Length of the last step, over the scale of the kernel.

    Examples
    --------
    >>> from gramian.kernels import Gaussian
    >>> points = Points(np.array([[0.0], [1.0]]))
    >>> fixed_point(Gaussian(scale=1.0), points, np.array([[0.5, 0.5]])).round(6)
    array([[0.5]])
    """
    if not isinstance(kernel, Radial) or not kernel.differentiable:
        raise InputError(
            f"kernel={short(kernel)} is not a radial kernel with a known derivative: use 'learned'"
        )
    if not isinstance(points, Points):
        raise InputTypeError(f"points={short(points)} must be Points of a table")
    scale = positive(kernel.scale, "scale")
    whole(max_iter, "max_iter")
    number(tol, "tol", least=0.0)
    coefficients = to_numpy(table(coefficients, "coefficients", min_rows=1).values)
    if coefficients.shape[1] != len(points):
        raise InputError(
            f"coefficients has {coefficients.shape[1]} columns for {len(points)} points: give one "
            "for each"
        )
    centre = to_numpy(points.centre).astype(np.float64)
    Y = to_numpy(points.X).astype(np.float64) - centre
    base, some = Points(Y), np.arange(len(Y))
    if len(Y) > _MAX_STARTS:
        some = np.sort(generator(random_state).choice(len(Y), _MAX_STARTS, replace=False))
    out = np.empty((len(coefficients), Y.shape[1]))
    Points(Y[:1], base).prepare(kernel.evaluate, base)

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            gamma = coefficients[rows]
            start = Y[some][_values(kernel, base, Y[some], gamma).argmax(axis=1)]
            search = _Search(kernel, base, gamma, scale)
            out[rows] = search.run(start, max_iter, tol)

    parallel_map(work, list(row_blocks(len(coefficients), _BLOCK_ROWS)))
    return out + centre


def _values(kernel: Radial, base: Points, X: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """Return Σ_i γ_i k(x, x_i) for every row γ and every candidate x, (m, candidates)."""
    parts = [
        gamma @ to_numpy(kernel.evaluate(Pairs(Points(X[rows], base), base, exact=True))).T
        for rows in row_blocks(len(X), 1024)
    ]
    return np.concatenate(parts, axis=1)


class _Search:
    """Several searches at once, each with its own coefficients."""

    def __init__(self, kernel: Radial, base: Points, gamma: np.ndarray, scale: float) -> None:
        self.kernel, self.base, self.gamma, self.scale = kernel, base, gamma, scale

    def distances(self, X: np.ndarray) -> np.ndarray:
        pairs = Pairs(Points(X, self.base), self.base)
        T = to_numpy(pairs.squared_distance(self.scale, self.kernel.steepness))
        return np.asarray(np.maximum(T, 0.0, out=T))

    def values(self, T: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.asarray(np.einsum("ij,ij->i", self.gamma[rows], self.kernel.profile(T.copy())))

    def step(self, X: np.ndarray, T: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the step to the fixed point's next iterate, always uphill."""
        w = -self.gamma[rows] * self.kernel.derivative(T)
        total, size = w.sum(axis=1), np.abs(w).sum(axis=1)
        uphill = w @ self.base.X - X * total[:, None]
        length = np.where(total > 0.1 * size, total, size)
        return np.asarray(uphill / np.where(length > 0, length, np.inf)[:, None])

    def run(self, X: np.ndarray, max_iter: int, tol: float) -> np.ndarray:
        X, T = X.copy(), self.distances(X)
        rows = np.arange(len(X))  # that still move
        value = self.values(T, rows)
        for _ in range(max_iter):
            D = self.step(X[rows], T, rows)
            moves = np.abs(D).max(axis=1) > tol * self.scale
            X[rows[~moves]] += D[~moves]  # too short for its gain to be measured
            rows, D, T = rows[moves], D[moves], T[moves]
            better = self._improve(X, value, D, T, rows)
            rows, T = rows[better], T[better]
            if rows.size == 0:
                break
        return X

    def _improve(
        self, X: np.ndarray, value: np.ndarray, D: np.ndarray, T: np.ndarray, rows: np.ndarray
    ) -> np.ndarray:
        """Take the longest of the halved steps that is uphill; return where there is one."""
        better = np.zeros(len(rows), dtype=bool)
        for halvings in range(_MAX_HALVINGS):
            left = np.flatnonzero(~better)
            if left.size == 0:
                break
            at = rows[left]
            tried = X[at] + D[left] * 0.5**halvings
            T_new = self.distances(tried)
            new = self.values(T_new, at)
            good = new > value[at]
            X[at[good]], value[at[good]], T[left[good]] = tried[good], new[good], T_new[good]
            better[left[good]] = True
        return better


def _dense_table(A: TableLike, name: str) -> np.ndarray:
    """Return rows that have squares."""
    values = to_numpy(table(A, name, min_rows=1, allow_sparse=False).values)
    if np.abs(values).max() > _MAX_NUMBER:
        raise InputError(f"{name} has numbers beyond {_MAX_NUMBER:g}: rescale it, squares overflow")
    return values


def learned(
    Z: np.ndarray, X: np.ndarray, new: np.ndarray, random_state: int | None = None
) -> np.ndarray:
    """Return points for new coordinates, by ridge regression of points on coordinates.

    A Gaussian kernel on the coordinates, its scale the median one, and the penalty with the least
    leave-one-out error.

    Coordinates Z are (n, q), the points X that have them (n, p), and the new coordinates (m, q). Of
    more than 2,000 rows a seeded sample is used.

    Examples
    --------
    >>> Z = np.linspace(0.0, 1.0, 30)[:, None]
    >>> learned(Z, Z**2, np.array([[0.5]])).round(4)
    array([[0.25]])
    """
    from gramian.kernels.bandwidth import median_of
    from gramian.kernels.radial import Gaussian

    tables = {"Z": Z, "X": X, "new": new}
    Z, X, new = (_dense_table(A, name) for name, A in tables.items())
    if len(Z) != len(X) or new.shape[1] != Z.shape[1]:
        raise InputError(
            f"Z has shape {Z.shape}, X {X.shape} and new {new.shape}: give Z and X as many rows, "
            "and new the columns of Z"
        )
    if len(Z) > _MAX_LEARNING_ROWS:
        rows = np.sort(generator(random_state).choice(len(Z), _MAX_LEARNING_ROWS, replace=False))
        Z, X = Z[rows], X[rows]
    points = Points(Z)
    kernel = Gaussian(median_of(points))
    mean = X.mean(axis=0)
    values, U = np.linalg.eigh(to_numpy(kernel.block(Pairs(points))))
    values = np.clip(values, 0.0, None)
    UX = U.T @ (X - mean)

    def error(penalty: float) -> float:
        shrunk = values / (values + penalty)
        residual = (X - mean) - U @ (shrunk[:, None] * UX)
        leverage = (U**2) @ shrunk
        return float(((residual / np.maximum(1.0 - leverage, 1e-9)[:, None]) ** 2).sum())

    best = min(_PENALTIES * len(Z), key=error)
    alpha = U @ (UX / (values + best)[:, None])
    cross = to_numpy(kernel.evaluate(Pairs(Points(new, points), points)))
    return np.asarray(mean + cross @ alpha)
