"""A study: what was analysed, what was tested, what may be said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._estimators.pca import PCA
from gramian._nulls.corrections import Family
from gramian._study.claim import Claim
from gramian._study.kernel_map import KernelMap
from gramian._study.subject import Subject
from gramian.dimension import Choices


@dataclass(frozen=True)
class RuleInput:
    """How the rules of dimension were asked: on how many rows (None: all), with what options."""

    rows: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The records of the tests of a study; None where one was not possible."""

    rows_tested: np.ndarray  # which rows the tests looked at
    assumptions: Any = None
    axes: Any = None
    rows: Any = None
    carried: dict[int, Any] = field(default_factory=dict)
    directions: Any = None
    loadings: Any = None
    groups: dict[Any, Any] = field(default_factory=dict)
    group_p_values: dict[Any, float] = field(default_factory=dict)  # corrected for all findings
    numbers: Any = None
    curves: Any = None
    family: Family = field(default_factory=lambda: Family((), {}))
    failures: dict[str, Any] = field(default_factory=dict)  # part → the sentence that says why

    @property
    def scheme(self) -> str:
        """The draws that hold for these rows."""
        return "permutation" if self.assumptions is None else str(self.assumptions.scheme)

    @property
    def q(self) -> int:
        """The number of axes above noise, 0 where none was tested."""
        return self.family.n_axes

    @property
    def tested(self) -> bool:
        """Whether axes were tested against noise."""
        return self.axes is not None and self.axes.n_axes is not None


@dataclass(frozen=True, eq=False)
class Study:
    """An analysis and what it lets one say.

    Attributes
    ----------
    claims : tuple of Claim
        Every sentence about the data, with its test; a report says nothing else about them.
    short : tuple of Claim
        The few that a summary is made of.
    q : int
        The number of axes above noise; 0 where none was told apart from it, or none was tested.
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
    shares: np.ndarray  # of the positive inertia, one each axis
    evidence: Evidence
    choices: Choices | None
    asked: RuleInput
    kernel_map: KernelMap | None
    stability: Any  # a bootstrap of objects that have no columns
    places: Any  # ellipses of rows on the map, where there are few enough to be seen
    resamples: int
    color: Any  # the grouping or number that says most about the first axes
    seed: int
    kernel_groups: dict[Any, Any] = field(default_factory=dict)  # groups on the kernel axes
    fit_warnings: tuple[str, ...] = ()
    classes: Any = None  # of the rows, where they were requested
    versions: dict[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    short: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        name, n = type(self.fit).__name__, self.subject.n
        found = f"{self.q} {'axis' if self.q == 1 else 'axes'} above noise"
        axes = found if self.tested else "not tested against noise"
        said = f"{axes}, {len(self.claims)} claims"
        return f"Study({self.subject.title!r}: {name} of {n} individuals, {said})"

    @property
    def has_columns(self) -> bool:
        """Whether the axes are made of columns that can be named."""
        return self.subject.table is not None and isinstance(self.fit, PCA)

    @property
    def empty(self) -> bool:
        """Whether nothing was told apart from noise."""
        return any(c.kind == "nothing" and c.subject == "nothing" for c in self.claims)

    def of(self, *kinds: str, axis: int | None = None) -> list[Claim]:
        """Return the claims of some kinds about an axis, or about none."""
        return [c for c in self.claims if c.kind in kinds and c.axis == axis]
