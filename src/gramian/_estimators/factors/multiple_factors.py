"""Multiple factor analysis: groups of variables on the same individuals."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.embedding import Model
from gramian._core.operators.moments import Moments
from gramian._core.table import Table
from gramian._core.types import DataLike, SeedLike, WeightsLike
from gramian._estimators.base import Attributes, Missing, TableSolver, like_this, record_columns
from gramian._estimators.factors.base import as_given
from gramian._estimators.factors.groups import GroupReading
from gramian._estimators.missing_values import in_groups
from gramian._reading.categories import coding_null, variable_table
from gramian._reading.coding import variables_and_index
from gramian._reading.columns import Factor, Numeric
from gramian._reading.grouping import Grouping, columns_of_kind, encode_groups
from gramian._reading.multiple_factors import group_null, separate
from gramian._reading.null_table import NullTable


class MFA(GroupReading):
    """Multiple factor analysis: groups of variables, balanced, on common axes.

    Each group is first analysed alone, and its variables are divided by the root of its first
    eigenvalue, so that no group makes the first common axis by itself. `eigenvalues_` of an axis
    that all G groups share is G.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        As for `PCA`.
    groups : dict of name: list of columns, optional
        Columns by name, or by position; one that is in no group is left out. By default all
        columns are one group.
    kinds : dict of name: kind, optional
        "scaled" numbers, "centered" numbers (not scaled), "categories", "counts" (a table of
        counts, whose rows then have their totals as weights) or "mixed" numbers and categories;
        FactoMineR's letters s, c, n, f and m do as well. By default what the columns hold:
        numbers are scaled.
    solver : "auto", "covariance", "dense" or "krylov"
    missing : "raise" or "iterative"
        What to do with missing values: raise for a number, a missing category being a level "NA";
        or fill both in by the axes of the table itself, and those of new rows too.
    random_state : int, optional

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, n_components_
        As for `PCA`: the inertia of each axis and of all, shares, rows on the axes, number of axes.
    residuals_, certificate_, tied_axes_, solver_
        As for `PCA`: how exact the axes are, which of them are tied, and how they were found.
    components_ : array (q, p)
        The axes in the space of the coded columns.
    coding_ : Coding
        The variables and their levels.
    total_ : float
        How many individuals the rows stand for: their number, or the sum of the weights.
    first_eigenvalues_ : array (G,)
        That of each group alone, by which it is divided.
    between_ratio_ : array (q,)
        The share of the inertia of all partial points that lies between the individuals: near 1
        where the groups agree about an axis.

    See Also
    --------
    STATIS : groups of columns weighted by what they agree on.
    MultiKernelPCA : a kernel for each group.

    References
    ----------
    Escofier and Pagès (1994), Multiple factor analysis (AFMULT package).

    Examples
    --------
    >>> import pandas as pd
    >>> import gramian as gm
    >>> X = pd.DataFrame({"a": [1.0, 2.0, 4.0, 6.0], "b": [2.0, 1.0, 4.0, 5.0],
    ...                   "c": ["x", "x", "y", "y"]})
    >>> fit = gm.MFA(2, groups={"size": ["a", "b"], "place": ["c"]}).fit(X)
    >>> fit.eigenvalues_.round(3)
    array([1.953, 0.062])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        groups: Mapping[Any, Any] | None = None,
        kinds: Mapping[Any, str] | None = None,
        solver: TableSolver = "auto",
        missing: Missing = "raise",
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.groups = groups
        self.kinds = kinds
        self.solver = solver
        self.missing = missing
        self.random_state = random_state

    def _imputation_task(self, task: Any) -> Any:
        return in_groups(task, self.groups, self.kinds)

    def _read(self, X: DataLike) -> Table:
        return self._rows_and_weights(X, None)[0]

    def _rows_and_weights(
        self, X: DataLike, sample_weight: WeightsLike
    ) -> tuple[Table, np.ndarray | None]:
        columns, index = variables_and_index(X)
        return encode_groups(columns, index, self.groups, self.kinds, sample_weight)

    def _read_new(self, X: DataLike) -> Table:
        columns, index = variables_and_index(X, min_rows=1)
        record_columns(self, as_given(X), reset=False)
        of = self.grouping_
        chosen: list[Numeric | Factor] = []
        for g, (name, kind) in enumerate(zip(of.names, of.kinds, strict=True)):
            own = [columns[k] for k in of.columns[of.member == g]]
            chosen += columns_of_kind(own, kind, name)
        return of.encode(chosen, index)

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        of: Grouping = rows.reader
        alone = [separate(rows, p, g) for g in range(len(of.names))]
        first = np.array([principal.spectrum.values[0] for principal in alone])

        def metric(m: Moments) -> np.ndarray:
            return of.metric(m) / first[of.owner]

        model, own = self._principal_axes(rows, p, metric, scale=True)
        return model, own | {"first_eigenvalues_": first}

    def _dimension(self, rows: Table) -> int:
        return rows.reader.coding.max_axes(rows.values)

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        of: Grouping = rows.reader
        if len(of.names) > 1:
            return group_null(rows, p)
        whole, first = like_this(self, n_components=None), separate(rows, p, 0).spectrum.values[0]

        def spectrum(X: DataLike) -> np.ndarray:
            model, own = whole._analyse(replace(rows, values=X), p)
            # One group has a first eigenvalue of 1 whatever it holds: it is left undivided.
            return np.asarray(model.spectrum.values * own["first_eigenvalues_"][0] / first)

        return coding_null(of.coding, rows, p, spectrum)

    def _active_variables(self) -> pd.DataFrame:
        of, s = self.grouping_, self._principal.standard
        kind = np.array(of.kinds)[of.member]
        size = np.where(kind == "scaled", 1.0, to_numpy(s.deviation)[of.coding.starts[:-1]])
        size = np.where(kind == "mixed", 1.0, size)
        weight = of.weights / self.first_eigenvalues_[of.member]
        return variable_table(self._principal, of.coding, weight, size)
