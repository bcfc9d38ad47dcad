"""Mercer's expansion, k(x, y) = Σ λᵢ ψᵢ(x) ψᵢ(y): estimated from points, or in closed form."""

import math
from abc import ABC, abstractmethod
from typing import Literal

import numpy as np

from gramian._core.array import Array, as_kind, to_numpy
from gramian._core.check import Random, positive, whole
from gramian._core.operators.gram import Gram, Symmetric
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.solve import solve
from gramian._core.spectral.spectrum import Request
from gramian._core.table import table
from gramian._core.types import RowsLike, SeedLike, VectorLike
from gramian._reading.rules import selection
from gramian.errors import IndefiniteError, InputError
from gramian.kernels.base import Kernel, KernelLike
from gramian.rkhs.function import Function
from gramian.rkhs.points import beside, weighted_points


class Mercer(ABC):
    """Eigenvalues λ and eigenfunctions ψ of f ↦ ∫ k(·, y) f(y) dP(y), ψ orthonormal in L²(P)."""

    eigenvalues: np.ndarray  # (q,), descending
    total: float  # ∫ k(x, x) dP, the sum of all eigenvalues

    @abstractmethod
    def eigenfunctions(self, X: RowsLike) -> Array:
        """Return ψ₁(x) … ψ_q(x) for every row of X, (m, q)."""

    def features(self, X: RowsLike) -> Array:
        """Return the truncated feature map Φ(x) = (√λᵢ·ψᵢ(x)), (m, q): k(x, y) ≈ ⟨Φ(x), Φ(y)⟩."""
        psi = self.eigenfunctions(X)
        return psi * as_kind(np.sqrt(self.eigenvalues), psi)[None, :]

    @property
    def error(self) -> float:
        """The share of the trace that the truncation leaves out."""
        return max(1.0 - float(self.eigenvalues.sum()) / self.total, 0.0)


class EmpiricalMercer(Mercer):
    """Mercer's expansion for the law of weighted points; made by `mercer`."""

    def __init__(
        self, kernel: Kernel, points: Points, values: np.ndarray, C: Array, total: float
    ) -> None:
        self.kernel = kernel
        self.eigenvalues = values
        self.total = total
        self._points, self._C = points, C

    def __repr__(self) -> str:
        q, n = len(self.eigenvalues), len(self._points)
        return f"EmpiricalMercer({self.kernel!r}, {q} terms from {n} points)"

    def eigenfunctions(self, X: RowsLike) -> Array:
        """Return ψᵢ(x) = Σⱼ pⱼ ψᵢ(xⱼ) k(x, xⱼ)/λᵢ (Nyström), (m, q)."""
        new = beside(Points(self.kernel.rows(X, "X")), self._points, "X")
        return cross_matmul(self.kernel, new, self._points, self._C)[0]

    @property
    def functions(self) -> list[Function]:
        """The eigenfunctions as elements of H, where |ψᵢ| = 1/√λᵢ."""
        columns = range(self._C.shape[1])
        return [Function.of_points(self.kernel, self._points, self._C[:, k]) for k in columns]


class WeightedGram(Symmetric):
    """P^½ G P^½, not centred."""

    def __init__(self, gram: Gram, p: np.ndarray) -> None:
        self.gram, self.n, self.dtype = gram, gram.n, gram.like.dtype
        self.root = as_kind(np.sqrt(p), gram.like)
        self._p = p

    @property
    def like(self) -> Array:
        """The roots of the weights."""
        return self.root

    def matmul(self, V: Array) -> Array:
        """One product with G."""
        return self.root[:, None] * self.gram.matmul(self.root[:, None] * V)

    def trace(self) -> float:
        """Σ p·k(x, x)."""
        return float(self._p @ to_numpy(self.gram.diag()).astype(float))

    def dense(self) -> Array:
        """The matrix itself."""
        return self.gram.dense() * (self.root[:, None] * self.root[None, :])


