"""The arrays of a safetensors file, as views of its bytes.

The header says of each name its type, shape and place. Places must follow one another without a
gap and end with the file, and hold as many bytes as the shape needs: then no array can be larger
than what is really there, and none lies over another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gramian.errors import InputError

__all__ = ["views"]

_DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}
_MOST_DIMENSIONS = 8


def views(header: dict[str, Any], body: memoryview) -> dict[str, np.ndarray]:
    """Return the arrays that a header describes, read-only and where they are.

    >>> one = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    >>> views(one, memoryview(bytes(8)))["a"].tolist()
    [0.0, 0.0]
    """
    entries = {name: _entry(name, e) for name, e in header.items() if name != "__metadata__"}
    at = 0
    arrays = {}
    for name, (kind, shape, start, stop) in sorted(entries.items(), key=_place):
        if start != at or stop - start != math.prod(shape) * kind.itemsize:
            raise InputError(f"array {name[:20]!r} is not where, or not as large as, it should be")
        arrays[name] = _view(body[start:stop], kind, shape)
        at = stop
    if at != len(body):
        raise InputError(f"its arrays end at byte {at} of {len(body)}")
    return arrays


Entry = tuple[np.dtype[Any], list[int], int, int]


def _place(item: tuple[str, Entry]) -> tuple[int, int]:
    return item[1][2], item[1][3]


def _entry(name: str, entry: Any) -> Entry:
    """Return type, shape and place, each looked at."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise InputError(f"array {name[:20]!r} is not described as safetensors are")
    kind, shape, place = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in _DTYPES:
        raise InputError(f"array {name[:20]!r} is of type {str(kind)[:20]}, which is not saved")
    if not _are_counts(shape) or len(shape) > _MOST_DIMENSIONS:
        raise InputError(f"array {name[:20]!r} has no shape")
    if not _are_counts(place) or len(place) != 2:
        raise InputError(f"array {name[:20]!r} has no place")
    return np.dtype(_DTYPES[kind]), shape, place[0], place[1]


def _are_counts(values: Any) -> bool:
    if not isinstance(values, list):
        return False
    return all(type(v) is int and 0 <= v < 2**62 for v in values)


def _view(data: memoryview, kind: np.dtype[Any], shape: list[int]) -> np.ndarray:
    """Return an array on bytes; a byte that is neither 0 nor 1 is no truth value."""
    raw = np.frombuffer(data, dtype=np.uint8)
    if kind.kind == "b" and raw.max(initial=0) > 1:
        raise InputError("it has a truth value that is neither true nor false")
    return raw.view(kind).reshape(shape)
