"""Row blocks, memory budgets, threads."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import gramian as gm
from gramian._core.parallel import (
    available_memory,
    budget_bytes,
    format_bytes,
    is_shared,
    n_threads,
    one_blas_thread,
    parallel_map,
    require_memory,
    row_blocks,
    single_threaded,
)
from gramian.errors import InputError, MemoryBudgetError


@pytest.mark.parametrize(("n", "size"), [(10, 4), (10, 10), (10, 11), (10, 1), (0, 5)])
def test_blocks_cover_every_row_once(n, size):
    blocks = list(row_blocks(n, size))
    assert [i for b in blocks for i in range(n)[b]] == list(range(n))
    assert all(0 < b.stop - b.start <= size for b in blocks)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (1000, 1000),
        (1e6, 1_000_000),
        ("500MB", 500_000_000),
        ("500 mb", 500_000_000),
        ("2GB", 2_000_000_000),
        ("1.5G", 1_500_000_000),
        ("1GiB", 2**30),
        ("64KiB", 2**16),
        ("10 kB", 10_000),
        ("3T", 3_000_000_000_000),
        ("4TiB", 4 * 2**40),
        ("123", 123),
    ],
    ids=str,
)
def test_sizes(text, size):
    assert budget_bytes(text) == size


@pytest.mark.parametrize(
    "value", ["", "much", "-1GB", "1.2.3GB", "GB", 0, -5, True, float("nan"), "0"], ids=repr
)
def test_sizes_that_are_none_are_refused(value):
    with pytest.raises(InputError, match="memory"):
        budget_bytes(value)


def test_without_a_budget_half_of_the_free_memory(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel.available_memory", lambda: 10_000)
    assert budget_bytes(None) == 5_000


def test_available_memory_is_positive():
    assert available_memory() > 1 << 20


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (2.5e6, "2.5 MB"), (3.2e9, "3.2 GB")],
)
def test_sizes_for_people(size, text):
    assert format_bytes(size) == text


def test_require():
    require_memory(100, 100, "a table", "do less")
    with pytest.raises(MemoryBudgetError, match=r"a table needs 2 GB.*1 GB.*do less") as caught:
        require_memory(2e9, 10**9, "a table", "do less")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, MemoryError)


def test_spread_visits_every_item_once_and_repeats(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 3)
    shares = parallel_map(list, list(range(10)))
    assert len(shares) == 3
    assert sorted(i for share in shares for i in share) == list(range(10))
    assert shares == parallel_map(list, list(range(10)))


def test_spread_uses_threads_and_holds_blas_to_one(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 2)
    meeting = threading.Barrier(2, timeout=20)

    def work(items):
        meeting.wait()  # both workers are here at the same time
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    for counts in parallel_map(work, [0, 1]):
        assert counts and set(counts) == {1}


def test_spread_over_one_item_and_none():
    assert parallel_map(sum, [5]) == [5]
    assert parallel_map(sum, []) == [0]


def test_an_error_in_a_worker_surfaces(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 2)

    def work(items):
        raise KeyError(items[0])

    with pytest.raises(KeyError):
        parallel_map(work, [1, 2, 3])


def test_at_least_one_thread():
    assert n_threads() >= 1


@pytest.mark.slow
def test_little_work_is_not_shared(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 4)
    for operations, shares in ((1e3, 1), (5e6, 1), (9e6, 2), (1e9, 4)):
        assert len(parallel_map(list, list(range(10)), operations)) == shares


def test_work_that_is_shared_is_not_shared_again(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel._cores", lambda: 3)
    monkeypatch.setattr("gramian._core.parallel._blas_threads", lambda: 3)
    assert n_threads() == 3
    inner = parallel_map(lambda share: (n_threads(), len(parallel_map(list, [1, 2, 3]))), [1, 2, 3])
    assert inner == [(1, 1)] * 3
    with one_blas_thread():  # it holds BLAS, not the threads over its blocks
        assert n_threads() == 3


def test_the_limits_of_others_hold_for_our_threads(monkeypatch):
    monkeypatch.setattr("gramian._core.parallel._cores", lambda: 8)
    with threadpool_limits(1):
        assert n_threads() == 1
        assert len(parallel_map(list, [1, 2, 3])) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "most"), [("1", 1), ("2", 2)])
def test_the_number_of_threads_of_the_environment_is_obeyed(asked, most):
    code = "import gramian._core.parallel as b; b._cores = lambda: 8; print(b.n_threads())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"OMP_NUM_THREADS": asked, "OPENBLAS_NUM_THREADS": asked},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) <= most


def _threads_of_blas():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_the_last_of_two_holders_gives_back_the_threads_of_blas():
    """The first to come is the first to go: what the other found, one thread, is not what stays."""
    came, goes = threading.Event(), threading.Event()
    seen = []

    def other():
        with one_blas_thread():
            came.set()
            goes.wait(20)
            seen.append(_threads_of_blas())

    with threadpool_limits(2, "blas"):
        thread = threading.Thread(target=other)
        with one_blas_thread():
            thread.start()
            assert came.wait(20)
        assert _threads_of_blas() == {1}  # the other still works
        goes.set()
        thread.join()
        assert seen == [{1}]
        assert _threads_of_blas() == {2}


def test_a_task_of_a_scheduler_has_one_thread(monkeypatch):
    """Ours and those of BLAS, also where no environment of a worker says so."""
    monkeypatch.setattr("gramian._core.parallel._cores", lambda: 3)
    with threadpool_limits(2):
        with single_threaded():
            assert n_threads() == 1 and _threads_of_blas() == {1} and is_shared()
        assert n_threads() == 2 and _threads_of_blas() == {2} and not is_shared()


def test_a_small_fit_uses_one_thread_and_shares_nothing(monkeypatch):
    """60 × 4: whatever it does is not dealt out, and BLAS is not left with fewer threads."""
    monkeypatch.setattr("gramian._core.parallel._cores", lambda: 8)
    monkeypatch.setattr(
        "gramian._core.parallel.ThreadPoolExecutor", lambda *_: pytest.fail("a thread was started")
    )
    X = np.random.default_rng(0).standard_normal((60, 4))
    with threadpool_limits(2, "blas"):
        for fit in (gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2), gm.MDS(2, n_init=1)):
            before = threading.active_count()
            fit.fit(X)
            assert threading.active_count() == before
        assert _threads_of_blas() == {2}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fit", "n"), [(gm.PCA(3), 20_000), (gm.KernelPCA(3), 3_000)], ids=["PCA", "KernelPCA"]
)
def test_a_context_manager_of_threads_is_obeyed_by_a_large_fit(fit, n, monkeypatch):
    monkeypatch.setattr("gramian._core.parallel._cores", lambda: 8)
    most = [0]

    class Counted(ThreadPoolExecutor):
        def __init__(self, workers):
            most[0] = max(most[0], workers + 1)
            super().__init__(workers)

    monkeypatch.setattr("gramian._core.parallel.ThreadPoolExecutor", Counted)
    X = np.random.default_rng(0).standard_normal((n, 90))
    for threads in (3, 1):
        most[0] = 1
        with threadpool_limits(threads, "blas"):
            fit.fit(X)
        assert most[0] == threads
