"""Examples of arguments, by the name of the parameter: for every argument but the one that is junk.

The key of an example is a parameter, `function.parameter`, `package:parameter`, or the whole name
with the parameter, and the most special one is taken. `REQUIRED` is for parameters without a
default; those with one keep it unless `OPTIONS`, or a special key of either, says more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

import gramian as gm
from gramian._core.pairs import Points

RNG = np.random.default_rng(3)
X = RNG.standard_normal((8, 3)) * [3.0, 2.0, 1.0]
Y = RNG.standard_normal((5, 3))
FRAME = pd.DataFrame(X, columns=["a", "b", "c"], index=[f"r{k}" for k in range(8)])
GROUPS = pd.DataFrame({"group": list("uvuvuvuv"), "size": np.arange(8.0)}, index=FRAME.index)
D = gm.distances.euclidean(X)
K = X @ X.T
TARGET = X @ [1.0, -1.0, 0.5]
CLASS = np.array([0, 1, 1, 0, 1, 0, 0, 1])
HOLED = np.where(np.arange(24).reshape(8, 3) == 7, np.nan, X)
AMOUNTS = np.abs(X) + 0.1
COUNTS = pd.DataFrame(
    np.array([[3, 1, 2, 5, 0, 1, 1, 4], [4, 2, 2, 7, 6, 1, 0, 1], [1, 1, 0, 3, 2, 4, 2, 2]]).T,
    columns=["a", "b", "c"],
    index=FRAME.index,
).astype(float)
ANSWERS = pd.DataFrame(
    {"u": list("ababbaab"), "v": list("ccddcddc"), "w": list("efgefgef")}, index=FRAME.index
)
MIXED = FRAME.join(ANSWERS)
GRAPHS = [nx.path_graph(4), nx.cycle_graph(4), nx.star_graph(4)]
for G in GRAPHS:
    nx.set_node_attributes(G, {node: "uv"[node % 2] for node in G}, "label")
NAMED = [nx.relabel_nodes(G, str) for G in GRAPHS[:2]]
WORDS = ["abcab", "bcabc", "aabbc"]
ADJACENCY = np.array([[0.0, 1.0], [1.0, 0.0]])
GENES = pd.DataFrame(RNG.standard_normal((12, 4)), columns=list("abcd"))
CONDITION = ["u", "v"] * 6
EIGENVALUES = np.array([3.0, 1.5, 0.5, 0.2])
GAUSSIAN = gm.kernels.Gaussian(1.0)
NETWORK = gm.networks.Network(ADJACENCY, ["a", "b"])
MODEL = {"X": AMOUNTS, "table": GROUPS.reset_index(drop=True), "terms": "size"}
F = gm.PCA(2).fit_transform(X)


class Later:
    """An example that is made when it is asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = cache(make)


class Cells:
    """What is needed of an AnnData object."""

    X, obs_names, var_names = FRAME.to_numpy(), FRAME.index, FRAME.columns

    def __init__(self) -> None:
        self.obsm, self.varm, self.uns, self.layers = ({} for _ in range(4))


def file(name: str, write: Callable[[str], Any]) -> Callable[[], str]:
    """Return a function that writes a file, where there is none, and says its name."""

    def make() -> str:
        if not Path(name).exists():
            write(name)
        return name

    return make


def table_file() -> str:
    text = "name,a,b\nr1,1,2\nr2,3,5\nr3,4,4\n"
    return file("table.csv", lambda name: Path(name).write_text(text))()


def rows_of(name: str) -> Any:
    """Return rows that an estimator or a kernel takes, by its name."""
    if name.startswith("kernels."):
        if name == "kernels.Precomputed":
            return [[0], [1]]
        if name.rpartition(".")[2] in ("EdgeOverlap", "HIM", "Diffusion") or name.endswith(
            "graph.Laplacian"
        ):
            return NAMED
        return GRAPHS if ".graph." in name else WORDS if ".sequence." in name else X
    blocks = {"one": X[:, :2], "two": X[:, 1:]}
    own = {"CA": COUNTS, "MCA": ANSWERS, "FAMD": MIXED, "MFA": MIXED, "STATIS": blocks}
    return own.get(name, {"one": D, "two": D**0.5} if name == "DISTATIS" else X)


