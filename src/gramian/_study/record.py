"""The records of a study: its input, the results of its tests, its claims, and itself."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._estimators.pca import PCA
from gramian._nulls.corrections import Family
from gramian._study.language import Sentence, Voice
from gramian._study.methods import Settings
from gramian.clusters import Clusters
from gramian.dimension import Choices
from gramian.evidence import (
    Assumptions,
    AxesEvidence,
    Carried,
    CurveEvidence,
    Directions,
    GroupEvidence,
    LoadingEvidence,
    NumberEvidence,
    RowsEvidence,
)
from gramian.kernels.base import Kernel
from gramian.stability import Stability

KINDS = (
    "axes",
    "nothing",
    "axis-group",
    "group",
    "axis-variable",
    "row",
    "curve",
    "cluster",
    "stability",
    "tie",
    "assumption",
    "not-tested",
    "data",
)


@dataclass(frozen=True)
class NullTest:
    """The test behind a claim: its name, and the sentences of its null and its assumption."""

    name: str  # "axes", "groups", "numbers", "loadings", "rows", "curves" or "clusters"
    null: str  # keys of the catalogue
    assumption: str


@dataclass(frozen=True)
class Claim:
    """One sentence about the data, and the test that supports it.

    Attributes
    ----------
    kind : str
        "axes" (above noise), "axis-group", "group", "axis-variable", "tie" (a supplementary column
        goes with an axis), "row" (stands apart), "curve", "cluster": what was found. "nothing":
        what a test did not find; with subject "nothing", that none found anything. "stability",
        "assumption" (what the data break), "not-tested", "data" (a description).
    subject : str
        The column, group, row or finding that it is about.
    axis : int or None
        Counted from 1.
    p_value, effect : float or None
    effect_name : str
        What `effect` measures.
    null, assumption : str
        The null hypothesis of the test, and what it needs to be valid.
    text : str
        The sentence in English; `say` gives it in another language.

    Examples
    --------
    >>> import gramian as gm
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

    def say(self, language: str = "en") -> str:
        """Return the sentence in "en" or "fr"."""
        voice = Voice(language)
        return voice.capitalize(voice.say(self.sentence))


def claim(
    kind: str,
    sentence: Sentence,
    *,
    subject: object = "",
    axis: int | None = None,
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
    missing: str | None = None  # how missing values were treated
    dropped: tuple[Any, ...] = ()  # constant columns
    kernel: Kernel | None = None  # on graphs or sequences
    fitted: Any = None  # an estimator that was fitted by the caller
    method: str = ""  # by its name, where a study chose it or was given it
    settings: Settings | None = None
    findings: tuple[Any, ...] = ()  # of gm.io.examine
    placed: pd.DataFrame | None = None  # supplementary rows

    @property
    def has_weights(self) -> bool:
        """Whether the rows have weights, those of a fit made by the caller."""
        return getattr(self.fitted, "weights_", None) is not None

    @property
    def reasons(self) -> tuple[Any, ...]:
        """How the data were read, and why they are analysed as they are."""
        return self.notes if self.method_reason is None else (*self.notes, self.method_reason)

    @property
    def method_reason(self) -> Sentence | None:
        """Why this method, where it was not requested and is not the usual one."""
        if self.settings is None or self.settings.method != "auto" or self.method == "pca":
            return None
        numbers = self.X.select_dtypes("number").shape[1]
        counts = {"numbers": numbers, "categories": self.X.shape[1] - numbers}
        return Sentence(f"claim.data.method.{self.method}", counts)

    @property
    def n(self) -> int:
        """How many rows or objects."""
        return len(self.index)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The results of the tests of a study; None where one was not possible."""

    rows_tested: np.ndarray  # positions of the rows that were tested
    assumptions: Assumptions | None = None
    axes: AxesEvidence | None = None
    rows: RowsEvidence | None = None
    carried: dict[int, Carried] = field(default_factory=dict)
    directions: Directions | None = None
    loadings: LoadingEvidence | None = None
    groups: dict[Any, GroupEvidence] = field(default_factory=dict)
    group_p_values: dict[Any, float] = field(default_factory=dict)  # corrected for all findings
    numbers: NumberEvidence | None = None
    curves: CurveEvidence | None = None
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
    """An analysis and what can be stated from it.

    Attributes
    ----------
    claims : tuple of Claim
        Every sentence about the data, with its test; a report states nothing else about them.
    short : tuple of Claim
        The few that a summary consists of.
    q : int
        The number of axes above noise; 0 where none can be distinguished from it, or none was
        tested.
    tested : bool
        Whether axes were tested against noise.
    read : tuple of int
        The axes that are described.
    fit : fitted estimator
    evidence : Evidence
        The records of the tests.

    Examples
    --------
    >>> import gramian as gm
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
    choices: Choices | None
    asked: RuleInput
    kernel_map: KernelMap | None
    stability: Stability | None  # a bootstrap of objects that have no columns
    places: pd.DataFrame | None  # ellipses of rows on the map, where they are few enough to see
    resamples: int
    color: pd.Series | None  # the grouping or number that the first axes represent best
    seed: int
    kernel_groups: dict[Any, GroupEvidence] = field(default_factory=dict)  # on the kernel axes
    fit_warnings: tuple[str, ...] = ()
    classes: Classes | None = None  # of the rows, where they were requested
    versions: dict[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    short: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        above = f"{self.q} {'axis' if self.q == 1 else 'axes'} above noise"
        axes = above if self.tested else "not tested against noise"
        what = f"{type(self.fit).__name__} of {self.subject.n} individuals"
        return f"Study({self.subject.title!r}: {what}, {axes}, {len(self.claims)} claims)"

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
