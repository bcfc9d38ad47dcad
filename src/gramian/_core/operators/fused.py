"""Products, moments and projections on a GPU without temporary matrices, by Triton kernels."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec
from threading import Thread
from typing import NamedTuple, TypeAlias

from array_api_compat import is_cupy_array, is_torch_array

from gramian._core.array import Array, namespace, power_of_two, torch_module
from gramian._core.operators.symbols import Traced, Untraceable, trace
from gramian._core.pairs import MAX_ERROR_ULPS, Points
from gramian.kernels.base import Kernel
from gramian.kernels.pullback import Shifted

log = logging.getLogger("gramian")

PAD_LENGTH = 256  # lengths are padded to multiples of this: no block of the CUDA kernel is cut
MAX_COLUMNS = 128  # columns of V in one launch
HALF_MAX = 3e4  # half precision ends at 65,504
HALF_BEST_SIZE = 2.0**14  # numbers of this size have the most digits below them
SPLIT_LOSS = 4.0  # two half-precision numbers keep 22 of the 24 bits
# (rows, columns, warps, stages) of a block by the columns of V, the quickest on an H200 first; the
# next are for GPUs with less shared memory. Trying shapes out would compile each of them.
SMALLEST_SHAPE = (64, 64, 4, 2)
DOUBLE_SHAPE = (32, 64, 4, 2)  # for double precision
SHAPES = {
    32: ((128, 128, 4, 3), (128, 64, 4, 3), SMALLEST_SHAPE),
    64: ((128, 128, 8, 3), (128, 64, 4, 3), SMALLEST_SHAPE),
    128: ((128, 64, 8, 3), SMALLEST_SHAPE),
}
TILE_COLUMNS = 128  # columns of a block of the second moment
PART_ROWS = 2048  # rows that one program adds up in single precision
MIN_MOMENT_ROWS = 50_000  # from which on sums of parts in single precision are as good
MAX_MOMENT_COLUMNS = 4096  # columns from which on the second moment is a plain matrix product


def gpu_product(kernel: Kernel, A: Points, B: Points) -> FusedProduct | None:
    """Return the fused product k(A, B)·V, or None, the reason logged, where there is none."""
    try:
        return _make_product(kernel, A, B)
    except Unfused as reason:
        log.info("gramian: products in tiles, not fused: %s", reason)
        return None


class Unfused(Exception):
    """Why a product is not fused."""


def _make_product(kernel: Kernel, A: Points, B: Points) -> FusedProduct:
    X = A.X
    gpu_array(X)
    if isinstance(kernel, Shifted):
        return _make_product(kernel.kernel, kernel.map_points(A), kernel.map_points(B))
    try:
        unit = _unit(trace(kernel), B)
        double = str(X.dtype).endswith("float64")
        split = kernel.psd is True and not double  # then |k| ≤ max k(x, x)
        factor = HALF_BEST_SIZE / _largest_value(kernel, A, B) if split else 1.0
        traced = trace(kernel, unit, factor)
    except Untraceable as reason:
        raise Unfused(f"{type(kernel).__name__}: {reason}") from reason
    return FusedProduct(traced, A, B, unit, _mode(traced, A, B, unit), split, factor)


def gpu_array(X: Array) -> None:
    """Refuse what no CUDA kernel can read."""
    if not is_torch_array(X) and not is_cupy_array(X):
        raise Unfused("the rows are not on a GPU")
    if is_torch_array(X) and X.device.type != "cuda" and not is_interpreted():
        raise Unfused(f"the rows are on {X.device.type}")
    if find_spec("triton") is None:
        raise Unfused("triton is not installed")
    if str(X.dtype).rpartition(".")[2] not in ("float32", "float64"):
        raise Unfused(f"{X.dtype} is neither float32 nor float64")


def load_compiler(X: object) -> None:
    """Load Triton in a thread, beside the first steps of a fit, where rows are on a GPU.

    Its import takes 0.1 to 0.2 s, and it then reads and hashes its own 400 MB, a part of the key of
    its cache: 0.3 to 0.7 s, in which other threads run.
    """
    if is_torch_array(X) and X.device.type == "cuda" and find_spec("triton") is not None:
        _loading()


@lru_cache(maxsize=1)
def _loading() -> Thread:
    thread = Thread(target=_load, name="gramian compiler", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    from gramian._core.operators._triton import hash_compiler

    hash_compiler()


def as_torch(a: Array) -> Array:
    """Return the same memory as a torch tensor."""
    return a if is_torch_array(a) else torch_module().from_dlpack(a)


def as_library_of(T: Array, like: Array) -> Array:
    """Return the memory of a torch tensor as an array of the same library as `like`."""
    return T if is_torch_array(like) else namespace(like).from_dlpack(T)


def is_interpreted() -> bool:
    """Whether Triton runs its kernels in Python, on the CPU: slow, but the same code."""
    return os.environ.get("TRITON_INTERPRET", "0") == "1"


def _unit(traced: Traced, B: Points) -> float:
    """Return what coordinates are divided by: near the smallest scale, else the points' size."""
    scales = [scale for scale, _ in traced.radial]
    return power_of_two(min(scales)) if scales else B.unit


