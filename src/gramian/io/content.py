"""The bytes of a file or buffer, unpacked, and texts in whatever encoding they are."""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gramian._core.check import invalid
from gramian._core.parallel import budget_bytes, format_bytes
from gramian.errors import InputError, InputTypeError
from gramian.io.opening import damage, file_bytes, stream_bytes

_CHUNK = 1 << 20
_SMALL = 64_000_000  # bytes that any file may unpack to
_RATIO = 100  # larger ones: so many times their size. Tables pack 3 to 30 times.


@dataclass(frozen=True)
class Content:
    """The bytes of a file, unpacked; where they were; and how much they may still unpack to."""

    data: bytes
    path: str | None
    largest: int | None  # None: by their own size


def allowance(size: int, largest: int | str | None) -> int:
    """Return how many bytes a file of a size may unpack to.

    >>> allowance(10**7, None) <= 10**9
    True
    """
    budget = budget_bytes(None)
    if largest is None:
        return min(budget, max(_SMALL, _RATIO * size))
    try:
        return min(budget, budget_bytes(largest))
    except (TypeError, ValueError, OverflowError) as error:
        raise invalid(
            "largest", largest, 'is not a size: write bytes or a text like "2GB"'
        ) from error


def load(source: Any, largest: int | str | None = None) -> Content:
    """Return the bytes of a path or buffer, unpacked if they are gzipped, and where they were."""
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        data, path = stream_bytes(source), name if isinstance(name, str) else None
    elif isinstance(source, str | Path):
        data, path = file_bytes(source), str(source)
    else:
        raise InputTypeError(
            f"the source is {type(source).__name__}: give a path, an open file or a data frame"
        )
    if not data:
        raise InputError("the file is empty: there is nothing to read")
    if not _is_packed(data):
        return Content(data, path, None)
    limit = allowance(len(data), largest)
    return Content(_unpacked(data, limit), path, limit)


def _is_packed(data: bytes) -> bool:
    return data.startswith(b"\x1f\x8b")


def _unpacked(data: bytes, limit: int) -> bytes:
    """Return gzipped bytes as they were, in pieces and never more than are allowed."""
    size = 0
    pieces: list[bytes] = []
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > limit:
                    text = f"the gzipped file ({format_bytes(len(data))}) unpacks to more than "
                    text += f"{format_bytes(limit)}: pass largest= if you trust it"
                    raise InputError(text, argument="largest")
                if not pieces and _is_packed(piece):
                    raise InputError("the gzipped file holds a gzipped file: unpack it first")
                pieces.append(piece)
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"the gzipped file is broken: {damage(error)}") from error
    if not pieces:
        raise InputError("the gzipped file is empty: there is nothing to read")
    return b"".join(pieces)


_MARKS = [
    (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8 with a byte order mark"),
    (b"\xff\xfe\x00\x00", "utf-32", "UTF-32"),
    (b"\x00\x00\xfe\xff", "utf-32", "UTF-32"),
    (b"\xff\xfe", "utf-16", "UTF-16"),
    (b"\xfe\xff", "utf-16", "UTF-16"),
]


def decoded(data: bytes, encoding: str | None = None) -> tuple[bytes, str]:
    """Return a text as UTF-8 with plain line ends, and the name of its encoding."""
    text, name = _as_utf8(data, encoding)
    if b"\x00" in text[:65536]:
        raise InputError("the file holds zero bytes: it is no text, and no format that is known")
    if b"\r" in text and b"\n" not in text:
        text = text.replace(b"\r", b"\n")
    if not text.strip():
        raise InputError("the file holds no text: there is nothing to read")
    return text, name


def lines_of(text: str) -> list[str]:
    """Return the lines of a text; other than `splitlines` thinks, a page break ends none.

    >>> lines_of("a\\x0cb\\r\\nc\\n")
    ['a\\x0cb', 'c']
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _as_utf8(data: bytes, encoding: str | None) -> tuple[bytes, str]:
    if encoding is not None:
        try:
            return data.decode(encoding).encode("utf-8"), encoding
        except (LookupError, UnicodeError) as error:
            raise invalid("encoding", encoding, f"does not fit the file: {error}") from error
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(codec).encode("utf-8"), name
            except UnicodeError as error:
                raise InputError(f"the file starts as {name} but is not: {error}") from error
    if _is_wide(data[:1000]):
        return data.decode("utf-16-le", "replace").encode("utf-8"), "UTF-16"
    try:
        data.decode("utf-8")  # a check, faster than any look at single bytes
        return data, "UTF-8"
    except UnicodeError:
        pass
    try:
        return data.decode("cp1252").encode("utf-8"), "Windows-1252"
    except UnicodeError:
        return data.decode("latin-1").encode("utf-8"), "Latin-1"


def _is_wide(head: bytes) -> bool:
    """Whether a text is UTF-16 without a mark: most second bytes are zero, few first ones."""
    return head[1::2].count(0) > 0.7 * len(head) / 2 and head[::2].count(0) < 0.05 * len(head)
