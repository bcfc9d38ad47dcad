"""Every public function, constructor (with a first use) and method of a result."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any
from unittest import mock

import numpy as np
import torch  # noqa: F401  a first import takes longer than a call may
from tests.reliability.junk.entry import Entry, Walk
from tests.reliability.junk.good import GAUSSIAN, GRAPHS, NETWORK, WORDS, Good, file, table_file
from tests.surface import CALLABLE

import gramian as gm

# What the library gives back and nobody builds, classes to inherit from, registers, no arguments.
NOT_WALKED = """
    clusters.Clusters clusters.Description clusters.Tree
    datasets.Dataset datasets.airquality datasets.breast_cancer datasets.cities datasets.digits
    datasets.example_matrix datasets.iris datasets.names datasets.wine
    dimension.Choice dimension.Choices dimension.CrossValidation dimension.KernelParallelAnalysis
    dimension.ParallelAnalysis dimension.Rule dimension.register
    ecology.Constrained ecology.Dispersion ecology.Permanova
    evidence.Arrangement evidence.Assumptions evidence.AxesEvidence evidence.Carried
    evidence.ClusterEvidence evidence.Independence networks.DifferentialPower networks.Pooling
    stability.SamplesNeeded
    evidence.Copies evidence.Counts evidence.CurveEvidence evidence.Directions evidence.Finding
    evidence.GroupEvidence evidence.LoadingEvidence evidence.NumberEvidence evidence.RowsEvidence
    evidence.Tails studies.Claim studies.Study
    io.Finding io.Format io.Scan io.Source io.formats io.register
    kernels.Dot kernels.Kernel kernels.Radial kernels.register saving.register
    maps.Alignment maps.Comparison
    missing.Imputation missing.MultipleImputation networks.Experiment networks.ReplicateStudy
    plots.Figure plots.plotly_config plots.register
    report.Study selection.KernelSelection stability.Stability validity.Repair validity.Verdict"""
# Public names whose signature does not say how they are used first.
BY_HAND = "app io.read io.read_file io.as_source io.examine schoenberg.compose"
BY_HAND += " load load_model saving.load saving.load_model"
BY_HAND += " networks.read_edges networks.read_graphml"
FITS = ("fit", "fit_transform", "partial_fit")
KERNEL_METHODS = ("pairwise", "diag")
# Methods that the library calls and not its users, and those that a class inherits and refuses.
INNER = "io.Scan.place io.Scan.named_blocks Nystrom.lowrank RandomFourier.lowrank"
INNER += " STATIS.inverse_transform DISTATIS.inverse_transform"
INNER += " STATIS.preview DISTATIS.preview MultiKernelPCA.preview SparsePCA.limits SparsePCA.rotate"
INNER += " Design.cells Design.discriminant Design.map"  # of a formula, which a bare fit has not
WITHOUT_LOADINGS = "CA KernelPCA ClassicalMDS MDS MultiKernelPCA RobustPCA STATIS DISTATIS"
INNER += "".join(f" {name}.rotate" for name in WITHOUT_LOADINGS.split())
INNER += " MDS.limits STATIS.limits DISTATIS.limits"
WITHOUT_COLUMNS = "CA MCA FAMD MFA MultiKernelPCA STATIS DISTATIS"
INNER += "".join(f" {name}.why" for name in WITHOUT_COLUMNS.split())


def results(g: Good) -> dict[str, Callable[[], Any]]:
    """Return what makes results that have methods."""
    groups = g.frame.assign(group=np.resize(["u", "v"], g.n))
    return {
        "clusters.Clusters": lambda: gm.clusters.find(g.fitted("PCA"), 2),
        "ecology.Constrained": lambda: gm.ecology.rda(**g.model),
        "io.Scan": lambda: gm.io.scan([g.X, g.X]),
        "io.Source": lambda: gm.io.as_source(groups),
        "missing.Imputation": lambda: g.many().imputation,
        "missing.MultipleImputation": g.many,
        "networks.Network": lambda: NETWORK,
        "networks.ReplicateStudy": g.study,
        "rkhs.Function": lambda: gm.rkhs.Function("linear", g.X, np.ones(g.n)),
        "rkhs.GaussianMercer": lambda: gm.rkhs.GaussianMercer(1.0),
        "stability.Stability": lambda: gm.stability.bootstrap(
            gm.PCA(2), g.X, n_resamples=5, random_state=0
        ),
    }


@cache
def public_methods(cls: type) -> dict[str, Any]:
    """Return the methods of a class that take something, without what scikit-learn adds."""
    found = inspect.getmembers(cls, inspect.isfunction)
    return {
        name: method
        for name, method in found
        if not name.startswith(("_", "set_", "get_"))
        and method.__module__.startswith("gramian.")
        and len(inspect.signature(method).parameters) > 1
    }


def add_estimator(walk: Walk, name: str, cls: Any) -> None:
    g, derive = walk.good, walk.derive
    rows, target, options = g.rows_of(name), g.target_of(name), g.estimator(name)
    derive(name, lambda **o: cls(**o).fit(rows, target), cls, **options)
    for method, function in public_methods(cls).items():
        if f"{name}.{method}" in INNER.split():
            continue
        if not hasattr(cls(**g.estimator(name, method)), method):
            continue
        known = {"X": rows, "y": target} if method in FITS else {"X": rows}
        known = {} if method == "neighbourhoods" else known  # which takes numbers

        # An argument may itself be called method.
        def call(_called: str = method, **arguments: Any) -> Any:
            is_new = _called in FITS
            fit = cls(**g.estimator(name, _called)) if is_new else g.fitted(name)
            return getattr(fit, _called)(**arguments)

        derive(f"{name}.{method}", call, function, **known)


def add_kernel(walk: Walk, name: str, cls: Any) -> None:
    rows, derive = walk.good.rows_of(name), walk.derive
    derive(name, lambda **o: cls(**o).pairwise(rows), cls)
    own = walk.entries[name]
    for method in KERNEL_METHODS:
        derive(
            f"{name}.{method}",
            lambda method=method, **a: getattr(cls(**own.made()), method)(**a),
            getattr(cls, method),
            X=rows,
            Y=rows,
        )


def add_result(walk: Walk, name: str, make: Callable[[], Any]) -> None:
    made = cache(make)
    for method, function in public_methods(CALLABLE[f"gramian.{name}"]).items():
        if f"{name}.{method}" not in INNER.split():
            walk.derive(
                f"{name}.{method}",
                lambda method=method, **a: consumed(getattr(made(), method)(**a)),
                function,
            )


def open_app(**arguments: Any) -> None:
    """Open the app, and end where it would answer requests until it is interrupted."""
    with (
        mock.patch("gramian._browser.app.server.serve", lambda server, at, started: started()),
        mock.patch("webbrowser.open"),
    ):
        gm.app(**arguments)


def consumed(result: Any) -> Any:
    return list(result) if inspect.isgenerator(result) else result


@lru_cache(maxsize=40)
def entries(n: int = 8, p: int = 3, named: bool = True) -> dict[str, Entry]:
    """Return every entry, with good arguments for tables of n rows and p columns."""
    walk = Walk(Good(n, p, named))
    for full, function in CALLABLE.items():
        name = full.removeprefix("gramian.")
        if name in NOT_WALKED.split() or name in BY_HAND.split():
            continue
        if "." not in name and inspect.isclass(function):
            add_estimator(walk, name, function)
        elif inspect.isclass(function) and issubclass(function, gm.kernels.Kernel):
            add_kernel(walk, name, function)
        else:
            walk.derive(name, function, function)
    for name, make in results(walk.good).items():
        add_result(walk, name, make)
    add_by_hand(walk)
    return walk.entries


def add_by_hand(walk: Walk) -> None:
    g, add = walk.good, walk.add
    X, K, D = g.X, g.K, g.D
    walk.derive("app", open_app, gm.app, data=g.frame, announce=print)
    read = tuple(inspect.signature(gm.io.read).parameters)
    for name, function in (("io.read", gm.io.read), ("io.read_file", gm.io.read_file)):

        def read_table(source: Any = "table.csv", _read: Any = function, **options: Any) -> Any:
            table_file()
            return _read(source, **options)

        add(name, read_table, read)
    for name in ("as_source", "examine"):
        add(f"io.{name}", CALLABLE[f"gramian.io.{name}"], read[1:], data=g.frame)
    model = file("pca.gramian", lambda name: gm.save(g.fitted("PCA"), name))
    edges = file("edges.txt", lambda name: gm.networks.write_edges(NETWORK, name))
    graph = file("net.graphml", lambda name: gm.networks.write_graphml(NETWORK, name))
    for name, function, write in (
        ("load", gm.load, model),
        ("saving.load", gm.load, model),
        ("load_model", gm.load_model, model),
        ("saving.load_model", gm.load_model, model),
        ("networks.read_edges", gm.networks.read_edges, edges),
        ("networks.read_graphml", gm.networks.read_graphml, graph),
    ):
        path = "edges.txt" if name.endswith("edges") else "net.graphml"
        path = path if name.startswith("networks.") else "pca.gramian"
        walk.derive(
            name,
            lambda function=function, write=write, **a: (write(), function(**a)),
            function,
            path=path,
        )
    for name, options in (
        ("KernelPCA", {"n_components": 2, "kernel": "rbf", "gamma": 0.5, "degree": 3}),
        ("PCA", {"n_components": 2, "svd_solver": "auto", "whiten": False}),
        ("Nystrom", {"n_components": 4, "kernel": "rbf", "gamma": 0.5}),
        ("MDS", {"n_components": 2, "metric": "euclidean", "eps": 1e-3}),
    ):
        add(
            f"{name}.from_sklearn",
            lambda estimator, name=name, **o: getattr(gm, name).from_sklearn(estimator, **o).fit(X),
            estimator=None,
            **options,
        )
    for metric in ("precomputed", "gower", "cityblock"):
        for name in ("ClassicalMDS", "MDS"):
            add(
                f"{name}[{metric}].fit",
                lambda name=name, metric=metric, **a: getattr(gm, name)(2, metric=metric).fit(**a),
                X=D if metric == "precomputed" else X,
                sample_weight=None,
            )
    for name in ("PCA", "KernelPCA", "ClassicalMDS"):
        add(
            f"missing: {name}.fit",
            lambda name=name, **a: getattr(gm, name)(1, missing="iterative").fit(**a),
            X=g.holed,
            sample_weight=None,
        )
    complete = cache(lambda: gm.PCA(1, missing="iterative").fit(g.holed))
    add("missing: PCA.transform", lambda X: complete().transform(X), X=X)
    for kind, kernel, objects in (
        ("precomputed", "precomputed", K),
        ("graphs", gm.kernels.graph.WeisfeilerLehman(2), GRAPHS),
        ("sequences", gm.kernels.sequence.Spectrum(2), WORDS),
    ):
        fit = gm.KernelPCA(1, kernel=kernel)
        add(f"KernelPCA[{kind}].fit", lambda X, fit=fit: fit.fit(X), X=objects)
    both = gm.MultiKernelPCA(2, kernels={"a": "linear", "b": "precomputed"})
    add("MultiKernelPCA[blocks].fit", lambda **blocks: both.fit(blocks), a=X, b=K)
    add_operators(walk)
    steps = {"step": np.sqrt, "D2": D**2}
    add("schoenberg.compose", lambda step, D2: gm.schoenberg.compose(step)(D2), **steps)
    add("distances.pairwise[function]", lambda **a: gm.distances.pairwise(X, metric=norm, **a), Y=X)
    add("validity.is_psd[kernel]", gm.validity.is_psd, K=GAUSSIAN, dimension=2, n_sets=3)
    add("validity.is_euclidean[metric]", gm.validity.is_euclidean, D="cityblock", n_sets=3)
    add("clusters.describe[rows]", gm.clusters.describe, labels=g.classes, table=g.frame)


def add_operators(walk: Walk) -> None:
    add, X, K, n = walk.add, walk.good.X, walk.good.K, walk.good.n
    function = gm.rkhs.Function("linear", X, np.ones(n))
    add("rkhs.Function.__call__", lambda X: function(X), X=X)
    add("rkhs.Function.__add__", lambda other: function + other, other=function)
    add("rkhs.Function.__sub__", lambda other: function - other, other=function)
    add("rkhs.Function.__mul__", lambda other: function * other, other=2.0)
    add("kernels.Kernel.__add__", lambda other: (GAUSSIAN + other).pairwise(X), other=1.0)
    add("kernels.Kernel.__mul__", lambda other: (GAUSSIAN * other).pairwise(X), other=2.0)
    add("kernels.Kernel.__pow__", lambda other: (GAUSSIAN**other).pairwise(X), other=2)
    add("kernels.Kernel.on", lambda mapping: GAUSSIAN.on(mapping).pairwise(X), mapping=np.tanh)
    add("kernels.Kernel.polynomial", lambda coefs: GAUSSIAN.polynomial(coefs)(X), coefs=[1.0])
    add(
        "kernels.Kernel.set_params", lambda **a: gm.kernels.Gaussian().set_params(**a)(X), scale=1.0
    )
    from_gamma = gm.kernels.Gaussian.from_gamma
    add("kernels.Gaussian.from_gamma", lambda gamma: from_gamma(gamma)(X), gamma=1.0)
    by_distance = gm.kernels.FromDistance.from_gamma
    gamma = {"metric": "cityblock", "gamma": 1.0}
    add("kernels.FromDistance.from_gamma", lambda **a: by_distance(**a)(X), **gamma)
    matrix = {"matrix": K, "X": [[0], [1]], "Y": [[2]]}
    add("kernels.Precomputed", lambda matrix, X, Y: gm.kernels.Precomputed(matrix)(X, Y), **matrix)
    parts = {"n_nodes": 3, "edges": [(0, 1)], "weights": None, "labels": None, "names": None}
    add("kernels.graph.Graph.from_edges", gm.kernels.graph.Graph.from_edges, **parts)
    edges = {"names": ["a", "b"], "ends": [[0, 1]], "weights": [1.0]}
    add("networks.Network.from_edges", gm.networks.Network.from_edges, **edges)


def norm(a: Any, b: Any) -> float:
    return float(np.linalg.norm(np.asarray(a, dtype=float) - np.asarray(b, dtype=float)))
