"""Classes, and the room of ecology."""

from __future__ import annotations

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import CLASS, FRAME, GROUPS, PLOT, X

import gramian as gm

FIT = gm.PCA(2).fit(FRAME)
FOUND = gm.clusters.find(FIT, 2)
AMOUNTS = np.abs(X) + 0.1
function(
    "clusters.find",
    **{"fit": FIT, "n_clusters": 2, "n_axes": 2, "consolidate": True, "alpha": 0.05},
    **{"random_state": 0},
)
function("clusters.describe", labels=CLASS, table=FRAME, weights=None, alpha=0.5)
add("clusters.Clusters.describe", FOUND.describe, table=GROUPS, weights=None, alpha=0.5)
add("clusters.Clusters.axes", FOUND.axes, weights=None, alpha=0.5)
add("clusters.Clusters.paragons", FOUND.paragons, n=2, weighted=True)
add("clusters.Clusters.extremes", FOUND.extremes, n=2, weighted=True)
add("clusters.Clusters.stability", FOUND.stability, n_resamples=3, random_state=0)
add("clusters.Clusters.predict", FOUND.predict, X=FRAME)
function("plots.dendrogram", found=FOUND, **PLOT)

RANDOM = {"n_permutations": 3, "random_state": 0}
MODEL = {"X": AMOUNTS, "table": GROUPS.reset_index(drop=True), "terms": "size"}
function("ecology.transform", X=AMOUNTS, method="hellinger", pseudocount=0.0, reference=None)
function("ecology.permanova", metric="braycurtis", by="terms", strata=None, **MODEL, **RANDOM)
function(
    "ecology.dispersion",
    **{"X": AMOUNTS, "groups": CLASS, "metric": "hellinger", "centre": "median"},
    **{"bias_adjust": False},
    **RANDOM,
)
function("ecology.dbrda", metric="braycurtis", condition=None, **MODEL)
function("ecology.rda", condition=None, scale=False, **MODEL)
function("ecology.cca", condition=None, **MODEL)
add(
    "ecology.Constrained.test",
    gm.ecology.rda(**MODEL).test,
    **{"by": "model", "strata": None},
    **RANDOM,
)
