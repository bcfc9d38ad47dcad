"""Collections of sequences: texts, bytes, lists of tokens, and what is none of them."""

import numpy as np
import pandas as pd
from tests.optional import library

from ..cell import either, refused, right

pl = library("polars")
WORDS = ["abcab", "bca", "cabbac", "aabbcc", "cba", "acacac"]


def words():
    return WORDS


def coded():
    return [[ord(c) for c in w] for w in WORDS]


FAMILIES = {
    "sequences": [
        right("texts", lambda: list(WORDS)),
        right("a tuple of texts", lambda: tuple(WORDS), words),
        right("lists of letters", lambda: [list(w) for w in WORDS], words),
        right("tuples of letters", lambda: [tuple(w) for w in WORDS], words),
        right("arrays of letters", lambda: [np.array(list(w)) for w in WORDS], words),
        right("lists of ints", coded),
        right("arrays of ints", lambda: [np.array(c) for c in coded()], coded),
        right("an array of texts", lambda: np.array(WORDS), words),
        right("an object array of texts", lambda: np.array(WORDS, dtype=object), words),
        right("a Series of texts", lambda: pd.Series(WORDS), words),
        either(
            "a Series of nullable texts", lambda: pd.Series(WORDS, dtype="string[pyarrow]"), words
        ),
        either("polars Series", lambda: pl.Series(WORDS), words),
        either("bytes", lambda: [w.encode() for w in WORDS], words),
        either("bytearrays", lambda: [bytearray(w.encode()) for w in WORDS], words),
        either(
            "ranges",
            lambda: [range(i, i + 5) for i in range(6)],
            lambda: [list(range(i, i + 5)) for i in range(6)],
        ),
        right("with an empty text", lambda: [*WORDS, ""]),
        right("shorter than k", lambda: [*WORDS, "a", "ab"]),
        either("only empty texts", lambda: ["", "", ""]),
        either("one text", lambda: ["abcab"]),
        right("equal texts", lambda: ["abcab"] * 3 + WORDS),
        right("unicode", lambda: ["naïveté🧬é", "té🧬", "éé🧬", "naï"]),
        right("combining marks", lambda: ["e\u0301a", "éa", "e\u0301e\u0301"]),
        right("right to left", lambda: ["\u202eabc", "abc", "cba\u202c"]),
        right("with a NUL", lambda: ["a\x00b", "a\x00", "\x00\x00b"]),
        right("surrogates", lambda: ["a\ud800b", "\ud800\udfff", "ab"]),
        right("a long text", lambda: ["abc" * 100, "acb" * 70, "ab"]),
        either("words as tokens", lambda: [["the", "cat", "sat"], ["the", "cat", "ran"], ["cat"]]),
        either("tuples as tokens", lambda: [[(0, 1), (1, 2)], [(0, 1), (0, 1)], [(1, 2)]]),
        either("texts and bytes", lambda: ["abc", b"abc", "bca"], lambda: ["abc", "abc", "bca"]),
        refused("texts and None", lambda: ["abc", None, "bca"]),
        refused("texts and NaN", lambda: ["abc", np.nan, "bca"]),
        refused("texts and numbers", lambda: ["abc", 3, "bca"]),
        refused("one text, not a list", lambda: "abcab"),
        refused("bytes, not a list", lambda: b"abcab"),
        refused("no texts", list),
        refused("None", lambda: None),
        refused("a number", lambda: 3),
        refused("an object", object),
        refused("dictionaries", lambda: [{"a": 1}, {"b": 2}]),
        refused("sets", lambda: [{"a", "b"}, {"b"}]),
        refused("tokens that have no hash", lambda: [[["a"], ["b"]], [["a"]]]),
        refused("tokens NaN", lambda: [[1.0, np.nan], [np.nan, 2.0]]),
        refused("a frame of texts", lambda: pd.DataFrame({"a": WORDS, "b": WORDS})),
        refused("masked", lambda: np.ma.array(WORDS, mask=[0, 0, 1, 0, 0, 0])),
        refused("NA among texts", lambda: pd.Series([*WORDS, None], dtype="string")),
        refused("a set of texts", lambda: set(WORDS)),
        refused("a dictionary of texts", lambda: dict.fromkeys(WORDS, 1)),
    ],
}
