"""From data to claims: fit, test, say."""

from __future__ import annotations

import platform
import warnings
from dataclasses import replace
from importlib import metadata
from typing import Any

import numpy as np
from sklearn.base import clone

import gramian
from gramian._core.check import generator, whole
from gramian._estimators.pca import PCA
from gramian._study.claims import claims_of, short
from gramian._study.classes import check_number, checked_clusters, class_claims, classes_of
from gramian._study.gather import (
    Parts,
    analysed,
    gather,
    kernel_groups,
    resamples,
    tied_axes,
)
from gramian._study.kernel_map import kernel_map
from gramian._study.language import Sentence
from gramian._study.methods import settings_of
from gramian._study.opening import subject_of
from gramian._study.places import ellipses, places
from gramian._study.record import Evidence, RuleInput, Study
from gramian._study.subject import Subject
from gramian.dimension import Choices, choose
from gramian.errors import RankWarning
from gramian.evidence.shapes import calm
from gramian.kernels import as_kernel
from gramian.stability import bootstrap

_READ = 6  # axes above noise that are described, at most
_TIED = 3  # further ones that go with a group or a supplementary column
_ENTRIES = 2_000_000  # of the table the rules of dimension look at
_SMALL = 40_000  # up to here all rules are asked, then those that are quick
_SEEDS = 2**32 - 1
_OF_SPECTRA = ("threshold", "kaiser", "elbow", "cattell", "broken_stick")
_POINTS = 200  # rows whose ellipses can be seen at all


def study(
    data: Any,
    *,
    seed: int = 0,
    title: str | None = None,
    kernel: Any = None,
    method: str = "auto",
    metric: str | None = None,
    scale: bool = True,
    clusters: int | str | None = None,
    groups_from_names: bool = False,
    supplementary_rows: Any = (),
    **read_options: Any,
) -> Study:
    """Analyse data and return what may be said of them, each claim with its test.

    Parameters
    ----------
    data : path, data frame, array, Dataset, Source, fitted estimator or reading
        A table is looked at by `gramian.io.examine` first. A map that was made elsewhere comes as
        `gm.read(map, X)` gives it.
    seed : int
        For everything that draws at random.
    title : str, optional
    kernel : Kernel or name, optional
        For the comparison of a table with kernel PCA (Gaussian by default), or for graphs and
        sequences.
    method : {"auto", "pca", "ca", "mca", "famd", "mfa", "classical-mds", "mds", "kernel-pca"}
        "auto" takes what suits the data: PCA of standardised columns for numbers, CA for counts,
        MCA for categories, FAMD for both; classical MDS for distances; kernel PCA for graphs and
        sequences.
    metric : str, optional
        The distance between rows, for "classical-mds" and "mds" of a table.
    scale : bool
        Whether columns of numbers are standardised, for methods of numbers.
    clusters : int or "auto", optional
        Classes of the rows by `gramian.clusters.find`, so many or as many as a test finds.
    groups_from_names : bool
        MFA of columns in groups, by what their names start with: odor.fruity, odor.smoky, …
    supplementary_rows : list of names
        Rows that are placed on the axes without having made them.
    **read_options
        Those of `gramian.io.read`: active=, group=, missing=, …

    Returns
    -------
    Study

    Examples
    --------
    >>> import gramian as gm
    >>> study = gm.study(gm.datasets.iris())
    >>> [c.axis for c in study.claims if c.kind == "axis-group"][:1]
    [1]
    """
    seed = whole(seed, "seed", 0, _SEEDS, what="the largest seed")
    kernel = None if kernel is None else as_kernel(kernel)
    settings = settings_of(method, metric, kernel, scale, groups_from_names, supplementary_rows)
    number = checked_clusters(clusters)
    subject = subject_of(data, settings, title=title, **read_options)
    check_number(number, subject.n)
    parts = Parts(seed, _operations(subject))
    fit, fit_warnings = _fitted(subject)
    tests = gather(subject, fit, parts)
    read = _read(fit, tests)
    chart, groups_on_kernel = None, {}
    if subject.table is not None and subject.table.shape[1] > 1 and not subject.weighted:
        table = subject.table
        chart = parts.take("kernel", lambda rng: kernel_map(fit, table, seed, kernel))
    if chart is not None:
        curved = np.asarray(chart.fit.coordinates_, dtype=float)
        groups_on_kernel = kernel_groups(subject, tests, curved, parts)
    shown = min(fit.n_components_, max(2, *read, 0))
    rule_input, resample_count = _rule_input(subject), resamples(subject)
    stability = None
    if _is_sample(subject) and (subject.table is None or not isinstance(fit, PCA)):
        if subject.weighted:
            parts.skip(["stability"], Sentence("claim.untested.reason.resampling"))
        else:
            stability = parts.take(
                "stability", lambda rng: _stability(subject, shown, resample_count, seed)
            )
    classes = None
    if number == "auto" and "assumptions" in parts.failures:
        parts.skip(["classes"], Sentence("claim.untested.reason.assumptions"))
    else:
        classes = parts.take("classes", lambda rng: classes_of(subject, fit, tests.q, number, seed))
    color = _color(subject, fit) if classes is None else classes.found.labels.astype(str)
    result = Study(
        subject=subject,
        fit=fit,
        q=tests.q,
        tested=tests.tested,
        read=read,
        shown=shown,
        shares=_shares(fit),
        evidence=tests,
        choices=parts.take("choices", lambda rng: _choices(subject, fit, rule_input, seed)),
        asked=rule_input,
        kernel_map=chart,
        kernel_groups=groups_on_kernel,
        stability=stability,
        places=None,
        resamples=resample_count,
        color=color,
        classes=classes,
        seed=seed,
        fit_warnings=tuple(fit_warnings),
        versions=versions(),
    )
    result = replace(result, places=parts.take("places", lambda rng: _places(result, rng)))
    claims = (*claims_of(result), *class_claims(classes))
    return replace(result, claims=claims, short=short(claims, read))


