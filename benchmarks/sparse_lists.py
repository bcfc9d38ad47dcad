"""False and missed names in the lists of `gm.SparsePCA(...).select`.

`python -m benchmarks.sparse_lists --jobs N` writes benchmarks/results/sparse_lists.md.
"""

from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product

import numpy as np

import gramian as gm
from benchmarks.runner import job_options, write_page

TABLES = 500
DESIGNS = {  # rows, columns, true names on each axis, size of the factors, law of the noise
    "60 × 200, two axes of 8": (60, 200, (8, 8), 1.5, "normal"),
    "60 × 200, two axes of 8, t5": (60, 200, (8, 8), 1.5, "t5"),
    "20 × 500, one axis of 15": (20, 500, (15,), 2.0, "normal"),
    "100 × 50, two axes of 5": (100, 50, (5, 5), 1.2, "normal"),
    "60 × 200, nothing": (60, 200, (0,), 0.0, "normal"),
}


def counts(design: str, bound: float, seed: int) -> tuple[float, float]:
    """Return the mean number of false names on an axis, and the share of true ones found."""
    n, p, sizes, strength, law = DESIGNS[design]
    rng = np.random.default_rng([seed, len(design)])
    X = rng.standard_normal((n, p)) if law == "normal" else rng.standard_t(5, (n, p)) / 1.29
    truth, start = [], 0
    for k, size in enumerate(sizes):
        X[:, start : start + size] += strength * (1.0 - 0.25 * k) * rng.standard_normal((n, 1))
        truth.append(set(range(start, start + size)))
        start += size
    fit = gm.SparsePCA(len(sizes)).fit(X)
    table = fit.select(false_names=bound, n_resamples=50, random_state=seed)
    table["place"] = table["variable"].str[1:].astype(int)
    found = [set(part.loc[part["selected"], "place"]) for _, part in table.groupby("axis")]
    # Axes of nearly equal inertia may change places.
    orders = [truth] if len(truth) == 1 else [truth, truth[::-1]]
    best = max(orders, key=lambda o: sum(len(a & b) for a, b in zip(found, o, strict=True)))
    false = np.mean([len(a - b) for a, b in zip(found, best, strict=True)])
    total = sum(sizes)
    hit = sum(len(a & b) for a, b in zip(found, best, strict=True)) / total if total else np.nan
    return float(false), float(hit)


def rows(options: Namespace) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| table | stated at most | false names | found |\n|---|---|---|---|"
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, bound in product(DESIGNS, (0.5, 1.0, 2.0)):
            work = partial(counts, name, bound)
            false, hit = np.array(list(pool.map(work, range(options.tables), chunksize=5))).T
            error = false.std(ddof=1) / np.sqrt(len(false))
            found = "" if np.isnan(hit.mean()) else f"{hit.mean():.0%}"
            yield f"| {name} | {bound:g} | {false.mean():.2f} ({error:.2f}) | {found} |"


def main() -> None:
    options = job_options(TABLES)
    about = (
        f"Mean over {options.tables} tables (Monte-Carlo error) of the number of false names on "
        "an\naxis, beside the stated bound, and the share of true names found.\n"
        "`python -m benchmarks.sparse_lists`."
    )
    write_page("sparse_lists", "False names in the lists of gm.SparsePCA", about, rows(options))


if __name__ == "__main__":
    main()