def _largest_value(kernel: Kernel, A: Points, B: Points) -> float:
    """Return the power of two next below the largest k(x, x)."""

    def largest(points: Points) -> float:
        d = kernel.self_similarity(points.X)
        return float(namespace(d).max(namespace(d).abs(d)))

    key = ("largest value", repr(kernel))
    sizes = [P.memoize(key, partial(largest, P)) for P in (A, B)]
    if not math.isfinite(max(sizes)):
        raise Unfused("the kernel's values overflow")
    return power_of_two(max(sizes))


def _mode(traced: Traced, A: Points, B: Points, unit: float) -> str:
    """Return how distances are made: from products, those and differences, or differences alone.

    As in `pairs`: the error of |x|² + |y|² − 2⟨x, y⟩ is bounded, and counts after the profile.
    """
    if str(A.X.dtype).endswith("float64"):
        return "direct"
    xp = namespace(A.X)
    grow = B.unit / unit  # from the points' own unit to this one
    a, b = (float(xp.max(P.norms)) * grow**2 for P in (A, B))
    if max(a, b) > HALF_MAX**2:
        return "direct"
    worst = _error(A) * (a + b)
    good = all(
        slope * worst * (unit / scale) ** 2 <= MAX_ERROR_ULPS for scale, slope in traced.radial
    )
    return "products" if good else "mended"


def _error(points: Points) -> float:
    """Return the error of a squared distance over |x|² + |y|², in units of the last place."""
    return SPLIT_LOSS * (4.0 + 0.5 * math.sqrt(points.X.shape[1]))


def _floor(traced: Traced, unit: float) -> float:
    """Return the squared distance below which no profile changes by more than its own size."""
    return min(
        ((scale / unit) ** 2 / max(slope, 1e-30) for scale, slope in traced.radial), default=0.0
    )


Shape: TypeAlias = tuple[int, int, int, int]


class Operand(NamedTuple):
    """Points as the CUDA kernel takes them."""

    length: int  # padded
    high: Array
    low: Array
    square: Array
    shift: Array
    exact: Array


