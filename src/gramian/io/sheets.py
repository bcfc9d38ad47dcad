"""Spreadsheets: one sheet as a table. A child process reads them, by calamine."""

import io
import json
import zipfile
from importlib.util import find_spec
from typing import TypeAlias

import numpy as np
import pandas as pd

from gramian._core.parallel import format_bytes
from gramian.errors import InputError, MissingExtraError
from gramian.io.content import allowance, name_damage, unpacks_beyond
from gramian.io.doctor.texts import title_findings, titles_above
from gramian.io.formats import NA_VALUES, Options, Raw, distinct, duplicate_notes
from gramian.io.limited import read_limited
from gramian.io.notes import note

_CHUNK = 1 << 20  # bytes
_MAX_PARTS = 5_000
Cell: TypeAlias = str | float | bool | None
_WORKBOOK_PARTS = {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}


def read_excel(data: bytes, options: Options) -> Raw:
    """Read one sheet of a workbook (xlsx, xls, xlsb, ods)."""
    if find_spec("python_calamine") is None:
        raise MissingExtraError("Excel needs python-calamine: pip install 'gramian[io]'")
    if data.startswith(b"PK"):
        _check_archive(data, allowance(len(data), options.largest))
    sheet = None if options.sheet is None else str(options.sheet)
    book = json.loads(read_limited("workbook", data, "the workbook", options.largest, sheet=sheet))
    raw, names = _raw_of_rows(book["rows"], options), book["names"]
    if len(names) > 1:
        name, known = repr(book["name"]), ", ".join(names)
        raw.notes.append(note("sheet", name=name, n=len(names), names=known))
    return raw


def _check_archive(data: bytes, limit: int) -> None:
    """Refuse an archive that unpacks to more than a limit, or that readers read differently."""
    with name_damage("the workbook is broken"), zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check_entries(entries)
        room = limit
        for entry in entries:
            room -= _true_size(archive, entry, room)
            if room < 0:
                raise unpacks_beyond(f"the workbook ({format_bytes(len(data))})", limit)


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MAX_PARTS:
        raise InputError(f"the workbook holds {len(entries)} parts, more than {_MAX_PARTS}")
    places: set[str] = set()
    for entry in entries:
        name, place = entry.filename[:80], entry.filename.lower()
        if place.startswith("/") or "\\" in place or ".." in place.split("/") or ":" in place:
            raise InputError(
                f"the workbook has a part {name!r} that leads out of it: it is refused"
            )
        if place in places:  # readers differ in which of the two they take
            raise InputError(f"the workbook has two parts {name!r}: it is refused")
        if entry.flag_bits & 1:
            raise InputError("the workbook is encrypted: save it without a password")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(f"the workbook packs {name!r} in an unusual way")
        places.add(place)
    if not places & _WORKBOOK_PARTS:
        raise InputError(
            "the archive is not a workbook: give the file inside of it, or save it as xlsx"
        )


def _true_size(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int) -> int:
    """Return the size of a part, or more than there is room for: first as it says, then truly."""
    size = entry.file_size
    if size <= room:
        with archive.open(entry) as member:
            size = 0
            while size <= room and (piece := member.read(_CHUNK)):
                size += len(piece)
    return size


def _raw_of_rows(rows: list[list[Cell]], options: Options) -> Raw:
    """Return rows of cells as a table; the first is the header unless it holds numbers."""
    rows = [row for row in rows if any(_is_filled(cell) for cell in row)]
    titles = options.skip
    if titles is None:
        titles = titles_above([[_label(cell) for cell in row] for row in rows[:200]])
    top = [" ".join(_label(cell) for cell in row if _is_filled(cell)) for row in rows[:titles]]
    if titles:  # columns that are empty below them are left out
        rows = rows[titles:]
        every = range(max(map(len, rows), default=0))
        filled = [k for k in every if any(_is_filled(row[k]) for row in rows)]
        rows = [[row[k] for k in filled] for row in rows]
    if len(rows) < 2:
        raise InputError("the sheet has fewer than two rows: there is nothing to analyse")
    first = [cell for cell in rows[0] if _is_filled(cell)]
    has_header = options.header
    if has_header is None:
        has_header = not all(_is_number(cell) for cell in first)
    body = rows[1:] if has_header else rows
    header = rows[0] if has_header else [f"V{k + 1}" for k in range(len(rows[0]))]
    names, repeated = distinct(_label(cell) for cell in header)
    na_values = {*NA_VALUES, *options.na_values}
    columns = {
        name: _column([row[k] for row in body], na_values, options) for k, name in enumerate(names)
    }
    raw = Raw(pd.DataFrame(columns))
    raw.warnings += title_findings(top, options.skip)
    if not has_header:
        raw.notes.append(note("no_header"))
    raw.warnings += duplicate_notes(repeated)
    return raw


def _is_filled(cell: Cell) -> bool:
    return cell is not None and cell != ""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _label(cell: Cell) -> str:
    """Write a cell as the spreadsheet shows it: whole numbers without a point."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else str(cell).strip()


def _column(cells: list[Cell], na_values: set[str], options: Options) -> pd.Series:
    """Return numbers, truth values, or texts."""
    values = [None if str(c).strip() in na_values or c is None else c for c in cells]
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, bool) for v in known):
        return pd.Series(values, dtype=object if len(known) < len(values) else bool)
    if all(_is_number(v) for v in known):
        return pd.Series([np.nan if v is None else float(v) for v in values], dtype=float)
    texts = [None if v is None else _label(v) for v in values]
    if any(isinstance(v, str) for v in known):
        numbers = _numbers_in_texts(texts, options.decimal)
        if numbers is not None:
            return numbers
    return pd.Series(texts, dtype="str")


def _numbers_in_texts(texts: list[str | None], decimal: str | None) -> pd.Series | None:
    """Return numbers that a spreadsheet holds as texts, with the decimal mark of the options."""
    known = [text for text in texts if text is not None]
    if decimal == "," and all(text.count(",") == 1 for text in known):
        texts = [None if text is None else text.replace(",", ".") for text in texts]
    numbers = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce")
    return numbers.astype(float) if int(numbers.notna().sum()) == len(known) else None
