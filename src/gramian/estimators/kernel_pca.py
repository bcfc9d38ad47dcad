"""Kernel principal component analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_kind, is_sparse, namespace, on_device, to_numpy
from gramian._blocks import budget_bytes
from gramian._pairs import Points
from gramian._random import generator
from gramian._validate import Table, square, table
from gramian.embedding.coordinates import kernel_embedding
from gramian.embedding.principal import embedding_of, principal_axes
from gramian.errors import InputError
from gramian.estimators._axes import axes_of
from gramian.estimators._base import SpectralEstimator, common_state, count
from gramian.estimators._preimage import PreImages
from gramian.estimators.nystrom import kernel_rows
from gramian.features.lowrank import ApproximateFeatures
from gramian.kernels.base import Kernel
from gramian.kernels.dot import Linear
from gramian.kernels.named import as_kernel
from gramian.kernels.special import Precomputed
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.operators.tiled import TiledGram, cross_matmul
from gramian.reading.parallel import (
    Columns,
    by_columns,
    features_by_columns,
    kernel_spectrum,
)
from gramian.reading.rules import selection
from gramian.rkhs.function import Function
from gramian.spectral.choose import STORED, choose_gram
from gramian.spectral.solve import POLICIES, Problem, require_dense, solve

__all__ = ["KernelPCA"]


class KernelPCA(PreImages, SpectralEstimator):
    """Principal component analysis in the feature space of a kernel.

    With G the Gram matrix and weights p (1/n by default), the axes come from the eigenvectors of
    P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½; `eigenvalues_` are inertias, so n·eigenvalues_ are the
    eigenvalues of the centred Gram matrix.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach, a rule ("kaiser", "elbow", "cattell",
        "broken_stick", "parallel" or another of `gm.dimension.RULES` that applies), or all axes
        that carry inertia.
    kernel : Kernel, name, "precomputed" or callable
    approximation : None, Nystrom(...) or RandomFourier(...)
        None is exact. Otherwise the kernel is replaced by features (its own kernel parameter is
        not used), and `approximation_error_` tells what was left out.
    formulation : "centered" or "span"
        "span" gives the values of the axes as functions, which differ from the centred
        coordinates by a constant per axis.
    indefinite : "raise", "clip", "flip" or "krein"
        What to do with negative eigenvalues: refuse, leave out, take absolute values, keep signed.
    solver : "auto", "dense" or "krylov"
    tol : float
        Residual |A u − λ u| allowed, relative to the largest eigenvalue, for "krylov".
    memory : int or str, optional
        Budget in bytes or as "500MB"; half of the free memory by default.
    device : str, optional
        Where to compute, for example "cuda": NumPy input is moved there and results come back.
    random_state : int, optional

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, kernel_, residuals_, n_components_,
    solver_, tied_axes_, negative_inertia_

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> KernelPCA(n_components=1, kernel="linear").fit(X).eigenvalues_.round(6)
    array([4.666667])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        kernel: Any = "gaussian",
        approximation: Any = None,
        formulation: str = "centered",
        indefinite: str = "raise",
        solver: str = "auto",
        tol: float = 1e-8,
        memory: int | str | None = None,
        device: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.approximation = approximation
        self.formulation = formulation
        self.indefinite = indefinite
        self.solver = solver
        self.tol = tol
        self.memory = memory
        self.device = device
        self.random_state = random_state

    def axes(self) -> list[Function]:
        """Return the principal axes as functions of the kernel's Hilbert space, orthonormal there.

        The value of an axis at x is ⟨φ(x), axis⟩, the coordinate under `formulation="span"`; less
        its weighted mean over the training points it is the centred one.

        >>> import numpy as np
        >>> kpca = KernelPCA(2, kernel="gaussian").fit(np.arange(12.0).reshape(6, 2) ** 2)
        >>> first, second = kpca.axes()
        >>> round(first.norm(), 10), abs(round(first.inner(second), 10))
        (1.0, 0.0)
        """
        check_is_fitted(self)
        return axes_of(self)

    def _door(self, X: Any) -> Table:
        if self._is_precomputed:
            rows = table(X, "X", allow_sparse=False)
            square(rows, "X", "kernel")
            return rows
        return kernel_rows(X, as_kernel(self.kernel), min_rows=2)

    def _moved(self, X: Any) -> Any:
        return on_device(X, self.device)

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        self._check_options(count(rows.values))
        if self._is_precomputed:
            K = rows.values
            extra: dict[str, Any] = {"kernel_": Precomputed(), "_points": None}
            return self._fit_gram(DenseGram(0.5 * (K + K.T)), p, False, extra)
        points = Points(rows.values)
        kernel = as_kernel(self.kernel).resolve(points, p, rows.columns)
        if self.approximation is not None:
            return self._fit_approximation(kernel, points, p)
        if isinstance(kernel, Linear):
            return self._fit_features(rows.values, p, {"kernel_": kernel})
        extra = {"kernel_": kernel, "_points": points}
        return self._fit_gram(self._stored_or_tiled(kernel, points), p, kernel.psd is True, extra)

    def _against_noise(self, rows: Table, p: np.ndarray | None) -> Columns:
        by_fits = self._is_precomputed or self.approximation is not None
        if by_fits or not hasattr(rows.values, "shape"):
            return super()._against_noise(rows, p)
        columns = by_columns(rows.values)
        kernel = as_kernel(self.kernel).resolve(Points(columns.T), p, rows.columns)
        if isinstance(kernel, Linear):
            return features_by_columns(rows.values, p)
        return Columns(columns, kernel_spectrum(kernel, p), 1.0, p)

    def _fit_approximation(
        self, kernel: Kernel, points: Points, p: np.ndarray | None
    ) -> dict[str, Any]:
        """Approximate features in place of the kernel; with `refine`, as a first guess only."""
        low = self.approximation.lowrank(kernel, points, p)
        found = {"approximation_error_": low.error, "landmarks_": low.landmarks}
        state = self._fit_features(low.F, p, {"kernel_": kernel} | found)
        if self.approximation.refine:
            extra = {"kernel_": kernel, "_points": points} | found
            U = state["embedding_"].coordinates
            start = U if p is None else U * as_kind(np.sqrt(p), U)[:, None]
            return self._fit_gram(
                TiledGram(kernel, points), p, kernel.psd is True, extra, start=start
            )
        return state | {"_features": ApproximateFeatures(low.map, state["_features"])}

    def _fit_gram(
        self,
        gram: Gram,
        p: np.ndarray | None,
        known_psd: bool,
        extra: dict[str, Any],
        start: Array | None = None,
    ) -> dict[str, Any]:
        """Gram → centring → spectrum → embedding."""
        A = CenteredGram(gram, p)
        problem = replace(self._problem(A.n, known_psd, _size(gram)), start=start)
        choice = choose_gram(
            A.n,
            self._guess(problem),
            self.solver,
            problem.budget,
            whole=self._whole(A.n, known_psd),
        )
        embedding = kernel_embedding(A, solve(A, choice, problem))
        means, grand = A.centering.means, A.centering.grand
        C = embedding.coefficients
        shift = (means @ C - grand * namespace(C).sum(C, axis=0)) if self._is_span else None
        return common_state(embedding, shift) | extra | {"_shift": shift}

    def _fit_features(
        self, F: Array, p: np.ndarray | None, extra: dict[str, Any]
    ) -> dict[str, Any]:
        """With features at hand kernel PCA is PCA of the features, on the smaller side."""
        n, columns = F.shape
        what = "the smaller of rows and features"
        wanted = selection(self.n_components, min(n, columns), what, shape=(n, columns))
        problem = self._problem(n, True, scale=0.0)
        exact = self.approximation is None

        def asked(varying: int) -> Problem:
            # A linear kernel is PCA, and rules count the same axes; features of another kernel
            # stand for the n − 1 axes it has.
            return replace(problem, wanted=wanted, dimension=varying) if exact else problem

        found = principal_axes(F, p, asked, solver=self.solver, small_columns=exact)
        embedding = embedding_of(found, F).with_signs_of_points()
        s = found.standard
        shift = ((s.mean * s.factor) @ embedding.coefficients) * s.unit if self._is_span else None
        own = {"_points": None, "_features": found.features, "_shift": shift}
        return common_state(embedding, shift) | own | extra

    def _stored_or_tiled(self, kernel: Kernel, points: Points) -> Gram:
        gram = TiledGram(kernel, points)
        n = gram.n
        wanted = selection(self.n_components, n, "the number of rows")
        fits = 8 * n * n <= budget_bytes(self.memory) / 4
        if fits and n <= STORED and (wanted.q is not None or wanted.rule is not None):
            return DenseGram(gram.dense())
        return gram

    def _problem(self, n: int, known_psd: bool, scale: float) -> Problem:
        return Problem(
            wanted=selection(self.n_components, n, "the number of rows"),
            dimension=n - 1,
            scale=scale,
            policy=self.indefinite,
            known_psd=known_psd,
            tol=self.tol,
            budget=budget_bytes(self.memory),
            rng=generator(self.random_state),
            auto=self.solver == "auto",
        )

    @staticmethod
    def _guess(problem: Problem) -> int | None:
        return 32 if problem.wanted.rule is not None else problem.wanted.q

    def _whole(self, n: int, known_psd: bool) -> str | None:
        """Why the whole spectrum is needed, if it is."""
        if known_psd:
            return None
        if self.indefinite != "raise":
            return f"indefinite={self.indefinite!r} needs every eigenvalue"
        return "the kernel may be indefinite: every eigenvalue is looked at" if n <= 2_000 else None

    @property
    def _is_span(self) -> bool:
        return self.formulation == "span"

    def _check_options(self, n: int) -> None:
        """Refuse what can be refused before anything is computed."""
        wanted = selection(self.n_components, n, "the number of rows")
        explicit = self.approximation is not None or self.kernel in ("linear", Linear())
        if wanted.q is None and wanted.rule is None and not explicit:
            require_dense(n, budget_bytes(self.memory))
        if not (self.approximation is None or hasattr(self.approximation, "lowrank")):
            raise InputError(
                f"approximation={self.approximation!r} must be None or gm.Nystrom(...)"
            )
        other = getattr(self.approximation, "kernel", self.kernel)
        if other not in ("gaussian", self.kernel):
            raise InputError(
                f"approximation has a kernel of its own, {other!r}, which is not used here: give "
                "it to KernelPCA as kernel="
            )
        if self.formulation not in ("centered", "span"):
            raise InputError(f'formulation={self.formulation!r} must be "centered" or "span"')
        if self.indefinite not in POLICIES:
            raise InputError(f"indefinite={self.indefinite!r} must be one of {', '.join(POLICIES)}")
        if not 0 < self.tol < 1:
            raise InputError(f"tol={self.tol!r} must lie between 0 and 1")

    def _new_rows(self, X: Any, door: Any = None) -> Table:
        return super()._new_rows(X, None if self._is_precomputed else kernel_rows)

    def _project(self, X: Array) -> tuple[Array, Array]:
        e = self.embedding_
        if hasattr(self, "_features"):
            coordinates, distance2 = self._features.project(X, e.coefficients)
            coordinates = coordinates * e.unit
        elif self._points is None:
            coordinates, k_p = e.project(self._training_columns(X))
            distance2 = k_p * np.nan  # k(x, x) of new points is not in the block
        else:
            if is_sparse(X) and not self.kernel_.takes_sparse:
                X = X.toarray()
            new = Points(X, self._points)
            product, diag = cross_matmul(self.kernel_, new, self._points, e.right)
            coordinates, k_p = e.from_product(product)
            distance2 = e.centering.distance2(k_p, diag)
        return (coordinates if self._shift is None else coordinates + self._shift), distance2

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._is_precomputed
        tags.input_tags.pairwise = self._is_precomputed
        return tags


def _size(gram: Gram) -> float:
    """Return the largest |k(x, x)|, to which rounding is relative."""
    size = float(np.abs(to_numpy(gram.diag())).max())
    if not np.isfinite(size):
        raise InputError("kernel: its values overflow on X: rescale the data or the kernel")
    return size
