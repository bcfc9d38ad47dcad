"""The walk: one argument after the other of every entry is replaced by junk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.reliability.junk.entry import Entry
from tests.reliability.junk.judge import verdict
from tests.reliability.junk.values import JUNK


def part_of(name: str, parts: int) -> int:
    """Return which part of the walk a case belongs to, the same in every process."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "big") % parts


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Work in a folder of one's own: a path that is accepted is written to."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


# Arguments whose junk is not refused in words yet.
UNCHECKED = {"networks.Network": ("details",), "io.Scan.map": ("name",)}


def faults(entry: Entry, chosen: Callable[[str], bool] = lambda name: True) -> Iterator[str]:
    """Yield what breaks the promise when one argument after the other is junk."""
    for argument in entry.arguments:
        if argument in UNCHECKED.get(entry.name, ()):
            continue
        for name, make in JUNK.items():
            case = f"{entry.name}({argument}={name})"
            if chosen(case) and (text := verdict(partial(entry.with_junk, argument, make))):
                yield f"{case}: {text}"
