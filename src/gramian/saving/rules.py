"""What a part of a record must be: a few rules, from which `records` and `fitted` are written.

A rule is a test and the words for it. Shapes are written in letters ("n", "q"): a letter stands for
one number throughout a record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._array import is_array, is_numpy, namespace
from gramian._check import is_number, is_whole

__all__ = [
    "Rule",
    "Scope",
    "anything",
    "counts",
    "every",
    "finite",
    "flag",
    "is_finite",
    "maybe",
    "number",
    "numbers",
    "part",
    "positive",
    "text",
    "whole",
]


@dataclass
class Scope:
    """What is known of one record while its parts are looked at."""

    visit: Callable[[Any], None]  # looks at a record inside this one
    sizes: dict[str, int] = field(default_factory=dict)  # what the letters stand for

    def fits(self, shape: tuple[str | int | None, ...], actual: tuple[int, ...]) -> bool:
        """Whether a shape is the one in letters, which are given their numbers the first time."""
        if len(shape) != len(actual):
            return False
        return all(self._side(side, n) for side, n in zip(shape, actual, strict=True))

    def _side(self, side: str | int | None, n: int) -> bool:
        if side is None:
            return True
        return n == (self.sizes.setdefault(side, n) if isinstance(side, str) else side)


@dataclass(frozen=True)
class Rule:
    """A test of a value, and the words for what passes it."""

    words: str
    holds: Callable[[Any, Scope], bool]


anything = Rule("anything", lambda value, scope: True)
flag = Rule("true or false", lambda value, scope: isinstance(value, bool | np.bool_))


def maybe(rule: Rule) -> Rule:
    """Return the rule, or None."""
    return Rule(
        f"{rule.words} or None", lambda value, scope: value is None or rule.holds(value, scope)
    )


def every(rule: Rule, kind: type[Sized] = list, size: str | None = None) -> Rule:
    """Return the rule for each item of a list or tuple, or each value of a dict."""

    def holds(value: Any, scope: Scope) -> bool:
        if not isinstance(value, kind) or not scope.fits((size,), (len(value),)):
            return False
        return all(rule.holds(item, scope) for item in _items(value))

    return Rule(f"a {kind.__name__} of {rule.words}", holds)


def _items(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def text(*words: str) -> Rule:
    """Return the rule of a text, one of some words if there are any."""

    def holds(value: Any, scope: Scope) -> bool:
        return isinstance(value, str) and (not words or value in words)

    return Rule(f"one of {', '.join(words)}" if words else "a text", holds)


def number(least: float = -math.inf, *, nan: bool = False) -> Rule:
    """Return the rule of a finite number, NaN where it may be."""

    def holds(value: Any, scope: Scope) -> bool:
        if not is_number(value):
            return False
        return (nan and math.isnan(value)) or (math.isfinite(value) and value >= least)

    return Rule("a finite number" if least < 0 else f"a number of at least {least:g}", holds)


finite = number()
positive = Rule("a positive number", lambda value, scope: is_number(value) and 0 < value < math.inf)


def whole(least: int = 0, size: str | None = None) -> Rule:
    """Return the rule of a whole number; `size` is the letter that it is the number of."""

    def holds(value: Any, scope: Scope) -> bool:
        return is_whole(value) and least <= value < 2**62 and scope.fits((size,), (int(value),))

    return Rule(f"a whole number of at least {least}", holds)


def numbers(
    *shape: str | int | None, least: float = -math.inf, nan: bool = False, double: bool = False
) -> Rule:
    """Return the rule of an array of finite numbers; `double` ones are NumPy's."""

    def holds(value: Any, scope: Scope) -> bool:
        if not is_array(value) or not scope.fits(shape, tuple(value.shape)):
            return False
        kind = namespace(value).isdtype(value.dtype, "real floating") and value.dtype.itemsize >= 4
        if not kind or (double and not (is_numpy(value) and value.dtype == np.float64)):
            return False
        return is_finite(value, nan=nan) and (math.isinf(least) or not _is_below(value, least))

    sides = ", ".join("·" if side is None else str(side) for side in shape)
    return Rule(f"finite numbers ({sides})", holds)


def is_finite(a: Any, *, nan: bool = False) -> bool:
    """Whether an array has no infinity, and no NaN where it must not.

    >>> is_finite(np.array([1.0, np.nan])), is_finite(np.array([1.0, np.nan]), nan=True)
    (False, True)
    """
    xp = namespace(a)
    with np.errstate(over="ignore", invalid="ignore"):
        # The sum of finite numbers is finite or overflows: only then a second look is worth it.
        if bool(xp.isfinite(xp.sum(a))):
            return True
        good = xp.isfinite(a)
        return bool(xp.all(good | xp.isnan(a) if nan else good))


def _is_below(a: Any, least: float) -> bool:
    xp = namespace(a)
    return bool(xp.any(a < least))


def counts(*shape: str | int | None, least: int = 0, below: str | None = None) -> Rule:
    """Return the rule of an array of whole numbers; `below` is a letter that is known already."""

    def holds(value: Any, scope: Scope) -> bool:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu":
            return False
        if not scope.fits(shape, value.shape):
            return False
        most = math.inf if below is None else scope.sizes.get(below, 0) - 1
        return value.size == 0 or (int(value.min()) >= least and int(value.max()) <= most)

    return Rule("whole numbers in their range", holds)


def part(*classes: type) -> Rule:
    """Return the rule of a record of some classes, which is looked at itself."""

    def holds(value: Any, scope: Scope) -> bool:
        if not isinstance(value, classes):
            return False
        scope.visit(value)
        return True

    return Rule(f"a {' or a '.join(cls.__name__ for cls in classes)}", holds)
