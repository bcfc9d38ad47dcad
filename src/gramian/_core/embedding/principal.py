"""Principal axes of explicit features: the pipeline where G = F·Fᵀ and F is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from gramian._core.array import Array, as_doubles, as_kind, eps, is_numpy, namespace, to_numpy
from gramian._core.check import expect, warn
from gramian._core.operators.feature import CovarianceOperator, FeatureMap
from gramian._core.operators.moments import Moments, moments
from gramian._core.operators.rows import Rows, Side
from gramian._core.parallel import require_memory
from gramian._core.spectral.dense import GRADED_RATIO, eigh, eigh_graded, is_graded, residual_norms
from gramian._core.spectral.solve import choose_features, decompose, select
from gramian._core.spectral.spectrum import (
    Choice,
    Completeness,
    Request,
    Spectrum,
    column_signs,
    dense_bytes,
)
from gramian.errors import ConstantColumnWarning, InputError

_MAX_HELD_PRODUCTS = 1 << 22  # products of entries of a row that are kept for all rows


@dataclass(frozen=True)
class Standard:
    """How columns become features: (x − mean)·factor, lengths in multiples of `unit`."""

    mean: Annotated[Array, "(p,)"]
    deviation: Annotated[Array, "(p,)", ">= 0"]  # 0 for a constant column
    factor: Annotated[Array, "(p,)", ">= 0"]
    unit: Annotated[float, "> 0"]
    varying: Annotated[int, ">= 1"]  # columns that are not constant


@dataclass(frozen=True)
class Principal:
    """Principal axes of features."""

    spectrum: Spectrum  # vectors are axes in feature space, (p, q)
    standard: Standard
    features: FeatureMap

    def check(self) -> None:
        """Refuse axes, scales and features of different columns."""
        p = self.spectrum.vectors.shape[0]
        expect(self.standard.factor.shape[0] == p, f"a scale for each of {p} columns")
        expect(self.features.factor.shape[0] == p, f"features of {p} columns")


def standard(
    m: Moments,
    like: Array,
    *,
    scale: bool,
    column_weight: np.ndarray | None,
    names: Sequence[object] | None = None,
) -> Standard:
    """Return how columns become features, from their moments."""
    mean, deviation = m.mean, m.deviation
    xp = namespace(mean)
    rounding = eps(like.dtype, namespace(like))
    constant, units = deviation <= 4.0 * rounding * xp.abs(mean), m.unit
    if not is_numpy(mean):  # in one piece: a device waits once
        both = to_numpy(xp.stack([xp.astype(constant, xp.float64), units]))
        constant, units = both[0] > 0, both[1]
    varying = int(np.count_nonzero(~constant))
    if varying == 0:
        if not bool(xp.any(deviation > 0)):
            raise InputError(
                "every column of X is constant, there are no axes to find: give rows that differ"
            )
        single = "" if rounding < 1e-10 else ", or give float64"
        raise InputError(
            f"X varies by no more than the rounding of its {like.dtype} numbers: there are no axes "
            f"to find; subtract the means of the columns from the original data{single}"
        )
    if scale or varying < len(units):
        still = as_kind(constant.astype(float), deviation)
        deviation = deviation * (1.0 - still)
    if scale:
        _warn_of_constants(constant, names)
        unit = 1.0
        with np.errstate(over="ignore"):
            factor = (1.0 - still) / (deviation + still)
        if not bool(xp.all(xp.isfinite(factor))):
            raise InputError(
                "X: a column varies so little that nothing can be divided by its deviation: "
                "multiply the data by a power of two, or use scale=False"
            )
    else:
        unit = _safe_unit(units if varying == len(units) else units[~constant], rounding)
        factor = 0.0 * deviation + 1.0 / unit
    if column_weight is not None:
        factor = factor * as_kind(np.sqrt(column_weight), factor)
    return Standard(mean, deviation, factor, unit, varying)


def _safe_unit(units: np.ndarray, rounding: float) -> float:
    """Return 1, or the largest column's unit where squares would leave the range of the numbers."""
    most = 1e17 if rounding > 1e-12 else 1e152
    largest = float(units.max())
    return 1.0 if units.min() > 1 / most and largest < most else largest


def _warn_of_constants(constant: np.ndarray, names: Sequence[object] | None) -> None:
    which = np.flatnonzero(constant)
    if which.size:
        shown = [str(k) if names is None else repr(names[k]) for k in which[:5]]
        more = "" if which.size <= 5 else f" and {which.size - 5} more"
        warn(
            f"columns {', '.join(shown)}{more} are constant: they cannot be scaled and contribute "
            "nothing",
            ConstantColumnWarning,
        )


def principal_axes(
    X: Array,
    p: np.ndarray | None,
    request: Request,
    *,
    scale: bool = False,
    column_weight: np.ndarray | Callable[[Moments], np.ndarray] | None = None,
    names: Sequence[object] | None = None,
    small_columns: bool = True,
) -> Principal:
    """Return the principal axes of the rows of X with weights p.

    A request without a dimension has that of the columns that vary. `small_columns` asks for axes
    that are right relative to themselves where columns have very different scales. Column weights
    may be a function of the moments: the metrics of the factor methods are.
    """
    n, columns = X.shape
    choice = choose_features(n, columns, request.axes.q, request.solver)
    w = None if p is None else as_doubles(p, _like(X))
    m = moments(X, w, cross=choice.name == "covariance")
    w_columns = column_weight(m) if callable(column_weight) else column_weight
    s = standard(m, _like(X), scale=scale, column_weight=w_columns, names=names)
    if request.dimension is None:
        request = replace(request, dimension=s.varying)
    if choice.name == "covariance":
        return principal_axes_of_moments(m, s, _like(X), request, str(choice), small_columns)
    return principal_axes_of_rows(X, m, s, _like(X), request, choice, p)


