"""Kernel principal component analysis."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array, as_kind, namespace, on_device
from gramian._core.check import flag, is_whole
from gramian._core.embedding import (
    FeatureModel,
    GramModel,
    Model,
    Standard,
    analyse,
    count,
    embedding_of,
    principal_axes,
)
from gramian._core.features.lowrank import ApproximateFeatures, LowRank
from gramian._core.operators import CenteredGram, Gram, SquareGram, TiledGram, require_gram
from gramian._core.pairs import Points
from gramian._core.table import Table, pair_table, square
from gramian._estimators._arriving import ByBlocks
from gramian._estimators._base import (
    Attributes,
    FromSklearn,
    NullTable,
    SpectralEstimator,
    kernel_rows,
    takes_its_own_names,
)
from gramian._estimators._kernel_options import (
    Request,
    check_gram_options,
    check_kernel_options,
    kernel_null_table,
    refuse_constant,
    refuse_few,
    request_of,
)
from gramian._estimators._preimage import Preimages
from gramian._estimators.foreign.sklearn_names import SklearnNames
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear, Precomputed, Standardized, as_kernel


class KernelPCA(ByBlocks, Preimages, SklearnNames, FromSklearn, SpectralEstimator):
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
        A callable takes two tables, (n, p) and (m, p), and returns the kernel values (n, m).
    scale : bool
        Bring each column to mean 0 and standard deviation 1 first (divisor n, weighted), as
        `kernel_` then says; new rows are treated alike.
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
        The iterative solver continues until no eigenvalue left out can exceed that of the last axis
        (except with probability 1e-6). Where equal eigenvalues make that impossible to show, `care`
        times the last one is accepted. None: it is not checked.
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
    eigenvalues_ : array (q,)
        The inertia of each axis: the weighted variance of its coordinates (divisor n).
    inertia_ : float
        The total inertia, exact where only some axes were computed.
    inertia_ratio_ : array (q,)
        `eigenvalues_` over `inertia_`; `explained_variance_ratio_` is the same.
    coordinates_ : array (n, q)
        The rows of the fit on the axes.
    kernel_ : Kernel
        The kernel with its scale, and all else that depends on the rows, made definite.
    approximation_error_ : float
        The share of the kernel's trace that an approximation leaves out.
    negative_inertia_ : float
        Σ|λ| over the negative eigenvalues of an indefinite kernel, 0 for any other.
    n_components_ : int
        The number of axes, q.
    residuals_ : array (q,)
        |A·u − λ·u| of each axis.
    certificate_ : Certificate
        Why the axes can be believed: residuals, and a level that no axis left out exceeds.
    tied_axes_ : list of tuples
        Groups of axes, counted from 1, of which only the span is determined.
    solver_ : str
        The solver and why it was chosen.

    See Also
    --------
    PCA : the linear kernel, with readings of the columns.
    MultiKernelPCA : several kernels at once.

    References
    ----------
    Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> KernelPCA(n_components=1, kernel="linear").fit(X).eigenvalues_.round(6)
    array([4.666667])
    """

    kernel_: Kernel
    approximation_error_: Annotated[float, ">= 0", "nan"] | None
    landmarks_: Annotated[np.ndarray, "(r,)", "whole", ">= 0"] | None

    @takes_its_own_names
    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        kernel: Any = "gaussian",
        scale: bool = False,
        approximation: Any = None,
        formulation: str = "centered",
        indefinite: str = "raise",
        solver: str = "auto",
        tol: float = 1e-8,
        care: float | None = 1.01,
        memory: int | str | None = None,
        device: str | None = None,
        missing: str = "raise",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.scale = scale
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

    _takes_gram = True

    def _read(self, X: Any) -> Table:
        if isinstance(X, Gram):
            check_gram_options(self)
            self._refuse_scale("a Gram operator")
            require_gram(X)
            return Table(X)
        if self._is_precomputed:
            self._refuse_scale("precomputed kernel values")
            rows = pair_table(X, "X", "kernel")
            square(rows, "X", "kernel")
            return replace(rows, values=0.5 * (rows.values + rows.values.T))
        return kernel_rows(X, self._kernel_meant(), min_rows=2)

    def _kernel_meant(self) -> Kernel:
        """Return the kernel of the parameters: that of standardised columns under `scale`."""
        kernel = as_kernel(self.kernel)
        if not flag(self.scale, "scale"):
            return kernel
        if not kernel.takes_vectors:
            raise InputError(f"scale=True needs columns, which {type(kernel).__name__} has none of")
        return Standardized(kernel)

    def _read_new(self, X: Any) -> Table:
        if self.training_.kind == "gram" and isinstance(self.kernel_, Precomputed):
            return Table(X)  # of an operator that knows new rows by itself
        if self.training_.kind == "square":
            rows = pair_table(X, "X", "kernel", min_rows=1, allow_sparse=True)
            return self._like_fit(X, rows)
        return self._like_fit(X, kernel_rows(X, self.kernel_, min_rows=1))

    def _refuse_scale(self, what: str) -> None:
        if flag(self.scale, "scale"):
            raise InputError(f"scale=True does not go with {what}: scale the columns before")

    def _moved(self, X: Any) -> Any:
        return on_device(X, self.device)

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

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
        embedding = embedding_of(principal, F)
        embedding = embedding.with_signs_of_points()
        shift = self._shift(principal.standard, embedding.coefficients)
        features = principal.features
        if low is not None:
            features = ApproximateFeatures(low.map, features)
        principal = replace(principal, spectrum=embedding.spectrum, features=features)
        return FeatureModel(principal, shift, embedding)

    def _shift(self, s: Standard, V: Array) -> Array | None:
        """Return what the values of axes as functions have more than centred coordinates."""
        return ((s.mean * s.factor) @ V) * s.unit if self.formulation == "span" else None

    def _centred(self, kernel: Kernel, points: Points) -> Kernel:
        """Return the kernel to approximate: values of functions have its offset and all."""
        return kernel if self.formulation == "span" else kernel.about(points)

    def _of_approximation(
        self, kernel: Kernel, points: Points, p: np.ndarray | None
    ) -> tuple[Model, Attributes]:
        """Approximate features in place of the kernel; with `refine`, as a first guess only."""
        low = self.approximation.lowrank(self._centred(kernel, points), points, p)
        n, columns = low.F.shape
        if is_whole(self.n_components) and self.n_components > columns:
            refuse_constant(low.F)  # else it would be told that it wants too many axes
        refuse_few(self, columns, n)
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

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        return kernel_null_table(self, rows, p)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self._is_precomputed
        tags.input_tags.pairwise = self._is_precomputed
        return tags
