"""Public entries with arguments that they accept, one of which is then replaced by junk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.surface import CALLABLE


@dataclass(frozen=True)
class Entry:
    """A call, the arguments that it is known to accept, and those that are replaced."""

    name: str
    call: Callable[..., Any]
    good: dict[str, Any] = field(default_factory=dict)
    others: str = ""  # arguments that have a default

    @property
    def arguments(self) -> list[str]:
        """The names of all arguments."""
        return [*self.good, *self.others.split()]

    def with_junk(self, argument: str, make: Callable[[], Any]) -> Any:
        """Call with one argument replaced by what `make` makes."""
        return self.call(**{**self.good, argument: make()})

    def rightly(self) -> Any:
        """Call with good arguments."""
        return self.call(**self.good)


ENTRIES: dict[str, Entry] = {}


def add(name: str, call: Callable[..., Any], others: str = "", /, **good: Any) -> None:
    """Note an entry."""
    ENTRIES[name] = Entry(name, call, good, others)


def function(name: str, others: str = "", /, **good: Any) -> None:
    """Note a public function under its own name."""
    add(name, CALLABLE[f"gramian.{name}"], others, **good)
