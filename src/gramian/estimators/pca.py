"""Principal component analysis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_doubles, is_sparse, namespace
from gramian._blocks import budget_bytes
from gramian._random import generator
from gramian._validate import Table, is_block_stream, require_finite, table, weights
from gramian.embedding.coordinates import Embedding
from gramian.embedding.principal import (
    Principal,
    embedding_of,
    principal_axes,
    principal_axes_of_moments,
    standard,
)
from gramian.errors import InputError
from gramian.estimators._base import SpectralEstimator, common_state, spectrum_state
from gramian.estimators._same_rows import (
    require_same_moments,
    require_same_witnesses,
    witnesses,
)
from gramian.operators.moments import Moments, moments, reference_point
from gramian.reading.parallel import Columns, features_by_columns
from gramian.reading.rules import selection
from gramian.reading.variables import (
    active_variables,
    idle_correlations,
    idle_correlations_of_moments,
)
from gramian.spectral.solve import Problem

__all__ = ["PCA"]

LARGE = 1 << 21  # numbers of a table from which on its coordinates wait until they are asked for


class PCA(SpectralEstimator):
    """Principal component analysis, in the French manner: inertia, axes and their reading.

    With weights p (1/n by default) and features f = (x − mean)·√column_weight/deviation, the axes
    are the eigenvectors of Σ p_i f_i f_iᵀ and `eigenvalues_` their inertias (divisor n).

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach, a rule ("kaiser", "karlis", "elbow",
        "cattell", "broken_stick", "parallel", "gavish_donoho", "marchenko_pastur", "minka" or
        another of `gm.dimension.RULES`), or all axes that carry inertia.
    scale : bool
        Divide each column by its standard deviation (divisor n).
    column_weight : array (p,), optional
        Weights of the columns, as given (not normalised).
    solver : "auto", "covariance", "dense" or "krylov"
        "dense" is the n × n Gram matrix; "auto" chooses and says why in `solver_`.
    random_state : int, optional
        Seed of the iterative solver.

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, components_, mean_, scale_, residuals_,
    n_components_, solver_, tied_axes_

    Notes
    -----
    The coordinates of a table of more than two million numbers are computed when they are first
    asked for, from the rows that were given to `fit`; rows changed meanwhile are noticed.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> PCA(n_components=1).fit(X).eigenvalues_.round(6)
    array([1.333333])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        scale: bool = False,
        column_weight: Any = None,
        solver: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.column_weight = column_weight
        self.solver = solver
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PCA:
        """Fit the axes to the rows of X, a table or an iterable of blocks of rows.

        Blocks are read once and not kept, so that `coordinates_` is then absent.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p), or an iterable of such blocks
        y : ignored
        sample_weight : array (n,), optional
            Only proportions matter; a row of weight 0 is supplementary. Not for blocks.
        """
        if not is_block_stream(X):
            return super().fit(X, y, sample_weight)
        if sample_weight is not None:
            raise InputError("sample_weight cannot go with blocks: use partial_fit for each block")
        return self._fit_blocks(X)

    def _fit_blocks(self, blocks: Iterable[Any]) -> PCA:
        rest = PCA(**self.get_params(deep=False))
        for block in blocks:
            rest._absorb(block, None)
        if not hasattr(rest, "_moments"):
            raise InputError(
                "X: the stream has no block: 0 sample(s) while a minimum of 2 is required"
            )
        self._publish(rest._state_of_moments())
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PCA:
        """Take one more block of rows into account (weights are then used as they are)."""
        rest = PCA(**self.get_params(deep=False))
        if hasattr(self, "_moments"):
            rest.__dict__ = dict(vars(self))
        rest._absorb(X, sample_weight)
        self._publish(rest._state_of_moments())
        return self

    def _absorb(self, X: Any, sample_weight: Any) -> None:
        """Add a block's moments to those seen so far."""
        known = getattr(self, "_moments", None)
        rows = self._new_rows(X) if known is not None else table(X, "X", min_rows=1)
        n = rows.values.shape[0]
        w = np.ones(n) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        weights(w, n)
        like = rows.values.data if is_sparse(rows.values) else rows.values
        w = as_doubles(w, like)
        reference = reference_point(rows.values) if known is None else (known.shift, known.unit)
        m = moments(rows.values, w, reference)
        if known is None:
            self.__dict__.update(self._names_seen(X, rows), _like=like[:0])
        elif m.unit is not known.unit:  # the block did not fit the first one's units
            known = rescaled(known, m.unit)
        self._moments = m if known is None else known + m
        self.n_samples_seen_ = getattr(self, "n_samples_seen_", 0) + n

    def _state_of_moments(self) -> dict[str, Any]:
        m: Moments = self._moments
        n = self.n_samples_seen_
        if n < 2:
            raise InputError("X has 1 sample while a minimum of 2 is required: give more rows")
        names = getattr(self, "feature_names_in_", None)
        options: dict[str, Any] = {"scale": self.scale, "column_weight": self._column_weight(m)}
        s = standard(m, self._like, **options, names=names)
        problem = self._problem(n, m.first.shape[0])(s.varying)
        found = principal_axes_of_moments(m, s, self._like, problem, "covariance: blocks of rows")
        embedding = Embedding(
            found.spectrum, self._like, self._like, found.spectrum.vectors, None, s.unit
        )
        state = spectrum_state(found.spectrum, s.unit) | self._axes(found, n)
        state |= {"embedding_": embedding, "_idle": idle_correlations_of_moments(found, m)}
        seen = ("n_samples_seen_", "n_features_in_", "feature_names_in_")
        carried = ("_moments", "_like", "_columns", *seen)
        return state | {name: vars(self)[name] for name in carried if name in vars(self)}

    def _door(self, X: Any) -> Table:
        # The moments meet every number and refuse NaN: a device reads a long table once, not twice.
        return table(X, "X", finite=False)

    def _fitted_part(self, rows: Table, p: Any, live: np.ndarray) -> dict[str, Any]:
        require_finite(rows)  # the moments do not meet rows without a weight
        return super()._fitted_part(rows, p, live)

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        X = rows.values
        found = principal_axes(
            X,
            p,
            self._problem(*X.shape),
            solver=self.solver,
            scale=self.scale,
            column_weight=self._column_weight(rows),
            names=rows.columns,
        )
        axes = self._axes(found, X.shape[0])
        if X.shape[0] * X.shape[1] > LARGE and self.column_weight is None:
            none = np.zeros(0, dtype=int), np.zeros((0, len(found.spectrum.values)))
            later = {"_idle": none, "_witnesses": witnesses(X)}
            return spectrum_state(found.spectrum, found.standard.unit) | axes | later
        embedding = embedding_of(found, X)
        idle = idle_correlations(found, embedding, X, p)
        return common_state(embedding) | axes | {"_idle": idle}

    def _placed(self, state: dict[str, Any], X: Array) -> dict[str, Any]:
        if "embedding_" in state:
            return {}
        embedding = embedding_of(state["_principal"], X)
        return {
            "embedding_": embedding,
            "coordinates_": embedding.coordinates * embedding.unit,
        }

    def __getattr__(self, name: str) -> Any:
        state = self.__dict__
        rows = state.get("_rows")
        if name not in ("embedding_", "coordinates_") or rows is None or "embedding_" in state:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        require_same_witnesses(rows, state["_witnesses"])
        placed = self._placed(state, rows)
        require_same_moments(placed["embedding_"], self.weights_)
        state.update(placed, _published=(*state["_published"], *placed))
        return state[name]

    def _against_noise(self, rows: Table, p: np.ndarray | None) -> Columns:
        require_finite(rows)
        weight = self._column_weight(rows)
        return features_by_columns(rows.values, p, scale=self.scale, column_weight=weight)

    def _problem(self, n: int, columns: int) -> Any:
        if not isinstance(self.scale, bool | np.bool_):
            raise InputError(f"scale={self.scale!r} must be True or False")
        what = "the smaller of rows and columns"
        wanted = selection(self.n_components, min(n, columns), what, shape=(n, columns))
        options: dict[str, Any] = {
            "tol": 1e-12,
            "budget": budget_bytes(None),
            "rng": generator(self.random_state),
            "auto": self.solver == "auto",
        }
        return lambda dimension: Problem(wanted=wanted, dimension=dimension, **options)

    def _column_weight(self, source: Any) -> np.ndarray | None:
        if self.column_weight is None:
            return None
        w = np.asarray(self.column_weight, dtype=float)
        columns = source.values.shape[1] if isinstance(source, Table) else source.first.shape[0]
        weights(w, columns, "column_weight")
        return w

    def _axes(self, found: Principal, n: int) -> dict[str, Any]:
        s, unit = found.standard, found.standard.unit
        values = found.spectrum.values
        with np.errstate(over="ignore", under="ignore"):
            return {
                "components_": found.spectrum.vectors.T,
                "mean_": s.mean,
                "scale_": s.deviation if self.scale else None,
                "explained_variance_": values * unit * unit * (n / (n - 1)),
                "singular_values_": np.sqrt(values * n) * unit,
                "_principal": found,
                "_features": found.features,
            }

    def _project(self, X: Array) -> tuple[Array, Array]:
        found: Principal = self._principal
        coordinates, distance2 = found.features.project(X, found.spectrum.vectors)
        return coordinates * found.standard.unit, distance2

    @property
    def _is_scaled(self) -> bool:  # type: ignore[override]
        return bool(self.scale)

    def _active_variables(self) -> pd.DataFrame:
        names = self._columns or [f"x{j}" for j in range(self.n_features_in_)]
        return active_variables(self._principal, names, self._idle, scaled=self._is_scaled)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that have the coordinates Z, (m, q), and none outside the axes."""
        check_is_fitted(self)
        values = table(Z, "X", min_rows=1, allow_sparse=False).values
        if values.shape[1] != self.n_components_:
            raise InputError(
                f"X has {values.shape[1]} columns but there are {self.n_components_} axes"
            )
        s = self._principal.standard
        xp = namespace(s.factor)
        inverse = xp.where(
            s.factor > 0, 1.0 / xp.where(s.factor > 0, s.factor, 1.0), 0.0 * s.factor
        )
        X = (values / s.unit) @ self.components_ * inverse[None, :] + s.mean
        return namespace(values).astype(X, values.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def rescaled(m: Moments, unit: Array) -> Moments:
    """Return the same moments in other units."""
    ratio = m.unit / unit
    second = m.second * (ratio[:, None] * ratio[None, :])
    return Moments(m.shift, unit, m.weight, m.first * ratio, second)
