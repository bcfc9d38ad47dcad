"""The fused product K·V as a CUDA kernel: a tile of K lives on the chip and never reaches memory.

One program owns a block of rows and walks over the columns. For each tile it computes the inner
products of the points, from them the distances, from those the kernel's values (a function that was
traced from the kernel's own profile), and multiplies by V at once.

Tensor cores take half-precision numbers. A single-precision number is the sum of two of them to 22
bits, and a product of two such sums is three products on the tensor cores: as exact as single
precision, and faster than the TF32 variant of the same trick. Distances from inner products lose
digits where points are close together: a tile in which that matters is made again from differences
(`MEND`). In double precision all tiles are made that way (`DIRECT`).
"""

import linecache
from functools import lru_cache
from typing import Any

import triton
import triton.language as tl
from triton.runtime.errors import OutOfResources as OutOfResources  # a block too large for the GPU


def hash_compiler() -> None:
    """Have Triton hash its own files, as it does at the first launch; it remembers the result."""
    # Older versions have it elsewhere: they do it later, and nothing is lost.
    getattr(triton.runtime.cache, "triton_key", lambda: None)()


@lru_cache(maxsize=256)
def compile_profile(source: str) -> Any:
    """Return the traced function as one that the kernel below can call."""
    name = f"<gramian profile {abs(hash(source)):x}>"
    # The compiler reads the text of a function back from its file: this is where it looks first.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = {"tl": tl, "__name__": __name__}
    exec(compile(source, name, "exec"), scope)
    return triton.jit(scope["profile"])


@triton.jit
def product_kernel(  # type: ignore[no-untyped-def]
    A_high,
    A_low,
    A_square,
    A_shift,
    A_exact,
    B_high,
    B_low,
    B_square,
    B_shift,
    B_exact,
    V_high,
    V_low,
    OUT,
    m,
    n,
    p,
    unit2,
    least,
    floor,
    c,
    PROFILE: tl.constexpr,
    P: tl.constexpr,
    PIECES: tl.constexpr,
    WIDTH: tl.constexpr,
    DIRECT: tl.constexpr,
    MEND: tl.constexpr,
    USES_DOT: tl.constexpr,
    SPLIT: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """OUT = profile(A, B)·V; all lengths are multiples of the block sizes.

    Points are (length, P·PIECES) row by row, and `exact` ones (p, length); `square` holds |z|² and
    `shift` what turns a product of centred points into one of the points themselves. With MEND a
    tile is mended if some max(|x−y|², floor) is below `least`·(|x|² + |y|²): the profile cannot see
    an error that is small beside `floor`.
    """
    rows = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)
    k = tl.arange(0, P)
    w = tl.arange(0, WIDTH)
    dtype = OUT.dtype.element_ty
    total = tl.zeros((ROWS, WIDTH), dtype=dtype)
    missed = tl.zeros((ROWS, WIDTH), dtype=dtype)
    if PIECES == 1 and not DIRECT:
        a_high = tl.load(A_high + rows[:, None] * P + k[None, :])
        a_low = tl.load(A_low + rows[:, None] * P + k[None, :])
    if not DIRECT:
        a_square = tl.load(A_square + rows)
    if USES_DOT:
        a_shift = tl.load(A_shift + rows)
    for start in range(0, n, COLS):
        cols = (start + tl.arange(0, COLS)).to(tl.int64)
        inner = tl.zeros((ROWS, COLS), dtype=dtype)
        d2 = tl.zeros((ROWS, COLS), dtype=dtype)
        if DIRECT:
            for j in range(p):
                x = tl.load(A_exact + j * m + rows)[:, None]
                y = tl.load(B_exact + j * n + cols)[None, :]
                d2 += (x - y) * (x - y)
                if USES_DOT:
                    inner += x * y
        else:
            for piece in tl.static_range(PIECES):
                at = cols[None, :] * (P * PIECES) + (piece * P + k)[:, None]
                b_high = tl.load(B_high + at)
                b_low = tl.load(B_low + at)
                if PIECES > 1:
                    here = rows[:, None] * (P * PIECES) + (piece * P + k)[None, :]
                    a_high = tl.load(A_high + here)
                    a_low = tl.load(A_low + here)
                inner = tl.dot(a_low, b_high, inner)
                inner = tl.dot(a_high, b_low, inner)
                inner = tl.dot(a_high, b_high, inner)
            b_square = tl.load(B_square + cols)
            d2 = a_square[:, None] + (b_square[None, :] - 2.0 * inner)
            if MEND:
                size = a_square[:, None] + b_square[None, :]
                if tl.min(tl.maximum(d2, floor) - least * size) < 0:
                    d2 = tl.zeros((ROWS, COLS), dtype=dtype)
                    for j in range(p):
                        x = tl.load(A_exact + j * m + rows)[:, None]
                        y = tl.load(B_exact + j * n + cols)[None, :]
                        d2 += (x - y) * (x - y)
        dot = inner
        if USES_DOT:
            dot = inner * unit2 + (a_shift[:, None] + tl.load(B_shift + cols)[None, :])
        K = PROFILE(d2, dot, c)
        at = cols[:, None] * WIDTH + w[None, :]
        v_high = tl.load(V_high + at)
        if SPLIT:
            v_low = tl.load(V_low + at)
            high = K.to(tl.float16)
            low = (K - high.to(tl.float32)).to(tl.float16)
            part = tl.dot(low, v_high)
            part = tl.dot(high, v_low, part)
            part = tl.dot(high, v_high, part)
        elif dtype == tl.float64:
            part = tl.dot(K, v_high, out_dtype=tl.float64)
        else:
            part = tl.dot(K, v_high, input_precision="tf32x3")
        # Kahan's sum: thousands of tiles are added up in single precision.
        part -= missed
        new = total + part
        missed = (new - total) - part
        total = new
    tl.store(OUT + rows[:, None] * WIDTH + w[None, :], total)


