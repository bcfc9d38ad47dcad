"""The answer of one test."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True)
class Finding:
    """A p-value and the size of what it is about.

    Attributes
    ----------
    p_value : float
        (1 + number of draws at least as extreme)/(draws + 1).
    effect : float
    effect_name : str
        What `effect` measures.
    floor : float
        The smallest p-value that so many draws can give.

    Examples
    --------
    >>> import gramian as gm
    >>> gm.evidence.Finding(0.01, 0.8, "autocorrelation").effect
    0.8
    """

    p_value: float
    effect: float
    effect_name: str
    floor: float = 0.0
