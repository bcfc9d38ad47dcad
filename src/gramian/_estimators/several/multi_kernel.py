"""Kernel principal component analysis of several kernels at once."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.embedding import Model
from gramian._core.operators import TiledGram
from gramian._core.pairs import Points
from gramian._core.table import Table
from gramian._core.types import DataLike, SeedLike
from gramian._estimators.base import (
    Attributes,
    GramSolver,
    Indefinite,
    like_this,
    null_table_by_fits,
)
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.several import block_rows
from gramian._estimators.several.combination import (
    Balance,
    Combination,
    Combine,
    combine_kernels,
    gram_sum,
    kernel_sum,
)
from gramian._reading.null_table import NullTable
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel, as_kernel
from gramian.kernels.blocks import Blocks, Given, OnBlock


class MultiKernelPCA(KernelPCA):
    """Kernel PCA of several kernels on the same individuals.

    The individuals are described by B blocks (a table of expression, a network, clinical data…),
    each seen through its own kernel. Blocks are balanced, weights w with sum 1 are found, and
    kernel PCA is done with k = Σ w_b k_b/s_b. All of it takes O(n²) kernel values of each block.

    Parameters
    ----------
    n_components, indefinite, solver, tol, care, memory, random_state
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
        What is first scaled to 1 in each block: its total inertia (s_b is the trace), its norm (the
        habit of STATIS), its first eigenvalue (the habit of multiple factor analysis), or nothing.
    n_neighbors : int
        Near neighbours of each individual in each block, for the two UMKL methods.
    ridge : float
        The penalty of "umkl", where S has ones on its diagonal.

    Attributes
    ----------
    kernel_weights_ : Series
        The weight of each block, by its name.
    rv_ : DataFrame (b, b)
        The RV coefficients between the blocks.
    kernels_ : dict
        The kernel of each block with its scale set from the data.
    kernel_ : Kernel
        The combined kernel. All others are those of `KernelPCA`.

    See Also
    --------
    KernelPCA : one kernel.
    MFA : groups of columns, without kernels.

    References
    ----------
    - Mariette and Villa-Vialaneix (2018), Unsupervised multiple kernel learning for heterogeneous
      data integration.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((30, 2))
    >>> X = {"a": z, "b": z + 0.1 * rng.standard_normal((30, 2)), "c": rng.standard_normal((30, 2))}
    >>> fit = gm.MultiKernelPCA(2, kernels=dict.fromkeys(X, "linear")).fit(X)
    >>> fit.kernel_weights_.round(2).to_dict()
    {'a': 0.48, 'b': 0.48, 'c': 0.04}

    Individuals as each block sees them, and what blocks have to do with the axes:

    >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]]}
    >>> fit = gm.MultiKernelPCA(1, kernels={"a": "linear", "b": "linear"}).fit(X)
    >>> fit.partial().round(3).loc[2].tolist()
    [-1.336, -0.707]
    >>> fit.blocks()["contribution", 1].round(3).tolist()
    [0.5, 0.5]
    """

    is_linear = False
    # What KernelPCA offers and several kernels do not.
    kernel = None  # type: ignore[assignment]
    approximation = None
    formulation = "centered"
    device = None

    _takes_gram = False
    _takes_blocks = False  # several tables, or kernels that are weighted by all rows

    kernels_: Mapping[str, Kernel]
    kernel_weights_: pd.Series
    rv_: pd.DataFrame
    combination_: Combination

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        kernels: Mapping[str, Any] | None = None,
        combine: Combine = "statis",
        balance: Balance | None = "inertia",
        n_neighbors: int = 5,
        ridge: float = 1.0,
        indefinite: Indefinite = "raise",
        solver: GramSolver = "auto",
        tol: float = 1e-8,
        care: float | None = 1.01,
        memory: int | str | None = None,
        random_state: SeedLike = None,
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
        self.care = care
        self.memory = memory
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, those of the kernels as kernels__name__scale."""
        own = super().get_params(deep=False)
        if deep and isinstance(self.kernels, Mapping):
            for name, kernel in self.kernels.items():
                own[f"kernels__{name}"] = kernel
                if isinstance(kernel, Kernel):
                    inner = kernel.get_params().items()
                    own |= {f"kernels__{name}__{key}": value for key, value in inner}
        return own

    def set_params(self, **params: object) -> Self:
        """Set parameters; those of the kernels as kernels__name or kernels__name__scale."""
        nested = {key: v for key, v in params.items() if key.startswith("kernels__")}
        super().set_params(**{key: v for key, v in params.items() if key not in nested})
        for key, value in nested.items():
            name, _, inner = key.removeprefix("kernels__").partition("__")
            kernels: Any = dict(self.kernels or {})
            if name not in kernels:
                raise InputError(f"{key}: kernels has no {name!r}, only {list(kernels)}"[:390])
            if inner:
                value = deepcopy(as_kernel(kernels[name])).set_params(**{inner: value})
            self.kernels = {**kernels, name: value}
        return self

    def _read(self, X: DataLike) -> Table:
        if block_rows.is_several(X):
            return block_rows.read_blocks(X, self._kernels(list(X)), min_rows=2)
        return block_rows.read_one_table(X, self._kernels(["X"]), 2)

    def _read_new(self, X: DataLike) -> Table:
        fitted, kernels = self.training_.rows, self.combination_.kernels
        if isinstance(fitted, Blocks) != block_rows.is_several(X):
            kind = "a dict of blocks" if isinstance(fitted, Blocks) else "one table"
            raise InputError(f"X is of another kind than in the fit, which was given {kind}")
        if isinstance(fitted, Blocks) and block_rows.is_several(X):
            inner = {k.name: k.kernel for k in kernels.values() if isinstance(k, OnBlock)}
            rows = block_rows.read_blocks(X, inner, min_rows=1)
            block_rows.check_like_fit(rows.values, fitted)
            return rows
        return self._like_fit(X, block_rows.read_one_table(X, kernels, 1))

    def _kernels(self, names: list[str]) -> dict[str, Kernel]:
        """Return the kernel of each block, as the user meant it."""
        kernels: Any = dict.fromkeys(names, "gaussian") if self.kernels is None else self.kernels
        if not isinstance(kernels, Mapping) or not kernels:
            raise InputTypeError(
                f"kernels={str(kernels)[:80]} must be a dict with a kernel for each block"
            )
        return {
            name: Given() if isinstance(k, str) and k == "precomputed" else deepcopy(as_kernel(k))
            for name, k in kernels.items()
        }

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        self._check_options()
        points, kernels = self._resolve(rows, p)
        request = self._request(len(points))
        combination, grams = combine_kernels(self, kernels, points, p, request)
        factors = combination.factors
        kernel = kernel_sum(list(kernels.values()), factors)
        gram = gram_sum(grams, factors, kernel.psd)
        tiled = TiledGram(kernel.about(points), points)
        model = self._of_gram(tiled if gram is None else gram, p, request)
        names = list(kernels)
        own = {
            "kernel_": kernel,
            "kernels_": kernels,
            "kernel_weights_": pd.Series(combination.weights, index=names, name="weight"),
            "rv_": pd.DataFrame(combination.rv, index=names, columns=names),
            "combination_": combination,
        }
        return replace(model, operator=tiled), own

    def _resolve(self, rows: Table, p: np.ndarray | None) -> tuple[Points, dict[str, Kernel]]:
        """Return the rows as points, and the kernel of each block with its scale."""
        X, points = rows.values, Points(rows.values)
        names = list(X.blocks) if isinstance(X, Blocks) else ["X"]
        own = block_rows.on_points(rows, self._kernels(names))
        return points, {name: k.resolve(points, p, rows.columns) for name, k in own.items()}

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        _, kernels = self._resolve(rows, p)
        return null_table_by_fits(like_this(self, kernels=kernels), rows, p)

    def partial(self, X: DataLike | None = None) -> pd.DataFrame:
        """Return the individuals as each block alone sees them, columns (block, axis).

        The mean of the partial points of an individual, with the weights of the blocks, is the
        point of the individual in `coordinates_`: far apart, its blocks disagree about it.

        Parameters
        ----------
        X : dict of blocks, or a table, optional
            New individuals; those of the fit that have a weight by default.
        """
        check_is_fitted(self)
        if X is None:
            index, live = self.training_.labels, self.training_.live
            index = index if live is None else index[live]
            new = self.combination_.points(self.record_)
        else:
            rows = self._read_new(X)
            new, index = Points(rows.values, self.combination_.points(self.record_)), rows.index
        places = self.combination_.partial(self.record_, new)
        return self._by_part(places, index, self.kernels_, "block")

    def blocks(self) -> pd.DataFrame:
        """Return the table of blocks: weights, and what each block has to do with each axis.

        Returns
        -------
        DataFrame
            A row for each block; columns (measure, axis): ("weight", ""); ("inertia", ""), that of
            the block before it was balanced; ("rv", ""), with the combined kernel; "contribution",
            the block's part of the axis' inertia (they sum to 1 for each axis); "inertia_ratio",
            the part of the block's own inertia that lies along the axis; "cos2", that inertia
            squared over the squared norm of the block: 1 for a block that has this axis only.
        """
        check_is_fitted(self)
        return self.combination_.table(self.record_)
