"""Checks of options, one for each kind of value, and warnings at the caller's line."""

import inspect
import math
import numbers
import warnings
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property, wraps
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec, TypeGuard, TypeVar

import numpy as np

from gramian.errors import InputError, InputTypeError

P = ParamSpec("P")
T = TypeVar("T")
MAX_COUNT = 2**31 - 1  # more of anything that is counted is a slip of the keyboard
_VALUE_LENGTH = 80  # characters of a value in a message


def invalid(
    name: str, value: object, requirement: str, kind: type[InputError | InputTypeError] = InputError
) -> Any:
    """Return the error that an argument has a value it may not have."""
    return kind(f"{name}={short(value)} {requirement}", argument=name, found=_line(str(value)))


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number; True and False are none, nor are spans of time."""
    if type(value) is int:  # quicker to say than what else it is not
        return True
    none = bool | np.bool_ | np.timedelta64  # NumPy takes a span of time for an integer
    return isinstance(value, numbers.Integral) and not isinstance(value, none)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number, infinite ones and NaN included."""
    if type(value) in (int, float):
        return True
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def expect(holds: bool, words: str) -> None:
    """Refuse a record where a condition does not hold; `words` say what belongs there."""
    if not holds:
        raise InputError(words)


def whole(
    value: object, name: str, least: int = 1, most: float = MAX_COUNT, *, what: str = ""
) -> int:
    """Return a whole number from `least` to `most`; `what` says what `most` is."""
    if not is_whole(value) or not least <= int(value) <= most:
        limit = f" and at most {most:.0f}{', ' if what else ''}{what}"
        if most == MAX_COUNT and not (is_whole(value) and value > MAX_COUNT):
            limit = ""
        raise invalid(name, value, f"must be a whole number, at least {least}{limit}")
    return int(value)


def number(value: object, name: str, least: float = -math.inf) -> float:
    """Return a finite number that is not below `least`."""
    if not (is_number(value) and least <= value < math.inf and value > -math.inf):
        limit = "" if math.isinf(least) else f" of at least {least:g}"
        raise invalid(name, value, f"must be a finite number{limit}")
    return float(value)


def positive(value: object, name: str) -> float:
    """Return a number above 0 and finite."""
    if not (is_number(value) and 0 < value < math.inf):
        raise invalid(name, value, "must be a positive finite number")
    return float(value)


def share(value: object, name: str, *, zero: bool = False, one: bool = False) -> float:
    """Return a number between 0 and 1, these themselves only where they are allowed."""
    low = is_number(value) and (value >= 0 if zero else value > 0)
    if not (is_number(value) and low and (value <= 1 if one else value < 1)):
        raise invalid(name, value, _SHARES[zero, one])
    return float(value)


# (0 is allowed, 1 is allowed) → what a share must be
_SHARES = {
    (False, False): "must lie strictly between 0 and 1",
    (True, False): "must be a share of at least 0 and below 1",
    (False, True): "must be a share above 0 and at most 1",
    (True, True): "must be a number between 0 and 1",
}


def is_list(value: object) -> bool:
    """Whether a value is a flat collection with an order and a length, not a text."""
    return isinstance(value, list | tuple | range) or getattr(value, "ndim", 0) == 1


def is_label(value: object) -> bool:
    """Whether a value can be looked up: lists and records cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def one_of(value: object, name: str, known: Iterable[str], *, none: bool = False) -> Any:
    """Return a name that is known; with `none`, None is one too."""
    names = list(known)
    if none and value is None:
        return None
    # Not `in` alone: an array would be compared entry by entry.
    if not isinstance(value, str) or value not in names:
        raise invalid(name, value, f"must be one of {', '.join(names)}{' or None' if none else ''}")
    return value


def known_options(
    given: Mapping[str, object], *takers: Callable[..., object] | Iterable[str]
) -> None:
    """Refuse options that are not among names, or the keyword-only arguments of functions."""
    known = [name for taker in takers for name in (_keywords(taker) if callable(taker) else taker)]
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"use {near[0]}=, or " if near else "use "
            hint += f"one of {', '.join(dict.fromkeys(known))}"
            raise invalid(name, value, f"must be an option that there is: {hint}", InputTypeError)


def _keywords(function: Callable[..., object]) -> list[str]:
    own = inspect.signature(function).parameters.values()
    return [each.name for each in own if each.kind is each.KEYWORD_ONLY]


def flag(value: object, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise invalid(name, value, "must be True or False")
    return bool(value)


def text(value: object, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise invalid(name, value, "must be a text", InputTypeError)
    return value


def path(value: object, name: str = "path") -> Path:
    """Return the path of a file."""
    if not isinstance(value, str | PathLike) or isinstance(value, bytes):
        raise invalid(name, value, "must be the path of a file", InputTypeError)
    if not str(value) or "\0" in str(value):
        raise invalid(name, value, "names no file: give the path of one")
    return Path(value)


def function(value: object, name: str, what: str) -> Callable[..., Any]:
    """Return something that can be called; `what` says of what it must be a function."""
    if not callable(value):
        raise InputTypeError(f"{name}={short(value)} must be a function {what}")
    return value


def answer(value: object, name: str, *arguments: object) -> Any:
    """Return what a function that was given as an argument says.

    What goes wrong inside it is the caller's to see as it is; that it cannot be called like this is
    ours to say.
    """
    call = function(value, name, f"of {len(arguments)} argument(s)")
    try:
        return call(*arguments)
    except (AttributeError, TypeError, ValueError) as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise
        raise InputTypeError(f"{name}={short(value)} cannot be used: {str(error)[:200]}") from error


def short(value: object) -> str:
    """Write a value that may be anything, an array for instance, on a part of one line."""
    plain = value.item() if isinstance(value, np.number | np.bool_) else value
    return _line(repr(plain))


def _line(text: str) -> str:
    """Return a text on a part of one line."""
    line = " ".join(text.split())
    return line if len(line) <= _VALUE_LENGTH else line[: _VALUE_LENGTH - 3] + "..."


def generator(random_state: object, name: str = "random_state") -> np.random.Generator:
    """Return a NumPy Generator; None means seed 0, so that results repeat by default."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.SeedSequence | np.random.BitGenerator):
        return np.random.default_rng(random_state)
    if random_state is None:
        return np.random.default_rng(0)
    seed: Any = random_state
    words = seed if is_list(seed) else [seed]
    if not len(words) or not all(is_whole(word) and word >= 0 for word in words):
        raise invalid(
            name,
            random_state,
            "is not a seed: give None, a whole number of at least 0 or a np.random.Generator",
        )
    return np.random.default_rng(seed)


class Random:
    """A source of random numbers, by default one that is made when it is first asked for.

    Seeding takes longer than a small decomposition, which needs no random number.
    """

    def __init__(self, random_state: object = None) -> None:
        if random_state is not None:  # what is wrong with it is said now
            self.rng = generator(random_state)

    @cached_property
    def rng(self) -> np.random.Generator:
        """The generator, always the same one."""
        return generator(None)


_PACKAGE = str(Path(__file__).parents[1])


def renamed(new: Callable[P, T], old: str, name: str, until: str) -> Callable[P, T]:
    """Return a function under its old name, which warns that version `until` removes that name."""

    @wraps(new)
    def function(*args: P.args, **options: P.kwargs) -> T:
        warn(f"{old} is called {name}, and {until} removes the old name", FutureWarning)
        return new(*args, **options)

    return function


def warn(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn at the first line outside this library; a warning that is made brings its category."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
