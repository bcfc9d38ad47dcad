"""Fits over dask's blocks: two workers beside one, the client's memory, dask-ml, kills.

    python -m benchmarks.dask_scale scaling [--rows 40000]
    python -m benchmarks.dask_scale client [--rows 16000]
    python -m benchmarks.dask_scale peer --python PYTHON [--rows 2000000]
    python -m benchmarks.dask_scale kills [--kills 20]

`peer` needs the Python of an environment that has dask-ml and distributed. Each timing is the best
of several; every cluster is local, of processes with one thread each.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

OFFSET = 1e4
PEER = """
import json, sys, time
import dask, dask.array as da
from benchmarks.dask_scale import blocks, cluster
import dask.distributed
from dask_ml.decomposition import PCA

def main(n, p):
    with cluster(2):
        X = blocks(n, p).persist()
        dask.distributed.wait(X)
        out = {}
        for solver in ("full", "randomized"):
            best = float("inf")
            for _ in range(3):
                start = time.perf_counter()
                fit = PCA(5, svd_solver=solver).fit(X)
                best = min(best, time.perf_counter() - start)
            n_ = X.shape[0]
            out[solver] = best, [float(v) * (n_ - 1) / n_ for v in fit.explained_variance_]
        print(json.dumps(out))

if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
"""


def cluster(workers: int) -> Any:
    """Start a local cluster, bound to loopback, and make it the default."""
    from dask.distributed import Client, LocalCluster

    local = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )
    return Client(local)


def block(k: int, rows: int, p: int) -> np.ndarray:
    """Return a block of rows with three long axes and a tail, far from the origin."""
    rng = np.random.default_rng(k)
    mixing = np.random.default_rng(99).standard_normal((3, p))
    return rng.standard_normal((rows, 3)) @ mixing + rng.standard_normal((rows, p)) + OFFSET


def blocks(n: int, p: int, count: int = 16) -> Any:
    """Return such rows as a dask array, made where they are needed."""
    import dask
    import dask.array as da

    made = dask.delayed(block)
    rows = n // count
    return da.concatenate(
        [da.from_delayed(made(k, rows, p), (rows, p), dtype=float) for k in range(count)]
    )


def best_of(times: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the shortest time of several, and what the last one gave."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        out = work()
        best = min(best, time.perf_counter() - start)
    return best, out


def scaling(n: int, times: int) -> dict[str, Any]:
    """Time exact kernel PCA on one worker and on two; tell the client's memory.

    By processor time a fit takes that of the client, where the scheduler is too, and of the busiest
    worker: what the clock would show if nobody else used the cores.
    """
    one, two = (_timed(workers, n, times) for workers in (1, 2))
    return {
        "rows": n,
        "one worker, s": one.clock,
        "two workers, s": two.clock,
        "gain": one.clock / two.clock,
        "processor: one worker, s": one.busy[0],
        "processor: two workers, s": sum(two.busy),
        "the busier one's share": max(two.busy) / sum(two.busy),
        "client and scheduler, s": f"{one.own:.3g}, {two.own:.3g}",
        "gain by processor time": one.longest / two.longest,
        "client grew by, MB": two.grown / 1e6,
        "V and coordinates, MB": 8 * n * (12 * (5 + 10)) / 1e6,
        "solver": two.solver,
    }


@dataclass(frozen=True)
class Timed:
    """The best of several fits: seconds by the clock, and of processors."""

    clock: float
    own: float
    busy: list[float]  # of each worker
    grown: int  # bytes of the client's memory, all fits together
    solver: str

    @property
    def longest(self) -> float:
        return self.own + max(self.busy)


def _timed(workers: int, n: int, times: int) -> Timed:
    import dask

    import gramian as gm

    with cluster(workers) as client:
        X = (blocks(n, 20, 16) - OFFSET).persist()
        dask.distributed.wait(X)
        estimator = gm.KernelPCA(5, kernel=gm.kernels.Gaussian(6.0))
        estimator.fit(X[:10_000])  # imports and compiles, for which fewer rows are too few
        before, fits = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, []
        for _ in range(times):
            busy, own = client.run(time.process_time), time.process_time()
            clock, fit = best_of(1, lambda: estimator.fit(X))
            own, after = time.process_time() - own, client.run(time.process_time)
            fits.append((clock, own, [after[name] - busy[name] for name in busy]))
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        client.cluster.close()
    least = min(fits, key=lambda fit: fit[1] + max(fit[2]))
    return Timed(min(fit[0] for fit in fits), *least[1:], grown, fit.solver_)


def client(n: int, p: int) -> dict[str, Any]:
    """Fit rows that make up most of the memory there is use of; tell what the client grew by."""
    import gramian as gm

    kernel = {"kernel": gm.kernels.Gaussian(float(p)), "tol": 1e-2}
    estimators = {
        "PCA": gm.PCA(2),
        "landmarks": gm.KernelPCA(2, approximation=gm.Nystrom(50, random_state=0), **kernel),
        "exact": gm.KernelPCA(2, **kernel),
    }
    out: dict[str, Any] = {"table, MB": 8 * n * p / 1e6}
    with cluster(2) as here:
        gm.KernelPCA(2).fit(blocks(2_000, 20))  # imports
        for name, estimator in estimators.items():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            estimator.fit(blocks(n, p))
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            out[f"{name}: client grew by, MB"] = 1024 * grown / 1e6
        here.cluster.close()
    sample = 8 * 2_000 * p
    out["four copies of the covariances, MB"] = 4 * 8 * p * p / 1e6
    out["a sample of 2,000 rows, MB"] = sample / 1e6
    out["V, coordinates and the sample, MB"] = (sample + 8 * n * 12 * (2 + 10)) / 1e6
    return out


def peer(n: int, p: int, python: str, times: int) -> dict[str, Any]:
    """Time PCA beside dask-ml's on a cluster of two workers, on rows that lie there."""
    import dask

    import gramian as gm

    here = {**os.environ, "PYTHONPATH": os.getcwd()}
    run = [python, "-c", PEER, str(n), str(p)]
    theirs = json.loads(
        subprocess.run(
            run, env=here, check=True, capture_output=True, text=True
        ).stdout.splitlines()[-1]
    )
    with cluster(2) as client:
        X = blocks(n, p).persist()
        dask.distributed.wait(X)
        gm.PCA(5).fit(X)  # imports
        seconds, fit = best_of(times, lambda: gm.PCA(5).fit(X))
        client.cluster.close()
    exact = _exact(n, p)
    out = {"rows": n, "gramian, s": seconds, "gramian, error": _error(fit.eigenvalues_, exact)}
    for solver, (took, values) in theirs.items():
        out |= {f"dask-ml {solver}, s": took, f"dask-ml {solver}, times": took / seconds}
        out[f"dask-ml {solver}, error"] = _error(values, exact)
    return out


