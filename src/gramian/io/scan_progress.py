"""How far a pass over rows is, and how long the rest will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from gramian._check import answer, flag

__all__ = ["Progress", "line", "reporter"]

_OFTEN = 0.2  # seconds between two lines
Report = Callable[[int, int], None]


def reporter(progress: Any) -> Report | bool:
    """Return what is told how far it is: a function of (done, total), True for a line, or False."""
    return progress if callable(progress) else flag(progress, "progress")


class Progress:
    """Tells of one pass after the other.

    Parameters
    ----------
    name : str
        What is read.
    report : function of (done, total), or bool
        Rows or pairs of rows; a total of 0 is not known. True writes a line to standard error.
    """

    def __init__(self, name: str, report: Report | bool) -> None:
        self.name, self.report = name, report
        self.passes = 0
        self.start = self.last = 0.0

    def begin(self, what: str = "pass") -> None:
        """Start the next pass."""
        self.passes += 1
        self.what = f"{self.name}, {what} {self.passes}"
        self.start, self.last = time.monotonic(), 0.0

    def say(self, done: int, total: int | None) -> None:
        """Tell how much is done."""
        if callable(self.report):
            answer(self.report, "progress", done, total or 0)
        elif self.report:
            now = time.monotonic()
            if now - self.last > _OFTEN or done == total:
                self.last = now
                sys.stderr.write("\r" + line(self.what, done, total, now - self.start))
                sys.stderr.write("\n" * (done == total))
                sys.stderr.flush()


def line(what: str, done: int, total: int | None, seconds: float) -> str:
    """Return a line that says how far it is.

    >>> line("rows.parquet, pass 2", 250, 1000, 20.0)
    'rows.parquet, pass 2: 25 % of 1,000, 1:00 left'
    >>> line("rows.csv, pass 1", 250, None, 20.0)
    'rows.csv, pass 1: 250'
    """
    if not total:
        return f"{what}: {done:,}"
    left = round(seconds * (total - done) / max(done, 1))
    minutes, rest = divmod(left, 60)
    return f"{what}: {100 * done // total} % of {total:,}, {minutes}:{rest:02d} left"
