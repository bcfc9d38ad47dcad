"""Kernels on strings and lists of tokens.

>>> float(gm.kernels.sequence.Spectrum(k=2).normalized()(["kernel", "kernels"])[0, 1].round(6))
0.912871
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import positive, short, whole
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.frames import is_frame
from gramian._core.hashing import codes, combine
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.types import RowsLike
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel, Names, Weights
from gramian.kernels.objects import Featured, Objects, Occurrences, ranges
from gramian.kernels.registry import register

__all__ = ["Mismatch", "Spectrum", "Subsequence"]

WORTH_COMPILING = 1 << 22  # cells; below, NumPy is done before numba is imported


@dataclass(frozen=True, eq=False)
class _Tokens:
    """The tokens of all sequences, one after the other."""

    codes: np.ndarray  # (N,)
    offsets: np.ndarray  # (n+1,) the first token of each sequence

    def __getitem__(self, k: int) -> np.ndarray:
        return self.codes[self.offsets[k] : self.offsets[k + 1]]

    @property
    def lengths(self) -> np.ndarray:
        """The number of tokens of each sequence, (n,)."""
        return np.diff(self.offsets)

    def windows(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return where the runs of k tokens start, and in which sequence."""
        n_runs = np.maximum(self.lengths - k + 1, 0)
        return ranges(self.offsets[:-1], n_runs), np.repeat(np.arange(n_runs.size), n_runs)


class _SequenceKernel(Kernel):
    """A kernel on strings or lists of tokens."""

    psd: bool | None = True
    takes_vectors = False

    def _objects(self, X: RowsLike, name: str) -> Objects:
        return _as_sequences(X, name)


def _as_sequences(X: RowsLike, name: str = "X") -> Objects:
    """Return a validated collection of sequences; errors name the sequence."""
    if isinstance(X, Objects):
        return X
    # Sets have no order, and a frame would give the names of its columns.
    none = isinstance(X, str | bytes | Mapping | Set) or getattr(X, "ndim", 1) == 0 or is_frame(X)
    if none or not isinstance(X, Iterable):
        raise InputTypeError(
            f"{name} is {type(X).__name__}, not a list of sequences: give a list of texts or of "
            "lists of tokens"
        )
    items = [_as_text(item, f"{name}[{k}]") for k, item in enumerate(X)]
    if not items:
        raise InputError(f"{name} holds 0 sequences while a minimum of 1 is required")
    for k, item in enumerate(items):
        fits = isinstance(item, str | bytes | list | tuple | np.ndarray)
        if not fits or getattr(item, "ndim", 1) != 1:
            raise InputTypeError(
                f"{name}[{k}] is {type(item).__name__}: give a text or a list of tokens"
            )
    return Objects(items)


def _as_text(item: object, name: str) -> Any:
    """Return bytes as the text they encode, NumPy's texts as texts; others as they are."""
    if isinstance(item, np.str_):
        return str(item)
    if not isinstance(item, bytes):
        return item
    try:
        return item.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is bytes that are no text in UTF-8: decode it, or give list(item), its numbers"
        ) from error


def _tokens_of(X: Objects) -> _Tokens:
    """Return the tokens of the collection that X is, or is a part of."""
    return X.memoize("tokens", lambda all: _tokens(all.items))


def _tokens(items: list[Any]) -> _Tokens:
    offsets = np.concatenate([[0], np.cumsum([len(item) for item in items])]).astype(np.int64)
    if all(isinstance(item, str) for item in items):
        text = "".join(items).encode("utf-32-le", "surrogatepass")
        letters, index = np.unique(np.frombuffer(text, dtype=np.uint32), return_inverse=True)
        return _Tokens(codes(map(chr, letters.tolist()))[index], offsets)
    return _Tokens(np.concatenate([_of_one(item, k) for k, item in enumerate(items)]), offsets)


