"""False and missed names in the lists of `gm.SparsePCA(...).select`.

`python -m benchmarks.sparse_lists --jobs N` writes benchmarks/results/sparse_lists.md.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

import gramian as gm

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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", type=int, default=TABLES)
    options = parser.parse_args()
    lines = [
        "# False names in the lists of gm.SparsePCA",
        "",
        f"Mean over {options.tables} tables (Monte-Carlo error) of the number of false names on an",
        "axis, beside the stated bound, and the share of true names found.",
        "`python -m benchmarks.sparse_lists`.",
        "",
        "| table | stated at most | false names | found |",
        "|---|---|---|---|",
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        for name in DESIGNS:
            for bound in (0.5, 1.0, 2.0):
                work = partial(counts, name, bound)
                out = np.array(list(pool.map(work, range(options.tables), chunksize=5)))
                error = out[:, 0].std(ddof=1) / np.sqrt(len(out))
                hit = out[:, 1].mean()
                found = "" if np.isnan(hit) else f"{hit:.0%}"
                lines.append(
                    f"| {name} | {bound:g} | {out[:, 0].mean():.2f} ({error:.2f}) | {found} |"
                )
                print(lines[-1], flush=True)
    path = Path(__file__).parent / "results" / "sparse_lists.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
