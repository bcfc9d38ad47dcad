"""Opening files: only those that are plain files and hold what memory has room for."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import IO, Any

from gramian import _check
from gramian._blocks import budget_bytes, human
from gramian.errors import InputError
from gramian.io.notes import Word
from gramian.language import refused

_KINDS = {
    stat.S_IFDIR: Word("a folder", "un dossier"),
    stat.S_IFIFO: Word("a pipe", "un tube"),
    stat.S_IFSOCK: Word("a socket", "une prise"),
    stat.S_IFCHR: Word("a device", "un périphérique"),
    stat.S_IFBLK: Word("a device", "un périphérique"),
}
_REASONS = {
    errno.ENOENT: "il n’y a pas de tel fichier",
    errno.ENOTDIR: "ce qui devrait être un dossier n’en est pas un",
    errno.EACCES: "l’accès est refusé",
    errno.EISDIR: "c’est un dossier",
    errno.ENAMETOOLONG: "le nom est trop long",
    errno.ELOOP: "ses liens tournent en rond",
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
            raise refused("read.text", name=_check.short(name)) from error
        raise refused("read.not", name=name, reason=reason_of(error)) from error


def reason_of(error: Exception) -> Word:
    """Return why the system refuses, in its own words, in French where it is a usual reason.

    >>> reason_of(FileNotFoundError(errno.ENOENT, "No such file or directory")).french
    'il n’y a pas de tel fichier'
    """
    words = str(getattr(error, "strerror", None) or error)[:150]
    return Word(words, _REASONS.get(getattr(error, "errno", None) or 0, ""))


# What libraries say of a spoiled file, and what it means.
_DAMAGE = [
    (
        r"malformed|[Cc]annot parse|[Hh]eader|magic string|is not valid",
        Word("its header is damaged", "son en-tête est abîmé"),
    ),
    (
        r"allow_pickle|[Oo]bject arrays|Python objects",
        Word("it holds Python objects, which are never opened", "il contient des objets Python"),
    ),
    (
        r"mmap length|reshape|[Ee]nd.of.(file|stream|data)|EOF|truncated|too (small|short)",
        Word("it ends before it should", "il finit trop tôt"),
    ),
    (
        r"field larger",
        Word("a cell has more than 131,072 letters", "une cellule a plus de 131 072 lettres"),
    ),
    (
        r"expected after|new-line character",
        Word("its quotes or line ends are damaged", "ses guillemets ou fins de ligne sont abîmés"),
    ),
    (r"signature not found", Word("it is no HDF5 file", "ce n’est pas un fichier HDF5")),
    (
        r"codec|[Uu]nicode|UTF",
        Word("its letters are of another encoding", "ses lettres sont d’un autre codage"),
    ),
    (
        r"Error -\d|CRC|gzipped|[Dd]ecompress",
        Word("its packed data are damaged", "ses données compressées sont abîmées"),
    ),
]


def damage(error: BaseException | str) -> Word:
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
        return Word(f"{found[1]} is no number", f"{found[1]} n’est pas un nombre")
    other = Word("it is damaged, or of another format", "il est abîmé, ou d’un autre format")
    return next((words for pattern, words in _DAMAGE if re.search(pattern, text)), other)


def check_plain(path: Path) -> None:
    """Refuse what is no plain file: pipes, devices, files of the system."""
    _check_kind(os.stat(path).st_mode, path.name)
    _check_place(path, path.name)


def _check_kind(mode: int, name: str) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), Word("no plain file", "autre chose"))
        raise refused("read.kind", name=name, kind=kind)


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
        most = "half of the free memory" if largest is None else human(limit)
        raise InputError(f"{name} holds {human(size)}, more than {most}: it is refused")
    data = file.read(size)
    if file.read(1):
        raise InputError(f"{name} holds more than it says, {human(size)}: wait until it is written")
    return data


def stream_bytes(stream: Any) -> bytes:
    """Return what an open file or a buffer holds; one without an end is refused."""
    limit, size = budget_bytes(None), 0
    pieces: list[bytes] = []
    while piece := _piece(stream, first=not pieces):
        pieces.append(piece.encode("utf-8") if isinstance(piece, str) else bytes(piece))
        size += len(pieces[-1])
        if size > limit:
            raise InputError(f"the open file goes on beyond {human(limit)}: it is refused")
    return b"".join(pieces)


def _piece(stream: Any, first: bool) -> str | bytes:
    try:
        piece = stream.read(_CHUNK)
    except TypeError:  # an object of the user's that gives all at once
        piece = stream.read() if first else b""
    return b"" if piece is None else piece  # None: an open file that does not wait has no more
