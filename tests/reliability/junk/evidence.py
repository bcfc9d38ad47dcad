"""What may be claimed, and the study."""

from __future__ import annotations

import numpy as np
from tests.reliability.junk.entry import function
from tests.reliability.junk.good import CLASS, GROUPS, K, X

import gramian as gm

F = gm.PCA(2).fit_transform(X)
COUNTS = np.random.default_rng(0).poisson(9.0, (8, 5))
ROWS = {"scheme": "permutation", "groups_of_copies": None}
for name in ("holm", "benjamini_hochberg"):
    function(f"evidence.{name}", p=[0.01, 0.5])
function("evidence.assumptions", X=X, everything=GROUPS, rng=0, alpha=0.01)
function("evidence.axes", X=X, n_draws=19, alpha=0.05, rng=0, **ROWS)
function("evidence.kernel_axes", G=K, n_draws=19, alpha=0.05, rng=0)
function("evidence.contingency_axes", N=COUNTS, n_draws=19, alpha=0.05, rng=0)
function("evidence.carried", X=X, k=1, least=0.3, alpha=0.01)
function("evidence.directions", X=X, q=1, above=1, rng=0, n_resamples=5, level=0.95)
function("evidence.rows", X=X, q=1, rng=0, alpha=0.05)
function("evidence.clusters", X=X, F=F, q=1, rng=0, **ROWS)
function("evidence.curves", X=X, F=F, q=1, rng=0, n_draws=9, alpha=0.05, **ROWS)
function("evidence.groups", X=X, F=F, labels=CLASS, rng=0, n_draws=9, **ROWS)
function("evidence.numbers", F=F, Z=X[:, :1], rng=0, n_draws=9, **ROWS)
function("evidence.loadings", X=X, q=1, rng=0, fdr=0.05, **ROWS)
