"""Which rows of maps are called misplaced: `python -m benchmarks.places --jobs 16`.

Correct maps have no misplaced row; on the others 5 % of the rows are moved to the place of another
row that is farther on the map than a fourth of all rows.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import gramian as gm
from benchmarks.runner import job_options, means, write_page

TABLES = 200
Map = tuple[np.ndarray, np.ndarray]


def plane(rng: np.random.Generator, n: int, noise: float) -> Map:
    """Return ten columns near a plane, and their first two components."""
    X = rng.standard_normal((n, 2)) @ rng.standard_normal((2, 10))
    X += noise * rng.standard_normal(X.shape)
    return X, gm.PCA(2).fit_transform(X)


def tails(rng: np.random.Generator, n: int) -> Map:
    """Return the same with t3 rows and noise."""
    X = rng.standard_t(3, (n, 2)) @ rng.standard_normal((2, 10)) + 0.3 * rng.standard_t(3, (n, 10))
    return X, gm.PCA(2).fit_transform(X)


def groups(rng: np.random.Generator, n: int) -> Map:
    """Return five groups in twenty columns, without structure inside."""
    X = 4.0 * rng.standard_normal((5, 20))[rng.integers(0, 5, n)] + rng.standard_normal((n, 20))
    return X, gm.PCA(2).fit_transform(X)


def wide(rng: np.random.Generator, n: int) -> Map:
    """Return 300 columns with two axes in noise."""
    X = rng.standard_normal((n, 2)) @ rng.standard_normal((2, 300))
    X += 1.5 * rng.standard_normal(X.shape)
    return X, gm.PCA(2).fit_transform(X)


def kernel(rng: np.random.Generator, n: int) -> Map:
    """Return a plane in five columns, and its Gaussian kernel PCA."""
    X = rng.standard_normal((n, 2)) @ rng.standard_normal((2, 5))
    X += 0.1 * rng.standard_normal(X.shape)
    return X, gm.KernelPCA(2).fit_transform(X)


def roll(rng: np.random.Generator, n: int) -> Map:
    """Return a rolled sheet in space, and the sheet laid flat."""
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    X = np.column_stack([t * np.cos(t), 20 * rng.random(n), t * np.sin(t)])
    return X, np.column_stack([t, X[:, 1]])


def noise(rng: np.random.Generator, n: int) -> Map:
    """Return fifty columns of noise: their map shows little of it."""
    X = rng.standard_normal((n, 50))
    return X, gm.PCA(2).fit_transform(X)


DESIGNS: dict[str, Callable[[np.random.Generator], Map]] = {
    "plane, 100 rows": lambda rng: plane(rng, 100, 0.1),
    "plane, 500 rows": lambda rng: plane(rng, 500, 0.1),
    "plane in noise, 100 rows": lambda rng: plane(rng, 100, 0.5),
    "plane in noise, 500 rows": lambda rng: plane(rng, 500, 0.5),
    "t3, 200 rows": lambda rng: tails(rng, 200),
    "five groups, 300 rows": lambda rng: groups(rng, 300),
    "300 columns, 100 rows": lambda rng: wide(rng, 100),
    "Gaussian kernel PCA, 300 rows": lambda rng: kernel(rng, 300),
    "rolled sheet laid flat, 600 rows": lambda rng: roll(rng, 600),
    "noise, 200 rows": lambda rng: noise(rng, 200),
}


def one(task: tuple[str, int]) -> tuple[float, float, float]:
    """Return the share flagged on a correct map, and found and wrongly flagged on a faulty one."""
    design, seed = task
    rng = np.random.default_rng([seed, *design.encode()])
    X, Z = DESIGNS[design](rng)
    n = len(X)
    flagged = gm.read_map(Z, X).places()["misplaced"].mean()
    moved = rng.choice(n, max(n // 20, 2), replace=False)
    W = Z.copy()
    for i in moved:
        far = np.argsort(np.sum((Z - Z[i]) ** 2, axis=1))[n // 4 :]
        W[i] = Z[rng.choice(far)]
    found = gm.read_map(W, X).places()["misplaced"].to_numpy()
    right = np.setdiff1d(np.arange(n), moved)
    return float(flagged), float(found[moved].mean()), float(found[right].mean())


def shares(design: str, tables: int, pool: ProcessPoolExecutor | None = None) -> np.ndarray:
    """Return the three shares of each table, (tables, 3)."""
    tasks = [(design, seed) for seed in range(tables)]
    return np.array(list((pool.map if pool else map)(one, tasks)))


def rows(options: Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| map | flagged, correct map | displaced rows found | other rows flagged |"
    yield "|---|---|---|---|"
    with ProcessPoolExecutor(options.jobs) as pool:
        for design in DESIGNS:
            yield f"| {design} | {means(shares(design, options.tables, pool))} |"


def main() -> None:
    options = job_options(TABLES)
    about = (
        f"Mean over {options.tables} tables, Monte-Carlo error. On faulty maps 5 % of the rows\n"
        "are at the place of a row farther away than a fourth of all rows.\n"
        f"`python -m benchmarks.places --tables {options.tables}`."
    )
    write_page("places", "Rows that `places` calls misplaced", about, rows(options))


if __name__ == "__main__":
    main()
