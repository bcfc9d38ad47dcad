"""What every kernel promises. A new kernel costs one `Row`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch
from mpmath import mp, mpf
from scipy import sparse
from sklearn.base import clone
from tests import naive

import gramian as gm
from gramian._core.pairs import Pairs, Points


def cloud(n=23, p=4, seed=8):
    return np.random.default_rng(seed).standard_normal((n, p))


@dataclass(frozen=True)
class Row:
    """A kernel with every parameter definite, its twin, and the points to try them on."""

    name: str
    kernel: gm.kernels.Kernel
    twin: Callable[[Any, Any], float]
    X: Any = field(default_factory=cloud)
    Y: Any = field(default_factory=lambda: cloud(n=7, seed=9))
    rtol: float = 1e-12  # a power multiplies the error of its base
    profile: Callable[[Any], Any] | None = None  # in numbers of mpmath, for kernels that are one
    code: bool = False  # whether it holds a function, which no model file does


# Values that no row has, for parameters of each type.
OTHER = {int: 7, float: 7.25, tuple: (7.25,)}


def rows(chosen):
    """Parametrize a contract class over rows."""
    return pytest.mark.parametrize("row", chosen, ids=[row.name for row in chosen])


def sub_blocks(n, m):
    """Blocks of several shapes: a corner, a strip, single rows, the whole."""
    yield slice(0, 5), slice(0, 5)
    yield slice(3, n), slice(1, 4)
    yield slice(n - 1, n), slice(0, m)
    yield slice(0, n), slice(m // 2, m // 2 + 1)
    yield slice(0, n), slice(0, m)


class KernelContract:
    """For any kernel on any kind of points."""

    def test_pairwise_is_the_twin(self, row):
        expected = naive.pairwise(row.twin, row.X)
        np.testing.assert_allclose(row.kernel.pairwise(row.X), expected, rtol=row.rtol, atol=1e-15)
        expected = naive.pairwise(row.twin, row.X, row.Y)
        actual = row.kernel.pairwise(row.X, row.Y)
        np.testing.assert_allclose(actual, expected, rtol=row.rtol, atol=1e-15)

    def test_call_is_pairwise(self, row):
        assert np.array_equal(row.kernel(row.X, row.Y), row.kernel.pairwise(row.X, row.Y))

    def test_symmetric_to_the_last_bit(self, row):
        K = row.kernel.pairwise(row.X)
        assert np.array_equal(K, K.T)
        assert np.array_equal(K, row.kernel.pairwise(row.X, row.X))

    def test_diag_is_the_diagonal(self, row):
        expected = [row.twin(x, x) for x in row.X]
        np.testing.assert_allclose(row.kernel.diag(row.X), expected, rtol=row.rtol, atol=1e-15)
        assert np.array_equal(row.kernel.diag(row.X), np.diagonal(row.kernel.pairwise(row.X)))

    def test_any_block_is_that_part_of_the_matrix(self, row):
        A = Points(row.X)
        B = Points(row.Y, A)
        kernel = row.kernel.resolve(A)
        K, C = kernel.pairwise(row.X), kernel.pairwise(row.X, row.Y)
        for r, c in sub_blocks(len(A), len(A)):
            actual = kernel.block(Pairs(A, A, r, c, exact=True))
            np.testing.assert_allclose(actual, K[r, c], rtol=row.rtol, atol=1e-15)
        for r, c in sub_blocks(len(A), len(B)):
            actual = kernel.block(Pairs(A, B, r, c, exact=True))
            np.testing.assert_allclose(actual, C[r, c], rtol=row.rtol, atol=1e-15)

    def test_points_are_not_modified(self, row):
        X, Y = np.array(row.X), np.array(row.Y)
        X.flags.writeable = Y.flags.writeable = False
        row.kernel.pairwise(X, Y)
        row.kernel.pairwise(X)
        row.kernel.diag(X)
        assert np.array_equal(X, row.X)

    def test_parameters_make_the_kernel_again(self, row):
        again = type(row.kernel)(**row.kernel.get_params(deep=False))
        assert again == row.kernel
        assert again.set_params(**row.kernel.get_params()) == row.kernel
        np.testing.assert_array_equal(again.pairwise(row.X), row.kernel.pairwise(row.X))

    def test_clone(self, row):
        copy = clone(row.kernel)
        assert copy is not row.kernel
        assert repr(copy) == repr(row.kernel)
        np.testing.assert_array_equal(copy.pairwise(row.X), row.kernel.pairwise(row.X))

    def test_repr_is_a_constructor_call_with_every_parameter(self, row):
        text = repr(row.kernel)
        assert text.startswith(f"{type(row.kernel).__name__}(") and text.endswith(")")
        for name, value in row.kernel.get_params(deep=False).items():
            assert f"{name}={value!r}" in text

    def test_equal_means_the_same_type_and_the_same_value_of_every_parameter(self, row):
        params = row.kernel.get_params(deep=False)
        namesake = type("Namesake", (type(row.kernel),), {})
        assert row.kernel != namesake(**params) and row.kernel != "kernel"
        for name, value in params.items():
            other = OTHER.get(type(value), gm.kernels.Gaussian(scale=123.0))
            assert row.kernel != type(row.kernel)(**params | {name: other}), name

    def test_an_unknown_parameter_is_refused_by_name(self, row):
        with pytest.raises(gm.errors.InputError, match="no_such"):
            clone(row.kernel).set_params(no_such=1)

    def test_psd_is_claimed_only_where_no_eigenvalue_is_negative(self, row):
        values = np.linalg.eigvalsh(row.kernel.pairwise(row.X))
        rounding = len(values) * np.finfo(float).eps * np.abs(values).max()
        assert values[0] >= -rounding or row.kernel.psd is not True
        assert row.kernel.resolve(Points(row.X)).psd is row.kernel.psd

    def test_resolving_twice_changes_nothing(self, row):
        once = row.kernel.resolve(Points(row.X))
        assert once.resolve(Points(row.Y)) == once

    def test_kernel_pca_takes_it(self, row):
        K = row.kernel.pairwise(row.X)
        G = naive.inertia_matrix(K)
        options = {"indefinite": "krein", "solver": "dense"}
        fitted = gm.KernelPCA(1, kernel=row.kernel, **options).fit(row.X)
        values = np.linalg.eigvalsh(G)
        largest = values[np.abs(values).argmax()]
        np.testing.assert_allclose(fitted.eigenvalues_, [largest], rtol=1e-9)
        np.testing.assert_allclose(fitted.inertia_, np.trace(G), rtol=1e-9)

    def test_it_is_saved_and_loaded(self, row, tmp_path):
        fitted = gm.KernelPCA(1, kernel=row.kernel, indefinite="clip").fit(row.X)
        path = tmp_path / "model.gramian"
        if row.code:
            with pytest.raises(gm.errors.InputError, match="precomputed"):
                gm.save(fitted, path)
            return
        gm.save(fitted, path)
        loaded = gm.load(path)
        assert loaded.kernel == fitted.kernel and loaded.kernel_ == fitted.kernel_
        assert np.array_equal(loaded.transform(row.Y), fitted.transform(row.Y))

    def test_distances_in_feature_space_are_those_of_the_definition(self, row):
        A = Points(row.X)
        kernel = row.kernel.resolve(A)
        for B in (A, Points(row.Y, A)):
            a, b = kernel.diag(A.X), kernel.diag(B.X)
            expected = a[:, None] + b[None, :] - 2 * kernel.pairwise(A.X, B.X)
            actual = kernel.squared_distance(Pairs(A, B))
            size = np.abs(a).max() + np.abs(b).max()
            np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=1e-13 * size)


class PositiveContract:
    """For kernels with psd = True: no Gram matrix has a negative eigenvalue, whatever the points.

    A subclass's points are columns of numbers, none of them negative where the row's are not.
    """

    @pytest.mark.parametrize("shape", [(30, 1), (30, 4), (12, 40)], ids=str)
    def test_gram_is_positive_semidefinite(self, row, shape):
        n, p = shape
        for seed in range(5):
            X = np.resize(cloud(n, p, seed), (n, max(p, row.X.shape[1])))
            if row.X.min() >= 0:  # a kernel of counts
                X = np.abs(X)
            X[3] = X[2]  # a repeated row makes it singular
            values = np.linalg.eigvalsh(row.kernel.pairwise(X))
            assert values[0] >= -n * np.finfo(float).eps * values[-1]


class VectorContract:
    """For kernels on rows of numbers, whatever array they come in."""

    @pytest.mark.filterwarnings("ignore::gramian.errors.ZeroRowWarning")
    def test_lists_and_integers_are_taken(self, row):
        X = np.round(row.X)
        K = row.kernel.pairwise(X)
        np.testing.assert_allclose(row.kernel.pairwise(X.astype(int).tolist()), K, rtol=1e-12)
        np.testing.assert_allclose(row.kernel.pairwise(X.astype("i2")), K, rtol=1e-12)

    def test_float32_stays_float32(self, row):
        X, Y = row.X.astype("f4"), row.Y.astype("f4")
        for K in (row.kernel.pairwise(X), row.kernel.pairwise(X, Y), row.kernel.diag(X)):
            assert K.dtype == np.float32
        expected = row.kernel.pairwise(X.astype("f8"), Y.astype("f8"))
        np.testing.assert_allclose(row.kernel.pairwise(X, Y), expected, rtol=2e-4, atol=1e-5)

    def test_another_number_of_columns_is_refused(self, row):
        with pytest.raises(gm.errors.InputError):
            row.kernel.pairwise(row.X, np.hstack([row.Y, row.Y]))

    def test_missing_values_are_refused(self, row):
        X = np.array(row.X)
        X[2, 0] = np.nan
        with pytest.raises(gm.errors.InputError, match="NaN"):
            row.kernel.pairwise(X)

    @pytest.mark.filterwarnings("ignore::gramian.errors.ZeroRowWarning")
    def test_sparse_rows_give_the_same_values(self, row):
        X, Y = np.where(row.X > 0, row.X, 0.0), np.where(row.Y > 0, row.Y, 0.0)
        X[0] = 0.0
        A, B = sparse.csr_array(X), sparse.csc_matrix(Y)
        for other in (Y, B):
            actual = row.kernel.pairwise(A, other)
            np.testing.assert_allclose(actual, row.kernel.pairwise(X, Y), rtol=1e-12, atol=1e-15)
        actual, expected = row.kernel.pairwise(A), row.kernel.pairwise(X)
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(row.kernel.diag(A), row.kernel.diag(X), rtol=1e-12, atol=1e-15)


class SparseContract:
    """For kernels with takes_sparse: the rows are never made dense."""

    def test_no_row_is_made_dense(self, row, monkeypatch):
        X = sparse.random_array((40, 600), density=0.01, rng=np.random.default_rng(3))
        X = sparse.csr_array(X)
        dense = sparse.csr_array.toarray

        def toarray(self, *args, **kwargs):
            assert self.shape[1] != 600, "the points were made dense"
            return dense(self, *args, **kwargs)

        monkeypatch.setattr(sparse.csr_array, "toarray", toarray)
        K = row.kernel.pairwise(X)
        assert K.shape == (40, 40)
        monkeypatch.undo()
        expected = row.kernel.pairwise(X.toarray())
        np.testing.assert_allclose(K, expected, rtol=1e-12, atol=1e-14)


class TorchContract:
    """For kernels written with array-API calls: torch gives NumPy's numbers, and stays torch."""

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
    def test_torch_gives_the_same_values(self, row, dtype):
        X, Y = torch.asarray(row.X, dtype=dtype), torch.asarray(row.Y, dtype=dtype)
        tolerance = 1e-12 if dtype == torch.float64 else 1e-4
        cases = [((X,), (row.X,)), ((X, Y), (row.X, row.Y))]
        for points, same in cases:
            K = row.kernel.pairwise(*points)
            assert isinstance(K, torch.Tensor) and K.dtype == dtype
            expected = row.kernel.pairwise(*same)
            scale = np.abs(expected).max()
            np.testing.assert_allclose(K.numpy() / scale, expected / scale, rtol=0, atol=tolerance)
        diagonal = row.kernel.diag(X)
        assert diagonal.dtype == dtype
        np.testing.assert_allclose(diagonal.numpy(), row.kernel.diag(row.X), rtol=tolerance)


