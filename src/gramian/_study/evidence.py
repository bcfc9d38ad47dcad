"""The tests of a study, run one after the other: each takes arrays and returns a record."""

import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone

from gramian import evidence
from gramian._core.embedding import count
from gramian._core.parallel import one_blas_thread
from gramian._estimators.analysis import pairs, rows_and_weights
from gramian._estimators.pca import PCA
from gramian._nulls.corrections import ALPHA, Family, family, holm
from gramian._nulls.p_values import count_axes, smallest_p_value
from gramian._study.language import Sentence
from gramian._study.record import Evidence, Subject
from gramian._study.subject import standardise
from gramian.dimension import parallel_analysis
from gramian.errors import MemoryBudgetError, NotTestable
from gramian.evidence import (
    Assumptions,
    AxesEvidence,
    Carried,
    CurveEvidence,
    Directions,
    GroupEvidence,
    NumberEvidence,
)
from gramian.evidence.contingency_axes import tells_dispersion

T = TypeVar("T")

IMPUTED = ("iterative", "mean", "median")  # ways of filling in missing values
MAX_CELLS = 500_000  # of a contingency table whose axes are tested
_MAX_ROWS = 3_000  # that are tested
_MAX_OBJECTS = 150  # without columns, whose axes are tested
_MAX_CURVE_CELLS = 40_000  # numbers, up to which curves have all their draws
_LARGE_TABLE = 100_000  # numbers, above which fewer tables are drawn
_MAX_AXES = 6  # tested against groups and supplementary columns
_SMALL_PRODUCT = 1 << 27  # operations, a few milliseconds of one core
_FACTOR_DRAWS = 399, 199  # of small and of large tables of questions
_LARGE_QUESTIONS = 20_000  # cells
_FACTOR_SCHEMES = {"mca": "questions", "famd": "questions", "mfa": "grouped"}
# Kinds of findings that share the level, and the part that tests each.
_KINDS = {"axes": "axes", "groups": "groups", "curves": "curves", "clusters": "curves"}


