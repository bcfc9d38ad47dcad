"""From data to claims: fit, test, say."""

import platform
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import metadata
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone

import gramian
from gramian._core.check import (
    MAX_COUNT,
    generator,
    invalid,
    is_whole,
    known_options,
    one_of,
    whole,
)
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.nystrom import Nystrom
from gramian._estimators.pca import PCA
from gramian._study.claims import claims_of, short
from gramian._study.designs import (
    Designed,
    adjusted,
    design_table,
    explain,
    no_tests,
    set_apart,
)
from gramian._study.evidence import Runner, count_resamples, gather, kernel_groups
from gramian._study.language import Sentence
from gramian._study.methods import settings_of
from gramian._study.record import Classes, Evidence, KernelMap, RuleInput, Study, Subject
from gramian._study.stability import can_resample, map_stability, row_ellipses, steadiness
from gramian._study.subject import standardise, subject_of
from gramian.dimension import Choices, choose
from gramian.errors import RankWarning
from gramian.evidence.assumptions import ORDERS
from gramian.kernels import as_kernel
from gramian.kernels.base import Kernel
from gramian.stability.procrustes import procrustes

_MAX_READ_AXES = 6  # axes above noise that are described
_MAX_LINKED_AXES = 3  # further ones that go with a group or a supplementary column
_MAX_RULE_CELLS = 2_000_000  # of the table that the rules of dimension are applied to
_SMALL_TABLE = 40_000  # up to here all rules are applied, then those that are quick
_MAX_SEED = 2**32 - 1
_SPECTRUM_RULES = ("threshold", "kaiser", "elbow", "cattell", "broken_stick")
_MAX_EXACT_ROWS = 2_000  # up to which kernel PCA is exact
_KERNEL_RANK = 300  # landmarks beyond
_KERNEL_AXES = 5
_N_PARAGONS = 4  # rows that represent a class


def study(
    data: Any,
    *,
    seed: int = 0,
    title: str | None = None,
    kernel: Kernel | str | None = None,
    method: str = "auto",
    metric: str | None = None,
    scale: bool = True,
    clusters: int | str | None = None,
    groups_from_names: bool = False,
    supplementary_rows: str | int | Sequence[object] = (),
    order: Literal["auto", "ignored"] = "auto",
    design: str | Sequence[str] | None = None,
    within: str | None = None,
    remove: str | Sequence[str] | None = None,
    **read_options: Any,
) -> Study:
    """Analyse data and return the claims that they support, each with its test.

    Parameters
    ----------
    data : path, data frame, array, Dataset, Source, fitted estimator or reading
        A table is examined by `gramian.io.examine` first. For a map of other software, pass
        `gm.read_map(map, X)`.
    seed : int
        Seed of all random draws.
    title : str, optional
        Title of the study; the name of the data by default.
    kernel : Kernel or name, optional
        For comparing a table with kernel PCA (Gaussian by default), or for graphs and sequences.
    method : {"auto", "pca", "ca", "mca", "famd", "mfa", "classical-mds", "mds", "kernel-pca"}
        "auto" chooses by the data: PCA of standardised columns for numbers, CA for counts, MCA for
        categories, FAMD for both; classical MDS for distances; kernel PCA for graphs and sequences.
    metric : str, optional
        The distance between rows, for "classical-mds" and "mds" of a table.
    scale : bool
        Whether columns of numbers are standardised, for methods of numbers.
    clusters : int or "auto", optional
        Number of classes of the rows by `gramian.clusters.find`; "auto": as many as a test finds.
    groups_from_names : bool
        MFA of groups of columns with a common prefix: odor.fruity, odor.smoky, …
    supplementary_rows : list of names
        Rows that are placed on the axes, but do not contribute to them.
    order : "auto" or "ignored"
        "auto" examines the order of the rows: rows in the order of a design (groups in blocks or
        alternating, given by a column or not, or a sorted column) are tested like shuffled ones,
        rows of a series by tests for series, where available. "ignored": the order has no meaning.
    design : str or list of str, optional
        Factors of an experiment, such as "treatment * time", as for `gm.Design`: the share of the
        inertia of each is reported with its test and map.
    within : str, optional
        Column of subjects that were measured several times. Rows are then not independent, and
        only the design is tested.
    remove : str or list of str, optional
        Columns (batch, run, …) whose effect is removed before the analysis.
    **read_options
        Those of `gramian.io.read`: active=, group=, missing=, …

    Examples
    --------
    >>> study = gm.study(gm.datasets.iris())
    >>> [c.axis for c in study.claims if c.kind == "axis-group"][:1]
    [1]
    """
    known_options(read_options, study, gramian.io.read)
    seed = whole(seed, "seed", 0, _MAX_SEED, what="the largest seed")
    kernel = None if kernel is None else as_kernel(kernel)
    settings = settings_of(method, metric, kernel, scale, groups_from_names, supplementary_rows)
    one_of(order, "order", ORDERS)
    plan = prepare = None
    if not (design is None and within is None and remove is None):
        plan = gramian.Design(design, within, remove)
        prepare = partial(set_apart, plan)
    subject = subject_of(data, settings, title=title, prepare=prepare, **read_options)
    subject = replace(subject, order=order)
    number = _cluster_number(clusters, subject.n)
    n, p = (subject.n, subject.n) if subject.table is None else subject.table.shape
    runner = Runner(seed, float(n) * p * min(n, p))
    designed = None
    if plan is not None:
        columns = design_table(subject, plan.column_names)
        before, subject = subject, adjusted(subject, plan, columns)
        designed = explain(before, plan, columns, runner)
    fit, fit_warnings = _fit(subject)
    tests = gather(subject, fit, runner) if within is None else no_tests(subject, within, runner)
    read = _read_axes(fit, tests)
    other_map, groups_on_kernel = None, {}
    table = subject.table
    if table is not None and table.shape[1] > 1 and not subject.has_weights:
        other_map = runner.run("kernel", lambda rng: kernel_map(fit, table, seed, kernel))
    if other_map is not None:
        curved = np.asarray(other_map.fit.coordinates_, dtype=float)
        groups_on_kernel = kernel_groups(subject, tests, curved, runner)
    shown = min(fit.n_components_, max(2, *read, 0))
    rule_input, resamples = _rule_input(subject), count_resamples(subject, fit)
    stability = None
    if can_resample(subject) and (table is None or not isinstance(fit, PCA)):
        if subject.has_weights:
            runner.skip(["stability"], Sentence("claim.untested.reason.resampling"))
        else:
            stability = runner.run(
                "stability", lambda rng: map_stability(subject, shown, resamples, seed)
            )
    classes = None
    if number == "auto" and "assumptions" in runner.failures:
        runner.skip(["classes"], Sentence("claim.untested.reason.assumptions"))
    elif number is not None:
        classes = runner.run("classes", lambda rng: classes_of(subject, fit, tests.q, number, seed))
    result = Study(
        subject=subject,
        fit=fit,
        q=tests.q,
        tested=tests.tested,
        read=read,
        shown=shown,
        shares=_shares(fit),
        evidence=tests,
        choices=runner.run("choices", lambda rng: _choices(subject, fit, rule_input, seed)),
        asked=rule_input,
        kernel_map=other_map,
        kernel_groups=groups_on_kernel,
        stability=stability,
        resamples=resamples,
        color=_color(subject, fit, designed)
        if classes is None
        else classes.found.labels.astype(str),
        classes=classes,
        designed=designed,
        seed=seed,
        fit_warnings=tuple(fit_warnings),
        versions=versions(),
    )
    steady = runner.run("steadiness", lambda rng: steadiness(result, rng))
    result = replace(result, steadiness=steady)
    result = replace(result, places=runner.run("places", lambda rng: row_ellipses(result, rng)))
    claims = claims_of(result)
    return replace(result, claims=claims, short=short(claims, read))


