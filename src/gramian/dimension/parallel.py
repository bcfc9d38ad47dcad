"""Parallel analysis: axes that stand out of the data's own noise."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
import pandas as pd

from gramian._core.check import generator, share, short
from gramian._core.numbers import vector
from gramian._core.table import Table, table
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._estimators.kernel_pca import KernelPCA
from gramian._nulls.draws import draw_named
from gramian._nulls.p_values import count_axes, p_value_of_count
from gramian._nulls.spectra import Reference, compare
from gramian._reading.parallel_analysis import (
    ParallelAnalysis,
    analyse,
    number_of_draws,
    result_of,
)
from gramian.dimension._source import EstimatorLike, source_of
from gramian.errors import InputError
from gramian.kernels import Kernel, as_kernel
from gramian.kernels.bandwidth import median_scale

_AUTO_DRAWS = 199  # draws
_SCALE_MULTIPLES = 2.0 ** np.arange(-4.0, 2.5, 0.5)  # of the median scale


def parallel_analysis(
    X: TableLike | EstimatorLike,
    *,
    n_permutations: int | Literal["auto"] = "auto",
    alpha: float = 0.05,
    random_state: SeedLike = None,
    null: Literal["permutation", "normal", "signflip"] = "permutation",
    scale: bool = False,
    method: Literal["standard", "deflated", "deterministic"] = "standard",
    estimator: EstimatorLike | None = None,
    sample_weight: VectorLike | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ParallelAnalysis:
    """Count the axes whose eigenvalues noise of the same size would rarely reach.

    The columns of the table are resampled, independently of each other, B times. Axis k is
    significant when (b_k + 1)/(B + 1) ≤ alpha, b_k of the drawn k-th eigenvalues being at least
    that of the data; the count stops at the first axis that is not (Horn 1965, Buja and Eyuboglu
    1992).

    Parameters
    ----------
    X : table (n, p), or a fitted estimator
        By default the axes are those of PCA.
    n_permutations : int or "auto"
        Number B of draws. "auto" draws until more draws would change the number of axes with a
        chance of 1e-3 an axis, at most 1,999 times, of each axis 199 times with "deflated".
    alpha : float
        Level of each test.
    random_state : int, optional
    null : "permutation", "normal" or "signflip"
        Permute each column; draw normal columns of the same variances; or flip signs of the centred
        entries, which is right where the variance of the noise differs from cell to cell.
    scale : bool
        Correlations instead of covariances (for a table X).
    method : "standard", "deflated" or "deterministic"
        "deflated", the test of `gm.evidence.axes`, takes the axes counted so far off the data
        before it draws, so that a giant axis does not hide small ones (PCA only), and with
        permutations an axis must stand out of flipped signs too. "deterministic" has the law of the
        largest eigenvalue of normal noise in place of draws (Dobriban and Owen 2019).
    estimator : estimator, optional
        KernelPCA, ClassicalMDS, …: the columns are permuted in input space, and a kernel keeps the
        scale it has on the data.
    sample_weight : array (n,), optional
    progress : bool or callable (done, total)
        True writes a line to the standard error.

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
    if estimator is None:
        source = source_of(X, scale=scale, sample_weight=sample_weight, name="X")
    else:
        source = source_of(estimator, cast(TableLike, X), sample_weight=sample_weight)
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


@dataclass(frozen=True)
class KernelParallelAnalysis:
    """The scale and the number of axes, chosen together.

    Attributes
    ----------
    scale : float
    n_components : int
    kernel : Kernel
        With the scale chosen.
    table : DataFrame, one row a scale
        "q" and "energy", corrected for the number of scales.
    p_value : float
        Of the first axis at the scale where it stands out most, corrected for the number of scales.
    analyses : dict
        The parallel analysis at each scale, as if it were the only one.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> analysis = gm.dimension.kernel_parallel_analysis(X, scales=[0.4, 2.0], n_permutations=19)
    >>> analysis.n_components, analysis.kernel
    (21, Gaussian(scale=0.4))
    """

    scale: float
    n_components: int
    kernel: Kernel
    table: pd.DataFrame = field(repr=False)
    p_value: float
    analyses: dict[float, ParallelAnalysis] = field(repr=False)


