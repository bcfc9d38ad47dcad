"""What an Arrow file will take in memory, by its own list of buffers, before any is unpacked.

Each packed buffer starts with its unpacked length, which the library allocates. The lists are
flatbuffers: a table knows where its fields are by a second table, of two bytes a field.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

__all__ = ["unpacked_size"]

_MARK = b"ARROW1"
_BATCH, _DICTIONARY = 3, 2  # kinds of messages


def _int(data: bytes, at: int, form: str) -> int:
    if at < 0:
        raise ValueError("a place before the start of the file")
    return int(struct.unpack_from(form, data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return where a field of a table stands, None where it has none."""
    listing = table - _int(data, table, "<i")
    if 4 + 2 * number >= _int(data, listing, "<H"):
        return None
    offset = _int(data, listing + 4 + 2 * number, "<H")
    return table + offset if offset else None


def _followed(data: bytes, at: int | None) -> int | None:
    return None if at is None else at + _int(data, at, "<I")


def _items(data: bytes, at: int | None, size: int) -> Iterator[int]:
    """Go through the places of a list of records of a size."""
    start = _followed(data, at)
    if start is not None:
        count = _int(data, start, "<I")
        if start + 4 + count * size > len(data):
            raise ValueError("a list is longer than the file")
        yield from range(start + 4, start + 4 + count * size, size)


def unpacked_size(data: bytes) -> int:
    """Return how many bytes the buffers of an Arrow file say that they unpack to."""
    if not data.endswith(_MARK):
        return len(data)  # the first version, which packs nothing
    end = len(data) - len(_MARK) - 4
    footer = end - _int(data, end, "<i")
    root = footer + _int(data, footer, "<I")
    blocks = [at for k in (2, 3) for at in _items(data, _field(data, root, k), 24)]
    return sum(_block(data, at) for at in blocks)


def _block(data: bytes, at: int) -> int:
    offset, size = _int(data, at, "<q"), _int(data, at + 8, "<i")
    message = offset + (8 if data[offset : offset + 4] == b"\xff\xff\xff\xff" else 4)
    root = message + _int(data, message, "<I")
    kind_at = _field(data, root, 1)
    header = _followed(data, _field(data, root, 2))
    kind = 0 if kind_at is None else data[kind_at]
    if header is not None and kind == _DICTIONARY:
        header = _followed(data, _field(data, header, 1))
    if header is None or kind not in (_BATCH, _DICTIONARY):
        raise ValueError("a block that holds no rows")
    return _batch(data, header, offset + size)


def _batch(data: bytes, table: int, body: int) -> int:
    """Return the bytes of the buffers of a batch, and of columns that have none."""
    rows_at = _field(data, table, 0)
    rows = 0 if rows_at is None else _int(data, rows_at, "<q")
    is_packed = _field(data, table, 3) is not None
    columns = sum(1 for _ in _items(data, _field(data, table, 1), 16))
    total = 8 * rows * columns
    for at in _items(data, _field(data, table, 2), 16):
        start, length = body + _int(data, at, "<q"), _int(data, at + 8, "<q")
        said = _int(data, start, "<q") if is_packed and length >= 8 else -1
        total += max(said, length)
    return total
