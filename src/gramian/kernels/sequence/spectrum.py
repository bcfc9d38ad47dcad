"""Kernels that count runs of tokens: exact ones, and with mismatches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from gramian._core.check import short, whole
from gramian._core.hashing import codes, combine
from gramian._core.pairs import Points
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.features import Featured, Occurrences
from gramian.kernels.objects import Objects
from gramian.kernels.registry import register
from gramian.kernels.sequence._tokens import SequenceKernel, as_sequences, text_of, tokens_of


@register(kind="sequences")
class Spectrum(SequenceKernel, Featured):
    """Runs of k tokens: k(x, y) = Σ_u c_u(x)·c_u(y), c_u the number of times x holds the run u.

    A sequence shorter than k holds none.

    Parameters
    ----------
    k : int
        The length of a run.

    Examples
    --------
    >>> float(Spectrum(k=2)(["abab"])[0, 0])
    5.0
    """

    def __init__(self, k: int = 3) -> None:
        self.k = k

    def occurrences(self, X: Objects) -> Occurrences:
        """Every run of k tokens."""
        k, tokens = whole(self.k, "k", 1), tokens_of(X)
        starts, rows = tokens.windows(k)
        return Occurrences(rows, combine(*(tokens.codes[starts + i] for i in range(k))))


@register(kind="sequences")
class Mismatch(SequenceKernel, Featured):
    """Runs of k tokens up to some mismatches: k(x, y) = Σ_u c_u(x)·c_u(y).

    u goes over all runs of k letters of the alphabet, and c_u(x) counts the runs of x that differ
    from u in at most `mismatches` places. How many u are near two given runs depends only on the
    number of places d where these differ, so k is a sum of I(d) over pairs of runs; it is computed
    from the pairs that agree on each set of places, whatever the size of the alphabet.

    Parameters
    ----------
    k : int
    mismatches : int
        Below k: with as many, all runs would be alike.
    alphabet : iterable of tokens, optional
        The letters; by default those found in the training sequences. Give it where new sequences
        may hold others.

    Examples
    --------
    >>> float(Mismatch(k=2, mismatches=1, alphabet="ab")(["ab"], ["bb"])[0, 0])
    2.0
    """

    def __init__(
        self, k: int = 3, mismatches: int = 1, alphabet: Iterable[Any] | None = None
    ) -> None:
        self.k = k
        self.mismatches = mismatches
        self.alphabet = alphabet

    def occurrences(self, X: Objects) -> Occurrences:
        """Every run of k tokens, seen through every set of places that counts."""
        k, m = whole(self.k, "k", 1), whole(self.mismatches, "mismatches", 0)
        if m >= k:
            raise InputError(
                f"mismatches={m} must be below k={k}: with as many, all runs count as alike"
            )
        tokens = tokens_of(X)
        starts, rows = tokens.windows(k)
        weights = _weights(k, m, self._letters(tokens.codes).size)
        places = [S for j in weights for S in combinations(range(k), j)]
        seen = [_codes_at(tokens.codes, starts, S) for S in places]
        return Occurrences(
            np.tile(rows, len(places)),
            np.concatenate(seen),
            weights=np.repeat([float(weights[len(S)]) for S in places], starts.size),
        )

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its alphabet that of the sequences, unless it was given."""
        if self.alphabet is not None:
            return self
        X = as_sequences(points.X)
        tokens_of(X)  # refuses tokens that cannot be looked up
        return Mismatch(self.k, self.mismatches, sorted({t for x in X for t in x}, key=repr))

    def _letters(self, tokens: np.ndarray) -> np.ndarray:
        """Return the codes of the alphabet; refuse tokens outside it."""
        if self.alphabet is None:
            return np.unique(tokens)
        letters = np.unique(codes(_letters_of(self.alphabet)))
        if not np.isin(tokens, letters).all():
            raise InputError(
                "X holds tokens that are not in the alphabet (of the training sequences, by "
                "default): give all letters as alphabet="
            )
        return letters


def _letters_of(alphabet: Any) -> list[Any]:
    """Return the letters of an alphabet: texts for bytes, as in the sequences."""
    if isinstance(alphabet, str | bytes):
        return list(text_of(alphabet, "alphabet"))
    none = isinstance(alphabet, Iterator) or getattr(alphabet, "ndim", 1) != 1
    if none or not isinstance(alphabet, Iterable):
        raise InputTypeError(f"alphabet={short(alphabet)} must be a text or a list of tokens")
    return [text_of(letter, "alphabet") for letter in alphabet]


def _codes_at(letters: np.ndarray, starts: np.ndarray, places: tuple[int, ...]) -> np.ndarray:
    """Return the codes of the runs with all but some places covered."""
    which = codes([places])
    return np.broadcast_to(combine(which, *(letters[starts + i] for i in places)), starts.shape)


def _weights(k: int, m: int, s: int) -> dict[int, int]:
    """Return w with Σ_j w_j·C(k−d, j) = I(d) for d = 0..k, the zeros left out.

    Two runs that differ in d places agree on C(k−d, j) sets of j places. I(d) = 0 for d > 2m, so
    only sets of at least k − 2m places count.
    """
    w: dict[int, int] = {}
    for j in range(k + 1):  # d = k − j
        rest = _near_both(k - j, k, m, s) - sum(v * comb(j, i) for i, v in w.items())
        if rest:
            w[j] = rest
    return w


def _near_both(d: int, k: int, m: int, s: int) -> int:
    """Return I(d): runs over s letters within m places of two runs that differ in d places."""
    total = 0
    for i in range(d + 1):  # places of the d that agree with the first run
        for j in range(d - i + 1):  # with the second
            for r in range(m - d + min(i, j) + 1):  # changed places among the other k − d
                ways = comb(d, i) * comb(d - i, j) * max(s - 2, 0) ** (d - i - j)
                total += ways * comb(k - d, r) * (s - 1) ** r
    return total
