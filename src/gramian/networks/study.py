"""The number of replicates that an experiment needs for reproducible networks."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gramian._core.check import flag, generator, one_of, share, whole
from gramian._core.chunked.passes import digest
from gramian._core.frames import in_order_of, labels_of
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.networks.contrasts import conditions_of, contrasts, rows_of, without_means
from gramian.networks.finder import AGREEMENTS, Finder, as_finder, default_recipe, similarity_of
from gramian.networks.infer import Recipe, require_columns
from gramian.networks.resampling import MIN_CONTRASTS, Unit, trim_contrasts
from gramian.networks.result import ReplicateStudy
from gramian.networks.work import Checkpoint, Plan, assemble, networks_differ, work

DESIGNS = ("per-condition", "pooled")
_N_SIZES = 6
_MIN_REPLICATES = 3  # without which nothing can be said
COUNTED = 50.0  # a table of whole numbers, none negative, that reaches it is one of counts
_MIN_VARIABLES = 3  # that have more than one pair, without which all networks are the same
_TWO_EXPERIMENTS = 6  # replicates that make two disjoint experiments of 3
_OWN_NETWORK = 12  # replicates with which each of several conditions is seen by itself
_FAR = 1.5  # median distances of samples beyond which one does not go where links are counted
_ALL = "all"


def replicate_study(
    X: TableLike,
    condition: VectorLike | None = None,
    *,
    design: Literal["per-condition", "pooled"] = "per-condition",
    sizes: Sequence[int] | None = None,
    n_resamples: int = 20,
    random_state: SeedLike = None,
    infer: str | dict[str, Any] | Callable[[np.ndarray], Any] | None = None,
    kernel: Kernel | None = None,
    agreement: Literal["links", "weights", "modules"] | float = "links",
    target: float = 0.8,
    level: float = 0.95,
    n_permutations: int = 199,
    alpha: float = 0.05,
    checkpoint: str | Path | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ReplicateStudy:
    """Find the smallest number of replicates for which networks are reproducible.

    For each size r, disjoint sets of r replicates give two networks, as two independent
    experiments would: their mean similarity, between 0 and 1, is the agreement at r. The study
    recommends the least r whose agreement is at least `target`, with an interval.

    With n replicates in the smallest condition, sizes up to n/2 are seen. Beyond, several families
    of learning curves are fitted to what was seen and to its error (a jackknife over replicates),
    weighted by how well they do. Where the data do not bound the number the interval is open, and
    if networks agree no more than at random nothing is recommended. With fewer than 12 replicates
    per condition, the deviations from the means of all conditions are taken together, as if
    conditions had the same network; where the test finds that they differ, and each has 6
    replicates, each is studied alone. `per_condition` has the number of each.

    Parameters
    ----------
    X : table (n, p)
        Expressions; rows are samples, columns genes, at least 3.
    condition : n labels, optional
        The condition of each sample, with at least 3 replicates each; a labelled Series is matched
        to the rows by label.
    design : "per-condition" or "pooled"
        Whether there is a network for each condition, or one for all after subtracting their means.
    sizes : whole numbers, optional
        Numbers of replicates to try, at most those of the smallest condition.
    n_resamples : int
        Number of random sets for each condition and size.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.
    infer : str, dict or function, optional
        A method of `infer`, its options as a dictionary, or a function of a table (r, p) that
        returns a network or an adjacency matrix. By default the strongest correlations, always as
        many as are significant (false discovery rate 0.05) in all samples centred by condition,
        (outlying samples winsorised), and at least 20 or one for two columns.
    kernel : graph kernel, optional
        How links are compared; by default `EdgeOverlap("sign")`: common edges of the same sign.
        Values are divided by the lengths of the networks.
    agreement : "links", "weights" or "modules"
        What is compared between two experiments. Links, by `kernel`: which edges there are.
        Weights: all correlations, w = sign(r)·|r|⁶, by Σ w·w′/√(Σ w²·Σ w′²); it needs no threshold
        for edges, and suits links of all strengths. Modules: groups of genes by average linkage,
        cut at the weakest link, by the adjusted Rand index. A number is read as `target`.
    target, level : float
        The required agreement, and the level of the bands and of the interval.
    n_permutations, alpha : int and float
        Shuffles of the samples in the test that conditions have different networks, which needs 6
        replicates (0 for no test), and its level.
    checkpoint : path, optional
        A file that saves the state; the same call resumes from it.
    progress : bool or callable (done, total)
        Whether to show progress on standard error.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> hub = np.repeat(rng.standard_normal((24, 4)), 3, axis=1)
    >>> X = hub + 0.3 * rng.standard_normal((24, 12))
    >>> study = replicate_study(X, np.repeat(["control", "stress"], 12), n_resamples=10,
    ...                         n_permutations=39, infer={"density": 12 / 66})
    >>> study.recommended, study.interval, study.separated
    (9, (6, 33.0), False)
    """
    if isinstance(agreement, int | float):
        agreement, target = "links", share(agreement, "agreement")
    one_of(agreement, "agreement", AGREEMENTS)
    for name, value in (("target", target), ("level", level), ("alpha", alpha)):
        share(value, name)
    one_of(design, "design", DESIGNS)
    whole(n_resamples, "n_resamples", 2)
    whole(n_permutations, "n_permutations", 0)
    values, names = require_columns(X, _MIN_REPLICATES)
    refuse_negative_counts(values)
    if len(names) < _MIN_VARIABLES:
        raise InputError(
            f"X has {len(names)} variable{'' if len(names) == 1 else 's'}, whose networks cannot "
            f"differ: keep at least {_MIN_VARIABLES} genes that vary and have no missing values"
        )
    condition = in_order_of(condition, labels_of(X), "condition")
    codes, conditions = conditions_of(condition, len(values))
    fewest = int(np.bincount(codes).min())
    units = _units(values, codes, conditions, design)
    within = without_means(values, codes)
    finder = as_finder(infer, _rows_that_count(values, codes))
    chosen, seen = _sizes(sizes, units, finder, fewest)
    scale = max(seen[len(seen) // 2], finder.least_rows)
    similarity = similarity_of(kernel, finder, within, scale, agreement)
    seed = int(generator(random_state).integers(2**62))
    tested = n_permutations if len(conditions) > 1 and fewest >= _TWO_EXPERIMENTS else 0
    uncertain = infer is None and len(values) - len(conditions) < MIN_CONTRASTS
    plan = Plan(values, codes, units, seen, n_resamples, tested, seed, similarity, uncertain)
    # Everything that changes the numbers.
    about = (seen, n_resamples, tested, design, seed, finder, similarity.kernel, agreement)
    done = Checkpoint(checkpoint, digest(about, values.shape, values, codes))
    if not callable(progress):
        flag(progress, "progress")
    report = progress_line if progress is True else progress or None
    try:
        work(plan, done, report)
        own = _own_units(values, codes, conditions)
        room = min(unit.largest_size for unit in own) >= seen[0]
        other = units[0].lost or infer is None  # whether conditions alone are studied otherwise
        if room and other and design == "per-condition" and networks_differ(done.parts, alpha):
            if infer is None:
                finder = _recipe_of_conditions(own)
                similarity = replace(similarity, finder=finder)
                plan = replace(plan, similarity=similarity, uncertain=fewest - 1 < MIN_CONTRASTS)
            chosen, seen = _sizes(sizes, own, finder, fewest)
            plan = replace(plan, units=own, seen=seen, first=len(units))
            work(plan, done, report)
    finally:
        done.save()
    counts = np.bincount(codes).tolist()
    study: dict[str, Any] = {"names": names}
    study |= {"replicates": dict(zip(conditions, counts, strict=True))}
    study |= {"method": repr(finder), "design": design}
    study |= {"agreement": agreement, "target": target, "level": level, "alpha": alpha}
    return assemble(done.parts, plan, None if sizes is None else chosen, study)


def _rows_that_count(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the rows in which links are counted: a sample far out in all genes would link all."""
    return rows_of(trim_contrasts(values, codes, _FAR)[0])


