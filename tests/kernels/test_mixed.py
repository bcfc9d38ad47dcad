"""Kernels on tables of numbers and categories: Gower's, and columns of each kind."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.kernels import Columns, Gaussian, Gower, Linear

RNG = np.random.default_rng(0)
N = 30
X = pd.DataFrame(
    {
        "age": RNG.random(N) * 50.0,
        "sex": RNG.choice(["f", "m"], N),
        "mass": RNG.random(N) * 20.0,
        "site": RNG.choice(["a", "b", "c"], N),
    },
    index=[f"r{i}" for i in range(N)],
)
NUMBERS, ANSWERS = ["age", "mass"], ["sex", "site"]
BOTH = Columns(Gaussian(3.0), NUMBERS) + 0.5 * Columns(Gower(), ANSWERS)


def by_hand(a, b):
    """Gower's similarity of two rows of X, written out."""
    numbers = [1.0 - abs(a[c] - b[c]) / np.ptp(X[c]) for c in NUMBERS]
    return np.mean(numbers + [float(a[c] == b[c]) for c in ANSWERS])


@pytest.mark.slow
def test_similarities_by_hand():
    K = [[by_hand(a, b) for _, b in X.iterrows()] for _, a in X.iterrows()]
    np.testing.assert_allclose(Gower()(X), K, atol=1e-14)
    np.testing.assert_allclose(Gower()(X), 1.0 - gm.distances.gower(X), atol=1e-14)
    np.testing.assert_allclose(Gower().diag(X), 1.0)
    assert gm.validity.is_psd(Gower()(X))


def test_columns_of_each_kind():
    D2 = gm.distances.squared_euclidean(X[NUMBERS].to_numpy())
    same = np.mean([X[c].to_numpy()[:, None] == X[c].to_numpy() for c in ANSWERS], axis=0)
    np.testing.assert_allclose(BOTH(X), np.exp(-D2 / 18.0) + 0.5 * same, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [Gower(), BOTH, Gower().exp(), Gower() * Gower()])
def test_new_rows_lie_where_the_fit_has_them(kernel, tmp_path):
    fit = gm.KernelPCA(3, kernel=kernel).fit(X)
    known = gm.KernelPCA(3, kernel="precomputed").fit(kernel(X))
    np.testing.assert_allclose(fit.eigenvalues_, known.eigenvalues_, rtol=1e-9)
    for rows in (X.iloc[[4]], X.iloc[10:13], pl.from_pandas(X.iloc[:5])):
        at = rows.index if isinstance(rows, pd.DataFrame) else X.index[:5]
        np.testing.assert_allclose(
            fit.transform(rows), fit.coordinates_[X.index.get_indexer(at)], atol=1e-12
        )
    gm.save(fit, tmp_path / "fit.gramian")
    again = gm.load(tmp_path / "fit.gramian")
    np.testing.assert_allclose(again.transform(X.iloc[[4]]), fit.coordinates_[[4]], atol=1e-12)
    assert list(fit.feature_names_in_) == list(X.columns)


def test_ordered_categories_are_ranks():
    size = pd.Categorical(["s", "m", "l", "m"], categories=["s", "m", "l"], ordered=True)
    K = Gower()(pd.DataFrame({"size": size}))
    np.testing.assert_allclose(K[0], [1.0, 0.5, 0.0, 0.5])


@pytest.mark.slow
def test_a_category_that_is_new_is_unlike_all_others():
    fit = gm.KernelPCA(3, kernel=Gower()).fit(X)
    new = X.iloc[[0]].assign(site="elsewhere")
    K = fit.kernel_.pairwise(X, new)[:, 0]
    expected = [by_hand(a, b) for (_, a), b in zip(X.iterrows(), [new.iloc[0]] * N, strict=True)]
    np.testing.assert_allclose(K, expected, atol=1e-12)
    assert np.isfinite(fit.transform(new)).all()


def test_a_number_beyond_the_range_is_as_different_as_can_be():
    fit = gm.KernelPCA(2, kernel=Gower()).fit(X)
    far, farther = (X.iloc[[0]].assign(age=age) for age in (1e4, 1e9))
    np.testing.assert_allclose(fit.transform(far), fit.transform(farther), atol=1e-12)


