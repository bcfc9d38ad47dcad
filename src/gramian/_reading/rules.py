"""The rules for the number of axes, and what `n_components` means.

A rule of the library is a record of `TABLE`, one of a user's is added by `register`; `RULES` holds
both by name. `selection` reads `n_components` for a solver, `resolve_axes` asks rules of tables.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeVar, get_args

import numpy as np
import pandas as pd

from gramian._core.check import invalid, is_number, is_whole, one_of, short, warn
from gramian._core.types import SeedLike
from gramian._reading.cross_validation import bi_cross_validation, cross_validation
from gramian._reading.null_table import NullTable
from gramian._reading.parallel_analysis import analyse
from gramian._reading.rule import NEEDS, Evidence, NeedName, Pace, Rule, Step
from gramian._reading.spectrum_rules import (
    broken_stick,
    cattell,
    elbow,
    gavish_donoho,
    kaiser,
    karlis,
    marchenko_pastur,
    minka,
    threshold,
)
from gramian.errors import InputError, InputTypeError, RankWarning

_DRAWS = ("n_permutations", "alpha", "random_state")
_SEED = ("random_state",)
PARALLEL = "parallel"  # the one rule that is a test without a model: it settles ties
_LANGUAGES = ("en", "fr")
_OPTIONS = ("n_permutations", "alpha", "share", "random_state")  # those of `choose`
_RESERVED_NAMES = ("cv", "nan", "inf", "infinity")  # "cv" tunes; the others read as numbers
_MAX_LIST_LENGTH = 260  # characters of a list of names in a message


_DEFLATED = partial(analyse, method="deflated")
_DETERMINISTIC = partial(analyse, method="deterministic")
_FLIPPED = partial(analyse, null="signflip")
_EM = partial(cross_validation, method="em")
# In the order in which they are asked.
TABLE = (
    Rule("threshold", threshold, options=("share",), votes=False),
    Rule("kaiser", kaiser, over="columns"),
    Rule("karlis", karlis, needs="shape", over="columns"),
    Rule("elbow", elbow),
    Rule("cattell", cattell),
    Rule("broken_stick", broken_stick),
    Rule("parallel", analyse, needs="columns", options=_DRAWS),
    Rule("signflip", _FLIPPED, needs="signs", options=_DRAWS, pace="slow"),
    Rule("deflated", _DEFLATED, needs="components", options=_DRAWS, pace="slow"),
    Rule("deterministic", _DETERMINISTIC, needs="components", options=_DRAWS),
    Rule("gavish_donoho", gavish_donoho, needs="shape", over="columns"),
    Rule("marchenko_pastur", marchenko_pastur, needs="shape", over="columns", options=("alpha",)),
    Rule("minka", minka, needs="tall", over="columns"),
    Rule("gcv", partial(cross_validation, method="gcv"), needs="cells"),
    Rule("smooth", partial(cross_validation, method="smooth"), needs="cells"),
    Rule("em", _EM, needs="cells", options=_SEED, pace="on demand"),
    Rule("bcv", bi_cross_validation, needs="cells", options=_SEED, pace="slow"),
)
RULES: dict[str, Rule] = {rule.name: rule for rule in TABLE}
_ALIASES = {"mle": "minka"}  # scikit-learn's name of a rule
LIBRARY_NAMES = frozenset(RULES)
Decision = TypeVar("Decision", bound=Callable[..., Any])


def register(
    decide: Decision | str | None = None,
    name: str | None = None,
    *,
    needs: NeedName = "eigenvalues",
    over: Literal["axes", "columns"] = "axes",
    options: Iterable[str] = (),
    sentence: str | Mapping[str, str] | None = None,
    curve: str | Mapping[str, str] | None = None,
    votes: bool = True,
    pace: Pace = "quick",
) -> Decision | Callable[[Decision], Decision]:
    """Register a function as a rule for the number of axes, available under its name.

    A decorator or a call: `@register`, `@register("halving")`, `@register(votes=False)`,
    `register(halving)`. A function that is redefined replaces the old one.

    Parameters
    ----------
    decide : callable, or the name alone
        Called as `decide(eigenvalues, inertia, n_axes)`: the eigenvalues in descending order, the
        total inertia and the largest possible number of axes. It returns the number of axes to
        keep, or None if it needs more eigenvalues, which a fit then computes. A `Choice` instead of
        the number adds evidence: value, threshold, p-value, reference curve of a scree plot.
    name : str, optional
        The name of the rule; that of the function by default.
    needs : str
        "eigenvalues"; "shape" (of a table of which they are principal components) or "tall" (more
        rows than columns too), with which the number n of rows is a fourth argument; or a table,
        given in place of all arguments as columns (`values`, (p, n), their eigenvalues `observed`
        and the function `spectra` from such values to eigenvalues): "columns" of a table that can
        be permuted, "signs" that can be flipped, "components" for PCA only, "cells" for PCA
        without weights.
    over : "axes" or "columns"
        The possible axes: those that can carry inertia, or one per column.
    options : names
        Arguments of `choose` that are passed on by name: some of "n_permutations", "alpha",
        "share", "random_state". A fit uses their defaults, except for the last.
    sentence, curve : str or {"en": str, "fr": str}, optional
        For the report: the criterion of the rule, and the name of its reference curve if drawn.
    votes : bool
        Whether the rule counts for the consensus.
    pace : "quick", "slow" or "on demand"
        Slow rules are skipped for large tables; rules "on demand" are used only if named.

    Returns
    -------
    callable
        The function itself.

    Examples
    --------
    >>> @gm.dimension.register(sentence="axes with half the inertia of the first")
    ... def halving(values, total, dimension):
    ...     return int((values >= 0.5 * values[0]).sum())
    >>> gm.dimension.choose([4.0, 3.0, 1.0], rules=["halving", "kaiser"])["q"].tolist()
    [2, 2]
    >>> gm.dimension.RULES.pop("halving").votes
    True
    """

    def enter(function: Decision) -> Decision:
        title = _name(function, name)
        texts = _texts("sentence", sentence), _texts("curve", curve)
        known = tuple(one_of(option, "options", _OPTIONS) for option in options)
        _check_call(function, title, needs, known)
        RULES[title] = Rule(title, function, needs, over, known, *texts, bool(votes), pace)
        return function

    if isinstance(decide, str):
        decide, name = None, decide
    one_of(needs, "needs", NEEDS)
    one_of(over, "over", ("axes", "columns"))
    one_of(pace, "pace", get_args(Pace))
    return enter if decide is None else enter(decide)


def join_names(names: Iterable[str]) -> str:
    """Return names for a message, cut where they are too many for one."""
    text, most = ", ".join(names), _MAX_LIST_LENGTH
    return text if len(text) <= most else text[: text.rindex(", ", 0, most)] + ", …"


def _name(function: object, name: str | None) -> str:
    if not callable(function):
        raise InputTypeError(f"decide must be a function, got {type(function).__name__}")
    title = getattr(function, "__name__", "") if name is None else name
    if not isinstance(title, str) or not title.isidentifier() or title.lower() in _RESERVED_NAMES:
        raise InputError(f"name={short(title)} cannot name a rule: use a word such as 'halving'")
    if title in LIBRARY_NAMES:
        raise InputError(f"name={short(title)} is a rule of the library: use another name")
    return title


def _check_call(
    function: Callable[..., Any], title: str, needs: str, options: Sequence[str]
) -> None:
    """Refuse a function that cannot be called the way rules are: it would fail in every study."""
    call = ["eigenvalues", "inertia", "n_axes"]
    if needs in ("shape", "tall"):
        call.append("n_rows")
    elif needs != "eigenvalues":
        call = ["table"]
    try:
        inspect.signature(function).bind(*call, **dict.fromkeys(options))
    except ValueError:
        return  # a function without a signature, such as some of NumPy's
    except TypeError as error:
        text = ", ".join([*call, *(f"{name}=…" for name in options)])
        raise InputTypeError(
            f"decide: the rule {title!r} is called as {title}({text}), and {error}: change its "
            "arguments"
        ) from error


def _texts(argument: str, text: str | Mapping[str, str] | None) -> dict[str, str]:
    """Return a text by language: one for all of them, or one each."""
    if text is None:
        return {}
    if isinstance(text, str):
        return dict.fromkeys(_LANGUAGES, text)
    return {one_of(language, argument, _LANGUAGES): str(text[language]) for language in text}


@dataclass(frozen=True)
class Selection:
    """What `n_components` means: a number, a rule, or every axis that carries inertia."""

    q: int | None = None
    rule: Step | None = None


def selection(
    n_components: float | str | None,
    limit: int,
    what: str,
    *,
    shape: tuple[int, int] | None = None,
) -> Selection:
    """Return the meaning of `n_components` for at most `limit` axes, of a table of this shape."""
    if n_components is None:
        return Selection()
    if isinstance(n_components, str):
        return Selection(rule=_step(n_components, shape))
    if not is_number(n_components):
        reason = "must be a whole number, a share in (0, 1), a rule's name or None"
    elif is_whole(n_components):
        if 1 <= int(n_components) <= limit:
            return Selection(q=int(n_components))
        reason = f"must lie between 1 and {limit} ({what})"
    else:
        if 0.0 < n_components < 1.0:
            return Selection(rule=partial(threshold, share=float(n_components)))
        reason = "must lie strictly between 0 and 1 to be a share of the inertia"
    raise invalid("n_components", n_components, reason)


def _step(name: str, shape: tuple[int, int] | None) -> Step:
    """Return the rule of that name for a solver (rules of tables are asked before the fit)."""
    name = _ALIASES.get(name, name)
    rule = RULES.get(name)
    able = {n: r for n, r in RULES.items() if shape is not None or not NEEDS[r.needs].linear}
    if rule is None:
        reason = f"is not a known rule: use one of {join_names(able)}"
        raise invalid("n_components", name, reason)
    if rule.of_table or name not in able:
        at_hand = [n for n, other in able.items() if not other.of_table]
        reason = f"needs a table, which is not at hand here: use one of {join_names(at_hand)}"
        raise invalid("n_components", name, reason)
    return rule.step(shape)


def resolve_axes(
    n_components: float | str | None, columns: Callable[[], NullTable], seed: SeedLike = None
) -> float | str | None:
    """Return `n_components`, or the number of axes, at least 1, where it names a rule of tables."""
    rule = RULES.get(n_components) if isinstance(n_components, str) else None
    if rule is None or not rule.of_table:
        return n_components
    table = columns()
    if not rule.applies(table.shape, table):
        able = [name for name, other in RULES.items() if other.applies(table.shape, table)]
        reason = f"needs {NEEDS[rule.needs].what}: use one of {join_names(able)}"
        raise invalid("n_components", rule.name, reason)
    choice = rule.on_table(table, {"random_state": seed}).choice(rule.name)
    if choice == 0:
        p = choice.p_value
        first = "" if math.isnan(p) else f" (p = {p:.2g} for the first)"
        text = f"n_components={rule.name!r} finds no axis above noise{first}: one axis is kept"
        warn(RankWarning(text, argument="n_components", found=rule.name))
    return max(int(choice), 1)


class Choices(pd.DataFrame):
    """The results of `choose`, one row per rule: the number of axes q and its evidence.

    Attributes
    ----------
    consensus : int
        The number that most rules keep ("threshold" does not vote). Ties go to the number nearest
        to parallel analysis, then to the smallest.
    evidence : dict
        The full result of each rule, by name.
    reference : dict
        Reference curves of the eigenvalues, for `gm.plots.scree(fit, reference=choices)`.

    Examples
    --------
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

    @classmethod
    def of(
        cls, evidence: dict[str, Evidence], errors: Mapping[str, Exception], names: Iterable[str]
    ) -> Choices:
        """Return the table of rules in the order of their names, and warn of those that failed."""
        rows = {name: e.choice(name) for name, e in evidence.items()}
        choices = cls.from_dict(
            {name: [int(c), c.value, c.threshold, c.p_value] for name, c in rows.items()},
            orient="index",
            columns=["q", "value", "threshold", "p_value"],
        ).astype({"q": int})
        if errors:
            texts = {name: f"{type(error).__name__}: {error}" for name, error in errors.items()}
            for name, text in texts.items():
                warn(f"the rule {name!r} failed and does not vote: {text}", UserWarning)
            choices = choices.reindex(list(names)).astype({"q": "Int64"})
            choices["failed"] = [texts.get(name, "") for name in names]
        choices.index.name = "rule"
        choices.evidence = evidence
        return choices

    @property
    def voting(self) -> pd.Series:
        """The numbers of axes of the rules that vote and did not fail."""
        silent = [name for name, rule in RULES.items() if not rule.votes]
        return self.drop(index=silent, errors="ignore")["q"].dropna().astype(int)

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
