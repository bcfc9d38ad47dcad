"""Files that version 0.1.0 wrote load, and give the numbers that it gave.

`tests/data/models_0_1_0` holds one file for each of `models.FITS`, the predictors, the kernels of
`models.kernels()` and two fits of torch arrays, and what 0.1.0 answered for them in `truth.npz`.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import gramian as gm

from . import models

FOLDER = Path(__file__).parent.parent / "data" / "models_0_1_0"
TRUTH = np.load(FOLDER / "truth.npz")
# Another machine's BLAS may sum in another order.
CLOSE = {"rtol": 1e-9, "atol": 1e-9, "equal_nan": True}
SINGLE = {"rtol": 1e-4, "atol": 1e-4, "equal_nan": True}


def slug(name):
    return re.sub(r"\W+", "_", name)


def plain(a):
    return a.toarray() if hasattr(a, "toarray") else np.asarray(a)


@pytest.mark.parametrize("name", [name for name in models.FITS if name not in models.LATER])
def test_every_model(name):
    old = gm.load(FOLDER / f"{slug(name)}.gramian")
    _, new = models.FITS[name]()
    close = SINGLE if "single" in name else CLOSE
    np.testing.assert_allclose(plain(old.transform(new)), TRUTH[f"{slug(name)}.transform"], **close)
    if f"{slug(name)}.individuals" in TRUTH:
        np.testing.assert_allclose(old.eigenvalues_, TRUTH[f"{slug(name)}.eigenvalues"], **close)
        table = old.individuals()
        np.testing.assert_allclose(table.to_numpy(), TRUTH[f"{slug(name)}.individuals"], **close)
        half = pd.DataFrame({"half": (["x", "y"] * len(table))[: len(table)]}, index=table.index)
        categories = old.categories(half).to_numpy()
        np.testing.assert_allclose(categories, TRUTH[f"{slug(name)}.categories"], **close)
        assert str(old.summary())


@pytest.mark.parametrize("number", range(4))
def test_every_predictor(number):
    old = gm.load(FOLDER / f"predictor_{number}.gramian")
    predict = old.predict_proba if hasattr(old, "predict_proba") else old.predict
    truth = TRUTH[f"predictor_{number}.predict"]
    np.testing.assert_allclose(predict(models.NEW), truth, **CLOSE)


@pytest.mark.parametrize("number", range(len(models.kernels())))
def test_every_kernel(number):
    old = gm.load(FOLDER / f"kernel_{number:02d}.gramian")
    assert old.kernel == models.kernels()[number]
    truth = TRUTH[f"kernel_{number:02d}.transform"]
    np.testing.assert_allclose(old.transform(models.NEW), truth, **CLOSE)


@pytest.mark.parametrize("name", ["pca", "kernelpca"])
def test_arrays_of_torch(name):
    Z = gm.load(FOLDER / f"torch_{name}.gramian").transform(torch.asarray(models.NEW))
    assert isinstance(Z, torch.Tensor)
    np.testing.assert_allclose(Z.numpy(), TRUTH[f"torch_{name}.transform"], **CLOSE)


@pytest.mark.parametrize("name", ["pca_blocks"])
def test_a_stream_goes_on(name):
    """Moments are kept in the file, so that blocks can still be added."""
    old = gm.load(FOLDER / f"{name}.gramian").partial_fit(models.NEW)
    whole = gm.PCA(2).fit(np.vstack([models.X, models.NEW]))
    np.testing.assert_allclose(old.eigenvalues_, whole.eigenvalues_, **CLOSE)
