"""What a study of replicates found: curves, a recommendation, networks, and words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import is_whole, short
from gramian._core.check import share as checked_share
from gramian._estimators.kernel_pca import KernelPCA
from gramian._study.language import Count, Fixed, Listed, Name, Number, P, Sentence, Share, Voice
from gramian.errors import InputError
from gramian.networks.infer import Edges, as_network, frequent_edges
from gramian.networks.learning import RANGE, is_above_chance
from gramian.networks.network import Network


@dataclass(frozen=True, eq=False)
class ReplicateStudy:
    """The result of `replicate_study`: how networks change with the number of replicates.

    Attributes
    ----------
    recommended, interval : int or None, and (int, float)
        The least number of replicates per condition with the required agreement, and an interval
        at `level`, with an infinite upper limit if the data do not determine one.
    extrapolated : bool
        Whether the recommendation lies beyond the sizes that the data can show.
    reason : str
        The reason for no recommendation: "chance", "kernel" (networks of shuffled tables agree as
        much as is required), "far" (out of reach), or "".
    curve : DataFrame, one row per size
        "agreement" of two independent experiments by the learning curves, with "agreement_low" and
        "agreement_high"; "seen", whether two disjoint experiments of this size were compared, and
        "observed", their mean agreement; "dispersion" of the networks around their barycentre,
        1 − agreement; "distance" to the networks of all replicates (root mean square; it falls by
        construction); what two experiments share of "edges", the correlation of "degrees", how well
        one finds the "hubs" of the other (0.5 is chance) and its "modules" (adjusted Rand index, 0
        is chance); "told_apart", the share of experiments of this size whose test says
        that the networks of the conditions differ.
    by_condition : DataFrame, one row per condition and size
        The observations of each condition alone.
    per_condition : DataFrame, one row per condition
        "recommended", "low" and "high" for the network of each condition by itself; empty if
        conditions are pooled.
    families : dict
        The weight of each family of learning curves.
    chance : float
        The agreement of networks of tables whose columns are shuffled.
    p_value, separated : float, and whether it is at most `alpha`
        Result of the test for different networks of the conditions; NaN if there is none.
    power : Series, by size
        The share of smaller experiments, drawn from this one, in which this test is significant.
    networks, similarities : DataFrame, one row per network on the map, and array (m, m)
        "condition", "size", and whether it is of "all" replicates.
    full : dict
        The network of all replicates of each condition, and of "all" where they make one.
    replicates : dict
        The number of replicates of each condition.
    agreement, target, level, alpha, design
        Arguments of the study.
    method, names : str, and list of the nodes
        A description of how networks are inferred; the columns of the table.
    shared : bool
        Whether conditions were taken to share one network, having too few replicates.

    Examples
    --------
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
    per_condition: pd.DataFrame
    families: dict[str, float]
    chance: float
    p_value: float
    power: pd.Series
    separated: bool
    networks: pd.DataFrame
    similarities: np.ndarray
    full: dict[str, Network]
    replicates: dict[str, int]
    agreement: str
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
            The smallest share of networks that an edge of the result is in.

        Returns
        -------
        Network
            Weights are means over the networks that have the edge; "frequency" is their share.
        """
        size = _last(self) if size is None else size
        every = list(dict.fromkeys(name for name, _ in self._pool))
        conditions = every if condition is None else [condition]
        names = all(isinstance(name, str) for name in conditions)
        if not (names and is_whole(size)) or any((n, size) not in self._pool for n in conditions):
            known = (
                f"conditions {', '.join(every)[:80]}; sizes {sorted({r for _, r in self._pool})}"
            )
            where = f"condition={short(condition)}, size={short(size)}"
            raise InputError(f"{where} was not studied: {known}")
        pool = [edges for name in conditions for edges in self._pool[name, size]]
        least = checked_share(share, "share", one=True)
        mean, frequency = frequent_edges(pool, len(self.names), least)
        return as_network(self.names, mean, {"frequency": frequency})

    def map(self, n_components: int = 2) -> KernelPCA:
        """Return a kernel PCA fitted to all networks, in the order of `networks`."""
        if not (np.ptp(self.similarities, axis=0) > 0).any():
            raise InputError("the networks are all alike, or all empty: there is no map of them")
        return KernelPCA(n_components, kernel="precomputed").fit(self.similarities)

    def summary(self, language: str = "en") -> str:
        """Return a text: what was done, the recommendation, and whether conditions differ."""
        voice = Voice(language)
        return "\n".join(voice.capitalize(voice.say(each)) for each in summary_sentences(self))

    def __repr__(self) -> str:
        low, high = self.interval
        end = "…" if np.isinf(high) else f"{high:.0f}"
        return f"ReplicateStudy(recommended={self.recommended}, interval={low} to {end})"


def summary_sentences(study: ReplicateStudy) -> list[Sentence]:
    """Return what a study says: data, recommendation, where it stands, structure, conditions."""
    groups = [
        Sentence("net.group", {"name": Name(name), "count": count})
        for name, count in study.replicates.items()
    ]
    data: dict[str, Any] = {"variables": Count("variable", len(study.names))}
    data |= {"conditions": Count("condition", len(groups)), "groups": Listed(tuple(groups))}
    flags = {"net.pooled": study.design == "pooled", "net.shared": study.shared}
    design = [Sentence(key) for key, holds in flags.items() if holds and len(groups) > 1]
    advice = [*recommendation(study), *grounds(study), now(study), structure(study)]
    return [Sentence("net.data", data), *design, *advice, *conditions(study)]


def recommendation(study: ReplicateStudy) -> list[Sentence]:
    """Return how many replicates are enough, or why nothing is recommended."""
    low, high = study.interval
    goal = Sentence(f"net.goal.{study.agreement}", {"target": Number(study.target, 2)})
    values: dict[str, Any] = {"sure": Share(study.level), "goal": goal, "low": low}
    if study.recommended is None:
        values |= {"low": low - 1, "r": _last(study), "chance": Fixed(max(study.chance, 0.0))}
        observed = float(study.curve["observed"].loc[_last(study)])
        values |= {"most": _most(study), "seen": Fixed(observed)}
        other = [Sentence("net.other")] if study.agreement == "links" else []
        if len(study.replicates) > 1 and study.design != "pooled" and not study.separated:
            other += [] if study.shared else [Sentence("net.together")]
        return [Sentence(f"net.none.{_why_none(study, observed)}", values), *other]
    values["number"] = study.recommended
    if np.isinf(high):
        return [Sentence("net.open", values), *_each_condition(study)]
    key = "net.exactly" if low == high else "net.between"
    out = [Sentence(key, {**values, "high": int(high)})]
    if high > study.recommended:
        out.append(Sentence("net.safe", {"high": int(high)}))
    return [*out, *_each_condition(study)]


def _why_none(study: ReplicateStudy, observed: float) -> str:
    """Return the reason, "unsure" where agreement is above chance but not surely so."""
    if study.reason != "chance":
        return study.reason
    if study.shared and study.separated:
        return "differ"
    return "unsure" if is_above_chance(observed, study.chance) else "chance"


def _each_condition(study: ReplicateStudy) -> list[Sentence]:
    """Say how many replicates each condition needs, where their networks differ."""
    table = study.per_condition
    if not study.separated or table.empty:
        return []
    each = [_one_condition(str(name), *row) for name, *row in table.itertuples(name=None)]
    # what has no number, or no upper limit, is harder than what has
    size = table["recommended"].fillna(np.inf)
    hardest = str(max(table.index, key=lambda name: (size[name], table.loc[name, "low"])))
    values = {"each": Listed(tuple(each)), "name": Name(hardest)}
    return [Sentence("net.each", values)]


def _one_condition(name: str, size: float, low: float, high: float) -> Sentence:
    values: dict[str, Any] = {"name": Name(name), "low": int(low)}
    if np.isnan(size):
        return Sentence("net.each.none", {"name": Name(name)})
    if np.isinf(high):
        return Sentence("net.each.open", values)
    return Sentence("net.each.number", {**values, "number": int(size), "high": int(high)})


def grounds(study: ReplicateStudy) -> list[Sentence]:
    """Say what a number beyond the sizes seen rests on."""
    if study.recommended is None or not study.extrapolated:
        return []
    out = [Sentence("net.beyond", {"r": _last(study), "number": study.recommended})]
    return [*out, Sentence("net.one", {"most": RANGE})] if study.curve["seen"].sum() == 1 else out


def _last(study: ReplicateStudy) -> int:
    return int(study.curve.index[study.curve["seen"]][-1])


def _most(study: ReplicateStudy) -> Sentence:
    """Say why no more is seen; conditions together show more than each has replicates."""
    together = study.shared and len(study.replicates) > 1
    return Sentence("net.most.together" if together else "net.most", {"r": _last(study)})


def now(study: ReplicateStudy) -> Sentence:
    """Say how far the present experiment is."""
    row: Any = study.curve.loc[_last(study)]
    values: dict[str, Any] = {"r": _last(study), "chance": Fixed(max(study.chance, 0.0))}
    values |= {"most": _most(study), "seen": Fixed(float(row["observed"]))}
    values |= {"agreement": Fixed(float(row["agreement"]))}
    values |= {end: Fixed(float(row[f"agreement_{end}"])) for end in ("low", "high")}
    return Sentence("net.now", values)


def structure(study: ReplicateStudy) -> Sentence:
    """Say what two experiments of the largest size seen have in common."""
    row: Any = study.curve.loc[_last(study)]
    values: dict[str, Any] = {"r": _last(study)}
    values |= {key: Share(round(float(row[key]), 2)) for key in ("edges", "hubs")}
    values |= {key: Fixed(float(row[key])) for key in ("degrees", "modules")}
    return Sentence("net.structure", values)


def conditions(study: ReplicateStudy) -> list[Sentence]:
    """Say whether conditions differ, and how often a smaller experiment would show it."""
    if len(study.replicates) < 2:
        return []
    if np.isnan(study.p_value):
        return [Sentence("net.untested")] if min(study.replicates.values()) < 6 else []
    key = "net.differ" if study.separated else "net.alike"
    out = [Sentence(key, {"p": P(study.p_value)})]
    if len(study.power):
        r, rate = int(study.power.index[-1]), float(study.power.iloc[-1])
        out.append(Sentence("net.power", {"r": r, "rate": Share(rate)}))
    return out
