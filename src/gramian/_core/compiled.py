"""Loops that NumPy cannot fuse, compiled by numba where it is installed (extra `fast`).

This is the one place that imports numba, and only when a loop is first called: the import takes
a second. Each compiled loop has a NumPy implementation with the same numbers, which is used
where numba is missing or the work is too small to pay for the import.
"""

import math
from collections.abc import Callable
from functools import cache, wraps
from importlib.util import find_spec
from typing import Any, cast

import numpy as np

_CHUNK = 1024  # numbers at a time: they stay in the first-level cache between the two loops
_LOG2E = 1.4426950408889634
_MAGIC = 6755399441055744.0  # 1.5·2^52: adding it rounds to an integer, held in the low bits


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


def lazy_jit(loop: Callable[..., Any] | None = None, **options: object) -> Callable[..., Any]:
    """Compile a loop over NumPy arrays on its first call; it runs without the interpreter's lock.

    A decorator, with or without numba's options: `@lazy_jit`, `@lazy_jit(fastmath=True)`.
    """
    if loop is None:
        return lambda loop: lazy_jit(loop, **options)

    @cache
    def machine_code() -> Callable[..., Any]:
        return jit(loop, **options)

    @wraps(loop)
    def call(*arguments: object) -> Any:
        return machine_code()(*arguments)

    return call


def by_precision(
    double: Callable[..., Any], single: Callable[..., Any], **options: object
) -> Callable[..., Any]:
    """Return a function for compiled loops to call: one of two loops, as its array is of doubles.

    A compiled loop that took the other as an argument would be compiled anew in every process.
    """
    from numba.extending import overload

    def either(x: np.ndarray) -> None:
        raise NotImplementedError("it can be called by compiled loops only")

    def choice(x):  # type: ignore[no-untyped-def]  # with the arguments of the loops, as written
        return double if x.dtype.bitwidth == 64 else single

    overload(either, jit_options=cast(Any, options))(choice)
    return either


# ln 2 in two parts, the first with trailing zeros, so that k·ln 2 loses nothing.
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
_C = tuple(1.0 / math.factorial(k) for k in range(14))

_F = np.float32
_LOG2E_F, _MAGIC_F = _F(_LOG2E), _F(12582912.0)
_LN2_HIGH_F, _LN2_LOW_F = _F(0.693359375), _F(-2.12194440e-4)
_LOWEST_F, _ONE_F, _HALF_F = _F(-87.0), _F(1.0), _F(0.5)
# The minimax polynomial of (e^r − 1 − r)/r² on |r| ≤ ln 2/2 (Moshier's Cephes).
_C0, _C1, _C2 = _F(1.9875691500e-4), _F(1.3981999507e-3), _F(8.3334519073e-3)
_C3, _C4, _C5 = _F(4.1665795894e-2), _F(1.6666665459e-1), _F(5.0000001201e-1)


FAST = {"contract", "nnan", "ninf", "nsz"}


def exp64(x):  # type: ignore[no-untyped-def]
    bits = np.empty(_CHUNK)
    exponent = bits.view(np.int64)
    for start in range(0, x.size, _CHUNK):
        y = x[start : start + _CHUNK]
        for i in range(y.size):
            v = max(y[i], -708.0)
            k = v * _LOG2E + _MAGIC
            bits[i] = k
            k -= _MAGIC
            r = (v - k * _LN2_HIGH) - k * _LN2_LOW
            p = _C[13]
            p = p * r + _C[12]
            p = p * r + _C[11]
            p = p * r + _C[10]
            p = p * r + _C[9]
            p = p * r + _C[8]
            p = p * r + _C[7]
            p = p * r + _C[6]
            p = p * r + _C[5]
            p = p * r + _C[4]
            p = p * r + _C[3]
            p = p * r + _C[2]
            p = p * r * r + r
            # 2⁻²: the exponent added below, −1021, makes it 0.
            y[i] = 0.25 if y[i] < -708.0 else p + 1.0
        words = y.view(np.int64)
        for i in range(y.size):
            words[i] += exponent[i] << 52


def exp32(x):  # type: ignore[no-untyped-def]
    bits = np.empty(_CHUNK, np.float32)
    exponent = bits.view(np.int32)
    for start in range(0, x.size, _CHUNK):
        y = x[start : start + _CHUNK]
        for i in range(y.size):
            v = max(y[i], _LOWEST_F)
            k = v * _LOG2E_F + _MAGIC_F
            bits[i] = k
            k -= _MAGIC_F
            r = (v - k * _LN2_HIGH_F) - k * _LN2_LOW_F
            p = _C0
            p = p * r + _C1
            p = p * r + _C2
            p = p * r + _C3
            p = p * r + _C4
            p = p * r + _C5
            p = p * r * r + r
            y[i] = _HALF_F if y[i] < _LOWEST_F else p + _ONE_F  # 2⁻¹: here it is −126
        words = y.view(np.int32)
        for i in range(y.size):
            words[i] += exponent[i] << 23


_exp64, _exp32 = (lazy_jit(loop, fastmath=FAST) for loop in (exp64, exp32))


def exp_inplace(x: np.ndarray) -> np.ndarray:
    """Replace the entries x ≤ 0 of a contiguous array by their exponentials."""
    (_exp64 if x.dtype == np.float64 else _exp32)(x.reshape(-1))
    return x
