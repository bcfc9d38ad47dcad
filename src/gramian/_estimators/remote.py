"""Rows that are not in memory, those of a scan and those of dask, as estimators take them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import pandas as pd

from gramian._core.array import Array, to_numpy
from gramian._core.chunked import dask as lazy
from gramian._core.chunked.dask import Graph, RawBlocks, raw_blocks
from gramian._core.chunked.operators import ChunkedGram, cross_product
from gramian._core.embedding import FeatureModel, GramModel, Record, Training, is_table
from gramian._core.frames import is_dask, is_scan
from gramian._core.operators import SelectedGram
from gramian._core.table import Table
from gramian._core.types import DataLike, VectorLike
from gramian.kernels import Kernel

if TYPE_CHECKING:
    from gramian._core.chunked.dask_chunks import DaskChunks
    from gramian._core.chunked.files import FileChunks
    from gramian._estimators.base import SpectralEstimator
    from gramian._estimators.kernel_pca import KernelPCA
    from gramian._estimators.nystrom import KernelFeatures
    from gramian._estimators.readings import Reading
    from gramian.io import Scan

    Transformer: TypeAlias = SpectralEstimator | KernelFeatures
    Fitted: TypeAlias = Transformer | Reading

Reader: TypeAlias = Callable[[Any], Table]  # of a block of rows
_TABLE_COPIES = 4  # of a table that a fit in memory takes


def remote_rows(X: object) -> ScanRows | DaskRows | None:
    """Return what can be done with rows that are not in memory, None for any others."""
    if isinstance(X, np.ndarray):
        return None
    if is_dask(X):  # first: what is delayed seems to have every attribute
        return DaskRows(X)
    return ScanRows(cast("Scan", X)) if is_scan(X) else None


class LazyOutput:
    """A transformer whose `set_output` leaves coordinates that are not yet computed alone.

    scikit-learn would make one table of them, however many there are. Blocks of a scan are frames
    then, each on its own.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)  # where scikit-learn wraps the methods
        for name in ("transform", "fit_transform"):
            method = vars(cls).get(name)
            if method is not None and hasattr(method, "__wrapped__"):
                setattr(cls, name, _lazy(method))


def _lazy(method: Callable[..., Any]) -> Callable[..., Any]:
    plain: Callable[..., Any] = method.__wrapped__  # type: ignore[attr-defined]

    @wraps(method)
    def unwrapped(self: Any, X: DataLike, *args: Any, **options: Any) -> Any:
        return (method if remote_rows(X) is None else plain)(self, X, *args, **options)

    return unwrapped


class ScanRows:
    """A scan, and what an estimator does with it."""

    kind, name, remedy = "a scan", "a scan", "X.collect()"

    def __init__(self, X: Scan) -> None:
        self.X = X

    @property
    def table(self) -> pd.DataFrame | np.ndarray | None:
        """All rows as one table where they fit the memory of the scan, else None."""
        need = _TABLE_COPIES * 8 * self.X.count() * len(self.X.known_columns())
        return self.X.collect() if need <= self.X.budget else None

    def chunks(
        self, estimator: Transformer, reader: Reader, weights: VectorLike | None, texts: bool
    ) -> FileChunks:
        """Return the blocks that a fit reads."""
        from gramian._core.chunked.files import FileChunks

        options = {name: repr(value) for name, value in estimator.get_params().items()}
        return FileChunks(self.X, reader, weights, type(estimator).__name__, options)

    def transform(self, estimator: Transformer, what: str = "coordinates") -> Scan:
        """Return what a transformer makes of the rows, a scan."""
        return self.X.along(estimator.transform, f"{what} of {self.X.name}")

    transform_of_fit = transform

    def individuals(self, estimator: Reading) -> Any:
        """Return the table of new individuals, a scan."""
        return self.X.along(estimator.individuals, f"individuals of {self.X.name}")


class DaskRows:
    """A dask array or data frame, and what an estimator does with it."""

    kind, remedy = "dask", "X.compute()"
    table = None  # rows stay with dask

    def __init__(self, X: Any) -> None:
        self.X, self.name = X, f"a dask {type(X).__name__}"

    def chunks(
        self, estimator: Transformer, reader: Reader, weights: VectorLike | None, texts: bool
    ) -> DaskChunks:
        """Return the blocks that a fit reads, which may have columns of texts."""
        if not texts:
            lazy.refuse_texts(self.X)
        from gramian._core.chunked.dask_chunks import DaskChunks  # tables in memory need none

        return DaskChunks.of(self.X, reader, weights)

    def transform(self, estimator: Transformer, what: str = "coordinates") -> Array:
        """Return what a transformer makes of the rows, a dask array with the same blocks."""
        raw = raw_blocks(self.X)
        dtype = np.dtype(np.float32 if raw.dtype == np.float32 else np.float64)
        none = np.empty((0, int(estimator._n_features_out)), dtype)
        return lazy.lazy_array(_tasks(estimator, raw, "transform", none), raw, none.shape[1], dtype)

    def transform_of_fit(self, estimator: SpectralEstimator) -> Array:
        """Return the coordinates of the rows of the fit, which may be in memory already."""
        if not estimator.record_.has_rows:
            return self.transform(estimator)
        raw, Z = raw_blocks(self.X).with_sizes(), estimator.coordinates_
        graph, sizes = Graph([]), raw.sizes or ()
        keys = [graph.add(part) for part in np.split(Z, np.cumsum(sizes)[:-1])]
        return lazy.lazy_array(graph.delayed(keys), raw, Z.shape[1], Z.dtype)

    def individuals(self, estimator: Reading) -> Any:
        """Return the table of new individuals, a dask DataFrame with the same blocks."""
        raw = raw_blocks(self.X)
        axes = range(1, int(estimator.n_components_) + 1)
        pairs = [(measure, k) for measure in ("coordinate", "cos2", "quality") for k in axes]
        columns = pd.MultiIndex.from_tuples([*pairs, ("distance2", "")], names=["measure", "axis"])
        meta = pd.DataFrame(np.empty((0, len(columns))), columns=columns)
        return lazy.lazy_frame(_tasks(estimator, raw, "individuals", meta), meta)


