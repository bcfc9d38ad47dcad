"""The table of points, and what is lost of them when only the first axes are kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from gramian._core.check import generator, is_list, short, whole
from gramian._core.parallel import row_blocks
from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.summary import few_numbers
from gramian.errors import InputError

_SAMPLE_POINTS = 2_000  # whose neighbourhoods are looked at, among all others
_BLOCK_ENTRIES = 1 << 22


def individuals(cloud: Cloud, n_axes: int | None = None) -> pd.DataFrame:
    """Return f, cos² = f²/d², qualities and contributions: p f²/λ to axes, p d²/inertia in all.

    With `n_axes` the measures are those of the first axes alone.
    """
    squares, values = cloud.squares[:, :n_axes], cloud.values[:n_axes]
    cos2 = ratio(squares, cloud.norm2[:, None])
    measures = {
        "coordinate": cloud.to_data_units(cloud.coordinates)[:, :n_axes],
        "cos2": cos2,
        "quality": np.cumsum(cos2, axis=1),
    }
    single: dict[tuple[str, str], np.ndarray] = {}
    if cloud.weights is not None:
        parts = cloud.weights[:, None] * squares
        whole = cloud.weights * cloud.norm2
        # Divided by their own sum, which is |λ|: the sum is then 1 in single precision too.
        measures["contribution"] = ratio(parts, np.where(values == 0, 0.0, parts.sum(axis=0)))
        single["contribution", "total"] = ratio(whole, whole.sum())
    single["distance2", ""] = cloud.public(cloud.distance2)
    return axes_frame(measures, cloud.labels, single)


@dataclass(frozen=True)
class ReconstructionError:
    """The reconstruction error of points from their first q axes.

    Attributes
    ----------
    total : Series, indexed by q = 0, 1, …
        The weighted mean of the squared distances to the projections: the inertia that is not
        explained. For new points the mean over the rows.
    points : DataFrame (n, q + 1)
        The squared distance of each point to its projection.
    """

    total: pd.Series
    points: pd.DataFrame

    def __repr__(self) -> str:
        n = len(self.points)
        return f"ReconstructionError(total={few_numbers(self.total)}, of {n} points)"

    @property
    def relative(self) -> pd.Series:
        """The total as a share of that for q = 0: 1 − χ_q."""
        first = self.total.iloc[0]
        return (self.total / first if first > 0 else 0.0 * self.total).rename("relative error")

    @property
    def norm(self) -> pd.Series:
        """E_q = |A − A_q|, of the table A and its rows put back from q axes, each counted once.

        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.reconstruction_error().norm.round(3).tolist()
        [3.742, 2.449, 0.0]
        """
        return np.sqrt(self.points.sum(axis=0)).rename("error norm")


def reconstruction_error(cloud: Cloud) -> ReconstructionError:
    """Return d_i² − Σ_{k≤q} f_ik² for q = 0, 1, …, and its mean."""
    n, q = cloud.coordinates.shape
    explained = np.concatenate([np.zeros((n, 1)), np.cumsum(cloud.squares, axis=1)], axis=1)
    points = np.maximum(cloud.norm2[:, None] - explained, 0.0)
    axis = pd.RangeIndex(q + 1, name="q")
    return ReconstructionError(
        pd.Series(cloud.public(_total(cloud, points)), index=axis, name="error"),
        pd.DataFrame(cloud.public(points), index=cloud.labels, columns=axis),
    )


def _total(cloud: Cloud, points: np.ndarray) -> np.ndarray:
    """Return the mean of the points' errors; for a fit it is the trace less the eigenvalues."""
    if cloud.weights is None:
        return points.mean(axis=0)
    s = cloud.spectrum
    whole = s.total if s.negative == 0 else float(cloud.weights @ cloud.norm2)
    explained = np.cumsum(np.concatenate([[0.0], np.abs(s.values)]))
    rest = whole - explained
    # What is left of the inertia after the last axis is 0, or a number of this size.
    return np.where(rest > 4.0 * len(explained) * 2.0**-52 * whole, rest, 0.0)


def preservation(
    X: np.ndarray, Z: np.ndarray, n_neighbors: int | Sequence[int] | None
) -> pd.DataFrame:
    """Return trustworthiness and continuity (Venna and Kaski 2001) of the k nearest neighbours."""
    # With r(i, j) the rank of j among the neighbours of i in X, trustworthiness is 1 − 2/(nk(2n −
    # 3k − 1))·Σ (r(i, j) − k) over the j that are among the k nearest of i on the map but not in X:
    # 1 where no neighbour on the map is false. Continuity exchanges X and Z.
    n = len(X)
    ks = _sizes(n_neighbors, n)
    some = np.arange(n)
    if n > _SAMPLE_POINTS:
        some = np.sort(generator(0).choice(n, _SAMPLE_POINTS, replace=False))
    lost = np.zeros((len(ks), 2))
    for rows in row_blocks(len(some), max(1, _BLOCK_ENTRIES // n)):
        there, here = _ranks(X, some[rows]), _ranks(Z, some[rows])
        for i, k in enumerate(ks):
            lost[i] += _excess(there, here, k), _excess(here, there, k)
    scale = np.array([2.0 / (len(some) * k * (2.0 * n - 3.0 * k - 1.0)) for k in ks])
    return pd.DataFrame(
        1.0 - scale[:, None] * lost,
        index=pd.Index(ks, name="neighbours"),
        columns=["trustworthiness", "continuity"],
    )


def _sizes(n_neighbors: int | Sequence[int] | None, n: int) -> list[int]:
    most = (n - 1) // 2
    if n_neighbors is None:
        known: Sequence[Any] = [k for k in (5, 15, 50) if k <= most] or [max(1, most)]
    else:
        known = list(cast(Sequence[int], n_neighbors)) if is_list(n_neighbors) else [n_neighbors]
    if not known or n < 4:
        raise InputError(f"n_neighbors={short(n_neighbors)}: give at least one, of 4 rows or more")
    return [whole(k, "n_neighbors", 1, most, what="half of the rows") for k in known]


def _ranks(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the rank of every point among the neighbours of some, 0 for the point itself."""
    centred = X - X.mean(axis=0)
    squares = np.sum(centred**2, axis=1)
    D = squares[None, :] - 2.0 * centred[rows] @ centred.T
    D[np.arange(len(rows)), rows] = -np.inf
    ranks = np.empty(D.shape, dtype=np.int64)
    order = np.argsort(D, axis=1, kind="stable")
    np.put_along_axis(ranks, order, np.arange(D.shape[1])[None, :], axis=1)
    return ranks


def _excess(true: np.ndarray, shown: np.ndarray, k: int) -> float:
    """Return by how much the ranks of false neighbours exceed k."""
    false = (shown >= 1) & (shown <= k) & (true > k)
    return float((true[false] - k).sum())
