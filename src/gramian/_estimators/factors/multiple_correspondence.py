"""Categories: multiple correspondence analysis, and with numbers, factor analysis of mixed data."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import flag, is_list, share, short
from gramian._core.table import Table, raw_weights, weights
from gramian._core.types import DataLike, SeedLike, WeightsLike
from gramian._estimators.base import Missing, TableSolver
from gramian._estimators.factors.base import MixedEstimator
from gramian._reading.categories import categories, with_contributions
from gramian._reading.coding import MISSING, Coding, Variable, encode_table, variables_and_index
from gramian._reading.columns import Factor, Numeric, as_categories, rare_levels
from gramian._reading.correspondence import all_inertias, benzecri, greenacre_total
from gramian.errors import InputError


class MCA(MixedEstimator):
    """Multiple correspondence analysis: individuals and the answers they gave, on common axes.

    It is the correspondence analysis of the indicator matrix of K questions with J levels in all:
    an individual lies (on an axis, up to 1/√λ) at the mean of its answers, an answer at the mean
    of its individuals. `eigenvalues_` are those of the indicator matrix, at most J − K of them,
    with mean 1/K.

    Parameters
    ----------
    n_components, solver, random_state
        As for `PCA`.
    rare : float in [0, 1)
        Levels with less than this share of the weight are left out of the axes and of the map,
        while the other levels of the question keep their masses (specific MCA): individuals who
        gave a rare answer are placed by their other answers. If only one level of a question would
        remain, all of its levels are kept.
    passive : {question: [levels]}, optional
        Levels left out in the same way, whatever their frequency; "NA" stands for missing answers.

    Attributes
    ----------
    benzecri_ratio_ : array (q,)
        Shares of the inertia after Benzécri's correction, (K/(K−1))²(λ − 1/K)² for λ > 1/K: the
        indicator matrix makes the first axes look poorer than they are.
    greenacre_ratio_ : array (q,)
        The same inertias as shares of the mean inertia of the off-diagonal blocks of the Burt table
        (Greenacre's adjustment); always smaller.
    rare_levels_ : dict
        The levels left out of the axes, rare or passive, by question. All others are those of
        `FAMD`.

    See Also
    --------
    CA : a table of counts.
    FAMD : numbers beside categories.

    References
    ----------
    - Lebart, Morineau and Piron (1995), Statistique exploratoire multidimensionnelle.
    - Greenacre (2007), Correspondence analysis in practice.

    Notes
    -----
    All columns are categories: text, categories, booleans, or codes that are whole numbers. A
    missing answer is a level of its own, "NA".

    Examples
    --------
    >>> X = {"tea": ["black", "green", "green", "black"], "milk": ["yes", "no", "no", "no"]}
    >>> fit = gm.MCA().fit(X)
    >>> fit.eigenvalues_.round(3)
    array([0.789, 0.211])
    >>> fit.categories()["contribution", 1].round(3).tolist()
    [0.25, 0.25, 0.125, 0.375]
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        rare: float = 0.0,
        passive: Mapping[Any, Sequence[Any]] | None = None,
        solver: TableSolver = "auto",
        random_state: SeedLike = None,
    ) -> None:
        super().__init__(n_components, solver=solver, random_state=random_state)
        self.rare = rare
        self.passive = passive

    def _columns_of_table(self, X: DataLike, min_rows: int) -> tuple[list[Numeric | Factor], Any]:
        columns, index = variables_and_index(X, min_rows=min_rows)
        return as_categories(columns, "MCA"), index

    def _rows_and_weights(
        self, X: DataLike, sample_weight: WeightsLike
    ) -> tuple[Table, np.ndarray | None]:
        share(self.rare, "rare", zero=True)
        columns, index = self._columns_of_table(X, 2)
        n = len(columns[0].codes) if isinstance(columns[0], Factor) else 0
        w = raw_weights(sample_weight, n, index=index)
        passive = _passive_levels(self.passive, columns)
        variables = [
            Variable.of(c, [*rare_levels(c, w, self.rare), *passive.get(c.name, ())])
            for c in columns
            if isinstance(c, Factor)
        ]
        if empty := [v.name for v in variables if not v.levels]:
            raise InputError(f"passive: {short(empty[0])} keeps no level: leave the column out")
        return encode_table(columns, index, Coding(tuple(variables))), weights(w, n)

    @property
    def rare_levels_(self) -> dict[Any, list[Any]]:
        """The levels left out of the axes, rare or passive, by question."""
        return {v.name: list(v.passive) for v in self.coding_.variables if v.passive}

    def _variable_weights(self, coding: Coding) -> np.ndarray:
        K = len(coding.variables)
        return np.full(K, 1.0 / K)

    def _category_table(self, factors: list[Factor]) -> pd.DataFrame:
        return categories(self._cloud(), factors)

    def categories(self, table: DataLike | None = None, *, burt: bool = False) -> pd.DataFrame:
        """Return the table of categories: those of the fit, or of the columns of a table.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary categories, as for `PCA.categories`.
        burt : bool
            Categories as the analysis of the Burt table places them: the barycentres of their
            individuals, with their own cos². Its eigenvalues are `eigenvalues_` squared.

        Returns
        -------
        DataFrame
            As for `FAMD`, but a coordinate is the barycentre of the individuals divided by √λ.
        """
        if not flag(burt, "burt"):
            return super().categories(table)
        if table is not None:
            return super()._category_table(self._columns_of(table).factors)
        own = super()._category_table(self._factors())
        return with_contributions(own, self._principal, self.coding_)

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


