"""The tests of a study, run one after the other: each takes arrays and gives a record."""

from __future__ import annotations

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
from gramian._study.record import Evidence
from gramian._study.subject import FILLED, Subject, standardised
from gramian.dimension import parallel_analysis
from gramian.errors import MemoryBudgetError, NotTestable
from gramian.evidence import AxesEvidence
from gramian.evidence.contingency_axes import tells_dispersion

T = TypeVar("T")

_ROWS = 3_000  # that tests look at
_OBJECTS = 150  # without columns, whose axes are tested
_MIDDLE = 40_000  # numbers, up to which curves take all their draws
_LARGE = 100_000  # numbers, above which fewer tables are drawn
_AXES = 6  # that groups and supplementary columns are held against
_SMALL_PRODUCT = 1 << 27  # operations, a few milliseconds of one core
_FACTOR_DRAWS = 399, 199  # of small and of large tables of questions
_LARGE_QUESTIONS = 20_000  # cells
CELLS = 500_000  # of a contingency table, above which none is drawn
# Kinds of findings that share the level, and the part that tests each.
_KINDS = {"axes": "axes", "groups": "groups", "curves": "curves", "clusters": "curves"}


class Parts:
    """The parts of a study, each with its own random numbers.

    A part that the data do not allow (`NotTestable`), that would need more memory than there is
    (`MemoryBudgetError`), or whose matrices defeat LAPACK, gives None and leaves the reason in
    `failures`; any other error is an error of the study.

    `operations` is what a product of the table with itself takes: where it is little, BLAS is held
    to one thread, as each of the thousands of draws would spend more on waking others.
    """

    def __init__(self, seed: int, operations: float = 0.0) -> None:
        self.seed = seed
        self.small = operations <= _SMALL_PRODUCT
        self.failures: dict[str, Sentence] = {}

    def take(self, name: str, part: Callable[[np.random.Generator], T]) -> T | None:
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
        """Leave parts out, for the reason given."""
        self.failures |= dict.fromkeys(names, reason)


def gather(subject: Subject, fit: Any, parts: Parts) -> Evidence:
    """Return the evidence of a table, or what can be had of objects without columns."""
    F = np.asarray(fit.coordinates_, dtype=float)[:, :_AXES]
    if subject.weighted:
        return Evidence(np.arange(subject.n), failures=parts.failures)
    if subject.table is None or not isinstance(fit, PCA):
        return _of_objects(subject, fit, F, parts)
    kept = _sample(subject.n, parts.seed)
    return _of_table(subject, analysed(fit, subject.table)[kept], F[kept], kept, parts)


def resamples(subject: Subject) -> int:
    """Return a number of resamples that a second allows."""
    size = subject.n * (subject.table.shape[1] if subject.table is not None else subject.n)
    return 100 if size <= 100_000 else 30


def analysed(fit: Any, table: pd.DataFrame) -> np.ndarray:
    """Return the columns as the analysis sees them: centred, standardised where it does."""
    X = standardised(table.to_numpy(dtype=float))
    return X if fit.scale else X * table.to_numpy(dtype=float).std(axis=0)


