"""Tables of text: the separator, the decimal mark and the header are found by looking."""

import csv
import io
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, pairwise
from typing import Any

import pandas as pd

from gramian._core.check import invalid
from gramian._study.language import Sentence
from gramian.errors import InputError
from gramian.io.content import damage, decode_text, name_damage
from gramian.io.csv_cells import Quotes, check_quotes, unescape_formula
from gramian.io.doctor.texts import NUMBER, title_findings, titles_above
from gramian.io.formats import NA_VALUES, Options, Raw, distinct, duplicate_notes
from gramian.io.notes import Note, note

_COMMA_NUMBER = re.compile(r"[+-]?(\d+,\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
_SEPARATORS = "\t;|, "
_MARK_NAMES = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space", ".": "point"}
_WIDE_COLUMNS = 1000  # from which on the quick reader, which cuts by columns, is the slower one
_CHECKED_COLUMNS = 500  # columns whose cells are looked at
_MAX_LINES, _MIN_LINES, _HEAD_BYTES = 200, 8, 1 << 17  # to look at: 8 lines where they are long
# Later versions of pandas round every number correctly, and have no such option.
_EXACT_FLOATS: dict[str, Any] = (
    {"float_precision": "round_trip"}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1)
    else {}
)


@dataclass(frozen=True)
class Dialect:
    """How a table of text is written."""

    sep: str
    decimal: str
    names: list[str]
    skip: int  # lines before the data
    has_header: bool
    thousands_in: tuple[str, str] | None = None  # a column that may hold thousands, and a cell
    quotes: Quotes = field(default_factory=Quotes)
    before: int = 0  # lines of comments before the header


def read_delimited(data: bytes, options: Options) -> Raw:
    """Read CSV, TSV and their relatives."""
    text, encoding = decode_text(data, options.encoding)
    text, comments = _without_comments(text)
    text, titles = _without_titles(text, options)
    dialect, repeated = sniff(text, options, comments + len(titles))
    na_values = [*NA_VALUES, *options.na_values]
    frame = None
    quoted = dialect.quotes
    # Only the patient reader takes a quote after a space for one that opens a cell.
    plain = dialect.sep != " " and options.thousands is None and not quoted.is_spaced
    if has_arrow() and plain and len(dialect.names) <= _WIDE_COLUMNS:
        frame = _arrow_csv(text, dialect, na_values)
    if frame is None:
        # The copy puts columns of one type together, without which wide tables are slow.
        frame = _patient_csv(text, dialect, na_values, options.thousands).copy()
    if not len(frame):
        raise InputError("the file has a header and no rows: there is nothing to analyse")
    raw = Raw(frame, is_escaped=True, decimal=dialect.decimal)
    if encoding != "UTF-8":
        raw.notes.append(note("encoding", name=encoding))
    if comments:
        raw.notes.append(note("comments", n=comments))
    raw.warnings += title_findings([title for title in titles if title], options.skip)
    raw.notes += guesses(dialect)
    raw.warnings += duplicate_notes(repeated)
    if dialect.thousands_in and options.decimal is None:
        column, cell = dialect.thousands_in
        raw.warnings.append(note("thousands", name=repr(column), cell=cell))
    return raw


def guesses(dialect: Dialect) -> list[Note]:
    """Return notes on how a table is written."""
    known, quoted = dialect.sep in _MARK_NAMES, dialect.quotes
    mark = Sentence(f"marks.{_MARK_NAMES[dialect.sep]}") if known else repr(dialect.sep)
    decimal = Sentence(f"mark.{_MARK_NAMES[dialect.decimal]}")
    notes = [note("separator", mark=mark, decimal=decimal)]
    if quoted.lines:
        notes.append(note("quoted_lines", n=quoted.lines, line=quoted.first))
    return notes if dialect.has_header else [*notes, note("no_header")]


def start_of_table(text: bytes, options: Options) -> Dialect:
    """Return how a table is written by its first lines; `before` counts those above the header."""
    text, comments = _without_comments(text)
    text, titles = _without_titles(text, options)
    return sniff(text, options, comments + len(titles))[0]


def _without_comments(text: bytes) -> tuple[bytes, int]:
    """Leave out lines at the top that start with #, but for one that is the header."""
    count = 0
    while text.startswith(b"#"):
        line, _, rest = text.partition(b"\n")
        following = rest.partition(b"\n")[0]
        marks = [m for m in (b"\t", b";", b",") if m in line]
        if any(line.count(m) == following.count(m) for m in marks) or not rest.strip():
            break
        text, count = rest, count + 1
    return text, count


