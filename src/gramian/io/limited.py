"""Files that a library reads by what they say of themselves: read in a child process with limits.

A file of a few kilobytes may ask for any amount of memory, and a library that cannot have it may
end its process. The child (`gramian.io.child`) has a limit of memory (where the system knows one)
and of time, so that a file can end nothing but it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from gramian._blocks import available_memory, budget_bytes, human, require
from gramian.errors import InputError
from gramian.io.child import REFUSED
from gramian.io.content import allowance
from gramian.language import refused

_CHILD = str(Path(__file__).with_name("child.py"))
_LEAST = 128_000_000  # bytes that any file may take
_TIMES = 6  # bytes in memory for one that is unpacked: a cell, the object it becomes, a copy
_SECONDS = 10.0
_RATE = 5e6  # unpacked bytes a second, on a slow machine
# Pools that reserve addresses ahead of use would count against the limit.
_SETTINGS = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
_SETTINGS |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Refused(Exception):
    """What the child refuses: the key of a sentence, and what it says besides."""

    def __init__(self, key: str, values: dict[str, Any]) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def read_limited(
    reader: str, data: bytes, what: str, largest: int | str | None, **settings: Any
) -> bytes:
    """Return what a reader of the child makes of a file.

    Parameters
    ----------
    reader : str
        One of `gramian.io.child.READERS`.
    data : bytes
    what : str
        The file, as a refusal calls it.
    largest : int or str, optional
        What it may unpack to, as in `gm.io.read`.
    **settings
        For the reader.
    """
    if not sys.executable:
        raise InputError(f"{what} is read by a second Python, and none is known: save it as CSV")
    limit = allowance(len(data), largest)
    memory = _LEAST + min(_TIMES * limit, available_memory())
    seconds = _SECONDS + limit / _RATE
    path = [os.path.abspath(folder) for folder in sys.path]
    about = {"reader": reader, "path": path, "memory": memory, "limit": limit, **settings}
    command = [sys.executable, "-I", "-S", _CHILD, json.dumps(about)]
    environment = os.environ | _SETTINGS
    file = f"{what} ({human(len(data))})"
    try:
        run = subprocess.run(
            command, input=data, capture_output=True, timeout=seconds, env=environment, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise refused("unpacks.time", what=file, seconds=f"{seconds:.0f}") from error
    if run.returncode == 0:
        return run.stdout
    record = _record(run)
    key = record.pop("key")
    if key == "memory":
        key = "unpacks.sheet" if reader == "workbook" else "unpacks.memory"
        raise refused(key, what=file, limit=human(memory))
    if key in ("unpacks", "unpacks.texts"):
        require(record["size"], budget_bytes(None), file, "take fewer rows or columns")
        raise refused(key, what=file, size=human(record["size"]), limit=human(limit))
    raise Refused(key, record)


def _record(run: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """Return what a child says that it refuses; one that was ended by its limits says nothing."""
    if run.returncode == REFUSED:
        return dict(json.loads(run.stderr.splitlines()[-1]))
    if b"memory" in run.stderr or run.returncode in (-signal.SIGABRT, -9):
        return {"key": "memory"}
    return {"key": "broken", "reason": f"its reader ended with status {run.returncode}"}
