"""What other libraries offer for the same questions, as entries of tests/adversarial."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.manifold import MDS
from tests.adversarial.cell import Entry, Pair
from tests.adversarial.entries.common import gram_of, padded
from tests.adversarial.entries.squares import correlation, ladder, upper
from tests.adversarial.truth import Real, Rows, Square, centred, squared_distances


def variances(values: Any, want: np.ndarray) -> Pair:
    """Inertias, whatever the number of axes that was kept."""
    m = max(len(want), len(values))
    return padded(values, m), padded(want, m)


def gamma(v: Any) -> float:
    """Gaussian kernels elsewhere have no median scale: they are given it."""
    return float(1 / (2 * Rows(v).scale ** 2))


def stress(fit: Any, d: np.ndarray) -> Iterator[Pair]:
    """The stress that is told is that of the map, as a sum of squares or as Kruskal's share."""
    F = np.asarray(fit.embedding_, Real)
    e = upper(np.sqrt(squared_distances(F, F)))
    raw = ((d - e) ** 2).sum()
    shares = [raw, np.sqrt(raw / (d**2).sum()), np.sqrt(raw / (e**2).sum())]
    nearest = min(shares, key=lambda s: abs(s - Real(fit.stress_)))
    yield 1 + fit.stress_ / (1 + raw), 1 + nearest / (1 + raw)


def mds(**options: Any) -> MDS:
    return MDS(2, n_init=1, init="random", max_iter=60, random_state=0, **options)


def prince_pca(x: Any) -> Any:
    from prince import PCA as Prince

    shape = np.shape(x)
    q = min(shape) if len(shape) == 2 else 2
    return Prince(n_components=max(q, 1), rescale_with_std=False, random_state=0).fit(x)


def pcoa(x: Any) -> Any:
    from skbio import DistanceMatrix
    from skbio.stats.ordination import pcoa as ordination

    return ordination(DistanceMatrix(x))


def mantel(x: Any, v: Any) -> float:
    from skbio.stats.distance import mantel as test

    return test(x, ladder(len(v)), permutations=0)[0]


def scaled(values: Any, s: Square) -> Iterator[Pair]:
    yield np.maximum(padded(values, s.n), 0) / s.n, np.maximum(s.scaling, 0)


def told(statistic: float) -> SimpleNamespace:
    """A statistic in the shape that the truth of ours reads."""
    return SimpleNamespace(statistic=statistic)


PEERS: dict[str, list[Entry]] = {
    "table": [
        Entry(
            "scikit-learn PCA.fit",
            lambda x, v: PCA().fit(x),
            lambda f, t: [variances(f.explained_variance_ * (t.n - 1) / t.n, t.variances)],
        ),
        Entry(
            "scikit-learn PCA.fit_transform",
            lambda x, v: PCA().fit_transform(x),
            lambda f, t: [(gram_of(f), t.gram)],
        ),
        Entry(
            "scikit-learn PCA.transform",
            lambda x, v: PCA().fit(v).transform(x),
            lambda f, t: [(gram_of(f), t.gram)],
        ),
        Entry(
            "scikit-learn KernelPCA(linear).fit",
            lambda x, v: KernelPCA(kernel="linear").fit(x),
            lambda f, t: [variances(f.eigenvalues_ / t.n, t.variances)],
        ),
        Entry(
            "scikit-learn KernelPCA(rbf).fit",
            lambda x, v: KernelPCA(kernel="rbf", gamma=gamma(v)).fit(x),
            lambda f, t: [variances(f.eigenvalues_ / t.n, np.maximum(t.gaussian_inertias, 0))],
        ),
        Entry(
            "scikit-learn KernelPCA(rbf).transform",
            lambda x, v: KernelPCA(kernel="rbf", gamma=gamma(v)).fit(v).transform(x),
            lambda f, t: [(gram_of(f), centred(t.gaussian))],
        ),
        Entry(
            "scikit-learn Nystroem.fit_transform",
            lambda x, v: Nystroem(gamma=gamma(v), n_components=len(v)).fit_transform(x),
            lambda f, t: [(gram_of(f), t.gaussian)],
        ),
        Entry(
            "scikit-learn MDS.fit",
            lambda x, v: mds().fit(x),
            lambda f, t: stress(f, upper(np.sqrt(t.d2))),
            loose=10,
        ),
        Entry(
            "prince PCA.fit",
            lambda x, v: prince_pca(x).eigenvalues_,
            lambda values, t: [variances(values, t.variances)],
        ),
        Entry(
            "prince PCA.row_coordinates",
            lambda x, v: prince_pca(v).row_coordinates(x),
            lambda f, t: [(gram_of(f), t.gram)],
        ),
    ],
    "kernel": [
        Entry(
            "scikit-learn KernelPCA(precomputed).fit",
            lambda x, v: KernelPCA(kernel="precomputed").fit(x),
            lambda f, s: [variances(f.eigenvalues_ / s.n, np.maximum(s.inertias, 0))],
        ),
    ],
    "distances": [
        Entry(
            "scikit-learn MDS(precomputed).fit",
            lambda x, v: mds(metric="precomputed").fit(x),
            lambda f, s: stress(f, upper(s.M)),
            loose=10,
        ),
        Entry("scikit-bio pcoa", lambda x, v: pcoa(x).eigvals, scaled),
        Entry(
            "scikit-bio mantel",
            lambda x, v: told(mantel(x, v)),
            correlation,
        ),
    ],
}
# Ours for the same questions.
OURS = {
    "table": [
        "PCA().fit(x)",
        "PCA().fit_transform(x)",
        "PCA().fit(v).transform(x)",
        'KernelPCA(kernel="linear").fit(x)',
        "KernelPCA().fit(x)",
        "KernelPCA().fit(v).transform(x)",
        "Nystrom(len(v)).fit_transform(x)",
        "mds(x)",
    ],
    "kernel": ['KernelPCA(kernel="precomputed", indefinite="clip").fit(x)'],
    "distances": [
        'mds(x, metric="precomputed")',
        'ClassicalMDS(None, metric="precomputed").fit(x)',
        "stability.mantel(x, ladder(len(v)), n_permutations=9, random_state=0)",
    ],
}
