"""Arrays of any library behind one set of names: NumPy, torch, CuPy."""

import math
from functools import lru_cache
from types import ModuleType
from typing import Any, TypeAlias

import array_api_compat
import array_api_compat.numpy as numpy_namespace
import numpy as np
import numpy.typing as npt
from array_api_compat import array_namespace, is_cupy_array, is_numpy_array, is_torch_array
from scipy import sparse
from scipy.linalg import lapack

from gramian._core.check import invalid, text
from gramian._core.compiled import has_numba
from gramian.errors import MissingExtraError

device_of = array_api_compat.device
# The static type of "an array of some library" is not expressible; Array marks the places.
Array: TypeAlias = Any
# Rows of a table: a dense array, a CSR matrix or a sequence of objects that a kernel compares.
Values: TypeAlias = Any
Namespace: TypeAlias = Any

_STRIP_COLUMNS = 64  # columns mirrored at a time
_MIN_TALL_ROWS = 4096  # rows from which on QR takes longer than products
_MIN_OUTSIDE_SHARE = 0.01  # of a column's length that must be outside the others
MIN_COMPILED_SIZE = 300_000  # entries from which on compiled loops are worth their import


# The three questions below are asked a hundred times a fit: plain arrays are known by their type.
def is_sparse(a: object) -> bool:
    return type(a) is not np.ndarray and sparse.issparse(a)


def is_numpy(a: object) -> bool:
    return type(a) is np.ndarray or is_numpy_array(a)


def is_array(a: object) -> bool:
    """Whether `a` is a dense array of a supported library."""
    if type(a) is np.ndarray:
        return True
    try:
        array_namespace(a)
    except TypeError:
        return False
    return True


def is_accelerated(a: object) -> bool:
    """Whether `a` is an array on another device than the processor, one that knows doubles."""
    if is_numpy(a) or not is_array(a):
        return False
    device = str(device_of(a)).lower()
    return "cpu" not in device and "mps" not in device


def namespace(*arrays: Array) -> Namespace:
    """Return the array-API namespace of the arrays (sparse matrices count as NumPy)."""
    if len(arrays) == 1 and type(arrays[0]) is np.ndarray:
        return numpy_namespace
    return array_namespace(*(a.data if is_sparse(a) else a for a in arrays))


def is_finite(a: Array, *, nan: bool = False) -> bool:
    """Whether an array has no infinity, and no NaN where it must not."""
    xp = namespace(a)
    with np.errstate(over="ignore", invalid="ignore"):
        # The sum of finite numbers is finite or overflows: only then a second look is worth it.
        if bool(xp.isfinite(xp.sum(a))):
            return True
    good = xp.isfinite(a)
    return bool(xp.all(good | xp.isnan(a) if nan else good))


def writes_at_positions(a: Array) -> bool:
    """Whether entries can be assigned at arrays of positions, which the array API leaves open."""
    return is_numpy(a) or is_torch_array(a) or is_cupy_array(a)


def slice_rows(X: Values, rows: slice) -> Values:
    """Return a slice of the rows of an array, of a sparse matrix or of a sequence of objects.

    The array API wants every axis named, which sequences cannot do.
    """
    return X[rows, ...] if is_array(X) else X[rows]


def take(a: Array, positions: Array, axis: int) -> Array:
    """Return the rows (axis 0) or columns (axis 1) at some positions, a NumPy or a like array."""
    index = positions
    if not is_numpy(a):
        index = namespace(a).asarray(positions, device=device_of(a))
    if writes_at_positions(a):
        return a[index, ...] if axis == 0 else a[:, index]
    return namespace(a).take(a, index, axis=axis)


@lru_cache(maxsize=16)
def eps(dtype: npt.DTypeLike, xp: Namespace = np) -> float:
    return float(xp.finfo(dtype).eps)


def to_dense(rows: Values) -> np.ndarray:
    """Return rows as one NumPy array, those of a sparse matrix with their zeros."""
    return np.asarray(rows.toarray()) if is_sparse(rows) else to_numpy(rows)


def to_numpy(a: Array) -> np.ndarray:
    """Return a NumPy view or copy of an array on any device."""
    if is_numpy(a):
        return a
    if hasattr(a, "detach"):
        a = a.detach().cpu().resolve_conj().resolve_neg()
    elif hasattr(a, "get"):
        return a.get()
    try:
        return np.asarray(a)
    except RuntimeError:  # it lives on a device, which only an explicit copy leaves
        return np.from_dlpack(a, device="cpu", copy=True)


def as_kind(a: np.ndarray, like: Array) -> Array:
    """Return `a` as an array of the same library, device and precision as `like`."""
    if is_numpy(like) or is_sparse(like):
        return np.asarray(a, dtype=like.dtype)
    xp = namespace(like)
    # A copy in plain order: torch takes no negative strides.
    return xp.asarray(np.ascontiguousarray(a), dtype=like.dtype, device=device_of(like))


