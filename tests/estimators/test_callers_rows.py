"""What the caller does with his array after a fit changes no answer."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

import gramian as gm

RNG = np.random.default_rng(4)
X = RNG.standard_normal((30, 4)) * [3.0, 2.0, 1.0, 0.5] + 1.0
NEW = RNG.standard_normal((6, 4))
HALF = ["a", "b"] * 15
WEIGHT = np.where(np.arange(30) < 4, 0.0, 1.0 + np.arange(30))


def squares(A, B=X):
    return ((A[:, None] - B[None]) ** 2).sum(axis=-1)


CASES = {
    "PCA": (gm.PCA(2), X, NEW),
    "PCA scaled": (gm.PCA(2, scale=True), X, NEW),
    "KernelPCA": (gm.KernelPCA(2), X, NEW),
    "KernelPCA linear": (gm.KernelPCA(2, kernel="linear"), X, NEW),
    "KernelPCA span": (gm.KernelPCA(2, formulation="span"), X, NEW),
    "KernelPCA precomputed": (
        gm.KernelPCA(2, kernel="precomputed"),
        np.exp(-squares(X)),
        np.exp(-squares(NEW)),
    ),
    "KernelPCA Nystrom": (gm.KernelPCA(2, approximation=gm.Nystrom(9)), X, NEW),
    "KernelPCA refined": (gm.KernelPCA(2, approximation=gm.Nystrom(9, refine=True)), X, NEW),
    "ClassicalMDS": (gm.ClassicalMDS(2), X, NEW),
    "ClassicalMDS dense": (gm.ClassicalMDS(2, solver="dense"), X, NEW),
    "ClassicalMDS cityblock": (
        gm.ClassicalMDS(2, metric="cityblock", correction="lingoes"),
        X,
        NEW,
    ),
    "ClassicalMDS precomputed": (
        gm.ClassicalMDS(2, metric="precomputed"),
        np.sqrt(squares(X)),
        np.sqrt(squares(NEW)),
    ),
    "MDS": (gm.MDS(2, n_init=1, max_iter=20), X, NEW),
    "MDS precomputed": (
        gm.MDS(2, n_init=1, max_iter=20, metric="precomputed"),
        np.sqrt(squares(X)),
        np.sqrt(squares(NEW)),
    ),
    "MultiKernelPCA": (gm.MultiKernelPCA(2, kernels={"X": "gaussian"}), X, NEW),
}
pytestmark = pytest.mark.filterwarnings(
    "ignore::gramian.errors.ConvergenceWarning",
    "ignore::gramian.errors.NotEuclideanWarning",
)


def answers(fitted, new):
    yield np.asarray(fitted.coordinates_)
    yield np.asarray(fitted.transform(new))
    yield fitted.individuals().to_numpy()
    yield fitted.categories({"half": HALF}).to_numpy()
    yield fitted.variables({"size": np.arange(30.0)}).to_numpy()
    if isinstance(fitted, gm.KernelPCA) and fitted.training_.kind == "table":
        yield np.asarray(fitted.inverse_transform(fitted.coordinates_[:3]))
    yield np.asarray(fitted.training_.rows if fitted.training_.kind != "blocks" else 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weights"])
@pytest.mark.parametrize("name", CASES)
def test_rows_changed_in_place(name, weight):
    estimator, rows, new = CASES[name]
    rows = rows.copy()
    truth = [
        np.array(a, copy=True)
        for a in answers(
            type(estimator)(**estimator.get_params(deep=False)).fit(
                rows.copy(), sample_weight=weight
            ),
            new,
        )
    ]
    fitted = estimator.fit(rows, sample_weight=weight)
    rows[:] = rows[::-1].copy() * 3.0 + 1.0
    for actual, expected in zip(answers(fitted, new), truth, strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_frames_sparse_rows_blocks_and_tensors_changed_in_place():
    frame, csr, tensor = pd.DataFrame(X.copy()), sparse.csr_array(X), torch.asarray(X.copy())
    blocks = {"one": X[:, :2].copy(), "two": X[:, 2:].copy()}
    fits = [
        (gm.KernelPCA(2).fit(frame), pd.DataFrame(NEW)),
        (gm.PCA(2).fit(csr), sparse.csr_array(NEW)),
        (gm.KernelPCA(2, kernel="linear").fit(csr), sparse.csr_array(NEW)),
        (gm.KernelPCA(2).fit(tensor), torch.asarray(NEW)),
        (gm.MultiKernelPCA(2).fit(blocks), {"one": NEW[:, :2], "two": NEW[:, 2:]}),
        (gm.Nystrom(9).fit(tensor), torch.asarray(NEW)),
    ]
    before = [np.asarray(fit.transform(new)) for fit, new in fits]
    readings = [fit.individuals() for fit, _ in fits[:-1]]
    frame *= 2.0
    csr.data *= 2.0
    tensor *= 2.0
    for block in blocks.values():
        block *= 2.0
    for (fit, new), expected in zip(fits, before, strict=True):
        np.testing.assert_array_equal(np.asarray(fit.transform(new)), expected)
    for (fit, _), expected in zip(fits, readings, strict=False):
        pd.testing.assert_frame_equal(fit.individuals(), expected)


def test_predictors_keep_their_rows():
    rows, y = X.copy(), np.array(HALF)
    models = [gm.KernelLogisticRegression(), gm.PrincipalComponentClassifier(2)]
    fits = [model.fit(rows, y) for model in models]
    before = [fit.predict_proba(NEW) for fit in fits]
    rows *= 5.0
    for fit, expected in zip(fits, before, strict=True):
        np.testing.assert_array_equal(fit.predict_proba(NEW), expected)


def test_landmarks_that_were_given_stay_as_they_were():
    landmarks = X[:6].copy()
    fit = gm.Nystrom(6, landmarks=landmarks).fit(X)
    before = fit.transform(NEW)
    landmarks *= 2.0
    np.testing.assert_array_equal(fit.transform(NEW), before)


FITS = {
    "KernelPCA": lambda k: gm.KernelPCA(2, kernel=k).fit(X),
    "a sum": lambda k: gm.KernelPCA(2, kernel=k + gm.kernels.Linear()).fit(X),
    "ClassicalMDS": lambda k: gm.ClassicalMDS(2, metric=k).fit(X),
    "MultiKernelPCA": lambda k: gm.MultiKernelPCA(2, kernels={"X": k}).fit(X),
    "Nystrom": lambda k: gm.Nystrom(9, kernel=k).fit(X),
}


@pytest.mark.parametrize("name", FITS)
def test_a_kernel_changed_after_the_fit(name):
    kernel = gm.kernels.Gaussian(2.0)
    fit = FITS[name](kernel)
    before = fit.transform(NEW)
    kernel.set_params(scale=0.1)
    np.testing.assert_array_equal(fit.transform(NEW), before)


def test_a_kernel_changed_after_predictors():
    kernel = gm.kernels.Gaussian(2.0)
    fits = [
        gm.KernelLogisticRegression(kernel=kernel).fit(X, HALF),
        gm.PrincipalComponentClassifier(2, kernel=kernel).fit(X, HALF),
    ]
    before = [fit.predict_proba(NEW) for fit in fits]
    kernel.set_params(scale=0.1)
    for fit, expected in zip(fits, before, strict=True):
        np.testing.assert_array_equal(fit.predict_proba(NEW), expected)


def test_landmarks_of_a_kernel_pca():
    landmarks = X[:6].copy()
    nystrom = gm.Nystrom(6, landmarks=landmarks)
    fit = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(2.0), approximation=nystrom).fit(X)
    before = fit.inverse_transform(fit.coordinates_[:3])
    landmarks *= 2.0
    np.testing.assert_array_equal(fit.inverse_transform(fit.coordinates_[:3]), before)
