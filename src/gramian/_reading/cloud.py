"""Points on axes: what every reading is a function of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import eps, namespace, to_numpy
from gramian._core.embedding.pipeline import Embedding
from gramian._core.spectral.spectrum import Spectrum


@dataclass(frozen=True)
class Cloud:
    """Points on principal axes, the barycentre at the origin, lengths in multiples of `unit`.

    Parameters
    ----------
    coordinates : array (n, q)
    distance2 : array (n,)
        Squared distances to the barycentre, k̃(x, x).
    spectrum : Spectrum
    weights : array (n,), optional
        Those of the fit, of sum 1; None for points that had no part in it.
    modulus : array (n,), optional
        What all axes carry of each point, where that is not `distance2`: Σ_k |λ_k| u_ik² / p_i for
        an indefinite kernel or for distances that are not Euclidean.
    unit : float
        A power of two: public lengths are multiples of it.
    shift : array (q,) or 0
        Added to the coordinates that are shown (they are functions, not centred, in one
        formulation of kernel PCA).
    floor : float
        A squared distance of at most this is rounding.
    size : float, optional
        How many individuals the points stand for in v-tests; those with a weight by default.
    index : Index, optional
        The labels of the points.
    """

    coordinates: np.ndarray
    distance2: np.ndarray
    spectrum: Spectrum
    weights: np.ndarray | None = None
    modulus: np.ndarray | None = None
    unit: float = 1.0
    shift: Any = 0.0
    floor: float = 0.0
    index: pd.Index | None = None
    size: float | None = None

    @property
    def values(self) -> np.ndarray:
        """The eigenvalues of the axes, (q,)."""
        return self.spectrum.values

    @property
    def labels(self) -> pd.Index:
        """The labels of the points: the user's, or 0, 1, …."""
        return pd.RangeIndex(len(self.coordinates)) if self.index is None else self.index

    @cached_property
    def squares(self) -> np.ndarray:
        """The squared coordinates, (n, q)."""
        return self.coordinates**2

    @cached_property
    def norm2(self) -> np.ndarray:
        """What squared cosines are shares of: |x|², never less than the axes show of it, (n,).

        For an indefinite kernel it is what all its axes carry, negative ones by their modulus: the
        squared distance can then be smaller than the square of a coordinate, or negative.
        """
        whole = self.distance2 if self.modulus is None else self.modulus
        whole = np.maximum(whole, self.squares.sum(axis=1))
        return np.where(whole > self.floor, whole, 0.0)

    @property
    def live(self) -> np.ndarray:
        """Which points have a weight, (n,)."""
        assert self.weights is not None
        return self.weights > 0

    def shown(self, coordinates: np.ndarray) -> np.ndarray:
        """Return coordinates as they are shown: in the data's own unit, and shifted."""
        return coordinates * self.unit + self.shift

    def public(self, squares: Any) -> Any:
        """Return squared lengths in the data's own unit."""
        with np.errstate(over="ignore", under="ignore"):
            return squares * self.unit * self.unit


def noise(e: Embedding) -> float:
    """Return the size under which a squared distance is rounding, in units.

    Features are centred before they are squared; k(x, x) − 2·mean + grand mean is a difference.
    """
    rounding = 8.0 * eps(e.coordinates.dtype, namespace(e.coordinates))
    largest = max(float(to_numpy(e.distance2).max(initial=0.0)), abs(e.spectrum.total))
    if e.centering is None:
        return rounding**2 * largest
    means = np.abs(to_numpy(e.centering.means)).max()
    return rounding * (largest + 2.0 * float(means) + abs(e.centering.grand))


def ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a/b, 0 where b is 0."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, out=np.zeros(a.shape), where=b != 0)


def axes_frame(
    measures: dict[str, np.ndarray], index: pd.Index, single: dict[tuple[str, str], Any]
) -> pd.DataFrame:
    """Return a table with columns (measure, axis): measures (n, q), then single columns (n,)."""
    columns: list[tuple[str, Any]] = []
    for name, block in measures.items():
        columns += [(name, axis) for axis in range(1, block.shape[1] + 1)]
        columns += [key for key in single if key[0] == name]
    columns += [key for key in single if key[0] not in measures]
    data = np.empty((len(index), len(columns)), order="F")
    for j, (name, axis) in enumerate(columns):
        data[:, j] = measures[name][:, axis - 1] if isinstance(axis, int) else single[name, axis]
    return pd.DataFrame(data, index=index, columns=ordered(columns, ["measure", "axis"]))


def ordered(pairs: list[tuple[str, Any]], names: list[str]) -> pd.MultiIndex:
    """Return a two-level index that pandas takes as sorted: levels in the order of appearance."""
    levels = [list(dict.fromkeys(labels)) for labels in zip(*pairs, strict=True)]
    places = [{label: k for k, label in enumerate(level)} for level in levels]
    codes = [[place[pair[depth]] for pair in pairs] for depth, place in enumerate(places)]
    return pd.MultiIndex(levels, codes, names=names)
