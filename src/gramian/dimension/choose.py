"""Every rule in one call: one table, with its evidence and a stated consensus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from gramian._core.check import is_list, short
from gramian._core.types import RowsLike, SeedLike, VectorLike
from gramian._reading.rule import NEEDS, Evidence
from gramian._reading.rules import PARALLEL, RULES, join_names
from gramian.dimension._source import Source, SpectrumSource, source_of
from gramian.errors import InputError, InputTypeError


class Choices(pd.DataFrame):
    """One row a rule: the number of axes q, and what it rests on.

    Attributes
    ----------
    consensus : int
        The number that most rules keep ("threshold", a matter of taste, does not vote). Among
        numbers with as many votes, the one nearest to parallel analysis, then the smallest.
    evidence : dict
        The full result of each rule, by name.
    reference : dict
        Curves of eigenvalues that axes are held against: `gm.plots.scree(fit, reference=choices)`.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> choices = gm.dimension.choose(X, scale=True, rules=["kaiser", "gcv", "elbow"])
    >>> choices.consensus, choices.votes.to_dict()
    (1, {1: 2, 3: 1})
    """

    _metadata: ClassVar[list[str]] = ["evidence"]
    evidence: dict[str, Evidence]

    @property
    def _constructor(self) -> type[Choices]:
        return Choices

    @property
    def voting(self) -> pd.Series:
        """The numbers of axes of the rules that vote."""
        silent = [name for name, rule in RULES.items() if not rule.votes]
        return self.drop(index=silent, errors="ignore")["q"]

    @property
    def votes(self) -> pd.Series:
        """How many rules keep each number of axes."""
        return self.voting.value_counts().sort_index().rename("votes")

    @property
    def consensus(self) -> int:
        """The number of axes that most rules keep."""
        votes = self.votes
        tied = votes.index[votes == votes.max()].to_numpy()
        first = self["q"].get(PARALLEL)
        if first is not None:
            tied = tied[np.abs(tied - first) == np.abs(tied - first).min()]
        return int(tied.min())

    @property
    def reference(self) -> dict[str, np.ndarray]:
        """Reference eigenvalues per axis, for the rules that have them."""
        curves = {name: e.choice(name).reference for name, e in self.evidence.items()}
        return {name: np.asarray(c, dtype=float) for name, c in curves.items() if c is not None}


def choose(
    source: Source,
    X: RowsLike | None = None,
    *,
    rules: Iterable[str] | None = None,
    n_permutations: int | Literal["auto"] = "auto",
    alpha: float = 0.05,
    share: float = 0.9,
    scale: bool = False,
    sample_weight: VectorLike | None = None,
    n_samples: int | None = None,
    random_state: SeedLike = None,
    quick: bool = False,
) -> Choices:
    """Ask every rule how many axes to keep.

    Parameters
    ----------
    source : table (n, p), fitted estimator, estimator (then X is needed), or eigenvalues
        A table stands for its PCA. The full spectrum is computed whatever `n_components` is.
    X : table, optional
        The data of an estimator that is not fitted.
    rules : names, optional
        Some of "threshold", "kaiser", "karlis", "elbow", "cattell", "broken_stick", "parallel",
        "signflip", "deflated", "deterministic", "gavish_donoho", "marchenko_pastur", "minka",
        "gcv", "smooth", "em", "bcv", and those of `register`; all that apply by default, but for
        "em", which is slow.
    n_permutations, alpha, random_state
        As for `parallel_analysis`; alpha is the level of all tests.
    share : float
        Share of the inertia for "threshold".
    scale : bool
        Scale the columns of a table.
    sample_weight : array (n,), optional
    n_samples : int, optional
        Number of rows, where the source is eigenvalues.
    quick : bool
        Where no rules are named, leave out those that are slow on a large table: "signflip",
        "deflated" and "bcv".

    Returns
    -------
    Choices
        A data frame with the rules as index and columns q, value, threshold, p_value; its
        `consensus` is the number that most rules keep.

    Examples
    --------
    >>> import gramian as gm
    >>> choices = gm.dimension.choose(gm.datasets.iris().data, scale=True, rules=["kaiser", "gcv"])
    >>> choices["q"].tolist()
    [1, 3]
    """
    s = source_of(source, X, scale=scale, sample_weight=sample_weight, n_samples=n_samples)
    options = {
        "n_permutations": n_permutations,
        "alpha": alpha,
        "share": share,
        "random_state": random_state,
    }
    if rules is None:
        paces = ("quick",) if quick else ("quick", "slow")
        names = [name for name, rule in RULES.items() if rule.pace in paces and s.meets(rule)]
    else:
        names = _check_rules(rules, s)
    evidence = {name: s.ask(RULES[name], options) for name in names}
    rows = {name: e.choice(name) for name, e in evidence.items()}
    table = Choices.from_dict(
        {name: [int(c), c.value, c.threshold, c.p_value] for name, c in rows.items()},
        orient="index",
        columns=["q", "value", "threshold", "p_value"],
    ).astype({"q": int})
    table.index.name = "rule"
    table.evidence = evidence
    return table


def _check_rules(rules: Iterable[str], s: SpectrumSource) -> list[str]:
    """Return the names of rules, each known and with what it needs."""
    if not isinstance(rules, str) and not is_list(rules):
        raise InputTypeError(f"rules={short(rules)} must be a list of names")
    names = [rules] if isinstance(rules, str) else list(rules)
    for name in names:
        if not isinstance(name, str) or name not in RULES:
            known = join_names(RULES)
            raise InputError(f"rules: {short(name)} is not a known rule: use some of {known}")
        if not s.meets(RULES[name]):
            able = [other for other, rule in RULES.items() if s.meets(rule)]
            raise InputError(
                f"rules: {name!r} does not apply here, it needs {NEEDS[RULES[name].needs].what}: "
                f"use some of {join_names(able)}{', or give the rows' if s.rows is None else ''}"
            )
    return names
