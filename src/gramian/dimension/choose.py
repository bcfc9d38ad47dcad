"""Every rule in one call: one table, with its evidence and a stated consensus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from gramian.dimension import spectrum
from gramian.dimension._choice import Choice
from gramian.dimension._source import Source, source_of
from gramian.dimension.bicross import bi_cross_validation
from gramian.dimension.cross_validation import CrossValidation, cross_validation
from gramian.dimension.parallel import ParallelAnalysis, analyse
from gramian.errors import InputError

__all__ = ["Choices", "choose"]


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
    evidence: dict[str, Any]

    @property
    def _constructor(self) -> type[Choices]:
        return Choices

    @property
    def votes(self) -> pd.Series:
        """How many rules keep each number of axes."""
        voting = self.drop(index="threshold", errors="ignore")["q"]
        return voting.value_counts().sort_index().rename("votes")

    @property
    def consensus(self) -> int:
        """The number of axes that most rules keep."""
        votes = self.votes
        tied = votes.index[votes == votes.max()].to_numpy()
        first = self["q"].get("parallel")
        if first is not None:
            tied = tied[np.abs(tied - first) == np.abs(tied - first).min()]
        return int(tied.min())

    @property
    def reference(self) -> dict[str, np.ndarray]:
        """Reference eigenvalues per axis, for the rules that have them."""
        curves: dict[str, np.ndarray] = {}
        for name, found in self.evidence.items():
            curve = found.reference if hasattr(found, "reference") else None
            if isinstance(curve, pd.DataFrame):
                curve = curve["quantile"].to_numpy()
            if curve is not None:
                curves[name] = np.asarray(curve, dtype=float)
        return curves


def choose(
    source: Any,
    X: Any = None,
    *,
    rules: Iterable[str] | None = None,
    n_permutations: int | str = "auto",
    alpha: float = 0.05,
    share: float = 0.9,
    scale: bool = False,
    sample_weight: Any = None,
    n_samples: int | None = None,
    random_state: Any = None,
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
        "gcv", "smooth", "em", "bcv"; all that apply by default, but for "em", which is slow.
    n_permutations : int or "auto"
        For parallel analysis in its variants.
    alpha : float
        Level of the tests.
    share : float
        Share of the inertia for "threshold".
    scale : bool
        Scale the columns of a table.
    sample_weight : array (n,), optional
    n_samples : int, optional
        Number of rows, where the source is eigenvalues.
    random_state : int, optional

    Returns
    -------
    Choices
        A data frame with the rules as index and columns q, value, threshold, p_value; its
        `consensus` is the number that most rules keep.

    Examples
    --------
    >>> import gramian as gm
    >>> found = gm.dimension.choose(gm.datasets.iris().data, scale=True, rules=["kaiser", "gcv"])
    >>> found["q"].tolist()
    [1, 3]
    """
    s = source_of(source, X, scale=scale, sample_weight=sample_weight, n_samples=n_samples)
    options = {
        "n_permutations": n_permutations,
        "alpha": alpha,
        "share": share,
        "random_state": random_state,
    }
    evidence = {name: RULES[name](s, options) for name in _wanted(rules, s)}
    rows = {name: _row(found) for name, found in evidence.items()}
    table = Choices.from_dict(rows, orient="index", columns=["q", "value", "threshold", "p_value"])
    table = table.astype({"q": int})
    table.index.name = "rule"
    table.evidence = evidence
    return table


def _wanted(rules: Iterable[str] | None, s: Source) -> list[str]:
    able = [name for name in RULES if _applies(name, s)]
    if rules is None:
        return [name for name in able if name != "em"]
    wanted = [rules] if isinstance(rules, str) else list(rules)
    for name in wanted:
        if name not in RULES:
            raise InputError(f"rules: {name!r} is not a known rule: use some of {', '.join(RULES)}")
        if name not in able:
            raise InputError(f"rules: {name!r} does not apply here: use some of {', '.join(able)}")
    return wanted


def _applies(name: str, s: Source) -> bool:
    """Whether a rule has what it needs."""
    if name in ("threshold", "kaiser", "elbow", "cattell", "broken_stick"):
        return True
    if name in ("karlis", "gavish_donoho", "marchenko_pastur"):
        return s.shape is not None
    if name == "minka":
        return s.shape is not None and s.shape[0] > s.shape[1] > 1
    if name == "parallel":
        return s.has_columns
    if name == "signflip":
        return s.has_signs
    if name in ("deflated", "deterministic"):
        return s.has_columns and s.is_linear
    plain = s.rows is not None and s.shape is not None and s.weights is None and s.axes >= 3
    return plain and getattr(s.estimator, "column_weight", None) is None


def _parallel(**settings: Any) -> Callable[[Source, dict[str, Any]], ParallelAnalysis]:
    def rule(s: Source, options: dict[str, Any]) -> ParallelAnalysis:
        asked = {k: options[k] for k in ("n_permutations", "alpha", "random_state")}
        return analyse(s, **asked, **settings)

    return rule


def _validated(method: str) -> Callable[[Source, dict[str, Any]], CrossValidation]:
    def rule(s: Source, options: dict[str, Any]) -> CrossValidation:
        X, seed = s.needs_table(method).values, options["random_state"]
        if method == "bcv":
            return bi_cross_validation(X, scale=s.scale, random_state=seed)
        return cross_validation(X, method=method, scale=s.scale, random_state=seed)

    return rule


RULES: dict[str, Callable[[Source, dict[str, Any]], Any]] = {
    "threshold": lambda s, o: spectrum.threshold(s, o["share"]),
    "kaiser": lambda s, o: spectrum.kaiser(s),
    "karlis": lambda s, o: spectrum.kaiser(s, variant="karlis"),
    "elbow": lambda s, o: spectrum.elbow(s),
    "cattell": lambda s, o: spectrum.cattell(s),
    "broken_stick": lambda s, o: spectrum.broken_stick(s),
    "parallel": _parallel(),
    "signflip": _parallel(null="signflip"),
    "deflated": _parallel(method="deflated"),
    "deterministic": _parallel(method="deterministic"),
    "gavish_donoho": lambda s, o: spectrum.gavish_donoho(s),
    "marchenko_pastur": lambda s, o: spectrum.marchenko_pastur(s, alpha=o["alpha"]),
    "minka": lambda s, o: spectrum.minka(s),
    "gcv": _validated("gcv"),
    "smooth": _validated("smooth"),
    "em": _validated("em"),
    "bcv": _validated("bcv"),
}


def _row(found: Choice | ParallelAnalysis | CrossValidation) -> list[float]:
    """Return q and the value, the threshold and the p-value of the last axis kept."""
    if isinstance(found, Choice):
        return [int(found), found.value, found.threshold, found.p_value]
    q = found.n_components
    if isinstance(found, CrossValidation):  # against the next number of axes
        after = found.criterion.to_numpy()
        return [q, after[q], after[q + 1] if q + 1 < len(after) else np.nan, np.nan]
    k = max(q - 1, 0)  # with no axis kept, the evidence against the first
    level = found.reference["quantile"].to_numpy()[k]
    return [q, float(found.eigenvalues[k]), float(level), float(found.p_values[k])]
