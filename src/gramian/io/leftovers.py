"""Files that killed processes left beside what they were writing: which are ours, and stale."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["LIVE", "lock", "name_of", "remove_leftovers"]

LIVE: set[str] = set()  # what this process is writing
_HOUR = 3600.0


def name_of(target: Path, token: str) -> str:
    """Return the name of a file beside the target: whose it is, and who writes it.

    >>> name_of(Path("report.html"), "0a1b2c3d").split(".")[1:3]
    ['report', 'html']
    """
    return f".{target.name[:40]}.{os.getpid()}.{token}.tmp"


@contextmanager
def lock(handle: int) -> Iterator[None]:
    """Hold an open file until the end, so that others see that somebody writes it; close it."""
    if fcntl is None:  # Windows, where an open file cannot be moved
        os.close(handle)
        yield
        return
    try:
        with suppress(OSError):  # a disk that knows no locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def remove_leftovers(target: Path) -> None:
    """Remove what writers of the same file left behind when they were killed."""
    start = f".{target.name[:40]}."
    # Version 0.1.0 wrote no number of a process.
    form = re.compile(re.escape(start) + r"(?:(\d{1,10})\.)?[a-z0-9_]{8}\.tmp")
    with suppress(OSError):  # a folder that cannot be listed can still be written to
        for name in os.listdir(target.parent):
            match = form.fullmatch(name) if name.startswith(start) else None
            if match is not None:
                _remove(str(target.parent / name), int(match[1]) if match[1] else None)


def _remove(path: str, process: int | None) -> None:
    with suppress(OSError):
        about = os.lstat(path)
        is_old = time.time() - about.st_mtime > _HOUR
        if stat.S_ISREG(about.st_mode) and (is_old or _is_over(path, process)) and _is_free(path):
            os.unlink(path)


def _is_over(path: str, process: int | None) -> bool:
    """Whether the process that wrote the file has ended (or was another one of our number)."""
    if process is None or os.name != "posix":
        return False
    if process == os.getpid():
        return path not in LIVE
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _is_free(path: str) -> bool:
    """Whether nobody holds the file: the system lets go of what a killed process held."""
    if fcntl is None:
        return True
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # no locks here: the ended process is all there is to go by
    finally:
        os.close(handle)
    return True
