"""The table of categories: barycentres of the points that share one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.columns import Factor

# From weights (n, c), each column of sum 1, to the squared norms (c,) of the barycentres.
Norms = Callable[[sparse.csr_array], np.ndarray]


def masses(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return the weight of each category, (c,)."""
    held = factor.codes >= 0
    assert cloud.weights is not None
    return np.bincount(
        factor.codes[held], weights=cloud.weights[held], minlength=len(factor.labels)
    )


def means(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return the barycentre of each category, (c, q), in units."""
    return _average(cloud, factor).T @ cloud.coordinates


def _average(cloud: Cloud, factor: Factor) -> sparse.csr_array:
    """Return the weights of the points within each category, (n, c); columns of sum 1 or 0."""
    rows = np.flatnonzero(factor.codes >= 0)
    codes = factor.codes[rows]
    assert cloud.weights is not None
    w = ratio(cloud.weights[rows], masses(cloud, factor)[codes])
    shape = (len(factor.codes), len(factor.labels))
    return sparse.csr_array((w, (rows, codes)), shape=shape)


def v_test(cloud: Cloud, mean: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Return how far categories lie from the barycentre, in standard deviations, (c, q).

    A category of mass p_c drawn at random among n points has coordinates of variance
    λ (1 − p_c)/(p_c (n − 1)). Only proportions of the weights matter: n counts the points that
    have one, unless the cloud has a size of its own.
    """
    n = float(cloud.live.sum()) if cloud.size is None else cloud.size
    deviation = np.sqrt(np.abs(cloud.values))
    return ratio(mean, deviation) * np.sqrt((n - 1) * odds(mass)[:, None])


def odds(mass: np.ndarray) -> np.ndarray:
    """Return p/(1 − p), 0 for a category of all points: there is nothing to compare it with."""
    rest = 1.0 - mass
    return ratio(mass, np.where(rest > 1e-12, rest, 0.0))


def correlation_ratio(cloud: Cloud, factor: Factor) -> np.ndarray:
    """Return η², the share of each axis' variance that lies between the categories, (q,).

    On the rows that have a category.
    """
    rows = factor.codes >= 0
    mass, mean = masses(cloud, factor), means(cloud, factor)
    held = mass.sum()
    if held == 0:
        return np.zeros(mean.shape[1])
    assert cloud.weights is not None
    centre = mass @ mean / held
    within_all = cloud.weights[rows] @ (cloud.coordinates[rows] - centre) ** 2
    between = mass @ (mean - centre) ** 2
    return np.minimum(ratio(between, np.where(cloud.values == 0, 0.0, within_all)), 1.0)


def categories(cloud: Cloud, factors: Sequence[Factor], norms: Norms) -> pd.DataFrame:
    """Return the table of all categories of the factors that hold points with a weight."""
    parts = [_table(cloud, factor, norms) for factor in factors]
    return pd.concat(parts)


def _table(cloud: Cloud, factor: Factor, norms: Norms) -> pd.DataFrame:
    mass = masses(cloud, factor)
    held = np.flatnonzero(mass > 0)
    mean = means(cloud, factor)[held]
    distance2 = norms(_average(cloud, factor)[:, held])
    norm2 = np.maximum(distance2, np.sum(mean**2, axis=1))
    norm2 = np.where(norm2 > cloud.floor, norm2, 0.0)
    eta2 = correlation_ratio(cloud, factor)
    measures = {
        "coordinate": cloud.shown(mean),
        "cos2": ratio(mean**2, norm2[:, None]),
        "v_test": v_test(cloud, mean, mass[held]),
        "eta2": np.broadcast_to(eta2, mean.shape),
    }
    labels = [(factor.name, label) for label in factor.labels[held]]
    index = pd.MultiIndex.from_tuples(labels, names=["variable", "category"])
    return axes_frame(measures, index, {("distance2", ""): cloud.public(distance2)})
