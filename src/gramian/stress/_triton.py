"""The pass over all pairs of stress scaling as a CUDA kernel."""

from __future__ import annotations

import triton
import triton.language as tl

__all__ = ["pass_kernel"]


@triton.jit
def pass_kernel(  # type: ignore[no-untyped-def]
    TARGET,
    X,
    OUT,
    RAW,
    n,
    Q: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """OUT = Σ_j δ/d·(x_i − x_j) for a block of rows, and RAW = Σ (δ − d)²/2 over its pairs.

    X and OUT are (S, n, Q); every pair is met from both of its ends, so that nothing is shared
    between programs and sums are the same in every run.
    """
    block = tl.program_id(0)
    points = X + tl.program_id(1).to(tl.int64) * n * Q
    rows = (block * ROWS + tl.arange(0, ROWS)).to(tl.int64)
    live = rows < n
    axis = tl.arange(0, WIDTH)
    total = tl.zeros((ROWS, WIDTH), dtype=tl.float64)
    rest = tl.zeros((ROWS, COLS), dtype=tl.float64)
    for start in range(0, n, COLS):
        cols = start + tl.arange(0, COLS)
        there = cols < n
        square = tl.zeros((ROWS, COLS), dtype=tl.float64)
        for k in tl.static_range(Q):
            x = tl.load(points + rows * Q + k, mask=live, other=0.0)
            y = tl.load(points + cols * Q + k, mask=there, other=0.0)
            u = x[:, None] - y[None, :]
            square += u * u
        both = live[:, None] & there[None, :]
        target = tl.load(TARGET + rows[:, None] * n + cols[None, :], mask=both, other=0.0)
        # One function gives both d = square·inverse and δ/d: a root and a division take twice it.
        inverse = tl.where(both & (square > 0.0), tl.rsqrt(square), 0.0)
        gap = target - square * inverse
        rest += gap * gap
        ratio = target * inverse
        for k in tl.static_range(Q):
            x = tl.load(points + rows * Q + k, mask=live, other=0.0)
            y = tl.load(points + cols * Q + k, mask=there, other=0.0)
            pull = tl.sum(ratio * (x[:, None] - y[None, :]), axis=1)
            total += tl.where(axis[None, :] == k, pull[:, None], 0.0)
    at = tl.program_id(1).to(tl.int64) * n * Q + rows[:, None] * Q + axis[None, :]
    tl.store(OUT + at, total, mask=live[:, None] & (axis < Q)[None, :])
    tl.store(RAW + tl.program_id(1) * tl.num_programs(0) + block, 0.5 * tl.sum(rest))
