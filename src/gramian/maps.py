"""Maps of the same rows: the comparison of two, and the superposition of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, is_list, short, whole
from gramian._core.frames import in_order_of, labels_of
from gramian._core.table import table
from gramian._core.types import SeedLike
from gramian._core.views import Facts
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.foreign.outside import drawable
from gramian._nulls.corrections import ALPHA
from gramian._reading.positions import (
    N_NEIGHBORS,
    Sides,
    keep,
    misplacement,
    reference_ranks,
    reference_rows,
    squared_distances,
    worse_than_neighbours,
)
from gramian.errors import InputError
from gramian.stability import protest
from gramian.stability.procrustes import Procrustes

__all__ = ["Alignment", "Comparison", "align", "compare"]

_MIN_ROWS = 6
_MAX_ITER = 1_000
_TOLERANCE = 1e-12  # of the size of all maps, by which the loss must still decrease


@dataclass(frozen=True, eq=False)
class Comparison(Facts):
    """The similarity of two maps of the same rows, and the rows that differ.

    Attributes
    ----------
    correlation : float
        Procrustes correlation: 1 for maps equal up to translation, rotation, reflection and scale.
    p_value : float
        p-value of this correlation, for maps with shuffled rows.
    overlap : float
        The mean share of neighbours on one map that are neighbours on the other too.
    rows : DataFrame
        For each row its "distance" between the two maps after the fit, both of size 1; "shared",
        the share of its neighbours on the first map that it keeps on the second; "p_value"
        (corrected) and "differs", whether it has moved relative to its neighbours.
    fit : Procrustes
        The second map fitted to the first one, both brought to size 1.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> result = compare(gm.PCA(2).fit(X), gm.KernelPCA(2, kernel="linear").fit(X))
    >>> round(result.correlation, 6)
    1.0
    """

    correlation: float
    p_value: float
    overlap: float
    rows: pd.DataFrame = field(repr=False)
    fit: Procrustes = field(repr=False)


def compare(
    a: Any,
    b: Any,
    *,
    n_neighbors: int | None = None,
    n_permutations: int = 999,
    random_state: SeedLike = 0,
) -> Comparison:
    """Compare two maps of the same rows.

    Parameters
    ----------
    a, b : fitted estimators or arrays (n, q) and (n, r)
        Fits, maps read with `gm.read_map`, or coordinates; rows are paired by label where both have
        labels. The picture is `gm.plots.procrustes(a, b)`.
    n_neighbors : int, optional
        At most half of the rows; 15 by default, or a third of the rows.
    n_permutations : int
        Number of shuffles of the rows for `p_value`.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> result = gm.maps.compare(gm.PCA(2).fit(X), gm.PCA(2, scale=True).fit(X))
    >>> round(result.correlation, 2), round(result.overlap, 2)
    (0.95, 0.69)
    """
    (A, labels), (B, _) = _pair([a, b], ["a", "b"])
    test = protest(A, B, n_permutations=n_permutations, random_state=random_state)
    n = len(A)
    if n < _MIN_ROWS:
        raise InputError(f"a has {n} rows: at least {_MIN_ROWS} are required")
    k = min(N_NEIGHBORS, (n - 1) // 3)
    if n_neighbors is not None:
        k = whole(n_neighbors, "n_neighbors", 1, (n - 1) // 2, what="half of the rows")
    reference = reference_rows(np.arange(n), n)
    own = np.full(n, -1)
    own[reference] = np.arange(len(reference))
    A0, B0 = (M / np.abs(M).max() for M in (A - A.mean(axis=0), B - B.mean(axis=0)))
    sides = Sides(
        lambda rows: squared_distances(A0[rows], A0[reference], single=False),
        lambda rows: squared_distances(B0[rows], B0[reference], single=False),
        own,
    )
    kept = keep(sides, n, len(reference), min(k, (len(reference) - 1) // 2))
    excess = worse_than_neighbours(kept, reference_ranks(B0[reference]), own)
    p = misplacement(excess, excess)
    shared = (kept.ranks <= kept.ranks.shape[1]).mean(axis=1)
    rows = pd.DataFrame(
        {"distance": test.fit.residuals, "shared": shared, "p_value": p, "differs": p <= ALPHA},
        index=labels,
    )
    return Comparison(test.statistic, test.p_value, float(shared.mean()), rows, test.fit)


@dataclass(frozen=True, eq=False)
class Alignment:
    """Maps of the same rows superimposed by generalised Procrustes analysis.

    Attributes
    ----------
    maps : dict of DataFrame (n, q)
        The maps after translation, rotation, reflection and scaling.
    consensus : DataFrame (n, q)
        Their mean, on its own principal axes.
    agreement : float
        The share of the sum of squares of all maps explained by the consensus: 1 for equal maps.
    rows, table : DataFrame
        For each row its "spread", the root of the mean squared distance to the consensus, and
        "agreement"; for each map its "scale", "residual" sum of squares and "correlation" with the
        consensus.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> round(align([square, 2.0 * square[:, ::-1], square + 5.0]).agreement, 6)
    1.0
    """

    maps: dict[Any, pd.DataFrame] = field(repr=False)
    consensus: pd.DataFrame = field(repr=False)
    agreement: float
    rows: pd.DataFrame = field(repr=False)
    table: pd.DataFrame = field(repr=False)


def align(maps: Sequence[Any] | Mapping[Any, Any], *, scale: bool = True) -> Alignment:
    """Superimpose maps of the same rows: generalised Procrustes analysis (Gower 1975).

    Every map is centred; rotations, reflections and scales are those that bring the maps nearest
    to their mean, Σ|s_k·X_k·R_k − mean|², the sizes of all maps together being kept.

    Parameters
    ----------
    maps : list, or dict by name, of fitted estimators or arrays (n, q)
        At least two, as for `compare`; those with fewer columns get columns of zeros.
    scale : bool
        Whether maps may be rescaled; all are first brought to the same size.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> fits = {"raw": gm.PCA(2), "scaled": gm.PCA(2, scale=True), "kernel": gm.KernelPCA(2)}
    >>> result = gm.maps.align({name: fit.fit(X) for name, fit in fits.items()})
    >>> round(result.agreement, 2)
    0.93
    """
    flag(scale, "scale")
    if not isinstance(maps, Mapping) and not is_list(maps):
        raise InputError(f"maps={short(maps)} must be a list of maps, or a dict of them by name")
    named = dict(maps) if isinstance(maps, Mapping) else dict(enumerate(maps))
    if len(named) < 2:
        raise InputError(f"maps holds {len(named)}: give at least two")
    pairs = _pair(list(named.values()), [f"maps[{name!r}]" for name in named])
    labels, q = pairs[0][1], max(M.shape[1] for M, _ in pairs)
    X = np.stack([np.pad(M, ((0, 0), (0, q - M.shape[1]))) for M, _ in pairs])
    X = X - X.mean(axis=1, keepdims=True)
    sizes = np.sqrt(np.sum(X**2, axis=(1, 2)))
    if scale:
        X /= sizes[:, None, None]
    else:
        X /= np.sqrt(np.mean(sizes**2))
    Y, factors = _superpose(X, scale)
    centre = Y.mean(axis=0)
    V = np.linalg.svd(centre, full_matrices=False)[2].T
    Y, centre = Y @ V, centre @ V
    signs = np.where(centre[np.abs(centre).argmax(axis=0), np.arange(q)] < 0, -1.0, 1.0)
    Y, centre = Y * signs, centre * signs
    total = np.sum(Y**2)
    off = np.sum((Y - centre) ** 2, axis=2)  # (maps, rows)
    own = len(Y) * np.sum(centre**2, axis=1)
    axes = pd.Index(range(1, q + 1), name="axis")
    flat = [np.corrcoef(M.ravel(), centre.ravel())[0, 1] for M in Y]
    table_ = {"scale": factors, "residual": off.sum(axis=1), "correlation": flat}
    whole_ = own + off.sum(axis=0)
    shares = np.divide(own, whole_, out=np.ones(len(own)), where=whole_ > 0)
    rows = {"spread": np.sqrt(off.mean(axis=0)), "agreement": shares}
    return Alignment(
        {name: pd.DataFrame(M, labels, axes) for name, M in zip(named, Y, strict=True)},
        pd.DataFrame(centre, labels, axes),
        float(own.sum() / total),
        pd.DataFrame(rows, index=labels),
        pd.DataFrame(table_, index=pd.Index(list(named), name="map")),
    )


def _superpose(X: np.ndarray, scale: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return maps, (K, n, q), turned and scaled towards their mean, and the scales, (K,)."""
    Y, factors = X.copy(), np.ones(len(X))
    loss = np.inf
    for _ in range(_MAX_ITER):
        for k in range(len(Y)):  # each to the mean of the others, which never increases the loss
            rest = Y.sum(axis=0) - Y[k]
            U, _, Vt = np.linalg.svd(Y[k].T @ rest)
            Y[k] = Y[k] @ (U @ Vt)
        if scale:
            # The scales with Σ s²|X|² = Σ|X|² are the first eigenvector of the inner products.
            norm = np.sqrt(np.sum(Y**2, axis=(1, 2)))
            S = np.einsum("kij,lij->kl", Y, Y) / np.outer(norm, norm)
            vector = np.abs(np.linalg.eigh(S)[1][:, -1])
            step = vector * np.sqrt(np.sum(norm**2)) / norm
            Y *= step[:, None, None]
            factors *= step
        now = float(np.sum((Y - Y.mean(axis=0)) ** 2))
        if loss - now <= _TOLERANCE * len(Y):
            break
        loss = now
    return Y, factors


