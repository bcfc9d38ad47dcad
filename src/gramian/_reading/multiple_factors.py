"""Groups of variables on common axes: partial points, Lg and RV, partial axes."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gramian._core.array import Array, to_numpy
from gramian._core.embedding.models import FeatureModel
from gramian._core.embedding.principal import Principal, principal_axes
from gramian._core.parallel import budget_bytes, row_blocks
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table
from gramian._nulls.spectra import TableSpectrum
from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.grouping import Grouping
from gramian._reading.null_table import NullTable
from gramian._reading.rules import Selection
from gramian.errors import ConstantColumnWarning, TiedAxesWarning

_BLOCK_ENTRIES = 1 << 22  # numbers held at a time


def separate(rows: Table, p: np.ndarray | None, g: int) -> Principal:
    grouping: Grouping = rows.reader
    own = grouping.columns_of(g)
    request = Request(Selection(), tol=1e-12, budget=budget_bytes(None))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)  # the whole analysis says it
        warnings.simplefilter("ignore", TiedAxesWarning)  # its axes are not those that are shown
        return principal_axes(
            rows.values[:, own],
            p,
            request,
            scale=True,
            column_weight=lambda m: grouping.metric(m, own),
        )


@dataclass(frozen=True, eq=False)
class Parts:
    """The features of groups, balanced, on the rows that have a weight: (n, J_g) for each."""

    names: list[Any]
    features: list[np.ndarray]
    p: np.ndarray

    def inner(self, a: int, b: int) -> float:
        """Return Lg, the sum of the squared covariances of two groups."""
        A, B = self.features[a], self.features[b]
        if A.shape[1] * B.shape[1] <= len(self.p) ** 2:
            C = (A * self.p[:, None]).T @ B
            return float(np.vdot(C, C))
        root = np.sqrt(self.p)[:, None]
        return float(((A * root) @ (A * root).T).ravel() @ ((B * root) @ (B * root).T).ravel())

    def along(self, Z: np.ndarray) -> np.ndarray:
        """Return Lg of every group with axes of variance 1, (groups, q)."""
        return np.stack([((F.T @ (self.p[:, None] * Z)) ** 2).sum(axis=0) for F in self.features])


def balance(rows: Table, p: np.ndarray | None, firsts: np.ndarray | None = None) -> Parts:
    """Return the features of every group divided by the root of its first eigenvalue."""
    grouping: Grouping = rows.reader
    n = rows.values.shape[0]
    features = []
    for g in range(len(grouping.names)):
        alone = separate(rows, p, g)
        first = alone.spectrum.values[0] if firsts is None else firsts[g]
        F = to_numpy(alone.features(rows.values[:, grouping.columns_of(g)]))
        features.append(np.asarray(F, dtype=np.float64) / np.sqrt(first))
    return Parts(list(grouping.names), features, np.full(n, 1.0 / n) if p is None else p)


def group_null(rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the rows of each group, permuted as a whole, and their spectrum."""
    features = balance(rows, p).features
    n = rows.values.shape[0]
    order = np.tile(np.arange(n, dtype=float), (len(features), 1))
    spectrum = TableSpectrum(p)

    def eigenvalues(drawn: np.ndarray) -> np.ndarray:
        blocks = [F.T[:, own] for F, own in zip(features, drawn.astype(int), strict=True)]
        values = spectrum(np.concatenate(blocks))
        return np.append(values, np.zeros(max(n - 1 - len(values), 0)))[: n - 1]

    return NullTable(order, eigenvalues, 1.0, p, has_signs=False)


