"""Classical multidimensional scaling."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, namespace, power_of_two, to_numpy
from gramian._blocks import budget_bytes
from gramian._validate import Table, distance_matrix, table
from gramian.distances import pairwise
from gramian.embedding import kernel_embedding
from gramian.errors import InputError, NotEuclideanWarning
from gramian.estimators._base import SpectralEstimator, common_state
from gramian.euclidean import CORRECTIONS
from gramian.kernels.squared import SquaredDistance
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.operators.tiled import TiledGram, cross_matmul
from gramian.pairs import Points
from gramian.reading.rules import selection
from gramian.spectral.choose import STORED, choose_gram
from gramian.spectral.solve import Problem, solve

__all__ = ["ClassicalMDS"]


class ClassicalMDS(SpectralEstimator):
    """Classical scaling: points whose distances are as close as possible to those given.

    The Gram matrix is −½d², centred and diagonalised; on Euclidean distances the result is PCA.

    Parameters
    ----------
    n_components : int, float in (0, 1), "kaiser" or None
    metric : str or callable
        "euclidean", any name of `scipy.spatial.distance`, "precomputed" (X holds distances, not
        squared), or a function of two tables that returns distances.
    correction : None, "lingoes" or "cailliez"
        The constant added to distances that no Euclidean space can hold.
    solver : "auto", "dense" or "krylov"

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, residuals_, n_components_, solver_,
    tied_axes_, negative_inertia_ (sum of |negative eigenvalues|; a lower bound under "krylov"),
    correction_constant_

    Examples
    --------
    >>> import numpy as np
    >>> D = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> round(ClassicalMDS(metric="precomputed").fit(D).inertia_, 6)
    5.555556
    """

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        metric: str | Callable[[Any, Any], Any] = "euclidean",
        correction: str | None = None,
        solver: str = "auto",
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.correction = correction
        self.solver = solver

    def _door(self, X: Any) -> Table:
        if self._is_precomputed:
            rows = table(X, "X", allow_sparse=False)
            distance_matrix(rows, "X")
            return rows
        return table(X, "X", allow_sparse=self._is_euclidean)

    @property
    def _is_precomputed(self) -> bool:  # type: ignore[override]
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _is_euclidean(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "euclidean"

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        if self.correction is not None and self.correction not in CORRECTIONS:
            raise InputError(
                f'correction={self.correction!r} must be None, "lingoes" or "cailliez"'
            )
        if self._is_euclidean:
            return self._fit_gram(*self._euclidean(Points(rows.values)), p, True)
        known = self.correction is not None
        return self._fit_gram(*self._from_distances(rows.values), p, known)

    def _euclidean(self, points: Points) -> tuple[Gram, dict[str, Any]]:
        kernel = SquaredDistance(points.unit)
        gram: Gram = TiledGram(kernel, points)
        if gram.n <= STORED:
            gram = DenseGram(gram.dense())
        extra = {"_points": points, "_kernel": kernel, "_unit": points.unit}
        return gram, extra | {"correction_constant_": 0.0}

    def _from_distances(self, X: Array) -> tuple[Gram, dict[str, Any]]:
        D = X if self._is_precomputed else pairwise(X, None, self.metric)
        distance_matrix(Table(D), "X" if self._is_precomputed else "metric: its result")
        xp = namespace(D)
        unit = power_of_two(float(xp.max(D)))
        D = 0.5 * (D + D.T) * (1.0 / unit)
        constant = 0.0
        if self.correction is not None:
            numbers = to_numpy(D)
            find, add = CORRECTIONS[self.correction]
            constant = find(numbers)
            off = ~np.eye(numbers.shape[0], dtype=bool)
            corrected = add(np.where(off & (numbers == 0), np.finfo(float).tiny, numbers), constant)
            D = as_kind(corrected, D)
        extra = {"_points": None if self._is_precomputed else X, "_unit": unit}
        raw = constant * unit * (unit if self.correction == "lingoes" else 1.0)
        extra |= {"correction_constant_": raw, "_constant": constant}
        return DenseGram(-0.5 * D * D), extra

    def _fit_gram(
        self, gram: Gram, extra: dict[str, Any], p: np.ndarray | None, euclidean: bool
    ) -> dict[str, Any]:
        """Gram → centring → spectrum → embedding."""
        A = CenteredGram(gram, p)
        problem = Problem(
            wanted=selection(self.n_components, A.n, "the number of rows"),
            dimension=A.n - 1,
            scale=abs(A.centering.grand),
            policy="drop",
            known_psd=euclidean,
            budget=budget_bytes(None),
            tol=1e-12,
            auto=self.solver == "auto",
        )
        guess = 32 if problem.wanted.rule is not None else problem.wanted.q
        whole = None if euclidean or A.n > 2_000 else "every eigenvalue tells if X is Euclidean"
        choice = choose_gram(A.n, guess, self.solver, problem.budget, whole=whole)
        spectrum = solve(A, choice, problem)
        state = common_state(kernel_embedding(A, spectrum, extra["_unit"])) | extra
        if spectrum.negative > 0:
            self._warn(state["negative_inertia_"], state["inertia_"])
        return state

    @staticmethod
    def _warn(negative: float, total: float) -> None:
        warnings.warn(
            f"the distances are not Euclidean: negative eigenvalues hold {negative:.3g} of inertia "
            f"against a total of {total:.3g}; correction='lingoes' or 'cailliez' removes them",
            NotEuclideanWarning,
            stacklevel=6,
        )

    def _project(self, X: Array) -> tuple[Array, Array]:
        e = self.embedding_
        if self._is_euclidean:
            new = Points(X, self._points)
            product, diag = cross_matmul(self._kernel, new, self._points, e.right)
            coordinates, k_p = e.from_product(product)
        else:
            cross = self._cross(X)
            coordinates, k_p = e.project(cross)
            diag = 0.0 * k_p
        return coordinates * e.unit, e.centering.distance2(k_p, diag)

    def _cross(self, X: Array) -> Array:
        """Return −½d² from new rows to the training points, in units."""
        if self._is_precomputed:
            D = self._training_columns(X)
            if float(namespace(D).min(D)) < 0:
                raise InputError("X has a negative distance: give distances to the training points")
        else:
            D = pairwise(X, self._points, self.metric)
        D = D * (1.0 / self._unit)
        if self.correction is not None and self._constant > 0:
            D = as_kind(CORRECTIONS[self.correction][1](to_numpy(D), self._constant), D)
        return -0.5 * D * D

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        tags.input_tags.sparse = self._is_euclidean
        return tags
