"""What a fit is made of: the rows it was given, and a model that places new ones."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

import numpy as np

from gramian._core.array import Array, Values, as_kind, is_numpy, namespace, to_numpy
from gramian._core.check import expect
from gramian._core.embedding.pipeline import (
    EmbeddedModel,
    Embedding,
    GramModel,
    Model,
    Places,
    require_places,
)
from gramian._core.embedding.principal import Principal
from gramian._core.embedding.training import Training, is_table, rows_at
from gramian._core.features.lowrank import ApproximateFeatures
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.gram import Gram
from gramian._core.operators.variants import FeatureGram, SelectedGram
from gramian._core.pairs import Points
from gramian._core.spectral.spectrum import Spectrum, column_signs

_TOO_FAR = (
    "the coordinates of row {} overflow, so far from the fit it lies: drop it, or rescale the data"
)


@dataclass(frozen=True, eq=False, repr=False)
class FeatureModel(Model):
    """Axes in a space of features: columns, or what stands for a kernel."""

    principal: Principal
    shift: Annotated[Array, "(q,)"] | None = None
    known: Annotated[Array, "(n, q)"] | None = None  # coordinates that the fit needed, of its rows

    def check(self) -> None:
        """Refuse coordinates on other axes."""
        q, Z = len(self.spectrum.values), self.known
        expect(self.shift is None or self.shift.shape[0] == q, f"a shift on {q} axes")
        expect(Z is None or Z.shape[1] == q, f"coordinates on {q} axes")

    @property
    def spectrum(self) -> Spectrum:
        return self.principal.spectrum

    @property
    def unit(self) -> float:
        return self.principal.standard.unit

    def embed(self, rows: Values) -> Embedding:
        places, V = self.project(rows), self.spectrum.vectors
        Z = places.coordinates if self.known is None else self.known
        return Embedding(self.spectrum, Z, places.distance2, V, None, self.unit)

    def project(self, X: Values) -> Places:
        """Return where rows lie, by their features."""
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            places = Places(*self.principal.features.project(X, self.spectrum.vectors))
        require_places(places.coordinates, _TOO_FAR)
        return places

    def coordinates(self, X: Values) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            Z = self.principal.features.coordinates(X, self.spectrum.vectors)
        require_places(Z, _TOO_FAR)
        return Z

    def gram(self, rows: Values) -> Gram:
        """Return the products of the features."""
        return FeatureGram(self.features, rows)

    def features(self, X: Values) -> Array:
        """Return the centred features of a few rows, (m, k), in units."""
        of = self.principal.features
        return of(of.kernel_map(X) if isinstance(of, ApproximateFeatures) else X)


def signed_by_points(principal: Principal, X: Values | Points) -> tuple[Principal, Array]:
    """Return axes with signs fixed on the coordinates of the rows that made them, and these."""
    s = principal.spectrum
    Z = principal.features.coordinates(X, s.vectors)
    signs = column_signs(Z)
    spectrum = replace(s, vectors=s.vectors * as_kind(signs, s.vectors), image=None)
    return replace(principal, spectrum=spectrum), Z * signs


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """The record of a fit: immutable, and all that readings, studies and files need of it."""

    training: Training
    model: Model

    def check(self) -> None:
        """Refuse a model of other rows, and places that are not those of the rows."""
        t, q = self.training, len(self.model.spectrum.values)
        own = vars(self)
        if not self.has_rows:
            own.pop("embedding", None)  # of no rows: made again when it is asked for
            expect("places" not in own and "coordinates" not in own, "no places of rows gone")
        known = getattr(self.model, "known", None)
        for e in (own.get("embedding"), getattr(self.model, "embedding", None)):
            Z = known if e is None else e.coordinates
            expect(Z is None or tuple(Z.shape) == (t.n_live, q), f"{t.n_live} rows on {q} axes")
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
        if not self.has_rows:
            like, s = self.training.like, self.model.spectrum
            return Embedding(s, like, like, s.vectors, None, self.model.unit)
        if self.training.table is None and isinstance(self.model, EmbeddedModel):
            return self.model.embedding
        return self.model.embed(self.training.active()[0].values)

    @property
    def has_rows(self) -> bool:
        """Whether the rows or their places are kept, as those of blocks read once are not."""
        return self.training.table is not None or isinstance(self.model, EmbeddedModel)

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
            modulus = _merge(active.modulus, rest.distance2, live)
        coordinates = _merge(active.coordinates, rest.coordinates, live)
        return Places(coordinates, _merge(active.distance2, rest.distance2, live), modulus)

    def project(self, X: Values) -> Places:
        """Return where new rows lie."""
        return self.model.project(self.training.as_model_input(X))

    def coordinates_of(self, X: Values) -> Array:
        """Return where new rows lie on the axes alone, (m, q)."""
        return self.model.coordinates(self.training.as_model_input(X))

    def _supplementary(self, live: np.ndarray) -> Places:
        """Return where the rows without a weight lie."""
        t, m = self.training, self.model
        if isinstance(m, GramModel) and isinstance(m.operator, SelectedGram):
            product = m.operator.others(m.embedding.right)
            return m.place(product, rows_at(m.operator.whole.diag(), ~live))
        places = m.places_of(t.rest) if isinstance(m, GramModel) else m.project(t.rest)
        if t.kind == "square" and np.isnan(to_numpy(places.distance2)).any():
            assert isinstance(m, GramModel)  # of kernel values, whose k(x, x) is at hand
            product, _ = m.operator.cross_matmul(t.rest, m.embedding.right)
            return m.place(product, as_kind(to_numpy(t.rows).diagonal()[~live], product))
        return places

    def display(self, coordinates: Array, like: Array | None) -> Array:
        """Return coordinates as they are shown: in the data's own unit and library, and shifted."""
        unit = self.model.unit
        Z = coordinates if unit == 1.0 else coordinates * unit
        return to_user_library(Z if self.model.shift is None else Z + self.model.shift, like)

    @cached_property
    def coordinates(self) -> Array:
        """The coordinates of every row, as they are shown, (n, q)."""
        if not self.has_rows:
            raise AttributeError(
                "coordinates_: blocks of rows were read once and not kept: use transform(rows)"
            )
        known = getattr(self.model, "known", None) if self.training.live is None else None
        Z = self.places.coordinates if known is None else known
        return self.display(Z, self.training.like)


def to_user_library(Z: Array, like: Array | None) -> Array:
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


def _merge(part: Array, others: Array, live: np.ndarray) -> Array:
    """Return the rows of `part` where `live` and those of `others` elsewhere."""
    out = np.empty((live.size, *part.shape[1:]))
    out[live], out[~live] = to_numpy(part), to_numpy(others)
    return as_kind(out, part)
