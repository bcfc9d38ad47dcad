"""Which variables make the axes: by derivatives, and by shuffling."""

from gramian.importance.measures import gradient, permutation

__all__ = ["gradient", "permutation"]
