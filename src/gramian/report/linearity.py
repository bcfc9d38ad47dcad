"""Is there more than straight lines? Kernel PCA beside PCA, and a test of the axes' dependence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from gramian._check import generator
from gramian.estimators.kernel_pca import KernelPCA
from gramian.estimators.nystrom import Nystrom
from gramian.kernels.base import Kernel
from gramian.kernels.radial import Gaussian
from gramian.report.correction import holm
from gramian.stability.procrustes import procrustes

__all__ = ["Linearity", "dependence", "linearity"]

_EXACT = 2_000  # rows up to which kernel PCA is exact
_RANK = 300  # landmarks beyond
_SAMPLE = 400  # rows that the test looks at
_DRAWS = 499
_AXES = 5


@dataclass(frozen=True, eq=False)
class Linearity:
    """Kernel PCA of a table, and the evidence that it shows what PCA cannot."""

    fit: Any
    kernel: Kernel | None  # the one that was asked for, None for the usual one
    rank: int | None  # landmarks, None where kernel PCA is exact
    dependence: pd.DataFrame  # one row a pair of principal axes: "alignment", "p_value"
    agreement: float  # correlation of the two maps after rotation
    # One row a grouping: its largest η², on which axis, and p-value, in PCA and in kernel PCA.
    separation: pd.DataFrame | None
    tested: int  # rows in the test

    @property
    def p_value(self) -> float:
        """The smallest p-value of the pairs, corrected for their number."""
        return float(self.dependence["p_value"].min())

    @property
    def revealed(self) -> list[Any]:
        """The groupings that a kernel axis clearly separates and no principal axis does."""
        if self.separation is None:
            return []
        p = self.separation.xs("p_value", axis=1, level=1)
        return list(p.index[(p["kernel"] < 0.001) & (p["pca"] > 0.05)])


def linearity(
    fit: Any, X: pd.DataFrame, groups: pd.DataFrame | None, seed: int, kernel: Kernel | None = None
) -> Linearity | None:
    """Return the comparison with a kernel (Gaussian by default), or None for a single axis."""
    q = min(3, fit.n_components_)
    if q < 2:
        return None
    Z = np.asarray(fit.coordinates_, dtype=float)
    n = len(Z)
    S = (X - X.mean()) / X.std(ddof=0)
    rank = None if n <= _EXACT else _RANK
    approximation = None if rank is None else Nystrom(rank=rank, random_state=seed)
    curved = KernelPCA(
        n_components=min(_AXES, n - 1),
        kernel="gaussian" if kernel is None else kernel,
        approximation=approximation,
        indefinite="raise" if kernel is None else "clip",
        random_state=seed,
    ).fit(S)
    pairs, tested = dependence(Z[:, :q], seed)
    both = procrustes(Z[:, :2], np.asarray(curved.coordinates_)[:, :2], symmetric=True)
    return Linearity(
        curved,
        kernel,
        rank,
        pairs,
        both.correlation,
        None if groups is None else _separation(fit, curved, groups),
        tested,
    )


def dependence(Z: np.ndarray, seed: int) -> tuple[pd.DataFrame, int]:
    """Test whether uncorrelated axes still depend on one another, pair by pair.

    The statistic is the alignment ⟨K, L⟩/(‖K‖‖L‖) of the centred Gaussian Gram matrices of two axes
    (HSIC, normalised); its null distribution comes from permuting one axis. p-values are corrected
    for the number of pairs (Holm). Returns the table and the number of rows looked at.
    """
    rng = generator(seed)
    if len(Z) > _SAMPLE:
        Z = Z[np.sort(rng.choice(len(Z), _SAMPLE, replace=False))]
    n, q = Z.shape
    grams = [_gram(Z[:, k]) for k in range(q)]
    orders = [rng.permutation(n) for _ in range(_DRAWS)]
    rows = []
    for j, k in combinations(range(q), 2):
        observed = float((grams[j] * grams[k]).sum())
        drawn = [float((grams[j] * grams[k][np.ix_(o, o)]).sum()) for o in orders]
        p = (1 + sum(d >= observed for d in drawn)) / (_DRAWS + 1)
        rows.append(((j + 1, k + 1), observed, p))
    table = pd.DataFrame(rows, columns=["axes", "alignment", "p_value"]).set_index("axes")
    table["p_value"] = holm(table["p_value"].to_numpy())
    return table, n


def _gram(z: np.ndarray) -> np.ndarray:
    """Return the centred Gaussian Gram matrix of one axis, of norm 1."""
    # A third of the usual scale: a ring or an arch shows in the details of its shadow.
    scale = float(np.median(np.abs(z[:, None] - z[None, :]))) / 3.0 or float(np.std(z)) or 1.0
    K = np.asarray(Gaussian(scale=scale).pairwise(z[:, None], z[:, None]))
    K = K - K.mean(axis=0)
    K = K - K.mean(axis=1, keepdims=True)
    norm = float(np.linalg.norm(K))
    return K / norm if norm > 0 else K


def _separation(fit: Any, kernel: Any, groups: pd.DataFrame) -> pd.DataFrame:
    """Return the largest share of an axis that each grouping explains, in both methods."""
    parts = {}
    for name, fitted in (("pca", fit), ("kernel", kernel)):
        ties = fitted.describe(groups, alpha=1.0)
        ties = ties[(ties["kind"] == "qualitative") & (ties["axis"] <= _AXES)]
        ties = ties.assign(p_value=holm(ties["p_value"]))
        best = ties.sort_values("statistic", ascending=False, kind="stable").groupby("name").first()
        best = best.reindex(list(groups.columns))
        parts[name, "eta2"] = best["statistic"]
        parts[name, "axis"] = best["axis"]
        parts[name, "p_value"] = best["p_value"]
    return pd.DataFrame(parts).dropna()
