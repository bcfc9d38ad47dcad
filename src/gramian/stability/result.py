"""What resampling shows: intervals for eigenvalues, angles of axes, ellipses of points."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import is_list, is_whole, share, short
from gramian._reading.summary import facts_html, sections
from gramian.errors import InputError

_SHOWN = 10  # axes


@dataclass(frozen=True)
class Stability:
    """Eigenvalues, axes and points over resampled rows.

    Attributes
    ----------
    eigenvalues : DataFrame, one row an axis
        "estimate", "mean", "bias", "sd", "low" and "high" (an interval of that level, NaN
        where it would not cover).
    axes : DataFrame, one row an axis
        "angle": between the axis of all rows and that of the resampled ones, in degrees, the median
        over resamples; in the space of the variables where the map has `components_` (PCA), else
        between coordinates of the same rows, which hide about half of it; "subspace": the same for
        the largest angle between the spaces of axes 1 to k; "subspace_high": its quantile of order
        `level`; "identified": whether the axis is determined by itself.
    points : DataFrame, one row a point
        Columns (measure, axis): "coordinate" (all rows), "mean" and "sd" over resamples.
    covariances : array (n, q, q)
        Of each point over resamples, after Procrustes alignment.
    unidentified : list of tuples of axes
        Groups whose eigenvalues chance could have set apart: only their span is stable.
    coordinates : array (B, n, q)
        The aligned replicates; NaN where a point has no place in one.
    level : float
    method : "bootstrap" or "jackknife"

    Examples
    --------
    >>> import gramian as gm
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
            self.axes[["angle", "subspace", "identified"]]
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
        level : float, optional
            Share of normal replicates inside; the level of the study by default.

        Returns
        -------
        DataFrame
            "x" and "y", the centre; "major" and "minor", half axes; "angle" of the major one with
            the first axis, in degrees.

        Examples
        --------
        >>> import gramian as gm
        >>> X = gm.datasets.iris().data
        >>> study = gm.stability.bootstrap(gm.PCA(2), X, n_resamples=20)
        >>> study.ellipses().shape
        (150, 5)
        """
        q = self.covariances.shape[1]
        pair_given = is_list(axes) and len(axes) == 2 and all(map(is_whole, axes))
        if not pair_given or axes[0] == axes[1] or not all(1 <= k <= q for k in axes):
            raise InputError(f"axes={short(axes)} must be two different axes between 1 and {q}")
        level = self.level if level is None else level
        share(level, "level")
        pair = np.array(axes) - 1
        values, vectors = np.linalg.eigh(self.covariances[:, pair[:, None], pair[None, :]])
        size = np.sqrt(np.maximum(values, 0.0) * stats.chi2.ppf(level, 2))
        angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
        centre = self.points["mean"].to_numpy()[:, pair]
        columns: dict[str, Any] = {"x": centre[:, 0], "y": centre[:, 1]}
        columns |= {"major": size[:, 1], "minor": size[:, 0], "angle": (angle + 90) % 180 - 90}
        return pd.DataFrame(columns, index=self.points.index)
