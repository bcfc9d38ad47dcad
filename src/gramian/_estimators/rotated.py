"""Axes of a fit, rotated to simple structure."""

import copy
from dataclasses import replace
from typing import Annotated, Any, Literal, Self, TypeAlias

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind, to_numpy
from gramian._core.check import flag, one_of, whole
from gramian._core.embedding import FeatureModel, Model, Principal, Record, like_of, to_user_library
from gramian._core.table import Table
from gramian._core.types import DataLike, VectorLike, WeightsLike
from gramian._estimators.base import Attributes, SpectralEstimator, read_coordinates, spectrum_state
from gramian._estimators.factors.base import MixedEstimator, named_categories
from gramian._estimators.pca import PCA
from gramian._estimators.remote import remote_rows
from gramian._reading.categories import with_contributions
from gramian._reading.cloud import Cloud, ratio
from gramian._reading.columns import Factor
from gramian._reading.describe import Associations, supplementary_associations
from gramian._reading.individuals import individuals
from gramian._reading.rotation import ROTATIONS, Turn, rotation
from gramian.errors import InputError

RotationMethod: TypeAlias = Literal["varimax", "quartimax", "promax", "oblimin"]
_MIN_INERTIA_SHARE = 1e-12  # of the first axis, from which on an axis can be rotated


