"""What passes over many rows leave behind: checkpoints to resume from, and how far they are."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from gramian._core.check import answer, flag
from gramian.errors import InputError

T = TypeVar("T")
SAVE_SECONDS = 30.0  # between two saves of the same part
REPORT_SECONDS = 0.2  # between two lines of progress
_VERSION = 2
_SUFFIX = ".part.npz"
_ALL_STEPS = -1  # steps of a part that is finished


def digest(*parts: object) -> str:
    """Return a digest of texts and arrays.

    >>> digest("a", np.zeros(2)) == digest("a", np.zeros(2))
    True
    """
    out = hashlib.sha256()
    for part in parts:
        is_array = isinstance(part, np.ndarray)
        out.update(np.ascontiguousarray(part).tobytes() if is_array else str(part).encode())
    return out.hexdigest()


@dataclass(eq=False)
class Checkpoint:
    """Parts of a fit under their names, in a folder; without one nothing is kept.

    Each part is a file, which is there when it is whole, and holds what it is a part of: a digest
    of the `options` of the fit, and the marks of the `files` that are read, by name.
    """

    folder: Path | None = None
    options: str = ""
    files: dict[str, Any] = field(default_factory=dict)
    saved: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.folder is None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"checkpoint={str(self.folder)[-200:]} is a file: name a folder")
        from gramian.io.files import check_writable  # `io` imports this module

        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)
        check_writable(self._path("state"))

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{name.replace(' ', '-')}{_SUFFIX}"

    def load(self, name: str) -> dict[str, Any] | None:
        """Return a part, or None where it is not there; one of another fit is refused."""
        if self.folder is None or not (path := self._path(name)).exists():
            return None
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
                arrays = {key: archive[key] for key in archive.files}
            head = json.loads(arrays.pop("head").tobytes())
            version, options, files = head["version"], head["options"], head["files"]
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{path.name} is not a checkpoint that can be read: remove {self.folder.name}"
            ) from error
        where = f"checkpoint={self.folder.name!r}"
        if version != _VERSION or options != self.options or set(files) != set(self.files):
            raise InputError(
                f"{where} belongs to other data or options: remove it, or name another"
            )
        for file_name, mark in self.files.items():
            if list(mark) != list(files[file_name]):
                raise InputError(
                    f"{file_name} changed since {where} was written: remove it, to start again"
                )
        return arrays

    def save(self, name: str, arrays: dict[str, Any]) -> None:
        """Write a part; the old one stays until the new one is whole."""
        if self.folder is None:
            return
        from gramian.io.files import atomic_write

        about = {"version": _VERSION, "options": self.options, "files": self.files}
        head = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        data = io.BytesIO()
        np.savez(data, head=head, **arrays)
        with atomic_write(self._path(name), "wb") as file:
            file.write(data.getbuffer())
        self.saved = time.monotonic()

    def part(self, name: str, *about: object) -> Part:
        """Return a part as far as it was done, if it was about the same texts and arrays."""
        mark = "" if self.folder is None else digest(*about)
        arrays = self.load(name)
        if arrays is None or str(arrays["mark"]) != mark:
            return Part(self, name, mark)
        kept = [arrays[f"leaf{k}"] for k in range(len(arrays) - 2)]
        return Part(self, name, mark, int(arrays["steps"]), kept)

    def clear(self) -> None:
        """Remove the parts when the fit is done, and the folder if it holds nothing else."""
        if self.folder is None:
            return
        for path in self.folder.glob(f"*{_SUFFIX}"):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()
        self.folder = None


@dataclass(eq=False)
class Part:
    """A sum of which some steps are done."""

    point: Checkpoint
    name: str
    mark: str
    steps: int = 0
    leaves: list[np.ndarray] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to do."""
        return self.steps == _ALL_STEPS

    def note(self, steps: int, value: object) -> None:
        """Keep the sum of some steps, if it is whole or the last was kept long ago."""
        due = steps == _ALL_STEPS or time.monotonic() - self.point.saved > SAVE_SECONDS
        if self.point.folder is not None and due and not self.is_whole:
            named = {f"leaf{k}": leaf for k, leaf in enumerate(leaves_of(value))}
            self.point.save(self.name, {"mark": self.mark, "steps": steps} | named)

    def end(self, value: object) -> None:
        """Keep the whole sum."""
        self.note(_ALL_STEPS, value)

    def restore(self, like: T) -> T:
        """Return the sum so far, of the form of one of its terms."""
        leaves = iter(self.leaves)
        return cast(T, _map_leaves(lambda leaf: _as_leaf(next(leaves), leaf), like))


def leaves_of(value: object) -> list[np.ndarray]:
    """Return the arrays and numbers of a value: of tuples and data classes, one after the other."""
    leaves: list[np.ndarray] = []

    def keep(leaf: Any) -> Any:
        leaves.append(np.asarray(leaf))
        return leaf

    _map_leaves(keep, value)
    return leaves


def _map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a value with something else in the place of each of its arrays and numbers."""
    if value is None or isinstance(value, dict):
        return value
    if isinstance(value, tuple):
        return tuple(_map_leaves(function, part) for part in value)
    if not is_dataclass(value) or isinstance(value, type):
        return function(value)
    new = {f.name: _map_leaves(function, getattr(value, f.name)) for f in fields(value)}
    return replace(value, **new)


def _as_leaf(array: np.ndarray, like: Any) -> Any:
    return array if isinstance(like, np.ndarray) else type(like)(array)


class Progress:
    """Reports one pass after the other over what has a name, to a function or standard error.

    The function takes (done, total) rows or pairs of rows; a total of 0 is not known.
    """

    def __init__(self, name: str, report: Callable[[int, int], None] | bool) -> None:
        self.name = name
        self.report = report if callable(report) else flag(report, "progress")
        self.passes, self.start, self.last = 0, 0.0, 0.0

    def begin(self, what: str = "pass") -> None:
        """Start the next pass."""
        self.passes += 1
        self.what = f"{self.name}, {what} {self.passes}"
        self.start, self.last = time.monotonic(), 0.0

    def say(self, done: int, total: int | None) -> None:
        """Report how much is done."""
        if callable(self.report):
            answer(self.report, "progress", done, total or 0)
        elif self.report:
            now = time.monotonic()
            if now - self.last > REPORT_SECONDS or done == total:
                self.last = now
                text = progress_line(self.what, done, total, now - self.start)
                sys.stderr.write(f"\r{text}" + "\n" * (done == total))
                sys.stderr.flush()


def progress_line(what: str, done: int, total: int | None, seconds: float) -> str:
    """Return a line that says how far a pass is.

    >>> progress_line("rows.parquet, pass 2", 250, 1000, 20.0)
    'rows.parquet, pass 2: 25 % of 1,000, 1:00 left'
    >>> progress_line("rows.csv, pass 1", 250, None, 20.0)
    'rows.csv, pass 1: 250'
    """
    if not total:
        return f"{what}: {done:,}"
    left = round(seconds * (total - done) / max(done, 1))
    return f"{what}: {100 * done // total} % of {total:,}, {left // 60}:{left % 60:02d} left"
