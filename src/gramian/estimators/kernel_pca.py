"""Kernel principal component analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_kind, namespace, on_device
from gramian._check import is_whole
from gramian._pairs import Points
from gramian._validate import Table, square, table
from gramian.embedding import (
    FeatureModel,
    GramModel,
    Model,
    analyse,
    count,
    embedding_of,
    principal_axes,
)
from gramian.errors import InputError
from gramian.estimators._base import Attributes, NullTable, SpectralEstimator, kernel_rows
from gramian.estimators._kernel_options import (
    check_gram_options,
    check_kernel_options,
    kernel_null_table,
    refuse_constant,
    request_of,
)
from gramian.estimators._preimage import axes_of, inverse_transform
from gramian.estimators._scan import kernel_state
from gramian.features.lowrank import ApproximateFeatures, LowRank
from gramian.io.scan_table import Scan
from gramian.kernels import Kernel, Linear, Precomputed, as_kernel
from gramian.operators import CenteredGram, Gram, SquareGram, TiledGram, require_gram
from gramian.rkhs.function import Function
from gramian.spectral.choose import Request

__all__ = ["KernelPCA"]


class KernelPCA(SpectralEstimator):
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
    care : float or None
        "krylov" goes on until no eigenvalue that was left out can exceed `care` times the last one
        (but for a chance of 1e-6): 1.1 asks for more products, None for no such certificate.
    memory : int or str, optional
        Budget in bytes or as "500MB"; half of the free memory by default.
    device : str, optional
        Where to compute, for example "cuda": NumPy input is moved there and results come back.
    missing : "raise" or "iterative"
        What to do with holes (NaN): refuse them, or fill them in by the axes of the table itself
        (`gm.missing.impute`, the number of axes by cross-validation); those of new rows then too.
    random_state : int, optional

    Attributes
    ----------
    eigenvalues_, inertia_, inertia_ratio_, coordinates_, kernel_, residuals_, n_components_,
    solver_, tied_axes_, negative_inertia_, certificate_

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
        care: float | None = 2.0,
        memory: int | str | None = None,
        device: str | None = None,
        missing: str = "raise",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.approximation = approximation
        self.formulation = formulation
        self.indefinite = indefinite
        self.solver = solver
        self.tol = tol
        self.care = care
        self.memory = memory
        self.device = device
        self.missing = missing
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
        return axes_of(self.record_, self.kernel_)

    def inverse_transform(self, Z: Any, method: str = "auto") -> Array:
        """Return rows whose images are near the points with coordinates Z on the axes.

        Parameters
        ----------
        Z : array (m, q)
        method : "auto", "fixed_point" or "learned"
            "fixed_point" finds the row whose image is nearest, for radial kernels; "learned"
            applies a ridge regression of rows on coordinates, for any kernel on vectors. "auto"
            is the first where it can be used. The linear kernel has an exact answer.

        Examples
        --------
        >>> import numpy as np
        >>> import gramian as gm
        >>> X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0]])
        >>> fit = gm.KernelPCA(2).fit(X)
        >>> bool(np.allclose(fit.inverse_transform(fit.coordinates_), X))
        True
        """
        check_is_fitted(self)
        seed = self.get_params(deep=False).get("random_state")
        return inverse_transform(self.record_, self.kernel_, Z, method, seed)

    _takes_gram = True

    def _read(self, X: Any) -> Table:
        if isinstance(X, Gram):
            check_gram_options(self)
            require_gram(X)
            return Table(X)
        if self._is_precomputed:
            rows = table(X, "X", allow_sparse=False)
            square(rows, "X", "kernel")
            return replace(rows, values=0.5 * (rows.values + rows.values.T))
        return kernel_rows(X, as_kernel(self.kernel), min_rows=2)

    def _read_new(self, X: Any) -> Table:
        if self.training_.kind == "gram":
            return Table(X)
        if self.training_.kind == "square":
            return super()._read_new(X)
        return self._like_fit(X, kernel_rows(X, self.kernel_, min_rows=1))

    def _moved(self, X: Any) -> Any:
        return on_device(X, self.device)

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _fit_scan(self, X: Scan, sample_weight: Any) -> KernelPCA:
        check_kernel_options(self)
        if sample_weight is not None:
            raise InputError("sample_weight cannot go with a scan: leave it out")
        self._publish(kernel_state(self, X))
        return self

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        check_kernel_options(self)
        n = count(rows.values)
        if isinstance(rows.values, Gram) or self._is_precomputed:
            gram = rows.values if isinstance(rows.values, Gram) else SquareGram(rows.values)
            return self._of_gram(gram, p, request_of(self, n)), {"kernel_": Precomputed()}
        points = Points(rows.values)
        kernel = rows.reader.resolve(points, p, rows.columns)
        if self.approximation is not None:
            return self._of_approximation(kernel, points, p)
        own = {"kernel_": kernel}
        if isinstance(kernel, Linear):
            columns = rows.values.shape[1]
            request = request_of(self, min(n, columns), (n, columns))
            return self._of_features(rows.values, p, request), own
        return self._of_kernel(kernel, points, p, request_of(self, n)), own

    def _of_kernel(
        self, kernel: Kernel, points: Points, p: np.ndarray | None, request: Request
    ) -> GramModel:
        """The Gram matrix of the kernel, or of one that centring makes the same."""
        gram = TiledGram(kernel.about(points), points)
        return self._of_gram(gram, p, request, TiledGram(kernel, points))

    def _of_gram(
        self, gram: Gram, p: np.ndarray | None, request: Request, own: Gram | None = None
    ) -> GramModel:
        """Gram → centring → spectrum → embedding; `own` is the kernel's, where that differs."""
        embedding = analyse(gram, p, replace(request, psd=gram.psd is True))
        shift = None
        if self.formulation == "span":
            C = embedding.coefficients
            c = embedding.centering if own is None else CenteredGram(own, p).centering
            assert c is not None
            shift = c.means @ C - c.grand * namespace(C).sum(C, axis=0)
        return GramModel(gram, embedding, shift)

    def _of_features(
        self, F: Array, p: np.ndarray | None, request: Request, low: LowRank | None = None
    ) -> FeatureModel:
        """With features at hand kernel PCA is PCA of the features, on the smaller side."""
        principal = principal_axes(F, p, request, small_columns=low is None)
        embedding = embedding_of(principal, F).with_signs_of_points()
        s, shift = principal.standard, None
        if self.formulation == "span":
            shift = ((s.mean * s.factor) @ embedding.coefficients) * s.unit
        features = principal.features
        if low is not None:
            features = ApproximateFeatures(low.map, features)
        principal = replace(principal, spectrum=embedding.spectrum, features=features)
        return FeatureModel(principal, shift, embedding)

    def _of_approximation(
        self, kernel: Kernel, points: Points, p: np.ndarray | None
    ) -> tuple[Model, Attributes]:
        """Approximate features in place of the kernel; with `refine`, as a first guess only."""
        # Values of axes as functions are those of the kernel itself, offset and all.
        span = self.formulation == "span"
        low = self.approximation.lowrank(kernel if span else kernel.about(points), points, p)
        n, columns = low.F.shape
        if is_whole(self.n_components) and self.n_components > columns:
            refuse_constant(low.F)  # else it would be told that it wants too many axes
        self._refuse_few(columns, n)
        # Features of another kernel stand for the n − 1 axes it has: rules count these.
        request = replace(request_of(self, min(n, columns), feature=True), dimension=n - 1)
        model = self._of_features(low.F, p, request, low)
        own = {"kernel_": kernel, "approximation_error_": low.error, "landmarks_": low.landmarks}
        if not self.approximation.refine:
            return model, own
        assert model.embedding is not None
        U = model.embedding.coordinates
        start = U if p is None else U * as_kind(np.sqrt(p), U)[:, None]
        request = replace(request_of(self, n), start=start)
        return self._of_kernel(kernel, points, p, request), own

    def _refuse_few(self, columns: int, n: int) -> None:
        """Refuse to find more axes than directions of the kernel that rounding leaves."""
        q, rank = self.n_components, self.approximation.rank
        if is_whole(q) and is_whole(rank) and columns < min(q, rank, n):
            raise InputError(
                f"n_components={q}, but on X only {columns} direction(s) of the kernel stand out "
                "from the rounding of its numbers: ask for fewer axes, or scale the columns alike"
            )

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        return kernel_null_table(self, rows, p)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._is_precomputed
        tags.input_tags.pairwise = self._is_precomputed
        return tags
