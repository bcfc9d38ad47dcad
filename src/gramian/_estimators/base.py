"""What every estimator shares: rows in, one record of a fit, published in one step."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.check import short, warn
from gramian._core.embedding import (
    FeatureModel,
    Model,
    Principal,
    Record,
    Training,
    copy_values,
    count,
    is_table,
    like_of,
)
from gramian._core.operators import Gram
from gramian._core.spectral.spectrum import Certificate
from gramian._core.table import Table, object_table, table, weights
from gramian._core.types import DataLike, RowsLike, WeightsLike
from gramian._estimators.foreign.from_sklearn import KERNEL_PARAMETERS, explain_foreign_names
from gramian._estimators.foreign.from_sklearn import FromSklearn as FromSklearn
from gramian._estimators.overview import NotebookFace
from gramian._estimators.readings import Reading
from gramian._estimators.remote import DaskRows, LazyOutput, ScanRows, remote_rows
from gramian._reading.null_table import NullTable, by_columns
from gramian._reading.rules import resolve_axes
from gramian.errors import InputError, InputTypeError, UnitsWarning
from gramian.kernels import Cosine, Kernel, Laplacian, Polynomial, Radial, Sigmoid, as_kernel
from gramian.kernels.composite import Composite
from gramian.kernels.pullback import Pullback

if TYPE_CHECKING:  # scikit-learn is not typed: its classes would make every attribute `Any`

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __sklearn_tags__(self) -> Tags: ...

    class TransformerMixin:
        def set_output(self, *, transform: str | None = None) -> Self: ...
else:
    from sklearn.base import BaseEstimator, TransformerMixin

Attributes = dict[str, Any]
KernelLike: TypeAlias = Kernel | str | Callable[..., Any]  # of two tables, where it is a function
GramSolver: TypeAlias = Literal["auto", "dense", "krylov"]
TableSolver: TypeAlias = Literal["auto", "covariance", "dense", "krylov"]
Indefinite: TypeAlias = Literal["raise", "clip", "flip", "krein"]  # negative eigenvalues
Missing: TypeAlias = Literal["raise", "iterative"]
E = TypeVar("E", bound=BaseEstimator)
MAX_SPREAD_RATIO = 30.0
_MAX_ROWS = 2_000  # that the spreads are estimated on
_MAX_TIES = 0.9  # share of one value in a column that counts as varying: pixels, rare events


class Published(NotebookFace, BaseEstimator):
    """An estimator whose fitted state is replaced in one step.

    Annotations of a class that are no parameters are its fitted attributes: model files hold them,
    and are checked by them. One that may be None may also be absent.
    """

    n_features_in_: Annotated[int, "p", ">= 1"] | None
    feature_names_in_: np.ndarray | None
    _published: tuple[str, ...]

    def __init_subclass__(cls, **options: object) -> None:
        """Have the constructor answer the names of other libraries with what to write."""
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = explain_foreign_names(vars(cls)["__init__"])  # type: ignore[method-assign]

    def _publish(self, state: Attributes) -> None:
        """Replace the fitted state in one assignment: an interrupted fit leaves the old model."""
        old = vars(self).get("_published", ())
        others = {name: value for name, value in vars(self).items() if name not in old}
        self.__dict__ = others | state | {"_published": (*state, "_published")}

    def set_params(self, **params: object) -> Self:
        """Set parameters; those of a kernel as kernel__scale, where the kernel is a name too."""
        nested = [key for key in params if key.startswith("kernel__")]
        if nested and "kernel" in params:
            super().set_params(kernel=params.pop("kernel"))
        kernel = getattr(self, "kernel", None)
        if nested and isinstance(kernel, str):
            if kernel == "precomputed":
                raise InputError(
                    f"{nested[0]}: kernel='precomputed' has no parameters: give a Kernel"
                )
            super().set_params(kernel=as_kernel(kernel))
        foreign = next((key for key in params if key in KERNEL_PARAMETERS), None)
        if foreign is not None and kernel is not None and not hasattr(self, foreign):
            word = {"gamma": "kernel__gamma=… or kernel__scale", "coef0": "kernel__offset"}
            raise InputError(
                f"{foreign} is a parameter of the kernel of {type(self).__name__}: set "
                f"{word.get(foreign, f'kernel__{foreign}')}=…"
            )
        return super().set_params(**params)

    def _like_fit(self, X: DataLike, rows: Table) -> Table:
        """Return new rows, after the checks that their columns are those of the fit."""
        if hasattr(self, "n_features_in_"):
            check_columns(self, X, rows)
        return rows


def check_columns(estimator: BaseEstimator, X: DataLike, rows: Table) -> None:
    """Refuse rows whose columns are not those that an estimator has seen, in sklearn's words."""
    own = vars(estimator)
    unnamed = rows.columns is None and "feature_names_in_" not in own
    if unnamed and rows.values.shape[1] == own.get("n_features_in_"):
        return
    record_columns(estimator, _header(rows), reset=False)


