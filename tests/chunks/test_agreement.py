"""Rows in blocks of dask or files and the same in memory: equal to 1e-10."""

import pickle
from dataclasses import replace

import dask
import dask.array as da
import numpy as np
import pandas as pd
import pytest
from tests.chunks.cases import (
    CASES,
    agree,
    as_frame,
    case,
    computed,
    even,
    in_blocks,
    named,
    ragged,
    spread,
)

import gramian as gm
from gramian._core.chunked.operators import require_numpy


@pytest.fixture(autouse=True, params=["threads"])
def scheduler(request):
    with dask.config.set(scheduler=request.param):
        yield


@pytest.fixture(params=["dask", "scan"])
def kind(request):
    return request.param


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["auto", "krylov"])
@pytest.mark.parametrize("name", CASES)
def test_pca(kind, name, solver):
    X, w, D = case(name, kind)
    D = replace(D, budget=10**7) if kind == "scan" and solver == "auto" else D
    for scale in (False, True):
        fit = gm.PCA(3, scale=scale, solver=solver).fit(D, sample_weight=w)
        assert fit.solver_.startswith("krylov" if solver == "krylov" else "covariance")
        agree(fit, D, gm.PCA(3, scale=scale).fit(X, None, w))


def test_against_a_decomposition_that_is_not_ours(kind):
    X = spread(300, 5)
    fit = gm.PCA().fit(in_blocks(kind, X, ragged))
    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(fit.eigenvalues_, s**2 / 300, rtol=1e-12)


def test_a_block_far_from_all_others_costs_no_digits(kind):
    """Sums around a point of the first block would have to cancel: 1e16 for a variance of 1e6."""
    X = np.random.default_rng(0).standard_normal((10_000, 2))
    X[:1] = 1e8
    D = in_blocks(kind, X, ragged)
    exact = np.cov(X.astype(np.longdouble), rowvar=False, bias=True).astype(float)
    np.testing.assert_allclose(
        gm.PCA().fit(D).eigenvalues_[0], np.linalg.eigvalsh(exact)[-1], rtol=1e-14
    )


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["krylov", "dense"])
def test_wide_rows_need_no_matrix_of_columns(solver):
    X = spread(50, 4_100)
    D = da.from_array(X, chunks=(20, 1_000))
    fit = gm.PCA(3, solver=solver).fit(D)
    agree(fit, D, gm.PCA(3).fit(X))
    assert gm.PCA(3).fit(D).solver_.startswith("dense: n = 50 < p = 4100")


@pytest.mark.slow
def test_rows_without_a_weight(kind):
    X = spread(400, 4)
    w = np.arange(400.0) % 3
    w[150:320] = 0.0  # whole blocks of them
    D, whole = in_blocks(kind, X), gm.PCA(2).fit(X, None, w)
    for weights in (w, da.from_array(w, chunks=30)) if kind == "dask" else (w,):
        fit = gm.PCA(2).fit(D, None, weights)
        agree(fit, D, whole)
        np.testing.assert_allclose(fit.explained_variance_, whole.explained_variance_, rtol=1e-12)
    kernel = gm.KernelPCA(2, tol=1e-11).fit(D, None, w)
    whole = gm.KernelPCA(2, tol=1e-11).fit(X, None, w)
    np.testing.assert_allclose(kernel.coordinates_, whole.coordinates_, atol=1e-10)
    Z = computed(kernel.transform(in_blocks(kind, X[:40] + 0.1)))
    np.testing.assert_allclose(Z, whole.transform(X[:40] + 0.1), atol=1e-10)


def test_integer_weights_are_repeated_rows(kind):
    X, w = spread(200, 4), np.random.default_rng(0).integers(1, 4, 200)
    fit = gm.PCA(2).fit(in_blocks(kind, X), None, w)
    again = gm.PCA(2).fit(in_blocks(kind, np.repeat(X, w, axis=0), ragged))
    np.testing.assert_allclose(fit.eigenvalues_, again.eigenvalues_, rtol=1e-12)


@pytest.mark.slow
def test_weights_of_a_frame_are_one_of_its_columns():
    X = spread(300, 4)
    frame = named(X).assign(w=np.arange(300.0) % 5)
    D = dask.dataframe.from_pandas(frame, npartitions=3)
    fit = gm.PCA(2).fit(D[list(frame.columns[:4])], None, D["w"])
    agree(fit, D[list(frame.columns[:4])], gm.PCA(2).fit(frame.iloc[:, :4], None, frame["w"]))
    assert list(fit.feature_names_in_) == ["c0", "c1", "c2", "c3"]
    by_position = gm.PCA(2).fit(as_frame(X), None, np.arange(300.0) % 5)
    np.testing.assert_allclose(by_position.eigenvalues_, fit.eigenvalues_, rtol=1e-12)


