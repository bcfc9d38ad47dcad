"""How many replicates does an experiment need for its networks to be the same again?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian._check import flag, generator, short, whole
from gramian._labels import in_order_of, labels_of
from gramian._numbers import refuse_masks
from gramian.errors import InputError, InputTypeError
from gramian.networks.finder import Finder, as_finder, similarity_of
from gramian.networks.infer import checked_table
from gramian.networks.resampling import largest_size
from gramian.networks.result import ReplicateStudy
from gramian.networks.tables import Options, assemble
from gramian.networks.work import Checkpoint, Plan, fingerprint, work

__all__ = ["replicate_study"]

_FEW_SIZES = 10
_LEAST = 5  # replicates without which no size can be judged


def replicate_study(
    X: Any,
    condition: Any = None,
    *,
    sizes: Sequence[int] | None = None,
    n_resamples: int = 50,
    random_state: Any = None,
    infer: Any = None,
    kernel: Any = None,
    agreement: float = 0.8,
    level: float = 0.95,
    n_permutations: int = 199,
    alpha: float = 0.05,
    checkpoint: str | Path | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ReplicateStudy:
    """Find the least number of replicates whose networks another experiment would find again.

    For each size r, random sets of r replicates of each condition give networks. Two networks of
    disjoint sets are those of two independent experiments: their mean similarity, between 0 and 1,
    is the agreement at r, and 1 − agreement the dispersion of such networks around their
    barycentre in the feature space of the kernel. The study recommends the least r whose agreement
    is at least `agreement`, with an interval that takes the sampling of the replicates into
    account (a jackknife over them).

    With n replicates in the smallest condition, sizes up to n/2 are seen directly; up to 3n/4 sets
    share some replicates, which is corrected; beyond, agreement is extrapolated, and the interval
    stays open.

    Parameters
    ----------
    X : table (n, p)
        Expressions; rows are samples, columns genes.
    condition : n labels, optional
        The condition of each sample, with at least 5 replicates each; a labelled Series goes to the
        rows by label.
    sizes : whole numbers, optional
        Numbers of replicates to try, at most those of the smallest condition.
    n_resamples : int
        Random sets for each condition and size.
    random_state : int, optional
    infer : str, dict or function, optional
        How networks are found: a method of `infer`, its options as a dictionary, or a function of
        a table (r, p) that returns a network or an adjacency matrix. By default the strongest
        correlations, always as many as are significant in all samples centred by condition.
    kernel : graph kernel, optional
        What is similar; by default `EdgeOverlap("sign")`: common edges of the same sign. Values
        are divided by the lengths of the networks.
    agreement : float
        What counts as the same network.
    level : float
        Of the bands and of the interval.
    n_permutations : int
        Shuffles of the samples in the test that conditions have different networks; 0 for no test.
    alpha : float
        Level of this test, for all sizes together.
    checkpoint : path, optional
        A file that keeps what is done; the same call continues from it.
    progress : bool or callable (done, total)
        Tell how far it is: True writes a line to the standard error.

    Returns
    -------
    ReplicateStudy

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> hub = np.repeat(rng.standard_normal((24, 4)), 3, axis=1)
    >>> X = hub + 0.3 * rng.standard_normal((24, 12))
    >>> study = replicate_study(X, np.repeat(["control", "stress"], 12), n_resamples=10,
    ...                         n_permutations=19, infer={"density": 12 / 66})
    >>> study.recommended, study.separated
    (9, False)
    """
    options = Options(agreement, level, alpha)
    whole(n_resamples, "n_resamples", 2)
    whole(n_permutations, "n_permutations", 0)
    values, names = checked_table(X, _LEAST)
    condition = in_order_of(condition, labels_of(X), "condition")
    codes, conditions = _conditions(condition, len(values))
    residuals = _residuals(values, codes)
    finder = as_finder(infer, residuals)
    chosen = _sizes(sizes, int(np.bincount(codes).min()), finder)
    similarity = similarity_of(kernel, finder, residuals, chosen[len(chosen) // 2])
    seed = int(generator(random_state).integers(2**62))
    design = {"sizes": chosen, "resamples": n_resamples, "permutations": n_permutations}
    design |= {"seed": seed, "infer": repr(finder), "kernel": repr(similarity.kernel)}
    done = Checkpoint(checkpoint, fingerprint(values, codes, design))
    counts = (n_resamples, n_permutations, seed, len(conditions))
    plan = Plan(values, residuals, codes, chosen, *counts, finder)
    if not callable(progress):
        flag(progress, "progress")
    report = _writer if progress is True else progress or None
    try:
        work(plan, similarity, done, report)
    finally:
        done.save()
    return assemble(done.parts, plan, similarity, names, conditions, repr(finder), options)


def _conditions(condition: Any, n: int) -> tuple[np.ndarray, list[str]]:
    """Return the condition of each sample as a number, and the names of the conditions."""
    if condition is None:
        return np.zeros(n, dtype=np.int64), ["all"]
    refuse_masks(condition, "condition")
    if isinstance(condition, str | bytes) or getattr(condition, "ndim", 1) != 1:
        raise InputTypeError(f"condition={short(condition)} must be a list, one label a row")
    if not isinstance(condition, Iterable):
        raise InputTypeError(f"condition={short(condition)} must be a list, one label a row")
    labels = pd.Series(
        list(condition) if not hasattr(condition, "to_list") else condition.to_list()
    )
    if len(labels) != n:
        raise InputError(f"condition has {len(labels)} labels for {n} rows: give one each")
    if labels.isna().any():
        row = int(np.flatnonzero(labels.isna())[0])
        raise InputError(f"condition is missing at row {row}: drop the row or name its condition")
    codes, levels = pd.factorize(labels, sort=False)
    counts = np.bincount(codes)
    if counts.min() < _LEAST:
        few = int(counts.argmin())
        raise InputError(
            f"condition {str(levels[few])[:40]!r} has {counts[few]} replicates, at least {_LEAST} "
            "are needed: leave it out, or join conditions"
        )
    names = [str(level) for level in levels]
    if len(set(names)) < len(names):
        raise InputError("condition has two labels that read the same: make them all texts")
    return codes.astype(np.int64), names


def _residuals(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the rows less the median of their condition, column by column.

    Means would do for normal data; but a sample far out moves the mean, and leaves its shadow on
    all the others of its condition, which are then no longer like those of another condition.
    """
    residuals = np.empty_like(values)
    for c in range(int(codes.max()) + 1):
        mine = codes == c
        residuals[mine] = values[mine] - np.median(values[mine], axis=0)
    return residuals


