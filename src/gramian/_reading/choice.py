"""A number of axes with its evidence."""

from __future__ import annotations

from typing import Any

import numpy as np


class Choice(int):
    """The number of axes that a rule keeps: an integer that knows its evidence.

    Attributes
    ----------
    rule : str
    value : float
        What the rule looks at, for the last axis kept.
    threshold : float
        What the value was held against.
    p_value : float
        Of the last axis kept; NaN where the rule is no test.
    reference : array, number or None
        What every eigenvalue is held against, where the rule has such a curve.

    Examples
    --------
    >>> Choice(2, "kaiser", 1.7, 1.0).value
    1.7
    """

    rule: str
    value: float
    threshold: float
    p_value: float
    reference: np.ndarray | None

    def __new__(
        cls,
        q: int,
        rule: str = "",
        value: float = np.nan,
        threshold: float = np.nan,
        p_value: float = np.nan,
        reference: Any = None,
    ) -> Choice:
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


def as_choice(evidence: Any, rule: str) -> Choice:
    """Return the number of axes and the evidence of its last axis, whatever a rule answers with.

    A study says it by a method `choice`; a bare number has no evidence.

    >>> as_choice(3, "halving").rule
    'halving'
    """
    if isinstance(evidence, Choice):
        return evidence
    if hasattr(evidence, "choice"):
        return evidence.choice(rule)
    return Choice(evidence, rule)
