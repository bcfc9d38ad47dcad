"""Quotes in tables of text: a cell that is opened is closed, or the line is named.

Readers of CSV take a quote that is never closed, or goes on after it was, in ways of their own, and
lines are lost. A quote that starts a cell opens it; inside, two stand for one; what follows the
closing one is the end of the cell. Quotes inside a cell that does not start with one are letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gramian.errors import InputError


@dataclass(frozen=True)
class Quotes:
    """What the quotes of a text hold."""

    lines: int = 0  # cells with line breaks
    first: int = 0  # the line where the first of them starts
    is_spaced: bool = False  # whether a cell has spaces before its quote


def check_quotes(text: bytes, sep: str, before: int = 0) -> Quotes:
    """Return what quoted cells hold; refuse those that are not closed.

    Parameters
    ----------
    before : int
        Lines of the file that stand before the text.

    >>> check_quotes(b'a,b\\n1,"two\\nlines"\\n', ",").first
    2
    """
    if b'"' not in text:
        return Quotes()
    marks = rb"\n\r" + re.escape(b" \t" if sep == " " else sep.encode("utf-8"))
    is_spaced = b' "' in text and re.search(rb"(?:\A|[" + marks + rb']) +"', text) is not None
    # A pattern that starts with a letter is looked for many times as fast as one that does not.
    start = rb"(?:\A|(?<=[" + marks + rb'])) *"' if is_spaced else rb'"(?<![^' + marks + rb']")'
    opening = re.compile(start)
    cell = re.compile(start + _INSIDE + rb"(?=[ \t]*(?:[" + marks + rb"]|\Z))")
    rest = cell.sub(b"x", text)
    if opening.search(rest):
        raise _fault(text, opening, cell, before)
    if _breaks(rest) == _breaks(text):
        return Quotes(is_spaced=is_spaced)
    places = [match.start() for match in cell.finditer(text) if _breaks(match[0])]
    return Quotes(len(places), before + _line(text, places[0]), is_spaced)


# Without a way back: a text of many quotes takes no longer than its length.
_INSIDE = rb'(?>[^"]*(?:""[^"]*)*)"'


def _breaks(text: bytes) -> int:
    return text.count(b"\n") + text.count(b"\r")


def _fault(
    text: bytes, opening: re.Pattern[bytes], cell: re.Pattern[bytes], before: int
) -> InputError:
    """Return what is wrong with the first quote that opens a cell and does not end with it."""
    at = 0
    while (match := opening.search(text, at)) is not None:
        whole = cell.match(text, match.start())
        if whole is None:
            line = before + _line(text, match.end())
            inside = re.compile(_INSIDE).match(text, match.end())
            if inside is None:
                return InputError(
                    f'line {line} opens a quote (") that is never closed: close it, or write the '
                    "cell without"
                )
            end = before + _line(text, inside.end())
            return InputError(
                f'line {line} opens a quote (") that closes before its cell ends (line {end}): '
                'write "" for a quote inside a quoted cell'
            )
        at = whole.end()
    return InputError('the quotes (") of the file do not close: mend them')


def _line(text: bytes, at: int) -> int:
    """Return the number of the line of a place in a text."""
    before = text[:at]
    return 1 + before.count(b"\n") + (before.count(b"\r") - before.count(b"\r\n"))
