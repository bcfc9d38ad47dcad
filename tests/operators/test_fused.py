"""The CUDA kernels, run by Triton's interpreter on the CPU, in a process of their own."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch

import gramian as gm
from gramian import kernels as k
from gramian._core.embedding import pipeline
from gramian._core.operators import fused
from gramian._core.operators.fused import FusedProduct, _mode, gpu_product
from gramian._core.operators.symbols import trace
from gramian._core.pairs import Points

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="Triton is made for Linux only"),
]

SCRIPT = """
import numpy as np, torch, gramian as gm
from gramian import kernels as k
from gramian._core.embedding import pipeline
from gramian._core.operators import fused
from gramian._core.operators.fused import gpu_product
from gramian._core.operators.moments import reference_point
from gramian._core.pairs import Points

rng = np.random.default_rng(0)
def check(kernel, p, dtype, mode, limit, offset=0.0):
    Y = torch.asarray(rng.standard_normal((300, p)) + offset, dtype=dtype)
    X = torch.asarray(rng.standard_normal((70, p)) + offset, dtype=dtype)
    V = torch.asarray(rng.standard_normal((300, 5)), dtype=dtype)
    old = Points(Y)
    product = gpu_product(kernel, Points(X, old), old)
    truth = kernel(X.double().numpy(), Y.double().numpy()) @ V.double().numpy()
    error = np.linalg.norm(product(V).double().numpy() - truth) / np.linalg.norm(truth)
    assert product.mode == mode, (kernel, product.mode)
    assert error < limit, (kernel, p, dtype, error)

composed = k.Gaussian(6.0) + 0.5 * k.Matern(1.5, 6.0) * k.Polynomial(degree=2, scale=0.1)
for p in (3, 70):
    check(k.Gaussian(p**0.5), p, torch.float32, "products", 1e-6, offset=100.0)
    check(k.Exponential(p**0.5), p, torch.float32, "mended", 1e-6)
check(k.Gaussian(0.3), 3, torch.float32, "mended", 1e-6)
check(composed, 20, torch.float32, "products", 1e-6)
check(k.Sigmoid(0.1), 3, torch.float32, "products", 1e-6)
check(composed, 3, torch.float64, "direct", 1e-14)
check(k.Gaussian(2.0), 20, torch.float64, "direct", 1e-14, offset=100.0)

pipeline.MAX_STORED_ROWS = 150  # more rows are multiplied by interpreted kernels, slowly
X = rng.standard_normal((200, 4)).astype(np.float32)
ours = gm.KernelPCA(3, tol=1e-6).fit(torch.asarray(X))
truth = gm.KernelPCA(3).fit(X.astype(float))
assert np.abs(ours.eigenvalues_ / truth.eigenvalues_ - 1).max() < 1e-6
assert np.abs(ours.coordinates_.numpy() - truth.coordinates_).max() < 1e-5
assert (ours.residuals_ <= 1e-6 * ours.eigenvalues_[0]).all()
new = ours.transform(torch.asarray(X[:9] + 0.1)).numpy()
assert np.abs(new - truth.transform(X[:9].astype(float) + 0.1)).max() < 1e-5

fused.MIN_MOMENT_ROWS, fused.PART_ROWS = 0, 128
for n, p in ((300, 3), (160, 140)):
    X = torch.asarray(rng.standard_normal((n, p)) * rng.uniform(0.1, 9, p) + 30).float()
    shift, unit = reference_point(X)
    Y = (X.double() - shift) / unit
    first, second = fused.gpu_moments(X, shift, unit)
    size = torch.sqrt(torch.diagonal(Y.T @ Y))
    assert (torch.abs(second - Y.T @ Y) / torch.outer(size, size)).max() < 3e-7, (n, p)
    assert (torch.abs(first - Y.sum(dim=0)) / (size * n**0.5)).max() < 3e-7, (n, p)
    assert torch.equal(second, second.T)
