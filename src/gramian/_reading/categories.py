"""The table of categories: barycentres of the points that share one."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.embedding.principal import Principal
from gramian._core.table import Table
from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.coding import Coding
from gramian._reading.columns import Factor
from gramian._reading.null_table import NullTable

# From weights (n, c), each column of sum 1, to the squared norms (c,) of the barycentres.
Norms = Callable[[sparse.csr_array], np.ndarray]


def masses(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return the weight of each category, (c,)."""
    held = factor.codes >= 0
    return np.bincount(factor.codes[held], weights=cloud.p[held], minlength=len(factor.labels))


def means(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return the barycentre of each category, (c, q), in units."""
    return _average(cloud, factor).T @ cloud.coordinates


def _average(cloud: Cloud, factor: Factor) -> sparse.csr_array:
    """Return the weights of the points within each category, (n, c); columns of sum 1 or 0."""
    rows = np.flatnonzero(factor.codes >= 0)
    codes = factor.codes[rows]
    w = ratio(cloud.p[rows], masses(cloud, factor)[codes])
    shape = (len(factor.codes), len(factor.labels))
    return sparse.csr_array((w, (rows, codes)), shape=shape)


def v_test(cloud: Cloud, mean: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Return how far categories lie from the barycentre, in standard deviations, (c, q)."""
    # A category of mass p_c drawn at random among n points has coordinates of variance λ (1 −
    # p_c)/(p_c (n − 1)). Only proportions of the weights matter: n counts points that have one.
    n = float(cloud.live.sum()) if cloud.size is None else cloud.size
    deviation = np.sqrt(np.abs(cloud.values))
    return ratio(mean, deviation) * np.sqrt((n - 1) * odds(mass)[:, None])


def odds(mass: np.ndarray) -> np.ndarray:
    """Return p/(1 − p), 0 for a category of all points: there is nothing to compare it with."""
    rest = 1.0 - mass
    return ratio(mass, np.where(rest > 1e-12, rest, 0.0))


def correlation_ratio(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return η², the share of each axis' variance between the categories, of rows that have one."""
    rows = factor.codes >= 0
    mass, mean = masses(cloud, factor), means(cloud, factor)
    held = mass.sum()
    if held == 0:
        return np.zeros(mean.shape[1])
    centre = mass @ mean / held
    within_all = cloud.p[rows] @ (cloud.coordinates[rows] - centre) ** 2
    between = mass @ (mean - centre) ** 2
    return np.minimum(ratio(between, np.where(cloud.values == 0, 0.0, within_all)), 1.0)


def categories(cloud: Cloud, factors: Sequence[Factor], norms: Norms | None = None) -> pd.DataFrame:
    """Return the table of all categories of the factors that hold points with a weight."""
    # They lie at the barycentres of their points, at distances that `norms` gives. Without `norms`
    # they are columns of an indicator matrix: barycentres divided by √λ, a category of mass p
    # having the squared distance 1/p − 1 to the origin.
    return pd.concat([_table(cloud, factor, norms) for factor in factors])


def _table(cloud: Cloud, factor: Factor, norms: Norms | None) -> pd.DataFrame:
    mass = masses(cloud, factor)
    present = np.flatnonzero(mass > 0)
    mass, mean = mass[present], means(cloud, factor)[present]
    if norms is None:
        Z = shown = ratio(mean, np.sqrt(cloud.values))
        distance2 = public = np.maximum(1.0 / mass - 1.0, 0.0)
        floor = 0.0
    else:
        Z, shown, floor = mean, cloud.to_data_units(mean), cloud.floor
        distance2 = norms(_average(cloud, factor)[:, present])
        public = cloud.public(distance2)
    norm2 = np.maximum(distance2, np.sum(Z**2, axis=1))
    measures = {
        "coordinate": shown,
        "cos2": ratio(Z**2, np.where(norm2 > floor, norm2, 0.0)[:, None]),
        "v_test": v_test(cloud, mean, mass),
        "eta2": np.broadcast_to(correlation_ratio(cloud, factor), Z.shape),
    }
    labels = [(factor.name, label) for label in factor.labels[present]]
    index = pd.MultiIndex.from_tuples(labels, names=["variable", "category"])
    return axes_frame(measures, index, {("distance2", ""): public})


def with_contributions(table: pd.DataFrame, principal: Principal, coding: Coding) -> pd.DataFrame:
    """Return a table of categories with their parts in the axes and their masses."""
    V = to_numpy(principal.spectrum.vectors).astype(np.float64)[coding.is_level]
    live = to_numpy(principal.standard.factor)[coding.is_level] > 0
    mass = to_numpy(principal.standard.mean)[coding.is_level]
    at = coding.levels.get_indexer(table.index)
    axes = list(table["coordinate"].columns)
    measures = {name: table[name][axes].to_numpy() for name in ("coordinate", "cos2")}
    measures["contribution"] = np.where(live[:, None], V**2, 0.0)[at]
    measures |= {name: table[name][axes].to_numpy() for name in ("v_test", "eta2")}
    single = {("distance2", ""): table["distance2", ""].to_numpy(), ("mass", ""): mass[at]}
    return axes_frame(measures, table.index, single)


def variable_table(
    principal: Principal, coding: Coding, weight: np.ndarray, size: np.ndarray | None = None
) -> pd.DataFrame:
    """Return the table of the variables that made the axes; `weight` is that of each, (K,)."""
    # A number whose feature has the deviation s and the coordinate a on axis k of length 1 has the
    # correlation √λ·a/s with it; for a variable with categories λ/w times the sum of their
    # contributions is η². The link is r² or η². Coordinates of numbers are r·`size`, r by default.
    V = to_numpy(principal.spectrum.vectors).astype(np.float64)
    live = (to_numpy(principal.standard.factor) > 0)[:, None]
    values = principal.spectrum.values
    parts = np.where(live, V**2, 0.0)
    contribution = np.stack([parts[coding.owner == k].sum(axis=0) for k in range(len(weight))])
    is_number = np.array([v.levels is None for v in coding.variables])[:, None]
    spread = to_numpy(principal.standard.factor) * to_numpy(principal.standard.deviation)
    first = coding.starts[:-1]
    r = np.clip(ratio(V[first] * np.sqrt(values), spread[first][:, None]), -1.0, 1.0)
    eta2 = np.clip(ratio(contribution * values, weight[:, None]), 0.0, 1.0)
    link = np.where(is_number, r**2, eta2)
    levels = np.array([max(v.width - 1, 1) for v in coding.variables])[:, None]
    length = np.ones(len(weight)) if size is None else size
    measures = {
        "coordinate": np.where(is_number, r * length[:, None], link),
        "correlation": np.where(is_number, r, np.nan),
        "cos2": np.where(is_number, r**2, link**2 / levels),
        "contribution": contribution,
        "link": link,
    }
    return axes_frame(measures, pd.Index(coding.names), {})


def coding_null(
    coding: Coding, rows: Table, p: np.ndarray | None, spectrum: Callable[[Any], np.ndarray]
) -> NullTable:
    """Return the variables, each permuted as a whole; `spectrum` is that of coded rows."""
    numbers, codes = iter(coding.numbers(rows.values)), iter(coding.factors(rows.values))
    columns = np.stack(
        [
            next(numbers).values if variable.levels is None else next(codes).codes.astype(float)
            for variable in coding.variables
        ]
    )
    n = columns.shape[1]

    def eigenvalues(drawn: np.ndarray) -> np.ndarray:
        values = spectrum(coding.stack(list(drawn)))
        return np.append(values, np.zeros(max(n - 1 - len(values), 0)))[: n - 1]

    return NullTable(columns, eigenvalues, 1.0, p, has_signs=False)


def coding_spectrum(
    X: Array, p: np.ndarray | None, is_level: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """Return the eigenvalues of coded rows, whose columns weigh as their variables do."""
    X = X.toarray() if is_sparse(X) else X
    n = len(X)
    w = np.full(n, 1.0 / n) if p is None else p
    mean = w @ X
    F = X - mean
    size = np.where(is_level, mean, w @ F**2)
    F *= np.sqrt(w)[:, None] * np.sqrt(ratio(weight, size))
    values = np.linalg.eigvalsh(F.T @ F if F.shape[1] <= n else F @ F.T)[::-1]
    return np.maximum(values, 0.0)