def _passive_levels(
    passive: Mapping[Any, Sequence[Any]] | None, columns: list[Numeric | Factor]
) -> dict[Any, list[Any]]:
    """Return the levels that are to be passive, or say which of them no column has."""
    known = {c.name: {*c.labels, MISSING} for c in columns if isinstance(c, Factor)}
    if passive is not None and not isinstance(passive, Mapping):
        raise InputError(f"passive={short(passive)} must be a dict of lists of levels, by question")
    for name, levels in (passive or {}).items():
        if not is_list(levels) or not {*levels} <= known.get(name, set()):
            raise InputError(f"passive[{short(name)}]={short(levels)} must list levels of a column")
    return {name: list(dict.fromkeys(levels)) for name, levels in (passive or {}).items()}


class FAMD(MixedEstimator):
    """Factor analysis of mixed data: PCA of numbers and categories together.

    A number becomes (x − mean)/deviation (divisor n), a level of mass p the column
    (indicator − p)/√p, and the axes are principal components of both. They maximise the sum of r²
    over numbers and η² over categorical variables; a variable of k levels has inertia k − 1.

    Parameters
    ----------
    n_components, solver, random_state
        As for `PCA`.
    missing : "raise" or "iterative"
        How missing values are handled: "raise" is an error for numbers, while a missing category is
        the level "NA"; "iterative" fills in both from the axes of the table, also in new rows.

    Attributes
    ----------
    components_ : array (q, p)
        The axes in the space of the coded columns.
    coding_ : Coding
        The variables and their levels.
    total_ : float
        How many individuals the rows stand for: their number, or the sum of the weights. All
        others are those of `PCA`.

    See Also
    --------
    PCA : numbers alone.
    MCA : categories alone.

    References
    ----------
    Pagès (2004), Analyse factorielle de données mixtes.

    Notes
    -----
    Columns of text, categories and booleans are categories, the others numbers. A missing
    category is a level of its own, "NA"; a missing number is an error. New rows are coded with the
    means, deviations and masses of the fit, whatever the size of the batch.

    Examples
    --------
    >>> X = {"size": [1.0, 2.0, 4.0, 6.0], "colour": ["red", "red", "blue", "blue"]}
    >>> gm.FAMD().fit(X).eigenvalues_.round(3)
    array([1.911, 0.089])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        solver: TableSolver = "auto",
        missing: Missing = "raise",
        random_state: SeedLike = None,
    ) -> None:
        super().__init__(n_components, solver=solver, random_state=random_state)
        self.missing = missing
