"""Which learning curves are there? The prior of `networks/learning.py`, from simulated designs.

    python benchmarks/replicate_prior.py [--designs 100] [--kind gap | graded]

Random designs, none of them one of benchmarks/replicate_designs.py. With a gap between links and
no links: 30 to 150 genes in modules, links from 0.6 to 0.99, equal or spread, normal, lognormal and
t with 3 degrees of freedom (of samples or of genes), with as many edges as are planted. Graded
(benchmarks/replicate_graded.py): chains, trees, hubs, modules and factors of unequal loadings,
with as many edges as are significant in a table of 8 to 60 rows. The agreement of independent
experiments is computed at a dozen sizes; each family is fitted to it, and its two coefficients are
regressed on log((ρ − 1)/10), ρ the number of replicates at which agreement is 0.8.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from scipy.optimize import least_squares

from benchmarks import replicate_designs, replicate_graded
from benchmarks.replicate_designs import TARGET, Scene
from gramian.networks.learning import FAMILIES, GRADED

LAWS = ("normal", "normal", "normal", "lognormal", "t3", "t3 genes")
SIZES = {
    "gap": (3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33, 41, 50),
    "graded": (3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 66, 87, 115, 150, 200),
}
TRENDS = {"gap": 1.5, "graded": 3.0}
PAIRS, LEAST, MOST = 100, 0.05, 0.92


def design(rng):
    """Return a random design."""
    genes = int(np.exp(rng.uniform(np.log(30), np.log(150))))
    size = int(rng.integers(5, 16))
    modules = int(rng.integers(1, max(2, genes // (2 * size)) + 1))
    link, law = rng.uniform(0.6, 0.99), str(rng.choice(LAWS))
    spread = float(rng.choice([0.0, rng.uniform(0.0, 0.2)]))
    return Scene(genes, modules, size, link, (3, 3), law, spread)


def curve(scene, rng, kind):
    """Return sizes and the agreement at each, up to where it is nearly 1."""
    found = {}
    agreements = {"gap": replicate_designs, "graded": replicate_graded}[kind].agreements
    for r in SIZES[kind]:
        found[r] = np.mean([agreements(scene, rng, r, 25).mean() for _ in range(PAIRS // 25)])
        if found[r] > MOST or (r >= 12 and found[r] < 0.1):
            break
    return np.array(list(found)), np.array(list(found.values()))


def fitted(family, sizes, s):
    """Return log(ρ − 1), b and c."""
    x, start = np.log(sizes - 1.0), np.log(np.interp(TARGET, s, sizes) - 1.0)
    used = (s > LEAST) & (s < MOST)

    def misfit(q):
        L = x[used] - q[0]
        line = family.back(family.scale(np.array(TARGET)) + q[1] * L + q[2] * L**2)
        return (line - s[used]) / np.sqrt(s[used] * (1.0 - s[used]))

    return least_squares(misfit, [start, *family.mean]).x


def draw(rng, kind):
    if kind == "graded":
        return replicate_graded.design(rng)
    scene = design(rng)
    return replace(scene, spread=min(scene.spread, scene.correlation - 0.5))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=100)
    parser.add_argument("--kind", choices=list(SIZES), default="gap")
    asked = parser.parse_args()
    scales = {name: f for name, f in FAMILIES.items() if not name.startswith(GRADED)}
    rng, fits = np.random.default_rng(2024), {name: [] for name in scales}
    tried = 0
    while len(fits["probit"]) < asked.designs:
        tried += 1
        sizes, s = curve(draw(rng, asked.kind), rng, asked.kind)
        if s[-1] < TARGET or ((s > LEAST) & (s < MOST)).sum() < 4:
            continue
        for name, family in scales.items():
            fits[name].append(fitted(family, sizes, s))
    rho = 1.0 + np.exp([fit[0] for fit in fits["probit"]])
    print(f"{tried} designs drawn; r* from {rho.min():.0f} to {rho.max():.0f}", flush=True)
    for name, found in fits.items():
        at, b, c = np.array(found).T
        trend = TRENDS[asked.kind]
        A = np.stack([np.ones_like(at), np.clip(at - np.log(10.0), -trend, trend)], axis=1)
        lines, left = [], []
        for y in (b, c):
            coefficients = np.linalg.lstsq(A, y, rcond=None)[0]
            lines.append(coefficients)
            left.append(y - A @ coefficients)
        (b0, b1), (c0, c1) = lines
        sd, corr = np.std(left, axis=1), np.corrcoef(left)[0, 1]
        print(
            f"{name}: mean ({b0:.2f}, {c0:.2f}), trend ({b1:.2f}, {c1:.2f}), "
            f"sd ({sd[0]:.2f}, {sd[1]:.2f}), correlation {corr:.2f}, of {len(b)} designs",
            flush=True,
        )


if __name__ == "__main__":
    main()
