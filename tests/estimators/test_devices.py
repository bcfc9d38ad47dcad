"""Arrays of another library: what must not be lost on a device, tried with torch on the CPU."""

import numpy as np
import pytest
import torch

import gramian as gm
from gramian.errors import ConstantColumnWarning, InputError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((120, 5)) * [1.0, 2.0, 3.0, 4.0, 5.0] + 7.0

# The axes of a fit read a table once: NaN is met there, and must be refused in every way to fit.
WAYS = {
    "covariance": {},
    "dense": {"solver": "dense"},
    "krylov": {"solver": "krylov"},
    "scaled": {"scale": True},
    "a share": {"n_components": 0.9},
    "parallel": {"n_components": "parallel"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("bad", "word"), [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_what_is_not_finite_is_refused_with_its_place(way, bad, word):
    Y = X.copy()
    Y[17, 3] = bad
    with pytest.raises(InputError, match=f"X contains {word} at row 17, column 3"):
        gm.PCA(**{"n_components": 2} | WAYS[way]).fit(torch.asarray(Y))


@pytest.mark.parametrize("row", [0, 60, 119])
def test_also_in_a_row_without_a_weight(row):
    Y, w = X.copy(), np.ones(120)
    Y[row, 1], w[row] = np.nan, 0.0
    with pytest.raises(InputError, match=f"NaN at row {row}, column 1"):
        gm.PCA(2).fit(torch.asarray(Y), sample_weight=w)


@pytest.mark.parametrize("method", [gm.PCA, gm.KernelPCA])
def test_weights_may_be_of_that_library_too(method):
    w = RNG.uniform(size=120)
    w[:3] = 0.0
    theirs = method(2).fit(torch.asarray(X), sample_weight=torch.asarray(w))
    ours = method(2).fit(X, sample_weight=w)
    np.testing.assert_allclose(theirs.eigenvalues_, ours.eigenvalues_, rtol=1e-12)
    assert isinstance(theirs.coordinates_, torch.Tensor)
    np.testing.assert_allclose(theirs.coordinates_.numpy(), ours.coordinates_, atol=1e-10)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_far_outlier_and_tiny_numbers(dtype):
    Y = torch.asarray(X, dtype=dtype) * (1e-41 if dtype == torch.float32 else 1e-300)
    Y[77, 2] = 1e30
    ours = gm.PCA(1).fit(Y).eigenvalues_
    np.testing.assert_allclose(ours, [1e60 * (1 / 120 - 1 / 120**2)], rtol=1e-6)


def test_constant_columns_are_left_out():
    Y = np.column_stack([X, np.full(120, 3.0)])
    with pytest.warns(ConstantColumnWarning, match="columns 5 are constant"):
        theirs = gm.PCA(scale=True).fit(torch.asarray(Y))
    ours = gm.PCA(scale=True).fit(X)
    np.testing.assert_allclose(theirs.eigenvalues_, ours.eigenvalues_, rtol=1e-12)
    assert theirs.scale_[5] == 0.0 and bool((theirs.components_[:, 5] == 0.0).all())
