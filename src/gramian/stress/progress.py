"""How far a search is, on one line of standard error."""

from __future__ import annotations

import sys
import time
from typing import TextIO

__all__ = ["Progress"]

_EVERY = 0.2  # seconds between two updates of the line


class Progress:
    """Show the start, the iteration and the stress reached; the line is cleared at the end."""

    def __init__(self, starts: int, stream: TextIO | None = None) -> None:
        self.starts, self.stream = starts, stream or sys.stderr
        self.last = 0.0
        self.width = 0

    def __call__(self, start: int, iteration: int, loss: float) -> None:
        """Show where one start is."""
        now = time.monotonic()
        if now - self.last < _EVERY:
            return
        self.last = now
        self._write(
            f"start {start + 1} of {self.starts}, iteration {iteration}, stress {loss**0.5:.5f}"
        )

    def close(self) -> None:
        """Clear the line."""
        if self.width:
            self._write("")
            self.stream.write("\r")
            self.stream.flush()

    def _write(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = max(self.width, len(text))
