"""Which files can be read block by block, known by how their names end."""

from __future__ import annotations

from pathlib import Path

from gramian.errors import InputError
from gramian.io.opening import check_plain
from gramian.io.scan_arrays import SLICED, is_zarr

__all__ = ["TEXT", "can_scan", "files_of", "kind_of"]

ARROW = (".parquet", ".pq", ".arrow", ".feather", ".ipc")
TEXT = {".csv": None, ".tsv": "\t"}  # what parts columns, None where that is to be found
KINDS = (*ARROW, *TEXT, *SLICED)


def files_of(path: Path) -> list[Path]:
    """Return the files of a path, all of one kind."""
    if not path.exists():
        raise InputError(f"source: there is no file {str(path)[-200:]}")
    files = [path]
    if path.is_dir() and not is_zarr(path):
        files = sorted(p for p in path.iterdir() if not p.name.startswith((".", "_")))
    kinds = sorted({kind_of(file) for file in files})
    if len(kinds) != 1 or kinds[0] not in KINDS:
        found = ", ".join(kinds) or "nothing"
        raise InputError(
            f"source: {path.name} holds {found}: give files of one kind, {', '.join(KINDS)}, or "
            "a function that returns blocks"
        )
    for file in files:
        if kinds != [".zarr"]:
            check_plain(file)
    return files


def can_scan(path: str | Path) -> bool:
    """Whether a path names what can be read block by block: a file of a kind, or some of one.

    >>> can_scan("table.xlsx")
    False
    """
    path = Path(path)
    files = [path]
    if path.is_dir() and not is_zarr(path):
        files = [p for p in path.iterdir() if not p.name.startswith((".", "_"))]
    kinds = {kind_of(file) for file in files}
    return len(kinds) == 1 and kinds <= set(KINDS)


def kind_of(file: Path) -> str:
    """Return the ending of a file, that of zarr for a store."""
    return ".zarr" if is_zarr(file) else file.suffix.lower()
