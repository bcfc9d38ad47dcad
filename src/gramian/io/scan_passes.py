"""Passes over files: the next block is read ahead, files stay as they are, blocks have a place."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gramian._chunks import said_of
from gramian.errors import InputError

__all__ = ["REMEDY", "Mark", "Told", "ahead", "check_marks", "mark_of"]

# What can be done about a column of texts in a scan, and about holes.
_LEAVE = "leave it out, as X.take(names) does with the names of the others"
REMEDY = "X.complete() leaves out rows that have one, X.complete('mean') puts means there"


def ahead(blocks: Iterator[Any]) -> Iterator[Any]:
    """Go through blocks of which the next is read while one is worked on.

    >>> list(ahead(iter([1, 2, 3])))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, blocks, None)
        while (block := following.result()) is not None:
            following = reader.submit(next, blocks, None)
            yield block


Mark = tuple[int, int, int]


def mark_of(path: Path) -> Mark:
    """Return what tells a file from one that was changed: its number, size and time of change.

    Of a folder, how many files it holds, their size together and the last change.
    """
    if not path.exists():
        raise InputError(f"{path.name} is gone: it was there when it was scanned")
    if not path.is_dir():
        about = path.stat()
        return about.st_ino, about.st_size, about.st_mtime_ns
    inside = [p.stat() for p in path.rglob("*") if p.is_file()]
    last = max((about.st_mtime_ns for about in inside), default=0)
    return len(inside), sum(about.st_size for about in inside), last


def check_marks(files: tuple[Path, ...], marks: dict[Path, Mark]) -> None:
    """Refuse files that are not as they were when a first pass began, which `marks` keep."""
    for file in files:
        mark = mark_of(file)
        if marks.setdefault(file, mark) != mark:
            raise InputError(
                f"{file.name} changed while it was read: start again, when it is written"
            )


class Told:
    """Says of our own refusals in which block they were."""

    def __init__(self, place: str, start: int) -> None:
        self.place, self.start = place, start

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError) and not str(error).startswith("block "):
            raise said_of(error, self.place, self.start, REMEDY, _LEAVE) from error
