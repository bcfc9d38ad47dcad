"""Gram operators, for operators of your own: symmetric matrices one can multiply by."""

from gramian._core.operators import CenteredGram, DenseGram, Gram, Symmetric, TiledGram

__all__ = ["CenteredGram", "DenseGram", "Gram", "Symmetric", "TiledGram"]
