"""Coordinates: a spectrum and a centring, made into a map that takes new points too."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gramian._array import Array, as_kind, namespace
from gramian.operators.centering import CenteredGram, Centering
from gramian.spectral.spectrum import Spectrum, column_signs

__all__ = ["Embedding", "kernel_embedding"]


@dataclass(frozen=True)
class Embedding:
    """Points on principal axes.

    Lengths are in multiples of `unit` (a power of two), so that data near the ends of the range of
    the floating-point numbers can be embedded; everything public is in the data's own unit.
    """

    spectrum: Spectrum
    coordinates: Array  # (n, q)
    distance2: Array  # squared distance of each training point to the barycentre, (n,)
    coefficients: Array  # from centred kernel values (n, q) or features (p, q) to coordinates
    centering: Centering | None = None  # None where features are centred by their mean
    unit: float = 1.0
    modulus: Array | None = None  # what the live axes carry of each point, for indefinite kernels

    def project(self, cross: Array) -> tuple[Array, Array]:
        """Return the coordinates of new points and k·p from their kernel block k(new, training)."""
        assert self.centering is not None
        return self.from_product(cross @ self.right)

    def with_signs_of_points(self) -> Embedding:
        """Return the embedding with signs fixed on the points, not on the axes' components.

        On coordinates rather than eigenvectors: a row of weight 2 must count like two rows.
        """
        signs = column_signs(self.coordinates)
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
