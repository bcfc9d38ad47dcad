"""Files too large to hold: read block by block, and coordinates written so."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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

SHARE = 4  # a table takes so many times its file, with what is made of it
_METHODS = ("auto", "pca", "kernel-pca")
_BLOCK_OPTIONS = ("active", "ignore", "layer", "missing", "na_values")  # that blocks have too

memory_option = click.option(
    "--memory",
    metavar="SIZE",
    help="What may be held, such as 2GB (half of the free memory); a file of more than a quarter "
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
    memory: str | None,
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
    size = _size(data)
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
    return LargeTable(rows, name, (blocks, *rows.notes))


def _size(data: str) -> int:
    if os.path.isfile(data):
        return os.path.getsize(data)
    parts = (os.path.join(folder, name) for folder, _, names in os.walk(data) for name in names)
    return sum(os.path.getsize(part) for part in parts)


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
    source: LargeTable, options: dict[str, Any], output: str | None, coordinates: str | None
) -> tuple[Estimator, Summary]:
    """Fit a method to blocks, and save the model and the coordinates; return it and its print."""
    import gramian as gm
    from gramian.cli.models import estimator

    asked = options["method"] or "auto"
    if asked not in _METHODS:
        raise Failure("blocks.method", 3, method=asked, file=source.title)
    if output and asked == "kernel-pca" and options["nystrom"] is None:
        raise Failure("blocks.pairs", 3)
    _check_kind(coordinates)
    model = estimator("table", options, "pca" if asked == "auto" else asked)
    rows = _with_progress(source.rows)
    with _missing_remedy():
        fitted = model.fit(rows)
    if output:
        gm.save(fitted, output)
    if coordinates:
        _write_blocks(fitted, rows, coordinates)
    return fitted, fitted.summary()


def transform_blocks(fitted: Estimator, source: LargeTable, output: str) -> None:
    """Write the coordinates of blocks."""
    _check_kind(output)
    with _missing_remedy():
        _write_blocks(fitted, _with_progress(source.rows), output)


def _check_kind(path: str | None) -> None:
    """Refuse a file that blocks cannot be written to, before anything is computed."""
    from gramian.io.scan_write import check_kind

    if path is not None and path != "-":
        check_kind(Path(path))


def _with_progress(rows: Scan) -> Scan:
    """Return rows that show on a terminal how far they are."""
    from gramian._core.chunked.passes import Progress

    show = counter("rows", name=rows.name)
    return replace(rows, progress=Progress(rows.name, show)) if sys.stderr.isatty() else rows


def _write_blocks(fitted: Estimator, rows: Scan, path: str) -> None:
    """Write coordinates to a file that is there when it is whole, or to standard output."""
    import pandas as pd

    from gramian.io.csv_cells import csv_text

    def place(block: pd.DataFrame) -> pd.DataFrame:
        Z = fitted.transform(block)
        names = getattr(block, "index", None)
        return pd.DataFrame(
            Z,
            index=names if names is None else names.rename("name"),
            columns=[f"axis{k + 1}" for k in range(Z.shape[1])],
        )

    places = rows.along(place, phrase("coordinates", name=rows.name))
    if path != "-":
        places.write(path, force=True)  # what is there was looked at before
        return
    for k, (names, block) in enumerate(places.named_blocks(places.progress)):
        table = csv_text(block) if names is not None else block.to_csv(index=False)
        click.echo(escape_controls(table if k == 0 else table.partition("\n")[2]), nl=False)
