"""How an argument and its value are spelled: as Python does, or as the command does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from gramian._study.language.terms import Setting

Spelling = Callable[[str, tuple[Any, ...] | None], str]


def setting(placeholder: str) -> Setting:
    """Return the setting that a placeholder of the catalogue names.

    >>> setting("missing='mean'|'median'")
    Setting(name='missing', values=('mean', 'median'))
    """
    name, _, values = placeholder.partition("=")
    if not name:  # "=transpose" is the argument itself, without a value
        return Setting(values, None)
    return Setting(name, tuple(ast.literal_eval(v) for v in values.split("|") if v))


def python(name: str, values: tuple[Any, ...] | None) -> str:
    """Return a setting as an argument.

    >>> python("missing", ("mean",)), python("sep", ()), python("transpose", None)
    ("missing='mean'", 'sep=', 'transpose')
    """
    if values is None:
        return name
    return f"{name}={repr(values[0]) if values else ''}"


class Options:
    """The spelling of a command: an option's word, its opposite, by the argument's name.

    >>> Options({"scale": ("--scale", "--no-scale"), "missing": ("--missing", None)})(
    ...     "scale", (False,)
    ... )
    '--no-scale'
    """

    def __init__(self, words: Mapping[str, tuple[str, str | None]]) -> None:
        self.words = words

    def __call__(self, name: str, values: tuple[Any, ...] | None) -> str:
        """Return a setting as an option."""
        if name not in self.words:
            return python(name, values)
        word, opposite = self.words[name]
        values = values or ()
        first = values[0] if values else None
        if first is False:  # not 0, which is a number
            return opposite or f"{word} no"
        if first is True or first is None:
            return word
        if opposite is not None:  # a flag has no other value: this is an argument of its name
            return python(name, values)
        if isinstance(first, list):
            return " ".join(f"{word} {_quoted(value)}" for value in first)
        return f"{word} {_quoted(first)}"


def _quoted(value: Any) -> str:
    import shlex

    return shlex.quote(str(value))
