"""Warnings that point at the caller's line, however deep the computation was."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path

__all__ = ["warn"]

_HERE = str(Path(__file__).parent)


def warn(text: str, category: type[Warning]) -> None:
    """Warn at the first line outside this library."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
