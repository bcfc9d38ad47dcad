"""What a fit is made of: the rows it was given, and a model that places new ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array, as_kind, is_numpy, namespace, to_numpy
from gramian._core.check import expect
from gramian._core.embedding.pipeline import Embedding
from gramian._core.embedding.principal import Principal
from gramian._core.embedding.training import Training, is_table, rows_at
from gramian._core.features.lowrank import ApproximateFeatures
from gramian._core.operators.base import Gram
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.products import FeatureGram
from gramian._core.operators.selected import SelectedGram
from gramian._core.spectral.spectrum import Spectrum
from gramian.errors import InputError

_ROUNDING = 2.0**-52  # of the first eigenvalue


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
    def stated_unit(self) -> float:
        """The unit of lengths that eigenvalues are written in: 1, or `unit` where that cannot be.

        Eigenvalues are then out of range in the unit of the data: they overflow, or one that is
        not below the rounding of the first vanishes.
        """
        s = self.spectrum
        sizes = np.abs(np.append(s.values, [s.total, s.negative]))
        known = sizes[sizes > _ROUNDING * sizes.max()]
        with np.errstate(over="ignore", under="ignore"):
            squares = known * self.unit * self.unit
        limits = np.finfo(np.float64)
        is_held = (squares >= limits.smallest_normal) & (squares <= limits.max)
        return 1.0 if is_held.all() else self.unit

    def require_squares(self, name: str) -> None:
        """Refuse to give a number in squares of the unit of the data where these are no numbers."""
        unit = self.stated_unit
        if unit != 1.0:
            what = "overflow" if unit > 1.0 else "vanish"
            raise InputError(
                f"X: {name} of this fit is out of range: lengths are near {unit:.2g}, and their "
                f"squares {what}: rescale X, for example X / {unit:.2g}; coordinates_ and "
                "inertia_ratio_ are right as they are"
            )

    @abstractmethod
    def embed(self, rows: Any) -> Embedding:
        """Return the embedding of the rows that made the axes."""

    @abstractmethod
    def project(self, X: Any) -> Places:
        """Return where new rows lie."""

    def coordinates(self, X: Any) -> Array:
        """Return where new rows lie on the axes alone, (m, q)."""
        return self.project(X).coordinates

    @abstractmethod
    def gram(self, rows: Any) -> Gram:
        """Return the Gram operator of the rows that made the axes, in multiples of unit²."""


class EmbeddedModel(Model):
    """Axes that came with an embedding of the rows that made them."""

    embedding: Embedding

    @property
    def spectrum(self) -> Spectrum:
        """The eigenpairs."""
        return self.embedding.spectrum

    @property
    def unit(self) -> float:
        """The unit of lengths."""
        return self.embedding.unit

    def embed(self, rows: Any) -> Embedding:
        """Return the embedding that the axes came with."""
        return self.embedding


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

    def project(self, X: Any) -> Places:
        """Return where new rows lie, from k(new, training)·coefficients."""
        places = self.places_of(X)
        self._require_numbers(places.coordinates)
        return places

    def places_of(self, X: Any) -> Places:
        """Return where rows lie, NaN for those that are unknown."""
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            product, diag = self.operator.cross_matmul(X, self.embedding.right)
        if len(product.shape) != 2 or product.shape[1] != self.embedding.right.shape[1]:
            raise InputError(f"X: cross(new)·V has shape {tuple(product.shape)}, not (m, columns)")
        return self.placed(product, diag)

    def placed(self, product: Array, diag: Array | None) -> Places:
        """Return where rows lie, from k(row, training)·right and k(x, x)."""
        coordinates, k_p = self.embedding.from_product(product)
        if diag is None:
            return Places(coordinates, k_p * np.nan)
        assert self.embedding.centering is not None
        diag = as_kind(diag, k_p) if is_numpy(diag) else diag
        return Places(coordinates, self.embedding.centering.distance2(k_p, diag))

    @staticmethod
    def _require_numbers(coordinates: Array) -> None:
        """Refuse rows whose kernel values with those of the fit are no numbers."""
        xp = namespace(coordinates)
        known = xp.all(xp.isfinite(coordinates), axis=1)
        if not bool(xp.all(known)):
            i = int(np.argmin(to_numpy(known)))
            raise InputError(
                f"X: the kernel values of row {i} with the rows of the fit overflow or are NaN: it "
                "is too far from them, or the kernel is not defined there"
            )

    def gram(self, rows: Any) -> Gram:
        """Return the operator."""
        return self.operator


@dataclass(frozen=True, eq=False, repr=False)
class FeatureModel(Model):
    """Axes in a space of features: columns, or what stands for a kernel."""

    principal: Principal
    shift: Annotated[Array, "(q,)"] | None = None
    embedding: Embedding | None = None  # of the rows that made the axes, where it was needed

    def check(self) -> None:
        """Refuse an embedding on other axes."""
        q, e = len(self.spectrum.values), self.embedding
        expect(self.shift is None or self.shift.shape[0] == q, f"a shift on {q} axes")
        same = e is None or tuple(e.coefficients.shape) == tuple(self.spectrum.vectors.shape)
        expect(same, f"an embedding on these {q} axes")

    @property
    def spectrum(self) -> Spectrum:
        """The eigenpairs."""
        return self.principal.spectrum

    @property
    def unit(self) -> float:
        """The unit of lengths."""
        return self.principal.standard.unit

    def embed(self, rows: Any) -> Embedding:
        """Return the embedding of the rows that made the axes."""
        if self.embedding is not None:
            return self.embedding
        places, V = self.project(rows), self.spectrum.vectors
        return Embedding(self.spectrum, places.coordinates, places.distance2, V, None, self.unit)

    def project(self, X: Any) -> Places:
        """Return where rows lie, by their features."""
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            places = Places(*self.principal.features.project(X, self.spectrum.vectors))
        self._require_finite(places.coordinates)
        return places

    def coordinates(self, X: Any) -> Array:
        """Return where rows lie on the axes alone, (m, q)."""
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            Z = self.principal.features.coordinates(X, self.spectrum.vectors)
        self._require_finite(Z)
        return Z

    @staticmethod
    def _require_finite(coordinates: Array) -> None:
        """Refuse rows too far from the fit."""
        xp = namespace(coordinates)
        finite = xp.isfinite(coordinates)  # where they are: a device hands over one bit
        if not bool(xp.all(finite)):
            row = int(to_numpy(finite).all(axis=1).argmin())
            raise InputError(
                f"X: the coordinates of row {row} overflow, so far from the fit it lies: drop it, "
                "or rescale the data"
            )

    def gram(self, rows: Any) -> Gram:
        """Return the products of the features."""
        return FeatureGram(self.features, rows)

    def features(self, X: Any) -> Array:
        """Return the centred features of a few rows, (m, k), in units."""
        of = self.principal.features
        return of(of.kernel_map(X) if isinstance(of, ApproximateFeatures) else X)


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """The record of a fit: immutable, and all that readings, studies and files need of it."""

    training: Training
    model: Model

    def check(self) -> None:
        """Refuse a model of other rows, and places that are not those of the rows."""
        t, q = self.training, len(self.model.spectrum.values)
        own = vars(self)
        if self.is_gone:
            own.pop("embedding", None)  # of no rows: made again when it is asked for
            expect("places" not in own and "coordinates" not in own, "no places of rows gone")
        for e in (own.get("embedding"), getattr(self.model, "embedding", None)):
            same = e is None or tuple(e.coordinates.shape) == (t.n_live, q)
            expect(same, f"an embedding of {t.n_live} rows on {q} axes")
        features = self.model.principal.features if isinstance(self.model, FeatureModel) else None
        if t.table is not None and type(features) is FeatureMap:
            p = features.factor.shape[0]
            expect(is_table(t.table.values) and t.table.values.shape[1] == p, f"{p} columns")
        for name in ("places", "coordinates"):
            Z = getattr(own.get(name), "coordinates", own.get(name))
            expect(Z is None or tuple(Z.shape) == (t.n, q), f"{name} of {t.n} rows on {q} axes")

    def __repr__(self) -> str:
        return f"Record({self.training!r}, {self.model!r})"

    @cached_property
    def embedding(self) -> Embedding:
        """The rows that have a weight, on the axes."""
        if self.is_gone:
            like, s = self.training.like, self.model.spectrum
            return Embedding(s, like, like, s.vectors, None, self.model.unit)
        if self.training.table is None and isinstance(self.model, EmbeddedModel):
            return self.model.embedding
        return self.model.embed(self.training.active()[0].values)

    @property
    def is_gone(self) -> bool:
        """Whether rows were read once and neither they nor their places are kept."""
        return self.training.table is None and not isinstance(self.model, EmbeddedModel)

    @cached_property
    def places(self) -> Places:
        """Where every row lies, those without a weight being placed like new ones."""
        e, live = self.embedding, self.training.live
        active = Places(e.coordinates, e.distance2, e.modulus)
        if live is None:
            return active
        rest = self._supplementary(live)
        modulus = None
        if active.modulus is not None:
            modulus = _merged(active.modulus, rest.distance2, live)
        coordinates = _merged(active.coordinates, rest.coordinates, live)
        return Places(coordinates, _merged(active.distance2, rest.distance2, live), modulus)

    def project(self, X: Any) -> Places:
        """Return where new rows lie."""
        return self.model.project(self.training.facing(self.training.beside(X)))

    def coordinates_of(self, X: Any) -> Array:
        """Return where new rows lie on the axes alone, (m, q)."""
        return self.model.coordinates(self.training.facing(self.training.beside(X)))

    def _supplementary(self, live: np.ndarray) -> Places:
        """Return where the rows without a weight lie."""
        t, m = self.training, self.model
        if isinstance(m, GramModel) and isinstance(m.operator, SelectedGram):
            product = m.operator.others(m.embedding.right)
            return m.placed(product, rows_at(m.operator.whole.diag(), ~live))
        places = m.places_of(t.rest) if isinstance(m, GramModel) else m.project(t.rest)
        if t.kind == "square" and np.isnan(to_numpy(places.distance2)).any():
            assert isinstance(m, GramModel)  # of kernel values, whose k(x, x) is at hand
            product, _ = m.operator.cross_matmul(t.rest, m.embedding.right)
            return m.placed(product, as_kind(to_numpy(t.rows).diagonal()[~live], product))
        return places

    def shown(self, coordinates: Array, like: Array | None) -> Array:
        """Return coordinates as they are shown: in the data's own unit and library, and shifted."""
        unit = self.model.unit
        Z = coordinates if unit == 1.0 else coordinates * unit
        return at_home(Z if self.model.shift is None else Z + self.model.shift, like)

    @cached_property
    def coordinates(self) -> Array:
        """The coordinates of every row, as they are shown, (n, q)."""
        if self.is_gone:
            raise AttributeError(
                "coordinates_: blocks of rows were read once and not kept: use transform(rows)"
            )
        return self.shown(self.places.coordinates, self.training.like)


def at_home(Z: Array, like: Array | None) -> Array:
    """Return results in the library and the precision that the data came in."""
    if like is None:
        return Z
    if not is_numpy(like):
        return Z if namespace(Z) is namespace(like) else as_kind(to_numpy(Z), like)
    Z = to_numpy(Z)
    if like.dtype != np.float32:
        return Z
    with np.errstate(over="ignore"):
        low = Z.astype(np.float32, copy=False)
    # Squared distances of single-precision rows may need the range of double precision.
    return low if np.isfinite(low).all() or not np.isfinite(Z).all() else Z


def _merged(part: Array, others: Array, live: np.ndarray) -> Array:
    """Return the rows of `part` where `live` and those of `others` elsewhere."""
    out = np.empty((live.size, *part.shape[1:]))
    out[live], out[~live] = to_numpy(part), to_numpy(others)
    return as_kind(out, part)
