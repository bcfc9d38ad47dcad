"""Supplementary tables: which rows go together, what a column is, and what is refused."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian._reading.columns import columns
from gramian.errors import InputError

from .twins import data

LABELS = [f"r{i}" for i in range(12)]


def labelled() -> pd.DataFrame:
    return pd.DataFrame(data(), columns=list("wxyz"), index=LABELS)


@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2)])
def test_the_same_labels_in_another_order_go_together(estimator: Any) -> None:
    frame = labelled()
    extra = pd.DataFrame({"y": data(seed=4)[:, 0], "g": list("abc") * 4}, index=LABELS)
    shuffled = extra.sample(frac=1.0, random_state=0)
    estimator.fit(frame)
    pd.testing.assert_frame_equal(estimator.variables(shuffled), estimator.variables(extra))
    pd.testing.assert_frame_equal(estimator.categories(shuffled), estimator.categories(extra))
    pd.testing.assert_frame_equal(
        estimator.describe(shuffled, alpha=1), estimator.describe(extra, alpha=1)
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["numbered", "polars", "array"])
def test_rows_without_labels_go_by_position(kind: str) -> None:
    y = data(seed=4)[:, :1]
    table = {"numbered": pd.DataFrame(y), "polars": pl.DataFrame(y), "array": y}[kind]
    named = gm.PCA(2).fit(labelled())
    plain = gm.PCA(2).fit(data())
    np.testing.assert_array_equal(named.variables(table), plain.variables(y))
    labelled_table = pd.DataFrame(y, index=LABELS)
    np.testing.assert_array_equal(plain.variables(labelled_table), plain.variables(y))


def test_duplicated_labels_go_by_position_when_they_agree() -> None:
    index = ["same"] * 6 + ["other"] * 6
    pca = gm.PCA(2).fit(labelled().set_axis(index))
    y = data(seed=4)[:, 0]
    found = pca.variables(pd.DataFrame({"y": y}, index=index))
    np.testing.assert_array_equal(found, gm.PCA(2).fit(data()).variables({"y": y}))
    with pytest.raises(InputError, match="other row labels"):
        pca.variables(pd.DataFrame({"y": y}, index=index[::-1]))


def test_other_labels_are_refused() -> None:
    pca = gm.PCA(2).fit(labelled())
    extra = pd.DataFrame({"y": np.arange(12.0)}, index=[f"s{i}" for i in range(12)])
    with pytest.raises(InputError, match=r"other row labels than the fit .*'s0'"):
        pca.variables(extra)
    assert pca.variables(extra.reset_index(drop=True)).shape == (1, 8)


@pytest.mark.parametrize("rows", [11, 13, 0])
def test_another_number_of_rows_is_refused(rows: int) -> None:
    pca = gm.PCA(2).fit(data())
    with pytest.raises(InputError, match=f"table has {rows} rows but the fit has 12"):
        pca.variables(np.ones((rows, 2)))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint64", "float32", "Int64", "Float32", "int64[pyarrow]", "object"]
)
def test_numeric_columns(dtype: str) -> None:
    y = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    found = columns(pd.DataFrame({"y": pd.Series(y).astype(dtype)}), 12)
    np.testing.assert_array_equal(found.numeric[0].values, y)
    assert not found.factors


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]"])
def test_missing_numbers(dtype: str) -> None:
    y = pd.Series([1, None, 3], dtype=dtype)
    np.testing.assert_array_equal(columns(y, 3).numeric[0].values, [1.0, np.nan, 3.0])


@pytest.mark.parametrize("dtype", ["object", "str", "category", "string[pyarrow]"])
def test_categories(dtype: str) -> None:
    found = columns(pd.Series(["b", None, "a", "b"], dtype=dtype, name="g"), 4).factors[0]
    assert found.name == "g"
    assert list(found.labels) == ["a", "b"]
    np.testing.assert_array_equal(found.codes, [1, -1, 0, 1])


@pytest.mark.parametrize(
    "values",
    [[dt.datetime(2020, 1, 1)] * 3, [dt.timedelta(days=1)] * 3, [1j, 2j, 3j]],
    ids=["dates", "durations", "complex"],
)
def test_other_columns_are_refused(values: list[Any]) -> None:
    with pytest.raises(InputError, match="neither numbers nor categories: 'when'") as refusal:
        columns(pd.DataFrame({"when": values}), 3)
    assert len(str(refusal.value)) <= 400


def test_polars_dates_are_refused() -> None:
    with pytest.raises(InputError, match="neither numbers nor categories: 'when'"):
        columns(pl.DataFrame({"when": [dt.date(2020, 1, 1)] * 3}), 3)


def test_infinity_and_empty_columns_are_refused() -> None:
    with pytest.raises(InputError, match="inf in column 'y', row 1"):
        columns(pd.DataFrame({"y": [1.0, np.inf, 3.0]}), 3)
    with pytest.raises(InputError, match="no value in column 'y'"):
        columns(pd.DataFrame({"y": [np.nan] * 3}), 3)
    with pytest.raises(InputError, match="3 dimensions"):
        columns(np.ones((3, 2, 2)), 3)


def test_duplicate_column_names() -> None:
    frame = pd.DataFrame(data()[:, :2], columns=["y", "y"])
    found = columns(frame, 12)
    assert [column.name for column in found.numeric] == ["y", "y"]
    np.testing.assert_array_equal(found.numeric[1].values, data()[:, 1])
