"""The tests of a study, run one after the other: each takes arrays and returns a record."""

import re
import warnings
from collections.abc import Callable, Hashable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone

import gramian as gm
from gramian import evidence
from gramian._core.embedding import count
from gramian._core.parallel import one_blas_thread
from gramian._estimators.analysis import pairs, rows_and_weights
from gramian._estimators.pca import PCA
from gramian._nulls.corrections import ALPHA, Family, family
from gramian._nulls.p_values import count_axes, smallest_p_value
from gramian._study.language import Sentence
from gramian._study.record import Community, Evidence, Groups, Subject
from gramian._study.subject import standardise
from gramian.dimension import parallel_analysis
from gramian.errors import MemoryBudgetError, NotTestable
from gramian.evidence.arrangement import named_factors
from gramian.evidence.contingency_axes import tells_dispersion
from gramian.evidence.groups import resemblance
from gramian.evidence.shapes import Copies
from gramian.io.doctor.texts import times_of

T = TypeVar("T")
Draws = dict[str, Any]  # arguments of a test that say which draws are valid for the rows

MAX_CELLS = 500_000  # of a contingency table whose axes are tested
_MAX_ROWS = 3_000  # that are tested
_MAX_OBJECTS = 150  # without columns, whose axes are tested
_MAX_CURVE_CELLS = 40_000  # numbers, up to which curves have all their draws
_MAX_PAIR_STEPS = 10_000_000  # pairs of rows times steps of a fit, up to which refits are cheap
_LARGE_TABLE = 100_000  # numbers, above which fewer tables are drawn
_MAX_AXES = 6  # tested against groups and supplementary columns
_COMMUNITY_DRAWS = 499  # of permutation tests of communities
_MAX_COMMUNITY_ROWS = 600
_MAX_ROW_SHARE = 0.4  # of an axis of correspondence analysis that one row makes
_YEAR = re.compile(r"year|ann[ée]e|date|time", re.IGNORECASE)
_UNIT_LEVEL = 0.1  # at which rows of a subject or plot look alike
_MIN_NAMED = 0.5  # of the groups of near copies, that a grouping names one by one
_SMALL_PRODUCT = 1 << 27  # operations, a few milliseconds of one core
_FACTOR_DRAWS = 399, 199  # of small and of large tables of questions
_LARGE_QUESTIONS = 20_000  # cells
_FACTOR_SCHEMES = {"mca": "questions", "famd": "questions", "mfa": "grouped"}
# Kinds of findings that share the level, and the part that tests each. Groups and supplementary
# columns are questions of the user, who gets the whole level for each.
_KINDS = {"axes": "axes", "curves": "curves", "clusters": "curves"}


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
    kept = _in_time(subject, _sample(subject.n, runner.seed))
    if subject.table is None or not isinstance(fit, PCA):
        return _of_objects(subject, fit, F[kept], kept, runner)
    return _of_table(subject, table_values(fit, subject.table)[kept], F[kept], kept, runner)


def count_resamples(subject: Subject, fit: Any = None) -> int:
    """Return a number of resamples that take about a second."""
    size = subject.n * (subject.table.shape[1] if subject.table is not None else subject.n)
    steps = getattr(fit, "n_iter_", 0)  # of stress, over all pairs
    return 100 if size <= 100_000 and steps * subject.n**2 <= _MAX_PAIR_STEPS else 30


def table_values(fit: PCA, table: pd.DataFrame) -> np.ndarray:
    """Return the columns as the analysis takes them: centred, standardised where it does."""
    X = standardise(table.to_numpy(dtype=float))
    return X if fit.scale else X * table.to_numpy(dtype=float).std(axis=0)


