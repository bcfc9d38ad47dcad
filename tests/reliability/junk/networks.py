"""Networks and their plots."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import ADJACENCY, PLOT, RNG

import gramian as gm

GENES = pd.DataFrame(RNG.standard_normal((12, 4)), columns=list("abcd"))
CONDITION = ["u", "v"] * 6
NETWORK = gm.networks.Network(ADJACENCY, ["a", "b"])
function(
    "networks.infer",
    **{"X": GENES, "method": "correlation", "shrinkage": None, "penalty": None, "threshold": 0.2},
    **{"density": None, "fdr": None, "stability": None, "n_subsamples": 5, "join": "and"},
    **{"signed": True, "random_state": 0, "condition": CONDITION},
)
function(
    "networks.differential",
    **{"X": GENES, "condition": CONDITION, "fdr": 0.5, "n_permutations": 3, "random_state": 0},
)
function(
    "networks.prepare",
    **{"data": GENES.assign(group=CONDITION), "group": "group", "samples": None, "genes": 3},
    **{"counts": None},
)
STUDY = {
    "condition": CONDITION,
    "design": "per-condition",
    "sizes": [4],
    "n_resamples": 3,
    "random_state": 0,
}
STUDY |= {"infer": None, "kernel": None, "agreement": 0.8, "level": 0.95, "n_permutations": 3}
STUDY |= {"alpha": 0.05, "checkpoint": None, "progress": False}
function("networks.replicate_study", X=GENES, **STUDY)
add("networks.Network", gm.networks.Network, adjacency=ADJACENCY, names=None, edge_values=None)
add("networks.Network.degree", NETWORK.degree, weighted=False)
add("networks.Network.hubs", NETWORK.hubs, n=1)
add("networks.Network.subnetwork", NETWORK.subnetwork, names=["a"])
add(
    "networks.Network.from_edges",
    gm.networks.Network.from_edges,
    **{"names": ["a", "b"], "ends": [[0, 1]], "weights": [1.0]},
)
function("plots.network", network=NETWORK, labels=1, **PLOT)


@cache
def study() -> Any:
    return gm.networks.replicate_study(GENES, **STUDY)


add(
    "networks.ReplicateStudy.consensus",
    lambda **a: study().consensus(**a),
    **{"condition": "all", "size": 4, "share": 0.5},
)
add("networks.ReplicateStudy.map", lambda **a: study().map(**a), n_components=2)
add(
    "plots.networks",
    lambda study, **a: gm.plots.networks(study, **a),
    **{"study": study(), "axes": (1, 2), "color": "size"},
    **PLOT,
)
add("plots.replicates", gm.plots.replicates, study=study(), what="both", **PLOT)
