"""RobustPCA: flags, readings, weights, new rows, files, errors."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.outside._reference import table

import gramian as gm
from gramian.errors import InputError

METHODS = ["hubert", "spherical", "pursuit"]
HBK = table("factor_methods/data/hbk.csv").iloc[:, :3].astype(float)


@pytest.mark.parametrize("method", ["hubert", "pursuit"])
def test_rows_of_hbk_that_are_flagged(method):
    fit = gm.RobustPCA(2, method=method).fit(HBK)
    table = fit.outliers()
    assert np.flatnonzero(table["outlier"]).tolist() == list(range(14))
    assert table.index.equals(HBK.index)
    np.testing.assert_array_equal(fit.outliers(HBK)["outlier"], table["outlier"])
    np.testing.assert_allclose(
        fit.outliers(HBK)["score_distance"], table["score_distance"], rtol=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [False, True])
def test_readings_rest_on_regular_rows(method, scale):
    fit = gm.RobustPCA(2, method=method, scale=scale).fit(HBK)
    regular = ~fit.outliers()["outlier"].to_numpy()
    own = fit.individuals()
    assert (own["contribution"][~regular] == 0).all(axis=None)
    np.testing.assert_allclose(own["contribution"].sum(), 1.0)
    r = np.corrcoef(np.hstack([HBK[regular], fit.coordinates_[regular]]).T)[:3, 3:]
    np.testing.assert_allclose(fit.variables()["correlation"], r, atol=1e-10)
    np.testing.assert_allclose(fit.variables()["contribution"].sum(), 1.0)
    np.testing.assert_allclose(fit.transform(HBK), fit.coordinates_, atol=1e-10)
    assert 0 < fit.inertia_ratio_.sum() <= 1.0
    assert "robust" in str(fit.summary()) and len(fit.describe(alpha=1.0))
    back = pd.DataFrame(fit.inverse_transform(fit.coordinates_), columns=HBK.columns)
    np.testing.assert_allclose(fit.transform(back), fit.coordinates_, atol=1e-9)


@pytest.mark.slow
def test_one_wild_row_does_not_turn_an_axis():
    X = np.random.default_rng(0).standard_normal((80, 5)) * [5.0, 3.0, 1.0, 1.0, 1.0]
    wild = X.copy()
    wild[0, 4] = 1e6
    assert abs(gm.PCA(1).fit(wild).components_[0, 4]) > 0.99
    for method in METHODS:
        fit, tame = (gm.RobustPCA(1, method=method, random_state=0).fit(A) for A in (wild, X))
        assert abs(fit.components_ @ tame.components_.T) > np.cos(np.radians(20.0))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_weights_count_like_repetition(method):
    counts = np.arange(len(HBK)) % 3
    weighted = gm.RobustPCA(2, method=method, random_state=0).fit(HBK, sample_weight=counts)
    rows = HBK.iloc[np.repeat(np.arange(len(HBK)), counts)]
    repeated = gm.RobustPCA(2, method=method, random_state=0).fit(rows)
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-8)
    np.testing.assert_allclose(weighted.eigenvalues_, repeated.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(weighted.inertia_, repeated.inertia_, rtol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1e-200, 1e-8, 1e8, 1e200])
@pytest.mark.parametrize("method", METHODS)
def test_units_do_not_matter(factor, method):
    fit = gm.RobustPCA(2, method=method, random_state=0).fit(HBK.to_numpy() * factor)
    tame = gm.RobustPCA(2, method=method, random_state=0).fit(HBK.to_numpy())
    np.testing.assert_allclose(fit.coordinates_ / factor, tame.coordinates_, atol=1e-6)
    np.testing.assert_allclose(fit.inertia_ratio_, tame.inertia_ratio_, rtol=1e-6)
    assert fit.outliers()["outlier"].equals(tame.outliers()["outlier"])


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_files_and_pipelines(method, tmp_path):
    fit = gm.RobustPCA(2, method=method, scale=True).fit(HBK)
    gm.save(fit, tmp_path / "fit.gramian")
    loaded = gm.load(tmp_path / "fit.gramian")
    pd.testing.assert_frame_equal(loaded.outliers(), fit.outliers())
    np.testing.assert_array_equal(loaded.transform(HBK[:3]), fit.transform(HBK[:3]))
    assert make_pipeline(StandardScaler(), gm.RobustPCA(2)).fit_transform(HBK).shape == (75, 2)
    assert gm.plots.individuals(fit, backend="none") is not None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gm.RobustPCA(2, method="huber").fit(HBK), "hubert"),
        (lambda: gm.RobustPCA(9).fit(HBK), "n_components=9"),
        (lambda: gm.RobustPCA(0).fit(HBK), "n_components"),
        (lambda: gm.RobustPCA(2, scale=2).fit(HBK), "scale"),
        (lambda: gm.RobustPCA(2).fit(np.ones((9, 3))), "constant"),
        (lambda: gm.RobustPCA(2).fit(HBK).inverse_transform([[1.0]]), "axes"),
        (lambda: gm.RobustPCA(2).fit(HBK).rotate("varimax"), "correlated over the rows"),
    ],
)
def test_errors(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_fifth_of_wild_rows_turns_no_method_by_five_degrees(method):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 6)) * [8.0, 5.0, 1.0, 1.0, 1.0, 1.0]
    X[:40, -1] += 80.0
    axes = np.asarray(gm.RobustPCA(2, method=method, random_state=0).fit(X).components_)
    angle = np.degrees(np.arccos(np.linalg.svd(axes[:, :2])[1].min()))
    assert angle < 5.0
    assert abs(np.asarray(gm.PCA(2).fit(X).components_)[0, -1]) > 0.99