def record_columns(estimator: BaseEstimator, X: DataLike, *, reset: bool) -> None:
    """Have scikit-learn write down the columns, or compare them with those it wrote down."""
    try:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
    except TypeError as error:
        kinds = sorted({type(name).__name__ for name in getattr(X, "columns", ())})
        raise InputTypeError(
            f"X has column names of several types ({', '.join(kinds)}): make them texts, with "
            "X.columns = X.columns.astype(str)"
        ) from error
    except ValueError as error:
        raise InputError(f"{str(error)[:360].rstrip('.')}: give the columns of the fit") from error


class SquareNumber:
    """A fitted number in squares of the unit of X: read where it is in range, refused otherwise.

    Coordinates and shares are right in any unit; squares of numbers beyond 1e154 are no numbers.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, fit: object, owner: type | None = None) -> Any:
        if fit is None:
            return self
        own = vars(fit)
        if self.name not in own:
            raise AttributeError(f"{type(fit).__name__!r} object has no attribute {self.name!r}")
        if "record_" in own:
            own["record_"].model.require_squares(self.name)
        return own[self.name]

    def __set__(self, fit: object, value: object) -> None:
        vars(fit)[self.name] = value


def square_number() -> Any:
    """Return the descriptor of a fitted number in squares of the unit of X."""
    return SquareNumber()


class SpectralEstimator(
    LazyOutput,
    Reading,
    TransformerMixin,
    Published,
    BaseEstimator,
):
    """Rows → training → model. A subclass writes `_read` and `_analyse`."""

    n_components: Any
    missing: Any  # of methods that have the option
    record_: Record
    filler_: Any  # a Filler, or None
    n_components_: Annotated[int, "q", ">= 1"]
    eigenvalues_: Annotated[np.ndarray, "(q,)", "any"] = square_number()
    inertia_: Annotated[float, "any"] = square_number()
    inertia_ratio_: Annotated[np.ndarray, "(q,)", "any"]
    residuals_: Annotated[np.ndarray, "(q,)", "any"] = square_number()
    negative_inertia_: Annotated[float, "any"] = square_number()
    tied_axes_: list[tuple[int, ...]]
    solver_: str

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Self:
        """Fit the axes to the rows of X.

        Parameters
        ----------
        X : array, sparse matrix, data frame, AnnData or field of xarray (n, p)
            The rows to analyse; for PCA and KernelPCA also a dask array or a scan; for a kernel of
            objects a sequence of them; for "precomputed" the square matrix (n, n).
        sample_weight : array (n,), optional
            Weights of the rows, of which only the proportions matter. A row of weight 0 is
            supplementary: it gets coordinates but does not contribute to the axes. Labelled weights
            are matched to labelled rows by label.
        """
        if not isinstance(X, np.ndarray) and (blocks := remote_rows(X)) is not None:
            return self._fit_remote(blocks, sample_weight)
        if not self._takes_gram and isinstance(X, Gram):
            raise InputTypeError(
                f"X is a Gram operator ({type(X).__name__}), which {type(self).__name__} does not "
                "take: use gm.KernelPCA(…).fit(gram)"
            )
        X, filled = self._fill_missing(X, sample_weight)
        rows, p = self._rows_and_weights(X, sample_weight)
        placed = self._to_device(rows.values)
        training = Training.of(
            rows if placed is rows.values else replace(rows, values=placed),
            p,
            source=X if placed is rows.values else None,
            like=like_of(rows.values),
            square=self.is_precomputed and not isinstance(placed, Gram),
            lent=self._lends_rows,
            coded=self._codes_rows,
        )
        self._publish(
            self._state(training) | self._table_attributes(X, rows, sample_weight) | filled
        )
        return self

    def _fit_remote(self, rows: ScanRows | DaskRows, sample_weight: WeightsLike) -> Self:
        """Fit the axes to rows that are not in memory."""
        raise InputTypeError(
            f"X is {rows.name}, but {type(self).__name__} needs its rows all at once: give "
            f"{rows.remedy} where they fit, or use PCA or KernelPCA(approximation=gm.Nystrom(…))"
        )

    def fit_transform(
        self, X: DataLike, y: object = None, sample_weight: WeightsLike = None
    ) -> Array:
        """Fit the axes and return a copy of the coordinates of the rows of X, (n, q)."""
        fit = self.fit(X, y, sample_weight)
        if (blocks := remote_rows(X)) is not None:
            return blocks.transform_of_fit(fit)
        record = fit.record_
        if record.training.mark is None or record.training.live is not None:
            return self._output_coordinates(copy_values(fit.coordinates_))
        # Rows that were lent a moment ago are not marked again, nor are their lengths asked for.
        Z = record.model.coordinates(record.training.require().values)
        return self._output_coordinates(record.display(Z, record.training.like))

    def transform(self, X: DataLike) -> Array:
        """Return the coordinates of the rows of X, as a scan or a dask array if X is one.

        Parameters
        ----------
        X : array, sparse matrix or data frame (m, p)
            Rows with the columns of the fit, in the same order; for precomputed values, between the
            new rows and the rows of the fit, (m, n); objects if the kernel accepts them.

        Returns
        -------
        array (m, q)
            In the library and precision of X. A row of the fit gets its row of `coordinates_`.
        """
        check_is_fitted(self)
        if (blocks := remote_rows(X)) is not None:
            return blocks.transform(self)
        rows = self._read_new(self._fill_new_rows(X))
        Z = self.record_.coordinates_of(self._to_device(rows.values))
        return self._output_coordinates(self.record_.display(Z, like_of(rows.values)))

    def _output_coordinates(self, Z: Array) -> Array:
        """Return coordinates as `transform` gives them, which may be in another unit."""
        return Z

    def _state(self, training: Training) -> Attributes:
        """Return the fitted attributes; rows without a weight are placed like new ones."""
        live = training.live
        if live is not None and training.n_live < 2:
            raise InputError("sample_weight leaves 1 sample with a weight: at least 2 are required")
        # The mark of lent rows was taken a moment ago: it is not compared in the fit itself.
        rows, p = (training if training.mark is None else replace(training, mark=None)).active()
        estimator = self._with_axis_count(rows, p)
        model, own = estimator._analyse(rows, p)
        fit = Record(training, model)
        if live is not None:
            fit.places  # noqa: B018  errors of these rows are raised now
        return spectrum_state(model) | own | {"record_": fit}

    def _with_axis_count(self, rows: Table, p: np.ndarray | None) -> Self:
        """Return this estimator, its number of axes settled where a rule looks at the table."""
        if not isinstance(self.n_components, str):
            return self
        seed = self.get_params(deep=False).get("random_state")
        q = resolve_axes(self.n_components, lambda: self._columns_to_permute(rows, p), seed)
        return self if q is self.n_components else like_this(self, n_components=q)

    def _columns_to_permute(self, rows: Table, p: np.ndarray | None) -> NullTable:
        """Return the columns that parallel analysis permutes and what their spectrum is."""
        if self.is_precomputed or not is_table(rows.values):
            raise InputError(
                "parallel analysis permutes the columns of one table, and there is none: give the "
                "table and a kernel or a metric instead of precomputed values, blocks or objects"
            )
        return self._null_table(rows, p)

    def _fill_missing(self, X: DataLike, sample_weight: WeightsLike) -> tuple[Any, Attributes]:
        """Return the table without missing values where requested, and what filled them in."""
        way = getattr(self, "missing", "raise")
        if isinstance(way, str) and way == "raise":
            return X, {}
        from gramian._estimators.missing_values import fill_table

        return fill_table(self, X, sample_weight)

    def _imputation_task(self, task: Any) -> Any:
        """Return how missing values are filled in, in the metric of this method."""
        return task

    def _fill_new_rows(self, X: DataLike) -> DataLike:
        """Return new rows without missing values, where the fit fills them in."""
        filler = vars(self).get("filler_")
        if filler is None:
            return X
        from gramian._estimators.missing_values import fill_rows

        return fill_rows(filler, X)

    def _read(self, X: DataLike) -> Table:
        """Return the rows to be fitted, after every check that needs no computation."""
        return table(X, "X")

    def _rows_and_weights(
        self, X: DataLike, sample_weight: WeightsLike
    ) -> tuple[Table, np.ndarray | None]:
        """Return the rows to be fitted and their weights, of sum 1 or None for equal ones."""
        rows = self._read(X)
        return rows, weights(sample_weight, count(rows.values), index=rows.index)

    def _table_attributes(self, X: DataLike, rows: Table, sample_weight: WeightsLike) -> Attributes:
        """Return what is recorded of the table itself, beside its analysis."""
        return column_record(rows)

    def _read_new(self, X: DataLike) -> Table:
        """Return new rows, after the checks that they are like those of the fit."""
        return self._like_fit(X, table(X, "X", min_rows=1))

    def _new_rows(self, X: DataLike) -> Table:
        rows = self._read_new(self._fill_new_rows(X))
        return replace(rows, values=self._to_device(rows.values))

    def _to_device(self, X: Array) -> Array:
        """Return the rows where the computation is to happen."""
        return X

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        """Return the model of rows that all have a weight, and what this method says of it."""
        raise NotImplementedError

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        """Return the table that parallel analysis permutes, as this method sees it."""
        raise NotImplementedError

    def _has_null(self, rows: Table, p: np.ndarray | None) -> bool:
        """Whether there is such a table."""
        return True

    _takes_gram = False
    _takes_sparse = False
    _lends_rows = False  # whether no answer but readings rests on the rows
    _codes_rows = False  # whether rows are read into an array of their own
    _pair_kind = "similarity"  # or "distance": what a method starts from, between two rows

    def _pair_values(self, rows: RowsLike) -> Array | None:
        """Return the similarities or distances between rows, None where features have them."""
        return None

    def _pair_features(self, rows: RowsLike, picked: np.ndarray) -> np.ndarray:
        """Return features of the picked rows whose products are the similarities."""
        if isinstance(self.model_, FeatureModel):
            return to_numpy(self.model_.features(rows)) * self.model_.unit
        # A map has nothing but its points.
        return to_numpy(self.record_.embedding.coordinates)[picked]

    def _dimension(self, rows: Table) -> int | None:
        """Return how many axes rows can have, None where it is one less than rows."""
        return None

    @property
    def _principal(self) -> Principal:
        """The axes of a method whose rows have features."""
        assert isinstance(self.model_, FeatureModel)
        return self.model_.principal

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Return the names of the columns of `transform`: "axis 1", "axis 2", and so on.

        Parameters
        ----------
        input_features : object
            Not used, present for scikit-learn's interface.
        """
        check_is_fitted(self)
        return np.array([f"axis {k}" for k in range(1, self.n_components_ + 1)], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return "record_" in vars(self)  # a first row that `partial_fit` keeps makes no axes

    @property
    def certificate_(self) -> Certificate:
        """Accuracy of the axes: their residuals, and a bound on the eigenvalues left out."""
        check_is_fitted(self)
        return self.model_.spectrum.certificate(self.model_.unit)

    @property
    def explained_variance_ratio_(self) -> np.ndarray:
        """The share of each axis in the total inertia: scikit-learn's name for `inertia_ratio_`."""
        check_is_fitted(self)
        return self.inertia_ratio_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.pairwise = self.is_precomputed
        tags.input_tags.sparse = self._takes_sparse and not self.is_precomputed
        return tags


def spectrum_state(model: Model) -> Attributes:
    """Return the fitted attributes that every method has."""
    s, unit = model.spectrum, model.unit
    if not np.isfinite(s.total) or s.total == 0:
        raise InputError("X: the total inertia is zero or overflows: rescale the data")
    with np.errstate(over="ignore", under="ignore"):
        return {
            "eigenvalues_": s.values * unit * unit,
            "inertia_": s.total * unit * unit,
            "inertia_ratio_": s.values / s.total,
            "residuals_": s.residuals * unit * unit,
            "negative_inertia_": s.negative * unit * unit,
            "tied_axes_": s.tied,
            "n_components_": len(s.values),
            "solver_": s.solver,
        }


def like_this(estimator: E, **changes: object) -> E:
    """Return an estimator with the same parameters but some."""
    return type(estimator)(**estimator.get_params(deep=False) | changes)


def null_table_by_fits(
    estimator: SpectralEstimator, rows: Table, p: np.ndarray | None, *, has_signs: bool = True
) -> NullTable:
    """Return the columns and the spectrum of a fit to each permuted table."""
    whole = like_this(estimator, n_components=None)

    def eigenvalues(columns: np.ndarray) -> np.ndarray:
        drawn = replace(rows, values=np.ascontiguousarray(columns.T))
        model, _ = whole._analyse(drawn, p)
        values = np.abs(to_numpy(model.spectrum.values)) * model.unit**2
        return np.append(values, np.zeros(max(columns.shape[1] - 1 - len(values), 0)))

    return NullTable(by_columns(rows.values), eigenvalues, 1.0, p, has_signs=has_signs)


def read_coordinates(Z: Any, q: int) -> Array:
    """Return coordinates on q axes, (m, q), as one gave them."""
    values = table(Z, "X", min_rows=1, allow_sparse=False).values
    if values.shape[1] != q:
        raise InputError(
            f"X has {values.shape[1]} columns but there are {q} axes: give one for each"
        )
    return values


def column_record(rows: Table) -> Attributes:
    """Return what scikit-learn records of the columns; objects have none."""
    if len(getattr(rows.values, "shape", ())) != 2:
        return {}
    if rows.columns is None:
        return {"n_features_in_": rows.values.shape[1]}
    return columns_of(_header(rows))


def columns_of(X: Array | pd.DataFrame) -> Attributes:
    """Return what scikit-learn records of the columns of a table."""
    seen = BaseEstimator()  # what scikit-learn writes the columns it sees into
    record_columns(seen, X, reset=True)
    return dict(vars(seen))


def _header(rows: Table) -> Array | pd.DataFrame:
    """Return what scikit-learn reads the number and the names of the columns from."""
    if rows.columns is None:
        return rows.values
    names = pd.Index(rows.columns, dtype=object, tupleize_cols=False)
    return pd.DataFrame(np.empty((0, len(names))), columns=names)  # one block, not one a column


def kernel_rows(X: DataLike, kernel: Kernel, min_rows: int) -> Table:
    """Return the rows as the kernel wants them: numbers, or any objects.

    The kernel that reads them is a deep copy: later changes by the caller do not reach the fit.
    """
    kernel = copy.deepcopy(kernel)
    if not kernel.takes_vectors:
        objects = kernel.rows(X, "X")
        n = len(objects) if hasattr(objects, "__len__") else 0
        if n < min_rows:
            raise InputError(f"X has {n} sample(s) while a minimum of {min_rows} is required")
        return object_table(objects, X, kernel)
    if kernel.takes_categories:
        kernel = kernel.for_table(X)
        rows = kernel.table(X, "X", min_rows)
    else:
        rows = table(X, "X", min_rows=min_rows)
    if is_sparse(rows.values) and not kernel.takes_sparse:
        return replace(rows, values=rows.values.toarray(), reader=kernel)
    return replace(rows, reader=kernel)


def fitted_rows(X: DataLike, kernel: Kernel, remedy: str) -> Table:
    """Return the rows of a fit as the kernel wants them; warn of columns in unequal units."""
    rows = kernel_rows(X, kernel, min_rows=2)
    _warn_of_units(rows, rows.reader, remedy)
    return rows


def _warn_of_units(rows: Table, kernel: Kernel, remedy: str) -> None:
    """Warn where the standard deviations of the columns differ by more than `MAX_SPREAD_RATIO`."""
    X = rows.values
    if not _adds_columns(kernel) or is_sparse(X) or len(X.shape) != 2 or X.shape[1] < 2:
        return
    X = to_numpy(X[:: 1 + X.shape[0] // _MAX_ROWS, :]).astype(np.float64)
    with np.errstate(all="ignore"):
        spread = X.std(axis=0)
        alike = spread.max() <= MAX_SPREAD_RATIO * spread.min()  # mostly: medians take longer
    varies = alike or np.mean(np.median(X, axis=0) == X, axis=0) < _MAX_TIES
    kept = np.flatnonzero((spread > 0) & np.isfinite(spread) & varies)
    if kept.size < 2:
        return
    low, high = kept[spread[kept].argmin()], kept[spread[kept].argmax()]
    ratio = float(spread[high] / spread[low])
    if ratio > MAX_SPREAD_RATIO:
        names = range(X.shape[1]) if rows.columns is None else rows.columns
        warn(
            f"X: column {short(names[high])} varies {ratio:.3g} times as much as column "
            f"{short(names[low])}, and the kernel adds up raw columns: {remedy} unless all have "
            "one unit",
            UnitsWarning,
        )


def _adds_columns(kernel: Kernel) -> bool:
    """Whether a kernel adds up columns as they are, each with the same weight."""
    if isinstance(kernel, Radial | Laplacian | Polynomial | Sigmoid | Cosine):
        scale = getattr(kernel, "scale", 1.0)
        return np.ndim(scale) == 0 and scale != "learn"
    if isinstance(kernel, Pullback) or not isinstance(kernel, Composite):
        return False
    parts = kernel.get_params(deep=False).values()
    return any(_adds_columns(part) for part in parts if isinstance(part, Kernel))
