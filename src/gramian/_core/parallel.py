"""Threads, memory budgets and parallel maps.

A parallel map runs on the cores of this machine or, as in scikit-learn, on the workers of joblib:
inside `joblib.parallel_config("dask")` draws, resamples and pairs are tasks of that dask cluster,
and any other backend of joblib works too. The numbers are the same, to the last bit.
"""

import math
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import LibController, ThreadpoolController

from gramian._core.check import positive
from gramian.errors import ClusterError, InputError, MemoryBudgetError

T = TypeVar("T")
FREE_MEMORY_SHARE = 0.5  # of the memory that is free, when the user sets no budget
_MEMORY_AGE_SECONDS = 0.05  # of what was free: less than it takes to fill a gigabyte
_MIN_BLAS_OPERATIONS = 1 << 18  # operations for which BLAS wakes no thread
_MIN_THREAD_OPERATIONS = 1 << 22  # operations that are worth a thread of ours
_UNITS = {"": 1.0} | {unit: 1e3**k for k, unit in enumerate("KMGT", 1)}
_UNITS |= {unit + "I": 1024.0**k for k, unit in enumerate("KMGT", 1)}
_CLUSTER_LIBRARIES = ("distributed", "tornado")  # whose errors are about machines
_TASKS_PER_WORKER = 4  # tasks for each worker, so that nobody waits long for the last one


def available_memory() -> int:
    """Return the bytes that can be allocated without swapping (container limits included)."""
    return _free_memory(int(time.monotonic() / _MEMORY_AGE_SECONDS))


@lru_cache(maxsize=1)
def _free_memory(moment: int) -> int:
    """Ask the system, once a moment: a small fit takes no longer than the answer."""
    known = Path("/proc/meminfo")
    match = re.search(r"MemAvailable:\s+(\d+) kB", known.read_text()) if known.exists() else None
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    free = int(match[1]) * 1024 if match else pages
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text().strip()).isdigit():
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        free = min(free, max(int(text) - used, 0))
    return free


def budget_bytes(memory: int | float | str | None) -> int:
    """Return the budget in bytes: a number, a text such as "500MB", or half of what is free."""
    if memory is None:
        return int(FREE_MEMORY_SHARE * available_memory())
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*(\d+\.?\d*)\s*([KMGT]I|[KMGT]?)B?\s*", memory.upper())
        if match is None or float(match[1]) == 0 or math.isinf(float(match[1])):
            raise InputError(
                f'memory={memory[:40]!r} is not a size: give bytes or a text like "2GB"'
            )
        return int(float(match[1]) * _UNITS[match[2]])
    return int(positive(memory, "memory"))


