"""What ties the parts of a record together: shapes that must agree, and numbers that must.

Each function takes a record whose parts are of the right kind and refuses it where two of them
contradict each other. Everything here takes at most one look at each number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import is_array, is_numpy, is_sparse, namespace, to_numpy
from gramian._check import is_label
from gramian._pairs import Points
from gramian._validate import Table
from gramian.distances.mixed import Gower
from gramian.embedding import (
    Embedding,
    Training,
    count,
    is_table,
)
from gramian.embedding.principal import Principal
from gramian.estimators.inside import Combination, Distance, Scaling, Stream
from gramian.features.axes import AxesMap
from gramian.features.fourier import FourierMap
from gramian.features.lowrank import ApproximateFeatures, LandmarkMap
from gramian.imputation.filler import Filler
from gramian.kernels import Kernel
from gramian.kernels.blocks import Blocks, GivenRows
from gramian.kernels.objects import Objects
from gramian.operators import Centering, DenseGram, DistanceGram, Gram
from gramian.operators.feature import FeatureMap
from gramian.operators.moments import Moments
from gramian.reading.coding import Coding, Variable
from gramian.reading.grouping import Grouping
from gramian.saving.closeness import are_close, equal, require
from gramian.spectral.spectrum import Spectrum
from gramian.stress import Arrangement, Curve

_MUCH = 1 << 24  # multiplications that are worth a check
_WEIGHT = 1e-6  # by which weights, of single precision perhaps, may miss the sum 1


def table(t: Table) -> None:
    """Labels go with the rows, and names with the columns."""
    n = count(t.values)
    require(t.index is None or len(t.index) == n, "labels that are not those of its rows")
    p = width(t.values)
    require(t.columns is None or len(t.columns) == p, "column names that are not its columns'")
    coding = t.reader.coding if isinstance(t.reader, Grouping) else t.reader
    if isinstance(coding, Coding):
        require(coding.starts[-1] == p, "levels that are not its columns'")


def width(rows: Any) -> int | None:
    """Return the number of columns of rows of numbers, None for other things."""
    return int(rows.shape[1]) if is_table(rows) else None


def filler(f: Filler) -> None:
    """Axes have length 1 and stand upright on each other, and none is believed more than whole."""
    gap = f.vectors.T @ f.vectors - np.eye(f.n_components)
    require(bool((np.abs(gap) <= 1e-6).all()), "axes for its holes that are none")
    require(bool((f.shrink <= 1.0).all()), "axes that are believed too much")
    width = len(f.mean) if f.coding is None else f.coding.starts[-1]
    require(width == len(f.mean), "levels that its axes do not have")


def training(t: Training) -> None:
    """The kind is that of the values, and the weights sum to 1."""
    if t.weights is not None:
        require(abs(float(t.weights.sum()) - 1.0) < _WEIGHT, "weights that do not sum to 1")
        require(t.n_live >= 2, "fewer than two rows with a weight")
    require((t.kind == "gone") == (t.table is None), "rows that are gone, or are not")
    if t.table is None:
        return
    values = t.table.values
    require(count(values) == t.n, "another number of rows than it says")
    require(_kind_of(values, t.kind) == t.kind, f"rows that are no {t.kind}")
    require(t.like is not None or not is_table(values), "results of no precision")
    require(t.like is None or _is_like(t.like, values), "results of another precision than rows")
    require(t.mark is None or equal(values, t.rows), "rows that are not those of the fit")


def _kind_of(values: Any, said: str) -> str:
    """Return the kind of rows; a square table may be rows or values between individuals."""
    if isinstance(values, Gram):
        return "gram"
    if isinstance(values, Blocks):
        return "blocks"
    if not is_table(values):
        return "objects"
    is_square = not is_sparse(values) and values.shape[0] == values.shape[1]
    return said if said == "square" and is_square else "table"


def _is_like(like: Any, values: Any) -> bool:
    """Whether results are of a precision of the rows: single ones for single rows only."""
    kind, own = str(like.dtype), str(getattr(values, "dtype", "float64"))
    return "float64" in kind or ("float32" in kind and "float32" in own)


def spectrum(s: Spectrum) -> None:
    """Eigenvalues decrease, and vectors are orthonormal but for null axes."""
    size = np.abs(s.values)
    require(s.total != 0 and s.values.size > 0, "a spectrum of nothing")
    require(bool((np.diff(size) <= 1e-6 * size[0]).all()), "eigenvalues that do not decrease")
    require(all(k <= len(size) + 1 for group in s.tied for k in group), "ties of no axes")
    if s.vectors.shape[0] * s.vectors.shape[1] ** 2 <= _MUCH:
        V = to_numpy(s.vectors).astype(np.float64)
        V = V[:, size > 1e-8 * size[0]]  # null axes may be zero, or rounding
        # Axes that a solver found only roughly say so themselves, and are what the fit made.
        near = 30.0 * np.sqrt(_precision(s.vectors)) + 4.0 * float(s.residuals.max() / size[0])
        gap = np.abs(V.T @ V - np.eye(V.shape[1]))
        require(bool((gap <= near).all()), "axes that are not orthonormal")


def _precision(a: Any) -> float:
    return float(namespace(a).finfo(a.dtype).eps)


def centering(c: Centering) -> None:
    """The weights sum to 1, and the grand mean is that of the means."""
    p, means = (to_numpy(a).astype(np.float64) for a in (c.p, c.means))
    near = 100.0 * np.sqrt(_precision(c.p))
    require(
        bool((p > 0).all()) and abs(float(p.sum()) - 1.0) < near, "weights that do not sum to 1"
    )
    size = float(np.abs(means).max())
    require(abs(float(p @ means) - c.grand) <= near * size, "a mean that is not that of the means")


def embedding(e: Embedding) -> None:
    """Points and axes are those of one spectrum; signs included."""
    s, n = e.spectrum, e.coordinates.shape[0]
    require(e.coordinates.shape[1] == len(s.values), "coordinates on other axes than it has")
    if e.centering is not None:
        sizes = {n, e.coefficients.shape[0], e.centering.p.shape[0], s.vectors.shape[0]}
        require(len(sizes) == 1, "coefficients of other points than its own")
        parts = (e.coordinates, e.coefficients, s.vectors, e.centering.p, e.centering.means)
        require(len({str(a.dtype) for a in parts}) == 1, "points of several precisions")
    require((e.modulus is None) == (s.modulus is None), "points of two sizes")
    if e.modulus is not None and s.modulus is not None and e.centering is not None:
        require(are_close(e.modulus, s.modulus / e.centering.p), "points of two sizes")


def feature_map(f: FeatureMap) -> None:
    """Features come in an array's library and precision."""
    require(is_array(f.like) and "float" in str(f.like.dtype), "features of no precision")


