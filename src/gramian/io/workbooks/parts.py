"""Which parts of a zipped workbook are handed on: those that can be looked through."""

from __future__ import annotations

from collections.abc import Sequence

from gramian.errors import InputError
from gramian.io.workbooks.binary import examine_binary
from gramian.io.workbooks.bounds import Bounds
from gramian.io.workbooks.markup import Markup, examine, pointed_letters

__all__ = ["checked_parts"]

_BINARY = "xl/workbook.bin"


def checked_parts(parts: dict[str, bytes], bounds: Bounds) -> dict[str, bytes]:
    """Return the parts that hold sheets or say where they are.

    Whatever the relations of the parts say, each is looked at as if it were a sheet: which one is
    read is then no matter. Pictures, macros and what is no XML are left out.
    """
    if any(name.lower() == _BINARY for name in parts):
        return _of_binary(parts, bounds)
    found = {name: part for name, part in parts.items() if _is_markup(part)}
    markups = {name: examine(part, name) for name, part in found.items()}
    known = {name: markup for name, markup in markups.items() if isinstance(markup, Markup)}
    _check(found, known, bounds)
    kept = {name: part for name, part in found.items() if name in known}
    if not any(_is_book(name) for name in kept):
        raise InputError(_fault(markups))
    kept |= {
        name: parts[name] for name in ("mimetype",) if len(parts.get(name, b"")) in range(1, 100)
    }
    return kept


def _is_markup(part: bytes) -> bool:
    return part[:200].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _is_book(name: str) -> bool:
    return name.lower() in ("xl/workbook.xml", "content.xml")


def _fault(markups: dict[str, Markup | str]) -> str:
    broken = next((f"{n}: {m}" for n, m in markups.items() if _is_book(n)), "")
    if broken:
        return f"the workbook is broken: {broken[:150]}"
    return "the archive is no workbook: give the file inside of it, or save it as xlsx"


def _check(parts: dict[str, bytes], markups: dict[str, Markup], bounds: Bounds) -> None:
    strings: Sequence[int] = max((m.strings for m in markups.values()), key=len, default=[])
    longest = max((max(m.strings, default=0) for m in markups.values()), default=0)
    for name, markup in markups.items():
        bounds.check_count(markup.said, len(markup.strings), name)
        # An exact count takes another walk, and is seldom needed.
        if markup.pointers * longest > bounds.unpacked:
            markup.extent.letters += pointed_letters(parts[name], strings, longest)
        bounds.check(markup.extent, name)


def _of_binary(parts: dict[str, bytes], bounds: Bounds) -> dict[str, bytes]:
    """Return the parts of a binary workbook: its own, and the relations between them."""
    kept: dict[str, bytes] = {}
    for name, part in parts.items():
        if name.lower().endswith(".rels") and _is_markup(part):
            markup = examine(part, name)
            if isinstance(markup, Markup):
                bounds.check(markup.extent, name)
                kept[name] = part
    return kept | examine_binary(parts, bounds)
