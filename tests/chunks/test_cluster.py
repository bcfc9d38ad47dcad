"""Fits on a cluster of two processes: the same numbers, whoever is killed meanwhile."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import dask
import dask.array as da
import dask.dataframe
import numpy as np
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster
from tests.chunks.cases import agree, case, even, spread

import gramian as gm
from gramian.errors import ClusterError, InputError

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["ragged", "weighted", "far", "sparse", "frame"])
def test_pca(client, name):
    X, w, D = case(name)
    agree(gm.PCA(3).fit(D, sample_weight=w), D, gm.PCA(3).fit(X, None, w))


def test_kernel_pca(client):
    X = spread(500, 4)
    D = even(X)
    whole = gm.KernelPCA(3, tol=1e-11).fit(X)
    fit = gm.KernelPCA(3, tol=1e-11).fit(D)
    np.testing.assert_allclose(fit.coordinates_, whole.coordinates_, atol=1e-10)
    Z = fit.transform(even(X[:50] + 0.1)).compute()
    np.testing.assert_allclose(Z, whole.transform(X[:50] + 0.1), atol=1e-10)
    nystrom = gm.Nystrom(40, random_state=0)
    agree(
        gm.KernelPCA(3, approximation=nystrom).fit(D),
        D,
        gm.KernelPCA(3, approximation=nystrom).fit(X),
    )


@pytest.mark.parametrize("frame", [False, True], ids=["array", "frame"])
def test_rows_that_are_kept_on_the_cluster(client, frame):
    """Persisted collections hold futures, which dask's optimisation leaves out of their tasks."""
    X, rng = spread(500, 4), np.random.default_rng(0)
    w = rng.uniform(0.5, 2.0, 500)
    D = dask.dataframe.from_pandas(pd.DataFrame(X).add_prefix("x"), npartitions=4)
    D = D.persist() if frame else (da.from_array(X + 1.0, chunks=(125, 4)) - 1.0).persist()
    weights = None if frame else da.from_array(w, chunks=125).persist()
    plain = None if frame else w
    for estimator in (gm.PCA(2), gm.KernelPCA(2, kernel="gaussian", tol=1e-11)):
        fit = estimator.fit(D, sample_weight=weights)
        whole = estimator.__class__(**estimator.get_params()).fit(X, sample_weight=plain)
        np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-9)
        Z = np.asarray(fit.transform(D.loc[:99] if frame else D[:100]).compute())
        np.testing.assert_allclose(Z, whole.transform(X[:100]), atol=1e-8)


def test_nothing_is_gathered_but_what_was_asked_for(client, monkeypatch):
    """What comes back from the cluster, in bytes: moments, products of V, a sample."""
    seen = []
    compute = dask.compute

    def counted(*tasks, **options):
        out = compute(*tasks, **options)
        seen.append(len(pickle.dumps(out)))
        return out

    monkeypatch.setattr(dask, "compute", counted)
    n, p = 6_000, 50
    D = da.random.default_rng(0).standard_normal((n, p), chunks=(1_000, p))
    gm.PCA(3).fit(D)
    assert sum(seen) < 8 * (p * p + 4 * p) + 4_000
    seen.clear()
    gm.KernelPCA(2, approximation=gm.Nystrom(20, random_state=0)).fit(D)
    assert max(seen) < 8 * 2_000 * (p + 1) + 10_000  # a sample of 2,000
    seen.clear()
    m, q = 2_500, 2
    gm.KernelPCA(q, kernel=gm.kernels.Gaussian(9.0), tol=1e-2).fit(D[:m])
    *products, sample = sorted(seen)
    assert sample < 8 * 2_000 * p + 10_000
    assert products and max(products) < 8 * m * 2 * (q + 10) + 10_000


