"""The records of a study: its input, the results of its tests, its claims, and itself."""

from __future__ import annotations

import html
from collections.abc import Hashable, Sized
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from gramian import evidence as tests
from gramian._core.views import Facts, facts_html
from gramian._estimators.pca import PCA
from gramian._nulls.corrections import ALPHA, Family, weighted_holm
from gramian._study.language import Sentence, Voice
from gramian._study.methods import Settings
from gramian.dimension import Choices
from gramian.kernels.base import Kernel

if TYPE_CHECKING:
    from gramian._study.designs import Designed
    from gramian.clusters import Clusters
    from gramian.stability import Stability

KINDS = (
    *("axes", "nothing", "axis-group", "group", "axis-variable", "row", "curve", "cluster"),
    *("stability", "tie", "assumption", "not-tested", "data", "design"),
)
# Methods by the kind of table, each with a sentence of its own.
_KINDS_SAID = {
    *("ca.abundances", "ca.presence", "ca.contingency", "pca.scores", "pca.composition"),
    *("pca.expression", "pca.genotypes", "mca.codes", "famd.codes", "mca.cells", "mca.categories"),
}
IMPUTED = ("iterative", "mean", "median")  # ways of filling in missing values


@dataclass(frozen=True)
class NullTest:
    """The test behind a claim: its name, and the sentences of its null and its assumption."""

    name: str  # "axes", "groups", "numbers", "loadings", "rows", "curves" or "clusters"
    null: str  # keys of the catalogue
    assumption: str


@dataclass(frozen=True)
class Claim(Facts):
    """One sentence about the data, and the test that supports it.

    Attributes
    ----------
    kind : str
        "axes" (above noise), "axis-group", "group", "axis-variable", "tie" (a supplementary column
        is associated with an axis), "row" (an outlier), "curve", "cluster": findings. "nothing": a
        test without a finding; with subject "nothing", all tests. "design": the share explained by
        a term of the design. "stability", "assumption" (violated by the data), "not-tested", "data"
        (a description).
    subject : str
        The column, group, row or finding concerned.
    axis : int or None
        Counted from 1.
    p_value, effect : float or None
    effect_name : str
        What `effect` measures.
    null, assumption : str
        The null hypothesis of the test, and what it needs to be valid.
    text : str
        The sentence in English; `say` gives it in another language.
    tested : bool
        Whether a test supports it; False: it describes the data.

    Examples
    --------
    >>> axes = [c for c in gm.study(gm.datasets.iris()).claims if c.kind == "axes"]
    >>> axes[0].effect_name, axes[0].p_value < 0.05
    ('axes', True)
    """

    kind: str
    subject: str
    axis: int | None
    p_value: float | None
    effect: float | None
    effect_name: str
    null: str
    assumption: str
    text: str
    sentence: Sentence = field(repr=False, compare=False)
    test: NullTest | None = field(default=None, repr=False, compare=False)

    @property
    def tested(self) -> bool:
        """Whether a test supports it; what is described was read off the data without one."""
        return self.p_value is not None

    def say(self, language: str = "en") -> str:
        """Return the sentence in "en" or "fr"."""
        voice = Voice(language)
        return voice.capitalize(voice.say(self.sentence))