def approximate_features(f: ApproximateFeatures) -> None:
    """The map gives as many features as are centred."""
    require(_features(f.kernel_map) == f.factor.shape[0], "features that its map does not give")


def _features(by: Any) -> int:
    if isinstance(by, LandmarkMap):
        return int(by.W.shape[1])
    return 2 * int(by.omega.shape[1]) if isinstance(by, FourierMap) else -1


def principal(p: Principal) -> None:
    """Columns are centred and scaled as the standard says."""
    s, f = p.standard, p.features
    columns = {s.factor.shape[0], f.factor.shape[0], p.spectrum.vectors.shape[0]}
    require(len(columns) == 1 and s.varying <= s.factor.shape[0], "axes in other columns")
    require(equal(s.factor, f.factor), "two scales for its columns")
    require(are_close(s.mean, f.shift + f.rest, f.shift), "two means for its columns")
    require(_sum(p.spectrum) <= p.spectrum.total * (1.0 + 1e-4), "more inertia on axes than in all")


def _sum(s: Spectrum) -> float:
    return float(s.values.sum())


def square(g: DenseGram) -> None:
    """A Gram matrix is symmetric, and its definiteness is known or not."""
    require(vars(g).get("psd") in (None, True, False), "a matrix of unknown kind")
    if g.n * g.n <= _MUCH >> 4:
        require(are_close(g.K, g.K.T), "a Gram matrix that is not symmetric")


def distance_gram(g: DistanceGram) -> None:
    """Distances are of as many points as it says."""
    require(g.n == count(g.rows), "distances of other points")
    require(g.metric is not None or width(g.rows) == g.n, "distances that are not square")


def points(p: Points) -> None:
    """New points share the columns of those whose centre they take."""
    if p.origin is not p:
        require(p.origin.origin is p.origin and p.rough == p.origin.rough, "points of no origin")
        require(width(p.X) == width(p.origin.X), "points in other columns")
        require(is_sparse(p.X) == is_sparse(p.origin.X), "points of another kind")
        require(isinstance(p.X, Objects) == isinstance(p.origin.X, Objects), "other objects")


def moments(m: Moments) -> None:
    """Units are positive, and no column varies less than nothing."""
    unit, first = to_numpy(m.unit), to_numpy(m.first)
    require(bool((unit > 0).all()), "columns of no unit")
    second = to_numpy(m.second)
    require(are_close(second, second.T), "a covariance that is not symmetric")
    least = np.diag(second) * m.weight - first**2
    require(bool((least >= -1e-6 * np.abs(first**2)).all()), "a negative variance")


def landmark_map(m: LandmarkMap) -> None:
    """There is a row of the root for each landmark."""
    require(len(m.landmarks) == m.W.shape[0], "landmarks that its map does not know")


def axes_map(m: AxesMap) -> None:
    """There is a number of each axis for each column."""
    require(width(m.origin.X) == m.mean.shape[0] == m.axes.shape[0], "axes in other columns")


def fourier_map(m: FourierMap) -> None:
    """There is a frequency in each column."""
    require(width(m.origin.X) == m.omega.shape[0], "frequencies in other columns")


