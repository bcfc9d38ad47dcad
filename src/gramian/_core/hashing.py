"""Codes of labels: 64-bit words, equal for equal labels, in every process."""

from collections.abc import Hashable, Iterable
from functools import lru_cache
from hashlib import blake2b
from numbers import Integral, Real

import numpy as np

from gramian.errors import InputError

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mix(x: np.ndarray) -> np.ndarray:
    """Scramble 64-bit words one by one, a bijection in which each bit moves all the others."""
    x = (x ^ (x >> np.uint64(30))) * _FIRST_FACTOR
    x = (x ^ (x >> np.uint64(27))) * _SECOND_FACTOR
    return x ^ (x >> np.uint64(31))


def combine(*parts: np.ndarray) -> np.ndarray:
    """Return one code for each tuple of codes, whose order counts."""
    total = np.zeros(1, dtype=np.uint64)
    for part in parts:
        total = mix(total * _FIRST_FACTOR + part + _GOLDEN)
    return total


def codes(labels: Iterable[Hashable]) -> np.ndarray:
    """Return the code of each label, (n,)."""
    items = list(labels)
    try:
        known = {label: code(label) for label in set(items)}
        return np.fromiter(map(known.__getitem__, items), dtype=np.uint64, count=len(items))
    except TypeError as error:
        raise InputError(f"labels must be texts, numbers or tuples of them: {error}") from error


@lru_cache(maxsize=1 << 16)
def code(label: Hashable) -> int:
    """Return the code of a text, a number, bytes or a tuple of these; equal labels, equal codes."""
    return int.from_bytes(blake2b(_encode(label), digest_size=8).digest(), "little")


def _encode(label: Hashable) -> bytes:
    if isinstance(label, str):
        return b"s" + label.encode("utf-8", "surrogatepass")
    if isinstance(label, bytes):
        return b"b" + label
    if isinstance(label, tuple):
        return b"t" + b"".join(code(part).to_bytes(8, "little") for part in label)
    if isinstance(label, Integral | np.bool_):
        return b"i%d" % int(label)
    if isinstance(label, Real) and label == label:
        number = float(label)  # a whole one is written like the integer it equals
        return b"i%d" % int(number) if number.is_integer() else b"f" + repr(number).encode()
    raise InputError(
        f"the label {label!r:.60} cannot be compared between graphs or sequences: "
        "use texts, numbers or tuples of them"
    )
