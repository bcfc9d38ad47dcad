"""Kernels on hostile rows: values, diagonals, scales."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm
from gramian import kernels as k

from ..cell import Entry
from ..truth import Real, Rows, squared_distances
from .common import manhattan, steady, vary
from .fits import cosine

S = 16.0  # a scale beside numbers up to 40


def matern(t: Rows, nu: float) -> np.ndarray:
    r = np.sqrt(2 * nu * t.d2) / S
    return (1 + r + (r**2 / 3 if nu == 2.5 else 0)) * np.exp(-r)


FORMULAS: dict[str, tuple[Any, Any]] = {
    "Linear": (k.Linear(), lambda t: t.X @ t.X.T),
    "Polynomial": (k.Polynomial(2, 1.0, 0.5), lambda t: (t.X @ t.X.T / 2 + 1) ** 2),
    "Gaussian": (k.Gaussian(S), lambda t: np.exp(-t.d2 / (2 * S**2))),
    "Exponential": (k.Exponential(S), lambda t: np.exp(-np.sqrt(t.d2) / S)),
    "Laplacian": (k.Laplacian(S), lambda t: np.exp(-manhattan(t.X, t.X) / S)),
    "Matern 3/2": (k.Matern(1.5, S), lambda t: matern(t, 1.5)),
    "Matern 5/2": (k.Matern(2.5, S), lambda t: matern(t, 2.5)),
    "RationalQuadratic": (k.RationalQuadratic(S, 2.0), lambda t: (1 + t.d2 / (4 * S**2)) ** -2),
    "Cosine": (k.Cosine(), cosine),
    "Sigmoid": (k.Sigmoid(0.01), lambda t: np.tanh(t.X @ t.X.T * Real(0.01))),
    "Sum": (k.Gaussian(S) + 2 * k.Linear(), lambda t: np.exp(-t.d2 / (2 * S**2)) + 2 * t.X @ t.X.T),
    "Product": (k.Gaussian(S) * k.Linear(), lambda t: np.exp(-t.d2 / (2 * S**2)) * (t.X @ t.X.T)),
    "Power": (k.Linear() ** 2, lambda t: (t.X @ t.X.T) ** 2),
    "Normalized": (
        k.Polynomial(2).normalized(),
        lambda t: (K := (t.X @ t.X.T + 1) ** 2) / np.sqrt(np.outer(K.diagonal(), K.diagonal())),
    ),
    "FromDistance": (
        k.FromDistance("cityblock", S),
        lambda t: np.exp(-(manhattan(t.X, t.X) ** 2) / (2 * S**2)),
    ),
    "Columns": (k.Columns(k.Linear(), [0]), lambda t: np.outer(t.X[:, 0], t.X[:, 0])),
    "Callback": (k.Callback(lambda A, B: np.asarray(A) @ np.asarray(B).T), lambda t: t.X @ t.X.T),
    "Mapped": (k.Linear().on(lambda X: X[:, :1]), lambda t: np.outer(t.X[:, 0], t.X[:, 0])),
}
PLAIN = ("Callback", "Mapped")  # what they do is the user's business


def fits(name: str) -> Any:
    return (lambda X: False) if name in PLAIN else steady


def entries(name: str, kernel: Any, formula: Any) -> list[Entry]:
    arguments = "X Y kernel function mapping metric scale"
    return [
        Entry(
            f"{name}.pairwise",
            lambda x, v: kernel.pairwise(x),
            lambda K, t: [(K, formula(t))],
            arguments,
            fits(name),
        ),
        Entry(
            f"{name}.pairwise(X, Y)",
            lambda x, v: kernel.pairwise(v, x),
            lambda K, t: [(K, formula(t))],
            arguments,
            fits(name),
            skips="None",
        ),
        Entry(
            f"{name}.diag",
            lambda x, v: kernel.diag(x),
            lambda d, t: [(d, formula(t).diagonal())],
            arguments,
            fits(name),
        ),
    ]


def deciles(found: Any, t: Rows) -> Any:
    d2 = t.d2[np.triu_indices(t.n, 1)]
    yield found, np.sqrt(np.median(d2[d2 > 0]) / 2)


ENTRIES = [
    *(
        entry
        for name, (kernel, formula) in FORMULAS.items()
        for entry in entries(name, kernel, formula)
    ),
    Entry("kernels.median_scale", lambda x, v: k.median_scale(x), deciles, fits=vary),
    Entry(
        "kernels.scales",
        lambda x, v: k.scales(x),
        lambda s, t: [((s.to_numpy() > 0).all() and np.isfinite(s.to_numpy()).all(), True)],
        fits=vary,
    ),
    Entry(
        "distances.squared_euclidean",
        lambda x, v: gm.distances.squared_euclidean(x),
        lambda D, t: [(D, t.d2)],
    ),
    Entry(
        "distances.squared_euclidean(X, Y)",
        lambda x, v: gm.distances.squared_euclidean(v, x),
        lambda D, t: [(D, t.d2)],
        "X Y",
        skips="None",
    ),
    Entry(
        "distances.euclidean",
        lambda x, v: gm.distances.euclidean(x),
        lambda D, t: [(D, np.sqrt(t.d2))],
    ),
    Entry(
        "distances.euclidean(X, Y)",
        lambda x, v: gm.distances.euclidean(x, v[:1]),
        lambda D, t: [(D, np.sqrt(squared_distances(t.X, t.X[:1])))],
        "X Y",
    ),
    Entry(
        "distances.pairwise(cityblock)",
        lambda x, v: gm.distances.pairwise(x, metric="cityblock"),
        lambda D, t: [(D, manhattan(t.X, t.X))],
        "X metric",
    ),
    Entry(
        "distances.pairwise(chebyshev)",
        lambda x, v: gm.distances.pairwise(v, x, metric="chebyshev"),
        lambda D, t: [(D, np.abs(t.X[:, None] - t.X[None]).max(axis=2))],
        "X Y",
        skips="None",
    ),
    Entry(
        "distances.bray_curtis",
        lambda x, v: gm.distances.bray_curtis(x),
        lambda D, t: [
            (D, np.nan_to_num(manhattan(t.X, t.X) / (t.X[:, None] + t.X[None]).sum(axis=2)))
        ],
        fits=lambda X: bool((X >= 0).all() and (X.sum(axis=1) > 0).all()),
    ),
    Entry(
        "distances.gower",
        lambda x, v: gm.distances.gower(x),
        lambda D, t: (
            # From the differences to one row: quotients of 1e15 have no digits left for them.
            [(D, manhattan(U := (t.X - t.X[0]) / np.ptp(t.X, axis=0), U) / t.p)]
            if t.varies.all()
            else []
        ),
        fits=vary,
        takes="pandas,polars,pyarrow,not finite,number types,containers,torch NaN,"
        "the strict standard: NaN",
    ),
]
