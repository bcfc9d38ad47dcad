"""describe against FactoMineR::dimdesc."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import gramian as gm
from gramian._reading.describe import p_value

from ._reference import load, table

KINDS = {"quanti": "quantitative", "quali": "qualitative", "category": "category"}
CASES = [
    "decathlon_std_p05",
    "decathlon_std_p1",
    "decathlon_std_roww_p1",
    "decathlon_std_indsup_p1",
    "iris_std_p1",
    "iris_cov_p1",
]


def iris() -> pd.DataFrame:
    data = load_iris(as_frame=True)
    names = ["Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width"]
    frame = data.data.set_axis(names, axis=1)
    return frame.assign(Species=data.target_names[data.target])


def fitted(case: str) -> tuple[gm.PCA, pd.DataFrame]:
    if case.startswith("iris"):
        data = iris()
        return gm.PCA(3, scale="std" in case).fit(data.iloc[:, :4]), data
    data = table("data/decathlon.csv")
    weight = np.ones(41)
    if "roww" in case:
        weight = np.array(load("factominer/decathlon_std_roww.json")["call"]["row.w"], float)
    if "indsup" in case:
        weight[38:] = 0
    return gm.PCA(3, scale=True).fit(data.iloc[:, :10], sample_weight=weight), data


def stored(case: str, axis: int) -> dict[tuple[str, str], tuple[float, float]]:
    """(kind, name or name=category) to (statistic, p-value) of one axis."""
    out = {}
    for kind, entry in load("factominer/dimdesc.json")[case][f"Dim.{axis}"].items():
        for name, (statistic, p) in zip(entry["rows"], entry["data"], strict=True):
            out[KINDS[kind], name] = (statistic, p)
    return out


def found(description: pd.DataFrame, axis: int) -> dict[tuple[str, str], tuple[float, float]]:
    some = description[description["axis"] == axis]
    out = {}
    for row in some.itertuples():
        label = f"{row.name}={row.category}" if row.kind == "category" else row.name
        out[row.kind, label] = (row.statistic, row.p_value)
    return out


def ours_of(case: str) -> pd.DataFrame:
    pca, data = fitted(case)
    return pca.describe(data, alpha=0.05 if case.endswith("p05") else 1.0)


@pytest.mark.parametrize("axis", [1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_statistics_and_p_values(case: str, axis: int) -> None:
    ours, theirs = found(ours_of(case), axis), stored(case, axis)
    assert ours.keys() == theirs.keys()
    flip = np.sign(sum(ours[key][0] * theirs[key][0] for key in ours if key[0] == "quantitative"))
    for key, (statistic, p) in theirs.items():
        turn = 1.0 if key[0] == "qualitative" else flip
        np.testing.assert_allclose(ours[key][0] * turn, statistic, rtol=1e-8, atol=1e-10)
        if "roww" not in case:
            np.testing.assert_allclose(ours[key][1], p, rtol=1e-6)


@pytest.mark.parametrize("axis", [1, 2, 3])
def test_weighted_p_values_differ_by_the_count_only(axis: int) -> None:
    """FactoMineR counts 121 rows, the sum of its raw weights; with that count we agree."""
    for (kind, _), (statistic, p) in stored("decathlon_std_roww_p1", axis).items():
        if kind != "category":
            r2 = statistic if kind == "qualitative" else statistic**2
            np.testing.assert_allclose(p_value(r2, 2, 121), p, rtol=1e-6)
    ours = found(ours_of("decathlon_std_roww_p1"), axis)
    for (kind, _), (statistic, p) in ours.items():
        if kind != "category":
            r2 = statistic if kind == "qualitative" else statistic**2
            np.testing.assert_allclose(p, p_value(r2, 2, 41), rtol=1e-12)


def test_order() -> None:
    description = ours_of("iris_std_p1")
    assert description["axis"].is_monotonic_increasing
    for _, some in description.groupby(["axis", "kind"]):
        assert some["statistic"].is_monotonic_decreasing
    kinds: Any = description.loc[description["axis"] == 1, "kind"].unique()
    assert list(kinds) == ["quantitative", "qualitative", "category"]
