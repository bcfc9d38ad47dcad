"""Libraries that may be missing: what is made with them is left out then, and counted."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Missing(ImportError):
    """An input cannot be made here."""


class Absent:
    """A library that is not there, or a part of it: it can be named, but nothing made with it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Absent:
        return Absent(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise Missing(f"{self._name.partition('.')[0]} is not installed")


def library(name: str) -> Any:
    """A library, or what stands for it."""
    try:
        return import_module(name)
    except ImportError:
        return Absent(name)
