"""The tables of a fit against FactoMineR::PCA: individuals, variables, supplementary elements."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm

from ._reference import PCA_CASES as CASES
from ._reference import array, assert_close, load, signs, table

pytestmark = pytest.mark.slow


TOL = 1e-8
WITH_SUPPLEMENT = [case for case in CASES if case.startswith("decathlon")]
AXES = [None, 3, 1]
SOLVERS = ["auto", "dense"]


def whole(case: str) -> pd.DataFrame:
    name = "USArrests" if case.startswith("usarrests") else "decathlon"
    return table(f"data/{name}.csv")


def supplementary_rows(case: str) -> np.ndarray:
    call = load(f"factominer/{case}.json")["call"]
    return np.array(call.get("ind.sup", []), int) - 1


def rows(case: str) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Active rows, supplementary rows, and the supplementary columns of the active rows."""
    data = whole(case)
    last = data.index[supplementary_rows(case)]
    active = data.drop(index=last)
    return active.iloc[:, :10], data.loc[last].iloc[:, :10], active.iloc[:, 10:]


def options(case: str) -> tuple[dict[str, Any], Any]:
    call = load(f"factominer/{case}.json")["call"]
    return {"scale": call["scale.unit"][0], "column_weight": call.get("col.w")}, call.get("row.w")


def fit(case: str, q: int | None = None, solver: str = "auto", kind: Any = lambda X: X) -> gm.PCA:
    keywords, weight = options(case)
    pca = gm.PCA(q, solver=solver, **keywords)
    return pca.fit(kind(rows(case)[0]), sample_weight=weight)


def expected(case: str, part: str, measure: str, q: int | None) -> np.ndarray:
    return array(load(f"factominer/{case}.json")[part][measure])[:, :q]


def flips(pca: gm.PCA, case: str) -> np.ndarray:
    q = pca.n_components_
    return signs(pca.coordinates_[: len(rows(case)[0])], expected(case, "ind", "coord", q))


def check(actual: pd.DataFrame, wanted: np.ndarray, flip: Any = 1.0, tol: float = TOL) -> None:
    """Each entry within tol of the largest of its measure."""
    assert_close(actual.to_numpy() * flip, wanted, tol, tol * np.abs(wanted).max())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("q", AXES)
@pytest.mark.parametrize("case", CASES)
def test_individuals(case: str, q: int | None, solver: str) -> None:
    pca = fit(case, q, solver)
    found = pca.individuals()
    stored = load(f"factominer/{case}.json")["ind"]
    assert list(found.index) == stored["coord"]["rows"]
    check(found["coordinate"], expected(case, "ind", "coord", q), flips(pca, case))
    check(found["cos2"], expected(case, "ind", "cos2", q))
    check(found["quality"], np.cumsum(expected(case, "ind", "cos2", q), axis=1))
    contributions = found["contribution"].drop(columns="total")
    check(contributions, expected(case, "ind", "contrib", q) / 100)
    assert_close(np.sqrt(found["distance2"]), array(stored["dist"]), TOL)
    p = array(load(f"factominer/{case}.json")["row_w"])
    eig = array(load(f"factominer/{case}.json")["eig"])[:, 0]
    total = p * array(stored["dist"]) ** 2 / eig.sum()
    assert_close(found["contribution", "total"], total, TOL)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("q", AXES)
@pytest.mark.parametrize("case", CASES)
def test_variables(case: str, q: int | None, solver: str) -> None:
    pca = fit(case, q, solver)
    found, flip = pca.variables(), flips(pca, case)
    assert list(found.index) == load(f"factominer/{case}.json")["var"]["coord"]["rows"]
    check(found["coordinate"], expected(case, "var", "coord", q), flip)
    check(found["correlation"], expected(case, "var", "cor", q), flip)
    check(found["cos2"], expected(case, "var", "cos2", q))
    check(found["contribution"], expected(case, "var", "contrib", q) / 100)


@pytest.mark.parametrize("q", AXES)
def test_supplementary_individuals(q: int | None) -> None:
    case = "decathlon_std_indsup"
    pca = fit(case, q)
    found = pca.individuals(rows(case)[1])
    stored = load(f"factominer/{case}.json")["ind_sup"]
    assert list(found.index) == stored["coord"]["rows"]
    assert "contribution" not in found.columns.levels[0]
    check(found["coordinate"], expected(case, "ind_sup", "coord", q), flips(pca, case))
    check(found["cos2"], expected(case, "ind_sup", "cos2", q))
    assert_close(np.sqrt(found["distance2"]), array(stored["dist"]), TOL)
    predicted = load("factominer/decathlon_predict.json")
    check(found["cos2"], array(predicted["cos2"])[:, :q])
    assert_close(np.sqrt(found["distance2"]), array(predicted["dist"]), TOL)


