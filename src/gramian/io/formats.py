"""What readers of formats share: options, the table as it stands in a file, and the registry."""

import csv
import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionDtype

from gramian._core.check import invalid, is_list, short
from gramian._study.language import Voice, quoted
from gramian.errors import InputError, InputTypeError
from gramian.io.notes import Note, Word, finding, note
from gramian.io.source import Source

# Not "None", "null" or "-": these are also names of categories, and a column of numbers that
# holds them is reported.
NA_VALUES = ("", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "n/a", "<NA>")
Dtype: TypeAlias = np.dtype[Any] | ExtensionDtype
# Columns by name or position; one text may name several, "a,b".
ColumnNames: TypeAlias = str | int | Iterable[str | int] | None


@dataclass(frozen=True)
class Options:
    """How to read, where the reader should not guess."""

    kind: str | None = None
    format: str | None = None
    sep: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    header: bool | None = None
    row_names: str | int | bool | None = None
    na_values: Sequence[str] | Mapping[str, Any] = ()
    active: ColumnNames = None
    supplementary: ColumnNames = None
    group: ColumnNames = None
    ignore: ColumnNames = None
    sheet: str | int | None = None
    layer: str | None = None
    transpose: bool | None = None
    missing: str = "keep"
    title: str | None = None
    largest: int | str | None = None
    skip: int | None = None
    as_category: ColumnNames = None
    as_number: ColumnNames = None
    content: str | None = None
    samples: Any = None


@dataclass
class Raw:
    """The columns of a file, in order, and what was found while reading them."""

    frame: pd.DataFrame  # distinct texts as columns, rows numbered from 0
    names: list[str] | None = None  # of the rows, where the format says them
    roles: dict[str, str] = field(default_factory=dict)  # where the format says them
    notes: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    is_distances: bool = False  # where the format says so
    is_escaped: bool = False  # texts that look like formulas have an apostrophe before them
    decimal: str = "."  # the decimal mark of texts that are numbers
    content: str = ""  # the kind of table, where the reading tells
    conditions: pd.DataFrame | None = None  # of the columns, one row each, that rows of it held

    def report(self, *args: str, **values: Any) -> None:
        """Add a finding to the warnings."""
        self.warnings.append(finding(*args, **values))

    def drop_rows(self, gone: np.ndarray) -> None:
        """Leave out rows, and their names."""
        self.frame = self.frame[~gone].reset_index(drop=True)
        if self.names is not None:
            self.names = [name for name, out in zip(self.names, gone, strict=True) if not out]


def check_na_values(na_values: str | Sequence[str] | Mapping[str, Any]) -> list[str]:
    """Return the texts that mean missing as a list; those of one column as column=text."""
    if isinstance(na_values, Mapping):
        each = [(c, words if is_list(words) else [words]) for c, words in na_values.items()]
        return [f"{column}={word}" for column, words in each for word in words]
    if isinstance(na_values, str):
        return [na_values]
    if not is_list(na_values) or not all(isinstance(word, str) for word in na_values):
        raise invalid("na_values", na_values, "must be a list of texts", InputTypeError)
    return list(na_values)


def distinct(names: Iterable[object]) -> tuple[list[str], list[str]]:
    """Return names with a number added to those that occurred before, and the repeated ones."""
    texts = [str(name) for name in names]
    if len(set(texts)) == len(texts):
        return texts, []
    taken, counts, out = set(texts), Counter[str](), []
    for text in texts:
        counts[text] += 1
        new = text
        while counts[text] > 1 and new in taken:
            new = f"{text} ({counts[text]})"
            if new in taken:
                counts[text] += 1
        taken.add(new)
        out.append(new)
    return out, [text for text, count in Counter(texts).items() if count > 1]


def duplicate_notes(repeated: list[str]) -> list[Note]:
    """Return the warning of names that occur more than once, if there are any."""
    if not repeated:
        return []
    return [note("duplicate_names", n=len(repeated), name=repr(repeated[0]))]


def find_columns(value: ColumnNames, frame: pd.DataFrame, option: str) -> list[str]:
    """Return the columns that an option names; suggest one where a name does not exist."""
    if value is None:
        return []
    names = [value] if isinstance(value, str | int) else value
    if not is_list(names) and not isinstance(names, set | frozenset):
        raise InputTypeError(f"{short(value)} names no columns: give a name or a list of names")
    columns = [str(c) for c in frame.columns]
    out: list[str] = []
    for text in map(str, names):
        out += [text] if text in columns else _split_names(text)
    for text in out:
        if text not in columns:
            near = difflib.get_close_matches(text, columns, 1)
            listed = Voice().write(quoted(columns))
            known = f"did you mean {near[0]!r:.60}?" if near else f"they are {listed}"
            absent = f"{option}: there is no column {text[:60]!r}; {known}"
            raise InputError(absent, argument=option, found=text)
    return list(dict.fromkeys(out))


