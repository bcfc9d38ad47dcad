"""Parallel analysis of columns: the axes that stand out of their own noise."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import MAX_COUNT, flag, generator, invalid, is_whole, one_of, share, short
from gramian._core.types import SeedLike
from gramian._core.views import Facts
from gramian._nulls.deflation import (
    NULLS,
    AxisTest,
    axis_tests,
    deterministic_tests,
    has_equal_sizes,
)
from gramian._nulls.draws import draw_named
from gramian._nulls.p_values import count_axes, p_value_of_count
from gramian._nulls.spectra import Reference, compare
from gramian._reading.null_table import NullTable
from gramian._reading.rule import Choice
from gramian._reading.summary import few_numbers
from gramian.errors import InputError
from gramian.kernels import Kernel

METHODS = ("standard", "deflated", "deterministic")


@dataclass(frozen=True)
class ParallelAnalysis(Facts):
    """The number of axes above noise and its evidence, axis by axis.

    Attributes
    ----------
    n_components : int
        Axes before the first that is not significant; 0 if the first is not.
    p_values : array (m,)
        (b + 1)/(B + 1), b of B drawn eigenvalues being as large as that of the data.
    reference : DataFrame, one row per axis
        "mean" and "quantile" (of order 1 − alpha) of the eigenvalues under the null model.
    eigenvalues : array (m,)
        Those of the data, for the same axes.
    n_permutations : int
        Number of draws; 0 where the reference is a formula.
    alpha, null, method
        The options of the analysis.

    Examples
    --------
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

    def choice(self, rule: str) -> Choice:
        """Return the number of axes with the evidence of the last one."""
        level = self.reference["quantile"].to_numpy()
        k = max(self.n_components - 1, 0)  # with no axis kept, the evidence against the first
        seen = self.eigenvalues[k], level[k], self.p_values[k]
        return Choice(self.n_components, rule, *seen, reference=level)


def analyse(
    columns: NullTable,
    *,
    n_permutations: int | str = "auto",
    alpha: float = 0.05,
    random_state: SeedLike = None,
    null: str = "permutation",
    method: str = "standard",
    progress: bool | Callable[[int, int], None] = False,
) -> ParallelAnalysis:
    """Count the axes above noise (see `gm.dimension.parallel_analysis`)."""
    share(alpha, "alpha")
    one_of(method, "method", METHODS)
    n_draws = number_of_draws(n_permutations, 1.0 if method == "deterministic" else alpha)
    if not callable(progress):
        flag(progress, "progress")
    if method != "standard" and not columns.is_linear:
        raise InputError(f"method={short(method)} is for PCA: use method='standard' for a kernel")
    draw_named(null)  # or an error
    rng = generator(random_state)
    options: dict[str, Any] = {"alpha": alpha, "null": null, "method": method}
    square = columns.square_unit
    if method == "deterministic":
        tests = deterministic_tests(columns.values, columns.weights, alpha)
        return result_of(tests, square, options)
    report = _write_progress if progress is True else progress or None
    draws: dict[str, Any] = {"n_draws": n_draws, "alpha": alpha, "progress": report}
    try:
        if method == "deflated":
            equal = columns.weights is None and has_equal_sizes(columns.values)
            tests = axis_tests(  # as `gm.evidence.axes` does
                columns.values,
                NULLS[null],
                rng,
                exactly=n_draws is not None,
                scaled=columns.scaled or equal,
                weights=columns.weights,
                **draws,
            )
            return result_of(tests, square, options)
        drawn = compare(columns.observed, *columns.under(null), rng, **draws)
    finally:
        if progress is True:
            sys.stderr.write("\n")
    return result_of(drawn, square, options)


def number_of_draws(n_permutations: int | str, alpha: float) -> int | None:
    """Return the number of draws, None for "auto"; refuse one that cannot reach a level."""
    if isinstance(n_permutations, str) and n_permutations == "auto":
        return None
    wrong = isinstance(n_permutations, str) or not is_whole(n_permutations)
    if wrong or not 1 <= int(n_permutations) <= MAX_COUNT:
        raise invalid("n_permutations", n_permutations, 'must be "auto" or a positive integer')
    least = int(np.ceil(1 / alpha - 1 - 1e-9))
    if int(n_permutations) < least:
        raise InputError(
            f"n_permutations={n_permutations} cannot give a p-value of alpha={alpha:g} or less: "
            f"use at least {least}"
        )
    return int(n_permutations)


def result_of(
    found: Reference | list[AxisTest], square: float, options: dict[str, Any]
) -> ParallelAnalysis:
    """Return what draws, or tests of axes, amount to; `square` is their unit, squared."""
    if isinstance(found, Reference):
        m = min(len(found.observed), found.drawn.shape[1])
        drawn, values = found.drawn[:, :m], found.observed[:m]
        p, n_draws, mean = found.p_values(), len(drawn), drawn.mean(axis=0)
        level = np.quantile(drawn, 1 - options["alpha"], axis=0)
    else:
        rows = [(test.p_value, test.mean, test.level, test.eigenvalue) for test in found]
        p, mean, level, values = np.array(rows).T
        n_draws = max(test.n_draws for test in found)
    axes = pd.RangeIndex(1, len(mean) + 1, name="axis")
    reference = pd.DataFrame({"mean": mean * square, "quantile": level * square}, index=axes)
    q = count_axes(p, options["alpha"])
    return ParallelAnalysis(q, p, reference, values * square, n_draws, **options)


def _write_progress(done: int, total: int) -> None:
    sys.stderr.write(f"\rparallel analysis: {done} of at most {total} draws")
    sys.stderr.flush()


@dataclass(frozen=True)
class KernelParallelAnalysis:
    """The scale and the number of axes, chosen together.

    Attributes
    ----------
    scale : float
    n_components : int
    kernel : Kernel
        With the scale chosen.
    table : DataFrame, one row per scale
        "q" and "energy", corrected for the number of scales.
    p_value : float
        Of the first axis at the scale where it stands out most, corrected for the number of scales.
    analyses : dict
        The parallel analysis at each scale, as if it were the only one.

    Examples
    --------
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


def correct_for_scales(references: list[Reference], alpha: float) -> tuple[np.ndarray, np.ndarray]:
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
