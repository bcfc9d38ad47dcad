"""Multidimensional scaling by stress."""

import numbers
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

import numpy as np
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, power_of_two, to_numpy
from gramian._core.check import flag, generator, invalid, one_of, share, warn, whole
from gramian._core.embedding import Model, Training, count
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import Table, distance_matrix, table
from gramian._core.types import DataLike, RowsLike, SeedLike, TableLike, VectorLike
from gramian._estimators.base import Attributes, FromSklearn, Missing, like_this
from gramian._estimators.scaling.distances import Distance, distance_of, distance_rows
from gramian._estimators.scaling.map import MapModel, Scaling, shepard_table, square_weights
from gramian._estimators.scaling.mds import ClassicalMDS, DistanceEstimator
from gramian._estimators.stress.arrange import Arrangement, arrange, fill_missing
from gramian._estimators.stress.best_of_starts import Progress, Search, starts_for
from gramian._estimators.stress.majorise import Run
from gramian._estimators.stress.maps import curve_of, fit_of, principal_map, stress_test
from gramian._estimators.stress.problem import LOSSES, SCALINGS, TIES, Problem
from gramian._nulls.p_values import PermutationTest
from gramian.distances.square import fill_gaps
from gramian.errors import ConvergenceWarning, InputError, NotEuclideanWarning, TiedAxesWarning

_BYTES_PER_PAIR = 80  # of memory at the peak, times n²
_REMEDY = "use ClassicalMDS(landmarks=1000), or fewer rows"


