"""A step of stress scaling as two CUDA kernels: the pass over all pairs, and what comes of it.

`majorise` has the same step for one start, on the host.
"""

import triton
import triton.language as tl

# What STATE holds of each start.
LOSS, MOVING, ACCEPTED, PLAIN, CONVERGED, COUNT, FIELDS = (tl.constexpr(k) for k in range(7))


@triton.jit
def pass_kernel(  # type: ignore[no-untyped-def]
    TARGET,
    X,
    STATE,
    OUT,
    RAW,
    n,
    Q: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLS: tl.constexpr,
):
    """OUT = Σ_j δ/d·(x_i − x_j)/n for a block of rows, and RAW = Σ (δ − d)²/2 over its pairs."""
    # X and OUT are (S, n, Q). Every pair is met from both of its ends, so that nothing is shared
    # between programs and sums are the same in every run.
    block, s = tl.program_id(0), tl.program_id(1)
    if tl.load(STATE + s * FIELDS + MOVING) == 0.0:
        return
    first = s.to(tl.int64) * n * Q
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
            x = tl.load(X + first + rows * Q + k, mask=live, other=0.0)
            y = tl.load(X + first + cols * Q + k, mask=there, other=0.0)
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
            x = tl.load(X + first + rows * Q + k, mask=live, other=0.0)
            y = tl.load(X + first + cols * Q + k, mask=there, other=0.0)
            pull = tl.sum(ratio * (x[:, None] - y[None, :]), axis=1)
            total += tl.where(axis[None, :] == k, pull[:, None], 0.0)
    at = first + rows[:, None] * Q + axis[None, :]
    tl.store(OUT + at, total / n, mask=live[:, None] & (axis < Q)[None, :])
    tl.store(RAW + s * tl.num_programs(0) + block, 0.5 * tl.sum(rest))


@triton.jit
def _solve(G, b, SIZE: tl.constexpr):  # type: ignore[no-untyped-def]
    """G⁻¹b by elimination; G is positive definite, so that no row need be exchanged."""
    i = tl.arange(0, SIZE)
    for k in tl.static_range(SIZE):
        row = tl.sum(tl.where(i[:, None] == k, G, 0.0), axis=0)
        column = tl.sum(tl.where(i[None, :] == k, G, 0.0), axis=1)
        pivot = tl.sum(tl.where(i == k, row, 0.0))
        factor = tl.where(i == k, 0.0, column / pivot)
        G -= factor[:, None] * row[None, :]
        b -= factor * tl.sum(tl.where(i == k, b, 0.0))
    return b / tl.sum(tl.where(i[:, None] == i[None, :], G, 0.0), axis=1)


