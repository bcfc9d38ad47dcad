"""Kernel principal component analysis."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np

from gramian._core.array import Array, as_kind, eps, namespace, on_device
from gramian._core.check import Random, flag, is_whole, number, one_of, share, short, whole
from gramian._core.chunked.operators import Stream
from gramian._core.embedding import (
    Embedding,
    FeatureModel,
    GramModel,
    Model,
    Standard,
    analyse,
    count,
    principal_axes,
    principal_axes_of_moments,
    signed_by_points,
    standard,
)
from gramian._core.features.lowrank import ApproximateFeatures, LandmarkMap, LowRank
from gramian._core.operators import CenteredGram, Gram, SquareGram, TiledGram, require_gram
from gramian._core.operators.fused import load_compiler
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes, one_blas_thread
from gramian._core.spectral.solve import POLICIES, choose_features
from gramian._core.spectral.spectrum import Request, column_signs
from gramian._core.table import Table, pair_table, square
from gramian._core.types import DataLike, RowsLike, SeedLike, TableLike, WeightsLike
from gramian._estimators import chunked
from gramian._estimators.base import (
    Attributes,
    FromSklearn,
    GramSolver,
    Indefinite,
    KernelLike,
    Missing,
    SpectralEstimator,
    fitted_rows,
    kernel_rows,
    null_table_by_fits,
)
from gramian._estimators.foreign.from_sklearn import SklearnNames
from gramian._estimators.nystrom import KernelFeatures
from gramian._estimators.preimages import Preimages
from gramian._estimators.remote import DaskRows, ScanRows
from gramian._reading.null_table import NullTable, by_columns, features_by_columns, kernel_spectrum
from gramian._reading.rules import selection
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear, Precomputed, Standardized, as_kernel
from gramian.kernels.mixed import MixedTable

if TYPE_CHECKING:
    from gramian._estimators.preview import Preview


class KernelPCA(Preimages, SklearnNames, FromSklearn, SpectralEstimator):
    """Principal component analysis in the feature space of a kernel.

    With G the Gram matrix and weights p (1/n by default), the axes come from the eigenvectors of
    P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½; `eigenvalues_` are inertias, so ``n·eigenvalues_`` are the
    eigenvalues of the centred Gram matrix.

    Parameters
    ----------
    n_components, missing
        As for `PCA`; of the rules of `gm.dimension.RULES` those that apply.
    kernel : Kernel, name, "precomputed" or callable
        The similarity of two rows. A callable takes two tables, (n, p) and (m, p), and returns the
        kernel values (n, m); "precomputed" means that X is the matrix of kernel values.
    scale : bool
        Standardise each column first (mean 0, standard deviation 1; divisor n, weighted). New rows
        are standardised in the same way, by `kernel_`.
    approximation : None, Nystrom(...) or RandomFourier(...)
        None is exact. Otherwise the kernel is replaced by features (its own kernel parameter is
        not used), and `approximation_error_` reports what was left out.
    formulation : "centered" or "span"
        "span" gives the values of the axes as functions, which differ from the centred
        coordinates by a constant per axis.
    indefinite : "raise", "clip", "flip" or "krein"
        What to do with negative eigenvalues: raise an error, drop them, take absolute values, or
        keep their signs.
    solver : "auto", "dense" or "krylov"
        All eigenvalues of a stored matrix, or the first by iteration; "auto" takes the faster.
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
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel with the scale and all other values that were set from the data.
    approximation_error_ : float
        The share of the kernel's trace that an approximation leaves out.
    negative_inertia_ : float
        Σ|λ| over the negative eigenvalues of an indefinite kernel, 0 for any other. All others are
        those of `PCA`.

    See Also
    --------
    PCA : the linear kernel, with readings of the columns.
    MultiKernelPCA : several kernels at once.

    References
    ----------
    Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem.

    Examples
    --------
    >>> KernelPCA(n_components=1, kernel="linear").fit([[0.0], [1.0], [5.0]]).eigenvalues_.round(6)
    array([4.666667])
    """

    kernel_: Kernel
    approximation_error_: Annotated[float, ">= 0", "nan"] | None
    landmarks_: Annotated[np.ndarray, "(r,)", "whole", ">= 0"] | None
    n_samples_seen_: int | None
    stream_: Stream | None

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        kernel: KernelLike = "gaussian",
        scale: bool = False,
        approximation: KernelFeatures | None = None,
        formulation: Literal["centered", "span"] = "centered",
        indefinite: Indefinite = "raise",
        solver: GramSolver = "auto",
        tol: float = 1e-8,
        care: float | None = 1.01,
        memory: int | str | None = None,
        device: str | None = None,
        missing: Missing = "raise",
        random_state: SeedLike = None,
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
    _takes_sparse = True
    _takes_blocks = True

    @property
    def is_precomputed(self) -> bool:
        """Whether X is a square matrix of kernel values."""
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _read(self, X: DataLike) -> Table:
        if isinstance(X, Gram):
            self._check_gram_options()
            require_gram(X)
            return Table(X)
        if self.is_precomputed:
            self._refuse_scale("precomputed kernel values")
            rows = pair_table(X, "X", "kernel")
            square(rows, "X", "kernel")
            return replace(rows, values=0.5 * (rows.values + rows.values.T))
        return fitted_rows(X, self._requested_kernel(), "use scale=True")

    def _requested_kernel(self) -> Kernel:
        """Return the kernel of the parameters: that of standardised columns under `scale`."""
        kernel = as_kernel(self.kernel)
        if not flag(self.scale, "scale"):
            return kernel
        if not kernel.takes_vectors:
            raise InputError(f"scale=True needs columns, which {type(kernel).__name__} has none of")
        return Standardized(kernel)

    def _read_new(self, X: DataLike) -> Table:
        if self.training_.kind == "gram" and isinstance(self.kernel_, Precomputed):
            return Table(X)  # of an operator that knows new rows by itself
        if self.training_.kind == "square":
            rows = pair_table(X, "X", "kernel", min_rows=1, allow_sparse=True)
            return self._like_fit(X, rows)
        return self._like_fit(X, kernel_rows(X, self.kernel_, min_rows=1))

    def _check_options(self) -> None:
        """Refuse what can be refused before anything is computed."""
        approximation = self.approximation
        if approximation is not None:
            if not hasattr(approximation, "lowrank"):
                raise InputError(
                    f"approximation={short(approximation)} must be None or gm.Nystrom(...)"
                )
            other = approximation.kernel
            if not (isinstance(other, str | Kernel) or callable(other)):
                raise InputError(
                    f"approximation has kernel={short(other)}: leave it out, or give a Kernel"
                )
            if other not in ("gaussian", self.kernel):
                raise InputError(
                    f"approximation has a kernel of its own, {other!r}, which is not used here: "
                    "give it to KernelPCA as kernel="
                )
        one_of(self.formulation, "formulation", ("centered", "span"))
        one_of(self.indefinite, "indefinite", POLICIES)
        share(self.tol, "tol")
        if self.care is not None and number(self.care, "care") <= 1.0:
            raise InputError(
                f"care={self.care!r} must be above 1, for example 1.01, or None for no check"
            )

    def _check_gram_options(self) -> None:
        """Refuse options that a Gram operator has no use for."""
        for name in ("approximation", "device"):
            if getattr(self, name) is not None:
                raise InputError(
                    f"{name}= does not go with a Gram operator, which defines its own computation"
                )
        if not (isinstance(self.kernel, str) and self.kernel in ("gaussian", "precomputed")):
            raise InputError("kernel= does not go with a Gram operator, which is one: leave it out")
        self._refuse_scale("a Gram operator")

    def _request(
        self, limit: int, shape: tuple[int, int] | None = None, *, feature: bool = False
    ) -> Request:
        """Return what is asked of a spectrum with at most `limit` axes.

        `shape` is that of a table whose principal components they are, for the rules that need it.
        """
        what = "the smaller of rows and features" if feature or shape else "the number of rows"
        return Request(
            axes=selection(self.n_components, limit, what, shape=shape),
            solver=self.solver,
            tol=self.tol,
            policy=self.indefinite,
            budget=budget_bytes(self.memory),
            random=Random(self.random_state),
            care=self.care,
        )

    def _refuse_scale(self, what: str) -> None:
        if flag(self.scale, "scale"):
            raise InputError(f"scale=True does not go with {what}: scale the columns before")

    def preview(self, X: TableLike, *, landmarks: int = 300) -> "Preview":
        """Return a function that maps X approximately with any kernel, fast enough for sliders.

        Parameters
        ----------
        X : array (n, p)
            The rows of the fit.
        landmarks : int
            Number of rows of X used as landmarks by the approximation.

        Returns
        -------
        Preview
            Call it with a kernel; each map is rotated onto the one before. A new scale on
            5,000 × 20 takes about 30 ms.

        Examples
        --------
        >>> preview = KernelPCA(2).preview([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
        >>> preview("linear").shape
        (4, 2)
        """
        from gramian._estimators.preview import Preview, standardized  # few fits need it

        if type(self) is not KernelPCA:
            raise InputError(f"estimator: {type(self).__name__} has no preview: use gm.KernelPCA")
        q = 2 if self.n_components is None else whole(self.n_components, "n_components", 1)
        Z = standardized(X) if flag(self.scale, "scale") else X
        return Preview(Z, q, landmarks=landmarks, random_state=self.random_state)

    def _to_device(self, X: Array) -> Array:
        return on_device(X, self.device)

    @property
    def is_linear(self) -> bool:
        """Whether the axes are principal components of the table."""
        if self.is_precomputed or self.approximation is not None or self.scale:
            return False
        return isinstance(as_kernel(self.kernel), Linear)

    def _pair_values(self, rows: RowsLike) -> Array:
        return self.kernel_.pairwise(rows)

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        self._check_options()
        n = count(rows.values)
        if isinstance(rows.values, Gram) or self.is_precomputed:
            gram = rows.values if isinstance(rows.values, Gram) else SquareGram(rows.values)
            return self._of_gram(gram, p, self._request(n)), {"kernel_": Precomputed()}
        if not isinstance(rows.values, np.ndarray):
            load_compiler(rows.values)
        points = Points(rows.values)
        kernel = rows.reader.resolve(points, p, rows.columns)
        if self.approximation is not None:
            return self._of_approximation(self.approximation, kernel, points, p)
        own = {"kernel_": kernel}
        if isinstance(kernel, Linear):
            columns = rows.values.shape[1]
            request = self._request(min(n, columns), (n, columns))
            return self._of_features(rows.values, p, request), own
        return self._of_kernel(kernel, points, p, self._request(n)), own

    def _of_kernel(
        self, kernel: Kernel, points: Points, p: np.ndarray | None, request: Request
    ) -> GramModel:
        """The Gram matrix of the kernel, or of one that centring makes the same."""
        gram = TiledGram(kernel.about(points), points)
        return self._of_gram(gram, p, request, TiledGram(kernel, points))

    def _of_gram(
        self,
        gram: Gram,
        p: np.ndarray | None,
        request: Request,
        own: Gram | None = None,
    ) -> GramModel:
        """Gram → centring → spectrum → embedding; `own` is the kernel's, where that differs."""
        embedding = analyse(gram, p, replace(request, psd=gram.psd is True))
        if isinstance(own, TiledGram) and isinstance(own.kernel, Standardized):
            embedding = _signs_of_pca(own.kernel, own.points, p, embedding)
        shift = None
        if self.formulation == "span":
            C = embedding.coefficients
            c = embedding.centering if own is None else CenteredGram(own, p).centering
            assert c is not None
            shift = c.means @ C - c.grand * namespace(C).sum(C, axis=0)
        return GramModel(gram, embedding, shift)

    def _of_features(self, X: Array, p: np.ndarray | None, request: Request) -> FeatureModel:
        """With features at hand kernel PCA is PCA of the features, on the smaller side."""
        principal = principal_axes(X, p, request)
        return FeatureModel(principal, self._shift(principal.standard, principal.spectrum.vectors))

    def _of_lowrank(self, low: LowRank, p: np.ndarray | None, request: Request) -> FeatureModel:
        """The same of the features of an approximation, made once more where that is cheaper."""
        by = low.map
        choice = choose_features(len(low.points), by.width, request.axes.q, request.solver)
        m = low.moments if p is None and choice.name == "covariance" else None
        if m is None or not isinstance(by, LandmarkMap):
            principal = principal_axes(low.F, p, request, small_columns=False)
            principal, Z = signed_by_points(principal, low.F)
            principal = replace(principal, features=ApproximateFeatures(by, principal.features))
        else:
            s = standard(m, by.W, scale=False, column_weight=None)
            principal = principal_axes_of_moments(m, s, by.W, request, str(choice), False)
            principal = replace(principal, features=ApproximateFeatures(by, principal.features))
            principal, Z = signed_by_points(principal, low.points)
        shift = self._shift(principal.standard, principal.spectrum.vectors)
        return FeatureModel(principal, shift, Z)

    def _shift(self, s: Standard, V: Array) -> Array | None:
        """Return what the values of axes as functions have more than centred coordinates."""
        return ((s.mean * s.factor) @ V) * s.unit if self.formulation == "span" else None

    def _center_kernel(self, kernel: Kernel, points: Points) -> Kernel:
        """Return the kernel to approximate: values of functions have its offset and all."""
        return kernel if self.formulation == "span" else kernel.about(points)

    def _of_approximation(
        self, approximation: KernelFeatures, kernel: Kernel, points: Points, p: np.ndarray | None
    ) -> tuple[Model, Attributes]:
        """Approximate features in place of the kernel; with `refine`, as a first guess only."""
        low = approximation.lowrank(self._center_kernel(kernel, points), points, p)
        n, columns, q, rank = len(points), low.map.width, self.n_components, approximation.rank
        if is_whole(q) and q > columns:
            refuse_constant(low.F)  # a more precise error than too many axes
            if is_whole(rank) and columns < min(rank, n):
                text = (
                    f"n_components={q}, but on X only {columns} of the kernel's directions stand "
                    "out from the rounding of its numbers: ask for fewer axes, or scale the "
                    "columns alike"
                )
                raise InputError(text, argument="n_components", found=q)
        # Features of another kernel stand for the n − 1 axes it has: rules count these.
        request = replace(self._request(min(n, columns), feature=True), dimension=n - 1)
        model = self._of_lowrank(low, p, request)
        own = {"kernel_": kernel, "approximation_error_": low.error, "landmarks_": low.landmarks}
        if not approximation.refine:
            return model, own
        U = model.known
        assert U is not None
        start = U if p is None else U * as_kind(np.sqrt(p), U)[:, None]
        request = replace(self._request(n), start=start)
        return self._of_kernel(kernel, points, p, request), own

    def _fit_remote(self, rows: ScanRows | DaskRows, sample_weight: WeightsLike) -> Self:
        if not self._takes_blocks:
            return super()._fit_remote(rows, sample_weight)
        self._check_options()
        chunked.refuse_filling(self, rows.name)
        kernel = self._requested_kernel()
        if self.is_precomputed or not kernel.takes_vectors:
            raise InputError(
                f"kernel={self.kernel!r:.60} takes no rows of numbers: give a kernel of rows"
            )
        if self.approximation is None and (table := rows.table) is not None:
            return self.fit(table, None, sample_weight)
        if self.device is not None:
            raise InputError(f"device= does not go with {rows.kind}: blocks stay where they are")
        reader = partial(chunked.read_kernel_block, kernel=kernel)
        chunks = rows.chunks(self, reader, sample_weight, texts=kernel.takes_categories)
        self._publish(chunked.kernel_state(self, chunks, kernel))
        chunks.finish()
        return self

    @chunked.WithLandmarks
    def partial_fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Self:
        """Update the fit with a further block of rows, within a budget of landmarks.

        For `approximation=gm.Nystrom(rank)`: no more than `rank` landmarks are kept of all rows,
        those that keep most of the kernel's trace. `approximation_error_` is ε, the share of the
        trace left out so far: the eigenvalues λ of all rows together and the computed ones, μ,
        satisfy Σ(√λ − √μ)² ≤ ε·mean k(x, x). The kernel takes its scale from the first block, or
        the first two rows; weights are not normalised. Rows seen before, by `partial_fit` or by
        `fit`, remain part of the fit; `fit` starts again without them.

        Examples
        --------
        >>> X = np.random.default_rng(0).standard_normal((600, 2))
        >>> fit = gm.KernelPCA(2, approximation=gm.Nystrom(40))
        >>> for start in range(0, 600, 100):
        ...     _ = fit.partial_fit(X[start : start + 100])
        >>> fit.n_samples_seen_, bool(fit.approximation_error_ < 0.01)
        (600, True)
        """
        self._check_options()
        chunked.refuse_filling(self, "partial_fit")
        with one_blas_thread():  # small matrices, for which threads would wake too slowly
            self._publish(chunked.state_with_block(self, X, sample_weight))
        return self

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        if self.approximation is not None:
            return null_table_by_fits(self, rows, p)
        columns = by_columns(rows.values)
        kernel = rows.reader.resolve(Points(columns.T), p, rows.columns)
        if isinstance(kernel, Linear):
            return features_by_columns(rows.values, p)
        has_signs = not isinstance(kernel, MixedTable)
        return NullTable(columns, kernel_spectrum(kernel, p), 1.0, p, has_signs=has_signs)


def _signs_of_pca(
    kernel: Standardized, points: Points, p: np.ndarray | None, embedding: Embedding
) -> Embedding:
    """Return the embedding with the signs of PCA(scale=True), of which the linear kernel is one."""
    if not isinstance(kernel.kernel, Linear):
        return embedding
    F, Z = kernel.map_rows(points.X), embedding.coordinates
    Z = Z if p is None else Z * as_kind(p, Z)[:, None]
    return embedding.with_signs(column_signs(F.T @ Z))


def refuse_constant(F: Array) -> None:
    """Refuse features that are the same for all rows."""
    xp = namespace(F)
    apart, size = float(xp.max(xp.abs(F - F[:1, :]))), float(xp.max(xp.abs(F)))
    if apart <= 16.0 * eps(F.dtype, xp) * size:
        raise InputError(
            "X or its kernel is constant: all rows have the same features, so there are no axes "
            "to find: give rows that differ"
        )
