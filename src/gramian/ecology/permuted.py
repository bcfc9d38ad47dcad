"""Shares of an inertia that terms explain, and how often permuted rows explain as much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.cells import groups_of_rows
from gramian._core.labels import in_order_of
from gramian.errors import InputError

_AT_ONCE = 1 << 24  # numbers


@dataclass(frozen=True, eq=False)
class Question:
    """What a term explains of a Gram matrix G, given others; bases are orthonormal columns."""

    given: np.ndarray  # (n, a), the constant included
    term: np.ndarray  # (n, b)
    rest: np.ndarray  # (n, c), of the terms that come after


def strata_codes(strata: Any, n: int, index: Any) -> np.ndarray | None:
    """Return a code for each row, rows of one code changing places only among themselves."""
    if strata is None:
        return None
    strata = in_order_of(strata, index, "strata")
    codes, names = pd.factorize(groups_of_rows(strata, n, "strata"))
    if len(names) == n:
        raise InputError("strata: every row has a label of its own: give some the same")
    return np.asarray(codes)


def asked(
    G: np.ndarray, question: Question, moved: np.ndarray
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Return what a term explains, the residual, and both for each order of the rows.

    The rows of what the given terms leave are permuted (Freedman and Lane 1983); of a first term,
    all rows. Both are traces of projections of the Gram matrix.
    """
    Q0 = question.given
    E = G - Q0 @ (Q0.T @ G)
    E = E - (E @ Q0) @ Q0.T
    Q = np.hstack([Q0, question.term, question.rest])
    part = slice(Q0.shape[1], Q0.shape[1] + question.term.shape[1])
    trace = float(np.trace(E))

    def explained(order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        P = Q[order]  # (B, n, r)
        B, n, r = P.shape
        image = (E @ P.transpose(1, 0, 2).reshape(n, B * r)).reshape(n, B, r)
        own = np.einsum("bnr,nbr->br", P, image)
        return own[:, part].sum(axis=1), trace - own.sum(axis=1)

    n, r = Q.shape
    step = max(1, _AT_ONCE // (n * max(r, 1)))
    identity = explained(np.arange(n)[None, :])
    parts = [explained(moved[k : k + step]) for k in range(0, len(moved), step)]
    terms, rests = (np.concatenate(side) for side in zip(*parts, strict=True))
    return float(identity[0][0]), float(identity[1][0]), terms, rests


def largest(G: np.ndarray, question: Question, moved: np.ndarray) -> tuple[float, np.ndarray]:
    """Return λ₁/(rest) of what a term explains of what is given, and that of each order."""
    Q0, Qt = question.given, question.term
    E = G - Q0 @ (Q0.T @ G)
    E = E - (E @ Q0) @ Q0.T
    trace = float(np.trace(E))

    def ratio(order: Any) -> float:
        P0, P = Q0[order], Qt[order]
        M = P.T @ E @ P
        rest = trace - float(np.trace(M)) - float(np.sum(P0 * (E @ P0)))
        return float(np.linalg.eigvalsh(M)[-1]) / max(rest, 1e-300)

    return ratio(slice(None)), np.array([ratio(order) for order in moved])