@triton.jit
def _scale_halves(X, rows, live, columns, inside, shift, inverse, p):  # type: ignore[no-untyped-def]
    """Rows of y = (x − shift)·inverse and two half-precision numbers that sum up to each."""
    at = rows[:, None] * p + columns[None, :]
    y = tl.load(X + at, mask=live[:, None] & inside[None, :], other=0.0)
    y = tl.where(live[:, None], (y - shift[None, :]) * inverse[None, :], 0.0)
    high = y.to(tl.float16)
    return y, high, (y - high.to(tl.float32)).to(tl.float16)


@triton.jit
def scatter_kernel(  # type: ignore[no-untyped-def]
    X,
    shift,
    inverse,
    FIRST,
    SECOND,
    n,
    p,
    length,
    DIAGONAL: tl.constexpr,
    TILE: tl.constexpr,
    STEP: tl.constexpr,
):
    """Σ y·yᵀ over rows of y = (x − shift)·inverse, a tile of columns times itself or a later one.

    Each program takes `length` rows and writes sums of its own, which `add_parts` then adds in
    double precision. A tile times itself needs one reading and two products of halves, not three:
    highᵀ·(high + 2·low) is what is wanted once it is made symmetric. These also write Σ y.
    """
    part = tl.program_id(0)
    i = tl.program_id(1)
    j = i if DIAGONAL else tl.program_id(2)
    if not DIAGONAL and i >= j:
        return
    left, right = i * TILE + tl.arange(0, TILE), j * TILE + tl.arange(0, TILE)
    here, there = left < p, right < p
    shift_left = tl.load(shift + left, mask=here, other=0.0)
    shift_right = tl.load(shift + right, mask=there, other=0.0)
    scale_left = tl.load(inverse + left, mask=here, other=0.0)
    scale_right = tl.load(inverse + right, mask=there, other=0.0)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    first = tl.zeros((TILE,), dtype=tl.float32)
    for start in range(part * length, min(n, (part + 1) * length), STEP):
        rows = (start + tl.arange(0, STEP)).to(tl.int64)
        live = rows < n
        a, a_high, a_low = _scale_halves(X, rows, live, left, here, shift_left, scale_left, p)
        if DIAGONAL:
            first += tl.sum(a, axis=0)
            product = tl.dot(tl.trans(a_high), a_low + a_low)
            product = tl.dot(tl.trans(a_high), a_high, product)
        else:
            _, b_high, b_low = _scale_halves(
                X, rows, live, right, there, shift_right, scale_right, p
            )
            product = tl.dot(tl.trans(a_low), b_high)
            product = tl.dot(tl.trans(a_high), b_low, product)
            product = tl.dot(tl.trans(a_high), b_high, product)
        total += product
    if DIAGONAL:
        tl.store(FIRST + part * p + left, first, mask=here)
        total = 0.5 * (total + tl.trans(total))
    at = left.to(tl.int64)[:, None] * p + right[None, :]
    tl.store(SECOND + part.to(tl.int64) * p * p + at, total, mask=here[:, None] & there[None, :])


