"""Bootstrap and jackknife of any map of points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import linalg, stats
from sklearn.base import BaseEstimator

from gramian._core.check import generator, share, warn, whole
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.types import RowsLike, SeedLike
from gramian._estimators.fit import Fit
from gramian._nulls.draws import bootstrap_counts
from gramian._reading.cloud import axes_frame, ellipse_table, two_axes
from gramian._reading.summary import facts_html, sections
from gramian.errors import TiedAxesWarning
from gramian.evidence.directions import join_pairs
from gramian.evidence.shapes import tail_p_values
from gramian.stability.procrustes import largest_angle, procrustes, rotate_to
from gramian.stability.replicate import Replicate, reference_fit, replicates

_TAIL = 0.01  # level at which a component has long tails
_APART = float(np.sqrt(2.0 * stats.chi2.ppf(0.95, 2)))  # sampling errors between two eigenvalues
_SHOWN = 10  # axes


@dataclass(frozen=True)
class Stability:
    """The variation of eigenvalues, axes and points over resampled rows.

    Attributes
    ----------
    eigenvalues : DataFrame, one row an axis
        "estimate", "mean", "bias", "sd", "low" and "high" (an interval of that level, NaN
        where it would not cover).
    axes : DataFrame, one row an axis
        "angle": with the axis of resampled rows, in degrees, the median over resamples; in the
        space of the variables where the map has `components_` (PCA), else between coordinates,
        which hide about half of it; "subspace": the same for the largest angle between the spaces
        of axes 1 to k; "subspace_high": its quantile of order `level`; "identified": whether the
        axis is determined by itself.
    points : DataFrame, one row a point
        Columns (measure, axis): "coordinate" (all rows), "mean" and "sd" over resamples.
    covariances : array (n, q, q)
        Of each point over resamples, after Procrustes alignment.
    unidentified : list of tuples of axes
        Groups of axes whose eigenvalues cannot be distinguished: only their span is stable.
    coordinates : array (B, n, q)
        The aligned replicates; NaN if a point is not placed in one.
    level : float
        Coverage of the intervals.
    method : "bootstrap" or "jackknife"

    Examples
    --------
    >>> stability = gm.stability.bootstrap(gm.PCA(2), gm.datasets.iris().data, n_resamples=20)
    >>> stability.axes["identified"].tolist(), stability.coordinates.shape
    ([True, True], (20, 150, 2))
    """

    eigenvalues: pd.DataFrame
    axes: pd.DataFrame
    points: pd.DataFrame
    covariances: np.ndarray
    unidentified: list[tuple[int, ...]]
    coordinates: np.ndarray
    level: float
    method: str

    def __repr__(self) -> str:
        """Say for each axis how its eigenvalue and its direction vary."""
        B, n = self.coordinates.shape[:2]
        shown = self.eigenvalues[["estimate", "low", "high"]].join(
            self.axes[["angle", "subspace", "identified", *self.axes.columns[4:]]]
        )
        lines = [f"{self.method} of {n} points, {B} replicates, level {self.level:g}"]
        lines.append(shown.iloc[:_SHOWN].to_string(float_format=lambda x: f"{x:.4g}"))
        if len(shown) > _SHOWN:
            lines.append(f"… ({len(shown)} axes)")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return the same for notebooks, every number of the eigenvalues and axes."""
        B, n = self.coordinates.shape[:2]
        facts = {"points": str(n), "replicates": str(B), "level": f"{self.level:g}"}
        if self.unidentified:
            facts["axes that only span a space"] = ", ".join(map(str, self.unidentified))
        tables = {"Eigenvalues": self.eigenvalues, "Axes": self.axes}
        shown = {name: table.iloc[:_SHOWN].round(4) for name, table in tables.items()}
        return "\n".join([facts_html(self.method.capitalize(), facts), *sections(shown)])

    def ellipses(self, axes: tuple[int, int] = (1, 2), level: float | None = None) -> pd.DataFrame:
        """Return the confidence ellipse of each point in the plane of two axes.

        Parameters
        ----------
        axes : two axes, counted from 1
            The plane of the ellipses.
        level : float, optional
            Share of normal replicates inside; the level of the study by default.

        Returns
        -------
        DataFrame
            "x" and "y", the centre; "major" and "minor", half axes; "angle" of the major one with
            the first axis, in degrees.

        Examples
        --------
        >>> X = gm.datasets.iris().data
        >>> study = gm.stability.bootstrap(gm.PCA(2), X, n_resamples=20)
        >>> study.ellipses().shape
        (150, 5)
        """
        level = self.level if level is None else level
        pair = two_axes(axes, self.covariances.shape[1], level)
        S = self.covariances[:, pair[:, None], pair[None, :]]
        centre = self.points["mean"].to_numpy()[:, pair]
        return ellipse_table(centre, S, stats.chi2.ppf(level, 2), self.points.index)


