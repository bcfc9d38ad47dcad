"""The pipeline of a Gram operator: centring → spectrum → embedding → a model of new points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from gramian._core.array import Array, Values, as_kind, is_numpy, namespace, to_numpy
from gramian._core.check import expect
from gramian._core.operators.gram import (
    CenteredGram,
    Centering,
    DenseGram,
    Gram,
    require_range,
    zero_kernel_error,
)
from gramian._core.operators.tiled import TiledGram
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.solve import solve
from gramian._core.spectral.spectrum import Request, Spectrum, column_signs
from gramian.errors import InputError

MAX_SINGLE_THREAD_ROWS = 600  # rows up to which one thread of BLAS is quicker than several
_NO_KERNEL_VALUES = (
    "the kernel values of row {} with the rows of the fit overflow or are NaN: it is too far from "
    "them, or the kernel is not defined there"
)
_ROUNDING_SHARE = 2.0**-52  # of the first eigenvalue
MAX_STORED_ROWS = 4_096  # rows up to which K is kept in memory between products (134 MB)


@dataclass(frozen=True)
class Embedding:
    """Points on principal axes.

    Lengths are in multiples of `unit` (a power of two), so that data near the ends of the range of
    the floating-point numbers can be embedded; everything public is in the data's own unit.
    """

    spectrum: Spectrum
    coordinates: Annotated[Array, "(n, q)"]
    # Squared distance of each training point to the barycentre.
    distance2: Annotated[Array, "(n,)", ">= 0"]
    # From centred kernel values (n, q) or features (p, q) to coordinates.
    coefficients: Annotated[Array, "(m, q)"]
    centering: Centering | None = None  # None where features are centred by their mean
    unit: Annotated[float, "> 0"] = 1.0
    # What the live axes carry of each point, for indefinite kernels.
    modulus: Annotated[Array, "(n,)", ">= 0"] | None = None

    def check(self) -> None:
        """Refuse points and axes of different spectra."""
        n, q = self.coordinates.shape
        expect(len(self.spectrum.values) == q, f"a spectrum of {q} axes")
        if self.centering is not None:
            expect(self.centering.p.shape[0] == n, f"means of {n} points")
            expect(self.coefficients.shape[0] == n, f"coefficients of {n} points")

    def project(self, cross: Array) -> tuple[Array, Array]:
        """Return the coordinates of new points and k·p from their kernel block k(new, training)."""
        assert self.centering is not None
        return self.from_product(cross @ self.right)

    def with_signs_of_points(self) -> Embedding:
        """Return the embedding with signs fixed on the points, not on the axes' components.

        On coordinates rather than eigenvectors: a row of weight 2 must count like two rows.
        """
        return self.with_signs(column_signs(self.coordinates))

    def with_signs(self, signs: Array) -> Embedding:
        """Return the embedding with its axes multiplied by signs, (1, q)."""
        if is_numpy(signs) and (signs > 0).all():  # as those of eigenvectors are, mostly
            return self
        s = self.spectrum
        image = None if s.image is None else s.image * signs
        return replace(
            self,
            spectrum=replace(s, vectors=s.vectors * signs, image=image),
            coordinates=self.coordinates * signs,
            coefficients=self.coefficients * signs,
        )

    @property
    def right(self) -> Array:
        """The matrix (n, q+1) that kernel blocks are multiplied by: coefficients and weights."""
        assert self.centering is not None
        xp = namespace(self.coefficients)
        return xp.concat([self.coefficients, self.centering.p[:, None]], axis=1)

    def from_product(self, product: Array) -> tuple[Array, Array]:
        """Return coordinates (m, q) and k·p (m,) from k(new, training)·right, (m, q+1)."""
        assert self.centering is not None
        C, c = self.coefficients, self.centering
        xp = namespace(C)
        sums = xp.sum(C, axis=0)
        mean_part = c.means @ C - c.grand * sums
        k_p = product[:, -1]
        return product[:, :-1] - k_p[:, None] * sums[None, :] - mean_part[None, :], k_p


@dataclass(frozen=True, eq=False)
class Places:
    """Points around the barycentre, in units: where they are, and how far from it."""

    coordinates: Annotated[Array, "(n, q)", "any"]
    distance2: Annotated[Array, "(n,)", "any"]  # NaN where k(x, x) is not known
    # What the live axes carry of each point, for indefinite kernels.
    modulus: Annotated[Array, "(n,)", "any"] | None = None


class Model(ABC):
    """Axes, and where rows lie on them."""

    shift: Array | None  # added to the coordinates that are shown, (q,), in the data's unit

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.spectrum.values)} axes)"

    @property
    @abstractmethod
    def spectrum(self) -> Spectrum:
        """The eigenpairs."""

    @property
    @abstractmethod
    def unit(self) -> float:
        """The unit of lengths, a power of two."""

    @property
    def eigenvalue_unit(self) -> float:
        """The unit of lengths that eigenvalues are written in: 1, or `unit` where that cannot be.

        Eigenvalues are then out of range in the unit of the data: they overflow, or one that is
        not below the rounding of the first vanishes.
        """
        s = self.spectrum
        sizes = np.abs(np.append(s.values, [s.total, s.negative]))
        known = sizes[sizes > _ROUNDING_SHARE * sizes.max()]
        with np.errstate(over="ignore", under="ignore"):
            squares = known * self.unit * self.unit
        limits = np.finfo(np.float64)
        is_held = (squares >= limits.smallest_normal) & (squares <= limits.max)
        return 1.0 if is_held.all() else self.unit

    def require_squares(self, name: str) -> None:
        """Refuse to give a number in squares of the unit of the data where these are no numbers."""
        unit = self.eigenvalue_unit
        if unit != 1.0:
            what = "overflow" if unit > 1.0 else "vanish"
            raise InputError(
                f"X: {name} of this fit is out of range: lengths are near {unit:.2g}, and their "
                f"squares {what}: rescale X, for example X / {unit:.2g}; coordinates_ and "
                "inertia_ratio_ are not affected"
            )

    @abstractmethod
    def embed(self, rows: Values) -> Embedding:
        """Return the embedding of the rows that made the axes."""

    @abstractmethod
    def project(self, X: Values) -> Places:
        """Return where new rows lie."""

    def coordinates(self, X: Values) -> Array:
        """Return where new rows lie on the axes alone, (m, q)."""
        return self.project(X).coordinates

    @abstractmethod
    def gram(self, rows: Values) -> Gram:
        """Return the Gram operator of the rows that made the axes, in multiples of unit²."""


class EmbeddedModel(Model):
    """Axes that came with an embedding of the rows that made them."""

    embedding: Embedding

    @property
    def spectrum(self) -> Spectrum:
        return self.embedding.spectrum

    @property
    def unit(self) -> float:
        return self.embedding.unit

    def embed(self, rows: Values) -> Embedding:
        return self.embedding

    def gram(self, rows: Values) -> Gram:
        """Return the products of the points of the map."""
        Z = to_numpy(self.embedding.coordinates).astype(np.float64)
        return DenseGram(Z @ Z.copy().T)


@dataclass(frozen=True, eq=False, repr=False)
class GramModel(EmbeddedModel):
    """Axes from the products of points: a Gram operator that knows new rows."""

    operator: Gram
    embedding: Embedding
    shift: Annotated[Array, "(q,)"] | None = None

    def check(self) -> None:
        """Refuse an operator of other points than the embedding's."""
        expect(self.embedding.centering is not None, "an embedding with its means")
        n, q = self.embedding.coordinates.shape
        expect(self.operator.n == n, f"an operator of {n} points")
        expect(self.shift is None or self.shift.shape[0] == q, f"a shift on {q} axes")

    def project(self, X: Values) -> Places:
        """Return where new rows lie, from k(new, training)·coefficients."""
        places = self.places_of(X)
        require_places(places.coordinates, _NO_KERNEL_VALUES)
        return places

    def places_of(self, X: Values) -> Places:
        """Return where rows lie, NaN for those that are unknown."""
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            product, diag = self.operator.cross_matmul(X, self.embedding.right)
        if len(product.shape) != 2 or product.shape[1] != self.embedding.right.shape[1]:
            raise InputError(f"X: cross(new)·V has shape {tuple(product.shape)}, not (m, columns)")
        return self.place(product, diag)

    def place(self, product: Array, diag: Array | None) -> Places:
        """Return where rows lie, from k(row, training)·right and k(x, x)."""
        coordinates, k_p = self.embedding.from_product(product)
        if diag is None:
            return Places(coordinates, k_p * np.nan)
        assert self.embedding.centering is not None
        diag = as_kind(diag, k_p) if is_numpy(diag) else diag
        return Places(coordinates, self.embedding.centering.distance2(k_p, diag))

    def gram(self, rows: Values) -> Gram:
        return self.operator


