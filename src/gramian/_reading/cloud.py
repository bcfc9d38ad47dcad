"""Points on axes: what every reading is a function of."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array, as_kind, eps, namespace, slice_rows, to_numpy
from gramian._core.check import is_list, is_whole, share, short
from gramian._core.embedding.models import FeatureModel, Record
from gramian._core.embedding.pipeline import Embedding, GramModel, Places
from gramian._core.embedding.training import CHANGED_IN_PLACE, NOT_STORED, count
from gramian._core.features.lowrank import ApproximateFeatures
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.gram import Gram
from gramian._core.parallel import row_blocks
from gramian._core.spectral.spectrum import Spectrum
from gramian._core.table import Table, table
from gramian._core.types import VectorLike
from gramian.errors import InputError

_BLOCK_ENTRIES = 1 << 22  # numbers held at a time
_MAX_MEDIAN_STEPS = 500


@dataclass(frozen=True)
class Cloud:
    """Points on principal axes, the barycentre at the origin, lengths in multiples of `unit`."""

    coordinates: np.ndarray  # (n, q)
    distance2: np.ndarray  # (n,), squared distances to the barycentre, k̃(x, x)
    spectrum: Spectrum
    weights: np.ndarray | None = None  # (n,), of sum 1; None for points that had no part in the fit
    # What all axes carry of each point, where that is not `distance2`: Σ_k |λ_k| u_ik² / p_i for an
    # indefinite kernel or for distances that are not Euclidean, (n,).
    modulus: np.ndarray | None = None
    unit: float = 1.0  # a power of two
    shift: np.ndarray | float = 0.0  # (q,), added where coordinates are functions, not centred
    floor: float = 0.0  # a squared distance of at most this is rounding
    index: pd.Index | None = None  # the labels of the points
    size: float | None = None  # how many individuals the points stand for in v-tests

    @property
    def values(self) -> np.ndarray:
        return self.spectrum.values

    @property
    def labels(self) -> pd.Index:
        """The labels of the points: the user's, or 0, 1, …."""
        return pd.RangeIndex(len(self.coordinates)) if self.index is None else self.index

    def on_axes(self, Y: np.ndarray) -> "Cloud":
        """Return the points on other orthonormal axes of the same span, with the inertia there."""
        spectrum = self.spectrum
        if self.weights is not None:
            spectrum = replace(spectrum, values=self.weights @ Y**2)
        return replace(self, coordinates=Y, spectrum=spectrum)

    @cached_property
    def squares(self) -> np.ndarray:
        return self.coordinates**2

    @cached_property
    def norm2(self) -> np.ndarray:
        """What squared cosines are shares of: |x|², never less than the axes show of it, (n,)."""
        # For an indefinite kernel it is what all its axes carry, negative ones by their modulus:
        # the squared distance can then be smaller than the square of a coordinate, or negative.
        whole = self.distance2 if self.modulus is None else self.modulus
        whole = np.maximum(whole, self.squares.sum(axis=1))
        return np.where(whole > self.floor, whole, 0.0)

    @property
    def p(self) -> np.ndarray:
        """The weights of points of the fit, (n,)."""
        assert self.weights is not None
        return self.weights

    @property
    def live(self) -> np.ndarray:
        """Which points have a weight, (n,)."""
        return self.p > 0

    def to_data_units(self, coordinates: np.ndarray) -> np.ndarray:
        """Return coordinates as they are shown: in the data's own unit, and shifted."""
        return coordinates * self.unit + self.shift

    def public(self, squares: np.ndarray) -> np.ndarray:
        """Return squared lengths in the data's own unit."""
        with np.errstate(over="ignore", under="ignore"):
            return squares * self.unit * self.unit


def noise(e: Embedding) -> float:
    """Return the size under which a squared distance is rounding, in units."""
    rounding = 8.0 * eps(e.coordinates.dtype, namespace(e.coordinates))
    largest = max(float(to_numpy(e.distance2).max(initial=0.0)), abs(e.spectrum.total))
    if e.centering is None:  # features are centred before they are squared
        return rounding**2 * largest
    # k(x, x) − 2·mean + grand mean is a difference
    means = np.abs(to_numpy(e.centering.means)).max()
    return rounding * (largest + 2.0 * float(means) + abs(e.centering.grand))


def ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a/b, 0 where b is 0."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, out=np.zeros(a.shape), where=b != 0)


def axes_frame(
    measures: dict[str, np.ndarray], index: pd.Index, single: dict[tuple[str, str], Any]
) -> pd.DataFrame:
    """Return a table with columns (measure, axis): measures (n, q), then single columns (n,)."""
    columns: list[tuple[str, Any]] = []
    for name, block in measures.items():
        columns += [(name, axis) for axis in range(1, block.shape[1] + 1)]
        columns += [key for key in single if key[0] == name]
    columns += [key for key in single if key[0] not in measures]
    data = np.empty((len(index), len(columns)), order="F")
    for j, (name, axis) in enumerate(columns):
        data[:, j] = measures[name][:, axis - 1] if isinstance(axis, int) else single[name, axis]
    # Levels in the order of appearance: pandas takes them as sorted.
    levels = [list(dict.fromkeys(labels)) for labels in zip(*columns, strict=True)]
    codes = [[level.index(pair[k]) for pair in columns] for k, level in enumerate(levels)]
    names = pd.MultiIndex(levels, codes, names=["measure", "axis"])
    return pd.DataFrame(data, index=index, columns=names)


def cloud_of(fit: Record) -> Cloud:
    t, n = fit.training, fit.training.n
    if not fit.has_rows:
        raise InputError(NOT_STORED)
    return _cloud(fit, fit.places, t.index, np.full(n, 1.0 / n) if t.weights is None else t.weights)


def new_cloud(fit: Record, rows: Table, diag: VectorLike | None = None) -> Cloud:
    """Return new points on the axes of a fit; `diag` is k(x, x) where the rows do not tell."""
    return _cloud(fit, _with_diag(fit, rows.values, diag), rows.index)


def _cloud(
    fit: Record, places: Places, index: pd.Index | None, weights: np.ndarray | None = None
) -> Cloud:
    shift = fit.model.shift
    return Cloud(
        to_numpy(places.coordinates).astype(np.float64),
        to_numpy(places.distance2).astype(np.float64),
        fit.model.spectrum,
        weights,
        None if places.modulus is None else to_numpy(places.modulus).astype(np.float64),
        unit=fit.model.unit,
        shift=0.0 if shift is None else to_numpy(shift).astype(np.float64),
        floor=noise(fit.embedding),
        index=index,
    )


def _with_diag(fit: Record, X: Array, diag: VectorLike | None) -> Places:
    """Return where new rows lie, by k(x, x) where their block of kernel values does not hold it."""
    places = fit.project(X)
    unknown = bool(np.isnan(to_numpy(places.distance2)).any())
    if not unknown:
        if diag is not None:
            raise InputError(
                'diag is for kernel="precomputed" only: k(x, x) of these is known: leave it out'
            )
        return places
    m = count(X)
    if fit.training.kind == "blocks":
        raise InputError(
            "k(x, x) of new rows is not known for a precomputed block: give this block as a "
            "pair (K, diag), and leave diag= out"
        )
    if diag is None:
        raise InputError(
            f"diag is missing: a precomputed block does not hold k(x, x) of its {m} new rows: "
            "give them as diag=, shape (m,)"
        )
    values = table(np.reshape(np.asarray(diag), (-1, 1)), "diag", min_rows=1).values
    if values.shape[0] != m:
        raise InputError(f"diag has {values.shape[0]} values but X has {m} rows: give one each")
    assert isinstance(fit.model, GramModel)
    rows = fit.training.as_model_input(X)
    product, _ = fit.model.operator.cross_matmul(rows, fit.model.embedding.right)
    return fit.model.place(product, as_kind(values[:, 0], product))


def norms_of_means(fit: Record, W: sparse.csr_array) -> np.ndarray:
    """Return the squared distances of weighted means of training points to the barycentre."""
    e, live = fit.embedding, fit.training.live
    if isinstance(fit.model, FeatureModel):
        features, V = fit.model.principal.features, fit.model.spectrum.vectors
        coordinates, distance2 = feature_barycentres(features, fit.training.rows, V, W)
    elif isinstance(fit.model, GramModel):
        own = W if live is None else W[live]
        coordinates, distance2 = gram_barycentres(fit.model.operator.prepare(), e, own)
    else:  # the points of a map have no place but there
        means = np.asarray(W.T @ to_numpy(fit.places.coordinates).astype(np.float64))
        return np.sum(means**2, axis=1)
    error = np.abs(coordinates - W.T @ cloud_of(fit).coordinates).max(initial=0.0)
    rounding = eps(e.coordinates.dtype, namespace(e.coordinates)) ** 0.4
    if error > rounding * np.sqrt(abs(e.spectrum.values[0])):
        raise InputError(CHANGED_IN_PLACE)
    return distance2


