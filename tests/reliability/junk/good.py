"""Examples of arguments, by the name of the parameter: for every argument but the one that is junk.

The key of an example is a parameter, `function.parameter`, `package:parameter`, or the whole name
with the parameter, and the most special one is taken. `required` is for parameters without a
default; those with one keep it unless `options`, or a special key of either, says more.
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

GRAPHS = [nx.path_graph(4), nx.cycle_graph(4), nx.star_graph(4)]
for G in GRAPHS:
    nx.set_node_attributes(G, {node: "uv"[node % 2] for node in G}, "label")
NAMED = [nx.relabel_nodes(G, str) for G in GRAPHS[:2]]
WORDS = ["abcab", "bcabc", "aabbc"]
ADJACENCY = np.array([[0.0, 1.0], [1.0, 0.0]])
EIGENVALUES = np.array([3.0, 1.5, 0.5, 0.2])
GAUSSIAN = gm.kernels.Gaussian(1.0)
NETWORK = gm.networks.Network(ADJACENCY, ["a", "b"])
BY_NAMES = ("EdgeOverlap", "HIM", "Diffusion", "graph.Laplacian")  # kernels of named nodes


class Later:
    """An example that is made when it is asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = cache(make)


class Cells:
    """What is needed of an AnnData object."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.X, self.obs_names, self.var_names = frame.to_numpy(), frame.index, frame.columns
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


class Good:
    """Arguments that are accepted, for tables of n rows and p columns.

    With `named`, estimators are fitted on frames, of categories too where they take them; without,
    on plain arrays, so that any table of as many columns can follow.
    """

    def __init__(self, n: int = 8, p: int = 3, named: bool = True) -> None:
        rng = np.random.default_rng(3)
        self.n, self.p, self.named = n, p, named
        self.X = rng.standard_normal((n, p)) * np.resize([3.0, 2.0, 1.0], p)
        self.Y = rng.standard_normal((5, p))
        self.D = np.sqrt(((self.X[:, None] - self.X[None]) ** 2).sum(axis=2))
        self.K = self.X @ self.X.T
        columns = list("abc") if p == 3 else [f"x{j}" for j in range(p)]
        self.frame = pd.DataFrame(self.X, [f"r{i}" for i in range(n)], columns)
        group = np.resize(["u", "v"], n)
        self.groups = pd.DataFrame({"group": group, "size": np.arange(n) * 1.0}, self.frame.index)
        self.target = self.X @ np.resize([1.0, -1.0, 0.5], p)
        self.classes = np.resize([0, 1, 1, 0, 1, 0, 0, 1], n)
        self.holed = np.where(np.arange(n * p).reshape(n, p) == 7, np.nan, self.X)
        self.amounts = np.abs(self.X) + 0.1
        self.counts = self.frame * 0 + rng.poisson(3.0, (n, p)) + (np.arange(n) % 2)[:, None]
        levels = {"u": "ababbaab", "v": "ccddcddc", "w": "efgefgef"}
        answers = {name: np.resize(list(text), n) for name, text in levels.items()}
        self.answers = pd.DataFrame(answers, self.frame.index)
        self.mixed = self.frame.join(self.answers)
        self.codes = rng.integers(0, 3, (n, p))
        self.genes = pd.DataFrame(rng.standard_normal((12, 4)), columns=list("abcd"))
        self.genes = self.genes if named else self.frame
        self.condition = list(np.resize(["u", "v"], len(self.genes)))
        table = self.groups.reset_index(drop=True)
        self.model = {"X": self.amounts, "table": table, "terms": "size"}
        self.F = Later(lambda: gm.PCA(2).fit_transform(self.X))
        self.fitted, self.study, self.many = (
            cache(self._fitted),
            cache(self._study),
            cache(self._many),
        )
        self.required, self.options = _required(self), _options(self)

    def rows_of(self, name: str) -> Any:
        """Return rows that an estimator or a kernel takes, by its name."""
        if name.startswith("kernels."):
            if name == "kernels.Precomputed":
                return [[0], [1]]
            if name.endswith(BY_NAMES):
                return NAMED
            if name == "kernels.Chi2":
                return self.amounts
            return GRAPHS if ".graph." in name else WORDS if ".sequence." in name else self.X
        X, mixed = self.X, self.mixed if self.named else self.X
        counts = self.counts if self.named else self.counts.to_numpy()
        own = {"CA": counts, "MCA": self.answers if self.named else self.codes, "MFA": mixed}
        own |= {"FAMD": mixed, "STATIS": {"one": X[:, :2], "two": X}}
        return own.get(name, {"one": self.D, "two": self.D**0.5} if name == "DISTATIS" else X)

    def target_of(self, name: str) -> Any:
        return self.target if name == "PrincipalComponentRegression" else self.classes

    def estimator(self, name: str, method: str = "") -> dict[str, Any]:
        """Return options with which an estimator is quick, or has a method at all."""
        options: dict[str, Any] = {"n_components": 2, "random_state": 0, "rank": 4, "n_folds": 2}
        options |= {"max_iter": 50, "n_init": 1, "tol": 1e-3 if name == "MDS" else 1e-8}
        columns = {"x": ["a", "b"], "y": ["u", "v"]}
        options["groups"] = columns if self.named else {"x": [0], "y": list(range(1, self.p))}
        options |= {"kinds": {"x": "scaled"}, "n_neighbors": 3}
        options["kernels"] = {"a": "linear", "b": "gaussian"}
        if (name, method) == ("KernelPCA", "partial_fit"):
            options["approximation"] = gm.Nystrom(4)
        known = getattr(gm, name)().get_params()
        return {key: value for key, value in options.items() if key in known}

    def _fitted(self, name: str) -> Any:
        """Return an estimator fitted on good rows."""
        rows = self.rows_of(name)
        rows = self.frame if rows is self.X and self.named else rows
        return getattr(gm, name)(**self.estimator(name)).fit(rows, self.target_of(name))

    def fit(self, name: str) -> Later:
        return Later(lambda: self.fitted(name))

    def _study(self) -> Any:
        return gm.networks.replicate_study(
            self.genes, self.condition, sizes=[4], n_resamples=3, n_permutations=3, random_state=0
        )

    def _many(self) -> Any:
        return gm.missing.multiple(self.holed, 2, n_tables=4, random_state=0)


def _required(g: Good) -> dict[str, Any]:
    return {
        **{"X": g.X, "Y": g.Y, "K": g.K, "D": g.D, "D2": g.D**2, "F": g.F, "A": g.D, "B": g.D},
        **{"S": g.Y, "q": 1, "k": 1, "a": 0.5, "p": [0.01, 0.5], "first": "linear"},
        **{"second": "gaussian", "kernel": "gaussian", "labels": g.classes, "groups": g.classes},
        **{"table": g.groups, "data": g.frame, "network": NETWORK, "source": EIGENVALUES},
        **{"estimator": gm.PCA(2), "columns": [0, 1], "mapping": np.tanh, "n": 2, "axes": (1, 2)},
        **{"other": 2.0, "error": 0.1, "names": ["a"], "function": np.sqrt, "fitted": g.fit("PCA")},
        **{"fit": g.fit("PCA"), "study": Later(g.study), "many": Later(g.many)},
        **{"adjacency": ADJACENCY, "left": GAUSSIAN, "right": GAUSSIAN, "path": "model.gramian"},
        **{"points": g.X, "coefficients": np.ones(g.n), "condition": g.condition, "y": g.classes},
        **{"role": "all", "reduction": g.X[:, :2], "name": "cities", "method": "hellinger"},
        **{"backend": "none", "adata": Later(lambda: Cells(g.frame)), "exponent": 2},
        **{"coefs": (1.0, 1.0), "g": lambda A: np.ravel(A)[: g.n], "transform": np.sqrt},
        **{"new": g.Y[:, :2], "rows": g.X, "shape": (1, g.p), "scale": 1.0, "missing:X": g.holed},
        **{"networks:X": g.genes, "bray_curtis.X": g.amounts, "bray_curtis.Y": g.amounts},
        "record": Later(lambda: gm.plots.scree(g.fitted("PCA"), backend="none")),
        "Callback.function": lambda A, B: np.asarray(A) @ np.asarray(B).T,
        "power.p": 0.5,
        "rotate.method": "varimax",
        "kernel_axes.G": g.K,
        "as_graph.G": GRAPHS[0],
        "contingency_axes.N": np.random.default_rng(0).poisson(9.0, (g.n, 5)),
        "independence.N": np.random.default_rng(0).poisson(9.0, (g.n, 5)),
        "ecology.gradients.coordinates": g.X[:, :2],
        "ecology.gradients.table": g.groups[["size"]],
        "io.log_counts.counts": g.counts,
        "samples_needed.n_resamples": 2,
        "samples_needed.X": np.random.default_rng(0).standard_normal((30, g.p)),
        "take.names": ["r0", "r1"],
        "plots.show.figure": Later(lambda: gm.plots.scree(g.fitted("PCA"))),
        "with_group.column": "new group",
        "with_group.levels": {"u": ["r0", "r1"]},
        "numbers.Z": g.X[:, :1],
        "learned.Z": g.X[:, :2],
        "inverse_transform.Z": g.X[:, :2],
        "fixed_point.points": Points(g.X),
        "fixed_point.kernel": GAUSSIAN,
        "fixed_point.coefficients": np.eye(g.n)[:2],
        "from_distances.points": Points(g.X),
        "from_distances.kernel": GAUSSIAN,
        "from_distances.coefficients": np.eye(g.n)[:2],
        "OptimalAssignment.kernel": gm.kernels.graph.VertexHistogram(),
        **{f"stability.{name}.Y": g.X for name in ("procrustes", "protest")},
        **{f"rkhs.{name}.Y": g.X for name in ("hsic", "rv", "alignment")},
        **{f"ecology:{name}": value for name, value in g.model.items()},
        "networks.prepare.data": g.genes.assign(group=g.condition),
        "report.replicates.data": g.genes.assign(group=np.resize(["u", "v", "w"], len(g.genes))),
        "report:path": "page.html",
        "dimension.choose.source": g.X,
        "io.scan.source": [g.X, g.X],
        "io.read.source": Later(table_file),
        "io.Scan.write.path": "rows.npy",
        "plots.categories.fitted": g.fit("MCA"),
        "plots.gram.fitted": g.fit("KernelPCA"),
        "importance.gradient.fitted": g.fit("KernelPCA"),
        "plots.shepard.fitted": g.fit("ClassicalMDS"),
        "plots.map3d.fitted": Later(lambda: gm.PCA(3).fit(g.frame)),
        "plots.regions.fitted": Later(
            lambda: gm.KernelLogisticRegression().fit(g.X[:, :2], g.classes)
        ),
        "plots.dendrogram.found": Later(lambda: gm.clusters.find(g.fitted("PCA"), 2)),
        "plots.dimension.found": Later(lambda: gm.dimension.choose(g.X, rules=["kaiser"])),
        "plots.selection.found": Later(
            lambda: gm.kernels.select(g.X, ["linear"], n_permutations=2, n_folds=2, random_state=0)
        ),
        "variables.table": g.groups[["size"]],
        "categories.table": g.groups[["group"]],
        **{
            f"{name}.new": {"z": g.frame.iloc[:, -1:]}
            for name in ("group_table", "lg", "rv", "separate")
        },
        "partial_axes.new": {"z": g.frame.iloc[:, -1:]},
        **{
            f"rkhs.Function.{name}.other": gm.rkhs.Function("linear", g.X, np.ones(g.n))
            for name in ("inner", "distance", "__add__", "__sub__")
        },
        "GaussianMercer:X": g.X[:, :1],
    }


def _options(g: Good) -> dict[str, Any]:
    return {
        **{"random_state": 0, "rng": 0, "seed": 0, "backend": "none", "force": True, "n_folds": 2},
        **{"n_permutations": 3, "n_resamples": 5, "n_draws": 19, "n_sets": 3, "n_repeats": 2},
        **{"n_components": 2, "n_clusters": 2, "n_tables": 4, "n_subsamples": 5, "max_iter": 50},
        **{"dimension:n_permutations": 19, "n_groups": 4, "resolution": 5, "max_rows": 10},
        **{"candidates": ["linear"], "rules": ["kaiser", "parallel"], "scales": [1.0]},
        **{"sizes": [4], "curves.n_draws": 9, "groups.n_draws": 9, "numbers.n_draws": 9},
        **{"directions.above": 1, "replicate_study.n_resamples": 3, "importance:n_permutations": 2},
        **{"missing:max_iter": 100, "regions.X": g.X[:, :2], "regions.y": g.classes},
        **{"infer.threshold": 0.2, "threshold.share": 0.9, "differential.fdr": 0.5},
        **{"differential_power.n_permutations": 19},
        **{"assumptions.everything": g.groups, "group": "group", "genes": 3, "max_components": 2},
        **{"missing:n_components": 1, "multiple.n_components": 2, "n_genes": 60},
        **{"missing:max_components": 1, "n_replicates": 2, "n_modules": 1, "module_size": 5},
        **{"replicated_expression.n_genes": 30, "replicated_expression.n_replicates": 3},
        **{"replicated_expression.n_modules": 2, "rewired": 1, "n_iter": 2, "alphabet": "abc"},
        **{"dimension:n_samples": 20, "dimension.choose.n_samples": None},
        **{"describe.table": g.groups, "kernels:kernel": GAUSSIAN, "rkhs:X": g.X},
        **{"neighbourhoods.X": g.X, "circles.n": 9, "rings.n": 9, "spheres.n": 9, "triples.n": 6},
        **{"io.scan.memory": "1MB", "mantel.B": g.D, "images.n_images": 4},
        **{"GaussianMercer.n_components": 3, "hubs.n": 1, "Standardized.mean": None},
        **{"Precomputed.matrix": g.K, "mercer.n_components": 2, "k": 2, "Graphlet.k": 3},
        **{"carried.k": 1, "Subsequence.length": 2, "spans": np.resize([1.0, 0.0, 2.0], g.p)},
        **{"neighbourhoods.n_neighbors": 2, "replicate_study.condition": g.condition},
        **{"compare.a": g.X, "compare.b": g.X, "procrustes.a": g.X, "procrustes.b": g.X},
        **{"align.maps": [g.X, g.X], "compare.n_neighbors": 2, "places.n_neighbors": 2},
        **{"why.axis": 1, "why.rows": [0, 1], "places.n_resamples": 0, "places.axes": [1]},
        **{"infer.condition": g.condition, "ecology:terms": "size", "bray_curtis.Y": g.amounts},
    }
