"""Networks from tables, and how many replicates they need.

`infer` finds a network; `replicate_study` asks how many replicates an experiment needs for its
networks to be the same again.
"""

from gramian.networks.files import read_edges, read_graphml, write_edges, write_graphml
from gramian.networks.infer import infer
from gramian.networks.network import Network
from gramian.networks.result import ReplicateStudy
from gramian.networks.study import replicate_study

__all__ = [
    "Network",
    "ReplicateStudy",
    "infer",
    "read_edges",
    "read_graphml",
    "replicate_study",
    "write_edges",
    "write_graphml",
]
