"""Text formats of biology: FASTA sequences, GCT expression tables, PHYLIP distances."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.content import decode_text, lines_of, name_damage
from gramian.io.formats import NA_VALUES, Options, Raw, distinct, duplicate_notes
from gramian.io.notes import note, size_note
from gramian.io.source import Source
from gramian.io.tables import mirror_triangle

# Our own reader: docs/decisions.md, "Our own, though a library exists".
_OTHER_MARKS = "*-. "  # besides letters: stops, gaps, and spaces that mean nothing


def read_fasta(data: bytes, options: Options) -> Source:
    """Read the records of a FASTA file; a name is the first word after ">"."""
    text, _ = decode_text(data, options.encoding)
    names, sequences = _fasta_records(text.decode("utf-8"))
    empty = next((n for n, s in zip(names, sequences, strict=True) if not s), None)
    if empty is not None:
        raise InputError(f"the FASTA record {empty[:60]!r} has no letters: leave it out")
    labels, repeated = distinct(names)
    upper = [s.upper() for s in sequences]
    notes = [size_note("sequences", [len(s) for s in upper])]
    if upper != sequences:
        notes.append(note("upper"))
    warnings = duplicate_notes(repeated)
    return Source("sequences", labels, sequences=upper, notes=notes, warnings=warnings)


def _fasta_records(text: str) -> tuple[list[str], list[str]]:
    """Return the names and the sequences; lines that start with ";" are comments."""
    names: list[str] = []
    pieces: list[list[str]] = []
    for number, line in enumerate(lines_of(text), 1):
        line = line.strip()
        if line.startswith(">"):
            words = line[1:].split()
            names.append(words[0] if words else f"sequence {len(names) + 1}")
            pieces.append([])
        elif line and not line.startswith(";"):
            if not pieces:
                raise InputError(f"line {number} of the FASTA file comes before any '>' line")
            wrong = next((c for c in line if not (c.isalpha() or c in _OTHER_MARKS)), None)
            if wrong is not None:
                raise InputError(f"line {number} of the FASTA file holds {wrong!r}: no sequence")
            pieces[-1].append(line.replace(" ", ""))
    return names, ["".join(parts) for parts in pieces]


@dataclass(frozen=True)
class _Cells:
    """The cells of a GCT file; the columns of names and annotations come first."""

    header: list[str]
    about: list[list[str]]  # annotations of the samples, one row each
    rows: list[list[str]]  # one a gene
    first: int  # the column of the first sample


def read_gct(data: bytes, options: Options) -> Raw:
    """Read a GCT file (1.2 or 1.3); its columns, the samples, become rows."""
    text, _ = decode_text(data, options.encoding)
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
    raw.warnings += duplicate_notes(repeated)
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
        with name_damage(f"row {row[0][:60]!r} of the GCT file", ValueError):
            out[k] = [np.nan if c.strip() in na_values else float(c) for c in row[start:]]
    return out


def _maybe_numbers(column: pd.Series) -> pd.Series:
    cleaned = column.mask(column.isin(list(NA_VALUES)))
    numbers = pd.to_numeric(cleaned, errors="coerce")
    return numbers.astype(float) if numbers.notna().sum() == cleaned.notna().sum() else cleaned


def read_phylip(data: bytes, options: Options) -> Raw:
    """Read PHYLIP distances: the number of points, then a name and distances for each."""
    text, _ = decode_text(data, options.encoding)
    lines = [line for line in text.decode("utf-8").split("\n") if line.strip()]
    try:
        n = int(lines[0].split()[0])
    except (IndexError, ValueError) as error:
        raise InputError("the PHYLIP file must start with the number of points") from error
    rows = _phylip_rows(lines[1:], n)
    if len(rows) != n:
        raise InputError(f"the PHYLIP file says {n} points but holds {len(rows)}: it is cut off")
    widths = [len(numbers) for _, numbers in rows]
    if max(widths, default=n) > n:
        name, most = rows[widths.index(max(widths))][0][:60], max(widths)
        raise InputError(f"PHYLIP row {name!r} holds {most} distances for {n} points")
    triangles = (list(range(n)), list(range(1, n + 1)))
    if widths not in triangles and widths != [n] * n:  # known before room is made for them
        raise InputError(
            f"the PHYLIP rows hold {widths[:4]} … distances: give all {n} in each row, or the "
            "lower triangle"
        )
    D = np.full((n, n), np.nan)
    for i, (_, numbers) in enumerate(rows):
        D[i, : len(numbers)] = numbers
    raw = Raw(pd.DataFrame(), [name for name, _ in rows], is_distances=True)
    if widths in triangles:
        D = mirror_triangle(D)
        raw.notes.append(note("triangle"))
    raw.frame = pd.DataFrame(D, columns=distinct(name for name, _ in rows)[0])
    return raw


def _phylip_rows(lines: list[str], n: int) -> list[tuple[str, list[float]]]:
    """Return names and their distances; rows may continue over several lines."""
    rows: list[tuple[str, list[float]]] = []
    square = bool(lines) and len(lines[0].split()) > 2
    for line in lines:
        words = line.split()
        if rows and square and len(rows[-1][1]) < n and line[0] in " \t":
            rows[-1][1].extend(_phylip_numbers(words, rows[-1][0]))
        else:
            rows.append((words[0], _phylip_numbers(words[1:], words[0])))
    return rows


def _phylip_numbers(words: list[str], name: str) -> list[float]:
    with name_damage(f"PHYLIP row {name[:60]!r}", ValueError):
        return [float(word) for word in words]
