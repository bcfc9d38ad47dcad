"""How often the page names something about rows drawn at random, and how often a planted column.

`python -m benchmarks.selections [--draws 4000]` prints a table in Markdown. The description is
computed by the JavaScript of the page, in chromium.
"""

import argparse

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright
from tests.browser.conftest import launch

import gramian as gm
from gramian._browser.map import bundle, payload

SHIFTS = (2, 6)  # standard deviations by which a planted column differs
PLANTED = 20  # tables with a planted column


def tables(rng):
    """Return tables with normal, long-tailed, few and many columns, and with categories."""
    wide = pd.DataFrame(rng.normal(size=(24, 500))).add_prefix("g")
    tails = pd.DataFrame(rng.standard_cauchy((150, 12))).add_prefix("t")
    mixed = pd.DataFrame(rng.lognormal(size=(200, 5))).add_prefix("x")
    mixed["colour"] = rng.choice(list("abcdefgh"), 200)
    mixed["rare"] = rng.choice(["no", "yes"], 200, p=[0.97, 0.03])
    return {
        "normal, 300 × 8": (gm.PCA(3), pd.DataFrame(rng.normal(size=(300, 8))).add_prefix("n")),
        "Cauchy, 150 × 12": (gm.PCA(3, scale=True), tails),
        "wide, 24 × 500": (gm.PCA(3), wide),
        "mixed, 200 × 7": (gm.FAMD(3), mixed),
        "iris, correlated": (gm.PCA(3, scale=True), gm.datasets.iris().data),
    }


DESCRIBE = """([header, draws]) => { const p = decode(header);
  return draws.map((rows) => describeRows(p, rows).findings.map((f) => f.column.name)); }"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=4_000)
    draws = parser.parse_args().draws
    rng = np.random.default_rng(0)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        page.add_script_tag(content=bundle("describe.js"))
        moved = f"planted column named, moved by {SHIFTS[0]}; {SHIFTS[1]} sd"
        print(
            f"| table | rows drawn | named something, {draws} draws | {moved} |\n|---|---|---|---|"
        )
        for name, (estimator, X) in tables(rng).items():
            n = len(X)
            sent = payload(estimator.fit(X)).as_json()
            column = next(c for c in X if pd.api.types.is_numeric_dtype(X[c]))
            for m in (max(3, n // 20), n // 4, n // 2):
                rows = [np.sort(rng.choice(n, m, replace=False)) for _ in range(draws)]
                found = page.evaluate(DESCRIBE, [sent, [r.tolist() for r in rows]])
                share = np.mean([bool(names) for names in found])
                error = np.sqrt(share * (1 - share) / draws)
                hits = "; ".join(
                    f"{np.mean([planted(page, estimator, X, column, r, k) for r in some]):.0%}"
                    for some, k in ((rows[:PLANTED], k) for k in SHIFTS)
                )
                print(f"| {name} | {m} | {share:.1%} ± {error:.1%} | {hits} |", flush=True)
        browser.close()


def planted(page, estimator, X, column, rows, shift):
    """Whether a column that was shifted in some rows is named for them."""
    moved = X.copy()
    spread = float(np.subtract(*np.percentile(X[column], [84, 16]))) / 2
    moved.iloc[rows, list(X).index(column)] += shift * spread
    found = page.evaluate(DESCRIBE, [payload(estimator.fit(moved)).as_json(), [rows.tolist()]])
    return str(column) in found[0]


if __name__ == "__main__":
    main()
