"""The number of rows needed for reproducible axes, loadings, classes or maps."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

from gramian._core.array import to_numpy
from gramian._core.check import generator, one_of, share, whole
from gramian._core.types import RowsLike, SeedLike
from gramian._estimators.fit import Fit
from gramian._estimators.foreign import outside
from gramian.clusters.find import find
from gramian.errors import InputError
from gramian.networks.learning import FAMILIES, Recommendation, change_of, limited, recommend
from gramian.stability.replicate import reference_fit

WHAT = ("axes", "loadings", "clusters", "map")
_N_SIZES = 5
_N_GROUPS = 10  # of rows, each left out in turn: the jackknife that gives the standard error
_ERROR_FACTOR = 1.8  # of jackknife errors: without it intervals held 67 to 91 % of true numbers
_MIN_ERROR = 0.02  # a few orders that all agree by 1 do not show the agreement to be exactly 1
_HALF = 0.45  # of the rows in each of two samples: a tenth can be left out and none are shared
_HELD_OUT = 0.36  # the same where the rows in neither sample are needed, to be placed on both maps
_MIN_LARGEST = 8  # rows of the largest samples that are compared
_NOISE = 20  # pairs of random configurations whose agreement is that of chance

# An axis of r rows is off by an angle of variance c/r once r is large: the log-odds of cos² then
# rise by log r, b = 1 and c = 0. Nearer to where an axis is lost they rise faster. Spreads leave
# room for half and twice that. Axes with equal eigenvalues never agree: see `limited`.
_LAWS: dict[str, dict[str, Any]] = {
    "log-odds": {"mean": (1.3, -0.05), "sd": (0.4, 0.2)},
    "probit": {"mean": (0.75, -0.03), "sd": (0.23, 0.12)},
}
_FAMILIES = {
    name: FAMILIES[name]._replace(**law, trend=(0.0, 0.0), correlation=0.3)
    for name, law in _LAWS.items()
}
_CURVES = _FAMILIES | limited(_FAMILIES, ceilings=(0.6, 0.75), weight=0.01)


@dataclass(frozen=True)
class SamplesNeeded:
    """The number of rows with which another sample would give the same result.

    Attributes
    ----------
    recommended : int or None
        The smallest number of rows with the required agreement; None if there is no answer.
    interval : (int, float)
        Interval at `level`, with an infinite upper limit if the data do not determine one.
    curve : DataFrame, one row per size
        "agreement" of two independent samples of this many rows by the learning curves, with
        "agreement_low" and "agreement_high"; "seen", whether two disjoint samples of this size were
        compared, and "observed", their mean agreement. For axes, that of the worst axis.
    axes : DataFrame, one row an axis
        "recommended" (NaN for none), "low" and "high" of each axis; empty unless `what` is "axes".
    reason : str
        Why there is no number: "chance" (two samples were not shown to agree more than at random;
        more `n_resamples` make the error smaller), "far" (out of reach of these data), or "".
    n : int
        The number of rows of X.
    what, target, level
        As requested.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> needed = gm.stability.samples_needed(gm.PCA(1), X, n_resamples=2, random_state=0)
    >>> needed.recommended <= needed.n
    True
    """

    recommended: int | None
    interval: tuple[int, float]
    curve: pd.DataFrame
    axes: pd.DataFrame
    reason: str
    n: int
    what: str
    target: float
    level: float

    def __repr__(self) -> str:
        low, high = self.interval
        end = "…" if np.isinf(high) else f"{high:.0f}"
        return (
            f"SamplesNeeded({self.what}: {self.recommended} rows, {low} to {end}; X has {self.n})"
        )


def samples_needed(
    estimator: BaseEstimator,
    X: RowsLike,
    what: Literal["axes", "loadings", "clusters", "map"] = "axes",
    *,
    target: float = 0.8,
    level: float = 0.95,
    n_clusters: int | None = None,
    n_resamples: int = 10,
    random_state: SeedLike = None,
) -> SamplesNeeded:
    """Estimate how many rows are needed for two independent samples to agree.

    Disjoint samples of r rows are drawn from X, the estimator is fitted to both, and what they
    share, from 0 to 1, is the agreement at r. It is observed up to 45 % of the rows (36 % where
    other rows are needed to compare the two), with a jackknife error, and continued by learning
    curves, as in `networks.replicate_study`. The result is the least r with at least this
    agreement.

    Parameters
    ----------
    estimator : PCA, KernelPCA, … , not necessarily fitted
        The estimator, with a number of axes; "clusters" and "map", and "axes" without
        `components_`, need `transform`.
    X : table (n, p)
        A table like the one that will be collected.
    what : "axes", "loadings", "clusters" or "map"
        "axes": each axis by itself, cos² of the angle between the directions of both samples (of
        maps without `components_`, the squared correlation of the coordinates of other rows); the
        axis that needs most rows decides. "loadings": loadings (directions times the square roots
        of eigenvalues) after rotation, 1 − the symmetric Procrustes statistic, so that axes may
        turn into each other. "clusters": the classes that both samples assign to other rows,
        by the adjusted Rand index. "map": the coordinates of other rows, 1 − the symmetric
        Procrustes statistic.
    target : float
        The agreement that is enough; 0.8 for an axis is an angle of 27 degrees.
    level : float
        Coverage of the intervals.
    n_clusters : int, optional
        For "clusters"; by default as many as `clusters.find` finds in all rows.
    n_resamples : int
        Number of random orders of the rows, each with 22 fits for each of five sizes.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 6)) + 1.5 * rng.standard_normal((60, 1))
    >>> needed = gm.stability.samples_needed(gm.PCA(1), X, random_state=0)
    >>> needed.recommended, needed.reason
    (8, '')
    """
    one_of(what, "what", WHAT)
    share(target, "target")
    share(level, "level")
    whole(n_resamples, "n_resamples", 2)
    if n_clusters is not None:
        whole(n_clusters, "n_clusters", 2)
    fit, full = reference_fit(estimator, X)
    n, q = full.coordinates.shape
    if q == 0:
        raise InputError("X has no axis: its rows do not differ")
    if fit.is_precomputed:
        raise InputError("X is a square table: new rows have no place in it, give the rows")
    view = _view(what, fit, full.directions is not None, n_clusters)
    largest = int((_HALF if view is _directions or view is _loadings else _HELD_OUT) * n)
    if largest < max(_MIN_LARGEST, q + 3):
        raise InputError(
            f"X has {n} rows, of which samples of {largest} can be compared: at least "
            f"{max(_MIN_LARGEST, q + 3)} are needed; give more rows"
        )
    sizes = np.unique(np.geomspace(max(4, q + 2), largest, _N_SIZES).round().astype(int))
    halves = _Halves(outside.as_estimator(estimator), X, q, n, view)
    parts = _compare(halves, sizes, n_resamples, generator(random_state))
    chance = _chance(view, full.directions, q, n - 2 * largest)
    answers = [_answer(part, sizes, chance, target, level) for part in parts]
    hardest = max(answers, key=lambda a: (a.size or np.inf, a.low))
    curve = hardest.curve(sizes.tolist(), level)
    curve.loc[sizes, "observed"] = 1.0 - parts[answers.index(hardest)][0].mean(axis=1)
    return SamplesNeeded(
        recommended=hardest.size,
        interval=(hardest.low, hardest.high),
        curve=curve,
        axes=_axes(answers if what == "axes" else []),
        reason=hardest.reason,
        n=n,
        what=what,
        target=target,
        level=level,
    )


View = Callable[[Fit, Fit, Any], np.ndarray]


def _view(what: str, fit: Fit, linear: bool, n_clusters: int | None) -> View:
    """Return how two fits are compared, given the rows that neither was fitted to."""
    if what == "loadings" and not linear:
        name = type(fit).__name__
        raise InputError(f'what="loadings" needs components_, which {name} has not: use what="map"')
    if linear and what in ("axes", "loadings"):
        return _directions if what == "axes" else _loadings
    if not hasattr(fit, "transform"):
        raise InputError(
            f"{type(fit).__name__} has no transform, which what={what!r} needs to place the rows "
            "of one sample on the map of the other: use an estimator that has one"
        )
    if what != "clusters":
        return _coordinates if what == "axes" else _maps
    count = find(fit).n_clusters if n_clusters is None else whole(n_clusters, "n_clusters", 2)
    if count < 2:
        raise InputError("n_clusters: no classes were found in all rows: give their number")
    return lambda a, b, rest: _classes(a, b, rest, count)


def _directions(a: Fit, b: Fit, rest: Any) -> np.ndarray:
    """Return cos² of the angle between the axes of two fits, one by one."""
    A, B = _components(a), _components(b)
    return np.asarray((A * B).sum(axis=0) ** 2)


def _components(fit: Any) -> np.ndarray:
    V = np.asarray(to_numpy(fit.components_), dtype=float).T
    length = np.linalg.norm(V, axis=0)
    return np.asarray(V / np.where(length > 0, length, 1.0))


def _loadings(a: Fit, b: Fit, rest: Any) -> np.ndarray:
    A, B = (_components(f) * np.sqrt(np.maximum(np.asarray(f.axis_inertias), 0.0)) for f in (a, b))
    return _shared(A, B, centred=False)


def _coordinates(a: Fit, b: Fit, rest: Any) -> np.ndarray:
    A, B = (Z - Z.mean(axis=0) for Z in (_place(a, rest), _place(b, rest)))
    size = (A**2).sum(axis=0) * (B**2).sum(axis=0)
    return np.asarray((A * B).sum(axis=0) ** 2 / np.where(size > 0, size, 1.0))


def _maps(a: Fit, b: Fit, rest: Any) -> np.ndarray:
    return _shared(_place(a, rest), _place(b, rest), centred=True)


def _classes(a: Fit, b: Fit, rest: Any, count: int) -> np.ndarray:
    from sklearn.metrics import adjusted_rand_score  # a third of a second

    classes = [find(f, count).predict(rest) for f in (a, b)]
    return np.array([adjusted_rand_score(*classes)])


def _place(fit: Any, rows: Any) -> np.ndarray:
    return np.asarray(to_numpy(fit.transform(rows)), dtype=float)


def _shared(A: np.ndarray, B: np.ndarray, centred: bool) -> np.ndarray:
    """Return 1 − the symmetric Procrustes statistic: (Σ singular values of AᵀB)²/(|A|²|B|²)."""
    if centred:
        A, B = A - A.mean(axis=0), B - B.mean(axis=0)
    size = float((A**2).sum() * (B**2).sum())
    values = np.linalg.svd(A.T @ B, compute_uv=False)
    return np.array([values.sum() ** 2 / size if size > 0 else 0.0])


@dataclass(frozen=True, eq=False)
class _Halves:
    """Two disjoint samples of the rows, fitted and compared."""

    estimator: BaseEstimator
    X: RowsLike
    q: int
    n: int
    view: View

    def compare(self, order: np.ndarray, r: int) -> np.ndarray:
        """Return what the fits to the first r and to the last r rows of an order share."""
        first, last, rest = order[:r], order[len(order) - r :], order[r : len(order) - r]
        a, b = (self._fit(np.sort(rows)) for rows in (first, last))
        return self.view(a, b, self._rows(np.sort(rest)) if rest.size else None)

    def _rows(self, rows: np.ndarray) -> Any:
        table: Any = self.X if hasattr(self.X, "shape") else np.asarray(self.X)
        return getattr(table, "iloc", table)[rows]

    def _fit(self, rows: np.ndarray) -> Fit:
        fixed = clone(self.estimator).set_params(n_components=self.q)
        fit = outside.as_fit(fixed.fit(self._rows(rows)))
        assert fit is not None  # as the fit to all rows
        return fit


Part = tuple[np.ndarray, np.ndarray]  # changes (sizes, orders), and without a group (…, groups)


def _compare(halves: _Halves, sizes: np.ndarray, B: int, rng: np.random.Generator) -> list[Part]:
    """Return 1 − agreement, of each axis or of all at once, in random orders of the rows."""
    orders = [rng.permutation(halves.n) for _ in range(B)]
    group = rng.permutation(halves.n) % _N_GROUPS
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit to all rows has said what there is to say
        for r in map(int, sizes):
            for order in orders:
                found.append([halves.compare(order, r)])
                for g in range(_N_GROUPS):
                    found[-1].append(halves.compare(order[group[order] != g], r))
    change = 1.0 - np.array(found).reshape(len(sizes), B, 1 + _N_GROUPS, -1)
    return [(c[:, :, 0], c[:, :, 1:]) for c in np.moveaxis(change, 3, 0)]


def _answer(
    part: Part, sizes: np.ndarray, chance: float, target: float, level: float
) -> Recommendation:
    each = [
        change_of({"change": c, "change_without": w.T}, np.zeros(_N_GROUPS, dtype=int))
        for c, w in zip(*part, strict=True)
    ]
    change, variance = np.array(each).T
    errors = np.maximum(_ERROR_FACTOR * np.sqrt(variance), _MIN_ERROR)
    df = _N_GROUPS - 1
    return recommend(sizes, 1.0 - change, errors, chance, target, level, df, families=_CURVES)


def _chance(view: View, directions: np.ndarray | None, q: int, rest: int) -> float:
    """Return how far random configurations agree."""
    if view is _directions and directions is not None:
        return 1.0 / len(directions)
    if view is _coordinates:
        return 1.0 / max(rest - 1, 1)
    if view not in (_loadings, _maps):
        return 0.0
    rng = np.random.default_rng(0)
    m = rest if directions is None or view is _maps else len(directions)
    pairs = rng.standard_normal((_NOISE, 2, m, q))
    return float(np.mean([_shared(A, B, centred=view is _maps) for A, B in pairs]))


def _axes(answers: list[Recommendation]) -> pd.DataFrame:
    rows = [{"recommended": a.size, "low": a.low, "high": a.high} for a in answers]
    columns = ["recommended", "low", "high"]
    index = pd.RangeIndex(1, len(rows) + 1, name="axis")
    return pd.DataFrame(rows, columns=columns, index=index).astype(float)
