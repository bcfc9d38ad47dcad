"""Draws, resamples, parts of a study and graphs as tasks of a cluster: the same bits as here."""

import joblib
import numpy as np
import pytest
from distributed.comm import CommClosedError
from joblib._dask import DaskDistributedBackend
from tests.chunks.cases import spread

import gramian as gm
from gramian._core.parallel import distribute, map_in_order
from gramian.errors import ClusterError, InputError
from gramian.kernels import graph

pytestmark = pytest.mark.slow


@pytest.fixture
def submitted(client, monkeypatch):
    """Inside, work is for the cluster; what was sent there is counted."""
    sent = []
    submit = DaskDistributedBackend.submit

    def counted(self, *arguments, **options):
        sent.append(1)
        return submit(self, *arguments, **options)

    monkeypatch.setattr(DaskDistributedBackend, "submit", counted)
    return sent


def both(work, submitted):
    """Return what work gives here and on the cluster, after a look at who did it."""
    here = work()
    assert not submitted
    with joblib.parallel_config("dask"):
        there = work()
    assert submitted
    return here, there


@pytest.mark.parametrize("method", ["standard", "deflated"])
def test_parallel_analysis(submitted, method):
    """600 rows: draws are turns of one permutation, of which only what is needed may travel."""
    X = spread(600, 20)
    work = lambda: gm.dimension.parallel_analysis(  # noqa: E731
        X, n_permutations=199, method=method, random_state=3
    )
    here, there = both(work, submitted)
    np.testing.assert_array_equal(here.p_values, there.p_values)
    np.testing.assert_array_equal(here.reference, there.reference)


def test_parallel_analysis_of_a_kernel(submitted):
    X = spread(220, 10)
    fit = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(9.0)).fit(X)
    work = lambda: gm.dimension.choose(fit, rules=["parallel"], random_state=1)  # noqa: E731
    here, there = both(work, submitted)
    assert here.equals(there)


@pytest.mark.parametrize(
    "estimator", [gm.KernelPCA(2), gm.MDS(2, n_init=1, random_state=0)], ids=["kernel", "mds"]
)
def test_bootstrap(submitted, estimator):
    X = spread(60, 4)
    work = lambda: gm.stability.bootstrap(estimator, X, n_resamples=12, random_state=5)  # noqa: E731
    here, there = both(work, submitted)
    assert here.eigenvalues.equals(there.eigenvalues) and here.points.equals(there.points)


def test_replicate_study(submitted, tmp_path):
    rng = np.random.default_rng(1)
    X = np.repeat(rng.standard_normal((24, 4)), 3, axis=1) + 0.3 * rng.standard_normal((24, 12))
    condition, said = np.repeat(["control", "stress"], 12), []
    work = lambda: gm.networks.replicate_study(  # noqa: E731
        X,
        condition,
        n_resamples=6,
        n_permutations=19,
        random_state=0,
        progress=lambda done, total: said.append((done, total)),
    )
    here, there = both(work, submitted)
    assert here.curve.equals(there.curve) and here.recommended == there.recommended
    half = len(said) // 2
    assert said[:half] == said[half:] and said[-1][0] == said[-1][1]


def graphs(count, nodes, labels=False):
    rng = np.random.default_rng(0)
    out = []
    for _ in range(count):
        A = np.triu(rng.random((nodes, nodes)) < 0.3, 1).astype(float)
        out.append((A + A.T, list(rng.integers(0, 3, nodes))) if labels else A + A.T)
    return out


# Just before, the sum is over eigenpairs.
DIVERGES = max(np.linalg.eigvalsh(A)[-1] for A in graphs(40, 30)) ** -2.0


@pytest.mark.parametrize(
    ("kernel", "labels"),
    [
        (graph.HIM(), False),
        (graph.Diffusion(), False),
        (graph.RandomWalk(decay=DIVERGES * 0.99), False),
        (graph.RandomWalk(decay=0.001, labelled=True), True),
    ],
    ids=["him", "diffusion", "spectra", "labelled"],
)
def test_graphs(submitted, kernel, labels):
    X = graphs(40, 20 if labels else 30, labels)
    here, there = both(lambda: np.asarray(kernel.pairwise(X, X)), submitted)
    np.testing.assert_array_equal(here, there)


def test_other_backends_of_joblib_will_do():
    X = spread(60, 4)
    work = lambda: gm.stability.bootstrap(gm.KernelPCA(2), X, n_resamples=9, random_state=5)  # noqa: E731
    here = work()
    with joblib.parallel_config("threading", n_jobs=2):
        assert here.points.equals(work().points)


def double(share, by=2):
    return [by * x for x in share]


def fail(item):
    raise InputError(f"{item} is wrong")


def nested(item):
    """Work inside a task is done there, and not sent out again."""
    return distribute(double, [item, item + 1])


def test_the_order_is_that_of_the_items(submitted):
    for n in (0, 1, 2, 7, 100):
        items = np.arange(n)
        with joblib.parallel_config("dask"):
            assert distribute(double, items, 3) == distribute(double, items, 3, threads=False)
            assert [x for x in map_in_order(nested, range(3))] == [[0, 2], [2, 4], [4, 6]]
        assert distribute(double, items, 3) == list(3 * items)


def test_what_nobody_waits_for_is_given_up_in_silence(submitted):
    with joblib.parallel_config("dask"):
        answers = map_in_order(nested, range(20))
        assert next(answers) == [0, 2]
        answers.close()


def test_what_is_refused_there_is_refused_here(submitted):
    with joblib.parallel_config("dask"), pytest.raises(InputError, match=r"\d is wrong"):
        list(map_in_order(fail, [1, 2]))


def lost(item):
    raise CommClosedError("gone")


def test_a_lost_worker_is_said(submitted):
    with joblib.parallel_config("dask"), pytest.raises(ClusterError, match="dask lost"):
        list(map_in_order(lost, [1, 2]))
