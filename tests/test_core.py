"""The small functions of the core, each on one example."""

from decimal import Decimal
from fractions import Fraction
from typing import Annotated

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.preprocessing import MaxAbsScaler

from gramian._core import array, check, frames, hashing, numbers, parallel
from gramian._core.compiled import lazy_jit
from gramian._core.features.lowrank import own_axes
from gramian._core.operators import several
from gramian._core.operators.moments import small_shift
from gramian._core.operators.rows import add_column_product, by_length
from gramian._core.pairs import Points
from gramian._core.sparse import column_counts, csr_rows
from gramian._core.spectral.dense import eigh
from gramian._core.spectral.krylov import tridiagonal
from gramian._core.spectral.spectrum import groups_of_ties
from gramian._core.table import plain_weights, raw_weights
from gramian.errors import InputError
from gramian.saving import container
from gramian.saving.check import FieldError, describe, matches, words
from gramian.saving.classes import fitted_attributes
from gramian.saving.decode import Decoder

Y = sparse.csr_array([[1.0, 0.0], [2.0, 3.0]])


def same(a, b):
    """Whether two answers agree, arrays to twelve digits."""
    if isinstance(a, np.ndarray):
        return np.allclose(a, b, rtol=0, atol=1e-12, equal_nan=True)
    return list(a) == list(b) if isinstance(a, pd.Index | pd.Series) else a == b


