"""Is the number of clusters right, and is a cloud without clusters left in one piece?

    python benchmarks/clusters.py [--designs TEXT ...] [--tables 100] [--processes 1] [--minutes 9]
        [--keep FOLDER] [--write]

Tables of cluster_designs.py go through `gm.clusters.find` on five axes of PCA, with the clusters
one after the other and with shuffled rows. Seeds: [table, bytes of the design's name]. With --write
the table goes to benchmarks/results/clusters.md and into docs/claims.md.
"""

import os
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.cluster_designs import CLUSTERS, SHAPES  # noqa: E402
from benchmarks.spread import Page, command  # noqa: E402

DESIGNS = CLUSTERS | {name: (make, 1) for name, make in SHAPES.items()}


def one(name: str, seed: int) -> dict:
    """Count the clusters of one table, as stored and shuffled."""
    begin = time.perf_counter()
    rng = np.random.default_rng([seed, *name.encode()])
    X = DESIGNS[name][0](rng)
    found = []
    for rows in (X, rng.permutation(X)):
        fit = gm.PCA(min(5, X.shape[1])).fit(rows)
        found.append(gm.clusters.find(fit, random_state=seed).n_clusters)
    return {"found": found, "seconds": time.perf_counter() - begin}


def line(name: str, results: list[dict]) -> str:
    """Return a row of the table."""
    truth, n = DESIGNS[name][1], len(results)
    cells = [name, str(truth), str(n)]
    for k in range(2):
        share = sum(r["found"][k] == truth for r in results) / n
        cells.append(f"{100 * share:.0f} ± {100 * np.sqrt(share * (1 - share) / n):.0f}")
    counts = Counter(r["found"][0] for r in results if r["found"][0] != truth)
    cells.append(", ".join(f"{k} ({c} of {n})" for k, c in sorted(counts.items())))
    return f"| {' | '.join(cells)} |"


PAGE = Page(
    "Number of clusters",
    "clusters",
    "claims",
    "clusters",
    "| design | clusters | tables | right %, in sequence | right %, shuffled | found instead |\n"
    "|---|---|---|---|---|---|",
)


if __name__ == "__main__":
    command(__doc__, list(DESIGNS), one, line, PAGE)