def require_places(coordinates: Array, words: str) -> None:
    """Refuse rows whose coordinates are no numbers; {} in the words is the first of them."""
    xp = namespace(coordinates)
    finite = xp.isfinite(coordinates)  # where they are: a device hands over one bit
    if not bool(xp.all(finite)):
        raise InputError("X: " + words.format(int(to_numpy(finite).all(axis=1).argmin())))


def kernel_embedding(A: CenteredGram, spectrum: Spectrum, unit: float = 1.0) -> Embedding:
    """Return the embedding of the training points from the eigenvectors of their centred Gram."""
    values = as_kind(spectrum.values, spectrum.vectors)
    coefficients = A.coefficients(spectrum.vectors, values)
    if spectrum.image is None:
        U = spectrum.vectors * namespace(values).sqrt(namespace(values).abs(values))
        coordinates = U / A.root[:, None]
    else:
        # What `project` gives for the training points, also where A·u = λ·u only to a tolerance.
        coordinates = A.scores(spectrum.image, values)
    modulus = None if spectrum.modulus is None else spectrum.modulus / A.p
    embedding = Embedding(spectrum, coordinates, A.diag(), coefficients, A.centering, unit, modulus)
    return embedding.with_signs_of_points()


def analyse(gram: Gram, p: np.ndarray | None, request: Request, unit: float = 1.0) -> Embedding:
    """Return the principal axes of the points behind a Gram operator, and the points on them.

    The operator is in multiples of unit²; weights `p` (n,) are positive with sum 1, or None for
    equal ones. The scale of the request and, where it has none, its dimension are filled in here.
    """
    # Held once for all that is small: BLAS would wake its threads for nothing.
    with one_blas_thread() if gram.n <= MAX_SINGLE_THREAD_ROWS else nullcontext():
        with np.errstate(over="ignore", invalid="ignore"):  # looked at by who centres
            A = CenteredGram(_store(gram, request), p)
        dimension = A.n - 1 if request.dimension is None else request.dimension
        request = replace(request, scale=_scale(A, gram), dimension=dimension)
        return kernel_embedding(A, solve(A, request), unit)


def _store(gram: Gram, request: Request) -> Gram:
    """Return the operator, as a matrix where making its entries again would cost more."""
    few = request.axes.q is not None or request.axes.rule is not None
    fits = gram.n <= MAX_STORED_ROWS and 8 * gram.n * gram.n <= request.budget / 4
    return DenseGram(gram.dense()) if gram.remakes and few and fits else gram


def _scale(A: CenteredGram, gram: Gram) -> float:
    """Return the size of the numbers that rounding is relative to: the largest |k(x, x)|.

    Squared distances have none there: their mean stands in for it.
    """
    size = require_range(A.gram.diag()) or require_range(np.full(1, A.centering.grand))
    if size == 0 and isinstance(gram, TiledGram) and gram.points.varies:
        raise zero_kernel_error()
    return size
