"""The bytes of plain files and buffers, unpacked within limits, and texts in any encoding."""

import gzip
import io
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from gramian._core import check as _check
from gramian._core.check import invalid
from gramian._core.parallel import budget_bytes, format_bytes
from gramian.errors import InputError, InputTypeError

_FILE_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_SYSTEM_FOLDERS = ("/proc", "/sys")  # their files say that they are plain and empty, and never end
_STREAM_CHUNK = 1 << 22
# A pipe that took the place of the file meanwhile must not keep us waiting.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_OPEN_FLAGS |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def file_bytes(path: str | os.PathLike[str], largest: int | None = None) -> bytes:
    """Return the bytes of a plain file of at most `largest`, by default half of the free memory."""
    name = str(_check.path(path))[-200:]
    try:
        check_plain(Path(path), name)
        handle = os.open(path, _OPEN_FLAGS)
        with open(handle, "rb") as file:
            about = os.fstat(file.fileno())
            _check_kind(about.st_mode, name)
            return _read_bounded(file, about.st_size, name, largest)
    except InputError:
        raise
    except (OSError, ValueError) as error:
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
_DAMAGE = {
    r"malformed|[Cc]annot parse|[Hh]eader|magic string|is not valid": "its header is damaged",
    r"allow_pickle|[Oo]bject arrays|Python objects": (
        "it holds Python objects, which are never opened"
    ),
    r"mmap length|reshape|[Ee]nd.of.(file|stream|data)|EOF|truncated|too (small|short)": (
        "it ends before it should"
    ),
    r"field larger": "a cell has more than 131,072 letters",
    r"expected after|new-line character": "its quotes or line ends are damaged",
    r"signature not found": "it is no HDF5 file",
    r"codec|[Uu]nicode|UTF": "its letters are of another encoding",
    r"Error -\d|CRC|gzipped|[Dd]ecompress": "its packed data are damaged",
}


def damage(error: BaseException | str) -> str:
    """Return what is wrong with a file, in words that do not speak of a library's insides."""
    if isinstance(error, OSError) and error.errno:
        return reason_of(error)
    text = str(error)
    found = re.search("could not convert string to float: (.{1,80})", text)
    if found:
        return f"{found[1]} is no number"
    other = "it is damaged, or of another format"
    return next((words for pattern, words in _DAMAGE.items() if re.search(pattern, text)), other)


@contextmanager
def name_damage(
    what: str, kinds: type[Exception] | tuple[type[Exception], ...] = Exception
) -> Iterator[None]:
    """Say in the errors of a library (all by default) what is wrong with a file, after `what`."""
    try:
        yield
    except (InputError, InputTypeError, MemoryError):
        raise
    except kinds as error:  # a spoiled file fails in a dozen ways
        raise InputError(f"{what}: {damage(error)}") from error


def check_plain(path: Path, name: str = "") -> None:
    """Refuse what is no plain file: pipes, devices, files of the system."""
    name = name or path.name
    _check_kind(os.stat(path).st_mode, name)
    real = Path(os.path.realpath(path))
    for folder in _SYSTEM_FOLDERS:
        if real.is_relative_to(folder) and os.path.ismount(folder):
            raise InputError(
                f"{name} is a file of the system ({folder}), which has no end: copy it"
            )


def _check_kind(mode: int, name: str) -> None:
    if not stat.S_ISREG(mode):
        kind = _FILE_KINDS.get(stat.S_IFMT(mode), "no plain file")
        raise InputError(f"{name} is {kind}, not a file: copy its contents to a file, or pipe them")


def _read_bounded(file: IO[bytes], size: int, name: str, largest: int | None) -> bytes:
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


def stream_bytes(stream: IO[Any]) -> bytes:
    """Return what an open file or a buffer holds; one without an end is refused."""
    limit, size = budget_bytes(None), 0
    pieces: list[bytes] = []
    while True:
        try:
            piece = stream.read(_STREAM_CHUNK)
        except TypeError:  # an object of the user's that gives all at once
            piece = b"" if pieces else stream.read()
        if not piece:  # or None: an open file that does not wait has no more
            return b"".join(pieces)
        pieces.append(piece.encode("utf-8") if isinstance(piece, str) else bytes(piece))
        size += len(pieces[-1])
        if size > limit:
            raise InputError(f"the open file goes on beyond {format_bytes(limit)}: it is refused")


_GZIP_CHUNK, _GZIP_MAGIC = 1 << 20, b"\x1f\x8b"
_SMALL_BYTES = 64_000_000  # bytes that any file may unpack to
_MAX_RATIO = 100  # larger ones: so many times their size. Tables pack 3 to 30 times.


