"""Codes, collections and counts: what all kernels that count are built of."""

from hashlib import blake2b

import numpy as np
import pytest

from gramian._core.hashing import code, codes, combine, mix
from gramian._core.pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.objects import Featured, Objects, Occurrences


class Letters(Featured):
    """Counts letters; vowels weigh −1 if asked for."""

    def __init__(self, signed=False):
        self.signed = signed

    def _objects(self, X, name):
        return X if isinstance(X, Objects) else Objects(X)

    def occurrences(self, X):
        rows = np.repeat(np.arange(len(X)), [len(x) for x in X])
        letters = "".join(X)
        weights = np.array([-1.0 if c in "aeiou" else 1.0 for c in letters])
        return Occurrences(rows, codes(letters), weights=weights if self.signed else None)


def expected(X, Y, signed):
    def product(x, y):
        shared = {c: -1 if signed and c in "aeiou" else 1 for c in set(x) & set(y)}
        return sum(sign * x.count(c) * y.count(c) for c, sign in shared.items())

    return [[product(x, y) for y in Y] for x in X]


WORDS = ["banana", "bandana", "", "kayak", "xyz", "abba"] * 4
OTHERS = ["nab", "", "quick", "zzz"]


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("share", [0.0, 1 / 8, 2.0], ids=["dense", "both", "sparse"])
def test_products(monkeypatch, signed, share):
    monkeypatch.setattr("gramian.kernels.objects.COMMON_SHARE", share)
    kernel = Letters(signed)
    np.testing.assert_array_equal(kernel.pairwise(WORDS), expected(WORDS, WORDS, signed))
    np.testing.assert_array_equal(kernel.pairwise(OTHERS, WORDS), expected(OTHERS, WORDS, signed))
    np.testing.assert_array_equal(kernel.diag(OTHERS), np.diag(expected(OTHERS, OTHERS, signed)))


def test_nothing_in_common_and_nothing_at_all():
    kernel = Letters()
    np.testing.assert_array_equal(kernel.pairwise(["abc"], ["xyz", ""]), [[0, 0]])
    np.testing.assert_array_equal(kernel.pairwise(["", ""]), np.zeros((2, 2)))
    np.testing.assert_array_equal(kernel.pairwise(["", ""], ["a"]), np.zeros((2, 1)))


def test_features_are_counted_once():
    calls = []

    class Watched(Letters):
        def occurrences(self, X):
            calls.append(len(X))
            return super().occurrences(X)

    kernel = Watched().normalized()
    old = Points(kernel.rows(WORDS, "X"))
    new = Points(kernel.rows(OTHERS, "X"), old)
    for rows in (slice(0, 9), slice(9, 24)):
        kernel.block(Pairs(old, old, rows, rows))
        kernel.evaluate(Pairs(new, old, slice(0, 2), rows))
    kernel.self_similarity(old.X)
    assert calls == [24, 4]


def test_new_points_do_not_stay_with_the_old():
    kernel, old = Letters(), Points(Objects(WORDS))
    kernel.evaluate(Pairs(old))
    kernel.evaluate(Pairs(Points(Objects(OTHERS), old), old))
    before = len(old._cache)
    for _ in range(3):
        kernel.evaluate(Pairs(Points(Objects(OTHERS), old), old))
        kernel.evaluate(Pairs(old, Points(Objects(OTHERS), old)))
    assert len(old._cache) == before


def test_what_one_object_alone_has_counts_for_it():
    words = ["abab", "abc", "xyz", "xq", "q"]
    F = np.array([[word.count(letter) for letter in "abcqxyz"] for word in words], dtype=float)
    points = Points(Objects(words))
    rows, cols = slice(1, 4), slice(0, 3)
    for found, expected in [
        (Letters().evaluate(Pairs(points)), F @ F.T),
        (Letters().evaluate(Pairs(points, points, rows, cols)), F[rows] @ F[cols].T),
        (Letters().block(Pairs(points.take(np.array([3, 0, 2])))), F[[3, 0, 2]] @ F[[3, 0, 2]].T),
    ]:
        np.testing.assert_array_equal(found, expected)


def test_objects_are_indexed_like_arrays():
    X = Objects(list("abcdef"))
    part = X[1:5][np.array([True, False, True, True])]
    assert list(part) == ["b", "d", "e"]
    assert part[0] == "b"
    assert part.positions.tolist() == [1, 3, 4]
    assert X[np.array([5, 0])].take(np.arange(6) * 10).tolist() == [50, 0]
    made = []
    assert part.memoize("n", lambda all: made.append(len(all)) or len(all)) == 6
    assert X.memoize("n", lambda all: made.append(len(all))) == 6
    assert made == [6]


@pytest.mark.slow
def test_codes_are_spread_and_stable():
    found = codes([*range(20_000), *map(str, range(20_000)), *((k, "a") for k in range(20_000))])
    assert np.unique(found).size == 60_000
    bits = (found[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.02
    word = blake2b(b"skernel", digest_size=8).digest()
    assert code("kernel") == int.from_bytes(word, "little")
    assert np.unique(mix(np.arange(100_000, dtype=np.uint64))).size == 100_000
    a, b = codes(["a"]), codes(["b"])
    assert combine(a, b) != combine(b, a)


@pytest.mark.parametrize("bad", [None, float("nan"), object(), [1], {"a"}], ids=range(5))
def test_labels_that_cannot_be_compared(bad):
    with pytest.raises(InputError):
        codes([bad])
