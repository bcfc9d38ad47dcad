"""From coordinates of kernel PCA back to functions of its space, and to rows of the data."""

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd
from scipy.optimize import nnls
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind, is_sparse, namespace, to_numpy
from gramian._core.array import to_dense as dense_rows
from gramian._core.check import one_of
from gramian._core.embedding import FeatureModel, GramModel, Record, count
from gramian._core.features.lowrank import ApproximateFeatures, LandmarkMap
from gramian._core.operators import TiledGram
from gramian._core.pairs import Points
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian._reading.cloud import ratio
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear, Precomputed, Radial
from gramian.kernels.mixed import MixedTable

if TYPE_CHECKING:
    from gramian.rkhs import Function

Method = Literal["auto", "fixed_point", "distances", "learned", "weights"]
_MAX_MIXED_ROWS = 2_000


class Preimages:
    """Axes as functions, and rows from coordinates."""

    record_: Record
    kernel_: Kernel

    def axes(self) -> "list[Function]":
        """Return the principal axes as functions of the kernel's Hilbert space, orthonormal there.

        The value of an axis at x is ⟨φ(x), axis⟩, the coordinate under `formulation="span"`; less
        its weighted mean over the training points it is the centred one.

        >>> kpca = gm.KernelPCA(2, kernel="gaussian").fit(np.arange(12.0).reshape(6, 2) ** 2)
        >>> first, second = kpca.axes()
        >>> round(first.norm(), 10), abs(round(first.inner(second), 10))
        (1.0, 0.0)
        """
        check_is_fitted(self)
        fit, kernel = self.record_, self.kernel_
        if isinstance(fit.model, FeatureModel):
            return _axes_of_features(fit.model, kernel)
        operator = _operator(fit)
        if isinstance(operator, TiledGram):
            points = operator.points  # a kernel that centring makes the same has axes of its own
        elif fit.training.kind == "square":
            K = fit.training.active()[0].values
            kernel, points = Precomputed(to_numpy(K)), Points(np.arange(float(len(K)))[:, None])
        else:
            raise InputError(
                "kernel: a Gram operator has no kernel, and so no functions: fit on rows"
            )
        return _functions(kernel, points, _weights_of_points(fit))

    def inverse_transform(self, Z: TableLike, method: Method = "auto") -> Array | pd.DataFrame:
        """Return rows whose images are near the points with coordinates Z on the axes.

        Parameters
        ----------
        Z : array (m, q)
            Coordinates on the axes.
        method : "auto", "fixed_point", "distances", "learned" or "weights"
            "fixed_point" finds the row whose image is nearest, for radial kernels; "distances" one
            at the right distances from its neighbours (Kwok and Tsang), for them too; "learned"
            applies a ridge regression of rows on coordinates, for any kernel on vectors. "auto" is
            "fixed_point" where it applies. The linear kernel has an exact answer. "weights" are
            those of the training rows, ≥ 0 with sum 1, whose mean image is nearest: a frame (m, n),
            for objects and precomputed kernels too; its product with any table of the same rows is
            what the point would have there.

        Examples
        --------
        >>> X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0]])
        >>> fit = gm.KernelPCA(2).fit(X)
        >>> bool(np.allclose(fit.inverse_transform(fit.coordinates_), X))
        True
        """
        check_is_fitted(self)
        training, q = self.record_.training, len(self.record_.model.spectrum.values)
        values = to_numpy(table(Z, "Z", min_rows=1, allow_sparse=False).values).astype(np.float64)
        if values.shape[1] != q:
            raise InputError(
                f"Z has {values.shape[1]} columns but there are {q} axes: give one for each"
            )
        if one_of(method, "method", get_args(Method)) == "weights":
            return weights_of_rows(self, values)
        if training.kind != "table":
            raise InputError(
                "Z: a fit of objects, of several tables, of a precomputed kernel or of a Gram "
                "operator has no rows to go back to: fit one table, or use method='weights'"
            )
        if isinstance(training.reader, MixedTable):
            raise InputError(
                "Z must be of a fit of numbers: this one has categories, and between two of them "
                "there is none: fit the columns of numbers alone"
            )
        seed = getattr(self, "random_state", None)
        rows = _rows_at(self.record_, self.kernel_, values, method, seed)
        return as_kind(rows, training.rows.data if is_sparse(training.rows) else training.rows)


def _axes_of_features(model: FeatureModel, kernel: Kernel) -> "list[Function]":
    """Return axes that are combinations of features: of columns, or of landmarks."""
    V, features = model.spectrum.vectors, model.principal.features
    if not isinstance(features, ApproximateFeatures):
        # The linear kernel: φ(x) = x, an axis is its own direction.
        from gramian.rkhs import Function

        directions = [V.T[k : k + 1, :] for k in range(V.shape[1])]
        return [Function.of_points(kernel, Points(v), np.ones(1)) for v in directions]
    by = features.kernel_map
    if not isinstance(by, LandmarkMap):
        raise InputError(
            "approximation: the axes of random features are no functions of the kernel's space: "
            "use Nystrom, or approximation=None"
        )
    factor = to_numpy(features.factor) * model.unit
    return _functions(by.kernel, by.landmarks, by.W @ as_kind(factor[:, None] * to_numpy(V), by.W))


