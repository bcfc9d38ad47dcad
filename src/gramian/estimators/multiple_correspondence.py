"""Multiple correspondence analysis: questions with answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian.estimators._mixed import MixedEstimator
from gramian.reading.adjusted import all_inertias, benzecri, greenacre_total
from gramian.reading.coding import Coding, mixed_columns
from gramian.reading.columns import Factor, Numeric
from gramian.reading.levels import standard_categories
from gramian.reading.rare import as_categories

__all__ = ["MCA"]


class MCA(MixedEstimator):
    """Multiple correspondence analysis: individuals and the answers they gave, on common axes.

    It is the correspondence analysis of the indicator matrix of K questions with J levels in all:
    an individual lies (on an axis, up to 1/√λ) at the mean of its answers, an answer at the mean
    of its individuals. `eigenvalues_` are those of the indicator matrix, at most J − K of them,
    with mean 1/K.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        As for `PCA`.
    solver : "auto", "covariance", "dense" or "krylov"
    random_state : int, optional
        Seed of the iterative solver.

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, components_, residuals_, n_components_,
    solver_, tied_axes_, coding_, total_
    benzecri_ratio_ : array (q,)
        Shares of the inertia after Benzécri's correction, (K/(K−1))²(λ − 1/K)² for λ > 1/K: the
        indicator matrix makes the first axes look poorer than they are.
    greenacre_ratio_ : array (q,)
        The same inertias as shares of what questions have in common, the mean inertia of the
        blocks of the Burt table off its diagonal; always smaller.

    Notes
    -----
    All columns are categories: text, categories, booleans, or codes that are whole numbers. A
    missing answer is a level of its own, "NA".

    Examples
    --------
    >>> import pandas as pd
    >>> import gramian as gm
    >>> X = pd.DataFrame({"tea": ["black", "green", "green", "black"],
    ...                   "milk": ["yes", "no", "no", "no"]})
    >>> gm.MCA().fit(X).eigenvalues_.round(3)
    array([0.789, 0.211])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        solver: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.random_state = random_state

    def _columns_of_table(self, X: Any, min_rows: int) -> tuple[list[Numeric | Factor], Any]:
        columns, index = mixed_columns(X, min_rows=min_rows)
        return as_categories(columns, "MCA"), index

    def _variable_weights(self, coding: Coding) -> np.ndarray:
        K = len(coding.variables)
        return np.full(K, 1.0 / K)

    def _placed_categories(self, factors: list[Factor]) -> pd.DataFrame:
        return standard_categories(self._cloud(), factors)

    @property
    def benzecri_ratio_(self) -> np.ndarray:
        """The shares of the inertia after Benzécri's correction, 0 for λ ≤ 1/K."""
        K = len(self.coding_.variables)
        corrected = benzecri(all_inertias(self.record_), K)
        return benzecri(self.eigenvalues_, K) / (corrected.sum() or 1.0)

    @property
    def greenacre_ratio_(self) -> np.ndarray:
        """The same inertias as shares of what the questions have in common."""
        K, J = len(self.coding_.variables), len(self.coding_.levels)
        total = greenacre_total(all_inertias(self.record_), K, J)
        return benzecri(self.eigenvalues_, K) / (total or 1.0)