def _recipe_of_conditions(units: list[Unit]) -> Recipe:
    """Return the strongest correlations, as many as are significant in a condition on average.

    Where networks differ, all samples together have the links of every condition, blurred.
    """
    found = [default_recipe(_rows_that_count(unit.values, unit.strata)) for unit in units]
    return replace(found[0], density=float(np.mean([recipe.density for recipe in found])))


def refuse_negative_counts(values: np.ndarray) -> None:
    """Refuse a table of counts of which some are negative; logarithms are no whole numbers."""
    if values.min() >= 0 or np.abs(values).max() < COUNTED or (np.round(values) != values).any():
        return
    i, j = np.unravel_index(int(values.argmin()), values.shape)
    raise InputError(
        f"X has {values[i, j]:g} at row {i}, column {j}, among whole numbers: counts cannot be "
        "negative: give the counts as they are, or their logarithms"
    )


def _units(values: np.ndarray, codes: np.ndarray, names: list[str], design: str) -> list[Unit]:
    """Return what experiments are drawn from."""
    # Samples of each condition, or of all in equal numbers; where a condition has too few for two
    # disjoint experiments, the contrasts of all of them, as if they had one network.
    counts = np.bincount(codes)
    fewest, C = int(counts.min()), len(names)
    if fewest < _MIN_REPLICATES:
        raise InputError(
            f"condition {names[int(counts.argmin())][:40]!r} has {fewest} "
            f"replicate{'s' * (fewest > 1)}, at least {_MIN_REPLICATES} are needed: two samples "
            "differ in one way only, which joins all genes; leave it out, or join conditions"
        )
    one = np.zeros(len(values), dtype=np.int64)
    pooled = design == "pooled" and C > 1
    if pooled and fewest >= 4:
        return [Unit(_ALL, values, codes)]
    if not pooled and fewest >= (_OWN_NETWORK if C > 1 else _TWO_EXPERIMENTS):
        return _own_units(values, codes, names)
    Z = contrasts(values, codes)[0]
    if len(Z) < 4:
        raise InputError(
            f"X has {len(values)} samples of {C} condition, too few for two experiments to be "
            "compared: give more replicates, or more conditions"
        )
    return [Unit(_ALL, Z, one[: len(Z)], step=C if pooled else 1, lost=1)]


