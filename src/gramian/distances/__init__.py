"""Distances between rows: Euclidean without loss of digits, Gower's, and by name or function."""

from gramian.distances.tables import bray_curtis, euclidean, gower, pairwise, squared_euclidean

__all__ = ["bray_curtis", "euclidean", "gower", "pairwise", "squared_euclidean"]
