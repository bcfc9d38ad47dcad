"""What the parameters of kernel PCA ask for, checked and put into one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.array import Array, eps, namespace
from gramian._core.check import Random, is_whole, number, one_of, share, short
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.solve import POLICIES
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table
from gramian._estimators._noise import null_table_by_fits
from gramian._reading.null_table import NullTable, by_columns, features_by_columns, kernel_spectrum
from gramian._reading.rules import selection
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear
from gramian.kernels.mixed import MixedTable


def request_of(
    est: Any, limit: int, shape: tuple[int, int] | None = None, *, feature: bool = False
) -> Request:
    """Return what is asked of a spectrum with at most `limit` axes.

    `shape` is that of a table whose principal components they are, for the rules that need it.
    """
    what = "the smaller of rows and features" if feature or shape else "the number of rows"
    return Request(
        axes=selection(est.n_components, limit, what, shape=shape),
        solver=est.solver,
        tol=est.tol,
        policy=est.indefinite,
        budget=budget_bytes(est.memory),
        random=Random(est.random_state),
        care=est.care,
    )


def check_kernel_options(est: Any) -> None:
    """Refuse what can be refused before anything is computed."""
    approximation = est.approximation
    if not (approximation is None or hasattr(approximation, "lowrank")):
        raise InputError(f"approximation={short(approximation)} must be None or gm.Nystrom(...)")
    other = est.kernel if approximation is None else approximation.kernel
    if approximation is not None and not isinstance(other, str | Kernel) and not callable(other):
        raise InputError(f"approximation has kernel={short(other)}: leave it out, or give a Kernel")
    if other not in ("gaussian", est.kernel):
        raise InputError(
            f"approximation has a kernel of its own, {other!r}, which is not used here: give "
            "it to KernelPCA as kernel="
        )
    one_of(est.formulation, "formulation", ("centered", "span"))
    one_of(est.indefinite, "indefinite", POLICIES)
    share(est.tol, "tol")
    check_care(est.care)


def check_care(care: Any) -> None:
    """Refuse a level of completeness that no spectrum can have."""
    if care is not None and number(care, "care") <= 1.0:
        raise InputError(f"care={care!r} must be above 1, for example 1.01, or None for no check")


def refuse_constant(F: Array) -> None:
    """Refuse features that are the same for all rows."""
    xp = namespace(F)
    apart, size = float(xp.max(xp.abs(F - F[:1, :]))), float(xp.max(xp.abs(F)))
    if apart <= 16.0 * eps(F.dtype, xp) * size:
        raise InputError(
            "X or its kernel is constant: all rows have the same features, so there are no axes "
            "to find: give rows that differ"
        )


def check_gram_options(est: Any) -> None:
    """Refuse options that a Gram operator has no use for."""
    for name, usual in (("approximation", None), ("device", None)):
        if getattr(est, name) is not usual:
            raise InputError(f"{name}= does not go with a Gram operator, which computes by itself")
    if not (isinstance(est.kernel, str) and est.kernel in ("gaussian", "precomputed")):
        raise InputError("kernel= does not go with a Gram operator, which is one: leave it out")


def kernel_null_table(est: Any, rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the columns that parallel analysis draws anew, and the kernel's spectrum of them."""
    if est.approximation is not None:
        return null_table_by_fits(est, rows, p)
    columns = by_columns(rows.values)
    kernel = rows.reader.resolve(Points(columns.T), p, rows.columns)
    if isinstance(kernel, Linear):
        return features_by_columns(rows.values, p)
    has_signs = not isinstance(kernel, MixedTable)
    return NullTable(columns, kernel_spectrum(kernel, p), 1.0, p, has_signs=has_signs)


def refuse_few(est: Any, columns: int, n: int) -> None:
    """Refuse to find more axes than directions of the kernel that rounding leaves."""
    q, rank = est.n_components, est.approximation.rank
    if is_whole(q) and is_whole(rank) and columns < min(q, rank, n):
        text = (
            f"n_components={q}, but on X only {columns} of the kernel's directions stand out from "
        )
        text += "the rounding of its numbers: ask for fewer axes, or scale the columns alike"
        raise InputError(text, argument="n_components", found=q)
