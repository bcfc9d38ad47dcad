"""Random-walk kernels."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import one_of, positive, short, whole
from gramian._core.pairs import Pairs
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, GraphKernel, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.graph._walks import (
    Product,
    Spectrum,
    geometric,
    product_diagonal,
    product_sums,
    series,
    spectral_diagonal,
    spectral_sums,
    walk_spectra,
)
from gramian.kernels.objects import Objects
from gramian.kernels.registry import register

_MAX_EXPONENT = 700.0  # exp of more is no number
MAX_STEPS = 512  # steps; a sum that needs more is computed from eigenpairs
_NEGLIGIBLE_SHARE = 1e-17
_N_POWER_STEPS = 24


@register(kind="graphs")
class RandomWalk(GraphKernel):
    """Walks that two graphs have in common, longer ones for less.

    With W the adjacency matrix of the product graph, whose nodes are pairs of nodes (of equal
    labels, where labels are used) and whose weights are products of weights, k is the sum of all
    entries of Σ_t c_t W^t, with c_t = decay^t ("geometric") or decay^t/t! ("exponential").

    Without labels W = A ⊗ B: the sum is over numbers of walks in each graph, or, where it is close
    to diverging, over the eigenpairs of A and B, in closed form. With labels the geometric sum is a
    linear system, solved by conjugate gradients.

    Parameters
    ----------
    decay : positive float
        The geometric sum is finite if decay·ρ(A)·ρ(B) < 1, ρ the largest eigenvalue.
    kind : "geometric" or "exponential"
    labelled : bool or None
        Whether only nodes of equal labels match; None means if the graphs have labels.
    steps : int, optional
        Walks of at most this many steps; of any length by default.

    Examples
    --------
    >>> edge = [[0, 1], [1, 0]]
    >>> float(RandomWalk(decay=0.1)([edge])[0, 0].round(6))
    4.444444
    """

    def __init__(
        self,
        decay: float = 0.01,
        kind: str = "geometric",
        labelled: bool | None = False,
        steps: int | None = None,
    ) -> None:
        self.decay = decay
        self.kind = kind
        self.labelled = labelled
        self.steps = steps

    def evaluate(self, pairs: Pairs) -> Array:
        """The weighted numbers of common walks."""
        X, Y = as_graphs(pairs.A.X), as_graphs(pairs.B.X)
        labelled = self._uses_labels(X)
        steps = None if labelled else self._enough_steps(X, Y)
        X, Y, same = X[pairs.rows], Y[pairs.cols], pairs.same
        if labelled:
            A, B = (_non_negative(Z).take(Z.positions) for Z in (X, Y))
            return self._finite(lambda: product_sums(A, B, self._total, same))
        if steps is not None:
            return self._finite(lambda: self._walks(X, steps) @ self._walks(Y, steps).T)
        left, right = (Z.take(Z.memoize("walk spectra", _spectra)) for Z in (X, Y))
        self._check_convergence(left, right)
        return self._finite(lambda: spectral_sums(left, right, self._profile, self.decay, same))

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """The weighted number of walks in the product of each graph with itself."""
        X = as_graphs(X)
        return X.take(X.memoize(("diagonal", repr(self)), self._diagonal))

    def _diagonal(self, X: Objects) -> np.ndarray:
        if self._uses_labels(X):
            return self._finite(lambda: product_diagonal(_non_negative(X), self._total))
        steps = self._enough_steps(X, X)
        if steps is not None:
            return self._finite(lambda: (self._walks(X, steps) ** 2).sum(axis=1))
        spectra = X.memoize("walk spectra", _spectra)
        self._check_convergence(spectra, spectra)
        return self._finite(lambda: spectral_diagonal(spectra, self._profile, self.decay))

    def _walks(self, X: Objects, steps: int) -> np.ndarray:
        def make(all: Objects) -> np.ndarray:
            return walk_features(batch_of(all), lambda t: self.decay * self._ratio(t), steps)

        return X.take(X.memoize(("walks", repr(self), steps), make))

    def _enough_steps(self, X: Objects, Y: Objects) -> int | None:
        """Return after how many steps the rest of the sum is nothing, None if that is too many."""
        if self.steps is not None:
            return self.steps if self.steps <= MAX_STEPS else None
        radii = (Z.take(Z.memoize("walk radius", _radii)).max() for Z in (X, Y))
        largest = self.decay * math.prod(map(float, radii))
        term, t = 1.0, 0  # a bound of the t-th term, relative to the first
        while t <= MAX_STEPS:
            shrink = largest * self._ratio(t + 1)
            if shrink < 1 and term * shrink < _NEGLIGIBLE_SHARE * (1 - shrink):
                return -(-t // 16) * 16  # sixteen at a time: few different numbers to keep
            term, t = term * shrink, t + 1
        return None

    def _uses_labels(self, X: Objects) -> bool:
        self._check()
        return batch_of(X).uses_labels(self.labelled)

    def _finite(self, values: Callable[[], np.ndarray]) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            K = values()
        if not np.isfinite(K).all():
            raise InputError(f"decay={short(self.decay)}: the sum over walks overflows: use less")
        return K

    def _profile(self, x: np.ndarray) -> np.ndarray:
        """Return Σ_t c_t/decay^t·x^t, x the decay times products of eigenvalues."""
        if self.steps is not None:
            total = np.ones_like(x)
            for t in range(self.steps, 0, -1):
                total = 1.0 + x * total * self._ratio(t)
            return total
        if self.kind == "exponential":
            return np.asarray(np.exp(x, out=x))
        np.subtract(1.0, x, out=x)
        return np.asarray(np.divide(1.0, x, out=x))

    def _total(self, product: Product) -> np.ndarray:
        if self.kind == "geometric" and self.steps is None:
            return geometric(product, float(self.decay))
        return series(product, lambda t: self.decay * self._ratio(t), self.steps)

    def _ratio(self, t: int) -> float:
        """c_t/(c_{t−1}·decay)."""
        return 1.0 if self.kind == "geometric" else 1.0 / t

    def _check(self) -> None:
        positive(self.decay, "decay")
        one_of(self.kind, "kind", ("geometric", "exponential"))
        if self.steps is not None:
            whole(self.steps, "steps", 0)

    def _check_convergence(self, left: list[Spectrum], right: list[Spectrum]) -> None:
        """Raise where the sum is infinite, or too large for a number."""
        if self.steps is not None:
            return
        largest = _largest_eigenvalue(left) * _largest_eigenvalue(right)
        limit = 1.0 if self.kind == "geometric" else _MAX_EXPONENT
        if self.decay * largest >= limit:
            raise InputError(
                f"decay={short(self.decay)}: the sum over walks is infinite or overflows, because "
                f"two graphs' largest eigenvalues multiply to {largest:.6g}: use decay below "
                f"{limit / largest:.6g}, or fewer steps"
            )


def _largest_eigenvalue(spectra: list[Spectrum]) -> float:
    return max(float(np.abs(values).max()) for values, _ in spectra)


def _radii(X: Objects) -> np.ndarray:
    return radius_bounds(_non_negative(X))


def _spectra(X: Objects) -> list[Spectrum]:
    return walk_spectra(_non_negative(X))


def _non_negative(X: Objects) -> Batch:
    batch = batch_of(X)
    batch.refuse_negative("a random walk")
    return batch


def walk_features(batch: Batch, ratio: Callable[[int], float], steps: int) -> np.ndarray:
    """Return √c_t times the number of walks of t steps, (g, steps + 1); c_t/c_{t−1} = ratio(t).

    Σ_t c_t 1ᵀ(A ⊗ B)^t 1 = Σ_t c_t·(1ᵀA^t 1)·(1ᵀB^t 1). All terms are positive, so that the sum
    loses no digits, and few are needed unless it is close to diverging.
    """
    A, first = batch.adjacency, batch.offsets[:-1]
    y = np.ones(batch.owner.size)
    F = np.empty((len(batch), steps + 1))
    F[:, 0] = batch.sizes
    for t in range(1, steps + 1):
        y = np.sqrt(ratio(t)) * (A @ y)
        F[:, t] = np.add.reduceat(y, first)
    return F


def radius_bounds(batch: Batch) -> np.ndarray:
    """Return upper bounds of the largest eigenvalues, (g,), after Collatz and Wielandt.

    max_i (Ay)_i/y_i is one for every positive y; power iteration makes it sharp.
    """
    A, first, owner = batch.adjacency, batch.offsets[:-1], batch.owner
    y = np.ones(owner.size)
    bound = np.maximum.reduceat(A @ y, first)
    # The shift keeps bipartite graphs from going back and forth, and y from vanishing.
    shift = np.where(bound > 0, 0.5 * bound, 1.0)[owner]
    for _ in range(_N_POWER_STEPS):
        y = A @ y + shift * y
        y /= np.maximum.reduceat(y, first)[owner]
        bound = np.minimum(bound, np.maximum.reduceat((A @ y) / y, first))
    return bound * (1.0 + 1e-12)
