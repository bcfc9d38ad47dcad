"""Compound files, the small disks in which old workbooks (xls) stand: one stream out, one in."""

from __future__ import annotations

import struct

from gramian.errors import InputError

__all__ = ["compound", "stream_of"]

_END, _FREE, _TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_LEAST = 4096  # bytes from which on a stream stands in whole sectors
_NAMES = ("Workbook", "Book")


def _words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])


class _Disk:
    """The sectors of a compound file; a chain that goes in a circle is refused."""

    def __init__(self, data: bytes) -> None:
        shift = int.from_bytes(data[30:32], "little")
        if len(data) < 512 or shift not in (9, 12):
            raise InputError("the workbook is broken: its first sector is not whole")
        self.size = 1 << shift
        self.data = data[self.size :]
        head = _words(data[40:76])
        self.directory, self.small_table = head[2], head[5]
        self.table = self.all_of([*_words(data[76:512]), *self.more(head[7])])

    def sector(self, number: int) -> bytes:
        return self.data[number * self.size : (number + 1) * self.size]

    def more(self, number: int) -> list[int]:
        """Return the rest of the list of sectors that hold the table."""
        listed: list[int] = []
        for _ in range(len(self.data) // self.size + 1):
            if number >= 0xFFFFFFFA:
                return listed
            words = _words(self.sector(number))
            listed, number = [*listed, *words[:-1]], words[-1] if words else _END
        raise InputError("the workbook is broken: its table of sectors goes in a circle")

    def all_of(self, numbers: list[int]) -> list[int]:
        known = [number for number in numbers if number * self.size < len(self.data)]
        return [word for number in dict.fromkeys(known) for word in _words(self.sector(number))]

    def chain(self, number: int) -> bytes:
        return b"".join(self.sector(k) for k in _linked(number, self.table))

    def entries(self) -> dict[str, tuple[int, int]]:
        """Return where each stream starts, and its length."""
        listing = self.chain(self.directory)
        streams: dict[str, tuple[int, int]] = {}
        for at in range(0, len(listing) - 127, 128):
            entry = listing[at : at + 128]
            name = entry[:64].decode("utf-16-le", "replace").split("\0")[0]
            size = int.from_bytes(entry[120 : 124 if self.size == 512 else 128], "little")
            streams.setdefault(name, (int.from_bytes(entry[116:120], "little"), size))
        return streams


def _linked(number: int, table: list[int]) -> list[int]:
    """Return the sectors of a chain."""
    numbers: list[int] = []
    while number < len(table):
        numbers.append(number)
        if len(numbers) > len(table):
            raise InputError("the workbook is broken: its sectors go in a circle")
        number = table[number]
    return numbers


def stream_of(data: bytes) -> bytes:
    """Return the workbook of a compound file."""
    disk = _Disk(data)
    entries = disk.entries()
    name = next((name for name in _NAMES if name in entries), None)
    if name is None:
        raise InputError("the file is no workbook, or an encrypted one: save it without a password")
    start, size = entries[name]
    if size >= _LEAST:
        return disk.chain(start)[:size]
    # A small stream stands in pieces of 64 bytes of the stream of the root.
    root, table = disk.chain(next(iter(entries.values()))[0]), _words(disk.chain(disk.small_table))
    pieces = [root[64 * k : 64 * k + 64] for k in _linked(start, list(table))]
    return b"".join(pieces)[:size]


def compound(stream: bytes) -> bytes:
    """Return a compound file that holds a workbook and nothing else."""
    stream += bytes(max(_LEAST - len(stream), -len(stream) % 512))
    count = len(stream) // 512
    tables = -(-(count + 1) // 127)
    lists = max(0, -(-(tables - 109) // 127))
    tables = -(-(count + 1 + tables + lists) // 128)
    lists = max(0, -(-(tables - 109) // 127))
    first = lists + tables + 1
    chain = [*range(first + 1, first + count), _END]
    table = [_TABLE - 1] * lists + [_TABLE] * tables + [_END, *chain]
    table += [_FREE] * (128 * tables - len(table))
    numbers = [*range(lists, lists + tables)]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, tables, lists + tables, 0)
    head += struct.pack("<IIIII", _LEAST, _END, 0, 0 if lists else _END, lists)
    head += _padded(numbers[:109], 109)
    more = [
        _padded(numbers[109 + 127 * k : 236 + 127 * k], 127)
        + struct.pack("<I", k + 1 if k + 1 < lists else _END)
        for k in range(lists)
    ]
    root = _entry("Root Entry", 5, _END, 0, 1)
    listing = root + _entry("Workbook", 2, first, len(stream), _FREE) + bytes(256)
    return head + b"".join(more) + struct.pack(f"<{len(table)}I", *table) + listing + stream


def _padded(numbers: list[int], count: int) -> bytes:
    return struct.pack(f"<{count}I", *numbers, *[_FREE] * (count - len(numbers)))


def _entry(name: str, kind: int, start: int, size: int, child: int) -> bytes:
    text = name.encode("utf-16-le")
    head = text.ljust(64, b"\0") + struct.pack(
        "<HBBIII", len(text) + 2, kind, 1, _FREE, _FREE, child
    )
    return head + bytes(36) + struct.pack("<IQ", start, size)
