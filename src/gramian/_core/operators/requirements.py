"""What an operator that somebody else wrote must keep, looked at before it is used."""

from __future__ import annotations

import numpy as np

from gramian._core.array import as_kind, namespace, to_numpy
from gramian._core.check import whole
from gramian._core.operators.base import Gram
from gramian.errors import InputError

_CORNER = 6  # points whose entries are compared
_LOOSE = 1e-4  # of single precision; _TIGHT of double
_TIGHT = 1e-8


def require_gram(gram: Gram) -> None:
    """Refuse an operator whose parts contradict each other, at the price of one product.

    G·V for two random columns and the first unit vectors shows its shape, whether it is finite and
    symmetric, and whether `block` and `diag` are those of the same matrix.
    """
    who, n = type(gram).__name__, int(whole(getattr(gram, "n", None), "X: its n", least=2))
    like = gram.like
    if not namespace(like).isdtype(like.dtype, "real floating"):
        raise InputError(f"X: {who}.like holds {like.dtype}: give an array of float64 or float32")
    k = min(_CORNER, n)
    V = np.concatenate([np.random.default_rng(0).standard_normal((n, 2)), np.eye(n, k)], axis=1)
    product = _numbers(gram.matmul(as_kind(V, like)), (n, k + 2), f"{who}.matmul(V)")
    diag = _numbers(gram.diag(), (n,), f"{who}.diag()")
    block = _numbers(gram.block(slice(0, k), slice(0, k)), (k, k), f"{who}.block(rows, cols)")
    single = str(like.dtype).endswith("float32")
    size = max(float(np.abs(product).max()), float(np.abs(diag).max()))
    near = (_LOOSE if single else _TIGHT) * size
    a, b = V[:, 0] @ product[:, 1], V[:, 1] @ product[:, 0]
    if abs(a - b) > near * np.sqrt(n):
        raise InputError(f"X: {who}.matmul is not symmetric: x·Gy = {a:.6g} but y·Gx = {b:.6g}")
    corner = product[:k, 2:]
    for name, part, truth in (("block", block, corner), ("diag", diag[:k], corner.diagonal())):
        if np.abs(part - truth).max() > near:
            raise InputError(
                f"X: {who}.{name} and {who}.matmul are of different matrices: they differ by "
                f"{np.abs(part - truth).max():.3g} among the first {k} points"
            )


def _numbers(a: object, shape: tuple[int, ...], what: str) -> np.ndarray:
    values = np.asarray(to_numpy(a))
    if values.shape != shape:
        raise InputError(f"X: {what} has shape {values.shape}, not {shape}")
    if not np.isfinite(values).all():
        raise InputError(f"X: {what} holds NaN or inf: check the operator on a few points")
    return values.astype(np.float64)