@pytest.mark.parametrize("kind", ["dask", pytest.param("scan", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CASES)
def test_exact_kernel_pca(kind, name):
    X, w, D = case(name, kind)
    fit = gm.KernelPCA(3, tol=1e-11).fit(D, sample_weight=w)
    whole = gm.KernelPCA(3, tol=1e-11).fit(X, None, w)
    single = str(fit.coordinates_.dtype) == "float32"
    digits = 1e-6 if single else 1e-10
    assert abs(fit.kernel_.scale / whole.kernel_.scale - 1.0) < digits
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=digits)
    np.testing.assert_allclose(fit.inertia_, whole.inertia_, rtol=digits)
    C, atol = whole.coordinates_, (1e-5 if single else 1e-10) * np.abs(whole.coordinates_).max()
    np.testing.assert_allclose(fit.coordinates_, C, atol=atol)
    np.testing.assert_allclose(computed(fit.transform(D)), C, atol=atol)
    np.testing.assert_allclose(fit.transform(X[:40]), C[:40], atol=atol)
    assert fit.certificate_.missed_probability <= 1e-6


KERNELS = {
    "matern": gm.kernels.Matern(nu=1.5),
    "polynomial": gm.kernels.Polynomial(degree=2, scale="columns"),
    "linear": "linear",
    "laplacian": gm.kernels.Laplacian(),
    "sum": 0.5 * gm.kernels.Gaussian() + gm.kernels.Linear(),
}


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["centered", "span"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels(kind, kernel, formulation):
    X = spread(420, 4, offset=3.0)
    D = in_blocks(kind, X, ragged)
    options = {"kernel": KERNELS[kernel], "formulation": formulation, "scale": kernel == "matern"}
    fit = gm.KernelPCA(3, tol=1e-11, **options).fit(D)
    whole = gm.KernelPCA(3, tol=1e-11, **options).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-10)
    C = whole.coordinates_
    atol = 1e-10 * np.abs(C).max()
    np.testing.assert_allclose(computed(fit.fit_transform(D)), C, atol=atol)
    np.testing.assert_allclose(computed(fit.transform(D)), C, atol=atol)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tall", "sparse", "weighted", "far", "frame"])
def test_landmarks(kind, name):
    """All rows of so small a table are in the sample: its landmarks are those in memory."""
    X, w, D = case(name, kind)
    nystrom = gm.Nystrom(40, random_state=0)
    fit = gm.KernelPCA(3, approximation=nystrom).fit(D, None, w)
    whole = gm.KernelPCA(3, approximation=nystrom).fit(X, None, w)
    agree(fit, D, whole)
    assert abs(fit.approximation_error_ - whole.approximation_error_) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_landmarks(kind, weighted):
    X = spread(3000, 4)
    w = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else None
    rows, kernel = np.arange(5, 3000, 50), gm.kernels.Gaussian(10.0)
    for landmarks in (rows, X[rows]):
        how = gm.Nystrom(60, landmarks=landmarks)
        fit = gm.KernelPCA(3, kernel=kernel, approximation=how)
        fit.fit(in_blocks(kind, X, ragged), sample_weight=w)
        whole = gm.KernelPCA(3, kernel=kernel, approximation=how).fit(X, None, w)
        np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-9)
        np.testing.assert_allclose(fit.approximation_error_, whole.approximation_error_, rtol=1e-8)


@pytest.mark.slow
def test_every_row_a_landmark_is_the_exact_kernel(kind):
    X = spread(300, 3)
    every = gm.Nystrom(300, landmarks=np.arange(300), random_state=0)
    fit = gm.KernelPCA(3, approximation=every).fit(in_blocks(kind, X, ragged))
    exact = gm.KernelPCA(3, tol=1e-11).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, exact.eigenvalues_, rtol=1e-8)


@pytest.mark.slow
def test_landmarks_of_rows_that_no_sample_has(kind):
    """Three rows of ten thousand, far from all: the second half of the landmarks finds them."""
    X = spread(10_000, 2)
    X[4_000:4_003] += 500.0
    D = in_blocks(kind, X)
    kernel = gm.kernels.Gaussian(5.0)
    fit = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(60, random_state=1)).fit(D)
    features = fit.model_.principal.features.kernel_map
    assert (features(X[4_000:4_003]) ** 2).sum(axis=1).min() > 0.9
    again = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(60, random_state=1)).fit(D)
    assert np.array_equal(fit.eigenvalues_, again.eigenvalues_)