def outline(
    data: Any,
    *,
    seed: int = 0,
    clusters: int | str | None = None,
    title: str | None = None,
    read_options: dict[str, Any] | None = None,
    **settings: Any,
) -> Study:
    """Return a study without tests and claims: the fit, its classes and what draws its map.

    It takes as long as the fit alone. `settings` are the options of `study` that concern the
    method: method=, metric=, kernel=, scale=, groups_from_names=, supplementary_rows=.
    """
    subject = subject_of(data, settings_of(**settings), title=title, **(read_options or {}))
    number = _cluster_number(clusters, subject.n)
    fit, fit_warnings = _fit(subject)
    axes = min(2, fit.n_components_)
    return Study(
        subject=subject,
        fit=fit,
        q=0,
        tested=False,
        read=tuple(range(1, axes + 1)),
        shown=axes,
        shares=_shares(fit),
        evidence=Evidence(np.arange(0)),
        color=_color(subject, fit, None),
        classes=None if number is None else classes_of(subject, fit, axes, number, seed),
        seed=seed,
        fit_warnings=tuple(fit_warnings),
        versions=versions(),
    )


def _cluster_number(value: object, n: float = MAX_COUNT) -> int | str | None:
    """Return None, "auto" or a number of classes, at most n."""
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if is_whole(value):
        return whole(value, "clusters", 2, n, what="the rows")
    raise invalid("clusters", value, 'must be None, "auto" or a whole number')


def classes_of(subject: Subject, fit: Any, q: int, number: int | str, seed: int) -> Classes:
    """Return the classes of the rows on the axes that are read."""
    axes = min(max(2, q), fit.n_components_)
    count = number if isinstance(number, int) else None
    found = gramian.clusters.find(fit, count, n_axes=axes, random_state=seed)
    table = subject.X if subject.kind == "table" else None
    summary = found.axes() if table is None else gramian.clusters.describe(found.labels, table)
    return Classes(found, axes, summary.classes, found.paragons(_N_PARAGONS))


