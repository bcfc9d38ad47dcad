"""How a call with junk may end: a refusal of our own, in time."""

from __future__ import annotations

import contextlib
import linecache
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import gramian as gm
from gramian.errors import IndefiniteError, InputError, InputTypeError, MemoryBudgetError

SOURCE = str(Path(gm.__file__).parent)
LIMIT = 5.0  # seconds of processor time that a call may take
WAIT = 12  # times as long may it wait: other processes may have the cores
OURS = (InputError, InputTypeError, IndefiniteError, MemoryBudgetError)


class TooLongError(BaseException):
    """A call that takes longer than its limit; no library may catch it."""


def verdict(call: Callable[[], Any]) -> str:
    """Return what is wrong with the way a call ends, "" if nothing is."""
    try:
        with quick(), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            call()
    except TooLongError as error:
        return f"more than {LIMIT:g} s: {place(error)}"
    except OURS as error:
        return "" if 0 < len(str(error)) <= 400 else f"{len(str(error))} characters: {error}"
    except NotFittedError:
        return ""
    except Exception as error:
        if isinstance(error, TypeError | ValueError | OSError) and is_own_raise(error):
            return ""
        if is_of_the_caller(error):
            return ""
        return f"{type(error).__name__}: {str(error)[:80]!r} {place(error)}"
    return ""


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Interrupt what takes too long."""

    def stop(signal: int, frame: Any) -> None:
        raise TooLongError

    timers = (
        (signal.ITIMER_PROF, signal.SIGPROF, LIMIT),
        (
            signal.ITIMER_REAL,
            signal.SIGALRM,
            WAIT * LIMIT,
        ),
    )
    before = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def is_own_raise(error: BaseException) -> bool:
    """Whether the innermost line is a `raise` of the library."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    if not last.filename.startswith(SOURCE):
        return False
    return linecache.getline(last.filename, last.lineno or 0).strip().startswith("raise ")


def is_of_the_caller(error: BaseException) -> bool:
    """Whether a function of the caller's raised it, which the library had been given to call."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame.filename.startswith(SOURCE) for frame in frames]
    if not any(inside):  # an operator that the library leaves to Python's own words
        return isinstance(error, TypeError)
    return frames[-1].filename.startswith(str(Path(__file__).parent))


def place(error: BaseException) -> str:
    """Return the innermost line of the library that an error went through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(SOURCE)]
    if not frames:
        return ""
    return f"at {frames[-1].filename.removeprefix(SOURCE)[1:]}:{frames[-1].lineno}"
