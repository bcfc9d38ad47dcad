"""What the tests of this room take: the same numbers from any container, and no others."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.evidence.table import (
    as_data_frame,
    coordinates,
    encode_labels,
    finite_table,
    row_scheme,
    supplementary_columns,
)

X = np.random.default_rng(0).standard_normal((20, 3)) * [3.0, 2.0, 1.0]


@pytest.mark.parametrize("seed", [3, np.random.SeedSequence(3), np.random.default_rng(3)])
def test_a_seed_is_what_it_is_everywhere(seed):
    want = gm.evidence.groups(X, None, [0, 1] * 10, rng=np.random.default_rng(3))
    got = gm.evidence.groups(X, None, [0, 1] * 10, rng=seed)
    pd.testing.assert_frame_equal(got.columns, want.columns)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, torch.from_numpy, np.ndarray.tolist])
def test_any_container_of_a_table(kind):
    assert np.array_equal(finite_table(kind(X)), X)
    assert np.array_equal(coordinates(kind(X), 20), X)
    assert as_data_frame(pd.DataFrame(X), 20).shape == (20, 3)


@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a", "b"],
        ("b", "a", "b"),
        np.array(["b", "a", "b"]),
        pd.Series(["b", "a", "b"], dtype="category"),
        pd.Categorical(["b", "a", "b"]),
        pl.Series(["b", "a", "b"]),
        torch.tensor([5, 2, 5]),
        [("b", 1), ("a", 1), ("b", 1)],
        [1, "a", 1],
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_any_container_of_labels(labels):
    assert encode_labels(labels, 3)[0].tolist() == [0, 1, 0]


def test_rows_without_a_label():
    labels = ["a", None, np.nan, pd.NA, "b"]
    assert encode_labels(labels, 5)[0].tolist() == [0, -1, -1, -1, 1]
    with pytest.raises(InputError, match="groups_of_copies has no label at row 1"):
        row_scheme("permutation", 5, labels)


def test_gaps_stay_gaps_and_no_column_is_a_table():
    assert np.isnan(supplementary_columns(pd.DataFrame({"a": [1.0, np.nan]}), 2)).tolist() == [
        [False],
        [True],
    ]
    assert (
        supplementary_columns(np.empty((4, 0)), 4).shape
        == coordinates(np.empty((4, 0)), 4).shape
        == (4, 0)
    )


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: finite_table(np.empty((4, 0))), InputError, "0 feature"),
        (lambda: coordinates(X, 19), InputError, "F has 20 rows and X 19"),
        (lambda: supplementary_columns(X, 19), InputError, "the same rows"),
        (lambda: encode_labels("abc", 3), InputTypeError, "labels='abc' must be a list"),
        (lambda: encode_labels([[1], [2], [3]], 3), InputTypeError, "holds lists"),
        (lambda: encode_labels(np.ma.array([1, 2], mask=[0, 1]), 2), InputError, "masked"),
        (lambda: as_data_frame({"a": [1]}, 1), InputError, "must be a table"),
        (lambda: as_data_frame(pd.DataFrame({"a": [[1]]}), 1), InputTypeError, "lists in its"),
        (lambda: gm.evidence.holm([0.5, 1.2]), InputError, "from 0 to 1"),
        (lambda: gm.evidence.holm(0.5), InputError, "must be a list"),
    ],
)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "argument", "found", "words"),
    [
        (lambda: coordinates(X, 19), "F", "20", "give coordinates of the same rows"),
        (lambda: encode_labels("abc", 3), "labels", "abc", "must be a list"),
        (lambda: encode_labels(["a"], 3), "labels", "1", "one label a row"),
        (lambda: gm.evidence.holm([1.2]), "p", "[1.2]", "from 0 to 1"),
        (lambda: gm.evidence.kernel_axes(X), "G", "(20, 3)", "must be square"),
        (lambda: gm.evidence.contingency_axes(X), "N", None, "must hold counts"),
    ],
)
def test_errors_carry_the_argument_and_what_was_found(call, argument, found, words):
    with pytest.raises((InputError, InputTypeError)) as refusal:
        call()
    assert refusal.value.argument == argument and found in (None, refusal.value.found)
    assert words in str(refusal.value)
