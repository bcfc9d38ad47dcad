"""Reading a fit: the tables that every spectral estimator offers."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, to_dense, to_numpy
from gramian._core.check import share, whole
from gramian._core.embedding import Embedding, Model, Record, Training
from gramian._core.frames import in_order_of
from gramian._core.table import Table, table
from gramian._core.types import DataLike, VectorLike
from gramian._estimators.fit import Fit
from gramian._estimators.overview import facts, title
from gramian._estimators.remote import LazyOutput as LazyOutput
from gramian._estimators.remote import remote_rows
from gramian._reading.categories import categories
from gramian._reading.cloud import Cloud, cloud_of, new_cloud, norms_of_means
from gramian._reading.columns import Supplement, refuse_texts_among_numbers, supplement_of
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

    _is_scaled = False  # whether columns are divided by their standard deviation

    @property
    def training_(self) -> Training:
        """The rows of the fit as they were read: values, labels, weights, kind."""
        return self._record("training_").training

    @property
    def model_(self) -> Model:
        """What places new rows on the axes, and gives the Gram operator of the fit."""
        return self._record("model_").model

    @property
    def embedding_(self) -> Embedding:
        """The rows that have a weight, on the axes."""
        return self._record("embedding_").embedding

    @property
    def coordinates_(self) -> Array:
        """The coordinates of the rows of the fit, (n, q)."""
        return self._record("coordinates_").coordinates

    @property
    def weights_(self) -> np.ndarray | None:
        """The weights of the rows, with sum 1, or None for equal ones."""
        return self._record("weights_").training.weights

    @property
    def is_streamed(self) -> bool:
        """Whether rows were read in blocks, and neither they nor their coordinates are kept."""
        return "record_" in vars(self) and not self.record_.has_rows

    @property
    def is_scaled(self) -> bool:
        """Whether columns were divided by their standard deviations."""
        return vars(self).get("scale_") is not None

    @property
    def fills_missing(self) -> bool:
        """Whether missing values of new rows are filled in."""
        return vars(self).get("filler_") is not None

    @property
    def row_weights(self) -> np.ndarray | None:
        """The weights of the rows, with sum 1, None for equal ones."""
        p = self.training_.weights
        return None if p is None else np.asarray(to_numpy(p), dtype=float)

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
            raise AttributeError(f"{name} is there after fit: call {type(self).__name__}.fit first")
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

    def _read_new(self, X: DataLike) -> Table:
        raise NotImplementedError

    def _fill_new_rows(self, X: DataLike) -> DataLike:
        raise NotImplementedError

    def _to_device(self, X: Array) -> Array:
        raise NotImplementedError

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        """Return the points of the fit, or new ones."""
        check_is_fitted(self)
        if X is not None:
            rows = self._read_new(self._fill_new_rows(X))
            return new_cloud(self.record_, replace(rows, values=self._to_device(rows.values)), diag)
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
        X : array, data frame (m, p) or scan, optional
            New rows; those of the fit by default. Of a scan, a scan of such tables; of dask, a
            dask DataFrame.
        diag : array (m,), optional
            k(x, x) of the new rows, needed for kernel="precomputed" only.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", "cos2", "quality" (cumulated cos²) and, for the
            rows of the fit, "contribution" for axis 1…q; ("contribution", "total");
            ("distance2", "").

        Examples
        --------
        >>> import gramian as gm
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
            Supplementary variables on the rows of the fit, in the same order; where both have the
            same row labels in another order, rows go together by label. Columns that are not
            numeric are left to `categories`; a missing value leaves out its row for its column.
            Kernel PCA and MDS need a table: they have axes, but no variables of their own.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", "correlation", "cos2", "quality" (cumulated
            cos²) and, without a table, "contribution".

        Examples
        --------
        >>> import gramian as gm
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.variables({"size": [1.0, 2.0, 3.0]})["correlation", 1].round(3).tolist()
        [0.5]
        """
        check_is_fitted(self)
        if table is None:
            return self._own_variables("variables")
        own = self._columns_of(table)
        refuse_texts_among_numbers(own.factors)
        numeric = own.numeric
        if not numeric:
            raise InputError("table has no numeric column: give one, or use categories(table)")
        return supplementary_variables(self._cloud(), numeric, self._is_scaled)

    def categories(self, table: DataLike) -> pd.DataFrame:
        """Return the table of supplementary categories.

        A category is the barycentre of its rows. With p_c its weight and n the number of rows that
        have a weight, the v-test is f_c·√((n − 1) p_c/((1 − p_c) λ)): beyond ±2 the category is
        farther from the origin than chance would put it. η² is the share of an axis' variance that
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
        >>> import gramian as gm
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.categories({"group": ["a", "a", "b"]})["v_test", 2].round(3).tolist()
        [-1.414, 1.414]
        """
        check_is_fitted(self)
        factors = self._columns_of(table).factors
        if not factors:
            raise InputError("table has no categorical column: give one, or use variables(table)")
        cloud = self._cloud()
        return categories(cloud, factors, lambda W: norms_of_means(self.record_, W))

    def describe(self, table: DataLike | None = None, *, alpha: float = 0.05) -> pd.DataFrame:
        """Return what is tied to each axis, with p-values.

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
            One row for each tie, sorted by axis, kind and statistic. Columns: "axis"; "kind",
            "name" and "category"; "statistic", by kind: the correlation of a "quantitative"
            variable (t-test), η² of a "qualitative" variable (F-test), the deviation of a
            "category" from the unweighted mean of the categories of its variable (t-test of its
            indicator); "p_value". The tests count the rows that have a weight and a value.

        Examples
        --------
        >>> import gramian as gm
        >>> pca = gm.PCA(n_components=1).fit([[0.0, 1.0], [1.0, 1.5], [2.0, 1.0], [5.0, 1.2]])
        >>> pca.describe()["statistic"].round(3).tolist()
        [1.0]
        """
        check_is_fitted(self)
        share(alpha, "alpha", one=True)
        if table is None:
            self._own_variables("describe")
        active, extra = self._active_associations(), list[Any]()
        if table is not None:
            other = self._columns_of(table)
            extra = supplementary_associations(self._cloud(), other.numeric, other.factors)
        return describe(active, extra, self.n_components_, alpha)

    def summary(
        self, n_axes: int = 3, n_rows: int = 10, *, table: DataLike | None = None
    ) -> Summary:
        """Return an overview to print: eigenvalues, and what contributes most to the first axes.

        Parameters
        ----------
        n_axes : int
            Axes shown for individuals and variables.
        n_rows : int
            Eigenvalues, individuals and variables shown.
        table : data frame, array or one column, optional
            Supplementary columns, rows as for `variables`: η² of groups and correlations of
            numbers with each axis are shown, with p-values.

        Examples
        --------
        >>> import gramian as gm
        >>> overview = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]).summary()
        >>> overview.eigenvalues["cumulated %"].round(1).tolist()
        [57.1, 100.0]
        """
        check_is_fitted(self)
        for name, value in {"n_axes": n_axes, "n_rows": n_rows}.items():
            whole(value, name)
        every = self.record_.model.spectrum.values
        values = every[:n_axes]
        shown: dict[str, pd.DataFrame] = {}
        is_held = self.record_.model.eigenvalue_unit == 1.0  # else `facts` says which unit it is
        if self.record_.training.kind != "gone":
            single = [("distance2", "")] if is_held else []
            shown["Individuals"] = leading(self.individuals(), values, n_rows, single)
        if (own := self._active_variables()) is not None:
            shown["Variables"] = leading(own, values, n_rows)
        if (levels := self._active_categories()) is not None:
            shown["Categories"] = leading(levels, values, n_rows)
        eigenvalues = eigenvalue_table(self.eigenvalues_ if is_held else every, self.inertia_ratio_)
        outside = {} if table is None else self._outside(table, n_axes)
        return Summary(title(self), facts(self), eigenvalues, shown, n_rows, outside)

    def _outside(self, table: DataLike, n_axes: int) -> dict[str, pd.DataFrame]:
        """Return how groups and other numbers go with the axes."""
        other = self._columns_of(table)
        ties = supplementary_associations(self._cloud(), other.numeric, other.factors)
        tables = {
            "Groups": association_table(ties, "qualitative", "η²", n_axes),
            "Supplementary variables": association_table(ties, "quantitative", "r", n_axes),
        }
        return {name: each for name, each in tables.items() if len(each)}

    def reconstruction_error(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> ReconstructionError:
        """Return what is lost when points are replaced by their projections on the first q axes.

        Parameters
        ----------
        X : array or data frame (m, p), optional
            New rows; those of the fit by default.
        diag : array (m,), optional
            k(x, x) of the new rows, needed for kernel="precomputed" only.

        Returns
        -------
        ReconstructionError
            `total` (a Series over q = 0, 1, …: the inertia that is not explained; the mean over
            the rows for new ones), `points` (n, q + 1), `relative` and `norm`, the length of the
            whole difference, |A − A_q|.

        Examples
        --------
        >>> import gramian as gm
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.reconstruction_error().total.round(3).tolist()
        [4.667, 2.0, 0.0]
        """
        cloud = self._cloud(X, diag)
        self.record_.model.require_squares("reconstruction_error")
        return reconstruction_error(cloud)

    def neighbourhoods(
        self, X: DataLike | None = None, *, n_neighbors: int | Sequence[int] | None = None
    ) -> pd.DataFrame:
        """Return how well neighbours in the table stay neighbours on the axes.

        Parameters
        ----------
        X : table (n, p), optional
            The rows in the space that neighbours are looked for in; those of the fit by default.
        n_neighbors : int or list of int, optional
            At most half of the rows; 5, 15 and 50 by default, as far as there are rows.

        Returns
        -------
        DataFrame, one row a number of neighbours
            "trustworthiness", 1 where no neighbour on the map is a false one, and "continuity", 1
            where none is lost. Above 2,000 rows those of a seeded sample of 2,000.

        Examples
        --------
        >>> import gramian as gm
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

    def _own_variables(self, method: str) -> pd.DataFrame:
        """Return the active variables, or say that there are none."""
        own = self._active_variables()
        if own is None:
            raise InputError(
                f"table is missing: {type(self).__name__} keeps no variables of its own: give the "
                f"table whose columns should be read on the axes, {method}(table)"
            )
        return own
