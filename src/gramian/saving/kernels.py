"""Kernels of a model file: not too many in one another, and able to compare two rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from gramian._array import as_kind, is_array, to_numpy
from gramian._check import is_number, is_whole
from gramian._pairs import Pairs, Points
from gramian.embedding import count, is_table
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.saving.closeness import require

__all__ = ["are_related", "check_kernel", "is_quick", "kernels_in", "try_kernel", "try_on_two"]

_NODES = 2_000  # of a composite kernel, written out
_STEPS = 64  # whole numbers up to which a kernel is tried: they may be rounds of a loop


def check_kernel(kernel: Kernel) -> None:
    """Refuse a kernel that is made of too many, or whose parts are not of its kind.

    Written out, because a file can name one part many times, and that one another.
    """
    require(_nodes(kernel, {}) <= _NODES, f"a kernel of more than {_NODES} others")
    for each in kernels_in(kernel):
        for flag in ("takes_vectors", "takes_sparse", "any_precision"):
            require(isinstance(getattr(each, flag), bool), "a kernel of no kind")
        require(each.psd in (None, True, False), "a kernel of no kind")


def _nodes(kernel: Kernel, known: dict[int, int]) -> int:
    if id(kernel) not in known:
        known[id(kernel)] = 1 + sum(_nodes(inner, known) for inner in _inside(kernel))
    return known[id(kernel)]


def _inside(kernel: Kernel) -> list[Kernel]:
    values = kernel.get_params(deep=False).values()
    return [value for value in values if isinstance(value, Kernel)]


def kernels_in(kernel: Kernel) -> Iterator[Kernel]:
    """Yield a kernel and those it is made of."""
    yield kernel
    for inner in _inside(kernel):
        yield from kernels_in(inner)


def is_quick(kernel: Kernel) -> bool:
    """Whether no parameter is a whole number so large that rounds of a loop would be many."""
    return all(_is_quick(each) for each in kernels_in(kernel))


def _is_quick(kernel: Kernel) -> bool:
    own = type(kernel).__init__ is not object.__init__
    known = inspect.signature(type(kernel).__init__).parameters if own else {}
    for name, value in kernel.get_params(deep=False).items():
        is_measure = "float" in str(known[name].annotation)  # a scale is no number of rounds
        if is_whole(value) and abs(value) > _STEPS and not is_measure:
            return False
    return True


def are_related(reader: Any, kernel: Kernel) -> bool:
    """Whether a kernel may be what another one became on the rows of a fit.

    Texts ("median"), names of columns and what was left open become definite; numbers stay.
    """
    if type(reader) is not type(kernel):
        return not type(reader).__module__.startswith("gramian.")
    mine, theirs = reader.get_params(deep=False), kernel.get_params(deep=False)
    for name, value in mine.items():
        other = theirs[name]
        if isinstance(value, Kernel) and not (
            isinstance(other, Kernel) and are_related(value, other)
        ):
            return False
        if is_number(value) and not (is_number(other) and (value == other or value != value)):
            return False
    return True


def try_kernel(kernel: Kernel, rows: Any) -> None:
    """Refuse a kernel that cannot compare two rows, or finds no numbers for them."""
    if is_quick(kernel):
        try_on_two(rows, lambda two: (kernel.block(Pairs(two)), kernel.self_similarity(two.X)))


def try_on_two(rows: Any, work: Callable[[Points], Iterable[Any]]) -> None:
    """Refuse what gives no numbers for the first two rows.

    Where these have none (Bray and Curtis of a row of zeros), plain ones may have.
    """
    two = rows[: min(2, count(rows))]
    try:
        results = list(work(Points(two)))
    except InputError:
        if not is_table(two):
            raise
        steps = np.arange(1.0, two.shape[1] + 1.0)
        plain = np.stack([steps, 0.5 + steps[::-1]])
        dense = as_kind(plain, two) if is_array(two) else plain.astype(two.dtype)
        results = list(work(Points(dense if is_array(two) else sparse.csr_array(dense))))
    for K in results:
        require(is_array(K) and bool(np.isfinite(to_numpy(K)).all()), "a kernel without numbers")
