"""missing="iterative": holes of a table and of new rows, in every estimator that has the option."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import gramian as gm
from gramian.errors import InputError, InputTypeError

AIR = gm.datasets.airquality().data
WITH = {
    "PCA": gm.PCA(2, missing="iterative"),
    "scaled": gm.PCA(2, scale=True, missing="iterative"),
    "KernelPCA": gm.KernelPCA(2, missing="iterative"),
    "ClassicalMDS": gm.ClassicalMDS(2, missing="iterative"),
    "MDS": gm.MDS(2, n_init=1, missing="iterative"),
}


@pytest.fixture(scope="module", params=WITH)
def fitted(request):
    return clone(WITH[request.param]).fit(AIR)


@pytest.mark.slow
def test_the_fit_is_that_of_the_completed_table(fitted):
    whole = fitted.training_.rows
    assert np.isfinite(whole).all()
    known = AIR.notna().to_numpy()
    assert (whole[known] == AIR.to_numpy()[known]).all()
    plain = clone(fitted).set_params(missing="raise").fit(pd.DataFrame(whole))
    np.testing.assert_allclose(plain.eigenvalues_, fitted.eigenvalues_, rtol=1e-10)


@pytest.mark.slow
def test_transform_of_the_rows_with_holes_is_where_they_are(fitted):
    np.testing.assert_allclose(fitted.transform(AIR), fitted.coordinates_, atol=1e-9)
    alone = np.vstack([fitted.transform(AIR.iloc[[k]]) for k in (4, 9, 26)])
    np.testing.assert_allclose(alone, fitted.coordinates_[[4, 9, 26]], atol=1e-9)
    table = fitted.individuals(AIR.iloc[[4, 5]])
    assert table.index.tolist() == ["May 5", "May 6"]
    np.testing.assert_allclose(table["coordinate"], fitted.coordinates_[[4, 5]], atol=1e-9)


@pytest.mark.slow
def test_models_keep_what_fills_in(fitted, tmp_path):
    gm.save(fitted, tmp_path / "model")
    again = gm.load(tmp_path / "model")
    assert again.missing == "iterative"
    np.testing.assert_array_equal(again.transform(AIR), fitted.transform(AIR))


@pytest.mark.slow
def test_a_forged_filler_is_refused(tmp_path):
    fit = gm.PCA(2, missing="iterative").fit(AIR)
    fit.filler_.vectors[:] *= 2.0
    with pytest.raises(InputError, match="expected orthonormal axes to fill missing values with"):
        gm.save(fit, tmp_path / "model")


@pytest.mark.slow
def test_the_metric_is_that_of_the_method():
    scaled = gm.PCA(2, scale=True, missing="iterative").fit(AIR).training_.rows
    by_hand = gm.missing.impute(AIR).table.to_numpy()
    np.testing.assert_allclose(scaled, by_hand, rtol=1e-5)
    plain = gm.PCA(2, missing="iterative").fit(AIR).coordinates_
    np.testing.assert_allclose(
        np.abs(plain), np.abs(gm.ClassicalMDS(2, missing="iterative").fit(AIR).coordinates_)
    )


@pytest.mark.slow
def test_a_table_without_holes_is_left_alone_and_new_rows_are_filled_in():
    whole = AIR.dropna()
    fit = gm.PCA(2, scale=True, missing="iterative").fit(whole)
    plain = gm.PCA(2, scale=True).fit(whole)
    np.testing.assert_array_equal(fit.coordinates_, plain.coordinates_)
    assert np.isfinite(fit.transform(AIR)).all()


@pytest.mark.slow
def test_rows_of_weight_0_are_filled_in_and_move_nothing():
    w = np.r_[0.0, np.ones(152)]
    lost = AIR.copy()
    lost.iloc[0, 0] = np.nan
    fit = gm.PCA(2, scale=True, missing="iterative").fit(lost, sample_weight=w)
    other = lost.copy()
    other.iloc[0, 2] = 40.0
    again = gm.PCA(2, scale=True, missing="iterative").fit(other, sample_weight=w)
    np.testing.assert_allclose(again.eigenvalues_, fit.eigenvalues_, rtol=1e-6)


def test_a_refusal_names_the_remedy():
    for X in (AIR, AIR.to_numpy()):
        with pytest.raises(InputError, match=r"gm.missing.impute\(X\).table, or missing='iter"):
            gm.PCA(2).fit(X)
    fit = gm.PCA(2).fit(AIR.dropna())
    with pytest.raises(InputError, match="missing='iterative'"):
        fit.transform(AIR)


@pytest.mark.parametrize(
    ("estimator", "X", "words"),
    [
        (gm.PCA(missing="mean"), AIR, "missing='mean' must be one of raise, iterative"),
        (gm.PCA(missing=np.eye(2)), AIR, "missing=array"),
        (
            gm.ClassicalMDS(metric="precomputed", missing="iterative"),
            np.ones((3, 3)) - np.eye(3),
            "must be 'raise' here",
        ),
        (gm.KernelPCA(kernel="precomputed", missing="iterative"), np.eye(4), "must be 'raise'"),
        (gm.PCA(missing="iterative"), AIR.assign(a="x"), "missing value"),
        (gm.PCA(missing="iterative"), AIR.assign(a=np.nan), "no value in column 'a'"),
    ],
)
def test_refusals(estimator, X, words):
    with pytest.raises(InputError, match=words):
        estimator.fit(X)


def test_a_sparse_table_has_no_holes():
    with pytest.raises(InputTypeError, match="toarray"):
        gm.PCA(missing="iterative").fit(sparse.csr_array(np.eye(5)))


@pytest.mark.slow
def test_a_new_row_without_a_value_is_refused():
    fit = gm.PCA(2, missing="iterative").fit(AIR)
    with pytest.raises(InputError, match="no value in row 'May 1'"):
        fit.transform(AIR.iloc[[0]] * np.nan)
    with pytest.raises(InputError, match="2 features"):
        fit.transform(AIR.iloc[[4], :2])


@pytest.mark.slow
def test_resampling_fills_in_once():
    study = gm.stability.bootstrap(
        gm.PCA(2, scale=True, missing="iterative"), AIR, n_resamples=5, random_state=0
    )
    assert np.isfinite(study.coordinates).all()


@pytest.mark.parametrize(
    ("index", "named"), [(None, "row 0:"), ([7, 8], "row 7:"), (["r", "s"], "row 'r':")]
)
def test_an_empty_row_is_named_by_its_label(index, named):
    X = np.random.default_rng(0).standard_normal((9, 3))
    fit = gm.PCA(1, missing="iterative").fit(pd.DataFrame(X, columns=list("abc")))
    new = pd.DataFrame([[np.nan] * 3, [1.0, 2.0, 3.0]], index, list("abc"))
    with pytest.raises(InputError, match=f"no value in {named}"):
        fit.transform(new)
