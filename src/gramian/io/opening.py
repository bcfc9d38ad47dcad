"""Opening files: only those that are plain files and hold what memory has room for."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import IO, Any

from gramian._core import check as _check
from gramian._core.parallel import budget_bytes, format_bytes
from gramian.errors import InputError

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_SYSTEM = ("/proc", "/sys")  # their files say that they are plain and empty, and never end
_CHUNK = 1 << 22
# A pipe that took the place of the file meanwhile must not keep us waiting.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_FLAGS |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def file_bytes(path: str | os.PathLike[str], largest: int | None = None) -> bytes:
    """Return the bytes of a plain file, or say why not.

    Parameters
    ----------
    path : path
    largest : int, optional
        In bytes; by default half of the memory that is free.
    """
    name = str(_check.path(path))[-200:]
    try:
        _check_kind(os.stat(path).st_mode, name)
        _check_place(path, name)
        handle = os.open(path, _FLAGS)
        with open(handle, "rb") as file:
            about = os.fstat(file.fileno())
            _check_kind(about.st_mode, name)
            return _bounded(file, about.st_size, name, largest)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        if "\n" in name:
            raise InputError(
                f"source={_check.short(name)} is a text, not the path of a file: give "
                "io.StringIO(text)"
            ) from error
        raise InputError(f"{name} cannot be read: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """Return why the system refuses, in its own words."""
    return str(getattr(error, "strerror", None) or error)[:150]


# What libraries say of a spoiled file, and what it means.
_DAMAGE = [
    (
        r"malformed|[Cc]annot parse|[Hh]eader|magic string|is not valid",
        "its header is damaged",
    ),
    (
        r"allow_pickle|[Oo]bject arrays|Python objects",
        "it holds Python objects, which are never opened",
    ),
    (
        r"mmap length|reshape|[Ee]nd.of.(file|stream|data)|EOF|truncated|too (small|short)",
        "it ends before it should",
    ),
    (
        r"field larger",
        "a cell has more than 131,072 letters",
    ),
    (
        r"expected after|new-line character",
        "its quotes or line ends are damaged",
    ),
    (r"signature not found", "it is no HDF5 file"),
    (
        r"codec|[Uu]nicode|UTF",
        "its letters are of another encoding",
    ),
    (
        r"Error -\d|CRC|gzipped|[Dd]ecompress",
        "its packed data are damaged",
    ),
]


def damage(error: BaseException | str) -> str:
    """Return what is wrong with a file in our words: those of a library speak of its insides.

    >>> str(damage("malformed node or string on line 1: <ast.BinOp object at 0x7f>"))
    'its header is damaged'
    >>> str(damage("could not convert string to float: 'abc'"))
    "'abc' is no number"
    """
    if isinstance(error, OSError) and error.errno:
        return reason_of(error)
    text = str(error)
    found = re.search("could not convert string to float: (.{1,80})", text)
    if found:
        return f"{found[1]} is no number"
    other = "it is damaged, or of another format"
    return next((words for pattern, words in _DAMAGE if re.search(pattern, text)), other)


def check_plain(path: Path) -> None:
    """Refuse what is no plain file: pipes, devices, files of the system."""
    _check_kind(os.stat(path).st_mode, path.name)
    _check_place(path, path.name)


def _check_kind(mode: int, name: str) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no plain file")
        raise InputError(f"{name} is {kind}, not a file: copy its contents to a file, or pipe them")


def _check_place(path: str | os.PathLike[str], name: str) -> None:
    real = Path(os.path.realpath(path))
    for folder in _SYSTEM:
        if real.is_relative_to(folder) and os.path.ismount(folder):
            raise InputError(
                f"{name} is a file of the system ({folder}), which has no end: copy it"
            )


def _bounded(file: IO[bytes], size: int, name: str, largest: int | None) -> bytes:
    limit = budget_bytes(None) if largest is None else largest
    if size > limit:
        most = "half of the free memory" if largest is None else format_bytes(limit)
        raise InputError(f"{name} holds {format_bytes(size)}, more than {most}: it is refused")
    data = file.read(size)
    if file.read(1):
        raise InputError(
            f"{name} holds more than it says, {format_bytes(size)}: wait until it is written"
        )
    return data


def stream_bytes(stream: Any) -> bytes:
    """Return what an open file or a buffer holds; one without an end is refused."""
    limit, size = budget_bytes(None), 0
    pieces: list[bytes] = []
    while piece := _piece(stream, first=not pieces):
        pieces.append(piece.encode("utf-8") if isinstance(piece, str) else bytes(piece))
        size += len(pieces[-1])
        if size > limit:
            raise InputError(f"the open file goes on beyond {format_bytes(limit)}: it is refused")
    return b"".join(pieces)


def _piece(stream: Any, first: bool) -> str | bytes:
    try:
        piece = stream.read(_CHUNK)
    except TypeError:  # an object of the user's that gives all at once
        piece = stream.read() if first else b""
    return b"" if piece is None else piece  # None: an open file that does not wait has no more
