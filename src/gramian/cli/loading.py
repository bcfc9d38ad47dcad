"""The libraries that a command needs, loaded at one go."""

from __future__ import annotations

import gc
from importlib import import_module

__all__ = ["load"]


def load(*names: str) -> None:
    """Import modules without looking for garbage meanwhile, which takes a tenth of the time.

    >>> load("json", "csv")
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        for name in names:
            import_module(name)
    finally:
        if collected:
            gc.enable()
