"""Principal component analysis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Self, cast

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind, namespace
from gramian._core.check import Random, flag, is_whole
from gramian._core.chunked.operators import Stream
from gramian._core.embedding import (
    FeatureModel,
    Model,
    Principal,
    Record,
    Training,
    like_of,
    principal_axes,
    principal_axes_of_moments,
    standard,
    to_user_library,
)
from gramian._core.frames import is_block_stream
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table, plain_weights, require_finite, table
from gramian._core.types import DataLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators import chunked
from gramian._estimators.base import (
    Attributes,
    FromSklearn,
    Missing,
    TableSolver,
    check_columns,
    column_record,
    like_this,
    read_coordinates,
    spectrum_state,
    square_number,
)
from gramian._estimators.gaussian import GaussianModel
from gramian._estimators.remote import DaskRows, ScanRows, remote_rows
from gramian._reading.null_table import NullTable, features_by_columns
from gramian._reading.rules import selection
from gramian._reading.variables import (
    active_variables,
    idle_correlations,
    idle_correlations_of_moments,
)
from gramian.errors import InputError


class PCA(FromSklearn, GaussianModel):
    """Principal component analysis, with contributions, cos² and other aids to interpretation.

    With weights p (1/n by default) and features f = (x − mean)·√column_weight/deviation, the axes
    are the eigenvectors of Σ p_i f_i f_iᵀ and `eigenvalues_` their inertias (divisor n).

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach, a rule ("kaiser", "karlis", "elbow",
        "cattell", "broken_stick", "parallel", "gavish_donoho", "marchenko_pastur", "minka" or
        "mle" for the same, or another of `gm.dimension.RULES`), or all axes that carry inertia.
    scale : bool
        Divide each column by its standard deviation (divisor n).
    whiten : bool
        Let `transform` divide each coordinate by its standard deviation (divisor n − 1), as in
        scikit-learn. Readings, figures and `coordinates_` stay in the unit of the data.
    column_weight : array (p,), optional
        Weights of the columns, as given (not normalised).
    solver : "auto", "covariance", "dense" or "krylov"
        The algorithm. "dense" decomposes the n × n Gram matrix; "auto" chooses one of the others,
        for the reason given in `solver_`.
    missing : "raise" or "iterative"
        How missing values (NaN) are handled: raise an error, or fill them in from the axes of the
        table (`gm.missing.impute`, with the number of axes by cross-validation), also in new rows.
    random_state : int, Generator or RandomState, optional
        Seed of the iterative solver.

    Attributes
    ----------
    eigenvalues_ : array (q,)
        The inertia of each axis: the weighted variance of its coordinates (divisor n).
    inertia_, inertia_ratio_ : float, array (q,)
        The total inertia, exact where only some axes were computed, and the share of each axis in
        it; `explained_variance_ratio_` is the same.
    coordinates_, components_ : array (n, q), array (q, p)
        The rows of the fit on the axes, and the axes in the space of the columns, orthonormal.
    mean_, scale_ : arrays (p,)
        Means and standard deviations of the columns; `scale_` is None without `scale`.
    explained_variance_, singular_values_ : arrays (q,)
        As in scikit-learn: variances with divisor n − 1, and ``√(n·eigenvalues_)``.
    noise_variance_ : float
        The mean variance of the axes that were left out.
    n_components_, solver_ : int, str
        The number of axes, q; the solver and why it was chosen.
    residuals_, certificate_ : array (q,), Certificate
        |A·u − λ·u| of each axis, and a bound on the eigenvalues left out.
    tied_axes_ : list of tuples
        Groups of axes, counted from 1, of which only the span is determined.

    See Also
    --------
    KernelPCA : the same in the feature space of a kernel.
    gramian.dimension.choose : how many axes to keep.

    References
    ----------
    Lebart, Morineau and Piron (1995), Statistique exploratoire multidimensionnelle.

    Notes
    -----
    Coordinates are computed on first access. A table of more than a million numbers is not copied
    for this; if it was modified in the meantime, an error is raised.

    Examples
    --------
    >>> PCA(n_components=1).fit([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).eigenvalues_.round(6)
    array([1.333333])
    """

    is_linear = True
    n_features_in_: Annotated[int, "p", ">= 1"]
    components_: Annotated[Array, "(q, p)"]
    mean_: Annotated[Array, "(p,)"]
    scale_: Annotated[Array, "(p,)"] | None
    explained_variance_: Annotated[np.ndarray, "(q,)", "any"] = square_number()
    singular_values_: Annotated[np.ndarray, "(q,)", "any"]
    n_samples_seen_: int | None
    stream_: Stream | None
    # Columns without a weight, and their correlations with the axes.
    _idle: tuple[Annotated[np.ndarray, "(i,)", "whole", ">= 0"], Annotated[np.ndarray, "(i, q)"]]

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        scale: bool = False,
        whiten: bool = False,
        column_weight: VectorLike | None = None,
        solver: TableSolver = "auto",
        missing: Missing = "raise",
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.whiten = whiten
        self.column_weight = column_weight
        self.solver = solver
        self.missing = missing
        self.random_state = random_state

    def fit(
        self, X: DataLike | Iterable[DataLike], y: object = None, sample_weight: WeightsLike = None
    ) -> Self:
        """Fit the axes to the rows of X, as for `KernelPCA`, or to an iterable of blocks of rows.

        Blocks are read once and not kept, so that `coordinates_` is then absent; only blocks of a
        scan can have weights.
        """
        if remote_rows(X) is not None or not is_block_stream(X):
            return super().fit(X, y, sample_weight)  # type: ignore[arg-type]
        chunked.refuse_filling(self, "blocks of rows")
        if sample_weight is not None:
            raise InputError("sample_weight cannot go with blocks: use partial_fit for each block")
        stream = None
        for block in cast("Iterable[DataLike]", X):
            stream = self._with_block(stream, block, None)
        if stream is None:
            raise InputError(
                "X: the stream has no block: 0 sample(s) while a minimum of 2 is required"
            )
        self._publish(self._state_of_stream(stream))
        return self

    def _fit_remote(self, rows: ScanRows | DaskRows, sample_weight: WeightsLike) -> Self:
        chunked.refuse_filling(self, rows.name)
        chunks = rows.chunks(self, chunked.read_block, sample_weight, texts=False)
        self._publish(chunked.principal_state(self, chunks))
        chunks.finish()
        return self

    def _output_coordinates(self, Z: Array) -> Array:
        return Z / self._deviations(Z) if self.whiten else Z

    def _deviations(self, Z: Array) -> Array:
        """Return the standard deviations of the axes, divisor n − 1, none of them 0."""
        tiny = np.finfo(np.float64).eps
        sd = self.singular_values_ / np.sqrt(self.training_.n_live - 1.0)
        return as_kind(np.maximum(sd, tiny * min(1.0, self.model_.unit)), Z)[None, :]

    def partial_fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> PCA:
        """Update the fit with a further block of rows (whose weights are not normalised).

        Rows seen before, by `partial_fit` or by `fit`, remain part of the fit; `fit` starts again
        without them. There are axes from the second row on, fewer than `n_components` as long as
        the rows seen do not span as many.

        Examples
        --------
        >>> X = np.random.default_rng(0).standard_normal((300, 2))
        >>> PCA(1).fit(X[:200]).partial_fit(X[200:]).n_samples_seen_
        300
        """
        chunked.refuse_filling(self, "partial_fit")
        before = vars(self).get("stream_")
        if before is None and (rows := chunked.rows_of_fit(self)) is not None:
            before = Stream.of(rows, None, chunked.column_attributes(self))
        stream = self._with_block(before, X, sample_weight)
        if stream.n < 2:  # kept until there are axes
            self._publish({"stream_": stream, "n_samples_seen_": stream.n} | stream.seen)
        else:
            self._publish(self._state_of_stream(stream))
        return self

    def _with_block(self, stream: Stream | None, X: DataLike, sample_weight: WeightsLike) -> Stream:
        """Return what was seen so far and one block more."""
        rows = table(X, "X", min_rows=1)
        if stream is not None:
            known = PCA()
            known.__dict__.update(stream.seen)
            check_columns(known, X, rows)
        w = plain_weights(sample_weight, rows.values.shape[0], index=rows.index)
        block = Stream.of(rows.values, w, column_record(rows))
        return block if stream is None else stream + block

    def _state_of_stream(self, stream: Stream) -> Attributes:
        if stream.n < 2:
            raise InputError("X has 1 sample while a minimum of 2 is required: give more rows")
        m = stream.moments
        columns = m.first.shape[0]
        weight = self._column_weight(columns)
        s = standard(m, stream.like, scale=self.scale, column_weight=weight, names=stream.names)
        q, limit = self.n_components, min(stream.n - 1, columns)
        few = is_whole(q) and limit < q <= columns  # of a stream whose first rows these are
        asked = like_this(self, n_components=limit) if few else self
        request = replace(asked._request(stream.n, columns), dimension=s.varying)
        reason = "covariance: blocks of rows"
        principal = principal_axes_of_moments(m, s, stream.like, request, reason)
        own = {"_idle": idle_correlations_of_moments(principal, m), "stream_": stream}
        return self._state_of_axes(principal, stream) | own

    def _state_of_axes(self, principal: Principal, stream: Stream) -> Attributes:
        """Return the fitted attributes of axes of rows that are not kept."""
        training = Training("gone", None, stream.n, like=stream.like)
        model = FeatureModel(principal)
        state = spectrum_state(model) | self._axes(principal, stream.n)
        state |= {"n_samples_seen_": stream.n, "record_": Record(training, model)}
        return state | stream.seen

    def _read(self, X: DataLike) -> Table:
        # The moments meet every number and refuse NaN: a device reads a long table once, not twice.
        return table(X, "X", finite=False)

    def _state(self, training: Training) -> Attributes:
        if training.live is not None and training.table is not None:
            require_finite(training.table)  # the moments do not meet rows without a weight
        return super()._state(training)

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        n, columns = rows.values.shape
        principal = principal_axes(
            rows.values,
            p,
            self._request(n, columns),
            scale=self.scale,
            column_weight=self._column_weight(columns),
            names=rows.columns,
        )
        model = FeatureModel(principal)
        own = self._axes(principal, n)
        if self.column_weight is not None:  # columns without a weight are read by the coordinates
            own["_idle"] = idle_correlations(principal, model.embed(rows.values), rows.values, p)
        return model, own

    _lends_rows = True
    _takes_sparse = True

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        require_finite(rows)
        weight = self._column_weight(rows.values.shape[1])
        return features_by_columns(rows.values, p, scale=self.scale, column_weight=weight)

    def _request(self, n: int, columns: int) -> Request:
        flag(self.scale, "scale")
        flag(self.whiten, "whiten")
        what = "the smaller of rows and columns"
        axes = selection(self.n_components, min(n, columns), what, shape=(n, columns))
        random = Random(self.random_state)
        return Request(axes, self.solver, tol=1e-12, budget=budget_bytes(None), random=random)

    def _column_weight(self, columns: int) -> np.ndarray | None:
        return plain_weights(self.column_weight, columns, "column_weight")

    def _axes(self, principal: Principal, n: int) -> Attributes:
        s, unit = principal.standard, principal.standard.unit
        values = principal.spectrum.values
        with np.errstate(over="ignore", under="ignore"):
            return {
                "components_": principal.spectrum.vectors.T,
                "mean_": s.mean,
                "scale_": s.deviation if self.scale else None,
                "explained_variance_": values * unit * unit * (n / (n - 1)),
                "singular_values_": np.sqrt(values * n) * unit,
                "_idle": (np.zeros(0, dtype=int), np.zeros((0, len(values)))),
            }

    @property
    def _is_scaled(self) -> bool:
        return bool(self.scale)

    def _active_variables(self) -> pd.DataFrame:
        names = self._variable_names()
        return active_variables(self._principal, names, self._idle, scaled=self._is_scaled)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows reconstructed from the coordinates Z, (m, q).

        Z is in the unit of `transform`: with `whiten`, coordinates are first rescaled.
        """
        check_is_fitted(self)
        values = read_coordinates(Z, self.n_components_)
        s = self._principal.standard
        xp = namespace(s.factor)
        dtype, Z = values.dtype, self.training_.to_training_library(values)
        Z = xp.astype(Z, xp.float64)
        Z = Z * self._deviations(Z) if self.whiten else Z
        live = s.factor > 0
        inverse = xp.where(live, 1.0 / xp.where(live, s.factor, 1.0), 0.0 * s.factor)
        axes = xp.astype(self.components_, xp.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            X = to_user_library((Z / s.unit) @ axes * inverse[None, :] + s.mean, like_of(values))
        X = namespace(X).astype(X, dtype)
        if not bool(namespace(X).all(namespace(X).isfinite(X))):
            raise InputError("X: rows that far from the fit overflow: rescale the data")
        return X
