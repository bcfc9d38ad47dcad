"""Links that differ between conditions, with a rate of false ones.

One row far from the others is in the correlation of every pair. Samples are therefore winsorised
before they are correlated, in the table and again in each permutation, and each pair is compared
with its own permutations first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import benjamini_hochberg
from gramian._nulls.p_values import p_value_of_count
from gramian.errors import InputError
from gramian.networks.correlations import near_one, unit_columns, upper
from gramian.networks.infer import require_conditions

_N_BINS = 4096  # of the statistic, where permutations are counted
_MIN_REPLICATES = 5
_LIMIT = 2.0  # robust standard deviations beyond which deviations are cut off
_PRIOR = 100.0  # permutations that the mean over all pairs counts for in the mean of each
_NORMAL_MAD = 1.4826  # makes the median absolute deviation that of a normal law's sd
_NORMAL_MEAN = 1.2533  # and the mean absolute deviation


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
    w_c = n_c − 3. Correlations are of deviations from the median in median absolute deviations
    (1.4826 MAD), cut off at ±2, so that a single sample weighs little. Conditions of these samples
    are permuted, and everything is computed again. Each statistic is divided by its mean over the
    permutations (the mean over all pairs counts as 100 more), and its p-value is its rank among
    those of all pairs and permutations. Rates are those of Benjamini and Hochberg. Nothing is
    returned where as small a rate is found in more than a share `fdr` of the permuted tables.

    Parameters
    ----------
    X : table (n, p)
        Rows are samples, columns variables.
    condition : n labels
        The condition of each sample: at least two conditions of at least 5 samples.
    fdr : float
        The rate of false discoveries.
    n_permutations : int
        Number of permutations, at least 1/fdr − 1.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    DataFrame, one row per link that differs
        "source", "target", the winsorised correlation in each condition, "difference"
        (the largest less the smallest), "p_value" and "q_value", by p-value.

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
    return link_table(compare_links(X, condition, fdr, n_permutations, random_state), fdr)


@dataclass(frozen=True, eq=False)
class Comparison:
    """The statistics of all pairs of variables, compared between conditions."""

    names: list[Any]
    conditions: list[str]
    counts: np.ndarray
    R: np.ndarray  # (C, pairs), winsorised correlations
    T: np.ndarray
    p: np.ndarray
    alike: float  # the share of permuted tables with as small a rate

    def table(self, kept: np.ndarray) -> pd.DataFrame:
        """Return the table of some pairs."""
        i, j = upper(len(self.names))
        columns: dict[str, Any] = {"source": [self.names[k] for k in i[kept]]}
        columns |= {"target": [self.names[k] for k in j[kept]]}
        columns |= {name: self.R[c, kept] for c, name in enumerate(self.conditions)}
        columns["difference"] = np.ptp(self.R[:, kept], axis=0)
        q = benjamini_hochberg(self.p)[kept]
        return pd.DataFrame(columns | {"p_value": self.p[kept], "q_value": q})


def link_table(compared: Comparison, fdr: float) -> pd.DataFrame:
    """Return the links that differ at a rate of false discoveries, by p-value."""
    kept = np.flatnonzero(benjamini_hochberg(compared.p) <= fdr)
    if compared.alike > fdr:
        kept = kept[:0]
    return compared.table(kept[np.lexsort((-compared.T[kept], compared.p[kept]))])


def compare_links(
    X: TableLike, condition: VectorLike, fdr: float, n_permutations: int, random_state: SeedLike
) -> Comparison:
    """Return the statistic and the p-value of every pair."""
    share(fdr, "fdr")
    whole(n_permutations, "n_permutations", 1)
    if n_permutations + 1 < 1.0 / fdr:
        raise InputError(
            f"n_permutations={n_permutations} cannot reach fdr={fdr}: give at least "
            f"{int(np.ceil(1.0 / fdr)) - 1}"
        )
    values, names, codes, conditions = require_conditions(X, condition, _MIN_REPLICATES)
    counts = np.bincount(codes)
    rng = generator(random_state)
    deviations = _standardise(near_one(values), codes)
    R = _correlations(deviations, codes)
    T = _statistic(R, counts)
    p, alike = _p_values(T, deviations, [rng.permutation(codes) for _ in range(n_permutations)])
    return Comparison(names, conditions, counts, R, T, p, alike)


def _standardise(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return deviations from the medians of conditions, in robust standard deviations."""
    out = np.empty_like(X)
    for c in range(int(codes.max()) + 1):
        D = X[codes == c] - np.median(X[codes == c], axis=0)
        scale = _NORMAL_MAD * np.median(np.abs(D), axis=0)
        # more than half of the samples may be equal, as counts of 0 are
        scale = np.where(scale > 0, scale, _NORMAL_MEAN * np.abs(D).mean(axis=0))
        out[codes == c] = D / np.where(scale > 0, scale, 1.0)
    return out


def _correlations(Z: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the winsorised correlations of every pair in every condition, (C, pairs)."""
    at = upper(Z.shape[1])
    Z = np.clip(_standardise(Z, codes), -_LIMIT, _LIMIT)
    out = []
    for c in range(int(codes.max()) + 1):
        U, _ = unit_columns(Z[codes == c])
        out.append((U.T @ U)[at])
    return np.asarray(np.clip(out, -1.0 + 1e-9, 1.0 - 1e-9))


def _statistic(R: np.ndarray, counts: np.ndarray) -> np.ndarray:
    z, w = np.arctanh(R), (counts - 3.0)[:, None]
    mean = (w * z).sum(axis=0) / w.sum()
    return np.asarray((w * (z - mean) ** 2).sum(axis=0))


def _p_values(
    T: np.ndarray, Z: np.ndarray, permutations: list[np.ndarray]
) -> tuple[np.ndarray, float]:
    """Return the p-value of each pair, and the share of tables with as small a rate as this one."""
    counts, B = np.bincount(permutations[0]), len(permutations)

    def permuted(codes: np.ndarray) -> np.ndarray:
        return _statistic(_correlations(Z, codes), counts)

    # Twice over the permutations: statistics of all of them need not fit into memory.
    total = T + sum(permuted(codes) for codes in permutations)
    overall = max(float(total.mean()) / (B + 1), np.finfo(float).tiny)
    mean = (total + _PRIOR * overall) / (B + 1 + _PRIOR)
    T = T / mean
    largest = B + 1 + _PRIOR  # no statistic can exceed so many means
    edges = np.concatenate([[0.0], np.geomspace(1e-3, largest, _N_BINS), np.sort(T)[-_N_BINS:]])
    edges = np.unique(edges)
    above = np.array([_above(permuted(codes) / mean, edges) for codes in permutations])
    p = p_value_of_count(above.sum(axis=0), B * T.size)
    # The least rate of false discoveries, times the pairs, among the pairs beyond an edge.
    rates = [(p[n > 0] / n[n > 0]).min() for n in (_above(T, edges), *above)]
    place = np.searchsorted(edges, T, side="right") - 1  # the nearest edge below: never too small
    return np.asarray(p[place]), float(np.mean(np.array(rates) <= rates[0] * (1 + 1e-12)))


def _above(T: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return how many statistics reach each edge."""
    return np.asarray(T.size - np.searchsorted(np.sort(T), edges))
