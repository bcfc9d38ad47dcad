"""One check for one thing: an option comes back as it must be, or an error says what it must be."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from gramian.errors import InputError

__all__ = ["generator", "is_number", "is_whole", "number", "one_of", "positive", "share", "whole"]


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; True and False are none.

    >>> is_whole(np.int64(3)), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)


def is_number(value: Any) -> bool:
    """Whether a value is a real number, infinite ones and NaN included.

    >>> is_number(0.5), is_number("0.5"), is_number(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def whole(value: Any, name: str, least: int = 1, most: float = math.inf, *, what: str = "") -> int:
    """Return a whole number from `least` to `most`; `what` says what `most` is.

    >>> whole(np.int64(3), "n_init")
    3
    >>> whole(9, "q", most=4, what="the rows")
    Traceback (most recent call last):
    ...
    gramian.errors.InputError: q=9 must be a whole number, at least 1 and at most 4, the rows
    """
    if not is_whole(value) or not least <= int(value) <= most:
        limit = "" if math.isinf(most) else f" and at most {most}" + (f", {what}" if what else "")
        raise InputError(f"{name}={_short(value)} must be a whole number, at least {least}{limit}")
    return int(value)


def number(value: Any, name: str, least: float = -math.inf) -> float:
    """Return a finite number that is not below `least`.

    >>> number(2, "noise", least=0.0)
    2.0
    """
    if not (is_number(value) and least <= value < math.inf and value > -math.inf):
        limit = "" if math.isinf(least) else f" of at least {least:g}"
        raise InputError(f"{name}={_short(value)} must be a finite number{limit}")
    return float(value)


def positive(value: Any, name: str) -> float:
    """Return a number above 0 and finite.

    >>> positive(2, "scale")
    2.0
    """
    if not (is_number(value) and 0 < value < math.inf):
        raise InputError(f"{name}={_short(value)} must be a positive finite number")
    return float(value)


def share(value: Any, name: str, *, zero: bool = False, one: bool = False) -> float:
    """Return a number between 0 and 1, these themselves only where they are allowed.

    >>> share(0.05, "alpha"), share(1, "share", one=True)
    (0.05, 1.0)
    >>> share(1, "alpha")
    Traceback (most recent call last):
    ...
    gramian.errors.InputError: alpha=1 must lie strictly between 0 and 1
    """
    good = is_number(value) and (value >= 0 if zero else value > 0)
    if not good or not (value <= 1 if one else value < 1):
        raise InputError(f"{name}={_short(value)} must {_LIMITS[zero, one]}")
    return float(value)


# (0 is allowed, 1 is allowed) → what a share must be
_LIMITS = {
    (False, False): "lie strictly between 0 and 1",
    (True, False): "be a share of at least 0 and below 1",
    (False, True): "be a share above 0 and at most 1",
    (True, True): "be a number between 0 and 1",
}


def one_of(value: Any, name: str, known: Iterable[str]) -> str:
    """Return a name that is known.

    >>> one_of("ratio", "scaling", ("ratio", "interval"))
    'ratio'
    """
    names = list(known)
    # Not `in` alone: an array would be compared entry by entry.
    if not isinstance(value, str) or value not in names:
        raise InputError(f"{name}={_short(value)} must be one of {', '.join(names)}")
    return value


def _short(value: Any) -> str:
    """Write a value that may be anything, an array for instance, on a part of one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def generator(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Return a NumPy Generator; None means seed 0, so that results repeat by default.

    >>> int(generator(None).integers(1000)) == int(generator(0).integers(1000))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    try:
        return np.random.default_rng(0 if random_state is None else random_state)
    except (TypeError, ValueError) as error:
        raise InputError(f"random_state={random_state!r} is not a seed: {error}") from error
