"""Parallel analysis of kernel PCA that picks the kernel's scale and the number of axes together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._check import generator, short
from gramian._numbers import vector
from gramian._validate import table
from gramian.dimension.parallel import ParallelAnalysis, parallel_analysis
from gramian.errors import InputError
from gramian.estimators.kernel_pca import KernelPCA
from gramian.kernels import Kernel, as_kernel
from gramian.kernels.bandwidth import median_scale

__all__ = ["KernelParallelAnalysis", "kernel_parallel_analysis"]

_MULTIPLES = 2.0 ** np.arange(-4.0, 2.5, 0.5)  # of the median scale


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
        "q" and "energy".
    analyses : dict
        The parallel analysis at each scale.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> analysis = gm.dimension.kernel_parallel_analysis(X, scales=[0.4, 2.0], n_permutations=19)
    >>> analysis.n_components, analysis.kernel
    (18, Gaussian(scale=0.4))
    """

    scale: float
    n_components: int
    kernel: Kernel
    table: pd.DataFrame = field(repr=False)
    analyses: dict[float, ParallelAnalysis] = field(repr=False)


def kernel_parallel_analysis(
    X: Any,
    *,
    kernel: Any = "gaussian",
    scales: Any = None,
    n_permutations: int | str = 99,
    alpha: float = 0.05,
    random_state: Any = None,
) -> KernelParallelAnalysis:
    """Choose the scale of a kernel and the number of its axes, against permuted columns.

    At each scale the axes above noise are counted by parallel analysis in input space, and their
    energy is Σ_{k ≤ q} (λ_k − the 1 − alpha quantile of λ_k under the null): the scale of largest
    energy is kept (after Jørgensen and Hansen 2012). The tables drawn are the same at all scales.
    Where no axis stands out at any scale, `n_components` is 0 and the scale means nothing.

    Parameters
    ----------
    X : table (n, p)
    kernel : Kernel with a scale, or its name
    scales : array of positive numbers, optional
        From a sixteenth of the median scale to four times, by factors of √2, by default.
    n_permutations : int or "auto"
    alpha : float
    random_state : int, optional

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
    grid = _MULTIPLES * median_scale(rows.values) if scales is None else vector(scales, "scales")
    if grid.ndim != 1 or grid.size == 0 or not (np.isfinite(grid) & (grid > 0)).all():
        raise InputError("scales must be positive numbers, at least one of them")
    seed = int(generator(random_state).integers(2**63))
    analyses = {}
    for scale in map(float, grid):
        estimator = KernelPCA(kernel=_at(base, scale))
        analyses[scale] = parallel_analysis(
            rows.values,
            estimator=estimator,
            n_permutations=n_permutations,
            alpha=alpha,
            random_state=seed,
        )
    energies = pd.DataFrame(
        [(a.n_components, _energy(a)) for a in analyses.values()],
        columns=["q", "energy"],
        index=pd.Index(list(analyses), name="scale"),
    )
    best = list(analyses)[int(energies["energy"].to_numpy().argmax())]
    return KernelParallelAnalysis(
        best, analyses[best].n_components, _at(base, best), energies, analyses
    )


def _at(kernel: Kernel, scale: float) -> Kernel:
    return type(kernel)(**kernel.get_params(deep=False) | {"scale": scale})


def _energy(analysis: ParallelAnalysis) -> float:
    q = analysis.n_components
    return float((analysis.eigenvalues[:q] - analysis.reference["quantile"].to_numpy()[:q]).sum())