def bootstrap(
    estimator: BaseEstimator,
    X: RowsLike,
    *,
    n_resamples: int = 200,
    level: float = 0.95,
    random_state: SeedLike = None,
) -> Stability:
    """Measure the stability of an estimator by the bootstrap.

    Each resample gives every row a weight, the number of times it was drawn; rows that were not
    drawn are projected, so that each map shows all points. The maps are rotated to that of all rows
    by Procrustes analysis (without scaling) before points are compared.

    Parameters
    ----------
    estimator : PCA, KernelPCA, ClassicalMDS, … , not necessarily fitted
        The estimator; if its `fit` takes no weights, it is fitted to each drawn row once.
    X : table (n, p)
        The rows, or a kernel or distance matrix if the estimator takes one.
    n_resamples : int
        Number of resampled tables.
    level : float
        Level of the intervals (quantiles over resamples, corrected for bias) and ellipses. An
        eigenvalue has no interval (NaN) with fewer than two rows per column, or if its component
        has long tails, as reported in the column "note" of `axes`.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> study = gm.stability.bootstrap(gm.PCA(2), X, n_resamples=50)
    >>> bool(study.axes.loc[1, "angle"] < 5)
    True
    """
    share(level, "level")
    whole(n_resamples, "n_resamples", 2)
    fit, full = reference_fit(estimator, X)
    n, q = full.coordinates.shape
    _require_memory(n_resamples, n, q)
    counts = bootstrap_counts(n_resamples, n, q, generator(random_state))
    maps = replicates(estimator, X, counts, q, fit)
    values = np.array([r.eigenvalues for r in maps])
    tail = 0.5 * (1.0 - level)
    table = {"estimate": full.eigenvalues, "mean": values.mean(axis=0)}
    table |= {"bias": table["mean"] - full.eigenvalues, "sd": values.std(axis=0, ddof=1)}
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    # Eigenvalues of a resample lie as far above those of the rows as these lie above the truth.
    with np.errstate(invalid="ignore", divide="ignore"):
        back = np.where(table["mean"] != 0, full.eigenvalues / table["mean"], 1.0) ** 2
    note = _interval_notes(full)
    shown = np.where([bool(text) for text in note], np.nan, back)
    table |= {"low": low * shown, "high": high * shown}
    return _study(fit, full, maps, table, 1.0, level, "bootstrap", note)