@triton.jit
def add_parts(SECOND, OUT, parts, p, STEP: tl.constexpr, COLS: tl.constexpr):  # type: ignore[no-untyped-def]
    """OUT, (p, p), is the sum in double precision of matrices whose upper triangles are given."""
    row = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * COLS + tl.arange(0, COLS)
    upper = (columns >= row) & (columns < p)
    total = tl.zeros((COLS,), dtype=tl.float64)
    for start in range(0, parts, STEP):
        part = (start + tl.arange(0, STEP)).to(tl.int64)
        at = part[:, None] * p * p + row * p + columns[None, :]
        some = tl.load(SECOND + at, mask=(part < parts)[:, None] & upper[None, :], other=0.0)
        total += tl.sum(some.to(tl.float64), axis=0)
    tl.store(OUT + row * p + columns, total, mask=upper)
    tl.store(OUT + columns.to(tl.int64) * p + row, total, mask=upper)


@triton.jit
def project_kernel(  # type: ignore[no-untyped-def]
    X,
    shift,
    rest,
    factor,
    V,
    OUT,
    SQUARE,
    n,
    p,
    q,
    ROWS: tl.constexpr,
    STEP: tl.constexpr,
    WIDTH: tl.constexpr,
):
    """OUT = f·V and SQUARE = |f|² for features f = ((x − shift) − rest)·factor."""
    rows = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)
    columns = tl.program_id(1) * WIDTH + tl.arange(0, WIDTH)
    live = rows < n
    total = tl.zeros((ROWS, WIDTH), dtype=tl.float32)
    square = tl.zeros((ROWS,), dtype=tl.float32)
    for start in range(0, p, STEP):
        k = start + tl.arange(0, STEP)
        inside = k < p
        x = tl.load(
            X + rows[:, None] * p + k[None, :], mask=live[:, None] & inside[None, :], other=0.0
        )
        x -= tl.load(shift + k, mask=inside, other=0.0)[None, :]
        x -= tl.load(rest + k, mask=inside, other=0.0)[None, :]
        x *= tl.load(factor + k, mask=inside, other=0.0)[None, :]
        v = tl.load(
            V + k[:, None] * q + columns[None, :],
            mask=inside[:, None] & (columns < q)[None, :],
            other=0.0,
        )
        total += tl.dot(x, v, input_precision="tf32x3")
        square += tl.sum(x * x, axis=1)
    at = rows[:, None] * q + columns[None, :]
    tl.store(OUT + at, total, mask=live[:, None] & (columns < q)[None, :])
    if tl.program_id(1) == 0:
        tl.store(SQUARE + rows, square, mask=live)
