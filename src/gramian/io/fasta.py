"""Sequences in FASTA files."""

from __future__ import annotations

from gramian.errors import InputError
from gramian.io.content import decoded
from gramian.io.raw import Options, distinct
from gramian.io.source import Source
from gramian.io.words import note

__all__ = ["fasta"]


def fasta(data: bytes, options: Options) -> Source:
    """Read the records of a FASTA file; a name is the first word after ">"."""
    text, _ = decoded(data, options.encoding)
    names: list[str] = []
    pieces: list[list[str]] = []
    for number, line in enumerate(text.decode("utf-8").splitlines(), 1):
        line = line.strip()
        if line.startswith(">"):
            words = line[1:].split()
            names.append(words[0] if words else f"sequence {len(names) + 1}")
            pieces.append([])
        elif line and not line.startswith(";"):
            if not pieces:
                raise InputError(f"line {number} of the FASTA file comes before any '>' line")
            if not all(c.isalpha() or c in "*-. " for c in line):
                wrong = next(c for c in line if not (c.isalpha() or c in "*-. "))
                raise InputError(f"line {number} of the FASTA file holds {wrong!r}: no sequence")
            pieces[-1].append(line.replace(" ", ""))
    sequences = ["".join(parts) for parts in pieces]
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
