"""What the two tables hold: inputs with what is true of them, and entries with their truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Pair = tuple[Any, Any]  # what came out, and what is true


@dataclass(frozen=True)
class Input:
    """Something hostile.

    `verdict` says what may happen: "right" (it is plain: every entry that it fits must take it),
    "either" (right numbers or a clear refusal) or "refused" (nobody can make sense of it).
    """

    name: str
    make: Callable[[], Any]  # a new object every time
    verdict: str
    exact: Callable[[], Any] | None = None  # its numbers where NumPy cannot read them off
    single: bool = False  # of single precision or less

    def meaning(self) -> Any:
        """What is meant: the numbers, graphs or sequences, in a plain container."""
        return self.make() if self.exact is None else self.exact()


def right(name: str, make: Callable[[], Any], exact: Any = None, **more: Any) -> Input:
    """An input that must be taken."""
    return Input(name, make, "right", exact, **more)


def either(name: str, make: Callable[[], Any], exact: Any = None, **more: Any) -> Input:
    """An input that may be refused; if it is not, the numbers are right."""
    return Input(name, make, "either", exact, **more)


def refused(name: str, make: Callable[[], Any], **more: Any) -> Input:
    """An input without a right answer."""
    return Input(name, make, "refused", **more)


@dataclass(frozen=True)
class Entry:
    """A public door: a call, and pairs of what it gave and what is true."""

    name: str
    call: Callable[[Any, Any], Any]  # of the input, and of its numbers in a plain array
    pairs: Callable[[Any, Any], Iterable[Pair]]  # of the result, and of the Truth
    arguments: str = "X"  # the words that name it in a refusal
    fits: Callable[[Any], bool] = lambda values: True  # which plain inputs it must take
    takes: str = ""  # families or names whose "refused" is no word here (Gower takes texts)
    skips: str = ""  # inputs that mean nothing here
    share: float = 1.0  # of the inputs that it is run on, where it is slow
    loose: float = 1.0  # how many times the usual tolerance its method is exact to