def jackknife(
    estimator: BaseEstimator,
    X: RowsLike,
    *,
    n_groups: int | None = None,
    level: float = 0.95,
    random_state: SeedLike = None,
) -> Stability:
    """Measure the stability of an estimator by the jackknife, leaving out one row at a time.

    The standard error of a number θ is √((g − 1)/g·Σ(θ_j − mean)²) over the g fits, its bias
    (g − 1)·(mean − θ), and intervals are normal, around θ. A row that is left out is projected.

    Parameters
    ----------
    estimator, X, level
        As for `bootstrap`.
    n_groups : int, optional
        Number of random groups, left out one at a time, instead of single rows.
    random_state : int, Generator or RandomState, optional
        Seed of the random groups.

    Examples
    --------
    >>> X = [[0.0, 0.0], [4.0, 0.1], [2.0, 0.3], [1.0, 0.2], [6.0, 0.1], [9.0, 0.2]]
    >>> gm.stability.jackknife(gm.PCA(1), X).eigenvalues["estimate"].round(3).tolist()
    [9.556]
    """
    share(level, "level")
    fit, full = reference_fit(estimator, X)
    n, q = full.coordinates.shape
    g = n if n_groups is None else whole(n_groups, "n_groups", 2, n, what="the rows")
    _require_memory(g, n, q)
    group = np.arange(n) if g == n else generator(random_state).permutation(n) % g
    counts = (group[None, :] != np.arange(g)[:, None]).astype(float)
    maps = replicates(estimator, X, counts, q, fit)
    values = np.array([r.eigenvalues for r in maps])
    mean = values.mean(axis=0)
    sd = np.sqrt((g - 1) / g * ((values - mean) ** 2).sum(axis=0))
    z = stats.norm.ppf(0.5 + 0.5 * level)
    table = {"estimate": full.eigenvalues, "mean": mean}
    table |= {"bias": (g - 1) * (mean - full.eigenvalues), "sd": sd}
    table |= {"low": full.eigenvalues - z * sd, "high": full.eigenvalues + z * sd}
    # (g − 1)/g·Σ = (g − 1)²/g times the variance with divisor g − 1.
    return _study(fit, full, maps, table, (g - 1) ** 2 / g, level, "jackknife")


def _interval_notes(full: Replicate) -> list[str]:
    """Return why the interval of an axis of a projection would not cover, empty where it does."""
    # With fewer than two rows a column eigenvalues grow in every resample as they did in the data,
    # and where components have long tails a few rows hold what the others do not show.
    q = full.coordinates.shape[1]
    if full.directions is None:
        return [""] * q
    n, p = len(full.coordinates), len(full.directions)
    if n < 2 * p:
        return ["no interval: fewer than two rows a column"] * q
    long = tail_p_values(full.coordinates)[1] <= _TAIL if n >= 8 else np.zeros(q, dtype=bool)
    return ["no interval: long tails" if flag else "" for flag in long]


def _require_memory(B: int, n: int, q: int) -> None:
    remedy = "ask for fewer resamples or axes"
    require_memory(16 * B * n * q, budget_bytes(None), f"{B} maps of {n} points", remedy)


def _study(
    fit: Fit,
    full: Replicate,
    maps: list[Replicate],
    table: dict[str, np.ndarray],
    inflation: float,
    level: float,
    method: str,
    note: Sequence[str] = (),
) -> Stability:
    Z = full.coordinates
    names = pd.RangeIndex(1, Z.shape[1] + 1, name="axis")
    eigenvalues = pd.DataFrame(table, index=names)
    groups = _tie_groups(full, table["sd"])
    aligned = _align(Z, np.array([r.coordinates for r in maps]))
    points, covariances = _points(Z, aligned, inflation, fit.row_labels)
    single, span = (np.degrees(angles) for angles in _angles(full, maps, len(names)))
    axes = {"angle": np.median(single, axis=0), "subspace": np.median(span, axis=0)}
    axes |= {"subspace_high": np.quantile(span, level, axis=0)}
    axes |= {"identified": np.array([all(k not in group for group in groups) for k in names])}
    if any(note):
        axes["note"] = np.array(note, dtype=object)
    if groups:
        some = "; ".join(", ".join(map(str, group)) for group in groups[:5])
        warn(
            f"axes {some} have eigenvalues that cannot be distinguished: only the "
            "space that each such group spans is stable, not its axes",
            TiedAxesWarning,
        )
    tables = eigenvalues, pd.DataFrame(axes, index=names), points
    return Stability(*tables, covariances, groups, aligned, level, method)


