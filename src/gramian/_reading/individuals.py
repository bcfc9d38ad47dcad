"""The table of points, and what is lost of them when only the first axes are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.summary import few_numbers


def individuals(cloud: Cloud) -> pd.DataFrame:
    """Return coordinates, squared cosines, qualities and contributions of points.

    cos² = f_ik²/d_i², contribution to axis k = p_i f_ik²/λ_k, to the total p_i d_i²/inertia.
    """
    cos2 = ratio(cloud.squares, cloud.norm2[:, None])
    measures = {
        "coordinate": cloud.shown(cloud.coordinates),
        "cos2": cos2,
        "quality": np.cumsum(cos2, axis=1),
    }
    single: dict[tuple[str, str], np.ndarray] = {}
    if cloud.weights is not None:
        parts = cloud.weights[:, None] * cloud.squares
        whole = cloud.weights * cloud.norm2
        # Divided by their own sum, which is |λ|: the sum is then 1 in single precision too.
        measures["contribution"] = ratio(parts, np.where(cloud.values == 0, 0.0, parts.sum(axis=0)))
        single["contribution", "total"] = ratio(whole, whole.sum())
    single["distance2", ""] = cloud.public(cloud.distance2)
    return axes_frame(measures, cloud.labels, single)


@dataclass(frozen=True)
class ReconstructionError:
    """What is lost when points are replaced by their projections on the first q axes.

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
        """E_q = |A − A_q| for each q: the root of the sum of squared distances to the projections.

        A is the table and A_q its rows put back from q axes; every row counts once, as in the norm
        of a matrix.

        >>> import gramian as gm
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
