"""The rules, each as a function.

Those of the spectrum take eigenvalues (all of them), a table (its PCA), or a fitted estimator, and
return the number of axes as an integer that carries its evidence. Where not even the first axis
stands out it is 0; as a name for `n_components` the same rule then keeps one axis. The rules of
cross-validation take a table, and predict cells or blocks of it that PCA did not see.
"""

from typing import Literal

import numpy as np

from gramian._core.check import flag, one_of
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian._reading.cross_validation import (
    METHODS,
    CrossValidation,
    cells,
    predict_blocks,
    predict_cells,
)
from gramian._reading.null_table import features_by_columns
from gramian._reading.rule import Choice
from gramian._reading.rules import RULES
from gramian.dimension._source import Source, source_of


def threshold(source: Source, share: float = 0.9, *, scale: bool = False) -> Choice:
    """Keep the smallest number of axes that carry at least a share of the inertia.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    share : float in (0, 1]
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> int(threshold([3.0, 1.5, 0.5], 0.8))
    2
    """
    return _ask("threshold", source, scale, share=share)


def kaiser(
    source: Source,
    *,
    variant: Literal["mean", "karlis"] = "mean",
    scale: bool = False,
    n_samples: int | None = None,
) -> Choice:
    """Keep the axes with more inertia than the average axis.

    With scaled columns the average is 1 (Kaiser 1960). variant="karlis" asks for more,
    mean·(1 + 2√((p − 1)/(n − 1))), what sampling alone can give (Karlis, Saporta, Spinaki 2003).

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    variant : "mean" or "karlis"
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for "karlis" with eigenvalues.

    Examples
    --------
    >>> kaiser([3.0, 1.5, 0.4, 0.1])
    2
    >>> round(kaiser([3.0, 1.5, 0.4, 0.1], variant="karlis", n_samples=20).threshold, 3)
    2.243
    """
    one_of(variant, "variant", ("mean", "karlis"))
    return _ask("kaiser" if variant == "mean" else variant, source, scale, n_samples)


def elbow(source: Source, *, scale: bool = False) -> Choice:
    """Keep the axes before the corner of the scree: its point farthest below the chord.

    The chord goes from the first eigenvalue to the last. The evidence is the distance below the
    chord, as a share of the height of the scree, of the corner and of the runner-up.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> elbow([10.0, 9.0, 1.0, 0.9, 0.8])
    2
    """
    return _ask("elbow", source, scale)


def cattell(source: Source, *, scale: bool = False) -> Choice:
    """Keep axes 1 to k + 1 while the second differences 1 to k of the eigenvalues are positive.

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}). The evidence is the δ that ended the count,
    against 0.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> cattell([5.0, 3.0, 2.0, 1.0, 0.5])
    2
    """
    return _ask("cattell", source, scale)


def broken_stick(source: Source, *, scale: bool = False) -> Choice:
    """Keep the axes, from the first on, longer than the pieces of a stick broken at random.

    The k-th piece of m is expected to be total/m·Σ_{i ≥ k} 1/i (MacArthur 1957, Jackson 1993).

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> broken_stick([3.0, 1.2, 0.5, 0.3])
    1
    """
    return _ask("broken_stick", source, scale)


def gavish_donoho(source: Source, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the axes above the best hard threshold for noise of unknown variance.

    Singular values above ω(β)·median (Gavish and Donoho 2014): good to reconstruct a table of low
    rank in white noise; it leaves out axes that are there but too noisy to help.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> gavish_donoho([100.0, 1.0, 0.9], n_samples=4)
    1
    """
    return _ask("gavish_donoho", source, scale, n_samples)


def marchenko_pastur(
    source: Source, *, alpha: float = 0.05, scale: bool = False, n_samples: int | None = None
) -> Choice:
    """Keep axes, from the first on, that leave the Marchenko–Pastur bulk of the axes after them.

    The variance of the noise comes from the median of the eigenvalues that remain at each step; the
    largest is tested by the Tracy–Widom law at level alpha.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    alpha : float
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> marchenko_pastur([9.0, 1.2, 1.0, 0.8], n_samples=101)
    1
    """
    return _ask("marchenko_pastur", source, scale, n_samples, alpha=alpha)


def minka(source: Source, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the number of axes of largest evidence in probabilistic PCA (Minka 2000).

    The evidence is the log marginal likelihood, of the number kept and of the runner-up. It needs
    more rows than columns.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> minka([9.0, 4.0, 0.1, 0.09], n_samples=50)
    2
    """
    return _ask("minka", source, scale, n_samples)


def _ask(
    name: str,
    source: Source,
    scale: bool,
    n_samples: int | None = None,
    **options: float,
) -> Choice:
    """Return what a rule says of a spectrum."""
    s = source_of(source, scale=scale, n_samples=n_samples)
    if RULES[name].needs != "eigenvalues":
        s.needs_shape(f"the rule {name!r}")
    return RULES[name].evidence(s, options).choice(name)


def cross_validation(
    X: TableLike,
    *,
    method: Literal["gcv", "smooth", "em"] = "gcv",
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 10,
    random_state: SeedLike = None,
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
    X: TableLike,
    *,
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 2,
    n_repeats: int = 10,
    random_state: SeedLike = None,
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


def _cells(X: TableLike, scale: bool) -> np.ndarray:
    flag(scale, "scale")
    return cells(features_by_columns(table(X, "X").values, scale=scale))
