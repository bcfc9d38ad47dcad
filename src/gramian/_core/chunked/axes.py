"""Principal axes of rows in blocks: from moments, from products, and of features of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import is_whole
from gramian._core.chunked.blocks import Block, Chunks, too_few
from gramian._core.chunked.gram import ChunkedGram, ChunkedRows
from gramian._core.chunked.moments import Stream, block_stream
from gramian._core.embedding import (
    FeatureModel,
    Principal,
    Standard,
    principal_axes_of_moments,
    principal_axes_of_rows,
)
from gramian._core.features.lowrank import ApproximateFeatures, KernelMap, LandmarkMap
from gramian._core.operators.tiled import SAMPLE
from gramian._core.pairs import Points
from gramian._core.spectral.choose import Choice, Request, choose_features, dense_bytes
from gramian._core.spectral.spectrum import column_signs
from gramian._core.table import weights
from gramian.kernels import Kernel
from gramian.kernels.bandwidth import scale_rows

Signs = Callable[[Any, Array], Array]  # coordinates that fix signs, of a feature map and axes


def stream_of(chunks: Chunks, cross: bool = True) -> Stream:
    """Return the moments of all columns by one pass, without `cross` only their variances."""
    stream: Stream | None = chunks.total(block_stream, cross)
    if stream is None or stream.n < 2:
        raise too_few(0 if stream is None else stream.n)
    return stream


def choose_products(chunks: Chunks, solver: str, n_components: Any, q: Any) -> Choice | None:
    """Return how products find the axes, None where moments do; `q` gives the number of axes."""
    wide = dense_bytes(chunks.p) > chunks.budget
    if solver == "covariance" or (solver == "auto" and not wide):
        return None
    n, p = chunks.shape
    choice = choose_features(n, p, q(n, p), solver)
    if solver != "auto" or (choice.name == "dense" and dense_bytes(n) <= chunks.budget):
        return choice
    if not is_whole(n_components):
        return None if choice.name == "covariance" else choice
    return Choice("krylov", f"{p} columns in blocks of rows, one pass a product")


def axes_by_products(
    chunks: Chunks, stream: Stream, s: Standard, request: Request, choice: Choice
) -> Principal:
    """Return the principal axes from products with the features of the rows."""
    rows = ChunkedRows(chunks, stream.moments, s.factor)
    side = "dual" if choice.name == "dense" else "primal"  # which takes one pass a product
    m, like = stream.moments, stream.like
    return principal_axes_of_rows(rows, m, s, like, request, choice, side=side)


def feature_model(
    stream: Stream,
    s: Standard,
    request: Request,
    signs: Signs | None,
    shift: Callable[[Standard, Array], Array | None],
    map_: KernelMap | None = None,
) -> FeatureModel:
    """Return the model of axes of features: of the columns, or of what a map makes of rows."""
    reason = f"covariance: {'' if map_ is None else 'features of '}blocks of rows"
    m = stream.moments
    principal = principal_axes_of_moments(m, s, stream.like, request, reason, map_ is None)
    V, features = principal.spectrum.vectors, principal.features
    if signs is not None:
        V = V * column_signs(signs(features, V))
    if map_ is not None:
        features = ApproximateFeatures(map_, features)
    spectrum = replace(principal.spectrum, vectors=V)
    return FeatureModel(replace(principal, spectrum=spectrum, features=features), shift(s, V))


def signs_of_points(map_: KernelMap, points: Points) -> Signs:
    """Return what fixes signs by the features of some points."""
    F = map_.of(points) if isinstance(map_, LandmarkMap) else map_(points.X)
    return lambda features, V: features.project(F, V)[0]


def signs_of_rows(chunks: Chunks) -> Signs:
    """Return what fixes signs by the rows that are farthest out on an axis."""
    return lambda features, V: np.concatenate(chunks.each(_farthest, features, V))


def _farthest(block: Block, features: Any, V: np.ndarray) -> np.ndarray:
    live = block.live
    if not len(live):
        return np.empty((0, V.shape[1]))
    Z = features.project(live.values, V)[0]
    return Z[np.unique(np.abs(Z).argmax(axis=0))]


def grams_of(
    chunks: Chunks, resolve: Callable[[Points, np.ndarray | None], Kernel]
) -> tuple[ChunkedGram, ChunkedGram, np.ndarray | None]:
    """Return the Gram operator about a centre, that of the kernel itself, and the weights."""
    n = chunks.n
    p = weights(chunks.row_weights, n)
    live = n if p is None else int(np.count_nonzero(p))
    if live < 2:
        raise too_few(live)
    sample = chunks.at(which := scale_rows(n, p)).values
    kernel = resolve(Points(sample), None if p is None else p[which] / p[which].sum())
    # Fewer rows give the others a centre and a unit, and start the search.
    points = Points(sample[:: -(-sample.shape[0] // min(chunks.panel, SAMPLE))].copy())
    of = partial(ChunkedGram, chunks=chunks, origin=points)
    return of(kernel.about(points)), of(kernel), p
