"""A cluster of two processes for all tests that need one, and a client for those of a module."""

import dask
import pytest
from dask.distributed import Client, LocalCluster

# On a busy machine a restart may take longer than a local cluster waits for it.
PATIENT = {
    "distributed.scheduler.allowed-failures": 10,
    "distributed.deploy.lost-worker-timeout": "600s",
}


@pytest.fixture(scope="session")
def cluster():
    with (
        dask.config.set(PATIENT),
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    """Where dask computes, while the tests of a module run."""
    with Client(cluster) as client:
        yield client
