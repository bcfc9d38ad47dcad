"""Whether the parts of an object are what the annotations of its class say.

An annotation is a type; an array says more of itself in strings, as in
`Annotated[Array, "(n, q)", ">= 0"]`: its shape, in which a letter stands for one number throughout
the object, and what its numbers may be ("whole", ">= 0", "> 0"). Numbers are finite; "nan" allows
NaN as well, "any" everything. A whole number with a letter, `Annotated[int, "n"]`, is that size.
"""

import inspect
import math
import re
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from gramian._core.array import is_array, is_finite, is_numpy, is_sparse, namespace
from gramian._core.check import is_number, is_whole, short
from gramian.errors import InputError
from gramian.kernels.base import Parameters
from gramian.saving.classes import fitted_attributes, is_ours

_MAX_WHOLE_NUMBER = 2**62  # of whole numbers, some of which are sizes
Parts = dict[str, Any]
Sizes = dict[str, int]


class FieldError(InputError):
    """A part that is not what its class says."""

    def __init__(self, path: str, expected: str, got: str) -> None:
        super().__init__(f"field {path[-100:]}: expected {expected[:120]}, got {got[:80]}")


def check_record(cls: type, parts: Parts, path: str) -> None:
    """Refuse parts that are missing, of another type or shape, or that the class does not know."""
    declared, sizes = record_parts(cls), Sizes()
    for name, hint in declared.items():
        if name in parts:
            _check_field(parts[name], hint, sizes, f"{path}.{name}")
        elif not _may_be_absent(cls, name):
            raise FieldError(f"{path}.{name}", words(hint, sizes), "nothing")
    for name in sorted(parts.keys() - declared.keys()):
        raise FieldError(f"{path}.{name}", f"no such field of {cls.__name__}", "one")


def check_parameters(cls: type, parts: Parts, path: str) -> None:
    """Refuse values of types that the constructor does not take."""
    for name, hint in parameter_hints(cls).items():
        if name in parts:
            _check_field(parts[name], hint, None, f"{path}.{name}")


def check_estimator(cls: type, parts: Parts, path: str) -> None:
    """Refuse an estimator whose parameters or results are not what its class says.

    Other attributes are the user's own, unless one would stand in the place of a method.
    """
    check_parameters(cls, parts, path)
    own = parts.keys() - parameters(cls).keys() - {"_sklearn_output_config"}
    declared, sizes = result_hints(cls), Sizes()
    for name, hint in declared.items():
        if name in own:
            _check_field(parts[name], hint, sizes, f"{path}.{name}")
        elif own and not matches(None, hint, sizes):
            raise FieldError(f"{path}.{name}", words(hint, sizes), "nothing")
    for name in sorted(own - declared.keys()):
        hidden = inspect.getattr_static(cls, name, None)
        if name.startswith("__") or getattr(hidden, "__get__", None) is not None:
            what = f"what {cls.__name__} itself says, which is hidden by a value"
            raise FieldError(f"{path}.{name}", what, describe(parts[name]))


def _check_field(value: Any, hint: Any, sizes: Sizes | None, path: str) -> None:
    if not matches(value, hint, sizes):
        raise FieldError(path, words(hint, sizes or {}), describe(value))


@cache
def record_parts(cls: type) -> dict[str, Any]:
    """Return the parts of a class that is no estimator, with their types.

    They are the fields of a dataclass and what it computes once, or else the annotated attributes.
    """
    hints = typing.get_type_hints(cls, include_extras=True)
    if not is_dataclass(cls):
        return hints
    computed = inspect.getmembers_static(cls, lambda value: isinstance(value, cached_property))
    returned = {
        name: typing.get_type_hints(value.func, include_extras=True)["return"]
        for name, value in computed
    }
    return {field.name: hints[field.name] for field in fields(cls)} | returned


def _may_be_absent(cls: type, name: str) -> bool:
    """Whether a part has a default or is computed from the others."""
    if not is_dataclass(cls):
        return hasattr(cls, name)
    field = next((field for field in fields(cls) if field.name == name), None)
    return field is None or field.default is not MISSING or field.default_factory is not MISSING


@cache
def parameters(cls: Any) -> dict[str, Any]:
    """Return the parameters of a constructor with their defaults, `inspect.Parameter.empty` too."""
    if cls.__init__ is object.__init__:
        return {}
    known = inspect.signature(cls.__init__).parameters.values()
    # Other names of parameters are never in a file.
    aliases = cls.aliases if issubclass(cls, Parameters) else ()
    return {p.name: p.default for p in known if p.name != "self" and p.name not in aliases}


@cache
def parameter_hints(cls: Any) -> dict[str, Any]:
    """Return the types of the parameters, as far as the constructor is the library's own."""
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    if not is_ours(owner):
        return {}
    hints = typing.get_type_hints(owner.__init__)
    return {name: hint for name, hint in hints.items() if name in parameters(cls)}


@cache
def result_hints(cls: type) -> dict[str, Any]:
    """Return what a fitted estimator has, with its types; of a user's class, what it inherits."""
    # Sizes come before the arrays that have them: then it is the array that is refused.
    hints = fitted_attributes(cls)
    names = sorted(hints, key=lambda name: words(hints[name], {}).startswith("numbers"))
    own = parameters(cls)
    return {name: hints[name] for name in names if name not in own and _is_stored(cls, name)}


def _is_stored(cls: type, name: str) -> bool:
    """Whether instances hold the attribute themselves, plainly or by a descriptor of their own."""
    own = inspect.getattr_static(cls, name, None)
    return own is None or (inspect.isdatadescriptor(own) and not isinstance(own, property))


@cache
def _form(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint), get_args(hint)


