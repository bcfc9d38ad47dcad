"""The best of several starts, side by side on the cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gramian._blocks import n_threads, one_blas_thread, spread
from gramian.stress import loops as numpy_loops
from gramian.stress.majorise import Run, majorise
from gramian.stress.problem import Problem
from gramian.stress.starts import random_start, smoothed, without_null_axes
from gramian.stress.steps import Step, loops_for

__all__ = ["Search", "Start", "dealt", "starts_for"]

T = TypeVar("T")
_LARGE = 1000  # points from which operations of NumPy are long enough to run in threads


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
        starts.append(Start(without_null_axes(first, random_start(problem, q, rng))))
    while len(starts) < n_init:
        # Three sweeps find good minima, one finds others.
        starts.append(Start(random_start(problem, q, rng), 1 + 2 * (len(starts) % 2)))
    return starts


@dataclass(frozen=True)
class Search:
    """How to look for a minimum."""

    max_iter: int = 1000
    tol: float = 1e-6
    report: Callable[[int, int, float], None] | None = None  # start, iteration, loss

    def runs(self, problem: Problem, starts: Sequence[Start]) -> list[Run]:
        """Return where each start leads to, starts being shared out to the cores."""
        if len(starts) == 1:
            with one_blas_thread(), ThreadPoolExecutor(n_threads()) as pool:
                return [self.run(problem, starts[0], 0, pool.map)]
        problem.prepare()
        return dealt(lambda k: self.run(problem, starts[k], k), len(starts), problem)

    def run(self, problem: Problem, start: Start, number: int, chunks: Any = map) -> Run:
        """Return where one start leads to."""
        loops = loops_for(problem.n)
        X = smoothed(problem, start.X, start.sweeps, loops)
        report = None if self.report is None else _numbered(self.report, number)
        step = Step(problem, loops, chunks)
        return majorise(step, X, max_iter=self.max_iter, tol=self.tol, report=report)


def dealt(work: Callable[[int], T], count: int, problem: Problem) -> list[T]:
    """Return work(0), work(1), …, side by side where that pays.

    Threads that go from one small NumPy operation to the next only wait for each other.
    """
    if loops_for(problem.n) is numpy_loops and problem.n < _LARGE:
        with one_blas_thread():  # small products do not pay for waking its threads
            return [work(k) for k in range(count)]
    shares = spread(lambda share: [(k, work(k)) for k in share], list(range(count)))
    found = dict(pair for share in shares for pair in share)
    return [found[k] for k in range(count)]


def _numbered(
    report: Callable[[int, int, float], None], number: int
) -> Callable[[int, float], None]:
    return lambda iteration, loss: report(number, iteration, loss)