def _own_units(values: np.ndarray, codes: np.ndarray, names: list[str]) -> list[Unit]:
    """Return the samples of each condition."""
    own = [values[codes == c] for c in range(len(names))]
    one = [np.zeros(len(X), dtype=np.int64) for X in own]
    return [Unit(*each) for each in zip(names, own, one, strict=True)]


def _sizes(
    sizes: Sequence[int] | None, units: list[Unit], finder: Finder, n: int
) -> tuple[list[int], list[int]]:
    """Return some six sizes, or the user's, and those of them that can be seen."""
    top = min(unit.largest_size for unit in units)
    together = len(np.unique(units[0].strata)) * units[0].step
    least = max(2, 1 + -(-(finder.least_rows - 1) // together))
    if sizes is None:
        grid = np.geomspace(least, top, _N_SIZES).round().astype(int)
        seen = sorted({int(r) for r in grid})
        return seen, seen
    try:
        numbers = sorted({int(r) for r in sizes if not isinstance(r, bool) and int(r) == r})
        good = len(numbers) == len(set(sizes)) and bool(numbers)
    except (TypeError, ValueError):
        good = False
    most = max(n, top)
    if not good or numbers[0] < least or numbers[-1] > most:
        raise InputError(
            f"sizes={str(sizes)[:80]} must be whole numbers between {least} and {most}, the "
            "replicates of the smallest condition"
        )
    if numbers[0] > top:
        raise InputError(
            f"sizes={str(sizes)[:80]}: with {n} replicates two experiments of more than {top} "
            "cannot be seen: add a smaller size"
        )
    return numbers, [r for r in numbers if r <= top]


def progress_line(done: int, total: int) -> None:
    """Write how far it is on the standard error, over what was written before."""
    sys.stderr.write(f"\rreplicate study: {done} of {total} parts" + "\n" * (done == total))
    sys.stderr.flush()
