"""Kernel PCA and PCA on a GPU: correctness against double precision on the CPU, and times."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.runner import table
from gramian._core.array import torch_module

__all__ = ["correctness", "device_line", "features", "fits", "products", "transform"]

P, Q = 32, 10


def device_line() -> str:
    """Describe the GPU and the versions in one line."""
    torch = torch_module()
    name = torch.cuda.get_device_name()
    return f"{name}, torch {torch.__version__}, triton {version('triton')}"


def correctness(n: int = 3000, columns: int = 21) -> str:
    """Kernels × p × precision: the fused K·V against double precision on the CPU."""
    from gramian import kernels as k
    from gramian._core.operators.fused import gpu_product
    from gramian._core.pairs import Points

    torch = torch_module()
    rng = np.random.default_rng(0)
    rows = []
    for p in (1, 3, 32, 100):
        s = p**0.5
        cases: list[tuple[str, Any, float]] = [
            ("Gaussian", k.Gaussian(scale=s), 0.0),
            ("Gaussian, offset 1e3", k.Gaussian(scale=s), 1e3),
            ("Gaussian, small scale", k.Gaussian(scale=0.1 * s), 0.0),
            ("Exponential", k.Exponential(scale=s), 0.0),
            ("Matérn 5/2", k.Matern(2.5, scale=s), 0.0),
            ("RationalQuadratic", k.RationalQuadratic(scale=s, alpha=0.7), 0.0),
            ("Polynomial 3", k.Polynomial(degree=3, scale=1.0 / p), 0.0),
            ("Sigmoid", k.Sigmoid(scale=0.1), 0.0),
            ("Gaussian + ½·Matérn 3/2 × Polynomial", composed(s, p), 0.0),
        ]
        for label, kernel, offset in cases:
            cells: list[Any] = [label, p]
            for dtype in (torch.float32, torch.float64):
                X = torch.asarray(rng.standard_normal((n, p)) + offset, dtype=dtype)
                V = torch.asarray(rng.standard_normal((n, columns)), dtype=dtype)
                points = Points(X.cuda())
                product = gpu_product(kernel, points, points)
                truth = kernel(X.double().numpy()) @ V.double().numpy()
                if product is None:
                    cells += ["not fused", None]
                    continue
                found = product(V.cuda()).double().cpu().numpy()
                error = np.linalg.norm(found - truth) / np.linalg.norm(truth)
                cells += [product.mode, f"{error:.1e}"]
            rows.append(cells)
    head = ["kernel", "p", "float32 distances", "error", "float64 distances", "error"]
    return "## K·V against double precision on the CPU\n\n" + table(head, rows)


def composed(scale: float, p: int) -> Any:
    """Return the composed kernel of the comparison."""
    from gramian.kernels import Gaussian, Matern, Polynomial

    return Gaussian(scale) + 0.5 * Matern(1.5, scale) * Polynomial(degree=2, scale=1.0 / p)


def products(sizes: list[int], tiles_up_to: int = 300_000) -> str:
    """Exact kernel PCA, top 10 to 1e-6·λ₁: times of a product and of the whole fit."""
    from gramian import KernelPCA
    from gramian._core.operators.fused import gpu_product
    from gramian._core.operators.tiled import TiledGram
    from gramian._core.pairs import Points
    from gramian.kernels import Gaussian

    torch = torch_module()
    peak = _half_precision_rate()
    rows = []
    for n in sizes:
        for kind, kernel in (("Gaussian", None), ("composed", composed(P**0.5, P))):
            if kernel is not None and n > 2_000_000:
                continue
            X = torch.randn(n, P, device="cuda", generator=_seeded())
            KernelPCA(Q, kernel=kernel or "gaussian", tol=1e-6).fit(X[: min(n, 400_000)])
            torch.cuda.reset_peak_memory_stats()
            model = KernelPCA(Q, kernel=kernel or "gaussian", tol=1e-6)
            seconds, fit = _timed(partial(model.fit, X), 1)
            memory = torch.cuda.max_memory_allocated() / 1e9
            points = Points(X)
            fused = gpu_product(kernel or Gaussian(P**0.5), points, points)
            assert fused is not None
            V = torch.randn(n, 32, device="cuda")
            fused_s = _timed(partial(fused, V), 3 if n <= 1_000_000 else 1)[0]
            plain = None
            if n <= tiles_up_to:
                gram = TiledGram(kernel or Gaussian(P**0.5), points)
                gram.__dict__["gpu_product"] = None
                plain = _timed(partial(gram.matmul, V), 1)[0]
            operations = float(n) ** 2 * 6 * (P + 32)  # three half-precision products each
            worst = float((fit.residuals_ / fit.eigenvalues_[0]).max())
            count = fit.solver_.split("(")[-1].split(" ")[0]
            cells = [n, kind, 1e3 * fused_s, plain and 1e3 * plain, count, seconds, f"{worst:.1e}"]
            rows.append([*cells, memory, f"{operations / fused_s / peak:.0%}"])
            print(rows[-1], flush=True)
    head = ["n", "kernel", "ms a product", "plain torch tiles ms", "products", "fit s"]
    head += ["residual/λ₁", "peak GB", "of the tensor cores"]
    note = (
        f"p = {P}, isotropic data, blocks of 32 columns. A product is n²·6·(p + 32) half-precision "
        f"operations; the last column compares them with a large matrix product here, "
        f"{peak / 1e12:.0f} TFLOP/s. One program reads all points and columns, "
        f"{(4 * P + 4 * 32 + 4)} bytes a column of K for 128 rows, from the second-level cache."
    )
    return f"## Exact kernel PCA, top {Q}\n\n{note}\n\n" + table(head, rows)


def transform(n: int) -> str:
    """As many new points as training points, one fused product."""
    from gramian import KernelPCA

    torch = torch_module()
    X = torch.randn(n, P, device="cuda", generator=_seeded())
    fit = KernelPCA(Q, tol=1e-6).fit(X)
    new = X.flip(0) + 0.01
    fit.transform(new)
    seconds, _ = _timed(lambda: fit.transform(new), 2)
    return f"## transform\n\n{n} new points on {n} training points: {seconds:.2f} s"


def features(n: int = 2_000_000, p: int = 256) -> str:
    """PCA of a long table against the bare product XᵀX, and its digits at an offset."""
    from gramian import PCA

    torch = torch_module()
    X = torch.randn(n, p, device="cuda", generator=_seeded())
    raw = _timed(lambda: X.T @ X, 5)[0]
    rows = []
    for offset in (0.0, 1e4):
        Y = X + offset
        seconds, fit = _timed(partial(PCA(Q).fit, Y), 9)
        placed = _timed(partial(PCA(Q).fit_transform, Y), 9)[0]
        Z = (Y - Y[0]).double()
        Z -= Z.mean(dim=0)
        truth = torch.linalg.eigvalsh(Z.T @ Z / n).flip(0)[:Q].cpu().numpy()
        error = np.abs(fit.eigenvalues_ / truth - 1.0).max()
        del Z
        times = [1e3 * raw, 1e3 * seconds, seconds / raw, 1e3 * placed]
        rows.append([offset, *times, f"{error:.1e}"])
    head = ["offset/sd", "XᵀX ms", "PCA fit ms", "times XᵀX", "with coordinates ms"]
    head += ["error of the variances"]
    return f"## PCA of {n} × {p}, float32, top {Q}\n\n" + table(head, rows)


def fits() -> str:
    """Whole fits with their goals: best of several in a warm process, data on the device."""
    import gramian as gm

    torch = torch_module()

    def drawn(*shape: int) -> Any:
        return torch.randn(*shape, device="cuda", generator=_seeded())

    rows = []
    for name, goal, make, fit in (
        ("PCA 20,000 × 20,000, 10 axes", 1.5, lambda: drawn(20_000, 20_000), gm.PCA(Q).fit),
        ("PCA 200 × 100,000, 10 axes", 0.008, lambda: drawn(200, 100_000), gm.PCA(Q).fit),
        ("MDS, n = 2,000", 0.5, lambda: drawn(2_000, 20), gm.MDS(2, random_state=0).fit),
        (
            "gradient importance, n = 2,000",
            0.5,
            lambda: gm.KernelPCA(3).fit(drawn(2_000, 20)),
            gm.importance.gradient,
        ),
        ("kernel PCA 65,536 × 32, isotropic", None, lambda: drawn(65_536, P), _exact),
        ("kernel PCA 1,000,000 × 32, isotropic", 2.0, lambda: drawn(1_000_000, P), _exact),
        ("kernel PCA 1,000,000 × 32, a sheet", 3.0, lambda: _sheet(1_000_000), _exact),
    ):
        data = make()
        seconds, result = _timed(partial(fit, data), 3)
        solver = getattr(result, "solver_", "").rpartition("(")[2].rstrip(")")
        rows.append([name, f"{seconds:.3g}", "–" if goal is None else f"≤ {goal:g}", solver or "–"])
        print(rows[-1], flush=True)
        del data, result
        torch.cuda.empty_cache()
    note = "Best of three in a warm process. A sheet: points of three dimensions bent into 32."
    return f"## Whole fits\n\n{note}\n\n" + table(["fit", "seconds", "goal", "how"], rows)


def _exact(X: Any) -> Any:
    from gramian import KernelPCA

    return KernelPCA(Q, tol=1e-6).fit(X)


def _sheet(n: int) -> Any:
    """Return points on a sheet of three dimensions."""
    torch = torch_module()
    flat = 3.0 * torch.rand(n, 3, device="cuda", generator=_seeded())
    bent = flat @ torch.randn(3, P, device="cuda", generator=_seeded())
    return torch.sin(bent) + 0.5 * bent


def _timed(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the best time of several and the last result, the device idle at both ends."""
    torch = torch_module()
    best, result = float("inf"), None
    for trial in range(repeats + (repeats > 1)):
        torch.cuda.synchronize()
        start = time.perf_counter()
        result = call()
        torch.cuda.synchronize()
        if trial or repeats == 1:
            best = min(best, time.perf_counter() - start)
    return best, result


def _half_precision_rate(n: int = 8192) -> float:
    """Return the operations a second of a large half-precision product."""
    torch = torch_module()
    A = torch.randn(n, n, device="cuda", dtype=torch.float16)
    return 2.0 * n**3 / _timed(lambda: A @ A, 10)[0]


def _seeded() -> Any:
    torch = torch_module()
    return torch.Generator("cuda").manual_seed(0)
