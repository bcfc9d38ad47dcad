"""How many axes complete a table best, by the error of prediction of what is known.

A task is a table with missing values and how it is to be completed, checked once; its number of
axes is given, or chosen by cross-validation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from gramian._core.check import (
    flag,
    generator,
    is_whole,
    number,
    one_of,
    positive,
    share,
    short,
    whole,
)
from gramian._core.numbers import require_squares
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import weights
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._estimators.imputation.iterate import Completed, Metric, Recipe, complete
from gramian._estimators.imputation.table import (
    Coded,
    check_not_empty,
    encode,
    warn_of_nearly_empty,
)
from gramian._reading.cross_validation import CrossValidation, first_minimum
from gramian.errors import InputError

_BATCH_ENTRIES = 1 << 18  # numbers of the tables that are completed together
_HIDDEN_CELLS = 4000  # hidden in all, where the number of repeats is not given
_MIN_REPEATS, _MAX_REPEATS = 4, 100  # tables with hidden cells
_PATIENCE = 2  # axes without improvement that end the search
_ROUGH_TOL, _ROUGH_STEPS = 1e-2, 100  # errors of prediction need no more digits


@dataclass(frozen=True, eq=False)
class Task:
    """A table with missing values and how it is to be completed."""

    data: Coded
    weights: np.ndarray  # (n,), sum 1
    recipe: Recipe

    @property
    def values(self) -> np.ndarray:
        """The numbers, NaN where missing, (n, p)."""
        return self.data.values

    @property
    def question(self) -> np.ndarray:
        """Which question each column belongs to, −1 for numbers, (p,)."""
        return self.data.question

    @property
    def max_axes(self) -> int:
        """The most axes that leave something to compare them with."""
        return min(len(self.values) - 1, self.recipe.metric.n_free) - 1

    def complete(self) -> Completed:
        """Return the table completed by its number of axes."""
        return complete(self.values[None], self.weights[None], self.recipe)

    def with_axes(self, q: int) -> Task:
        """Return the task with its number of axes."""
        return replace(self, recipe=replace(self.recipe, q=q))

    def roughly(self, tol: float) -> Task:
        """Return the task with as many digits as errors of prediction need."""
        steps = min(_ROUGH_STEPS, self.recipe.max_iter)
        recipe = replace(self.recipe, max_iter=steps, tol=max(tol, self.recipe.tol))
        return replace(self, recipe=recipe)


def task_of(
    X: TableLike,
    scale: bool = True,
    method: str = "regularized",
    sample_weight: VectorLike | None = None,
    ridge: float = 1.0,
    tol: float = 1e-8,
    max_iter: int = 1000,
) -> Task:
    """Return the task, its arguments checked."""
    one_of(method, "method", ("regularized", "em"))
    flag(scale, "scale")
    ridge, tol = number(ridge, "ridge", least=0.0), positive(tol, "tol")
    whole(max_iter, "max_iter")
    data = encode(X)
    check_not_empty(data)
    require_squares(data.values, data.coding.labels)
    metric = Metric(data.question, scale or bool(data.coding.is_level.any()))
    recipe = Recipe(0, metric, method, ridge, tol, max_iter)
    n = len(data.values)
    w = weights(sample_weight, n)
    return Task(data, np.full(n, 1.0 / n) if w is None else w, recipe)


def resolve_axes(
    task: Task, n_components: int | str, random_state: SeedLike, criterion: str = "cv"
) -> tuple[Task, CrossValidation | None]:
    """Return the task with its number of axes, given or chosen, and how it was chosen."""
    if not isinstance(n_components, str) and is_whole(n_components):
        choice, q = None, n_components
    elif isinstance(n_components, str) and n_components == "cv":
        choice = choose_axes(task, criterion=criterion, random_state=random_state)
        q = choice.n_components
    else:
        raise InputError(
            f"n_components={short(n_components)} must be a whole number of at least 0, or 'cv'"
        )
    words = "one less than the smaller of rows − 1 and columns"
    q = whole(q, "n_components", 0, max(task.max_axes, 0), what=words)
    warn_of_nearly_empty(task.data)
    return task.with_axes(q), choice


def complete_frame(X: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a table completed, and by how many axes: as many as cross-validation says."""
    task, _ = resolve_axes(task_of(X), "cv", None)
    return task.data.table(task.complete().values[0]), task.recipe.q