def partial_scores(model: FeatureModel, rows: Array, grouping: Grouping) -> np.ndarray:
    """Return the points of each group alone on the common axes, (groups, n, q)."""
    # They are projections of its own block, times the number of groups: their mean is the point.
    V = to_numpy(model.spectrum.vectors).astype(np.float64)
    n, (J, q), G = rows.shape[0], V.shape, len(grouping.names)
    out = np.empty((G, n, q))
    for some in row_blocks(n, max(1, _BLOCK_ENTRIES // J)):
        F = to_numpy(model.features(rows[some])).astype(np.float64)
        for g in range(G):
            own = grouping.columns_of(g)
            out[g, some] = G * (F[:, own] @ V[own])
    return out * model.unit


def within(partial: np.ndarray, mean: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the inertia of partial points around their means, of each of them, (groups, n, q)."""
    return p[None, :, None] * (partial - mean[None]) ** 2 / len(partial)


def groups_table(parts: Parts, cloud: Cloud, more: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return the table of groups: Lg with the axes, and what they hold of the group."""
    Z = ratio(cloud.coordinates[cloud.live], np.sqrt(cloud.values))
    along = parts.along(Z)
    norm2 = np.array([parts.inner(g, g) for g in range(len(parts.names))])
    measures = {"coordinate": along, "cos2": ratio(along**2, norm2[:, None]), **more}
    return axes_frame(measures, pd.Index(parts.names, name="group"), {("distance2", ""): norm2})


def lg_matrix(parts: Parts, active: int, first: float) -> pd.DataFrame:
    """Return Lg between groups, and with the common analysis, "MFA", whose groups come first."""
    G = len(parts.names)
    L = np.zeros((G + 1, G + 1))
    for a in range(G):
        for b in range(a, G):
            L[a, b] = L[b, a] = parts.inner(a, b)
    L[G, :G] = L[:G, G] = L[:active, :G].sum(axis=0) / first
    L[G, G] = L[:active, :active].sum() / first**2
    names = [*parts.names, "MFA"]
    return pd.DataFrame(L, index=names, columns=names)


def rv_of(lg: pd.DataFrame) -> pd.DataFrame:
    """Return RV = Lg/√(Lg_aa·Lg_bb)."""
    root = np.sqrt(np.diag(lg.to_numpy()))
    rv = lg.to_numpy() / np.outer(root, root)
    return pd.DataFrame(rv, index=lg.index, columns=lg.columns)


class Alone(NamedTuple):
    """The analysis of one group alone: its eigenvalues and the individuals on its axes."""

    eigenvalues: np.ndarray
    coordinates: pd.DataFrame


def alone(rows: Table, p: np.ndarray | None, g: int, q: int) -> Alone:
    """Return the analysis of one group alone, its first q axes at most."""
    axes = separate(rows, p, g)
    kept = axes.spectrum.vectors[:, :q]
    block = rows.values[:, rows.reader.columns_of(g)]
    Z = to_numpy(axes.features.project(block, kept)[0]).astype(np.float64)
    names = pd.RangeIndex(1, Z.shape[1] + 1, name="axis")
    unit = axes.standard.unit
    points = pd.DataFrame(Z * unit, index=rows.index, columns=names)
    return Alone(axes.spectrum.values * unit**2, points)


def partial_axes(parts: dict[Any, Alone], active: int, cloud: Cloud) -> pd.DataFrame:
    """Return how the axes of each group alone are tied to the common ones."""
    # The contribution of an axis of an active group, those that come first, is its part in the
    # common axis, as a share of the parts of all axes that are shown.
    p = cloud.p[cloud.live]
    Z = ratio(cloud.coordinates[cloud.live], np.sqrt(cloud.values))
    labels, r, part = [], [], []
    for k, (name, group) in enumerate(parts.items()):
        F = group.coordinates.to_numpy()
        own = np.clip((p[:, None] * ratio(F, np.sqrt(p @ F**2))).T @ Z, -1.0, 1.0)
        share = group.eigenvalues[: F.shape[1], None] / group.eigenvalues[0]
        r.append(own)
        part.append(own**2 * share * (k < active))
        labels += [(name, axis) for axis in group.coordinates.columns]
    index = pd.MultiIndex.from_tuples(labels, names=["group", "axis"])
    contribution = np.vstack(part)
    contribution = ratio(contribution, contribution.sum(axis=0))
    return axes_frame({"correlation": np.vstack(r), "contribution": contribution}, index, {})