def standard_normal(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    like: Array,
    dtype: type[np.float32] | type[np.float64] = np.float64,
) -> Array:
    """Return normal draws of the same kind as `like`; torch makes those of a GPU there."""
    if is_torch_array(like) and is_accelerated(like):
        seeded = _torch_generator(rng, like)
        return torch_module().randn(shape, generator=seeded, device=like.device, dtype=like.dtype)
    return as_kind(rng.standard_normal(shape, dtype=dtype), like)


def shuffled(rng: np.random.Generator, z: np.ndarray, count: int, like: Array) -> Array:
    """Return shuffled copies of z, (n,), as columns of the same kind as `like`, (n, count)."""
    if is_torch_array(like) and is_accelerated(like):
        keys = torch_module().rand(
            (len(z), count), generator=_torch_generator(rng, like), device=like.device
        )
        return as_kind(z, like)[keys.argsort(dim=0)]
    return as_kind(rng.permuted(np.tile(z, (count, 1)), axis=1).T, like)


def _torch_generator(rng: np.random.Generator, like: Array) -> Any:
    return torch_module().Generator(like.device).manual_seed(int(rng.integers(2**63)))


def as_library_of(X: Array, like: Array) -> Array:
    """Return an array in the library and on the device of another; NumPy for sparse rows."""
    if is_numpy(like) or is_sparse(like):
        return to_numpy(X)
    same = namespace(X) is namespace(like) and device_of(X) == device_of(like)
    return X if same else as_kind(to_numpy(X), like)


def as_doubles(a: np.ndarray, like: Array) -> Array:
    """Return `a` in double precision as an array of the same library and device as `like`."""
    xp = namespace(like)
    return xp.asarray(np.asarray(a, dtype=np.float64), device=device_of(like))


def on_device(X: Values, device: str | None) -> Values:
    """Return NumPy numbers moved to a device of torch ("cuda", "cpu"); anything else as it is."""
    if device is None or not is_numpy(X):
        return X
    text(device, "device")
    try:
        return torch_module().asarray(X, device=device)
    except ImportError as error:
        text_ = f"device={device!r} needs torch: pip install 'gramian[gpu]'"
        raise MissingExtraError(text_, argument="device", found=device) from error
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0][:200]
        raise invalid("device", device, f"cannot be used here: {reason}") from error


def torch_module() -> ModuleType:
    """Return torch, imported where it is needed and nowhere else."""
    import torch

    return torch


def exp(x: Array) -> Array:
    """exp(x) for x ≤ 0, in place of x where the library can.

    0 in place of denormal numbers, with which hardware is 50 times slower (other libraries than
    NumPy stop just before them). In place, because a tile that is written to fresh memory leaves
    the cache.
    """
    if is_numpy(x) and x.size >= MIN_COMPILED_SIZE and x.flags.c_contiguous and has_numba():
        from gramian._core.compiled import exp_inplace

        return exp_inplace(x)
    xp = namespace(x)
    lowest = -87.0 if x.dtype == xp.float32 else -708.0
    if not is_numpy(x):  # no look at the values: a device would wait, a symbol has none
        return xp.exp(xp.clip(x, lowest, None))
    if x.ndim == 0:
        return np.exp(x)
    if x.shape[0] and float(x.min()) < lowest:
        x[x < lowest] = -np.inf
    return np.exp(x, out=x)


def sqrt(t: Array) -> Array:
    """√t, in place of t where the library can; rounding below 0 counts as 0."""
    if not is_numpy(t):
        xp = namespace(t)
        return xp.sqrt(xp.clip(t, 0.0, None))
    if t.shape[0] and float(t.min()) < 0:
        t = np.clip(t, 0.0, None)
    return np.sqrt(t, out=t) if t.ndim else np.sqrt(t)


def mirror_upper(K: Array) -> Array:
    """Return K with its lower triangle replaced by the mirror of the upper one, in place if it can.

    By strips: whole triangles of a tile would take as long as the tile itself.
    """
    xp = namespace(K)
    if not (is_numpy(K) and K.flags.writeable):
        return xp.triu(K) + xp.triu(K, k=1).T
    for start in range(0, K.shape[0], _STRIP_COLUMNS):
        stop = start + _STRIP_COLUMNS
        K[stop:, start:stop] = K[start:stop, stop:].T
        corner = K[start:stop, start:stop]
        np.copyto(corner, corner.T, where=_below_diagonal(corner.shape[0]))
    return K


@lru_cache(maxsize=2)
def _below_diagonal(n: int) -> np.ndarray:
    return np.tri(n, k=-1, dtype=bool)


def with_diagonal(K: Array, d: Array | float) -> Array:
    """Return the square K with d (n,), or a number, on its diagonal, in place if it can."""
    n = K.shape[0]
    xp = np if is_numpy(K) else namespace(K)
    if writes_at_positions(K):
        index = xp.arange(n)
        K[index, index] = d
        return K
    on = xp.eye(n, dtype=xp.bool, device=device_of(K))
    return xp.where(on, d if isinstance(d, float) else d[:, None], K)