def matches(value: Any, hint: Any, sizes: Sizes | None) -> bool:
    """Whether a value is of a type; without `sizes` it is a parameter, whose numbers are free."""
    if hint is Any:
        return True
    origin, inside = _form(hint)
    if origin is Annotated:
        return _matches_notes(value, inside[0], _notes(inside[1:]), {} if sizes is None else sizes)
    if origin in (Union, UnionType):
        return any(matches(value, each, sizes) for each in inside)
    if origin is Literal:
        return any(type(value) is type(word) and value == word for word in inside)
    if origin is not None:
        return _is_of(value, origin) and _items_match(value, origin, inside, sizes)
    if hint in (int, float) and sizes is None:
        return is_number(value)
    if hint is int:
        return is_whole(value) and abs(value) < _MAX_WHOLE_NUMBER
    if hint is float:
        return is_number(value) and math.isfinite(value)
    if hint is bool:
        return isinstance(value, bool | np.bool_)
    return value is None if hint in (None, NoneType) else _is_of(value, hint)


def _is_of(value: Any, kind: Any) -> bool:
    """Whether a value is of a class; arrays are sequences here."""
    try:
        return isinstance(value, Iterable if kind is Sequence else kind)
    except TypeError:  # a protocol, which says nothing when a program runs
        return True


def _items_match(value: Any, kind: Any, inside: tuple[Any, ...], sizes: Sizes | None) -> bool:
    """Whether the items of a container are of their types; a function has none."""
    if kind is Callable or not inside:
        return True
    if issubclass(kind, Mapping):
        pairs = (
            (key, item) for pair in value.items() for key, item in zip(inside, pair, strict=True)
        )
        return all(matches(item, hint, sizes) for hint, item in pairs)
    if kind is tuple and inside[-1] is not Ellipsis:
        if len(value) != len(inside):
            return False
        return all(matches(v, h, sizes) for v, h in zip(value, inside, strict=True))
    return all(matches(item, inside[0], sizes) for item in value)


@dataclass(frozen=True)
class _Notes:
    """What stands beside a type, read once."""

    sides: tuple[str, ...] | None  # of an array
    letter: str | None  # of a whole number that is a size
    bounds: tuple[tuple[str, float], ...]
    words: tuple[str, ...]


@cache
def _notes(texts: tuple[str, ...]) -> _Notes:
    shape = next((text for text in texts if text.startswith("(")), None)
    sides = None if shape is None else tuple(re.findall(r"\w+", shape))
    bounds = [text.split(" ") for text in texts if text.startswith(">")]
    letter = next((text for text in texts if len(text) == 1), None)
    return _Notes(sides, letter, tuple((sign, float(bound)) for sign, bound in bounds), texts)


def _matches_notes(value: Any, hint: Any, notes: _Notes, sizes: Sizes) -> bool:
    """Whether a value is of a type, and what the notes beside the type say."""
    if notes.sides is not None:
        return _is_shaped(value, hint, notes, sizes)
    is_free = is_number(value) and (
        "any" in notes.words or ("nan" in notes.words and math.isnan(value))
    )
    if not (is_free or matches(value, hint, sizes)):
        return False
    known = notes.letter is None or sizes.setdefault(notes.letter, value) == value
    return known and _is_above(value, notes)


def _is_shaped(value: Any, hint: Any, notes: _Notes, sizes: Sizes) -> bool:
    """Whether a value is an array of numbers; those that are annotated as NumPy's are doubles."""
    if not is_array(value) or (hint is np.ndarray and not is_numpy(value)):
        return False
    sides, shape = notes.sides or (), value.shape
    if len(sides) != len(shape):
        return False
    for letter, size in zip(sides, shape, strict=True):
        if sizes.setdefault(letter, size) != size:
            return False
    if "whole" in notes.words:
        return is_numpy(value) and value.dtype.kind in "iu" and _is_above(value, notes)
    if hint is np.ndarray:
        is_real = value.dtype == np.float64
    else:
        is_real = namespace(value).isdtype(value.dtype, "real floating")
    if not is_real or value.dtype.itemsize < 4:
        return False
    is_known = "any" in notes.words or is_finite(value, nan="nan" in notes.words)
    return is_known and _is_above(value, notes)


def _is_above(value: Any, notes: _Notes) -> bool:
    """Whether numbers are as large as a note such as ">= 1" or "> 0" says."""
    for sign, bound in notes.bounds:
        low = value < bound if sign == ">=" else value <= bound
        if bool(low if isinstance(low, bool) else low.any()):
            return False
    return True


def words(hint: Any, sizes: Sizes) -> str:
    """Return a type in words, with the sizes that are known."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(words(each, sizes) for each in inside)
    if origin is Annotated:
        known = [f"{x} = {n}" for x, n in sizes.items() if any(x in note for note in inside[1:])]
        is_array_ = any(note.startswith("(") for note in inside[1:])
        what = "numbers" if is_array_ else words(inside[0], sizes)
        notes = [note for note in inside[1:] if len(note) > 1 and note != "any"]
        return " ".join([what, *notes, *(["with " + ", ".join(known)] if known else [])])
    if origin is Literal:
        return f"one of {', '.join(map(str, inside))}"
    names = {int: "a whole number", float: "a finite number", str: "a text", bool: "True or False"}
    if hint in (None, NoneType):
        return "None"
    return names.get(hint) or f"a {getattr(hint if origin is None else origin, '__name__', hint)}"


def describe(value: Any) -> str:
    """Return what a value is, in a few words."""
    if is_array(value) or is_sparse(value):
        is_odd = is_array(value) and "float" in str(value.dtype) and not is_finite(value)
        return f"{value.dtype} {tuple(value.shape)}{' with NaN or inf' if is_odd else ''}"
    if value is None or isinstance(value, str | bool) or is_number(value):
        return short(value)
    return f"a {type(value).__name__}"