def _pair(maps: list[Any], names: list[str]) -> list[tuple[np.ndarray, pd.Index]]:
    """Return the coordinates of maps and the labels of their rows, in the order of the first."""
    read: list[tuple[np.ndarray, pd.Index]] = []
    first: Any = None
    for made, name in zip(maps, names, strict=True):
        given: Any = drawable(made)
        if isinstance(made := given, SpectralEstimator):
            if "record_" not in vars(made):
                raise InputError(f"{name}: {type(made).__name__} is not fitted: call fit first")
            given = np.asarray(to_numpy(made.coordinates_), dtype=float)
            if made.training_.index is not None:
                given = pd.DataFrame(given, index=made.training_.index)
        given = given if first is None else in_order_of(given, labels_of(first), name, names[0])
        first = given if first is None else first
        rows = table(given, name, allow_sparse=False)
        M = np.asarray(to_numpy(rows.values), dtype=float)
        if read and len(M) != len(read[0][0]):
            raise InputError(f"{name} has {len(M)} rows but {names[0]} has {len(read[0][0])}")
        if not np.ptp(M, axis=0).any():
            raise InputError(f"{name}: all its points are the same: there is nothing to compare")
        read.append((M, pd.RangeIndex(len(M)) if rows.index is None else rows.index))
    return read