def feature_barycentres(
    features: FeatureMap, X: Array, V: Array, W: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates (c, q) and squared norms (c,) of the means Wᵀf(X), W (n, c)."""
    n, columns = W.shape[0], V.shape[0]
    means = np.zeros((W.shape[1], columns))
    for rows in row_blocks(n, max(1, _BLOCK_ENTRIES // columns)):
        block = slice_rows(X, rows)
        if isinstance(features, ApproximateFeatures):
            block = features.kernel_map(block)
        means += W[rows].T @ to_numpy(features(block)).astype(np.float64)
    return means @ to_numpy(V).astype(np.float64), np.sum(means**2, axis=1)


def gram_barycentres(
    gram: Gram, e: Embedding, W: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same from kernel values: a mean is a point whose row of the Gram matrix is WᵀG."""
    assert e.centering is not None
    coordinates, distance2 = [], []
    for some in row_blocks(W.shape[1], max(1, _BLOCK_ENTRIES // gram.n)):
        w = as_kind(W[:, some].toarray(), e.coefficients)
        product = gram.matmul(w)
        z, k_p = e.project(product.T)
        norm2 = namespace(w).sum(product * w, axis=0)
        coordinates.append(to_numpy(z))
        distance2.append(to_numpy(e.centering.distance2(k_p, norm2)))
    return np.concatenate(coordinates), np.concatenate(distance2)


def two_axes(axes: Any, q: int, level: float) -> np.ndarray:
    """Return the positions of two different axes among q, for regions of this level, (2,)."""
    good = is_list(axes) and len(axes) == 2 and all(map(is_whole, axes))
    if not good or axes[0] == axes[1] or not all(1 <= k <= q for k in axes):
        raise InputError(f"axes={short(axes)} must be two different axes between 1 and {q}")
    share(level, "level")
    return np.array(axes) - 1


def ellipse_table(centre: np.ndarray, S: np.ndarray, factor: float, index: Any) -> pd.DataFrame:
    """Return centre, half axes and angle in degrees of the ellipses factor·S, S (n, 2, 2)."""
    values, vectors = np.linalg.eigh(S)
    size = np.sqrt(np.maximum(values, 0.0) * factor)
    angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
    columns = {"x": centre[:, 0], "y": centre[:, 1], "major": size[:, 1], "minor": size[:, 0]}
    return pd.DataFrame(columns | {"angle": (angle + 90) % 180 - 90}, index=index)


def median(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return weighted medians along the first axis; a tie at half the weight is split."""
    order = np.argsort(x, axis=0, kind="stable")
    mass = np.cumsum(w[order], axis=0)
    values = np.take_along_axis(x, order, axis=0)
    low = (mass < 0.5 - 1e-12).sum(axis=0)
    high = np.minimum((mass < 0.5 + 1e-12).sum(axis=0), len(x) - 1)
    first = np.take_along_axis(values, np.expand_dims(low, 0), axis=0)[0]
    second = np.take_along_axis(values, np.expand_dims(high, 0), axis=0)[0]
    return 0.5 * (first + second)


def spatial_median(F: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the point of least Σ w·|x − m| (Weiszfeld; Vardi and Zhang, 2000)."""
    m = median(F, w)
    for _ in range(_MAX_MEDIAN_STEPS):
        C = F - m
        size = np.linalg.norm(C, axis=1)
        away = size > 1e-12 * size.max(initial=0.0)
        if not away.any():
            return m
        pull = w[away] / size[away]
        step = pull @ C[away]
        here, force = float(w[~away].sum()), float(np.linalg.norm(step))
        if force <= here:
            return m
        step *= (1.0 - here / force) / pull.sum()
        m = m + step
        if np.linalg.norm(step) <= 1e-13 * size.max():
            break
    return m
