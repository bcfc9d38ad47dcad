"""The one pipeline: Gram operator → centring → spectrum → embedding, which takes new points."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from gramian._core.array import Array, as_kind, is_numpy, namespace
from gramian._core.check import expect
from gramian._core.operators.base import DenseGram, Gram, require_range, vanished
from gramian._core.operators.centering import CenteredGram, Centering
from gramian._core.operators.tiled import TiledGram
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.choose import Request
from gramian._core.spectral.solve import solve
from gramian._core.spectral.spectrum import Spectrum, column_signs

SMALL = 600  # rows up to which one thread of BLAS is quicker than several
STORED = 4_096  # rows up to which K is kept in memory between products (134 MB)


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
        signs = column_signs(self.coordinates)
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

    Parameters
    ----------
    gram : Gram
        In multiples of unit².
    p : array (n,) of positive weights with sum 1, or None for equal ones
    request : Request
        Its scale and, where it has none, its dimension are filled in here.
    """
    # Held once for all that is small: BLAS would wake its threads for nothing.
    with one_blas_thread() if gram.n <= SMALL else nullcontext():
        with np.errstate(over="ignore", invalid="ignore"):  # looked at by who centres
            A = CenteredGram(_held(gram, request), p)
        dimension = A.n - 1 if request.dimension is None else request.dimension
        request = replace(request, scale=_scale(A, gram), dimension=dimension)
        return kernel_embedding(A, solve(A, request), unit)


def _held(gram: Gram, request: Request) -> Gram:
    """Return the operator, as a matrix where making its entries again would cost more."""
    few = request.axes.q is not None or request.axes.rule is not None
    fits = gram.n <= STORED and 8 * gram.n * gram.n <= request.budget / 4
    return DenseGram(gram.dense()) if gram.remakes and few and fits else gram


def _scale(A: CenteredGram, gram: Gram) -> float:
    """Return the size of the numbers that rounding is relative to: the largest |k(x, x)|.

    Squared distances have none there: their mean stands in for it.
    """
    size = require_range(A.gram.diag()) or require_range(np.full(1, A.centering.grand))
    if size == 0 and isinstance(gram, TiledGram) and gram.points.varies:
        raise vanished()
    return size
