"""The study behind a report: everything is computed here, nothing is said or drawn."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone

import gramian
from gramian._check import generator
from gramian.dimension import Choices, choose
from gramian.errors import InputError, RankWarning
from gramian.kernels import Kernel, as_kernel
from gramian.report.axes import AxisStory, stories
from gramian.report.linearity import Linearity, linearity
from gramian.report.outliers import outliers
from gramian.report.subject import Fact, Subject, subject_of
from gramian.stability import bootstrap

__all__ = ["Study", "study"]

_READ = 5  # axes described, at most
_ENTRIES = 2_000_000  # of the table the rules of dimension look at
_SMALL = 400_000  # up to here all rules are asked, then those that are quick
T = TypeVar("T")


@dataclass(frozen=True)
class RuleInput:
    """How the rules of dimension were asked: on how many rows (None: all), with what options."""

    rows: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Study:
    """All that a report says, as numbers.

    `q` is the number of axes that stand out of noise (parallel analysis) or, where there are no
    columns to permute, the consensus of the rules; `axes` holds one story for each axis described.

    Examples
    --------
    >>> import gramian as gm
    >>> study = gm.report.study(gm.datasets.iris().data.iloc[:40])
    >>> study.q, study.tested, len(study.axes)
    (1, True, 1)
    """

    subject: Subject
    fit: Any
    q: int
    tested: bool  # whether q rests on a test against noise
    shown: int  # axes in the tables
    choices: Choices | None
    asked: RuleInput
    axes: list[AxisStory]
    outliers: pd.DataFrame
    stability: Any
    resamples: int
    linearity: Linearity | None
    color: Any  # the grouping or number that says most about the first axes
    seed: int
    facts: tuple[Fact, ...] = ()
    failures: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        name, n = type(self.fit).__name__, self.subject.n
        axes = f"{self.q} axes stand out of noise" if self.tested else f"{self.q} axes are read"
        return f"Study({self.subject.title!r}: {name} of {n} individuals, {axes})"

    @property
    def bent(self) -> bool:
        """Whether there is clear evidence that straight axes are not enough."""
        evidence = self.linearity
        return evidence is not None and (evidence.p_value < 0.01 or bool(evidence.revealed))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to interpret."""
        return self.tested and self.q == 0 and not self.bent


def study(
    data: Any,
    *,
    seed: int = 0,
    title: str | None = None,
    kernel: Any = None,
    **read_options: Any,
) -> Study:
    """Analyse data: fit, count the axes, read them, resample, compare with kernel PCA.

    `kernel` is the one of that comparison, or that graphs and sequences are compared by.

    Examples
    --------
    >>> import gramian as gm
    >>> study(gm.datasets.iris().data).q
    1
    """
    kernel = None if kernel is None else as_kernel(kernel)
    subject = subject_of(data, title=title, kernel=kernel, **read_options)
    attempts = _Attempts()
    fit, facts = _fitted(subject)
    rule_input = _rule_input(subject)
    choices = attempts.take("choices", lambda: _choices(subject, fit, rule_input, seed))
    q, tested, p_values = _count(choices, fit)
    shown = min(fit.n_components_, max(2, min(q, _READ)))
    resamples = _resamples(subject)
    stable = attempts.take("stability", lambda: _stability(subject, shown, resamples, seed))
    read = min(q, _READ, fit.n_components_)
    axes = stories(
        fit,
        read,
        table=subject.table,
        illustrative=subject.illustrative,
        p_values=p_values,
        stability=stable,
    )
    far = attempts.take("outliers", lambda: outliers(fit, max(1, min(q, fit.n_components_))))
    curved = attempts.take("linearity", lambda: _linearity(subject, fit, seed, kernel))
    return Study(
        subject=subject,
        fit=fit,
        q=q,
        tested=tested,
        shown=shown,
        choices=choices,
        asked=rule_input,
        axes=axes,
        outliers=pd.DataFrame(columns=["position", "along", "across"]) if far is None else far,
        stability=stable,
        resamples=resamples,
        linearity=curved,
        color=_color(subject, fit),
        seed=seed,
        facts=(*subject.facts, *facts),
        failures=attempts.failures,
        versions=_versions(),
    )


