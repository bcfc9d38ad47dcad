"""Which solver, and why: a registry that is asked in its order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from gramian._core.array import Array
from gramian._core.check import Random, short
from gramian._core.operators.base import Symmetric
from gramian._core.parallel import format_bytes
from gramian._core.spectral.krylov import basis_columns
from gramian._core.spectral.spectrum import Spectrum
from gramian.errors import InputError

SMALL = 400  # below, a full decomposition is as quick as anything
FEW = 6  # Krylov pays when fewer than one axis in FEW·… is wanted
LOOKED_AT = 2_000  # rows up to which every eigenvalue of an operator that may be indefinite is seen
FIRST_GUESS = 32  # axes computed before a rule is asked for the first time


class Axes(Protocol):
    """How many axes: a number q, or a rule of (values, total, dimension), or neither for all."""

    @property
    def q(self) -> int | None: ...

    @property
    def rule(self) -> Callable[[np.ndarray, float, int], int | None] | None: ...


@dataclass(frozen=True)
class Request:
    """What is asked of a spectrum: made once a fit, and passed down as it is.

    What only the operator can tell (`dimension`, `scale`, `psd`) is filled in where it is known.
    """

    axes: Axes
    solver: str = "auto"
    tol: float = 1e-8
    policy: str = "raise"  # for negative eigenvalues; "drop" leaves them out, the trace as it is
    budget: int = 1 << 40
    random: Random = field(default_factory=Random)
    dimension: int | None = None  # how many axes there could be
    scale: float = 0.0  # the size of the numbers the operator was made from
    psd: bool = False  # negative eigenvalues can only be rounding
    start: Array | None = None  # a guess of the leading subspace, (n, b)
    care: float | None = 1.01  # times the last eigenvalue that one left out may have; None: any
    missed: float = 1e-6  # the probability that one has more

    @property
    def rng(self) -> np.random.Generator:
        """The generator of the fit's random numbers."""
        return self.random.rng

    @property
    def auto(self) -> bool:
        """Whether another solver may take over when one fails."""
        return self.solver == "auto"

    @property
    def guess(self) -> int | None:
        """How many axes to look for at first, None for all."""
        return FIRST_GUESS if self.axes.rule is not None else self.axes.q

    def whole(self, n: int) -> str | None:
        """Why the whole spectrum of an operator of size n is needed, if it is."""
        if self.psd:
            return None
        if self.policy not in ("raise", "drop"):
            return f"indefinite={self.policy!r} needs every eigenvalue"
        if n > LOOKED_AT:
            return None
        if self.policy == "drop":
            return "every eigenvalue tells if X is Euclidean"
        return "the kernel may be indefinite: every eigenvalue is looked at"


@dataclass(frozen=True)
class Choice:
    """A solver's name and the reason for it."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class Solver:
    """A way to eigenpairs.

    Parameters
    ----------
    name : str
        What `solver=` calls it.
    applies : function of (n, Request)
        The reason to choose it for an operator of size n, or None.
    run : function of (A, Choice, Request)
        Returns at least the axes that are asked for, as a Spectrum whose residuals are those of
        its vectors, or None where a full decomposition should take over.
    """

    name: str
    applies: Callable[[int, Request], str | None]
    run: Callable[[Symmetric, Choice, Request], Spectrum | None]
    trusted: bool = False  # whether what it returns is not looked at once more


SOLVERS: dict[str, Solver] = {}


def register(solver: Solver, *, first: bool = False) -> Solver:
    """Make a solver known by its name; with `first`, it is asked before those that are there."""
    if not isinstance(solver, Solver) or not isinstance(solver.name, str):
        raise InputError(f"solver={solver!r:.80} must be a Solver with a name")
    if solver.name in SOLVERS or solver.name in ("auto", "covariance"):
        raise InputError(f"solver {solver.name!r} is registered already: choose another name")
    others = dict(SOLVERS)
    SOLVERS.clear()
    SOLVERS.update({solver.name: solver} | others if first else others | {solver.name: solver})
    return solver


def dense_bytes(n: int, itemsize: int = 8) -> int:
    """Return what a full decomposition of an n × n matrix takes: the matrix, vectors, workspace."""
    return 4 * n * n * itemsize


def krylov_bytes(n: int, q: int, width: int = 0, itemsize: int = 8) -> int:
    """Return what the Krylov basis and `width` more columns of length n take."""
    block, largest = basis_columns(q, n)
    return n * (2 * largest + 4 * block + width) * itemsize


def _checked(solver: str, known: list[str]) -> None:
    if not isinstance(solver, str) or solver not in known:
        raise InputError(f"solver={short(solver)} is not known here: use one of {', '.join(known)}")


def choose_gram(n: int, request: Request) -> Choice:
    """Choose for a centred Gram operator of size n."""
    _checked(request.solver, ["auto", *SOLVERS])
    if not request.auto:
        return Choice(request.solver, "asked for")
    reasons = ((name, solver.applies(n, request)) for name, solver in SOLVERS.items())
    return next(Choice(name, reason) for name, reason in reasons if reason is not None)


def why_dense(n: int, request: Request) -> str | None:
    """Return why a full decomposition is the best that can be done, if it is."""
    q = request.guess
    if (whole := request.whole(n)) is not None:
        return whole
    if q is None:
        return "every axis is wanted"
    if n <= SMALL:
        return f"n = {n} is small"
    if FEW * basis_columns(q)[0] > n and dense_bytes(n) <= request.budget:
        return f"{q} of {n} axes are too many for an iterative solver to pay"
    return None


def why_krylov(n: int, request: Request) -> str | None:
    """Return why an iteration is the best that can be done."""
    size = format_bytes(dense_bytes(n))
    return f"{request.guess} of {n} axes; a full decomposition would take {size}"


def _why_krylov_of_features(n: int, p: int, q: int | None) -> str | None:
    small = min(n, p)
    if q is not None and small > 1_000 and FEW * basis_columns(q)[0] <= small:
        return f"{q} of {small} axes of a large table ({n} × {p})"
    return None


# In the order in which they are asked for n rows of p features and q axes.
FEATURE_SOLVERS: dict[str, Callable[[int, int, int | None], str | None]] = {
    "krylov": _why_krylov_of_features,
    "covariance": lambda n, p, q: f"p = {p} ≤ n = {n}" if p <= n else None,
    "dense": lambda n, p, q: f"n = {n} < p = {p}: the n × n Gram matrix is the smaller one",
}


def choose_features(n: int, p: int, q: int | None, solver: str) -> Choice:
    """Choose for n rows of p features, q axes of which are wanted, None for all."""
    _checked(solver, ["auto", "covariance", *SOLVERS])
    if solver != "auto":
        more = "; the n × n Gram matrix" if solver == "dense" else ""
        return Choice(solver, f"asked for{more}")
    reasons = ((name, why(n, p, q)) for name, why in FEATURE_SOLVERS.items())
    return next(Choice(name, reason) for name, reason in reasons if reason is not None)
