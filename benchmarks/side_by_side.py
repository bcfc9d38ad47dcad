"""Two versions of the library, in turn, on the same fits.

    python benchmarks/side_by_side.py OLD NEW [--rounds 3] [--write]

OLD and NEW are folders that hold `gramian` (the `src` of two checkouts). Each round starts one
process a version; the best time of all rounds counts. With --write the table goes to
benchmarks/results/side_by_side.md.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

RESULT = Path(__file__).resolve().parent / "results" / "side_by_side.md"


def best(call, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def jobs():
    """Yield name, call and repeats of every fit."""
    import gramian as gm

    rng = np.random.default_rng(0)
    for n in (100, 500, 1_000):
        X = rng.standard_normal((n, 20))
        gm.KernelPCA(5).fit(X)
        yield f"kernel PCA {n} × 20, 5 axes", lambda X=X: gm.KernelPCA(5).fit(X), 40
    X = rng.standard_normal((10_000, 20))
    k = gm.kernels.Gaussian(4.0)
    single = X.astype("f4")
    yield "kernel PCA 10,000 × 20, 10 axes", lambda: gm.KernelPCA(10, kernel=k).fit(X), 3
    call = lambda: gm.KernelPCA(10, kernel=k, tol=1e-6).fit(single)  # noqa: E731
    yield "kernel PCA 10,000 × 20, 10 axes, float32", call, 4
    fitted, new = gm.KernelPCA(10, kernel=k).fit(X), X + 0.01
    yield "transform 10,000 on 10,000", lambda: fitted.transform(new), 4
    for shape in ((150, 4), (1_797, 64), (5_000, 100)):
        X = rng.standard_normal(shape)
        size = f"{shape[0]:,} × {shape[1]}"
        yield f"PCA {size}, fit", lambda X=X: gm.PCA(3).fit(X), 60
        yield f"PCA {size}, fit_transform", lambda X=X: gm.PCA(3).fit_transform(X), 60
    wide = rng.standard_normal((200, 20_000))
    yield "PCA 200 × 20,000, fit", lambda: gm.PCA(3).fit(wide), 12
    long = rng.standard_normal((1_000_000, 100))
    yield "PCA 1,000,000 × 100, fit", lambda: gm.PCA(3).fit(long), 6
    points = rng.standard_normal((2_000, 10))
    D = gm.distances.euclidean(points)
    scaling = gm.ClassicalMDS(2, metric="precomputed")
    yield "classical MDS of 2,000 × 2,000 distances", lambda: scaling.fit(D), 2
    few = points[:300]
    yield "MDS 300 × 10, 50 steps", lambda: gm.MDS(2, n_init=1, max_iter=50).fit(few), 10


def measure():
    warnings.simplefilter("ignore")
    print(json.dumps({name: best(call, repeats) for name, call, repeats in jobs()}))


def run(folder):
    command = [sys.executable, __file__, "--measure"]
    found = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": folder}, capture_output=True, text=True, check=True
    )
    return json.loads(found.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.measure:
        return measure()
    rounds = [[run(folder) for folder in options.folders] for _ in range(options.rounds)]
    lines = ["| fit | old ms | new ms | old/new |", "|---|---|---|---|"]
    for name in rounds[0][0]:
        old, new = (min(r[k][name] for r in rounds) for k in (0, 1))
        lines.append(f"| {name} | {1e3 * old:.2f} | {1e3 * new:.2f} | {old / new:.2f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.write:
        head = (
            "# Before and after fits became records\n\nBest of several, 2 cores, in turn; ratios "
        )
        RESULT.write_text(head + "between 0.9 and 1.1 are noise.\n\n" + text, encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
