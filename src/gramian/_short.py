"""Numbers in one line, for what results say of themselves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

__all__ = ["few_numbers"]


def few_numbers(values: Iterable[float], most: int = 6) -> str:
    """Write the first numbers, and a sign that there are more.

    >>> few_numbers([1.0, 0.25, 1 / 3], most=2)
    '[1, 0.25, …]'
    """
    first = [f"{x:.4g}" for x in islice(values, most + 1)]
    return f"[{', '.join(first[:most])}{', …' if len(first) > most else ''}]"
