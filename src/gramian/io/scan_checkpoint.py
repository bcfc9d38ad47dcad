"""A folder that holds what a long fit has done so far, so that it goes on after a kill.

Each part is a file of its own, which is there when it is whole. What they are parts of, the options
of the fit and the files that were read, is written into each of them.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gramian.errors import InputError, OutputError
from gramian.io.files import check_writable, replaced

__all__ = ["Checkpoint", "digest"]

_VERSION = 1
_EVERY = 30.0  # seconds between two saves of the same part
_SUFFIX = ".part.npz"
Arrays = dict[str, Any]


def digest(*parts: Any) -> str:
    """Return a digest of texts and arrays.

    >>> digest("a", np.zeros(2)) == digest("a", np.zeros(2))
    True
    """
    out = hashlib.sha256()
    for part in parts:
        out.update(
            np.ascontiguousarray(part).tobytes()
            if isinstance(part, np.ndarray)
            else str(part).encode()
        )
    return out.hexdigest()


@dataclass(eq=False)
class Checkpoint:
    """Parts of a fit under their names, in a folder; without one nothing is kept.

    Parameters
    ----------
    folder : Path or None
    options : str
        A digest of all that changes the numbers, but for the files.
    files : dict of marks
        Of the files that are read, by name.
    """

    folder: Path | None = None
    options: str = ""
    files: dict[str, Any] = field(default_factory=dict)
    _saved: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.folder is None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"checkpoint={str(self.folder)[-200:]} is a file: name a folder")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"{str(self.folder)[-200:]} cannot be made: {error.strerror}"
            ) from error
        check_writable(self._path("state"))

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{name.replace(' ', '-')}{_SUFFIX}"

    def load(self, name: str) -> Arrays | None:
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
        self._check(version, options, files)
        return arrays

    def _check(self, version: Any, options: Any, files: Any) -> None:
        assert self.folder is not None
        where = f"checkpoint={self.folder.name!r}"
        if version != _VERSION or options != self.options or set(files) != set(self.files):
            raise InputError(
                f"{where} belongs to other data or options: remove it, or name another"
            )
        for name, mark in self.files.items():
            if list(mark) != list(files[name]):
                raise InputError(
                    f"{name} changed since {where} was written: remove it, to start again"
                )

    def save(self, name: str, arrays: Arrays) -> None:
        """Write a part; the old one stays until the new one is whole."""
        if self.folder is None:
            return
        about = {"version": _VERSION, "options": self.options, "files": self.files}
        head = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        data = io.BytesIO()
        np.savez(data, head=head, **arrays)
        with replaced(self._path(name), "wb") as file:
            file.write(data.getbuffer())
        self._saved = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the last save was long ago."""
        return self.folder is not None and time.monotonic() - self._saved > _EVERY

    def clear(self) -> None:
        """Remove the parts, when the fit is done, and the folder if it holds nothing else."""
        if self.folder is None:
            return
        for path in self.folder.glob(f"*{_SUFFIX}"):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()
