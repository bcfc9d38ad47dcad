"""Imputation of missing values from the axes of the table, with their uncertainty.

`impute` completes a table, `choose` selects the number of axes, and `multiple` returns many
completed tables, whose differences show the uncertainty of the imputed values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import generator, share, warn, whole
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._estimators.factors.multiple_correspondence import FAMD, MCA
from gramian._estimators.imputation.choose import Task, choose_axes, resolve_axes, task_of
from gramian._estimators.imputation.iterate import Completed, Filler, complete, filler_of
from gramian._estimators.imputation.table import Coded
from gramian._estimators.pca import PCA
from gramian._reading.cloud import ellipse_table, two_axes
from gramian._reading.cross_validation import CrossValidation
from gramian._study.language import Count, Voice
from gramian.errors import ConvergenceWarning, InputError
from gramian.stability.procrustes import procrustes

__all__ = ["Imputation", "MultipleImputation", "choose", "impute", "multiple"]


def choose(
    X: TableLike,
    *,
    criterion: Literal["cv", "kfold", "loo", "gcv"] = "cv",
    max_components: int | None = None,
    scale: bool = True,
    method: Literal["regularized", "em"] = "regularized",
    sample_weight: VectorLike | None = None,
    hidden: float = 0.05,
    n_repeats: int | None = None,
    standardized: bool = True,
    random_state: SeedLike = None,
) -> CrossValidation:
    """Choose the number of axes that best predicts the known values of an incomplete table.

    "kfold" hides a share of the known cells, fills them in with q axes, and compares; "loo" hides
    them one at a time; both keep the smallest mean squared error. "gcv" hides nothing: the errors
    of the N known cells are multiplied by N/((n − 1)p − miss − q(n + p − q − 1)), and the first
    local minimum is kept. These are the criteria of missMDA's `estim_ncpPCA` (Josse and Husson
    2012). "cv" uses "gcv" unless hidden cells contradict it: if their error exceeds the smallest by
    more than a standard error of the difference, the fewest axes for which it does not are kept.
    ("gcv" alone can mistake unequal noise of columns for an axis, or miss one in a small table; the
    errors of "kfold" alone are nearly flat beyond the true number.)

    Parameters
    ----------
    X, scale, method, sample_weight
        As for `impute`.
    criterion : "cv", "kfold", "loo" or "gcv"
        The criterion. For tables with categories there is no "gcv", and "cv" is "kfold".
    max_components : int, optional
        Maximum number of axes. By default the search stops when the error increases ("gcv"), or has
        increased for two axes (the others).
    hidden : float
        For "cv" and "kfold", the share of the known cells that is hidden at a time.
    n_repeats : int, optional
        Number of repetitions; by default such that 4,000 cells are hidden, from 4 to 100.
    standardized : bool
        Measure errors in standard deviations of the columns, so that units do not matter; False: in
        the units of the columns, as `estim_ncpPCA`.
    random_state : int, Generator or RandomState, optional
        For "cv" and "kfold".

    Returns
    -------
    CrossValidation
        `n_components`, and the `criterion` for 0, 1, … axes; a constant table has none.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 2)) @ rng.choice([-1.0, 1.0], (2, 8))
    >>> X += 0.5 * rng.standard_normal(X.shape)
    >>> X[rng.random(X.shape) < 0.1] = np.nan
    >>> choose(X).n_components
    2
    """
    task = task_of(X, scale, method, sample_weight)
    options = (max_components, hidden, n_repeats, standardized, random_state)
    return choose_axes(task, criterion, *options)


@dataclass(frozen=True, eq=False, repr=False)
class Imputation:
    """A completed table, and the axes that it was completed with.

    Attributes
    ----------
    table : same type as X
        The table with imputed values in place of missing ones.
    fitted : DataFrame (n, p)
        The values predicted by the axes for all cells, known ones included.
    choice : CrossValidation or None
        How the number of axes was chosen, where it was.
    filler : Filler
        The axes: `mean`, `factor` (the metric), `vectors`, and the shrinkage of each.
    indicators : DataFrame or None
        The coded columns of categories: for missing values a share of each level, which may be
        below 0 or above 1; those of a variable sum to 1. The table has the level with the largest.

    Examples
    --------
    >>> done = gm.missing.impute(gm.datasets.airquality().data, n_components=2)
    >>> int(done.holes.to_numpy().sum()), int(done.table.isna().to_numpy().sum())
    (44, 0)
    """

    table: Any
    n_components: int
    fitted: pd.DataFrame
    holes: pd.DataFrame
    choice: CrossValidation | None
    n_iter: int
    converged: bool
    filler: Filler
    indicators: pd.DataFrame | None
    _data: Coded

    def __repr__(self) -> str:
        n, p = self.holes.shape
        gaps = int(self.holes.to_numpy().sum())
        axes = Voice().write(Count("axis", self.n_components))
        how = axes if self.n_components else "the means of the columns"
        chosen = "" if self.choice is None else f", chosen by {self.choice.method}"
        return f"Imputation({gaps} of {n * p} cells filled in by {how}{chosen})"

    def fill(self, X: TableLike) -> Any:
        """Return new rows (m, p) with their missing values filled in, given these axes.

        They have the columns of the table; each row is imputed independently of the others.

        >>> air = gm.datasets.airquality().data
        >>> done = gm.missing.impute(air, n_components=2)
        >>> bool(abs(done.fill(air.iloc[[4]]) - done.table.iloc[[4]]).to_numpy().max() < 1e-4)
        True
        """
        new = self._data.like(X)
        return new.table(self.filler.fill(new.values))


def impute(
    X: TableLike,
    n_components: int | Literal["cv"] = "cv",
    *,
    scale: bool = True,
    method: Literal["regularized", "em"] = "regularized",
    sample_weight: VectorLike | None = None,
    ridge: float = 1.0,
    tol: float = 1e-8,
    max_iter: int = 1000,
    random_state: SeedLike = None,
) -> Imputation:
    """Impute the missing values of a table by regularised iterative PCA, MCA or FAMD.

    Starting from the means of the columns, the axes of the completed table are computed and missing
    values are replaced by the reconstruction from q axes, until convergence. The singular values √λ
    of the axes are shrunk to (λ − σ²)/√λ, where σ² is the noise variance estimated from the other
    axes: without shrinkage ("em"), few known values are overfitted (Josse and Husson 2012;
    missMDA's `imputePCA`).

    Parameters
    ----------
    X : table (n, p)
        Missing values are NaN, None or masked. Data frames of categories are completed by multiple
        correspondence analysis, those of numbers and categories by factor analysis of mixed data.
    n_components : int or "cv"
        Number of axes; 0 imputes the means of the columns. "cv" uses `gm.missing.choose`.
    scale : bool
        Divide columns by their standard deviations (divisor n), updated in each step.
    method : "regularized" or "em"
        Whether singular values are shrunk by the noise, or not.
    sample_weight : array (n,), optional
        Weights of the rows; only proportions matter. A row of weight 0 is imputed, but does not
        contribute to the axes.
    ridge : float
        Multiple of σ² that is subtracted (never more than the first axis left out).
    tol : float
        Largest change of a value at convergence, in standard deviations of its column.
    max_iter : int
        Largest number of iterations.
    random_state : int, Generator or RandomState, optional
        For "cv".

    Examples
    --------
    >>> X = np.array([[1.0, 2.0, 3.1], [2.0, 4.1, 6.0], [3.0, np.nan, 9.0], [4.0, 8.0, 12.1]])
    >>> impute(X, n_components=1).table[2].round(2).tolist()
    [3.0, 6.0, 9.0]
    """
    task = task_of(X, scale, method, sample_weight, ridge, tol, max_iter)
    task, choice = resolve_axes(task, n_components, random_state)
    return _imputation(task, choice, task.complete())


def _imputation(task: Task, choice: CrossValidation | None, done: Completed) -> Imputation:
    """Return the result for one table that was completed."""
    if not done.converged.all():
        warn(
            f"max_iter={task.recipe.max_iter} steps were not enough for the imputation: "
            "some values still move; take fewer axes, method='regularized', or more steps",
            ConvergenceWarning,
        )
    data, values, filler = task.data, done.values[0], done.filler.single()
    holes = pd.DataFrame(data.cells, index=data.row_labels, columns=data.coding.names)
    return Imputation(
        data.table(values),
        task.recipe.q,
        data.frame(filler.reconstruct(values)),
        holes,
        choice,
        done.n_iter,
        bool(done.converged.all()),
        filler,
        data.frame(values) if data.coding.is_level.any() else None,
        data,
    )


@dataclass(frozen=True, eq=False, repr=False)
class MultipleImputation:
    """Completed tables whose differences show the uncertainty of the imputed values.

    Attributes
    ----------
    imputation : Imputation
        The single imputation around which they vary.
    sigma : float
        The standard deviation of the noise, in that of the columns if these are scaled.
    reconstruction : DataFrame (n, p)
        The signal around which tables are drawn: q axes, not shrunk.

    Examples
    --------
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
    _values: np.ndarray  # what each table has where values are missing, (B, cells)

    def __repr__(self) -> str:
        return f"MultipleImputation({len(self._values)} tables around {self.imputation!r})"

    @property
    def n_components(self) -> int:
        """The number of axes of the imputation."""
        return self.imputation.n_components

    @cached_property
    def tables(self) -> list[Any]:
        """The completed tables, each of the type of X."""
        return [self._task.data.table(self._whole(b)) for b in range(len(self._values))]

    def _whole(self, b: int) -> np.ndarray:
        values = self._task.values.copy()
        values[self._task.data.holes] = self._values[b]
        return values

    def intervals(self, level: float = 0.95) -> pd.DataFrame:
        """Return prediction intervals of the missing numbers, with probability `level`.

        Returns
        -------
        DataFrame
            One row for each missing number, (row, column): "estimate" (the single imputation),
            "sd" over the tables, and the limits "low" and "high" for a further table.
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
    def fit(self) -> PCA | MCA | FAMD:
        """The map of `imputation.table`: PCA, or MCA or FAMD where there are categories."""
        if self.n_components == 0:
            raise InputError("n_components=0: without axes there is no map: give at least 1")
        levels = self._task.data.coding.is_level
        q, table = self.n_components, self.imputation.table
        if not levels.any():
            estimator: PCA | MCA | FAMD = PCA(q, scale=self.scaled)
            table = self._task.data.frame(self._single)
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
        return bool(self._task.recipe.metric.scale)

    @cached_property
    def places_of_variables(self) -> np.ndarray:
        """The places of the numeric variables for the single imputation, (p, q)."""
        X = self._single[:, ~self._task.data.coding.is_level]
        Z = np.asarray(self.fit.coordinates_)
        return _tips(X, Z, self._task.weights, scaled=self.scaled)

    @property
    def coordinates(self) -> np.ndarray:
        """The coordinates of individuals for each table, rotated to the map of `fit`, (B, n, q)."""
        return self._maps[0]

    @property
    def arrows(self) -> np.ndarray:
        """The places of the numeric variables for each table, (B, p, q).

        Their correlations with the axes, or their coordinates where columns are not scaled.
        """
        return self._maps[1]

    def ellipses(self, axes: Sequence[int] = (1, 2), level: float = 0.95) -> pd.DataFrame:
        """Return the region of each individual in the plane of two axes.

        It is where the map of the whole table would put it, with this probability:
        Hotelling's ellipse for one table more, 2(B² − 1)/(B(B − 2))·F₂,B₋₂(level)·S with S the
        covariance over the B tables. `gm.plots.individuals(many.fit, ellipses=many)` draws it. The
        columns are those of `gm.stability`: centre, half axes and angle.
        """
        points = self.coordinates[:, :, two_axes(axes, self.n_components, level)]
        B = len(points)
        centre = points.mean(axis=0)
        rest = points - centre
        S = np.einsum("bik,bil->ikl", rest, rest) / (B - 1)
        factor = 2.0 * (B * B - 1.0) / (B * (B - 2.0)) * stats.f.ppf(level, 2, B - 2)
        return ellipse_table(centre, S, factor, self._task.data.row_labels)


def multiple(
    X: TableLike,
    n_components: int | Literal["cv"] = "cv",
    *,
    n_tables: int = 100,
    scale: bool = True,
    method: Literal["regularized", "em"] = "regularized",
    sample_weight: VectorLike | None = None,
    random_state: SeedLike = None,
) -> MultipleImputation:
    """Complete a table many times, to measure the uncertainty of imputed values.

    The model is a signal of q axes plus normal noise, whose variance is the residual sum of squares
    of the known cells over np − miss − p − q(n − 1 + p − q). New tables are drawn around the
    estimated signal, with the same values missing, and completed, so that their signals vary as the
    estimate does; noise is added to missing values (Josse, Pagès and Husson 2011; missMDA's
    `MIPCA`). Tables with categories are completed with resampled weights of rows, and get levels
    drawn by their shares (Audigier, Husson and Josse 2017; `MIMCA`).

    Parameters
    ----------
    X, n_components, scale, method, sample_weight
        As for `impute`.
    n_tables : int
        Number of completed tables.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> many = gm.missing.multiple(gm.datasets.airquality().data, n_components=2, n_tables=50)
    >>> many.intervals().shape
    (44, 4)
    """
    B = whole(n_tables, "n_tables", 3)
    task = task_of(X, scale=scale, method=method, sample_weight=sample_weight, tol=1e-6)
    task, choice = resolve_axes(task, n_components, random_state)
    size = 8 * 6 * B * task.values.size
    require_memory(size, budget_bytes(None), f"{B} completed tables", "ask for fewer tables")
    done = task.complete()
    values, signal, sigma = _draw_tables(task, done.values, B, generator(random_state))
    return MultipleImputation(
        _imputation(task, choice, done),
        sigma,
        task.data.frame(signal),
        task,
        done.values[0],
        values[:, task.data.holes],
    )


def _draw_tables(
    task: Task, base: np.ndarray, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return tables drawn around one completed table (1, n, p), its signal, and σ of the noise."""
    X, w, question = task.values, task.weights, task.question
    loose = replace(task.recipe, method="em")
    signal = filler_of(base, w[None], loose).reconstruct(base)[0]
    number, missing = question < 0, np.isnan(X)
    spread = base[0].std(axis=0, ddof=1) if task.recipe.metric.scale else np.ones(X.shape[1])
    spread = np.where(spread > 0, spread, 1.0)
    sigma, free = _noise(task, signal, spread) if number.any() else (0.0, 1.0)
    # The variance of the noise is an estimate too: each table has its own.
    units = spread * sigma * np.sqrt(free / rng.chisquare(free, size=(count, 1, 1)))
    noise = units * rng.standard_normal((count, *X.shape))
    if number.all():
        weights = np.broadcast_to(w, (count, len(w)))
        again = complete(np.where(missing, np.nan, signal + noise), weights, task.recipe).values
        noise = units * rng.standard_normal((count, *X.shape))
        signals = filler_of(again, weights, loose).reconstruct(again)
    else:
        weights = w * rng.multinomial(len(w), np.full(len(w), 1.0 / len(w)), size=count)
        weights = weights / weights.sum(axis=1, keepdims=True)
        signals = complete(np.broadcast_to(X, (count, *X.shape)), weights, task.recipe).values
    values = np.where(missing, signals + np.where(number, noise, 0.0), X)
    for k in range(int(question.max()) + 1):
        own = question == k
        values[:, :, own] = _draw_levels(values[:, :, own], missing[:, own][:, 0], rng)
    return values, signal, sigma


def _draw_levels(block: np.ndarray, missing: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the indicators of a variable, (b, n, k), with levels drawn where they are missing."""
    share = np.maximum(block[:, missing], 0.0).cumsum(axis=2)
    share /= np.maximum(share[:, :, -1:], np.finfo(float).tiny)
    drawn = (rng.random((*share.shape[:2], 1)) >= share).sum(axis=2)
    out = block.copy()
    width = block.shape[2]
    out[:, missing] = np.minimum(drawn, width - 1)[:, :, None] == np.arange(width)
    return out


def _noise(task: Task, signal: np.ndarray, spread: np.ndarray) -> tuple[float, float]:
    """Return the deviation of the noise of numbers, what axes leave of them, and what is free."""
    X, q, number, p = task.values, task.recipe.q, task.question < 0, task.recipe.metric.n_free
    known = ~np.isnan(X[:, number])
    count = int(known.sum())
    share = int(number.sum()) / p  # of the axes, that numbers pay for
    free = count - share * (p + q * (len(X) - 1 + p - q))
    if free <= 0:
        raise InputError(
            f"n_components={q} leaves no residual for the noise, with {count} known values: "
            "take fewer axes"
        )
    rest = ((X - signal) / spread)[:, number][known]
    return float(np.sqrt((rest**2).sum() / free)), float(free)


def _tips(X: np.ndarray, Z: np.ndarray, w: np.ndarray, *, scaled: bool) -> np.ndarray:
    """Return correlations of columns with axes, times their deviation where not scaled, (p, q)."""
    X, Z = X - w @ X, Z - w @ Z
    of_axes = np.sqrt(w @ Z**2)
    of_columns = np.sqrt(w @ X**2)[:, None] if scaled else 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num((X * w[:, None]).T @ Z / of_axes / of_columns)
