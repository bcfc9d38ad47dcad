"""Columns that `why` names: `python -m benchmarks.why --jobs 16`.

Of 200 columns 15 are planted, of 60 rows: they share a factor ("axis"), or are shifted in a third
of the rows ("rows"); or none is ("noise", where every column named is false). Named are columns
with a corrected p-value of at most 0.1; for MCA all are cut into three levels.
"""

from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm
from benchmarks.runner import job_options, means, write_page

TABLES = 200
ROWS, COLUMNS, PLANTED, FDR = 60, 200, 15, 0.1


def bent(X: np.ndarray) -> Any:
    """Return a bent map of the first two components, read from outside."""
    Z = gm.PCA(2).fit_transform(X)
    return gm.read_map(np.tanh(Z / np.abs(Z).max()) + 0.01 * np.sin(9.0 * Z), X)


def categories(X: np.ndarray) -> Any:
    """Return the MCA of columns that are cut into three levels."""
    levels = np.array(["low", "middle", "high"])[np.digitize(X, (-0.5, 0.5))]
    return gm.MCA(2).fit(pd.DataFrame(levels).add_prefix("x"))


FITS: dict[str, Callable[[np.ndarray], Any]] = {
    "PCA(2)": gm.PCA(2).fit,
    "PCA(2, scale=True)": gm.PCA(2, scale=True).fit,
    "Gaussian kernel PCA": gm.KernelPCA(2).fit,
    "ClassicalMDS, manhattan": gm.ClassicalMDS(2, metric="manhattan").fit,
    "map read": bent,
    "MCA": categories,
}


def one(task: tuple[str, str, int]) -> tuple[float, float]:
    """Return the share of false names, and that of planted columns named."""
    name, what, seed = task
    rng = np.random.default_rng([seed, *what.encode()])
    X = rng.standard_normal((ROWS, COLUMNS))
    if what == "rows":
        X[: ROWS // 3, :PLANTED] += 1.8
        answer = FITS[name](X).why(rows=np.arange(ROWS // 3))
    else:
        X[:, :PLANTED] += (what == "axis") * rng.standard_normal((ROWS, 1))
        answer = FITS[name](X).why(axis=1)
    q = answer["q_value"].to_numpy().reshape(COLUMNS, -1).min(axis=1)  # the best of its levels
    named, planted = q <= FDR, np.arange(COLUMNS) < (what != "noise") * PLANTED
    false = named[~planted].sum() / max(named.sum(), 1)
    return float(false), float(named[planted].mean()) if planted.any() else float("nan")


def shares(name: str, what: str, tables: int, pool: Any = None) -> np.ndarray:
    """Return the two shares of each table, (tables, 2)."""
    tasks = [(name, what, seed) for seed in range(tables)]
    return np.array(list((pool.map if pool else map)(one, tasks)))


def rows(options: Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| fit | question | false among the named | planted columns named |"
    yield "|---|---|---|---|"
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, what in product(FITS, ("axis", "rows", "noise")):
            cells = means(shares(name, what, options.tables, pool))
            yield f"| {name} | {what} | {cells} |".replace("nan% ± nan%", "")


def main() -> None:
    options = job_options(TABLES)
    about = (
        f"{ROWS} rows, {PLANTED} of {COLUMNS} columns planted, corrected p-values up to {FDR};\n"
        f"means over {options.tables} tables and their Monte-Carlo errors.\n"
        f"`python -m benchmarks.why --tables {options.tables}`."
    )
    write_page("why", "Columns that `why` names", about, rows(options))


if __name__ == "__main__":
    main()