class Runner:
    """Runs the parts of a study, each with its own random numbers.

    A part that the data do not allow (`NotTestable`), that would need more memory than there is
    (`MemoryBudgetError`), or whose matrices defeat LAPACK, gives None and leaves the reason in
    `failures`; any other error is an error of the study.

    `operations` is the cost of a product of the table with itself: where it is small, BLAS is held
    to one thread, as each of the thousands of draws would spend more on waking others.
    """

    def __init__(self, seed: int, operations: float = 0.0) -> None:
        self.seed = seed
        self.small = operations <= _SMALL_PRODUCT
        self.failures: dict[str, Sentence] = {}

    def run(self, name: str, part: Callable[[np.random.Generator], T]) -> T | None:
        """Return the result of a part, None where it failed."""
        rng = np.random.default_rng([self.seed, *name.encode()])
        with one_blas_thread() if self.small else nullcontext(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the claims report what matters of them
            try:
                return part(rng)
            except (NotTestable, MemoryBudgetError) as error:
                failure = Sentence("claim.untested.reason.data", {"text": str(error)})
            except np.linalg.LinAlgError:
                failure = Sentence("claim.untested.reason.singular")
        self.failures[name] = failure
        return None

    def skip(self, names: Iterable[str], reason: Sentence) -> None:
        """Leave parts out, for a reason."""
        self.failures |= dict.fromkeys(names, reason)


def gather(subject: Subject, fit: Any, runner: Runner) -> Evidence:
    """Return the evidence of a table, or what is available for objects without columns."""
    F = np.asarray(fit.coordinates_, dtype=float)[:, :_MAX_AXES]
    if subject.has_weights:
        return Evidence(np.arange(subject.n), failures=runner.failures)
    kept = _sample(subject.n, runner.seed)
    if subject.table is None or not isinstance(fit, PCA):
        return _of_objects(subject, fit, F[kept], kept, runner)
    return _of_table(subject, table_values(fit, subject.table)[kept], F[kept], kept, runner)


def count_resamples(subject: Subject) -> int:
    """Return a number of resamples that take about a second."""
    size = subject.n * (subject.table.shape[1] if subject.table is not None else subject.n)
    return 100 if size <= 100_000 else 30


def table_values(fit: PCA, table: pd.DataFrame) -> np.ndarray:
    """Return the columns as the analysis takes them: centred, standardised where it does."""
    X = standardise(table.to_numpy(dtype=float))
    return X if fit.scale else X * table.to_numpy(dtype=float).std(axis=0)


def _sample(n: int, seed: int, most: int = _MAX_ROWS) -> np.ndarray:
    """Return the rows to test, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def _of_table(
    subject: Subject, X: np.ndarray, F: np.ndarray, kept: np.ndarray, runner: Runner
) -> Evidence:
    state = runner.run("assumptions", lambda rng: _assumptions(subject, kept, rng))
    if state is None:
        names = ["axes", "curves", "rows", "directions"]
        names += ["groups"] if subject.groups is not None else []
        names += ["numbers"] if subject.supplementary is not None else []
        runner.skip(names, Sentence("claim.untested.reason.assumptions"))
        return Evidence(kept, failures=runner.failures)
    draws = _draws(state)
    n_draws = 399 if X.size <= _LARGE_TABLE else 199
    axes = runner.run("axes", lambda rng: evidence.axes(X, rng=rng, n_draws=n_draws, **draws))
    q = 0 if axes is None else int(axes.n_axes or 0)
    groups = _groups(subject, X, F, kept, draws, runner)
    # Corrected for other findings, a p-value needs draws enough to be small.
    curve_draws = 199 if X.size <= _MAX_CURVE_CELLS else None
    curves = None
    if "axes" in runner.failures:  # curvature is tested beyond the axes
        runner.skip(["curves"], Sentence("claim.untested.reason.axes"))
    # Rows with many imputed values lie in the middle of all columns: an artefact that looks bent.
    elif subject.missing not in IMPUTED:
        curves = runner.run(
            "curves", lambda rng: evidence.curves(X, F, q, rng=rng, n_draws=curve_draws, **draws)
        )
    found = _family(axes, groups, curves, runner)
    q, p_values = found.n_axes, _correct_groups(groups, found)
    numbers = _numbers(subject, F, kept, draws, runner)
    # Axis 2 stands on the map: what goes with it is stated beside the first.
    read = max([q, 2 * (q > 0), *axes_with_links(groups, p_values, numbers)])
    return Evidence(
        kept,
        state,
        axes,
        runner.run("rows", lambda rng: evidence.rows(X, max(1, q), rng=rng)),
        runner.run("carried", lambda _: _carriers(X, max(q, min(2, F.shape[1])))) or {},
        runner.run("directions", lambda rng: _directions(subject, X, q, state.scheme, rng)),
        runner.run("loadings", lambda rng: evidence.loadings(X, read, rng=rng, **draws))
        if read
        else None,
        groups,
        p_values,
        numbers,
        curves,
        found,
        runner.failures,
    )


def _draws(state: Assumptions | None) -> dict[str, Any]:
    """Return the arguments of tests that say which draws are valid for the rows."""
    draws: dict[str, Any] = {"scheme": "permutation" if state is None else state.scheme}
    if state is not None and state.copies is not None:
        draws["groups_of_copies"] = state.copies.labels
    return draws


def _family(
    axes: AxesEvidence | None,
    groups: dict[Any, GroupEvidence],
    curves: CurveEvidence | None,
    runner: Runner,
) -> Family:
    """Correct what was found for all kinds of findings together; those that failed count."""
    failed = [kind for kind, part in _KINDS.items() if part in runner.failures]
    others = {}
    if groups:
        others["groups"] = float(np.min(holm([_p_value(g) for g in groups.values()])))
    if curves is not None:
        shapes = {"curves": curves.p_value, "clusters": curves.clusters.p_value}
        others |= {name: float(p) for name, p in shapes.items() if p is not None}
    chain = [] if axes is None or axes.n_axes is None else [float(p) for p in axes.p_values]
    return family(chain, others, failed)


def _assumptions(subject: Subject, kept: np.ndarray, rng: np.random.Generator) -> Assumptions:
    """Test the columns as they are: standardised counts are not whole numbers."""
    assert subject.table is not None
    everything = None if subject.everything is None else subject.everything.iloc[kept]
    X = subject.table.to_numpy(dtype=float)[kept]
    return evidence.assumptions(X, everything=everything, rng=rng)


def _directions(
    subject: Subject, X: np.ndarray, q: int, scheme: str, rng: np.random.Generator
) -> Directions:
    """Return how axes turn; rows that are not independent and identical have no intervals."""
    above = q if scheme == "permutation" else 0
    draws = count_resamples(subject)
    return evidence.directions(X, max(2, q), above=above, rng=rng, n_resamples=draws)


def _carriers(X: np.ndarray, q: int) -> dict[int, Carried]:
    """Return, for each axis above noise or on the map, how it depends on one row or two."""
    records = {k: evidence.carried(X, k) for k in range(1, q + 1)}
    return {k: record for k, record in records.items() if record is not None}


def _of_objects(
    subject: Subject, fit: Any, F: np.ndarray, kept: np.ndarray, runner: Runner
) -> Evidence:
    """Return the evidence of distances, graphs, sequences and fits of other libraries."""
    draws = _draws(None)
    axes = runner.run("axes", lambda rng: _axes(subject, fit, runner.seed, rng))
    groups = _groups(subject, F, F, kept, draws, runner)
    found = _family(axes, groups, None, runner)
    return Evidence(
        kept,
        axes=axes,
        groups=groups,
        group_p_values=_correct_groups(groups, found),
        numbers=_numbers(subject, F, kept, draws, runner),
        family=found,
        failures=runner.failures,
    )


def _axes(subject: Subject, fit: Any, seed: int, rng: np.random.Generator) -> AxesEvidence | None:
    """Return the evidence of axes that are not those of PCA, None where no null is known.

    A kernel on the columns of a table needs another null, in which columns are permuted.
    """
    if subject.method in ("ca", "mca", "famd", "mfa"):
        return factor_axes(subject, rng)
    if not fit.is_precomputed:
        return None
    rows = rows_and_weights(fit)[0].values
    some = pairs(fit, rows, _sample(count(rows), seed, _MAX_OBJECTS))
    G = some.values if some.kind == "similarity" else -0.5 * some.values**2
    return evidence.kernel_axes(G, n_draws=99, rng=rng)


def factor_axes(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    """Return the axes above noise; None where no valid null is known.

    Answers to each question (and numbers) are permuted, and the rows of each group of columns as a
    whole: a common axis is one that groups share. Counts are compared with counts that vary as much
    around their means; in a table too small to estimate how much that is, with tables of the same
    margins, which is valid for individuals that were counted once. Abundances, of species each of
    which varies in its own way, are not tested.
    """
    if subject.method != "ca":
        return _permutation_axes(subject, rng, _FACTOR_SCHEMES[subject.method])
    N = subject.X.to_numpy(dtype=float)
    abundant = any(found.key == "abundances" for found in subject.findings)
    if abundant or (N % 1).any() or N.size > MAX_CELLS:
        return None
    if tells_dispersion(*N.shape):
        return evidence.contingency_axes(N, rng=rng)
    return _permutation_axes(subject, rng, "margins")


def _permutation_axes(subject: Subject, rng: np.random.Generator, scheme: str) -> AxesEvidence:
    """Return the axes up to the first that noise reaches, each p-value the largest so far."""
    estimator = clone(subject.estimator).set_params(n_components=None)
    draws = _FACTOR_DRAWS[subject.X.size > _LARGE_QUESTIONS]
    result = parallel_analysis(
        subject.X, estimator=estimator, n_permutations=draws, random_state=rng
    )
    p = np.maximum.accumulate(np.asarray(result.p_values, dtype=float))
    found = count_axes(p, ALPHA)
    shown = min(found + 1, len(p))
    level = result.reference["quantile"].to_numpy()[:shown]
    floor, values = smallest_p_value(draws), result.eigenvalues[:shown]
    return AxesEvidence(found, p[:shown], floor, scheme, level, values, (), ALPHA)


def kernel_groups(
    subject: Subject, tests: Evidence, F: np.ndarray, runner: Runner
) -> dict[Any, GroupEvidence]:
    """Return groupings on kernel axes, tested only where the cloud is more than linear axes."""
    if tests.curves is None or tests.curves.kind is None:
        return {}
    kept = tests.rows_tested
    draws = _draws(tests.assumptions)
    return _groups(subject, F[kept], np.empty((len(kept), 0)), kept, draws, runner)


def _groups(
    subject: Subject,
    X: np.ndarray,
    F: np.ndarray,
    kept: np.ndarray,
    draws: dict[str, Any],
    runner: Runner,
) -> dict[Any, GroupEvidence]:
    """Return the evidence of each grouping."""
    if subject.groups is None:
        return {}
    columns = {name: column.iloc[kept].astype(object) for name, column in subject.groups.items()}

    def test(rng: np.random.Generator) -> dict[Any, GroupEvidence]:
        return {
            name: evidence.groups(X, F, labels.where(labels.notna(), None), rng=rng, **draws)
            for name, labels in columns.items()
        }

    return runner.run("groups", test) or {}


def _correct_groups(groups: dict[Any, GroupEvidence], found: Family) -> dict[Any, float]:
    """Return the p-value of each grouping, corrected for their number and all findings."""
    p = np.maximum(holm([_p_value(g) for g in groups.values()]), found.others.get("groups", 0.0))
    return dict(zip(groups, p.tolist(), strict=True))


def _p_value(record: GroupEvidence) -> float:
    """Return the p-value of a grouping, NaN where it was not tested."""
    return np.nan if record.p_value is None else float(record.p_value)


def _numbers(
    subject: Subject, F: np.ndarray, kept: np.ndarray, draws: dict[str, Any], runner: Runner
) -> NumberEvidence | None:
    """Return how supplementary columns are correlated with the axes."""
    if subject.supplementary is None:
        return None
    Z = subject.supplementary.iloc[kept].to_numpy(dtype=float)
    return runner.run("numbers", lambda rng: evidence.numbers(F, Z, rng=rng, **draws))


def axes_with_links(
    groups: dict[Any, GroupEvidence], p_values: dict[Any, float], numbers: NumberEvidence | None
) -> list[int]:
    """Return the axes that go with a grouping or a supplementary column."""
    out: set[Any] = set()
    for name, record in groups.items():
        if p_values[name] < ALPHA and record.axes is not None:
            p = np.maximum(record.axes["p_value"], p_values[name])
            out |= set(record.axes.index[p < ALPHA])
    if numbers is not None and numbers.table is not None:
        out |= set(numbers.table.index.get_level_values(1)[numbers.table["p_value"] < ALPHA])
    return sorted(int(k) for k in out)