def test_missing_values_are_refused_by_name():
    holes = X.copy()
    holes.loc["r3", "site"] = None
    fit = gm.KernelPCA(2, kernel=Gower()).fit(X)
    for call in (fit.transform, gm.KernelPCA(2, kernel=Gower()).fit, Gower().pairwise):
        with pytest.raises(InputError, match=r"missing value at row 'r3', column 'site': fill it"):
            call(holes)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Columns(Gaussian(), ["age", "sex"]) + Gower(), "Gaussian compares numbers, and column 's"),
        (Gower().on(np.log), "Mapped compares numbers"),
        (Columns(Linear(), [1]) + Gower(), "Linear compares numbers, and column 'sex'"),
    ],
)
def test_categories_are_never_numbers(kernel, words):
    with pytest.raises(InputError, match=words):
        gm.KernelPCA(2, kernel=kernel).fit(X)


def test_scaling_is_for_numbers():
    with pytest.raises(InputError, match="scale=True brings columns to mean 0"):
        gm.KernelPCA(2, kernel=Gower(), scale=True).fit(X)
    with pytest.raises(InputError, match=r"use kernels.Gower\(\)"):
        gm.kernels.FromDistance("gower").pairwise(X[NUMBERS])


def blocks(frame):
    return {"numbers": frame[NUMBERS], "answers": frame[ANSWERS]}


@pytest.mark.slow
def test_several_kernels_on_one_table_or_on_its_blocks(tmp_path):
    one = gm.MultiKernelPCA(
        2, kernels={"numbers": Columns(Gaussian(), NUMBERS), "answers": Columns(Gower(), ANSWERS)}
    ).fit(X)
    two = gm.MultiKernelPCA(2, kernels={"numbers": "gaussian", "answers": "gower"}).fit(blocks(X))
    np.testing.assert_allclose(one.coordinates_, two.coordinates_, atol=1e-12)
    pd.testing.assert_series_equal(one.kernel_weights_, two.kernel_weights_)
    for fit, rows in ((one, X.iloc[[7]]), (two, blocks(X.iloc[[7]]))):
        np.testing.assert_allclose(fit.transform(rows), fit.coordinates_[[7]], atol=1e-12)
        gm.save(fit, tmp_path / "fit.gramian")
        again = gm.load(tmp_path / "fit.gramian")
        np.testing.assert_allclose(again.transform(rows), fit.coordinates_[[7]], atol=1e-12)
        np.testing.assert_allclose(
            fit.partial(rows).to_numpy(), fit.partial().to_numpy()[[7]], atol=1e-12
        )


def test_supplementary_rows_and_columns():
    w = np.ones(N)
    w[3] = 0.0
    fit = gm.KernelPCA(2, kernel=Gower()).fit(X, sample_weight=w)
    without = gm.KernelPCA(2, kernel=Gower(fit.kernel_.kernel.spans)).fit(X.drop(index="r3"))
    np.testing.assert_allclose(fit.eigenvalues_, without.eigenvalues_, rtol=1e-9)
    assert fit.categories(X[["sex"]]).index.tolist() == [("sex", "f"), ("sex", "m")]
    assert fit.variables(X[["age"]]).index.tolist() == ["age"]


@pytest.mark.slow
def test_classes_are_described_by_numbers_and_categories():
    what = gm.clusters.find(gm.KernelPCA(2, kernel=Gower()).fit(X), 2).describe(alpha=0.999)
    kinds = what.variables.set_index("variable")["kind"]
    assert kinds["sex"] == kinds["site"] == "category" and kinds["age"] == "number"


@pytest.mark.slow
def test_axes_above_noise():
    axis = np.linspace(0.0, 1.0, N)
    tied = pd.DataFrame({"x": axis, "c": np.where(axis < 0.5, "low", "high"), "y": axis**2})
    fit = gm.KernelPCA(2, kernel=Gower()).fit(tied)
    assert gm.dimension.parallel_analysis(fit, n_permutations=39, random_state=0).n_components >= 1
    with pytest.raises(InputError, match="must be 'permutation' here"):
        gm.dimension.parallel_analysis(fit, null="signflip")
    assert "signflip" not in gm.dimension.choose(fit).index


def test_there_is_no_way_back_to_rows_with_categories():
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0, 7.0], "c": list("xyxy")})
    fit = gm.KernelPCA(2, kernel="gower").fit(frame)
    with pytest.raises(InputError, match="categories"):
        fit.inverse_transform(fit.coordinates_)
