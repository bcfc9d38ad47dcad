"""The records of the tests of a study, and what may go wrong with a test."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from gramian._blocks import one_blas_thread
from gramian.studies.family import Family

__all__ = ["Evidence", "Parts"]

T = TypeVar("T")
_LITTLE = 1 << 27  # operations, a few milliseconds of one core
# An axis that vanishes in a resample leaves an empty list of angles.
_IMPOSSIBLE = (ValueError, TypeError, ArithmeticError, IndexError, np.linalg.LinAlgError)


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
    failures: dict[str, str] = field(default_factory=dict)  # part → why it has no record

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


class Parts:
    """Parts that odd data may make impossible, each with draws of its own.

    `operations` is what a product of the table with itself takes: where it is little, BLAS is held
    to one thread, as each of the thousands of draws would spend more on waking others.
    """

    def __init__(self, seed: int, operations: float = 0.0) -> None:
        self.seed = seed
        self.small = operations <= _LITTLE
        self.failures: dict[str, str] = {}

    def take(self, name: str, part: Callable[[np.random.Generator], T]) -> T | None:
        """Return a part, or None, and keep why it failed."""
        rng = np.random.default_rng([self.seed, *name.encode()])
        with one_blas_thread() if self.small else nullcontext(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say is told by the numbers of each part
            try:
                return part(rng)
            except _IMPOSSIBLE as error:
                self.failures[name] = str(error)
                return None