@pytest.mark.parametrize("q", AXES)
def test_rows_of_weight_zero_are_supplementary_individuals(q: int | None) -> None:
    """One fit of all 41 rows, the last three without weight, gives both of FactoMineR's tables."""
    case = "decathlon_std_indsup"
    data = whole(case)
    weight = np.ones(41)
    weight[supplementary_rows(case)] = 0
    pca = gm.PCA(q, scale=True).fit(data.iloc[:, :10], sample_weight=weight)
    flip = flips(pca, case)
    found = pca.individuals()
    for part, some in (("ind", found.iloc[:38]), ("ind_sup", found.iloc[38:])):
        check(some["coordinate"], expected(case, part, "coord", q), flip)
        check(some["cos2"], expected(case, part, "cos2", q))
    contributions = found["contribution"].drop(columns="total")
    check(contributions.iloc[:38], expected(case, "ind", "contrib", q) / 100)
    assert (found["contribution"].iloc[38:] == 0).all(axis=None)
    groups = pca.categories(data[["Competition"]])
    check(groups["coordinate"], expected(case, "quali_sup", "coord", q), flip)
    check(groups["v_test"], expected(case, "quali_sup", "v_test", q), flip, 1e-7)
    check(groups["cos2"], expected(case, "quali_sup", "cos2", q))
    numeric = pca.variables(data[["Rank", "Points"]])
    check(numeric["correlation"], expected(case, "quanti_sup", "cor", q), flip)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("q", AXES)
@pytest.mark.parametrize("case", WITH_SUPPLEMENT)
def test_supplementary_variables(case: str, q: int | None, kind: str) -> None:
    pca = fit(case, q)
    extra = rows(case)[2]
    found = pca.variables(extra if kind == "pandas" else pl.from_pandas(extra))
    assert list(found.index) == ["Rank", "Points"]
    flip = flips(pca, case)
    for ours, theirs, turn in (
        ("coordinate", "coord", flip),
        ("correlation", "cor", flip),
        ("cos2", "cos2", 1.0),
    ):
        wanted = expected(case, "quanti_sup", theirs, q)
        np.testing.assert_allclose(found[ours] * turn, wanted, rtol=TOL, atol=TOL)
    assert "contribution" not in found.columns.levels[0]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("q", AXES)
@pytest.mark.parametrize("case", WITH_SUPPLEMENT)
def test_supplementary_categories(case: str, q: int | None, solver: str, kind: str) -> None:
    convert = pl.from_pandas if kind == "polars" else lambda frame: frame
    pca = fit(case, q, solver, convert)
    found = pca.categories(convert(rows(case)[2]))
    stored = load(f"factominer/{case}.json")["quali_sup"]
    assert list(found.index) == [("Competition", c) for c in stored["coord"]["rows"]]
    assert found.index.names == ["variable", "category"]
    flip = flips(pca, case)
    check(found["coordinate"], expected(case, "quali_sup", "coord", q), flip)
    check(found["cos2"], expected(case, "quali_sup", "cos2", q))
    eta2 = expected(case, "quali_sup", "eta2", q)
    check(found["eta2"], np.repeat(eta2, 2, axis=0))
    assert_close(np.sqrt(found["distance2"]), array(stored["dist"]), TOL)
    # FactoMineR counts individuals by the sum of the weights as they are given; we count rows.
    raw = options(case)[1]
    n = len(rows(case)[0])
    counted = 1.0 if raw is None else np.sqrt((n - 1) / (sum(raw) - 1))
    check(found["v_test"], counted * expected(case, "quali_sup", "v_test", q), flip, 1e-7)


def test_a_constant_column_has_zeros_where_factominer_has_nothing() -> None:
    stored = load("factominer/decathlon_zerocol_std.json")
    with pytest.warns(gm.errors.ConstantColumnWarning):
        pca = gm.PCA(scale=True).fit(table("factominer/decathlon_zerocol.csv"))
    flip = signs(pca.coordinates_, array(stored["ind"]["coord"])[:, :4])
    found = pca.variables()
    check(found["coordinate"], array(stored["var"]["coord"])[:, :4], flip)
    wanted = np.nan_to_num(array(stored["var"]["cor"])[:, :4])
    check(found["correlation"], wanted, flip)
    assert (found.iloc[-1] == 0).all()
    individuals = pca.individuals()
    check(individuals["cos2"], array(stored["ind"]["cos2"])[:, :4])
    assert_close(np.sqrt(individuals["distance2"]), array(stored["ind"]["dist"]), TOL)
