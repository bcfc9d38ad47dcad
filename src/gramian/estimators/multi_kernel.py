"""Kernel principal component analysis of several kernels at once."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, to_numpy
from gramian._blocks import budget_bytes
from gramian._pairs import Points
from gramian._validate import Table, table
from gramian.errors import InputError, InputTypeError
from gramian.estimators._base import count
from gramian.estimators._block_reading import BlockReading
from gramian.estimators._block_rows import check_like_fit, is_several, read_blocks
from gramian.estimators._kernel_parameters import KernelParameters
from gramian.estimators._noise import AgainstNoise
from gramian.estimators.kernel_pca import KernelPCA
from gramian.kernels.base import Kernel
from gramian.kernels.blocks import Blocks, Given, OnBlock
from gramian.kernels.named import as_kernel
from gramian.kernels.special import Constant
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.operators.several import (
    inner_products,
    neighbour_graph,
    ridge_weights,
    roughness,
    rv_matrix,
    statis_weights,
)
from gramian.operators.tiled import TiledGram
from gramian.reading.parallel import Columns
from gramian.reading.rules import selection
from gramian.spectral.choose import choose_gram
from gramian.spectral.solve import decompose

__all__ = ["MultiKernelPCA"]

COMBINE = ("statis", "mean", "umkl", "sparse-umkl")
BALANCE = ("inertia", "norm", "axis", None)


class MultiKernelPCA(KernelParameters, BlockReading, KernelPCA):
    """Kernel PCA of several kernels on the same individuals.

    The individuals are described by B blocks (a table of expression, a network, clinical data…),
    each seen through its own kernel. Blocks are balanced, weights w with sum 1 are found, and
    kernel PCA is done with k = Σ w_b k_b/s_b. All of it takes O(n²) kernel values of each block.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        As for `KernelPCA`.
    kernels : dict of name: kernel, optional
        A Kernel, a name or a callable for each block, or "precomputed" for a block that is a
        matrix of kernel values. By default Gaussian kernels, one for each block.
    combine : "statis", "mean", "umkl" or "sparse-umkl"
        "statis": weights are the first eigenvector of the RV matrix, so that a block that agrees
        with the others weighs more. "sparse-umkl": weights that make the combined kernel change
        least between near neighbours, min wᵀSw; some are 0. "umkl": the same with a penalty
        ridge·|w|², which keeps every block in. "mean": equal weights.
    balance : "inertia", "norm", "axis" or None
        What is made 1 in each block before: its total inertia (s_b is the trace), its norm (the
        habit of STATIS), its first eigenvalue (the habit of multiple factor analysis), or nothing.
    n_neighbors : int
        Near neighbours of each individual in each block, for the two UMKL methods.
    ridge : float
        The penalty of "umkl", where S has ones on its diagonal.
    indefinite, solver, tol, memory, random_state
        As for `KernelPCA`.

    Attributes
    ----------
    kernel_weights_ : Series, the weight of each block
    rv_ : DataFrame, the RV coefficients between blocks
    kernels_ : dict, the kernel of each block with its resolved scale
    kernel_ : the combined kernel
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, residuals_, n_components_, solver_,
    tied_axes_, negative_inertia_

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((30, 2))
    >>> X = {"a": z, "b": z + 0.1 * rng.standard_normal((30, 2)), "c": rng.standard_normal((30, 2))}
    >>> fit = gm.MultiKernelPCA(2, kernels=dict.fromkeys(X, "linear")).fit(X)
    >>> fit.kernel_weights_.round(2).to_dict()
    {'a': 0.48, 'b': 0.48, 'c': 0.04}
    """

    # What KernelPCA offers and several kernels do not.
    kernel = None
    approximation = None
    formulation = "centered"
    device = None

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        kernels: Mapping[str, Any] | None = None,
        combine: str = "statis",
        balance: str | None = "inertia",
        n_neighbors: int = 5,
        ridge: float = 1.0,
        indefinite: str = "raise",
        solver: str = "auto",
        tol: float = 1e-8,
        memory: int | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernels = kernels
        self.combine = combine
        self.balance = balance
        self.n_neighbors = n_neighbors
        self.ridge = ridge
        self.indefinite = indefinite
        self.solver = solver
        self.tol = tol
        self.memory = memory
        self.random_state = random_state

    @property
    def _is_precomputed(self) -> bool:
        return False

    def _moved(self, X: Any) -> Any:
        return X

    def _door(self, X: Any) -> Table:
        if is_several(X):
            return read_blocks(X, self._kernels(list(X)), min_rows=2)
        rows = table(X, "X")
        kernels = self._kernels(["X"])
        _refuse_objects(kernels)
        return _dense_where_needed(rows, kernels)

    def _kernels(self, names: list[str]) -> dict[str, Kernel]:
        """Return the kernel of each block, as the user meant it."""
        given: Any = dict.fromkeys(names, "gaussian") if self.kernels is None else self.kernels
        if not isinstance(given, Mapping) or not given:
            raise InputTypeError(
                f"kernels={given!r} must be a dict with a kernel for each block"[:390]
            )
        return {
            name: Given() if isinstance(k, str) and k == "precomputed" else as_kernel(k)
            for name, k in given.items()
        }

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        self._check_options(count(rows.values))
        points = Points(rows.values)
        kernels = {
            name: kernel.resolve(points, p, rows.columns)
            for name, kernel in self._on_points(rows.values).items()
        }
        parts = self._operators(kernels, points, p)
        inner = inner_products(parts)
        scales, weights = self._units(parts, inner), self._weights(parts, inner)
        factors = [float(f) for f in weights / scales]
        kernel = _weighted(list(kernels.values()), factors)
        gram = _weighted_grams([A.gram for A in parts], factors) or TiledGram(kernel, points)
        extra = {
            "kernel_": kernel,
            "kernels_": kernels,
            "kernel_weights_": pd.Series(weights, index=list(kernels), name="weight"),
            "rv_": pd.DataFrame(rv_matrix(inner), index=list(kernels), columns=list(kernels)),
            "_points": points,
            "_scales": scales,
            "_inner": inner,
            "_inertias": np.array([A.trace() for A in parts]),
        }
        return self._fit_gram(gram, p, kernel.psd is True, extra)

    def _on_points(self, X: Any) -> dict[str, Kernel]:
        names = list(X.blocks) if isinstance(X, Blocks) else ["X"]
        kernels = self._kernels(names)
        if not isinstance(X, Blocks):
            return kernels
        return {name: OnBlock(kernel, name) for name, kernel in kernels.items()}

    def _operators(
        self, kernels: Mapping[str, Kernel], points: Points, p: np.ndarray | None
    ) -> list[CenteredGram]:
        """Return the centred operator of each block, stored where all of them fit."""
        n = len(points)
        fits = 8 * n * n * (len(kernels) + 1) <= budget_bytes(self.memory) / 4
        found = []
        for name, kernel in kernels.items():
            gram: Gram = TiledGram(kernel, points)
            A = CenteredGram(DenseGram(gram.dense()) if fits else gram, p)
            if not A.trace() > 64.0 * np.finfo(float).eps * _largest(A):
                raise InputError(
                    f"kernels[{name!r}] has no inertia: it is constant on these individuals, or "
                    "overflows: leave the block out or rescale it"
                )
            found.append(A)
        return found

    def _units(self, parts: list[CenteredGram], inner: np.ndarray) -> np.ndarray:
        """Return what each kernel is divided by, (B,)."""
        if self.balance is None:
            return np.ones(len(parts))
        inertias = np.array([A.trace() for A in parts])
        if self.balance == "inertia":
            return inertias
        if self.balance == "norm":
            return inertias * np.sqrt(np.diag(inner))
        return np.array([self._first_eigenvalue(A) for A in parts])

    def _first_eigenvalue(self, A: CenteredGram) -> float:
        problem = replace(
            self._problem(A.n, True, _largest(A)), wanted=selection(1, A.n, "the number of rows")
        )
        choice = choose_gram(A.n, 1, "auto", problem.budget)
        return float(decompose(A, choice, problem).values[0])

    def _weights(self, parts: list[CenteredGram], inner: np.ndarray) -> np.ndarray:
        """Return the weights of the blocks, which sum to 1."""
        if len(parts) == 1 or self.combine == "mean":
            return np.full(len(parts), 1.0 / len(parts))
        if self.combine == "statis":
            return statis_weights(rv_matrix(inner))
        S = roughness(parts, neighbour_graph(parts, self.n_neighbors))
        return ridge_weights(S, self.ridge if self.combine == "umkl" else 0.0)

    def _check_options(self, n: int) -> None:
        super()._check_options(n)
        if self.combine not in COMBINE:
            raise InputError(f"combine={self.combine!r} must be one of {', '.join(COMBINE)}")
        if self.balance not in BALANCE:
            raise InputError(f"balance={self.balance!r} must be one of {BALANCE}")
        k, ridge = self.n_neighbors, self.ridge
        if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
            raise InputError(f"n_neighbors={k!r} must be a whole number of at least 1")
        if isinstance(ridge, bool) or not isinstance(ridge, Real) or not 0 <= ridge < np.inf:
            raise InputError(f"ridge={ridge!r} must be a finite number, not negative")

    def _against_noise(self, rows: Table, p: np.ndarray | None) -> Columns:
        if isinstance(rows.values, Blocks):
            raise InputError(
                "parallel analysis permutes the columns of one table: give a table, and kernels on "
                "its columns, instead of blocks"
            )
        points = Points(rows.values)
        kernels = self._kernels(["X"])
        fixed = {name: kernel.resolve(points, p, rows.columns) for name, kernel in kernels.items()}
        return AgainstNoise._against_noise(self._like_this(kernels=fixed), rows, p)

    def _new_rows(self, X: Any, door: Any = None) -> Table:
        check_is_fitted(self)
        fitted = self._points.X
        if isinstance(fitted, Blocks) != is_several(X):
            kind = "a dict of blocks" if isinstance(fitted, Blocks) else "one table"
            raise InputError(f"X is of another kind than in the fit, which was given {kind}")
        if isinstance(fitted, Blocks):
            inner = {k.name: k.kernel for k in self.kernels_.values() if isinstance(k, OnBlock)}
            rows = read_blocks(X, inner, min_rows=1)
            check_like_fit(rows.values, fitted)
            return rows
        return _dense_where_needed(super()._new_rows(X), self.kernels_)

    def _with_diag(self, X: Array, distance2: Array, diag: Any) -> Array:
        if diag is not None or np.isnan(to_numpy(distance2)).any():
            raise InputError(
                "k(x, x) of new rows is not known for a precomputed block: give this block as a "
                "pair (K, diag), and leave diag= out"
            )
        return distance2


def _largest(A: CenteredGram) -> float:
    return float(np.abs(to_numpy(A.gram.diag())).max())


def _weighted(kernels: list[Kernel], factors: list[float]) -> Kernel:
    """Return Σ f_b k_b over the kernels that have a weight."""
    used = [Constant(f) * k for f, k in zip(factors, kernels, strict=True) if f > 0]
    return reduce(operator.add, used)


def _weighted_grams(grams: list[Gram], factors: list[float]) -> DenseGram | None:
    """Return Σ f_b G_b where the matrices are stored."""
    total = None
    for gram, f in zip(grams, factors, strict=True):
        if not isinstance(gram, DenseGram):
            return None
        if f > 0:
            total = f * gram.K if total is None else total + f * gram.K
    return DenseGram(total)


def _refuse_objects(kernels: Mapping[str, Kernel]) -> None:
    for name, kernel in kernels.items():
        if not kernel.takes_vectors:
            raise InputTypeError(
                f"X is one table, but kernels[{name!r}] does not take its rows: give a dict with a "
                "block for each kernel"
            )


def _dense_where_needed(rows: Table, kernels: Mapping[str, Kernel]) -> Table:
    sparse = hasattr(rows.values, "indptr")
    if sparse and not all(kernel.takes_sparse for kernel in kernels.values()):
        return replace(rows, values=rows.values.toarray())
    return rows
