"""Multiple factor analysis: groups of variables on the same individuals."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_numpy
from gramian._core.check import flag, whole
from gramian._core.embedding import FeatureModel, Model
from gramian._core.operators.moments import Moments
from gramian._core.table import Table
from gramian._core.types import DataLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators.base import Attributes, Missing, TableSolver, like_this, record_columns
from gramian._estimators.factors.base import MixedEstimator, as_given
from gramian._estimators.missing_values import in_groups
from gramian._reading import multiple_factors as reading
from gramian._reading.categories import coding_null, variable_table
from gramian._reading.cloud import ratio
from gramian._reading.coding import Coding, variables_and_index
from gramian._reading.columns import Factor, Numeric
from gramian._reading.grouping import Grouping, columns_of_kind, encode_groups
from gramian._reading.multiple_factors import Alone, Parts
from gramian._reading.null_table import NullTable
from gramian.errors import InputError, InputTypeError

NewGroups: TypeAlias = Mapping[Any, DataLike] | None  # tables by name
Kinds: TypeAlias = Mapping[Any, str] | None


class MFA(MixedEstimator):
    """Multiple factor analysis: groups of variables, balanced, on common axes.

    Each group is first analysed alone, and its variables are divided by the root of its first
    eigenvalue, so that no group makes the first common axis by itself. `eigenvalues_` of an axis
    that all G groups share is G.

    Parameters
    ----------
    n_components, solver, random_state
        As for `PCA`.
    groups : dict of name: list of columns, optional
        Columns by name, or by position; one that is in no group is left out. By default all
        columns are one group.
    kinds : dict of name: kind, optional
        "scaled" numbers, "centered" numbers (not scaled), "categories", "counts" (a table of
        counts, whose rows then have their totals as weights) or "mixed" numbers and categories;
        FactoMineR's letters s, c, n, f and m are accepted too. By default the kind follows from the
        columns, and numbers are scaled.
    missing : "raise" or "iterative"
        As for `FAMD`; the groups are balanced while missing values are filled in.

    Attributes
    ----------
    first_eigenvalues_ : array (G,)
        The first eigenvalue of each group analysed alone, by which the group is divided.
    between_ratio_ : array (q,)
        The share of the inertia of all partial points that lies between the individuals: near 1
        where the groups agree about an axis.
    grouping_ : Grouping
        The groups and their variables. All others are those of `FAMD`.

    See Also
    --------
    STATIS : groups of columns weighted by what they agree on.
    MultiKernelPCA : a kernel for each group.

    References
    ----------
    Escofier and Pagès (1994), Multiple factor analysis (AFMULT package).

    Examples
    --------
    >>> X = {"a": [1.0, 2.0, 4.0, 6.0], "b": [2.0, 1.0, 4.0, 5.0], "c": ["x", "x", "y", "y"]}
    >>> fit = gm.MFA(2, groups={"size": ["a", "b"], "place": ["c"]}).fit(X)
    >>> fit.eigenvalues_.round(3)
    array([1.953, 0.062])

    Individuals as each group sees them, groups on the axes, and how close groups are:

    >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
    >>> fit.individuals()["within", 1].round(3).tolist()
    [0.333, 0.622, 0.045]
    >>> fit.partial().round(3).loc[2].tolist()
    [1.732, 2.0]
    >>> fit.partial_categories({"side": ["u", "u", "v"]}).round(3).iloc[1].tolist()
    [1.732, 2.0]
    >>> fit.group_table()["contribution", 1].round(3).tolist()
    [0.5, 0.5]
    >>> fit.lg().round(3).loc["a"].tolist()
    [1.0, 0.75, 0.938]
    >>> fit.rv().round(3).loc["a"].tolist()
    [1.0, 0.75, 0.935]
    >>> fit.separate()["a"].eigenvalues.round(3).tolist()
    [1.0]
    >>> fit.partial_axes()["contribution", 1].round(3).tolist()
    [0.5, 0.5]
    """

    first_eigenvalues_: Annotated[np.ndarray, "(G,)", ">= 0"]

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
        super().__init__(n_components, solver=solver, random_state=random_state)
        self.groups = groups
        self.kinds = kinds
        self.missing = missing

    def _imputation_task(self, task: Any) -> Any:
        return in_groups(task, self.groups, self.kinds)

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
        alone = [reading.separate(rows, p, g) for g in range(len(of.names))]
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
            return reading.group_null(rows, p)
        every = like_this(self, n_components=None)
        first = reading.separate(rows, p, 0).spectrum.values[0]

        def spectrum(X: DataLike) -> np.ndarray:
            model, own = every._analyse(replace(rows, values=X), p)
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

    @property
    def grouping_(self) -> Grouping:
        """The groups and their variables."""
        return self._record("grouping_").training.reader

    @property
    def coding_(self) -> Coding:
        """How the columns of the groups became columns of numbers."""
        return self._record("coding_").training.reader.coding

    def _partial(self, rows: Any) -> np.ndarray:
        """The points of each group alone, (G, n, q)."""
        assert isinstance(self.model_, FeatureModel)
        return reading.partial_scores(self.model_, rows, self.grouping_)

    def _within(self) -> np.ndarray:
        """The inertia of each partial point around the point itself, (G, n, q)."""
        mean = np.asarray(to_numpy(self.coordinates_), dtype=np.float64)
        return reading.within(self._partial(self.training_.rows), mean, self._masses)

    @property
    def between_ratio_(self) -> np.ndarray:
        """The share of the partial points' inertia that lies between individuals, (q,)."""
        inside = self._within().sum(axis=(0, 1))
        return ratio(self.eigenvalues_, self.eigenvalues_ + inside)

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of individuals, as `PCA.individuals`.

        For individuals of the fit also "within", their share of the within inertia of each axis
        (the disagreement between groups).
        """
        table = super().individuals(X, diag=diag)
        if X is not None:
            return table
        parts = self._within().sum(axis=0)
        pairs = [["within"], range(1, self.n_components_ + 1)]
        axes = pd.MultiIndex.from_product(pairs, names=table.columns.names)
        shares = pd.DataFrame(ratio(parts, parts.sum(axis=0)), index=table.index, columns=axes)
        return pd.concat([table, shares], axis=1)

    def partial(self, X: DataLike | None = None, *, shares: bool = False) -> pd.DataFrame:
        """Return the individuals as each group alone sees them, columns (group, axis).

        The mean of the partial points of an individual is its point in `coordinates_`.

        Parameters
        ----------
        X : data frame or array, optional
            New individuals; those of the fit by default.
        shares : bool
            Return instead the share of each partial point in the within inertia of an axis, for the
            individuals of the fit.
        """
        check_is_fitted(self)
        names = self.grouping_.names
        if X is not None:
            if flag(shares, "shares"):
                raise InputError("shares=True is for the individuals of the fit: leave X out")
            rows = self._read_new(X)
            return self._by_part(self._partial(rows.values), rows.index, names, "group")
        if flag(shares, "shares"):
            parts = self._within()
            points = ratio(parts, parts.sum(axis=(0, 1)))
        else:
            points = self._partial(self.training_.rows)
        return self._by_part(points, self.training_.labels, names, "group")

    def partial_categories(
        self, table: DataLike | None = None, *, shares: bool = False
    ) -> pd.DataFrame:
        """Return categories as each group alone sees them: barycentres of partial points.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary categories, as for `categories`; those of the fit by default.
        shares : bool
            Return instead the inertia of each point around that of its category, as a share of
            that of all individuals' partial points.
        """
        check_is_fitted(self)
        factors = self._factors() if table is None else self._columns_of(table).factors
        if not factors:
            raise InputError("table has no categorical column: give one")
        every = [(f.name, label, f.codes == k) for f in factors for k, label in enumerate(f.labels)]
        W = np.stack([self._masses * rows for _, _, rows in every])
        mass = W.sum(axis=1)
        live = np.flatnonzero(mass > 0)
        W, mass = W[live], mass[live]
        partial = self._partial(self.training_.rows)
        means = np.einsum("ci,giq->gcq", W / mass[:, None], partial)
        if flag(shares, "shares"):
            parts = reading.within(means, means.mean(axis=0), mass)
            means = ratio(parts, self._within().sum(axis=(0, 1)))
        labels = [every[c][:2] for c in live]
        index = pd.MultiIndex.from_tuples(labels, names=["variable", "category"])
        return self._by_part(means, index, self.grouping_.names, "group")

    def _new_groups(self, new: NewGroups, kinds: Kinds) -> dict[Any, Table]:
        """Return supplementary groups, coded, on the rows that have a weight."""
        if new is None:
            return {}
        if not isinstance(new, Mapping) or not new:
            raise InputTypeError("new must be a dict of tables, one for each supplementary group")
        if kinds is not None and not isinstance(kinds, Mapping):
            raise InputTypeError("kinds must be a dict with the kind of some groups, or None")
        coded = {}
        for name, table in new.items():
            supplement = self._columns_of(table)
            columns: list[Numeric | Factor] = [*supplement.numeric, *supplement.factors]
            kind = None if kinds is None or name not in kinds else {name: kinds[name]}
            rows, _ = encode_groups(
                columns, self.training_.index, {name: range(len(columns))}, kind, self._masses
            )
            live = self._masses > 0
            index = None if rows.index is None else rows.index[live]
            coded[name] = replace(rows, values=rows.values[live], index=index)
        return coded

    def _parts(self, new: NewGroups = None, kinds: Kinds = None) -> Parts:
        """Return the balanced features of the groups, those of the fit first."""
        rows, p = self.training_.active()
        own = reading.balance(rows, p, self.first_eigenvalues_)
        outside = self._new_groups(new, kinds)
        more = [reading.balance(table, own.p).features[0] for table in outside.values()]
        return Parts([*own.names, *outside], [*own.features, *more], own.p)

    def group_table(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return the table of groups, those of the fit or supplementary ones.

        Parameters
        ----------
        new : dict of name: table, optional
            Supplementary groups on the rows of the fit.
        kinds : dict of name: kind, optional
            The kinds of the supplementary groups, as for `MFA`.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", Lg between group and axis, which is at most 1;
            "cos2"; for the groups of the fit "contribution" and "correlation" (of the partial
            points with the axis); ("distance2", ""), the squared norm of the group, Lg with itself.
        """
        check_is_fitted(self)
        parts, G = self._parts(new, kinds), len(self.grouping_.names)
        if new is not None:
            outside = Parts(parts.names[G:], parts.features[G:], parts.p)
            return reading.groups_table(outside, self._cloud(), {})
        V2, owner = self._axes**2, self.grouping_.owner
        contribution = np.stack([V2[owner == g].sum(axis=0) for g in range(G)])
        p, Z = self._masses, np.asarray(to_numpy(self.coordinates_), dtype=np.float64)
        F = self._partial(self.training_.rows)  # centred, as the points are
        cross = np.einsum("i,giq,iq->gq", p, F, Z)
        r = ratio(cross, np.sqrt(np.einsum("i,giq->gq", p, F**2) * (p @ Z**2)))
        more = {"contribution": contribution, "correlation": r}
        return reading.groups_table(parts, self._cloud(), more)

    def lg(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return Lg between the groups, supplementary ones, and the common analysis, "MFA".

        Lg(a, b) is the sum of the squared covariances of the balanced columns of two groups: 0
        where nothing is common, and Lg(a, a) grows with the number of a group's directions.
        """
        check_is_fitted(self)
        first = float(self.eigenvalues_[0])
        return reading.lg_matrix(self._parts(new, kinds), len(self.grouping_.names), first)

    def rv(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return the RV coefficients between the groups: Lg/√(Lg_aa·Lg_bb), from 0 to 1."""
        return reading.rv_of(self.lg(new, kinds=kinds))

    def separate(
        self, n_axes: int | None = None, *, new: NewGroups = None, kinds: Kinds = None
    ) -> dict[Any, Alone]:
        """Return the analysis of each group alone: `eigenvalues` and `coordinates`.

        Parameters
        ----------
        n_axes : int, optional
            Axes of each group at most; as many as common ones by default.
        new, kinds
            Supplementary groups, as for `group_table`.
        """
        check_is_fitted(self)
        q = self.n_components_ if n_axes is None else whole(n_axes, "n_axes")
        rows, p = self.training_.active()
        parts = {name: reading.alone(rows, p, g, q) for g, name in enumerate(self.grouping_.names)}
        outside = self._new_groups(new, kinds)
        return parts | {name: reading.alone(table, p, 0, q) for name, table in outside.items()}

    def partial_axes(
        self, n_axes: int | None = None, *, new: NewGroups = None, kinds: Kinds = None
    ) -> pd.DataFrame:
        """Return how the axes of each group alone are related to the common axes.

        Parameters
        ----------
        n_axes, new, kinds
            As for `separate`.

        Returns
        -------
        DataFrame
            Rows (group, axis of the group); columns (measure, axis): "correlation", and
            "contribution", the part of the group's axis in the common one (0 for supplementary
            groups); they sum to 1 over the axes shown.
        """
        parts = self.separate(n_axes, new=new, kinds=kinds)
        return reading.partial_axes(parts, len(self.grouping_.names), self._cloud())