def kill_while(cluster, client, work, kills):
    """Run work in a thread, killing a worker whenever one is at work; return what it returns."""
    out = []
    thread = threading.Thread(target=lambda: out.append(work()))
    thread.start()
    done = 0
    while thread.is_alive() and done < kills:
        time.sleep(0.05)
        busy = [address for address, tasks in client.processing().items() if tasks]
        for nanny in cluster.workers.values():
            up = nanny.status.name == "running"  # a nanny gives up on one that dies as it starts
            if up and done < kills and nanny.worker_address in busy and nanny.pid:
                os.kill(nanny.pid, signal.SIGKILL)
                done += 1
    thread.join(120)
    assert out and done == kills
    return out[0]


def test_three_kills_change_nothing_but_the_time(cluster, client):
    X = spread(2_500, 5)
    D = da.from_array(X, chunks=(400, 5))
    kernel = gm.kernels.Gaussian(8.0)
    work = lambda: gm.KernelPCA(3, kernel=kernel, tol=1e-11).fit(D)  # noqa: E731
    undisturbed = work()
    fit = kill_while(cluster, client, work, 3)
    np.testing.assert_allclose(fit.eigenvalues_, undisturbed.eigenvalues_, rtol=1e-13)
    C = undisturbed.coordinates_
    np.testing.assert_allclose(fit.coordinates_, C, atol=1e-10 * np.abs(C).max())


def test_what_is_wrong_is_said_with_its_block(client):
    X = spread(400, 4)
    X[250, 2] = np.nan
    with pytest.raises(
        InputError, match=r"block 3 of X \(from row 200 on\).*NaN at row 250, column 2"
    ):
        gm.PCA(2).fit(even(X))


@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2)], ids=["pca", "pairs"])
def test_a_block_that_always_kills_its_worker(estimator):
    """Dask tries it on one worker more than it allows to fail, three by default, and gives up."""
    X = spread(400, 4)
    X[100:200] = 0.0
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster),
        pytest.raises(
            ClusterError, match=r"^block 2 of X \(from row 100 on\): .*KilledWorker"
        ) as error,
    ):
        estimator.fit(even(X).map_blocks(killed_by_zeros, dtype=float))
    assert type(error.value.__cause__).__name__ == "KilledWorker"


def killed_by_zeros(block):
    if block.size and not block.any():
        os.kill(os.getpid(), signal.SIGKILL)
    return block


def test_a_lost_scheduler_is_said(tmp_path):
    """In words, and as soon as dask gives up on it: after 30 seconds where nothing else is set."""
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        pair(tmp_path, PYTHONPATH=os.pathsep.join(sys.path)) as scheduler,
    ):
        threading.Timer(2.0, scheduler.kill).start()
        with pytest.raises(ClusterError, match="dask lost what it was computing"):
            gm.PCA(2).fit(slow_rows())


def test_machines_without_the_code_are_said(tmp_path):
    """`slowly` lives in a module that the scheduler's machine does not have."""
    with (
        pair(tmp_path, PYTHONPATH=""),
        pytest.raises(ClusterError, match="must be installed there too"),
    ):
        gm.PCA(2).fit(slow_rows())


def slow_rows():
    return da.from_array(spread(4_000, 5), chunks=(100, 5)).map_blocks(slowly, dtype=float)


@contextmanager
def pair(folder, **environment):
    """A scheduler and a worker as processes of their own, and a client of theirs."""
    with (
        started("scheduler", folder, environment, "--host", "127.0.0.1", "--port", "0") as first,
        started("worker", folder, environment, "--nthreads", "1", "--no-nanny"),
        Client(scheduler_file=str(folder / "file"), timeout=30) as client,
    ):
        client.wait_for_workers(1, timeout=30)
        yield first


@contextmanager
def started(what, folder, environment, *options):
    """Start a scheduler or a worker as a process of its own."""
    own = ["--scheduler-file", str(folder / "file"), "--no-dashboard", *options]
    command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *own]
    process = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, cwd=folder, env=os.environ | environment
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def slowly(block):
    time.sleep(0.2)
    return block
