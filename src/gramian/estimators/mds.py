"""Classical multidimensional scaling."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, is_numpy, namespace, power_of_two, to_numpy
from gramian._blocks import budget_bytes, require, row_blocks, spread
from gramian._pairs import Points
from gramian._validate import Table, distance_matrix, weights
from gramian.distances.corrections import CORRECTIONS, distinct, goodness_of_fit
from gramian.embedding.coordinates import kernel_embedding
from gramian.embedding.principal import columns_that_vary, embedding_of, principal_axes
from gramian.errors import InputError, NotEuclideanWarning
from gramian.estimators._base import SpectralEstimator, common_state, count
from gramian.estimators._distances import Distance, DistanceInput, as_given
from gramian.estimators._landmarks import landmark_weights
from gramian.kernels.squared import SquaredDistance
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.operators.tiled import TiledGram, cross_matmul
from gramian.reading.parallel import Columns, features_by_columns
from gramian.reading.rules import selection
from gramian.spectral.choose import STORED, choose_gram
from gramian.spectral.solve import Problem, solve

__all__ = ["ClassicalMDS"]

_ENTRIES = 1 << 22  # distances from new rows held at once
_ROWS = 64  # of a block that stays in the cache between operations


class ClassicalMDS(DistanceInput, SpectralEstimator):
    """Classical scaling: points whose distances are as close as possible to those given.

    The Gram matrix is −½d², centred and diagonalised; on Euclidean distances the result is PCA.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach, a rule ("kaiser", "elbow", "cattell",
        "broken_stick", "parallel" or another of `gm.dimension.RULES` that applies), or all axes
        that carry inertia.
    metric : str, Kernel or callable
        "euclidean", "gower" (numbers and categories), "braycurtis" or any other name of
        `scipy.spatial.distance`; "precomputed": X holds distances, not squared, as a square table
        or as a vector of the pairs i < j; a kernel, whose distance is |φ(x) − φ(y)| in its feature
        space (X may then hold graphs or sequences); or a function of two tables or of two rows.
    correction : None, "lingoes" or "cailliez"
        The constant added to distances that no Euclidean space can hold.
    landmarks : int or array of row positions, optional
        For many rows: only these make the axes, the others are placed by their distances to them,
        as rows of weight 0, so that no n × n matrix is made. An int draws them at random. (Of
        precomputed distances, fit those between landmarks and transform the others' rows.)
    solver : "auto", "dense" or "krylov"
    random_state : int, optional
        Seed for drawing landmarks.

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, residuals_, n_components_, solver_,
    tied_axes_
    negative_inertia_ : float
        The sum of the |negative eigenvalues|; a lower bound if the solver is "krylov".
    goodness_of_fit_ : (signed, positive)
        The share of the kept axes in Σ|λ| and in Σλ⁺, as R's cmdscale gives it. NaN where the
        distances may not be Euclidean and "krylov" has not seen every eigenvalue; `inertia_ratio_`,
        whose total is the trace Σλ, is exact all the same.
    correction_constant_ : float

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
        landmarks: Any = None,
        solver: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.correction = correction
        self.landmarks = landmarks
        self.solver = solver
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ClassicalMDS:
        """Fit the axes to the rows of X.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p), distances (n, n) or (n(n−1)/2,), or objects
        y : ignored
        sample_weight : array (n,), optional
            Only proportions matter. A row of weight 0 is supplementary: it gets coordinates but
            has no part in the axes.
        """
        if self.landmarks is not None:
            n = count(self._door(X).values)
            p = weights(sample_weight, n)
            sample_weight = landmark_weights(
                self.landmarks, p, n, self.n_components, self.random_state
            )
        super().fit(X, y, sample_weight)
        return self

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        if self.correction is not None and self.correction not in CORRECTIONS:
            raise InputError(
                f'correction={self.correction!r} must be None, "lingoes" or "cailliez"'
            )
        if self._is_euclidean and self.solver == "auto":
            return self._fit_features(rows.values, p)
        if self._is_euclidean:
            shape = (rows.values.shape[0], columns_that_vary(rows.values, p))
            return self._fit_gram(*self._euclidean(Points(rows.values)), p, True, shape)
        gram, extra = self._from_distances(rows)
        state = self._fit_gram(gram, extra, p, self.correction is not None)
        return state | {"coordinates_": as_given(state["coordinates_"], rows.values)}

    def _against_noise(self, rows: Table, p: np.ndarray | None) -> Columns:
        if self._is_euclidean:
            return features_by_columns(rows.values, p)
        # The constant of a correction is larger for noise than for data and would hide every axis.
        return super(ClassicalMDS, self._like_this(correction=None))._against_noise(rows, p)

    def _fit_features(self, X: Array, p: np.ndarray | None) -> dict[str, Any]:
        """Euclidean distances have their features at hand: classical scaling is PCA."""
        n = X.shape[0]
        found = principal_axes(X, p, lambda columns: self._problem(n, 0.0, True, (n, columns)))
        embedding = embedding_of(found, X).with_signs_of_points()
        s = embedding.spectrum
        extra: dict[str, Any] = {"_points": None, "_features": found.features}
        extra["_distance"] = Distance(self.metric)
        extra["goodness_of_fit_"] = goodness_of_fit(s.values, s.total, 0.0, known=True)
        return common_state(embedding) | extra | {"correction_constant_": 0.0}

    def _euclidean(self, points: Points) -> tuple[Gram, dict[str, Any]]:
        kernel = SquaredDistance(points.unit)
        gram: Gram = TiledGram(kernel, points)
        if gram.n <= STORED:
            gram = DenseGram(gram.dense())
        extra = {"_points": points, "_kernel": kernel, "_unit": points.unit}
        return gram, extra | {"correction_constant_": 0.0, "_distance": Distance(self.metric)}

    def _from_distances(self, rows: Table) -> tuple[Gram, dict[str, Any]]:
        distance = self._distance_of(rows)
        D = rows.values
        if not self._is_precomputed:
            n = count(D)
            remedy = "use landmarks=, or metric='euclidean', which needs no n × n matrix"
            require(24 * n * n, budget_bytes(None), f"the distances of {n} rows", remedy)
            D = distance(D)
            distance_matrix(Table(D), "metric: its result")
            D = 0.5 * (D + D.T)
        unit = power_of_two(float(namespace(D).max(D)))
        constant = 0.0
        if self.correction is not None:
            constant = CORRECTIONS[self.correction][0](distinct(to_numpy(D)) / unit)
        raw = constant * unit * (unit if self.correction == "lingoes" else 1.0)
        extra = {"_points": None if self._is_precomputed else rows.values, "_unit": unit}
        extra |= {"_distance": distance, "_constant": constant, "correction_constant_": raw}
        return self._corrected_gram(D, unit, constant), extra

    def _corrected_gram(self, D: Array, unit: float, constant: float) -> Gram:
        """Return −½(d/unit)², the constant added between points that are apart."""
        if self.correction is None:
            return DenseGram(_half_squares(D, unit))
        add = CORRECTIONS[self.correction][1]
        corrected = as_kind(add(to_numpy(D) / unit, constant), D)
        return DenseGram(-0.5 * corrected * corrected)

    def _gram(self) -> Gram:
        if self._is_euclidean:
            return TiledGram(self._kernel, self._points)
        D = self._square_rows() if self._is_precomputed else self._distance(self._points)
        return self._corrected_gram(D, self._unit, self._constant)

    def _problem(
        self, n: int, scale: float, euclidean: bool, shape: tuple[int, int] | None = None
    ) -> Problem:
        """Return what is asked; `shape` is that of a table whose principal components it is."""
        return Problem(
            wanted=selection(self.n_components, n, "the number of rows", shape=shape),
            dimension=n - 1 if shape is None else shape[1],
            scale=scale,
            policy="drop",
            known_psd=euclidean,
            budget=budget_bytes(None),
            tol=1e-12,
            auto=self.solver == "auto",
        )

    def _fit_gram(
        self,
        gram: Gram,
        extra: dict[str, Any],
        p: np.ndarray | None,
        euclidean: bool,
        shape: tuple[int, int] | None = None,
    ) -> dict[str, Any]:
        """Gram → centring → spectrum → embedding."""
        A = CenteredGram(gram, p)
        problem = self._problem(A.n, abs(A.centering.grand), euclidean, shape)
        guess = 32 if problem.wanted.rule is not None else problem.wanted.q
        whole = None if euclidean or A.n > 2_000 else "every eigenvalue tells if X is Euclidean"
        choice = choose_gram(A.n, guess, self.solver, problem.budget, whole=whole)
        spectrum = solve(A, choice, problem)
        state = common_state(kernel_embedding(A, spectrum, extra["_unit"])) | extra
        known = euclidean or spectrum.solver.startswith("dense")
        fit = goodness_of_fit(spectrum.values, spectrum.total, spectrum.negative, known=known)
        if spectrum.negative > 0:
            self._warn(state["negative_inertia_"], state["inertia_"])
        return state | {"goodness_of_fit_": fit}

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
        if hasattr(self, "_features"):
            coordinates, distance2 = self._features.project(X, e.coefficients)
            return coordinates * e.unit, distance2
        if self._is_euclidean:
            new = Points(X, self._points)
            product, diag = cross_matmul(self._kernel, new, self._points, e.right)
            coordinates, k_p = e.from_product(product)
            return coordinates * e.unit, e.centering.distance2(k_p, diag)
        step = max(1, _ENTRIES // e.centering.p.shape[0])
        parts = [e.project(self._cross(X[rows])) for rows in row_blocks(count(X), step)]
        xp = namespace(parts[0][0])
        coordinates = xp.concat([z for z, _ in parts], axis=0)
        k_p = xp.concat([k for _, k in parts])
        return as_given(coordinates * e.unit, X), e.centering.distance2(k_p, 0.0 * k_p)

    def _cross(self, X: Array) -> Array:
        """Return −½d² from new rows to the training points, in units."""
        if self._is_precomputed:
            D = self._training_columns(X)
            if float(namespace(D).min(D)) < 0:
                raise InputError("X has a negative distance: give distances to the training points")
        else:
            D = self._distance(X, self._points)
        D = D * (1.0 / self._unit)
        if self.correction is not None and self._constant > 0:
            D = as_kind(CORRECTIONS[self.correction][1](to_numpy(D), self._constant), D)
        return -0.5 * D * D

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        tags.input_tags.sparse = self._is_euclidean
        return tags


def _half_squares(D: Array, unit: float) -> Array:
    """Return −½(d/unit)², row block by row block."""
    if not is_numpy(D):
        return -0.5 * (D * (1.0 / unit)) ** 2
    out = np.empty_like(D)

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            part = np.multiply(D[rows], 1.0 / unit, out=out[rows])
            part *= part
            part *= -0.5

    spread(work, list(row_blocks(len(D), _ROWS)))
    return out
