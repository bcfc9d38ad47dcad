"""A number of axes with its evidence."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Choice"]


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
    reference : array or None
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
        made = super().__new__(cls, q)
        made.rule, made.value, made.threshold = rule, float(value), float(threshold)
        made.p_value, made.reference = float(p_value), reference
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (int(self), self.rule, self.value, self.threshold, self.p_value, self.reference)

    @property
    def n_components(self) -> int:
        """The number itself."""
        return int(self)
