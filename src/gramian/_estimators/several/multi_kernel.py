"""Kernel principal component analysis of several kernels at once."""

import copy
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
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
    KernelLike,
    like_this,
    null_table_by_fits,
)
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.several.block_rows import (
    check_like_fit,
    is_several,
    on_points,
    read_blocks,
    read_one_table,
    refuse_objects,
)
from gramian._estimators.several.combination import (
    Balance,
    Combination,
    Combine,
    check_combination,
    combine_kernels,
    gram_sum,
    kernel_sum,
)
from gramian._reading.null_table import NullTable
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel, as_kernel
from gramian.kernels.blocks import Blocks, Given, OnBlock


class KernelParameters(BaseEstimator):
    """An estimator whose parameter `kernels` is a dict of kernels."""

    kernels: Mapping[str, Any] | None

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
            kernels = dict(self.kernels or {})
            if name not in kernels:
                raise InputError(f"{key}: kernels has no {name!r}, only {list(kernels)}"[:390])
            kernels[name] = _with_parameter(kernels[name], inner, value) if inner else value
            self.kernels = kernels
        return self


def _with_parameter(kernel: KernelLike, name: str, value: object) -> Kernel:
    """Return a copy of a kernel with one parameter changed."""
    own = copy.deepcopy(as_kernel(kernel))
    own.set_params(**{name: value})
    return own


class MultiKernelPCA(KernelParameters, KernelPCA):
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
    indefinite, solver, tol, care, memory, random_state
        As for `KernelPCA`.

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, n_components_
        As for `PCA`: the inertia of each axis and of all, shares, rows on the axes, number of axes.
    residuals_, certificate_, tied_axes_, solver_
        As for `PCA`: how exact the axes are, which of them are tied, and how they were found.
    kernel_weights_ : Series
        The weight of each block, by its name.
    rv_ : DataFrame (b, b)
        The RV coefficients between the blocks.
    kernels_ : dict
        The kernel of each block with its scale made definite.
    kernel_ : Kernel
        The combined kernel.
    negative_inertia_ : float
        Σ|λ| over the negative eigenvalues of an indefinite kernel, 0 for any other.

    See Also
    --------
    KernelPCA : one kernel.
    MFA : groups of columns, without kernels.

    References
    ----------
    Mariette and Villa-Vialaneix (2018), Unsupervised multiple kernel learning for heterogeneous
        data integration.

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
    kernel = None  # type: ignore[assignment]
    approximation = None
    formulation = "centered"
    device = None

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

    _takes_gram = False

    @property
    def is_precomputed(self) -> bool:
        """Whether X is one matrix of kernel values: several are given as a dict."""
        return False

    @property
    def is_linear(self) -> bool:
        """Whether the axes are principal components of one table."""
        return False

    def _read(self, X: DataLike) -> Table:
        if is_several(X):
            return read_blocks(X, self._kernels(list(X)), min_rows=2)
        kernels = self._kernels(["X"])
        refuse_objects(kernels)
        return read_one_table(X, kernels, 2)

    def _read_new(self, X: DataLike) -> Table:
        fitted, kernels = self.training_.rows, self.combination_.kernels
        if isinstance(fitted, Blocks) != is_several(X):
            kind = "a dict of blocks" if isinstance(fitted, Blocks) else "one table"
            raise InputError(f"X is of another kind than in the fit, which was given {kind}")
        if isinstance(fitted, Blocks) and is_several(X):
            inner = {k.name: k.kernel for k in kernels.values() if isinstance(k, OnBlock)}
            rows = read_blocks(X, inner, min_rows=1)
            check_like_fit(rows.values, fitted)
            return rows
        return self._like_fit(X, read_one_table(X, kernels, 1))

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
        check_combination(self)
        points = Points(rows.values)
        kernels = {
            name: kernel.resolve(points, p, rows.columns)
            for name, kernel in self._on_points(rows).items()
        }
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

    def _on_points(self, rows: Table) -> dict[str, Kernel]:
        X = rows.values
        return on_points(rows, self._kernels(list(X.blocks) if isinstance(X, Blocks) else ["X"]))

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        points = Points(rows.values)
        kernels = self._on_points(rows)
        fixed = {name: kernel.resolve(points, p, rows.columns) for name, kernel in kernels.items()}
        return null_table_by_fits(like_this(self, kernels=fixed), rows, p)

    def partial(self, X: DataLike | None = None) -> pd.DataFrame:
        """Return the individuals as each block alone sees them on the common axes.

        The mean of the partial points of an individual, with the weights of the blocks, is the
        point of the individual in `coordinates_`: far apart, its blocks disagree about it.

        Parameters
        ----------
        X : dict of blocks, or a table, optional
            New individuals; those of the fit that have a weight by default.

        Returns
        -------
        DataFrame
            A row for each individual, columns (block, axis).

        Examples
        --------
        >>> import gramian as gm
        >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]]}
        >>> fit = gm.MultiKernelPCA(1, kernels={"a": "linear", "b": "linear"}).fit(X)
        >>> fit.partial().round(3).loc[2].tolist()
        [-1.336, -0.707]
        """
        check_is_fitted(self)
        if X is None:
            index = self.training_.active()[0].index
            if index is None and self.training_.live is not None:
                index = self.training_.labels[self.training_.live]
            new = self.combination_.points(self.record_)
        else:
            rows = self._read_new(X)
            new, index = Points(rows.values, self.combination_.points(self.record_)), rows.index
        axes = pd.Index(range(1, self.n_components_ + 1), name="axis")
        places = self.combination_.partial(self.record_, new)
        seen = [pd.DataFrame(F, index=index, columns=axes) for F in places]
        return pd.concat(seen, axis=1, keys=list(self.kernels_), names=["block"])

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

        Examples
        --------
        >>> import gramian as gm
        >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]]}
        >>> fit = gm.MultiKernelPCA(1, kernels={"a": "linear", "b": "linear"}).fit(X)
        >>> fit.blocks()["contribution", 1].round(3).tolist()
        [0.5, 0.5]
        """
        check_is_fitted(self)
        return self.combination_.table(self.record_)