def arrangement(a: Arrangement) -> None:
    """There is a dissimilarity for each pair, and a row for each point."""
    m = a.rows.size
    require(a.delta.size == m * (m - 1) // 2, "dissimilarities that are not those of its pairs")
    require(bool((a.rows < a.where.size).all()), "points that are no rows")
    require(np.array_equal(a.where[a.rows], np.arange(m)), "rows that are not its points'")


def curve(c: Curve) -> None:
    """The knots increase, and so do the disparities."""
    require(c.delta.size > 0 and bool((np.diff(c.delta) >= 0).all()), "knots out of order")
    near = 1e-9 * float(np.abs(c.level).max())
    require(bool((np.diff(c.level) >= -near).all()), "disparities that decrease")
    require(c.slope is None or c.slope >= 0, "disparities that decrease")


def scaling(s: Scaling) -> None:
    """Weights of pairs are none, those of Sammon, or a symmetric matrix."""
    W = s.pair_weight
    if W is None or (isinstance(W, str) and W == "sammon"):
        return
    good = isinstance(W, np.ndarray) and W.ndim == 2 and W.dtype == np.float64
    require(good and W.shape[0] == W.shape[1] and bool((W >= 0).all()), "weights of no pairs")
    require(np.array_equal(W, W.T), "weights of no pairs")


def distance(d: Distance) -> None:
    """A metric is a name or a kernel, and Gower's alone has codes."""
    require(isinstance(d.metric, str | Kernel), "a metric that is none")
    is_gower = isinstance(d.metric, str) and d.metric == "gower"
    require(is_gower == (d.gower is not None), "codes that its metric does not use")


def gower(g: Gower) -> None:
    """There are columns."""
    named = all(type(column).__name__ == "_Column" for column in g.columns)
    require(len(g.columns) > 0 and named, "no columns")


def column(c: Any) -> None:
    """Codes are whole numbers from 0, one for each category."""
    if c.codes is None:
        return
    require(isinstance(c.codes, dict) and all(type(k) is int for k in c.codes.values()), "no codes")
    require(sorted(c.codes.values()) == list(range(len(c.codes))), "codes that are not all there")


def coding(c: Coding) -> None:
    """There are variables, each with a name of its own."""
    require(len(c.variables) > 0 and len(set(c.names)) == len(c.names), "variables of one name")


def grouping(g: Grouping) -> None:
    """Every variable is in a group, every group has one, and margins are those of counts."""
    K, J = len(g.coding.variables), int(g.coding.starts[-1])
    require(len(g.member) == len(g.columns) == K and len(g.margin) == J, "groups of no columns")
    require(len(set(g.names)) == len(g.names), "groups of one name")
    require(set(g.member.tolist()) == set(range(len(g.names))), "groups without variables")
    is_count = np.array([kind == "counts" for kind in g.kinds])[g.owner]
    require(bool((is_count == (g.margin > 0)).all()), "margins that are not those of counts")


def variable(v: Variable) -> None:
    """Levels differ, and can be looked up."""
    require(is_label(v.name), "a name that is none")
    if v.levels is None:
        require(not v.has_holes, "numbers with a level")
        return
    good = len(v.levels) > 0 and all(is_label(level) for level in v.levels)
    require(good and len(set(v.levels)) == len(v.levels), "levels that are none")


def blocks(b: Blocks) -> None:
    """Blocks are of the same individuals."""
    sizes = {count(block) for block in b.blocks.values()}
    require(len(sizes) == 1 and all(isinstance(k, str) for k in b.blocks), "blocks of others")
    require(isinstance(b.columns, dict) and set(b.columns) <= set(b.blocks), "columns of no block")
    require(set(b.readers) <= set(b.blocks), "categories of no block")
    for name, names in b.columns.items():
        good = isinstance(names, list) and len(names) == width(b.blocks[name])
        require(good, "column names that are not its columns'")


def given_rows(g: GivenRows) -> None:
    """Positions are those of individuals."""
    require(bool((g.positions < g.values.shape[1]).all()), "positions of no individuals")


def combination(c: Combination) -> None:
    """Weights sum to 1, and what kernels are divided by is positive."""
    require(all(isinstance(name, str) for name in c.kernels), "kernels without names")
    require(abs(float(c.weights.sum()) - 1.0) < _WEIGHT, "weights that do not sum to 1")
    require(bool((c.scales > 0).all() and (c.inertias > 0).all()), "kernels of no inertia")
    require(are_close(c.inner, c.inner.T), "kernels that are not alike both ways")
    require(bool((np.diag(c.inner) > 0).all()), "kernels of no size")


def stream(s: Stream) -> None:
    """The columns are those that scikit-learn saw, or features of theirs, which nobody sees."""
    p = s.moments.first.shape[0]
    names = s.seen.get("feature_names_in_")
    require(set(s.seen) <= {"n_features_in_", "feature_names_in_"}, "columns nobody saw")
    require(s.seen.get("n_features_in_", p) == p, "columns that nobody saw")
    require(names is None or (is_numpy(names) and names.shape == (p,)), "names of no columns")
    require(is_array(s.like) and "float" in str(s.like.dtype), "results of no precision")