def kernel_parallel_analysis(
    X: TableLike,
    *,
    kernel: Kernel | str = "gaussian",
    scales: VectorLike | None = None,
    n_permutations: int | Literal["auto"] = 99,
    alpha: float = 0.05,
    random_state: SeedLike = None,
) -> KernelParallelAnalysis:
    """Choose the scale of a kernel and the number of its axes, against permuted columns.

    The same tables are drawn at all scales. The share of the inertia that an axis has, in standard
    deviations from the draws' mean at that scale, is held against the largest of each draw over the
    scales: the chance that noise shows an axis at any of them is alpha. The energy of a scale is
    Σ_{k ≤ q} (λ_k − the limit of λ_k), and the scale of largest energy is kept (after Jørgensen and
    Hansen 2012). Where no axis stands out at any scale, `n_components` is 0 and the scale means
    nothing.

    Parameters
    ----------
    X : table (n, p)
    kernel : Kernel with a scale, or its name
    scales : array of positive numbers, optional
        From a sixteenth of the median scale to four times, by factors of √2, by default.
    n_permutations, alpha, random_state
        As for `parallel_analysis`; "auto" is 199 draws, or more for a small alpha.

    Returns
    -------
    KernelParallelAnalysis

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> kernel_parallel_analysis(X, scales=[0.4, 2.0], n_permutations=19).scale
    0.4
    """
    base = as_kernel(kernel)
    if "scale" not in base.get_params():
        raise InputError(f"kernel={short(kernel)} has no scale to choose: use a radial kernel")
    rows = table(X, "X", allow_sparse=False)
    grid = (
        _SCALE_MULTIPLES * median_scale(rows.values) if scales is None else vector(scales, "scales")
    )
    if grid.ndim != 1 or grid.size == 0 or not (np.isfinite(grid) & (grid > 0)).all():
        raise InputError("scales must be positive numbers, at least one of them")
    share(alpha, "alpha")
    B = number_of_draws(n_permutations, alpha) or max(_AUTO_DRAWS, int(np.ceil(1 / alpha)))
    seed = int(generator(random_state).integers(2**63))
    references = {s: _reference(rows, _at(base, s), B, seed) for s in map(float, grid)}
    options = {"alpha": alpha, "null": "permutation", "method": "standard"}
    analyses = {s: result_of(r, square, options) for s, (r, square) in references.items()}
    p, limits = _correct_for_scales([r for r, _ in references.values()], alpha)
    counts = [count_axes(row, alpha) for row in p]
    energy = [
        float((r.observed[:q] - limit[:q]).sum()) * square
        for (r, square), q, limit in zip(references.values(), counts, limits, strict=True)
    ]
    index = pd.Index(list(references), name="scale")
    energies = pd.DataFrame({"q": counts, "energy": energy}, index=index)
    k = int(np.argmax(energy)) if max(counts) else int(p[:, 0].argmin())
    best = list(references)[k]
    return KernelParallelAnalysis(
        best, counts[k], _at(base, best), energies, float(p[:, 0].min()), analyses
    )


def _reference(rows: Table, kernel: Kernel, B: int, seed: int) -> tuple[Reference, float]:
    """Return the eigenvalues of the data and of the draws at one scale, and their unit."""
    columns = source_of(KernelPCA(kernel=kernel), rows.values).columns
    spectra, draw = columns.spectra, draw_named("permutation")
    rng = np.random.default_rng(seed)  # the same tables at each scale
    return compare(columns.observed, columns.values, spectra, draw, rng, n_draws=B), columns.unit**2


def _correct_for_scales(references: list[Reference], alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return p-values and limits of eigenvalues, (scales, m), by the largest over scales."""
    m = min(min(len(r.observed), r.drawn.shape[1]) for r in references)
    tables = [np.vstack([r.observed[:m], r.drawn[:, :m]]) for r in references]
    shares = np.array([values / values.sum(axis=1, keepdims=True) for values in tables])
    mean = shares.mean(axis=1)  # (scales, m); the data are one draw more: under the null all alike
    deviation = shares.std(axis=1)
    # A deviation more, the median one: where all points are far apart shares hardly vary, and two
    # points that happen to be near would count more than any structure.
    deviation = np.maximum(deviation + np.median(deviation, axis=0), 1e-15)
    excess = (shares - mean[:, None]) / deviation[:, None]
    largest = excess[:, 1:].max(axis=0)  # (B, m)
    reached = (largest[None] >= excess[:, 0][:, None] - 1e-9).sum(axis=1)  # (scales, m)
    totals = np.array([values[0].sum() for values in tables])[:, None]
    limits = (mean + deviation * np.quantile(largest, 1 - alpha, axis=0)) * totals
    return np.asarray(p_value_of_count(reached, len(largest))), limits


def _at(kernel: Kernel, scale: float) -> Kernel:
    return type(kernel)(**kernel.get_params(deep=False) | {"scale": scale})
