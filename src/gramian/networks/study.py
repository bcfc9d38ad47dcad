"""How many replicates does an experiment need for its networks to be the same again?"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gramian._core.check import flag, generator, one_of, share, whole
from gramian._core.chunked.passes import digest
from gramian._core.frames import in_order_of, labels_of
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.networks.contrasts import (
    Balanced,
    Contrasts,
    Samples,
    conditions_of,
    contrasts,
    without_means,
)
from gramian.networks.finder import Finder, as_finder, similarity_of
from gramian.networks.infer import require_columns
from gramian.networks.resampling import Unit
from gramian.networks.result import ReplicateStudy
from gramian.networks.tables import assemble
from gramian.networks.work import Checkpoint, Plan, work

DESIGNS = ("per-condition", "pooled")
_N_SIZES = 6
_MIN_REPLICATES = 3  # without which nothing can be said
COUNTED = 50.0  # a table of whole numbers, none negative, that reaches it is one of counts
_MIN_VARIABLES = 3  # that have more than one pair, without which all networks are the same
_TWO_EXPERIMENTS = 6  # replicates that make two disjoint experiments of 3
_OWN_NETWORK = 12  # replicates with which each of several conditions is seen by itself
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
    agreement: float = 0.8,
    level: float = 0.95,
    n_permutations: int = 199,
    alpha: float = 0.05,
    checkpoint: str | Path | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ReplicateStudy:
    """Find the least number of replicates whose networks another experiment would find again.

    For each size r, disjoint sets of r replicates give two networks, as two independent
    experiments would: their mean similarity, between 0 and 1, is the agreement at r, and
    1 − agreement the dispersion of such networks around their barycentre in the feature space of
    the kernel. The study recommends the least r whose agreement is at least `agreement`, with an
    interval.

    With n replicates in the smallest condition, sizes up to n/2 are seen. Beyond, several families
    of learning curves are fitted to what was seen and to its error (a jackknife over replicates),
    weighted by how well they do. Where the data do not bound the number the interval is open, and
    where networks agree no more than by chance nothing is recommended. With fewer than 12
    replicates a condition shows next to nothing by itself: then the deviations from the means of
    all conditions are taken together, as if conditions had the same network. Where they have not,
    the number is rather too large.

    Parameters
    ----------
    X : table (n, p)
        Expressions; rows are samples, columns genes, at least 3.
    condition : n labels, optional
        The condition of each sample, with at least 3 replicates each; a labelled Series goes to the
        rows by label.
    design : "per-condition" or "pooled"
        An experiment gives a network for each condition; or one network, of the same number of
        replicates of every condition less the means of conditions.
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
        It needs 6 replicates.
    alpha : float
        Level of this test.
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
    >>> rng = np.random.default_rng(1)
    >>> hub = np.repeat(rng.standard_normal((24, 4)), 3, axis=1)
    >>> X = hub + 0.3 * rng.standard_normal((24, 12))
    >>> study = replicate_study(X, np.repeat(["control", "stress"], 12), n_resamples=10,
    ...                         n_permutations=39, infer={"density": 12 / 66})
    >>> study.recommended, study.interval, study.separated
    (8, (6, 12.0), False)
    """
    for name, value in (("agreement", agreement), ("level", level), ("alpha", alpha)):
        share(value, name)
    one_of(design, "design", DESIGNS)
    whole(n_resamples, "n_resamples", 2)
    whole(n_permutations, "n_permutations", 0)
    values, names = require_columns(X, _MIN_REPLICATES)
    _refuse_negative_counts(values)
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
    finder = as_finder(infer, within)
    chosen = _sizes(sizes, units, finder, fewest)
    top = min(unit.largest_size for unit in units)
    seen = [r for r in chosen if r <= top]
    similarity = similarity_of(kernel, finder, within, max(seen[len(seen) // 2], finder.least_rows))
    seed = int(generator(random_state).integers(2**62))
    tested = n_permutations if len(conditions) > 1 and fewest >= _TWO_EXPERIMENTS else 0
    plan = Plan(values, codes, units, seen, n_resamples, tested, seed, finder)
    # Everything that changes the numbers.
    about = (seen, n_resamples, tested, design, seed, finder, similarity.kernel)
    done = Checkpoint(checkpoint, digest(about, values.shape, values, codes))
    if not callable(progress):
        flag(progress, "progress")
    report = progress_line if progress is True else progress or None
    try:
        work(plan, similarity, done, report)
    finally:
        done.save()
    counts = np.bincount(codes).tolist()
    study: dict[str, Any] = {"names": names}
    study |= {"replicates": dict(zip(conditions, counts, strict=True))}
    study |= {"method": repr(finder), "design": design}
    study |= {"target": agreement, "level": level, "alpha": alpha}
    return assemble(done.parts, plan, similarity, None if sizes is None else chosen, study)


def _refuse_negative_counts(values: np.ndarray) -> None:
    """Refuse a table of counts of which some are negative; logarithms are no whole numbers."""
    if values.min() >= 0 or np.abs(values).max() < COUNTED or (np.round(values) != values).any():
        return
    i, j = np.unravel_index(int(values.argmin()), values.shape)
    raise InputError(
        f"X has {values[i, j]:g} at row {i}, column {j}, among whole numbers: counts cannot be "
        "negative: give the counts as they are, or their logarithms"
    )


def _units(values: np.ndarray, codes: np.ndarray, names: list[str], design: str) -> list[Unit]:
    """Return what experiments are drawn from.

    Samples of each condition, or of all in equal numbers; where a condition has too few for two
    disjoint experiments, the contrasts of all of them, as if they had one network.
    """
    counts = np.bincount(codes)
    fewest, C = int(counts.min()), len(names)
    if fewest < _MIN_REPLICATES:
        raise InputError(
            f"condition {names[int(counts.argmin())][:40]!r} has {fewest} replicates, at least "
            f"{_MIN_REPLICATES} are needed: two samples differ in one way only, which joins all "
            "genes; leave it out, or join conditions"
        )
    one = np.zeros(len(values), dtype=np.int64)
    pooled = design == "pooled" and C > 1
    if pooled and fewest >= 4:
        return [Unit(_ALL, Balanced(values, codes), codes)]
    if not pooled and fewest >= (_OWN_NETWORK if C > 1 else _TWO_EXPERIMENTS):
        own = [Samples(values[codes == c]) for c in range(C)]
        return [
            Unit(name, pool, one[: len(pool.values)]) for name, pool in zip(names, own, strict=True)
        ]
    Z = contrasts(values, codes)
    if len(Z) < 4:
        raise InputError(
            f"X has {len(values)} samples of {C} condition, too few for two experiments to be "
            "compared: give more replicates, or more conditions"
        )
    return [Unit(_ALL, Contrasts(Z), one[: len(Z)], step=C if pooled else 1, lost=1)]


def _sizes(sizes: Sequence[int] | None, units: list[Unit], finder: Finder, n: int) -> list[int]:
    """Return the sizes that can be seen, some six of them, or the user's."""
    top = min(unit.largest_size for unit in units)
    together = len(np.unique(units[0].strata)) * units[0].step
    least = max(2, 1 + -(-(finder.least_rows - 1) // together))
    if sizes is None:
        grid = np.geomspace(least, top, _N_SIZES).round().astype(int)
        return sorted({int(r) for r in grid})
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
    return numbers


def progress_line(done: int, total: int) -> None:
    """Write how far it is on the standard error, over what was written before."""
    sys.stderr.write(f"\rreplicate study: {done} of {total} parts" + "\n" * (done == total))
    sys.stderr.flush()
