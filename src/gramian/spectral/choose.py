"""Which solver, and why: one pure function a family."""

from __future__ import annotations

from dataclasses import dataclass

from gramian._blocks import human
from gramian.errors import InputError
from gramian.spectral.krylov import basis_columns

__all__ = ["Choice", "choose_features", "choose_gram", "dense_bytes", "krylov_bytes"]

SMALL = 400  # below, a full decomposition is as quick as anything
STORED = 4_096  # up to here K is kept in memory between products (134 MB)
FEW = 6  # Krylov pays when fewer than one axis in FEW·… is wanted


@dataclass(frozen=True)
class Choice:
    """A solver's name and the reason for it."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def dense_bytes(n: int, itemsize: int = 8) -> int:
    """Return what a full decomposition of an n × n matrix takes: the matrix, vectors, workspace."""
    return 4 * n * n * itemsize


def krylov_bytes(n: int, q: int, width: int = 0, itemsize: int = 8) -> int:
    """Return what the Krylov basis and `width` more columns of length n take."""
    block, largest = basis_columns(q, n)
    return n * (2 * largest + 4 * block + width) * itemsize


def _checked(solver: str, known: tuple[str, ...]) -> None:
    if solver not in known:
        raise InputError(f"solver={solver!r} is not known here: use one of {', '.join(known)}")


def choose_gram(
    n: int, q: int | None, solver: str, budget: int, *, whole: str | None = None
) -> Choice:
    """Choose for a centred Gram operator of size n.

    Parameters
    ----------
    q : int or None
        Axes wanted, None for all.
    whole : str, optional
        Why the whole spectrum is needed, if it is.
    """
    _checked(solver, ("auto", "dense", "krylov"))
    need = dense_bytes(n)
    if solver == "dense":
        return Choice("dense", "asked for")
    if solver == "krylov":
        return Choice("krylov", "asked for")
    if whole is not None:
        return Choice("dense", whole)
    if q is None:
        return Choice("dense", "every axis is wanted")
    if n <= SMALL:
        return Choice("dense", f"n = {n} is small")
    if FEW * basis_columns(q)[0] > n and need <= budget:
        return Choice("dense", f"{q} of {n} axes are too many for an iterative solver to pay")
    return Choice("krylov", f"{q} of {n} axes; a full decomposition would take {human(need)}")


def choose_features(n: int, p: int, q: int | None, solver: str) -> Choice:
    """Choose for n rows of p features."""
    _checked(solver, ("auto", "covariance", "dense", "krylov"))
    if solver == "covariance":
        return Choice("covariance", "asked for")
    if solver == "dense":
        return Choice("dense", "asked for; the n × n Gram matrix")
    if solver == "krylov":
        return Choice("krylov", "asked for")
    small = min(n, p)
    if q is not None and small > 1_000 and FEW * basis_columns(q)[0] <= small:
        return Choice("krylov", f"{q} of {small} axes of a large table ({n} × {p})")
    if p <= n:
        return Choice("covariance", f"p = {p} ≤ n = {n}")
    return Choice("dense", f"n = {n} < p = {p}: the n × n Gram matrix is the smaller one")
