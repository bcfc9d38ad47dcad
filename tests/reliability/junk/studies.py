"""Numbers of axes, stability, importance, data sets."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.estimators import fitted
from tests.reliability.junk.good import D, X

import gramian as gm

EIGENVALUES = np.array([3.0, 1.5, 0.5, 0.2])
for name in ("broken_stick", "cattell", "elbow"):
    function(f"dimension.{name}", source=EIGENVALUES, scale=False)
for name in ("gavish_donoho", "minka"):
    function(f"dimension.{name}", source=EIGENVALUES, scale=False, n_samples=20)
function("dimension.threshold", source=EIGENVALUES, share=0.9, scale=False)
function("dimension.kaiser", source=EIGENVALUES, variant="mean", scale=False, n_samples=20)
function("dimension.marchenko_pastur", source=EIGENVALUES, alpha=0.05, scale=False, n_samples=20)
function(
    "dimension.choose",
    **{"source": X, "X": None, "rules": ["kaiser", "parallel"], "n_permutations": 19},
    **{"alpha": 0.05, "share": 0.9, "scale": False, "sample_weight": None, "n_samples": None},
    **{"random_state": 0, "quick": True},
)
function(
    "dimension.parallel_analysis",
    **{"X": X, "n_permutations": 19, "alpha": 0.05, "random_state": 0, "null": "permutation"},
    **{"scale": False, "method": "standard", "estimator": None, "sample_weight": None},
    **{"progress": False},
)
function(
    "dimension.kernel_parallel_analysis",
    **{"X": X, "kernel": "gaussian", "scales": [1.0], "n_permutations": 19, "alpha": 0.05},
    **{"random_state": 0},
)
FOLDS = {"scale": False, "max_components": 2, "n_folds": 2, "random_state": 0}
function("dimension.cross_validation", X=X, method="gcv", **FOLDS)
function("dimension.bi_cross_validation", X=X, n_repeats=2, **FOLDS)
function("stability.procrustes", X=X, Y=X, scale=True, symmetric=False)
function("stability.protest", X=X, Y=X, n_permutations=3, random_state=0)
MANTEL = {"given": None, "method": "pearson", "alternative": "greater", "n_permutations": 3}
function("stability.mantel", A=D, B=D, random_state=0, **MANTEL)
SMALL = gm.PCA(2)
function("stability.bootstrap", estimator=SMALL, X=X, n_resamples=5, level=0.9, random_state=0)
function("stability.jackknife", estimator=SMALL, X=X, n_groups=4, level=0.9, random_state=0)
add(
    "stability.Stability.ellipses",
    lambda **a: stable().ellipses(**a),
    **{"axes": (1, 2), "level": 0.9},
)
function("importance.gradient", fitted=fitted("KernelPCA"), X=X)
function(
    "importance.permutation",
    **{"fitted": fitted("PCA"), "X": None, "n_permutations": 2, "refit": True, "random_state": 0},
)


@cache
def stable() -> Any:
    return gm.stability.bootstrap(SMALL, X, n_resamples=5, random_state=0)


# Data sets.
SHELLS = {"n": 9, "radii": (1.0, 2.0), "noise": 0.1, "random_state": 0}
for name in ("circles", "rings"):
    function(f"datasets.{name}", **SHELLS)
function("datasets.spheres", uniform=True, **SHELLS)
function("datasets.triples", correlated=True, n=6, random_state=0)
function("datasets.load", name="cities")
function("datasets.diabetes", scaled=False)
function(
    "datasets.gene_expression",
    **{"n_genes": 60, "n_replicates": 2, "shares": (0.2, 0.1, 0.05), "effects": (1.5, 1.0, 1.2)},
    **{"n_modules": 1, "module_size": 5, "module_correlation": 0.9, "noise": 1.0},
    **{"random_state": 0},
)
function(
    "datasets.replicated_expression",
    **{"n_replicates": 3, "n_genes": 30, "n_modules": 2, "module_size": 5, "rewired": 1},
    **{"module_correlation": 0.9, "effect": 1.0, "random_state": 0},
)