def orthonormal(W: Array, floor: float = 0.0, *, nearly: bool = False) -> Array:
    """Return an orthonormal basis of the columns of a tall array that are longer than `floor`.

    On a device by the eigenvectors of WᵀW, twice: QR of tall arrays is slow there, as it is here.
    Once is enough for columns that are `nearly` orthonormal.
    """
    if is_numpy(W):
        tall = W.shape[0] >= max(_MIN_TALL_ROWS, 16 * W.shape[1])
        if tall and (basis := cholesky_basis(W, floor)) is not None:
            return basis
        Q, diagonal = _qr(W)
        long = np.abs(diagonal) > floor
        return Q if floor == 0 or long.all() else Q[:, long]
    # One look at WᵀW each: a device waits for every number that leaves it.
    for _ in range(1 if nearly else 2):
        G = gram64(W, W)
        length = np.sqrt(G.diagonal())
        long = length > floor
        if not long.any():
            return W[:, :0]
        inverse = np.diag(1.0 / np.where(long, length, 1.0))[:, long]
        values, S = np.linalg.eigh(inverse.T @ G @ inverse)
        apart = values > 1e-12 * values[-1]
        W = W @ as_kind(inverse @ (S[:, apart] / np.sqrt(values[apart])), W)
        floor = 0.0
    return W


def _qr(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the factor Q of W = QR and the diagonal of R."""
    n, columns = W.shape
    if W.dtype == np.float64 and n >= columns > 0:  # NumPy takes twice the time of a small one
        packed, tau, _, failed = lapack.dgeqrf(W, lwork=_STRIP_COLUMNS * columns)
        if not failed:
            diagonal = packed.diagonal().copy()
            Q, *_ = lapack.dorgqr(packed, tau, lwork=_STRIP_COLUMNS * columns, overwrite_a=1)
            return Q, diagonal
    Q, R = np.linalg.qr(W)
    return Q, np.diagonal(R)


def gram64(V: Array, W: Array) -> np.ndarray:
    """Return VᵀW summed in double precision, whatever the arrays are in."""
    return to_numpy(gram64_there(V, W))


def gram64_there(V: Array, W: Array) -> Array:
    """Return VᵀW summed in double precision, where the arrays are."""
    xp = namespace(V)
    if V.dtype == xp.float64:
        return V.T @ W
    rows, total = 4096 if is_numpy(V) else 1 << 18, None
    for start in range(0, V.shape[0], rows):
        some = slice(start, min(start + rows, V.shape[0]))
        a = xp.astype(V[some, ...], xp.float64)
        part = a.T @ (a if V is W else xp.astype(W[some, ...], xp.float64))
        total = part if total is None else total + part
    return total


def power_of_two(x: float) -> float:
    """Return the power of two next below |x|, 1 for zero: multiplying by it rounds nothing."""
    if x == 0 or not math.isfinite(x):
        return 1.0
    return 2.0 ** min(max(math.frexp(x)[1] - 1, -1021), 1022)


def column_units(X: np.ndarray) -> np.ndarray:
    """Return the power of two next below the largest number of each column, (p,).

    Divided by these, columns in any unit have squares and products that are in range.
    """
    return np.array([power_of_two(float(top)) for top in np.abs(X).max(axis=0, initial=0.0)])


def unit_within(x: float, like: Array) -> float:
    """Return the power of two next below |x| by which numbers like these can be divided."""
    unit = power_of_two(x)
    return min(max(unit, 2.0**-126), 2.0**126) if is_single(like) else unit


def is_single(like: object) -> bool:
    """Whether an array of any library holds numbers of single precision."""
    dtype = getattr(like, "dtype", "")
    return dtype == np.float32 if isinstance(dtype, np.dtype) else str(dtype).endswith("float32")


def cholesky_basis(W: np.ndarray, floor: float = 0.0) -> np.ndarray | None:
    """Return W·R⁻¹ with RᵀR = WᵀW, done twice: the second time mends what rounding left.

    None where a column has less than a hundredth of its length outside those before it, or no more
    than `floor`, or where squares leave the range of doubles.
    """
    for _ in range(2):
        with np.errstate(all="ignore"):  # looked at below
            G = gram64(W, W)
            length = np.sqrt(np.diagonal(G))
            G = G / (length[:, None] * length)
        if not np.isfinite(G).all():
            return None
        try:
            L = np.linalg.cholesky(G)
        except np.linalg.LinAlgError:
            return None
        outside = np.diagonal(L)
        if (outside < _MIN_OUTSIDE_SHARE).any() or (outside * length <= floor).any():
            return None
        W = W @ (np.linalg.inv(L).T / length[:, None]).astype(W.dtype)
        floor = 0.0
    return W
