"""The overview that is printed, and the numbers of the whole fit."""

import html
import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import gramian as gm

from .twins import METHODS, NAMES, data, fitted, weights


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES)
def test_it_prints_within_a_hundred_columns(method: str) -> None:
    overview = fitted(method, data(40), 3).summary()
    text = str(overview)
    assert max(map(len, text.splitlines())) <= 100
    assert "Eigenvalues" in text and "Individuals" in text
    assert ("Variables" in text) == method.startswith("pca")
    assert text == repr(overview)


@pytest.mark.parametrize("scale", [1e-200, 1e-5, 1e4, 1e200])
def test_it_prints_at_any_scale(scale: float) -> None:
    text = str(gm.PCA(3).fit(data(40) * scale).summary())
    assert max(map(len, text.splitlines())) <= 100
    assert "nan" not in text


def test_numbers() -> None:
    pca = gm.PCA(3, scale=True).fit(data(30))
    overview = pca.summary(n_axes=2, n_rows=5)
    np.testing.assert_allclose(overview.eigenvalues["eigenvalue"], pca.eigenvalues_)
    np.testing.assert_allclose(overview.eigenvalues["inertia %"], 100 * pca.inertia_ratio_)
    np.testing.assert_allclose(overview.eigenvalues["cumulated %"], 100 * pca.quality_)
    shown = overview.tables["Individuals"]
    assert shown.shape == (5, 7)
    table = pca.individuals()
    plane = (table["coordinate"][[1, 2]] ** 2).sum(axis=1).sort_values(ascending=False)
    assert list(shown.index) == list(plane.index[:5])
    np.testing.assert_allclose(shown["cos² 2"], table["cos2", 2].loc[shown.index])
    np.testing.assert_allclose(shown["ctr% 1"], 100 * table["contribution", 1].loc[shown.index])
    assert overview.tables["Variables"].shape == (4, 6)


def test_facts() -> None:
    w = weights(12)
    w[3] = 0
    facts = gm.KernelPCA(2).fit(data(), sample_weight=w).summary().facts
    assert facts["weights"] == "given; 11 of 12 rows have one"
    assert facts["kernel"].startswith("Gaussian(scale=")
    assert facts["solver"].startswith("dense")
    with pytest.warns(gm.errors.NotEuclideanWarning):
        mds = gm.ClassicalMDS(metric="cityblock").fit(data() ** 3)
    assert "negative inertia" in mds.summary().facts


def test_labels_are_escaped_and_shortened() -> None:
    name = "<script>alert(1)</script> & a label that is much too long\nto print"
    frame = pd.DataFrame(data(), columns=["<b>", "x", "y", "z"], index=[name] * 12)
    overview = gm.PCA(2).fit(frame).summary()
    page = overview._repr_html_()
    assert "<script>" not in page and "<b>" not in page
    assert html.escape("<b>") in page
    assert "much too long" not in str(overview)


def test_few_rows_of_many_axes() -> None:
    text = str(gm.KernelPCA().fit(data(30)).summary(n_rows=4))
    assert "the first 4 of 29 axes" in text
    assert len(text.splitlines()) < 25


def test_blocks() -> None:
    X = data()
    text = str(gm.PCA(2).fit(iter([X[:5], X[5:]])).summary())
    assert "PCA of 12 individuals, 4 variables" in text
    assert "Variables" in text and "Individuals," not in text


@pytest.mark.parametrize("method", NAMES)
def test_overall_quality(method: str) -> None:
    est = fitted(method, data())
    np.testing.assert_allclose(est.quality_, np.cumsum(est.eigenvalues_) / est.inertia_)
    np.testing.assert_allclose(est.quality_[-1], 1.0)


@pytest.mark.parametrize("scale", [False, True])
def test_generalized_variance_is_a_determinant(scale: bool) -> None:
    X = data()
    pca = gm.PCA(scale=scale).fit(X)
    C = np.corrcoef(X.T) if scale else np.cov(X.T, bias=True)
    np.testing.assert_allclose(pca.generalized_variance_, np.linalg.det(C))
    np.testing.assert_allclose(pca.log_generalized_variance_, np.linalg.slogdet(C)[1])


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e100, 1e300])
def test_its_logarithm_never_overflows(scale: float) -> None:
    X = data()
    wanted = gm.PCA().fit(X).log_generalized_variance_ + 8 * math.log(scale)
    found = METHODS["pca"](X, None).fit(X * scale).log_generalized_variance_
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_null_axis_has_no_volume() -> None:
    with pytest.warns(gm.errors.RankWarning):
        pca = gm.PCA(2).fit(np.outer(np.arange(5.0), [1.0, 2.0]))
    assert pca.generalized_variance_ == 0.0
    assert pca.log_generalized_variance_ == -math.inf


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2"])
def test_what_cannot_be_shown(value: object) -> None:
    pca = gm.PCA(2).fit(data())
    for name in ("n_axes", "n_rows"):
        with pytest.raises(gm.errors.InputError, match=f"{name}="):
            pca.summary(**{name: value})


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES)
def test_columns_that_did_not_make_the_axes(method: str) -> None:
    X = data(40)
    fit = fitted(method, X, 2)
    rng = np.random.default_rng(5)
    outside = pd.DataFrame({"half": ["low", "high"] * 20, "size": rng.standard_normal(40)})
    overview = fit.summary(table=outside)
    eta2 = fit.categories(outside)["eta2"].iloc[0].to_numpy()
    r = fit.variables(outside)["correlation"].iloc[0].to_numpy()
    groups, numbers = overview.outside["Groups"], overview.outside["Supplementary variables"]
    np.testing.assert_allclose(groups.loc["half", ["η² 1", "η² 2"]].to_numpy(float), eta2)
    np.testing.assert_allclose(numbers.loc["size", ["r 1", "r 2"]].to_numpy(float), r)
    ties = fit.describe(outside, alpha=1.0)
    p = ties[(ties["name"] == "half") & (ties["kind"] == "qualitative")]["p_value"]
    np.testing.assert_allclose(groups.loc["half", ["p 1", "p 2"]].to_numpy(float), p)
    text = str(overview)
    assert "Groups (η²" in text and "Supplementary variables (r" in text
    assert max(map(len, text.splitlines())) <= 100
    assert fit.summary(table=outside[["size"]]).outside.keys() == {"Supplementary variables"}
    assert not fit.summary().outside


def test_it_holds_no_table_of_all_axes() -> None:
    X = np.random.default_rng(0).standard_normal((4_000, 60))
    pca = gm.PCA().fit(X)
    pca.summary()
    tracemalloc.start()
    try:
        pca.summary()
        assert tracemalloc.get_traced_memory()[1] < 4 * X.nbytes
    finally:
        tracemalloc.stop()
