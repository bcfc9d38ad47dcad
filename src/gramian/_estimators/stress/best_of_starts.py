"""The best of several starts: classical scaling first, then random ones, side by side."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from scipy.spatial.distance import squareform

from gramian._core.array import is_accelerated
from gramian._core.parallel import n_threads, one_blas_thread, parallel_map
from gramian._estimators.stress import numpy_loops
from gramian._estimators.stress.arrange import classical_axes
from gramian._estimators.stress.majorise import Run, Step, loops_for, majorise
from gramian._estimators.stress.numpy_loops import ChunkMap
from gramian._estimators.stress.problem import Problem
from gramian._estimators.stress.together import majorise_together

T = TypeVar("T")
_MIN_THREAD_POINTS = 1000  # points from which operations of NumPy are long enough to run in threads
_MIN_DEVICE_POINTS = 500  # from which a step takes a device longer than its launch
_REPORT_SECONDS = 0.2  # seconds between two updates of the line of progress


@dataclass(frozen=True)
class Start:
    """A first configuration, and how many sweeps of squared distances smooth it."""

    X: np.ndarray
    sweeps: int = 0


def starts_for(
    problem: Problem, first: np.ndarray | None, q: int, n_init: int, rng: np.random.Generator
) -> list[Start]:
    """Return n_init starts: `first`, if there is one, then random ones."""
    starts = []
    if first is not None:
        # Majorisation never leaves a subspace: null axes get a little of a random start.
        null = np.ptp(first, axis=0) == 0
        little = random_start(problem, q, rng) * (1.0 if null.all() else 0.1)
        starts.append(Start(np.where(null, little, first)))
    while len(starts) < n_init:
        # Three sweeps find good minima, one finds others.
        starts.append(Start(random_start(problem, q, rng), 1 + 2 * (len(starts) % 2)))
    return starts


def classical_start(problem: Problem, q: int) -> np.ndarray:
    """Return the map of classical scaling of a problem, (n, q), null axes being 0."""
    delta = problem.target if problem.loss == "stress" else np.sqrt(problem.target)
    if problem.weight is not None:
        delta = np.where(problem.weight > 0, delta, np.nan)
    return classical_axes(squareform(delta, checks=False), problem.points, q)


def random_start(problem: Problem, q: int, rng: np.random.Generator) -> np.ndarray:
    """Return normal points about as far from each other as the dissimilarities say, (n, q)."""
    return rng.standard_normal((problem.n, q)) * np.sqrt(problem.mean_square / (2 * q))


def smooth(problem: Problem, X: np.ndarray, sweeps: int, loops: ModuleType) -> np.ndarray:
    """Return X after some sweeps of squared distances, whose loss has few local minima."""
    # From there a local minimum of the stress is the best one about twice as often as from X.
    for _ in range(sweeps):
        X = loops.sweep(problem.squares, problem.square_weight, X)
    return X


@dataclass(frozen=True)
class Search:
    """How to look for a minimum."""

    max_iter: int = 1000
    tol: float = 1e-6
    report: Callable[[int, int, float], None] | None = None  # start, iteration, loss
    like: Any = None  # rows, on whose accelerator steps are done

    def runs(self, problem: Problem, starts: Sequence[Start]) -> list[Run]:
        """Return where each start leads to, starts being shared out to the cores."""
        if self._fits_device(problem, starts[0].X):
            return self._runs_on_device(problem, starts)
        if len(starts) == 1:
            others = n_threads() - 1
            with one_blas_thread(), ThreadPoolExecutor(max(others, 1)) as pool:
                return [self.run(problem, starts[0], 0, side_by_side(pool, others))]
        problem.prepare()
        return map_starts(lambda k: self.run(problem, starts[k], k), len(starts), problem)

    def _fits_device(self, problem: Problem, X: np.ndarray) -> bool:
        """Whether steps are done on the device of the rows: metric stress with equal weights."""
        # Disparities to be fitted ask for sorting, and weights for solving, at which it is no
        # better.
        plain = problem.loss == "stress" and problem.scaling == "ratio" and problem.weight is None
        large = problem.n >= _MIN_DEVICE_POINTS and X.shape[1] > 1
        return plain and large and is_accelerated(self.like)

    def _runs_on_device(self, problem: Problem, starts: Sequence[Start]) -> list[Run]:
        """Return the same, all starts together on a device; sweeps go from point to point here."""
        problem.prepare()
        loops = loops_for(problem.n)

        def ready(k: int) -> np.ndarray:
            return smooth(problem, starts[k].X, starts[k].sweeps, loops)

        X = map_starts(ready, len(starts), problem)
        return majorise_together(
            problem, X, self.like, max_iter=self.max_iter, tol=self.tol, report=self.report
        )

    def run(self, problem: Problem, start: Start, number: int, chunks: ChunkMap = map) -> Run:
        """Return where one start leads to."""
        loops = loops_for(problem.n)
        X = smooth(problem, start.X, start.sweeps, loops)
        report = None if self.report is None else partial(self.report, number)
        step = Step(problem, loops, chunks)
        return majorise(step, X, max_iter=self.max_iter, tol=self.tol, report=report)


def side_by_side(pool: ThreadPoolExecutor, others: int) -> ChunkMap:
    """Return a `map` whose caller works as well: it and `others` take the next part in turn."""
    # A thread that wakes late, as on a busy machine, leaves its parts to those that are awake.

    def run(work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        results: list[Any] = [None] * len(parts)
        positions = iter(range(len(parts)))  # each is taken by one thread alone

        def worker() -> None:
            for k in positions:
                results[k] = work(parts[k])

        helpers = [pool.submit(worker) for _ in range(min(others, len(parts) - 1))]
        worker()
        for helper in helpers:
            if not helper.cancel():  # else it has not begun, and there is nothing left to do
                helper.result()
        return results

    return run


def map_starts(work: Callable[[int], T], count: int, problem: Problem) -> list[T]:
    """Return work(0), work(1), …, side by side where that pays."""
    # Threads that go from one small NumPy operation to the next only wait for each other.
    if loops_for(problem.n) is numpy_loops and problem.n < _MIN_THREAD_POINTS:
        with one_blas_thread():  # small products do not pay for waking its threads
            return [work(k) for k in range(count)]
    shares = parallel_map(lambda share: [(k, work(k)) for k in share], list(range(count)))
    results = dict(pair for share in shares for pair in share)
    return [results[k] for k in range(count)]


class Progress:
    """How far a search is, on one line of standard error that is cleared at the end."""

    def __init__(self, starts: int) -> None:
        self.starts, self.last, self.width = starts, 0.0, 0

    def __call__(self, start: int, iteration: int, loss: float) -> None:
        """Show where one start is."""
        now = time.monotonic()
        if now - self.last >= _REPORT_SECONDS:
            place = f"start {start + 1} of {self.starts}, iteration {iteration}"
            text = f"{place}, stress {loss**0.5:.5f}".ljust(self.width)
            self.last, self.width = now, len(text)
            print("\r" + text, end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clear the line."""
        if self.width:
            print("\r" + " " * self.width, end="\r", file=sys.stderr, flush=True)
