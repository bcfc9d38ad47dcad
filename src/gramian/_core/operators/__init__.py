"""Gram operators: symmetric matrices one may multiply by, and their centring."""

from gramian._core.operators.gram import (
    CenteredGram,
    Centering,
    DenseGram,
    Gram,
    Symmetric,
    require_gram,
)
from gramian._core.operators.tiled import TiledGram
from gramian._core.operators.variants import DistanceGram, SelectedGram, SquareGram

__all__ = [
    "CenteredGram",
    "Centering",
    "DenseGram",
    "DistanceGram",
    "Gram",
    "SelectedGram",
    "SquareGram",
    "Symmetric",
    "TiledGram",
    "require_gram",
]
