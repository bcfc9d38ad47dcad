"""Links that differ between conditions, with a rate of false ones."""

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import generator, share, whole
from gramian._core.frames import in_order_of, labels_of
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import benjamini_hochberg
from gramian._nulls.p_values import p_value_of_count
from gramian.errors import InputError
from gramian.networks.contrasts import conditions_of, contrasts_of, rows_of
from gramian.networks.correlations import near_one, unit_columns, upper
from gramian.networks.infer import require_columns

_N_BINS = 4096  # of the statistic, where shuffles are counted
_MIN_REPLICATES = 5


def differential(
    X: TableLike,
    condition: VectorLike,
    *,
    fdr: float = 0.05,
    n_permutations: int = 100,
    random_state: SeedLike = None,
) -> pd.DataFrame:
    """Find pairs of variables whose correlation differs between conditions.

    The statistic of a pair is Σ_c w_c (z_c − z̄)², z_c = artanh of its correlation in condition c,
    w_c = n_c − 3. Its law is that over all pairs when the contrasts of conditions, their samples
    without their levels, are shuffled between them: pairs without a difference are taken to have
    about the same law. Rates are those of Benjamini and Hochberg.

    Parameters
    ----------
    X : table (n, p)
        Rows are samples, columns variables.
    condition : n labels
        Of at least two conditions of at least 5 samples.
    fdr : float
        The rate of false discoveries.
    n_permutations : int
    random_state : int, optional

    Returns
    -------
    DataFrame, one row a link that differs
        "source", "target", the correlation in each condition, "difference" (the largest less the
        smallest), "p_value" and "q_value", by p-value.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> hub = rng.standard_normal((30, 1))
    >>> a = np.hstack([hub, hub + 0.1 * rng.standard_normal((30, 1)), rng.normal(size=(30, 4))])
    >>> X = np.vstack([a, rng.standard_normal((30, 6))])
    >>> links = differential(X, np.repeat(["a", "b"], 30), random_state=0)
    >>> links[["source", "target"]].to_numpy().tolist()
    [['x0', 'x1']]
    """
    share(fdr, "fdr")
    whole(n_permutations, "n_permutations", 1)
    values, names = require_columns(X, _MIN_REPLICATES)
    condition = in_order_of(condition, labels_of(X), "condition")
    codes, conditions = conditions_of(condition, len(values))
    counts = np.bincount(codes)
    if len(conditions) < 2 or counts.min() < _MIN_REPLICATES:
        raise InputError(
            f"condition has {len(conditions)} conditions, the smallest of {counts.min()} samples: "
            f"give at least 2 of at least {_MIN_REPLICATES}"
        )
    rng = generator(random_state)
    Z, owner = contrasts_of(near_one(values), codes)
    R = _correlations(Z, owner)
    T = _statistic(R, counts)
    p = _p_values(T, Z, owner, counts, n_permutations, rng)
    q = benjamini_hochberg(p)
    kept = np.flatnonzero(q <= fdr)
    kept = kept[np.lexsort((-T[kept], p[kept]))]
    i, j = upper(values.shape[1])
    columns: dict[str, Any] = {"source": [names[k] for k in i[kept]]}
    columns |= {"target": [names[k] for k in j[kept]]}
    columns |= {name: R[c, kept] for c, name in enumerate(conditions)}
    columns["difference"] = R[:, kept].max(axis=0) - R[:, kept].min(axis=0)
    return pd.DataFrame(columns | {"p_value": p[kept], "q_value": q[kept]})


def _correlations(Z: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the correlations of every pair in every condition, (C, pairs)."""
    at = upper(Z.shape[1])
    out = []
    for c in range(int(codes.max()) + 1):
        U, _ = unit_columns(rows_of(Z[codes == c]))
        out.append((U.T @ U)[at])
    return np.asarray(np.clip(out, -1.0 + 1e-9, 1.0 - 1e-9))


def _statistic(R: np.ndarray, counts: np.ndarray) -> np.ndarray:
    z, w = np.arctanh(R), (counts - 3.0)[:, None]
    mean = (w * z).sum(axis=0) / w.sum()
    return np.asarray((w * (z - mean) ** 2).sum(axis=0))


def _p_values(
    T: np.ndarray,
    Z: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    n_permutations: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return the share of all statistics of all shuffles that are at least as large."""
    edges = np.concatenate([[0.0], np.quantile(T, np.linspace(0.0, 1.0, _N_BINS)), [np.inf]])
    edges = np.unique(np.concatenate([edges, np.sort(T)[-_N_BINS:]]))
    above = np.zeros(edges.size)
    for _ in range(n_permutations):
        shuffled = _statistic(_correlations(Z, rng.permutation(codes)), counts)
        above += shuffled.size - np.searchsorted(np.sort(shuffled), edges)
    place = np.searchsorted(edges, T, side="right") - 1  # the nearest edge below: never too small
    return np.asarray(p_value_of_count(above[place], n_permutations * T.size))
