"""Fits and studies in processes of their own: a page stays alive meanwhile, and can stop them.

The program (`python -m gramian._browser.app.worker`) reads pickled jobs from standard input and
writes their results to standard output, each after its length. Both ends are this package: nothing
that a browser sent is unpickled.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from contextlib import suppress
from threading import Lock
from typing import IO, Any

from gramian.errors import InputError

MAX_IDLE = 3  # processes that wait for jobs
_LENGTH = 8  # bytes


class Cancelled(Exception):
    """The process of a job was stopped."""


def run(job: dict[str, Any]) -> Any:
    """Return the study, or the outline of one, that a job describes."""
    import gramian as gm
    from gramian._study.study import outline

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a fit warned about stands in the study
        make = gm.study if job["tests"] else outline
        return make(job["data"], **job["options"])


def main() -> None:
    """Run jobs until standard input ends."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not mix with results
    import gramian._study.study  # noqa: F401  (the first job need not wait for the imports)

    while (block := _read(sys.stdin.buffer)) is not None:
        try:
            answer: tuple[str, Any] = ("done", run(pickle.loads(block)))
        except MemoryError as error:
            answer = ("refused", str(error) or "There is not enough memory.")
        except Exception as error:  # a fit may fail in any way; the page says how
            known = isinstance(error, InputError | TypeError | ValueError)
            answer = ("refused", str(error) if known else f"{type(error).__name__}: {error}")
        _write(results, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _read(stream: IO[bytes]) -> bytes | None:
    """Return the next block, None where the stream ended."""
    size = stream.read(_LENGTH)
    if len(size) < _LENGTH:
        return None
    block = stream.read(int.from_bytes(size, "little"))
    return block if len(block) == int.from_bytes(size, "little") else None


def _write(stream: IO[bytes], block: bytes) -> None:
    stream.write(len(block).to_bytes(_LENGTH, "little"))
    stream.write(block)
    stream.flush()


class Worker:
    """A process that runs one job at a time."""

    def __init__(self) -> None:
        # -P: no module of the folder one works in hides an installed one.
        command = [sys.executable, "-P", "-m", "gramian._browser.app.worker"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )

    def call(self, job: dict[str, Any]) -> Any:
        """Return the result of a job; raise `InputError` where it was refused."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            _write(self._process.stdin, pickle.dumps(job, pickle.HIGHEST_PROTOCOL))
            block = _read(self._process.stdout)
        except (OSError, ValueError) as error:  # a pipe that was closed
            raise Cancelled from error
        if block is None:
            raise Cancelled
        kind, value = pickle.loads(block)
        if kind == "refused":
            raise InputError(value)
        return value

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Stop the process; a job that it runs is lost."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


class Workers:
    """Processes that wait for jobs; one is always ready."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []
        self._all: list[Worker] = []
        self._lock = Lock()
        self._closed = False

    def warm(self) -> None:
        """Start a process if none is idle."""
        with self._lock:
            if not self._idle and not self._closed:
                self._idle.append(self._start())

    def take(self) -> Worker:
        """Return a process for one job."""
        with self._lock:
            if self._closed:
                raise Cancelled
            self._idle = [worker for worker in self._idle if worker.is_alive]
            return self._idle.pop() if self._idle else self._start()

    def give(self, worker: Worker) -> None:
        """Take a process back after its job."""
        with self._lock:
            if worker.is_alive and len(self._idle) < MAX_IDLE and not self._closed:
                self._idle.append(worker)
                return
        self.stop(worker)

    def stop(self, worker: Worker) -> None:
        """Stop a process, whatever it does."""
        worker.stop()
        with self._lock:
            self._all = [other for other in self._all if other is not worker]

    def close(self) -> None:
        """Stop all processes."""
        with self._lock:
            self._closed = True
            every, self._all, self._idle = self._all, [], []
        for worker in every:
            worker.stop()

    def _start(self) -> Worker:
        worker = Worker()
        self._all.append(worker)
        return worker


if __name__ == "__main__":
    main()
