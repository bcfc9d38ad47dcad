"""Reading a fit: the tables that every spectral estimator offers."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, to_dense, to_numpy
from gramian._core.check import share, whole
from gramian._core.embedding import Model, Record, Training
from gramian._core.frames import in_order_of
from gramian._core.table import Table, table
from gramian._core.types import DataLike, VectorLike
from gramian._estimators.fit import Fit
from gramian._estimators.overview import facts, title
from gramian._estimators.remote import LazyOutput as LazyOutput
from gramian._estimators.remote import remote_rows
from gramian._reading.categories import categories
from gramian._reading.cloud import Cloud, cloud_of, new_cloud, norms_of_means
from gramian._reading.columns import Factor, Supplement, refuse_texts_among_numbers, supplement_of
from gramian._reading.describe import (
    Associations,
    correlation_associations,
    describe,
    supplementary_associations,
)
from gramian._reading.individuals import (
    ReconstructionError,
    individuals,
    preservation,
    reconstruction_error,
)
from gramian._reading.null_table import square_unit
from gramian._reading.summary import Summary, association_table, eigenvalue_table, leading
from gramian._reading.variables import supplementary_variables
from gramian.errors import InputError


class Reading(Fit):
    """The readings of a fit, as methods: thin callers of the functions in `gramian._reading`.

    They rest on `record_`, the fit, and on the variables of its own that a method may have.
    """

    record_: Record
    eigenvalues_: np.ndarray
    inertia_ratio_: np.ndarray
    n_components_: int

    @property
    def _is_scaled(self) -> bool:
        """Whether columns of numbers are divided by their standard deviations."""
        return self.is_scaled

    @property
    def training_(self) -> Training:
        """The rows of the fit as they were read: values, labels, weights, kind."""
        return self._record("training_").training

    @property
    def model_(self) -> Model:
        """What places new rows on the axes, and gives the Gram operator of the fit."""
        return self._record("model_").model

    @property
    def embedding_(self) -> Array:
        """The coordinates of the rows of the fit, (n, q): scikit-learn's name for a map."""
        return self._record("embedding_").coordinates

    @property
    def coordinates_(self) -> Array:
        """The coordinates of the rows of the fit, (n, q)."""
        return self._record("coordinates_").coordinates

    @property
    def weights_(self) -> np.ndarray | None:
        """The weights of the rows, with sum 1, or None for equal ones."""
        return self._record("weights_").training.weights

    @property
    def row_labels(self) -> pd.Index | None:
        """The row labels of the table of the fit."""
        return self.training_.index

    @property
    def column_names(self) -> list[Hashable] | None:
        """The column names of the table of the fit."""
        return self.training_.columns

    @property
    def next_eigenvalue(self) -> float:
        """The first eigenvalue that was left out, NaN where it is not known."""
        beyond = self.model_.spectrum.beyond
        return np.nan if beyond is None else beyond * square_unit(self.model_.unit)

    def _record(self, name: str) -> Record:
        fit = vars(self).get("record_")
        if fit is None:  # an AttributeError, as for any attribute that is not there yet
            raise AttributeError(f"{name} exists after fit: call {type(self).__name__}.fit first")
        return fit

    def _active_variables(self) -> pd.DataFrame | None:
        """Return the table of the variables that made the axes, where there are any."""
        return None

    def _active_categories(self) -> pd.DataFrame | None:
        """Return the table of the categories that had a part in the axes, where there are any."""
        return None

    def _active_associations(self) -> Associations:
        """Return how the variables that made the axes are tied to them."""
        own = self._active_variables()
        if own is None:
            return []
        r = own["correlation"].to_numpy()
        return correlation_associations(list(own.index), r, self.record_.training.n_live)

    def _new_rows(self, X: DataLike) -> Table:
        """Return new rows where the computation is to happen, their missing values filled in."""
        raise NotImplementedError

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        """Return the points of the fit, or new ones."""
        check_is_fitted(self)
        if X is not None:
            return new_cloud(self.record_, self._new_rows(X), diag)
        if diag is not None:
            raise InputError("diag is given without X: it holds k(x, x) of new rows")
        return cloud_of(self.record_)

    def _columns_of(self, table: DataLike) -> Supplement:
        training = self.record_.training
        training.require()
        return supplement_of(table, training.n, training.index)

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of individuals, those of the fit or new ones.

        With f the centred coordinates, d² the squared distance to the barycentre (k̃(x, x) for a
        kernel) and p the weights, cos² = f²/d² and the contribution to an axis is p·f²/λ. A point
        at the barycentre has cos² 0; rows of weight 0 contribute 0; null axes get no contribution.
        Where the kernel is indefinite or the distances are not Euclidean, d² does not bound f²:
        cos² and total contributions are then shares of what all live axes carry, negative ones by
        their modulus (for new rows, of the larger of d² and Σf²).

        Parameters
        ----------
        X : array, data frame (m, p), scan or dask, optional
            New rows, whose table is then of the same kind; those of the fit by default.
        diag : array (m,), optional
            k(x, x) of the new rows, needed for kernel="precomputed" only.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", "cos2", "quality" (cumulated cos²) and, for the
            rows of the fit, "contribution" for axis 1…q and "total"; ("distance2", "").

        Examples
        --------
        >>> table = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]).individuals()
        >>> table["contribution", "total"].round(3).tolist()
        [0.357, 0.357, 0.286]
        """
        if (remote := remote_rows(X)) is not None:
            check_is_fitted(self)
            return remote.individuals(self)
        return individuals(self._cloud(X, diag))

    def variables(self, table: DataLike | None = None) -> pd.DataFrame:
        """Return the table of variables: those of the fit, or the numeric columns of a table.

        The coordinate of a variable is its correlation with the axis times its standard deviation
        (times 1 for PCA with scale=True); cos² is the squared correlation. The contributions of
        the variables that made the axes sum to 1 for each axis; a constant one has zeros.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary variables on the rows of the fit, in the same order or labelled alike.
            Columns that are not numeric are left to `categories`; a missing value leaves out its
            row for its column. Kernel PCA and MDS have no variables of their own: give a table.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", "correlation", "cos2", "quality" (cumulated
            cos²) and, without a table, "contribution".

        Examples
        --------
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.variables({"size": [1.0, 2.0, 3.0]})["correlation", 1].round(3).tolist()
        [0.5]
        """
        check_is_fitted(self)
        if table is None:
            return self._own_variables("variables")
        own = self._columns_of(table)
        refuse_texts_among_numbers(own.factors)
        if not own.numeric:
            raise InputError("table has no numeric column: give one, or use categories(table)")
        return supplementary_variables(self._cloud(), own.numeric, self._is_scaled)

    def categories(self, table: DataLike) -> pd.DataFrame:
        """Return the table of supplementary categories.

        A category is the barycentre of its rows. With p_c its weight and n the number of rows that
        have a weight, the v-test is f_c·√((n − 1) p_c/((1 − p_c) λ)): beyond ±2 the category is
        farther from the origin than expected at random. η² is the share of an axis' variance that
        lies between the categories of a variable. Only proportions of the weights matter.

        Parameters
        ----------
        table : data frame, array or one column
            Its columns of text, categories or booleans are read, rows as for `variables`. Rows
            without a value belong to no category; a category without weight is left out.

        Returns
        -------
        DataFrame
            Rows (variable, category); columns (measure, axis): "coordinate", "cos2", "v_test",
            "eta2" (the same for all categories of a variable); ("distance2", "").

        Examples
        --------
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.categories({"group": ["a", "a", "b"]})["v_test", 2].round(3).tolist()
        [-1.414, 1.414]
        """
        check_is_fitted(self)
        factors = self._columns_of(table).factors
        if not factors:
            raise InputError("table has no categorical column: give one, or use variables(table)")
        return self._category_table(factors)

    def _category_table(self, factors: list[Factor]) -> pd.DataFrame:
        """Return the table of categories, without contributions."""
        return categories(self._cloud(), factors, lambda W: norms_of_means(self.record_, W))

    def describe(self, table: DataLike | None = None, *, alpha: float = 0.05) -> pd.DataFrame:
        """Return the variables and categories associated with each axis, with p-values.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary columns, rows as for `variables`; an active variable that is among them
            is described once. Kernel PCA and MDS need a table.
        alpha : float
            Associations with a larger p-value are left out.

        Returns
        -------
        DataFrame
            One row per association, sorted by axis, kind and statistic. Columns: "axis"; "kind",
            "name" and "category"; "statistic", by kind: the correlation of a "quantitative"
            variable (t-test), η² of a "qualitative" variable (F-test), the deviation of a
            "category" from the unweighted mean of the categories of its variable (t-test of its
            indicator); "p_value". The tests count the rows that have a weight and a value.

        Examples
        --------
        >>> pca = gm.PCA(n_components=1).fit([[0.0, 1.0], [1.0, 1.5], [2.0, 1.0], [5.0, 1.2]])
        >>> pca.describe()["statistic"].round(3).tolist()
        [1.0]
        """
        check_is_fitted(self)
        share(alpha, "alpha", one=True)
        if table is None:
            self._own_variables("describe")
        active = self._active_associations()
        extra = [] if table is None else self._associations(table)
        return describe(active, extra, self.n_components_, alpha)

    def _associations(self, table: DataLike) -> Associations:
        """Return how supplementary columns are tied to the axes."""
        other = self._columns_of(table)
        return supplementary_associations(self._cloud(), other.numeric, other.factors)

    def summary(
        self, n_axes: int = 3, n_rows: int = 10, *, table: DataLike | None = None
    ) -> Summary:
        """Return an overview to print: eigenvalues, and what contributes most to the first axes.

        Parameters
        ----------
        n_axes, n_rows : int
            Number of axes, and number of eigenvalues, individuals and variables, to show.
        table : data frame, array or one column, optional
            Supplementary columns, rows as for `variables`: η² of groups and correlations of
            numbers with each axis are shown, with p-values.

        Examples
        --------
        >>> overview = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]).summary()
        >>> overview.eigenvalues["cumulated %"].round(1).tolist()
        [57.1, 100.0]
        """
        check_is_fitted(self)
        whole(n_axes, "n_axes")
        whole(n_rows, "n_rows")
        every = self.record_.model.spectrum.values
        values = every[:n_axes]
        shown: dict[str, pd.DataFrame] = {}
        is_held = self.record_.model.eigenvalue_unit == 1.0  # else `facts` says which unit it is
        if self.record_.training.kind != "gone":
            single = [("distance2", "")] if is_held else []
            rows = individuals(self._cloud(), n_axes)
            shown["Individuals"] = leading(rows, values, n_rows, single)
        if (own := self._active_variables()) is not None:
            shown["Variables"] = leading(own, values, n_rows)
        if (levels := self._active_categories()) is not None:
            shown["Categories"] = leading(levels, values, n_rows)
        eigenvalues = eigenvalue_table(self.eigenvalues_ if is_held else every, self.inertia_ratio_)
        extra = [] if table is None else self._associations(table)
        outside = {
            "Groups": association_table(extra, "qualitative", "η²", n_axes),
            "Supplementary variables": association_table(extra, "quantitative", "r", n_axes),
        }
        outside = {name: each for name, each in outside.items() if len(each)}
        return Summary(title(self), facts(self), eigenvalues, shown, n_rows, outside)

    def reconstruction_error(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> ReconstructionError:
        """Return what is lost when points are replaced by their projections on the first q axes.

        Parameters
        ----------
        X, diag
            New rows, as for `individuals`; those of the fit by default.

        Returns
        -------
        ReconstructionError
            `total` (a Series over q = 0, 1, …: the inertia that is not explained; the mean over
            the rows for new ones), `points` (n, q + 1), `relative` and `norm`, the norm of the
            whole difference, |A − A_q|.

        Examples
        --------
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.reconstruction_error().total.round(3).tolist()
        [4.667, 2.0, 0.0]
        """
        cloud = self._cloud(X, diag)
        self.record_.model.require_squares("reconstruction_error")
        return reconstruction_error(self._on_orthonormal_axes(cloud))

    def _on_orthonormal_axes(self, cloud: Cloud) -> Cloud:
        """Return points on orthonormal axes of which the first q span the same as the first q."""
        return cloud

    def neighbourhoods(
        self, X: DataLike | None = None, *, n_neighbors: int | Sequence[int] | None = None
    ) -> pd.DataFrame:
        """Return how well neighbours in the table stay neighbours on the axes.

        Parameters
        ----------
        X : table (n, p), optional
            The rows among which neighbours in the data are found; those of the fit by default.
        n_neighbors : int or list of int, optional
            At most half of the rows; 5, 15 and 50 by default, as far as there are rows.

        Returns
        -------
        DataFrame, one row per number of neighbours
            "trustworthiness", 1 where no neighbour on the map is a false one, and "continuity", 1
            where none is lost. Above 2,000 rows those of a seeded sample of 2,000.

        Examples
        --------
        >>> iris = gm.datasets.iris().data
        >>> gm.PCA(2).fit(iris).neighbourhoods(n_neighbors=5).round(2).to_numpy().tolist()
        [[0.98, 0.99]]
        """
        check_is_fitted(self)
        training = self.record_.training
        if X is None:
            if training.kind != "table":
                raise InputError("X is missing: the fit has no table of its own: give the rows")
            values = training.rows
        else:
            values = table(in_order_of(X, training.index, "X", "the fit"), "X").values
        rows = to_dense(values)
        if len(rows) != training.n:
            raise InputError(f"X has {len(rows)} rows but the fit has {training.n}")
        Z = to_numpy(self.record_.coordinates).astype(float)
        return preservation(rows.astype(float), Z, n_neighbors)

    def places(
        self,
        X: DataLike | None = None,
        *,
        axes: Sequence[int] | None = None,
        n_neighbors: int | None = None,
        n_resamples: int = 0,
    ) -> pd.DataFrame:
        """Return how far the place of each row on the map can be trusted.

        Neighbours in the data (by the columns as the method sees them, the kernel or the
        distances) are compared with neighbours on the axes. A row is tested against maps with
        shuffled neighbourhoods, on which it stands where one of its nearest rows is shown: if its
        neighbours are much nearer from there, it is misplaced.

        Parameters
        ----------
        X : array or data frame (m, p), optional
            New rows, whose neighbours are rows of the fit; those of the fit by default. For a map
            read without a place for new rows, the rows that it shows, in the same order.
        axes : list of int, optional
            The axes that make the map, (1, 2) say; all by default.
        n_neighbors : int, optional
            At most half of the rows; 15 by default, or a third of the rows.
        n_resamples : int
            Fits to resampled rows, for "radius": how far 95 % of the places of a row on these maps
            are from its place. No "radius" by default.

        Returns
        -------
        DataFrame, one row per row of X
            "lost" and "invented", from 0 to 1: by how much neighbours in the data are too far on
            the map, and neighbours on the map too far in the data (their means are 1 − continuity
            and 1 − trustworthiness). "trust": 1 where every neighbour is kept, 0 for a place at
            random. "p_value", corrected by Benjamini and Hochberg for the number of rows: small for
            a row that is not among its neighbours. "misplaced": whether that is at most 0.05, which
            holds for all rows of a map that keeps neighbours no better than one of shuffled rows.
            "cos2" on these axes, NaN for maps that are not projections; "radius" if requested.

        Notes
        -----
        Every row counts once, whatever its weight, but rows of weight 0 are not used as neighbours.
        Above 4,000 rows, neighbours are found in a seeded sample of 300 to 2,000 rows.

        Examples
        --------
        >>> iris = gm.datasets.iris().data
        >>> Z = gm.PCA(2).fit_transform(iris)
        >>> Z[7] = Z[120]  # a row that is not where it should be
        >>> table = gm.read_map(Z, iris).places()
        >>> table.index[table["misplaced"]].tolist()
        ['flower_008']
        """
        from gramian._estimators.places import places

        check_is_fitted(self)
        return places(self, X, axes, n_neighbors, n_resamples)  # type: ignore[arg-type]

    def why(
        self,
        rows: Any = None,
        axis: int | Sequence[float] | None = None,
        sets: Mapping[Any, Sequence[Any]] | None = None,
    ) -> pd.DataFrame:
        """Return the columns responsible for an axis, or for the place of some rows.

        Parameters
        ----------
        rows : labels, positions or a mask, optional
            The rows whose place is to be explained, together.
        axis : int, or list of q weights, optional
            An axis counted from 1, or a direction among the axes; the first axis by default, and
            for rows the direction from the origin to their mean place.
        sets : dict of lists of columns, optional
            Sets of columns by name (pathways, say), one row each in place of the columns.

        Returns
        -------
        DataFrame, one row per column
            "effect": for rows, the part of the column in their place on the direction: the parts
            add up to it, exactly for PCA and factor methods; for kernels they are derivatives along
            the path from the mean row, and add up to what lies between; for other maps those of a
            local regression. Without rows, the correlation of the column with the axis for PCA, the
            mean slope in standard deviations for others. Of MCA, FAMD and MFA each category is a
            column, such as "taste=sweet". "p_value": of the association between the column and the
            map of the other columns, as a whole and rotated to the axis or the rows; "q_value":
            corrected for the number of columns (Benjamini and Hochberg, on each side of the axis).
            With sets, one row per set with its "size", the mean "effect", and a test of whether its
            columns are more strongly associated than the others.

        Notes
        -----
        As each column contributes to the map, even noise would look associated with it: the tests
        therefore use a map computed without the column. A column that makes an axis alone thus has
        a large effect but no small p-value: no other column confirms it.

        Examples
        --------
        >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
        >>> fit.why(axis=1)["effect"].round(2).tolist()
        [0.89, -0.46, 0.99, 0.96]
        """
        from gramian._estimators.why import why

        check_is_fitted(self)
        return why(self, rows, axis, sets)  # type: ignore[arg-type]

    def rotate(
        self,
        method: Literal["varimax", "quartimax", "promax", "oblimin"],
        n_components: int | None = None,
        *,
        normalize: bool | None = None,
    ) -> Any:
        """Return a fit with the first axes rotated to simple structure.

        Parameters
        ----------
        method : "varimax", "quartimax", "promax" or "oblimin"
            The first two keep axes uncorrelated; those of the others may be correlated.
        n_components : int, optional
            How many of the first axes to rotate; the others are left out. All by default.
        normalize : bool, optional
            Kaiser's normalisation of the loadings; by default as in R, for varimax and promax.

        Returns
        -------
        Rotated
            A fit with `loadings_`, `axis_correlations_`, coordinates, shares of inertia, readings,
            `transform` of new rows; it can be saved. Fits without loadings (kernels, distances,
            counts) raise an error.

        Examples
        --------
        >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
        >>> fit.rotate("varimax").loadings_.round(2).tolist()
        [[0.96, 0.05], [-0.14, 0.99], [0.94, -0.31], [0.93, -0.26]]
        """
        from gramian._estimators.rotated import rotate

        return rotate(self, method, n_components, normalize)  # type: ignore[arg-type]

    def limits(
        self, X: DataLike | None = None, *, alpha: float = 0.05, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return whether rows lie within the limits expected for rows like those of the fit.

        T² = Σ f²/λ is the squared distance on the axes, each in its own unit, and Q = d² − Σ f² the
        squared distance to the axes, in feature space for a kernel. Limits are quantiles of the two
        over rows that were not used for the axes, by ten-fold cross-validation. About 1 − alpha of
        new rows are inside both limits, whatever their distribution.

        Parameters
        ----------
        X : array or data frame (m, p), optional
            New rows; those of the fit by default, which lie somewhat nearer than new ones.
        alpha : float in (0, 1)
            The share of new rows that may be outside.
        diag : array (m,), optional
            k(x, x) of the new rows, needed for kernel="precomputed" only.

        Returns
        -------
        DataFrame
            "t2", "q", "t2_limit", "q_limit" and "inside"; for PCA and RobustPCA also "columns", up
            to three that are most responsible for a row that is outside.

        Examples
        --------
        >>> X = np.random.default_rng(0).standard_normal((100, 4))
        >>> gm.PCA(2).fit(X).limits([[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0]])["inside"].tolist()
        [True, False]
        """
        from gramian._estimators.limits import limits

        check_is_fitted(self)
        return limits(self, X, alpha, diag)  # type: ignore[arg-type]

    @property
    def quality_(self) -> np.ndarray:
        """The overall quality χ_q: the share of the inertia on the first q axes, for each q."""
        check_is_fitted(self)
        return np.cumsum(self.inertia_ratio_)

    @property
    def generalized_variance_(self) -> float:
        """The product of the eigenvalues kept: the determinant of the covariance of all axes."""
        check_is_fitted(self)
        with np.errstate(over="ignore", under="ignore"):
            return float(np.prod(self.eigenvalues_))

    @property
    def log_generalized_variance_(self) -> float:
        """The logarithm of |generalized_variance_|, which may lie outside the range of numbers."""
        check_is_fitted(self)
        model = self.record_.model
        values = model.spectrum.values
        with np.errstate(divide="ignore"):
            return float(np.log(np.abs(values)).sum() + 2.0 * len(values) * np.log(model.unit))

    def _by_part(
        self, points: Iterable[np.ndarray], index: pd.Index | None, parts: Iterable[Any], what: str
    ) -> pd.DataFrame:
        """Return points of each part on the axes, columns (part, axis)."""
        axes = pd.Index(range(1, self.n_components_ + 1), name="axis")
        tables = [pd.DataFrame(F, index=index, columns=axes) for F in points]
        return pd.concat(tables, axis=1, keys=list(parts), names=[what])

    def _variable_names(self) -> list[Any]:
        """Return the names of the columns, x0, x1, … where they have none."""
        names = vars(self).get("feature_names_in_")
        if names is None:
            p = vars(self)["n_features_in_"]
            names = self.training_.columns or [f"x{j}" for j in range(p)]
        return list(names)

    def _own_variables(self, method: str) -> pd.DataFrame:
        """Return the active variables, or say that there are none."""
        own = self._active_variables()
        if own is None:
            raise InputError(
                f"table is missing: {type(self).__name__} keeps no variables of its own: give the "
                f"table whose columns should be read on the axes, {method}(table)"
            )
        return own