def _without_titles(text: bytes, options: Options) -> tuple[bytes, list[str]]:
    """Leave out lines above the header: as many as requested, or those that have too few cells."""
    lines = _head(text)
    count = _title_lines(lines, options) if options.skip is None else options.skip
    for _ in range(count):
        text = text.partition(b"\n")[2]
    if count and not text.strip():
        raise invalid("skip", count, f"must leave a table: the file has {len(lines)} lines")
    return text, [line.strip() for line in lines[:count]]


def _title_lines(lines: list[str], options: Options) -> int:
    sep = options.sep or _separator(lines)
    if len(sep) != 1:
        return 0
    titles = titles_above(fields(lines, sep))
    if not titles and options.header is False:  # a first row may hold nothing
        return 0
    filled = (k for k, line in enumerate(lines) if fields([line], sep))
    return next(islice(filled, titles, None), 0)


def _head(text: bytes) -> list[str]:
    """Return the first lines, enough of them however long they are."""
    end = -1
    for k in range(_MAX_LINES):
        following = text.find(b"\n", end + 1)
        if following < 0:
            end = len(text)
            break
        end = following
        if k >= _MIN_LINES and end > _HEAD_BYTES:
            break
    # Not splitlines, which also cuts at marks that are no line ends in a file.
    return list(io.StringIO(text[:end].decode("utf-8", "replace"), newline=""))


def fields(lines: list[str], sep: str) -> list[list[str]]:
    """Return the cells of lines, empty lines left out."""
    if sep == " ":  # spaces around a line are no cells
        lines = [line.strip() for line in lines]
    reader = csv.reader(lines, delimiter=sep, skipinitialspace=True)
    with name_damage("the text cannot be cut into cells", csv.Error):
        rows = [[cell.strip() for cell in row] for row in islice(reader, _MAX_LINES)]
    return [row for row in rows if any(row)]


# All guesses in one place, for each rests on the others: docs/decisions.md, "Our own …".
def sniff(text: bytes, options: Options, before: int = 0) -> tuple[Dialect, list[str]]:
    """Return how the text is written, and the names that more than one column has."""
    lines = _head(text)
    mark = options.sep
    if mark is not None and (len(mark) != 1 or mark in '"\n\r'):
        raise invalid("sep", mark, "must be one character, such as ',' or '\\t'")
    if options.decimal not in (None, ".", ","):
        raise invalid("decimal", options.decimal, "must be '.' or ','")
    sep = mark or _separator(lines)
    quotes = check_quotes(text, sep, before)
    rows = fields(lines, sep)
    if not rows:
        raise InputError("the file holds no cells: there is nothing to read")
    body = rows[1:] or rows
    # That of most rows: one with a cell too many is then the one that is named.
    width = Counter(len(row) for row in body).most_common(1)[0][0]
    decimal = options.decimal or _decimal(body)
    has_header = options.header if options.header is not None else _has_header(rows, decimal)
    header = rows[0] if has_header else [f"V{k + 1}" for k in range(width)]
    if len(header) == width - 1:
        header = ["", *header]  # as R writes: no name over the names of the rows
    names, repeated = distinct(unescape_formula(cell) for cell in header)
    may_be_thousands = decimal == "," and options.thousands is None
    suspect = _thousands(body, names) if may_be_thousands else None
    dialect = Dialect(sep, decimal, names, int(has_header), has_header, suspect, quotes, before)
    return dialect, repeated


def _separator(lines: list[str]) -> str:
    """Return the mark that cuts all lines into as many cells, most of them clean numbers."""
    merits = {}
    for sep in _SEPARATORS:
        try:
            rows = fields(lines, sep)
        except InputError:  # a cell as long as a line: not this mark
            continue
        if not rows:
            continue
        rows = rows[titles_above(rows) :]
        counts = Counter(len(row) for row in rows)
        width, times = counts.most_common(1)[0]
        times += len(rows[0]) == width - 1
        if width > 1 and times >= 0.9 * len(rows):
            merits[sep] = (round(_share(rows, sep), 2), sep != " ", width)
    if not merits and any('"' in line for line in lines):  # one that is open hides the lines
        return _separator([line.replace('"', "") for line in lines])
    return max(merits, key=lambda sep: merits[sep]) if merits else ","


def _share(rows: list[list[str]], sep: str) -> float:
    """Return the share of cells that are numbers, the first row apart."""
    cells = [cell for row in rows[1:] for cell in row[:_CHECKED_COLUMNS] if cell not in NA_VALUES]
    decimal = "." if sep == "," else ","
    return sum(_is_number(cell, decimal) for cell in cells) / max(len(cells), 1)