@dataclass(frozen=True, eq=False)
class FusedProduct:
    """k(A, B)·V for points on a GPU, one launch for up to 128 columns."""

    traced: Traced
    A: Points
    B: Points
    unit: float
    mode: str
    split: bool
    factor: float

    def __call__(self, V: Array) -> Array:
        """Return k(A, B)·V, (m, r)."""
        torch = torch_module()
        like = V
        V = as_torch(V)
        parts = [
            self._columns(V[:, j : j + MAX_COLUMNS]) for j in range(0, V.shape[1], MAX_COLUMNS)
        ]
        out = parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)
        return as_library_of(out, like)

    def width(self, columns: int) -> int:
        """Return the number of columns that a launch for so many computes in any case."""
        return max(16, 1 << (columns - 1).bit_length())

    def _columns(self, V: Array) -> Array:
        torch = torch_module()
        width = self.width(V.shape[1])
        left, right = self._operand(self.A), self._operand(self.B)
        padded = V.new_zeros(right.length, width)
        size = V.abs().amax(dim=0).clamp_min(torch.finfo(V.dtype).tiny)
        size = torch.exp2(torch.floor(torch.log2(size)))  # powers of two: nothing is rounded
        size = size / (HALF_BEST_SIZE if self.split else 1.0)
        padded[: V.shape[0], : V.shape[1]] = V / size
        high, low = _halves(padded) if self.split else (padded, padded)
        out = V.new_empty(left.length, width)
        self._launch(self._launcher(left, right, high, low, out), width)
        return out[: len(self.A), : V.shape[1]] * (size / self.factor)

    def _launcher(
        self, left: Operand, right: Operand, high: Array, low: Array, out: Array
    ) -> Callable[[Shape], None]:
        if _loading.cache_info().currsize:
            _loading().join()
        from gramian._core.operators._triton import compile_profile, product_kernel

        torch = torch_module()
        source, constants = self.traced.source, self.traced.constants or (0.0,)
        # Numbers that are given by value arrive in single precision.
        if str(self.A.X.dtype).endswith("float64"):
            source = re.sub(r"c\[(\d+)\]", r"tl.load(c + \1)", source)
            constants = torch.tensor(constants, dtype=torch.float64, device=out.device)
        profile = compile_profile(source)
        depth = left.high.shape[1]
        chunk = min(depth, 64)

        def launch(shape: Shape) -> None:
            rows, cols, warps, stages = shape
            product_kernel[(left.length // rows,)](
                *left[1:],
                *right[1:],
                *(high, low, out, left.length, right.length, self.A.X.shape[1], self.unit**2),
                _error(self.A) / MAX_ERROR_ULPS,
                _floor(self.traced, self.unit),
                constants,
                PROFILE=profile,
                P=chunk,
                PIECES=depth // chunk,
                WIDTH=out.shape[1],
                DIRECT=self.mode == "direct",
                MEND=self.mode == "mended",
                USES_DOT=self.traced.uses_dot,
                SPLIT=self.split,
                ROWS=rows,
                COLS=cols,
                num_warps=warps,
                num_stages=stages,
            )

        return launch

    def _launch(self, launch: Callable[[Shape], None], width: int) -> None:
        """Launch with the first block shape that this GPU has the shared memory for."""
        from gramian._core.operators._triton import OutOfResources

        shapes = SHAPES[max(32, width)]
        if is_interpreted():
            shapes = (SMALLEST_SHAPE,)
        elif str(self.A.X.dtype).endswith("float64"):
            shapes = (DOUBLE_SHAPE,)
        elif width <= 32 and (self.mode == "mended" or self._is_composed):
            shapes = shapes[1:]  # registers for the differences too, or for both arguments
        for shape in shapes[:-1]:
            key = (shape, width, self.A.X.shape[1], self.mode, self.split)
            if key in _TOO_LARGE:
                continue
            try:
                return launch(shape)
            except OutOfResources as error:
                log.debug("gramian: block shape %s does not run here: %s", shape, error)
                _TOO_LARGE.add(key)
        return launch(shapes[-1])

    @property
    def _is_composed(self) -> bool:
        return self.traced.uses_dot and bool(self.traced.radial)

    def _operand(self, points: Points) -> Operand:
        key = ("fused", self.unit, self.mode, self.traced.uses_dot)
        return points.memoize(key, lambda: self._make_operand(points))

    def _make_operand(self, points: Points) -> Operand:
        """Return centred, scaled and padded points, split in two halves."""
        torch = torch_module()
        X, centre = as_torch(points.X), as_torch(points.centre)
        n, p = X.shape
        length = -(-n // PAD_LENGTH) * PAD_LENGTH
        Z = X.new_zeros(length, _depth(p))
        # Products of the points themselves are taken directly only where nothing is expanded.
        origin = centre * (0.0 if self.mode == "direct" and self.traced.uses_dot else 1.0)
        Z[:n, :p] = (X - origin) / self.unit
        square = (Z * Z).sum(dim=1)
        shift = square
        if self.traced.uses_dot:
            moved = origin if self.mode != "direct" else torch.zeros_like(centre)
            shift = (Z[:, :p] @ moved) * self.unit + 0.5 * (moved @ moved)
        exact = square if self.mode == "products" else Z[:, :p].T.contiguous()
        high, low = (Z, Z) if self.mode == "direct" else _halves(Z)
        return Operand(length, high, low, square, shift, exact)


_TOO_LARGE: set[tuple[object, ...]] = set()  # block shapes that this GPU refused


def _depth(p: int) -> int:
    """Return p padded for the tensor cores: a power of two, then multiples of 64."""
    return max(16, 1 << (p - 1).bit_length()) if p <= 64 else -(-p // 64) * 64


def _halves(Z: Array) -> tuple[Array, Array]:
    """Return two half-precision arrays whose sum is Z to 22 bits."""
    high = Z.half()
    return high, (Z - high.float()).half()


def gpu_moments(X: Array, shift: Array, unit: Array) -> tuple[Array, Array] | None:
    """Return Σ y, (p,), and Σ y·yᵀ, (p, p), in double precision, of y = (x − shift)/unit."""
    if X.shape[0] < MIN_MOMENT_ROWS or X.shape[1] > MAX_MOMENT_COLUMNS or not _usable(X):
        return None
    from gramian._core.operators._triton import add_parts, scatter_kernel

    torch = torch_module()
    T = as_torch(X)
    n, p = T.shape
    length = PART_ROWS * -(-p // 512)  # the sums of all parts take an eighth of X, or a quarter
    parts, tiles = -(-n // length), -(-p // TILE_COLUMNS)
    first = torch.empty(parts, p, dtype=torch.float32, device=T.device)
    second = torch.empty(parts, p, p, dtype=torch.float32, device=T.device)
    columns = (as_torch(shift).float(), (1.0 / as_torch(unit)).float())
    arguments = (T, *columns, first, second, n, p, length)
    # Tensor cores cut off digits as they add, always downwards: squares by fewer rows at a time.
    squares = {"DIAGONAL": True, "TILE": TILE_COLUMNS, "STEP": 32, "num_warps": 4, "num_stages": 2}
    others = {"DIAGONAL": False, "TILE": TILE_COLUMNS, "STEP": 64, "num_warps": 8, "num_stages": 3}
    scatter_kernel[(parts, tiles)](*arguments, **squares)
    if tiles > 1:
        scatter_kernel[(parts, tiles, tiles)](*arguments, **others)
    S = torch.empty(p, p, dtype=torch.float64, device=T.device)
    add_parts[(p, tiles)](second, S, parts, p, STEP=64, COLS=TILE_COLUMNS, num_warps=4)
    return as_library_of(first.sum(dim=0, dtype=torch.float64), X), as_library_of(S, X)


def gpu_projection(
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
    shape = {"ROWS": 128, "STEP": 32, "WIDTH": width, "num_warps": 4, "num_stages": 3}
    arguments = (T, *columns, axes, out, square, n, T.shape[1], q)
    project_kernel[(-(-n // 128), -(-q // width))](*arguments, **shape)
    return as_library_of(out, X), as_library_of(square, X)


def _usable(X: Array) -> bool:
    try:
        gpu_array(X)
    except Unfused as reason:
        log.info("gramian: features in blocks, not fused: %s", reason)
        return False
    return str(X.dtype).endswith("float32") and as_torch(X).is_contiguous()