@dataclass(frozen=True)
class Content:
    """The bytes of a file, unpacked; where they were; and how much they may still unpack to."""

    data: bytes
    path: str | None
    largest: int | None  # None: by their own size


def allowance(size: int, largest: int | str | None) -> int:
    """Return how many bytes a file of a size may unpack to."""
    budget = budget_bytes(None)
    if largest is None:
        return min(budget, max(_SMALL_BYTES, _MAX_RATIO * size))
    try:
        return min(budget, budget_bytes(largest))
    except (TypeError, ValueError, OverflowError) as error:
        raise invalid(
            "largest", largest, 'is not a size: write bytes or a text like "2GB"'
        ) from error


def too_large(text: str, remedy: str = "") -> InputError:
    """Return the error of a packed file that asks for more than its size allows."""
    return InputError(f"{text}: {remedy}pass largest= if you trust it", argument="largest")


def unpacks_beyond(file: str, limit: int) -> InputError:
    """Return the error of a file that unpacks to more than it may."""
    return too_large(f"{file} unpacks to more than {format_bytes(limit)}")


def load(source: object, largest: int | str | None = None) -> Content:
    """Return the bytes of a path or buffer, unpacked if they are gzipped, and where they were."""
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        data, path = stream_bytes(cast(IO[Any], source)), name if isinstance(name, str) else None
    elif isinstance(source, str | Path):
        data, path = file_bytes(source), str(source)
    else:
        raise InputTypeError(
            f"the source is {type(source).__name__}: give a path, an open file or a data frame"
        )
    if not data:
        raise InputError("the file is empty: there is nothing to read")
    if not data.startswith(_GZIP_MAGIC):
        return Content(data, path, None)
    limit = allowance(len(data), largest)
    return Content(_unpack(data, limit), path, limit)


def _unpack(data: bytes, limit: int) -> bytes:
    """Return gzipped bytes as they were, in pieces and never more than are allowed."""
    size = 0
    pieces: list[bytes] = []
    broken = name_damage("the gzipped file is broken", (EOFError, OSError, zlib.error))
    with broken, gzip.open(io.BytesIO(data)) as packed:
        while piece := packed.read(_GZIP_CHUNK):
            size += len(piece)
            if size > limit:
                raise unpacks_beyond(f"the gzipped file ({format_bytes(len(data))})", limit)
            if not pieces and piece.startswith(_GZIP_MAGIC):
                raise InputError("the gzipped file holds a gzipped file: unpack it first")
            pieces.append(piece)
    if not pieces:
        raise InputError("the gzipped file is empty: there is nothing to read")
    return b"".join(pieces)


_BYTE_ORDER_MARKS = [
    (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8 with a byte order mark"),
    (b"\xff\xfe\x00\x00", "utf-32", "UTF-32"),
    (b"\x00\x00\xfe\xff", "utf-32", "UTF-32"),
    (b"\xff\xfe", "utf-16", "UTF-16"),
    (b"\xfe\xff", "utf-16", "UTF-16"),
]


def decode_text(data: bytes, encoding: str | None = None) -> tuple[bytes, str]:
    """Return a text as UTF-8 with plain line ends, and the name of its encoding."""
    text, name = _as_utf8(data, encoding)
    if b"\x00" in text[:65536]:
        raise InputError("the file holds zero bytes: it is no text, and no format that is known")
    if b"\r" in text and b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    if not text or text.isspace():  # no copy of it, as `strip` makes
        raise InputError("the file holds no text: there is nothing to read")
    return text, name


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; other than `splitlines` thinks, a page break ends none."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _as_utf8(data: bytes, encoding: str | None) -> tuple[bytes, str]:
    if encoding is not None:
        try:
            return data.decode(encoding).encode("utf-8"), encoding
        except (LookupError, UnicodeError) as error:
            raise invalid("encoding", encoding, f"does not fit the file: {error}") from error
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return data.decode(codec).encode("utf-8"), name
            except UnicodeError as error:
                raise InputError(f"the file starts as {name} but is not: {error}") from error
    if data.isascii() and b"\x00" not in data[:1000]:
        return data, "UTF-8"
    head = data[:1000]  # of UTF-16 without a mark most second bytes are zero, few first ones
    if head[1::2].count(0) > 0.7 * len(head) / 2 and head[::2].count(0) < 0.05 * len(head):
        return data.decode("utf-16-le", "replace").encode("utf-8"), "UTF-16"
    for codec, name in (("utf-8", "UTF-8"), ("cp1252", "Windows-1252")):
        with suppress(UnicodeError):
            text = data.decode(codec)
            return data if codec == "utf-8" else text.encode("utf-8"), name
    return data.decode("latin-1").encode("utf-8"), "Latin-1"
