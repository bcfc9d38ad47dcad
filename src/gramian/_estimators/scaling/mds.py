"""Classical multidimensional scaling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, namespace, to_numpy, unit_within
from gramian._core.check import generator, is_whole, one_of, warn
from gramian._core.embedding import (
    FeatureModel,
    GramModel,
    Model,
    analyse,
    columns_that_vary,
    count,
    is_table,
    principal_axes,
    signed_by_points,
)
from gramian._core.numbers import as_array, refuse_masks
from gramian._core.operators import DistanceGram, Gram, TiledGram
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table, distance_matrix, weights
from gramian._core.types import DataLike, RowsLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators.base import (
    Attributes,
    FromSklearn,
    GramSolver,
    Missing,
    SpectralEstimator,
    like_this,
    null_table_by_fits,
    read_coordinates,
)
from gramian._estimators.preimages import weights_of_rows
from gramian._estimators.scaling.distances import (
    Distance,
    distance_of,
    distance_rows,
    is_euclidean,
    is_metric,
    new_distance_rows,
    refuse_vanished,
)
from gramian._reading.null_table import NullTable, features_by_columns
from gramian._reading.rules import selection
from gramian.distances.corrections import CORRECTIONS, GoodnessOfFit, distinct, goodness_of_fit
from gramian.errors import InputError, NotEuclideanWarning
from gramian.kernels.radial import SquaredDistance


class DistanceEstimator(SpectralEstimator):
    """An estimator that starts from distances: those of a metric, or the ones that X holds."""

    metric: Any
    _pair_kind = "distance"

    def _read_new(self, X: DataLike) -> Table:
        rows = new_distance_rows(X, self.metric, self.training_.reader)
        return self._like_fit(X, rows)

    @property
    def is_precomputed(self) -> bool:
        """Whether X holds distances."""
        return is_metric(self.metric, "precomputed")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.is_precomputed
        tags.input_tags.sparse = is_euclidean(self.metric)
        return tags


class ClassicalMDS(FromSklearn, DistanceEstimator):
    """Classical multidimensional scaling (principal coordinate analysis) of distances.

    The Gram matrix is −½d², centred and diagonalised; on Euclidean distances the result is PCA.

    Parameters
    ----------
    n_components, solver, missing
        As for `KernelPCA`; solvers are "auto", "dense" and "krylov".
    metric : str, Kernel or callable
        "euclidean", "gower" (numbers and categories), "braycurtis" or any other name of
        `scipy.spatial.distance`; "precomputed": X holds distances, not squared, as a square table
        or as a vector of the pairs i < j; a kernel, whose distance is |φ(x) − φ(y)| in its feature
        space (X may then hold graphs or sequences); or a function of two tables or of two rows.
    correction : None, "lingoes" or "cailliez"
        The constant added to distances that are not Euclidean, to make them so.
    landmarks : int or array of row positions, optional
        For many rows: only these make the axes, the others are placed by their distances to them,
        as rows of weight 0, so that no n × n matrix is made. An int draws them at random. (Of
        precomputed distances, fit those between landmarks and transform the others' rows.)
    random_state : int, Generator or RandomState, optional
        Seed for drawing landmarks.

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, n_components_, residuals_
        As for `PCA`; so are `certificate_`, `tied_axes_` and `solver_`.
    negative_inertia_ : float
        The sum of the |negative eigenvalues|; a lower bound if the solver is "krylov".
    goodness_of_fit_ : (signed, positive)
        The share of the kept axes in Σ|λ| and in Σλ⁺, as R's cmdscale gives it. NaN where the
        distances may not be Euclidean and "krylov" did not compute every eigenvalue;
        `inertia_ratio_`, whose total is the trace Σλ, is exact all the same.
    correction_constant_ : float
        What was added to the distances, or to their squares, 0 without a correction.

    See Also
    --------
    MDS : by stress, metric or nonmetric.
    gramian.validity.is_euclidean : whether distances are those of points.

    References
    ----------
    - Torgerson (1952), Multidimensional scaling: I. Theory and method.
    - Gower (1966), Some distance properties of latent root and vector methods.

    Examples
    --------
    >>> D = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> round(ClassicalMDS(metric="precomputed").fit(D).inertia_, 6)
    5.555556
    """

    goodness_of_fit_: GoodnessOfFit
    correction_constant_: Annotated[float, "any"]

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        metric: str | Callable[[Any, Any], Any] = "euclidean",
        correction: Literal["lingoes", "cailliez"] | None = None,
        landmarks: int | VectorLike | None = None,
        solver: GramSolver = "auto",
        missing: Missing = "raise",
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.correction = correction
        self.landmarks = landmarks
        self.solver = solver
        self.missing = missing
        self.random_state = random_state

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> ClassicalMDS:
        """Fit the axes to the rows of X: a table (n, p), distances (n, n) or (n(n−1)/2,), objects.

        Of weights, as for `PCA`, only proportions matter; a row of weight 0 is supplementary.
        """
        if self.landmarks is not None:
            rows = self._read(self._fill_missing(X, sample_weight)[0])
            sample_weight = self._landmark_weights(rows, sample_weight)
        super().fit(X, y, sample_weight)
        return self

    def inverse_transform(self, Z: DataLike) -> pd.DataFrame:
        """Return weights of the rows of the fit, (m, n), ≥ 0 with sum 1, for coordinates Z, (m, q).

        They are those of the mixture nearest to Z, as for `KernelPCA` with `method="weights"`.
        """
        check_is_fitted(self)
        return weights_of_rows(self, to_numpy(read_coordinates(Z, self.n_components_)))

    def _landmark_weights(self, rows: Table, sample_weight: WeightsLike) -> np.ndarray:
        """Return the weights of the rows, (n,), zero outside the landmarks."""
        n, q, landmarks = count(rows.values), self.n_components, self.landmarks
        w = weights(sample_weight, n, index=rows.index)
        w = np.ones(n) if w is None else w
        if is_whole(landmarks):
            able = np.flatnonzero(w > 0)
            if not 1 <= int(landmarks) <= able.size:
                raise InputError(
                    f"landmarks={landmarks} must lie between 1 and {able.size}, the number of rows "
                    "that have a weight"
                )
            chosen = generator(self.random_state).choice(able, int(landmarks), replace=False)
        else:
            chosen = _positions(landmarks, n)
        least = int(q) + 1 if is_whole(q) else 2
        if len(chosen) < least:
            text = f"landmarks: {len(chosen)} of them for {q} axes: give at least {least}"
            raise InputError(text)
        out = np.zeros(n)
        out[chosen] = w[chosen]
        return out

    def _read(self, X: DataLike) -> Table:
        return distance_rows(X, self.metric)

    @property
    def is_linear(self) -> bool:
        """Whether the axes are principal components of the table."""
        return is_euclidean(self.metric)

    def _pair_values(self, rows: RowsLike) -> Array:
        model = self.model_
        operator = model.operator if isinstance(model, GramModel) else None
        if isinstance(operator, DistanceGram) and operator.metric is not None:
            return operator.metric(rows)
        return Distance("euclidean")(rows)

    def _request(self, n: int, shape: tuple[int, int] | None = None) -> Request:
        """Return what is asked; `shape` is that of a table whose principal components it is."""
        return Request(
            axes=selection(self.n_components, n, "the number of rows", shape=shape),
            solver=self.solver,
            tol=1e-12,
            policy="drop",
            budget=budget_bytes(None),
            dimension=None if shape is None else shape[1],
        )

    @property
    def _lends_rows(self) -> bool:  # type: ignore[override]
        return is_euclidean(self.metric) and is_metric(self.solver, "auto")

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        one_of(self.correction, "correction", CORRECTIONS, none=True)
        if not is_euclidean(self.metric):
            return self._of_distances(rows, p)
        n = rows.values.shape[0]
        if is_metric(self.solver, "auto") and not isinstance(self.n_components, str):
            return self._of_features(rows.values, p, self._request(n))
        request = self._request(n, (n, columns_that_vary(rows.values, p)))
        if is_metric(self.solver, "auto"):
            return self._of_features(rows.values, p, request)
        points = Points(rows.values)
        gram = TiledGram(SquaredDistance(points.unit), points)
        return self._of_gram(gram, gram, p, replace(request, psd=True), points.unit)

    @property
    def axis_shares(self) -> np.ndarray | None:
        """The shares of the axes in Σ|λ|: the trace is less where eigenvalues are negative."""
        ratio = vars(self).get("inertia_ratio_")
        if ratio is None or not self.negative_inertia_ > 0:
            return ratio
        return ratio * (self.inertia_ / (self.inertia_ + 2.0 * self.negative_inertia_))

    def _of_features(
        self, X: Array, p: np.ndarray | None, request: Request
    ) -> tuple[Model, Attributes]:
        """Euclidean distances have their features at hand: classical scaling is PCA."""
        principal, Z = signed_by_points(principal_axes(X, p, request), X)
        model, s = FeatureModel(principal, known=Z), principal.spectrum
        fit = goodness_of_fit(s.values, s.total, 0.0, known=True)
        return model, {"goodness_of_fit_": fit, "correction_constant_": 0.0}

    def _of_distances(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        n, D = count(rows.values), rows.values
        distance = None if self.is_precomputed else distance_of(self.metric, rows)
        if distance is not None:
            remedy = "use landmarks=, or metric='euclidean', which needs no n × n matrix"
            require_memory(24 * n * n, budget_bytes(None), f"the distances of {n} rows", remedy)
            D = distance(rows.values)
            distance_matrix(Table(D), "metric: its result")
            D = 0.5 * (D + D.T)
        if not bool(namespace(D).any(D != 0)) and is_table(rows.values):
            refuse_vanished(rows.values, self.is_precomputed)
        unit, constant = unit_within(float(namespace(D).max(D)), D), 0.0
        if self.correction is not None:
            constant = CORRECTIONS[self.correction][0](distinct(to_numpy(D)) / unit)
        operator = DistanceGram(rows.values, distance, unit, self.correction, constant)
        request = replace(self._request(n), psd=self.correction is not None)
        model, own = self._of_gram(operator, operator.of(D), p, request, unit)
        raw = constant * unit * (unit if self.correction == "lingoes" else 1.0)
        return model, own | {"correction_constant_": raw}

    def _of_gram(
        self, operator: Gram, gram: Gram, p: np.ndarray | None, request: Request, unit: float
    ) -> tuple[Model, Attributes]:
        """Gram → centring → spectrum → embedding; `operator` is what the model remembers of it."""
        embedding = analyse(gram, p, request, unit)
        s = embedding.spectrum
        known = request.psd or s.solver.startswith("dense")
        if s.negative > 0:
            square = unit * unit
            size = square if 0.0 < square < np.inf else 1.0 / s.total  # shares, where it must be
            text = "the distances are not Euclidean: negative eigenvalues hold "
            text += f"{s.negative * size:.3g} of inertia against a total of {s.total * size:.3g}; "
            warn(NotEuclideanWarning(text + "correction='lingoes' or 'cailliez' removes them"))
        fit = goodness_of_fit(s.values, s.total, s.negative, known=known)
        own = {"goodness_of_fit_": fit, "correction_constant_": 0.0}
        return GramModel(operator, embedding), own

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        if is_euclidean(self.metric):
            return features_by_columns(rows.values, p)
        # The constant of a correction is larger for noise than for data and would hide every axis.
        # A metric may be of amounts or categories, which have no signs to flip.
        return null_table_by_fits(like_this(self, correction=None), rows, p, has_signs=False)


def _positions(landmarks: Any, n: int) -> np.ndarray:
    """Return the positions of rows that were named."""
    refuse_masks(landmarks, "landmarks")
    chosen = as_array(landmarks, "landmarks")
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise InputError("landmarks must be a number of rows or an array of their positions")
    if chosen.size and not (chosen.min() >= 0 and chosen.max() < n):
        wrong = int(chosen[(chosen < 0) | (chosen >= n)][0])
        raise InputError(f"landmarks: {wrong} is not the position of a row (0 to {n - 1})")
    if np.unique(chosen).size < chosen.size:
        raise InputError("landmarks: a row is named twice: give each position once")
    return chosen
