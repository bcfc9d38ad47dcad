"""Arguments that are good, for every argument but the one that is junk."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd

import gramian as gm

RNG = np.random.default_rng(3)
X = RNG.standard_normal((8, 3)) * [3.0, 2.0, 1.0]
Y = RNG.standard_normal((5, 3))
FRAME = pd.DataFrame(X, columns=["a", "b", "c"], index=[f"r{k}" for k in range(8)])
GROUPS = pd.DataFrame({"group": list("uvuvuvuv"), "size": np.arange(8.0)}, index=FRAME.index)
D = gm.distances.euclidean(X)
K = X @ X.T
TARGET = X @ [1.0, -1.0, 0.5]
CLASS = np.array([0, 1, 1, 0, 1, 0, 0, 1])
GRAPHS = [nx.path_graph(4), nx.cycle_graph(4), nx.star_graph(4)]
for G in GRAPHS:
    nx.set_node_attributes(G, {node: "uv"[node % 2] for node in G}, "label")
NAMED = [nx.relabel_nodes(G, str) for G in (nx.path_graph(4), nx.cycle_graph(4))]
WORDS = ["abcab", "bcabc", "aabbc"]
ADJACENCY = np.array([[0.0, 1.0], [1.0, 0.0]])
SELECT = {"candidates": ["linear"], "y": None, "criterion": None, "n_permutations": 2}
SELECT |= {"n_folds": 2, "max_rows": 10, "random_state": 0}
PLOT = {"title": "", "backend": "none", "ax": None, "figsize": None, "palette": None}
PLOT |= {"theme": "screen"}
GAUSSIAN = gm.kernels.Gaussian(1.0)
