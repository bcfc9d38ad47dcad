"""Products that are kept where a search that starts again finds them: it is quick up to there."""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import numpy as np

__all__ = ["Products", "Store", "Tell"]


class Store(Protocol):
    """What keeps arrays under names, such as a folder."""

    @property
    def is_due(self) -> bool:
        """Whether the last save was long ago."""

    def load(self, name: str) -> dict[str, Any] | None:
        """Return the arrays of a name, or None."""

    def save(self, name: str, arrays: dict[str, Any]) -> None:
        """Keep arrays under a name."""


class Tell(Protocol):
    """What is told how far a product is."""

    def begin(self, what: str = ...) -> None:
        """Start to tell of something."""

    def say(self, done: int, total: int | None) -> None:
        """Tell how much of it is done."""


class Products:
    """The products of an operator, one after the other."""

    def __init__(self, store: Store | None, name: str) -> None:
        self.store, self.name, self.count = store, name, 0

    def next(self, V: np.ndarray) -> Product:
        """Return the next product as far as it was done."""
        self.count += 1
        mark = hashlib.sha256(np.ascontiguousarray(V).tobytes()).hexdigest() if self.store else ""
        name = f"{self.name} {self.count}"
        before = None if self.store is None else self.store.load(name)
        if before is None or str(before["mark"]) != mark:
            return Product(self.store, name, mark, np.zeros(V.shape), 0)
        return Product(self.store, name, mark, before["out"], int(before["parts"]))


class Product:
    """A product of which some parts are done, -1 for all."""

    def __init__(
        self, store: Store | None, name: str, mark: str, out: np.ndarray, parts: int
    ) -> None:
        self.store, self.name, self.mark = store, name, mark
        self.out, self.parts = out, parts

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to do."""
        return self.parts < 0

    def note(self, parts: int) -> None:
        """Keep the sum of some parts, if the last was kept long ago."""
        if self.store is not None and self.store.is_due:
            self._save(parts)

    def end(self, out: np.ndarray) -> np.ndarray:
        """Keep and return the whole product."""
        self.out = out
        if self.store is not None:
            self._save(-1)
        return out

    def _save(self, parts: int) -> None:
        assert self.store is not None
        self.store.save(self.name, {"mark": self.mark, "out": self.out, "parts": parts})
