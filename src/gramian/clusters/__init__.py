"""Classes of rows on the kept axes: found, counted, described, drawn."""

from gramian.clusters.description import Description, describe
from gramian.clusters.find import find
from gramian.clusters.result import Clusters
from gramian.clusters.tree import Tree

__all__ = ["Clusters", "Description", "Tree", "describe", "find"]
