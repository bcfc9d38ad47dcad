"""Sequences in FASTA files."""

from __future__ import annotations

from gramian.errors import InputError
from gramian.io.content import decoded, lines_of
from gramian.io.notes import note
from gramian.io.raw import Options, distinct
from gramian.io.source import Source

# Our own reader: docs/decisions.md, "Our own, though a library exists".
_MARKS = "*-. "  # besides letters: stops, gaps, and spaces that mean nothing


def fasta(data: bytes, options: Options) -> Source:
    """Read the records of a FASTA file; a name is the first word after ">"."""
    text, _ = decoded(data, options.encoding)
    names, sequences = _records(text.decode("utf-8"))
    empty = next((n for n, s in zip(names, sequences, strict=True) if not s), None)
    if empty is not None:
        raise InputError(f"the FASTA record {empty[:60]!r} has no letters: leave it out")
    labels, repeated = distinct(names)
    upper = [s.upper() for s in sequences]
    sizes = [len(s) for s in upper]
    notes = [note("sequences", n=len(upper), low=min(sizes), high=max(sizes))]
    if upper != sequences:
        notes.append(note("upper"))
    warnings = []
    if repeated:
        warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return Source("sequences", labels, sequences=upper, notes=notes, warnings=warnings)


def _records(text: str) -> tuple[list[str], list[str]]:
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
            pieces[-1].append(_letters(line, number))
    return names, ["".join(parts) for parts in pieces]


def _letters(line: str, number: int) -> str:
    wrong = next((c for c in line if not (c.isalpha() or c in _MARKS)), None)
    if wrong is not None:
        raise InputError(f"line {number} of the FASTA file holds {wrong!r}: no sequence")
    return line.replace(" ", "")