def _functions(kernel: Kernel, points: Points, A: Array) -> "list[Function]":
    from gramian.rkhs import Function

    return [Function.of_points(kernel, points, A[:, k]) for k in range(A.shape[1])]


def _weights_of_points(fit: Record) -> Array:
    """Return A with Σ_i A_ik φ(x_i) the axes: the barycentre's part goes to the points it is of."""
    e = fit.embedding
    assert e.centering is not None
    C, p = e.coefficients, e.centering.p
    return C - p[:, None] * namespace(C).sum(C, axis=0)[None, :]


def _rows_at(
    fit: Record, kernel: Kernel, Z: np.ndarray, method: str, random_state: int | None
) -> np.ndarray:
    shift = fit.model.shift
    centred = Z if shift is None else Z - to_numpy(shift)
    features = fit.model.principal.features if isinstance(fit.model, FeatureModel) else None
    exact = features is not None and not isinstance(features, ApproximateFeatures)
    if isinstance(kernel, Linear) and exact and method == "auto":
        return _uncenter(fit, features, centred)
    if method != "learned" and isinstance(kernel, Radial) and kernel.differentiable:
        nearest = _combination(fit, centred)
        if nearest is not None:
            from gramian.preimage import fixed_point, from_distances

            if method == "distances":
                return from_distances(kernel, *nearest)
            return fixed_point(kernel, *nearest, random_state=random_state)
    if method in ("fixed_point", "distances"):
        raise InputError(
            f"method={method!r} needs a radial kernel on dense rows, exact or by landmarks, not "
            f"{kernel!r}: use 'learned'"[:390]
        )
    X, live = fit.training.active()[0].values, fit.training.live
    dense = dense_rows(X).astype(np.float64)
    known = to_numpy(fit.coordinates).astype(np.float64)
    from gramian.preimage import learned

    return learned(known if live is None else known[live], dense, Z, random_state)


def weights_of_rows(fit: Any, Z: np.ndarray) -> pd.DataFrame:
    """Return the mixture of training rows nearest to each point at Z in the whole space, (m, n)."""
    from gramian._estimators.analysis import pairs  # which imports kernel PCA

    (rows, p), live = fit.training_.active(), fit.training_.live
    n = count(rows.values)
    if n > _MAX_MIXED_ROWS:
        raise InputError(f"Z: weights are found among at most {_MAX_MIXED_ROWS} rows, not {n}")
    part, w = pairs(fit, rows.values, np.arange(n)), np.full(n, 1.0 / n) if p is None else p
    K = -0.5 * part.values**2 if part.kind == "distance" else part.values.astype(np.float64)
    centring = np.eye(n) - w
    values, U = np.linalg.eigh(centring @ K @ centring.T)
    F = U * np.sqrt(np.maximum(values, 0.0))  # rows of the centred Gram matrix as points
    shift = 0.0 if fit.model_.shift is None else to_numpy(fit.model_.shift)
    live = slice(None) if live is None else live
    C = to_numpy(fit.coordinates_).astype(np.float64)[live] - shift
    axes = ratio(F.T @ (C * w[:, None]), w @ C**2)
    mixtures = np.zeros((len(Z), fit.training_.n))
    for row, place in zip(mixtures, (Z - shift) @ axes.T, strict=True):
        # The point of a polytope nearest to the origin is a problem without a constraint on sums.
        V = (F - place).T
        A = np.vstack([V / (np.sqrt(np.mean(V**2)) or 1.0), np.ones(n)])
        u = nnls(A, np.eye(len(A))[-1], maxiter=10 * n)[0]
        row[live] = u / u.sum()
    return pd.DataFrame(mixtures, columns=fit.training_.labels)


def _operator(fit: Record) -> Any:
    return fit.model.operator if isinstance(fit.model, GramModel) else None


def _uncenter(fit: Record, features: Any, Z: np.ndarray) -> np.ndarray:
    """Return the features of points with coordinates Z, the mean put back."""
    V = to_numpy(fit.model.spectrum.vectors).astype(np.float64)
    mean = to_numpy(features.shift).astype(np.float64) + to_numpy(features.rest)
    return mean + (Z / fit.model.unit) @ V.T / to_numpy(features.factor)


def _combination(fit: Record, Z: np.ndarray) -> tuple[Points, np.ndarray] | None:
    """Return x_i and γ with Σ_i γ_i φ(x_i) the point at Z, (m, n); None where rows are sparse."""
    if isinstance(fit.model, FeatureModel):
        features = fit.model.principal.features
        by = features.kernel_map if isinstance(features, ApproximateFeatures) else None
        if not isinstance(by, LandmarkMap) or not by.landmarks.is_dense:
            return None
        return by.landmarks, _uncenter(fit, features, Z) @ to_numpy(by.W).astype(np.float64).T
    operator, e = _operator(fit), fit.embedding
    if not isinstance(operator, TiledGram) or not operator.points.is_dense:
        return None
    assert e.centering is not None
    A = to_numpy(_weights_of_points(fit)).astype(np.float64)
    return operator.points, to_numpy(e.centering.p).astype(np.float64) + Z @ A.T
