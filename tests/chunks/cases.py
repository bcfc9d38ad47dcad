"""Tables, and how dask and files cut them: what fits of them must agree on."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
from scipy import sparse

import gramian as gm


def spread(n, p, offset=0.0, seed=0):
    """Return rows with a decaying spectrum, so that axes are determined."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) * np.geomspace(10.0, 0.5, p) + offset


def even(X):
    return da.from_array(X, chunks=(-(-len(X) // 4), X.shape[1]))


def ragged(X):
    """Return blocks of one row and of many, columns cut as well."""
    n, p = X.shape
    return da.from_array(X, chunks=((1, 2, n - 10, 7), (2, p - 2)))


def thinned(X):
    return np.where(np.random.default_rng(1).random(X.shape) < 0.3, X, 0.0)


def as_sparse(X):
    return even(X).map_blocks(sparse.csr_array, meta=sparse.csr_array((0, 0)))


def as_frame(X):
    """Return a data frame, of which nobody knows how long its partitions are; one is empty."""
    frame = dd.from_pandas(named(X), npartitions=4)
    return dd.concat([frame.partitions[:2], frame.partitions[2:3].loc[-5:-3], frame.partitions[2:]])


def named(X):
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])


def sorted_far(n, p):
    """Return rows the first block of which is far from all others."""
    X = spread(n, p)
    X[:3] += 1e3
    return X


# Rows, how they are cut, whether they have weights.
CASES = {
    "tall": (spread(900, 6), even, False),
    "wide": (spread(60, 300), even, False),
    "ragged": (spread(400, 8), ragged, False),
    "sparse": (thinned(spread(500, 5)), as_sparse, False),
    "single": (spread(400, 8).astype(np.float32) + np.float32(3.0), even, False),
    "weighted": (spread(400, 8), even, True),
    "weighted single": (spread(400, 8).astype(np.float32), ragged, True),
    "far": (spread(400, 8, offset=1e8), even, False),
    "far and weighted": (spread(400, 8, offset=1e8), ragged, True),
    "a far block": (sorted_far(400, 5), ragged, False),
    "frame": (spread(400, 5), as_frame, False),
}


def as_table(X, cut):
    """Return rows as a fit in memory takes them."""
    return sparse.csr_array(X) if cut is as_sparse else named(X) if cut is as_frame else X


def scanned(X, cut, memory="40kB"):
    """Return a scan of the blocks that `cut` makes for dask, whose rows do not fit its memory."""
    table = as_table(X, cut)
    cuts = [1, 3, len(X) - 7] if cut is ragged else [k * len(X) // 4 for k in (1, 2, 3)]
    blocks = [table[a:b] for a, b in zip([0, *cuts], [*cuts, len(X)], strict=True)]
    return gm.io.scan(blocks, memory=memory)


def in_blocks(kind, X, cut=even, memory="40kB"):
    """Return rows that are not in memory, of dask or of a scan."""
    return cut(X) if kind == "dask" else scanned(X, cut, memory)


def case(name, kind="dask"):
    """Return the rows, as a fit in memory takes them, their weights, and the same in blocks."""
    X, cut, weighted = CASES[name]
    w = np.random.default_rng(2).integers(1, 5, len(X)).astype(float) if weighted else None
    return as_table(X, cut), w, in_blocks(kind, X, cut)


def computed(lazy):
    """Return what a dask array or a scan of coordinates holds."""
    return np.asarray(lazy.compute() if hasattr(lazy, "dask") else lazy.collect())


def agree(fit, D, whole, digits=1e-10):
    """Compare a fit of rows in blocks with that of the same in memory."""
    top = whole.eigenvalues_[0]
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, atol=1e-10 * top)
    np.testing.assert_allclose(fit.eigenvalues_[:2], whole.eigenvalues_[:2], rtol=1e-10)
    np.testing.assert_allclose(fit.inertia_, whole.inertia_, rtol=1e-10)
    lazy, C = fit.transform(D), np.asarray(whole.coordinates_)
    if hasattr(D, "chunks"):
        assert lazy.chunks == (D.chunks[0], (C.shape[1],)) and lazy.dtype == C.dtype
    Z = computed(lazy)
    assert Z.dtype == C.dtype
    digits = digits if Z.dtype == np.float64 else 2e-6  # coordinates are in the rows' precision
    np.testing.assert_allclose(Z, C, atol=digits * np.abs(C).max())
