"""The one pipeline: Gram operator → centring → spectrum → embedding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gramian._array import to_numpy
from gramian.embedding.coordinates import Embedding, kernel_embedding
from gramian.errors import InputError
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.spectral.choose import Request
from gramian.spectral.solve import solve

__all__ = ["analyse"]

STORED = 4_096  # rows up to which K is kept in memory between products (134 MB)


def analyse(gram: Gram, p: np.ndarray | None, request: Request, unit: float = 1.0) -> Embedding:
    """Return the principal axes of the points behind a Gram operator, and the points on them.

    Parameters
    ----------
    gram : Gram
        In multiples of unit².
    p : array (n,) of positive weights with sum 1, or None for equal ones
    request : Request
        Its scale and, where it has none, its dimension are filled in here.
    """
    A = CenteredGram(_held(gram, request), p)
    dimension = A.n - 1 if request.dimension is None else request.dimension
    request = replace(request, scale=_scale(A), dimension=dimension)
    return kernel_embedding(A, solve(A, request), unit)


def _held(gram: Gram, request: Request) -> Gram:
    """Return the operator, as a matrix where making its entries again would cost more."""
    few = request.axes.q is not None or request.axes.rule is not None
    fits = gram.n <= STORED and 8 * gram.n * gram.n <= request.budget / 4
    return DenseGram(gram.dense()) if gram.remakes and few and fits else gram


def _scale(A: CenteredGram) -> float:
    """Return the size of the numbers that rounding is relative to: the largest |k(x, x)|.

    Squared distances have none there: their mean stands in for it.
    """
    size = float(np.abs(to_numpy(A.gram.diag())).max())
    if not np.isfinite(size):
        raise InputError("kernel: its values overflow on X: rescale the data or the kernel")
    return size if size > 0 else abs(A.centering.grand)
