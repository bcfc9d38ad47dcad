"""How often do the 95 % intervals and regions of a page hold what they are about?

    python benchmarks/covered.py [--designs TEXT ...] [--draws 200] [--processes 1] [--minutes 9]
        [--keep FOLDER] [--write]

Tables of a known population go through `gm.study`. Counted are the intervals of the
eigenvalues (do they hold the population's?) and the ellipses drawn on the map (do they hold the
place that a row has on the axes of the population?), where a page shows them. With --keep each
table is kept, and the next call goes on from there; --minutes ends a call in time. With --write the
table goes to benchmarks/results/coverage.md and into docs/claims.md. It needs NumPy, SciPy, pandas,
scikit-learn and this package.
"""

import os
import sys
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from scipy.spatial.distance import pdist, squareform  # noqa: E402
from scipy.special import ndtr  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.claim_designs import frame  # noqa: E402
from benchmarks.spread import Page, command  # noqa: E402
from gramian._study.stability import rows_with_ellipses  # noqa: E402

LARGE = 200_000  # rows that stand for a population


def normal(z, rng):
    """Return normal values as they are."""
    return z


def t3(z, rng):
    """Return rows of Student's distribution."""
    return z / np.sqrt(rng.chisquare(3, (len(z), 1)) / 3)


def t5(z, rng):
    """Return rows of Student's distribution with tails that are less long."""
    return z / np.sqrt(rng.chisquare(5, (len(z), 1)) / 5)


def uniform(z, rng):
    """Return columns without tails."""
    return ndtr(z)


def lognormal(z, rng):
    """Return skewed columns."""
    return np.exp(z)


# name: rows, the loadings of two factors, the shape of the values
DESIGNS = {
    "normal 100 × 5": (100, 5, (2.0, 1.2), normal),
    "normal 300 × 10": (300, 10, (1.5, 1.0), normal),
    "normal 20 × 10": (20, 10, (2.0, 1.2), normal),
    "normal 12 × 6": (12, 6, (2.0, 1.2), normal),
    "normal 30 × 60": (30, 60, (2.0, 1.2), normal),
    "t3 rows 60 × 5": (60, 5, (2.0, 1.2), t3),
    "lognormal 60 × 5": (60, 5, (2.0, 1.2), lognormal),
    "uniform 100 × 6": (100, 6, (1.5, 1.0), uniform),
    "t5 rows 200 × 4": (200, 4, (2.0, 1.2), t5),
    "two axes nearly alike 100 × 7": (100, 7, (1.0, 1.7), normal),
    "weak axes 100 × 10": (100, 10, (0.8, 0.6), normal),
}
OBJECTS = {"distances of 40 points in 6": (40, 6)}


def draw(n, p, sizes, shape, rng):
    """Return rows with two factors, the one on the first columns and the other on the rest."""
    z = rng.standard_normal((n, p))
    z[:, : p // 2 + 1] += sizes[0] * rng.standard_normal((n, 1))
    z[:, p // 2 + 1 :] += sizes[1] * rng.standard_normal((n, 1))
    return shape(z / np.sqrt(1 + sizes[0] ** 2), rng)


@cache
def population(name):
    """Return means, deviations, eigenvalues and axes of a large sample."""
    X = draw(LARGE, *DESIGNS[name][1:], np.random.default_rng(0))
    mean, sd = X.mean(axis=0), X.std(axis=0)
    values, vectors = np.linalg.eigh(np.corrcoef(X.T))
    return mean, sd, values[::-1], vectors[:, ::-1]


def laid(F, Y):
    """Return a map turned onto another."""
    U, _, Vt = np.linalg.svd(Y.T @ F)
    return Y @ (U @ Vt)


def inside(regions, points):
    """Return which points lie in their ellipses."""
    a = np.radians(regions["angle"].to_numpy())
    d = points - regions[["x", "y"]].to_numpy()
    along, across = (
        d[:, 0] * np.cos(a) + d[:, 1] * np.sin(a),
        d[:, 1] * np.cos(a) - d[:, 0] * np.sin(a),
    )
    scale = np.maximum(regions[["major", "minor"]].to_numpy(), 1e-300)
    return (along / scale[:, 0]) ** 2 + (across / scale[:, 1]) ** 2 <= 1.0


def of_table(name, rng):
    """Return what the study of one table covers: two eigenvalues, and the share of ellipses."""
    mean, sd, values, vectors = population(name)
    X = draw(*DESIGNS[name], rng)
    study = gm.study(frame(X), seed=int(rng.integers(2**31)))
    record = study.evidence.directions
    spans = [None, None]
    if record.low_eigenvalue is not None:
        ends = zip(record.low_eigenvalue, record.high_eigenvalue, values[:2], strict=False)
        spans = [bool(low <= value <= high) if low == low else None for low, high, value in ends]
    return [*spans, ellipses(study, (X - mean) / sd @ vectors[:, :2])]


def of_distances(name, rng):
    """Return the share of ellipses of a map of distances that hold their point's place."""
    n, p = OBJECTS[name]
    X = rng.standard_normal((n, p)) * [3.0, 2.0, *[1.0] * (p - 2)]
    labels = [f"r{i}" for i in range(n)]
    D = pd.DataFrame(squareform(pdist(X)), index=labels, columns=labels)
    study = gm.study(gm.io.Source("distances", labels, distances=D), seed=int(rng.integers(2**31)))
    return [None, None, ellipses(study, X[:, :2] - X[:, :2].mean(axis=0))]


def ellipses(study, truth):
    """Return the share of the ellipses that a page draws, None where it draws none."""
    if study.places is None:
        return None
    F = np.asarray(study.fit.coordinates_)[:, :2]
    drawn = rows_with_ellipses(study)
    return float(inside(study.places.iloc[drawn], laid(F, truth)[drawn]).mean())


def share(answers):
    """Return how many of those that were shown hold, in percent."""
    shown = [float(each) for each in answers if each is not None]
    return f"{100 * np.mean(shown):.0f} ({len(shown)})" if shown else "not shown"


def one(name, seed):
    """Return what one table of a design covers."""
    rng = np.random.default_rng([seed, *name.encode()])
    begin = time.perf_counter()
    made = (of_distances if name in OBJECTS else of_table)(name, rng)
    return {"held": made, "seconds": time.perf_counter() - begin}


def line(name, results):
    """Return a row of the table."""
    columns = zip(*(result["held"] for result in results), strict=True)
    return f"| {name} | {' | '.join(share(column) for column in columns)} |"


PAGE = Page(
    "Coverage of 95 % intervals and regions",
    "coverage",
    "claims",
    "coverage",
    "| design | eigenvalue 1 | eigenvalue 2 | ellipses |\n|---|---|---|---|",
)


if __name__ == "__main__":
    command(__doc__, [*DESIGNS, *OBJECTS], one, line, PAGE, count=("--draws", 200))
