"""One check for one thing: an option comes back as it must be, or an error says what it must be."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from gramian.errors import InputError, InputTypeError
from gramian.language.refusal import refused, setting_of, shortened
from gramian.language.terms import Sentence

__all__ = [
    "MANY",
    "Random",
    "answer",
    "expect",
    "flag",
    "function",
    "generator",
    "is_label",
    "is_list",
    "is_number",
    "is_whole",
    "number",
    "one_of",
    "path",
    "positive",
    "share",
    "short",
    "text",
    "whole",
]

MANY = 2**31 - 1  # more of anything that is counted is a slip of the keyboard


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; True and False are none, nor are spans of time.

    >>> is_whole(np.int64(3)), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    if type(value) is int:  # quicker to say than what else it is not
        return True
    none = bool | np.bool_ | np.timedelta64  # NumPy takes a span of time for an integer
    return isinstance(value, numbers.Integral) and not isinstance(value, none)


def is_number(value: Any) -> bool:
    """Whether a value is a real number, infinite ones and NaN included.

    >>> is_number(0.5), is_number("0.5"), is_number(True)
    (True, False, False)
    """
    if type(value) in (int, float):
        return True
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def expect(holds: bool, words: str) -> None:
    """Refuse a record where a condition does not hold; `words` say what belongs there.

    >>> expect(1 + 1 == 2, "weights of sum 1")
    """
    if not holds:
        raise InputError(words)


def whole(value: Any, name: str, least: int = 1, most: float = MANY, *, what: str = "") -> int:
    """Return a whole number from `least` to `most`; `what` says what `most` is.

    >>> whole(np.int64(3), "n_init")
    3
    >>> whole(9, "q", most=4, what="the rows")
    Traceback (most recent call last):
    ...
    gramian.errors.InputError: q=9 must be a whole number, at least 1 and at most 4, the rows
    """
    if not is_whole(value) or not least <= int(value) <= most:
        key = f"error.whole.{'what' if what else 'most'}"
        limit: Any = Sentence(key, {"most": f"{most:.0f}", "what": what})
        if most == MANY and not (is_whole(value) and value > MANY):
            limit = ""
        raise refused("whole", setting=setting_of(name, value), least=str(least), limit=limit)
    return int(value)


def number(value: Any, name: str, least: float = -math.inf) -> float:
    """Return a finite number that is not below `least`.

    >>> number(2, "noise", least=0.0)
    2.0
    """
    if not (is_number(value) and least <= value < math.inf and value > -math.inf):
        key = "number" if math.isinf(least) else "number.least"
        raise refused(key, setting=setting_of(name, value), least=f"{least:g}")
    return float(value)


def positive(value: Any, name: str) -> float:
    """Return a number above 0 and finite.

    >>> positive(2, "scale")
    2.0
    """
    if not (is_number(value) and 0 < value < math.inf):
        raise refused("positive", setting=setting_of(name, value))
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
        raise refused(_SHARES[zero, one], setting=setting_of(name, value))
    return float(value)


# (0 is allowed, 1 is allowed) → what a share must be
_SHARES = {
    (False, False): "share",
    (True, False): "share.zero",
    (False, True): "share.top",
    (True, True): "share.both",
}


def is_list(value: Any) -> bool:
    """Whether a value is a flat collection with an order and a length, not a text.

    >>> is_list((1, 2)), is_list(np.eye(2)), is_list("ab"), is_list({1, 2})
    (True, False, False, False)
    """
    return isinstance(value, list | tuple | range) or getattr(value, "ndim", 0) == 1


def is_label(value: Any) -> bool:
    """Whether a value can be looked up: lists and records cannot.

    >>> is_label(("a", 1)), is_label(["a"])
    (True, False)
    """
    try:
        hash(value)
    except TypeError:
        return False
    return True


def one_of(value: Any, name: str, known: Iterable[str], *, none: bool = False) -> Any:
    """Return a name that is known; with `none`, None is one too.

    >>> one_of("ratio", "scaling", ("ratio", "interval"))
    'ratio'
    """
    names = list(known)
    if none and value is None:
        return None
    # Not `in` alone: an array would be compared entry by entry.
    if not isinstance(value, str) or value not in names:
        key = "one_of.none" if none else "one_of"
        raise refused(key, setting=setting_of(name, value), known=", ".join(names))
    return value


def flag(value: Any, name: str) -> bool:
    """Return True or False.

    >>> flag(np.bool_(True), "scale")
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise refused("flag", setting=setting_of(name, value))
    return bool(value)


def text(value: Any, name: str) -> str:
    """Return a text.

    >>> text("iris", "title")
    'iris'
    """
    if not isinstance(value, str):
        raise refused("text", InputTypeError, setting=setting_of(name, value))
    return value


def path(value: Any, name: str = "path") -> Path:
    """Return the path of a file.

    >>> path("iris.csv").suffix
    '.csv'
    """
    if not isinstance(value, str | PathLike) or isinstance(value, bytes):
        raise refused("path", InputTypeError, setting=setting_of(name, value))
    if not str(value) or "\0" in str(value):
        raise refused("path.none", setting=setting_of(name, value))
    return Path(value)


def function(value: Any, name: str, what: str) -> Callable[..., Any]:
    """Return something that can be called; `what` says of what it must be a function.

    >>> function(len, "mapping", "of the table")([1, 2])
    2
    """
    if not callable(value):
        raise InputTypeError(f"{name}={short(value)} must be a function {what}")
    return value


def answer(value: Any, name: str, *arguments: Any) -> Any:
    """Return what a function that was given as an argument says.

    What goes wrong inside it is the caller's to see as it is; that it cannot be called like this is
    ours to say.

    >>> answer(len, "mapping", [1, 2])
    2
    """
    function(value, name, f"of {len(arguments)} argument(s)")
    try:
        return value(*arguments)
    except (AttributeError, TypeError, ValueError) as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        raise InputTypeError(f"{name}={short(value)} cannot be used: {str(error)[:200]}") from error


def short(value: Any) -> str:
    """Write a value that may be anything, an array for instance, on a part of one line.

    >>> short("a" * 100)[-5:]
    'aa...'
    >>> short(np.int64(3))
    '3'
    """
    plain = value.item() if isinstance(value, np.number | np.bool_) else value
    return shortened(repr(plain))


def generator(random_state: Any, name: str = "random_state") -> np.random.Generator:
    """Return a NumPy Generator; None means seed 0, so that results repeat by default.

    >>> int(generator(None).integers(1000)) == int(generator(0).integers(1000))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.SeedSequence | np.random.BitGenerator):
        return np.random.default_rng(random_state)
    if random_state is None:
        return np.random.default_rng(0)
    seed = random_state
    words: Any = seed if is_list(seed) else [seed]
    if not len(words) or not all(is_whole(word) and word >= 0 for word in words):
        raise refused("seed", setting=setting_of(name, random_state))
    return np.random.default_rng(seed)


class Random:
    """A source of random numbers, by default one that is made when it is first asked for.

    Seeding takes longer than a small decomposition, which needs no random number.

    >>> source = Random(None)
    >>> source.rng is source.rng
    True
    """

    def __init__(self, random_state: Any = None) -> None:
        if random_state is not None:  # what is wrong with it is said now
            self.rng = generator(random_state)

    @cached_property
    def rng(self) -> np.random.Generator:
        """The generator, always the same one."""
        return generator(None)