def _decimal(rows: list[list[str]]) -> str:
    cells = [cell for row in rows for cell in row[:_CHECKED_COLUMNS]]
    comma = sum(bool(_COMMA_NUMBER.fullmatch(cell)) for cell in cells)
    point = sum("." in cell and bool(NUMBER.fullmatch(cell)) for cell in cells)
    return "," if comma > point else "."


def _is_number(cell: str, decimal: str) -> bool:
    return bool(NUMBER.fullmatch(cell) or (decimal == "," and _COMMA_NUMBER.fullmatch(cell)))


def _has_header(rows: list[list[str]], decimal: str) -> bool:
    """A first row of numbers is data, unless the numbers count (as years or positions do)."""
    first = [cell for cell in rows[0] if cell]
    if not first or not all(_is_number(cell, decimal) for cell in first):
        return True
    if len(rows[0]) < len(rows[-1]) or rows[0][0] == "":
        return True
    if len(first) < 3 or not all(cell.isdecimal() and len(cell) < 19 for cell in first):
        return False
    steps = {int(b) - int(a) for a, b in pairwise(first)}
    return steps == {1} and len(rows) > 1 and len(set(rows[1]) - set(rows[0])) > 0


def _thousands(rows: list[list[str]], names: list[str]) -> tuple[str, str] | None:
    """Return a column whose every number has three digits after a comma, and one of them."""
    for k, name in enumerate(names[:_CHECKED_COLUMNS]):
        cells = [row[k] for row in rows if k < len(row) and "," in row[k]]
        if len(cells) >= 2 and all(_THOUSANDS.fullmatch(cell) for cell in cells):
            return name, cells[0]
    return None


def has_arrow() -> bool:
    """Whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


def _arrow_csv(text: bytes, dialect: Dialect, na_values: list[str]) -> pd.DataFrame | None:
    """Read by Arrow, or return None where the patient reader must say what is wrong."""
    pa, csv = import_module("pyarrow"), import_module("pyarrow.csv")
    convert = csv.ConvertOptions(
        null_values=na_values, strings_can_be_null=True, decimal_point=dialect.decimal
    )
    parse = csv.ParseOptions(delimiter=dialect.sep, newlines_in_values=b'"' in text)
    # Types are guessed from the first block: where a later one differs, all is one block.
    for block in (1 << 22, min(len(text) + 1, (1 << 31) - 1)):
        options = csv.ReadOptions(
            column_names=dialect.names,
            skip_rows_after_names=dialect.skip,
            block_size=max(block, 1 << 16),
        )
        try:
            table = csv.read_csv(pa.BufferReader(text), options, parse, convert)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowKeyError):
            continue
        is_temporal, string = pa.types.is_temporal, pa.string()  # dates stay the texts they are
        types = [
            field.with_type(string) if is_temporal(field.type) else field for field in table.schema
        ]
        table = table.cast(pa.schema(types))
        return pd.DataFrame(table.to_pandas(self_destruct=True))
    return None


def _patient_csv(
    text: bytes, dialect: Dialect, na_values: list[str], thousands: str | None
) -> pd.DataFrame:
    """Read line by line where the quick reader refused, and say which line is wrong."""
    _check_lines(text, dialect)
    kinds = (ValueError, pd.errors.ParserWarning)
    with warnings.catch_warnings(), name_damage("the table cannot be read", kinds):
        warnings.simplefilter("error", pd.errors.ParserWarning)
        frame: pd.DataFrame = pd.read_csv(
            io.BytesIO(text),
            sep=r"\s+" if dialect.sep == " " else dialect.sep,
            decimal=dialect.decimal,
            thousands=thousands,
            header=None,
            names=dialect.names,
            index_col=False,
            skiprows=dialect.skip,
            skipinitialspace=True,
            keep_default_na=False,
            na_values=na_values,
            low_memory=False,
            encoding="utf-8",
            **_EXACT_FLOATS,
        )
        return frame


def _check_lines(text: bytes, dialect: Dialect) -> None:
    """Refuse rows with more or fewer cells than there are columns."""
    width = len(dialect.names)
    stream: Any = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="")
    if dialect.sep == " ":
        stream = (line.strip() for line in stream)
    reader = csv.reader(stream, delimiter=dialect.sep, skipinitialspace=True)
    try:
        for k, row in enumerate(reader):
            if k >= dialect.skip and row and len(row) != width:
                line = dialect.before + reader.line_num
                raise InputError(
                    f"line {line} has {len(row)} cells where {width} are expected: mend it, or "
                    "pass sep= if the columns are separated by another mark"
                )
    except (csv.Error, UnicodeError) as error:
        line = dialect.before + reader.line_num
        raise InputError(f"line {line} cannot be cut into cells: {damage(error)}") from error
