"""Files, whole or not at all: the old one or the new one, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from gramian._blocks import human
from gramian._check import path as checked_path
from gramian.errors import InputError

__all__ = ["aside", "read_bytes", "replaced", "written"]

_LARGEST = 1_000_000_000  # bytes


@contextmanager
def aside(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the name of an empty file beside `path` that takes its place if all goes well."""
    target = checked_path(path)
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


@contextmanager
def written(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file as `replaced` does, or say why it cannot be written."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(replaced(path, mode))
        except OSError as error:
            raise InputError(
                f"path={str(path)[-200:]!r} cannot be written: {error.strerror}"
            ) from error
        yield file


def read_bytes(path: str | Path) -> bytes:
    """Return the contents of a file, or say why not."""
    try:
        size = checked_path(path).stat().st_size
        if size > _LARGEST:
            raise InputError(f"{path} has {human(size)}: files above {human(_LARGEST)} are refused")
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
