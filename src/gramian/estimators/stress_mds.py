"""Multidimensional scaling by majorisation of the stress."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, power_of_two, to_numpy
from gramian._blocks import budget_bytes, require, row_blocks
from gramian._random import generator
from gramian._validate import Table, distance_matrix
from gramian.distances.dissimilarities import without_gaps
from gramian.errors import ConvergenceWarning, InputError, NotEuclideanWarning, TiedAxesWarning
from gramian.estimators._base import SpectralEstimator, common_state, count
from gramian.estimators._distances import DistanceInput, as_given
from gramian.estimators._shepard import Shepard
from gramian.estimators._stress_options import (
    check_dimension,
    check_options,
    pair_weights,
    square_weights,
    start_array,
)
from gramian.estimators.mds import ClassicalMDS
from gramian.stress.arrange import Arrangement, arrange, filled
from gramian.stress.best_of_starts import Progress, Search, starts_for
from gramian.stress.majorise import Run
from gramian.stress.maps import place, principal_map
from gramian.stress.measures import curve_of, fit_of
from gramian.stress.problem import Problem

__all__ = ["MDS"]

_ENTRIES = 1 << 22  # distances from new rows held at once
_BYTES = 80  # of memory at the peak, times n²
_REMEDY = "use ClassicalMDS(landmarks=1000), or fewer rows"


class MDS(Shepard, DistanceInput, SpectralEstimator):
    """Scaling by stress: a map whose distances are as close as possible to dissimilarities.

    The points minimise Σ w(d̂ − d)² over the pairs, d the distances on the map and d̂ the disparities
    that the scaling allows: "ratio" d̂ = δ, "interval" d̂ = a + bδ increasing and not negative,
    "ordinal" any increasing function of δ (Kruskal's nonmetric scaling). With `loss="sstress"`
    distances and dissimilarities are squared in all this. Each step majorises the loss (SMACOF; for
    "sstress", and on a line, points are moved one by one), so that it never rises. The map is
    centred and turned to its principal axes; under "ratio" it is in the unit of δ, else its
    disparities are about as large as δ.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        The dimension of the map; a share, a rule or None means the axes that `ClassicalMDS` would
        keep of these dissimilarities.
    metric : str, Kernel or callable
        As for `ClassicalMDS`; "precomputed" takes dissimilarities, where NaN and masked entries
        are missing: such pairs have no weight.
    scaling : "ratio", "interval" or "ordinal"
    loss : "stress" or "sstress"
    pair_weight : array (n, n) or (n(n−1)/2,), "sammon" or None
        Weights of pairs, 0 to leave one out; "sammon" is 1/δ, under which `raw_stress_`/Σδ is
        Sammon's stress.
    ties : "primary" or "secondary"
        Whether pairs of equal dissimilarity may have different disparities, under "ordinal".
    start : "classical", "random" or array (n, q)
        The first start; the others are random.
    n_init : int
        The number of starts. The best end is kept.
    max_iter : int
        Steps of majorisation, at most, from each start.
    tol : float
        A start has converged when a step moves the points by this little, relative to their size.
    progress : bool
        Whether to show on standard error how far it is.
    random_state : int, optional

    Attributes
    ----------
    coordinates_ : array (n, q)
    stress_ : float
        Stress-1, √(Σ w(d̂ − d)² / Σ w·d²), at `coordinates_` (d² for d under "sstress"): a fraction,
        not a percentage, as scikit-learn and vegan's monoMDS give it. smacof divides by Σ w·d̂²
        instead, which gives s/√(1 + s²) under "ratio" and the same under the others.
    raw_stress_ : float
        Σ w(d̂ − d)² over the pairs i < j.
    stress_per_point_ : array (n,)
        The share of each point in the raw stress, sum 1; 0 for rows of weight 0.
    n_iter_, converged_, history_
        Of the best start: steps, whether it converged, √(Σ w(d̂ − d)²/Σ w·δ²) at each of them, the
        disparities being brought to the size of δ.
    start_stresses_ : array (n_init,)
        The last entry of the history of each start.
    eigenvalues_, inertia_, inertia_ratio_
        The inertia of the map along its axes.
    n_components_, solver_, tied_axes_

    Examples
    --------
    >>> import gramian as gm
    >>> cities = gm.datasets.cities().distances
    >>> round(gm.MDS(metric="precomputed").fit(cities).stress_, 4)
    0.014
    """

    _takes_missing = True

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        metric: str | Callable[[Any, Any], Any] = "euclidean",
        scaling: str = "ratio",
        loss: str = "stress",
        pair_weight: Any = None,
        ties: str = "primary",
        start: Any = "classical",
        n_init: int = 4,
        max_iter: int = 1000,
        tol: float = 1e-6,
        progress: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.scaling = scaling
        self.loss = loss
        self.pair_weight = pair_weight
        self.ties = ties
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.progress = progress
        self.random_state = random_state

    def _decided(self, rows: Table, p: np.ndarray | None) -> Any:
        """Return this estimator, its dimension that of classical scaling where a rule is asked."""
        if isinstance(self.n_components, numbers.Integral):
            return self
        if self._is_precomputed:
            D = np.asarray(to_numpy(rows.values), dtype=float)
            rows = replace(rows, values=filled(D))
        classical = ClassicalMDS(
            self.n_components, metric=self.metric, random_state=self.random_state
        )
        with warnings.catch_warnings():
            for other in (NotEuclideanWarning, TiedAxesWarning):  # of axes that are not used
                warnings.simplefilter("ignore", other)
            state = classical._decided(rows, p)._fitted(rows, p)
        return self._like_this(n_components=state["n_components_"])

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        n = count(rows.values)
        check_options(self)
        q = check_dimension(self.n_components, n)
        require(_BYTES * n * n, budget_bytes(None), f"stress scaling of {n} points", _REMEDY)
        distance = self._distance_of(rows)
        D = self._dissimilarities(rows, distance)
        unit = power_of_two(float(D.max(where=~np.isnan(D), initial=0.0)))
        s = None if p is None else p * n
        points = arrange(D / unit, s, self._given_weights(n, s), q)
        del D
        problem = self._problem(points)
        best, losses = self._best(problem, points, q, unit)
        embedding = principal_map(best.X[points.where], p, unit, self._words(best))
        fit = fit_of(problem, best.X)
        state = common_state(embedding)
        state["coordinates_"] = as_given(state["coordinates_"], rows.values)
        return state | {
            "stress_": fit.stress,
            "raw_stress_": fit.raw * self._raw_unit(unit),
            "stress_per_point_": points.share(fit.per_point, np.ones(n) if s is None else s),
            "n_iter_": best.n_iter,
            "converged_": best.converged,
            "history_": np.sqrt(best.history),
            "start_stresses_": np.sqrt(losses),
            "_arrangement": points,
            "_fit": fit,
            "_curve": curve_of(problem, fit),
            "_distance": distance,
            "_points": None if self._is_precomputed else rows.values,
            "_point_weight": p,
        }

    def _fitted_part(self, rows: Table, p: Any, live: np.ndarray) -> dict[str, Any]:
        """Fit the rows that have a weight, with their part of the weights of pairs."""
        part = type(self)(**self.get_params(deep=False))
        if not (part.pair_weight is None or isinstance(part.pair_weight, str)):
            part.pair_weight = square_weights(part.pair_weight, len(live))[np.ix_(live, live)]
        if not isinstance(part.start, str):
            part.start = np.asarray(part.start)[live]
        state = super(MDS, part)._fitted_part(rows, p, live)
        share = np.zeros(len(live))
        share[live] = state["stress_per_point_"]
        return state | {"stress_per_point_": share}

    def _dissimilarities(self, rows: Table, distance: Any) -> np.ndarray:
        """Return the dissimilarities of the rows, (n, n), NaN where missing."""
        if self._is_precomputed:
            return np.asarray(to_numpy(rows.values), dtype=float)
        D = np.asarray(to_numpy(distance(rows.values)), dtype=float)
        distance_matrix(Table(D), "metric: its result")
        return 0.5 * (D + D.T) if callable(self.metric) else D

    def _given_weights(self, n: int, s: np.ndarray | None) -> np.ndarray | None:
        if self.pair_weight is None or isinstance(self.pair_weight, str):
            return None
        W = square_weights(self.pair_weight, n)
        return W if s is None else W * (s[:, None] * s[None, :])

    def _problem(self, points: Arrangement) -> Problem:
        delta, s = points.delta, points.points
        weight = pair_weights(self.pair_weight, delta, s, points.weight)
        target = delta if weight is None else np.where(weight > 0, delta, 0.0)
        product = self.pair_weight is None and not np.isnan(delta).any()
        return Problem(
            target if self.loss == "stress" else target**2,
            weight,
            s if product else None,
            self.loss,
            self.scaling,
            self.ties,
        )

    def _search(self, report: Any = None) -> Search:
        return Search(self.max_iter, self.tol, report)

    def _best(
        self, problem: Problem, points: Arrangement, q: int, unit: float
    ) -> tuple[Run, np.ndarray]:
        """Return the best end and the losses of all."""
        first = None if isinstance(self.start, str) else start_array(self.start, points, q) / unit
        if isinstance(self.start, str) and self.start == "classical":
            first = points.first
        starts = starts_for(problem, first, q, self.n_init, generator(self.random_state))
        progress = Progress(len(starts)) if self.progress else None
        try:
            runs = self._search(progress).runs(problem, starts)
        finally:
            if progress is not None:
                progress.close()
        losses = np.array([run.loss for run in runs])
        best = runs[int(losses.argmin())]
        if not best.converged:
            warnings.warn(
                f"the best of {len(runs)} starts still moved after {best.n_iter} steps (stress "
                f"{np.sqrt(best.loss):.5g}): raise max_iter, or tol={self.tol:g}",
                ConvergenceWarning,
                stacklevel=6,
            )
        return best, losses

    def _words(self, best: Run) -> str:
        words = f"majorisation of {self.loss}, {self.scaling} scaling"
        return f"{words}: best of {self.n_init} starts after {best.n_iter} steps"

    def _raw_unit(self, unit: float) -> float:
        """Return the unit of the raw stress: that of δ² or δ⁴, times that of the weights."""
        power = 2 if self.loss == "stress" else 4
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float64(unit) ** (power - isinstance(self.pair_weight, str)))

    def _project(self, X: Array) -> tuple[Array, Array]:
        step = max(1, _ENTRIES // len(self.embedding_.coordinates))
        blocks = row_blocks(count(X), step)
        Z = np.vstack([self._new_places(X[rows], rows.start) for rows in blocks])
        return as_given(Z * self.embedding_.unit, X), np.sum(Z * Z, axis=1)

    def _new_places(self, X: Array, first: int) -> np.ndarray:
        """Return where new rows go, in units; `first` is the number of the first of them."""
        D = self._training_columns(X) if self._is_precomputed else self._distance(X, self._points)
        delta = np.asarray(to_numpy(D), dtype=float)
        e = self.embedding_
        known = _known(delta, first)
        target = np.where(known, delta, 0.0) / e.unit
        if self.loss == "sstress":
            target = target**2
        if self._curve is not None:
            target = self._curve(target)
        w = known.astype(float)
        if self._point_weight is not None:
            w = w * self._point_weight
        if isinstance(self.pair_weight, str):
            w = np.divide(w, delta, out=np.zeros_like(w), where=known & (delta > 0))
        Z = place(target, w, e.coordinates, self.loss)
        at, point = self._already_there(delta, known)
        Z[at] = e.coordinates[point]
        return Z

    def _already_there(self, delta: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows of dissimilarities are those of a point of the map, and that point."""
        same = known & (delta == 0)
        at = np.flatnonzero(same.any(axis=1))
        point = same[at].argmax(axis=1)
        if not isinstance(self.pair_weight, str):  # under which 1/δ = ∞ ties both together
            alike = self._arrangement.same_rows(point, delta[at] / self.embedding_.unit)
            at, point = at[alike], point[alike]
        return at, point

    def _new_rows(self, X: Any, door: Any = None) -> Table:
        if not self._is_precomputed:
            return super()._new_rows(X)
        check_is_fitted(self)
        filled, gaps = without_gaps(X)
        rows = super()._new_rows(filled)
        return rows if gaps is None else replace(rows, values=np.where(gaps, np.nan, rows.values))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        tags.input_tags.allow_nan = self._is_precomputed
        tags.input_tags.sparse = self._is_euclidean
        return tags


def _known(delta: np.ndarray, first: int) -> np.ndarray:
    """Return where distances to the points of the map are known; refuse what is none."""
    with np.errstate(invalid="ignore"):
        bad = np.isinf(delta) | (delta < 0)
    if bad.any():
        i, j = (int(k[0]) for k in np.nonzero(bad))
        raise InputError(
            f"X has {delta[i, j]} at row {first + i}, column {j}: give distances to the training "
            "points"
        )
    known = ~np.isnan(delta)
    alone = np.flatnonzero(~known.any(axis=1))
    if alone.size:
        raise InputError(
            f"X: row {first + alone[0]} has no known distance: it has no place on the map"
        )
    return known
