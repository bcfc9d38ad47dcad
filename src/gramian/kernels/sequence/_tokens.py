"""Strings and lists of tokens as codes of 64 bits, a whole collection in one array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.frames import is_frame
from gramian._core.hashing import codes
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.objects import Objects


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of all sequences, one after the other."""

    codes: np.ndarray  # (N,)
    offsets: np.ndarray  # (n+1,) the first token of each sequence

    @property
    def lengths(self) -> np.ndarray:
        """The number of tokens of each sequence, (n,)."""
        return np.diff(self.offsets)

    def windows(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return where the runs of k tokens start, and in which sequence."""
        n_runs = np.maximum(self.lengths - k + 1, 0)
        owner = np.repeat(np.arange(n_runs.size), n_runs)
        before = np.cumsum(n_runs) - n_runs
        starts = np.arange(owner.size) - before[owner] + self.offsets[owner]
        return starts, owner


class SequenceKernel(Kernel):
    """A kernel on strings or lists of tokens."""

    psd: bool | None = True
    takes_vectors = False

    def _objects(self, X: Any, name: str) -> Objects:
        return as_sequences(X, name)


def as_sequences(X: Any, name: str = "X") -> Objects:
    """Return a collection of sequences, or say which one cannot be used and why."""
    if isinstance(X, Objects):
        return X
    # Sets have no order, and a frame would give the names of its columns.
    none = isinstance(X, str | bytes | Mapping | Set) or getattr(X, "ndim", 1) == 0 or is_frame(X)
    if none or not isinstance(X, Iterable):
        raise InputTypeError(
            f"{name} is {type(X).__name__}, not a list of sequences: give a list of texts or of "
            "lists of tokens"
        )
    items = [text_of(item, f"{name}[{k}]") for k, item in enumerate(X)]
    if not items:
        raise InputError(f"{name} holds 0 sequences while a minimum of 1 is required")
    for k, item in enumerate(items):
        fits = isinstance(item, str | bytes | list | tuple | np.ndarray)
        if not fits or getattr(item, "ndim", 1) != 1:
            raise InputTypeError(
                f"{name}[{k}] is {type(item).__name__}: give a text or a list of tokens"
            )
    return Objects(items)


def text_of(item: Any, name: str) -> Any:
    """Return bytes as the text they encode, NumPy's texts as texts; others as they are.

    >>> text_of(b"ACGT", "X[0]")
    'ACGT'
    """
    if isinstance(item, np.str_):
        return str(item)
    if not isinstance(item, bytes):
        return str(item) if isinstance(item, np.str_) else item
    try:
        return item.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is bytes that are no text in UTF-8: decode it, or give list(item), its numbers"
        ) from error


def tokens_of(X: Objects) -> Tokens:
    """Return the tokens of the collection that X is, or is a part of."""
    return X.cached("tokens", lambda all: _tokens(all.items))


def _tokens(items: list[Any]) -> Tokens:
    offsets = np.concatenate([[0], np.cumsum([len(item) for item in items])]).astype(np.int64)
    if all(isinstance(item, str) for item in items):
        text = "".join(items).encode("utf-32-le", "surrogatepass")
        letters, index = np.unique(np.frombuffer(text, dtype=np.uint32), return_inverse=True)
        return Tokens(codes(map(chr, letters.tolist()))[index], offsets)
    return Tokens(np.concatenate([_of_one(item, k) for k, item in enumerate(items)]), offsets)


def _of_one(item: Any, k: int) -> np.ndarray:
    try:
        letters = item.tolist() if isinstance(item, np.ndarray) else item
        return codes(text_of(letter, f"X[{k}]") for letter in letters)
    except InputError as error:
        raise InputError(f"X[{k}]: {error}") from error