class Rotated(SpectralEstimator):
    """The axes of an estimator, rotated: what `fit.rotate(method)` returns.

    With L = V·√λ the loadings of the columns (their covariances with the standardised axes), the
    new loadings are L·U, the standardised coordinates S·U⁻ᵀ, and `eigenvalues_` the inertias
    diag(Φ·UᵀLᵀL·U), whose sum is that before the rotation. Coordinates are standardised ones times
    the length of the loadings of their axis: for uncorrelated axes the weighted variance of a
    coordinate is the eigenvalue, as before.

    Parameters
    ----------
    estimator : PCA, MCA, FAMD or MFA
        The estimator whose axes are rotated.
    method : "varimax", "quartimax", "promax" or "oblimin"
        The first two keep axes uncorrelated; those of promax (power 4) and oblimin (direct
        quartimin) may be correlated. The levels of a categorical variable count together.
    n_components : int, optional
        How many of the first axes are rotated; the others are left out. All by default.
    normalize : bool, optional
        Kaiser's normalisation: every variable has the same weight in the criterion. By default
        that of R: for varimax and promax only.

    Attributes
    ----------
    loadings_ : array (p, q)
        The rotated loadings (the pattern), of coded columns for categories.
    axis_correlations_ : array (q, q)
        The correlations Φ of the axes.
    rotation_ : array (q, q)
        U: the loadings before the rotation times U are `loadings_`.
    components_ : array (q, p)
        What centred columns are multiplied by to give coordinates; no longer orthonormal.
    fit_ : estimator
        The fit that was rotated. All others are those of `PCA`.

    See Also
    --------
    PCA.rotate : the usual way to obtain it.

    References
    ----------
    - Kaiser (1958), The varimax criterion for analytic rotation in factor analysis.
    - Jennrich (2002), A simple general method for oblique rotation.
    - Chavent, Kuentz-Simonet and Saracco (2012), Orthogonal rotation in PCAMIX.

    Notes
    -----
    Axes are in the order of the lengths of their loadings. The inertia of an axis that is strongly
    correlated with others can be negative. Rotated axes are not orthogonal directions of the space
    of the rows: "cos2" of an individual is the squared cosine of its angle with an axis, "quality"
    that with the span of the first k axes, which for the last axis is that before the rotation.

    Examples
    --------
    >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
    >>> fit.rotate("varimax").inertia_ratio_.round(3).tolist()
    [0.675, 0.283]
    """

    n_features_in_: Annotated[int, "p", ">= 1"]
    components_: Annotated[Array, "(q, J)"]
    loadings_: Annotated[np.ndarray, "(J, q)"]
    axis_correlations_: Annotated[np.ndarray, "(q, q)"]
    rotation_: Annotated[np.ndarray, "(q, q)"]
    fit_: Any

    def __init__(
        self,
        estimator: SpectralEstimator,
        method: RotationMethod = "varimax",
        *,
        n_components: int | None = None,
        normalize: bool | None = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.n_components = n_components
        self.normalize = normalize

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Self:
        """Fit the estimator to the rows of X, and rotate its axes."""
        _require_loadings(self.estimator)
        return self.rotate_fit(clone(self.estimator).fit(X, sample_weight=sample_weight))

    def rotate_fit(self, base: SpectralEstimator) -> Self:
        """Rotate the axes of an existing fit."""
        record = base.record_
        owner = base.coding_.owner if isinstance(base, MixedEstimator) else None
        model, own = self._turn(record.model, owner)
        own |= {"record_": Record(record.training, model), "fit_": base}
        columns = {name: vars(base)[name] for name in _COLUMN_NAMES if name in vars(base)}
        self._publish(spectrum_state(model) | own | columns)
        return self

    def _turn(self, base: Model, owner: np.ndarray | None) -> tuple[Model, Attributes]:
        """Return a model with its axes rotated, and what is said of it."""
        one_of(self.method, "method", ROTATIONS)
        if self.normalize is not None:
            flag(self.normalize, "normalize")
        assert isinstance(base, FeatureModel)
        principal = _first_axes(base.principal, self.n_components)
        s = principal.spectrum
        V, root = to_numpy(s.vectors).astype(float), np.sqrt(s.values)
        L = V * root
        turn = rotation(L, self.method, self.normalize, owner)
        turned, inertias = L @ turn.pattern, turn.inertias(L)
        values = (turned**2).sum(axis=0)
        W = (V / root) @ turn.scores * np.sqrt(values)
        worst = np.full(len(values), s.residuals.max(initial=0.0))
        axes = replace(
            s, values=values, vectors=as_kind(W, s.vectors), residuals=worst, tied=[], image=None
        )
        model = FeatureModel(replace(principal, spectrum=axes))
        return model, {
            "eigenvalues_": inertias * model.unit**2,
            "inertia_ratio_": inertias / s.total,
            "components_": axes.vectors.T,
            "loadings_": turned * model.unit,
            "axis_correlations_": turn.correlations,
            "rotation_": turn.pattern,
        }

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        model, _ = self.estimator._analyse(rows, p)
        if not isinstance(self.estimator, MixedEstimator):
            return self._turn(model, None)
        coding = getattr(rows.reader, "coding", rows.reader)  # that of groups has groups beside it
        return self._turn(model, coding.owner)

    def _read(self, X: DataLike) -> Table:
        return self.estimator._read(X)

    def _read_new(self, X: DataLike) -> Table:
        return self.fit_._read_new(X)

    def _fill_new_rows(self, X: DataLike) -> DataLike:
        return self.fit_._fill_new_rows(X)

    @property
    def _is_scaled(self) -> bool:
        return self.fit_._is_scaled

    @property
    def is_scaled(self) -> bool:
        """Whether columns were divided by their standard deviations."""
        return self.fit_.is_scaled

    @property
    def method_name(self) -> str:
        """The method that made the axes, and the rotation."""
        return f"{type(self.estimator).__name__}, {self.method}"

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        cloud = super()._cloud(X, diag)
        total = vars(self.fit_).get("total_", 0.0)
        return replace(cloud, size=total) if total > 1 else cloud

    def _directions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what takes coordinates to the axes of the fit, (q, q), and the new axes there."""
        q = self.n_components_
        root = np.sqrt(self.fit_.model_.spectrum.values[:q])
        back = (self.rotation_ / np.sqrt(self.model_.spectrum.values)).T * root
        axes = root[:, None] * self.rotation_
        return back, axes / np.linalg.norm(axes, axis=0)

    def _angles(self, Z: np.ndarray, norm2: np.ndarray) -> dict[str, np.ndarray]:
        """Return the squared cosines of points with each axis, and with the first axes together."""
        back, axes = self._directions()
        Y = Z @ back
        parts = {"cos2": (Y @ axes) ** 2}
        parts["quality"] = np.cumsum((Y @ np.linalg.qr(axes)[0]) ** 2, axis=1)
        return {name: np.minimum(ratio(part, norm2[:, None]), 1.0) for name, part in parts.items()}

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of individuals, as `PCA.individuals`; see the notes on cos²."""
        if remote_rows(X) is not None:
            return super().individuals(X, diag=diag)  # which comes back a block at a time
        cloud = self._cloud(X, diag)
        own, Y = individuals(cloud), cloud.coordinates @ self._directions()[0]
        norm2 = np.maximum(cloud.distance2, (Y**2).sum(axis=1))  # at least that in their span
        norm2 = np.where(norm2 > cloud.floor, norm2, 0.0)
        _replace_measures(own, self._angles(cloud.coordinates, norm2))
        if cloud.weights is not None:
            parts = cloud.weights * norm2
            own["contribution", "total"] = ratio(parts, parts.sum())
        return own

    def _on_orthonormal_axes(self, cloud: Cloud) -> Cloud:
        back, axes = self._directions()
        return cloud.on_axes(cloud.coordinates @ back @ np.linalg.qr(axes)[0])

    def limits(
        self, X: DataLike | None = None, *, alpha: float = 0.05, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return T², Q and their limits: those of the axes before the rotation."""
        check_is_fitted(self)
        base, q = copy.copy(self.fit_), self.n_components_
        principal = base.model_.principal
        axes = replace(principal, spectrum=principal.spectrum.head(q))
        base.record_ = Record(base.record_.training, FeatureModel(axes))
        base.n_components_ = q
        return base.limits(X, alpha=alpha, diag=diag)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows reconstructed from the coordinates Z, (m, q)."""
        check_is_fitted(self)
        if not isinstance(self.fit_, PCA):
            name = type(self.fit_).__name__
            raise InputError(f"estimator: {name} cannot reconstruct rows from coordinates: use PCA")
        values = read_coordinates(Z, self.n_components_)
        Y = to_numpy(values).astype(float) @ self._directions()[0]
        rest = np.zeros((len(Y), self.fit_.n_components_ - Y.shape[1]))
        X = self.fit_.inverse_transform(self.fit_._output_coordinates(np.hstack([Y, rest])))
        return to_user_library(X, like_of(values))

    def _reading_axes(self) -> Principal:
        """Return axes whose loadings are the covariances of the columns with the rotated axes."""
        R = self.loadings_ @ self.axis_correlations_ / self.model_.unit
        size = np.linalg.norm(R, axis=0)
        s = self.model_.spectrum
        return replace(self._principal, spectrum=replace(s, values=size**2, vectors=R / size))

    def _active_variables(self) -> pd.DataFrame:
        base = copy.copy(self.fit_)
        base.n_components_ = self.n_components_
        base.record_ = Record(base.record_.training, FeatureModel(self._reading_axes()))
        if "_idle" in vars(base):
            columns, r = base._idle
            base._idle = (columns, r[:, : self.n_components_] @ Turn(self.rotation_).scores)
        own = base._active_variables()
        if "quality" in own:  # of correlated axes: the squared multiple correlation
            r = own["correlation"].to_numpy()
            lower = np.linalg.cholesky(self.axis_correlations_)
            shares = np.cumsum(np.linalg.solve(lower, r.T) ** 2, axis=0).T
            _replace_measures(own, {"quality": np.minimum(shares, 1.0)})
        return own

    @property
    def questions(self) -> list[Any]:
        """The columns of categories, in which a missing answer is allowed."""
        return self.fit_.questions

    def categories(self, table: DataLike | None = None) -> pd.DataFrame:
        """Return the table of categories, of the fit or of a table, at their barycentres."""
        check_is_fitted(self)
        if table is not None:
            return super().categories(table)
        if not self.has_categories:
            raise InputError("table is missing: the fit has no categories of its own: give a table")
        own = self._category_table(self.fit_._factors())
        return with_contributions(own, self._reading_axes(), self.fit_.coding_)

    def _category_table(self, factors: list[Factor]) -> pd.DataFrame:
        own = super()._category_table(factors)
        cloud = self._cloud()
        Z = (own["coordinate"].to_numpy() - cloud.shift) / cloud.unit
        norm2 = own["distance2", ""].to_numpy() / cloud.unit**2
        _replace_measures(own, {"cos2": self._angles(Z, norm2)["cos2"]})
        return own

    def _active_categories(self) -> pd.DataFrame | None:
        return named_categories(self.categories()) if self.has_categories else None

    def _active_associations(self) -> Associations:
        if not isinstance(self.fit_, MixedEstimator):
            return super()._active_associations()
        numbers = self.fit_.coding_.numbers(self.training_.rows)
        return supplementary_associations(self._cloud(), numbers, self.fit_._factors())

    def __sklearn_tags__(self) -> Tags:
        return get_tags(self.estimator)


_COLUMN_NAMES = ("n_features_in_", "feature_names_in_", "filler_")


def rotate(
    fit: SpectralEstimator, method: RotationMethod, n_components: int | None, normalize: bool | None
) -> Rotated:
    """Return the rotated axes of a fit."""
    _require_loadings(fit)
    check_is_fitted(fit)
    estimator = clone(fit)
    turned = Rotated(estimator, method, n_components=n_components, normalize=normalize)
    return turned.rotate_fit(fit)


def _require_loadings(estimator: object) -> None:
    if not isinstance(estimator, PCA | MixedEstimator):
        raise InputError(
            f"estimator: {type(estimator).__name__} has no loadings to rotate: use PCA, MCA, FAMD "
            "or MFA"
        )


def _first_axes(principal: Principal, n_components: int | None) -> Principal:
    """Return the first axes, of which each must carry inertia."""
    s = principal.spectrum
    there = int(np.count_nonzero(s.values > _MIN_INERTIA_SHARE * s.values[0]))
    q = there if n_components is None else whole(n_components, "n_components", 1)
    if q > there:
        raise InputError(
            f"n_components={q}: the fit has {there} axes that carry inertia: rotate at most these"
        )
    return replace(principal, spectrum=s.head(q))


def _replace_measures(own: pd.DataFrame, measures: dict[str, np.ndarray]) -> None:
    """Put measures (n, q) in place of those of a table with columns (measure, axis)."""
    for name, block in measures.items():
        for k in range(block.shape[1]):
            own[name, k + 1] = block[:, k]
