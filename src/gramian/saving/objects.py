"""Objects taken apart into named parts, and put together again from them.

A dataclass and a class with annotated attributes are their attributes; a kernel is the parameters
of its constructor; an estimator is its parameters and its fitted attributes. What can be computed
again is left out.
"""

import inspect
from typing import Any

from sklearn.base import BaseEstimator

from gramian._core.embedding import Training
from gramian._core.operators import TiledGram
from gramian._core.pairs import Points
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.kernels.objects import Objects
from gramian.saving.check import (
    FieldError,
    Parts,
    check_estimator,
    check_parameters,
    check_record,
    parameters,
    record_parts,
)

_MAX_KERNELS = 2_000  # of a composite kernel, written out


# What is made by its constructor, from attributes of the same names; the rest is computed again.
_CONSTRUCTED: dict[type, tuple[str, ...]] = {
    Points: ("X", "origin"),
    TiledGram: ("kernel", "points"),
    Objects: ("items",),
}


def parts_of(value: Any) -> Parts:
    """Return what an object is rebuilt from."""
    cls: Any = type(value)
    if isinstance(value, Kernel):
        return {name: getattr(value, name) for name in parameters(cls)}
    if isinstance(value, Training):
        _ = value.kind == "gone" or value.rows  # lent rows that have changed are refused now
        return vars(value) | {"mark": None}  # rows in a file are nobody else's
    if cls in _CONSTRUCTED:
        parts = {name: getattr(value, name) for name in _CONSTRUCTED[cls]}
        return {name: None if part is value else part for name, part in parts.items()}
    if isinstance(value, tuple) or getattr(value, "__dict__", None) is None:
        return {name: getattr(value, name) for name in record_parts(cls)}
    return {name: part for name, part in vars(value).items() if name != "_sklearn_version"}


def check_parts(cls: type, parts: Parts, path: str) -> None:
    """Refuse parts that are not what the class says."""
    if issubclass(cls, BaseEstimator):
        check_estimator(cls, parts, path)
    elif issubclass(cls, Kernel) or cls in _CONSTRUCTED:
        known = parameters(cls)
        for name in sorted(parts.keys() - known.keys()):
            raise FieldError(f"{path}.{name}", f"no such parameter of {cls.__name__}", "one")
        check_parameters(cls, parts, path)
    else:
        check_record(cls, parts, path)


def check_object(value: Any, path: str) -> None:
    """Refuse an object whose parts contradict each other: those that know it have a `check`."""
    if isinstance(value, Kernel) and _kernels_in(value, {}) > _MAX_KERNELS:
        raise FieldError(path, f"a kernel of at most {_MAX_KERNELS} others", "more")
    if (isinstance(value, Kernel) or not isinstance(value, BaseEstimator)) and hasattr(
        value, "check"
    ):
        try:
            value.check()
        except InputError as error:
            expected, _, got = str(error).partition(", got ")
            raise FieldError(path, expected, got or "something else") from error


def _kernels_in(kernel: Kernel, known: dict[int, int]) -> int:
    """Return how many kernels one is made of, each time that it names them."""
    if id(kernel) not in known:
        inside = parts_of(kernel).values()
        known[id(kernel)] = 1 + sum(_kernels_in(k, known) for k in inside if isinstance(k, Kernel))
    return known[id(kernel)]


def build(cls: Any, parts: Parts, path: str) -> Any:
    """Return an object from its parts; attributes are set, and nothing of the file is called."""
    is_estimator = issubclass(cls, BaseEstimator)
    is_made = issubclass(cls, Kernel | tuple) or cls in _CONSTRUCTED
    if is_made or is_estimator:
        defaults = {} if issubclass(cls, tuple) else parameters(cls)
        absent = {name: value for name, value in defaults.items() if name not in parts}
        for name, value in absent.items():
            if value is inspect.Parameter.empty:
                raise FieldError(f"{path}.{name}", "a parameter", "nothing")
        if is_estimator:
            parts = parts | absent  # parameters that are newer than the file
    check_parts(cls, parts, path)
    if is_made:
        instance = cls(**parts)
    else:
        instance = cls.__new__(cls)
        for name, value in parts.items():
            object.__setattr__(instance, name, value)
    check_object(instance, path)
    return instance
