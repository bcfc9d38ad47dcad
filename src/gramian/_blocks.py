"""Row blocks, memory budgets and the thread pool that walks over tiles."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from gramian._check import positive
from gramian.errors import InputError, MemoryBudgetError

__all__ = [
    "alone",
    "available_memory",
    "budget_bytes",
    "even_blocks",
    "human",
    "n_threads",
    "one_blas_thread",
    "require",
    "row_blocks",
    "spread",
]

T = TypeVar("T")
SHARE = 0.5  # of the memory that is free, when the user sets no budget
_UNITS = {"": 1.0} | {unit: 1e3**k for k, unit in enumerate("KMGT", 1)}
_UNITS |= {unit + "I": 1024.0**k for k, unit in enumerate("KMGT", 1)}
_ALONE: ContextVar[bool] = ContextVar("alone", default=False)


def available_memory() -> int:
    """Return the bytes that can be allocated without swapping (container limits included)."""
    free = _meminfo_available() or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text().strip()).isdigit():
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        free = min(free, max(int(text) - used, 0))
    return free


def _meminfo_available() -> int | None:
    """Read MemAvailable where the system has it."""
    path = Path("/proc/meminfo")
    if not path.exists():
        return None
    match = re.search(r"MemAvailable:\s+(\d+) kB", path.read_text())
    return int(match[1]) * 1024 if match else None


def budget_bytes(memory: int | float | str | None) -> int:
    """Return the budget in bytes: a number, a text such as "500MB", or half of what is free.

    >>> budget_bytes("500MB")
    500000000
    """
    if memory is None:
        return int(SHARE * available_memory())
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*(\d+\.?\d*)\s*([KMGT]I|[KMGT]?)B?\s*", memory.upper())
        if match is None or float(match[1]) == 0 or math.isinf(float(match[1])):
            raise InputError(
                f'memory={memory[:40]!r} is not a size: write bytes or a text like "2GB"'
            )
        return int(float(match[1]) * _UNITS[match[2]])
    return int(positive(memory, "memory"))


def human(size: float) -> str:
    """Write a number of bytes for people.

    >>> human(3.2e9)
    '3.2 GB'
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} bytes"


def require(size: float, budget: int, what: str, remedy: str) -> None:
    """Refuse, before allocating, a computation that does not fit the budget."""
    if size > budget:
        raise MemoryBudgetError(
            f"memory: {what} needs {human(size)} ({size:.0f} bytes) "
            f"but the budget is {human(budget)}: {remedy}"
        )


def row_blocks(n: int, size: int) -> Iterator[slice]:
    """Cut range(n) into slices of `size` rows.

    >>> [b.stop - b.start for b in row_blocks(10, 4)]
    [4, 4, 2]
    """
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def even_blocks(n: int, most: int) -> list[slice]:
    """Cut range(n) into slices of up to `most` rows, alike, as many for every core.

    >>> [b.stop - b.start for b in even_blocks(10, 100)]
    [10]
    """
    if n <= most:
        return [slice(0, n)]
    cores = n_threads()
    count = cores * -(-n // (cores * most))
    return list(row_blocks(n, -(-n // count)))


def n_threads() -> int:
    """Return the number of cores this process may use, 1 in a task that is `alone`."""
    if _ALONE.get():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def alone() -> Iterator[None]:
    """Return a context for one task of a scheduler, which has dealt out the cores itself."""
    before = _ALONE.set(True)
    try:
        yield
    finally:
        _ALONE.reset(before)


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:
    """Return the BLAS libraries; looking for them takes 5 ms, done anew only after an import."""
    return ThreadpoolController()


def one_blas_thread() -> Any:
    """Return a context in which BLAS runs on one thread: others wake too slowly for small work.

    A task that is `alone` leaves BLAS as it is: the limit is of a process, whose other tasks would
    find it lifted, or left behind.
    """
    if _ALONE.get():
        return nullcontext()
    return _libraries(len(sys.modules)).limit(limits=1, user_api="blas")


def spread(work: Callable[[Sequence[Any]], T], items: Sequence[Any]) -> list[T]:
    """Deal the items to one worker a core, call work(share) on each, return results in order.

    BLAS is held to one thread meanwhile: its busy-waiting threads and ours would fight for
    the cores. Dealing is static, so a sum over the results is the same in every run.
    """
    workers = min(n_threads(), len(items)) or 1
    shares = [items[i::workers] for i in range(workers)]
    with one_blas_thread():
        if workers == 1:
            return [work(shares[0])]
        with ThreadPoolExecutor(workers - 1) as pool:  # this thread takes a share as well
            # In the caller's context: what NumPy is told not to warn of holds in every thread.
            others = [pool.submit(copy_context().run, work, share) for share in shares[1:]]
            return [work(shares[0]), *(other.result() for other in others)]
