"""Kernel logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import as_kind, eps, is_numpy, is_sparse, to_numpy
from gramian._core.check import number, positive, short, whole
from gramian._core.embedding import copy_values, count, rows_at
from gramian._core.features.lowrank import own_axes
from gramian._core.operators.gram import (
    DenseGram,
    kernel_range_error,
    require_range,
    zero_kernel_error,
)
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.spectral.spectrum import dense_bytes
from gramian._core.table import Table, pair_table, plain_weights, square
from gramian._core.types import DataLike, VectorLike, WeightsLike
from gramian._estimators.base import KernelLike, Published, column_record, fitted_rows, kernel_rows
from gramian._estimators.logistic import fit_or_penalise
from gramian._estimators.nystrom import KernelFeatures
from gramian._estimators.predictors.targets import Classifier, classes_of, with_class_weight
from gramian.errors import IndefiniteError, InputError
from gramian.kernels import Kernel, Linear, Precomputed, as_kernel

_MIN_SQUARED_RATIO = 1e-6  # of the longest axis, squared


class KernelLogisticRegression(Classifier, Published, BaseEstimator):
    """Kernel logistic regression: one function of the kernel's feature space per class.

    Minimises Σ_i w_i·(−log P(y_i | x_i)) + penalty/2·Σ_k ‖f_k‖²_H with P the softmax of
    b_k + f_k(x). By the representer theorem f_k = Σ_i α_ik k(x_i, ·). Two classes share one
    function, the logit of the second; c > 2 classes have c functions that add up to zero. Newton's
    method, to full precision.

    Parameters
    ----------
    penalty : float
        Non-negative; 1/C in scikit-learn. 0 is the maximum likelihood estimate, which often does
        not exist: a SeparationWarning is then issued, and `penalty_` is the value used instead.
    C : float, optional
        The inverse of the penalty, as in scikit-learn; it replaces `penalty`.
    kernel : Kernel, name, "precomputed" or callable
        A positive semi-definite kernel; the norm in its space is penalised.
    approximation, memory
        As for `KernelPCA`: None is exact and needs the Gram matrix.
    class_weight : dict, "balanced" or None
        A weight for each class, by which those of its rows are multiplied (a class that is not
        named has 1); "balanced" is n/(c·n_class), n_class the weight of its rows, so that every
        class counts alike.
    max_iter : int
        Maximum number of Newton steps.

    Attributes
    ----------
    classes_, kernel_, penalty_, n_iter_, intercept_
        As for `PrincipalComponentClassifier`.
    dual_coef_ : array (n, c) or, for two classes, (n, 1)
        α of smallest norm: w·(Y − P)/penalty without its part in the null space of the Gram matrix
        (of the centred one for kernels that are partly linear, where α sums to 0). Exact fits only.
    coef_ : array (r, c) or (r, 1)
        Coefficients of the features of an approximation; of the linear kernel, those of the
        principal axes where these are so unequal that sums over rows would lose digits.

    See Also
    --------
    PrincipalComponentClassifier : the same on a few kernel components.

    References
    ----------
    Zhu and Hastie (2005), Kernel logistic regression and the import vector machine.

    Examples
    --------
    >>> train, test = (gm.datasets.rings(random_state=k) for k in (1, 2))
    >>> model = gm.KernelLogisticRegression(penalty=1.0)
    >>> model = model.fit(train.data, train.groups["ring"])
    >>> round(float(model.score(test.data, test.groups["ring"])), 2)
    0.83
    """

    kernel_: Kernel
    coef_: Annotated[np.ndarray, "(r, c)"] | None
    dual_coef_: Annotated[np.ndarray, "(n, c)"] | None
    approximation_error_: Annotated[float, ">= 0", "nan"] | None
    _points: Points | None
    _map: Callable[[Any], Any] | None
    _level: Annotated[np.ndarray, "(c,)"] | None

    def __init__(
        self,
        penalty: float = 1.0,
        *,
        C: float | None = None,
        kernel: KernelLike = "gaussian",
        approximation: KernelFeatures | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        max_iter: int = 100,
        memory: int | str | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.kernel = kernel
        self.approximation = approximation
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.memory = memory

    def fit(
        self, X: DataLike, y: VectorLike, sample_weight: WeightsLike = None
    ) -> KernelLogisticRegression:
        """Fit the functions to the classes y (n,) of the rows of X, which is as for `KernelPCA`.

        A row of weight 2 counts as two rows, a row of weight 0 is ignored.
        """
        rows = self._read(X)
        own = copy_values(rows.values, X)
        if not self._is_precomputed and (is_sparse(own) or (is_numpy(own) and own.dtype != object)):
            own = own.astype(np.float64, copy=False)  # in which all that follows is computed
        rows = replace(rows, values=own)
        n = count(rows.values)
        w = plain_weights(sample_weight, n, index=rows.index)
        y_ = classes_of(y, rows, w, type(self).__name__)
        w = with_class_weight(self.class_weight, y_, w)
        penalty = self._requested_penalty()
        max_iter = whole(self.max_iter, "max_iter")
        live = np.ones(n, dtype=bool) if w is None else w > 0
        w_live = None if w is None else w[live]
        F, state = self._features(rows, live, w_live)
        model, used = fit_or_penalise(F, y_.codes[live], len(y_), w_live, penalty, max_iter)
        ours = self._fitted(model, y_.labels, used) | {"_level": None}
        if (dual := state.pop("_dual", None)) is not None:
            ours |= dual.functions(ours.pop("coef_"), ours["intercept_"], live)
        self._publish(state | ours | column_record(rows))
        return self

    def _requested_penalty(self) -> float:
        """Return the penalty of either of its two names."""
        penalty = number(self.penalty, "penalty", least=0.0)
        if self.C is None:
            return penalty
        if penalty != 1.0:
            raise InputError(
                f"C={short(self.C)} and penalty={short(self.penalty)} are two names for one "
                "parameter: give one of them"
            )
        return 1.0 / positive(self.C, "C")

    def _read(self, X: DataLike) -> Table:
        if self._is_precomputed:
            rows = pair_table(X, "X", "kernel")
            square(rows, "X", "kernel")
            return rows
        remedy = "standardise them, by kernel=gm.kernels.Standardized(…),"
        return fitted_rows(X, as_kernel(self.kernel), remedy)

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _features(
        self, rows: Table, live: np.ndarray, w: np.ndarray | None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Return features whose products are kernel values, (live rows, r), and what made them."""
        n = int(live.sum())
        if self._is_precomputed:
            K = to_numpy(rows.values)[np.ix_(live, live)].astype(np.float64)
            F, back = roots(0.5 * (K + K.T), eps(to_numpy(rows.values).dtype))
            own: dict[str, Any] = {"kernel_": Precomputed(), "_points": None, "_map": None}
            return F, own | {"_dual": Dual(back)}
        p = None if w is None else w / w.sum()
        points = Points(rows_at(rows.values, live))
        kernel = rows.reader.resolve(points, p, rows.columns)
        if self.approximation is not None:
            if not hasattr(self.approximation, "lowrank"):
                raise InputError(
                    f"approximation={short(self.approximation)} must be None or gm.Nystrom(...)"
                )
            low = self.approximation.lowrank(kernel.about(points), points, p)
            own = {"kernel_": kernel, "_map": low.map, "approximation_error_": low.error}
            return to_numpy(low.F).astype(np.float64), own | {"_points": None}
        remedy = "use approximation=gm.Nystrom(1000), or raise memory="
        require_memory(
            dense_bytes(n), budget_bytes(self.memory), f"the Gram matrix of {n} rows", remedy
        )
        F, dual = exact_features(kernel, points)
        if type(kernel) is Linear and is_numpy(points.X):
            squares = (F**2).sum(axis=0)
            if squares.min() < _MIN_SQUARED_RATIO * squares.max():
                # Rows are seen by their products, in which the short axes lose their digits.
                F, by = own_axes(points)
                return F, {"kernel_": kernel, "_points": None, "_map": by}
        whole = points if n == len(live) else Points(rows.values, points)
        return F, {"kernel_": kernel, "_points": whole, "_map": None, "_dual": dual}

    def _functions(self, X: DataLike) -> np.ndarray:
        check_is_fitted(self)
        if self._is_precomputed:
            rows = pair_table(X, "X", "kernel", min_rows=1, allow_sparse=True)
            rows = self._like_fit(X, rows)
        else:
            rows = self._like_fit(X, kernel_rows(X, self.kernel_, min_rows=1))
        coef: Any = self.dual_coef_ if self._map is None else self.coef_
        if self._map is not None:
            f = to_numpy(self._map(rows.values)).astype(np.float64) @ coef
        elif self._points is None:
            f = to_numpy(rows.values) @ coef
        else:
            points = self._points
            kernel = self.kernel_ if self._level is None else self.kernel_.about(points)
            like = TiledGram(kernel, points).like
            alpha = coef if is_numpy(like) else as_kind(coef, like)
            f = to_numpy(cross_matmul(kernel, Points(rows.values, points), points, alpha)[0])
        return f + (self.intercept_ if self._level is None else self._level)

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there are coefficients: of features where a map gives them, or of the rows."""
        own = vars(self)
        name = "dual_coef_" if own.get("_map") is None else "coef_"
        return "classes_" in own and own.get(name) is not None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._is_precomputed
        tags.input_tags.pairwise = self._is_precomputed
        return tags


@dataclass(frozen=True)
class Dual:
    """The way from coefficients of features back to the points, (n, r).

    The intercept takes up any constant, so that features may be those of a centred Gram matrix:
    then with the means of the rows of that matrix before, and of the kernel's own.
    """

    back: np.ndarray
    means: np.ndarray | None = None
    own: np.ndarray | None = None

    def functions(self, coef: np.ndarray, b: np.ndarray, live: np.ndarray) -> dict[str, Any]:
        """Return α of all rows, and the intercepts that go with it."""
        alpha = np.zeros((live.size, coef.shape[1]))
        alpha[live] = self.back @ coef
        if self.means is None or self.own is None:
            return {"dual_coef_": alpha}
        # A constant in α is nothing to the centred Gram matrix, but much to one that is not.
        alpha[live] -= alpha[live].mean(axis=0)
        level, intercept = (b - m @ alpha[live] for m in (self.means, self.own))
        return {"dual_coef_": alpha, "intercept_": intercept, "_level": level}


def exact_features(kernel: Kernel, points: Points) -> tuple[np.ndarray, Dual]:
    """Return features whose products are the kernel's, up to what the intercept takes up."""
    gram = TiledGram(kernel.about(points), points)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        if require_range(gram.diag()) == 0 and points.varies:
            raise zero_kernel_error()
        K = to_numpy(gram.dense())
    precision, K = eps(K.dtype), K.astype(np.float64)
    if not np.isfinite(K).all():
        raise kernel_range_error(DenseGram(K), K.sum(axis=1))
    if gram.kernel == kernel:
        F, back = roots(K, precision)
        return F, Dual(back)
    means = K.mean(axis=0)
    F, back = roots(K - means[:, None] - means[None, :] + means.mean(), precision)
    same = np.full((len(K), 1), 1.0 / len(K))
    own = TiledGram(kernel, points).matmul(as_kind(same, gram.like))
    return F, Dual(back, means, to_numpy(own)[:, 0].astype(np.float64))


def roots(K: np.ndarray, precision: float) -> tuple[np.ndarray, np.ndarray]:
    """Return F with F·Fᵀ = K, and C with F·B = K·(C·B): features, and the way back to points."""
    if not np.isfinite(K).all():
        raise InputError("kernel: its values overflow on X: rescale the data or the kernel")
    values, U = np.linalg.eigh(K)
    level = 10.0 * len(K) * precision * max(abs(values[0]), abs(values[-1]))
    if values[0] < -level:
        raise IndefiniteError(
            f"kernel: the Gram matrix is indefinite (smallest eigenvalue {values[0]:.3g}, largest "
            f"{values[-1]:.3g}): functions have no norm to penalise. Use a positive semi-definite "
            "kernel, or PrincipalComponentClassifier(indefinite='clip')"
        )
    live = values > level
    if not live.any():
        raise InputError("kernel: all its values are zero on X: rescale the data or the kernel")
    root, U = np.sqrt(values[live]), U[:, live]
    return U * root, U / root
