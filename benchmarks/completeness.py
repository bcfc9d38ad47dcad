"""Does any solver miss an axis? Structured problems against LAPACK, and the certificate's level.

    python -m benchmarks.completeness --problems 200 --seed 0

Tight small groups among isolated points, several scales at once, repeated blocks, in random order:
what a sample of the points knows nothing of. Each problem is fitted exactly and, where it applies,
from a Nyström start, and its eigenvalues are held against those of the whole matrix.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import gramian as gm
from gramian._array import torch_module

k = gm.kernels
KERNELS: dict[str, Callable[[], gm.kernels.Kernel]] = {
    "Gaussian": lambda: k.Gaussian(1.0),
    "Exponential": lambda: k.Exponential(1.0),
    "Matern 3/2": lambda: k.Matern(nu=1.5, scale=1.0),
    "RationalQuadratic": lambda: k.RationalQuadratic(scale=0.3, alpha=2.0),
    "Laplacian": lambda: k.Laplacian(1.0),
}
RESULTS = Path(__file__).parent / "results" / "completeness.md"


def tight_groups(n: int, rng: np.random.Generator) -> np.ndarray:
    """Some groups of a few equal or nearly equal points among isolated ones."""
    X = rng.standard_normal((n, 10)) * 10
    order, start = rng.permutation(n), 0
    for _ in range(int(rng.integers(3, 16))):
        size = int(rng.integers(2, 9))
        members = order[start : start + size]
        X[members] = X[members[0]] + rng.choice([0.0, 0.01, 0.3]) * rng.standard_normal((size, 10))
        start += size
    return X


def scales(n: int, rng: np.random.Generator) -> np.ndarray:
    """Clusters whose widths differ by powers of ten, some of a few points."""
    parts, left = [], n
    while left > 0:
        size = min(left, int(np.exp(rng.uniform(np.log(2), np.log(n / 8)))))
        width = 10.0 ** rng.uniform(-3, 1.3)
        parts.append(rng.standard_normal(6) * 30 + width * rng.standard_normal((size, 6)))
        left -= size
    return rng.permutation(np.concatenate(parts))


def repeated(n: int, rng: np.random.Generator) -> np.ndarray:
    """The same small block of points in many places, and isolated points."""
    block = rng.standard_normal((int(rng.integers(3, 9)), 5)) * 0.4
    copies = int(rng.integers(5, max(6, n // (4 * len(block)))))
    X = rng.standard_normal((n, 5)) * 60
    for j in range(copies):
        rows = slice(j * len(block), (j + 1) * len(block))
        X[rows] = block + rng.standard_normal(5) * 60
    return rng.permutation(X)


def ordinary(n: int, rng: np.random.Generator) -> np.ndarray:
    """A cloud in which every point says something of the others."""
    return rng.standard_normal((n, 4)) * 0.7 ** np.arange(4) * rng.uniform(0.3, 3)


DESIGNS = {f.__name__: f for f in (tight_groups, scales, repeated, ordinary)}


@dataclass(frozen=True)
class Outcome:
    """How one fit compares with the whole spectrum."""

    design: str
    kernel: str
    n: int
    how: str
    missed: float  # the largest relative shortfall of an eigenvalue
    holds: bool  # whether no eigenvalue left out exceeds the level
    level: float  # over the last eigenvalue
    residual: float


def centred_spectrum(kernel: gm.kernels.Kernel, X: np.ndarray, most: int, gpu: bool) -> np.ndarray:
    """The largest eigenvalues of the centred Gram matrix over n, by LAPACK or cuSOLVER."""
    K = np.asarray(kernel.pairwise(X, X))
    K -= K.mean(axis=0)
    K -= K.mean(axis=1, keepdims=True)
    K /= len(K)
    return (_gpu_eigenvalues(K) if gpu else np.linalg.eigvalsh(K))[::-1][:most]


def _gpu_eigenvalues(K: np.ndarray) -> np.ndarray:
    torch = torch_module()
    return torch.linalg.eigvalsh(torch.as_tensor(K, device="cuda")).cpu().numpy()


def problem(
    seed: int, smallest: int, largest: int, refine: bool = True, gpu: bool = False
) -> list[Outcome]:
    """Fit one problem in several ways."""
    rng = np.random.default_rng(seed)
    design = list(DESIGNS)[seed % len(DESIGNS)]
    name = list(KERNELS)[int(rng.integers(len(KERNELS)))]
    n = int(np.exp(rng.uniform(np.log(smallest), np.log(largest))))
    q = int(rng.integers(1, 13))
    X, kernel = DESIGNS[design](n, rng), KERNELS[name]()
    truth = centred_spectrum(kernel, X, q + 40, gpu)
    ways: dict[str, gm.Nystrom | None] = {"exact": None}
    for rank in (50, 200) if refine else ():
        ways[f"refine, rank {rank}"] = gm.Nystrom(rank=rank, refine=True, random_state=seed)
    outcomes = []
    for how, approximation in ways.items():
        est = gm.KernelPCA(
            q, kernel=kernel, approximation=approximation, solver="krylov", random_state=seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            est.fit(X)
        values, certificate = est.eigenvalues_, est.certificate_
        short = float(np.max((truth[:q] - values) / np.maximum(truth[:q], 1e-300)))
        # The q axes take q of the true values; what is left may not exceed the level.
        rest = np.sort(truth)[::-1].tolist()
        for value in values:
            rest.pop(int(np.argmin(np.abs(np.asarray(rest) - value))))
        holds = max(rest) <= certificate.level * (1 + 1e-9)
        worst = float(est.residuals_.max() / truth[0])
        level = certificate.level / max(values[-1], 1e-300)
        outcomes.append(Outcome(design, name, n, how, short, holds, level, worst))
    return outcomes


def outcomes_of(options: argparse.Namespace) -> list[Outcome]:
    """Run all problems, on several processes where that is asked for."""
    seeds = range(options.seed, options.seed + options.problems)
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        sizes = {"smallest": options.smallest, "largest": options.largest}
        work = partial(problem, **sizes, refine=not options.exact, gpu=options.gpu)
        for seed, some in zip(seeds, pool.map(work, seeds), strict=True):
            outcomes += some
            print(seed, some[0].design, some[0].kernel, some[0].n, flush=True)
            for outcome in some:
                if outcome.missed > 1e-6 or not outcome.holds:
                    print(seed, outcome, flush=True)
    return outcomes


def table_of(outcomes: list[Outcome]) -> str:
    """Counts by design and way."""
    lines = ["| design | way | problems | axes missed | level broken | level over last axis |"]
    lines.append("|---|---|---|---|---|---|")
    for design, how in product(DESIGNS, dict.fromkeys(o.how for o in outcomes)):
        some = [o for o in outcomes if (o.design, o.how) == (design, how)]
        levels = [o.level for o in some]
        lines.append(
            f"| {design} | {how} | {len(some)} | {sum(o.missed > 1e-6 for o in some)} | "
            f"{sum(not o.holds for o in some)} | {np.median(levels):.2f}, worst {max(levels):.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run, print, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smallest", type=int, default=500)
    parser.add_argument("--largest", type=int, default=6000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--gpu", action="store_true", help="the truth by cuSOLVER")
    parser.add_argument("--exact", action="store_true", help="leave out the Nyström starts")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    begin = time.perf_counter()
    table = table_of(outcomes_of(options))
    print(f"n = {options.smallest:,} to {options.largest:,}\n\n{table}")
    print(f"{time.perf_counter() - begin:.0f} s")
    if options.write:
        RESULTS.write_text(f"# No axis is missed\n\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
