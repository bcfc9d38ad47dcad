"""The model of a map made by stress: its options, where new rows go, and its pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd

from gramian._core.array import Array, slice_rows, to_numpy
from gramian._core.check import expect
from gramian._core.embedding import EmbeddedModel, Embedding, Places, count
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array
from gramian._core.parallel import row_blocks
from gramian._core.table import table
from gramian._core.types import DataLike
from gramian._estimators.scaling.distances import Distance
from gramian._estimators.stress.arrange import Arrangement
from gramian._estimators.stress.maps import Curve, Fit, place
from gramian._estimators.stress.problem import LOSSES, SCALINGS, TIES, Problem
from gramian.distances.square import dissimilarities, to_condensed
from gramian.errors import InputError

_BLOCK_ENTRIES = 1 << 22  # distances from new rows held at once


@dataclass(frozen=True, eq=False)
class Scaling:
    """What is minimised: the loss, what disparities may be, and the weights of pairs."""

    loss: str
    scaling: str
    ties: str
    # None, "sammon", or an array over the rows that have a weight.
    pair_weight: Annotated[np.ndarray, "(n, n)", ">= 0"] | str | None

    def check(self) -> None:
        """Refuse options that are none."""
        known = self.loss in LOSSES and self.scaling in SCALINGS and self.ties in TIES
        expect(known, "a loss, a scaling and ties that are known")

    def square_weights(self, s: np.ndarray | None) -> np.ndarray | None:
        """Return the weights of pairs that were given, times those of their rows."""
        W = self.pair_weight
        if W is None or isinstance(W, str):
            return None
        return W if s is None else W * (s[:, None] * s[None, :])

    def pair_weights(
        self, delta: np.ndarray, s: np.ndarray | None, W: np.ndarray | None
    ) -> np.ndarray | None:
        """Return the weights of the pairs in condensed order, None where all are 1."""
        # They are W where that is given (it holds those of the points already), else 1 or 1/δ times
        # the weights s of both points; 0 where δ is missing.
        known = ~np.isnan(delta)
        if self.pair_weight is None and s is None and known.all():
            return None
        w = known.astype(float)
        if W is not None:
            return w * W
        if self.pair_weight is not None:
            if (delta == 0).any():
                raise InputError(
                    'pair_weight="sammon" is 1/δ, but two different points have dissimilarity 0: '
                    "drop one of them, or give weights as an array"
                )
            w[known] /= delta[known]
        if s is not None:
            first, second = np.triu_indices(len(s), 1)
            w *= s[first] * s[second]
        return w

    def problem(self, points: Arrangement) -> Problem:
        """Return what is minimised over the places of the points."""
        delta, s = points.delta, points.points
        weight = self.pair_weights(delta, s, points.weight)
        target = delta if weight is None else np.where(weight > 0, delta, 0.0)
        product = self.pair_weight is None and not np.isnan(delta).any()
        return Problem(
            target if self.loss == "stress" else target**2,
            weight,
            s if product else None,
            self.loss,
            self.scaling,
            self.ties,
        )


@dataclass(frozen=True, eq=False, repr=False)
class MapModel(EmbeddedModel):
    """Points on a map; a new row goes where its stress with them is least."""

    embedding: Embedding
    arrangement: Arrangement
    fit: Fit
    curve: Curve | None  # from dissimilarities to disparities, where they are not the same
    scaling: Scaling
    distance: Distance | None  # None where rows hold dissimilarities
    rows: Any  # those that made the map
    weights: Annotated[np.ndarray, "(n,)", ">= 0"] | None  # of these rows, with sum 1
    shift: Array | None = None

    def check(self) -> None:
        """Refuse a map, pairs and rows of different points."""
        n, a = self.embedding.coordinates.shape[0], self.arrangement
        expect(len(a.where) == n == count(self.rows), f"{n} rows")
        expect(self.weights is None or len(self.weights) == n, f"weights of {n} rows")
        expect(len(self.fit.distance) == len(a.delta), f"a fit of {len(a.delta)} pairs")
        expect(len(self.fit.per_point) == len(a.rows), f"a fit of {len(a.rows)} points")
        W = self.scaling.pair_weight
        expect(W is None or isinstance(W, str) or len(W) == n, f"weights of pairs of {n} rows")
        expect((self.curve is None) == (self.scaling.scaling == "ratio"), "a curve if not ratio")
        square = self.distance is not None or tuple(self.rows.shape) == (n, n)
        expect(square, f"distances ({n}, {n})")

    def project(self, X: DataLike) -> Places:
        """Return where new rows go on the map, some of them at a time."""
        step = max(1, _BLOCK_ENTRIES // len(self.embedding.coordinates))
        blocks = row_blocks(count(X), step)
        Z = np.vstack([self._places(slice_rows(X, rows), rows.start) for rows in blocks])
        return Places(Z, np.sum(Z * Z, axis=1))

    def _places(self, X: DataLike, first: int) -> np.ndarray:
        """Return where new rows go, in units; `first` is the number of the first of them."""
        D = X if self.distance is None else self.distance(X, self.rows)
        delta = np.asarray(to_numpy(D), dtype=float)
        e, sammon = self.embedding, isinstance(self.scaling.pair_weight, str)
        known = _known_pairs(delta, first)
        target = np.where(known, delta, 0.0) / e.unit
        if self.scaling.loss == "sstress":
            target = target**2
        if self.curve is not None:
            target = self.curve(target)
        w = known.astype(float)
        if self.weights is not None:
            w = w * self.weights
        if sammon:
            w = np.divide(w, delta, out=np.zeros_like(w), where=known & (delta > 0))
        Z = place(target, w, e.coordinates, self.scaling.loss)
        at, point = self._already_there(delta, known, sammon)
        Z[at] = e.coordinates[point]
        return Z

    def _already_there(
        self, delta: np.ndarray, known: np.ndarray, sammon: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows of dissimilarities are those of a point of the map, and that point."""
        same = known & (delta == 0)
        at = np.flatnonzero(same.any(axis=1))
        point = same[at].argmax(axis=1)
        if not sammon:  # under which 1/δ = ∞ ties both together
            alike = self.arrangement.same_rows(point, delta[at] / self.embedding.unit)
            at, point = at[alike], point[alike]
        return at, point