def choose_axes(
    task: Task,
    criterion: str = "cv",
    max_components: int | None = None,
    hidden: float = 0.05,
    n_repeats: int | None = None,
    standardized: bool = True,
    random_state: SeedLike = None,
) -> CrossValidation:
    """Choose the number of axes (see `gm.missing.choose`)."""
    one_of(criterion, "criterion", ("cv", "kfold", "loo", "gcv"))
    share(hidden, "hidden")
    most = None if max_components is None else whole(max_components, "max_components")
    repeats = None if n_repeats is None else whole(n_repeats, "n_repeats")
    X, question = task.values, task.question
    unit = _units(X, question, deviations=flag(standardized, "standardized"))
    if not _varies(X).any():  # the means say all of it
        return _verdict([0.0], 0, criterion)
    if criterion == "gcv":
        if (question >= 0).any():
            raise InputError("criterion='gcv' must be 'cv', 'kfold' or 'loo' with categories in X")
        return _by_degrees(task, most, unit)
    if criterion == "loo":
        task, cells = task.roughly(1e-4), _single_cells(X, question)
    else:
        cells = _random_cells(X, question, hidden, repeats, generator(random_state))
        task = task.roughly(_ROUGH_TOL)
    both = criterion == "cv" and bool((question < 0).all())
    first = _by_degrees(task, most, unit).n_components if both else 0
    errors = _search(task, most, unit, cells, first)
    error = [float(e.mean()) for e in errors]
    best = int(np.argmin(error))
    if both:
        # Degrees of freedom decide, unless hidden cells speak against it: numbers of axes whose
        # error is above the smallest by no more than a standard error of the difference are as
        # good. A cell that was hidden several times does not say more than once.
        count = min(len(errors[0]), int(np.count_nonzero(~np.isnan(X))))
        gaps = [own - errors[best] for own in errors]
        good = [q for q, gap in enumerate(gaps) if gap.mean() <= gap.std() / np.sqrt(count)]
        best = first if first in good else good[0]
    return _verdict(error, best, criterion)


def _by_degrees(task: Task, most: int | None, unit: np.ndarray) -> CrossValidation:
    """Choose by generalised cross-validation, the first local minimum being kept."""
    # With x̂ the reconstruction from q axes, the mean over the N known cells of (N·(x − x̂)/((n −
    # 1)p − miss − q(n + p − q − 1)))²; for q = 0 the mean square alone.
    X = task.values
    (n, p), known = X.shape, ~np.isnan(X)
    count = int(known.sum())
    error: list[float] = []
    for q in range(_limit(task, most) + 1):
        free = count - p - q * (n + p - q - 1)
        if q and free <= 0:
            break
        done = task.with_axes(q).complete()
        rest = ((X - done.filler.reconstruct(done.values)[0]) / unit)[known]
        error.append(float(np.mean(rest**2)) * ((count / free) ** 2 if q else 1.0))
        if q and error[q] > error[q - 1]:
            break
    return _verdict(error, first_minimum(np.array(error)), "gcv")


def _search(
    task: Task, most: int | None, unit: np.ndarray, hidden: np.ndarray, reach: int
) -> list[np.ndarray]:
    """Return the squared errors of hidden cells for 0, 1, … axes."""
    # Without `most` the search ends where two axes more have made it worse, but not before `reach`.
    errors: list[np.ndarray] = []
    for q in range(_limit(task, most) + 1):
        errors.append(_errors(task.with_axes(q), unit, hidden))
        best = int(np.argmin([e.mean() for e in errors]))
        if most is None and q >= reach and q - best >= _PATIENCE:
            break
    return errors


