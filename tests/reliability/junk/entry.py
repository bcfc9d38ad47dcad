"""Public entries, derived from signatures, with arguments that they accept; one becomes junk."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tests.reliability.junk.good import Good, Later

VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
ABSENT = object()


@dataclass(frozen=True)
class Entry:
    """A call, the arguments that it is known to accept, and others that are replaced too."""

    name: str
    call: Callable[..., Any]
    good: dict[str, Any] = field(default_factory=dict)
    others: tuple[str, ...] = ()  # arguments that have a default

    @property
    def arguments(self) -> list[str]:
        """The names of all arguments."""
        return [*self.good, *self.others]

    def with_junk(self, argument: str, make: Callable[[], Any]) -> Any:
        """Call with one argument replaced by what `make` makes."""
        return self.call(**{**self.made(), argument: make()})

    def rightly(self) -> Any:
        """Call with good arguments."""
        return self.call(**self.made())

    def made(self) -> dict[str, Any]:
        """Return the good arguments."""
        return {k: v.make() if isinstance(v, Later) else v for k, v in self.good.items()}


class Walk:
    """Entries by name, for tables of one size."""

    def __init__(self, good: Good) -> None:
        self.good = good
        self.entries: dict[str, Entry] = {}

    def add(
        self, name: str, call: Callable[..., Any], others: tuple[str, ...] = (), /, **good: Any
    ) -> None:
        """Note an entry by hand."""
        self.entries[name] = Entry(name, call, good, others)

    def derive(
        self, name: str, call: Callable[..., Any], of: Callable[..., Any], **known: Any
    ) -> None:
        """Note an entry by the signature of a function or class; `known` examples come first."""
        good, others = {}, []
        for parameter, is_required in parameters(of):
            value = known.get(parameter, self.example(name, parameter, is_required))
            if value is not ABSENT:
                good[parameter] = value
            elif is_required:
                raise LookupError(f"give an example of {parameter} of {name} in Good")
            else:
                others.append(parameter)
        self.add(name, call, tuple(others), **good)

    def example(self, entry: str, parameter: str, is_required: bool) -> Any:
        """Return the most special example of a parameter, `ABSENT` where there is none."""
        required, options = self.good.required, self.good.options
        parts = entry.partition("[")[0].split(".")
        special = [f"{entry}.{parameter}", f"{parts[-1]}.{parameter}"]
        special += [f"{part}:{parameter}" for part in reversed(parts[:-1])]
        for key in special:
            for table in (options, required):
                if key in table:
                    return table[key]
        first, second = (required, options) if is_required else (options, {})
        return first.get(parameter, second.get(parameter, ABSENT))


@cache
def parameters(of: Callable[..., Any]) -> list[tuple[str, bool]]:
    """Return the names of parameters, and whether they have no default."""
    return [
        (p.name, p.default is inspect.Parameter.empty)
        for p in inspect.signature(of).parameters.values()
        if p.name != "self" and p.kind not in VARIADIC
    ]
