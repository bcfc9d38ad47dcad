"""Rotated axes of a fit: coordinates, shares, readings, new rows, weights, files, errors."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.outside._reference import array, load, table

import gramian as gm
from gramian.errors import InputError

METHODS = ["varimax", "quartimax", "promax", "oblimin"]
X = gm.datasets.iris().data
SCALED = gm.PCA(3, scale=True).fit(X)
RNG = np.random.default_rng(0)
MIXED = pd.DataFrame(
    {
        "a": RNG.standard_normal(40),
        "b": RNG.standard_normal(40),
        "c": RNG.choice(["u", "v", "w"], 40),
        "d": RNG.choice(["s", "t"], 40),
    }
)
FACTORS = {
    "FAMD": gm.FAMD(3).fit(MIXED),
    "MCA": gm.MCA(3).fit(MIXED[["c", "d"]]),
    "MFA": gm.MFA(3, groups={"x": ["a", "b"], "y": ["c", "d"]}).fit(MIXED),
}


def test_principal_components_of_psych():
    """psych::principal, whose rotations stop at a tolerance of 1e-5."""
    known = load("factor_methods/rotation_decathlon_k3.json")["result"]["principal"]
    fit = gm.PCA(3, scale=True).fit(table("factor_methods/data/decathlon_10.csv"))
    for method in ("varimax", "promax", "oblimin"):
        rotated = fit.rotate(method)
        expected = array(known[method]["loadings"])
        sign = np.sign((rotated.loadings_ * expected).sum(axis=0))
        np.testing.assert_allclose(rotated.loadings_ * sign, expected, atol=1e-3)
        shares = array(known[method]["Vaccounted"])[1]
        np.testing.assert_allclose(rotated.inertia_ratio_, shares, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [True, False])
def test_coordinates_have_the_inertias_and_correlations(method, scale):
    fit = gm.PCA(3, scale=scale).fit(X)
    rotated = fit.rotate(method)
    Z = rotated.coordinates_
    variances = (rotated.loadings_**2).sum(axis=0)
    np.testing.assert_allclose(Z.var(axis=0), variances)
    if method in ("varimax", "quartimax"):
        np.testing.assert_allclose(rotated.eigenvalues_, variances)
    np.testing.assert_allclose(np.corrcoef(Z.T), rotated.axis_correlations_, atol=1e-12)
    np.testing.assert_allclose(rotated.inertia_ratio_.sum(), fit.inertia_ratio_.sum())
    assert (np.diff(variances) <= 1e-12).all()
    # Loadings and standardised coordinates give back what the axes gave.
    S = Z / np.sqrt(variances)
    features = fit.coordinates_ @ fit.components_
    np.testing.assert_allclose(S @ rotated.loadings_.T, features, atol=1e-12)
    np.testing.assert_allclose(
        rotated.inverse_transform(Z), fit.inverse_transform(fit.coordinates_), atol=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_readings(method):
    rotated = SCALED.rotate(method)
    own, before = rotated.individuals(), SCALED.individuals()
    np.testing.assert_allclose(own["quality", 3], before["quality", 3])
    np.testing.assert_allclose(own["contribution"].sum(), 1.0)
    np.testing.assert_allclose(own["contribution", "total"], before["contribution", "total"])
    # The cosine is that with the direction of the loadings, and grows with the span.
    F = (X.to_numpy() - SCALED.mean_) / SCALED.scale_
    a = rotated.loadings_[:, 0]
    cosine = (F @ a) / (np.linalg.norm(F, axis=1) * np.linalg.norm(a))
    np.testing.assert_allclose(own["cos2", 1], cosine**2, atol=1e-12)
    assert (np.diff(own["quality"].to_numpy(), axis=1) >= -1e-12).all()
    errors = rotated.reconstruction_error()
    np.testing.assert_allclose(errors.total.iloc[-1], SCALED.reconstruction_error().total.iloc[-1])
    variables = rotated.variables()
    r = np.corrcoef(np.hstack([F, rotated.coordinates_]).T)[:4, 4:]
    np.testing.assert_allclose(variables["correlation"], r, atol=1e-12)
    np.testing.assert_allclose(variables["quality", 3], SCALED.variables()["quality", 3])
    np.testing.assert_allclose(variables["contribution"].sum(), 1.0)
    np.testing.assert_allclose(rotated.variables(X)["correlation"], r, atol=1e-12)
    assert "axis 3" in str(rotated.summary()) and len(rotated.describe())


@pytest.mark.slow
def test_columns_without_a_weight_are_read_too():
    fit = gm.PCA(2, column_weight=[1.0, 1.0, 1.0, 0.0]).fit(X)
    rotated = fit.rotate("oblimin")
    r = np.corrcoef(np.hstack([X, rotated.coordinates_]).T)[3, 4:]
    np.testing.assert_allclose(rotated.variables()["correlation"].iloc[3], r, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", FACTORS)
def test_factor_methods(name):
    fit = FACTORS[name]
    rotated = fit.rotate("varimax", 2)
    Z = rotated.coordinates_
    np.testing.assert_allclose(Z.var(axis=0), rotated.eigenvalues_)
    np.testing.assert_allclose(rotated.eigenvalues_.sum(), fit.eigenvalues_[:2].sum())
    data = MIXED[fit.feature_names_in_]
    np.testing.assert_allclose(rotated.transform(data.iloc[:5]), Z[:5])
    # η² of a variable is the share of the variance of the coordinates between its categories.
    groups = pd.DataFrame(Z).groupby(MIXED["c"])
    eta2 = (groups.transform("mean").var(ddof=0) / Z.var(axis=0)).to_numpy()
    np.testing.assert_allclose(rotated.variables()["link"].loc["c"], eta2)
    own = rotated.categories()
    np.testing.assert_allclose(own["coordinate"].loc["c"], groups.mean(), atol=1e-12)
    np.testing.assert_allclose(own["eta2"].loc["c"].iloc[0], eta2)
    assert ((own["cos2"] >= 0) & (own["cos2"] <= 1)).all(axis=None)
    assert len(rotated.describe(alpha=1.0)) and str(rotated.summary())


@pytest.mark.parametrize("method", METHODS)
def test_weights_count_like_repetition(method):
    counts = np.arange(len(X)) % 3
    weighted = gm.PCA(2).fit(X, sample_weight=counts).rotate(method)
    repeated = gm.PCA(2).fit(X.loc[np.repeat(X.index, counts)]).rotate(method)
    # The gradient of oblimin ends at the rounding of its criterion, about 1e-8.
    np.testing.assert_allclose(weighted.loadings_, repeated.loadings_, atol=1e-6)
    np.testing.assert_allclose(weighted.transform(X), repeated.transform(X), atol=1e-6)
    np.testing.assert_allclose(weighted.coordinates_, weighted.transform(X), atol=1e-9)


@pytest.mark.parametrize("fit", [SCALED, *FACTORS.values()], ids=["PCA", *FACTORS])
def test_files(fit, tmp_path):
    rotated = fit.rotate("promax", 2)
    gm.save(rotated, tmp_path / "fit.gramian")
    loaded = gm.load(tmp_path / "fit.gramian")
    data = X if fit is SCALED else MIXED[fit.feature_names_in_]
    np.testing.assert_array_equal(loaded.transform(data), rotated.transform(data))
    pd.testing.assert_frame_equal(loaded.variables(), rotated.variables())
    pd.testing.assert_frame_equal(loaded.individuals(), rotated.individuals())


@pytest.mark.slow
def test_it_is_an_estimator_that_fits_again():
    rotated = SCALED.rotate("varimax", 2)
    again = clone(rotated).fit(X)
    np.testing.assert_array_equal(again.coordinates_, rotated.coordinates_)
    assert gm.plots.individuals(rotated, backend="none") is not None
    assert gm.plots.biplot(rotated, backend="none") is not None


def test_blocks_of_rows_that_are_not_kept():
    blocks = gm.PCA(2).fit(iter([X.to_numpy()[:70], X.to_numpy()[70:]])).rotate("varimax")
    whole = gm.PCA(2).fit(X.to_numpy()).rotate("varimax")
    np.testing.assert_allclose(blocks.transform(X.to_numpy()), whole.coordinates_, atol=1e-10)


@pytest.mark.parametrize(
    ("rotate", "words"),
    [
        (lambda: SCALED.rotate("oblique"), "varimax"),
        (lambda: SCALED.rotate("varimax", 9), "3 axes"),
        (lambda: SCALED.rotate("varimax", 0), "n_components"),
        (lambda: SCALED.rotate("varimax", normalize="yes"), "normalize"),
        (lambda: gm.KernelPCA(2).fit(X[:20]).rotate("varimax"), "no loadings"),
        (lambda: gm.CA(2).fit(X[:20]).rotate("varimax"), "no loadings"),
        (lambda: FACTORS["MCA"].rotate("varimax").inverse_transform([[0.0] * 3]), "use PCA"),
        (lambda: SCALED.rotate("varimax").inverse_transform([[0.0]]), "axes"),
    ],
)
def test_errors(rotate, words):
    with pytest.raises(InputError, match=words):
        rotate()
