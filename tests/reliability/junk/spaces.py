"""Distances, transforms, validity, and the space of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import GAUSSIAN, D, K, X, Y

import gramian as gm
from gramian._core.pairs import Points

for name in ("bray_curtis", "euclidean", "gower", "squared_euclidean"):
    function(f"distances.{name}", X=np.abs(X), Y=np.abs(Y))
function("distances.pairwise", X=X, Y=Y, metric="cityblock")
add("distances.pairwise[function]", lambda **a: gm.distances.pairwise(metric=norm, **a), X=X, Y=Y)
for name, parameter in (("power", "p"), ("log", "a"), ("rational", "a"), ("exponential", "a")):
    function(f"schoenberg.{name}", D2=D**2, **{parameter: 0.5})
function("schoenberg.identity", D2=D**2)
add("schoenberg.compose", lambda step, D2: gm.schoenberg.compose(step)(D2), step=np.sqrt, D2=D**2)
function("schoenberg.is_transform", transform=np.sqrt, dimension=2, n_sets=3, random_state=0)
SEARCH = {"X": None, "dimension": 2, "n_sets": 3, "tolerance": None, "random_state": 0}
function("validity.is_psd", K=K, **SEARCH)
function("validity.is_cnd", D2=D**2, **SEARCH)
function("validity.is_euclidean", D=D, **SEARCH)
add("validity.is_psd[kernel]", gm.validity.is_psd, **({"K": GAUSSIAN} | SEARCH))
add("validity.is_euclidean[metric]", gm.validity.is_euclidean, **({"D": "cityblock"} | SEARCH))
for name in ("clip", "flip", "shift"):
    function(f"validity.{name}", K=K)
function("validity.nearest_psd", K=K, unit_diagonal=False)
for name in ("cailliez", "lingoes"):
    function(f"validity.{name}", D=D)


def norm(a: Any, b: Any) -> float:
    return float(np.linalg.norm(np.asarray(a, dtype=float) - np.asarray(b, dtype=float)))


# The space of a kernel.
TESTS = {"n_permutations": 3, "memory": None, "random_state": 0}
function("rkhs.mmd", kernel="gaussian", X=X, Y=Y, estimate="unbiased", **TESTS)
function("rkhs.hsic", first="linear", second="gaussian", X=X, Y=X, estimate="biased", **TESTS)
function("rkhs.rv", first="linear", second="gaussian", X=X, Y=X, **TESTS)
function("rkhs.alignment", first=K, second="gaussian", X=X, Y=X, centred=True)
function("rkhs.distance", kernel="gaussian", X=X, Y=Y)
function("rkhs.distance_to_set", kernel="gaussian", X=X, S=Y, weights=None)
function("rkhs.mean_embedding", kernel="gaussian", X=X, weights=None)
function(
    "rkhs.mercer",
    **{"kernel": "gaussian", "X": X, "n_components": 2, "weights": None, "solver": "auto"},
    **{"memory": None, "random_state": 0},
)
function("rkhs.Function", kernel="linear", points=X, coefficients=np.ones(8))
function("rkhs.GaussianMercer", scale=1.0, deviation=1.0, n_components=3)
FUNCTION = gm.rkhs.Function("linear", X, np.ones(8))
MERCER = gm.rkhs.GaussianMercer(1.0)
add("rkhs.Function.__call__", lambda X: FUNCTION(X), X=Y)
add("rkhs.Function.inner", FUNCTION.inner, other=FUNCTION)
add("rkhs.Function.distance", FUNCTION.distance, other=FUNCTION)
add("rkhs.Function.compress", FUNCTION.compress, error=0.1)
add("rkhs.Function.__add__", lambda other: FUNCTION + other, other=FUNCTION)
add("rkhs.Function.__sub__", lambda other: FUNCTION - other, other=FUNCTION)
add("rkhs.Function.__mul__", lambda other: FUNCTION * other, other=2.0)
add("rkhs.GaussianMercer.features", MERCER.features, X=X[:, :1])
add("rkhs.GaussianMercer.eigenfunctions", MERCER.eigenfunctions, X=X[:, :1])
function(
    "preimage.fixed_point",
    **{"kernel": GAUSSIAN, "points": Points(X), "coefficients": np.eye(8)[:2]},
    **{"max_iter": 5, "tol": 1e-3, "random_state": 0},
)
function("preimage.learned", Z=X[:, :2], X=X, new=Y[:, :2], random_state=0)
