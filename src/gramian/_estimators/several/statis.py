"""STATIS and DISTATIS: several tables, or several distance matrices, as one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import Tags

from gramian._core.table import Table, distance_matrix, pair_table
from gramian._core.types import DataLike, SeedLike
from gramian._estimators.base import GramSolver, Indefinite
from gramian._estimators.several.block_rows import is_several
from gramian._estimators.several.multi_kernel import MultiKernelPCA
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel, Linear
from gramian.kernels.blocks import Given


class STATIS(MultiKernelPCA):
    """STATIS: the compromise between tables of the same individuals, weighted by agreement.

    The tables are centred and divided by the norm of their products W = XXᵀ; their weights are the
    first eigenvector of the RV coefficients between them, with sum 1, and the axes are those of
    the compromise Σ w_b·W_b. Columns are used as they are: scale them first where their units
    differ. It is `MultiKernelPCA` with linear kernels, combine="statis" and balance="norm".

    Parameters
    ----------
    n_components, solver, tol, memory, random_state
        As for `KernelPCA`.

    Attributes
    ----------
    kernel_weights_, rv_ : Series (G,), DataFrame (G, G)
        The weight of each table, and RV coefficients between them. All others are those of
        `MultiKernelPCA`.

    See Also
    --------
    MFA : groups weighted by their first axis.
    DISTATIS : tables of distances.

    References
    ----------
    Lavit, Escoufier, Sabatier and Traissac (1994), The ACT (STATIS method).

    Examples
    --------
    >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]], "c": [[1.0], [0.0], [3.0]]}
    >>> gm.STATIS(1).fit(X).kernel_weights_.round(2).to_dict()
    {'a': 0.41, 'b': 0.28, 'c': 0.31}
    """

    kernels: Any = None
    combine = "statis"
    balance: Any = "norm"
    n_neighbors = 5
    ridge = 1.0
    indefinite: Any = "raise"
    care = 1.01

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        solver: GramSolver = "auto",
        tol: float = 1e-8,
        memory: int | str | None = None,
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.tol = tol
        self.memory = memory
        self.random_state = random_state

    def _kernels(self, names: list[str]) -> dict[str, Kernel]:
        return {name: Linear() for name in names}

    def _read(self, X: DataLike) -> Table:
        return super()._read(_blocks(X, "tables"))

    def _read_new(self, X: DataLike) -> Table:
        return super()._read_new(_blocks(X, "tables"))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags


class DISTATIS(STATIS):
    """DISTATIS: the compromise between distance matrices, weighted by agreement.

    Distances become products −½d², centred and divided by their first eigenvalue; weights and
    compromise are those of STATIS. New individuals come as distances to those of the fit, (m, n)
    for each matrix.

    Parameters
    ----------
    n_components, solver, tol, memory, random_state
        As for `KernelPCA`.
    indefinite : "raise", "clip", "flip" or "krein"
        What to do if the compromise is not one of Euclidean distances, as for `KernelPCA`.

    Attributes
    ----------
    kernel_weights_, rv_ : Series (G,), DataFrame (G, G)
        The weight of each matrix, and RV coefficients between them, as for `STATIS`.

    See Also
    --------
    STATIS : tables of numbers.
    MultiKernelPCA : kernels.

    References
    ----------
    - Abdi, O'Toole, Valentin and Edelman (2005), DISTATIS: the analysis of multiple distance
      matrices.

    Examples
    --------
    >>> D = gm.distances.euclidean([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
    >>> gm.DISTATIS(1).fit({"one": D, "two": 2 * D}).kernel_weights_.round(2).to_dict()
    {'one': 0.5, 'two': 0.5}
    """

    balance = "axis"

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        indefinite: Indefinite = "raise",
        solver: GramSolver = "auto",
        tol: float = 1e-8,
        memory: int | str | None = None,
        random_state: SeedLike = None,
    ) -> None:
        super().__init__(
            n_components, solver=solver, tol=tol, memory=memory, random_state=random_state
        )
        self.indefinite = indefinite

    def _kernels(self, names: list[str]) -> dict[str, Kernel]:
        return {name: Given() for name in names}

    def _read(self, X: DataLike) -> Table:
        return super()._read({name: _products(D, name) for name, D in _distances(X)})

    def _read_new(self, X: DataLike) -> Table:
        rows = {}
        for name, D in _distances(X):
            values = np.asarray(D.values, dtype=np.float64)
            if (values < 0).any():
                raise InputError(f"X[{name!r}] has a negative distance: give distances")
            rows[name] = (-0.5 * values**2, np.zeros(len(values)))
        return super()._read_new(rows)


def _blocks(X: DataLike, what: str) -> Mapping[str, Any]:
    if not is_several(X) or not X:
        raise InputTypeError(f"X must be a dict of {what} of the same individuals, by their names")
    return X


def _distances(X: DataLike) -> list[tuple[str, Table]]:
    blocks = _blocks(X, "distance matrices").items()
    return [(name, pair_table(D, f"X[{name!r}]", "kernel", min_rows=1)) for name, D in blocks]


def _products(D: Table, name: str) -> np.ndarray | pd.DataFrame:
    """Return −½d² of a square matrix of distances, with its labels."""
    distance_matrix(D, f"X[{name!r}]")
    values = np.asarray(D.values, dtype=np.float64)
    products = -0.5 * (0.5 * (values + values.T)) ** 2
    return products if D.index is None else pd.DataFrame(products, D.index, D.columns)