def _split_names(text: str) -> list[str]:
    """Return the names in a text such as a,b or "a, b",c."""
    try:
        parts = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:  # no list of names
        return [text]
    return [part.strip() for part in parts if part.strip()] or [text]


@dataclass(frozen=True)
class Format:
    """A file format: its name, how it is recognised, and the function that reads it.

    Parameters
    ----------
    name : str
        The name used by `format=`: lower-case letters and digits.
    read : callable (data, options) → DataFrame or Source
        `data` are the bytes of the file, unpacked; `options` holds the options of `gm.io.read`
        (`options.encoding`, `options.na_values`, …). It returns a DataFrame for a table or
        distances, which is examined like one in memory, or a `Source` for graphs and sequences.
    title : str, optional
        Used in the note "The file was read as …"; the name by default.
    french : str, optional
        The title in French.
    suffixes : tuple of str
        File name endings such as ".toy"; ".toy.gz" is then recognised, too.
    magic : tuple of bytes
        The first bytes of such files; a file with the suffix but other first bytes is an error.
    looks : callable (data) → bool, optional
        Whether a file without a known suffix has this format, for formats without magic bytes.

    Examples
    --------
    >>> import pandas as pd
    >>> toy = gm.io.Format("toy", lambda data, options: pd.DataFrame({"x": [1.0]}), title="a toy")
    >>> toy.name, toy.title
    ('toy', 'a toy')
    """

    name: str
    read: Callable[[bytes, Options], pd.DataFrame | Raw | Source]
    title: str = ""
    french: str = ""
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    looks: Callable[[bytes], bool] | None = None

    @property
    def word(self) -> Word:
        """The title, in both languages."""
        return Word(self.title or self.name, self.french)


FORMATS: dict[str, Format] = {}


def register(format: Format) -> Format:
    """Register a format for `read`, for all functions that read files, and for the command line.

    Parameters
    ----------
    format : Format
        The format; its name and suffixes must be new.

    Returns
    -------
    Format
        The format that was registered.

    Examples
    --------
    >>> import io
    >>> import pandas as pd
    >>> from unittest import mock
    >>> def pairs(data, options):
    ...     return pd.DataFrame(np.frombuffer(data[4:], dtype="<f8").reshape(-1, 2))
    >>> with mock.patch.dict(gm.io.FORMATS):  # only for this example
    ...     _ = gm.io.register(gm.io.Format("pairs", pairs, suffixes=(".pr",), magic=(b"PAIR",)))
    ...     data = b"PAIR" + np.arange(6.0).tobytes()
    ...     float(gm.io.read_file(io.BytesIO(data)).active().to_numpy().sum())
    15.0
    """
    name = format.name
    if not isinstance(name, str) or not name.isalnum() or name != name.lower():
        raise InputError(f"name={name!r} must be one word in small letters, such as 'toy'")
    if name in FORMATS:
        raise InputError(f"name={name!r} is a format already: give another name")
    owners = {suffix: known.name for known in FORMATS.values() for suffix in known.suffixes}
    for suffix in format.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise InputError(f"suffixes: {suffix!r} must be a point and small letters")
        if suffix in owners:
            raise InputError(f"suffixes: {suffix!r} belongs to {owners[suffix]}: give another")
    FORMATS[name] = format
    return format


def formats() -> pd.DataFrame:
    """Return a table of the formats that `read` supports, one row each.

    Examples
    --------
    >>> formats().loc["fasta", "suffixes"]
    '.fasta .fa .faa .fna'
    """
    rows = {
        name: {"title": str(known.word), "suffixes": " ".join(known.suffixes)}
        for name, known in FORMATS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("format")


def format_of(data: bytes, path: str | None) -> Format:
    """Return the format of a file: by its first bytes, its name, or the look of it.

    A format that joined later comes first: it may be a special case of one before.
    """
    known = list(reversed(FORMATS.values()))
    for format in known:
        if data.startswith(format.magic):  # by none of no first bytes
            return format
    if data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise InputError("the file is a Python pickle, which is never opened: export it as CSV")
    name = Path(path or "").name.lower().removesuffix(".gz")
    named = next((f for f in known if Path(name).suffix in f.suffixes), None)
    if named is not None and named.magic:
        # Their first bytes are known, and these are others.
        raise InputError(f"{name} is not a {named.name} file: its first bytes are {data[:8]!r}")
    if named is not None:
        return named
    return next((f for f in known if f.looks is not None and f.looks(data)), FORMATS["text"])