for bad, word in ((np.nan, "NaN"), (np.inf, "inf")):
    X[150, 129] = bad
    try:
        gm.PCA(3).fit(X)
    except gm.errors.InputError as refusal:
        assert f"{word} at row 150, column 129" in str(refusal)
    else:
        raise AssertionError(word)
    assert not torch.isfinite(fused.gpu_moments(X, shift, unit)[1][129, 129])

for n, p, offset in ((300, 5, 0.0), (160, 140, 1e3)):
    X = (rng.standard_normal((n, p)) * np.linspace(1, 3, p) + offset).astype(np.float32)
    ours, truth = gm.PCA(3).fit(torch.asarray(X)), gm.PCA(3).fit(X.astype(float))
    assert np.abs(ours.eigenvalues_ / truth.eigenvalues_ - 1).max() < 1e-6
    assert np.abs(ours.coordinates_.numpy() - truth.coordinates_).max() < 1e-4
print("all right")
"""


def test_fused_kernels_by_interpretation():
    environment = os.environ | {"TRITON_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "all right", done.stderr[-2000:]


def test_the_compiler_is_loaded_beside_other_work():
    pytest.importorskip("triton")
    fused._loading.cache_clear()
    fused.load_compiler(np.zeros((3, 2)))
    fused.load_compiler(torch.zeros(3, 2))
    assert not fused._loading.cache_info().currsize
    fused._loading().join()
    assert "gramian._core.operators._triton" in sys.modules
    fused._loading.cache_clear()


def test_without_a_gpu_the_reason_is_logged(caplog):
    points = Points(torch.zeros(3, 2))
    with caplog.at_level("INFO", logger="gramian"):
        assert gpu_product(k.Gaussian(1.0), points, points) is None
    assert "the rows are on cpu" in caplog.text


def test_tiles_and_torch_agree_with_numpy(monkeypatch):
    monkeypatch.setattr(pipeline, "MAX_STORED_ROWS", 500)
    X = np.random.default_rng(1).standard_normal((1200, 5))
    ours = gm.KernelPCA(4).fit(torch.asarray(X))
    truth = gm.KernelPCA(4).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, truth.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(ours.coordinates_.numpy(), truth.coordinates_, atol=1e-6)


@pytest.mark.parametrize(("n", "p"), [(256, 3), (300, 70)], ids=str)
def test_points_are_split_into_halves_and_padded(n, p):
    X = torch.asarray(np.random.default_rng(0).standard_normal((n, p)) + 5.0).float()
    points = Points(X)
    product = FusedProduct(
        trace(k.Polynomial(degree=2)), points, points, 2.0, "products", True, 1.0
    )
    operand = product._make_operand(points)
    Z = (X.double() - points.centre.double()) / 2.0
    assert operand.length == len(operand.high) == (256 if n == 256 else 512)
    split = operand.high.double() + operand.low.double()
    assert torch.allclose(split[:n, :p], Z, atol=1e-6)
    assert not split[n:].any() and not split[:, p:].any()
    assert torch.allclose(operand.square[:n].double(), (Z * Z).sum(dim=1), rtol=1e-5)
    # What turns a product of centred points into one of the points themselves.
    whole = 4.0 * (split @ split.T) + operand.shift[:, None] + operand.shift[None, :]
    assert torch.allclose(whole[:n, :n], X.double() @ X.double().T, atol=1e-3)


def test_distances_are_made_as_their_error_allows():
    points = Points(torch.asarray(np.random.default_rng(0).standard_normal((500, 3))).float())
    far = Points(points.X * 1e6)
    assert _mode(trace(k.Gaussian(2.0)), points, points, 1.0) == "products"
    assert _mode(trace(k.Gaussian(0.01)), points, points, 1.0) == "mended"
    assert _mode(trace(k.Gaussian(1.0)), far, far, 1.0) == "direct"
    double = Points(points.X.double())
    assert _mode(trace(k.Gaussian(2.0)), double, double, 1.0) == "direct"
