"""Parallel analysis: axes that stand out of the data's own noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramian._reading.parallel_analysis import ParallelAnalysis, analyse
from gramian.dimension._source import SpectrumSource, source_of


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
        1e-3 an axis that more draws would change it, and at most 1,999 times; of each axis 199
        times at most with "deflated".
    alpha : float
        Level of each test.
    random_state : int, optional
    null : "permutation", "normal" or "signflip"
        Permute each column; draw normal columns of the same variances; or flip signs of the centred
        entries, which is right where the variance of the noise differs from cell to cell.
    scale : bool
        Correlations instead of covariances (for a table X).
    method : "standard", "deflated" or "deterministic"
        "deflated" takes the axes counted so far off the data before it draws, so that a giant axis
        does not hide small ones (PCA only), and with null="permutation" an axis must stand out of
        flipped signs too: it is the test of `gm.evidence.axes`. "deterministic" does so with the
        law of the largest eigenvalue of normal noise in place of draws (Dobriban and Owen 2019).
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
    >>> analysis = gm.dimension.parallel_analysis(gm.datasets.iris().data, scale=True)
    >>> analysis.n_components
    1
    """
    source = _source(X, estimator, scale, sample_weight)
    source.needs_table("parallel analysis")
    return analyse(
        source.columns,
        n_permutations=n_permutations,
        alpha=alpha,
        random_state=random_state,
        null=null,
        method=method,
        progress=progress,
    )


def _source(X: Any, estimator: Any, scale: bool, sample_weight: Any) -> SpectrumSource:
    if estimator is None:
        return source_of(X, scale=scale, sample_weight=sample_weight, name="X")
    return source_of(estimator, X, sample_weight=sample_weight)
