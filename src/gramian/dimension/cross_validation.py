"""The number of axes that predicts best what PCA did not see: cells, or blocks of cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.check import flag, one_of
from gramian._core.validate import table
from gramian._reading.parallel import features_by_columns
from gramian._reading.prediction import (
    METHODS,
    CrossValidation,
    cells,
    predict_blocks,
    predict_cells,
)


def cross_validation(
    X: Any,
    *,
    method: str = "gcv",
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 10,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes that predicts the cells of the table best.

    "gcv" and "smooth" are those of FactoMineR's `estim_ncp` (Josse and Husson 2012): with x̂ the
    reconstruction from q axes, the mean of (np·(x − x̂)/((n − 1)p − q(n + p − q − 1)))², and the
    mean of ((x − x̂)/((1 − 1/n − Σu²)(1 − Σv²)))², which imitates leaving out one cell at a time.
    "em" does leave cells out, a tenth at a time, and fills them in by iterated PCA. The first
    local minimum is kept, not the global one: beyond it the criteria break down.

    Parameters
    ----------
    X : table (n, p)
    method : "gcv", "smooth" or "em"
    scale : bool
        Divide columns by their standard deviations (divisor n − 1, as `estim_ncp` does).
    max_components : int, optional
        The most axes tried; min(n − 2, p − 1) by default.
    n_folds : int
        For "em", parts the cells are dealt to.
    random_state : int, optional
        For "em".

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> cross_validation(X, scale=True).criterion.round(3).tolist()
    [1.0, 0.49, 0.173, 0.087]
    """
    one_of(method, "method", METHODS)
    return predict_cells(
        _cells(X, scale),
        method=method,
        max_components=max_components,
        n_folds=n_folds,
        random_state=random_state,
    )


def bi_cross_validation(
    X: Any,
    *,
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 2,
    n_repeats: int = 10,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes that predicts blocks of the table from the other blocks.

    With the table cut in four, [[A, B], [C, D]], the block A is predicted by B·D_q⁺·C, D_q being
    the best approximation of rank q of D; the errors over all blocks are added (Owen and Perry
    2009). The number with the smallest error is kept.

    Parameters
    ----------
    X : table (n, p)
    scale : bool
        Scale the columns.
    max_components : int, optional
        The most axes tried; by default all that the blocks allow.
    n_folds : int
        Parts that rows, and columns, are cut in.
    n_repeats : int
        Random partitions.
    random_state : int, optional

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 20))
    >>> bi_cross_validation(X + 0.3 * rng.standard_normal((60, 20))).n_components
    2
    """
    return predict_blocks(
        _cells(X, scale),
        max_components=max_components,
        n_folds=n_folds,
        n_repeats=n_repeats,
        random_state=random_state,
    )


def _cells(X: Any, scale: bool) -> np.ndarray:
    flag(scale, "scale")
    return cells(features_by_columns(table(X, "X").values, scale=scale))
