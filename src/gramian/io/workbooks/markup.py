"""Sheets in XML (xlsx, ods): how far their cells reach, without building any of them.

The parser is expat, told that all is UTF-8 (as the library takes it, whatever a part declares) and
without document types or entities. Names count without their prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any
from xml.parsers import expat

from gramian.errors import InputError
from gramian.io.workbooks.bounds import Extent

__all__ = ["Markup", "examine", "pointed_letters"]

_PLACE = re.compile(r"\$?([A-Za-z]{1,7})\$?(\d{1,10})")
_Attributes = list[str]  # name, value, name, value


@dataclass
class Markup:
    """What a part would be as a sheet, and as a list of shared texts."""

    extent: Extent = field(default_factory=Extent)
    pointers: int = 0  # cells that show a shared text
    strings: list[int] = field(default_factory=list)  # letters of each shared text
    said: int = 0  # how many it says there are


def examine(part: bytes, name: str) -> Markup | str:
    """Return what a part holds, or why it is not well-formed."""
    reader = _Reader(name)
    try:
        reader.parser.Parse(part, True)
    except expat.ExpatError as error:
        return str(error)
    return reader.markup


def _parser() -> Any:
    parser = expat.ParserCreate("utf-8")
    parser.ordered_attributes = True
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse_types
    return parser


def _refuse_types(*_: Any) -> None:
    raise InputError("the workbook declares a document type or entities: it is refused")


def _value(attributes: _Attributes, name: str) -> str | None:
    """Return the value of an attribute, by its name without a prefix."""
    for k in range(0, len(attributes), 2):
        if attributes[k].rpartition(":")[2] == name:
            return attributes[k + 1]
    return None


class _Reader:
    """The state of a walk: where the next cell stands, in one or the other format."""

    def __init__(self, name: str) -> None:
        self.name, self.markup = name, Markup()
        self.extent = self.markup.extent
        self.row = self.column = 0
        self.label = ""  # the number of the row, as its cells write it
        self.columns: dict[str, int] = {}
        self.ods = _Repeats(self)
        self.acts: dict[str, Callable[[_Attributes], None]] = {}
        self.known = {
            "row": self.start_row,
            "c": self.cell,
            "sst": self.shared,
            "si": self.string,
            "table-row": self.ods.start_row,
            "table-cell": self.ods.cell,
            "covered-table-cell": self.ods.cell,
            "s": self.ods.spaces,
        }
        self.parser = _parser()
        self.parser.StartElementHandler = self.start

    def start(self, tag: str, attributes: _Attributes) -> None:
        act = self.acts.get(tag)
        if act is None:
            act = self.acts[tag] = self.known.get(tag.rpartition(":")[2], _nothing)
        act(attributes)

    def start_row(self, attributes: _Attributes) -> None:
        place = _value(attributes, "r")
        self.row = self.row + 1 if place is None else self.number(place)
        self.label, self.column = str(self.row), 0

    def cell(self, attributes: _Attributes) -> None:
        row, self.column = self.row, self.column + 1
        for k in range(0, len(attributes), 2):
            if attributes[k] == "r":
                row, self.column = self.place(attributes[k + 1])
            elif attributes[k] == "t" and attributes[k + 1] == "s":
                self.markup.pointers += 1
        self.extent.reach(row, self.column)

    def place(self, text: str) -> tuple[int, int]:
        """Return the row and the column of a place such as AB12."""
        letters = text.removesuffix(self.label)
        column = self.columns.get(letters) if len(letters) < len(text) else None
        if column is not None:
            return self.row, column
        match = _PLACE.fullmatch(text)
        if match is None:
            raise InputError(f"{self.name[:80]} has a cell at {text[:20]!r}, which is no place")
        column = reduce(lambda total, c: 26 * total + ord(c) - 64, match[1].upper(), 0)
        self.columns[match[1]] = column
        return int(match[2]), column

    def number(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 10):
            raise InputError(f"{self.name[:80]} has {text[:20]!r} where a number should be")
        return int(text)

    def shared(self, attributes: _Attributes) -> None:
        said = _value(attributes, "uniqueCount")
        self.markup.said = max(self.markup.said, self.number(said) if said else 0)

    def string(self, _: _Attributes) -> None:
        if not self.markup.strings:
            self.parser.CharacterDataHandler = self.letters
        self.markup.strings.append(0)

    def letters(self, text: str) -> None:
        self.markup.strings[-1] += len(text)


class _Repeats:
    """The rows of an ods sheet, where a cell or a row is written once and repeated."""

    def __init__(self, reader: _Reader) -> None:
        self.reader, self.extent = reader, reader.extent
        self.rows = self.times = self.column = self.last = self.shown = 0
        self.repeats = self.length = 0
        self.is_open = self.has_value = False

    def count(self, attributes: _Attributes, name: str) -> int:
        text = _value(attributes, name)
        return 1 if text is None else self.reader.number(text)

    def start_row(self, attributes: _Attributes) -> None:
        if self.is_open:
            raise InputError(f"{self.reader.name[:80]} has a table in a cell: it is refused")
        self.reader.parser.EndElementHandler = self.end
        self.reader.parser.CharacterDataHandler = self.text
        self.times = self.count(attributes, "number-rows-repeated")
        self.column = self.last = self.shown = 0

    def cell(self, attributes: _Attributes) -> None:
        self.repeats = self.count(attributes, "number-columns-repeated")
        names = {name.rpartition(":")[2] for name in attributes[::2]}
        self.has_value = any(name.endswith(("value", "formula")) for name in names)
        self.length = sum(len(value) for value in attributes[1::2]) if self.has_value else 0
        self.is_open = True

    def text(self, text: str) -> None:
        self.length += len(text)

    def spaces(self, attributes: _Attributes) -> None:
        self.length += self.count(attributes, "c")

    def end(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if name in ("table-cell", "covered-table-cell"):
            self.end_cell()
        elif name == "table-row":
            self.rows += self.times
            if self.last:
                self.extent.rows = self.rows
                self.extent.columns = max(self.extent.columns, self.last)
                self.extent.letters += self.times * self.shown

    def end_cell(self) -> None:
        self.is_open, self.column = False, self.column + self.repeats
        if self.has_value or self.length:
            self.last, self.extent.cells = self.column, self.extent.cells + 1
            self.shown += self.repeats * self.length


def _nothing(_: _Attributes) -> None:
    pass


def pointed_letters(part: bytes, strings: Sequence[int], longest: int) -> int:
    """Return how many letters the cells of a sheet show by pointing at shared texts."""
    total, is_pointer, pieces = 0, False, [""]
    parser = _parser()
    parser.buffer_text = True

    def start(tag: str, attributes: _Attributes) -> None:
        nonlocal is_pointer
        name = tag.rpartition(":")[2]
        if name == "c":
            is_pointer = _value(attributes, "t") == "s"
        pieces[0] = ""

    def text(letters: str) -> None:
        if is_pointer and len(pieces[0]) < 20:
            pieces[0] += letters[:20]

    def end(tag: str) -> None:
        nonlocal total
        if is_pointer and tag.rpartition(":")[2] == "v":
            place = pieces[0].strip()
            inside = place.isdigit() and int(place) < len(strings)
            total += strings[int(place)] if inside else longest

    parser.StartElementHandler, parser.CharacterDataHandler = start, text
    parser.EndElementHandler = end
    parser.Parse(part, True)
    return total