def exact_slope(profile, t):
    """The derivative of a profile at t, to 50 digits."""
    with mp.workdps(120):
        t = mpf(t)
        h = (abs(t) or mpf(1)) * mpf(10) ** -30
        return float((profile(t + h) - profile(t - h)) / (2 * h))


class ProfileContract:
    """For kernels that are a profile: any library that keeps to the array API can run it."""

    def test_the_exact_profile_is_the_profile(self, row):
        t = np.array([0.0, 0.3, 1.0, 7.0])
        with mp.workdps(30):
            expected = [float(row.profile(mpf(x))) for x in t[1:]]
        np.testing.assert_allclose(row.kernel.profile(t.copy())[1:], expected, rtol=1e-13)

    def test_derivative(self, row):
        t = np.array([1e-24, 1e-12, 1e-6, 1e-3, 0.3, 1.0, 2.5, 7.0, 40.0])
        before = t.copy()
        actual = row.kernel.derivative(t)
        assert np.array_equal(t, before) and actual.dtype == np.float64
        expected = [exact_slope(row.profile, x) for x in t]
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-50)
        assert row.kernel.differentiable

    def test_derivative_of_tables_and_of_other_arrays(self, row):
        t = np.linspace(0.1, 9.0, 12).reshape(3, 4)
        expected = row.kernel.derivative(t)
        assert expected.shape == t.shape and expected.flags.writeable
        actual = row.kernel.derivative(torch.asarray(t))
        assert isinstance(actual, torch.Tensor)
        np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-14)
        np.testing.assert_allclose(row.kernel.derivative(t.astype("f4")), expected, rtol=2e-5)

    def test_profile_uses_array_api_calls_only(self, row):
        t = np.linspace(0.0, 9.0, 12).reshape(3, 4)
        actual = row.kernel.profile(array_api_strict.asarray(t.copy()))
        assert type(actual) is type(array_api_strict.asarray(t))
        expected = row.kernel.profile(t.copy())
        np.testing.assert_allclose(np.asarray(actual), expected, rtol=1e-14)