def test_new_rows_of_any_fit():
    """Fits in memory place what dask holds: block by block, and nothing before it is asked for."""
    X, new = spread(200, 4), spread(90, 4, seed=1)
    for estimator in (
        gm.PCA(2),
        gm.PCA(2, whiten=True),
        gm.KernelPCA(2),
        gm.KernelPCA(2, approximation=gm.Nystrom(20, random_state=0)),
        gm.ClassicalMDS(2),
    ):
        fit = estimator.fit(X)
        lazy = fit.transform(even(new))
        assert isinstance(lazy, da.Array)
        np.testing.assert_allclose(lazy.compute(), fit.transform(new), atol=1e-12)


@pytest.mark.slow
def test_new_rows_of_texts():
    frame = pd.DataFrame({"a": list("abcab") * 20, "b": list("xyyxx") * 20, "c": np.arange(100.0)})
    for fit in (gm.FAMD(2).fit(frame), gm.MCA(2).fit(frame[["a", "b"]])):
        new = frame.iloc[:30][list(fit.feature_names_in_)]
        lazy = fit.transform(dask.dataframe.from_pandas(new, npartitions=3))
        np.testing.assert_allclose(lazy.compute(), fit.transform(new), atol=1e-12)


def test_the_rows_of_a_fit_do_not_travel():
    X = spread(3_000, 40)
    fit = gm.PCA(2).fit(X)
    lazy = fit.transform(even(X[:8]))
    assert len(pickle.dumps(lazy.dask)) < 3_000 * 40  # bytes, an eighth of the rows


@pytest.mark.slow
def test_individuals_are_a_lazy_frame():
    X, new = spread(200, 4), spread(90, 4, seed=1)
    for fit in (gm.PCA(2).fit(X), gm.PCA(2).fit(even(X)), gm.KernelPCA(2, tol=1e-11).fit(even(X))):
        table = fit.individuals(even(new))
        assert isinstance(table, dask.dataframe.DataFrame)
        here = fit.individuals(new)
        whole = table.compute()
        assert list(whole.columns) == list(here.columns)
        np.testing.assert_allclose(whole, here, atol=1e-11)
        assert whole.index.equals(here.index)


def test_a_fit_of_the_whole_spectrum(kind):
    X = spread(60, 4)
    D = in_blocks(kind, X, memory="5kB")
    fit = gm.KernelPCA(kernel=gm.kernels.Gaussian(5.0)).fit(D)
    whole = gm.KernelPCA(kernel=gm.kernels.Gaussian(5.0)).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, atol=1e-13)
    assert gm.PCA(0.9).fit(D).n_components_ == gm.PCA(0.9).fit(X).n_components_


@pytest.mark.parametrize(
    ("transformer", "name"),
    [(gm.Nystrom, name) for name in ("ragged", "single", "frame", "sparse")]
    + [(gm.RandomFourier, name) for name in ("ragged", "single", "frame")],
)
def test_features_of_a_kernel(transformer, name):
    X, _, D = case(name)
    fit = transformer(12, random_state=0).fit(X)
    F = fit.transform(D)
    assert hasattr(F, "dask") and F.shape[1] == fit.rank_
    whole = np.asarray(fit.transform(X))
    assert F.dtype == whole.dtype
    np.testing.assert_allclose(F.compute(), whole, atol=1e-5 if name == "single" else 1e-12)


def test_features_of_a_scan_are_a_scan():
    X = spread(200, 4)
    fit = gm.Nystrom(12, random_state=0).fit(X)
    F = fit.transform(gm.io.scan([X[:90], X[90:]]))
    np.testing.assert_allclose(F.collect(), fit.transform(X), atol=1e-12)


@pytest.mark.slow
def test_blocks_of_torch():
    """In this memory they are NumPy's, whatever the fit; coordinates are then too."""
    torch = pytest.importorskip("torch")
    X = spread(300, 5)
    D = even(X).map_blocks(torch.from_numpy, meta=np.empty((0, 0)))
    agree(gm.PCA(2).fit(D), D, gm.PCA(2).fit(X))
    agree(gm.PCA(2, solver="krylov").fit(D), D, gm.PCA(2).fit(X))
    agree(gm.KernelPCA(2, tol=1e-11).fit(D), D, gm.KernelPCA(2, tol=1e-11).fit(X))
    nystrom = gm.Nystrom(20, random_state=0)
    fit = gm.KernelPCA(2, approximation=nystrom).fit(D)
    agree(fit, D, gm.KernelPCA(2, approximation=nystrom).fit(X))


def test_blocks_on_a_device_are_refused_in_words():
    torch = pytest.importorskip("torch")
    with pytest.raises(gm.errors.InputError, match=r"on the device 'meta'.*give blocks of NumPy"):
        require_numpy(torch.empty((3, 2), device="meta"))