def _errors(task: Task, unit: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Return the squared errors of prediction of hidden cells, one after the other."""
    X, w = task.values, task.weights
    size = max(1, _BATCH_ENTRIES // X.size)
    parts = []
    for start in range(0, len(hidden), size):
        gone = hidden[start : start + size]
        weights = np.broadcast_to(w, (len(gone), len(w)))
        values = complete(np.where(gone, np.nan, X), weights, task.recipe).values
        parts.append(((values - X) / unit)[gone] ** 2)
    return np.concatenate(parts)


def _single_cells(X: np.ndarray, question: np.ndarray) -> np.ndarray:
    """Return the known cells, one hidden at a time; the answers to a question go together."""
    cells, columns = _cells(X, question)
    places = np.argwhere(cells)
    what = f"leaving out {len(places)} cells of {X.shape[0]} × {X.shape[1]} one by one"
    require_memory(4 * len(places) * X.size, budget_bytes(None), what, "use criterion='kfold'")
    hidden = np.zeros((len(places), *X.shape), dtype=bool)
    for k, (i, j) in enumerate(places):
        hidden[k, i] = columns == j
    left = ~np.isnan(X) & ~hidden
    return hidden[left.any(axis=2).all(axis=1) & left.any(axis=1).all(axis=1)]


def _random_cells(
    X: np.ndarray,
    question: np.ndarray,
    share: float,
    repeats: int | None,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return random shares of the known cells, such that all are hidden about as often."""
    cells, columns = _cells(X, question)
    places = np.argwhere(cells)
    size = max(1, round(share * len(places)))
    if repeats is None:
        repeats = int(np.clip(-(-_HIDDEN_CELLS // size), _MIN_REPEATS, _MAX_REPEATS))
    deals = -(-repeats * size // len(places))
    order = np.concatenate([rng.permutation(places) for _ in range(deals)])
    hidden = np.zeros((repeats, *cells.shape), dtype=bool)
    for k in range(repeats):
        i, j = order[k * size : (k + 1) * size].T
        hidden[k, i, j] = True
    left = cells & ~hidden
    hidden &= np.asarray(left.any(axis=2))[:, :, None]  # no row is emptied,
    hidden &= (left.sum(axis=1) > 1)[:, None, :]  # and no column
    return hidden[:, :, columns]


def _cells(X: np.ndarray, question: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what is known of each variable, (n, variables), and the variable of each column."""
    columns = np.cumsum(np.r_[True, (question[1:] != question[:-1]) | (question[1:] < 0)]) - 1
    first = np.flatnonzero(np.r_[True, columns[1:] != columns[:-1]])
    return ~np.isnan(X[:, first]), columns


def _limit(task: Task, most: int | None) -> int:
    limit, (n, p) = task.max_axes, task.values.shape
    if limit < 1:
        raise InputError(f"X is {n} × {p}: choosing axes needs 3 rows and 2 columns at least")
    return limit if most is None else min(limit, most)


def _verdict(error: list[float], q: int, method: str) -> CrossValidation:
    criterion = pd.Series(error, index=pd.RangeIndex(len(error), name="q"), name=method)
    return CrossValidation(q, criterion, method)


def _units(X: np.ndarray, question: np.ndarray, *, deviations: bool) -> np.ndarray:
    """Return the unit of the errors of each column, (p,): its deviation, √share of an answer, 1."""
    if not deviations:
        return np.ones(X.shape[1])
    spread = np.nanstd(X, axis=0)
    spread = np.where(question < 0, spread, np.sqrt(np.abs(np.nanmean(X, axis=0))))
    return np.where(_varies(X) & (spread > 0), spread, 1.0)


def _varies(X: np.ndarray) -> np.ndarray:
    """Return which columns hold numbers that differ, (p,); a table without one has no axis."""
    return np.asarray(np.nanmin(X, axis=0) < np.nanmax(X, axis=0))
