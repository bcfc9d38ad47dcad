"""Odd data give a report or a clear refusal."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.report.made import body, hostile_table, normal

import gramian as gm
from gramian.report.page import page
from gramian.studies import study

pytestmark = pytest.mark.slow


def with_gaps():
    X = normal(30, 5)
    X.iloc[[2, 9], [1, 3]] = np.nan
    return X


def with_many_gaps():
    X = normal(30, 5)
    X[np.arange(30)[:, None] % 5 == np.arange(5)] = np.nan
    return X.fillna(normal(30, 5).iloc[20:])


def with_text():
    X = normal(20, 3)
    X["kind"] = [["a", "b", None][i % 3] for i in range(20)]
    X["id"] = [f"name {i}" for i in range(20)]
    return X


ODD = {
    "10 × 3": lambda: normal(10, 3),
    "3 rows": lambda: normal(3, 4),
    "one column": lambda: normal(12, 1),
    "two equal columns": lambda: normal(12, 1).assign(again=lambda X: 2 * X["v0"]),
    "constant columns": lambda: normal(12, 3).assign(flat=1.0, flat2=1e9),
    "wide": lambda: normal(6, 40),
    "missing values": with_gaps,
    "many missing values": with_many_gaps,
    "same labels": lambda: normal(12, 3).set_axis(["a", "b", "c"] * 4),
    "same rows": lambda: normal(4, 3).iloc[[0, 1, 2, 3] * 4].set_axis(range(16)),
    "one row apart": lambda: pd.DataFrame({"x": [0.0] * 9 + [1.0], "y": [0.0] * 9 + [2.0]}),
    "hostile": hostile_table,
    "groups and names": with_text,
    "huge offset": lambda: normal(15, 3) + 1e9,
    "tiny": lambda: normal(15, 3) * 1e-200,
    "integers": lambda: (10 * normal(15, 3)).astype(int),
    "array": lambda: normal(15, 3).to_numpy(),
    "booleans": lambda: normal(15, 3) > 0,
}


@cache
def study_of(name):
    return study(ODD[name]())


@pytest.mark.parametrize("name", ODD)
def test_odd_tables_get_a_page(name):
    for language in ("en", "fr"):
        words = body(page(study_of(name), language))
        assert len(words) > 1000
        assert "nan" not in words.lower().split()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing values", "left out. Other choices"),
        ("many missing values", "imputed from the axes of the table itself"),
        ("constant columns", "Constant, and therefore left out: flat and flat2"),
        ("same labels", "appear more than once"),
        ("same rows", "duplicates of another row"),
        ("10 × 3", "only 10 rows"),
        ("wide", "more columns (40) than rows (6)"),
    ],
)
def test_what_is_odd_is_told(name, said):
    assert said in body(page(study_of(name), "en"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lambda: normal(1, 3), "row"),
        (lambda: normal(2, 3), "2 rows are left"),
        (lambda: pd.DataFrame({"x": ["a", "b", "c"]}), "column"),
        (lambda: pd.DataFrame({"x": [1.0] * 5, "y": [2.0] * 5}), "constant"),
        (lambda: normal(8, 2).assign(z=[1.0] * 7 + [np.inf]), "infinite"),
        (lambda: gm.KernelLogisticRegression(), "no axes to report"),
    ],
    ids=["1 row", "2 rows", "text", "constant", "infinite", "other estimator"],
)
def test_what_cannot_be_reported_is_refused(data, message, tmp_path):
    target = tmp_path / "report.html"
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        gm.report.write(data(), target)
    assert len(str(caught.value)) <= 400
    assert list(tmp_path.iterdir()) == []