def kernel_map(fit: Any, X: pd.DataFrame, seed: int, kernel: Kernel | None) -> KernelMap | None:
    """Return kernel PCA (Gaussian by default) of standardised columns; None for a single axis."""
    if fit.n_components_ < 2:
        return None
    n = len(X)
    Z = pd.DataFrame(standardise(X.to_numpy(dtype=float)), index=X.index, columns=X.columns)
    rank = None if n <= _MAX_EXACT_ROWS else _KERNEL_RANK
    curved = KernelPCA(
        n_components=min(_KERNEL_AXES, n - 1),
        kernel="gaussian" if kernel is None else kernel,
        approximation=None if rank is None else Nystrom(rank=rank, random_state=seed),
        indefinite="raise" if kernel is None else "clip",
        random_state=seed,
    ).fit(Z)
    maps = [np.asarray(each.coordinates_, dtype=float)[:, :2] for each in (fit, curved)]
    return KernelMap(curved, kernel, rank, procrustes(*maps, symmetric=True).correlation)


def _fit(subject: Subject) -> tuple[Any, list[str]]:
    """Fit the axes that carry inertia, and keep what the fit warned about."""
    if subject.fitted is not None:
        return subject.fitted, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit = clone(subject.estimator).fit(subject.X)
        values = np.asarray(fit.eigenvalues_, dtype=float)
        live = int((values > 1e-10 * values.max()).sum())
        if live < len(values):
            fit = clone(subject.estimator).set_params(n_components=max(live, 1)).fit(subject.X)
    texts = [str(w.message) for w in caught if not issubclass(w.category, RankWarning)]
    return fit, list(dict.fromkeys(texts))


def _shares(fit: Any) -> np.ndarray:
    """Return what each axis carries of the positive inertia: it never adds up to more than all."""
    negative = abs(float(getattr(fit, "negative_inertia_", 0.0) or 0.0))
    values = np.asarray(fit.eigenvalues_, dtype=float)
    shares = values / (float(fit.inertia_) + negative)
    whole = float(shares.sum())
    return shares / whole if 1.0 < whole < 1.0 + 1e-12 else shares  # rounding


def _read_axes(fit: Any, tests: Evidence) -> tuple[int, ...]:
    """Return the axes to describe: above noise, linked to a column, and those of the map."""
    above = range(1, min(tests.q, _MAX_READ_AXES) + 1)
    further = [k for k in tests.linked_axes if k > tests.q][:_MAX_LINKED_AXES]
    return tuple(sorted(k for k in {1, 2, *above, *further} if k <= fit.n_components_))


def _rule_input(subject: Subject) -> RuleInput:
    """Look at a sample of the rows where the table is large, and leave out what would be slow."""
    if subject.table is None:
        return RuleInput()
    n, p = subject.table.shape
    rows = None if n * p <= _MAX_RULE_CELLS or n <= 200 else min(n, max(200, _MAX_RULE_CELLS // p))
    small = (rows or n) * p <= _SMALL_TABLE
    return RuleInput(rows) if small else RuleInput(rows, {"quick": True, "n_permutations": 199})


def _choices(subject: Subject, fit: Any, rule_input: RuleInput, seed: int) -> Choices | None:
    if "n_components" not in subject.estimator.get_params():  # a map that was read, not fitted
        return None
    if subject.method == "mfa" or fit.method_name == "MFA" or not fit.has_spectrum:
        return None  # groups are balanced anew in every draw; sparse axes depend on their number
    if subject.method == "ca":  # shuffled counts have other totals, which make axes by themselves
        return choose(fit, rules=list(_SPECTRUM_RULES), random_state=seed)
    if subject.table is None or subject.fitted is not None:
        return choose(fit, random_state=seed)
    X = subject.table.to_numpy()
    if rule_input.rows is not None:
        X = X[np.sort(generator(seed).choice(len(X), rule_input.rows, replace=False))]
    return choose(clone(subject.estimator), X, random_state=seed, **rule_input.options)


def _color(subject: Subject, fit: Any, designed: Designed | None) -> pd.Series | None:
    """Return the first factor of the design, or the column that the first axes represent best."""
    if designed is not None and designed.maps:
        term = next(iter(designed.maps.values()))
        return pd.Series(term.labels[-subject.n :], index=subject.index)
    groups = subject.groups
    if groups is not None:
        eta2 = fit.categories(groups)["eta2"].groupby(level=0, sort=False).first().iloc[:, :2]
        share = np.asarray(fit.inertia_ratio_)[: eta2.shape[1]]
        name = (eta2 * share).sum(axis=1).idxmax()
        return groups.iloc[:, list(groups.columns).index(name)]
    extra = subject.supplementary
    if extra is None:
        return None
    kind = {"kind": "numbers"} if subject.method == "ca" else {}  # which need not be counts
    cos2 = fit.variables(extra, **kind)["cos2"].iloc[:, :2].sum(axis=1)
    best = extra.iloc[:, int(np.argmax(cos2.to_numpy()))]
    return best if best.notna().any() else None


def versions() -> dict[str, str]:
    """Return the versions of what a page rests on."""
    versions = {"gramian": gramian.__version__, "python": platform.python_version()}
    for name in ("numpy", "scipy", "scikit-learn", "pandas", "plotly"):
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions
