"""Read files and tables in memory: recognise what they are, and report what was guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import narwhals as nw
import pandas as pd

from gramian._core.check import flag, invalid, one_of, short, text, whole
from gramian._core.frames import collect, is_annotated, is_frame
from gramian._core.numbers import cells, refuse_cells
from gramian._core.types import TableLike
from gramian.errors import InputError, InputTypeError
from gramian.io.content import allowance, load
from gramian.io.delimited import read_delimited
from gramian.io.doctor.kinds import CONTENTS
from gramian.io.formats import (
    FORMATS,
    ColumnNames,
    Format,
    Options,
    Raw,
    check_na_values,
    distinct,
    duplicate_notes,
    format_of,
    register,
)
from gramian.io.notes import note
from gramian.io.source import KINDS, MISSING, Kind, Missing, Source
from gramian.io.tables import source_of_raw

if TYPE_CHECKING:
    from gramian.datasets import Dataset
    from gramian.io.anndata import AnnDataLike

_XML = re.compile(rb"\s*(<\?xml|<!|<graphml)", re.IGNORECASE)
_PHYLIP = re.compile(rb"\s*\d+\s*\r?\n\s*\S")
_WORKBOOKS = (".xlsx", ".xls", ".xlsb", ".ods")
_WORKBOOK_MAGIC = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def _reader(module: str, name: str) -> Callable[[bytes, Options], Raw | Source]:
    """Return the reader of a format, whose module is imported when a file is read."""

    def read(data: bytes, options: Options) -> Raw | Source:
        reader: Callable[[bytes, Options], Raw | Source]
        reader = getattr(import_module(f"gramian.io.{module}"), f"read_{name}")
        return reader(data, options)

    return read


register(Format("text", read_delimited, "a table of text", "un tableau de texte"))
# name, module of the reader, title, title in French, suffixes, first bytes, look
for _name, _module, *_rest in (
    ("parquet", "arrow", "Parquet", "", (".parquet",), (b"PAR1",)),
    ("feather", "arrow", "Feather", "", (".feather", ".arrow"), (b"ARROW1", b"FEA1")),
    ("excel", "sheets", "a spreadsheet", "un classeur", _WORKBOOKS, _WORKBOOK_MAGIC),
    ("h5ad", "anndata", "AnnData (h5ad)", "", (".h5ad",), (b"\x89HDF\r\n\x1a\n",)),
    ("gct", "biology", "GCT", "", (".gct",), (b"#1.2", b"#1.3")),
    (
        "phylip", "biology", "PHYLIP distances", "des distances PHYLIP", (".phy", ".phylip"), (),
        lambda data: _PHYLIP.match(data[:4096]) is not None,
    ),
    (
        "graphml", "graphs", "GraphML", "", (".graphml",), (),
        lambda data: _XML.match(data[:200]) is not None,
    ),
    ("edges", "graphs", "an edge list", "une liste d'arêtes", (".edgelist", ".edges", ".ncol")),
    ("fasta", "biology", "FASTA", "", (".fasta", ".fa", ".faa", ".fna"), (b">",)),
):  # fmt: skip
    register(Format(_name, _reader(_module, _name), *_rest))


_BUILT_IN = tuple(FORMATS)


def read(
    source: str | Path | IO[Any],
    *,
    kind: Kind | None = None,
    format: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    row_names: str | int | bool | None = None,
    na_values: Sequence[str] = (),
    active: ColumnNames = None,
    supplementary: ColumnNames = None,
    group: ColumnNames = None,
    ignore: ColumnNames = None,
    sheet: str | int | None = None,
    layer: str | None = None,
    transpose: bool | None = None,
    missing: Missing = "keep",
    title: str | None = None,
    largest: int | str | None = None,
    skip: int | None = None,
    as_category: ColumnNames = None,
    as_number: ColumnNames = None,
    content: str | None = None,
    samples: str | Path | pd.DataFrame | None = None,
) -> Source:
    """Read a file: a table, distances, graphs or sequences.

    What the file does not specify is guessed and recorded in `notes`; possible faults of the data
    are reported in `warnings`. Each guess can be set by an option.

    Parameters
    ----------
    source : path, open file or folder
        CSV or TSV, Parquet, Feather, Excel, AnnData h5ad, GCT, PHYLIP or square distances, GraphML,
        an edge list, FASTA, also gzipped, or a custom format (`register`); a folder of graphs.
    kind : {"table", "distances", "graphs", "sequences"}, optional
        The content of the file; recognised by default.
    format : str, optional
        The format, if the guess is wrong: "text", "excel", "edges", …; `formats` lists them all.
    sep, decimal, thousands, encoding, header : optional
        Format of a text table; recognised by default.
    row_names : column name or position, True (the first column) or False, optional
        The column with the names of the rows; recognised by default.
    na_values : sequence of str
        Texts to read as missing values, besides the empty one, NA and NaN.
    active, supplementary, group, ignore : column name or names, optional
        Roles of columns; with `active`, all other numbers are supplementary.
    sheet : str or int, optional
        Sheet of a workbook, by name or counted from 1.
    layer : str, optional
        Layer of an h5ad file to read instead of X.
    transpose : bool, optional
        Whether individuals are columns in the file.
    missing : {"keep", "drop-rows", "drop-columns", "iterative", "mean", "median"}
        What to do with missing values.
    title : str, optional
        The title of the data; the name of the file by default.
    largest : int or str, optional
        Maximum uncompressed size of a file (gzip, a workbook, Parquet, Feather, h5ad), such as
        "2GB"; by default 64 MB or a hundred times its size, at most half of the free memory.
    skip : int, optional
        Lines above the header of a table of text or rows above that of a sheet; found by default.
    as_category : column name or names, optional
        Columns of numbers that are codes of categories.
    as_number : column name or names, optional
        Columns to read as quantities, including texts such as "5 mg".
    content : str, optional
        The kind of table, if the guess is wrong: "measurements", "codes" (of categories), "scores",
        "presence", "abundances", "contingency", "composition", "expression" (counts of reads),
        "genotypes", "cells" (categories with a column of frequencies) or "long" (a column of
        places, one of what was counted, one of numbers).
    samples : path or data frame, optional
        A second table, one row per sample, that describes the rows of this one or, if genes are in
        rows, its columns: categories become groups, numbers supplementary columns.

    Examples
    --------
    >>> import io
    >>> source = read(io.StringIO("a\\tb\\n1\\t2\\n3\\t5\\n"), row_names=False)
    >>> source.kind, float(source.active().to_numpy().sum())
    ('table', 11.0)
    """
    options = _check_options({name: v for name, v in locals().items() if name != "source"})
    if isinstance(source, str | Path) and Path(source).is_dir():
        from gramian.io.expression import read_counts
        from gramian.io.graphs import read_folder

        counts = read_counts(Path(source), options) if kind in (None, "table") else None
        if counts is not None:
            return _finish(source_of_raw(counts, options), str(source), options)
        return _finish(read_folder(Path(source), options), str(source), options)
    loaded = load(source, largest)
    data, path = loaded.data, loaded.path
    known = FORMATS[format] if format else format_of(data, path)
    if format is None and known.name == "text" and kind == "graphs":
        known = FORMATS["edges"]
    _check_format(known, options)
    # What was packed inside a packed file may not grow beyond what that one was allowed.
    inner = options if loaded.largest is None else replace(options, largest=loaded.largest)
    raw = known.read(data, inner)
    del loaded, data  # a file may be as large as what is made of it
    contents = _to_source(raw, options)
    if known.name != "text":
        contents = replace(contents, notes=[note("format", name=known.word), *contents.notes])
    return _finish(contents, path, options)


# Options that other formats have no use for.
_FORMAT_OPTIONS = {
    "sheet": ("excel",),
    "layer": ("h5ad",),
    "sep": ("text", "edges"),
    "thousands": ("text",),
}


def _check_format(known: Format, options: Options) -> None:
    """Refuse an option that the format of a file has no use for."""
    for name, formats in _FORMAT_OPTIONS.items():
        value = getattr(options, name)
        if value is not None and known.name not in formats and known.name in _BUILT_IN:
            wanted = {"sheet": "workbooks", "layer": "h5ad files"}.get(name, "tables of text")
            reason = f"is for {wanted}, and the file is {known.word}: leave it out"
            raise invalid(name, value, reason)


def _to_source(contents: pd.DataFrame | Raw | Source, options: Options) -> Source:
    """Return what the reader of a format returned as a source."""
    if isinstance(contents, pd.DataFrame):
        contents = _raw_of_frame(contents)
    return source_of_raw(contents, options) if isinstance(contents, Raw) else contents


def _raw_of_frame(frame: pd.DataFrame) -> Raw:
    """Return a data frame as a raw table, its index as names where it has any."""
    names = None
    if not isinstance(frame.index, pd.RangeIndex):
        names = [str(label) for label in frame.index]
    columns, repeated = distinct(frame.columns)
    raw = Raw(frame.set_axis(columns, axis=1).reset_index(drop=True), names)
    raw.warnings += duplicate_notes(repeated)
    return raw


_DEFAULTS = vars(Options())


def _check_options(settings: dict[str, Any]) -> Options:
    options = Options(**settings)
    for name, known in (("kind", KINDS), ("format", FORMATS), ("missing", MISSING)):
        if getattr(options, name) is not None:
            one_of(getattr(options, name), name, known)
    if options.content is not None:
        one_of(options.content, "content", CONTENTS)
    allowance(0, options.largest)
    for name in ("sep", "decimal", "thousands", "encoding", "layer", "title"):
        if getattr(options, name) is not None:
            text(getattr(options, name), name)
    if options.skip is not None:
        whole(options.skip, "skip", least=0)
    for name in ("header", "transpose"):
        if getattr(options, name) is not None:
            flag(getattr(options, name), name)
    return replace(options, na_values=check_na_values(options.na_values))


def _finish(source: Source, path: str | None, options: Options) -> Source:
    """Return a source with its title, the options that were set, and no missing values."""
    if options.kind is not None and source.kind != options.kind:
        found = "a table" if source.kind == "table" else source.kind
        raise invalid("kind", options.kind, f"does not fit: the file holds {found}")
    stem = Path(path.removesuffix(".gz")).stem if path else ""
    chosen = {name: v for name, v in vars(options).items() if v is not _DEFAULTS[name]}
    for name, default in (("na_values", []), ("missing", _DEFAULTS["missing"])):
        if chosen.get(name) == default:
            del chosen[name]
    title = options.title or stem or "data"
    return replace(source, path=path, title=title, options=chosen).complete(options.missing)


def as_source(
    data: str | Path | IO[Any] | TableLike | AnnDataLike | Dataset | Source,
    **options: Any,
) -> Source:
    """Return a source from a path, a data frame, an array, AnnData, a data set or a source.

    Parameters
    ----------
    data : path, open file, data frame, array, AnnData, Dataset or Source
        The data. The `obs` of an AnnData object gives the groups; a lazy frame is collected.
    **options
        Options of `read` that apply to tables in memory: kind, row_names, active, supplementary,
        group, ignore, as_category, as_number, na_values, transpose, missing, title; of an AnnData
        object also layer, the name of a layer or of an entry of `obsm`.

    Examples
    --------
    >>> source = as_source(gm.datasets.iris())
    >>> source.columns("group"), len(source.columns("active"))
    (['species'], 4)
    """
    for name, value in options.items():
        if name not in _DEFAULTS:
            known = f"must be an option that there is: use one of {', '.join(_DEFAULTS)}"
            raise invalid(name, value, known, InputTypeError)
    if isinstance(data, Source):
        if options:
            raise InputError(f"the data are read already: {', '.join(options)} came too late")
        return data
    if hasattr(data, "truth") and hasattr(data, "groups"):  # without the import of all sets
        return _source_of_dataset(cast("Dataset", data), options)
    if is_annotated(data):
        from gramian.io.anndata import raw_of_anndata

        choices = _check_options(options)
        raw = raw_of_anndata(cast("AnnDataLike", data), choices.layer)
        return _finish(source_of_raw(raw, choices), None, choices)
    rows = collect(data)
    if is_frame(rows):
        frame = rows if isinstance(rows, pd.DataFrame) else nw.from_native(rows).to_pandas()
        _refuse_columns(frame)
    elif hasattr(rows, "__array__") and getattr(rows, "ndim", 0) == 2:
        values = pd.DataFrame(cells(rows, "data"))
        frame = values.set_axis([f"x{k + 1}" for k in range(values.shape[1])], axis=1)
    else:
        return read(rows, **options)
    choices = _check_options(options)
    return _finish(_to_source(frame.copy(), choices), None, choices)


def _refuse_columns(frame: pd.DataFrame) -> None:
    """Refuse columns of a frame in memory that no file could hold: lists, lengths of time."""
    for k, (name, kind) in enumerate(zip(frame.columns, frame.dtypes, strict=True)):
        column = frame.iloc[:, k]
        if pd.api.types.is_object_dtype(kind):
            refuse_cells(column, f"data, column {short(name)},")
            kind = column.infer_objects().dtype
        if nw.from_native(column, series_only=True).dtype == nw.Duration or kind.kind == "m":
            raise InputTypeError(
                f"data, column {short(name)}, holds durations: give numbers, for instance by "
                "dt.total_seconds()"
            )


def _source_of_dataset(data: Dataset, options: dict[str, Any]) -> Source:
    """Return a data set with the roles that it gives its columns."""
    choices = _check_options({"title": data.name} | options)
    if data.kind == "distances":
        square = _to_source(data.data, replace(choices, kind="distances"))
        return replace(_finish(square, None, choices), code=data.code)
    raw = _raw_of_frame(data.data.join(data.groups))
    raw.roles = {str(c): "active" for c in data.data}
    numeric = data.groups.select_dtypes("number").columns
    raw.roles |= {str(c): "supplementary" if c in numeric else "group" for c in data.groups}
    return replace(_finish(source_of_raw(raw, choices), None, choices), code=data.code)


read_file = read  # the name that says what is read
