"""Interface for custom Gram operators: symmetric matrices known by their products."""

from gramian._core.operators import CenteredGram, DenseGram, Gram, Symmetric, TiledGram

__all__ = ["CenteredGram", "DenseGram", "Gram", "Symmetric", "TiledGram"]
