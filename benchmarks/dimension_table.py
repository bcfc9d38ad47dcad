"""All rules on tables of known rank: how often does each find it?

    python benchmarks/dimension_table.py [--draws 200] [--permutations 39] [--write]

Pure noise is drawn three times as often: its rates are the small ones. With --write the table in
docs/dimension.md, between its two marks, is replaced.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from gramian.dimension import choose

PAGE = Path(__file__).resolve().parents[1] / "docs" / "dimension.md"
BEGIN, END = "<!-- table of rules by designs -->", "<!-- end of the table -->"


def planted(rng, n, p, sizes):
    """Return a table whose axes have these sizes, in units of the edge at which noise hides them.

    A spike of variance ℓ added to white noise is seen by PCA only if ℓ > √(p/n).
    """
    spikes = np.asarray(sizes) * np.sqrt(p / n)
    axes = np.linalg.qr(rng.standard_normal((p, len(spikes))))[0]
    return rng.standard_normal((n, len(spikes))) * np.sqrt(spikes) @ axes.T


def noise_tall(rng):
    return rng.standard_normal((150, 20))


def noise_wide(rng):
    return rng.standard_normal((50, 120))


def noise_skewed(rng):
    return rng.exponential(size=(100, 30))


def noise_columns(rng):
    return rng.standard_normal((120, 30)) * np.geomspace(0.3, 3.0, 30)


def noise_rows(rng):
    return rng.standard_normal((120, 40)) * np.geomspace(0.3, 3.0, 120)[:, None]


def rank3_tall(rng):
    return planted(rng, 200, 20, [14.0, 9.0, 6.0]) + rng.standard_normal((200, 20))


def rank3_wide(rng):
    return planted(rng, 60, 200, [10.0, 7.0, 5.0]) + rng.standard_normal((60, 200))


def giant(rng):
    return planted(rng, 200, 40, [300.0, 5.0]) + rng.standard_normal((200, 40))


def rank2_rows(rng):
    noise = rng.standard_normal((150, 40)) * np.geomspace(0.3, 3.0, 150)[:, None]
    return planted(rng, 150, 40, [60.0, 40.0]) + noise


def rank2_columns(rng):
    noise = rng.standard_normal((150, 40)) * np.geomspace(0.5, 2.0, 40)
    return planted(rng, 150, 40, [40.0, 27.0]) + noise


def rank2_correlated(rng, rho=0.3):
    noise = rng.standard_normal((150, 40))
    for j in range(1, 40):
        noise[:, j] = rho * noise[:, j - 1] + np.sqrt(1 - rho**2) * noise[:, j]
    return planted(rng, 150, 40, [24.0, 16.0]) + noise


DESIGNS = {  # name: (what it makes, rank, what it is)
    "noise n>p": (noise_tall, 0, "white noise, 150 × 20"),
    "noise n<p": (noise_wide, 0, "white noise, 50 × 120"),
    "skewed": (noise_skewed, 0, "exponential noise, 100 × 30"),
    "noise cols": (noise_columns, 0, "noise of unequal columns (deviations 0.3 to 3), 120 × 30"),
    "noise rows": (noise_rows, 0, "noise of unequal rows (deviations 0.3 to 3), 120 × 40"),
    "rank 3 n>p": (rank3_tall, 3, "three axes in white noise, 200 × 20"),
    "rank 3 n<p": (rank3_wide, 3, "three axes in white noise, 60 × 200"),
    "giant": (giant, 2, "a giant axis and a small one, 200 × 40"),
    "rank 2 cols": (rank2_columns, 2, "two axes, columns of unequal noise, 150 × 40"),
    "rank 2 rows": (rank2_rows, 2, "two axes, rows of unequal noise, 150 × 40"),
    "rank 2 corr": (rank2_correlated, 2, "two axes, neighbouring columns' noise correlated 0.3"),
}


def trial(name, draws, permutations):
    """Return, per rule, the numbers of axes found in all draws of a design."""
    make = DESIGNS[name][0]
    found = {}
    for k in range(draws):
        X = make(np.random.default_rng([k, *name.encode()]))
        chosen = choose(X, n_permutations=permutations, random_state=k)
        for rule, q in chosen["q"].items():
            found.setdefault(rule, []).append(q)
        found.setdefault("consensus", []).append(chosen.consensus)
    return {rule: np.array(q) for rule, q in found.items()}


def table(draws, permutations):
    columns = {}
    for name, (_, rank, _) in DESIGNS.items():
        start = time.perf_counter()
        found = trial(name, draws if rank else 3 * draws, permutations)
        columns[name] = {rule: round(100 * np.mean(q == rank)) for rule, q in found.items()}
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return pd.DataFrame(columns)


def markdown(found):
    head = "| rule | " + " | ".join(found.columns) + " |"
    rows = [
        f"| {rule} | " + " | ".join("–" if np.isnan(v) else f"{v:.0f}" for v in row) + " |"
        for rule, row in zip(found.index, found.to_numpy(), strict=True)
    ]
    return "\n".join([head, "|---" * (len(found.columns) + 1) + "|", *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--permutations", type=int, default=39)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    text = markdown(table(asked.draws, asked.permutations))
    print(text)
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
