"""How many axes complete a table best: the error of prediction of what is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

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
from gramian._estimators.imputation.iterate import Recipe, complete
from gramian._estimators.imputation.metrics import metric_of
from gramian._estimators.imputation.table import (
    Coded,
    coded,
    refuse_empty,
    warn_of_nearly_empty,
)
from gramian._reading.cross_validation import CrossValidation, first_minimum
from gramian.errors import InputError

_AT_ONCE = 1 << 18  # numbers of the tables that are looked at together
_HIDDEN = 4000  # cells that are hidden in all, where nobody says how often
_REPEATS = 4, 100  # tables with hidden cells, at least and at most
_WORSE = 2  # axes in vain that end the search


def most_axes(X: np.ndarray, recipe: Recipe) -> int:
    """Return the most axes that leave something to compare them with."""
    n, p = X.shape
    return min(n - 1, recipe.metric.columns(p)) - 1


def by_degrees(
    X: np.ndarray, w: np.ndarray, recipe: Recipe, most: int | None, unit: np.ndarray
) -> CrossValidation:
    """Choose by generalised cross-validation, the first local minimum being kept.

    With x̂ the reconstruction from q axes, the mean over the N known cells of
    (N·(x − x̂)/((n − 1)p − miss − q(n + p − q − 1)))²; for q = 0 the mean square alone.
    """
    (n, p), known = X.shape, ~np.isnan(X)
    count = int(known.sum())
    error: list[float] = []
    for q in range(_limit(X, recipe, most) + 1):
        free = count - p - q * (n + p - q - 1)
        if q and free <= 0:
            break
        done = complete(X[None], w[None], replace(recipe, q=q))
        rest = ((X - done.filler.reconstruct(done.values)[0]) / unit)[known]
        error.append(float(np.mean(rest**2)) * ((count / free) ** 2 if q else 1.0))
        if q and error[q] > error[q - 1]:
            break
    return _verdict(error, first_minimum(np.array(error)), "gcv")


def by_cells(
    X: np.ndarray,
    w: np.ndarray,
    recipe: Recipe,
    most: int | None,
    unit: np.ndarray,
    hidden: np.ndarray,
    method: str,
) -> CrossValidation:
    """Choose by what is said of known cells that were hidden: the smallest mean squared error.

    `hidden` holds what is hidden at a time, (b, n, p).
    """
    error = [float(e.mean()) for e in _searched(X, w, recipe, most, unit, hidden)]
    return _verdict(error, int(np.argmin(error)), method)


def by_both(
    X: np.ndarray,
    w: np.ndarray,
    recipe: Recipe,
    most: int | None,
    unit: np.ndarray,
    hidden: np.ndarray,
) -> CrossValidation:
    """Choose by degrees of freedom, unless hidden cells speak against it.

    Numbers of axes whose error of hidden cells is above the smallest by no more than a standard
    error of the difference are as good: that of `by_degrees` if it is one of them, else the fewest.
    """
    first = by_degrees(X, w, recipe, most, unit).n_components
    errors = _searched(X, w, recipe, most, unit, hidden, first)
    error = [float(e.mean()) for e in errors]
    # A cell that was hidden several times does not say more than once.
    count = min(len(errors[0]), int(np.count_nonzero(~np.isnan(X))))
    least = errors[int(np.argmin(error))]
    good = [q for q, own in enumerate(errors) if _is_as_good(own, least, count)]
    return _verdict(error, first if first in good else good[0], "cv")


def _searched(
    X: np.ndarray,
    w: np.ndarray,
    recipe: Recipe,
    most: int | None,
    unit: np.ndarray,
    hidden: np.ndarray,
    reach: int = 0,
) -> list[np.ndarray]:
    """Return the squared errors of hidden cells for 0, 1, … axes.

    Without `most` the search ends where two axes more have made it worse, but not before `reach`.
    """
    errors: list[np.ndarray] = []
    for q in range(_limit(X, recipe, most) + 1):
        errors.append(_errors(X, w, replace(recipe, q=q), unit, hidden))
        best = int(np.argmin([e.mean() for e in errors]))
        if most is None and q >= reach and q - best >= _WORSE:
            break
    return errors


def _is_as_good(error: np.ndarray, least: np.ndarray, count: int) -> bool:
    """Whether errors are above the least ones by no more than a standard error."""
    gap = error - least
    return bool(gap.mean() <= gap.std() / np.sqrt(count))


def _errors(
    X: np.ndarray, w: np.ndarray, recipe: Recipe, unit: np.ndarray, hidden: np.ndarray
) -> np.ndarray:
    """Return the squared errors of what is said of hidden cells, one after the other."""
    size = max(1, _AT_ONCE // X.size)
    parts = []
    for start in range(0, len(hidden), size):
        gone = hidden[start : start + size]
        weights = np.broadcast_to(w, (len(gone), len(w)))
        values = complete(np.where(gone, np.nan, X), weights, recipe).values
        parts.append(((values - X) / unit)[gone] ** 2)
    return np.concatenate(parts)


def single_cells(X: np.ndarray, question: np.ndarray) -> np.ndarray:
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


def dealt_cells(
    X: np.ndarray,
    question: np.ndarray,
    share: float,
    repeats: int | None,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return random shares of the known cells, dealt so that all are hidden about as often."""
    cells, columns = _cells(X, question)
    places = np.argwhere(cells)
    size = max(1, round(share * len(places)))
    if repeats is None:
        repeats = int(np.clip(-(-_HIDDEN // size), *_REPEATS))
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


def _limit(X: np.ndarray, recipe: Recipe, most: int | None) -> int:
    limit = most_axes(X, recipe)
    if limit < 1:
        raise InputError(
            f"X is {X.shape[0]} × {X.shape[1]}: choosing axes needs 3 rows and 2 columns at least"
        )
    return limit if most is None else min(limit, most)


def _verdict(error: list[float], q: int, method: str) -> CrossValidation:
    criterion = pd.Series(error, index=pd.RangeIndex(len(error), name="q"), name=method)
    return CrossValidation(q, criterion, method)


def units(X: np.ndarray, question: np.ndarray, *, deviations: bool) -> np.ndarray:
    """Return the unit of the errors of each column, (p,): its deviation, √share of an answer, 1."""
    if not deviations:
        return np.ones(X.shape[1])
    spread = np.nanstd(X, axis=0)
    spread = np.where(question < 0, spread, np.sqrt(np.abs(np.nanmean(X, axis=0))))
    return np.where(varying(X) & (spread > 0), spread, 1.0)


def varying(X: np.ndarray) -> np.ndarray:
    """Return which columns hold numbers that differ, (p,); a table without one has no axis."""
    return np.nanmin(X, axis=0) < np.nanmax(X, axis=0)


def no_axes(criterion: str) -> CrossValidation:
    """Return the choice for a table without an axis: the means say all of it."""
    return _verdict([0.0], 0, criterion)


METHODS = ("regularized", "em")
CRITERIA = ("cv", "kfold", "loo", "gcv")
_LOOSE, _STEPS = 1e-2, 100  # deviations and steps: errors of prediction need no more digits


@dataclass(frozen=True, eq=False)
class Task:
    """A table with holes and how it is to be completed; the number of axes comes later."""

    data: Coded
    weights: np.ndarray  # (n,), sum 1
    recipe: Recipe

    @property
    def values(self) -> np.ndarray:
        """The numbers, NaN in the holes, (n, p)."""
        return self.data.values

    @property
    def question(self) -> np.ndarray:
        """Which question each column belongs to, −1 for numbers, (p,)."""
        return self.data.question


def task_of(
    X: Any,
    *,
    scale: Any = True,
    method: Any = "regularized",
    sample_weight: Any = None,
    ridge: Any = 1.0,
    tol: Any = 1e-8,
    max_iter: Any = 1000,
) -> Task:
    """Return what is asked, or say what is wrong with it."""
    one_of(method, "method", METHODS)
    flag(scale, "scale")
    ridge, tol = number(ridge, "ridge", least=0.0), positive(tol, "tol")
    whole(max_iter, "max_iter")
    data = coded(X)
    refuse_empty(data)
    require_squares(data.values, data.coding.labels)
    metric = metric_of(data.question, scale=scale)
    recipe = Recipe(0, metric, method, ridge, tol, max_iter)
    n = len(data.values)
    w = weights(sample_weight, n)
    return Task(data, np.full(n, 1.0 / n) if w is None else w, recipe)


def _with_axes(task: Task, q: Any) -> Task:
    """Return the task with its number of axes, checked."""
    most = most_axes(task.values, task.recipe)
    words = "one less than the smaller of rows − 1 and columns"
    q = whole(q, "n_components", 0, max(most, 0), what=words)
    return replace(task, recipe=replace(task.recipe, q=q))


def chosen(
    task: Task,
    *,
    criterion: str = "cv",
    max_components: int | None = None,
    hidden: float = 0.05,
    n_repeats: int | None = None,
    standardized: bool = True,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes for a table that was read already."""
    one_of(criterion, "criterion", CRITERIA)
    share(hidden, "hidden")
    most = None if max_components is None else whole(max_components, "max_components")
    repeats = None if n_repeats is None else whole(n_repeats, "n_repeats")
    X, w, question = task.values, task.weights, task.question
    unit = units(X, question, deviations=flag(standardized, "standardized"))
    if not varying(X).any():
        return no_axes(criterion)
    if criterion == "gcv":
        if (question >= 0).any():
            raise InputError("criterion='gcv' must be 'cv', 'kfold' or 'loo' with categories in X")
        return by_degrees(X, w, task.recipe, most, unit)
    rough = replace(task.recipe, max_iter=min(_STEPS, task.recipe.max_iter))
    if criterion == "loo":
        fine = replace(rough, tol=max(1e-4, rough.tol))
        return by_cells(X, w, fine, most, unit, single_cells(X, question), "loo")
    cells = dealt_cells(X, question, hidden, repeats, generator(random_state))
    recipe = replace(rough, tol=max(_LOOSE, rough.tol))
    if criterion == "cv" and (question < 0).all():
        return by_both(X, w, recipe, most, unit, cells)
    return by_cells(X, w, recipe, most, unit, cells, criterion)


def settled(
    task: Task, n_components: Any, random_state: Any, criterion: str = "cv"
) -> tuple[Task, CrossValidation | None]:
    """Return the task with its number of axes, chosen or given."""
    if is_whole(n_components):
        choice, q = None, n_components
    elif isinstance(n_components, str) and n_components == "cv":
        choice = chosen(task, criterion=criterion, random_state=random_state)
        q = choice.n_components
    else:
        raise InputError(
            f"n_components={short(n_components)} must be a whole number of at least 0, or 'cv'"
        )
    task = _with_axes(task, q)
    warn_of_nearly_empty(task.data)
    return task, choice


def completed(X: Any) -> tuple[Any, int]:
    """Return a table with its holes filled in, by as many axes as cross-validation says."""
    task, _ = settled(task_of(X), "cv", None)
    done = complete(task.values[None], task.weights[None], task.recipe)
    return task.data.table(done.values[0]), task.recipe.q
