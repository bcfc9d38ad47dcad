"""Are classes found again among resampled rows?"""

from __future__ import annotations

import numpy as np

from gramian.clusters.partition import consolidated
from gramian.clusters.tree import ward

__all__ = ["recovered"]


def recovered(
    F: np.ndarray, w: np.ndarray, codes: np.ndarray, B: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the largest Jaccard share of each class in each of B resamples, (B, k).

    Of the rows drawn, each once: |A ∩ B|/|A ∪ B|. A class none of whose rows was drawn has 0.
    """
    n, k = len(F), int(codes.max()) + 1
    shares = np.zeros((B, k))
    for b in range(B):
        drawn = np.bincount(rng.integers(0, n, n), minlength=n)
        rows = np.flatnonzero(drawn)
        if len(rows) <= k:
            continue
        mass = drawn[rows] * w[rows]
        mass /= mass.sum()
        own = ward(F[rows], mass).cut(k)
        own = consolidated(F[rows], mass, own) if k > 1 else own
        both = np.zeros((k, k))
        np.add.at(both, (codes[rows], own), 1.0)
        union = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
        shares[b] = (both / np.maximum(union, 1.0)).max(axis=1)
    return shares