def mercer(
    kernel: KernelLike,
    X: RowsLike,
    n_components: int | float | str | None = None,
    *,
    weights: VectorLike | None = None,
    solver: Literal["auto", "dense", "krylov"] = "auto",
    memory: int | str | None = None,
    random_state: SeedLike = None,
) -> EmpiricalMercer:
    """Estimate Mercer's expansion of a kernel from a sample of points.

    The eigenvalues are those of P^½KP^½ (K/n without weights), not centred; the eigenfunctions
    are orthonormal for the law of the points and can be evaluated anywhere.

    Parameters
    ----------
    kernel, X : Kernel, name or callable; array (n, p) or n objects
        The kernel, and the points whose eigenfunctions are computed.
    n_components : int, float in (0, 1), str or None
        Number of terms, share of the trace to reach, a rule, or all that are not rounding.
    weights : array (n,), optional
        Weights of the points.
    solver, memory, random_state
        As for `KernelPCA`.

    Returns
    -------
    EmpiricalMercer
        `eigenvalues` (q,), `total`, `error`, `eigenfunctions(X)`, `features(X)`, `functions`.

    Examples
    --------
    >>> x = np.linspace(0.0, 1.0, 40)[:, None]
    >>> expansion = mercer(gm.kernels.Gaussian(0.5), x, 6)
    >>> new = np.array([[0.31], [0.77]])
    >>> F = expansion.features(new)
    >>> bool(abs(F @ F.T - gm.kernels.Gaussian(0.5)(new)).max() < 1e-4)
    True
    """
    k, points, p = weighted_points(kernel, X, weights)
    if (p == 0).any():
        raise InputError("weights has zeros: leave these points out")
    A, n = WeightedGram(TiledGram(k, points), p), len(points)
    axes = selection(n_components, n, "the number of points")
    size = float(np.abs(to_numpy(A.gram.diag())).max())
    request = Request(
        axes,
        solver,
        budget=budget_bytes(memory),
        random=Random(random_state),
        dimension=n,
        scale=size,
        psd=k.psd is True,
    )
    try:
        spectrum = solve(A, request)
    except IndefiniteError as error:
        raise IndefiniteError(
            f"kernel: {str(k)[:80]} is indefinite on X, and Mercer's theorem is for positive "
            "semi-definite kernels: choose another, or see gm.validity.nearest_psd"
        ) from error
    live = np.where(spectrum.values > 0, spectrum.values, np.inf)
    C = A.root[:, None] * spectrum.vectors * as_kind(1.0 / live, spectrum.vectors)[None, :]
    return EmpiricalMercer(k, points, spectrum.values, C, spectrum.total)


class GaussianMercer(Mercer):
    """Mercer's expansion of the Gaussian kernel for a centred normal distribution on the line.

    With a = 1/(2·deviation²), b = 1/(2·scale²) and c = √(a² + 4ab) (so that β² = c/a),
    λᵢ = √(2a/A)·(2b/A)^i with A = a + 2b + c, i = 0, 1, …, and ψᵢ(x) are Hermite polynomials of
    √c·x times e^{−(c − a)x²/2}.

    The kernel is exp(−(x − y)²/(2·scale²)), `deviation` the standard deviation of the normal.

    >>> expansion = GaussianMercer(scale=1.0, deviation=1.0, n_components=40)
    >>> F = expansion.features(np.array([[0.3], [-0.5]]))
    >>> bool(abs(F[0] @ F[1] - np.exp(-0.32)) < 1e-12)
    True
    """

    total = 1.0

    def __init__(self, scale: float, deviation: float = 1.0, n_components: int = 10) -> None:
        a = 0.5 / positive(deviation, "deviation") ** 2
        b = 0.5 / positive(scale, "scale") ** 2
        whole(n_components, "n_components", most=10**6)
        c = math.sqrt(a * a + 4.0 * a * b)
        A = a + 2.0 * b + c
        self.eigenvalues = math.sqrt(2.0 * a / A) * (2.0 * b / A) ** np.arange(n_components)
        self._a, self._c = a, c

    def eigenfunctions(self, X: RowsLike) -> np.ndarray:
        """Return ψ₀(x), ψ₁(x), … by the recurrence of Hermite functions, (m, q)."""
        x = to_numpy(table(X, "X", min_rows=1, allow_sparse=False).values).astype(float)
        if x.shape[1] != 1:
            raise InputError(f"X has {x.shape[1]} columns: this expansion is on the line, give one")
        y = math.sqrt(self._c) * x[:, 0]
        psi = np.zeros((len(y), len(self.eigenvalues) + 1))
        envelope = np.exp(-0.5 * (self._c - self._a) * x[:, 0] ** 2)
        psi[:, 0] = (self._c / self._a) ** 0.25 * envelope
        psi[:, 1] = math.sqrt(2.0) * y * psi[:, 0]
        for k in range(1, len(self.eigenvalues)):
            up, down = math.sqrt(2.0 / (k + 1)), math.sqrt(k / (k + 1))
            psi[:, k + 1] = up * y * psi[:, k] - down * psi[:, k - 1]
        return psi[:, :-1]
