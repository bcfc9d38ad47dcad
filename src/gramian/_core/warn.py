"""Warnings that point at the caller's line, however deep the computation was."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path

_HERE = str(Path(__file__).parent)


def warn(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn at the first line outside this library; a warning that is made brings its category."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
