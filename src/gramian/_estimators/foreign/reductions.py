"""Reductions of other libraries, read as the fits here are: coordinates, or a fit."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, is_array, to_dense, to_numpy
from gramian._core.check import renamed, short
from gramian._core.embedding import (
    EmbeddedModel,
    Embedding,
    FeatureModel,
    Model,
    Places,
    Record,
    Training,
    count,
    principal_axes,
)
from gramian._core.frames import in_order_of, is_annotated, is_frame, labels_of
from gramian._core.operators import CenteredGram, TiledGram
from gramian._core.pairs import Points
from gramian._core.spectral.spectrum import Request, Spectrum
from gramian._core.table import Table, table
from gramian._core.types import DataLike, WeightsLike
from gramian._estimators.base import Attributes, SpectralEstimator, column_record, spectrum_state
from gramian._estimators.foreign.from_sklearn import kernel_of
from gramian._estimators.pca import PCA
from gramian._reading.rules import Selection
from gramian._reading.variables import active_variables
from gramian.errors import InputError, InputTypeError


@dataclass(frozen=True)
class Given:
    """Coordinates that were made elsewhere, and what is known of them."""

    Z: np.ndarray  # (n, q)
    name: str
    labels: pd.Index | None = None
    place: Callable[[Any], np.ndarray] | None = None  # of new rows
    distance2: np.ndarray | None = None  # to the barycentre, in the space that was reduced
    space: str = "map"


def numbers_of(Z: Any) -> np.ndarray:
    """Return coordinates of any library as numbers in double precision."""
    return np.asarray(to_numpy(Z.to_numpy() if hasattr(Z, "to_numpy") else Z), dtype=float)


def last_step(estimator: object) -> Any:
    """Return the last step of a Pipeline, anything else as it is."""
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if isinstance(steps, list) and steps else estimator


def read_reduction(reduction: object, X: DataLike | None) -> Given:
    """Return the coordinates of an array or of a fitted estimator."""
    is_plain = is_frame(reduction) or is_array(reduction) or isinstance(reduction, list | tuple)
    if is_plain or hasattr(reduction, "ndim"):
        rows = table(reduction, "reduction", allow_sparse=False)
        return Given(numbers_of(rows.values), "coordinates", rows.index)
    name = type(last_step(reduction)).__name__
    if isinstance(reduction, type) or not (
        hasattr(reduction, "fit") or hasattr(reduction, "transform")
    ):
        raise InputTypeError(
            f"reduction={short(reduction)} must be coordinates (n, q), or a fitted estimator"
        )
    try:
        check_is_fitted(reduction)
    except NotFittedError as error:
        raise InputError(f"reduction: {name} is not fitted: call fit first") from error
    except TypeError:
        pass  # no estimator of scikit-learn's kind: what it has will tell
    Z = _coordinates(reduction, name, X)
    values = numbers_of(Z)
    if values.ndim != 2:
        raise InputError(f"reduction: {name} gives coordinates of {values.ndim} dimensions, not 2")
    place = partial(_place, reduction) if hasattr(reduction, "transform") else None
    distance2, space = _distances(reduction, len(values))
    return Given(values, name, labels_of(Z if X is None else X), place, distance2, space)


def _place(reduction: Any, X: DataLike) -> np.ndarray:
    return np.asarray(to_numpy(reduction.transform(X)), dtype=float)


def _coordinates(reduction: Any, name: str, X: DataLike | None) -> Any:
    last = last_step(reduction)
    if hasattr(last, "embedding_"):
        return last.embedding_
    if X is None and hasattr(reduction, "X_fit_"):  # scikit-learn's KernelPCA
        root = np.sqrt(np.maximum(reduction.eigenvalues_, 0.0))
        return reduction.eigenvectors_ * root
    if X is None:
        raise InputError(f"X is missing: {name} keeps no coordinates: gm.read_map(fitted, X)")
    for method in ("row_coordinates", "transform"):  # prince's, and everybody's
        if hasattr(reduction, method):
            Z = getattr(reduction, method)(X)
            if getattr(last, "whiten", False) is not True:
                return Z
            # A whitened PCA is brought to the unit of its table: cos² is of that.
            return Z * np.sqrt(getattr(last, "explained_variance_", 1.0))
    raise InputTypeError(f"reduction: {name} has neither coordinates nor transform")


def _distances(reduction: object, n: int) -> tuple[np.ndarray | None, str]:
    """Return squared distances to the barycentre in the space that was reduced, where known."""
    delta = getattr(reduction, "dissimilarity_matrix_", None)
    if delta is not None and np.shape(delta) == (n, n):
        squares = np.asarray(delta, dtype=float) ** 2
        return squares.mean(axis=1) - 0.5 * squares.mean(), "distances"
    rows = getattr(reduction, "X_fit_", None)
    if rows is None or np.shape(rows)[0] != n:
        return None, "map"
    kernel = kernel_of(reduction)
    if isinstance(kernel, str):  # precomputed: scikit-learn has centred it in its place
        return np.asarray(rows).diagonal().astype(float), "kernel"
    points = Points(kernel.rows(rows, "X"))
    gram = TiledGram(kernel.resolve(points), points)
    return np.asarray(to_numpy(CenteredGram(gram, None).diag()), dtype=float), "kernel"


_COORDINATE_TOLERANCE = 1e-6  # relative to the largest coordinate: what a solver's tolerance leaves


@dataclass(frozen=True, eq=False, repr=False)
class GivenModel(EmbeddedModel):
    """Points where somebody else has put them."""

    embedding: Embedding
    place: Callable[[Any], np.ndarray] | None = None
    shift: Array | None = None

    def project(self, X: DataLike) -> Places:
        """Return where new rows go, if who made the map tells."""
        if self.place is None:
            raise InputError("X: the map was given as it is and has no place for new rows")
        assert self.shift is not None
        Z = self.place(X) - self.shift
        return Places(Z, np.sum(Z * Z, axis=1))


class Reduction(SpectralEstimator):
    """A map computed by another library, with the readings of a fit; see `gm.read_map`.

    Attributes
    ----------
    coordinates_, eigenvalues_ : array (n, q), array (q,)
        The coordinates as passed in, and their variances (divisor n); a map in standard deviations
        of divisor n − 1 is rescaled to the divisor n.
    inertia_ : float
        The total inertia: of the table where the map is a projection of it (or of its kernel or
        distances, if known), otherwise of the map itself.
    components_ : array (q, p)
        The axes in the space of the columns, where the map is a projection on them.
    source_, space_ : str
        What was read, and what distances to the barycentre, and so cos², are measured in:
        "table", "kernel", "distances" or "map".

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> X = gm.datasets.iris().data
    >>> reading = gm.read_map(PCA(2).fit(X), X)
    >>> reading.space_, reading.inertia_ratio_.round(3).tolist()
    ('table', [0.925, 0.053])
    """

    is_external, whiten = True, False
    inverse_transform = available_if(lambda r: hasattr(r, "components_"))(PCA.inverse_transform)
    source_: str
    space_: str

    def __init__(self, source: object = None) -> None:
        self.source = source

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Self:
        """Raise an error: a map that was read cannot be fitted."""
        raise InputTypeError("X: a Reduction is not fitted: use gm.read_map(reduction, X)")

    def _read_new(self, X: DataLike) -> Table:
        if isinstance(self.model_, GivenModel):
            return Table(X if hasattr(X, "shape") else np.asarray(X), labels_of(X))
        return super()._read_new(X)

    @property
    def method_name(self) -> str:
        """What was read: the class of a fit, or coordinates."""
        return self.source_

    @property
    def is_map(self) -> bool:
        """Whether shares of axes are of the variance of the map alone."""
        return self.space_ == "map"

    def _active_variables(self) -> pd.DataFrame | None:
        if "components_" not in vars(self) or not isinstance(self.model_, FeatureModel):
            return None
        idle, names = (np.zeros(0, int), np.zeros((0, self.n_components_))), self._variable_names()
        return active_variables(self._principal, names, idle, scaled=self.is_scaled)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        known = vars(self)
        if "source_" not in known:
            return "Reduction()"
        n, q = known["record_"].training.n, known["n_components_"]
        return f"Reduction({known['source_']}: {n} rows, {q} axes)"


def read_map(reduction: object, X: DataLike | None = None) -> Any:
    """Wrap a map computed by another library, so that the tables and figures of a fit apply to it.

    Parameters
    ----------
    reduction : array or data frame (n, q), or a fitted estimator
        Coordinates (`adata.obsm["X_umap"]`, say), or a fit: scikit-learn's PCA, KernelPCA, MDS,
        TruncatedSVD, TSNE, Isomap or a Pipeline of them, umap-learn's, prince's. A fit made here
        is returned as it is.
    X : table (n, p), optional
        The rows that were reduced, in the same order or labelled alike. They are needed where the
        fit keeps no coordinates (PCA, TruncatedSVD, prince); with them cos² is that of the table
        where the map is a projection of it, `variables()` has the contributions of its columns
        if the axes are principal ones, and `neighbourhoods()` measures how well neighbours are
        kept.

    Returns
    -------
    Reduction
        `individuals()`, `variables(table)`, `categories(table)`, `describe(table)`, `summary()`,
        `neighbourhoods()`; every function of `gm.plots` takes it.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> coordinates = iris.data.to_numpy()[:, 2:]  # any map
    >>> reading = gm.read_map(coordinates, iris.data)
    >>> reading.categories(iris.groups)["eta2", 1].round(3).tolist()
    [0.941, 0.941, 0.941]
    """
    if isinstance(reduction, SpectralEstimator) and "record_" in vars(reduction):
        return reduction
    if is_annotated(reduction):
        raise InputTypeError(
            "reduction is an AnnData object: give one of its maps, "
            'gm.read_map(adata.obsm["X_pca"], adata)'
        )
    given = read_reduction(reduction, X)
    rows = None if X is None else table(in_order_of(X, given.labels, "X", "reduction"), "X")
    if rows is not None and count(rows.values) != len(given.Z):
        raise InputError(
            f"X has {count(rows.values)} rows but the map has {len(given.Z)}: give the rows that "
            "were reduced"
        )
    return _reading(given, rows)


def _reading(given: Given, rows: Table | None) -> Reduction:
    Z = given.Z
    if not np.isfinite(Z).all() or not np.ptp(Z, axis=0).any():
        raise InputError("reduction: its coordinates are not finite, or all rows have the same")
    if rows is None:
        base, (model, own) = Table(Z, given.labels), _map(given)
    else:
        base = rows if given.labels is None else replace(rows, index=given.labels)
        model, own = _projection(Z, rows) or _map(given)
        own |= column_record(base)
    training = Training.of(base, source=base.values, like=np.empty(0))
    own |= {"record_": Record(training, model), "source_": given.name}
    made = Reduction()
    made._publish(spectrum_state(model) | own)
    return made


def _map(given: Given) -> tuple[Model, Attributes]:
    """Return the points as they are, with the distances to the barycentre that are known."""
    mean = given.Z.mean(axis=0)
    F, axes = given.Z - mean, np.eye(given.Z.shape[1])
    distance2 = np.sum(F**2, axis=1)
    if given.distance2 is not None:
        distance2 = np.maximum(given.distance2, distance2)
    spectrum = _spectrum(F, axes, float(distance2.mean()), given.name)
    embedding = Embedding(spectrum, F, distance2, axes)
    return GivenModel(embedding, given.place, mean), {"space_": given.space}


def _spectrum(F: np.ndarray, V: np.ndarray, total: float, name: str) -> Spectrum:
    values = np.mean(F**2, axis=0)
    return Spectrum(values, V, total, np.zeros(len(values)), f"read: {name}")


def _projection(Z: np.ndarray, rows: Table) -> tuple[Model, Attributes] | None:
    """Return the axes of which Z are the coordinates, of the columns as they are or scaled."""
    X = to_dense(rows.values).astype(float)
    n = len(X)
    centred = X - X.mean(axis=0)
    F = Z - Z.mean(axis=0)
    deviation = centred.std(axis=0)
    safe = np.where(deviation > 0, deviation, 1.0)
    # Columns as they are, in standard deviations, and in those with the divisor n − 1.
    for scaled, factor in ((False, 1.0), (True, 1.0), (True, np.sqrt((n - 1) / n))):
        features = (centred / safe if scaled else centred) * factor
        V = np.linalg.lstsq(features, F, rcond=None)[0]
        off = np.abs(features @ V - F).max()
        tilt = np.abs(V.T @ V - np.eye(V.shape[1])).max()
        if off <= _COORDINATE_TOLERANCE * np.abs(F).max() and tilt <= _COORDINATE_TOLERANCE:
            return _features(replace(rows, values=X), F * (1.0 / factor), V, Z, scaled)
    return None


def _features(
    rows: Table, F: np.ndarray, V: np.ndarray, Z: np.ndarray, scaled: bool
) -> tuple[Model, Attributes]:
    """Return the model of a projection; coordinates under the divisor n − 1 get that of n."""
    request = Request(Selection(q=1), "auto", tol=1e-8, budget=2**40)
    principal = principal_axes(rows.values, None, request, scale=scaled, names=rows.columns)
    unit = principal.standard.unit
    spectrum = _spectrum(F / unit, V, principal.spectrum.total, "a projection of the table")
    model = FeatureModel(replace(principal, spectrum=spectrum), Z.mean(axis=0))
    deviation = principal.standard.deviation if scaled else None
    own: Attributes = {"space_": "table", "scale_": deviation, "mean_": principal.standard.mean}
    features = model.features(rows.values) * unit
    C = features.T @ (features @ V) / len(F)
    off = np.abs(C - V * np.mean(F**2, axis=0)).max()
    if off <= 1e-4 * np.mean(F**2, axis=0).max():  # else they are directions, but no principal axes
        own["components_"] = V.T
    return model, own


read = renamed(read_map, "gm.read", "gm.read_map", "0.4")
