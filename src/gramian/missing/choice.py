"""How many axes to fill holes with."""

from __future__ import annotations

from typing import Any

from gramian._estimators.imputation.task import chosen, task_of
from gramian._reading.prediction import CrossValidation


def choose(
    X: Any,
    *,
    criterion: str = "cv",
    max_components: int | None = None,
    scale: bool = True,
    method: str = "regularized",
    sample_weight: Any = None,
    hidden: float = 0.05,
    n_repeats: int | None = None,
    standardized: bool = True,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes that says best what is known of a table with holes.

    "kfold" hides a share of the known cells, fills them in with q axes, and compares; "loo" hides
    them one at a time; both keep the smallest mean squared error. "gcv" hides nothing: the errors
    of the N known cells are multiplied by N/((n − 1)p − miss − q(n + p − q − 1)), and the first
    local minimum is kept. These are the criteria of missMDA's `estim_ncpPCA` (Josse and Husson
    2012). "cv" takes that of "gcv" unless hidden cells speak against it: where their error is above
    the smallest by more than a standard error of the difference, the fewest axes for which it is
    not are kept. ("gcv" alone takes unequal noise of columns for an axis, or misses one in a small
    table; the errors of "kfold" alone are nearly flat beyond the true number.)

    Parameters
    ----------
    X : table (n, p)
        Holes are NaN, None or masked.
    criterion : "cv", "kfold", "loo" or "gcv"
        Tables with categories have no "gcv", and for them "cv" is "kfold".
    max_components : int, optional
        The most axes tried. By default the search goes on until the error grows ("gcv"), or has
        done so for two axes (the others).
    scale : bool
        Divide columns of numbers by their deviations, as `impute` does.
    method : "regularized" or "em"
    sample_weight : array (n,), optional
    hidden : float
        For "cv" and "kfold", the share of the known cells that is hidden at a time.
    n_repeats : int, optional
        How many times; by default so often that 4,000 cells are hidden, 4 to 100.
    standardized : bool
        Measure errors in deviations of the columns, so that units do not matter; False is the
        column's own unit, as `estim_ncpPCA` has it.
    random_state : int, optional
        For "cv" and "kfold".

    Returns
    -------
    CrossValidation
        `n_components`, and the `criterion` for 0, 1, … axes; a constant table has none.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 2)) @ rng.choice([-1.0, 1.0], (2, 8))
    >>> X += 0.5 * rng.standard_normal(X.shape)
    >>> X[rng.random(X.shape) < 0.1] = np.nan
    >>> choose(X).n_components
    2
    """
    task = task_of(X, scale=scale, method=method, sample_weight=sample_weight)
    return chosen(
        task,
        criterion=criterion,
        max_components=max_components,
        hidden=hidden,
        n_repeats=n_repeats,
        standardized=standardized,
        random_state=random_state,
    )
