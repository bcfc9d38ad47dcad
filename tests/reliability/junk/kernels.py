"""Kernels: constructors (and a Gram matrix), rows, algebra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import ADJACENCY, GAUSSIAN, GRAPHS, NAMED, SELECT, WORDS, K, X
from tests.surface import CALLABLE

import gramian as gm

KERNELS: dict[str, dict[str, Any]] = {
    "Callback": {"function": lambda A, B: np.asarray(A) @ np.asarray(B).T, "psd": True},
    "Columns": {"kernel": gm.kernels.Linear(), "columns": [0, 1]},
    "Constant": {"value": 1.0},
    "Cosine": {},
    "Exp": {"kernel": gm.kernels.Linear()},
    "Exponential": {"scale": 1.0},
    "FromDistance": {"metric": "cityblock", "scale": 1.0},
    "Function": {"g": lambda A: np.asarray(A)[:, 0]},
    "Gaussian": {"scale": 1.0},
    "Gower": {"spans": [1.0, 0.0, 2.0]},
    "Laplacian": {"scale": 1.0},
    "Linear": {},
    "Mapped": {"kernel": gm.kernels.Linear(), "mapping": np.tanh},
    "Matern": {"nu": 1.5, "scale": 1.0},
    "Normalized": {"kernel": gm.kernels.Gaussian(1.0)},
    "Polynomial": {"degree": 2, "offset": 1.0, "scale": 1.0},
    "Standardized": {"kernel": gm.kernels.Linear(), "mean": None, "deviation": None},
    "PolynomialOf": {"kernel": gm.kernels.Linear(), "coefs": (1.0, 1.0)},
    "Power": {"kernel": gm.kernels.Linear(), "exponent": 2},
    "Product": {"left": gm.kernels.Linear(), "right": gm.kernels.Gaussian(1.0)},
    "RationalQuadratic": {"scale": 1.0, "alpha": 1.0},
    "Sigmoid": {"scale": 1.0, "offset": 0.0},
    "Sum": {"left": gm.kernels.Linear(), "right": gm.kernels.Gaussian(1.0)},
    "graph.EdgeHistogram": {"by": "auto"},
    "graph.EdgeOverlap": {"value": "presence"},
    "graph.Graphlet": {"k": 3, "connected": False, "frequencies": False, "samples": None},
    "graph.HIM": {"scale": 1.0, "spectral_weight": 1.0, "definite": True},
    "graph.OptimalAssignment": {"kernel": gm.kernels.graph.VertexHistogram()},
    "graph.RandomWalk": {"decay": 0.01, "kind": "geometric", "labelled": False, "steps": None},
    "graph.ShortestPath": {"labelled": None, "weighted": False},
    "graph.VertexHistogram": {},
    "graph.WeisfeilerLehman": {"n_iter": 2, "base": None, "labelled": None},
    "sequence.Mismatch": {"k": 2, "mismatches": 1, "alphabet": "abc"},
    "sequence.Spectrum": {"k": 2},
    "sequence.Subsequence": {"length": 2, "decay": 0.5},
}


def points_for(name: str) -> Any:
    if name in ("graph.EdgeOverlap", "graph.HIM"):
        return NAMED
    return GRAPHS if name.startswith("graph.") else WORDS if name.startswith("seq") else X


def kernel_class(name: str) -> Any:
    return CALLABLE[f"gramian.kernels.{name}"]


def gram(name: str) -> Callable[..., Any]:
    return lambda **options: kernel_class(name)(**options).pairwise(points_for(name))


def method_of(name: str, method: str) -> Callable[..., Any]:
    return lambda **rows: getattr(kernel_class(name)(**KERNELS[name]), method)(**rows)


for name, options in KERNELS.items():
    add(f"kernels.{name}", gram(name), **options)
    rows = {"X": points_for(name), "Y": points_for(name)}
    add(f"kernels.{name}.pairwise", method_of(name, "pairwise"), **rows)
    add(f"kernels.{name}.diag", method_of(name, "diag"), X=points_for(name))
for name in ("Diffusion", "Laplacian"):
    make = CALLABLE[f"gramian.kernels.graph.{name}"]
    add(
        f"kernels.graph.{name}",
        lambda X, Y=None, make=make, **options: make(**options).pairwise(X, Y),
        **{"X": NAMED, "time": 1.0, "scaled": False},
    )
add(
    "kernels.Precomputed",
    lambda matrix, X, Y: gm.kernels.Precomputed(matrix).pairwise(X, Y),
    **{"matrix": K, "X": [[0], [1]], "Y": [[2]]},
)
add("kernels.Kernel.on", lambda mapping: GAUSSIAN.on(mapping).pairwise(X), mapping=np.tanh)
add("kernels.Kernel.polynomial", lambda coefs: GAUSSIAN.polynomial(coefs).pairwise(X), coefs=[1.0])
add("kernels.Kernel.__add__", lambda other: (GAUSSIAN + other).pairwise(X), other=1.0)
add("kernels.Kernel.__mul__", lambda other: (GAUSSIAN * other).pairwise(X), other=2.0)
add("kernels.Kernel.__pow__", lambda other: (GAUSSIAN**other).pairwise(X), other=2)
add("kernels.Kernel.set_params", lambda **a: gm.kernels.Gaussian().set_params(**a)(X), scale=1.0)
add(
    "kernels.Gaussian.from_gamma", lambda gamma: gm.kernels.Gaussian.from_gamma(gamma)(X), gamma=1.0
)
add(
    "kernels.FromDistance.from_gamma",
    lambda **a: gm.kernels.FromDistance.from_gamma(**a)(X),
    **{"metric": "cityblock", "gamma": 1.0},
)
function("kernels.as_kernel", kernel="gaussian")
function("kernels.median_scale", X=X, sample_weight=None)
function("kernels.scales", X=X)
function("kernels.select", X=X, **SELECT)
function("selection.select", X=X, **SELECT)
function("kernels.graph.as_graph", G=GRAPHS[0])
function("kernels.graph.Graph", adjacency=ADJACENCY, labels=None, names=None, edge_labels=None)
add(
    "kernels.graph.Graph.from_edges",
    gm.kernels.graph.Graph.from_edges,
    **{"n_nodes": 3, "edges": [(0, 1)], "weights": None, "labels": None, "names": None},
)
