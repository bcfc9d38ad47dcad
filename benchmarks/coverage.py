"""How often do the 95 % intervals and regions of a page hold what they are about?

    python benchmarks/coverage.py [--draws 200] [--designs TEXT ...] [--write]

Tables of a known population go through the analysis of a study. Counted are the intervals of the
eigenvalues (do they hold the population's?), the ellipses of the rows on the map (do they hold the
place that a row has on the axes of another sample, and on those of the population?) and the bound
of the angles (is the angle to the population's axis below it?). With --write the table goes to
benchmarks/results/coverage.md. It needs NumPy, SciPy, pandas, scikit-learn and this package.
"""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from gramian.evidence import directions  # noqa: E402
from gramian.studies.places import ellipses, places  # noqa: E402

PAGE = ROOT / "results" / "coverage.md"
RESAMPLES = 100
LARGE = 200_000  # rows that stand for a population


def normal(z, rng):
    """Return normal values as they are."""
    return z


def t3(z, rng):
    """Return rows of Student's distribution."""
    return z / np.sqrt(rng.chisquare(3, (len(z), 1)) / 3)


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
    "two axes nearly alike 100 × 6": (100, 6, (1.5, 1.45), normal),
}


def draw(n, p, sizes, shape, rng):
    """Return rows with two factors, the one on the first columns and the other on the rest."""
    z = rng.standard_normal((n, p))
    z[:, : p // 2 + 1] += sizes[0] * rng.standard_normal((n, 1))
    z[:, p // 2 + 1 :] += sizes[1] * rng.standard_normal((n, 1))
    return shape(z / np.sqrt(1 + sizes[0] ** 2), rng)


def population(design):
    """Return means, deviations, eigenvalues and axes of a large sample."""
    X = draw(LARGE, *design[1:], np.random.default_rng(0))
    mean, sd = X.mean(axis=0), X.std(axis=0)
    values, vectors = np.linalg.eigh(np.corrcoef(X.T))
    return mean, sd, values[::-1], vectors[:, ::-1]


def axes(Z, q=2):
    """Return the first axes of centred columns, (p, q)."""
    return np.linalg.svd(Z, full_matrices=False)[2][:q].T


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


def one(design, truth, rng):
    """Return what one table covers."""
    n, mean, sd, values, vectors = design[0], *truth
    X = draw(*design, rng)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    record = directions(Z, 2, rng=rng, n_resamples=RESAMPLES)
    V = axes(Z)
    F = Z @ V
    regions = ellipses(places(Z, F, RESAMPLES, rng, True), range(n))
    other = draw(*design, rng)
    centre, size = other.mean(axis=0), other.std(axis=0)
    again = laid(F, (X - centre) / size @ axes((other - centre) / size))
    fixed = laid(F, (X - mean) / sd @ vectors[:, :2])
    turned = np.degrees(np.arccos(np.minimum(np.abs((V * vectors[:, :2]).sum(axis=0)), 1.0)))
    spans = None
    if record.low_eigenvalue is not None:
        spans = [
            low <= value <= high if np.isfinite(low) else None
            for low, high, value in zip(
                record.low_eigenvalue, record.high_eigenvalue, values[:2], strict=True
            )
        ]
    bounds = [
        t <= high if ok else None
        for t, high, ok in zip(turned, record.high, record.identified, strict=True)
    ]
    return {
        "eigenvalues": spans or [None, None],
        "sample": inside(regions, again).mean(),
        "population": inside(regions, fixed).mean(),
        "angles": bounds,
    }


def share(answers):
    """Return how many of those that were shown hold."""
    shown = [bool(each) for each in answers if each is not None]
    return f"{100 * np.mean(shown):.0f} ({len(shown)})" if shown else "not shown"


def line(name, draws):
    """Return a row of the table."""
    design = DESIGNS[name]
    truth, rng = population(design), np.random.default_rng([7, *name.encode()])
    results = [one(design, truth, rng) for _ in range(draws)]
    cells = [share(r["eigenvalues"][k] for r in results) for k in (0, 1)]
    cells += [f"{100 * np.mean([r[key] for r in results]):.0f}" for key in ("sample", "population")]
    cells += [share(r["angles"][k] for r in results) for k in (0, 1)]
    return f"| {name} | {' | '.join(cells)} |"


HEAD = (
    "| design | eigenvalue 1 | eigenvalue 2 | ellipse, another sample | ellipse, population "
    "| angle 1 | angle 2 |\n|---|---|---|---|---|---|---|"
)


def main():
    """Count, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--designs", nargs="*", default=[""])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = [HEAD]
    print(HEAD, flush=True)
    for name in DESIGNS:
        if any(text in name for text in options.designs):
            lines.append(line(name, options.draws))
            print(lines[-1], flush=True)
    if options.write:
        PAGE.write_text("# Coverage, % (of so many shown)\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
