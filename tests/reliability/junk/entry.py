"""Public entries, derived from signatures, with arguments that they accept; one becomes junk."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.reliability.junk.good import OPTIONS, REQUIRED, Later

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
        return self.call(**{**self._made(), argument: make()})

    def rightly(self) -> Any:
        """Call with good arguments."""
        return self.call(**self._made())

    def _made(self) -> dict[str, Any]:
        return {k: v.make() if isinstance(v, Later) else v for k, v in self.good.items()}


ENTRIES: dict[str, Entry] = {}


def add(name: str, call: Callable[..., Any], others: tuple[str, ...] = (), /, **good: Any) -> None:
    """Note an entry by hand."""
    ENTRIES[name] = Entry(name, call, good, others)


def derive(name: str, call: Callable[..., Any], of: Callable[..., Any], **known: Any) -> None:
    """Note an entry by the signature of a function or class; `known` examples come first."""
    good, others = {}, []
    for parameter in inspect.signature(of).parameters.values():
        if parameter.name == "self" or parameter.kind in VARIADIC:
            continue
        is_required = parameter.default is inspect.Parameter.empty
        value = known.get(parameter.name, example(name, parameter.name, is_required))
        if value is not ABSENT:
            good[parameter.name] = value
        elif is_required:
            raise LookupError(f"give an example of {parameter.name} of {name} in good.REQUIRED")
        else:
            others.append(parameter.name)
    ENTRIES[name] = Entry(name, call, good, tuple(others))


def example(entry: str, parameter: str, is_required: bool) -> Any:
    """Return the most special example of a parameter, `ABSENT` where there is none."""
    parts = entry.partition("[")[0].split(".")
    special = [f"{entry}.{parameter}", f"{parts[-1]}.{parameter}"]
    special += [f"{part}:{parameter}" for part in reversed(parts[:-1])]
    for key in special:
        for table in (OPTIONS, REQUIRED):
            if key in table:
                return table[key]
    first, second = (REQUIRED, OPTIONS) if is_required else (OPTIONS, {})
    return first.get(parameter, second.get(parameter, ABSENT))