def _sample(n: int, seed: int, most: int = _MAX_ROWS) -> np.ndarray:
    """Return the rows to test, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def _in_time(subject: Subject, kept: np.ndarray) -> np.ndarray:
    """Return rows in the order of the times that a column holds, if one does."""
    if subject.everything is None or subject.order == "ignored" or subject.table is None:
        return kept
    used = [*subject.table.columns, *([] if subject.groups is None else subject.groups.columns)]
    for name, column in subject.everything.iloc[kept].items():
        if name in used and not _YEAR.search(str(name)):
            continue
        times = times_of(str(name), column)
        if times is not None and times.nunique() == len(kept):
            return kept[np.argsort(times.to_numpy(), kind="stable")]
    return kept


def _of_table(
    subject: Subject, X: np.ndarray, F: np.ndarray, kept: np.ndarray, runner: Runner
) -> Evidence:
    assert subject.table is not None
    # The columns as they are: standardised counts are not whole numbers.
    own = subject.table.to_numpy(dtype=float)[kept]
    every = None if subject.everything is None else subject.everything.iloc[kept]
    state = runner.run(
        "assumptions",
        lambda rng: evidence.assumptions(own, everything=every, order=subject.order, rng=rng),
    )
    if state is None:
        names = ["axes", "curves", "rows", "directions"]
        names += ["groups"] if subject.groups is not None else []
        names += ["numbers"] if subject.supplementary is not None else []
        runner.skip(names, Sentence("claim.untested.reason.assumptions"))
        return Evidence(kept, failures=runner.failures)
    draws = _draws(state)
    # A column that nearly repeats another makes an axis, or a bend, by that alone.
    repeats = [j for j, _, _ in state.near_columns]
    distinct, once = np.delete(X, repeats, axis=1), X.copy()
    once[:, repeats] = 0.0
    n_draws = 399 if X.size <= _LARGE_TABLE else 199
    axes = runner.run(
        "axes", lambda rng: evidence.axes(distinct, rng=rng, n_draws=n_draws, **draws)
    )
    q = 0 if axes is None else int(axes.n_axes or 0)
    groups = _groups(subject, own, F, kept, draws, runner, state.copies)
    # Corrected for other findings, a p-value needs draws enough to be small.
    curve_draws = 199 if X.size <= _MAX_CURVE_CELLS else None
    curves = None
    if "axes" in runner.failures:  # curvature is tested beyond the axes
        runner.skip(["curves"], Sentence("claim.untested.reason.axes"))
    # Rows with many imputed values lie in the middle of all columns: an artefact that looks bent.
    elif not subject.is_imputed:
        curves = runner.run(
            "curves", lambda rng: evidence.curves(once, F, q, rng=rng, n_draws=curve_draws, **draws)
        )
    shared: dict[str, Any] = {"family": _family(axes, curves, runner), "curves": curves}
    shared |= {"numbers": _numbers(subject, own, F, kept, draws, runner), "groups": groups}
    tests = Evidence(kept, state, axes, failures=runner.failures, **shared)
    q = tests.q
    # Axis 2 stands on the map: what goes with it is stated beside the first.
    read = max([q, 2 * (q > 0), *tests.linked_axes])
    rows = runner.run("rows", lambda rng: evidence.rows(X, max(1, q), rng=rng))
    carried = runner.run("carried", lambda _: _carriers(X, max(q, min(2, F.shape[1])))) or {}
    # Rows that are not independent and identically distributed have no intervals.
    options = {"above": q if state.scheme == "permutation" else 0}
    options |= {"n_resamples": count_resamples(subject)}
    turns = runner.run(
        "directions", lambda rng: evidence.directions(X, max(2, q), rng=rng, **options)
    )
    loadings = None
    if read:
        loadings = runner.run("loadings", lambda rng: evidence.loadings(X, read, rng=rng, **draws))
    return replace(tests, rows=rows, carried=carried, directions=turns, loadings=loadings)


def _draws(state: evidence.Assumptions | None) -> Draws:
    """Return the arguments of tests that say which draws are valid for the rows."""
    draws: Draws = {"scheme": "permutation" if state is None else state.scheme}
    if state is not None and state.copies is not None:
        draws["groups_of_copies"] = state.copies.labels
    return draws


def _family(
    axes: evidence.AxesEvidence | None, curves: evidence.CurveEvidence | None, runner: Runner
) -> Family:
    """Correct what was found for all kinds of findings together; those that failed count."""
    failed = [kind for kind, part in _KINDS.items() if part in runner.failures]
    others: dict[str, float] = {}
    if curves is not None:
        shapes = {"curves": curves.p_value, "clusters": curves.clusters.p_value}
        others = {name: float(p) for name, p in shapes.items() if p is not None}
    chain = [] if axes is None or axes.n_axes is None else axes.p_values.tolist()
    return family(chain, others, failed)


def _carriers(X: np.ndarray, q: int) -> dict[int, evidence.Carried]:
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
    family = _family(axes, None, runner)
    numbers = _numbers(subject, None, F, kept, draws, runner)
    tests: dict[str, Any] = {"axes": axes, "groups": groups, "numbers": numbers, "family": family}
    if subject.method == "ca" and subject.content == "contingency":
        N = subject.X.to_numpy(dtype=float)
        test = runner.run("independence", lambda rng: evidence.independence(N, rng=rng))
        tests["independence"] = test
    if subject.method == "ca" and subject.content in ("abundances", "presence"):
        tests["community"] = runner.run("community", lambda rng: _community(subject, fit, rng))
    return Evidence(kept, failures=runner.failures, **tests)


def _community(subject: Subject, fit: Any, rng: np.random.Generator) -> Community:
    """Return gradients on the map, groups by PERMANOVA with their dispersions, and the arch."""
    F = np.asarray(fit.coordinates_, dtype=float)[:, :2]
    N = subject.X.to_numpy(dtype=float)
    mass, extra = N.sum(axis=1) / N.sum(), subject.supplementary
    gradients, found = None, dict[Any, tuple[float, float, float]]()
    if extra is not None and F.shape[1] == 2:
        options: Draws = {"n_permutations": _COMMUNITY_DRAWS, "random_state": rng}
        gradients = gm.ecology.gradients(F, extra, weights=mass, **options)
    groups = subject.groups if subject.n <= _MAX_COMMUNITY_ROWS else None
    for name, labels in () if groups is None else groups.astype(object).items():
        known = labels.notna().to_numpy()
        counts = labels[known].value_counts()
        if len(counts) < 2 or known.sum() - len(counts) < 2:
            continue
        X, table = subject.X[known], labels[known].astype(str).to_frame("group")
        options = {"metric": "braycurtis", "n_permutations": _COMMUNITY_DRAWS, "random_state": rng}
        test: Any = gm.ecology.permanova(X, table, **options).table.loc["group"]
        spread = np.nan
        if counts.max() > 1:
            spread = gm.ecology.dispersion(X, table["group"], **options).p_value
        found[name] = (float(test["r2"]), float(test["p_value"]), float(spread))
    arch = 0.0
    if F.shape[1] == 2 and subject.n > 5:
        bent = np.column_stack([np.ones(subject.n), F[:, 0], F[:, 0] ** 2])
        root = np.sqrt(mass)[:, None]
        rest = F[:, 1] - bent @ np.linalg.lstsq(root * bent, root[:, 0] * F[:, 1], rcond=None)[0]
        arch = float(1.0 - mass @ rest**2 / (mass @ F[:, 1] ** 2))
    share = fit.individuals()["contribution"].iloc[:, : F.shape[1]].to_numpy(dtype=float)
    i, k = np.unravel_index(int(share.argmax()), share.shape)
    row = (subject.index[int(i)], int(k) + 1, float(share[i, k]))
    return Community(gradients, found, arch, row if row[2] > _MAX_ROW_SHARE else None)


def _axes(
    subject: Subject, fit: Any, seed: int, rng: np.random.Generator
) -> evidence.AxesEvidence | None:
    """Return the evidence of axes that are not those of PCA, None where no null is known."""
    # A kernel on the columns of a table needs another null, in which columns are permuted.
    if subject.method in ("ca", "mca", "famd", "mfa"):
        return factor_axes(subject, rng)
    if not fit.is_precomputed:
        return None
    rows = rows_and_weights(fit)[0].values
    some = pairs(fit, rows, _sample(count(rows), seed, _MAX_OBJECTS))
    G = some.values if some.kind == "similarity" else -0.5 * some.values**2
    return evidence.kernel_axes(G, n_draws=99, rng=rng)


def factor_axes(subject: Subject, rng: np.random.Generator) -> evidence.AxesEvidence | None:
    """Return the axes above noise; None where no valid null is known."""
    # Answers to each question (and numbers) are permuted, and the rows of each group of columns as
    # a whole: a common axis is one that groups share. Counts are compared with counts that vary as
    # much around their means; in a table too small to estimate how much that is, with tables of the
    # same margins, which is valid for individuals that were counted once. Abundances, of species
    # each of which varies in its own way, are not tested.
    if subject.method != "ca":
        return _permutation_axes(subject, rng, _FACTOR_SCHEMES[subject.method])
    N = subject.X.to_numpy(dtype=float)
    abundant = subject.content in ("abundances", "presence")
    if abundant or (N % 1).any() or N.size > MAX_CELLS:
        return None
    if tells_dispersion(*N.shape):
        return evidence.contingency_axes(N, rng=rng)
    return _permutation_axes(subject, rng, "margins")


def _permutation_axes(
    subject: Subject, rng: np.random.Generator, scheme: str
) -> evidence.AxesEvidence:
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
    return evidence.AxesEvidence(found, p[:shown], floor, scheme, level, values, (), ALPHA)


def kernel_groups(subject: Subject, tests: Evidence, F: np.ndarray, runner: Runner) -> Groups:
    """Return groupings on kernel axes, tested only where the cloud is more than linear axes."""
    if tests.curves is None or tests.curves.kind is None:
        return {}
    kept = tests.rows_tested
    draws = _draws(tests.assumptions)
    draws["within"] = False  # the columns themselves are compared by spread and correlations
    return _groups(subject, F[kept], np.empty((len(kept), 0)), kept, draws, runner)


def _groups(
    subject: Subject,
    X: np.ndarray,
    F: np.ndarray,
    kept: np.ndarray,
    draws: Draws,
    runner: Runner,
    copies: Copies | None = None,
) -> Groups:
    """Return the evidence of each grouping."""
    if subject.groups is None:
        return {}
    columns = {name: column.iloc[kept].astype(object) for name, column in subject.groups.items()}

    def test(rng: np.random.Generator) -> Groups:
        out = {}
        for name, labels in columns.items():
            own = _without_copies(draws) if _names_copies(labels, copies) else draws
            unit, units = None, None
            if own["scheme"] in ("permutation", "sign flips"):
                unit, units = _units(subject, X, labels, kept, rng)
            known = labels.where(labels.notna(), None)
            out[name] = evidence.groups(X, F, known, rng=rng, units=units, **own)
            if units is not None:
                out[name] = replace(out[name], unit=unit)
        return out

    return runner.run("groups", test) or {}


def _units(
    subject: Subject, X: np.ndarray, labels: pd.Series, kept: np.ndarray, rng: np.random.Generator
) -> tuple[Hashable, np.ndarray | None]:
    """Return the subjects or plots that a grouping was given to, if rows of one are alike.

    They are a column of groups, or parts of row names, whose levels lie each in one group.
    """
    if subject.everything is None or labels.isna().any():
        return None, None
    codes = pd.factorize(labels)[0]
    nested: dict[int, Any] = {}
    for factor in named_factors(subject.everything.iloc[kept], X):
        count = int(factor.codes.max()) + 1
        cells = np.unique(np.stack([factor.codes, codes]), axis=1).shape[1]
        if cells == count > codes.max() + 1:
            nested.setdefault(count, factor)
    for count in sorted(nested):  # the largest units first
        units = nested[count]
        if resemblance(X, units.codes, codes, rng=rng) <= _UNIT_LEVEL:
            return units.name[0] if units.kind == "named" else None, units.codes
    return None, None


def _names_copies(labels: pd.Series, copies: Copies | None) -> bool:
    """Whether a grouping says which rows repeat each other: one row of each would tell nothing."""
    if copies is None or not copies.near:
        return False
    groups = labels.groupby(copies.labels)
    repeated = groups.size() > 1
    constant = groups.nunique(dropna=False)[repeated] == 1
    return bool(constant.all() and labels.nunique() >= _MIN_NAMED * repeated.sum())


def _without_copies(draws: Draws) -> Draws:
    scheme = "permutation" if draws["scheme"] == "copies" else draws["scheme"]
    return {key: value for key, value in draws.items() if key != "groups_of_copies"} | {
        "scheme": scheme
    }


def _numbers(
    subject: Subject,
    X: np.ndarray | None,
    F: np.ndarray,
    kept: np.ndarray,
    draws: Draws,
    runner: Runner,
) -> evidence.NumberEvidence | None:
    """Return how supplementary columns are correlated with the columns and the axes."""
    if subject.supplementary is None:
        return None
    Z = subject.supplementary.iloc[kept].to_numpy(dtype=float)
    return runner.run("numbers", lambda rng: evidence.numbers(F, Z, X=X, rng=rng, **draws))
