"""The comparisons, one function each: jobs in, a Markdown section out."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.data import make
from benchmarks.runner import Outcome, accuracy, run, table

__all__ = ["SUITES"]

P, Q = 20, 10


def _scale(kind: str, n: int, p: int) -> float:
    from gramian.kernels import median_scale

    return median_scale(make(kind, n, p)[:2000])


def _job(method: str, kind: str, n: int, dtype: str = "float64", **more: Any) -> dict[str, Any]:
    p, scale = more.pop("p", P), more.pop("scale", None)
    job = {"method": method, "kind": kind, "n": n, "p": p, "dtype": dtype, "q": Q}
    return job | {"scale": _scale(kind, n, p) if scale is None else scale} | more


def _ratio(ours: Outcome | None, theirs: Outcome | None) -> float | None:
    return None if ours is None or theirs is None else theirs.seconds / ours.seconds


def _row(ours: Outcome | None, theirs: Outcome | None, truth: Outcome | None) -> list[Any]:
    """Seconds, ratio, memory and accuracy of both."""
    cells: list[Any] = []
    for outcome in (ours, theirs):
        cells += [None] * 3 if outcome is None else [outcome.seconds, outcome.megabytes]
        if outcome is not None:
            error, angle = (None, None) if truth is None else accuracy(outcome, truth)
            cells.append(None if error is None else f"{error:.1e}, {angle:.1e}")
    return [*cells, _ratio(ours, theirs)]


HEAD = ["ours s", "MB", "error, angle", "theirs s", "MB", "error, angle", "times faster"]


def kernel_pca(sizes: list[int], kinds: list[str]) -> str:
    """Exact kernel PCA, top 10, against scikit-learn's fastest solver, in double and single."""
    rows = []
    for n in sizes:
        for kind in kinds:
            truth = run(_job("gramian", kind, n, options={"tol": 1e-10}))
            ours = run(_job("gramian", kind, n, repeats=2))
            arpack = {"eigen_solver": "arpack"}
            peers = [("float64, default", arpack), ("float64, tol=1e-4", arpack | {"tol": 1e-4})]
            for label, options in peers if n <= 20_000 else []:
                theirs = run(_job("sklearn", kind, n, options=options))
                rows.append([n, kind, label, *_row(ours, theirs, truth)])
            if n > 20_000:
                rows.append([n, kind, "float64", *_row(ours, None, truth)])
            fits = n <= 50_000
            theirs = run(_job("sklearn", kind, n, "float32", options=arpack)) if fits else None
            tol, single = _as_exact(kind, n, theirs, truth)
            rows.append([n, kind, f"float32, tol={tol:g}", *_row(single, theirs, truth)])
            print(table(["n", "data", "precision", *HEAD], rows[-3:]), flush=True)
    title = (
        f"## Exact kernel PCA (Gaussian, p = {P}, top {Q}, ours to 1e-8·λ₁ in double precision)\n\n"
    )
    return title + table(["n", "data", "precision", *HEAD], rows)


def _as_exact(
    kind: str, n: int, theirs: Outcome | None, truth: Outcome | None
) -> tuple[float, Outcome | None]:
    """Return our run in single precision at the loosest tolerance that is as exact as theirs."""
    for tol in (1e-4, 1e-5):
        ours = run(_job("gramian", kind, n, "float32", repeats=2, options={"tol": tol}))
        if ours is None or theirs is None or truth is None:
            continue
        pairs = zip(accuracy(ours, truth), accuracy(theirs, truth), strict=True)
        if all(mine <= other for mine, other in pairs):
            break
    return tol, ours


def small(sizes: list[int], kinds: list[str]) -> str:
    """Small n, against all three of scikit-learn's solvers."""
    rows = []
    for n in sizes:
        for kind in kinds:
            ours = run(_job("gramian", kind, n, repeats=5))
            solvers = [("dense", 5 if n <= 1000 else 1), ("arpack", 5), ("randomized", 5)]
            all_ = [
                run(_job("sklearn", kind, n, repeats=r, options={"eigen_solver": s}))
                for s, r in solvers
            ]
            times = [None if o is None else o.seconds for o in all_]
            best = min(t for t in times if t is not None)
            rows.append([n, kind, ours and ours.seconds, *times, ours and best / ours.seconds])
    head = [
        "n",
        "data",
        "ours s",
        "dense s",
        "arpack s",
        "randomized s",
        "times faster than fastest",
    ]
    return "## Small n\n\n" + table(head, rows)


def transform(sizes: list[int], kinds: list[str]) -> str:
    """As many new points as training points."""
    rows = []
    for n in sizes:
        for kind in kinds:
            ours = run(_job("gramian transform", kind, n, repeats=3))
            theirs = run(_job("sklearn transform", kind, n, repeats=3))
            rows.append([n, kind, *_row(ours, theirs, None)])
    return "## transform of n new points on n training points\n\n" + table(
        ["n", "data", *HEAD], rows
    )


def nystrom(sizes: list[int], kinds: list[str]) -> str:
    """Nyström kernel PCA against scikit-learn's Nystroem and PCA."""
    rows = []
    for n in sizes:
        for kind in kinds:
            for p in (10, 64):
                for rank in (100, 200, 500):
                    options = {"rank": rank, "landmarks": "rpcholesky"}
                    ours = run(_job("gramian nystrom", kind, n, p=p, repeats=2, options=options))
                    peer = {"rank": rank}
                    theirs = run(_job("sklearn nystrom", kind, n, p=p, repeats=2, options=peer))
                    rows.append([n, kind, p, rank, *_row(ours, theirs, None)])
    return "## Nyström kernel PCA\n\n" + table(["n", "data", "p", "rank", *HEAD], rows)