def target_of(name: str) -> Any:
    return TARGET if name == "PrincipalComponentRegression" else CLASS


@cache
def estimator(name: str, method: str = "") -> dict[str, Any]:
    """Return options with which an estimator is quick, or has a method at all."""
    options: dict[str, Any] = {"n_components": 2, "random_state": 0, "rank": 4, "n_folds": 2}
    options |= {"max_iter": 50, "n_init": 1, "tol": 1e-3 if name == "MDS" else 1e-8}
    options |= {"groups": {"x": ["a", "b"], "y": ["u", "v"]}, "kinds": {"x": "scaled"}}
    options |= {"kernels": {"a": "linear", "b": "gaussian"}, "n_neighbors": 3}
    if (name, method) == ("KernelPCA", "partial_fit"):
        options["approximation"] = gm.Nystrom(4)
    return {key: value for key, value in options.items() if key in getattr(gm, name)().get_params()}


@cache
def fitted(name: str) -> Any:
    """Return an estimator fitted on good rows."""
    rows = rows_of(name)
    return getattr(gm, name)(**estimator(name)).fit(FRAME if rows is X else rows, target_of(name))


def fit(name: str) -> Later:
    return Later(lambda: fitted(name))


def kernel(name: str) -> Any:
    return getattr(gm.kernels, name)


@cache
def study() -> Any:
    return gm.networks.replicate_study(
        GENES, CONDITION, sizes=[4], n_resamples=3, n_permutations=3, random_state=0
    )


@cache
def many() -> Any:
    return gm.missing.multiple(HOLED, 2, n_tables=4, random_state=0)