ANSWERS = {
    "short": (lambda: check.short("a" * 100)[-5:], "aa..."),
    "short number": (lambda: check.short(np.int64(3)), "3"),
    "whole": (lambda: check.is_whole(np.int64(3)), True),
    "a float is not whole": (lambda: check.is_whole(3.0), False),
    "a truth is not whole": (lambda: check.is_whole(True), False),
    "number": (lambda: [check.is_number(v) for v in (0.5, "0.5", True)], [True, False, False]),
    "flag": (lambda: check.flag(np.bool_(True), "scale"), True),
    "text": (lambda: check.text("iris", "title"), "iris"),
    "path": (lambda: check.path("iris.csv").suffix, ".csv"),
    "finite": (lambda: array.is_finite(np.array([1.0, np.nan])), False),
    "finite but for NaN": (lambda: array.is_finite(np.array([1.0, np.nan]), nan=True), True),
    "dense": (lambda: array.to_dense(Y), [[1.0, 0.0], [2.0, 3.0]]),
    "units": (lambda: array.column_units(np.array([[3.0, -1e200], [1.0, 0.0]])), [2, 2.0**664]),
    "collect": (lambda: frames.collect([[1.0]]), [[1.0]]),
    "labels": (lambda: frames.labels_of(pd.Series([1.0, 2.0], index=["a", "b"])), ["a", "b"]),
    "order": (lambda: frames.order_of(pd.Index(["b", "a"]), pd.Index(["a", "b"]), "Y"), [1, 0]),
    "in order": (
        lambda: frames.in_order_of(pd.Series([2, 1], index=["b", "a"]), pd.Index(["a", "b"]), "w"),
        [1, 2],
    ),
    "counted": (lambda: frames.is_default_index(pd.Index([0, 1, 2])), True),
    "not counted": (lambda: frames.is_default_index(pd.Index([0, 2, 1])), False),
    "names of an array": (lambda: frames.column_names(np.eye(2)), None),
    "mix": (lambda: int(hashing.mix(np.array([1], dtype=np.uint64))[0]), 6238072747940578789),
    "floats": (lambda: numbers.as_floats([1, Fraction(1, 4)], "X"), [1.0, 0.25]),
    "vector": (lambda: numbers.vector([1, 2.5], "radii"), [1.0, 2.5]),
    "cells": (lambda: numbers.cells([[1, "a"], [2, "b"]], "X").shape, (2, 2)),
    "masked cells": (
        lambda: numbers.cells(np.ma.array([[1.0, 2.0]], mask=[[False, True]]), "X"),
        [[1.0, np.nan]],
    ),
    "exact": (lambda: numbers.are_exact([Decimal("1.5"), Fraction(1, 3)]), True),
    "not exact": (lambda: numbers.are_exact([1, "a"]) or numbers.are_exact([]), False),
    "groups": (lambda: numbers.groups_of_rows(["a", "b", "a"], 3, "g"), ["a", "b", "a"]),
    "no square": (lambda: numbers.require_square(2.0, "X"), None),
    "no squares": (lambda: numbers.require_squares(np.eye(2), ["a", "b"]), None),
    "labels in cells": (lambda: numbers.refuse_cells(np.array([1, "a"], dtype=object), "X"), None),
    "shift": (lambda: small_shift(np.array([[7.0, 1.0], [9.0, 1.0]])), [8.0, 1.0]),
    "rv": (lambda: several.rv_matrix(np.array([[4.0, 1.0], [1.0, 1.0]]))[0], [1.0, 0.5]),
    "statis": (lambda: several.statis_weights(np.array([[1.0, 0.5], [0.5, 1.0]])), [0.5, 0.5]),
    "sparse weights": (lambda: several.sparse_weights(np.diag([1.0, 3.0])), [0.75, 0.25]),
    "ridge weights": (lambda: several.ridge_weights(np.diag([1.0, 3.0]), 1.0), [2 / 3, 1 / 3]),
    "memory": (lambda: parallel.budget_bytes("500MB"), 500_000_000),
    "blocks": (lambda: [b.stop - b.start for b in parallel.row_blocks(10, 4)], [4, 4, 2]),
    "one block": (lambda: parallel.even_blocks(10, 100), [slice(0, 10)]),
    "distribute": (
        lambda: parallel.distribute(lambda xs, k: [x**k for x in xs], [1, 2, 3, 4], 2),
        [1, 4, 9, 16],
    ),
    "map": (lambda: list(parallel.map_in_order(lambda x, k: x**k, [1, 2, 3], 2)), [1, 4, 9]),
    "counts": (lambda: column_counts(Y), [2, 1]),
    "eigh": (lambda: eigh(np.diag([1.0, 3.0]))[0], [3.0, 1.0]),
    "tridiagonal": (lambda: tridiagonal(np.array([1.0, 3.0, 2.0]), np.zeros(2), 2)[0], [2.0, 3.0]),
    "ties": (lambda: groups_of_ties(np.array([3.0, 2.0, 2.0, 1.0])), [(2, 3)]),
    "raw weights": (lambda: raw_weights([1, 3], 2), [1.0, 3.0]),
    "plain weights": (lambda: plain_weights([1, 3], 2), [1.0, 3.0]),
    "own axes": (lambda: own_axes(Points(np.diag([1e8, 1.0, 2.0])[:, :2]))[0].shape, (3, 2)),
    "a list of a type": (lambda: matches([1, 2], list[int], {}), True),
    "neither type": (lambda: matches("a", int | None, {}) or matches(np.nan, float, {}), False),
    "words": (
        lambda: words(Annotated[np.ndarray, "(n, q)", ">= 0"] | None, {"q": 2}),
        "numbers (n, q) >= 0 with q = 2 or None",
    ),
    "an array in words": (lambda: describe(np.zeros((2, 3))), "float64 (2, 3)"),
    "values in words": (lambda: [describe(v) for v in ("a", None)], ["'a'", "None"]),
    "scaler": (lambda: list(fitted_attributes(MaxAbsScaler))[2:], ["max_abs_", "scale_"]),
    "cost": (lambda: container.cost(b"[[],[]]") >= 3 * 56, True),
    "parse": (lambda: container.parse(b'{"a":[1,2.5]}', 10_000), {"a": [1, 2.5]}),
    "depth": (lambda: container.depth(b'{"[[[":[[1]]}'), 3),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_example(name):
    ask, expected = ANSWERS[name]
    assert same(ask(), expected)


def test_an_error_knows_its_argument():
    error = check.invalid("q", 0, "must be positive")
    assert (str(error), error.argument, error.found) == ("q=0 must be positive", "q", "0")
    with pytest.raises(InputError, match="weights of sum 1"):
        check.expect(1 + 1 == 3, "weights of sum 1")


def test_random_numbers_repeat_by_default():
    assert check.generator(None).integers(1000) == check.generator(0).integers(1000)
    source = check.Random(None)
    assert source.rng is source.rng
    single = np.zeros(1, dtype=np.float32)
    assert array.standard_normal(check.generator(0), (2, 3), single).dtype == np.float32


def test_equal_labels_have_equal_codes():
    code = hashing.code
    assert code(1) == code(1.0) == code(np.int8(1)) != code("1")


def test_a_compiled_loop_keeps_its_name():
    def total(x):
        return x.sum()

    assert lazy_jit(total).__name__ == "total"


def test_a_basis_by_cholesky():
    W = np.array([[2.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    Q = array.cholesky_basis(W)
    np.testing.assert_allclose(Q.T @ Q, np.eye(2), atol=1e-12)
    assert array.cholesky_basis(W[:, [0, 0]]) is None


def test_a_product_with_one_column():
    product = np.zeros(2)
    assert add_column_product(Y, np.ones(2), 1.0, np.full(2, 0.5), product) == 2.0
    np.testing.assert_array_equal(product, [4.0, 6.0])
    [(rows, weight)] = by_length(Y[::-1], np.array([0.25, 0.75]), 1)
    np.testing.assert_array_equal(rows.toarray(), Y.toarray())
    np.testing.assert_array_equal(weight, [0.75, 0.25])


def test_entries_that_stand_twice_are_added_in_a_copy():
    S = sparse.csr_array(([1.0, 2.0, 4.0], [1, 1, 0], [0, 3]), shape=(1, 2))
    np.testing.assert_array_equal(csr_rows(S, "X").data, [4.0, 3.0])
    assert S.nnz == 3


def test_arrays_of_a_file_are_views():
    one = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    assert container.views(one, memoryview(bytes(8)))["a"].tolist() == [0.0, 0.0]


def test_a_device_has_the_name_of_one():
    node = {"is": "torch", "values": {"is": "array", "name": "a", "by": "rows"}, "device": "cpu"}
    decoder = Decoder({"a": np.ones(2)})
    assert decoder.decode(node, "PCA.mean_").tolist() == [1.0, 1.0]
    with pytest.raises(FieldError, match="mean_: expected a device"):
        decoder.decode(node | {"device": "cpu; rm"}, "PCA.mean_")