def format_bytes(size: float) -> str:
    """Write a number of bytes for people."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} bytes"


def require_memory(
    size: float, budget: int, what: str, remedy: str, *, least: bool = False
) -> None:
    """Refuse, before allocating, a computation that does not fit the budget.

    With `least`, the size is what is known of it so far.
    """
    if size > budget:
        need = f"{'at least ' if least else ''}{format_bytes(size)} ({size:.0f} bytes)"
        raise MemoryBudgetError(
            f"memory: {what} needs {need} but the budget is {format_bytes(budget)}: {remedy}"
        )


def row_blocks(n: int, size: int) -> Iterator[slice]:
    """Cut range(n) into slices of `size` rows."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def even_blocks(n: int, most: int) -> list[slice]:
    """Cut range(n) into slices of up to `most` rows, alike, as many for every core."""
    if n <= most:
        return [slice(0, n)]
    cores = n_threads()
    count = cores * -(-n // (cores * most))
    return list(row_blocks(n, -(-n // count)))


# Whether BLAS is held to one thread by a caller, and whether the work is already shared between
# threads.
_HOLDS_BLAS: ContextVar[bool] = ContextVar("_HOLDS", default=False)
_IS_WORKER: ContextVar[bool] = ContextVar("_SHARES", default=False)


class _BlasLimit:
    """How many callers hold BLAS to one thread now, in all threads, and how many it had before."""

    def __init__(self) -> None:
        self.lock, self.holders, self.before = Lock(), 0, 1
        self.taken: dict[str, tuple[LibController, int]] = {}  # libraries, and the threads they had

    @contextmanager
    def hold(self) -> Iterator[None]:
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


_BLAS_LIMIT = _BlasLimit()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Give one thread to a task of a scheduler that has dealt out the cores itself."""
    shares = _IS_WORKER.set(True)
    try:
        with one_blas_thread():
            yield
    finally:
        _IS_WORKER.reset(shares)


def is_shared() -> bool:
    """Whether the work is shared between threads already, or a task of a scheduler."""
    return _IS_WORKER.get()


def n_threads() -> int:
    """Return how many threads may work: as many as there are cores and as BLAS may use.

    So OMP_NUM_THREADS holds for ours too, and so does `threadpool_limits` of threadpoolctl, which
    joblib sets in its workers. Work that is already shared between threads has one.
    """
    cores = 1 if _IS_WORKER.get() else _cores()
    if cores == 1:
        return 1
    return min(cores, _BLAS_LIMIT.before if _BLAS_LIMIT.holders else _blas_threads())


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


def _set_threads(library: LibController, count: int) -> None:
    """Set the threads of a library; `_BlasLimit` counts the threads that hold it."""
    free = getattr(library, "clear_controlling_thread", lambda force: None)  # of threadpoolctl 3.8
    free(force=True)
    library.set_num_threads(count)
    free(force=True)


def _is_of_a_thread(library: LibController) -> bool:
    """Whether each thread of ours has its own limit of a library, and not the whole process one."""
    return library.internal_api == "mkl" or getattr(library, "threading_layer", "") == "openmp"


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread meanwhile: others wake too slowly for small work."""
    if _HOLDS_BLAS.get():
        yield
        return
    with _BLAS_LIMIT.hold():
        held = _HOLDS_BLAS.set(True)
        try:
            yield
        finally:
            _HOLDS_BLAS.reset(held)


def parallel_map(
    work: Callable[[Any], T], items: Sequence[Any] | np.ndarray, operations: float = math.inf
) -> list[T]:
    """Deal the items to one worker a core, call work(share) on each, return results in order.

    BLAS is held to one thread meanwhile: its busy-waiting threads and ours would fight for
    the cores. Dealing is static, so a sum over the results is the same in every run. What takes few
    `operations` in all is not shared: a thread would not have started before it is done.
    """
    if operations <= _MIN_BLAS_OPERATIONS:
        return [work(items)]
    with one_blas_thread():
        most = int(min(len(items), operations / _MIN_THREAD_OPERATIONS))
        workers = min(n_threads(), most) if most > 1 else 1
        if workers == 1:
            return [work(items)]
        shares = [items[i::workers] for i in range(workers)]
        with ThreadPoolExecutor(workers - 1) as pool:  # this thread takes a share as well
            # In the caller's context: warnings that NumPy must not give stay off in every thread.
            others = [pool.submit(_in_context, copy_context(), work, s) for s in shares[1:]]
            first = _in_context(copy_context(), work, shares[0])
            return [first, *(other.result() for other in others)]


def _in_context(context: Context, work: Callable[[Any], T], share: Any) -> T:
    """Work on a share in a context, without sharing it once more."""

    def run() -> T:
        _IS_WORKER.set(True)
        return work(share)

    return context.run(run)


def distribute(
    work: Callable[..., Sequence[T]],
    items: Sequence[Any] | np.ndarray,
    *common: object,
    threads: bool = True,
) -> list[T]:
    """Return what work(share, *common) gives of shares of the items, one thing each, in order.

    With `threads`, cores share the work where nobody else does.
    """
    jobs = n_jobs()
    if jobs > 1 and len(items) > 1:
        size = -(-len(items) // (_TASKS_PER_WORKER * jobs))
        shares = [items[start : start + size] for start in range(0, len(items), size)]
        with one_blas_thread():  # workers that are threads of this process share its BLAS
            return [one for part in _elsewhere(work, shares, common) for one in part]
    if not threads:
        return list(work(items, *common))
    parts = parallel_map(lambda share: work(share, *common), items)
    out: list[T] = [None] * len(items)  # type: ignore[list-item]
    for k, part in enumerate(parts):
        out[k :: len(parts)] = part
    return out


def map_in_order(work: Callable[..., T], items: Sequence[Any], *common: object) -> Iterator[T]:
    """Go through what work(item, *common) gives, in order.

    What is done elsewhere is done ahead; what is done here may take all cores itself.
    """
    if n_jobs() > 1:
        return iter(_elsewhere(work, items, common))
    return (work(item, *common) for item in items)


def n_jobs() -> int:
    """Return how many workers the caller asked joblib for; 1 inside work that is shared already."""
    if is_shared():
        return 1
    from joblib import effective_n_jobs

    return effective_n_jobs()


def _elsewhere(
    work: Callable[..., T], items: Sequence[Any], common: tuple[Any, ...]
) -> Iterator[T]:
    """Go through the answers of joblib's workers, in the order of the items."""
    from joblib import Parallel, delayed

    task = delayed(_task)
    answers = Parallel(return_as="generator")(task(work, item, *common) for item in items)
    try:
        for one in answers:  # noqa: UP028  what is left is given up below, in silence
            yield one
    except Exception as error:
        words = cluster_failure(error)
        if words is None:
            raise
        raise ClusterError(words) from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's: that tasks were cancelled
            answers.close()


def _task(work: Callable[..., T], item: object, *common: object) -> T:
    """Work on something with one thread; what there is to warn of, the caller has said."""
    with single_threaded(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work(item, *common)


def cluster_failure(error: Exception) -> str | None:
    """Return the message of an error about the machines of a cluster, None for any other."""
    kind = type(error)
    if kind is RuntimeError and "deserialization of the task graph" in str(error):
        return (
            "dask's scheduler could not read the work it was sent: what is computed there "
            "(gramian, and your functions in the table's graph) must be installed there too, "
            "in the same versions"
        )
    about_machines = kind.__module__.partition(".")[0] in _CLUSTER_LIBRARIES
    if not (
        about_machines or kind.__name__ == "CancelledError" or isinstance(error, ConnectionError)
    ):
        return None
    return (
        f"dask lost what it was computing ({kind.__name__}: {str(error)[:200]}): no result was "
        "kept: see that its scheduler and workers live and have memory, and start again"
    )
