"""Estimators: constructors (and a fit), fits, new rows, readings."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch  # noqa: F401  a first import takes longer than a call may
from tests.reliability.junk.entry import add
from tests.reliability.junk.good import CLASS, FRAME, GRAPHS, GROUPS, TARGET, WORDS, D, K, X

import gramian as gm

GOOD_ESTIMATORS: dict[str, dict[str, Any]] = {
    "PCA": {
        "missing": "raise",
        "n_components": 2,
        "scale": False,
        "whiten": False,
        "column_weight": None,
        "solver": "auto",
    },
    "KernelPCA": {
        "missing": "raise",
        "n_components": 2,
        "kernel": "gaussian",
        "scale": False,
        "approximation": None,
        "formulation": "centered",
        "indefinite": "raise",
        "solver": "auto",
        "tol": 1e-8,
        "memory": None,
        "device": None,
    },
    "ClassicalMDS": {
        "missing": "raise",
        "n_components": 2,
        "metric": "euclidean",
        "correction": None,
        "landmarks": None,
        "solver": "auto",
    },
    "MDS": {
        "n_components": 2,
        "metric": "euclidean",
        "scaling": "ratio",
        "loss": "stress",
        "pair_weight": None,
        "ties": "primary",
        "start": "classical",
        "n_init": 1,
        "max_iter": 20,
        "tol": 1e-3,
        "progress": False,
    },
    "MultiKernelPCA": {
        "n_components": 2,
        "kernels": {"a": "linear", "b": "gaussian"},
        "combine": "statis",
        "balance": "inertia",
        "n_neighbors": 3,
        "ridge": 1.0,
        "indefinite": "raise",
        "solver": "auto",
        "tol": 1e-8,
        "memory": None,
    },
    "Nystrom": {"rank": 4, "kernel": "gaussian", "landmarks": "rpcholesky", "refine": False},
    "RandomFourier": {"rank": 4, "kernel": "gaussian"},
    "KernelLogisticRegression": {
        "penalty": 1.0,
        "kernel": "gaussian",
        "approximation": None,
        "class_weight": None,
        "max_iter": 50,
        "memory": None,
    },
    "PrincipalComponentRegression": {
        "n_components": 2,
        "kernel": "gaussian",
        "approximation": None,
        "indefinite": "raise",
        "n_folds": 2,
        "memory": None,
    },
    "PrincipalComponentClassifier": {
        "n_components": 2,
        "kernel": "gaussian",
        "penalty": 1.0,
        "approximation": None,
        "indefinite": "raise",
        "n_folds": 2,
        "max_iter": 50,
        "memory": None,
    },
}
# What an estimator needs to have a method.
WITH: dict[str, dict[str, Any]] = {"KernelPCA.partial_fit": {"approximation": gm.Nystrom(4)}}
FEATURES = ("Nystrom", "RandomFourier")
READINGS: dict[str, dict[str, Any]] = {
    "transform": {"X": X},
    "individuals": {"X": X, "diag": None},
    "variables": {"table": GROUPS[["size"]]},
    "categories": {"table": GROUPS[["group"]]},
    "describe": {"table": GROUPS, "alpha": 0.05},
    "summary": {"n_axes": 2, "n_rows": 3, "table": None},
    "reconstruction_error": {"X": X, "diag": None},
    "inverse_transform": {"Z": X[:, :2]},
    "neighbourhoods": {"X": X, "n_neighbors": 2},
    "score_samples": {"X": X},
    "partial": {"X": X},
    "stress_test": {"n_permutations": 3, "random_state": 0},
    "decision_function": {"X": X},
    "predict": {"X": X},
    "predict_proba": {"X": X},
    "predict_log_proba": {"X": X},
}


def target_of(name: str) -> Any:
    return TARGET if "Regression" in name and "Component" in name else CLASS


@cache
def fitted(name: str) -> Any:
    """Return an estimator fitted on good rows."""
    return getattr(gm, name)(**GOOD_ESTIMATORS[name]).fit(FRAME, target_of(name))


def constructor(name: str) -> Callable[..., Any]:
    return lambda **options: getattr(gm, name)(**options).fit(X, target_of(name))


def fit(name: str, method: str) -> Callable[..., Any]:
    def call(**arguments: Any) -> Any:
        estimator = getattr(gm, name)(**GOOD_ESTIMATORS[name] | WITH.get(f"{name}.{method}", {}))
        return getattr(estimator, method)(**arguments)

    return call


def reading(name: str, method: str) -> Callable[..., Any]:
    return lambda **arguments: getattr(fitted(name), method)(**arguments)


for name, options in GOOD_ESTIMATORS.items():
    seed = {} if name in ("KernelLogisticRegression",) else {"random_state": 0}
    add(name, constructor(name), **options, **seed)
    rows = {"X": X, "y": target_of(name)} | ({} if name in FEATURES else {"sample_weight": None})
    for method in ("fit", "fit_transform", "partial_fit"):
        if hasattr(getattr(gm, name)(**options | WITH.get(f"{name}.{method}", {})), method):
            add(f"{name}.{method}", fit(name, method), **rows)
    for method, arguments in READINGS.items():
        if hasattr(getattr(gm, name), method):
            own = arguments | {"method": "auto"} if method == "inverse_transform" else arguments
            own = arguments if name == "PCA" else own
            add(f"{name}.{method}", reading(name, method), **own)
add("read", gm.read, reduction=X[:, :2], X=X)
for name, options in (
    (
        "KernelPCA",
        {"estimator": None, "n_components": 2, "kernel": "rbf", "gamma": 0.5, "degree": 3},
    ),
    ("PCA", {"estimator": None, "n_components": 2, "svd_solver": "auto", "whiten": False}),
    ("Nystrom", {"estimator": None, "n_components": 4, "kernel": "rbf", "gamma": 0.5}),
    ("MDS", {"estimator": None, "n_components": 2, "metric": "euclidean", "eps": 1e-3}),
):
    add(
        f"{name}.from_sklearn",
        lambda estimator, name=name, **o: getattr(gm, name).from_sklearn(estimator, **o).fit(X),
        **options,
    )
for metric in ("precomputed", "gower", "cityblock"):
    rows = {"X": D if metric == "precomputed" else X, "sample_weight": None}
    add(
        f"ClassicalMDS[{metric}].fit",
        lambda metric=metric, **a: gm.ClassicalMDS(2, metric=metric).fit(**a),
        **rows,
    )
    add(f"MDS[{metric}].fit", lambda metric=metric, **a: gm.MDS(2, metric=metric).fit(**a), **rows)
add("KernelPCA[precomputed].fit", lambda X: gm.KernelPCA(2, kernel="precomputed").fit(X), X=K)
add(
    "MultiKernelPCA[blocks].fit",
    lambda **blocks: gm.MultiKernelPCA(2, kernels={"a": "linear", "b": "precomputed"}).fit(blocks),
    a=X,
    b=K,
)
for name, kernel, objects in (
    ("graphs", gm.kernels.graph.WeisfeilerLehman(2), GRAPHS),
    ("sequences", gm.kernels.sequence.Spectrum(2), WORDS),
):
    add(
        f"KernelPCA[{name}].fit",
        lambda X, kernel=kernel: gm.KernelPCA(1, kernel=kernel).fit(X),
        X=objects,
    )