def _of_one(item: str | Sequence[Any] | np.ndarray, k: int) -> np.ndarray:
    try:
        letters = item.tolist() if isinstance(item, np.ndarray) else item
        return codes(_as_text(letter, f"X[{k}]") for letter in letters)
    except InputError as error:
        raise InputError(f"X[{k}]: {error}") from error


@register(kind="sequences")
class Spectrum(_SequenceKernel, Featured):
    """The spectrum kernel, Σ_u c_u(x)·c_u(y), c_u(x) the count in x of the run u of k tokens.

    A sequence shorter than k has no runs.

    >>> float(Spectrum(k=2)(["abab"])[0, 0])
    5.0
    """

    def __init__(self, k: int = 3) -> None:
        self.k = k

    def occurrences(self, X: Objects) -> Occurrences:
        """Every run of k tokens."""
        k, tokens = whole(self.k, "k", 1), _tokens_of(X)
        starts, rows = tokens.windows(k)
        return Occurrences(rows, combine(*(tokens.codes[starts + i] for i in range(k))))


@register(kind="sequences")
class Mismatch(_SequenceKernel, Featured):
    """The mismatch kernel, Σ_u c_u(x)·c_u(y) over the runs u of k tokens.

    u goes over all runs of k letters of the alphabet, and c_u(x) counts the runs of x that differ
    from u in at most `mismatches` places. How many u are near two given runs depends only on the
    number of places d where these differ, so k is a sum of I(d) over pairs of runs; it is computed
    from the pairs that agree on each set of places, whatever the size of the alphabet.

    `mismatches` must be below k. `alphabet` is the set of letters, by default those found in the
    training sequences; pass it if new sequences may have others.

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
        """Every run of k tokens, restricted to every set of places that counts."""
        k, m = whole(self.k, "k", 1), whole(self.mismatches, "mismatches", 0)
        if m >= k:
            raise InputError(f"mismatches={m} must be below k={k}: otherwise all runs would match")
        tokens = _tokens_of(X)
        starts, rows = tokens.windows(k)
        weights = _weights(k, m, self._letters(tokens.codes).size)
        places = [S for j in weights for S in combinations(range(k), j)]
        # The codes of runs at some of their places, the others covered.
        runs = [combine(codes([S]), *(tokens.codes[starts + i] for i in S)) for S in places]
        found = [np.broadcast_to(run, starts.shape) for run in runs]
        return Occurrences(
            np.tile(rows, len(places)),
            np.concatenate(found),
            weights=np.repeat([float(weights[len(S)]) for S in places], starts.size),
        )

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with its alphabet that of the sequences, unless it was given."""
        if self.alphabet is not None:
            return self
        X = _as_sequences(points.X)
        _tokens_of(X)  # raises for tokens that cannot be hashed
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


def _letters_of(alphabet: Iterable[Any]) -> list[Any]:
    """Return the letters of an alphabet: texts for bytes, as in the sequences."""
    if isinstance(alphabet, str | bytes):
        return list(_as_text(alphabet, "alphabet"))
    none = isinstance(alphabet, Iterator) or getattr(alphabet, "ndim", 1) != 1
    if none or not isinstance(alphabet, Iterable):
        raise InputTypeError(f"alphabet={short(alphabet)} must be a text or a list of tokens")
    return [_as_text(letter, "alphabet") for letter in alphabet]


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


