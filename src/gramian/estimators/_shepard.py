"""Reading a map made by stress: its pairs, and whether it means anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from gramian._permutation import PermutationTest
from gramian._random import generator
from gramian.distances.dissimilarities import condensed_of
from gramian.estimators._stress_options import pair_weights
from gramian.stress.arrange import Arrangement
from gramian.stress.best_of_starts import Search
from gramian.stress.measures import Fit, stress_test
from gramian.stress.problem import Problem

__all__ = ["Shepard"]


class Shepard:
    """The readings of pairs that `MDS` offers."""

    loss: str
    n_init: int
    pair_weight: Any
    random_state: Any
    stress_: float
    n_components_: int
    embedding_: Any
    _arrangement: Arrangement
    _fit: Fit
    _point_weight: np.ndarray | None  # of the rows that have one, sum 1
    _index: pd.Index | None
    _live: np.ndarray | None

    def shepard(self) -> pd.DataFrame:
        """Return the data of Shepard's diagram, one row for each pair that has a weight.

        Returns
        -------
        DataFrame
            Rows (i, j) by increasing dissimilarity; columns "dissimilarity", "disparity",
            "distance", "residual" (distance less disparity), "weight" and "stress" (the share of
            the pair in the raw stress).

        Examples
        --------
        >>> import gramian as gm
        >>> cities = gm.datasets.cities().distances
        >>> pairs = gm.MDS(metric="precomputed").fit(cities).shepard()
        >>> float(pairs.loc[("Boston", "New York"), "dissimilarity"])
        206.0
        """
        check_is_fitted(self)
        unit, points, fit = self.embedding_.unit, self._arrangement, self._fit
        power = 1.0 if self.loss == "stress" else 2.0
        delta = points.expand(points.delta) * unit
        d_hat, d = points.expand(fit.disparity), points.expand(fit.distance)
        weight = self._row_weights(delta)
        live = np.flatnonzero(weight > 0)
        live = live[np.argsort(delta[live], kind="stable")]
        square = weight[live] * (d_hat[live] - d[live]) ** 2
        a, b = (unit * v[live] ** (1.0 / power) for v in (d_hat, d))
        return pd.DataFrame(
            {
                "dissimilarity": delta[live],
                "disparity": a,
                "distance": b,
                "residual": b - a,
                "weight": weight[live],
                "stress": square / square.sum() if square.any() else square,
            },
            index=self._pair_labels(live),
        )

    def _row_weights(self, delta: np.ndarray) -> np.ndarray:
        """Return the weights of the pairs of rows, in condensed order."""
        p, given = self._point_weight, self.pair_weight
        s = None if p is None else p * len(p)
        W = self._given_weights(len(self.embedding_.coordinates), s)
        if isinstance(given, str):
            delta = np.where(delta > 0, delta, np.nan)  # rows that are one point have no pair
        w = pair_weights(given, delta, s, None if W is None else condensed_of(W))
        return np.ones_like(delta) if w is None else w

    def _pair_labels(self, live: np.ndarray) -> pd.MultiIndex:
        n = len(self.embedding_.coordinates)
        positions = np.arange(n) if self._live is None else np.flatnonzero(self._live)
        labels = pd.Index(positions) if self._index is None else self._index[positions]
        ends = np.triu_indices(n, 1)
        return pd.MultiIndex.from_arrays([labels[k[live]] for k in ends], names=["i", "j"])

    def stress_test(self, n_permutations: int = 99, random_state: Any = None) -> PermutationTest:
        """Test whether the stress is lower than that of dissimilarities without structure.

        The dissimilarities are permuted over the pairs and scaled as the fit was, from as many
        starts. A small p-value says that the points have their places on the map.

        Parameters
        ----------
        n_permutations : int
        random_state : int, optional
            That of the estimator by default.

        Returns
        -------
        PermutationTest
            `statistic` (the stress), `p_value`, `reference` (the stresses of permuted data).

        Examples
        --------
        >>> import gramian as gm
        >>> cities = gm.datasets.cities().distances
        >>> mds = gm.MDS(metric="precomputed", n_init=1).fit(cities)
        >>> mds.stress_test(n_permutations=19).p_value
        0.05
        """
        check_is_fitted(self)
        return stress_test(
            self._problem(self._arrangement),
            self.stress_,
            self.n_components_,
            n_permutations=n_permutations,
            n_init=self.n_init,
            search=self._search(),
            sammon=isinstance(self.pair_weight, str),
            rng=generator(self.random_state if random_state is None else random_state),
        )

    def _problem(self, points: Arrangement) -> Problem:
        raise NotImplementedError

    def _given_weights(self, n: int, s: np.ndarray | None) -> np.ndarray | None:
        raise NotImplementedError

    def _search(self) -> Search:
        raise NotImplementedError

    def _norms_of_barycentres(self, W: sparse.csr_array) -> np.ndarray:
        """Return the squared distances of weighted means of points on the map to its origin."""
        means = W.T @ self._cloud().coordinates  # type: ignore[attr-defined]
        return np.sum(np.asarray(means) ** 2, axis=1)
