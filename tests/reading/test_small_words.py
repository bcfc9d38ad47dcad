"""Small readings that others are made of."""

import numpy as np
import pandas as pd
import pytest
from sklearn.manifold import trustworthiness

import gramian as gm
from gramian._reading.columns import variables_of
from gramian._reading.correspondence import benzecri, greenacre_total
from gramian._reading.cross_validation import first_minimum
from gramian._reading.describe import p_value
from gramian._reading.individuals import preservation
from gramian._reading.spectrum_rules import (
    leading,
    minka_evidence,
    mp_edge,
    mp_median,
    shrinkage_limit,
    sticks,
)
from gramian._reading.summary import bars, eigenvalue_table, facts_html, few_numbers
from gramian.errors import InputError


def test_more_numbers_than_are_shown_are_told():
    assert few_numbers([1.0, 0.25], most=2) == "[1, 0.25]"
    assert few_numbers([1.0, 0.25, 0.1], most=2) == "[1, 0.25, …]"


def test_shares_are_written_as_tables():
    shares = np.array([0.75, 0.25])
    table = eigenvalue_table(np.array([3.0, 1.0]), shares)
    assert table["cumulated %"].tolist() == [75.0, 100.0]
    assert bars(shares).count("<tr>") == 2
    rows = "<tr><th>rows</th><td>3 &lt; 4</td></tr>"
    assert facts_html("PCA", {"rows": "3 < 4"}) == f"<h3>PCA</h3><table>{rows}</table>"


def test_numbers_that_rules_count_with():
    assert leading(np.array([True, True, False, True]), 4) == 2
    assert first_minimum(np.array([3.0, 1.0, 2.0, 0.5])) == 1
    assert sticks(3.0, 2).tolist() == [2.25, 0.75]
    assert mp_median(1.0) == pytest.approx(0.6528, abs=5e-5)
    assert shrinkage_limit(1.0) == pytest.approx(2.3094, abs=5e-5)
    assert mp_edge(101, 50) == pytest.approx(3.0, abs=5e-3)
    assert minka_evidence(np.array([4.0, 1.0]), 20).shape == (1,)


def test_corrected_inertias_and_p_values():
    values = np.array([0.75, 0.25])
    assert benzecri(values, 2).tolist() == [0.25, 0.0]
    assert greenacre_total(values, 2, 4) == pytest.approx(0.25)
    assert p_value(0.25, 2, 20) == pytest.approx(0.02477, abs=5e-7)


def test_neighbours_are_kept_as_scikit_learn_counts_it():
    X = np.random.default_rng(0).standard_normal((40, 6))
    Z = X[:, :2]
    for ks in (5, [5], [3, 7]):
        found = preservation(X, Z, ks)
        for k, row in found.iterrows():
            assert row["trustworthiness"] == pytest.approx(trustworthiness(X, Z, n_neighbors=k))
            assert row["continuity"] == pytest.approx(trustworthiness(Z, X, n_neighbors=k))
    line = np.array([0.0, 1.0, 3.0, 7.0, 12.0, 20.0, 33.0, 54.0])[:, None]
    swapped = preservation(line, line[[0, 1, 2, 3, 4, 7, 6, 5]], 2)
    assert swapped.round(3).to_numpy().tolist() == [[0.792, 0.792]]
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
