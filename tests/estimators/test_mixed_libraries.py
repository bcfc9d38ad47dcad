"""Fitted in one array library, asked in another: the numbers of NumPy, in the library asked."""

import array_api_strict
import numpy as np
import pytest
import torch

import gramian as gm

pytestmark = pytest.mark.slow


RNG = np.random.default_rng(8)
X, NEW = RNG.standard_normal((40, 4)), RNG.standard_normal((9, 4))
ESTIMATORS = {
    "PCA": gm.PCA(2),
    "KernelPCA": gm.KernelPCA(2),
    "linear": gm.KernelPCA(2, kernel="linear"),
    "Nystrom": gm.KernelPCA(2, approximation=gm.Nystrom(9)),
    "ClassicalMDS": gm.ClassicalMDS(2),
}
LIBRARIES = {
    "numpy": np.asarray,
    "torch": torch.asarray,
    "strict": array_api_strict.asarray,
}


@pytest.mark.parametrize("there", LIBRARIES)
@pytest.mark.parametrize("here", LIBRARIES)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_new_rows_of_another_library(name, here, there):
    truth = ESTIMATORS[name].fit(X)
    expected, table = truth.transform(NEW), truth.individuals(NEW)
    fit = type(truth)(**truth.get_params(deep=False)).fit(LIBRARIES[here](X))
    new = LIBRARIES[there](NEW)
    Z = fit.transform(new)
    assert type(Z) is type(new)
    np.testing.assert_allclose(np.asarray(Z), expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fit.individuals(new), table, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", ["PCA", "KernelPCA", "linear"])
def test_gradients_of_tensors(name):
    truth = gm.importance.gradient(ESTIMATORS[name].fit(X))
    fit = ESTIMATORS[name].fit(torch.asarray(X))
    np.testing.assert_allclose(gm.importance.gradient(fit), truth, rtol=1e-7)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_back_to_the_rows(dtype):
    T = torch.asarray(X, dtype=dtype)
    fit = gm.PCA().fit(T)
    back = fit.inverse_transform(fit.coordinates_)
    assert back.dtype == dtype
    np.testing.assert_allclose(back, T, atol=1e-5 if dtype == torch.float32 else 1e-12)