def _sample(n: int, seed: int, most: int = _ROWS) -> np.ndarray:
    """Return the rows to test, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def _of_table(
    subject: Subject, X: np.ndarray, F: np.ndarray, kept: np.ndarray, parts: Parts
) -> Evidence:
    state = parts.take("assumptions", lambda rng: _assumptions(subject, kept, rng))
    if state is None:
        unchecked = Sentence("claim.untested.reason.assumptions")
        parts.skip(_tests_of(subject), unchecked)
        return Evidence(kept, failures=parts.failures)
    rows: dict[str, Any] = {"scheme": state.scheme}
    if state.copies is not None:
        rows["groups_of_copies"] = state.copies.labels
    n_draws = 399 if X.size <= _LARGE else 199
    axes = parts.take("axes", lambda rng: evidence.axes(X, rng=rng, n_draws=n_draws, **rows))
    q = 0 if axes is None else int(axes.n_axes or 0)
    groups = groups_of(subject, X, F, kept, rows, parts)
    # Corrected for other findings, a p-value needs draws enough to be small.
    bends = 199 if X.size <= _MIDDLE else None
    # Rows with many values filled in lie in the middle of all columns: a bend of our making.
    curves = None
    if "axes" in parts.failures:  # what is bent is asked beyond the axes
        parts.skip(["curves"], Sentence("claim.untested.reason.axes"))
    elif subject.missing not in FILLED:
        curves = parts.take(
            "curves", lambda rng: evidence.curves(X, F, q, rng=rng, n_draws=bends, **rows)
        )
    found = _family(axes, groups, curves, parts)
    q, p_values = found.n_axes, over_groupings(groups, found)
    numbers = numbers_of(subject, F, kept, rows, parts)
    # Axis 2 stands on the map: what goes with it is told beside the first.
    read = max([q, 2 * (q > 0), *tied_axes(groups, p_values, numbers)])
    return Evidence(
        kept,
        state,
        axes,
        parts.take("rows", lambda rng: evidence.rows(X, max(1, q), rng=rng)),
        _carried(X, max(q, min(2, F.shape[1])), parts),
        parts.take("directions", lambda rng: _directions(subject, X, q, rows["scheme"], rng)),
        parts.take("loadings", lambda rng: evidence.loadings(X, read, rng=rng, **rows))
        if read
        else None,
        groups,
        p_values,
        numbers,
        curves,
        found,
        parts.failures,
    )


def _tests_of(subject: Subject) -> list[str]:
    """Return the parts that test something of a table."""
    names = ["axes", "curves", "rows", "directions"]
    names += ["groups"] if subject.groups is not None else []
    return names + (["numbers"] if subject.supplementary is not None else [])


def _family(axes: Any, groups: dict[Any, Any], curves: Any, parts: Parts) -> Family:
    """Correct what was found for all kinds of findings together; those that failed count."""
    failed = [kind for kind, part in _KINDS.items() if part in parts.failures]
    others = {}
    if groups:
        others["groups"] = float(np.min(holm([p_value(g) for g in groups.values()])))
    if curves is not None:
        shapes = {"curves": curves.p_value, "clusters": curves.clusters.p_value}
        others |= {name: float(p) for name, p in shapes.items() if p is not None}
    chain = [] if axes is None or axes.n_axes is None else axes.p_values
    return family(chain, others, failed)


def _assumptions(subject: Subject, kept: np.ndarray, rng: np.random.Generator) -> Any:
    """Look at the columns as they are: counts are no whole numbers any more when standardised."""
    assert subject.table is not None
    everything = None if subject.everything is None else subject.everything.iloc[kept]
    X = subject.table.to_numpy(dtype=float)[kept]
    return evidence.assumptions(X, everything=everything, rng=rng)


def _directions(
    subject: Subject, X: np.ndarray, q: int, scheme: str, rng: np.random.Generator
) -> Any:
    """Return how axes turn; rows that are no independent draws of one law have no intervals."""
    above = q if scheme == "permutation" else 0
    draws = resamples(subject)
    return evidence.directions(X, max(2, q), above=above, rng=rng, n_resamples=draws)


def _carried(X: np.ndarray, q: int, parts: Parts) -> dict[int, Any]:
    """Return, for each axis above noise or on the map, what one row or two do to it."""

    def all_axes(rng: np.random.Generator) -> dict[int, Any]:
        records = {k: evidence.carried(X, k) for k in range(1, q + 1)}
        return {k: record for k, record in records.items() if record is not None}

    return parts.take("carried", all_axes) or {}


def _of_objects(subject: Subject, fit: Any, F: np.ndarray, parts: Parts) -> Evidence:
    """Return what can be told of distances, graphs, sequences and fits made elsewhere."""
    kept = _sample(subject.n, parts.seed)
    rows = {"scheme": "permutation"}
    axes = parts.take("axes", lambda rng: _axes(subject, fit, parts.seed, rng))
    groups = groups_of(subject, F[kept], F[kept], kept, rows, parts)
    found = _family(axes, groups, None, parts)
    return Evidence(
        kept,
        axes=axes,
        groups=groups,
        group_p_values=over_groupings(groups, found),
        numbers=numbers_of(subject, F[kept], kept, rows, parts),
        family=found,
        failures=parts.failures,
    )


def _axes(subject: Subject, fit: Any, seed: int, rng: np.random.Generator) -> Any:
    """Return the evidence of axes that are not those of PCA."""
    if subject.method in ("ca", "mca", "famd", "mfa"):
        return factor_axes(subject, rng)
    return _kernel_axes(fit, seed, rng)


def _kernel_axes(fit: Any, seed: int, rng: np.random.Generator) -> Any:
    """Return the evidence of the axes of similarities or distances, None where there is none.

    A kernel on the columns of a table asks for another null, in which columns are shuffled.
    """
    if not fit.is_precomputed:
        return None
    rows = rows_and_weights(fit)[0].values
    pick = _sample(count(rows), seed, _OBJECTS)
    some = pairs(fit, rows, pick)
    G = some.values if some.kind == "similarity" else -0.5 * some.values**2
    return evidence.kernel_axes(G, n_draws=99, rng=rng)


def factor_axes(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    """Return the axes above noise; None where no null is known that holds.

    Answers to each question (and numbers) are permuted, and the rows of each group of columns as a
    whole: a common axis is one that groups share. Counts are held against counts that vary as much
    around their means; in a table too small to tell how much that is, against tables of the same
    margins, which hold for individuals that were counted once. Abundances, of species each of which
    varies in its own way, are held against nothing.
    """
    if subject.method in ("mca", "famd"):
        return _drawn(subject, rng, "questions")
    if subject.method == "mfa":
        return _drawn(subject, rng, "grouped")
    return _of_counts(subject, rng) if subject.method == "ca" else None


def _of_counts(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    N = subject.X.to_numpy(dtype=float)
    abundant = any(found.key == "abundances" for found in subject.findings)
    if abundant or (N % 1).any() or N.size > CELLS:
        return None
    if tells_dispersion(*N.shape):
        return evidence.contingency_axes(N, rng=rng)
    return _drawn(subject, rng, "margins")


def _drawn(subject: Subject, rng: np.random.Generator, scheme: str) -> AxesEvidence:
    estimator = clone(subject.estimator).set_params(n_components=None)
    draws = _FACTOR_DRAWS[subject.X.size > _LARGE_QUESTIONS]
    result = parallel_analysis(
        subject.X, estimator=estimator, n_permutations=draws, random_state=rng
    )
    level = result.reference["quantile"].to_numpy()
    return _evidence(result.p_values, level, result.eigenvalues, draws, scheme)


def _evidence(p: Any, level: Any, seen: Any, draws: int, scheme: str) -> AxesEvidence:
    """Return the axes up to the first that noise reaches, each p-value the largest so far."""
    p = np.maximum.accumulate(np.asarray(p, dtype=float))
    count = count_axes(p, ALPHA)
    shown = min(count + 1, len(p))
    return AxesEvidence(
        count, p[:shown], smallest_p_value(draws), scheme, level[:shown], seen[:shown], (), ALPHA
    )


def kernel_groups(subject: Subject, tests: Evidence, F: np.ndarray, parts: Parts) -> dict[Any, Any]:
    """Return groupings on kernel axes, asked only where the cloud is more than straight axes."""
    if tests.curves is None or tests.curves.kind is None:
        return {}
    kept = tests.rows_tested
    rows: dict[str, Any] = {"scheme": tests.scheme}
    if tests.assumptions is not None and tests.assumptions.copies is not None:
        rows["groups_of_copies"] = tests.assumptions.copies.labels
    return groups_of(subject, F[kept], np.empty((len(kept), 0)), kept, rows, parts)


def groups_of(
    subject: Subject,
    X: np.ndarray,
    F: np.ndarray,
    kept: np.ndarray,
    rows: dict[str, Any],
    parts: Parts,
) -> dict[Any, Any]:
    """Return what is known of each grouping."""
    if subject.groups is None:
        return {}
    groups = subject.groups

    def all_groups(rng: np.random.Generator) -> dict[Any, Any]:
        return {
            name: evidence.groups(X, F, _labels(groups.iloc[kept, j]), rng=rng, **rows)
            for j, name in enumerate(groups.columns)
        }

    return parts.take("groups", all_groups) or {}


def _labels(column: pd.Series) -> pd.Series:
    """Return labels, None where there is none."""
    labels = column.astype(object)
    return labels.where(labels.notna(), None)


def over_groupings(groups: dict[Any, Any], found: Family) -> dict[Any, float]:
    """Return the p-value of each grouping, corrected for their number and all findings."""
    p = np.maximum(holm([p_value(g) for g in groups.values()]), found.others.get("groups", 0.0))
    return dict(zip(groups, p.tolist(), strict=True))


def p_value(record: Any) -> float:
    """Return the p-value of a grouping, NaN where it was not tested."""
    return np.nan if record.p_value is None else float(record.p_value)


def numbers_of(
    subject: Subject, F: np.ndarray, kept: np.ndarray, rows: dict[str, Any], parts: Parts
) -> Any:
    """Return how supplementary columns go with the axes."""
    extra = subject.supplementary
    if extra is None:
        return None
    Z = extra.iloc[kept].to_numpy(dtype=float)
    return parts.take("numbers", lambda rng: evidence.numbers(F, Z, rng=rng, **rows))


def tied_axes(groups: dict[Any, Any], p_values: dict[Any, float], numbers: Any) -> list[int]:
    """Return the axes that go with a grouping or a supplementary column."""
    out = set()
    for name, record in groups.items():
        if p_values[name] < ALPHA and record.axes is not None:
            p = np.maximum(record.axes["p_value"], p_values[name])
            out |= set(record.axes.index[p < ALPHA])
    if numbers is not None and numbers.table is not None:
        out |= set(numbers.table.index.get_level_values(1)[numbers.table["p_value"] < ALPHA])
    return sorted(int(k) for k in out)
