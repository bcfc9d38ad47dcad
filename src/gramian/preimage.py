"""Pre-images: points of the data's space whose images are close to given points of feature space.

A projection on a few axes of kernel PCA is Σ_i γ_i φ(x_i); no point x has exactly this image as a
rule. `fixed_point` finds the nearest one, `from_distances` the one at given distances from its
neighbours, `learned` a smooth map from coordinates to points.
"""

from collections.abc import Sequence

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.check import generator, number, positive, short, whole
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian._reading.cross_validation import kernel_ridge
from gramian.errors import InputError, InputTypeError
from gramian.kernels.radial import Radial

__all__ = ["fixed_point", "from_distances", "learned"]

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
    """Return the pre-images x nearest to Σ_i γ_i φ(x_i) in the space of a radial kernel.

    As |φ(x)| is constant, x maximises Σ_i γ_i k(x, x_i). The gradient is 0 where
    x = Σ w_i x_i / Σ w_i, w_i = −γ_i·profile′(t_i) (Mika and others 1999). This is iterated from
    the best of the points themselves; a step that does not improve is halved, so that the result is
    never worse than any of the points.

    Parameters
    ----------
    kernel, points : Radial with a derivative, Points (n, p)
        The kernel, and the points x_i.
    coefficients : array (m, n)
        γ, one row for each pre-image, (m, p).
    tol : float
        Length of the last step at convergence, relative to the scale of the kernel.

    Examples
    --------
    >>> points = Points(np.array([[0.0], [1.0]]))
    >>> fixed_point(gm.kernels.Gaussian(scale=1.0), points, np.array([[0.5, 0.5]])).round(6)
    array([[0.5]])
    """
    whole(max_iter, "max_iter")
    number(tol, "tol", least=0.0)
    scale, coefficients, centre, Y = _read(kernel, points, coefficients)
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


def from_distances(
    kernel: Radial, points: Points, coefficients: np.ndarray, *, n_neighbours: int = 10
) -> np.ndarray:
    """Return the x whose distances from their neighbours are those of Σ_i γ_i φ(x_i).

    Distances from the nearest φ(x_i) in the space of a radial kernel give those that x should have
    from these x_i, and x is found from them by least squares (Kwok and Tsang 2004): no iteration,
    and x lies in the plane of its neighbours, but it need not be nearest in feature space.

    The arguments are those of `fixed_point`; `n_neighbours` is the number of x_i used.

    Examples
    --------
    >>> points = Points(np.array([[0.0], [1.0], [3.0]]))
    >>> from_distances(gm.kernels.Gaussian(scale=1.0), points, np.array([[0.0, 1.0, 0.0]])).round(6)
    array([[1.]])
    """
    whole(n_neighbours, "n_neighbours", 2)
    scale, coefficients, centre, Y = _read(kernel, points, coefficients)
    k = min(n_neighbours, len(Y))
    products = _values(kernel, Points(Y), Y, coefficients)  # with the φ(x_i)
    top = float(kernel.profile(np.zeros(1))[0])
    size = np.einsum("ij,ij->i", coefficients, products)
    values = products + 0.5 * (top - size)[:, None]  # k(x, x_i) if x were as far from φ(x_i)
    out = np.empty((len(values), Y.shape[1]))
    for i, near in enumerate(np.argsort(-values, axis=1, kind="stable")[:, :k]):
        wanted = scale**2 * _inverse_profile(kernel, np.clip(values[i, near], 1e-12 * top, top))
        mean = Y[near].mean(axis=0)
        A = Y[near] - mean
        rest = 0.5 * (np.sum(A**2, axis=1) - wanted)
        out[i] = mean + np.linalg.lstsq(A, rest - rest.mean(), rcond=1e-10)[0]
    return out + centre


def _inverse_profile(kernel: Radial, values: np.ndarray) -> np.ndarray:
    """Return the t at which a decreasing profile has these values, by bisection of log t."""
    low, high = np.full(len(values), -70.0), np.full(len(values), 70.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = kernel.profile(np.exp(middle)) > values
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(np.exp(low))


def _read(
    kernel: Radial, points: Points, coefficients: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Return the scale, the coefficients (m, n), and the points (n, p) less a centre."""
    if not isinstance(kernel, Radial) or not kernel.differentiable:
        raise InputError(
            f"kernel={short(kernel)} is not a radial kernel with a known derivative: use 'learned'"
        )
    if not isinstance(points, Points):
        raise InputTypeError(f"points={short(points)} must be Points of a table")
    scale = positive(kernel.scale, "scale")
    coefficients = to_numpy(table(coefficients, "coefficients", min_rows=1).values)
    if coefficients.shape[1] != len(points):
        raise InputError(
            f"coefficients has {coefficients.shape[1]} columns for {len(points)} points: give one "
            "for each"
        )
    centre = to_numpy(points.centre).astype(np.float64)
    return scale, coefficients, centre, to_numpy(points.X).astype(np.float64) - centre


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

    The kernel is Gaussian with the median scale; the penalty has the smallest leave-one-out error.

    Coordinates Z are (n, q), the corresponding points X (n, p), and new coordinates (m, q). For
    more than 2,000 rows, a seeded sample is used.

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
    mean, alpha, _ = kernel_ridge(to_numpy(kernel.block(Pairs(points))), X, _PENALTIES * len(Z))
    cross = to_numpy(kernel.evaluate(Pairs(Points(new, points), points)))
    return np.asarray(mean + cross @ alpha)
