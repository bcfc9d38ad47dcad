"""The pass over all pairs on an accelerator, for several configurations at once."""

from __future__ import annotations

from collections.abc import Callable

from gramian._array import Array, as_doubles, namespace
from gramian._blocks import row_blocks
from gramian.operators.fused import Unfused, as_library_of, as_torch, gpu_array, log
from gramian.stress.problem import Problem

__all__ = ["fused_pass", "step_on", "tiled_pass"]

_ENTRIES = 1 << 24  # of a tile: 134 MB
ROWS, COLS, WARPS = 16, 128, 4  # of a block of the fused pass

Pass = Callable[[Array, Array], tuple[Array, Array]]


def step_on(problem: Problem, like: Array) -> Callable[[Array], tuple[Array, Array]]:
    """Return X (S, n, q) ↦ σ(X) (S,) and Guttman's transforms of X, where the array `like` is."""
    target = as_doubles(problem.square_target, like)
    over_pairs = _pass_for(target)

    def step(X: Array) -> tuple[Array, Array]:
        numerator, raw = over_pairs(target, X)
        return raw / problem.total, numerator / problem.n

    return step


def _pass_for(target: Array) -> Pass:
    try:
        gpu_array(target)
    except Unfused as reason:
        log.info("gramian: steps in tiles, not fused: %s", reason)
        return tiled_pass
    return fused_pass


def tiled_pass(target: Array, X: Array) -> tuple[Array, Array]:
    """Return Σ_j δ/d·(x_i − x_j), (S, n, q), and Σ_{i<j} (δ − d)², (S,).

    Parameters
    ----------
    target : array (n, n)
    X : array (S, n, q)
    """
    xp = namespace(X)
    S, n, q = X.shape
    parts, raw = [], 0.0
    for rows in row_blocks(n, max(1, _ENTRIES // (S * n))):
        A = X[:, rows, :]
        square = 0.0
        for k in range(q):
            square = square + (A[:, :, k, None] - X[:, None, :, k]) ** 2
        d = xp.sqrt(square)
        t = target[rows, :][None, ...]
        raw = raw + xp.sum((t - d) ** 2, axis=(1, 2))
        ratio = xp.where(d > 0, t / xp.where(d > 0, d, xp.ones_like(d)), xp.zeros_like(d))
        parts.append(xp.sum(ratio, axis=2)[..., None] * A - ratio @ X)
    return xp.concat(parts, axis=1), 0.5 * raw


def fused_pass(target: Array, X: Array) -> tuple[Array, Array]:
    """Return the same in one launch: no distance reaches memory."""
    from gramian.stress._triton import pass_kernel

    T, points = as_torch(target), as_torch(X).contiguous()
    S, n, q = points.shape
    blocks = -(-n // ROWS)
    out = points.new_empty(S, n, q)
    raw = points.new_empty(S, blocks)
    width = 1 << (q - 1).bit_length()
    shape = {"Q": q, "WIDTH": width, "ROWS": ROWS, "COLS": COLS, "num_warps": WARPS}
    pass_kernel[(blocks, S)](T, points, out, raw, n, **shape)
    return as_library_of(out, X), as_library_of(raw.sum(dim=1), X)