def _known_pairs(delta: np.ndarray, first: int) -> np.ndarray:
    """Return where distances to the points of the map are known; refuse what is none."""
    with np.errstate(invalid="ignore"):
        bad = np.isinf(delta) | (delta < 0)
    if bad.any():
        i, j = (int(k[0]) for k in np.nonzero(bad))
        raise InputError(
            f"X has {delta[i, j]} at row {first + i}, column {j}: give distances to the training "
            "points"
        )
    known = ~np.isnan(delta)
    alone = np.flatnonzero(~known.any(axis=1))
    if alone.size:
        raise InputError(
            f"X: row {first + alone[0]} has no known distance: it has no place on the map"
        )
    return known


def shepard_table(model: MapModel, labels: pd.Index) -> pd.DataFrame:
    """Return the data of Shepard's diagram; `labels` are those of the rows of the map."""
    unit, points, fit = model.unit, model.arrangement, model.fit
    power = 1.0 if model.scaling.loss == "stress" else 2.0
    delta = points.expand(points.delta) * unit
    d_hat, d = points.expand(fit.disparity), points.expand(fit.distance)
    weight = _pair_weights(model, delta)
    live = np.flatnonzero(weight > 0)
    live = live[np.argsort(delta[live], kind="stable")]
    square = weight[live] * (d_hat[live] - d[live]) ** 2
    a, b = (unit * v[live] ** (1.0 / power) for v in (d_hat, d))
    ends = np.triu_indices(len(labels), 1)
    return pd.DataFrame(
        {
            "dissimilarity": delta[live],
            "disparity": a,
            "distance": b,
            "residual": b - a,
            "weight": weight[live],
            "stress": square / square.sum() if square.any() else square,
        },
        index=pd.MultiIndex.from_arrays([labels[k[live]] for k in ends], names=["i", "j"]),
    )


def _pair_weights(model: MapModel, delta: np.ndarray) -> np.ndarray:
    """Return the weights of the pairs of rows, in condensed order."""
    p, weight = model.weights, model.scaling.pair_weight
    s = None if p is None else p * len(p)
    W = model.scaling.square_weights(s)
    if isinstance(weight, str):
        delta = np.where(delta > 0, delta, np.nan)  # rows that are one point have no pair
    w = model.scaling.pair_weights(delta, s, None if W is None else to_condensed(W))
    return np.ones_like(delta) if w is None else w


def square_weights(pair_weight: Any, n: int) -> np.ndarray:
    """Return given weights of pairs as a symmetric matrix with a zero diagonal, (n, n)."""
    if not isinstance(pair_weight, np.ndarray) and not is_frame(pair_weight):
        pair_weight = as_array(pair_weight, "pair_weight")
    if np.ndim(pair_weight) == 2:  # a point has no pair with itself, whatever stands there
        pair_weight = np.array(
            table(pair_weight, "pair_weight", allow_sparse=False).values, dtype=float
        )
        np.fill_diagonal(pair_weight, 0.0)
    W = np.asarray(dissimilarities(pair_weight, "pair_weight").values, dtype=float)
    if len(W) != n:
        raise InputError(f"pair_weight is for {len(W)} points but X has {n}: give the same ones")
    return W