def principal_axes_of_rows(
    X: Array | Rows,
    m: Moments,
    s: Standard,
    like: Array,
    request: Request,
    choice: Choice,
    p: np.ndarray | None = None,
    side: Side | None = None,
) -> Principal:
    """Return the principal axes from products with the rows, or with their features.

    `side` is the smaller one by default.
    """
    n, columns = X.shape
    side = side or ("primal" if choice.name != "dense" and columns <= n else "dual")
    A = CovarianceOperator(X, m, s.factor, p, side, request.budget)
    is_dense = choice.name == "dense"
    need = A.rows.dense_bytes + dense_bytes(n) if is_dense else A.rows.product_bytes
    remedy = "ask for fewer axes, use solver='covariance' or raise memory="
    require_memory(need, request.budget, f"PCA of {n} × {columns}", remedy)
    spectrum = decompose(A, choice, replace(request, psd=True))
    if side == "dual":
        spectrum = spectrum.head(request.axes.q)
        spectrum = replace(spectrum, vectors=_primal(A, spectrum), image=None)
    return Principal(select(spectrum, request), s, FeatureMap(m, s.factor, like))


def columns_that_vary(X: Array, p: np.ndarray | None) -> int:
    """Return the number of columns of X that are not constant."""
    m = moments(X, p, cross=False)
    return standard(m, _like(X), scale=False, column_weight=None).varying


def _primal(A: CovarianceOperator, spectrum: Spectrum) -> Array:
    """Return the axes in feature space of eigenvectors in R^n, zero for null axes."""
    xp = namespace(spectrum.vectors)
    V = A.rmatmul(spectrum.vectors)
    size = xp.sqrt(xp.sum(V * V, axis=0))
    live = as_kind((spectrum.values > 0).astype(float), size)
    return V * (live / xp.where(size > 0, size, xp.ones_like(size)))[None, :]


def _like(X: Array) -> Array:
    return X.data if hasattr(X, "indptr") else X


def principal_axes_of_moments(
    m: Moments, s: Standard, like: Array, request: Request, reason: str, small_columns: bool = True
) -> Principal:
    """Return the principal axes from the moments of the rows alone."""
    C = m.covariance
    require_memory(
        dense_bytes(C.shape[0]), request.budget, "the covariance matrix", "raise memory="
    )
    d = m.unit * s.factor
    M = C * d * d[:, None]
    if small_columns and is_graded(to_numpy(s.deviation * s.factor)):
        values, V = eigh_graded(C, d)
        reason += "; columns of very different scale, by Jacobi rotations"
        noise = 0.0
    else:
        q = request.axes.q
        values, V = eigh(M, count=None if q is None else q + 1)  # and the first that is left out
        noise = 10.0 * C.shape[0] * 2.0**-52 * float(values[0])
        values = np.where(values > noise, values, 0.0)
    total = float(namespace(M).linalg.trace(M))
    residuals = residual_norms(M @ V, V, values)
    spectrum = Spectrum(values, V, total, residuals, reason, completeness=Completeness(noise))
    return Principal(select(spectrum, request), s, FeatureMap(m, s.factor, like))


@dataclass(frozen=True)
class ResampledAxes:
    """The first q axes of each of B sets of weights, in the unit of the data."""

    values: np.ndarray  # (B, q)
    vectors: np.ndarray  # (B, p, q)
    coordinates: np.ndarray  # (B, n, q), of every row, those without a weight too
    plain: np.ndarray  # (B,), whether the axes are found with no more care than is taken here


def resample_axes(
    X: np.ndarray, principal: Principal, counts: np.ndarray, q: int, *, scale: bool
) -> ResampledAxes:
    """Return the principal axes of the rows of X under each row of counts, (B, n).

    The covariances of all sets are one product, and their eigenproblems are solved together. A set
    is not `plain` where a column is constant or much smaller than another, or where fewer than q
    axes carry inertia. With `scale`, columns are brought to the same variance anew in each set.
    """
    s = principal.standard
    F = principal.features(X)
    W = counts / counts.sum(axis=1, keepdims=True)
    means = W @ F
    C = _second_moments(F, W) - means[:, :, None] * means[:, None, :]
    deviation = np.sqrt(np.maximum(np.diagonal(C, axis1=1, axis2=2), 0.0))
    rounding = 4.0 * 2.0**-52 * np.abs(s.mean * s.factor + means)
    plain = (deviation > rounding).all(axis=1)
    plain &= deviation.max(axis=1) <= GRADED_RATIO * deviation.min(axis=1)
    size = np.ones_like(deviation)
    if scale:
        size = s.factor * s.deviation / np.where(deviation > 0, deviation, 1.0)
        C = C * size[:, :, None] * size[:, None, :]
    values, V = np.linalg.eigh(C)
    values, V = values[:, ::-1][:, :q], V[:, :, ::-1][:, :, :q]
    plain &= values[:, -1] > 10.0 * F.shape[1] * 2.0**-52 * values[:, 0]
    B, p, _ = V.shape
    V = V * column_signs(V.transpose(1, 0, 2).reshape(p, B * q)).reshape(B, 1, q)
    turned = size[:, :, None] * V
    Z = np.matmul(F, turned) - np.matmul(means[:, None, :], turned)
    return ResampledAxes(values * s.unit**2, V, Z * s.unit, plain)


def _second_moments(F: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Return Σ w·f·fᵀ under each row of W, (B, p, p)."""
    n, p = F.shape
    if n * p * p <= _MAX_HELD_PRODUCTS:
        return (W @ (F[:, :, None] * F[:, None, :]).reshape(n, p * p)).reshape(-1, p, p)
    return np.stack([(F * w[:, None]).T @ F for w in W])
