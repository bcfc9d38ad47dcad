"""Parallel analysis: axes that stand out of the data's own noise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._random import generator
from gramian.dimension._source import Source, source_of
from gramian.dimension.deflation import deflated, deterministic
from gramian.errors import InputError
from gramian.reading.null import Reference, compare, count_axes, p_values
from gramian.reading.shuffle import draw_named
from gramian.reading.summary import few_numbers

__all__ = ["ParallelAnalysis", "analyse", "parallel_analysis"]

METHODS = ("standard", "deflated", "deterministic")


@dataclass(frozen=True)
class ParallelAnalysis:
    """The number of axes above noise and its evidence, axis by axis.

    Attributes
    ----------
    n_components : int
        Axes before the first that is not significant; 0 if the first is not.
    p_values : array (m,)
        (b + 1)/(B + 1), b of B drawn eigenvalues being as large as that of the data.
    reference : DataFrame, one row an axis
        "mean" and "quantile" (of order 1 − alpha) of the eigenvalues under the null model.
    eigenvalues : array (m,)
        Those of the data, for the same axes.
    n_permutations : int
        Draws made; 0 where the reference is a formula.
    alpha, null, method
        As asked.

    Examples
    --------
    >>> import gramian as gm
    >>> analysis = gm.dimension.parallel_analysis(gm.datasets.iris().data, n_permutations=19)
    >>> float(analysis.p_values[0]), list(analysis.reference)
    (0.05, ['mean', 'quantile'])
    """

    n_components: int
    p_values: np.ndarray
    reference: pd.DataFrame
    eigenvalues: np.ndarray
    n_permutations: int
    alpha: float
    null: str
    method: str

    def __int__(self) -> int:
        return self.n_components

    def __repr__(self) -> str:
        p = few_numbers(self.p_values)
        return f"ParallelAnalysis(n_components={self.n_components}, p_values={p})"


def parallel_analysis(
    X: Any,
    *,
    n_permutations: int | str = "auto",
    alpha: float = 0.05,
    random_state: Any = None,
    null: str = "permutation",
    scale: bool = False,
    method: str = "standard",
    estimator: Any = None,
    sample_weight: Any = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ParallelAnalysis:
    """Count the axes whose eigenvalues noise of the same size would rarely reach.

    The columns of the table are drawn anew, independently of each other, B times. Axis k is
    significant when (b_k + 1)/(B + 1) ≤ alpha, b_k of the drawn k-th eigenvalues being at least
    that of the data; the count stops at the first axis that is not (Horn 1965, Buja and Eyuboglu
    1992).

    Parameters
    ----------
    X : table (n, p), or a fitted estimator
        By default the axes are those of PCA.
    n_permutations : int or "auto"
        Number B of draws. "auto" draws until the number of axes is certain, but for a chance of
        1e-3 an axis that more draws would change it, and at most 1,999 times.
    alpha : float
        Level of each test.
    random_state : int, optional
    null : "permutation", "normal" or "signflip"
        Permute each column; draw normal columns of the same variances; or flip signs of the centred
        entries, which is right where the variance of the noise differs from cell to cell.
    scale : bool
        Correlations instead of covariances (for a table X).
    method : "standard", "deflated" or "deterministic"
        "deflated" takes the axes found so far off the data before it draws, so that a giant axis
        does not hide small ones (PCA only). "deterministic" does so with the law of the largest
        eigenvalue of normal noise in place of draws (Dobriban and Owen 2019).
    estimator : estimator, optional
        KernelPCA, ClassicalMDS, …: the columns are permuted in input space, and a kernel keeps the
        scale it has on the data.
    sample_weight : array (n,), optional
    progress : bool or callable (done, total)
        Tell how far it is: True writes a line to the standard error.

    Returns
    -------
    ParallelAnalysis

    Examples
    --------
    >>> import gramian as gm
    >>> found = gm.dimension.parallel_analysis(gm.datasets.iris().data, scale=True)
    >>> found.n_components
    1
    """
    return analyse(
        _source(X, estimator, scale, sample_weight),
        n_permutations=n_permutations,
        alpha=alpha,
        random_state=random_state,
        null=null,
        method=method,
        progress=progress,
    )


def analyse(
    source: Source,
    *,
    n_permutations: int | str = "auto",
    alpha: float = 0.05,
    random_state: Any = None,
    null: str = "permutation",
    method: str = "standard",
    progress: bool | Callable[[int, int], None] = False,
) -> ParallelAnalysis:
    """Do what `parallel_analysis` says for a source that is already open."""
    n_draws = _draws(n_permutations)
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha={alpha!r} must lie strictly between 0 and 1")
    if n_draws is not None and method != "deterministic" and alpha * (n_draws + 1) < 1 - 1e-9:
        raise InputError(
            f"n_permutations={n_draws} cannot give a p-value of alpha={alpha:g} or less: use at "
            f"least {int(np.ceil(1 / alpha - 1 - 1e-9))}"
        )
    if method not in METHODS:
        raise InputError(f"method={method!r} must be one of {', '.join(METHODS)}")
    draw = draw_named(null)
    source.needs_table("parallel analysis")
    if method != "standard" and not source.is_linear:
        raise InputError(f"method={method!r} is for PCA: use method='standard' for a kernel")
    columns, rng = source.columns, generator(random_state)
    options: dict[str, Any] = {"alpha": alpha, "null": null, "method": method}
    if method == "deterministic":
        return ParallelAnalysis(**deterministic(columns, alpha), **options)
    spectra = source.spectra(null)
    say = _writer if progress is True else progress or None
    asked: dict[str, Any] = {"n_draws": n_draws, "alpha": alpha, "progress": say}
    try:
        if method == "deflated":
            return ParallelAnalysis(**deflated(columns, spectra, draw, rng, **asked), **options)
        reference = compare(columns.observed, columns.values, spectra, draw, rng, **asked)
    finally:
        if progress is True:
            sys.stderr.write("\n")
    return _result(reference, columns.unit**2, options)


def _source(X: Any, estimator: Any, scale: bool, sample_weight: Any) -> Source:
    if estimator is None:
        return source_of(X, scale=scale, sample_weight=sample_weight)
    return source_of(estimator, X, sample_weight=sample_weight)


def _draws(n_permutations: Any) -> int | None:
    if isinstance(n_permutations, str) and n_permutations == "auto":
        return None
    whole = isinstance(n_permutations, int | np.integer) and not isinstance(n_permutations, bool)
    if not whole or n_permutations < 1:
        raise InputError(f'n_permutations={n_permutations!r} must be "auto" or a positive integer')
    return int(n_permutations)


def _result(found: Reference, square: float, options: dict[str, Any]) -> ParallelAnalysis:
    p = p_values(found)
    m = min(len(found.observed), found.drawn.shape[1])
    axes = pd.RangeIndex(1, m + 1, name="axis")
    drawn = found.drawn[:, :m] * square
    table = {
        "mean": drawn.mean(axis=0),
        "quantile": np.quantile(drawn, 1 - options["alpha"], axis=0),
    }
    return ParallelAnalysis(
        n_components=count_axes(p, options["alpha"]),
        p_values=p,
        reference=pd.DataFrame(table, index=axes),
        eigenvalues=found.observed[:m] * square,
        n_permutations=len(found.drawn),
        **options,
    )


def _writer(done: int, total: int) -> None:
    sys.stderr.write(f"\rparallel analysis: {done} of at most {total} draws")
    sys.stderr.flush()