def _tasks(
    estimator: Fitted, raw: RawBlocks, method: str, none: np.ndarray | pd.DataFrame
) -> list[Any]:
    """Return a task for each block, which has all that it needs of the fit.

    `none` is what a method of the estimator gives of no rows.
    """
    operator, whole = _dask_operator(estimator)
    graph = Graph(raw.tasks if operator is None else [*raw.tasks, *whole.chunks.tasks])
    light = graph.add(_light(estimator, whole))
    empty, sizes = graph.add(none), raw.sizes or [None] * len(raw.tasks)
    products: list[Any] = [None] * len(raw.tasks)
    if operator is not None:
        V = vars(estimator)["record_"].model.embedding.right
        V = operator.spread(V) if isinstance(operator, SelectedGram) else V
        parts = [graph.add(V[rows]) for rows in whole.chunks.slices]
        training = list(zip(whole.chunks.tasks, parts, strict=True))
        shared = [graph.add(whole.kernel), graph.add(whole.origin)]
        for k, new in enumerate(raw.tasks):
            values = graph.call(_values, raw.place(k), new.key, light)
            terms = [
                graph.call(cross_product, None, block.key, part, values, *shared)
                for block, part in training
            ]
            products[k] = graph.sum(terms)
    keys = [
        graph.call(
            *(_answer, raw.place(k), task.key, raw.start(k), sizes[k], products[k]),
            *(light, method, empty),
        )
        for k, task in enumerate(raw.tasks)
    ]
    return graph.delayed(keys)


def _dask_operator(estimator: Fitted) -> tuple[Any, Any]:
    """Return the operator of a fit whose rows dask holds, and that of all rows, None for others."""
    record = vars(estimator).get("record_")
    operator = None if record is None else getattr(record.model, "operator", None)
    whole = operator.whole if isinstance(operator, SelectedGram) else operator
    if not isinstance(whole, ChunkedGram):
        return None, None
    from gramian._core.chunked.dask_chunks import DaskChunks

    return (operator, whole) if isinstance(whole.chunks, DaskChunks) else (None, None)


def _values(block: DataLike, light: KernelPCA) -> Array:
    from gramian._estimators.base import kernel_rows

    return kernel_rows(block, light.kernel_, 0).values


def _answer(
    block: Any,
    start: int,
    size: int | None,
    product: np.ndarray | None,
    light: Any,
    method: str,
    none: np.ndarray | pd.DataFrame,
) -> Any:
    """Return the coordinates of a block, or its table, in which rows without labels are counted."""
    lazy.check_size(block.shape[0], size)
    if not block.shape[0]:
        return none
    if product is not None:
        model = light.record_.model
        model = replace(model, operator=replace(model.operator, product=product))
        record, light = replace(light.record_, model=model), copy.copy(light)
        light.record_ = record
    out = getattr(light, method)(block)
    if method == "transform":
        out = to_numpy(out.to_numpy() if hasattr(out, "to_numpy") else out)
        return np.asarray(out, dtype=none.dtype)
    if not hasattr(block, "iloc"):
        out.index = pd.RangeIndex(start, start + len(out))
    return out


@dataclass(frozen=True, eq=False)
class _Product:
    """Stands for a Gram operator whose product with new rows was computed by other tasks."""

    kernel: Kernel
    product: np.ndarray | None = None

    def cross_matmul(self, new: Mapping[Any, DataLike], V: Any) -> tuple[Any, Any]:
        """Return the product, and k(x, x) of the new rows."""
        return self.product, to_numpy(self.kernel.self_similarity(new))


def _light(estimator: Fitted, whole: ChunkedGram | None) -> Any:
    """Return the estimator without its rows, which would travel with it to every machine."""
    light, record = copy.copy(estimator), vars(estimator).get("record_")
    if record is None:  # features of a kernel
        light.__dict__["_F"] = None
        return light
    model, t = record.model, record.training
    if isinstance(model, FeatureModel):
        model = replace(model, known=None)
        if t.table is not None and is_table(t.table.values):
            header = replace(t.table, values=t.table.values[:0], index=None)
            t = replace(t, table=header, weights=None, mark=None)
    elif isinstance(model, GramModel) and whole is not None:
        model = replace(model, operator=_Product(whole.kernel))  # type: ignore[arg-type]
        t = Training("gram", None, t.n, like=t.like)
    light.record_ = Record(t, model)
    return light
