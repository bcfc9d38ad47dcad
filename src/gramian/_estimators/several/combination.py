"""Several kernels made one: their units, their weights, and what each has to do with an axis."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import expect, number, one_of, whole
from gramian._core.embedding import GramModel, Record
from gramian._core.operators import CenteredGram, DenseGram, Gram, several
from gramian._core.operators.gram import require_range
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Points
from gramian._core.spectral.solve import choose_gram, decompose
from gramian._core.spectral.spectrum import Request
from gramian._reading.rules import Selection
from gramian.errors import InputError
from gramian.kernels import Constant, Kernel

if TYPE_CHECKING:
    from gramian._estimators.several.multi_kernel import MultiKernelPCA

Combine: TypeAlias = Literal["statis", "mean", "umkl", "sparse-umkl"]
Balance: TypeAlias = Literal["inertia", "norm", "axis"]


@dataclass(frozen=True, eq=False)
class Combination:
    """k = Σ w_b k_b/s_b."""

    kernels: Mapping[str, Kernel]
    weights: Annotated[np.ndarray, "(B,)", ">= 0"]  # w, with sum 1
    scales: Annotated[np.ndarray, "(B,)", "> 0"]  # s, what each kernel is divided by
    inertias: Annotated[np.ndarray, "(B,)", "> 0"]  # of each block, before it was balanced
    inner: Annotated[np.ndarray, "(B, B)"]  # tr(A_a A_b), the inertias made 1

    def check(self) -> None:
        """Refuse weights of other kernels."""
        B = len(self.kernels)
        expect(len(self.weights) == B, f"weights of {B} kernels")
        expect(abs(float(self.weights.sum()) - 1.0) < 1e-6, "weights of sum 1")

    @property
    def factors(self) -> list[float]:
        """What each kernel is multiplied by."""
        return [float(f) for f in self.weights / self.scales]

    @property
    def rv(self) -> np.ndarray:
        """The RV coefficients between blocks."""
        return several.rv_matrix(self.inner)

    @staticmethod
    def points(fit: Record) -> Points:
        """The individuals that made the axes."""
        assert isinstance(fit.model, GramModel) and isinstance(fit.model.operator, TiledGram)
        return fit.model.operator.points

    def partial(self, fit: Record, new: Points) -> list[np.ndarray]:
        """Return k̃_b(new, training)·C/s_b for each block, (m, q)."""
        e, points = fit.embedding, self.points(fit)
        p = fit.training.active()[1]
        places = []
        for plain, s in zip(self.kernels.values(), self.scales, strict=True):
            kernel = plain.about(points)
            own = replace(e, centering=CenteredGram(TiledGram(kernel, points), p).centering)
            product = cross_matmul(kernel, new, points, e.right)[0]
            places.append(to_numpy(own.from_product(product)[0]).astype(np.float64) / s)
        return places

    def table(self, fit: Record) -> pd.DataFrame:
        """Return a row for each block: weights, and what it has to do with each axis."""
        f = to_numpy(fit.embedding.coordinates).astype(np.float64)
        active = fit.training.active()[1]
        p = np.full(len(f), 1.0 / len(f)) if active is None else active
        w, s, inner = self.weights, self.scales, self.inner
        # u'A_b u/s_b for the eigenvectors u: Σ p·(partial coordinate)·coordinate.
        along = np.stack([p @ (F * f) for F in self.partial(fit, self.points(fit))])
        own = along * (s / self.inertias)[:, None]
        mix = w * (self.inertias / s)
        rv = (inner @ mix) / np.sqrt(np.diag(inner) * (mix @ inner @ mix))
        columns: dict[tuple[str, Any], np.ndarray] = {("weight", ""): w}
        columns |= {("inertia", ""): self.inertias, ("rv", ""): rv}
        eigenvalues = fit.model.spectrum.values
        values = np.where(eigenvalues == 0, np.inf, eigenvalues)
        measures = {
            "contribution": w[:, None] * along / values,
            "inertia_ratio": own,
            "cos2": own**2 / np.diag(inner)[:, None],
        }
        for measure, M in measures.items():
            columns |= {(measure, k + 1): M[:, k] for k in range(M.shape[1])}
        labels = pd.MultiIndex.from_tuples(list(columns), names=["measure", "axis"])
        numbers = np.column_stack(list(columns.values()))
        return pd.DataFrame(numbers, index=list(self.kernels), columns=labels)


def combine_kernels(
    est: MultiKernelPCA,
    kernels: Mapping[str, Kernel],
    points: Points,
    p: np.ndarray | None,
    request: Request,
) -> tuple[Combination, list[Gram]]:
    """Return how kernels are combined as the estimator asks, and the Gram operator of each."""
    one_of(est.combine, "combine", get_args(Combine))
    one_of(est.balance, "balance", get_args(Balance), none=True)
    whole(est.n_neighbors, "n_neighbors")
    number(est.ridge, "ridge", least=0.0)
    n, parts = len(points), []
    fits = 8 * n * n * (len(kernels) + 1) <= request.budget / 4  # all of them are then stored
    for name, kernel in kernels.items():
        try:
            parts.append(_operator(kernel, points, p, fits))
        except InputError as error:
            raise InputError(f"kernels[{name!r}]: {str(error).removeprefix('kernel: ')}") from error
    inner = several.inner_products(parts)
    inertias = np.array([A.trace() for A in parts])
    scales = _scales(est.balance, parts, inertias, inner, request)
    weights = _weights(est, parts, inner)
    return Combination(kernels, weights, scales, inertias, inner), [A.gram for A in parts]


def _operator(kernel: Kernel, points: Points, p: np.ndarray | None, fits: bool) -> CenteredGram:
    """Return the centred operator of one block, refused where it shows no difference."""
    gram: Gram = TiledGram(kernel.about(points), points)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        size = require_range(gram.diag())
        A = CenteredGram(DenseGram(gram.dense()) if fits else gram, p)
    if not A.trace() > 64.0 * np.finfo(float).eps * max(size, abs(A.centering.grand)):
        raise InputError(
            "it has no inertia: on these rows of X, with their weights, it is constant to the "
            "rounding of its numbers, or its products are so small that they vanish: leave it out, "
            "or rescale it"
        )
    return A


def _scales(
    balance: str | None,
    parts: Sequence[CenteredGram],
    inertias: np.ndarray,
    inner: np.ndarray,
    request: Request,
) -> np.ndarray:
    """Return what each kernel is divided by, (B,)."""
    if balance is None:
        return np.ones(len(parts))
    if balance == "inertia":
        return inertias
    if balance == "norm":
        return inertias * np.sqrt(np.diag(inner))
    return np.array([_first_eigenvalue(A, request) for A in parts])


def _first_eigenvalue(A: CenteredGram, request: Request) -> float:
    size = float(np.abs(to_numpy(A.gram.diag())).max())
    first = replace(request, axes=Selection(q=1), solver="auto", dimension=A.n - 1, psd=True)
    first = replace(first, scale=size)
    return float(decompose(A, choose_gram(A.n, first), first).values[0])


def _weights(est: MultiKernelPCA, parts: list[CenteredGram], inner: np.ndarray) -> np.ndarray:
    """Return the weights of the blocks, which sum to 1."""
    if len(parts) == 1 or est.combine == "mean":
        return np.full(len(parts), 1.0 / len(parts))
    if est.combine == "statis":
        return several.statis_weights(several.rv_matrix(inner))
    S = several.roughness(parts, several.neighbour_graph(parts, est.n_neighbors))
    return several.ridge_weights(S, est.ridge if est.combine == "umkl" else 0.0)


def kernel_sum(kernels: list[Kernel], factors: list[float]) -> Kernel:
    """Return Σ f_b k_b over the kernels that have a weight."""
    used = [Constant(f) * k for f, k in zip(factors, kernels, strict=True) if f > 0]
    return reduce(operator.add, used)


def gram_sum(grams: list[Gram], factors: list[float], psd: bool | None) -> DenseGram | None:
    """Return Σ f_b G_b where the matrices are stored."""
    matrices = [gram.K for gram in grams if isinstance(gram, DenseGram)]
    if len(matrices) < len(grams):
        return None
    stored = DenseGram(sum(f * K for f, K in zip(factors, matrices, strict=True) if f > 0))
    stored.psd = psd
    return stored
