"""The parts of a zipped workbook, each unpacked within bounds, and a plain archive of them."""

from __future__ import annotations

import io
import zipfile

from gramian._blocks import human
from gramian.errors import InputError
from gramian.io.workbooks.bounds import Bounds

__all__ = ["members", "packed"]

_CHUNK = 1 << 20
_MOST = 5_000  # members
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def members(data: bytes, bounds: Bounds) -> dict[str, bytes]:
    """Return the parts of an archive under their names."""
    parts: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check_names(entries)
        room = bounds.unpacked
        for entry in entries:
            parts[entry.filename] = _unpacked(archive, entry, room, bounds)
            room -= len(parts[entry.filename])
    return parts


def _check_names(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _MOST:
        raise InputError(f"the workbook holds {len(entries)} parts, more than {_MOST}")
    seen: set[str] = set()
    for entry in entries:
        name, place = entry.filename[:80], entry.filename.lower()
        if place.startswith("/") or "\\" in place or ".." in place.split("/") or ":" in place:
            raise InputError(
                f"the workbook has a part {name!r} that leads out of it: it is refused"
            )
        if place in seen:  # readers differ in which of the two they take
            raise InputError(f"the workbook has two parts {name!r}: it is refused")
        if entry.flag_bits & 1:
            raise InputError("the workbook is encrypted: save it without a password")
        if entry.compress_type not in _METHODS:
            raise InputError(f"the workbook packs {name!r} in a way no spreadsheet does")
        seen.add(place)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int, bounds: Bounds) -> bytes:
    """Return one part; what it says of its size is not believed."""
    size, pieces = 0, []
    with archive.open(entry) as member:
        while piece := member.read(_CHUNK):
            size += len(piece)
            if size > room:
                what = f"the workbook ({human(bounds.size)})"
                raise InputError(
                    f"{what} unpacks to more than {human(bounds.unpacked)}: pass largest= if you "
                    "trust it",
                    argument="largest",
                )
            pieces.append(piece)
    return b"".join(pieces)


def packed(parts: dict[str, bytes]) -> bytes:
    """Return an archive of parts, as they are: what a library reads is what was looked at."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()
