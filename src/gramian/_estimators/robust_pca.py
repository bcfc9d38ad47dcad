"""Robust principal component analysis."""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
import pandas as pd

from gramian._core.array import as_kind, power_of_two, to_numpy
from gramian._core.check import Random, flag, one_of, whole
from gramian._core.embedding import Model
from gramian._core.spectral.spectrum import Spectrum, column_signs, groups_of_ties
from gramian._core.table import Table
from gramian._core.types import DataLike, SeedLike, VectorLike
from gramian._estimators.base import Attributes
from gramian._estimators.loadings import LoadingsEstimator
from gramian._reading.cloud import Cloud
from gramian._reading.robust import (
    METHODS,
    distances,
    orthogonal_cutoff,
    regular_rows,
    reweight,
    robust_axes,
    score_cutoff,
    spread,
)
from gramian.errors import InputError


class RobustPCA(LoadingsEstimator):
    """Robust principal component analysis: axes that a minority of outliers cannot distort.

    Centre, axes and variances are robust; rows far from the centre on the axes, or far from the
    axes, are flagged by `outliers` and left out of the readings.

    Parameters
    ----------
    n_components : int, optional
        Number of axes, at most the dimension of the rows; by default that dimension, up to 10.
    method : "hubert", "spherical" or "pursuit"
        "hubert" is ROBPCA: axes of the MCD scatter, for many columns within a subspace found by
        projections. "spherical" is the PCA of directions from the spatial median, the quickest.
        "pursuit" looks for directions of largest mad (median absolute deviation), one by one.
    scale : bool
        Divide each column by its mad (by its mean absolute deviation where the mad is 0).
    reweight : bool
        For "spherical" and "pursuit": take the principal axes of the rows that the first axes do
        not flag, five times over. "hubert" does so by itself.
    random_state : int, Generator or RandomState, optional
        Seed of the directions drawn by "hubert" in tables of more than 45 distinct rows.

    Attributes
    ----------
    eigenvalues_ : array (q,)
        The robust variances on the axes: those of the MCD (divisor n) for "hubert", else squared
        mads.
    inertia_, inertia_ratio_ : float, array (q,)
        The sum of the eigenvalues and of the mean squared orthogonal distance of regular rows, and
        the share of each axis in it.
    components_, mean_ : array (q, p), array (p,)
        The axes, orthonormal, and the robust centre.
    scale_ : array (p,) or None
        The mads of the columns.
    score_cutoff_, orthogonal_cutoff_ : float
        √χ²_q(0.975), and (m + 1.96·s)^(3/2), m and s the median and mad of od^(2/3).
        `coordinates_` and the others are those of `PCA`.

    See Also
    --------
    PCA : the classical axes.

    References
    ----------
    - Hubert, Rousseeuw and Vanden Branden (2005), ROBPCA.
    - Hubert, Rousseeuw and Verdonck (2012), A deterministic algorithm for robust location.
    - Locantore et al. (1999), Robust principal component analysis for functional data.
    - Croux, Filzmoser and Oliveira (2007), Algorithms for projection-pursuit robust PCA.

    Notes
    -----
    Equal rows are merged and their weights added, so that integer weights count like repeated
    rows. Readings (contributions, correlations, categories) use only rows that are not flagged.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((100, 3)) * [5.0, 2.0, 1.0]
    >>> X[:20] += [0.0, 0.0, 50.0]
    >>> gm.PCA(1).fit(X).components_.round(1).tolist()
    [[0.0, 0.0, 1.0]]
    >>> abs(gm.RobustPCA(1).fit(X).components_).round(1).tolist()
    [[1.0, 0.0, 0.0]]
    """

    score_cutoff_: Annotated[float, "> 0"]
    orthogonal_cutoff_: Annotated[float, ">= 0"]

    def __init__(
        self,
        n_components: int | None = None,
        *,
        method: Literal["hubert", "spherical", "pursuit"] = "hubert",
        scale: bool = False,
        reweight: bool = True,
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.method = method
        self.scale = scale
        self.reweight = reweight
        self.random_state = random_state

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        one_of(self.method, "method", METHODS)
        flag(self.scale, "scale")
        X = to_numpy(rows.values).astype(np.float64)
        n, columns = X.shape
        q = None if self.n_components is None else whole(self.n_components, "n_components", 1)
        if q is not None and q > min(n, columns):
            raise InputError(
                f"n_components={q} is more than the smaller of rows and columns, "
                f"{min(n, columns)}: request fewer"
            )
        w = np.full(n, 1.0 / n) if p is None else p
        with np.errstate(over="ignore"):
            middle = np.median(0.5 * X, axis=0) * 2.0
            if not np.isfinite(2.0 * (X - middle)).all():
                raise InputError("X: differences between rows overflow: rescale the data")
        unit = power_of_two(float(np.abs(X - middle).max()))
        deviation = spread(X, w) if self.scale else np.full(columns, unit)
        deviation = np.where(deviation > 0, deviation, 1.0)  # of a constant column
        unit = 1.0 if self.scale else unit
        F = (X - middle) / deviation
        if not np.ptp(F, axis=0).any():
            raise InputError("X is constant: there are no axes to find: give rows that differ")
        axes = robust_axes(F, w, q, self.method, Random(self.random_state).rng)
        if flag(self.reweight, "reweight") and self.method != "hubert":
            axes = reweight(F, w, axes)
        if not axes.values[0] > 0:
            raise InputError("X: most rows are equal, and have no robust variance: use gm.PCA")
        axes = replace(axes, axes=axes.axes * column_signs(axes.axes))
        d, q = distances(F, axes), len(axes.values)
        cutoff = orthogonal_cutoff(d.orthogonal, w)
        v = w * regular_rows(F, w, axes)
        v = v if v.any() else w
        rest = float(v @ d.orthogonal**2 / v.sum())
        center = middle + axes.center * deviation
        sizes = np.sqrt(v @ (F - axes.center) ** 2 / v.sum()) * deviation
        total = float(axes.values.sum()) + rest
        V, method = as_kind(axes.axes, rows.values), f"robust: {self.method}"
        tied = groups_of_ties(axes.values)
        spectrum = Spectrum(axes.values, V, total, np.zeros(q), method, tied=tied)
        model, own = self._model_about(center, deviation, sizes, spectrum, unit, rows.values)
        own |= {"score_cutoff_": score_cutoff(q), "orthogonal_cutoff_": cutoff * unit}
        return model, own

    def outliers(self, X: DataLike | None = None) -> pd.DataFrame:
        """Return how far rows lie on and beside the axes, and which are flagged.

        Parameters
        ----------
        X : array or data frame (m, p), optional
            New rows; those of the fit by default.

        Returns
        -------
        DataFrame
            "score_distance", √Σ f²/λ; "orthogonal_distance", that to the axes; their cut-offs
            "score_cutoff" and "orthogonal_cutoff"; "outlier", whether one of them is exceeded.

        Examples
        --------
        >>> X = np.random.default_rng(0).standard_normal((50, 3)) * [5.0, 2.0, 1.0]
        >>> fit = gm.RobustPCA(2).fit(X)
        >>> fit.outliers([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0]])["outlier"].tolist()
        [False, True]
        """
        cloud = super()._cloud(X)
        score, orthogonal = self._distances(cloud)
        return pd.DataFrame(
            {
                "score_distance": score,
                "orthogonal_distance": orthogonal * cloud.unit,
                "score_cutoff": self.score_cutoff_,
                "orthogonal_cutoff": self.orthogonal_cutoff_,
                "outlier": self._is_outlier(score, orthogonal * cloud.unit),
            },
            index=cloud.labels,
        )

    def _distances(self, cloud: Cloud) -> tuple[np.ndarray, np.ndarray]:
        """Return score and orthogonal distances, (n,) each, the latter in units."""
        live = cloud.values > 0
        score = np.sqrt((cloud.squares[:, live] / cloud.values[live]).sum(axis=1))
        return score, np.sqrt(np.maximum(cloud.norm2 - cloud.squares.sum(axis=1), 0.0))

    def _is_outlier(self, score: np.ndarray, orthogonal: np.ndarray) -> np.ndarray:
        # Rounding of a distance that is a difference of squares.
        limit = self.orthogonal_cutoff_ + 1e-7 * self.model_.unit
        return (score > self.score_cutoff_) | (orthogonal > limit)

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        """Return points; of the fit, those that are flagged have no weight."""
        cloud = super()._cloud(X, diag)
        if cloud.weights is None:
            return cloud
        score, orthogonal = self._distances(cloud)
        w = cloud.weights * ~self._is_outlier(score, orthogonal * cloud.unit)
        return replace(cloud, weights=w / w.sum()) if w.sum() > 0 else cloud
