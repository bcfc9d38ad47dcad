"""Networks from tables, and how many replicates they need.

`infer` finds a network, `differential` the links that differ between conditions; `prepare` makes a
table of a file of expressions, and `replicate_study` asks how many replicates an experiment needs
for its networks to be the same again.
"""

from gramian.networks.differential import differential
from gramian.networks.files import read_edges, read_graphml, write_edges, write_graphml
from gramian.networks.infer import infer
from gramian.networks.more import DifferentialPower, Pooling, differential_power, pooling
from gramian.networks.network import Network
from gramian.networks.prepare import Experiment, prepare
from gramian.networks.result import ReplicateStudy
from gramian.networks.study import replicate_study

__all__ = [
    "DifferentialPower",
    "Experiment",
    "Network",
    "Pooling",
    "ReplicateStudy",
    "differential",
    "differential_power",
    "infer",
    "pooling",
    "prepare",
    "read_edges",
    "read_graphml",
    "replicate_study",
    "write_edges",
    "write_graphml",
]
