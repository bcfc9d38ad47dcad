"""Row blocks, memory budgets and the thread pool that walks over tiles."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from gramian._core.check import positive
from gramian.errors import InputError, MemoryBudgetError

T = TypeVar("T")
SHARE = 0.5  # of the memory that is free, when the user sets no budget
_RECENT = 0.05  # seconds for which what was free is still so: less than it takes to fill a gigabyte
_LITTLE = 1 << 18  # operations for which BLAS wakes no thread
_SHARED = 1 << 22  # operations that are worth a thread of ours
_UNITS = {"": 1.0} | {unit: 1e3**k for k, unit in enumerate("KMGT", 1)}
_UNITS |= {unit + "I": 1024.0**k for k, unit in enumerate("KMGT", 1)}


def available_memory() -> int:
    """Return the bytes that can be allocated without swapping (container limits included)."""
    return _free_memory(int(time.monotonic() / _RECENT))


@lru_cache(maxsize=1)
def _free_memory(moment: int) -> int:
    """Ask the system, once a moment: a small fit takes no longer than the answer."""
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


def require(size: float, budget: int, what: str, remedy: str, *, least: bool = False) -> None:
    """Refuse, before allocating, a computation that does not fit the budget.

    With `least`, the size is what is known of it so far.
    """
    if size > budget:
        need = f"{'at least ' if least else ''}{human(size)} ({size:.0f} bytes)"
        raise MemoryBudgetError(
            f"memory: {what} needs {need} but the budget is {human(budget)}: {remedy}"
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


# Whether BLAS is held to one thread by a caller, and whether the work is already shared between
# threads.
_HOLDS: ContextVar[bool] = ContextVar("_HOLDS", default=False)
_SHARES: ContextVar[bool] = ContextVar("_SHARES", default=False)


class _Held:
    """How many callers hold BLAS to one thread now, in all threads, and how many it had before."""

    def __init__(self) -> None:
        self.lock, self.holders, self.before = Lock(), 0, 1
        self.taken: dict[str, tuple[Any, int]] = {}  # libraries, and the threads they had

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Hold BLAS to one thread meanwhile; the last holder gives back what was taken from it."""
        with self.lock:
            if self.holders == 0:
                self.before = _blas_threads()
            self.holders += 1
            libraries = _blas(len(sys.modules)).lib_controllers if self.before > 1 else ()
            own = [(library, library.get_num_threads()) for library in libraries]
            for library, count in own:
                self.taken.setdefault(library.filepath, (library, count))
                _set_threads(library, 1)
        try:
            yield
        finally:
            with self.lock:
                self.holders -= 1
                back = [pair for pair in own if _is_of_a_thread(pair[0])]
                if self.holders == 0:
                    back += self.taken.values()
                    self.taken = {}
                for library, count in back:
                    _set_threads(library, count)


_HELD = _Held()


@contextmanager
def alone() -> Iterator[None]:
    """Give one thread to a task of a scheduler that has dealt out the cores itself."""
    shares = _SHARES.set(True)
    try:
        with one_blas_thread():
            yield
    finally:
        _SHARES.reset(shares)


def is_shared() -> bool:
    """Whether the work is shared between threads already, or a task of a scheduler."""
    return _SHARES.get()


def n_threads() -> int:
    """Return how many threads may work: as many as there are cores and as BLAS may use.

    So OMP_NUM_THREADS holds for ours too, and so does `threadpool_limits` of threadpoolctl, which
    joblib sets in its workers. Work that is already shared between threads has one.
    """
    cores = 1 if _SHARES.get() else _cores()
    if cores == 1:
        return 1
    return min(cores, _HELD.before if _HELD.holders else _blas_threads())


def _cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _blas_threads() -> int:
    """Return how many threads BLAS uses; where it does not tell, what the environment asks for."""
    counts = [library.get_num_threads() for library in _blas(len(sys.modules)).lib_controllers]
    if counts:
        return min(counts)
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdigit() and int(asked) else _cores()


@lru_cache(maxsize=1)
def _blas(n_modules: int) -> ThreadpoolController:
    """Return the BLAS libraries; looking for them takes 5 ms, done anew only after an import."""
    return ThreadpoolController().select(user_api="blas")


def _set_threads(library: Any, count: int) -> None:
    """Set the threads of a library, whichever thread set them last: `_Held` counts who holds it."""
    free = getattr(library, "clear_controlling_thread", lambda force: None)  # of threadpoolctl 3.8
    free(force=True)
    library.set_num_threads(count)
    free(force=True)


def _is_of_a_thread(library: Any) -> bool:
    """Whether each thread of ours has its own limit of a library, and not the whole process one."""
    return library.internal_api == "mkl" or getattr(library, "threading_layer", "") == "openmp"


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread meanwhile: others wake too slowly for small work."""
    if _HOLDS.get():
        yield
        return
    with _HELD.counted():
        held = _HOLDS.set(True)
        try:
            yield
        finally:
            _HOLDS.reset(held)


def spread(
    work: Callable[[Sequence[Any]], T], items: Sequence[Any], operations: float = math.inf
) -> list[T]:
    """Deal the items to one worker a core, call work(share) on each, return results in order.

    BLAS is held to one thread meanwhile: its busy-waiting threads and ours would fight for
    the cores. Dealing is static, so a sum over the results is the same in every run. What takes few
    `operations` in all is not shared: a thread would not have started before it is done.
    """
    if operations <= _LITTLE:
        return [work(items)]
    with one_blas_thread():
        most = int(min(len(items), operations / _SHARED))
        workers = min(n_threads(), most) if most > 1 else 1
        if workers == 1:
            return [work(items)]
        shares = [items[i::workers] for i in range(workers)]
        with ThreadPoolExecutor(workers - 1) as pool:  # this thread takes a share as well
            # In the caller's context: what NumPy is told not to warn of holds in every thread.
            others = [pool.submit(copy_context().run, _alone, work, s) for s in shares[1:]]
            first = copy_context().run(_alone, work, shares[0])
            return [first, *(other.result() for other in others)]


def _alone(work: Callable[[Sequence[Any]], T], share: Sequence[Any]) -> T:
    """Work on a share, without sharing it once more."""
    _SHARES.set(True)
    return work(share)
