"""The bytes of a file or buffer, unpacked, and texts in whatever encoding they are."""

from __future__ import annotations

import functools
import gzip
import io
import re
import zipfile
from pathlib import Path
from typing import Any

from gramian._blocks import budget_bytes, human
from gramian.errors import InputError, InputTypeError

__all__ = ["decoded", "load", "refuse_bomb"]

_CHUNK = 1 << 22
_CELL = 64  # bytes of a cell of a sheet, also of an empty one


def load(source: Any) -> tuple[bytes, str | None]:
    """Return the bytes of a path or buffer, unpacked if they are gzipped, and where they were."""
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        data = source.read()
        data = data.encode("utf-8") if isinstance(data, str) else bytes(data)
        return _unpacked(data), name if isinstance(name, str) else None
    if not isinstance(source, str | Path):
        raise InputTypeError(
            f"the source is {type(source).__name__}: give a path, an open file or a data frame"
        )
    path = Path(source)
    try:
        size = path.stat().st_size
        if size > budget_bytes(None):
            raise InputError(f"{path} holds {human(size)}, more than half of the free memory")
        return _unpacked(path.read_bytes()), str(path)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{str(source)[:200]} cannot be read: {reason}") from error


def _unpacked(data: bytes) -> bytes:
    """Return gzipped bytes as they were, in pieces and never more than memory has room for."""
    if not data:
        raise InputError("the file is empty: there is nothing to read")
    if not data.startswith(b"\x1f\x8b"):
        return data
    limit, size, pieces = budget_bytes(None), 0, []
    try:
        with gzip.open(io.BytesIO(data)) as packed:
            while piece := packed.read(_CHUNK):
                size += len(piece)
                if size > limit:
                    raise InputError(f"the gzipped file unpacks to more than {human(limit)}")
                pieces.append(piece)
    except (EOFError, OSError) as error:
        raise InputError(f"the gzipped file is broken: {error}") from error
    return _unpacked(b"".join(pieces))


def refuse_bomb(data: bytes) -> None:
    """Refuse a workbook that unpacks, or spreads its cells, to more than memory has room for."""
    limit = budget_bytes(None)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > limit:
                raise InputError(f"the workbook unpacks to {human(size)}: it is refused")
            if (wrong := archive.testzip()) is not None:  # or longer than it says
                raise InputError(f"the workbook is broken: {wrong[:100]} is not what was packed")
            for name in archive.namelist():
                if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name):
                    _refuse_spread(archive.read(name), name, limit)
    except InputError:
        raise
    except Exception as error:  # a spoiled archive fails in a dozen ways
        raise InputError(f"the workbook is broken: {str(error)[:100]}") from error


def _refuse_spread(sheet: bytes, name: str, limit: int) -> None:
    """Refuse a sheet whose few cells are so far apart that the table between them is too large."""
    rows = max(map(int, re.findall(rb'<row [^>]*?\br="(\d{1,9})"', sheet)), default=0)
    letters = max(
        set(re.findall(rb'<c [^>]*?\br="([A-Z]{1,3})\d', sheet)), key=_order, default=b"A"
    )
    columns = functools.reduce(lambda total, c: 26 * total + c - 64, letters, 0)
    if _CELL * rows * columns > limit:
        raise InputError(
            f"{name} spreads its cells over {rows} rows and {columns} columns: delete the cells "
            "that stand far from the table"
        )


def _order(letters: bytes) -> tuple[int, bytes]:
    return len(letters), letters


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


def _as_utf8(data: bytes, encoding: str | None) -> tuple[bytes, str]:
    if encoding is not None:
        try:
            return data.decode(encoding).encode("utf-8"), encoding
        except (LookupError, UnicodeError) as error:
            raise InputError(f"encoding={encoding!r} does not fit the file: {error}") from error
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
