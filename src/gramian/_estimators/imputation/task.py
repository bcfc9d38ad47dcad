"""What is asked of a table with holes, checked once: how it is completed, with how many axes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

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
from gramian._core.validate import weights
from gramian._estimators.imputation.choose import (
    by_both,
    by_cells,
    by_degrees,
    dealt_cells,
    most_axes,
    no_axes,
    single_cells,
    units,
    varying,
)
from gramian._estimators.imputation.coded import (
    Coded,
    coded,
    refuse_empty,
    warn_of_nearly_empty,
)
from gramian._estimators.imputation.iterate import Recipe, complete
from gramian._estimators.imputation.metrics import metric_of
from gramian._reading.prediction import CrossValidation
from gramian.errors import InputError

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
