"""What a kernel matrix must be whatever the data: symmetric, exact on its diagonal, nonnegative."""

import numpy as np
import pytest
from tests.kernels.rows import RADIAL as ROWS
from tests.kernels.rows import VECTOR

import gramian as gm

pytestmark = pytest.mark.slow


k = gm.kernels
EPS = np.finfo(float).eps

NAMED = {row.name: row.kernel for row in VECTOR}
RADIAL = {row.name: row.kernel for row in ROWS if row.kernel.psd} | {
    "laplacian": NAMED["laplacian"]
}
NORMALISED = {**RADIAL, "cosine": NAMED["cosine"]}
NONNEGATIVE = {
    **NORMALISED,
    **{name: NAMED[name] for name in ("linear", "polynomial", "sum", "product", "normalized")},
    "constant": k.Constant(),
    "product of two kinds": k.Gaussian(scale=1.0) * k.Polynomial(degree=2, offset=1.0),
}
EVERY = {**NONNEGATIVE, "sigmoid": NAMED["sigmoid"]}


def cloud(p=3, n=60):
    return np.random.default_rng(21).standard_normal((n, p))


def with_duplicates():
    return np.repeat(cloud(n=20), 3, axis=0)


def with_near_duplicates():
    X = cloud()
    X[1::2] = X[::2] + 1e-9
    return X


DATA = {
    "plain": cloud,
    "offset 1e8": lambda: cloud() + 1e8,
    "two clusters": lambda: cloud() + np.where(np.arange(60) % 2, 1e8, -1e8)[:, None],
    "duplicates": with_duplicates,
    "near duplicates": with_near_duplicates,
    "one column": lambda: cloud(p=1),
    "many columns": lambda: cloud(p=200) / 10,
    "tiny": lambda: cloud() * 1e-150,
    "huge": lambda: cloud() * 1e150,
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", NORMALISED)
def test_normalised_kernels_are_exact_on_the_diagonal_and_symmetric(name, data):
    X = DATA[data]()
    K = NORMALISED[name].pairwise(X, X)
    assert np.all(np.isfinite(K))
    assert np.all(np.diag(K) == 1.0)
    assert np.array_equal(K, K.T)
    assert K.max() <= 1.0
    assert np.array_equal(NORMALISED[name].diag(X), np.ones(len(X)))


@pytest.mark.parametrize("data", ["plain", "offset 1e8", "two clusters", "duplicates"])
@pytest.mark.parametrize("name", EVERY)
def test_diag_is_the_diagonal_of_pairwise(name, data):
    X = DATA[data]()
    np.testing.assert_allclose(
        EVERY[name].diag(X), np.diag(EVERY[name].pairwise(X, X)), rtol=1e-14, atol=0
    )


@pytest.mark.parametrize("data", ["plain", "offset 1e8", "duplicates", "many columns"])
@pytest.mark.parametrize("name", EVERY)
def test_every_kernel_is_symmetric(name, data):
    X = DATA[data]()
    K = EVERY[name].pairwise(X, X)
    assert np.array_equal(K, K.T)
    np.testing.assert_allclose(EVERY[name].pairwise(X, X[:7].copy()), K[:, :7], rtol=1e-12)


@pytest.mark.parametrize("data", [name for name in DATA if name not in ("tiny", "huge")])
@pytest.mark.parametrize("name", NONNEGATIVE)
def test_the_smallest_eigenvalue_is_zero_up_to_rounding(name, data):
    X = DATA[data]()
    values = np.linalg.eigvalsh(NONNEGATIVE[name].pairwise(X, X))
    assert values[0] >= -len(X) * EPS * values[-1]


@pytest.mark.parametrize("name", RADIAL)
def test_equal_rows_are_fully_similar(name):
    X = with_duplicates() + 1e6
    same = np.arange(60)[:, None] // 3 == np.arange(60) // 3
    for Y in (X, X.copy()):
        K = RADIAL[name].pairwise(X, Y)
        assert np.array_equal(K == 1.0, same)


@pytest.mark.parametrize("name", RADIAL)
def test_a_translation_changes_nothing(name):
    X = np.round(cloud() * 2**10) / 2**10  # exact in float64 after the move as well
    K = RADIAL[name].pairwise(X, X)
    np.testing.assert_allclose(
        RADIAL[name].pairwise(X + 2**30, X + 2**30), K, rtol=1e-12, atol=1e-300
    )


@pytest.mark.parametrize("scale", [1e-150, 1e-5, 1e5, 1e150])
def test_cosine_does_not_see_the_length(scale):
    X = cloud()
    np.testing.assert_allclose(
        k.Cosine().pairwise(X * scale, X), k.Cosine().pairwise(X, X), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "bool"])
@pytest.mark.parametrize("name", EVERY)
def test_integers_are_promoted_before_multiplying(name, dtype):
    X = np.random.default_rng(5).integers(0, 100, (12, 4)).astype(dtype)
    X[~X.any(axis=1)] = 1  # the cosine of a zero row does not exist
    K, Z = EVERY[name].pairwise(X, X), X.astype(float)
    np.testing.assert_allclose(K, EVERY[name].pairwise(Z, Z), rtol=1e-12)
