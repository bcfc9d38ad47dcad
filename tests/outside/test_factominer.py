"""gm.PCA against FactoMineR::PCA, predict and reconst."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm

from ._reference import PCA_CASES as CASES
from ._reference import array, assert_axes_close, assert_close, load, signs, table

TOL = 1e-10


def rows(case: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Active and supplementary rows of a stored case."""
    if case.startswith("usarrests"):
        X = table("data/USArrests.csv")
    else:
        X = table("data/decathlon.csv").iloc[:, :10]
    supplementary = np.array(load(f"factominer/{case}.json")["call"].get("ind.sup", []), int) - 1
    return X.drop(index=X.index[supplementary]), X.iloc[supplementary]


def fit(case: str, n_components: int | None = None) -> gm.PCA:
    """gm.PCA with the options of the stored FactoMineR call."""
    call = load(f"factominer/{case}.json")["call"]
    pca = gm.PCA(n_components, scale=call["scale.unit"][0], column_weight=call.get("col.w"))
    return pca.fit(rows(case)[0], sample_weight=call.get("row.w"))


def expected_coordinates(case: str) -> np.ndarray:
    return array(load(f"factominer/{case}.json")["ind"]["coord"])


@pytest.mark.parametrize("case", CASES)
def test_eigenvalues(case: str) -> None:
    eig = array(load(f"factominer/{case}.json")["eig"])
    assert_close(fit(case).eigenvalues_, eig[:, 0], TOL)


@pytest.mark.parametrize("n_components", [None, 2])
@pytest.mark.parametrize("case", CASES)
def test_inertia_percentages(case: str, n_components: int | None) -> None:
    eig = array(load(f"factominer/{case}.json")["eig"])
    pca = fit(case, n_components)
    assert_close(pca.inertia_, eig[:, 0].sum(), TOL)
    assert_close(100 * np.asarray(pca.inertia_ratio_), eig[:n_components, 1], TOL)
    assert_close(100 * np.cumsum(pca.inertia_ratio_), eig[:n_components, 2], TOL)


@pytest.mark.parametrize("case", CASES)
def test_coordinates(case: str) -> None:
    pca = fit(case)
    assert_axes_close(pca.coordinates_, expected_coordinates(case), TOL)
    assert_axes_close(pca.transform(rows(case)[0]), expected_coordinates(case), TOL)


@pytest.mark.parametrize("case", [case for case in CASES if "colw" not in case])
def test_components(case: str) -> None:
    loadings = array(load(f"factominer/{case}.json")["svd"]["V"])
    assert_axes_close(np.asarray(fit(case).components_).T, loadings, TOL)


def test_supplementary_rows() -> None:
    case = "decathlon_std_indsup"
    pca = fit(case)
    sign = signs(pca.coordinates_, expected_coordinates(case))
    supplementary = pca.transform(rows(case)[1])
    expected = array(load(f"factominer/{case}.json")["ind_sup"]["coord"])
    assert_axes_close(supplementary, expected, TOL, sign)
    predicted = array(load("factominer/decathlon_predict.json")["coord"])
    assert_axes_close(supplementary, predicted, TOL, sign)


@pytest.mark.parametrize("q", [1, 2, 3, 4])
@pytest.mark.parametrize("case", ["std", "std_colw"])
def test_reconstruction(case: str, q: int) -> None:
    stored = array(load("factominer/decathlon_reconst.json")[case][f"ncp{q}"])
    pca = fit(f"decathlon_{case}", q)
    assert_axes_close(pca.inverse_transform(pca.coordinates_), stored, TOL, sign=1.0)


@pytest.mark.parametrize("constant", [0.0, 5.0, 0.1, 1e8])
def test_constant_column_adds_nothing(constant: float) -> None:
    """FactoMineR drops a column of zeros, but gives a column of fives a phantom unit variance."""
    stored = load("factominer/decathlon_zerocol_std.json")
    X = table("factominer/decathlon_zerocol.csv").assign(const=constant)
    with pytest.warns(gm.errors.ConstantColumnWarning):
        pca = gm.PCA(scale=True).fit(X)
    eig = array(stored["eig"])
    assert_close(pca.inertia_, eig[:, 0].sum(), TOL)
    assert_close(pca.eigenvalues_[:4], eig[:4, 0], TOL)
    assert_close(100 * np.asarray(pca.inertia_ratio_)[:4], eig[:4, 1], TOL)
    assert np.all(np.abs(pca.eigenvalues_[4:]) < TOL)
    expected = array(stored["ind"]["coord"])[:, :4]
    assert_axes_close(np.asarray(pca.coordinates_)[:, :4], expected, TOL)