def landmarks(sizes: list[int], kinds: list[str]) -> str:
    """How many uniform landmarks reach the trace error of randomly pivoted Cholesky."""
    from gramian import Nystrom
    from gramian.kernels import Gaussian

    times = [1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24]
    rows = []
    for n in sizes:
        for kind in kinds:
            for p in (10, 64):
                # At the median distance a crowd hides the rare groups: a scale that sees both.
                scale = p**0.5 if kind == "rare" else _scale(kind, n, p)
                X, kernel = make(kind, n, p), Gaussian(scale)
                for k in (50, 100):

                    def error(rank: int, how: str, X: Any = X, kernel: Any = kernel) -> float:
                        fits = [
                            Nystrom(rank, kernel=kernel, landmarks=how, random_state=s).fit(X)
                            for s in range(3)
                        ]
                        return float(np.mean([fit.approximation_error_ for fit in fits]))

                    pivoted = error(k, "rpcholesky")
                    same = error(k, "uniform")
                    reach = (t for t in times if error(int(k * t), "uniform") <= pivoted)
                    found = next(reach, None)
                    more = f"> {times[-1]}" if found is None else f"{found:g}"
                    rows.append([kind, p, k, pivoted, same, more])
                    print(rows[-1], flush=True)
    head = ["data", "p", "rank k", "error, pivoted", "error, uniform", "uniform needs times k"]
    return f"## Landmarks (n = {sizes[0]}, mean of 3 seeds)\n\n" + table(head, rows)


def million(sizes: list[int], kinds: list[str]) -> str:
    """Randomly pivoted Cholesky at rank 500."""
    rows = []
    options = {"rank": 500, "landmarks": "rpcholesky"}
    for n in sizes:
        for kind in kinds:
            for dtype in ("float64", "float32"):
                ours = run(_job("gramian nystrom", kind, n, dtype, options=options))
                rows.append([n, kind, dtype, ours and ours.seconds, ours and ours.megabytes])
                print(rows[-1], flush=True)
    head = ["n", "data", "precision", "s", "MB beyond the data"]
    return "## Nyström kernel PCA of a million points, rank 500\n\n" + table(head, rows)


def pca(sizes: list[int], kinds: list[str]) -> str:
    """PCA of long, large and wide tables against the solvers of scikit-learn."""
    cases = [
        ("gauss", 1_000_000, 100, ["covariance_eigh"]),
        *[(kind, 10_000, 5_000, ["arpack"]) for kind in ("low rank", "decaying", "gauss")],
        *[(kind, 200, 20_000, ["full", "arpack"]) for kind in ("low rank", "decaying", "gauss")],
    ]
    rows = []
    for kind, n, p, solvers in cases:
        ours = run(_job("gramian pca", kind, n, p=p, scale=1.0, repeats=5))
        for solver in solvers:
            options = {"solver": solver}
            theirs = run(_job("sklearn pca", kind, n, p=p, scale=1.0, repeats=5, options=options))
            rows.append([kind, f"{n} × {p}", solver, *_row(ours, theirs, ours)])
    return "## PCA, top 10\n\n" + table(["data", "size", "their solver", *HEAD], rows)


def growth(sizes: list[int], kinds: list[str]) -> str:
    """How time grows with n: the exponent of a power law."""
    rows = []
    for kind in kinds:
        for dtype in ("float64", "float32"):
            times = [run(_job("gramian", kind, n, dtype, repeats=2)) for n in sizes]
            seconds = [t.seconds for t in times if t is not None]
            slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
            rows.append([kind, dtype, *seconds, float(slope)])
    return "## Growth\n\n" + table(["data", "precision", *map(str, sizes), "exponent"], rows)


def gpu(sizes: list[int], kinds: list[str]) -> str:
    """Exact kernel PCA, transform and PCA on a GPU."""
    from benchmarks import gpu as on_gpu

    parts = [on_gpu.correctness(), on_gpu.features(), on_gpu.transform(sizes[-1])]
    return "\n\n".join([on_gpu.device_line(), *parts, on_gpu.products(sizes)])


# name: the function, its sizes and its data
SUITES: dict[str, tuple[Any, list[int], list[str]]] = {
    "kernel-pca": (kernel_pca, [10_000, 20_000], ["gauss", "clusters", "roll"]),
    "large": (kernel_pca, [50_000, 100_000], ["gauss", "clusters", "roll"]),
    "small": (small, [500, 1000, 2000, 3000], ["gauss", "clusters", "roll"]),
    "transform": (transform, [10_000], ["gauss"]),
    "nystrom": (nystrom, [50_000], ["clusters", "rare", "gauss"]),
    "landmarks": (landmarks, [20_000], ["rare", "clusters", "roll", "gauss"]),
    "million": (million, [1_000_000], ["clusters"]),
    "pca": (pca, [], []),
    "gpu": (gpu, [65_536, 300_000, 1_000_000], []),
    "growth": (growth, [2000, 5000, 10_000, 20_000, 50_000], ["gauss"]),
}
