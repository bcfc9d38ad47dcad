"""Small and degenerate tables that do have an answer."""

import numpy as np
import pytest

import gramian as gm

from .refusals import ESTIMATORS, assert_same_fit, numbers, refuses

pytestmark = pytest.mark.slow


BASE = np.random.default_rng(44).integers(0, 9, (12, 4)).astype(float)
ONE_AXIS = {
    "PCA": lambda: gm.PCA(n_components=1),
    "PCA scaled": lambda: gm.PCA(n_components=1, scale=True),
    "KernelPCA gaussian": lambda: gm.KernelPCA(n_components=1),
    "KernelPCA linear": lambda: gm.KernelPCA(n_components=1, kernel="linear"),
    "ClassicalMDS": lambda: gm.ClassicalMDS(n_components=1),
}


@pytest.mark.parametrize("method", ONE_AXIS)
def test_two_rows_have_one_axis(method):
    X = np.array([[1.0, 5.0, 2.0], [4.0, 1.0, 2.5]])
    est = ONE_AXIS[method]().fit(X)
    assert est.coordinates_.shape == (2, 1)
    assert abs(est.inertia_ratio_[0] - 1) <= 1e-12
    assert abs(est.coordinates_.sum()) <= 1e-12
    # Half the squared length of the segment, with divisor 2.
    d2 = {"PCA scaled": 12.0, "KernelPCA gaussian": 2 - 2 * np.exp(-1.0)}.get(method, 25.25)
    assert abs(est.eigenvalues_[0] - d2 / 4) <= 1e-12 * d2


@pytest.mark.parametrize("make", [gm.PCA, gm.KernelPCA], ids=lambda cls: cls.__name__)
def test_two_rows_and_every_axis(make):
    est = make().fit(np.array([[1.0, 5.0, 2.0], [4.0, 1.0, 2.5]]))
    assert abs(est.inertia_ratio_[0] - 1) <= 1e-12
    assert np.all(np.abs(est.eigenvalues_[1:]) <= 1e-14)
    assert np.all(np.isfinite(est.coordinates_))


@pytest.mark.parametrize("method", ["PCA", "KernelPCA linear", "ClassicalMDS"])
def test_one_column(method):
    x = BASE[:, :1]
    est = ONE_AXIS[method]().fit(x)
    assert abs(est.eigenvalues_[0] - x.var()) <= 1e-13 * x.var()
    centred = x[:, 0] - x.mean()
    sign = np.sign(est.coordinates_[:, 0] @ centred)
    np.testing.assert_allclose(sign * est.coordinates_[:, 0], centred, atol=1e-12)


@pytest.mark.parametrize("method", ["PCA", "KernelPCA linear", "ClassicalMDS"])
def test_many_more_columns_than_rows(method):
    X = np.random.default_rng(45).standard_normal((8, 3000))
    est = ESTIMATORS[method]().fit(X)
    C = X - X.mean(axis=0)
    values = np.linalg.svd(C, compute_uv=False) ** 2 / 8
    np.testing.assert_allclose(est.eigenvalues_, values[:2], rtol=1e-12)
    assert abs(est.inertia_ - values.sum()) <= 1e-12 * values.sum()


@pytest.mark.parametrize("method", ESTIMATORS)
def test_repeated_rows_count_as_weights(method):
    make = ESTIMATORS[method]
    counts = np.arange(12) % 3 + 1
    repeated = make().fit(np.repeat(BASE, counts, axis=0))
    weighted = make().fit(BASE, sample_weight=counts)
    np.testing.assert_allclose(repeated.eigenvalues_, weighted.eigenvalues_, rtol=1e-11)
    assert abs(repeated.inertia_ - weighted.inertia_) <= 1e-11 * weighted.inertia_
    rows = np.repeat(weighted.coordinates_, counts, axis=0)
    # The sign rule looks at eigenvectors, whose entries hold the weights: align first.
    rows *= np.sign((rows * repeated.coordinates_).sum(axis=0))
    np.testing.assert_allclose(repeated.coordinates_, rows, atol=1e-9)


@pytest.mark.parametrize(
    "method", ["PCA", "KernelPCA gaussian", "KernelPCA linear", "ClassicalMDS"]
)
def test_a_constant_column_adds_nothing(method):
    for value in (0.0, 0.1, 7.0, 1e8 / 3):
        X = np.insert(BASE, 2, value, axis=1)
        assert_same_fit(ESTIMATORS[method]().fit(X), ESTIMATORS[method]().fit(BASE))


@pytest.mark.parametrize("value", [0.0, 0.1, 7.0, 1e8 / 3, 1e300, 1e-300])
def test_a_constant_column_cannot_be_scaled_and_says_so(value):
    X = np.insert(BASE, 2, value, axis=1)
    with pytest.warns(gm.errors.ConstantColumnWarning, match="2"):
        est = gm.PCA(n_components=2, scale=True).fit(X)
    assert_same_fit(est, gm.PCA(n_components=2, scale=True).fit(BASE))
    assert np.all(np.abs(est.components_[:, 2]) <= 1e-15)


def test_a_constant_column_of_a_stream_cannot_be_scaled_and_says_so():
    X = np.insert(BASE, 2, 0.1, axis=1)
    with pytest.warns(gm.errors.ConstantColumnWarning):
        est = gm.PCA(n_components=2, scale=True).fit([X[:5], X[5:]])
    reference = gm.PCA(n_components=2, scale=True).fit(BASE)
    np.testing.assert_allclose(est.eigenvalues_, reference.eigenvalues_, rtol=1e-12)


@pytest.mark.parametrize("method", ["PCA", "KernelPCA linear", "ClassicalMDS"])
def test_more_axes_than_the_rank_are_not_given_in_silence(method):
    X = np.outer(np.arange(12.0), [1.0, 2.0, -1.0, 0.5])
    make = {
        "PCA": lambda: gm.PCA(n_components=3),
        "KernelPCA linear": lambda: gm.KernelPCA(n_components=3, kernel="linear"),
        "ClassicalMDS": lambda: gm.ClassicalMDS(n_components=3),
    }[method]
    try:
        with pytest.warns(gm.errors.RankWarning):
            est = make().fit(X)
    except (ValueError, TypeError) as error:
        assert len(str(error)) <= 400
        return
    assert all(np.all(np.isfinite(v)) for v in numbers(est).values())
    assert abs(est.inertia_ratio_[0] - 1) <= 1e-12


@pytest.mark.parametrize("method", ESTIMATORS)
def test_another_number_of_columns_at_transform(method):
    est = ESTIMATORS[method]().fit(BASE)
    refuses(lambda: est.transform(BASE[:, :3]), "X", "3", "4")
    refuses(lambda: est.transform(np.hstack([BASE, BASE])), "X", "8", "4")
    refuses(lambda: est.transform(BASE[0]), "X")
    assert est.transform(BASE[:1]).shape == (1, 2)
