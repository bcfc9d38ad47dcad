"""One completed table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from gramian._core.warn import warn
from gramian._estimators.imputation.coded import Coded
from gramian._estimators.imputation.filler import Filler
from gramian._estimators.imputation.iterate import Completed, complete
from gramian._estimators.imputation.task import Task, settled, task_of
from gramian._reading.prediction import CrossValidation
from gramian._study.language import Count, Voice
from gramian.errors import ConvergenceWarning


@dataclass(frozen=True, eq=False, repr=False)
class Imputation:
    """A completed table, and what completed it.

    Attributes
    ----------
    table : like the table that was given
        With values in its holes, and nothing else changed.
    n_components : int
    fitted : DataFrame (n, p)
        What the axes say of every cell, known ones too.
    holes : DataFrame (n, p) of bool
    choice : CrossValidation or None
        How the number of axes was chosen, where it was.
    n_iter : int
    converged : bool
    filler : Filler
        The axes: `mean`, `factor` (the metric), `vectors`, and how much of each is believed.
    indicators : DataFrame or None
        Where there are categories, the coded columns: a share for each level in the place of a
        missing one, which may lie below 0 or above 1; those of a variable sum to 1. The table has
        the level with the largest.

    Examples
    --------
    >>> import gramian as gm
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

    def fill(self, X: Any) -> Any:
        """Return new rows with their holes filled in, given these axes.

        A row does not depend on the rows that come with it.

        Parameters
        ----------
        X : table (m, p), with the columns of the table that was completed

        Examples
        --------
        >>> import gramian as gm
        >>> air = gm.datasets.airquality().data
        >>> done = gm.missing.impute(air, n_components=2)
        >>> bool(abs(done.fill(air.iloc[[4]]) - done.table.iloc[[4]]).to_numpy().max() < 1e-4)
        True
        """
        new = self._data.like(X)
        return new.table(self.filler.fill(new.values))


def impute(
    X: Any,
    n_components: int | str = "cv",
    *,
    scale: bool = True,
    method: str = "regularized",
    sample_weight: Any = None,
    ridge: float = 1.0,
    tol: float = 1e-8,
    max_iter: int = 1000,
    random_state: Any = None,
) -> Imputation:
    """Fill in the holes of a table by its own axes: regularised iterated PCA, MCA or FAMD.

    From the means of the columns on, in turn: the axes of the completed table, its reconstruction
    by q of them, the holes filled from that, until nothing moves. The singular values √λ of the
    axes are shrunk to (λ − σ²)/√λ, σ² being the noise that the other axes show: without this
    ("em") few known values are believed too much (Josse and Husson 2012; missMDA's `imputePCA`).

    Parameters
    ----------
    X : table (n, p)
        Holes are NaN, None or masked. A frame of categories is completed by the axes of multiple
        correspondence analysis, one of both by those of the analysis of mixed data.
    n_components : int or "cv"
        Axes that fill in the holes; 0 is the means of the columns. "cv" chooses them by
        `gm.missing.choose`, which has more options.
    scale : bool
        Divide columns by their deviations (divisor n), estimated anew in each step.
    method : "regularized" or "em"
    sample_weight : array (n,), optional
        Only proportions matter; a row of weight 0 is filled in and has no part in the axes.
    ridge : float
        How many times σ² is taken off, 1 by default (never more than the first axis left out).
    tol : float
        It ends where no value moves by more, in deviations of its column.
    max_iter : int
    random_state : int, optional
        For "cv".

    Returns
    -------
    Imputation

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 2.0, 3.1], [2.0, 4.1, 6.0], [3.0, np.nan, 9.0], [4.0, 8.0, 12.1]])
    >>> impute(X, n_components=1).table[2].round(2).tolist()
    [3.0, 6.0, 9.0]
    """
    task = task_of(
        X,
        scale=scale,
        method=method,
        sample_weight=sample_weight,
        ridge=ridge,
        tol=tol,
        max_iter=max_iter,
    )
    task, choice = settled(task, n_components, random_state)
    return imputation_of(task, choice, complete(task.values[None], task.weights[None], task.recipe))


def imputation_of(task: Task, choice: CrossValidation | None, done: Completed) -> Imputation:
    """Return the result for one table that was completed."""
    if not done.converged.all():
        warn(
            f"max_iter={task.recipe.max_iter} steps were not enough to fill in the holes: some "
            "values still move; take fewer axes, method='regularized', or more steps",
            ConvergenceWarning,
        )
    data, values, filler = task.data, done.values[0], done.filler.single()
    holes = pd.DataFrame(data.cells, index=data.row_labels, columns=data.coding.names)
    return Imputation(
        data.table(values),
        task.recipe.q,
        data.framed(filler.reconstruct(values)),
        holes,
        choice,
        done.n_iter,
        bool(done.converged.all()),
        filler,
        data.framed(values) if data.coding.is_level.any() else None,
        data,
    )
