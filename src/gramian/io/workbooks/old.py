"""Sheets of old workbooks (xls): records, each with a number and a length of two bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from gramian.errors import InputError
from gramian.io.workbooks.bounds import Bounds, Extent

__all__ = ["checked_stream"]

_FORMULA, _END, _CONTINUED, _SHEET, _MANY = 0x06, 0x0A, 0x3C, 0x85, 0xBD
_STRINGS, _POINTER, _SIZE = 0xFC, 0xFD, 0x200
# Numbers, labels, truth values, formulas, several numbers at once.
_CELLS = {_FORMULA, _MANY, 0xD6, _POINTER, 0x203, 0x204, 0x205, 0x27E}


def checked_stream(stream: bytes, bounds: Bounds) -> bytes:
    """Return a workbook whose sheets say their true size, and whose formulas say nothing."""
    out = bytearray(stream)
    starts: list[int] = []
    strings: list[int] = []
    for kind, start, end in _records(stream, 0):
        if kind == _SHEET and end - start >= 4:
            starts.append(int.from_bytes(stream[start : start + 4], "little"))
        elif kind == _STRINGS:
            strings = _strings(stream, start, end)
    last = 0
    for number, start in enumerate(sorted(starts), 1):
        if start < last or start >= len(stream):
            raise InputError(f"the workbook is broken: sheet {number} is not where it should be")
        extent, last = _sheet(out, start, strings)
        bounds.check(extent, f"sheet {number}")
    return bytes(out)


def _records(stream: bytes | bytearray, at: int) -> Iterator[tuple[int, int, int]]:
    """Go through the records of a sheet, or of the book: number, start and end of each."""
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        start, at = at + 4, at + 4 + size
        if at > len(stream):
            raise InputError("the workbook is broken: a record is cut off")
        yield kind, start, at
        if kind == _END:
            return


def _sheet(out: bytearray, at: int, strings: list[int]) -> tuple[Extent, int]:
    """Return how far the cells of a sheet reach and where it ends; mend what is believed of it."""
    extent, sizes, last = Extent(), [], at
    for kind, start, end in _records(out, at):
        last = end
        if kind in _CELLS:
            _cell(out, kind, start, end, extent, strings)
        elif kind == _SIZE:
            sizes.append((start, end))
    for start, end in sizes:
        form = "<IIHH" if end - start >= 14 else "<HHHH"
        if end - start < struct.calcsize(form):
            raise InputError("the workbook is broken: the size of a sheet is cut off")
        rows = min(extent.rows, 0xFFFF) if form == "<HHHH" else extent.rows
        struct.pack_into(form, out, start, 0, rows, 0, min(extent.columns, 0xFFFF))
    return extent, last


def _cell(
    out: bytearray, kind: int, start: int, end: int, extent: Extent, strings: list[int]
) -> None:
    if end - start < (22 if kind == _FORMULA else 10 if kind == _POINTER else 6):
        raise InputError("the workbook is broken: a cell is cut off")
    row, column = struct.unpack_from("<HH", out, start)
    if kind == _MANY:
        column = max(column, int.from_bytes(out[end - 2 : end], "little"))
        extent.cells += (end - start) // 6 - 1
    extent.reach(row + 1, column + 1)
    if kind == _FORMULA:
        out[start + 20 : start + 22] = b"\0\0"  # its value is read, its text is not needed
    if kind == _POINTER:
        place = int.from_bytes(out[start + 6 : start + 10], "little")
        if place >= len(strings):
            raise InputError("the workbook is broken: a cell points at a text that is not there")
        extent.letters += strings[place]


def _strings(stream: bytes, start: int, end: int) -> list[int]:
    """Return how many letters each shared text has; texts may go on over several records."""
    pieces = [(start + 8, end)]
    while end + 4 <= len(stream) and stream[end : end + 2] == _CONTINUED.to_bytes(2, "little"):
        size = int.from_bytes(stream[end + 2 : end + 4], "little")
        pieces.append((end + 4, min(end + 4 + size, len(stream))))
        end += 4 + size
    reader = _Pieces(stream, pieces)
    said = int.from_bytes(stream[start + 4 : start + 8], "little")
    lengths: list[int] = []
    while len(lengths) < said and not reader.is_over():
        lengths.append(reader.text())
    if said > len(lengths):
        raise InputError(f"the workbook says that it holds {said} texts and holds {len(lengths)}")
    return lengths


class _Pieces:
    """A walk through texts that are cut into records."""

    def __init__(self, stream: bytes, pieces: list[tuple[int, int]]) -> None:
        self.stream, self.pieces = stream, pieces
        self.number, self.at = 0, pieces[0][0]

    def is_over(self) -> bool:
        while self.at >= self.pieces[self.number][1]:
            if self.number + 1 >= len(self.pieces):
                return True
            self.number += 1
            self.at = self.pieces[self.number][0]
        return False

    def take(self, count: int) -> bytes:
        if self.is_over() or self.at + count > len(self.stream):
            raise InputError("the workbook is broken: its texts are cut off")
        self.at += count
        return self.stream[self.at - count : self.at]

    def text(self) -> int:
        """Pass over one text, and return how many letters it has."""
        letters, flags = struct.unpack("<HB", self.take(3))
        runs = int.from_bytes(self.take(2), "little") if flags & 8 else 0
        extra = int.from_bytes(self.take(4), "little") if flags & 4 else 0
        left = letters
        while left:
            if self.is_over():
                raise InputError("the workbook is broken: its texts are cut off")
            width = 2 if flags & 1 else 1
            part = min(left, (self.pieces[self.number][1] - self.at) // width)
            self.at, left = self.at + part * width, left - part
            if left:  # the next record starts with a word on how its letters are written
                self.at = self.pieces[self.number][1]
                flags = flags & ~1 | self.take(1)[0] & 1
        self.skip(4 * runs + extra)
        return letters

    def skip(self, count: int) -> None:
        while count:
            if self.is_over():
                raise InputError("the workbook is broken: its texts are cut off")
            part = min(count, self.pieces[self.number][1] - self.at)
            self.at, count = self.at + part, count - part