class MDS(FromSklearn, DistanceEstimator):
    """Multidimensional scaling by stress, metric or nonmetric.

    The points minimise Σ w(d̂ − d)² over the pairs, d the distances on the map and d̂ the disparities
    that the scaling allows: "ratio" d̂ = δ, "interval" d̂ = a + bδ increasing and not negative,
    "ordinal" any increasing function of δ (Kruskal's nonmetric scaling). With `loss="sstress"`
    distances and dissimilarities are squared in all this. Each step majorises the loss (SMACOF; for
    "sstress", and on a line, points are moved one by one), so that it never rises. The map is
    centred and turned to its principal axes; under "ratio" it is in the unit of δ, else its
    disparities are about as large as δ.

    Parameters
    ----------
    n_components
        The dimension of the map; a share, a rule or None means the axes that `ClassicalMDS` would
        keep of these dissimilarities.
    metric
        As for `ClassicalMDS`; "precomputed" takes dissimilarities, where NaN and masked entries
        are missing: such pairs have no weight.
    scaling : "ratio", "interval" or "ordinal"
        How dissimilarities become disparities: by a factor, a line, or an increasing function.
    loss : "stress" or "sstress"
        Whether disparities are compared with distances or squared distances.
    pair_weight : array (n, n) or (n(n−1)/2,), "sammon" or None
        Weights of pairs, 0 to leave one out; "sammon" is 1/δ, under which `raw_stress_`/Σδ is
        Sammon's stress.
    ties : "primary" or "secondary"
        Whether pairs of equal dissimilarity may have different disparities, under "ordinal".
    start : "classical", "random" or array (n, q)
        The first start; the others are random.
    n_init : int
        Number of starts, of which the best result is kept.
    max_iter : int
        Maximum number of majorisation steps from each start.
    tol : float
        A start converges when a step moves the points by less than this, relative to their size.
    progress : bool
        Whether to show progress on standard error.
    missing, random_state
        As for `PCA`.

    Attributes
    ----------
    coordinates_ : array (n, q)
        The map: rows at their places, turned to its principal axes.
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
    eigenvalues_, inertia_, inertia_ratio_, n_components_, tied_axes_
        As for `PCA`, of the map along its axes.
    solver_ : str
        The best start, and how it was found.

    See Also
    --------
    ClassicalMDS : the default start, with axes and inertia.
    gramian.plots.shepard : distances on the map against the dissimilarities.

    References
    ----------
    - Kruskal (1964), Multidimensional scaling by optimizing goodness of fit to a nonmetric
      hypothesis.
    - Borg and Groenen (2005), Modern multidimensional scaling.

    Examples
    --------
    >>> cities = gm.datasets.cities().distances
    >>> round(gm.MDS(metric="precomputed").fit(cities).stress_, 4)
    0.014
    """

    is_map = True
    stress_: Annotated[float, ">= 0"]
    raw_stress_: Annotated[float, "any"]
    stress_per_point_: Annotated[np.ndarray, "(n,)", ">= 0"]
    n_iter_: Annotated[int, ">= 0"]
    converged_: bool
    history_: Annotated[np.ndarray, "(i,)", ">= 0"]
    start_stresses_: Annotated[np.ndarray, "(j,)", ">= 0"]

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        metric: str | Callable[[Any, Any], Any] = "euclidean",
        scaling: Literal["ratio", "interval", "ordinal"] = "ratio",
        loss: Literal["stress", "sstress"] = "stress",
        pair_weight: TableLike | VectorLike | None = None,
        ties: Literal["primary", "secondary"] = "primary",
        start: str | TableLike = "classical",
        n_init: int = 4,
        max_iter: int = 1000,
        tol: float = 1e-6,
        progress: bool = False,
        missing: Missing = "raise",
        random_state: SeedLike = None,
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
        self.missing = missing
        self.random_state = random_state

    def _read(self, X: DataLike) -> Table:
        return distance_rows(X, self.metric, missing=True)

    def _read_new(self, X: DataLike) -> Table:
        if not self.is_precomputed:
            return super()._read_new(X)
        numbers, gaps = fill_gaps(X)
        rows = self._like_fit(numbers, table(numbers, "X", min_rows=1))
        return rows if gaps is None else replace(rows, values=np.where(gaps, np.nan, rows.values))

    def _pair_values(self, rows: RowsLike) -> Array:
        assert self._map.distance is not None  # of a metric, not of precomputed distances
        return self._map.distance(rows)

    def _with_axis_count(self, rows: Table, p: np.ndarray | None) -> Self:
        """Return this estimator, its dimension that of classical scaling where a rule is asked."""
        if isinstance(self.n_components, numbers.Integral):
            return self
        if self.is_precomputed:
            D = np.asarray(to_numpy(rows.values), dtype=float)
            rows = replace(rows, values=fill_missing(D))
        classical = ClassicalMDS(
            self.n_components, metric=self.metric, random_state=self.random_state
        )
        with warnings.catch_warnings():
            for other in (NotEuclideanWarning, TiedAxesWarning):  # of axes that are not used
                warnings.simplefilter("ignore", other)
            model, _ = classical._with_axis_count(rows, p)._analyse(rows, p)
        return like_this(self, n_components=len(model.spectrum.values))

    def _state(self, training: Training) -> Attributes:
        """Return the fitted attributes; pairs of rows without a weight have none either."""
        live = training.live
        if live is None:
            return super()._state(training)
        part = like_this(self)
        if not (part.pair_weight is None or isinstance(part.pair_weight, str)):
            part.pair_weight = square_weights(part.pair_weight, len(live))[np.ix_(live, live)]
        if not isinstance(part.start, str):
            part.start = np.asarray(part.start)[live]
        state = super(MDS, part)._state(training)
        per_point = np.zeros(len(live))
        per_point[live] = state["stress_per_point_"]
        return state | {"stress_per_point_": per_point}

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        n = count(rows.values)
        self._check_options()
        q = whole(self.n_components, "n_components", most=n, what="the number of rows")
        require_memory(
            _BYTES_PER_PAIR * n * n, budget_bytes(None), f"stress scaling of {n} points", _REMEDY
        )
        distance = None if self.is_precomputed else distance_of(self.metric, rows)
        D = self._dissimilarities(rows, distance)
        unit = power_of_two(float(np.nanmax(D)))
        weight = self.pair_weight
        if not (weight is None or isinstance(weight, str)):
            weight = square_weights(weight, n)
        scaling = Scaling(self.loss, self.scaling, self.ties, weight)
        s = None if p is None else p * n
        points = arrange(D / unit, s, scaling.square_weights(s), q)
        del D
        problem = scaling.problem(points)
        runs = self._runs(problem, points, q, unit, rows.values)
        losses = np.array([run.loss for run in runs])
        best = runs[int(losses.argmin())]
        if not best.converged:
            warn(
                f"the best of {len(runs)} starts still moved after {best.n_iter} steps (stress "
                f"{np.sqrt(best.loss):.5g}): raise max_iter, or tol={self.tol:g}",
                ConvergenceWarning,
            )
        words = f"majorisation of {self.loss}, {self.scaling} scaling: best of {self.n_init} starts"
        words += f" after {best.n_iter} steps"
        embedding = principal_map(best.X[points.where], p, unit, words)
        fit = fit_of(problem, best.X)
        curve = curve_of(problem, fit)
        # The unit of the raw stress is that of δ² or δ⁴, times that of the weights.
        power = (2 if self.loss == "stress" else 4) - isinstance(self.pair_weight, str)
        with np.errstate(over="ignore", under="ignore"):
            raw_unit = float(np.float64(unit) ** power)
        model = MapModel(embedding, points, fit, curve, scaling, distance, rows.values, p)
        return model, {
            "stress_": fit.stress,
            "raw_stress_": fit.raw * raw_unit,
            "stress_per_point_": points.share(fit.per_point, np.ones(n) if s is None else s),
            "n_iter_": best.n_iter,
            "converged_": best.converged,
            "history_": np.sqrt(best.history),
            "start_stresses_": np.sqrt(losses),
        }

    def _check_options(self) -> None:
        """Refuse options that have no meaning."""
        for name, known in (("scaling", SCALINGS), ("loss", LOSSES), ("ties", TIES)):
            one_of(getattr(self, name), name, known)
        for name in ("n_init", "max_iter"):
            whole(getattr(self, name), name)
        share(self.tol, "tol")
        flag(self.progress, "progress")
        if isinstance(self.start, str) and self.start not in ("classical", "random"):
            raise invalid("start", self.start, 'must be "classical", "random" or an array (n, q)')
        if isinstance(self.pair_weight, str) and self.pair_weight != "sammon":
            raise invalid("pair_weight", self.pair_weight, 'must be None, "sammon" or an array')

    def _runs(
        self, problem: Problem, points: Arrangement, q: int, unit: float, rows: Array
    ) -> list[Run]:
        """Return where the starts lead to; rows on an accelerator take their steps there."""
        if isinstance(self.start, str):
            first = points.first if self.start == "classical" else None
        else:
            first = self._start_array(points, q) / unit
        starts = starts_for(problem, first, q, self.n_init, generator(self.random_state))
        progress = Progress(len(starts)) if self.progress else None
        try:
            return Search(self.max_iter, self.tol, progress, rows).runs(problem, starts)
        finally:
            if progress is not None:
                progress.close()

    def _start_array(self, points: Arrangement, q: int) -> np.ndarray:
        """Return a start that was given for rows as one for points, (m, q)."""
        X = np.asarray(table(self.start, "start", min_rows=1, allow_sparse=False).values, float)
        shape = (len(points.where), q)
        if X.shape != shape:
            raise InputError(f"start has shape {X.shape} but the map has shape {shape}")
        if not np.ptp(X, axis=0).any():
            raise InputError("start: all its points are the same: use distinct points")
        return X[points.rows]

    def _dissimilarities(self, rows: Table, distance: Distance | None) -> np.ndarray:
        """Return the dissimilarities of the rows, (n, n), NaN where missing."""
        if distance is None:
            return np.asarray(to_numpy(rows.values), dtype=float)
        D = distance(rows.values)
        distance_matrix(Table(D), "metric: its result")  # on its device, where there is one
        D = np.asarray(to_numpy(D), dtype=float)
        return 0.5 * (D + D.T) if callable(self.metric) else D

    @property
    def _map(self) -> MapModel:
        assert isinstance(self.model_, MapModel)
        return self.model_

    def shepard(self) -> pd.DataFrame:
        """Return the data of Shepard's diagram, one row for each pair that has a weight.

        Returns
        -------
        DataFrame
            Rows (i, j) by increasing dissimilarity; columns "dissimilarity", "disparity",
            "distance", "residual" (distance less disparity), "weight" and "stress" (the share of
            the pair in the raw stress).

        Examples
        --------
        >>> cities = gm.datasets.cities().distances
        >>> pairs = gm.MDS(metric="precomputed").fit(cities).shepard()
        >>> float(pairs.loc[("Boston", "New York"), "dissimilarity"])
        206.0
        """
        check_is_fitted(self)
        live, labels = self.training_.live, self.training_.labels
        return shepard_table(self._map, labels if live is None else labels[live])

    def stress_test(
        self, n_permutations: int = 99, random_state: SeedLike = None
    ) -> PermutationTest:
        """Test whether the stress is lower than that of dissimilarities without structure.

        The dissimilarities are permuted over the pairs and scaled as the fit was, from as many
        starts. A small p-value means that the map fits better than maps of permuted
        dissimilarities. The seed is that of the estimator by default.

        Returns
        -------
        PermutationTest
            `statistic` (the stress), `p_value`, `reference` (the stresses of permuted data).

        Examples
        --------
        >>> cities = gm.datasets.cities().distances
        >>> mds = gm.MDS(metric="precomputed", n_init=1).fit(cities)
        >>> mds.stress_test(n_permutations=19).p_value
        0.05
        """
        check_is_fitted(self)
        model = self._map
        return stress_test(
            model.scaling.problem(model.arrangement),
            self.stress_,
            self.n_components_,
            n_permutations=n_permutations,
            n_init=self.n_init,
            search=Search(self.max_iter, self.tol, None),
            sammon=isinstance(self.pair_weight, str),
            rng=generator(self.random_state if random_state is None else random_state),
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.is_precomputed
        return tags
