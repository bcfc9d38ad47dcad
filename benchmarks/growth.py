"""How the time of a fit grows with the number of rows: 500 to 100,000, and the power it follows.

    python benchmarks/side_by_side.py --growth [--write]

Seconds of the processor, of all cores together, because those on the clock depend on what else the
machine does. Small fits are the best of several. Under eight minutes on two cores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import gramian as gm
from benchmarks.runner import machine, table

__all__ = ["growth"]

SIZES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
LARGE = 5_000  # rows from which on what does not grow with n hardly counts
KERNEL = gm.kernels.Gaussian(4.0)
METHODS: dict[str, Callable[[], Any]] = {
    "PCA": lambda: gm.PCA(10),
    "kernel PCA": lambda: gm.KernelPCA(10, kernel=KERNEL, tol=1e-8),
    "kernel PCA, Nyström, rank 200": lambda: gm.KernelPCA(
        10, kernel=KERNEL, approximation=gm.Nystrom(200, random_state=0)
    ),
}


def growth() -> str:
    """Return a page with the times of each method and the powers of n they follow."""
    seconds = {name: [_best(method, n) for n in SIZES] for name, method in METHODS.items()}
    lines: list[list[Any]] = [
        [f"{n:,}", *(f"{times[k]:.3g}" for times in seconds.values())] for k, n in enumerate(SIZES)
    ]
    lines += [
        [f"power of n, {where}", *(f"{_power(times, part):.2f}" for times in seconds.values())]
        for where, part in (
            (f"up to {LARGE:,}", [n <= LARGE for n in SIZES]),
            (f"from {LARGE:,} on", [n >= LARGE for n in SIZES]),
        )
    ]
    about = (
        "Normal numbers, 20 columns, 10 axes, float64; Gaussian kernel, exact to 1e-8·λ₁. Seconds "
        f"of the processor, of all cores together. {machine()}: `python "
        "benchmarks/side_by_side.py --growth --write`."
    )
    return f"# Growth with n\n\n{about}\n\n{table(['n', *METHODS], lines)}\n"


def _best(method: Callable[[], Any], n: int) -> float:
    """Return the seconds of a fit: the least of several for small ones, after one of its kind."""
    X = np.random.default_rng(0).standard_normal((n, 20))
    best, spent = np.inf, 0.0
    for turn in range(8):
        start = time.process_time()
        method().fit(X)
        taken = time.process_time() - start
        best, spent = min(best, taken), spent + taken
        if spent > 4.0 and (turn or n > LARGE):  # the first of all may have imported something
            break
    print(f"{n:,}: {best:.3g} s", flush=True)
    return best


def _power(seconds: list[float], part: list[bool]) -> float:
    n, t = np.log(np.array(SIZES)[part]), np.log(np.array(seconds)[part])
    return float(np.polyfit(n, t, 1)[0])
