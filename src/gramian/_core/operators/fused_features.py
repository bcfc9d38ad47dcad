"""Moments and projections of a table on a GPU in one reading of it, single precision."""

from __future__ import annotations

from typing import Any

from gramian._core.array import Array, torch_module
from gramian._core.operators.fused import Unfused, as_library_of, as_torch, gpu_array, log

TILE = 128  # columns of a block of the second moment
PART = 2048  # rows that one program adds up in single precision
LONG = 50_000  # rows from which on single-precision sums of parts are as good as double ones
WIDE = 4096  # columns from which on the second moment is a plain matrix product


def fused_moments(X: Array, shift: Array, unit: Array) -> tuple[Array, Array] | None:
    """Return Σ y, (p,), and Σ y·yᵀ, (p, p), in double precision, of y = (x − shift)/unit."""
    if X.shape[0] < LONG or X.shape[1] > WIDE or not _usable(X):
        return None
    from gramian._core.operators._triton import add_parts, scatter_kernel

    torch = torch_module()
    T = as_torch(X)
    n, p = T.shape
    length = PART * -(-p // 512)  # the sums of all parts take an eighth of X, or a quarter
    parts, tiles = -(-n // length), -(-p // TILE)
    first = torch.empty(parts, p, dtype=torch.float32, device=T.device)
    second = torch.empty(parts, p, p, dtype=torch.float32, device=T.device)
    columns = (as_torch(shift).float(), (1.0 / as_torch(unit)).float())
    arguments = (T, *columns, first, second, n, p, length)
    # Tensor cores cut off digits as they add, always downwards: squares by fewer rows at a time.
    squares = {"DIAGONAL": True, "TILE": TILE, "STEP": 32, "num_warps": 4, "num_stages": 2}
    others = {"DIAGONAL": False, "TILE": TILE, "STEP": 64, "num_warps": 8, "num_stages": 3}
    scatter_kernel[(parts, tiles)](*arguments, **squares)
    if tiles > 1:
        scatter_kernel[(parts, tiles, tiles)](*arguments, **others)
    S = torch.empty(p, p, dtype=torch.float64, device=T.device)
    add_parts[(p, tiles)](second, S, parts, p, STEP=64, COLS=TILE, num_warps=4)
    return as_library_of(first.sum(dim=0, dtype=torch.float64), X), as_library_of(S, X)


def fused_projection(
    X: Array, shift: Array, rest: Array, factor: Array, V: Array
) -> tuple[Array, Array] | None:
    """Return f·V, (n, q), and |f|², (n,), of features f = ((x − shift) − rest)·factor."""
    if not _usable(X):
        return None
    from gramian._core.operators._triton import project_kernel

    torch = torch_module()
    T = as_torch(X)
    columns = [as_torch(a).float().contiguous() for a in (shift, rest, factor)]
    if not all(bool(torch.isfinite(c).all()) for c in columns):
        return None
    axes = as_torch(V).float().contiguous()
    n, q = T.shape[0], axes.shape[1]
    width = min(64, max(16, 1 << (q - 1).bit_length()))
    out = torch.empty(n, q, dtype=torch.float32, device=T.device)
    square = torch.empty(n, dtype=torch.float32, device=T.device)
    project_kernel[(-(-n // 128), -(-q // width))](
        T,
        *columns,
        axes,
        out,
        square,
        n,
        T.shape[1],
        q,
        ROWS=128,
        STEP=32,
        WIDTH=width,
        num_warps=4,
        num_stages=3,
    )
    return as_library_of(out, X), as_library_of(square, X)


def _usable(X: Any) -> bool:
    try:
        gpu_array(X)
    except Unfused as reason:
        log.info("gramian: features in blocks, not fused: %s", reason)
        return False
    return str(X.dtype).endswith("float32") and as_torch(X).is_contiguous()
