"""A map whose caller works as well."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gramian._estimators.stress import numba_loops
from gramian._estimators.stress.best_of_starts import side_by_side


@pytest.mark.parametrize("others", [0, 1, 3])
@pytest.mark.parametrize("count", [1, 2, 17])
def test_every_part_is_done_once_and_in_order(others, count):
    seen = []

    def work(part):
        seen.append(part)
        return part * part

    with ThreadPoolExecutor(max(others, 1)) as pool:
        results = list(side_by_side(pool, others)(work, list(range(count))))
    assert results == [k * k for k in range(count)]
    assert sorted(seen) == list(range(count))


def test_threads_work_side_by_side():
    meeting = threading.Barrier(2, timeout=20)
    with ThreadPoolExecutor(1) as pool:
        run = side_by_side(pool, 1)
        assert len(set(run(lambda _: (meeting.wait(), threading.get_ident())[1], [0, 1]))) == 2


def test_a_thread_that_does_not_wake_is_not_waited_for():
    busy = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(busy.wait, 20)
        assert side_by_side(pool, 1)(lambda part: part, [1, 2, 3]) == [1, 2, 3]
        assert not busy.is_set()
        busy.set()


def test_an_error_of_a_thread_surfaces():
    raised = threading.Event()

    def work(part):
        if threading.current_thread() is threading.main_thread():
            return raised.wait(20)
        raised.set()
        raise KeyError(part)

    with ThreadPoolExecutor(1) as pool, pytest.raises(KeyError):
        side_by_side(pool, 1)(work, [0, 1])


def test_the_pass_over_pairs_is_the_same_for_every_number_of_threads():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((600, 2))
    D = np.abs(rng.standard_normal((600, 600)))
    alone, stress = numba_loops.ratio_pass(D + D.T, np.empty((0, 0)), X)
    with ThreadPoolExecutor(2) as pool:
        both = numba_loops.ratio_pass(D + D.T, np.empty((0, 0)), X, side_by_side(pool, 2))
    assert np.array_equal(both[0], alone) and both[1] == stress
