"""The map over resampled rows: ellipses of rows, and a bootstrap where there are no columns."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import stats
from scipy.linalg import orthogonal_procrustes
from sklearn.base import clone

import gramian as gm
from gramian._reading.cloud import ellipse_table
from gramian._study.evidence import table_values
from gramian._study.record import Study, Subject
from gramian.evidence.directions import weighted_axes
from gramian.evidence.shapes import calm

if TYPE_CHECKING:
    from gramian.stability import Stability

_LEVEL = 0.95
_MAX_ELLIPSES = 15  # drawn; more would cover one another
_MAX_STEADY_CELLS = 400_000  # numbers of a table whose map is resampled
_STEADY_RESAMPLES = 20
_MAX_ROWS = 200  # of a map on which ellipses can be seen


def can_resample(subject: Subject) -> bool:
    """Whether rows can be resampled: not those of distances, counts, or a map that was read."""
    if "n_components" not in subject.estimator.get_params() or subject.X is None:
        return False
    return subject.method != "mds" and subject.content != "contingency"


def map_stability(subject: Subject, q: int, count: int, seed: int) -> "Stability":
    """Return the map of q axes over resamples."""
    estimator, X = clone(subject.estimator).set_params(n_components=q), subject.X
    if subject.table is not None:
        X = subject.table.to_numpy()
    return gm.stability.bootstrap(estimator, X, n_resamples=count, random_state=seed)


def row_ellipses(study: Study, rng: np.random.Generator) -> pd.DataFrame | None:
    """Return the ellipses of rows on the map over resamples, where they can be seen."""
    subject, fit, stability = study.subject, study.fit, study.stability
    if subject.n > _MAX_ROWS or subject.has_weights or fit.n_components_ < 2:
        return None
    if not study.has_columns:
        if stability is None or not calm(np.asarray(fit.coordinates_, dtype=float), rng):
            return None
        return stability.ellipses((1, 2))
    state = study.evidence.assumptions
    if state is None or state.scheme != "permutation":
        return None  # rows are not independent and identically distributed
    assert subject.table is not None
    X, F = table_values(fit, subject.table), np.asarray(fit.coordinates_, dtype=float)[:, :2]
    if not calm(X, rng):
        return None  # a few rows make them too small
    return ellipses(resampled_maps(X, F, study.resamples, rng, fit.scale), F, subject.index)


def steadiness(study: Study, rng: np.random.Generator) -> float | None:
    """Return the part of the variance of places on the map that resampled rows share."""
    # 1 where every row keeps its place among the others; axes that turn in the plane do no harm.
    subject, fit = study.subject, study.fit
    if subject.has_weights or fit.n_components_ < 2 or subject.content == "contingency":
        return None
    if study.has_columns:
        assert subject.table is not None
        if subject.table.size > _MAX_STEADY_CELLS or (subject.n > 3 * _MAX_ROWS):
            return None
        X, F = table_values(fit, subject.table), np.asarray(fit.coordinates_, dtype=float)[:, :2]
        maps = resampled_maps(X, F, _STEADY_RESAMPLES, rng, fit.scale)
    elif study.stability is not None and study.stability.coordinates.shape[2] >= 2:
        maps = study.stability.coordinates[:, :, :2]
    else:
        return None
    mean = np.nanmean(maps, axis=0)
    total = float(np.nanmean(np.nansum((maps - np.nanmean(mean, axis=0)) ** 2, axis=2)))
    own = float(np.nanmean(np.nansum((maps - mean) ** 2, axis=2)))
    return 1.0 - own / total if total > 0 else None


def resampled_maps(
    X: np.ndarray, F: np.ndarray, count: int, rng: np.random.Generator, scaled: bool
) -> np.ndarray:
    """Return the coordinates (B, n, 2) of all rows on the axes of resampled ones."""
    # Each resample gives rows a weight, the number of times they were drawn; its map is aligned
    # with that of all rows, F, by a rotation.
    n, maps = len(X), list[np.ndarray]()
    for weights in rng.multinomial(n, np.full(n, 1.0 / n), count):
        Z, V = weighted_axes(X, weights, 2, scaled=scaled)
        maps.append(Z @ V @ orthogonal_procrustes(Z @ V, F)[0])
    return np.array(maps)


def ellipses(maps: np.ndarray, F: np.ndarray, index: pd.Index) -> pd.DataFrame:
    """Return an ellipse around each row of a map, from its coordinates over resamples."""
    # The covariance of B coordinates of a row among n is n/(n − 1) times too small, and estimated
    # from B draws: the radius is that of Hotelling's T².
    B, n = maps.shape[:2]
    rest = maps - maps.mean(axis=0)
    covariance = np.einsum("bik,bil->ikl", rest, rest) / (B - 1) * n / max(n - 1, 1)
    radius2 = 2.0 * (B - 1) / (B - 2) * stats.f.ppf(_LEVEL, 2, B - 2)
    return ellipse_table(F, covariance, radius2, index)


def rows_with_ellipses(study: Study) -> np.ndarray:
    """Return the positions of the rows whose ellipses are drawn: those that contribute most."""
    contribution = study.fit.individuals()["contribution"].to_numpy()[:, :2].sum(axis=1)
    return np.sort(np.argsort(-contribution, kind="stable")[:_MAX_ELLIPSES])
