"""Reading an analysis of groups of variables: partial points, groups, partial axes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_numpy
from gramian._core.check import flag, whole
from gramian._core.embedding import FeatureModel
from gramian._core.table import Table
from gramian._core.types import DataLike, VectorLike
from gramian._estimators.factors.base import MixedEstimator
from gramian._reading.cloud import ratio
from gramian._reading.coding import Coding
from gramian._reading.columns import Factor, Numeric
from gramian._reading.grouping import Grouping, encode_groups
from gramian._reading.multiple_factors import (
    Alone,
    Parts,
    alone,
    balance,
    groups_table,
    lg_matrix,
    partial_axes,
    partial_scores,
    rv_of,
    within,
)
from gramian.errors import InputError, InputTypeError

NewGroups: TypeAlias = Mapping[Any, DataLike] | None  # tables by name
Kinds: TypeAlias = Mapping[Any, str] | None


class GroupReading(MixedEstimator):
    """Common axes of groups of variables, and what each group has to do with them."""

    first_eigenvalues_: Annotated[np.ndarray, "(G,)", ">= 0"]

    @property
    def grouping_(self) -> Grouping:
        """The groups and their variables."""
        return self._record("grouping_").training.reader

    @property
    def coding_(self) -> Coding:
        """How the columns of the groups became columns of numbers."""
        return self._record("coding_").training.reader.coding

    @property
    def _p(self) -> np.ndarray:
        """The weights of all rows, (n,)."""
        n = self.training_.n
        return np.full(n, 1.0 / n) if self.weights_ is None else self.weights_

    def _partial(self, rows: Any) -> np.ndarray:
        assert isinstance(self.model_, FeatureModel)
        return partial_scores(self.model_, rows, self.grouping_)

    def _within(self) -> np.ndarray:
        """The inertia of each partial point around the point itself, (G, n, q)."""
        mean = np.asarray(to_numpy(self.coordinates_), dtype=np.float64)
        return within(self._partial(self.training_.rows), mean, self._p)

    @property
    def between_ratio_(self) -> np.ndarray:
        """The share of the partial points' inertia that lies between individuals, (q,)."""
        inside = self._within().sum(axis=(0, 1))
        return ratio(self.eigenvalues_, self.eigenvalues_ + inside)

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of individuals, as `PCA.individuals`.

        Those of the fit have "within" too: the share of an axis' disagreement between groups that
        is about this individual.

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.individuals()["within", 1].round(3).tolist()
        [0.333, 0.622, 0.045]
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
        """Return the individuals as each group alone sees them on the common axes.

        The mean of the partial points of an individual is its point in `coordinates_`.

        Parameters
        ----------
        X : data frame or array, optional
            New individuals; those of the fit by default.
        shares : bool
            Return instead the share of each partial point in what groups disagree about on an
            axis, for the individuals of the fit.

        Returns
        -------
        DataFrame
            A row for each individual, columns (group, axis).

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.partial().round(3).loc[2].tolist()
        [1.732, 2.0]
        """
        check_is_fitted(self)
        if flag(shares, "shares"):
            if X is not None:
                raise InputError("shares=True is for the individuals of the fit: leave X out")
            parts = self._within()
            return self._by_group(ratio(parts, parts.sum(axis=(0, 1))), self.training_.labels)
        if X is None:
            return self._by_group(self._partial(self.training_.rows), self.training_.labels)
        rows = self._read_new(X)
        index = pd.RangeIndex(rows.values.shape[0]) if rows.index is None else rows.index
        return self._by_group(self._partial(rows.values), index)

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

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.partial_categories({"side": ["u", "u", "v"]}).round(3).iloc[1].tolist()
        [1.732, 2.0]
        """
        check_is_fitted(self)
        factors = self._factors() if table is None else self._columns_of(table).factors
        if not factors:
            raise InputError("table has no categorical column: give one")
        partial, p = self._partial(self.training_.rows), self._p
        labels, points, mass = [], [], []
        for factor in factors:
            for k, label in enumerate(factor.labels):
                w = p * (factor.codes == k)
                if w.sum() > 0:
                    labels.append((factor.name, label))
                    points.append(np.einsum("i,giq->gq", w / w.sum(), partial))
                    mass.append(w.sum())
        means = np.stack(points, axis=1)
        if flag(shares, "shares"):
            parts = within(means, means.mean(axis=0), np.array(mass))
            means = ratio(parts, self._within().sum(axis=(0, 1)))
        index = pd.MultiIndex.from_tuples(labels, names=["variable", "category"])
        return self._by_group(means, index)

    def _by_group(self, points: np.ndarray, index: Any) -> pd.DataFrame:
        axes = pd.Index(range(1, self.n_components_ + 1), name="axis")
        seen = [pd.DataFrame(F, index=index, columns=axes) for F in points]
        return pd.concat(seen, axis=1, keys=list(self.grouping_.names), names=["group"])

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
                columns, self.training_.index, {name: range(len(columns))}, kind, self._p
            )
            live = self._p > 0
            index = None if rows.index is None else rows.index[live]
            coded[name] = replace(rows, values=rows.values[live], index=index)
        return coded

    def _parts(self, new: NewGroups = None, kinds: Kinds = None) -> Parts:
        """Return the balanced features of the groups, those of the fit first."""
        rows, p = self.training_.active()
        own = balance(rows, p, self.first_eigenvalues_)
        outside = self._new_groups(new, kinds)
        more = [balance(table, own.p).features[0] for table in outside.values()]
        return Parts([*own.names, *outside], [*own.features, *more], own.p)

    def group_table(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return the table of groups, those of the fit or supplementary ones.

        Parameters
        ----------
        new : dict of name: table, optional
            Supplementary groups on the rows of the fit.
        kinds : dict of name: kind, optional
            Of the supplementary groups.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", Lg between group and axis, which is at most 1;
            "cos2"; for the groups of the fit "contribution" and "correlation" (of the partial
            points with the axis); ("distance2", ""), the squared norm of the group, Lg with
            itself.

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.group_table()["contribution", 1].round(3).tolist()
        [0.5, 0.5]
        """
        check_is_fitted(self)
        parts, G = self._parts(new, kinds), len(self.grouping_.names)
        if new is not None:
            outside = Parts(parts.names[G:], parts.features[G:], parts.p)
            return groups_table(outside, self._cloud(), {})
        V2, owner = self._axes**2, self.grouping_.owner
        contribution = np.stack([V2[owner == g].sum(axis=0) for g in range(G)])
        more = {"contribution": contribution, "correlation": self._group_correlations()}
        return groups_table(parts, self._cloud(), more)

    def _group_correlations(self) -> np.ndarray:
        """Return the correlations of partial points with the axes, (G, q)."""
        p, Z = self._p, np.asarray(to_numpy(self.coordinates_), dtype=np.float64)
        F = self._partial(self.training_.rows)  # centred, as the points are
        cross = np.einsum("i,giq,iq->gq", p, F, Z)
        return ratio(cross, np.sqrt(np.einsum("i,giq->gq", p, F**2) * (p @ Z**2)))

    def lg(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return Lg between the groups, supplementary ones, and the common analysis, "MFA".

        Lg(a, b) is the sum of the squared covariances of the balanced columns of two groups: 0
        where nothing is common, and Lg(a, a) grows with the number of a group's directions.

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.lg().round(3).loc["a"].tolist()
        [1.0, 0.75, 0.938]
        """
        check_is_fitted(self)
        first = float(self.eigenvalues_[0])
        return lg_matrix(self._parts(new, kinds), len(self.grouping_.names), first)

    def rv(self, new: NewGroups = None, *, kinds: Kinds = None) -> pd.DataFrame:
        """Return the RV coefficients between the groups: Lg/√(Lg_aa·Lg_bb), from 0 to 1.

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.rv().round(3).loc["a"].tolist()
        [1.0, 0.75, 0.935]
        """
        return rv_of(self.lg(new, kinds=kinds))

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

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.separate()["a"].eigenvalues.round(3).tolist()
        [1.0]
        """
        check_is_fitted(self)
        q = self.n_components_ if n_axes is None else whole(n_axes, "n_axes")
        rows, p = self.training_.active()
        parts = {name: alone(rows, p, g, q) for g, name in enumerate(self.grouping_.names)}
        outside = self._new_groups(new, kinds)
        return parts | {name: alone(table, p, 0, q) for name, table in outside.items()}

    def partial_axes(
        self, n_axes: int | None = None, *, new: NewGroups = None, kinds: Kinds = None
    ) -> pd.DataFrame:
        """Return how the axes of each group alone are tied to the common ones.

        Parameters
        ----------
        n_axes : int, optional
            Axes of each group at most; as many as common ones by default.
        new, kinds
            Supplementary groups, as for `group_table`.

        Returns
        -------
        DataFrame
            Rows (group, axis of the group); columns (measure, axis): "correlation", and
            "contribution", the part of the group's axis in the common one (0 for supplementary
            groups); they sum to 1 over the axes shown.

        Examples
        --------
        >>> import gramian as gm
        >>> fit = gm.MFA(1, groups={"a": [0], "b": [1]}).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 4.0]])
        >>> fit.partial_axes()["contribution", 1].round(3).tolist()
        [0.5, 0.5]
        """
        parts = self.separate(n_axes, new=new, kinds=kinds)
        return partial_axes(parts, len(self.grouping_.names), self._cloud())
