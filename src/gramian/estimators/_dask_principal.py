"""PCA of rows that dask holds: moments in a tree, or block Krylov where columns are many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._chunks import Block
from gramian._dask import DaskChunks, too_few
from gramian.embedding import FeatureModel, Record, Training, principal_axes_of_rows, standard
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, spectrum_state
from gramian.estimators._stream import Stream
from gramian.estimators.pca import PCA
from gramian.operators.chunked import ChunkedRows, block_moments, chunked_moments
from gramian.spectral.choose import Choice, choose_features

__all__ = ["principal_state"]

WIDE = 4_000  # columns from which on covariances cost more than passes over the rows


def principal_state(estimator: PCA, chunks: DaskChunks) -> Attributes:
    """Return the state of a PCA: from moments, or from products where columns are many."""
    if estimator.solver != "covariance" and (chunks.p > WIDE or estimator.solver != "auto"):
        chunks = chunks.sized()
        q = estimator._request(*chunks.shape).axes.q
        choice = choose_features(*chunks.shape, q, estimator.solver)
        if choice.name != "covariance":
            return _wide_state(estimator, chunks, choice)
    stream = chunks.total(_stream)
    if stream is None or stream.n < 2:
        raise too_few(0 if stream is None else stream.n)
    return estimator._state_of_stream(replace(stream, seen=columns_seen(None, chunks.header)))


def _stream(block: Block) -> Stream | None:
    m = block_moments(block, True)
    if m is None:
        return None
    live = block.live
    return Stream(m, len(live), _like(live), {})


def _like(block: Block) -> np.ndarray:
    return np.empty((0, block.values.shape[1]), dtype=str(block.values.dtype).rpartition(".")[2])


def _wide_state(estimator: PCA, chunks: DaskChunks, choice: Choice) -> Attributes:
    """Return the state of a PCA by block Krylov: no p × p, and nothing of the rows comes here."""
    m = chunked_moments(chunks, cross=False)
    live, like = chunks.total(_live, add=_live_of_both)
    if m is None or live < 2:
        raise too_few(live)
    seen = columns_seen(None, chunks.header)
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and of dask: drop these columns")
    names = seen.get("feature_names_in_")
    s = standard(m, like, scale=estimator.scale, column_weight=weight, names=names)
    request = replace(estimator._request(live, chunks.p), dimension=s.varying)
    rows = ChunkedRows(chunks, m, s.factor)
    principal = principal_axes_of_rows(rows, m, s, like, request, choice)
    model = FeatureModel(principal)
    own = {
        "n_samples_seen_": live,
        "record_": Record(Training("gone", None, live, like=like), model),
    }
    return spectrum_state(model) | estimator._axes(principal, live) | own | seen


def _live(block: Block) -> tuple[int, np.ndarray]:
    return len(block.live), _like(block)


def _live_of_both(a: Any, b: Any) -> tuple[int, np.ndarray]:
    return a[0] + b[0], max(a[1], b[1], key=lambda like: like.dtype.itemsize)
