"""What a maker of claims looks at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian.estimators.pca import PCA
from gramian.language import Fixed, Listed, Name, Sentence
from gramian.studies.evidence import Evidence
from gramian.studies.kernel_map import KernelMap
from gramian.studies.subject import Subject

__all__ = ["Case", "reasons", "why"]

_REASONS = 3


@dataclass(frozen=True, eq=False)
class Case:
    """A fit, the tests of it, and which axes are read."""

    subject: Subject
    fit: Any
    shares: np.ndarray
    evidence: Evidence
    read: tuple[int, ...]
    kernel_map: KernelMap | None = None
    kernel_groups: dict[Any, Any] = field(default_factory=dict)  # groups on its axes

    @property
    def has_columns(self) -> bool:
        """Whether the axes are made of columns that can be named."""
        return self.subject.table is not None and isinstance(self.fit, PCA)


def reasons(case: Case, position: int, weights: Any = None, least: float = 2.0) -> list[Sentence]:
    """Return the columns that set a row apart, in deviations from the mean.

    With weights (those of an axis, signed) the columns are those that push the row along it.
    """
    if case.subject.table is None:
        return []
    X = case.subject.table.to_numpy(dtype=float)
    sd = X.std(axis=0)
    z = (X[position] - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    push = np.abs(z) if weights is None else z * weights
    order = [j for j in np.argsort(-push, kind="stable")[:_REASONS] if abs(z[j]) >= least]
    return [_reason(case.subject.table.columns[j], float(z[j])) for j in order]


def _reason(name: Any, z: float) -> Sentence:
    key = "why.high" if z > 0 else "why.low"
    return Sentence(key, {"name": Name(name), "z": Fixed(z, 1, signed=True)})


def why(key: str, causes: list[Sentence]) -> Sentence:
    """Return the reasons as a part of a sentence, empty where there are none."""
    if not causes:
        return Sentence(f"claim.{key}.nowhy")
    return Sentence(f"claim.{key}.why", {"why": Listed(tuple(causes))})
