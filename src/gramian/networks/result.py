"""What a study of replicates found: curves, a recommendation, networks, and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import is_whole, short
from gramian._core.check import share as checked_share
from gramian._study.language import Voice
from gramian.errors import InputError
from gramian.networks.correlations import upper
from gramian.networks.network import Network
from gramian.networks.recipe import Edges
from gramian.networks.words import summary_sentences


@dataclass(frozen=True, eq=False)
class ReplicateStudy:
    """How networks change with the number of replicates.

    Attributes
    ----------
    recommended : int or None
        The least number of replicates per condition with the agreement asked for; None where none
        is in reach, or where networks agree no more than by chance.
    interval : (int, float)
        Of this number, at `level`; it ends at infinity where the data set no upper limit.
    extrapolated : bool
        Whether the recommendation lies beyond the sizes that the data can show.
    reason : str
        Why nothing is recommended: "chance", "kernel" (networks of shuffled tables agree as much
        as is asked for), "far" (out of reach), or "".
    curve : DataFrame, one row a size
        "agreement" of two independent experiments by the learning curves, with "agreement_low" and
        "agreement_high"; "seen", whether two disjoint experiments of this size were compared, and
        "observed", their mean agreement; "dispersion" of the networks around their barycentre,
        1 − agreement; "distance" to the networks of all replicates (root mean square; it falls by
        construction); what two experiments share of "edges", the correlation of "degrees", how well
        one finds the "hubs" of the other (0.5 is chance) and its "modules" (adjusted Rand index, 0
        is chance); "told_apart", the share of experiments of this size whose test says
        that the networks of the conditions differ.
    by_condition : DataFrame, one row a condition and size
        What was seen of each condition alone.
    families : dict
        The weight of each family of learning curves.
    chance : float
        The agreement of networks of tables whose columns are shuffled.
    p_value : float
        Of the test that the conditions have different networks; NaN where there is none.
    separated : bool
        Whether it is at most `alpha`.
    power : Series, by size
        The share of smaller experiments, drawn from this one, in which the same test says so.
    networks : DataFrame, one row a network on the map
        "condition", "size", and whether it is of "all" replicates.
    similarities : array (m, m)
        Between these networks.
    full : dict
        The network of all replicates of each condition, and of "all" where they make one.
    replicates : dict
        The number of replicates of each condition.
    target, level, alpha : float
        The agreement that counts as the same network, and the levels.
    method : str
        How networks are found, in words.
    names : list
        Of the nodes, the columns of the table.
    design : str
        "per-condition" or "pooled".
    shared : bool
        Whether conditions were taken to share one network, having too few replicates.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.gene_expression().data.to_numpy()[:16, :6]
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> list(study.curve.index[study.curve["seen"]]), study.target
    ([3, 4, 5, 7, 8], 0.8)
    """

    recommended: int | None
    interval: tuple[int, float]
    extrapolated: bool
    reason: str
    curve: pd.DataFrame
    by_condition: pd.DataFrame
    families: dict[str, float]
    chance: float
    p_value: float
    power: pd.Series
    separated: bool
    networks: pd.DataFrame
    similarities: np.ndarray
    full: dict[str, Network]
    replicates: dict[str, int]
    target: float
    level: float
    alpha: float
    method: str
    names: list[Any]
    design: str
    shared: bool
    _pool: dict[tuple[str, int], list[Edges]]  # the networks of each condition and size

    def consensus(
        self, condition: str | None = None, size: int | None = None, share: float = 0.5
    ) -> Network:
        """Return the edges found in at least this share of the networks of one size.

        Parameters
        ----------
        condition : str, optional
            By default all conditions together.
        size : int, optional
            One of the sizes; by default the largest at which agreement was seen.
        share : float

        Returns
        -------
        Network
            Weights are means over the networks that have the edge; "frequency" is their share.
        """
        size = int(self.curve.index[self.curve["seen"]][-1]) if size is None else size
        every = list(dict.fromkeys(name for name, _ in self._pool))
        conditions = every if condition is None else [condition]
        names = all(isinstance(name, str) for name in conditions)
        if not (names and is_whole(size)) or any((n, size) not in self._pool for n in conditions):
            known = (
                f"conditions {', '.join(every)[:80]}; sizes {sorted({r for _, r in self._pool})}"
            )
            raise InputError(
                f"condition={short(condition)}, size={short(size)} was not studied: {known}"
            )
        least = checked_share(share, "share", one=True)
        pool = [edges for name in conditions for edges in self._pool[name, size]]
        p = len(self.names)
        count, total = np.zeros(p * (p - 1) // 2), np.zeros(p * (p - 1) // 2)
        for pairs, weights in pool:
            count[pairs] += 1
            total[pairs] += weights
        often = np.flatnonzero((count >= least * len(pool) - 1e-9) & (count > 0) & (total != 0))
        mean = Edges(often, total[often] / count[often])
        return network_of(self.names, mean, {"frequency": count[often] / len(pool)})

    def map(self, n_components: int = 2) -> Any:
        """Return a kernel PCA fitted to all networks, in the order of `networks`."""
        from gramian._estimators.kernel_pca import KernelPCA

        if not (np.ptp(self.similarities, axis=0) > 0).any():
            raise InputError("the networks are all alike, or all empty: there is no map of them")
        return KernelPCA(n_components, kernel="precomputed").fit(self.similarities)

    def summary(self, language: str = "en") -> str:
        """Say what was done, how many replicates are enough, and whether conditions differ."""
        voice = Voice(language)
        return "\n".join(voice.capitalize(voice.say(each)) for each in summary_sentences(self))

    def __repr__(self) -> str:
        low, high = self.interval
        end = "…" if np.isinf(high) else f"{high:.0f}"
        return f"ReplicateStudy(recommended={self.recommended}, interval={low} to {end})"


def network_of(
    names: list[Any], edges: Edges, known: dict[str, np.ndarray] | None = None
) -> Network:
    """Return edges as a network with names."""
    i, j = upper(len(names))
    ends = np.stack([i[edges.pairs], j[edges.pairs]], axis=1)
    return Network.from_edges(names, ends, edges.weights, known)
