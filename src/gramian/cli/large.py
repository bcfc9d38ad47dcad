"""Files too large to hold: read block by block, and coordinates written so."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gramian._study.language.labels import escape_controls
from gramian.cli.errors import Failure, phrase, tell
from gramian.cli.output import counter

if TYPE_CHECKING:
    import pandas as pd

    from gramian._reading.summary import Summary
    from gramian.cli.models import Estimator
    from gramian.io import Scan
    from gramian.io.notes import Note

SHARE = 4  # a table takes so many times its file, with what is made of it
_USUAL_MEMORY = 500_000_000  # of a fit that may read blocks; at most half of the free memory
SAMPLED_FROM = 64 << 20  # bytes of a text file, from which on a page is made of a sample of rows
SAMPLE_BYTES = 12 << 20  # of that sample
_TEXT_FILES = (".csv", ".tsv", ".tab", ".txt")
_FIRST_LINES = 100  # of a file, kept in any sample: titles, names of columns, units
_METHODS = ("auto", "pca", "kernel-pca")
_BLOCK_OPTIONS = ("active", "ignore", "layer", "missing", "na_values")  # that blocks have too

memory_option = click.option(
    "--memory",
    metavar="SIZE",
    help="Memory to use, such as 2GB (half of the free memory); a file of more than a quarter "
    "of it is read block by block.",
)


@dataclass(frozen=True)
class LargeTable:
    """Rows that are read block by block, with what the commands ask of a source."""

    rows: Scan
    title: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    kind: str = "table"

    def __len__(self) -> int:
        return int(self.rows.count())


def large_table(
    data: str,
    memory: str | int | None,
    settings: dict[str, Any],
    quiet: bool,
    columns: Iterable[str] | None = None,
) -> LargeTable | None:
    """Return a file that is larger than a quarter of the memory, or None; a note says so."""
    from gramian._core.parallel import budget_bytes, format_bytes
    from gramian.io.notes import note
    from gramian.io.scan_sources import can_scan

    budget = budget_bytes(memory)
    if data == "-" or not os.path.exists(data) or not can_scan(data):
        return None
    files = [data]
    if not os.path.isfile(data):
        files = [os.path.join(top, name) for top, _, names in os.walk(data) for name in names]
    size = sum(map(os.path.getsize, files))
    if SHARE * size <= budget:
        return None
    name = os.path.basename(data)
    blocks = note("blocks", name=name, size=format_bytes(size), memory=format_bytes(budget))
    if not quiet:
        tell("note", blocks)
    other = [key for key in settings if key not in _BLOCK_OPTIONS]
    if other:
        raise Failure("blocks.option", 3, option=f"--{other[0].replace('_', '-')}")
    rows = _scan(data, budget, settings, columns)
    missing = settings.get("missing", "keep")
    if missing not in ("keep", "drop-rows", "mean"):
        raise Failure("blocks.missing", 3, how=missing)
    if missing != "keep":
        rows = replace(rows.complete(missing), notes=rows.notes)
    for text in () if quiet else rows.notes:
        tell("note", text)
    if sys.stderr.isatty():
        from gramian._core.chunked.passes import Progress

        rows = replace(rows, progress=Progress(rows.name, counter("rows", name=rows.name)))
    return LargeTable(rows, name, (blocks, *rows.notes))


def _usual_memory(data: str, settings: dict[str, Any], options: dict[str, Any]) -> int | None:
    """Return the memory for a large text file if blocks of it give PCA what all rows do, or None.

    A sample of its rows tells: columns of numbers and names of rows, in which nothing was mended.
    """
    from gramian import PCA
    from gramian._core.parallel import budget_bytes
    from gramian.cli.models import plan_of
    from gramian.errors import InputError
    from gramian.io import read_file

    memory = min(_USUAL_MEMORY, budget_bytes(None))
    size = os.path.getsize(data) if os.path.isfile(data) else 0
    if SHARE * size <= memory or set(settings) - {*_BLOCK_OPTIONS}:
        return None
    with suppress(InputError):  # which the reading of all rows will meet
        with sample_of(data, options["seed"]) as (part, sampled):
            source = read_file(part, **settings) if sampled else None
        if source and not source.warnings and set(source.roles.values()) == {"active"}:
            return memory if isinstance(plan_of(source, options).model, PCA) else None
    return None


def _scan(data: str, budget: int, settings: dict[str, Any], columns: Iterable[str] | None) -> Scan:
    """Return the scan: the columns of the model, those that are named, or all but some."""
    import gramian as gm

    options: dict[str, Any] = {"layer": settings.get("layer"), "memory": min(budget, 10**9)}
    options["na_values"] = settings.get("na_values") or ()
    wanted = list(columns) if columns is not None else _split_names(settings.get("active"))
    left = _split_names(settings.get("ignore"))
    if wanted is not None:
        return gm.io.scan(data, columns=wanted, **options)
    rows = gm.io.scan(data, **options)
    if left:
        wanted = [column for column in rows.known_columns() if str(column) not in left]
    return rows if wanted is None else gm.io.scan(data, columns=wanted, **options)


@contextmanager
def sample_of(data: str, seed: int) -> Iterator[tuple[str, tuple[Note, ...]]]:
    """Yield a file to read instead of a large text file, with a note about it, or the file itself.

    The sample holds the first lines, and later ones drawn at random, in their order. Reading all of
    a file of 150 MB, and testing what it shows, takes six gigabytes and minutes, and the page says
    the same. A file in which a quoted text spans lines is read whole.
    """
    from gramian.io.notes import note

    path = Path(data)
    large = path.suffix.lower() in _TEXT_FILES and path.is_file()
    if not large or path.stat().st_size <= SAMPLED_FROM:
        yield data, ()
        return
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / path.name
        counts = _write_sample(path, part, seed)
        yield (data, ()) if counts is None else (str(part), (note("sampled", **counts),))


def _write_sample(path: Path, part: Path, seed: int) -> dict[str, Any] | None:
    """Write a sample of lines; return what a note says, None where a text spans lines."""
    import numpy as np

    with path.open("rb") as file:
        total = sum(chunk.count(b"\n") for chunk in iter(partial(file.read, 1 << 22), b""))
    share = SAMPLE_BYTES / path.stat().st_size
    size = min(total - _FIRST_LINES, int(share * total))
    if size < _FIRST_LINES:  # lines so long that a sample has no use
        return None
    keep = np.zeros(total + 1, dtype=bool)
    keep[:_FIRST_LINES] = True
    keep[
        _FIRST_LINES + np.random.default_rng(seed).choice(total - _FIRST_LINES, size, replace=False)
    ] = True
    with path.open("rb") as file, part.open("wb") as out:
        for line, kept in zip(file, keep, strict=False):
            if line.count(b'"') % 2:
                return None
            if kept:
                out.write(line)
    return {"name": path.name, "count": int(keep.sum()), "total": total}


@contextmanager
def _missing_remedy() -> Iterator[None]:
    """Say what a command can do about missing values."""
    from gramian.errors import InputError
    from gramian.io.scan_table import REMEDY

    try:
        yield
    except InputError as error:
        text = str(error)
        if REMEDY not in text:
            raise
        reason = text.partition(REMEDY)[0].rstrip(": ")
        raise Failure("blocks.gap", 3, reason=reason) from error


def _split_names(names: Sequence[str] | None) -> list[str] | None:
    return None if not names else [part.strip() for text in names for part in text.split(",")]


def fit_blocks(
    data: str,
    memory: str | int | None,
    settings: dict[str, Any],
    options: dict[str, Any],
    output: str | None,
    coordinates: str | None,
    quiet: bool,
) -> tuple[Estimator, LargeTable, Summary] | None:
    """Fit a method to blocks, and save the model and the coordinates, or return None."""
    import gramian as gm
    from gramian.cli.models import estimator
    from gramian.errors import InputError

    usual = None if memory or coordinates else _usual_memory(data, settings, options)
    if usual is not None:
        with suppress(Failure, InputError):  # of a row that is not in the sample: all are read
            return fit_blocks(data, usual, settings, options, output, coordinates, quiet)
    source = large_table(data, memory, settings, quiet)
    if source is None:
        return None
    asked = options["method"] or "auto"
    if asked not in _METHODS:
        raise Failure("blocks.method", 3, method=asked, file=source.title)
    if output and asked == "kernel-pca" and options["nystrom"] is None:
        raise Failure("blocks.pairs", 3)
    _check_kind(coordinates)
    model = estimator("table", options, "pca" if asked == "auto" else asked)
    with _missing_remedy():
        fitted = model.fit(source.rows)
    if output:
        gm.save_model(fitted, output)
    if coordinates:
        _write_blocks(fitted, source.rows, coordinates)
    return fitted, source, fitted.summary()


def transform_blocks(fitted: Estimator, source: LargeTable, output: str) -> None:
    """Write the coordinates of blocks."""
    _check_kind(output)
    with _missing_remedy():
        _write_blocks(fitted, source.rows, output)


def _check_kind(path: str | None) -> None:
    """Refuse a file that blocks cannot be written to, before anything is computed."""
    from gramian.io.scan_write import check_kind

    if path is not None and path != "-":
        check_kind(Path(path))


def _write_blocks(fitted: Estimator, rows: Scan, path: str) -> None:
    """Write coordinates to a file that is there when it is whole, or to standard output."""
    from gramian.cli.fit import coordinate_table
    from gramian.io.csv_cells import csv_text

    def place(block: pd.DataFrame) -> pd.DataFrame:
        names = getattr(block, "index", None)
        names = names if names is None else names.rename("name")
        return coordinate_table(fitted.transform(block), names)

    places = rows.along(place, phrase("coordinates", name=rows.name))
    if path != "-":
        places.write(path, force=True)  # what is there was looked at before
        return
    for k, (block, names, _) in enumerate(places.named_blocks(places.progress)):
        table = csv_text(block) if names is not None else block.to_csv(index=False)
        click.echo(escape_controls(table if k == 0 else table.partition("\n")[2]), nl=False)
