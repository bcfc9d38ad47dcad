"""Simulated RNA-seq experiments: a condition, a batch, library sizes over tenfold, one outlier."""

from __future__ import annotations

import numpy as np
import pandas as pd


def experiment(
    seed: int, n: int = 16, p: int = 1_500, batches: int = 2
) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Return counts with genes in rows, the sheet of samples in another order, and the outlier."""
    rng = np.random.default_rng(seed)
    names = [f"S{k + 1:02d}" for k in range(n)]
    condition = np.arange(n) % 2
    batch = (np.arange(n) // 2) % batches
    log_mean = rng.normal(4.5, 1.6, p)
    effects = np.zeros((n, p))
    changed = rng.choice(p, p // 8, replace=False)
    effects += np.outer(condition - 0.5, np.bincount(changed, rng.normal(0, 2.2, len(changed)), p))
    moved = rng.choice(p, p // 6, replace=False)
    shift = rng.normal(0, 1.0, (batches, len(moved)))
    for b in range(batches):
        effects[np.ix_(batch == b, moved)] += shift[b]
    odd = int(rng.integers(n))
    damaged = rng.choice(p, p // 4, replace=False)
    effects[odd, damaged] += rng.normal(0, 3.0, len(damaged))
    size = np.exp(rng.uniform(0, np.log(12), n))
    size *= 12 / (size.max() / size.min()) if size.max() / size.min() < 10 else 1.0
    M = np.exp(log_mean + effects) * size[:, None]
    counts = rng.poisson(M * rng.gamma(8, 1 / 8, M.shape))
    genes = [f"ENSG{k:011d}" for k in range(p)]
    sheet = pd.DataFrame(
        {"sample": names, "condition": np.array(["control", "treated"])[condition]}
    )
    sheet["batch"] = [f"lane{b + 1}" for b in batch]
    sheet["RIN"] = rng.normal(8.5, 0.6, n).round(1)
    order = rng.permutation(n)
    table = pd.DataFrame(counts.T, index=pd.Index(genes, name="gene_id"), columns=names)
    return table, sheet.iloc[order].reset_index(drop=True), names[odd]
