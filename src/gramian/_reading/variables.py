"""The tables of variables: those that made the axes, and those that only illustrate them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import Array, is_sparse, power_of_two, to_numpy
from gramian._core.embedding.pipeline import Embedding
from gramian._core.embedding.principal import Principal
from gramian._core.operators.moments import Moments
from gramian._core.parallel import row_blocks
from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.columns import Numeric
from gramian.errors import InputError

_MIN_EIGENVALUE_SHARE = 1e-20  # of the first eigenvalue, from which on an axis may be its rounding
_BLOCK_ENTRIES = 1 << 22  # numbers held at a time
Idle = tuple[np.ndarray, np.ndarray]  # positions (m,) of columns without weight, and r (m, q)


def active_variables(
    principal: Principal, names: Sequence[Any], idle: Idle, *, scaled: bool
) -> pd.DataFrame:
    """Return the table of the columns that made the axes."""
    # The feature f_j = (x_j − mean)·factor_j has correlation √λ_k a_jk/(factor_j·deviation_j) with
    # axis k and contributes a_jk². A column of weight 0 is supplementary.
    V = to_numpy(principal.spectrum.vectors).astype(np.float64)
    deviation = to_numpy(principal.standard.deviation)
    spread = to_numpy(principal.standard.factor) * deviation
    r = ratio(V * np.sqrt(principal.spectrum.values), spread[:, None])
    r[idle[0]] = idle[1]
    contribution = np.where(spread[:, None] > 0, V**2, 0.0)
    scale = np.ones_like(deviation) if scaled else deviation
    return variables_frame(np.clip(r, -1.0, 1.0), scale, pd.Index(names), contribution)


def idle_correlations(principal: Principal, e: Embedding, X: Array, p: np.ndarray | None) -> Idle:
    """Return the correlations with the axes of the columns of weight 0."""
    idle = _idle(principal)
    if not idle.size:
        return idle, np.zeros((0, len(principal.spectrum.values)))
    n = X.shape[0]
    columns = X[:, idle].toarray() if is_sparse(X) else to_numpy(X)[:, idle]
    cloud = Cloud(
        to_numpy(e.coordinates).astype(np.float64),
        to_numpy(e.distance2),
        e.spectrum,
        np.full(n, 1.0 / n) if p is None else p,
    )
    return idle, correlations(cloud, [Numeric(None, y) for y in columns.T])[0]


def idle_correlations_of_moments(principal: Principal, m: Moments) -> Idle:
    """Return the same from the second moments, where the rows are gone."""
    idle = _idle(principal)
    V = to_numpy(principal.spectrum.vectors)
    C = to_numpy(m.covariance)
    unit, factor = to_numpy(m.unit), to_numpy(principal.standard.factor)
    cross = C[idle] @ ((unit * factor)[:, None] * V)
    spread = to_numpy(principal.standard.deviation)[idle] / unit[idle]
    return idle, ratio(cross, spread[:, None] * np.sqrt(principal.spectrum.values))


def _idle(principal: Principal) -> np.ndarray:
    """Return the positions of the columns that vary but have no weight."""
    s = principal.standard
    return np.flatnonzero((to_numpy(s.factor) == 0) & (to_numpy(s.deviation) > 0))


def correlations(cloud: Cloud, columns: Sequence[Numeric]) -> tuple[np.ndarray, np.ndarray]:
    """Return weighted correlations with axes, (m, q), and deviations, (m,), where values are."""
    live = cloud.live
    r, deviation = np.zeros((len(columns), len(cloud.values))), np.zeros(len(columns))
    holes = [bool(np.isnan(column.values[live]).any()) for column in columns]
    complete = np.flatnonzero(np.logical_not(holes)).tolist()
    axes = _axes_on(cloud, live)
    for some in row_blocks(len(complete), max(1, _BLOCK_ENTRIES // len(live))):
        Y = np.stack([columns[j].values[live] for j in complete[some]], axis=1)
        r[complete[some]], deviation[complete[some]] = _correlations(Y, *axes)
    for j in np.flatnonzero(holes).tolist():
        rows = live & ~np.isnan(columns[j].values)
        if rows.any():
            Y = columns[j].values[rows, None]
            r[[j]], deviation[[j]] = _correlations(Y, *_axes_on(cloud, rows))
    return r, deviation


def _axes_on(cloud: Cloud, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights of sum 1 and weighted axes of norm 1 on some rows: (n,) and (n, q)."""
    p = cloud.p[rows] / cloud.p[rows].sum()
    Z = _center(cloud.coordinates[rows], p)
    spread = np.where(cloud.values == 0, 0.0, np.sqrt(p @ Z**2))
    return p, p[:, None] * ratio(Z, spread)


def _correlations(Y: np.ndarray, p: np.ndarray, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return correlations with the axes, (m, q), and standard deviations, (m,), of columns."""
    size = np.abs(Y).max(axis=0)
    unit = np.array([power_of_two(x) for x in size])
    Y = _center(Y / unit, p)
    sd = np.sqrt(p @ Y**2)
    sd = np.where(sd > 4.0 * 2.0**-52 * size / unit, sd, 0.0)  # 0 for a constant
    return np.clip(ratio(Y, sd).T @ U, -1.0, 1.0), sd * unit


def _center(Y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Take the weighted means off, twice: the first mean is wrong by its rounding."""
    Y = Y - p @ Y
    return Y - p @ Y


def _refuse_rounding(cloud: Cloud) -> None:
    """Refuse axes so short beside the first that their coordinates are its rounding."""
    size = np.abs(cloud.values)
    tiny = np.flatnonzero((size > 0) & (size < _MIN_EIGENVALUE_SHARE * size.max(initial=0.0)))
    own = cloud.p @ cloud.squares[:, tiny]
    for k in tiny[np.abs(own - size[tiny]) > 0.01 * size[tiny]][:1]:
        raise InputError(
            f"table: axis {k + 1} is {size[k] / size[0]:.1g} of the first, whose rounding it is: "
            f"ask for fewer axes, n_components={k}"
        )


def supplementary_variables(cloud: Cloud, columns: Sequence[Numeric], scaled: bool) -> pd.DataFrame:
    _refuse_rounding(cloud)
    r, deviation = correlations(cloud, columns)
    index = pd.Index([column.name for column in columns])
    return variables_frame(r, np.ones(len(columns)) if scaled else deviation, index)


def variables_frame(
    r: np.ndarray, deviation: np.ndarray, index: pd.Index, contribution: np.ndarray | None = None
) -> pd.DataFrame:
    """Return the table: coordinate = correlation × deviation (1 where columns are scaled)."""
    measures = {"coordinate": r * deviation[:, None], "correlation": r, "cos2": r**2}
    measures["quality"] = np.cumsum(r**2, axis=1)
    if contribution is not None:
        measures["contribution"] = contribution
    return axes_frame(measures, index, {})
