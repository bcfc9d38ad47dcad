"""What a rule for the number of axes is: what it needs, how it decides, what is said of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Self

import numpy as np

from gramian._reading.null_table import NullTable
from gramian.errors import InputError

Step = Callable[[np.ndarray, float, int], int | None]  # of leading eigenvalues, as a solver asks
Shape = tuple[int, int] | None  # of the table whose principal components are the axes
NeedName = Literal["eigenvalues", "shape", "tall", "columns", "signs", "components", "cells"]
Pace = Literal["quick", "slow", "on demand"]


class Choice(int):
    """The number of axes that a rule keeps: an integer with attributes for its evidence.

    Attributes
    ----------
    rule : str
    value : float
        The value that the rule compares, for the last axis kept.
    threshold : float
        The threshold that it is compared with.
    p_value : float
        p-value of the last axis kept; NaN if the rule is not a test.
    reference : array, number or None
        The reference values of all eigenvalues, for rules with such a curve.

    Examples
    --------
    >>> Choice(2, "kaiser", 1.7, 1.0).value
    1.7
    """

    rule: str
    value: float
    threshold: float
    p_value: float
    reference: np.ndarray | float | None

    def __new__(
        cls,
        q: int,
        rule: str = "",
        value: float = np.nan,
        threshold: float = np.nan,
        p_value: float = np.nan,
        reference: np.ndarray | float | None = None,
    ) -> Self:
        """Return the integer q with its evidence."""
        choice = super().__new__(cls, q)
        choice.rule, choice.value, choice.threshold = rule, float(value), float(threshold)
        choice.p_value, choice.reference = float(p_value), reference
        return choice

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (int(self), self.rule, self.value, self.threshold, self.p_value, self.reference)

    @property
    def n_components(self) -> int:
        """The number itself."""
        return int(self)

    def choice(self, rule: str) -> Choice:
        """Return the choice itself, under the name of the rule it has."""
        return self


class Evidence(Protocol):
    """A number of axes and what it rests on: a choice, or the record of an analysis."""

    @property
    def n_components(self) -> int: ...
    def choice(self, rule: str) -> Choice: ...


@dataclass(frozen=True)
class Need:
    """What a rule cannot do without, in words and as a test."""

    what: str
    met: Callable[[Shape, NullTable | None], bool]  # of the shape of a table, and of its columns
    of_table: bool = False  # whether the rule is handed the columns of a table
    linear: bool = True  # whether it is met by principal components only


def _has_cells(shape: Shape, c: NullTable | None) -> bool:
    if c is None or not c.is_linear or c.weights is not None or c.uneven:
        return False  # a cell is left out of a table of equal rows and columns
    return c.axes >= 3  # two axes leave nothing to predict


NEEDS: dict[NeedName, Need] = {
    "eigenvalues": Need("eigenvalues", lambda s, c: True, linear=False),
    "shape": Need("principal components of a table of n rows", lambda s, c: s is not None),
    "tall": Need(
        "a table with more rows than columns, of which there are several",
        lambda s, c: s is not None and s[0] > s[1] > 1,
    ),
    "columns": Need("a table to draw anew by columns", lambda s, c: c is not None, True, False),
    "signs": Need(
        "deviations whose signs can be flipped",
        lambda s, c: c is not None and c.has_signs,
        True,
        False,
    ),
    "components": Need(
        "principal components of a table", lambda s, c: c is not None and c.is_linear, True
    ),
    "cells": Need("3 principal components of a table without weights", _has_cells, True),
}


@dataclass(frozen=True)
class Rule:
    """A rule for the number of axes, as registered in `gm.dimension.RULES`.

    Attributes
    ----------
    name : str
    decide : callable
        Called with the eigenvalues (descending), the total inertia, the largest possible number of
        axes and, if `needs` is "shape" or "tall", the number n of rows. It returns a number of axes
        (or a `Choice`, with evidence), or None if it needs more eigenvalues. Rules that need a
        table are called with its columns instead, and always return a number.
    needs, over, options, sentence, curve, votes, pace
        As for `gm.dimension.register`; sentence and curve by language.

    Examples
    --------
    >>> two = Rule("two", lambda values, total, dimension: 2)
    >>> two.step(None)(np.array([3.0, 2.0, 1.0]), 6.0, 3)
    2
    """

    name: str
    decide: Callable[..., Any]
    needs: NeedName = "eigenvalues"
    over: Literal["axes", "columns"] = "axes"  # that can carry inertia, or one a column
    options: tuple[str, ...] = ()  # of `choose`, passed on by name
    sentence: Mapping[str, str] = field(default_factory=dict)  # by language: what it asks
    curve: Mapping[str, str] = field(default_factory=dict)  # by language: its reference, if drawn
    votes: bool = True  # on the consensus
    pace: Pace = "quick"  # or "slow" on a large table, or "on demand" only

    @property
    def of_table(self) -> bool:
        """Whether it looks at a table, not at eigenvalues."""
        return NEEDS[self.needs].of_table

    def applies(self, shape: Shape, columns: NullTable | None) -> bool:
        """Whether it has what it needs: of principal components, the shape; a table, by columns."""
        return NEEDS[self.needs].met(shape, columns)

    def on_spectrum(
        self,
        values: np.ndarray,
        total: float,
        dimension: int,
        shape: Shape,
        options: Mapping[str, Any],
    ) -> Choice | None:
        """Return the answer of a rule that looks at eigenvalues, None where it takes more."""
        rows = () if self.needs == "eigenvalues" or shape is None else (shape[0],)
        if self.needs == "tall" and shape is not None and len(values) >= dimension < shape[1]:
            # Constant columns count for a likelihood of all columns.
            values, dimension = np.append(values, np.zeros(shape[1] - dimension)), shape[1]
        answer = self.decide(values, total, dimension, *rows, **self._own(options))
        return None if answer is None else self._choice(answer)

    def on_table(self, columns: NullTable, options: Mapping[str, Any]) -> Evidence:
        """Return the evidence of a rule that looks at a table."""
        answer = self.decide(columns, **self._own(options))
        return answer if hasattr(answer, "choice") else self._choice(answer)

    def step(self, shape: Shape) -> Step:
        """Return the rule for the leading eigenvalues of a solver; it keeps one axis at least."""

        def axes(values: np.ndarray, total: float, dimension: int) -> int | None:
            if shape is not None and self.over == "axes":
                dimension = min(dimension, shape[0] - 1)
                values = values[:dimension]
            choice = self.on_spectrum(values, total, dimension, shape, {})
            return None if choice is None else max(int(choice), 1)

        return axes

    def _own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {name: options[name] for name in self.options if name in options}

    def _choice(self, answer: Any) -> Choice:
        try:
            q = operator.index(answer)
        except TypeError:
            q = -1
        if q < 0:
            raise InputError(
                f"the rule {self.name!r} answered {answer!r}: a rule returns a whole number of axes"
            )
        return answer if isinstance(answer, Choice) else Choice(q, self.name)