def _operations(subject: Subject) -> float:
    """Return what a product of the table with itself takes, or of the objects with each other."""
    n, p = (subject.n, subject.n) if subject.table is None else subject.table.shape
    return float(n) * p * min(n, p)


def _fitted(subject: Subject) -> tuple[Any, list[str]]:
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


def _read(fit: Any, tests: Evidence) -> tuple[int, ...]:
    """Return the axes to describe: above noise, tied to a column, and those of the map."""
    tied = tied_axes(tests.groups, tests.group_p_values, tests.numbers)
    above = range(1, min(tests.q, _READ) + 1)
    further = [k for k in tied if k > tests.q][:_TIED]
    return tuple(sorted(k for k in {1, 2, *above, *further} if k <= fit.n_components_))


def _rule_input(subject: Subject) -> RuleInput:
    """Look at a sample of the rows where the table is large, and leave out what would be slow."""
    if subject.table is None:
        return RuleInput()
    n, p = subject.table.shape
    rows = None if n * p <= _ENTRIES or n <= 200 else min(n, max(200, _ENTRIES // p))
    small = (rows or n) * p <= _SMALL
    return RuleInput(rows) if small else RuleInput(rows, {"quick": True, "n_permutations": 199})


def _choices(subject: Subject, fit: Any, rule_input: RuleInput, seed: int) -> Choices | None:
    if "n_components" not in subject.estimator.get_params():  # a map that was read, not fitted
        return None
    if subject.method == "mfa":
        return None  # its groups are balanced anew in every draw: no rule was made for that
    if subject.method == "ca":  # shuffled counts have other totals, which make axes by themselves
        return choose(fit, rules=list(_OF_SPECTRA), random_state=seed)
    if subject.table is None or subject.fitted is not None:
        return choose(fit, random_state=seed)
    X = subject.table.to_numpy()
    if rule_input.rows is not None:
        X = X[np.sort(generator(seed).choice(len(X), rule_input.rows, replace=False))]
    return choose(clone(subject.estimator), X, random_state=seed, **rule_input.options)


def _is_sample(subject: Subject) -> bool:
    """Whether rows can be drawn again: not those of distances, counts, or a map that was read."""
    if "n_components" not in subject.estimator.get_params():
        return False
    return subject.method != "mds" and all(f.kind != "contingency" for f in subject.findings)


def _stability(subject: Subject, q: int, count: int, seed: int) -> Any:
    """Return the map over resamples."""
    estimator, X = clone(subject.estimator).set_params(n_components=q), subject.X
    if subject.table is not None:
        X = subject.table.to_numpy()
    return bootstrap(estimator, X, n_resamples=count, random_state=seed)


def _places(study: Study, rng: np.random.Generator) -> Any:
    """Return the ellipses of rows on the map over resamples, where they can be seen."""
    subject, fit, stability = study.subject, study.fit, study.stability
    if subject.n > _POINTS or subject.weighted or fit.n_components_ < 2:
        return None
    if not study.has_columns:
        shown = stability is not None and calm(np.asarray(fit.coordinates_, dtype=float), rng)
        return stability.ellipses((1, 2)) if shown else None
    state = study.evidence.assumptions
    if state is None or state.scheme != "permutation":
        return None  # rows are no independent draws of one law
    assert subject.table is not None
    X, F = analysed(fit, subject.table), np.asarray(fit.coordinates_, dtype=float)[:, :2]
    if not calm(X, rng):
        return None  # a few rows make them too small
    return ellipses(places(X, F, study.resamples, rng, fit.scale), F, subject.index)


def _color(subject: Subject, fit: Any) -> Any:
    """Return the column that the first two axes show best, if any."""
    groups = subject.groups
    if groups is not None:
        eta2 = fit.categories(groups)["eta2"].groupby(level=0, sort=False).first().iloc[:, :2]
        share = np.asarray(fit.inertia_ratio_)[: eta2.shape[1]]
        name = (eta2 * share).sum(axis=1).idxmax()
        return groups.iloc[:, list(groups.columns).index(name)]
    extra = subject.supplementary
    if extra is None:
        return None
    cos2 = fit.variables(extra)["cos2"].iloc[:, :2].sum(axis=1)
    best = extra.iloc[:, int(np.argmax(cos2.to_numpy()))]
    return best if best.notna().any() else None


def versions() -> dict[str, str]:
    """Return the versions of what a page rests on."""
    names = ("numpy", "scipy", "scikit-learn", "pandas", "plotly")
    versions = {"gramian": gramian.__version__, "python": platform.python_version()}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions
