"""The backends: each draws any figure record with one library, which only it imports."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gramian.errors import InputError
from gramian.plots.record import Figure

__all__ = ["BACKENDS", "draw"]

BACKENDS = ("matplotlib", "plotly", "none")


def draw(record: Figure, backend: str) -> Any:
    """Return the record as a figure of the backend's library."""
    if backend not in BACKENDS:
        raise InputError(f"backend={backend!r} must be one of {', '.join(BACKENDS)}")
    try:
        module = import_module(f"gramian.plots.backends.{backend}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != backend:
            raise
        raise ImportError(
            f"backend={backend!r} needs {backend}: pip install 'gramian[plot]' "
            "(backend='none' returns the numbers without a drawing)"
        ) from error
    return module.draw(record)
