"""How a figure is to look: what the caller asked for, while its record is made and drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from gramian.plots.style import PALETTE, SCREEN, Theme


@dataclass(frozen=True)
class Look:
    """The colours of groups, the theme, and how large panels are beside their usual size."""

    palette: tuple[str, ...] = PALETTE
    theme: Theme = SCREEN
    wide: float = 1.0
    high: float = 1.0


_USUAL = Look()
_LOOK: ContextVar[Look] = ContextVar("look", default=_USUAL)


def look() -> Look:
    """Return the look of the figure that is being made.

    >>> look().theme.text
    9.0
    """
    return _LOOK.get()


@contextmanager
def looking(**changes: Any) -> Iterator[None]:
    """Change the look of what is made or drawn inside.

    >>> with looking(wide=0.5):
    ...     across(400.0)
    200.0
    """
    token = _LOOK.set(replace(_LOOK.get(), **changes))
    try:
        yield
    finally:
        _LOOK.reset(token)


def across(length: float) -> float:
    """Return how wide a panel of a usual width is."""
    return length * _LOOK.get().wide


def upwards(length: float) -> float:
    """Return how high a panel of a usual height is."""
    return length * _LOOK.get().high


def sized(points: float) -> float:
    """Return the size of a text in a record, which is drawn as large as the theme has it.

    >>> sized(8.0)
    8.0
    """
    theme = _LOOK.get().theme
    return theme.size(points) / theme.scale
