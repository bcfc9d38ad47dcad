"""Gram operators: symmetric matrices one may multiply by, and their centring."""

from gramian._core.operators.base import DenseGram, Gram, Symmetric
from gramian._core.operators.centering import CenteredGram, Centering
from gramian._core.operators.requirements import require_gram
from gramian._core.operators.selected import SelectedGram
from gramian._core.operators.square import DistanceGram, SquareGram
from gramian._core.operators.tiled import TiledGram

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
