"""GCT, a text format of gene expression: sizes, names, annotations, one gene a line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.content import decoded, lines_of
from gramian.io.notes import note
from gramian.io.opening import damage
from gramian.io.raw import NA_VALUES, Options, Raw, distinct


@dataclass(frozen=True)
class _Cells:
    """The cells of a GCT file; the columns of names and annotations come first."""

    header: list[str]
    about: list[list[str]]  # annotations of the samples, one row each
    rows: list[list[str]]  # one a gene
    first: int  # the column of the first sample


def gct(data: bytes, options: Options) -> Raw:
    """Read a GCT file (1.2 or 1.3); its columns, the samples, become rows."""
    text, _ = decoded(data, options.encoding)
    cells = _gct_cells(text.decode("utf-8"))
    values = _gct_numbers(cells.rows, cells.first, {*NA_VALUES, *options.na_values})
    genes, repeated = distinct(row[0] for row in cells.rows)
    frame = pd.DataFrame(values.T, columns=genes)
    about = {row[0]: row[cells.first :] for row in cells.about}
    extra = pd.DataFrame(about, dtype="str").apply(_maybe_numbers)
    extra.columns = [c if c not in frame else f"{c} (sample)" for c in extra]
    raw = Raw(pd.concat([extra, frame], axis=1), cells.header[cells.first :])
    raw.roles = dict.fromkeys(genes, "active")
    raw.roles |= {str(c): "supplementary" for c in extra if extra[c].dtype == float}
    raw.notes.append(note("transposed"))
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return raw


def _gct_cells(text: str) -> _Cells:
    """Return the cells of a file that holds as many as it says."""
    lines = [line.split("\t") for line in lines_of(text) if line.strip()]
    try:
        sizes = [int(cell) for cell in lines[1] if cell]
        n, m = sizes[:2]
        row_meta, column_meta = sizes[2:4] if lines[0][0].startswith("#1.3") else (1, 0)
        header, rows = lines[2], lines[3:]
    except (IndexError, ValueError) as error:
        raise InputError(
            "the GCT file must give its sizes in line 2 and names in line 3: it is cut off"
        ) from error
    wide = 1 + row_meta + m
    if len(header) != wide or len(rows) != column_meta + n:
        raise InputError(
            f"the GCT file says {n} rows and {m} columns but holds {len(rows) - column_meta} and "
            f"{len(header) - 1 - row_meta}: it is cut off or edited"
        )
    wrong = next((k for k, row in enumerate(rows) if len(row) != wide), None)
    if wrong is not None:
        found = len(rows[wrong])
        raise InputError(f"line {wrong + 4} of the GCT file has {found} cells, not {wide}")
    return _Cells(header, rows[:column_meta], rows[column_meta:], 1 + row_meta)


def _gct_numbers(rows: list[list[str]], start: int, na_values: set[str]) -> np.ndarray:
    out = np.empty((len(rows), len(rows[0]) - start if rows else 0))
    for k, row in enumerate(rows):
        try:
            out[k] = [np.nan if c.strip() in na_values else float(c) for c in row[start:]]
        except ValueError as error:
            raise InputError(f"row {row[0][:60]!r} of the GCT file: {damage(error)}") from error
    return out


def _maybe_numbers(column: pd.Series) -> pd.Series:
    cleaned = column.mask(column.isin(list(NA_VALUES)))
    numbers = pd.to_numeric(cleaned, errors="coerce")
    return numbers.astype(float) if numbers.notna().sum() == cleaned.notna().sum() else cleaned