def _tie_groups(full: Replicate, sd: np.ndarray) -> list[tuple[int, ...]]:
    """Return groups of axes whose eigenvalues chance could have set apart (after North 1982)."""
    # Those of n rows with one eigenvalue differ by g, g²/(2·sd²) ~ χ²₂, sd being that of their
    # mean: up to 3.5 sampling errors, a limit of 5 %, they may be one.
    values = np.abs(np.append(full.eigenvalues, full.beyond))
    pairs = []
    for k in range(len(sd)):
        one = 0.5 * (1.0 + values[k + 1] / values[k]) * sd[k] if values[k] > 0 else 0.0
        if values[k] - values[k + 1] < _APART * one:  # false for NaN
            pairs.append((k + 1, k + 2))
    return join_pairs(pairs)


def _align(Z: np.ndarray, maps: np.ndarray) -> np.ndarray:
    """Return replicates, (B, n, q), laid on the map of all rows by the points that they have."""
    if not np.isnan(maps).any() and np.ptp(maps, axis=1).any(axis=1).all():
        return rotate_to(Z, maps)
    moved = np.full_like(maps, np.nan)
    for Y, out in zip(maps, moved, strict=True):
        seen = ~np.isnan(Y).any(axis=1)
        out[seen] = procrustes(Z[seen], Y[seen], scale=False).fitted
    return moved


def _points(
    Z: np.ndarray, aligned: np.ndarray, inflation: float, index: pd.Index | None
) -> tuple[pd.DataFrame, np.ndarray]:
    seen = ~np.isnan(aligned)
    count = np.maximum(seen[:, :, 0].sum(axis=0), 1)[:, None]
    mean = np.where(seen, aligned, 0.0).sum(axis=0) / count
    rest = np.where(seen, aligned - mean, 0.0)
    divisor = np.maximum(count - 1, 1)[:, :, None]
    covariances = np.einsum("bik,bil->ikl", rest, rest) / divisor * inflation
    sd = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    labels = pd.RangeIndex(len(Z)) if index is None else index
    return axes_frame({"coordinate": Z, "mean": mean, "sd": sd}, labels, {}), covariances


def _angles(full: Replicate, maps: list[Replicate], q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the angles between single axes and between spaces of axes 1 to k, (B, q) each."""
    sides = [_sides(full, replicate) for replicate in maps]
    single, span = np.empty((len(maps), q)), np.empty((len(maps), q))
    # Maps of the same points are compared together, those without a null axis.
    alike = [b for b, pair in enumerate(sides) if pair[0].shape == sides[0][0].shape]
    alike = [b for b in alike if all(M.any(axis=0).all() for M in sides[b])]
    if alike:
        A, B = (np.array([sides[b][k] for b in alike]) for k in (0, 1))
        for k in range(q):
            single[alike, k] = largest_angle(A[:, :, k : k + 1], B[:, :, k : k + 1])
            span[alike, k] = largest_angle(A[:, :, : k + 1], B[:, :, : k + 1])
    for b in set(range(len(maps))) - set(alike):
        for k in range(q):
            single[b, k] = _angle(*(M[:, k : k + 1] for M in sides[b]))
            span[b, k] = _angle(*(M[:, : k + 1] for M in sides[b]))
    return single, span


def _angle(A: np.ndarray, B: np.ndarray) -> float:
    """Return the largest angle between two subspaces; an axis without inertia has no direction."""
    angles = linalg.subspace_angles(A, B)
    return float(angles[0]) if angles.size else 0.5 * np.pi


def _sides(full: Replicate, replicate: Replicate) -> tuple[np.ndarray, np.ndarray]:
    """Return the axes of both as columns: directions of the variables, or else coordinates."""
    # Coordinates of the same rows agree more than the axes do: about half of the angle is hidden.
    if full.directions is not None and replicate.directions is not None:
        return full.directions, replicate.directions
    seen = ~np.isnan(replicate.coordinates).any(axis=1)
    A, B = (M[seen] - M[seen].mean(axis=0) for M in (full.coordinates, replicate.coordinates))
    return A, B
