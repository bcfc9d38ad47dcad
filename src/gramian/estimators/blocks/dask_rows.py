"""Rows that dask holds, on the axes of a fit: lazy arrays and tables of the same blocks."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import Array, to_numpy
from gramian._dask import (
    DaskChunks,
    RawBlocks,
    computed,
    dask_array,
    dask_frame,
    delayed_call,
    delayed_sum,
    delayed_value,
    raw_blocks,
    rows_of,
)
from gramian.embedding import FeatureModel, GramModel, Record, Training, is_table
from gramian.errors import InputError, InputTypeError
from gramian.estimators._base import kernel_rows
from gramian.estimators.blocks.dask_kernel import kernel_state
from gramian.estimators.blocks.dask_principal import principal_state
from gramian.estimators.blocks.stream import refuse_filling
from gramian.estimators.kernel_pca import KernelPCA
from gramian.estimators.pca import PCA
from gramian.kernels import Kernel
from gramian.operators import Gram, SelectedGram
from gramian.operators.chunked import ChunkedGram, cross_product

__all__ = ["DaskRows"]


class DaskRows:
    """A dask array or data frame, and what an estimator does with it."""

    def __init__(self, X: Any) -> None:
        self.X = X

    def state(self, estimator: Any, sample_weight: Any) -> dict[str, Any]:
        """Return the fitted attributes of an estimator."""
        kind = type(self.X).__name__
        if not isinstance(estimator, PCA | KernelPCA):
            raise InputTypeError(
                f"X is a dask {kind}, but {type(estimator).__name__} needs its rows all at once: "
                "give X.compute() where they fit, or use PCA or KernelPCA"
            )
        refuse_filling(estimator, f"a dask {kind}")
        if isinstance(estimator, PCA):
            return principal_state(estimator, DaskChunks.of(self.X, sample_weight))
        return kernel_state(estimator, self.X, sample_weight)

    def coordinates(self, estimator: Any) -> Any:
        """Return the coordinates of the rows, a dask array with the same blocks."""
        raw = raw_blocks(self.X)
        q, dtype = int(estimator._n_features_out), _precision(raw)
        return dask_array(_tasks(estimator, raw, _coordinates, q, dtype), raw, q, dtype)

    def features(self, transformer: Any) -> Any:
        """Return the features of the rows that a transformer of a kernel makes, in the same way."""
        raw = raw_blocks(self.X)
        q, dtype = int(transformer._n_features_out), _precision(raw)
        light = copy.copy(transformer)
        vars(light)["_F"] = None  # those of the rows of the fit stay here
        tasks = raw.mapped(_coordinates, delayed_value(light), q, dtype)
        return dask_array(tasks, raw, q, dtype)

    def coordinates_of_fit(self, estimator: Any) -> Any:
        """Return the same of the rows of the fit, which may be here already."""
        if estimator.record_.is_gone:
            return self.coordinates(estimator)
        raw, Z = raw_blocks(self.X), estimator.coordinates_
        sizes = raw.sizes or tuple(computed(*raw.mapped(rows_of)))
        ends = np.cumsum(sizes)
        parts = [delayed_value(Z[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
        return dask_array(parts, replace(raw, sizes=sizes), Z.shape[1], Z.dtype)

    def individuals(self, estimator: Any) -> Any:
        """Return the table of new individuals, a dask DataFrame with the same blocks."""
        raw = raw_blocks(self.X)
        axes = range(1, int(estimator.n_components_) + 1)
        pairs = [(measure, k) for measure in ("coordinate", "cos2", "quality") for k in axes]
        columns = pd.MultiIndex.from_tuples([*pairs, ("distance2", "")], names=["measure", "axis"])
        meta = pd.DataFrame(np.empty((0, len(columns))), columns=columns)
        return dask_frame(_tasks(estimator, raw, _individuals, meta), meta)


def _precision(raw: RawBlocks) -> np.dtype:
    return np.dtype(np.float32 if raw.dtype == np.float32 else np.float64)


def _tasks(estimator: Any, raw: RawBlocks, function: Any, *args: Any) -> list[Any]:
    """Return a task for each block, which has all that it needs of the fit."""
    model = estimator.record_.model
    operator = getattr(model, "operator", None)
    whole = operator.whole if isinstance(operator, SelectedGram) else operator
    light = delayed_value(_light(estimator))
    if not isinstance(whole, ChunkedGram):
        return raw.mapped(function, light, *args)
    V = model.embedding.right
    V = operator.spread(V) if isinstance(operator, SelectedGram) else V
    blocks = whole.chunks
    assert isinstance(blocks, DaskChunks)
    shared = [delayed_value(part) for part in (whole.kernel, whole.origin)]
    parts = [delayed_value(V[rows]) for rows in blocks.slices]
    read = raw.mapped(_values, light)
    products = [
        delayed_sum(
            [
                delayed_call(cross_product, block, part, new, *shared)
                for block, part in zip(blocks.tasks, parts, strict=True)
            ]
        )
        for new in read
    ]
    return raw.mapped(function, light, *args, beside=products)


def _values(block: Any, start: int, size: int | None, beside: None, light: Any) -> Any:
    return kernel_rows(block, light.kernel_, 0).values


def _coordinates(
    block: Any,
    start: int,
    size: int | None,
    product: np.ndarray | None,
    light: Any,
    q: int,
    dtype: np.dtype,
) -> np.ndarray:
    """Return the coordinates of a block."""
    rows = block.shape[0]
    if size is not None and rows != size:
        raise InputError(
            f"it has {rows} rows, but X says {size}: use X.compute_chunk_sizes() first"
        )
    if not rows:
        return np.empty((0, q), dtype)
    Z = _with_product(light, product).transform(block)
    return np.asarray(to_numpy(Z.to_numpy() if hasattr(Z, "to_numpy") else Z), dtype=dtype)


def _individuals(
    block: Any,
    start: int,
    size: int | None,
    product: np.ndarray | None,
    light: Any,
    meta: pd.DataFrame,
) -> pd.DataFrame:
    """Return the table of a block; rows without labels are counted on."""
    if not block.shape[0]:
        return meta
    out = _with_product(light, product).individuals(block)
    if not hasattr(block, "iloc"):
        out.index = pd.RangeIndex(start, start + len(out))
    return out


class _Products(Gram):
    """Stands for a Gram operator whose product with new rows was computed elsewhere."""

    def __init__(self, kernel: Kernel, product: np.ndarray | None = None) -> None:
        self.kernel, self.product = kernel, product

    def matmul(self, V: Array) -> Array:
        raise NotImplementedError

    def diag(self) -> Array:
        raise NotImplementedError

    def block(self, rows: slice, cols: slice) -> Array:
        raise NotImplementedError

    @property
    def like(self) -> Array:
        raise NotImplementedError

    def cross_matmul(self, new: Any, V: Array) -> tuple[Array, Array]:
        """Return the product, and k(x, x) of the new rows."""
        assert self.product is not None
        return self.product, to_numpy(self.kernel.self_similarity(new))


def _with_product(light: Any, product: np.ndarray | None) -> Any:
    if product is None:
        return light
    known, record = copy.copy(light), light.record_
    operator = _Products(record.model.operator.kernel, product)
    known.record_ = replace(record, model=replace(record.model, operator=operator))
    return known


def _light(estimator: Any) -> Any:
    """Return the estimator without its rows, which would travel with it to every machine."""
    light = copy.copy(estimator)
    record = estimator.record_
    model, t = record.model, record.training
    if isinstance(model, FeatureModel):
        model = replace(model, embedding=None)
        if t.table is not None and is_table(t.table.values):
            header = replace(t.table, values=t.table.values[:0], index=None)
            t = replace(t, table=header, weights=None, mark=None)
    elif isinstance(model, GramModel) and _is_chunked(model.operator):
        whole: Any = getattr(model.operator, "whole", model.operator)
        model = replace(model, operator=_Products(whole.kernel))
        t = Training("gram", None, t.n, like=t.like)
    light.record_ = Record(t, model)
    return light


def _is_chunked(gram: Gram) -> bool:
    return isinstance(gram.whole if isinstance(gram, SelectedGram) else gram, ChunkedGram)
