"""The Hamming–Ipsen–Mikhailov distance and kernel."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial.legendre import leggauss
from scipy.optimize import brentq
from scipy.spatial.distance import cdist

from gramian._core.array import Array, exp
from gramian._core.check import flag, number, positive
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import distribute
from gramian._core.types import RowsLike
from gramian.errors import InputError
from gramian.kernels.bandwidth import weighted_median
from gramian.kernels.base import Kernel, Names, Weights
from gramian.kernels.graph._batch import GraphKernel, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.graph.on_nodes import Aligned, align, refuse_other_nodes
from gramian.kernels.objects import Objects
from gramian.kernels.registry import register


@register(kind="graphs")
class HIM(GraphKernel):
    """k(G, H) = exp(−d²/(2·scale²)), d the Hamming–Ipsen–Mikhailov distance of two networks.

    On a common set of n nodes, with weights between 0 and 1, d² = (h² + ξ·s²)/(1 + ξ).

    H is the mean |difference| of the weights over all pairs of nodes (normalised Hamming distance).
    s, after Ipsen and Mikhailov, is the L² distance of the vibration spectra: densities on [0, ∞)
    that are sums of Lorentz curves, one at the root of each eigenvalue of the Laplacian but the
    smallest, of the width for which s = 1 between the empty and full networks. d is from 0 to 1.

    With h = H, as published, the kernel is indefinite on nearly every collection, because H² is
    no squared Euclidean distance. H itself is one, so h = √H makes k positive semi-definite.

    Parameters
    ----------
    scale : positive float or "median"
        "median" is √(m/2), m the median of d² between distinct networks.
    spectral_weight : float ≥ 0
        ξ, the weight of the spectra.
    definite : bool
        True takes h = √H; False takes h = H, the published distance.

    Examples
    --------
    >>> empty, full = [[0, 0], [0, 0]], [[0, 1], [1, 0]]
    >>> float(HIM(scale=1.0).distance([empty], [full])[0, 0].round(6))
    1.0
    """

    def __init__(
        self, scale: float | str = "median", spectral_weight: float = 1.0, definite: bool = True
    ) -> None:
        self.scale = scale
        self.spectral_weight = spectral_weight
        self.definite = definite

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """True for h = √H; the published form is not."""
        return True if self.definite else None

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−d²/(2·scale²))."""
        X, Y = as_graphs(pairs.A.X)[pairs.rows], as_graphs(pairs.B.X)[pairs.cols]
        return exp(-0.5 * self._distances2(X, Y) / positive(self.scale, "scale") ** 2)

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """One for every network."""
        return np.ones(len(as_graphs(X)))

    def distance(self, X: RowsLike, Y: RowsLike | None = None) -> np.ndarray:
        """Return the distances d between networks, (m, n)."""
        X = as_graphs(X)
        return np.asarray(np.sqrt(self._distances2(X, X if Y is None else as_graphs(Y, "Y"))))

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with its scale a number."""
        if not (isinstance(self.scale, str) and self.scale == "median"):
            positive(self.scale, "scale")
            return self
        X = as_graphs(points.X)
        scale = float(np.sqrt(weighted_median(self._distances2(X, X), weights) / 2.0))
        return HIM(scale, self.spectral_weight, self.definite)

    def _distances2(self, X: Objects, Y: Objects) -> np.ndarray:
        xi = number(self.spectral_weight, "spectral_weight", least=0.0)
        refuse_other_nodes(align(X).nodes, align(Y).nodes)
        n = align(X).nodes.size
        if n < 2:
            raise InputError("X: networks of one node have no edges to compare")
        H = _hamming(X, Y) / (n * (n - 1) // 2)
        left, right = (Z.take(Z.memoize("spectral density", _densities)) for Z in (X, Y))
        local = H if flag(self.definite, "definite") else H**2
        return np.asarray((local + xi * cdist(left, right, "sqeuclidean")) / (1.0 + xi))


def _hamming(X: Objects, Y: Objects) -> np.ndarray:
    """Return Σ |difference of weights| over pairs of nodes."""
    (left, binary), (right, also) = (Z.memoize("weights", _weights) for Z in (X, Y))
    left, right = X.take(left), Y.take(right)
    if binary and also:  # |a − b| = a + b − 2ab, and BLAS is faster
        return np.asarray(
            left.sum(axis=1)[:, None] + right.sum(axis=1)[None, :] - 2.0 * left @ right.T
        )
    return np.asarray(cdist(left, right, "cityblock"))


def _weights(X: Objects) -> tuple[np.ndarray, bool]:
    """Return the weights of all pairs of nodes, (g, n(n−1)/2), and whether all are 0 or 1."""
    batch = batch_of(X)
    batch.refuse_negative("the Hamming distance of networks")
    if (batch.weights > 1).any():
        g = int(batch.owner[batch.tails[int(batch.weights.argmax())]])
        raise InputError(
            f"X[{g}] has an edge of weight {batch.weights.max():.6g}: weights must lie between "
            "0 and 1: divide all networks by the largest weight"
        )
    return align(X).pairs, bool((batch.weights == 1).all())


def _densities(X: Objects) -> np.ndarray:
    """Return the spectral densities at the nodes of a quadrature: S² is a squared distance."""
    graphs = align(X)
    n = graphs.nodes.size
    return np.array(distribute(_curves, range(len(X)), graphs, _width(n), *_quadrature(n)))


def _curves(
    numbers: Sequence[int], graphs: Aligned, width: float, omega: np.ndarray, weight: np.ndarray
) -> list[np.ndarray]:
    """Return the densities of some of the networks."""
    curves = []
    for k in numbers:
        A = graphs.dense(slice(k, k + 1))[0]
        values = np.linalg.eigvalsh(np.diag(A.sum(axis=0)) - A)[1:]  # 0 is no vibration
        at = np.sqrt(np.maximum(values, 0.0))
        area = (np.pi / 2 + np.arctan(at / width)).sum()
        curve = (width / ((omega[None, :] - at[:, None]) ** 2 + width**2)).sum(axis=0)
        curves.append(curve / area * np.sqrt(weight))
    return curves


@cache
def _width(n: int) -> float:
    """Return the width for which the empty and the full network of n nodes are 1 apart."""
    top = np.sqrt(n)  # all frequencies of the full network

    def excess(width: float) -> float:
        low, high = np.pi / 2, np.pi / 2 + np.arctan(top / width)
        parts = (
            _overlap(0.0, 0.0, width) / low**2,
            _overlap(top, top, width) / high**2,
            -2.0 * _overlap(0.0, top, width) / (low * high),
        )
        return sum(parts) - 1.0

    return float(brentq(excess, 1e-3, 10.0, xtol=1e-15, rtol=1e-14))


def _overlap(a: float, b: float, width: float) -> float:
    """Return ∫_0^∞ of the product of two Lorentz curves.

    With z = a + i·width and w = b + i·width the curves are Im 1/(ω − z) and Im 1/(ω − w), and
    ∫ dω/((ω − z)(ω − w)) = (log(−w) − log(−z))/(z − w).
    """
    z, w = complex(a, width), complex(b, width)
    mixed = (np.log(-w.conjugate()) - np.log(-z)) / (z - w.conjugate())
    plain = -1.0 / z if z == w else (np.log(-w) - np.log(-z)) / (z - w)
    return 0.5 * float((mixed - plain).real)


@cache
def _quadrature(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights for spectral densities of n nodes, exact to rounding.

    Gauss–Legendre panels no wider than the curves up to twice the highest frequency, then one
    panel in 1/ω for the tail.
    """
    x, w = leggauss(16)
    end = 2.0 * np.sqrt(n) + 2.0
    cuts = np.linspace(0.0, end, int(np.ceil(end / _width(n))) + 1)
    half = 0.5 * np.diff(cuts)
    omega = (cuts[:-1] + half)[:, None] + half[:, None] * x
    weight = half[:, None] * w
    x, w = leggauss(32)
    u = (x + 1.0) / (2.0 * end)
    tail = w / (2.0 * end) / u**2
    return np.concatenate([omega.ravel(), 1.0 / u]), np.concatenate([weight.ravel(), tail])