def _sizes(sizes: Any, n: int, finder: Finder) -> list[int]:
    """Return the sizes, all from the least to n or some ten of them, or the user's."""
    if sizes is None:
        grid = np.arange(3, n + 1)
        if grid.size > _FEW_SIZES:
            marks = [3, n // 2, largest_size(n), n]
            grid = np.append(np.geomspace(3, n, _FEW_SIZES).round().astype(int), marks)
        return sorted({int(r) for r in grid})
    try:
        numbers = sorted({int(r) for r in sizes if not isinstance(r, bool) and int(r) == r})
        good = len(numbers) == len(set(sizes)) and bool(numbers)
    except (TypeError, ValueError):
        good = False
    least = max(2, finder.least_rows)
    if not good or numbers[0] < least or numbers[-1] > n:
        raise InputError(
            f"sizes={str(sizes)[:80]} must be whole numbers between {least} and {n}, the "
            "replicates of the smallest condition"
        )
    if numbers[0] > largest_size(n):
        raise InputError(
            f"sizes={str(sizes)[:80]}: with {n} replicates nothing can be said of more than "
            f"{largest_size(n)}: add a smaller size"
        )
    return numbers


def _writer(done: int, total: int) -> None:
    sys.stderr.write(f"\rreplicate study: {done} of {total} parts" + "\n" * (done == total))
    sys.stderr.flush()
