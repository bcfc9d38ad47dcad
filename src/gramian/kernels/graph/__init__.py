"""Kernels on graphs."""
from gramian.kernels.graph._graph import Graph
from gramian.kernels.graph.histogram import EdgeHistogram, VertexHistogram
from gramian.kernels.graph.shortest_path import ShortestPath
from gramian.kernels.graph.weisfeiler_lehman import OptimalAssignment, WeisfeilerLehman
from gramian.kernels.graph.random_walk import RandomWalk