class Claims(tuple[Claim, ...]):
    """Claims, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        sentences = {str(k): claim.text for k, claim in enumerate(self, start=1)}
        return facts_html(f"{len(self)} claims", sentences)


def claim(
    kind: str,
    sentence: Sentence,
    subject: object = "",
    axis: int | None = None,
    *,
    p_value: float | None = None,
    effect: float | None = None,
    effect_name: str = "",
    test: NullTest | None = None,
) -> Claim:
    """Return a claim in the words of a sentence of the catalogue."""
    voice = Voice()
    return Claim(
        kind,
        str(subject),
        axis,
        None if p_value is None else float(p_value),
        None if effect is None else float(effect),
        effect_name,
        "" if test is None else voice.say(Sentence(test.null)),
        "" if test is None else voice.say(Sentence(test.assumption)),
        voice.capitalize(voice.say(sentence)),
        sentence,
        test,
    )


def side_key(low: Sized, high: Sized) -> str:
    """Return the sides of an axis that have something to name: both, one of them or none."""
    if len(low) and len(high):
        return "both"
    return "low" if len(low) else "high" if len(high) else "none"


def not_tested(part: str, reason: Sentence) -> Claim:
    """Return the claim that a part of the study was not tested, and why."""
    values = {"part": Sentence(f"claim.part.{part}"), "reason": reason}
    return claim("not-tested", Sentence("claim.untested.part", values), part)


@dataclass(frozen=True, eq=False)
class Subject:
    """What is analysed and how.

    `X` is what the estimator is fitted to; `table` the same rows as a table of variables, where
    there is one.
    """

    kind: str  # "table", "distances", "graphs", "sequences" or "fit"
    title: str
    index: pd.Index
    X: Any
    estimator: Any
    table: pd.DataFrame | None = None
    supplementary: pd.DataFrame | None = None
    groups: pd.DataFrame | None = None
    notes: tuple[Any, ...] = ()
    warnings: tuple[Any, ...] = ()
    everything: pd.DataFrame | None = None  # all columns of the rows, whatever their role
    path: str | None = None
    read_options: dict[str, Any] | None = None  # None where they are not known
    code: str = ""  # that makes the data, where it is known
    steps: tuple[str, ...] = ()  # lines that repeat what was done to them after reading
    missing: str | None = None  # how missing values were treated
    lost: Sentence | None = None  # what would have been lost otherwise
    dropped: tuple[Any, ...] = ()  # constant columns
    kernel: Kernel | None = None  # on graphs or sequences
    fitted: Any = None  # an estimator that was fitted by the caller
    method: str = ""  # by its name, where a study chose it or was given it
    content: str = ""  # the kind of a table
    settings: Settings | None = None
    findings: tuple[Any, ...] = ()  # of gm.io.examine
    placed: pd.DataFrame | None = None  # supplementary rows
    order: Literal["auto", "ignored"] = "auto"  # whether the order of rows is looked at

    @property
    def has_weights(self) -> bool:
        """Whether the rows have weights, those of a fit made by the caller."""
        return getattr(self.fitted, "weights_", None) is not None

    @property
    def is_imputed(self) -> bool:
        """Whether missing values were filled in, by the study or by the reader of the data."""
        ways = [self.missing, *(getattr(text, "key", None) for text in self.warnings)]
        return any(way in IMPUTED for way in ways)

    @property
    def reasons(self) -> tuple[Any, ...]:
        """How the data were read, and why they are analysed as they are."""
        return self.notes if self.method_reason is None else (*self.notes, self.method_reason)

    @property
    def method_reason(self) -> Sentence | None:
        """What kind of table this is and how it is analysed, where that was not requested."""
        if self.settings is None or self.settings.method != "auto" or self.kind != "table":
            return None
        numbers = self.X.select_dtypes("number").shape[1]
        counts = {"numbers": numbers, "categories": self.X.shape[1] - numbers}
        key = f"{self.method}.{self.content}"
        beside = key == "mca.categories" and self.supplementary is not None
        if key not in _KINDS_SAID or beside:
            key = self.method
        return Sentence(f"claim.data.method.{key}", counts)

    @property
    def n(self) -> int:
        """How many rows or objects."""
        return len(self.index)


Groups = dict[Any, tests.GroupEvidence]  # by the name of the grouping


# What groupings are compared by, and the part of their level that each has.
GROUP_LEVELS = {"means": 0.8, "spread": 0.1, "correlation": 0.1}


def _group_tests(groups: Groups) -> dict[tuple[Any, str], float]:
    """Return the p-values of groupings, corrected for all of them; NaN where not tested."""
    keys = [(name, kind) for name in groups for kind in GROUP_LEVELS]
    found = [
        groups[name] if kind == "means" else getattr(groups[name], kind) for name, kind in keys
    ]
    p = [np.nan if test is None or test.p_value is None else test.p_value for test in found]
    levels = np.array([GROUP_LEVELS[kind] for _, kind in keys])
    return dict(zip(keys, weighted_holm(np.array(p), levels).tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Community:
    """What ecologists look at in a table of abundances, by permutation tests."""

    gradients: pd.DataFrame | None  # of supplementary numbers on the map, as `ecology.gradients`
    groups: dict[Any, tuple[float, float, float]]  # R² and p of PERMANOVA, p of the dispersions
    arch: float  # R² of axis 2 as a parabola of axis 1
    row: tuple[Any, int, float] | None  # the row that makes most of an axis, the axis, the share


@dataclass(frozen=True, eq=False)
class Evidence:
    """The results of the tests of a study; None where one was not possible."""

    rows_tested: np.ndarray  # positions of the rows that were tested
    assumptions: tests.Assumptions | None = None
    axes: tests.AxesEvidence | None = None
    rows: tests.RowsEvidence | None = None
    carried: dict[int, tests.Carried] = field(default_factory=dict)
    directions: tests.Directions | None = None
    loadings: tests.LoadingEvidence | None = None
    groups: Groups = field(default_factory=dict)
    numbers: tests.NumberEvidence | None = None
    curves: tests.CurveEvidence | None = None
    independence: tests.Independence | None = None
    community: Community | None = None
    family: Family = field(default_factory=lambda: Family((), {}))
    failures: dict[str, Sentence] = field(default_factory=dict)  # part → the reason

    @property
    def scheme(self) -> str:
        """The draws that are valid for these rows."""
        return "permutation" if self.assumptions is None else str(self.assumptions.scheme)

    @property
    def q(self) -> int:
        """The number of axes above noise, 0 where none was tested."""
        return self.family.n_axes

    @property
    def tested(self) -> bool:
        """Whether axes were tested against noise."""
        return self.axes is not None and self.axes.n_axes is not None

    @cached_property
    def group_tests(self) -> dict[tuple[Any, str], float]:
        """The p-value of each grouping by "means", "spread" and "correlation", corrected."""
        return _group_tests(self.groups)

    @property
    def group_p_values(self) -> dict[Any, float]:
        """The p-value of the means of each grouping, corrected for all tests of groupings."""
        return {name: self.group_tests[name, "means"] for name in self.groups}

    def least_group_p(self, name: Any) -> float:
        """Return the smallest p-value that the means of a grouping could have."""
        weights = [GROUP_LEVELS[kind] for (_, kind), p in self.group_tests.items() if p == p]
        return float(self.groups[name].floor * sum(weights) / GROUP_LEVELS["means"])

    @property
    def linked_axes(self) -> list[int]:
        """The axes that go with a grouping or a supplementary column."""
        out: set[Any] = set()
        for name, record in self.groups.items():
            if record.axes is not None:
                out |= {k for k in record.axes.index if axis_p_value(self, name, k) < ALPHA}
        if self.numbers is not None:
            table = self.numbers.table
            out |= set(table.index.get_level_values(1)[table["p_value"] < ALPHA])
        return sorted(int(k) for k in out)


def axis_p_value(evidence: Evidence, name: Hashable, k: int) -> float:
    """Return the p-value of a grouping on an axis, 1 where it was not tested."""
    record = evidence.groups.get(name)
    if record is None or record.axes is None or k not in record.axes.index:
        return 1.0
    return max(evidence.group_p_values[name], float(record.axes["p_value"][k]))


@dataclass(frozen=True)
class RuleInput:
    """How the rules of dimension were called: on how many rows (None: all), with what options."""

    rows: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class KernelMap:
    """Kernel PCA of a table, and how it compares with PCA."""

    fit: Any
    kernel: Kernel | None  # the one requested, None for the usual one
    rank: int | None  # landmarks, None where kernel PCA is exact
    agreement: float  # correlation of the two maps after rotation


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of the rows, the axes they were computed on, and what is particular to each."""

    found: Clusters
    n_axes: int
    table: pd.DataFrame  # of gm.clusters.describe
    paragons: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Study:
    """The result of `gm.study`: an analysis, and the claims that the data support.

    Attributes
    ----------
    claims : tuple of Claim
        Every sentence about the data, with its test; a report states nothing else about them.
    short : tuple of Claim
        The most important claims, for a summary.
    q, tested : int, bool
        The number of axes above noise; 0 if no axis was tested or differs from it.
    read : tuple of int
        The axes that the claims describe.
    fit, evidence
        The fitted estimator, and the records of the tests.

    Examples
    --------
    >>> study = gm.study(gm.datasets.iris().data.iloc[:40])
    >>> study.tested, study.read
    (True, (1, 2))
    """

    subject: Subject
    fit: Any
    q: int
    tested: bool
    read: tuple[int, ...]
    shown: int  # axes in the tables
    shares: np.ndarray  # of the positive inertia, one for each axis
    evidence: Evidence
    color: pd.Series | None  # the grouping or number that the first axes represent best
    seed: int
    choices: Choices | None = None
    asked: RuleInput = field(default_factory=RuleInput)
    kernel_map: KernelMap | None = None
    stability: Stability | None = None  # a bootstrap of objects that have no columns
    steadiness: float | None = None  # of the places of rows on the map when rows are resampled
    places: pd.DataFrame | None = None  # ellipses of rows on the map, if few enough to see
    resamples: int = 0
    kernel_groups: Groups = field(default_factory=dict)  # on its axes
    fit_warnings: tuple[str, ...] = ()
    classes: Classes | None = None  # of the rows, where they were requested
    designed: Designed | None = None  # what factors explain, where a design was given
    versions: dict[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    short: tuple[Claim, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "claims", Claims(self.claims))
        object.__setattr__(self, "short", Claims(self.short))

    def __repr__(self) -> str:
        above = f"{self.q} {'axis' if self.q == 1 else 'axes'} above noise"
        axes = above if self.tested else "not tested against noise"
        what = f"{type(self.fit).__name__} of {self.subject.n} individuals"
        return f"Study({self.subject.title!r}: {what}, {axes}, {len(self.claims)} claims)"

    def _repr_html_(self) -> str:
        claims = "".join(f"<li>{html.escape(claim.text)}</li>" for claim in self.short)
        facts = {"method": type(self.fit).__name__, "individuals": str(self.subject.n)}
        facts |= {"axes above noise": str(self.q), "claims": str(len(self.claims))}
        return f"{facts_html(str(self.subject.title), facts)}<ul>{claims}</ul>"

    @property
    def has_columns(self) -> bool:
        """Whether the axes are combinations of columns that have names."""
        return self.subject.table is not None and isinstance(self.fit, PCA)

    @property
    def empty(self) -> bool:
        """Whether nothing can be distinguished from noise."""
        return any(c.kind == "nothing" and c.subject == "nothing" for c in self.claims)

    def of(self, *kinds: str, axis: int | None = None) -> list[Claim]:
        """Return the claims of some kinds about an axis, or about none."""
        return [c for c in self.claims if c.kind in kinds and c.axis == axis]
