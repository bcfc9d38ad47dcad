"""Parallel analysis of columns: the axes that stand out of their own noise."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import (
    MAX_COUNT,
    flag,
    generator,
    invalid,
    is_whole,
    one_of,
    share,
    short,
)
from gramian._core.types import SeedLike
from gramian._nulls.deflation import (
    NULLS,
    AxisTest,
    axis_tests,
    deterministic_tests,
    has_equal_sizes,
)
from gramian._nulls.p_values import count_axes
from gramian._nulls.spectra import Reference, compare
from gramian._reading.null_table import NullTable
from gramian._reading.rule import Choice
from gramian._reading.summary import few_numbers
from gramian.errors import InputError

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
        Number of draws; 0 where the reference is a formula.
    alpha, null, method
        The options of the analysis.

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
    n_draws = _draws(n_permutations)
    if not callable(progress):
        flag(progress, "progress")
    _check(columns, n_draws, alpha, method)
    draw, rng = columns.draw_under(null), generator(random_state)
    options: dict[str, Any] = {"alpha": alpha, "null": null, "method": method}
    square = columns.square_unit
    if method == "deterministic":
        tests = deterministic_tests(columns.values, columns.weights, alpha)
        return _result_of_tests(tests, square, options)
    report = _write_progress if progress is True else progress or None
    try:
        if method == "deflated":
            equal = columns.weights is None and has_equal_sizes(columns.values)
            tests = axis_tests(  # as `gm.evidence.axes` does
                columns.values,
                NULLS[null],
                rng,
                n_draws=n_draws,
                exactly=n_draws is not None,
                alpha=alpha,
                scaled=columns.scaled or equal,
                weights=columns.weights,
                progress=report,
            )
            return _result_of_tests(tests, square, options)
        reference = compare(
            columns.observed,
            columns.noise_under(null),
            columns.spectra_under(null),
            draw,
            rng,
            n_draws=n_draws,
            alpha=alpha,
            progress=report,
        )
    finally:
        if progress is True:
            sys.stderr.write("\n")
    return result_of(reference, square, options)


def _check(columns: NullTable, n_draws: int | None, alpha: float, method: str) -> None:
    share(alpha, "alpha")
    one_of(method, "method", METHODS)
    if n_draws is not None and method != "deterministic" and alpha * (n_draws + 1) < 1 - 1e-9:
        raise InputError(
            f"n_permutations={n_draws} cannot give a p-value of alpha={alpha:g} or less: use at "
            f"least {int(np.ceil(1 / alpha - 1 - 1e-9))}"
        )
    if method != "standard" and not columns.is_linear:
        raise InputError(f"method={short(method)} is for PCA: use method='standard' for a kernel")


def _draws(n_permutations: int | str) -> int | None:
    if isinstance(n_permutations, str) and n_permutations == "auto":
        return None
    wrong = isinstance(n_permutations, str) or not is_whole(n_permutations)
    if wrong or not 1 <= int(n_permutations) <= MAX_COUNT:
        raise invalid("n_permutations", n_permutations, 'must be "auto" or a positive integer')
    return int(n_permutations)


def result_of(reference: Reference, square: float, options: dict[str, Any]) -> ParallelAnalysis:
    """Return the analysis that a reference, in units whose square is given, amounts to."""
    m = min(len(reference.observed), reference.drawn.shape[1])
    drawn = reference.drawn[:, :m] * square
    return _result(
        reference.p_values(),
        drawn.mean(axis=0),
        np.quantile(drawn, 1 - options["alpha"], axis=0),
        reference.observed[:m] * square,
        len(drawn),
        options,
    )


def _result_of_tests(
    tests: list[AxisTest], square: float, options: dict[str, Any]
) -> ParallelAnalysis:
    """Return the analysis that tests of axes, in units whose square is given, amount to."""
    rows = [(test.p_value, test.mean, test.level, test.eigenvalue) for test in tests]
    p, mean, level, eigenvalues = np.array(rows).T
    n_draws = max(test.n_draws for test in tests)
    return _result(p, mean * square, level * square, eigenvalues * square, n_draws, options)


def _result(
    p: np.ndarray,
    mean: np.ndarray,
    quantile: np.ndarray,
    eigenvalues: np.ndarray,
    n_draws: int,
    options: dict[str, Any],
) -> ParallelAnalysis:
    axes = pd.RangeIndex(1, len(mean) + 1, name="axis")
    reference = pd.DataFrame({"mean": mean, "quantile": quantile}, index=axes)
    n_components = count_axes(p, options["alpha"])
    return ParallelAnalysis(n_components, p, reference, eigenvalues, n_draws, **options)


def _write_progress(done: int, total: int) -> None:
    sys.stderr.write(f"\rparallel analysis: {done} of at most {total} draws")
    sys.stderr.flush()