REQUIRED: dict[str, Any] = {
    **{"X": X, "Y": Y, "K": K, "D": D, "D2": D**2, "F": F, "A": D, "B": D, "S": Y, "q": 1, "k": 1},
    **{"a": 0.5, "p": [0.01, 0.5], "first": "linear", "second": "gaussian", "kernel": "gaussian"},
    **{"labels": CLASS, "groups": CLASS, "table": GROUPS, "data": FRAME, "network": NETWORK},
    **{"source": EIGENVALUES, "estimator": gm.PCA(2), "columns": [0, 1], "mapping": np.tanh},
    **{"n": 2, "axes": (1, 2), "other": 2.0, "error": 0.1, "names": ["a"], "function": np.sqrt},
    **{"fitted": fit("PCA"), "fit": fit("PCA"), "study": Later(study), "many": Later(many)},
    **{"adjacency": ADJACENCY, "left": GAUSSIAN, "right": GAUSSIAN, "path": "model.gramian"},
    **{"points": X, "coefficients": np.ones(8), "condition": CONDITION, "y": CLASS, "role": "all"},
    **{"reduction": X[:, :2], "name": "cities", "method": "hellinger", "backend": "none"},
    **{"adata": Later(Cells), "exponent": 2, "coefs": (1.0, 1.0), "g": lambda A: np.ravel(A)[:8]},
    **{"transform": np.sqrt, "new": Y[:, :2], "rows": X, "shape": (1, 3), "scale": 1.0},
    "record": Later(lambda: gm.plots.scree(fitted("PCA"), backend="none")),
    "Callback.function": lambda A, B: np.asarray(A) @ np.asarray(B).T,
    "power.p": 0.5,
    "kernel_axes.G": K,
    "as_graph.G": GRAPHS[0],
    "contingency_axes.N": np.random.default_rng(0).poisson(9.0, (8, 5)),
    "numbers.Z": X[:, :1],
    "learned.Z": X[:, :2],
    "inverse_transform.Z": X[:, :2],
    "fixed_point.points": Points(X),
    "fixed_point.kernel": GAUSSIAN,
    "fixed_point.coefficients": np.eye(8)[:2],
    "OptimalAssignment.kernel": gm.kernels.graph.VertexHistogram(),
    **{f"stability.{name}.Y": X for name in ("procrustes", "protest")},
    **{f"rkhs.{name}.Y": X for name in ("hsic", "rv", "alignment")},
    **{f"ecology:{name}": value for name, value in MODEL.items()},
    **{"missing:X": HOLED, "networks:X": GENES, "bray_curtis.X": AMOUNTS, "bray_curtis.Y": AMOUNTS},
    "networks.prepare.data": GENES.assign(group=CONDITION),
    "report.replicates.data": GENES.assign(group=["u", "v", "w"] * 4),
    "report:path": "page.html",
    "dimension.choose.source": X,
    "io.scan.source": [X, X],
    "io.read.source": Later(table_file),
    "io.Scan.write.path": "rows.npy",
    "plots.categories.fitted": fit("MCA"),
    "plots.gram.fitted": fit("KernelPCA"),
    "importance.gradient.fitted": fit("KernelPCA"),
    "plots.shepard.fitted": fit("ClassicalMDS"),
    "plots.map3d.fitted": Later(lambda: gm.PCA(3).fit(FRAME)),
    "plots.regions.fitted": Later(lambda: gm.KernelLogisticRegression().fit(X[:, :2], CLASS)),
    "plots.dendrogram.found": Later(lambda: gm.clusters.find(fitted("PCA"), 2)),
    "plots.dimension.found": Later(lambda: gm.dimension.choose(X, rules=["kaiser"])),
    "plots.selection.found": Later(
        lambda: gm.kernels.select(X, ["linear"], n_permutations=2, n_folds=2, random_state=0)
    ),
    "variables.table": GROUPS[["size"]],
    "categories.table": GROUPS[["group"]],
    **{f"{name}.new": {"z": FRAME[["c"]]} for name in ("group_table", "lg", "rv", "separate")},
    "partial_axes.new": {"z": FRAME[["c"]]},
    **{
        f"rkhs.Function.{name}.other": gm.rkhs.Function("linear", X, np.ones(8))
        for name in ("inner", "distance", "__add__", "__sub__")
    },
    "GaussianMercer:X": X[:, :1],
}
OPTIONS: dict[str, Any] = {
    **{"random_state": 0, "rng": 0, "seed": 0, "backend": "none", "force": True, "n_folds": 2},
    **{"n_permutations": 3, "n_resamples": 5, "n_draws": 19, "n_sets": 3, "n_repeats": 2},
    **{"n_components": 2, "n_clusters": 2, "n_tables": 4, "n_subsamples": 5, "max_iter": 50},
    **{"dimension:n_permutations": 19, "n_groups": 4, "resolution": 5, "max_rows": 10},
    **{"candidates": ["linear"], "rules": ["kaiser", "parallel"], "scales": [1.0], "sizes": [4]},
    **{"curves.n_draws": 9, "groups.n_draws": 9, "numbers.n_draws": 9, "directions.above": 1},
    **{"replicate_study.n_resamples": 3, "importance:n_permutations": 2, "missing:max_iter": 100},
    **{"regions.X": X[:, :2], "regions.y": CLASS, "infer.threshold": 0.2, "threshold.share": 0.9},
    **{"differential.fdr": 0.5, "assumptions.everything": GROUPS, "group": "group", "genes": 3},
    **{"max_components": 2, "missing:n_components": 1, "multiple.n_components": 2, "n_genes": 60},
    **{"missing:max_components": 1, "n_replicates": 2, "n_modules": 1, "module_size": 5},
    **{"replicated_expression.n_genes": 30, "replicated_expression.n_replicates": 3},
    **{"replicated_expression.n_modules": 2, "rewired": 1, "n_iter": 2, "alphabet": "abc"},
    **{"dimension:n_samples": 20, "dimension.choose.n_samples": None, "describe.table": GROUPS},
    **{"kernels:kernel": GAUSSIAN, "rkhs:X": X, "neighbourhoods.X": X},
    **{"circles.n": 9, "rings.n": 9, "spheres.n": 9, "triples.n": 6, "io.scan.memory": "1MB"},
    **{"mantel.B": D, "images.n_images": 4, "GaussianMercer.n_components": 3, "hubs.n": 1},
    **{"Standardized.mean": None, "Precomputed.matrix": K, "mercer.n_components": 2, "k": 2},
    **{"Graphlet.k": 3, "carried.k": 1, "Subsequence.length": 2, "spans": [1.0, 0.0, 2.0]},
    **{"neighbourhoods.n_neighbors": 2, "replicate_study.condition": CONDITION},
    **{"infer.condition": CONDITION, "ecology:terms": "size", "bray_curtis.Y": AMOUNTS},
}
