"""JSON of a model file, read only after its size, its depth and its cost have been looked at.

`json` makes up to 24 bytes of objects out of one byte of text ("[]," is a list), so that a file of
a few megabytes could fill a machine. What a text will cost is known from counts of its marks.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.errors import InputError

__all__ = ["cost", "parsed"]

DEPTH = 1_000  # lists and objects inside one another; a kernel of 200 terms has 400
_DIGITS = 1_300  # of a whole number
# Bytes that CPython takes for what a mark begins: a list, an object, half a text, another value.
_COSTS = {b"[": 88, b"{": 300, b'"': 32, b",": 40}
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1


def cost(text: bytes) -> int:
    """Return about how many bytes the objects of a JSON text will take, from above.

    >>> cost(b'[[],[]]') >= 3 * 56
    True
    """
    return len(text) + sum(text.count(mark) * size for mark, size in _COSTS.items())


def parsed(text: bytes, allowance: float) -> Any:
    """Return the values of a JSON text whose cost is within the allowance.

    Refused are what JSON itself does not know (NaN), numbers that no double holds, whole numbers of
    absurd length, and objects that name a part twice: other readers would take the other one.

    >>> parsed(b'{"a":[1,2.5]}', 10_000)
    {'a': [1, 2.5]}
    """
    if cost(text) > allowance:
        raise InputError(f"its tree would take {cost(text)} bytes of memory, too many for its size")
    if depth(text) > DEPTH:
        raise InputError(f"its tree is deeper than {DEPTH} levels")
    return json.loads(
        text.decode("utf-8"),
        parse_int=_whole,
        parse_float=_finite,
        parse_constant=_no_number,
        object_pairs_hook=_named_once,
    )


def depth(text: bytes) -> int:
    """Return how many lists and objects are open at once, at most.

    >>> depth(b'{"[[[":[[1]]}')
    3
    """
    marks = np.frombuffer(_STRING.sub(b"", text), dtype=np.uint8)
    return int(np.cumsum(_STEPS[marks], dtype=np.int64).max(initial=0))


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise InputError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits) if len(digits) <= _DIGITS else math.inf
    if math.isinf(value):
        raise InputError(f"it has the number {digits[:20]}, which no double holds")
    return value


def _no_number(word: str) -> Any:
    raise InputError(f"it has {word} where a number belongs")


def _named_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise InputError("one of its parts is named twice")
    return values
