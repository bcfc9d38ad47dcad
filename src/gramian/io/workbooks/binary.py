"""Sheets of binary workbooks (xlsb): records, each with a number and a length."""

from __future__ import annotations

from collections.abc import Iterator

from gramian.errors import InputError
from gramian.io.workbooks.bounds import COLUMNS, ROWS, Bounds, Extent

__all__ = ["examine_binary"]

_SHEET, _BOOK, _STRINGS, _STYLES = 129, 131, 159, 278  # the first record of a part
_ROW, _POINTER, _STRING, _DATA_END = 0, 7, 19, 146
_CELLS = range(1, 12)


def examine_binary(parts: dict[str, bytes], bounds: Bounds) -> dict[str, bytes]:
    """Return the binary parts that are what they should be, each looked through."""
    kept: dict[str, bytes] = {}
    strings: list[int] = []
    for name, part in parts.items():
        kind = _first(part)
        if kind == _STRINGS:
            strings = max(strings, _strings(part, name, bounds), key=len)
        if kind in (_SHEET, _BOOK, _STRINGS, _STYLES):
            kept[name] = part
    for name, part in kept.items():
        if _first(part) == _SHEET:
            bounds.check(_extent(part, name, strings), name)
        else:
            _count(part, name)
    return kept


def _first(part: bytes) -> int:
    """Return the number of the first record; those of a part that opens have two bytes."""
    return (part[0] & 0x7F) + ((part[1] & 0x7F) << 7) if part[:1] > b"\x7f" and part[1:] else 0


def _records(part: bytes, name: str) -> Iterator[tuple[int, int, int]]:
    """Go through the records: number, start and end of each."""
    at, size = 0, len(part)
    while at < size:
        kind, at = part[at], at + 1
        if kind & 0x80:
            kind, at = (kind & 0x7F) + ((part[at] & 0x7F) << 7), at + 1
        length = shift = 0
        while shift < 28:
            byte, at = part[at], at + 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        if at + length > size:
            raise InputError(f"the workbook is broken: {name[:80]} is cut off")
        yield kind, at, at + length
        at += length


def _count(part: bytes, name: str) -> int:
    return sum(1 for _ in _records(part, name))


def _whole(part: bytes, start: int, end: int, at: int, name: str) -> int:
    """Return a whole number of a record."""
    if start + at + 4 > end:
        raise InputError(f"the workbook is broken: {name[:80]} has a record that is too short")
    return int.from_bytes(part[start + at : start + at + 4], "little")


def _extent(part: bytes, name: str, strings: list[int]) -> Extent:
    extent, row = Extent(), 0
    for kind, start, end in _records(part, name):
        if kind == _ROW:
            row = _whole(part, start, end, 0, name)
        elif kind in _CELLS:
            column = _whole(part, start, end, 0, name)
            if row >= ROWS or column >= COLUMNS:
                raise InputError(f"{name[:80]} has a cell outside of any sheet: it is refused")
            extent.reach(row + 1, column + 1)
            if kind == _POINTER:
                place = _whole(part, start, end, 8, name)
                if place >= len(strings):
                    raise InputError(f"{name[:80]} points at a text that is not there")
                extent.letters += strings[place]
    return extent


def _strings(part: bytes, name: str, bounds: Bounds) -> list[int]:
    """Return the length of each shared text."""
    lengths, said = [], 0
    for kind, start, end in _records(part, name):
        if kind == _STRINGS:
            said = max(_whole(part, start, end, 0, name), _whole(part, start, end, 4, name))
        elif kind == _STRING:
            lengths.append(end - start)
    bounds.check_count(said, len(lengths), name)
    return lengths
