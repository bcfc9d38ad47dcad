"""Workers that live long and may die: a crash or a hang costs one cell."""

from __future__ import annotations

import multiprocessing as mp
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Any

from .judge import Hang, Outcome

PRELOAD = ["tests.adversarial.cells"]  # what workers are forked with
SECONDS = 20.0  # that a cell may take
BYTES = 4 << 30  # that it may take beyond what the worker holds
LOST = "lost"
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "POLARS_MAX_THREADS",
)


def _limit_memory() -> None:
    pages = int(open("/proc/self/statm").read().split()[0])  # noqa: SIM115
    limit = pages * os.sysconf("SC_PAGE_SIZE") + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _limit_time(seconds: float) -> None:
    """Alarms that Python hears, and a limit of the processor for what does not listen.

    Time is the processor's: where others work too, a cell takes longer and is no hang. One that
    waits for nothing takes twice as long to be found out.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 2.5 * seconds)
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + 2 * seconds + 2), hard))


def _alarm(*_: Any) -> None:
    raise Hang


def work(pipe: Connection, run: Callable[[Any], Outcome]) -> None:
    """Run what comes through the pipe until nothing does."""
    sys.stderr = sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for alarm in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(alarm, _alarm)
    if sys.platform == "linux":
        _limit_memory()
    while (place := pipe.recv()) is not None:
        try:
            _limit_time(SECONDS)
            outcome = run(place)
        except Hang:
            outcome = Outcome("hang", f"more than {SECONDS:.0f} s")
        except BaseException as error:
            outcome = Outcome(
                "raw error", f"outside the call: {type(error).__name__}: {error}"[:300]
            )
        finally:
            for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):
                signal.setitimer(timer, 0)
        pipe.send(outcome)


class Worker:
    """A process, and the cell that it is at."""

    def __init__(self, context: Any, run: Callable[[Any], Outcome]) -> None:
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, run), daemon=True)
        self.process.start()
        other.close()
        self.place: Any = None
        self.since = 0.0

    def give(self, place: Any) -> None:
        """Send a cell."""
        self.place, self.since = place, time.monotonic()
        self.pipe.send(place)

    def end(self) -> None:
        """Stop the process, whatever it is at."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _died(worker: Worker) -> Outcome:
    worker.process.join(5)
    code = worker.process.exitcode
    if code == 255:  # not the worker died, but the process that it was forked from
        return Outcome(LOST)
    if code == -signal.SIGXCPU:
        return Outcome("hang", "out of processor time")
    return Outcome("crash", f"exit code {code}")


def run_all(
    places: Iterable[Any], run: Callable[[Any], Outcome], n_workers: int = 2
) -> Iterator[tuple[Any, Outcome, float]]:
    """Run cells in workers and yield what happened, in the order in which they end.

    Workers are forked from one process that has imported the tables: a new one costs milliseconds.
    """
    os.environ.update(dict.fromkeys(THREADS, "1"))
    context = mp.get_context("forkserver")
    context.set_forkserver_preload(PRELOAD)
    again: list[Any] = []  # what was lost with no fault of its own
    queue = chain(places, _drain(again))
    workers: list[Worker] = []
    try:
        while True:
            for place in _next(queue, n_workers - len(workers)):
                workers.append(Worker(context, run))
                workers[-1].give(place)
            if not workers:
                return
            ready = wait([w.pipe for w in workers], timeout=1.0)
            for worker in list(workers):
                outcome = _outcome(worker, worker.pipe in ready)
                if outcome is None:
                    continue
                if outcome.kind == LOST:
                    again.append(worker.place)
                else:
                    yield worker.place, outcome, time.monotonic() - worker.since
                following = None if not worker.process.is_alive() else next(queue, None)
                if following is None:
                    worker.end()
                    workers.remove(worker)
                else:
                    worker.give(following)
    finally:
        for worker in workers:
            worker.end()


def _drain(places: list[Any]) -> Iterator[Any]:
    while places:
        yield places.pop()


def _next(queue: Iterator[Any], number: int) -> Iterator[Any]:
    for _ in range(number):
        place = next(queue, None)
        if place is None:
            return
        yield place


def _outcome(worker: Worker, ready: bool) -> Outcome | None:
    """What a worker says, or what its silence means."""
    if ready:
        try:
            return worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            return _died(worker)
    if time.monotonic() - worker.since > 3 * SECONDS:
        worker.end()
        return Outcome("hang", "does not answer")
    return None
