"""What happened in a cell: right, refused, or one of the kinds of which none is allowed."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.optional import Missing

from gramian import errors

from .cell import Entry, Input
from .marks import mark

GOOD = ("right", "refused")
BAD = (
    "silent accept",  # of what has no right answer
    "silent wrong",
    "warned wrong",
    "needless refusal",  # of what is plain
    "unclear refusal",
    "raw error",
    "input changed",
    "crash",
    "hang",
)
LEFT_OUT = "left out"  # the input cannot be made here: its library is missing
OURS = (errors.InputError, errors.InputTypeError, errors.IndefiniteError, errors.MemoryBudgetError)
# A remedy says what to do: a verb in the imperative, or what is needed.
_VERBS = """
    add ask build call centre check choose compute convert copy cut decode divide drop fill fit
    give install instead join leave lower make map merge move multiply name order pass put raise
    read reduce remove rename replace rescale round scale set shift sort split start subtract take
    transform try turn use write must may need needs needed required requires minimum fewer more
    only shorter"""
_REMEDY = re.compile(rf"\b({'|'.join(_VERBS.split())}|at least|at most)\b", re.IGNORECASE)


class Hang(BaseException):
    """A cell took longer than it may."""


@dataclass(frozen=True)
class Outcome:
    """One cell."""

    kind: str
    text: str = ""


def numbers(values: Any) -> np.ndarray:
    """Whatever came out, as long doubles."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().double().resolve_neg().numpy()
    if hasattr(values, "toarray"):
        values = values.toarray()
    return np.asarray(values, dtype=np.longdouble)


@dataclass(frozen=True)
class Precision:
    """How exact numbers are: a share of the largest, and the ends of their range."""

    tolerance: float
    smallest: float
    largest: float


DOUBLE = Precision(1e-9, 1e-320, float(np.finfo("f8").max))
SINGLE = Precision(1e-4, 1e-42, float(np.finfo("f4").max))


def agree(got: Any, want: Any, precision: Precision = DOUBLE, loose: float = 1.0) -> str:
    """Say how two arrays differ, to a tolerance of the largest number; "" if they do not.

    What the numbers cannot hold is infinite or zero; what is NaN must be NaN.
    """
    got, want = numbers(got), numbers(want)
    if got.shape != want.shape:
        return f"shape {got.shape}, true {want.shape}"
    size = np.abs(want[np.isfinite(want)]).max(initial=0)
    limit = loose * precision.tolerance * size
    beyond = np.isinf(got) & (np.abs(want) > precision.largest) & (np.sign(got) == np.sign(want))
    # Beside what is out of range, its rounding may be anything.
    rounding = (np.abs(want) <= limit) & (size > DOUBLE.largest) & ~np.isnan(got)
    with np.errstate(invalid="ignore"):
        close = np.abs(got - want) <= limit + precision.smallest
    same = close | beyond | rounding | (np.isnan(got) & np.isnan(want))
    return "" if same.all() else _shown(got, want)


def _shown(got: np.ndarray, want: np.ndarray) -> str:
    with np.errstate(over="ignore"):
        short = [np.array2string(a.ravel()[:4].astype(float), precision=6) for a in (got, want)]
    return f"{short[0]}, true {short[1]}"


def clear(error: BaseException, arguments: str) -> str:
    """Say what a refusal lacks; "" if nothing."""
    text = str(error)
    if not 0 < len(text) <= 400:
        return f"{len(text)} characters"
    if not any(re.search(rf"(?<!\w){re.escape(a)}(?!\w)", text) for a in arguments.split()):
        return f"names none of {arguments}"
    if not _REMEDY.search(text):
        return "no remedy"
    return ""


def verdict(
    entry: Entry, case: Input, truth: Any, plain: Any, ours: tuple[type, ...] = OURS
) -> Outcome:
    """Run one cell and judge it."""
    x = case.make()
    before = mark(x)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            result = entry.call(x, plain)
            outcome = _judged(entry, case, truth, result, told)
        except Missing:  # of what only the truth needs
            raise
        except Exception as error:
            outcome = _refusal(entry, case, plain, error, ours)
    if mark(x) != before:
        return Outcome("input changed", outcome.kind)
    return outcome


def _refusal(
    entry: Entry, case: Input, plain: Any, error: Exception, ours: tuple[type, ...]
) -> Outcome:
    text = f"{type(error).__name__}: {error}"[:300]
    if not isinstance(error, ours):
        return Outcome("raw error", text)
    lack = clear(error, entry.arguments) if ours is OURS else ""
    if lack:
        return Outcome("unclear refusal", f"({lack}) {text}")
    if case.verdict == "right" and entry.fits(plain):
        return Outcome("needless refusal", text)
    return Outcome("refused", text)


def _judged(entry: Entry, case: Input, truth: Any, result: Any, told: list[Any]) -> Outcome:
    if case.verdict == "refused":
        return Outcome("silent accept", " ".join(str(w.message)[:80] for w in told))
    precision = SINGLE if case.single else DOUBLE
    for got, want in entry.pairs(result, truth):
        wrong = agree(got, want, precision, entry.loose)
        if wrong:
            words = [str(w.message)[:80] for w in told]
            return Outcome(
                "warned wrong" if words else "silent wrong", f"{wrong} {words[:1]}"[:300]
            )
    return Outcome("right", "")
