"""PCA of rows that dask holds: moments in a tree, or block Krylov where columns are many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gramian._chunks import Block
from gramian._dask_chunks import DaskChunks, too_few
from gramian.embedding import principal_axes_of_rows, standard
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen
from gramian.estimators.blocks.stream import Stream
from gramian.estimators.pca import PCA
from gramian.operators.chunked import ChunkedRows, block_moments
from gramian.spectral.choose import Choice, choose_features

__all__ = ["principal_state", "stream_of"]

WIDE = 4_000  # columns from which on covariances cost more than passes over the rows


def principal_state(estimator: PCA, chunks: DaskChunks) -> Attributes:
    """Return the state of a PCA: from moments, or from products where columns are many."""
    if estimator.solver != "covariance" and (chunks.p > WIDE or estimator.solver != "auto"):
        chunks = chunks.sized()
        q = estimator._request(*chunks.shape).axes.q
        choice = choose_features(*chunks.shape, q, estimator.solver)
        if choice.name != "covariance":
            return _wide_state(estimator, chunks, choice)
    return estimator._state_of_stream(stream_of(chunks))


def _stream(block: Block, cross: bool = True) -> Stream | None:
    """Return what a block says of the columns."""
    m, live = block_moments(block, cross), block.live
    return None if m is None else Stream(m, len(live), _like(live), {})


def _like(block: Block) -> np.ndarray:
    return np.empty((0, block.values.shape[1]), dtype=str(block.values.dtype).rpartition(".")[2])


def _wide_state(estimator: PCA, chunks: DaskChunks, choice: Choice) -> Attributes:
    """Return the state of a PCA by block Krylov: no p × p, and nothing of the rows comes here."""
    stream = _seen(chunks, chunks.total(_stream, False))
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and of dask: drop these columns")
    m, like = stream.moments, stream.like
    s = standard(m, like, scale=estimator.scale, column_weight=weight, names=stream.names)
    request = replace(estimator._request(stream.n, chunks.p), dimension=s.varying)
    rows = ChunkedRows(chunks, m, s.factor)
    principal = principal_axes_of_rows(rows, m, s, like, request, choice)
    return estimator._state_of_axes(principal, stream)


def stream_of(chunks: DaskChunks) -> Stream:
    """Return the moments of all columns, in one pass."""
    return _seen(chunks, chunks.total(_stream))


def _seen(chunks: DaskChunks, stream: Stream | None) -> Stream:
    """Return what was seen of all blocks, with the names of the columns."""
    if stream is None or stream.n < 2:
        raise too_few(0 if stream is None else stream.n)
    return replace(stream, seen=columns_seen(None, chunks.header))
