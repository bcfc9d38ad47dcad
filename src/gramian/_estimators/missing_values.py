"""Missing values in the rows of an estimator, filled in by the axes of the table itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from gramian._core.array import is_sparse
from gramian._core.check import one_of, short, warn
from gramian._core.operators import Gram
from gramian._core.types import DataLike, WeightsLike
from gramian._estimators.base import Missing, SpectralEstimator
from gramian._estimators.imputation.choose import Task, resolve_axes, task_of
from gramian._estimators.imputation.iterate import Filler, Metric
from gramian._estimators.imputation.table import encode, has_holes
from gramian._reading.grouping import membership
from gramian.errors import ConvergenceWarning, InputError, InputTypeError
from gramian.kernels import Kernel

_LARGE_TABLE = 1 << 17  # numbers of a table


def fill_table(
    estimator: SpectralEstimator, X: DataLike, sample_weight: WeightsLike
) -> tuple[Any, dict[str, Any]]:
    """Return the table without missing values, and what fills those of new rows."""
    if one_of(estimator.missing, "missing", get_args(Missing)) == "raise":
        return X, {}
    _require_table(estimator, X)
    task = task_of(X, scale=estimator._is_scaled, sample_weight=sample_weight)
    mixed = bool(task.data.coding.is_level.any())
    if mixed and not estimator.is_factor_method:  # which it refuses in its own words
        return X, {}
    task = estimator._imputation_task(task)
    # Without missing values nothing is filled in now: of a large table a quick choice will do.
    quick = not mixed and not task.data.holes.any() and task.values.size > _LARGE_TABLE
    task, _ = resolve_axes(task, "cv", None, "gcv" if quick else "cv")
    done = task.complete()
    if not done.converged.all():
        warn(
            "missing='iterative': imputed values have not converged after "
            f"{task.recipe.max_iter} steps: use gm.missing.impute, with fewer axes",
            ConvergenceWarning,
        )
    filler = replace(done.filler.single(), coding=task.data.coding if mixed else None)
    # By the filler itself, to the last digit: rows of the fit are then filled in as new ones.
    table = task.data.table(filler.fill(task.values)) if task.data.holes.any() else X
    return table, {"filler_": filler}


def _require_table(estimator: SpectralEstimator, X: DataLike) -> None:
    """Refuse what has no columns of numbers to fill from."""
    of = vars(estimator).get("kernel", vars(estimator).get("metric"))
    objects = isinstance(of, Kernel) and not of.takes_vectors
    if estimator.is_precomputed or objects:
        raise InputError(
            "missing='iterative' must be 'raise' here: missing values are filled in from columns "
            f"of numbers, which X of this {type(estimator).__name__} does not have"
        )
    if isinstance(X, Gram) or is_sparse(X):
        raise InputTypeError(
            f"missing='iterative' must be 'raise' for {type(X).__name__}: give a table "
            "(toarray() of a sparse one)"
        )


def fill_rows(filler: Filler, X: DataLike) -> DataLike:
    """Return new rows without missing values, given the axes that filled in those of the fit."""
    if filler.coding is None and not has_holes(X):
        return X
    new = encode(X, min_rows=1, coding=filler.coding)
    if not new.holes.any():
        return X
    if new.values.shape[1] != len(filler.mean):
        raise InputError(
            f"X has {new.values.shape[1]} features, but the fit is expecting {len(filler.mean)} "
            "features as input"
        )
    empty = np.isnan(new.values).all(axis=1)  # a column may well be empty
    if empty.any():
        row = new.row_labels[int(np.argmax(empty))]
        raise InputError(f"X has no value in row {short(row)}: drop it first")
    return new.table(filler.fill(new.values))


def in_groups(task: Task, groups: Any, kinds: Mapping[Any, str] | None) -> Task:
    """Return a task whose groups of columns are balanced; missing counts are not filled in."""
    data = task.data
    member, found = membership(data.coding, groups, kinds)
    is_level = np.array([variable.levels is not None for variable in data.coding.variables])
    for g, kind in enumerate(found):
        if kind == "counts" or (kind == "categories" and not is_level[member == g].all()):
            what = "counts" if kind == "counts" else "categories written as numbers"
            raise InputError(
                f"missing='iterative' must be 'raise' with a group of {what}: fill in its missing "
                "values, or give categories as texts"
            )
    centered = np.array([g >= 0 and found[g] == "centered" for g in member])
    owner = data.coding.owner
    metric = Metric(data.question, ~centered[owner], member[owner])
    # Columns of no group are left out of the fit: whatever they hold is no matter.
    values = np.where(member[owner] >= 0, data.values, 0.0)
    return replace(
        task, data=replace(data, values=values), recipe=replace(task.recipe, metric=metric)
    )
