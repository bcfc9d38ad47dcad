"""Gram operators: symmetric matrices one may multiply by, and their centring."""

from gramian.operators.base import DenseGram, Gram, Symmetric
from gramian.operators.centering import CenteredGram, Centering
from gramian.operators.requirements import require_gram
from gramian.operators.selected import SelectedGram
from gramian.operators.square import DistanceGram, SquareGram
from gramian.operators.tiled import TiledGram

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
