"""Loops that NumPy cannot fuse, compiled by numba where it is installed (extra `fast`).

This is the one place that imports numba, and only when a loop is first called: the import takes
a second. Whoever decorates a loop keeps a NumPy twin that gives the same numbers, and takes it
where numba is missing or the work is too small to pay for the import.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib.util import find_spec
from typing import Any, cast


@cache
def has_numba() -> bool:
    """Whether loops can be compiled here."""
    return find_spec("numba") is not None


def jit(loop: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile a loop now: for loops that call each other, in a module that is imported late."""
    import numba

    try:
        return numba.njit(cache=True, nogil=True, **options)(loop)
    except RuntimeError:  # there is no folder to keep the compiled code in
        return numba.njit(nogil=True, **options)(loop)


def compiled(loop: Callable[..., Any] | None = None, **options: Any) -> Callable[..., Any]:
    """Compile a loop over NumPy arrays on its first call; it runs without the interpreter's lock.

    A decorator, with or without numba's options: `@compiled`, `@compiled(fastmath=True)`.

    >>> @compiled
    ... def total(x):
    ...     s = 0.0
    ...     for k in range(x.size):
    ...         s += x[k]
    ...     return s
    >>> total.__name__
    'total'
    """
    if loop is None:
        return lambda loop: compiled(loop, **options)

    @cache
    def machine_code() -> Callable[..., Any]:
        return jit(loop, **options)

    @wraps(loop)
    def call(*arguments: Any) -> Any:
        return machine_code()(*arguments)

    return call


def by_precision(
    double: Callable[..., Any], single: Callable[..., Any], **options: Any
) -> Callable[..., Any]:
    """Return a function for compiled loops to call: one of two loops, as its array is of doubles.

    A compiled loop that took the other as an argument would be compiled anew in every process.
    """
    from numba.extending import overload

    def either(x: Any) -> None:
        raise NotImplementedError("it can be called by compiled loops only")

    def choice(x):  # type: ignore[no-untyped-def]  # with the arguments of the loops, as written
        return double if x.dtype.bitwidth == 64 else single

    overload(either, jit_options=cast(Any, options))(choice)
    return either