class _Attempts:
    """Parts that odd data may make impossible: the report then says so, and why."""

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}

    def take(self, name: str, part: Callable[[], T]) -> T | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say is told by the numbers of each part
            try:
                return part()
            except (ValueError, TypeError, ArithmeticError, np.linalg.LinAlgError) as error:
                self.failures[name] = str(error)
                return None


def _fitted(subject: Subject) -> tuple[Any, list[Fact]]:
    """Fit the axes that carry inertia, and note what the fit warned about."""
    if subject.fitted is not None:
        return subject.fitted, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit = clone(subject.estimator).fit(subject.X)
        values = np.asarray(fit.eigenvalues_, dtype=float)
        live = int((values > 1e-10 * values.max()).sum())
        if live < len(values):
            fit = clone(subject.estimator).set_params(n_components=max(live, 1)).fit(subject.X)
    texts = dict.fromkeys(str(w.message) for w in caught if not issubclass(w.category, RankWarning))
    facts = [Fact("heard", {"text": text}) for text in texts]
    negative = float(getattr(fit, "negative_inertia_", 0.0) or 0.0)
    if negative:
        share = abs(negative) / (float(fit.inertia_) + abs(negative))
        facts = [Fact("negative", {"share": share})]
    return fit, facts


def _rule_input(subject: Subject) -> RuleInput:
    """Look at a sample of the rows where the table is large, and leave out what would be slow."""
    if subject.table is None:
        return RuleInput()
    n, p = subject.table.shape
    rows = None if n * p <= _ENTRIES or n <= 200 else min(n, max(200, _ENTRIES // p))
    if (rows or n) * p <= _SMALL and p <= 5_000:
        return RuleInput(rows)
    return RuleInput(rows, {"quick": True})


def _choices(subject: Subject, fit: Any, rule_input: RuleInput, seed: int) -> Choices:
    if subject.table is None or subject.fitted is not None:
        return choose(fit, random_state=seed)
    X = subject.table.to_numpy()
    if rule_input.rows is not None:
        X = X[np.sort(generator(seed).choice(len(X), rule_input.rows, replace=False))]
    return choose(clone(subject.estimator), X, random_state=seed, **rule_input.options)


def _count(choices: Choices | None, fit: Any) -> tuple[int, bool, np.ndarray | None]:
    """Return how many axes stand out, whether that was tested, and the p-values."""
    if choices is None:
        return 1, False, None
    if fit.n_components_ == 1 and len(choices) and len(np.asarray(fit.eigenvalues_)) == 1:
        return 1, False, None  # a single column cannot be compared with noise
    parallel = choices.evidence.get("parallel")
    if parallel is None:
        return max(1, min(choices.consensus, fit.n_components_)), False, None
    return parallel.n_components, True, np.asarray(parallel.p_values)


def _resamples(subject: Subject) -> int:
    """Return a number of resamples that a few seconds allow."""
    size = subject.n * (subject.table.shape[1] if subject.table is not None else subject.n)
    return 200 if size <= 200_000 else 60 if size <= 2_000_000 else 30


def _stability(subject: Subject, q: int, resamples: int, seed: int) -> Any:
    if subject.weighted:
        raise InputError("the rows of this fit have weights, which resampling does not know")
    estimator, X = clone(subject.estimator).set_params(n_components=q), subject.X
    if subject.table is not None:
        X = subject.table.to_numpy()
    return bootstrap(estimator, X, n_resamples=resamples, random_state=seed)


def _linearity(subject: Subject, fit: Any, seed: int, kernel: Kernel | None) -> Linearity | None:
    if subject.table is None or subject.table.shape[1] < 2 or subject.weighted:
        return None
    return linearity(fit, subject.table, subject.groups, seed, kernel)


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


def _versions() -> dict[str, str]:
    names = ("numpy", "scipy", "scikit-learn", "pandas", "plotly")
    versions = {"gramian": gramian.__version__, "python": platform.python_version()}
    return versions | {name: metadata.version(name) for name in names}