@triton.jit(do_not_specialize=["turn", "is_last"])
def advance_kernel(  # type: ignore[no-untyped-def]
    NEW,
    RAW,
    X,
    Z,
    F,
    GUESS,
    DZ,
    DF,
    GRAM,
    STATE,
    SEEN,
    LIMITS,
    m,
    parts,
    turn,
    is_last,
    MEMORY: tl.constexpr,
    SIZE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Take the step of one start from GUESS to NEW, or refuse it, and extrapolate the next GUESS.

    X, Z, F = Z − X, GUESS and NEW are (S, m), DZ and DF (S, MEMORY, m) the last differences of Z
    and F in turn, GRAM (S, SIZE, SIZE) the products of those of F. SEEN (turns, S, 3) is written
    to: the loss, whether the step was taken, whether the start still moved.
    """
    s = tl.program_id(0)
    state = STATE + s * FIELDS
    seen = SEEN + (turn * tl.num_programs(0) + s) * 3
    moving = tl.load(state + MOVING)
    tl.store(seen + 2, moving)
    tl.store(seen + 1, 0.0)
    if moving == 0.0:
        return
    first = s.to(tl.int64) * m
    step = tl.arange(0, BLOCK)
    raw = tl.zeros((BLOCK,), dtype=tl.float64)
    for start in range(0, parts, BLOCK):
        at = start + step
        raw += tl.load(RAW + s * parts + at, mask=at < parts, other=0.0)
    loss = tl.sum(raw) / tl.load(LIMITS)
    old_loss = tl.load(state + LOSS)
    if (
        tl.where(loss <= old_loss, 1.0, tl.load(state + PLAIN)) == 0.0
    ):  # refused: the plain step is tried, without a past
        for start in range(0, m, BLOCK):
            at = start + step
            inside = at < m
            tl.store(GUESS + first + at, tl.load(Z + first + at, mask=inside), mask=inside)
        tl.store(seen, old_loss)
        tl.store(state + ACCEPTED, 0.0)
        tl.store(state + PLAIN, 1.0)
        tl.store(state + COUNT, 0.0)
        return
    has_past = tl.load(state + ACCEPTED)
    count = tl.load(state + COUNT).to(tl.int32)
    here = count % MEMORY
    moved = tl.zeros((BLOCK,), dtype=tl.float64)
    size = tl.zeros((BLOCK,), dtype=tl.float64)
    for start in range(0, m, BLOCK):
        at = start + step
        inside = at < m
        x = tl.load(GUESS + first + at, mask=inside, other=0.0)
        z = tl.load(NEW + first + at, mask=inside, other=0.0)
        f = z - x
        row = first * MEMORY + here * m + at
        dz = z - tl.load(Z + first + at, mask=inside, other=0.0)
        df = f - tl.load(F + first + at, mask=inside, other=0.0)
        if has_past > 0.0:
            tl.store(DZ + row, dz, mask=inside)
            tl.store(DF + row, df, mask=inside)
        tl.store(X + first + at, x, mask=inside)
        tl.store(Z + first + at, z, mask=inside)
        tl.store(F + first + at, f, mask=inside)
        tl.store(GUESS + first + at, z, mask=inside)
        moved += f * f
        size += x * x
    stands = (tl.sum(moved) <= tl.load(LIMITS + 1) * tl.sum(size)) | (loss <= tl.load(LIMITS + 2))
    tl.store(seen, loss)
    tl.store(seen + 1, 1.0)
    tl.store(state + LOSS, loss)
    tl.store(state + ACCEPTED, 1.0)
    tl.store(state + CONVERGED, stands.to(tl.float64))
    if stands | (is_last > 0):
        tl.store(state + MOVING, 0.0)
        return
    if has_past == 0.0:
        tl.store(state + PLAIN, 1.0)
        return
    tl.store(state + PLAIN, 0.0)
    tl.store(state + COUNT, (count + 1).to(tl.float64))
    tl.debug_barrier()  # rows written above are read by other threads below
    k = tl.arange(0, SIZE)
    known = (k <= count) & (k < MEMORY)
    products = tl.zeros((SIZE, BLOCK), dtype=tl.float64)
    pulls = tl.zeros((SIZE, BLOCK), dtype=tl.float64)
    past = first * MEMORY + k[:, None].to(tl.int64) * m
    for start in range(0, m, BLOCK):
        at = start + step
        inside = at < m
        dF = tl.load(DF + past + at[None, :], mask=known[:, None] & inside[None, :], other=0.0)
        df = tl.load(DF + first * MEMORY + here * m + at, mask=inside, other=0.0)
        products += dF * df[None, :]
        pulls += dF * tl.load(F + first + at, mask=inside, other=0.0)[None, :]
    new = tl.sum(products, axis=1)
    cell = GRAM + s * SIZE * SIZE + k[:, None] * SIZE + k[None, :]
    G = tl.load(cell, mask=known[:, None] & known[None, :], other=0.0)
    G = tl.where(k[:, None] == here, new[None, :], G)
    G = tl.where(k[None, :] == here, new[:, None], G)
    tl.store(cell, G)
    diagonal = k[:, None] == k[None, :]
    trace = tl.sum(tl.where(diagonal, G, 0.0))
    G += tl.where(diagonal, tl.load(LIMITS + 3) * trace + tl.load(LIMITS + 4), 0.0)
    weights = _solve(G, tl.sum(pulls, axis=1), SIZE)
    for start in range(0, m, BLOCK):
        at = start + step
        inside = at < m
        dZ = tl.load(DZ + past + at[None, :], mask=known[:, None] & inside[None, :], other=0.0)
        z = tl.load(Z + first + at, mask=inside, other=0.0)
        tl.store(GUESS + first + at, z - tl.sum(weights[:, None] * dZ, axis=0), mask=inside)
