"""Files that are the old one or the new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

__all__ = ["aside", "replaced"]


@contextmanager
def aside(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the name of an empty file beside `path` that takes its place if all goes well."""
    target = Path(path)
    handle, name = tempfile.mkstemp(".tmp", f".{target.name[:40]}.", target.parent)
    os.close(handle)
    try:
        yield name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


@contextmanager
def replaced(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file beside `path` that takes its place, synced, when all is written."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    with aside(path) as name, open(name, mode, **text) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
