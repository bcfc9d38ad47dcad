"""Files that a library reads by what they say of themselves: read in a child process with limits.

A file of a few kilobytes may ask for any amount of memory, and a library that cannot have it may
end its process. The child (`gramian.io.child`) has a limit of memory (where the system knows one)
and of time, so that a file can end nothing but it.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import IO, Any

from gramian._core.parallel import available_memory, budget_bytes, format_bytes, require_memory
from gramian.errors import InputError
from gramian.io.child import REFUSED
from gramian.io.content import allowance, damage, too_large

_CHILD = str(Path(__file__).with_name("child.py"))
_MIN_MEMORY = 128_000_000  # bytes that any file may take
_MEMORY_RATIO = 6  # bytes in memory for one that is unpacked: a cell, the object it becomes, a copy
_MIN_SECONDS = 10.0
_BYTES_PER_SECOND = 5e6  # unpacked bytes a second, on a slow machine
# Pools that reserve addresses ahead of use would count against the limit.
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1"}
_ENVIRONMENT |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def read_limited(
    reader: str, data: bytes, what: str, largest: int | str | None, **settings: object
) -> bytes:
    """Return what one of `gramian.io.child.READERS` makes of a file, which errors call `what`."""
    if not sys.executable:
        raise InputError(f"{what} is read by a second Python, and none is known: save it as CSV")
    limit = allowance(len(data), largest)
    memory = _MIN_MEMORY + min(_MEMORY_RATIO * limit, available_memory())
    seconds = _MIN_SECONDS + limit / _BYTES_PER_SECOND
    path = [os.path.abspath(folder) for folder in sys.path]
    about = {"path": path, "memory": memory, "limit": limit, "what": what, **settings}
    file = f"{what} ({format_bytes(len(data))})"
    start = time.monotonic()
    status, out, faults = _run(json.dumps(about | {"reader": reader}), data, seconds)
    if status == 0:
        return out
    if time.monotonic() - start >= seconds:
        raise too_large(f"{file} takes more than {seconds:.0f} s to read")
    record = _record(status, faults)
    if "text" in record:
        raise InputError(record.pop("text"), **record)
    if "damage" in record:
        raise InputError(f"{what} cannot be read: {damage(record['damage'])}")
    if "memory" in record:
        remedy = "delete the cells that stand far from the table, or "
        text = f"{file} unpacks to more than {format_bytes(memory)} of memory"
        raise too_large(text, remedy if reader == "workbook" else "")
    require_memory(record["size"], budget_bytes(None), file, "take fewer rows or columns")
    size = format_bytes(record["size"])
    if "texts" in record:
        raise too_large(f"{file} shows the same texts until they are {size}")
    raise too_large(f"{file} unpacks to {size}, more than {format_bytes(limit)}")


def _run(settings: str, data: bytes, seconds: float) -> tuple[int, bytes, bytes]:
    """Return the exit status of a child, its output and its errors."""
    command = [sys.executable, "-I", "-S", _CHILD, settings]
    environment = os.environ | _ENVIRONMENT
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment) as child:
        assert child.stdin and child.stdout and child.stderr
        # `communicate` writes 4 kB at a time, which takes longer than reading a large file.
        feeder = threading.Thread(target=_feed, args=(child.stdin, data), daemon=True)
        timer = threading.Timer(seconds, child.kill)
        try:
            feeder.start()
            timer.start()
            out, faults = child.stdout.read(), child.stderr.read()
            return child.wait(), out, faults
        finally:
            timer.cancel()
            child.kill()
            feeder.join()


def _feed(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError), pipe:  # a child that refuses a file has not read all of it
        pipe.write(data)


def _record(status: int, faults: bytes) -> dict[str, Any]:
    """Return what a child says that it refuses; one that was ended by its limits says nothing."""
    if status == REFUSED:
        return dict(json.loads(faults.splitlines()[-1]))
    if b"memory" in faults or status in (-signal.SIGABRT, -9):
        return {"memory": True}
    return {"damage": f"its reader ended with status {status}"}