def _exact(n: int, p: int, count: int = 16) -> np.ndarray:
    """The leading eigenvalues, from moments around the known offset, in extended precision."""
    total, mean = np.zeros((p, p), np.longdouble), np.zeros(p, np.longdouble)
    for k in range(count):
        Z = block(k, n // count, p) - OFFSET
        total += Z.T @ Z
        mean += Z.sum(axis=0)
    n = n // count * count
    C = np.asarray(total / n - np.outer(mean / n, mean / n), dtype=float)
    return np.linalg.eigvalsh(C)[::-1][:5]


def _error(values: Any, exact: np.ndarray) -> float:
    return float(np.abs(np.asarray(values) / exact - 1.0).max())


def kills(count: int, n: int) -> dict[str, Any]:
    """Kill a worker that is at work, again and again, while fits go on; compare what they give."""
    import dask

    import gramian as gm

    def work() -> Any:
        pca = gm.PCA(3).fit(X)
        kernel = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(6.0), tol=1e-11).fit(X)
        return pca.eigenvalues_, kernel.eigenvalues_, kernel.coordinates_

    patient = {
        "distributed.scheduler.allowed-failures": 1_000,
        "distributed.deploy.lost-worker-timeout": "600s",  # else a slow restart is given up
    }
    with dask.config.set(patient), cluster(2) as client:
        X = blocks(n, 10, 12) - OFFSET
        quiet, done, fits, worst = work(), 0, 0, 0.0
        out: list[Any] = []
        while done < count:
            thread = threading.Thread(target=lambda: out.append(work()))
            thread.start()
            while thread.is_alive():
                time.sleep(0.3)
                busy = [where for where, tasks in client.processing().items() if tasks]
                if len(client.nthreads()) < 2:  # a nanny gives up on one that dies while it starts
                    continue
                for nanny in list(client.cluster.workers.values()):
                    if done < count and nanny.worker_address in busy and nanny.pid:
                        os.kill(nanny.pid, signal.SIGKILL)
                        done += 1
                        break
            fits += 1
            gaps = (
                np.abs(a - b).max() / np.abs(b).max() for a, b in zip(out[-1], quiet, strict=True)
            )
            worst = max(worst, *gaps)
        client.cluster.close()
    return {"kills": done, "fits": fits, "largest difference": float(worst)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["scaling", "client", "peer", "kills"])
    parser.add_argument("--rows", type=int)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    if options.what == "scaling":
        result = scaling(options.rows or 40_000, options.times)
    elif options.what == "client":
        result = client(options.rows or 16_000, 1_000)
    elif options.what == "peer":
        result = peer(options.rows or 2_000_000, 50, options.python, options.times)
    else:
        result = kills(options.kills, options.rows or 3_000)
    for name, value in result.items():
        print(f"{name:>32}  {value:.4g}" if isinstance(value, float) else f"{name:>32}  {value}")


if __name__ == "__main__":
    main()
