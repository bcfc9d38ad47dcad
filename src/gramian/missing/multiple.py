"""Many completed tables: how sure is what was filled in?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.blocks import budget_bytes, require
from gramian._core.check import generator, is_list, is_whole, share, short, whole
from gramian._estimators.factors.mixed_factors import FAMD
from gramian._estimators.factors.multiple_correspondence import MCA
from gramian._estimators.imputation.draws import draws
from gramian._estimators.imputation.iterate import filler_of
from gramian._estimators.imputation.metrics import Numbers
from gramian._estimators.imputation.task import Task, settled, task_of
from gramian._estimators.pca import PCA
from gramian.errors import InputError
from gramian.missing.imputation import Imputation, imputation_of
from gramian.stability.procrustes import procrustes


@dataclass(frozen=True, eq=False, repr=False)
class MultipleImputation:
    """Completed tables that differ as much as what was filled in is uncertain.

    Attributes
    ----------
    tables : list, each like the table that was given
    imputation : Imputation
        The one table around which they lie.
    n_components : int
    sigma : float
        The deviation of the noise around the axes, in deviations of the columns where these are
        scaled.
    fit : PCA, or MCA or FAMD where there are categories
        The map of `imputation.table`, with its q axes.
    coordinates : array (B, n, q)
        Where each table puts the individuals: the map of each, laid on that of `fit` by a
        Procrustes rotation.
    arrows : array (B, p, q)
        What each table says of the variables of numbers: their correlations with these axes, or
        their coordinates where columns are not scaled.
    reconstruction : DataFrame (n, p)
        The signal around which tables are drawn: q axes, not shrunk.

    Examples
    --------
    >>> import gramian as gm
    >>> air = gm.datasets.airquality().data
    >>> many = gm.missing.multiple(air, n_components=2, n_tables=20)
    >>> len(many.tables), many.coordinates.shape
    (20, (20, 153, 2))
    """

    imputation: Imputation
    sigma: float
    reconstruction: pd.DataFrame
    _task: Task
    _single: np.ndarray  # the numbers of the one table, (n, p)
    _values: np.ndarray  # what each table has in the holes, (B, holes)

    def __repr__(self) -> str:
        return f"MultipleImputation({len(self._values)} tables around {self.imputation!r})"

    @property
    def n_components(self) -> int:
        """How many axes filled in the holes."""
        return self.imputation.n_components

    @cached_property
    def tables(self) -> list[Any]:
        """The completed tables."""
        return [self._task.data.table(self._whole(b)) for b in range(len(self._values))]

    def _whole(self, b: int) -> np.ndarray:
        values = self._task.values.copy()
        values[self._task.data.holes] = self._values[b]
        return values

    def intervals(self, level: float = 0.95) -> pd.DataFrame:
        """Return where the missing numbers lie with some probability.

        Parameters
        ----------
        level : float

        Returns
        -------
        DataFrame
            One row for each missing number, (row, column): "estimate" (the single imputation),
            "sd" over the tables, "low" and "high", between which one table more would have it.
        """
        tail = 0.5 * (1.0 - share(level, "level"))
        data = self._task.data
        number = (data.holes & ~data.coding.is_level)[data.holes]
        names = data.coding.labels
        at = [(data.row_labels[i], names[j]) for i, j in np.argwhere(data.holes)[number]]
        values = self._values[:, number]
        B = len(values)
        mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
        reach = stats.t.ppf(1.0 - tail, B - 1) * np.sqrt(1.0 + 1.0 / B) * sd
        columns = {"estimate": self._single[data.holes][number], "sd": sd}
        columns |= {"low": mean - reach, "high": mean + reach}
        index = pd.MultiIndex.from_tuples(at, names=["row", "column"])
        return pd.DataFrame(columns, index=index)

    @cached_property
    def fit(self) -> Any:
        """The map of the one table: PCA, or MCA or FAMD where there are categories."""
        if self.n_components == 0:
            raise InputError("n_components=0: without axes there is no map: give at least 1")
        levels = self._task.data.coding.is_level
        q, table = self.n_components, self.imputation.table
        if not levels.any():
            estimator: Any = PCA(q, scale=self.scaled)
            table = self._task.data.framed(self._single)
        else:
            estimator = MCA(q) if levels.all() else FAMD(q)
        return estimator.fit(table, sample_weight=self._task.weights)

    @cached_property
    def _maps(self) -> tuple[np.ndarray, np.ndarray]:
        """Where tables put individuals and variables, on the axes of the one table."""
        Z = np.asarray(self.fit.coordinates_)
        w, recipe = self._task.weights, replace(self._task.recipe, method="em")
        numbers = ~self._task.data.coding.is_level
        points, arrows = [], []
        for b in range(len(self._values)):
            X = self._whole(b)
            axes = filler_of(X[None], w[None], recipe).single()
            moved = procrustes(Z, axes.scores(X), scale=False).fitted
            points.append(moved)
            arrows.append(_tips(X[:, numbers], moved, w, scaled=self.scaled))
        return np.array(points), np.array(arrows)

    @property
    def variables(self) -> pd.Index:
        """The names of the variables of numbers, those that `arrows` has."""
        coding = self._task.data.coding
        return pd.Index([v.name for v in coding.variables if v.levels is None])

    @property
    def scaled(self) -> bool:
        """Whether columns are divided by their deviations: arrows are then correlations."""
        metric = self._task.recipe.metric
        return not isinstance(metric, Numbers) or metric.scale

    @cached_property
    def places_of_variables(self) -> np.ndarray:
        """What the one table says of the variables of numbers, (p, q)."""
        X = self._single[:, ~self._task.data.coding.is_level]
        Z = np.asarray(self.fit.coordinates_)
        return _tips(X, Z, self._task.weights, scaled=self.scaled)

    @property
    def coordinates(self) -> np.ndarray:
        """Where each table puts the individuals, (B, n, q)."""
        return self._maps[0]

    @property
    def arrows(self) -> np.ndarray:
        """Where each table puts the variables, (B, p, q)."""
        return self._maps[1]

    def ellipses(self, axes: Sequence[int] = (1, 2), level: float = 0.95) -> pd.DataFrame:
        """Return the region of each individual in the plane of two axes.

        It is where the map of the table without holes would put it, with this probability:
        Hotelling's ellipse for one table more, 2(B² − 1)/(B(B − 2))·F₂,B₋₂(level)·S with S the
        covariance over the B tables. `gm.plots.individuals(many.fit, ellipses=many)` draws it.

        Parameters
        ----------
        axes : two axes, counted from 1
        level : float

        Returns
        -------
        DataFrame
            "x" and "y", the centre; "major" and "minor", half axes; "angle" of the major one with
            the first axis, in degrees.
        """
        q = self.n_components
        good = is_list(axes) and len(axes) == 2 and all(map(is_whole, axes))
        if not good or axes[0] == axes[1] or not all(1 <= k <= q for k in axes):
            raise InputError(f"axes={short(axes)} must be two different axes between 1 and {q}")
        share(level, "level")
        points = self.coordinates[:, :, np.array(axes) - 1]
        B = len(points)
        centre = points.mean(axis=0)
        rest = points - centre
        S = np.einsum("bik,bil->ikl", rest, rest) / (B - 1)
        values, vectors = np.linalg.eigh(S)
        factor = 2.0 * (B * B - 1.0) / (B * (B - 2.0)) * stats.f.ppf(level, 2, B - 2)
        size = np.sqrt(np.maximum(values, 0.0) * factor)
        angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
        columns: dict[str, Any] = {"x": centre[:, 0], "y": centre[:, 1]}
        columns |= {"major": size[:, 1], "minor": size[:, 0], "angle": (angle + 90) % 180 - 90}
        return pd.DataFrame(columns, index=self._task.data.row_labels)


def multiple(
    X: Any,
    n_components: int | str = "cv",
    *,
    n_tables: int = 100,
    scale: bool = True,
    method: str = "regularized",
    sample_weight: Any = None,
    random_state: Any = None,
) -> MultipleImputation:
    """Complete a table many times, so that what is not known is seen.

    The table is taken for a signal of q axes and normal noise, whose variance is what the axes
    leave of the known cells over np − miss − p − q(n − 1 + p − q). New tables are drawn around the
    estimated signal, holes and all, and completed: their signals vary as the estimate does. In the
    holes each table gets its signal and noise (Josse, Pagès and Husson 2011; missMDA's `MIPCA`).
    Tables with categories are completed with the weights of rows drawn anew, and get levels drawn
    by their shares (Audigier, Husson and Josse 2017; `MIMCA`).

    Parameters
    ----------
    X : table (n, p)
        Holes are NaN, None or masked.
    n_components : int or "cv"
    n_tables : int
    scale, method, sample_weight
        As for `impute`.
    random_state : int, optional

    Returns
    -------
    MultipleImputation

    Examples
    --------
    >>> import gramian as gm
    >>> many = gm.missing.multiple(gm.datasets.airquality().data, n_components=2, n_tables=50)
    >>> many.intervals().shape
    (44, 4)
    """
    B = whole(n_tables, "n_tables", 3)
    task = task_of(X, scale=scale, method=method, sample_weight=sample_weight, tol=1e-6)
    task, choice = settled(task, n_components, random_state)
    size = 8 * 6 * B * task.values.size
    require(size, budget_bytes(None), f"{B} completed tables", "ask for fewer tables")
    rng = generator(random_state)
    drawn = draws(task.values, task.weights, task.recipe, task.question, B, rng)
    return MultipleImputation(
        imputation_of(task, choice, drawn.base),
        drawn.sigma,
        task.data.framed(drawn.reconstruction),
        task,
        drawn.base.values[0],
        drawn.values[:, task.data.holes],
    )


def _tips(X: np.ndarray, Z: np.ndarray, w: np.ndarray, *, scaled: bool) -> np.ndarray:
    """Return correlations of columns with axes, times their deviation where not scaled, (p, q)."""
    X, Z = X - w @ X, Z - w @ Z
    of_axes = np.sqrt(w @ Z**2)
    of_columns = np.sqrt(w @ X**2)[:, None] if scaled else 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num((X * w[:, None]).T @ Z / of_axes / of_columns)
