"""What is asked of a table with holes, checked once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gramian._check import flag, number, one_of, positive, whole
from gramian._validate import weights
from gramian.imputation.choose import most_axes
from gramian.imputation.coded import Coded, coded, refuse_empty
from gramian.imputation.iterate import Recipe
from gramian.imputation.metrics import metric_of

__all__ = ["CRITERIA", "METHODS", "Task", "task_of", "with_axes"]

METHODS = ("regularized", "em")
CRITERIA = ("kfold", "loo", "gcv")


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
    metric = metric_of(data.question, scale=scale)
    recipe = Recipe(0, metric, method, ridge, tol, max_iter)
    n = len(data.values)
    w = weights(sample_weight, n)
    return Task(data, np.full(n, 1.0 / n) if w is None else w, recipe)


def with_axes(task: Task, q: Any) -> Task:
    """Return the task with its number of axes, checked."""
    most = most_axes(task.values, task.recipe)
    words = "one less than the smaller of rows − 1 and columns"
    q = whole(q, "n_components", 0, max(most, 0), what=words)
    return replace(task, recipe=replace(task.recipe, q=q))
