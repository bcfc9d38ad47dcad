"""The kernel of a distance of any kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.array import Array, as_kind, exp, is_array, namespace, to_numpy
from gramian._core.check import positive
from gramian._core.pairs import Pairs, Points
from gramian.distances import pairwise as pairwise_distances
from gramian.distances.amounts import EUCLIDEAN_OF
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.kernels.composite import Constant
from gramian.kernels.registry import register

# Metrics by name: whether the distances of any points are those of a Euclidean space. The root of
# the Jensen–Shannon divergence is (Fuglede and Topsøe 2004). Of those that are not, some break the
# triangle inequality, and some hold the four-cycle 1, 1, 1, 1 with diagonals 2.
_NOT_EUCLIDEAN = (
    "braycurtis bray-curtis bray_curtis chebyshev cityblock correlation cosine hamming l1 "
    "manhattan sqeuclidean"
)
_EUCLIDEAN = dict.fromkeys(_NOT_EUCLIDEAN.split(), False) | dict.fromkeys(
    ["euclidean", "l2", "minkowski", "seuclidean", "mahalanobis", "jensenshannon"], True
)
_EUCLIDEAN |= dict.fromkeys(EUCLIDEAN_OF, True)  # after a transform


@register(short=False)
class FromDistance(Kernel):
    """k(x, y) = exp(−d(x, y)²/(2·scale²)) for a distance d of any kind.

    It is positive semi-definite for every scale exactly when d² is conditionally negative definite,
    that is when d is the distance of a Euclidean space (Schoenberg). `psd` says so for the metrics
    of which it is known; `gm.validity.is_euclidean(metric)` looks for a counterexample.

    Parameters
    ----------
    metric : str or callable
        A name that `gm.distances.pairwise` takes, or a function of two tables that returns
        distances.
    scale : positive float or "median"
        "median" is √(h/2), h the median of the squared distances between distinct points.

    Examples
    --------
    >>> float(FromDistance("cityblock", scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.606531
    """

    def __init__(self, metric: Any = "euclidean", scale: float | str = "median") -> None:
        self.metric = metric
        self.scale = scale

    @classmethod
    def from_gamma(cls, metric: Any, gamma: float) -> FromDistance:
        """Return the kernel exp(−γ·d²).

        >>> FromDistance.from_gamma("cityblock", 0.5)
        FromDistance(metric='cityblock', scale=1.0)
        """
        return cls(metric, 1.0 / float(np.sqrt(2.0 * positive(gamma, "gamma"))))

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """True or False for metrics known to be Euclidean or not, None for others."""
        return None if callable(self.metric) else _EUCLIDEAN.get(self.metric)

    @property
    def takes_vectors(self) -> bool:  # type: ignore[override]
        """A callable may take any objects."""
        return not callable(self.metric)

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−d²/(2·scale²))."""
        K = exp(self._exponent(pairs))
        return as_kind(to_numpy(K), pairs.X) if is_array(pairs.X) else K

    def squared_distance(self, pairs: Pairs) -> Array:
        """2(1 − exp(−d²/(2·scale²)))."""
        exponent = self._exponent(pairs)
        D = -2.0 * namespace(exponent).expm1(exponent)
        return as_kind(to_numpy(D), pairs.X) if is_array(pairs.X) else D

    def _exponent(self, pairs: Pairs) -> Array:
        self._refuse_what_rows_share()
        d = pairwise_distances(pairs.X, None if pairs.same else pairs.Y, self.metric)
        return -0.5 * (d / positive(self.scale, "scale")) ** 2

    def _refuse_what_rows_share(self) -> None:
        """Refuse what depends on all rows: χ² on sums of columns, Gower's on their ranges."""
        if isinstance(self.metric, str) and self.metric == "gower":
            raise InputError(
                "metric='gower' depends on the ranges of all rows, which a kernel of two rows does "
                "not know: use kernels.Gower(), or its exponential kernels.Gower().exp()"
            )
        if isinstance(self.metric, str) and self.metric in ("chi2", "chisq"):
            raise InputError(
                f"metric={self.metric!r} depends on the sums of all rows, which a kernel of two "
                'rows does not know: give gm.ecology.transform(X, "chi2") to kernels.Gaussian()'
            )

    def self_similarity(self, X: Any) -> Array:
        """One for every point."""
        return Constant(1.0).self_similarity(X)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number."""
        from gramian.kernels.bandwidth import weighted_median

        if not (isinstance(self.scale, str) and self.scale == "median"):
            positive(self.scale, "scale")
            return self
        self._refuse_what_rows_share()
        d2 = to_numpy(pairwise_distances(points.X, None, self.metric)) ** 2
        return FromDistance(self.metric, float(np.sqrt(weighted_median(d2, weights) / 2.0)))