@register(kind="sequences")
class Subsequence(_SequenceKernel):
    """The gappy subsequence kernel, Σ_u Σ_{i: x[i]=u} Σ_{j: y[j]=u} decay^{|i|+|j|}.

    u runs over the sequences of `length` tokens, i and j over the increasing positions at which x
    and y spell u, and |i| is the number of tokens from the first of these positions to the last.
    With a small `decay`, in (0, 1], subsequences with gaps count little.

    >>> float(Subsequence(length=2, decay=0.5)(["cat"], ["car"])[0, 0])
    0.0625
    """

    def __init__(self, length: int = 3, decay: float = 0.5) -> None:
        self.length = length
        self.decay = decay

    def evaluate(self, pairs: Pairs) -> Array:
        """The weighted numbers of common subsequences."""
        X, Y = _as_sequences(pairs.A.X)[pairs.rows], _as_sequences(pairs.B.X)[pairs.cols]
        rows, cols = np.indices((len(X), len(Y))).reshape(2, -1)
        if pairs.same:
            rows, cols = np.triu_indices(len(X))
        K = np.zeros((len(X), len(Y)))
        K[rows, cols] = self._values(X, Y, rows, cols)
        return K

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """The weighted number of pairs of equal subsequences."""
        X = _as_sequences(X)

        def make(all: Objects) -> np.ndarray:
            every = np.arange(len(all))
            return self._values(all, all, every, every)

        return X.take(X.memoize(("diagonal", repr(self)), make))

    def _values(self, X: Objects, Y: Objects, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
        p, decay = whole(self.length, "length", 1), positive(self.decay, "decay")
        if decay > 1:
            raise InputError(f"decay={short(decay)} must be at most 1")
        s, t = _tokens_of(X), _tokens_of(Y)
        i, j = X.positions[rows], Y.positions[cols]
        cells = int(s.lengths[i] @ t.lengths[j])
        if has_numba() and cells > WORTH_COMPILING:
            out = np.empty(i.size)

            def work(parts: Sequence[slice]) -> None:
                for part in parts:
                    pairs = (i[part], j[part], p, decay, out[part])
                    _loop(s.codes, s.offsets, t.codes, t.offsets, *pairs)

            parts = list(row_blocks(i.size, max(1, i.size // 32)))
            work(parts[:1])  # compiles in one thread
            parallel_map(work, parts[1:])
            return out
        return np.array([_one(s[a], t[b], p, decay) for a, b in zip(i, j, strict=True)])


def _one(x: np.ndarray, y: np.ndarray, p: int, decay: float) -> float:
    """Return the kernel of two sequences.

    κ_q(i, j), the sum over matches of q tokens that end at i and j, is decay² where x_i = y_j
    times the sum of decay^{(i−1−i')+(j−1−j')} κ_{q−1}(i', j') over i' < i, j' < j: a first-order
    filter along each of the two axes.
    """
    from scipy.signal import lfilter

    if min(x.size, y.size) < p:
        return 0.0
    match = np.where(x[:, None] == y[None, :], decay * decay, 0.0)
    kappa = match
    for _ in range(p - 1):
        summed = lfilter([1.0], [1.0, -decay], kappa, axis=1)
        summed = lfilter([1.0], [1.0, -decay], summed, axis=0)
        kappa = np.zeros_like(match)
        kappa[1:, 1:] = match[1:, 1:] * summed[:-1, :-1]
    return float(kappa.sum())


@lazy_jit
def _loop(  # type: ignore[no-untyped-def]
    s, s_offsets, t, t_offsets, rows, cols, p, decay, out
):
    """Do what `_one` does, for many pairs, all lengths in one sweep."""
    square = decay * decay
    for k in range(rows.size):
        x = s[s_offsets[rows[k]] : s_offsets[rows[k] + 1]]
        y = t[t_offsets[cols[k]] : t_offsets[cols[k] + 1]]
        n, m = x.size, y.size
        if min(n, m) < p:
            out[k] = 0.0
            continue
        # Filtered sums of the matches of 1..p−1 tokens: over the rows so far, along this row, and
        # over the rows before at the column before.
        sums, along, corner = np.zeros((m, p)), np.zeros(p), np.zeros(p)
        total = 0.0
        for i in range(n):
            along[:] = 0.0
            corner[:] = 0.0
            for j in range(m):
                equal = x[i] == y[j]
                if equal:
                    total += square * (corner[p - 2] if p > 1 else 1.0)
                for q in range(p - 2, -1, -1):
                    kappa = 0.0
                    if equal:
                        kappa = square * (corner[q - 1] if q > 0 else 1.0)
                    along[q] = kappa + decay * along[q]
                    corner[q] = sums[j, q]
                    sums[j, q] = along[q] + decay * sums[j, q]
        out[k] = total
