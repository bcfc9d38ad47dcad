"""Every rule for the number of axes, registered once: those of the library, then a user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from gramian._core.check import one_of, short
from gramian._reading.rule import NEEDS, Rule
from gramian._reading.rule_table import TABLE
from gramian.errors import InputError, InputTypeError

Decision = TypeVar("Decision", bound=Callable[..., Any])

RULES: dict[str, Rule] = {rule.name: rule for rule in TABLE}
PARALLEL = "parallel"  # the one rule that is a test without a model: it settles ties
LANGUAGES = ("en", "fr")
OPTIONS = ("n_permutations", "alpha", "share", "random_state")  # those of `choose`
OVER = ("axes", "columns")
PACES = ("quick", "slow", "on demand")
_LIBRARY = frozenset(RULES)
_TAKEN = ("cv", "nan", "inf", "infinity")  # n_components="cv" tunes; the others read as numbers
_LONGEST = 260  # characters of a list of names in a message


def register(
    decide: Any = None,
    name: str | None = None,
    *,
    needs: str = "eigenvalues",
    over: str = "axes",
    options: Iterable[str] = (),
    sentence: str | Mapping[str, str] | None = None,
    curve: str | Mapping[str, str] | None = None,
    votes: bool = True,
    pace: str = "quick",
) -> Any:
    """Make a function a rule for the number of axes, known under its name wherever rules are.

    That is `n_components="name"`, `gm.dimension.choose`, the plots of both, the report and the
    command. A decorator or a call: `@register`, `@register("halving")`, `@register(votes=False)`,
    `register(halving)`. A function that is defined again (a notebook's cell run twice) takes the
    place of the old one.

    Parameters
    ----------
    decide : callable, or the name alone
        Of eigenvalues (descending), the total inertia and the number of axes there could be. It
        returns how many axes to keep, or None where it takes more eigenvalues to decide: a fit
        computes them as they are needed. A `Choice` in place of the number brings evidence: value,
        threshold, p-value, and the reference curve of a scree plot.
    name : str, optional
        That of the function by default.
    needs : str
        "eigenvalues"; "shape" (of a table of which they are principal components) or "tall" (more
        rows than columns too), with which the number n of rows is a fourth argument; or a table,
        given in place of all arguments as columns (`values`, (p, n), their eigenvalues `observed`
        and the function `spectra` from such values to eigenvalues): "columns" of a table that can
        be drawn anew, "signs" that can be flipped, "components" for PCA only, "cells" for PCA
        without weights.
    over : "axes" or "columns"
        Which axes there could be: those that can carry inertia, or one a column.
    options : names
        Arguments of `choose` that are passed on by name: some of "n_permutations", "alpha",
        "share", "random_state". A fit leaves them at their defaults, but for the last.
    sentence : str or {"en": str, "fr": str}, optional
        What the rule asks, for the table of the report.
    curve : str or {"en": str, "fr": str}, optional
        The name of its reference, if the report is to draw it.
    votes : bool
        Whether it counts for the consensus.
    pace : "quick", "slow" or "on demand"
        Slow rules are left out where tables are large, the last unless they are named.

    Returns
    -------
    callable
        The function as it was.

    Examples
    --------
    >>> import gramian as gm
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
        known = tuple(one_of(option, "options", OPTIONS) for option in options)
        RULES[title] = Rule(title, function, needs, over, known, *texts, bool(votes), pace)
        return function

    if isinstance(decide, str):
        decide, name = None, decide
    one_of(needs, "needs", NEEDS)
    one_of(over, "over", OVER)
    one_of(pace, "pace", PACES)
    return enter if decide is None else enter(decide)


def listed(names: Iterable[str]) -> str:
    """Return names for a message, cut where they are too many for one.

    >>> listed(["kaiser", "elbow"])
    'kaiser, elbow'
    """
    text = ", ".join(names)
    return text if len(text) <= _LONGEST else text[: text.rindex(", ", 0, _LONGEST)] + ", …"


def _name(function: Any, name: str | None) -> str:
    if not callable(function):
        raise InputTypeError(f"decide must be a function, got {type(function).__name__}")
    title = getattr(function, "__name__", "") if name is None else name
    if not isinstance(title, str) or not title.isidentifier() or title.lower() in _TAKEN:
        raise InputError(f"name={short(title)} cannot name a rule: use a word such as 'halving'")
    if title in _LIBRARY:
        raise InputError(f"name={short(title)} is a rule of the library: use another name")
    return title


def _texts(argument: str, text: str | Mapping[str, str] | None) -> dict[str, str]:
    """Return a text by language: one for all of them, or one each."""
    if text is None:
        return {}
    if isinstance(text, str):
        return dict.fromkeys(LANGUAGES, text)
    return {one_of(language, argument, LANGUAGES): str(text[language]) for language in text}
