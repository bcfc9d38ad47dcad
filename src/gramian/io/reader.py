"""The door for files: find out what they are, read them, say what was guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd

from gramian._core.check import flag, invalid, one_of, short, text, whole
from gramian._core.frames import collect, is_annotated, is_frame
from gramian._core.numbers import cells, refuse_cells
from gramian.errors import InputError, InputTypeError
from gramian.io import arrow
from gramian.io.anndata import raw_of_anndata
from gramian.io.content import allowance, load
from gramian.io.delimited import delimited
from gramian.io.fasta import fasta
from gramian.io.formats import FORMATS, Format, format_of, register
from gramian.io.gct import gct
from gramian.io.graphs import edges, folder, graphml_file
from gramian.io.matrices import phylip
from gramian.io.notes import note
from gramian.io.omics import h5ad
from gramian.io.raw import Options, Raw, distinct, words
from gramian.io.sheets import excel
from gramian.io.source import KINDS, MISSING, Source
from gramian.io.tables import finished


def _of_frame(frame: pd.DataFrame) -> Raw:
    """Return a data frame as a raw table, its index as names where it has any."""
    names = None
    if not isinstance(frame.index, pd.RangeIndex):
        names = [str(label) for label in frame.index]
    columns, repeated = distinct(frame.columns)
    raw = Raw(frame.set_axis(columns, axis=1).reset_index(drop=True), names)
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return raw


_XML = re.compile(rb"\s*(<\?xml|<!|<graphml)", re.IGNORECASE)
_PHYLIP = re.compile(rb"\s*\d+\s*\r?\n\s*\S")

for _format in (
    Format("text", delimited, "a table of text", "un tableau de texte"),
    Format("parquet", arrow.parquet, "Parquet", suffixes=(".parquet",), magic=(b"PAR1",)),
    Format(
        "feather",
        arrow.feather,
        "Feather",
        suffixes=(".feather", ".arrow"),
        magic=(b"ARROW1", b"FEA1"),
    ),
    Format(
        "excel",
        excel,
        "a spreadsheet",
        "un classeur",
        suffixes=(".xlsx", ".xls", ".xlsb", ".ods"),
        magic=(b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ),
    Format("h5ad", h5ad, "AnnData (h5ad)", suffixes=(".h5ad",), magic=(b"\x89HDF\r\n\x1a\n",)),
    Format("gct", gct, "GCT", suffixes=(".gct",), magic=(b"#1.2", b"#1.3")),
    Format(
        "phylip",
        phylip,
        "PHYLIP distances",
        "des distances PHYLIP",
        suffixes=(".phy", ".phylip"),
        looks=lambda data: _PHYLIP.match(data[:4096]) is not None,
    ),
    Format(
        "graphml",
        graphml_file,
        "GraphML",
        suffixes=(".graphml",),
        looks=lambda data: _XML.match(data[:200]) is not None,
    ),
    Format(
        "edges",
        edges,
        "an edge list",
        "une liste d'arêtes",
        suffixes=(".edgelist", ".edges", ".ncol"),
    ),
    Format("fasta", fasta, "FASTA", suffixes=(".fasta", ".fa", ".faa", ".fna"), magic=(b">",)),
):
    register(_format)


def read(
    source: Any,
    *,
    kind: str | None = None,
    format: str | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    row_names: Any = None,
    na_values: Sequence[str] = (),
    active: Any = None,
    supplementary: Any = None,
    group: Any = None,
    ignore: Any = None,
    sheet: Any = None,
    layer: str | None = None,
    transpose: bool | None = None,
    missing: str = "keep",
    title: str | None = None,
    largest: int | str | None = None,
    skip: int | None = None,
    as_category: Any = None,
    as_number: Any = None,
) -> Source:
    """Read a file: a table, distances, graphs or sequences.

    What the file does not say is guessed and told in `notes`; what may be wrong with the data is
    told in `warnings`. Each guess can be set by an option.

    Parameters
    ----------
    source : path, open file or folder
        CSV or TSV, Parquet, Feather, Excel, AnnData h5ad, GCT, PHYLIP or square distances, GraphML,
        an edge list, FASTA, also gzipped, or a format of yours (`register`); a folder holds one
        graph a file.
    kind : {"table", "distances", "graphs", "sequences"}, optional
    format : str, optional
        Where the guess is wrong: "text", "excel", "edges", …; `formats` lists them all.
    sep, decimal, thousands, encoding, header : optional
        How a table of text is written.
    row_names : column name or position, True (the first column) or False, optional
    na_values : sequence of str
        Texts that mean missing, besides the empty one, NA and NaN.
    active, supplementary, group, ignore : column name or names, optional
        What columns are for; with `active`, all other numbers are supplementary.
    sheet : str or int, optional
        Of a workbook, by name or counted from 1.
    layer : str, optional
        Of an h5ad file, in place of X.
    transpose : bool, optional
        Whether individuals are columns in the file.
    missing : {"keep", "drop-rows", "drop-columns", "iterative", "mean", "median"}
    title : str, optional
    largest : int or str, optional
        What a packed file (gzip, a workbook, Parquet, Feather, h5ad) may unpack to, such as "2GB";
        by default 64 MB or a hundred times its size, and at most half of the free memory.
    skip : int, optional
        Lines above the header of a table of text or rows above that of a sheet; found by default.
    as_category : column name or names, optional
        Numbers that are codes of categories.
    as_number : column name or names, optional
        Quantities, whatever they look like: every value is one, texts such as "5 mg" too.

    Returns
    -------
    Source

    Examples
    --------
    >>> import io
    >>> source = read(io.StringIO("a\\tb\\n1\\t2\\n3\\t5\\n"), row_names=False)
    >>> source.kind, float(source.active().to_numpy().sum())
    ('table', 11.0)
    """
    options = _checked(
        Options(
            kind, format, sep, decimal, thousands, encoding, header, row_names, na_values, active,
            supplementary, group, ignore, sheet, layer, transpose, missing, title, largest, skip,
            as_category, as_number,
        )
    )  # fmt: skip
    if isinstance(source, str | Path) and Path(source).is_dir():
        return _titled(folder(Path(source), options), str(source), options)
    content = load(source, largest)
    data, path = content.data, content.path
    known = FORMATS[format] if format else format_of(data, path)
    if format is None and known.name == "text" and kind == "graphs":
        known = FORMATS["edges"]
    # What was packed inside a packed file may not grow beyond what that one was allowed.
    inner = options if content.largest is None else replace(options, largest=content.largest)
    contents = _finished(known.read(data, inner), options)
    if known.name != "text":
        contents = replace(contents, notes=[note("format", name=known.word), *contents.notes])
    return _titled(contents, path, options)


def _finished(contents: pd.DataFrame | Raw | Source, options: Options) -> Source:
    """Return what a format's reader returned as a source."""
    if isinstance(contents, pd.DataFrame):
        contents = _of_frame(contents)
    return finished(contents, options) if isinstance(contents, Raw) else contents


