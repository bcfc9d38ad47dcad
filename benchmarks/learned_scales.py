"""Accuracy on held-out rows with learned scales: `python -m benchmarks.learned_scales --jobs N`.

A kernel is resolved on one half of the rows, with columns scaled there, a kernel logistic
regression is fitted to them, and its accuracy is that on the other half.
"""

from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

import gramian as gm
from benchmarks.runner import job_options, write_page
from gramian.kernels import Gaussian

HALVES = 20


def real(name: str, rng: np.random.Generator, copies: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a data set with its classes, and shuffled copies of its columns beside it."""
    known = getattr(gm.datasets, name)()
    X, y = known.data.to_numpy(float), known.groups.iloc[:, 0].to_numpy(str)
    if len(X) > 300:
        some = rng.choice(len(X), 300, replace=False)
        X, y = X[some], y[some]
    return np.hstack([X, *(rng.permuted(X, axis=0) for _ in range(copies))]), y


def rings(rng: np.random.Generator, noise: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two rings, one around the other, and columns of noise."""
    y, t = rng.integers(0, 2, 200), rng.uniform(0.0, 2.0 * np.pi, 200)
    radius = 1.0 + y + 0.1 * rng.standard_normal(200)
    X = np.column_stack([radius * np.cos(t), radius * np.sin(t)])
    return np.hstack([X, rng.standard_normal((200, noise))]), y.astype(str)


def checkers(rng: np.random.Generator, noise: int) -> tuple[np.ndarray, np.ndarray]:
    """Return classes by the sign of a product of two columns that are independent, and noise."""
    X = rng.choice([-1.0, 1.0], (200, 2)) + 0.3 * rng.standard_normal((200, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    return np.hstack([X, rng.standard_normal((200, noise))]), y


TABLES = {
    "iris": lambda rng: real("iris", rng, 0),
    "iris, 8 shuffled columns": lambda rng: real("iris", rng, 2),
    "wine": lambda rng: real("wine", rng, 0),
    "wine, 52 shuffled columns": lambda rng: real("wine", rng, 4),
    "digits, 300 rows": lambda rng: real("digits", rng, 0),
    "digits, 64 shuffled columns": lambda rng: real("digits", rng, 1),
    "two rings, 2 columns of noise": lambda rng: rings(rng, 2),
    "two rings, 20 columns of noise": lambda rng: rings(rng, 20),
    "checkers, 2 columns of noise": lambda rng: checkers(rng, 2),
    "checkers, 20 columns of noise": lambda rng: checkers(rng, 20),
}


def accuracies(name: str, seed: int) -> list[float]:
    """Return the accuracy of the median scale, of learned scales and of those for the target."""
    rng = np.random.default_rng([seed, len(name)])
    X, y = TABLES[name](rng)
    order = rng.permutation(len(X))
    train, test = order[: len(X) // 2], order[len(X) // 2 :]
    size = X[train].std(axis=0)
    X = (X - X[train].mean(axis=0)) / np.where(size > 0, size, 1.0)
    chosen = gm.kernels.select(X[train], Gaussian(scale="learn"), y[train], random_state=seed)
    kernels = [Gaussian(), Gaussian(scale="learn"), chosen.best]
    fits = [gm.KernelLogisticRegression(kernel=k).fit(X[train], y[train]) for k in kernels]
    return [float(np.mean(fit.predict(X[test]) == y[test])) for fit in fits]


def rows(options: Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield '| table | median | `scale="learn"` | difference | for the target | difference |'
    yield "|---|---|---|---|---|---|"
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in TABLES:
            found = np.array(list(pool.map(partial(accuracies, name), range(options.tables))))
            gain = found[:, 1:] - found[:, :1]
            error = gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
            a, b, c = (f"{share:.1%}" for share in found.mean(axis=0))
            d, e = (f"{m:+.1%} ± {s:.1%}" for m, s in zip(gain.mean(axis=0), error, strict=True))
            yield f"| {name} | {a} | {b} | {d} | {c} | {e} |"


def main() -> None:
    options = job_options(HALVES)
    about = (
        "Accuracy of a kernel logistic regression on held-out halves of the rows: the median\n"
        'scale, one scale a column without the target (`Gaussian(scale="learn")`), and one for\n'
        "the target (`gm.kernels.select` with it, on the training half). Means over "
        f"{options.tables} halves; differences\nfrom the median scale with their Monte-Carlo "
        "errors. `python -m benchmarks.learned_scales`."
    )
    write_page("learned_scales", "Learned scales and the median scale", about, rows(options))


if __name__ == "__main__":
    main()
