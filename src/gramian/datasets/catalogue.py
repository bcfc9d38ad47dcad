"""What each data set is, known before it is made (catalogue.toml), and the sets by name."""

from __future__ import annotations

import pkgutil
import tomllib
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from gramian.errors import InputError

if TYPE_CHECKING:
    from gramian.datasets._dataset import Dataset


@dataclass(frozen=True)
class Entry:
    """The size of a data set as it comes, and one paragraph on it."""

    shape: tuple[int, int]
    description: str
    kind: Literal["table", "distances"] = "table"


_catalogue = tomllib.loads((pkgutil.get_data(__package__, "catalogue.toml") or b"").decode())
ENTRIES = {k: Entry(**entry | {"shape": tuple(entry["shape"])}) for k, entry in _catalogue.items()}


def names() -> list[str]:
    """List the data sets that `load` knows.

    Worked examples first, then real tables, then the simulated experiments.

    >>> len(names())
    14
    """
    return list(ENTRIES)


def load(name: str, **options: Any) -> Dataset:
    """Make or load a data set by its name, one of `names`, with the options of its function.

    >>> load("rings", n=50).data.shape
    (50, 2)
    """
    from gramian._core.check import short  # the list is there without NumPy

    if not isinstance(name, str) or name not in ENTRIES:
        raise InputError(f"unknown data set {short(name)}; known: {', '.join(ENTRIES)}")
    made: Dataset = getattr(import_module("gramian.datasets"), name)(**options)
    return made
