"""Collections of objects that are no vectors: graphs, strings, lists of tokens."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, overload

import numpy as np


class Objects(Sequence[Any]):
    """Objects, and what kernels compute of them, made once for the whole collection.

    It is indexed like an array: a slice, a mask or positions give a part, which remembers the
    collection it was taken from and shares what was computed there.

    >>> words = Objects(["a", "bb", "ccc"])
    >>> list(words[np.array([True, False, True])])
    ['a', 'ccc']
    """

    def __init__(self, items: Sequence[Any], origin: Objects | None = None, where: Any = None):
        self.items = list(items)
        self.origin: Objects = self if origin is None else origin
        self.where: np.ndarray | None = where  # positions in the origin, None for all of it
        self._cache: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Objects: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int | np.integer):
            return self.items[index]
        own = np.arange(len(self))[index]
        where = own if self.where is None else self.where[own]
        return Objects([self.items[k] for k in own], self.origin, where)

    def memoize(self, key: Hashable, make: Callable[[Objects], Any]) -> Any:
        """Return what `make` gave, the first time, for the collection this is a part of."""
        cache = self.origin._cache
        if key not in cache:
            cache[key] = make(self.origin)
        return cache[key]

    @property
    def positions(self) -> np.ndarray:
        """Where these objects stand in the collection they are a part of."""
        return np.arange(len(self)) if self.where is None else self.where

    def take(self, values: Any) -> Any:
        """Return the entries that belong to this part, of something with one for each object."""
        if self.where is None:
            return values
        return [values[k] for k in self.where] if isinstance(values, list) else values[self.where]
