"""The parts of a node of a model file's tree, each of the type it must have."""

from __future__ import annotations

from typing import Any

from gramian._check import is_whole
from gramian.errors import InputError

__all__ = ["Damage", "Node", "listed", "one_word", "refusal", "text", "whole"]

Node = dict[str, Any]


class Damage(InputError):
    """A model that is not whole."""


def refusal(words: str) -> Damage:
    """Return the refusal of a file that is whole, but not one that `save` wrote.

    >>> str(refusal("holds a list where a name belongs"))
    'the model file holds a list where a name belongs: fit and save again'
    """
    return Damage(f"the model file {words[:300]}: fit and save again")


def listed(node: Node, key: str) -> list[Any]:
    """Return a part that is a list."""
    return _typed(node, key, list)


def text(node: Node, key: str) -> str:
    """Return a part that is a text."""
    return _typed(node, key, str)


def one_word(node: Node, key: str, *words: str) -> str:
    """Return a part that is one of some words."""
    if (value := text(node, key)) not in words:
        raise refusal(f"has {value[:40]!r} as {key}, not one of {', '.join(words)}")
    return value


def whole(value: Any, what: str, least: int, most: int) -> int:
    """Return a whole number in a range, which True and 1.0 are not.

    >>> whole(3, "pos", 0, 624)
    3
    """
    if type(value) is not int or not least <= value <= most:
        shown = str(value)[:20] if not is_whole(value) or abs(value) < 10**15 else "a huge number"
        raise refusal(f"has {shown} as {what}, not a whole number from {least} to {most}")
    return value


def _typed(node: Node, key: str, kind: type) -> Any:
    value = node.get(key)
    if type(value) is not kind:
        raise refusal(f"has a {type(value).__name__} as {key}, not a {kind.__name__}")
    return value
