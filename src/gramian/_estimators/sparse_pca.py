"""Sparse principal components, and lists of variables that resampling confirms."""

from typing import Annotated

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import as_kind, power_of_two, to_numpy
from gramian._core.check import flag, generator, is_whole, number, share, whole
from gramian._core.embedding import Model
from gramian._core.spectral.spectrum import Spectrum, column_signs
from gramian._core.table import Table
from gramian._core.types import DataLike, SeedLike, VectorLike
from gramian._estimators.base import Attributes
from gramian._estimators.loadings import LoadingsEstimator
from gramian._reading.cloud import Cloud, ratio
from gramian._reading.individuals import individuals
from gramian.errors import InputError

_MAX_STEPS = 500
_MOVE = 1e-12  # of a loading, under which an axis has converged
_FREQUENCY = 0.9  # of half-samples that must name a variable
_MIN_ROWS = 8  # of a table that is halved


class SparsePCA(LoadingsEstimator):
    """Principal axes with few non-zero loadings, one after the other.

    An axis maximises its inertia among directions of k variables (truncated power iteration); what
    its scores explain is taken out of the table before the next one. As scores of such axes are
    correlated, `eigenvalues_` are adjusted: what each axis adds to those before it.

    Parameters
    ----------
    n_components : int
        Number of axes.
    n_nonzero : int, or float in (0, 1)
        Variables of each axis; or the share of the inertia of the axis of all variables that it
        has to keep, with as few variables as that takes.
    scale : bool
        Divide each column by its standard deviation (divisor n).

    Attributes
    ----------
    eigenvalues_, inertia_ratio_ : array (q,)
        The inertia that each axis adds, and its share of the total: their sum is what all axes
        explain together.
    components_ : array (q, p)
        The axes, of length 1, most entries 0; not orthogonal to each other.
    n_nonzero_ : array (q,)
        How many variables each axis has.
    mean_, scale_ : array (p,)
        Of the columns; `scale_` is None without `scale`. Others are those of `PCA`.

    See Also
    --------
    PCA.rotate : simple axes that keep what the principal axes explain.

    References
    ----------
    - Zou, Hastie and Tibshirani (2006), Sparse principal component analysis.
    - Yuan and Zhang (2013), Truncated power method for sparse eigenvalue problems.
    - Shah and Samworth (2013), Variable selection with error control.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 8))
    >>> X[:, :3] += 3.0 * rng.standard_normal((50, 1))
    >>> np.flatnonzero(gm.SparsePCA(1, n_nonzero=3).fit(X).components_[0]).tolist()
    [0, 1, 2]
    """

    has_spectrum = False
    n_nonzero_: Annotated[np.ndarray, "(q,)", "whole", ">= 1"]

    def __init__(
        self, n_components: int = 1, *, n_nonzero: int | float = 0.9, scale: bool = False
    ) -> None:
        self.n_components = n_components
        self.n_nonzero = n_nonzero
        self.scale = scale

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        flag(self.scale, "scale")
        X = to_numpy(rows.values).astype(np.float64)
        n, columns = X.shape
        q = whole(self.n_components, "n_components", 1, min(n, columns), what="rows and columns")
        if is_whole(self.n_nonzero):
            whole(self.n_nonzero, "n_nonzero", 1, columns, what="the columns")
        else:
            share(self.n_nonzero, "n_nonzero")
        w = np.full(n, 1.0 / n) if p is None else p
        center = X[0] + w @ (X - X[0])
        F = X - center
        if not np.isfinite(F).all():
            raise InputError("X: differences between rows overflow: rescale the data")
        unit = power_of_two(float(np.abs(F).max())) if F.any() else 1.0
        F = F / unit
        sizes = np.sqrt(w @ F**2)
        floor = 4.0 * 2.0**-52 * np.abs(X).max(axis=0) / unit
        live = sizes > floor
        if not live.any():
            raise InputError("X is constant: there are no axes to find: give rows that differ")
        F[:, ~live] = 0.0
        deviation = np.full(columns, unit)
        if self.scale:
            deviation = np.where(live, sizes, 1.0) * unit
            F = F * (unit / deviation)
            unit = 1.0
        V = sparse_axes(F, w, q, self.n_nonzero)
        V = V * column_signs(V)
        S = np.sqrt(w)[:, None] * (F @ V)
        values, added = (S**2).sum(axis=0), np.diag(np.linalg.qr(S, mode="r")) ** 2
        total, size = float(w @ (F**2).sum(axis=1)), sizes * unit
        loadings = as_kind(V, rows.values)
        spectrum = Spectrum(values, loadings, total, np.zeros(len(values)), "sparse")
        model, own = self._model_about(center, deviation, size, spectrum, unit, rows.values)
        with np.errstate(over="ignore", under="ignore"):
            own |= {"eigenvalues_": added * unit * unit, "inertia_ratio_": added / total}
        return model, own | {"n_nonzero_": np.count_nonzero(V, axis=0)}

    def _on_orthonormal_axes(self, cloud: Cloud) -> Cloud:
        V = to_numpy(self.model_.spectrum.vectors).astype(np.float64)
        _, R = np.linalg.qr(V)
        return cloud.on_axes(np.linalg.solve(R.T, cloud.coordinates.T).T)

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of individuals, as `PCA.individuals`; "quality" is that of the span."""
        cloud = self._cloud(X, diag)
        own = individuals(cloud)
        parts = np.cumsum(self._on_orthonormal_axes(cloud).squares, axis=1)
        quality = np.minimum(ratio(parts, cloud.distance2[:, None]), 1.0)
        for k in range(quality.shape[1]):
            own["quality", k + 1] = quality[:, k]
        return own

    def limits(
        self, X: DataLike | None = None, *, alpha: float = 0.05, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Raise: T² and Q need uncorrelated, orthogonal axes."""
        raise InputError("limits need orthogonal axes, which sparse ones are not: use gm.PCA")

    def _on_columns(self, Z: np.ndarray) -> np.ndarray:
        V = to_numpy(self.components_).astype(np.float64).T
        return np.asarray(Z @ np.linalg.pinv(V))

    def select(
        self, *, false_names: float = 1.0, n_resamples: int = 100, random_state: SeedLike = None
    ) -> pd.DataFrame:
        """Return the variables of each axis that half-samples of the rows confirm.

        The axes of B = n_resamples/2 pairs of complementary halves of the rows, matched to those of
        the fit, name as many variables as the bound allows: with k names of p variables in a half,
        at most C·k²/p of those that are named no more often than at random are expected among the
        variables that 90 % of the halves name, C = (0.4 + 2/B)/(1 + 1/B), if how often both
        halves of a pair name a variable has one mode (Shah and Samworth 2013, theorem 2).

        Parameters
        ----------
        false_names : float
            The expected number of false names on each axis, at most.
        n_resamples : int
            Halves to draw, in pairs.
        random_state : int, Generator or RandomState, optional
            Seed of the random draws; a NumPy Generator or RandomState also works.

        Returns
        -------
        DataFrame
            One row per variable and axis: "axis", "variable", "loading" (of the fit), "frequency"
            (share of halves that name it), "selected"; sorted by axis and frequency. Its
            `attrs["expected_false"]` is the bound for each axis.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> X = rng.standard_normal((60, 40))
        >>> X[:, :4] += 2.0 * rng.standard_normal((60, 1))
        >>> table = gm.SparsePCA(1).fit(X).select(random_state=0)
        >>> sorted(table.loc[table["selected"], "variable"])
        ['x0', 'x1', 'x2', 'x3']
        """
        check_is_fitted(self)
        if self.weights_ is not None:
            raise InputError("sample_weight: rows with weights cannot be halved: fit without")
        X = to_numpy(self.training_.require().values).astype(np.float64)
        n, p = X.shape
        if n < _MIN_ROWS:
            raise InputError(f"X has {n} rows, and halves need {_MIN_ROWS}: give more rows")
        bound = number(false_names, "false_names")
        if bound <= 0:
            raise InputError(f"false_names={false_names!r} must be above 0, for example 1")
        pairs = -(-whole(n_resamples, "n_resamples", 2) // 2)
        factor = 4.0 * (1.0 - _FREQUENCY + 0.5 / pairs) / (1.0 + 1.0 / pairs)
        k = int(max(1, min(np.sqrt(p * bound / factor), p / np.sqrt(3.0))))
        rng, q = generator(random_state), self.n_components_
        named = np.zeros((q, p))
        own = to_numpy(self.components_).astype(np.float64)
        for _ in range(pairs):
            order = rng.permutation(n)
            for half in (order[: n // 2], order[n // 2 : 2 * (n // 2)]):
                named += _name_variables(X[half], own, k, self.scale)
        frequency = named / (2 * pairs)
        names = self._variable_names()
        frames = [
            pd.DataFrame(
                {
                    "axis": axis + 1,
                    "variable": names,
                    "loading": own[axis],
                    "frequency": frequency[axis],
                    "selected": frequency[axis] >= _FREQUENCY,
                }
            ).sort_values("frequency", ascending=False, kind="stable")
            for axis in range(q)
        ]
        out = pd.concat(frames, ignore_index=True)
        out.attrs["expected_false"] = factor * k**2 / p
        return out


def _name_variables(X: np.ndarray, own: np.ndarray, k: int, scale: bool) -> np.ndarray:
    """Return which variables the axes of some rows name, (q, p), in the order of the fit's axes."""
    F = X - X.mean(axis=0)
    if scale:
        sd = F.std(axis=0)
        F = F / np.where(sd > 0, sd, 1.0)
    q = len(own)
    V = sparse_axes(F / (np.abs(F).max() or 1.0), np.full(len(F), 1.0 / len(F)), q, k).T
    rows, places = linear_sum_assignment(-np.abs(own @ V.T))
    out = np.zeros_like(own)
    out[rows] = V[places] != 0
    return out


def sparse_axes(F: np.ndarray, w: np.ndarray, q: int, size: int | float) -> np.ndarray:
    """Return q axes of a centred table, (p, q), of `size` variables or of a share of inertia."""
    A = np.sqrt(w)[:, None] * F
    axes = []
    for _ in range(q):
        v = _sparse_axis(A, size)
        axes.append(v)
        u = A @ v
        norm2 = float(u @ u)
        if norm2 > 0:  # what the scores explain is taken out
            A = A - np.outer(u, (u @ A) / norm2)
    return np.column_stack(axes)


def _sparse_axis(A: np.ndarray, size: int | float) -> np.ndarray:
    """Return the sparse axis of largest inertia that is found from the principal one."""
    if not A.any():
        raise InputError("n_components is more than the dimension of the rows: request fewer axes")
    dense = np.linalg.svd(A, full_matrices=False)[2][0]
    p = A.shape[1]
    if is_whole(size):
        return _truncate(A, dense, int(size))
    target = float(size) * float(((A @ dense) ** 2).sum())
    low, high = 0, p  # the fewest variables that keep the share: bisection
    best = dense
    while high - low > 1:
        middle = (low + high) // 2
        v = _truncate(A, dense, middle)
        if ((A @ v) ** 2).sum() >= target:
            high, best = middle, v
        else:
            low = middle
    return best


def _truncate(A: np.ndarray, start: np.ndarray, k: int) -> np.ndarray:
    """Return the axis of k variables by truncated power iteration."""

    def cut(x: np.ndarray) -> np.ndarray:
        kept = np.argsort(-np.abs(x), kind="stable")[:k]
        out = np.zeros_like(x)
        out[kept] = x[kept]
        return np.asarray(out / np.linalg.norm(out))

    v = cut(start)
    for _ in range(_MAX_STEPS):
        image = A.T @ (A @ v)
        if not image.any():
            return v
        new = cut(image)
        if np.abs(new - v).max() < _MOVE:
            return new
        v = new
    return v
