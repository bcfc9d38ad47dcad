"""The registry of kernels: the short name of each class and its name in model files."""

import inspect
import re
from dataclasses import dataclass
from typing import Any

from gramian._core.check import one_of, short
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel, KernelLike

_CUSTOM_PREFIX = "registered"  # of the keys of custom kernels
_PREFIXES = {"table": "kernels", "graphs": "graph", "sequences": "sequence"}


@dataclass(frozen=True)
class Entry:
    """A kernel class, its short names and the kind of data it is for."""

    cls: type[Kernel]
    names: tuple[str, ...]
    kind: str


# By the key that model files use. A key is never given to another class: old files name it.
KERNELS: dict[str, Entry] = {}


def register(
    *arguments: type[Kernel] | str, name: str | None = None, kind: str = "table", short: bool = True
) -> Any:
    """Make a kernel class known by name: `kernel="name"`, `gramian fit --kernel name`, model files.

    A decorator or a call: `@register`, `@register("cauchy")`, `register(Cauchy, "cauchy")`.
    Register the kernel before loading a model file that uses it: the file holds the name and the
    parameters, but no code. A name cannot be given to another class; a class that is redefined (by
    running a notebook cell twice) replaces the old one.

    Parameters
    ----------
    *arguments : the class, its short names, or both
    name : str, optional
        The short name; the class name in lower case with underscores by default.
    kind : "table", "graphs" or "sequences"
        The data that the kernel is for.
    short : bool
        Whether the kernel has a short name; False for one that needs arguments.

    Examples
    --------
    >>> class Inverse(gm.kernels.Radial):
    ...     def __init__(self, scale="median"):
    ...         self.scale = scale
    ...
    ...     def profile(self, t):
    ...         return (1.0 + t) ** -0.5
    >>> Inverse = gm.kernels.register(Inverse, "inverse_multiquadric")
    >>> kernel = gm.kernels.as_kernel("inverse_multiquadric").set_params(scale=1.0)
    >>> float(kernel([[0.0]], [[1.0]])[0, 0].round(6))
    0.707107
    """
    names = [*(a for a in arguments if isinstance(a, str)), *([] if name is None else [name])]
    classes = [a for a in arguments if not isinstance(a, str)]
    if len(classes) > 1:
        raise InputTypeError(f"kernel: {len(classes)} classes in one registration: give one")
    if classes:
        return _enter(classes[0], names, kind, short)
    return lambda cls: _enter(cls, names, kind, short)


def kernel_class(name: str, kind: str = "table") -> type[Kernel] | None:
    """Return the class of a short name, or None."""
    return entry.cls if (entry := _entry(name, kind)) else None


def short_names(kind: str = "table") -> list[str]:
    """Return the short names of the kernels for a kind of data."""
    return [name for entry in KERNELS.values() if entry.kind == kind for name in entry.names]


def key_of(cls: type) -> str | None:
    """Return the key of a class in model files, or None."""
    return next((key for key, entry in KERNELS.items() if entry.cls is cls), None)


def as_kernel(kernel: KernelLike) -> Kernel:
    """Return a Kernel, from a Kernel, a name, a callable or a scikit-learn kernel.

    >>> as_kernel("gaussian")
    Gaussian(scale='median')
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        return _by_name(kernel)
    if isinstance(kernel, type):
        raise InputTypeError(f"kernel={kernel.__name__} is a class: write {kernel.__name__}()")
    if callable(kernel):
        from gramian.kernels.functions import Callback

        return Callback(kernel)
    raise InputTypeError(
        f"kernel={short(kernel)} must be a Kernel, a name, 'precomputed' or a callable of two "
        "tables"
    )


def _by_name(name: str) -> Kernel:
    cls = kernel_class(name)
    if cls is None:
        known = ", ".join([*short_names(), "precomputed"])
        raise InputError(f"kernel={name[:40]!r} is not a known name: use one of {known[:300]}")
    try:
        return cls()
    except TypeError as error:
        raise InputTypeError(
            f"kernel={short(name)} needs arguments: write {cls.__name__}(…) ({str(error)[:100]})"
        ) from error


def usual_kernel(kind: str) -> Kernel:
    """Return the kernel for a kind of data, where none is named."""
    if kind == "table":
        return _by_name("gaussian")
    from gramian.kernels.graph import WeisfeilerLehman
    from gramian.kernels.sequence import Spectrum

    usual: dict[str, type[Kernel]] = {"graphs": WeisfeilerLehman, "sequences": Spectrum}
    return usual[kind]().normalized()


def _enter(cls: type[Kernel], names: list[str], kind: str, short: bool) -> type[Kernel]:
    _check_class(cls)
    one_of(kind, "kind", _PREFIXES)
    names = (names or [_snake(cls.__name__)]) if short else []
    key = _key(cls, names, kind)
    held = [(key, KERNELS.get(key))] + [(n, _entry(n, kind)) for n in names]
    for word, entry in held:
        old = cls if entry is None else entry.cls
        same = (old.__module__, old.__qualname__) == (cls.__module__, cls.__qualname__)
        # A class may take the place of itself, when its definition is run once more.
        if old is not cls and (not same or cls.__module__.startswith("gramian.")):
            raise InputError(
                f"name: {word!r} belongs to {old.__module__}.{old.__qualname__}: "
                f"register {cls.__name__} under another name"
            )
    for word in names:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", word) or word == "precomputed":
            raise InputError(
                f"name={word!r} must be lower-case letters, digits and underscores, and not "
                f"'precomputed': such as {_snake(cls.__name__)!r}"
            )
    known = KERNELS[key].names if key in KERNELS else ()
    KERNELS[key] = Entry(cls, tuple(dict.fromkeys([*known, *names])), kind)
    return cls


def _check_class(cls: object) -> None:
    """Refuse what could not be made again from its parameters."""
    if not (isinstance(cls, type) and issubclass(cls, Kernel)):
        raise InputTypeError(f"kernel: {cls!r:.80} is not a kernel class: derive it from Kernel")
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    own = cls.__init__ is not object.__init__
    parameters = inspect.signature(cls.__init__).parameters.values() if own else ()
    if any(parameter.kind in several for parameter in parameters):
        raise InputError(
            f"kernel: {cls.__name__} takes *args or **kwargs, so that its parameters have no "
            "names: write them out in the constructor"
        )


def _key(cls: type, names: list[str], kind: str) -> str:
    if cls.__module__.startswith("gramian.kernels."):
        return f"{_PREFIXES[kind]}.{cls.__name__}"
    word = names[0] if names else _snake(cls.__name__)
    return f"{_CUSTOM_PREFIX}.{word}" if kind == "table" else f"{_CUSTOM_PREFIX}.{kind}.{word}"


def _entry(name: str, kind: str) -> Entry | None:
    return next((e for e in KERNELS.values() if e.kind == kind and name in e.names), None)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
