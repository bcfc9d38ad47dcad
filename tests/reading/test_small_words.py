"""Small readings that others are made of."""

import numpy as np
import pandas as pd
import pytest
from sklearn.manifold import trustworthiness

import gramian as gm
from gramian._reading.columns import variables_of
from gramian._reading.individuals import preservation
from gramian._reading.summary import few_numbers
from gramian.errors import InputError


def test_more_numbers_than_are_shown_are_told():
    assert few_numbers([1.0, 0.25], most=2) == "[1, 0.25]"
    assert few_numbers([1.0, 0.25, 0.1], most=2) == "[1, 0.25, …]"


def test_neighbours_are_kept_as_scikit_learn_counts_it():
    X = np.random.default_rng(0).standard_normal((40, 6))
    Z = X[:, :2]
    for ks in (5, [5], [3, 7]):
        found = preservation(X, Z, ks)
        for k, row in found.iterrows():
            assert row["trustworthiness"] == pytest.approx(trustworthiness(X, Z, n_neighbors=k))
            assert row["continuity"] == pytest.approx(trustworthiness(Z, X, n_neighbors=k))
    with pytest.raises(InputError, match="n_neighbors"):
        preservation(X, Z, [])
    with pytest.raises(InputError, match="n_neighbors"):
        preservation(X[:3], Z[:3], 1)


def test_a_dict_of_answers_is_a_table():
    answers = {"a": list("xyxyxz"), "b": list("uvvuuv")}
    frame = gm.MCA(2).fit(pd.DataFrame(answers))
    plain = gm.MCA(2).fit(answers)
    assert np.allclose(plain.eigenvalues_, frame.eigenvalues_)


def test_lists_in_a_column_are_refused():
    frame = pd.DataFrame({"a": [[1], [2], [3]]})
    with pytest.raises(InputError, match="holds lists in column 'a'"):
        variables_of(frame, "table")
    mixed = pd.DataFrame({"a": [1.5, "x", None]}, dtype=object)
    variables_of(mixed, "table")
