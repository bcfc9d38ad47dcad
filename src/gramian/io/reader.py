"""The door for files: find out what they are, read them, say what was guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd

from gramian._validate import is_frame
from gramian.errors import InputError
from gramian.io import arrow
from gramian.io.content import format_of, load
from gramian.io.delimited import delimited
from gramian.io.fasta import fasta
from gramian.io.graphs import edges, folder, graphml_file
from gramian.io.matrices import phylip
from gramian.io.omics import gct, h5ad
from gramian.io.raw import Options, Raw, distinct
from gramian.io.sheets import excel
from gramian.io.source import KINDS, MISSING, Source
from gramian.io.tables import finished
from gramian.io.words import note

__all__ = ["FORMATS", "as_source", "read"]


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


FORMATS: dict[str, tuple[str, Callable[[bytes, Options], Raw | Source]]] = {
    "text": ("a table of text", delimited),
    "parquet": ("Parquet", lambda data, _: _of_frame(arrow.parquet(data))),
    "feather": ("Feather", lambda data, _: _of_frame(arrow.feather(data))),
    "excel": ("a spreadsheet", excel),
    "h5ad": ("AnnData (h5ad)", h5ad),
    "gct": ("GCT", gct),
    "phylip": ("PHYLIP distances", phylip),
    "graphml": ("GraphML", graphml_file),
    "edges": ("an edge list", edges),
    "fasta": ("FASTA", fasta),
}


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
) -> Source:
    """Read a file: a table, distances, graphs or sequences.

    What the file does not say is guessed and told in `notes`; what may be wrong with the data is
    told in `warnings`. Each guess can be set by an option.

    Parameters
    ----------
    source : path, open file or folder
        CSV or TSV (also gzipped), Parquet, Feather, Excel, AnnData h5ad, GCT, PHYLIP or square
        distances, GraphML, an edge list, FASTA; a folder holds one graph a file.
    kind : {"table", "distances", "graphs", "sequences"}, optional
    format : str, optional
        "text", "parquet", "feather", "excel", "h5ad", "gct", "phylip", "graphml", "edges" or
        "fasta".
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
    missing : {"keep", "drop-rows", "drop-columns", "mean", "median"}
    title : str, optional

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
            supplementary, group, ignore, sheet, layer, transpose, missing, title,
        )
    )  # fmt: skip
    if isinstance(source, str | Path) and Path(source).is_dir():
        return _titled(folder(Path(source), options), str(source), options)
    data, path = load(source)
    name = format or format_of(data, path)
    if format is None and name == "text" and kind == "graphs":
        name = "edges"
    words, reader = FORMATS[name]
    found = reader(data, options)
    made = finished(found, options) if isinstance(found, Raw) else found
    if name != "text":
        made = replace(made, notes=[note("format", name=words), *made.notes])
    return _titled(made, path, options)


_USUAL = vars(Options())


def _checked(options: Options) -> Options:
    for name, known in (("kind", KINDS), ("format", FORMATS), ("missing", MISSING)):
        value = getattr(options, name)
        if value is not None and value not in known:
            raise InputError(f"{name}={value!r} must be one of {', '.join(known)}")
    if isinstance(options.na_values, str):
        return replace(options, na_values=[options.na_values])
    return options


def _titled(made: Source, path: str | None, options: Options) -> Source:
    if options.kind is not None and made.kind != options.kind:
        raise InputError(f"kind={options.kind!r} was asked for, but the file holds {made.kind}")
    stem = Path(path).name.split(".")[0] if path else ""
    told = {name: value for name, value in vars(options).items() if value != _USUAL[name]}
    made = replace(made, path=path, title=options.title or stem or "data", options=told)
    return made.complete(options.missing)


def as_source(data: Any, **options: Any) -> Source:
    """Return a source from a path, a data frame, an array, a data set or a source.

    Parameters
    ----------
    data : path, open file, data frame, array, Dataset or Source
    **options
        Those of `read` that have a meaning for tables in memory: kind, row_names, active,
        supplementary, group, ignore, transpose, missing, title.

    Examples
    --------
    >>> import gramian as gm
    >>> source = as_source(gm.datasets.iris())
    >>> source.columns("group"), len(source.columns("active"))
    (['species'], 4)
    """
    if isinstance(data, Source):
        if options:
            raise InputError(f"the data are read already: {', '.join(options)} came too late")
        return data
    if hasattr(data, "truth") and hasattr(data, "groups"):
        return _of_dataset(data, options)
    if is_frame(data):
        frame = data if isinstance(data, pd.DataFrame) else nw.from_native(data).to_pandas()
    elif hasattr(data, "__array__") and getattr(data, "ndim", 0) == 2:
        values = pd.DataFrame(data)
        frame = values.set_axis([f"x{k + 1}" for k in range(values.shape[1])], axis=1)
    else:
        return read(data, **options)
    wanted = _checked(Options(**options))
    return _titled(finished(_of_frame(frame.copy()), wanted), None, wanted)


def _of_dataset(data: Any, options: dict[str, Any]) -> Source:
    """Return a data set with the roles that it tells."""
    wanted = _checked(Options(**({"title": data.name} | options)))
    if data.kind == "distances":
        return _titled(
            finished(_of_frame(data.data), replace(wanted, kind="distances")), None, wanted
        )
    raw = _of_frame(data.data.join(data.groups))
    raw.roles = {str(c): "active" for c in data.data}
    numeric = data.groups.select_dtypes("number").columns
    raw.roles |= {str(c): "supplementary" if c in numeric else "group" for c in data.groups}
    return _titled(finished(raw, wanted), None, wanted)
