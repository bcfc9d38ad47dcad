"""Workbooks that nobody should trust, looked through and packed again before a library reads them.

What a library allocates, it allocates by what a workbook says of itself. Here every cell is counted
first, and what is handed on holds only the parts that were looked at (docs/decisions.md).
"""

from __future__ import annotations

from gramian.errors import InputError
from gramian.io.workbooks.archive import members, packed
from gramian.io.workbooks.bounds import Bounds
from gramian.io.workbooks.compound import compound, stream_of
from gramian.io.workbooks.old import checked_stream
from gramian.io.workbooks.parts import checked_parts

__all__ = ["checked"]


def checked(data: bytes, largest: int | str | None = None) -> bytes:
    """Return a workbook that is no larger than it looks, or say what is wrong with it."""
    bounds = Bounds.of(len(data), largest)
    try:
        if data.startswith(b"PK"):
            return packed(checked_parts(members(data, bounds), bounds))
        return compound(checked_stream(stream_of(data), bounds))
    except InputError:
        raise
    except Exception as error:  # a spoiled workbook fails in a dozen ways
        raise InputError(f"the workbook is broken: {str(error)[:150]}") from error
