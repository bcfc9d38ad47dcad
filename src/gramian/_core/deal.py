"""Work on many things, each on its own: by the cores here, or by the workers of joblib.

Who wants draws, resamples or pairs done elsewhere says so as for scikit-learn: inside
`joblib.parallel_config("dask")` they are tasks of the dask cluster there is, and any other backend
of joblib will do. The numbers are the same, to the last bit.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from gramian._core.blocks import alone, is_shared, one_blas_thread, spread
from gramian.errors import ClusterError

T = TypeVar("T")
_CLUSTER_LIBRARIES = ("distributed", "tornado")  # whose errors are about machines
_EACH = 4  # tasks for each worker, so that nobody waits long for the last one


def dealt(
    work: Callable[..., Sequence[T]],
    items: Any,
    *common: Any,
    threads: bool = True,
) -> list[T]:
    """Return what work(share, *common) gives of shares of the items, one thing each, in order.

    Parameters
    ----------
    work : function
        Of some of the items and of what is common to all; returns one thing for each item.
    items : sequence that can be sliced
    *common : objects
    threads : bool
        Whether cores share the work where nobody else does.

    Examples
    --------
    >>> dealt(lambda share, power: [x**power for x in share], [1, 2, 3, 4], 2)
    [1, 4, 9, 16]
    """
    jobs = n_jobs()
    if jobs > 1 and len(items) > 1:
        size = -(-len(items) // (_EACH * jobs))
        shares = [items[start : start + size] for start in range(0, len(items), size)]
        with one_blas_thread():  # workers that are threads of this process share its BLAS
            return [one for part in _elsewhere(work, shares, common) for one in part]
    if not threads:
        return list(work(items, *common))
    parts = spread(lambda share: work(share, *common), items)
    out: list[T] = [None] * len(items)  # type: ignore[list-item]
    for k, part in enumerate(parts):
        out[k :: len(parts)] = part
    return out


def in_turn(work: Callable[..., T], items: Sequence[Any], *common: Any) -> Iterator[T]:
    """Go through what work(item, *common) gives, in order.

    What is done elsewhere is done ahead; what is done here may take all cores itself.

    >>> list(in_turn(lambda x, power: x**power, [1, 2, 3], 2))
    [1, 4, 9]
    """
    if n_jobs() > 1:
        return iter(_elsewhere(work, items, common))
    return (work(item, *common) for item in items)


def n_jobs() -> int:
    """Return how many workers the caller asked joblib for; 1 inside work that is shared already."""
    if is_shared():
        return 1
    from joblib import effective_n_jobs

    return effective_n_jobs()


def _elsewhere(
    work: Callable[..., T], items: Sequence[Any], common: tuple[Any, ...]
) -> Iterator[T]:
    """Go through the answers of joblib's workers, in the order of the items."""
    from joblib import Parallel, delayed

    task = delayed(_task)
    answers = Parallel(return_as="generator")(task(work, item, *common) for item in items)
    try:
        for one in answers:  # noqa: UP028  what is left is given up below, in silence
            yield one
    except Exception as error:
        words = lost(error)
        if words is None:
            raise
        raise ClusterError(words) from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib's: that tasks were cancelled
            answers.close()


def _task(work: Callable[..., T], item: Any, *common: Any) -> T:
    """Work on something with one thread; what there is to warn of, the caller has said."""
    with alone(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work(item, *common)


def lost(error: Exception) -> str | None:
    """Return the message of an error about the machines of a cluster, None for any other."""
    kind = type(error)
    if kind is RuntimeError and "deserialization of the task graph" in str(error):
        return (
            "dask's scheduler could not read the work it was sent: what is computed there "
            "(gramian, and your functions in the table's graph) must be installed there too, "
            "in the same versions"
        )
    about_machines = kind.__module__.partition(".")[0] in _CLUSTER_LIBRARIES
    if not (
        about_machines or kind.__name__ == "CancelledError" or isinstance(error, ConnectionError)
    ):
        return None
    return (
        f"dask lost what it was computing ({kind.__name__}: {str(error)[:200]}): no result was "
        "kept: see that its scheduler and workers live and have memory, and start again"
    )
