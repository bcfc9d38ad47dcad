"""Principal components of rows that are read block by block: moments, or products for wide rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._check import is_whole
from gramian._validate import table
from gramian.embedding import Principal, standard
from gramian.estimators._base import Attributes
from gramian.estimators.blocks.scan import Blocks, Scan
from gramian.estimators.blocks.stream import Stream, extended, packed, unpacked
from gramian.operators.block_covariance import BlockCovariance
from gramian.operators.feature import FeatureMap
from gramian.spectral.choose import Choice, dense_bytes
from gramian.spectral.solve import decompose, select

__all__ = ["Scan", "moments_of", "scan_state"]


def scan_state(estimator: Any, rows: Scan, sample_weight: Any) -> Attributes:
    """Return the fitted attributes of a PCA.

    One pass adds up the moments where the matrix of p × p has room in the scan's memory; else a
    first pass takes the means, and each product of an iterative solver is one pass more.
    """
    blocks = Blocks.of(estimator, rows, lambda block: table(block, "X", min_rows=1), sample_weight)
    p = len(rows.known_columns())
    wide = is_whole(estimator.n_components) and dense_bytes(p) > rows.budget
    if estimator.solver == "krylov" or (estimator.solver == "auto" and wide):
        state = _of_products(estimator, blocks)
    else:
        state = estimator._state_of_stream(moments_of(blocks, cross=True))
    blocks.point.clear()
    return state


def moments_of(blocks: Blocks, *, cross: bool, name: str = "moments") -> Stream:
    """Return the moments of all rows by one pass, without `cross` only their variances."""
    stream: Stream | None = None
    before, left = blocks.resumed(name, lambda: packed(stream))
    if before is not None:
        first = next(blocks.values())
        stream = unpacked(before, first, blocks.seen or {})
    for part, w in left:
        stream = extended(stream, part, w, blocks.seen or {}, cross=cross)
    assert stream is not None  # a scan without rows was refused
    return stream


def _of_products(estimator: Any, blocks: Blocks) -> Attributes:
    stream = moments_of(blocks, cross=False, name="variances")
    m, n, total = stream.moments, blocks.n, stream.moments.weight
    columns = m.first.shape[0]
    weight = estimator._column_weight(columns)
    s = standard(m, stream.like, scale=estimator.scale, column_weight=weight, names=stream.names)

    def weighted() -> Iterator[tuple[Any, np.ndarray]]:
        for part, w in blocks:
            ones = np.ones(part.values.shape[0]) if w is None else w
            yield part.values, ones / total

    A = BlockCovariance(weighted, m, s.factor, blocks.point)
    request = replace(estimator._request(n, columns), dimension=s.varying, psd=True)
    choice = Choice("krylov", f"{columns} columns in blocks of rows, one pass a product")
    spectrum = select(decompose(A, choice, request), request)
    principal = Principal(spectrum, s, FeatureMap(m, s.factor, stream.like))
    return estimator._state_of_axes(principal, stream)
