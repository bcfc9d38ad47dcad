"""How often `gm.Design` finds a factor that is not there, and one that is.

`python -m benchmarks.designs --jobs N` writes benchmarks/results/designs.md.
"""

from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pandas as pd

import gramian as gm
from benchmarks.runner import job_options, write_page

TABLES = 2_000
PERMUTATIONS = 199
COLUMNS = 8
Drawn = tuple[np.ndarray, pd.DataFrame, str, dict[str, object]]


def balanced(rng: np.random.Generator) -> Drawn:
    """Two crossed factors, six rows a cell."""
    table = pd.DataFrame({"treatment": np.tile(list("ab"), 18), "time": np.repeat(list("123"), 12)})
    return rng.standard_normal((36, COLUMNS)), table, "treatment", {"formula": "treatment * time"}


def imbalance(rng: np.random.Generator) -> Drawn:
    """Cells of 2 to 16 rows, and a second factor with a large effect."""
    a = np.repeat(list("aabb"), [16, 5, 2, 13])
    b = np.repeat(list("xyxy"), [16, 5, 2, 13])
    X = rng.standard_t(5, (36, COLUMNS)) + 2.0 * (b == "x")[:, None]
    return (
        X,
        pd.DataFrame({"treatment": a, "other": b}),
        "treatment",
        {"formula": "treatment + other"},
    )


def batch(rng: np.random.Generator) -> Drawn:
    """Four batches with large shifts, treatment unequally spread over them."""
    b = np.repeat(np.arange(4), 10)
    treatment = np.concatenate([np.repeat(["a", "b"], [k, 10 - k]) for k in (8, 7, 3, 2)])
    X = rng.standard_normal((40, COLUMNS)) + 3.0 * rng.standard_normal((4, COLUMNS))[b]
    table = pd.DataFrame({"treatment": treatment, "batch": b.astype(str)})
    return X, table, "treatment", {"formula": "treatment", "remove": "batch"}


def noisy_batch(rng: np.random.Generator) -> Drawn:
    """The same, one batch four times as noisy."""
    X, table, term, options = batch(rng)
    size = np.where(table["batch"] == "3", 4.0, 1.0)[:, None]
    return rng.standard_normal(X.shape) * size + 0.0 * X, table, term, options


def _subjects(rng: np.random.Generator) -> tuple[np.ndarray, pd.DataFrame]:
    """Return sixteen subjects with a level of their own, measured three times."""
    subject = np.repeat(np.arange(16), 3)
    table = pd.DataFrame({"subject": subject.astype(str), "time": np.tile(list("123"), 16)})
    table["treatment"] = np.where(subject < 8, "a", "b")
    X = rng.standard_normal((48, COLUMNS)) + 2.0 * rng.standard_normal((16, COLUMNS))[subject]
    return X, table


def repeated(term: str, rng: np.random.Generator) -> Drawn:
    """Repeated measures: a factor between subjects, one within, their interaction."""
    X, table = _subjects(rng)
    return X, table, term, {"formula": "treatment * time", "within": "subject"}


def uneven(term: str, rng: np.random.Generator) -> Drawn:
    """The same with a quarter of the rows lost, and two batches of subjects."""
    X, table = _subjects(rng)
    table["batch"] = np.where(table["subject"].astype(int) % 8 < 3, "u", "v")
    X = X + 2.0 * (table["batch"] == "u").to_numpy()[:, None]
    kept = np.sort(rng.permutation(48)[:36])
    options = {"formula": "treatment * time", "within": "subject", "remove": "batch"}
    return X[kept], table.iloc[kept].reset_index(drop=True), term, options


DESIGNS = {
    "two factors, balanced": balanced,
    "two factors, unbalanced, t5": imbalance,
    "batches": batch,
    "batches, one noisier": noisy_batch,
    "repeated: between subjects": partial(repeated, "treatment"),
    "repeated: within subjects": partial(repeated, "time"),
    "repeated: interaction": partial(repeated, "treatment:time"),
    "repeated, rows lost, batches: between": partial(uneven, "treatment"),
    "repeated, rows lost, batches: within": partial(uneven, "time"),
    "repeated, rows lost, batches: interaction": partial(uneven, "treatment:time"),
}


def p_value(design: str, effect: float, seed: int) -> float:
    """Return the p-value of a term of one table, with an effect in half of the columns or none."""
    rng = np.random.default_rng([seed, len(design)])
    X, table, term, options = DESIGNS[design](rng)
    cells = table[term.split(":")].ne(table[term.split(":")].iloc[0]).all(axis=1).to_numpy()
    X = X + effect * cells[:, None] * (np.arange(COLUMNS) < COLUMNS // 2)
    fit = gm.Design(**options).fit(X, table)  # type: ignore[arg-type]
    found = fit.test(n_permutations=PERMUTATIONS, random_state=seed)
    return float(found.loc[term, "p_value"])


def cell(name: str, effect: float, tables: int, pool: ProcessPoolExecutor) -> str:
    """Return how often an effect of a design is found, with its Monte-Carlo error."""
    p = np.array(list(pool.map(partial(p_value, name, effect), range(tables), chunksize=20)))
    rate = float((p <= 0.05).mean())
    return f"{rate:.1%} ({(max(rate * (1 - rate), 1e-4) / tables) ** 0.5:.1%})"


def rows(options: Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| design | false | found |\n|---|---|---|"
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in DESIGNS:
            false, found = (cell(name, effect, options.tables, pool) for effect in (0.0, 1.5))
            yield f"| {name} | {false} | {found} |"


def main() -> None:
    options = job_options(TABLES)
    about = (
        f"{options.tables} tables of {COLUMNS} columns for each line, {PERMUTATIONS} permutations;"
        " an effect of\n1.5 standard deviations in half of the columns for the power. Monte-Carlo "
        "errors in\nbrackets. `python -m benchmarks.designs`."
    )
    title = "False and true findings of gm.Design at the 5 % level"
    write_page("designs", title, about, rows(options))


if __name__ == "__main__":
    main()