class RadialContract:
    """For kernels of the distance: what happens near 0, where a profile is flat."""

    def test_gap_keeps_its_digits(self, row):
        t = np.array([1e-60, 1e-24, 1e-18, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.3, 2.0, 40.0])
        with mp.workdps(90):
            top = row.profile(mpf(0)) if row.kernel.profile(np.zeros(1))[0] == 0 else mpf(1)
            expected = [float(top - row.profile(mpf(x))) for x in t]
        before = t.copy()
        np.testing.assert_allclose(row.kernel.gap(t), expected, rtol=1e-12)
        assert np.array_equal(t, before) and row.kernel.gap(np.zeros(3)).tolist() == [0.0] * 3

    def test_gap_of_tables_and_of_other_arrays(self, row):
        t = np.linspace(0.0, 1e-3, 12).reshape(3, 4)
        expected = row.kernel.gap(t)
        assert expected.shape == t.shape
        actual = row.kernel.gap(torch.asarray(t))
        assert isinstance(actual, torch.Tensor)
        np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-13)
        single = row.kernel.gap(t.astype("f4"))
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, expected, rtol=1e-5)

    def test_points_that_are_close_keep_their_distance(self, row):
        x, y = np.array([[0.7, 1.0]]), np.array([[0.7, 1.0 + 2.0**-40]])
        with mp.workdps(90):
            top = row.profile(mpf(0)) if row.kernel.profile(np.zeros(1))[0] == 0 else mpf(1)
            near = 2 * (top - row.profile((mpf(2) ** -40 / mpf(row.kernel.scale)) ** 2))
            expected = float(mp.sqrt(near))
            both = float(mp.sqrt(3 * near + mpf(2) ** -80))
        distance = gm.rkhs.distance
        assert distance(row.kernel, x, y)[0, 0] == pytest.approx(expected, rel=1e-12)
        sum_ = 3.0 * row.kernel + gm.kernels.Linear()
        assert distance(sum_, x, y)[0, 0] == pytest.approx(both, rel=1e-12)
        if row.kernel.psd:
            scaled = (2.0 * row.kernel).normalized()
            assert distance(scaled, x, y)[0, 0] == pytest.approx(expected, rel=1e-12)
            square = row.kernel * row.kernel  # 1 − k² = (1 − k)(1 + k)
            product = float(np.sqrt(2.0 - expected**2 / 2)) * expected
            assert distance(square, x, y)[0, 0] == pytest.approx(product, rel=1e-12)

    def test_the_defaults_give_what_the_class_says(self, row):
        """What a class writes is the default's number, to the digits that the default has."""
        t = np.array([0.01, 0.4, 3.0])
        derivative = gm.kernels.Radial.derivative(row.kernel, t)
        np.testing.assert_allclose(row.kernel.derivative(t), derivative, rtol=1e-8)
        t = np.array([0.0, 1e-18, 1e-9, 1e-5, 0.01, 0.4, 3.0])
        gap = gm.kernels.Radial.gap(row.kernel, t)
        np.testing.assert_allclose(row.kernel.gap(t), gap, rtol=1e-12)

    @pytest.mark.slow
    def test_the_profile_is_nowhere_steeper_than_it_says(self, row):
        bound = row.kernel.steepness
        assert bound > 0
        steepest = max(abs(exact_slope(row.profile, t)) for t in np.geomspace(1e-12, 50.0, 25))
        assert steepest <= bound * (1 + 1e-12)


CONTRACTS = [value for name, value in list(globals().items()) if name.endswith("Contract")]
