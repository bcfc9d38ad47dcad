"""Kernel PCA of a million points of many shapes on a GPU: the section "shapes" of `gpu_check`.

Every row is a process of its own. "First" is the time from the start of the process to the end of
its first fit, imports included: "cold" with an empty compiler cache, "cached" with the cache that
an earlier process filled. "Second" is the next fit of the same process, and "launches" the time of
its products alone, which is its floor with this kernel. Bytecode is compiled beforehand, as that of
an installed package is.
"""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

P = 32
ROWS = [  # points, axes, seed, goal in seconds
    ("isotropic", 10, 0, "2.5"),
    ("isotropic", 10, 1, "2.5"),
    ("clusters", 10, 2, "–"),
    ("clusters", 50, 3, "7"),
    ("subspace", 10, 4, "3.8"),
    ("roll", 10, 5, "–"),
    ("heavy tails", 10, 6, "3.6"),
    ("duplicates", 10, 7, "–"),
    ("grid", 10, 8, "–"),
]


def draw(family: str, n: int, seed: int) -> Any:
    """Return n points in 32 dimensions, float32 on the GPU."""
    import torch

    generator = torch.Generator("cuda").manual_seed(seed)

    def normal(*shape: int) -> Any:
        return torch.randn(*shape, device="cuda", generator=generator)

    def uniform(*shape: int) -> Any:
        return torch.rand(*shape, device="cuda", generator=generator)

    if family == "isotropic":
        return normal(n, P)
    if family == "clusters":
        centres = 4.0 * normal(20, P)
        return centres[(20 * uniform(n)).long()] + normal(n, P)
    if family == "subspace":
        return normal(n, 3) @ normal(3, P) + 0.05 * normal(n, P)
    if family == "roll":
        angle = 4.7 + 9.4 * uniform(n)
        parts = [angle * angle.cos(), 20.0 * uniform(n), angle * angle.sin()]
        rolled = torch.stack(parts, dim=1)
        return rolled @ normal(3, P) + 0.1 * normal(n, P)
    if family == "heavy tails":  # Student's t with three degrees of freedom
        return normal(n, P) / (sum(normal(n, P) ** 2 for _ in range(3)) / 3.0).sqrt()
    if family == "duplicates":
        return normal(n // 10, P)[(n // 10 * uniform(n)).long()]
    if family == "grid":
        return (4.0 * uniform(n, P)).floor()
    raise ValueError(family)


def one(family: str, q: int, n: int, seed: int, start: float) -> dict[str, Any]:
    """Fit twice in this process, and a third time with a clock around each product."""
    import torch

    seconds = {"torch": time.time() - start}
    X = draw(family, n, seed)
    torch.cuda.synchronize()
    seconds["data"] = time.time() - start
    import gramian as gm

    seconds["gramian"] = time.time() - start
    model = gm.KernelPCA(q, tol=1e-6)
    fit = model.fit(X)
    torch.cuda.synchronize()
    seconds["first"] = time.time() - start
    again = time.time()
    fit = gm.KernelPCA(q, tol=1e-6).fit(X)
    torch.cuda.synchronize()
    seconds["second"] = time.time() - again
    launches = watch(lambda: gm.KernelPCA(q, tol=1e-6).fit(X))
    residual = float((fit.residuals_ / fit.eigenvalues_[0]).max())
    known = fit.certificate_
    return seconds | {
        "residual": residual,
        "complete": bool(known.complete),
        "solver": fit.solver_,
        "launches": launches,
    }


def watch(call: Any) -> list[tuple[int, int, str, float]]:
    """Return (rows, columns, mode, seconds) of each launch of a product."""
    import torch

    from gramian._core.operators.fused import FusedProduct

    found: list[tuple[int, int, str, float]] = []
    plain = FusedProduct._columns

    def timed(self: Any, V: Any) -> Any:
        torch.cuda.synchronize()
        begin = time.perf_counter()
        out = plain(self, V)
        torch.cuda.synchronize()
        spent = time.perf_counter() - begin
        found.append((len(self.A), V.shape[1], self.mode, round(spent, 4)))
        return out

    FusedProduct._columns = timed  # type: ignore[method-assign]
    begin = time.perf_counter()
    try:
        call()
    finally:
        FusedProduct._columns = plain  # type: ignore[method-assign]
    torch.cuda.synchronize()
    found.append((0, 0, "whole fit", round(time.perf_counter() - begin, 4)))
    return found


def fresh(cache: str, *row: Any) -> dict[str, Any]:
    """Run one row in a process of its own."""
    family, q, n, seed = map(str, row)
    command = [sys.executable, "-m", "benchmarks.gpu_shapes", family, q, seed, n, str(time.time())]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"TRITON_CACHE_DIR": cache}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"failed": done.stderr[-1500:]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def shapes(n: int) -> str:
    """Return the table of n points of every shape."""
    compileall.compile_dir("src", quiet=2)
    head = ["points", "axes", "seed", "first, cold", "first, cached", "import torch, data"]
    head += ["imports", "second", "goal", "launches", "how", "residual/λ₁", "complete"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for k, (family, q, seed, goal) in enumerate(ROWS):
        with tempfile.TemporaryDirectory() as cache:
            cold = fresh(cache, family, q, n, seed) if k in (0, 3) else {}
            shared = cache if cold else os.path.join(tempfile.gettempdir(), "gramian-cache")
            warm = fresh(shared, family, q, n, seed)
        if "failed" in warm or "failed" in cold:
            lines.append(f"| {family} | failed: {(cold | warm)['failed'][-200:]!r} |")
            continue
        first = f"{cold['first']:.2f}" if cold else "–"
        alone = sum(each[3] for each in warm["launches"][:-1])
        cells = [family, q, seed, first, f"{warm['first']:.2f}", f"{warm['data']:.2f}"]
        cells += [f"{warm['gramian'] - warm['data']:.2f}", f"{warm['second']:.2f}", goal]
        cells += [f"{alone:.2f}", warm["solver"].rpartition("(")[2].rstrip(")")]
        cells += [f"{warm['residual']:.1e}", warm["complete"]]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        print(lines[-1], warm["launches"], flush=True)
    return "## A million points of seven shapes\n\n" + "\n".join(lines)


if __name__ == "__main__":
    family, q, seed, n = sys.argv[1:5]
    print(json.dumps(one(family, int(q), int(n), int(seed), float(sys.argv[5]))))