_USUAL = vars(Options())


def _checked(options: Options) -> Options:
    for name, known in (("kind", KINDS), ("format", FORMATS), ("missing", MISSING)):
        if getattr(options, name) is not None:
            one_of(getattr(options, name), name, known)
    allowance(0, options.largest)
    for name in ("sep", "decimal", "thousands", "encoding", "layer", "title"):
        if getattr(options, name) is not None:
            text(getattr(options, name), name)
    if options.skip is not None:
        whole(options.skip, "skip", least=0)
    for name in ("header", "transpose"):
        if getattr(options, name) is not None:
            flag(getattr(options, name), name)
    return replace(options, na_values=words(options.na_values))


def _titled(source: Source, path: str | None, options: Options) -> Source:
    if options.kind is not None and source.kind != options.kind:
        found = "a table" if source.kind == "table" else source.kind
        raise invalid("kind", options.kind, f"does not fit: the file holds {found}")
    stem = Path(path.removesuffix(".gz")).stem if path else ""
    choices = {
        name: value for name, value in vars(options).items() if _is_chosen(value, _USUAL[name])
    }
    title = options.title or stem or "data"
    return replace(source, path=path, title=title, options=choices).complete(options.missing)


def _is_chosen(value: Any, usual: Any) -> bool:
    """Whether an option is not what it usually is; an array is not compared entry by entry."""
    if isinstance(usual, tuple):
        return len(value) > 0
    return value is not usual and not (isinstance(value, str) and value == usual)


def as_source(data: Any, **options: Any) -> Source:
    """Return a source from a path, a data frame, an array, AnnData, a data set or a source.

    Parameters
    ----------
    data : path, open file, data frame, array, AnnData, Dataset or Source
        Of an AnnData object, `obs` gives the groups; a lazy frame is collected.
    **options
        Those of `read` that have a meaning for tables in memory: kind, row_names, active,
        supplementary, group, ignore, as_category, as_number, na_values, transpose, missing, title;
        of an AnnData object also layer, the name of a layer or of an entry of `obsm`.

    Examples
    --------
    >>> import gramian as gm
    >>> source = as_source(gm.datasets.iris())
    >>> source.columns("group"), len(source.columns("active"))
    (['species'], 4)
    """
    _refuse_unknown(options)
    if isinstance(data, Source):
        if options:
            raise InputError(f"the data are read already: {', '.join(options)} came too late")
        return data
    if hasattr(data, "truth") and hasattr(data, "groups"):
        return _of_dataset(data, options)
    if is_annotated(data):
        choices = _checked(Options(**options))
        return _titled(finished(raw_of_anndata(data, choices.layer), choices), None, choices)
    data = collect(data)
    if is_frame(data):
        frame = data if isinstance(data, pd.DataFrame) else nw.from_native(data).to_pandas()
        _refuse_columns(frame)
    elif hasattr(data, "__array__") and getattr(data, "ndim", 0) == 2:
        values = pd.DataFrame(cells(data, "data"))
        frame = values.set_axis([f"x{k + 1}" for k in range(values.shape[1])], axis=1)
    else:
        return read(data, **options)
    choices = _checked(Options(**options))
    return _titled(_finished(frame.copy(), choices), None, choices)


def _refuse_unknown(options: dict[str, Any]) -> None:
    """Refuse an option that there is not, with the names of those that there are."""
    for name, value in options.items():
        if name not in _USUAL:
            known = ", ".join(_USUAL)
            raise invalid(
                name, value, f"must be an option that there is: use one of {known}", InputTypeError
            )


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


def _of_dataset(data: Any, options: dict[str, Any]) -> Source:
    """Return a data set with the roles that it tells."""
    choices = _checked(Options(**({"title": data.name} | options)))
    if data.kind == "distances":
        square = _finished(data.data, replace(choices, kind="distances"))
        return _titled(square, None, choices)
    raw = _of_frame(data.data.join(data.groups))
    raw.roles = {str(c): "active" for c in data.data}
    numeric = data.groups.select_dtypes("number").columns
    raw.roles |= {str(c): "supplementary" if c in numeric else "group" for c in data.groups}
    return _titled(finished(raw, choices), None, choices)
