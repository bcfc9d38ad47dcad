"""Find classes of rows on the axes of a fit."""

from typing import Any, Literal

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, generator, is_whole, share, short, whole
from gramian._core.embedding import FeatureModel
from gramian._core.numbers import require_square
from gramian._core.types import SeedLike
from gramian._estimators.fit import Fit
from gramian._estimators.foreign.outside import as_fit, drawable
from gramian.clusters import tree as trees
from gramian.clusters.result import Clusters
from gramian.errors import InputError, InputTypeError
from gramian.evidence.clusters import outline_of, spread_of_steps
from gramian.evidence.division import Split, divide, within_metric

_MAX_TESTED_ROWS = 1000  # rows looked at when classes are counted
_MAX_COLUMNS = 1000  # columns of a table of steps that are spread


def find(
    fitted: Any,
    n_clusters: int | Literal["hcpc"] | None = None,
    *,
    n_axes: int | None = None,
    consolidate: bool = True,
    alpha: float = 0.05,
    random_state: SeedLike = None,
) -> Clusters:
    """Find classes of rows on the axes of a fit, by Ward's method and k-means.

    The two classes whose merger costs the least inertia between classes are joined repeatedly; the
    tree is cut, and k-means moves rows between classes. This is FactoMineR's HCPC, except that the
    consolidation uses the weights of the rows.

    By default the number of classes is tested and may be 1: rows are divided recursively in two, as
    long as the graph of nearest neighbours has fewer edges between the two parts than for a line
    cut in two. Such classes may be elongated and of unequal sizes and widths: rows are assigned to
    the nearest centre in the metric of the covariance within classes.

    Parameters
    ----------
    fitted : fitted PCA, KernelPCA, ClassicalMDS, MDS, …
        The fit whose axes are clustered.
    n_clusters : int, "hcpc" or None
        None: the number found by the test at level alpha. "hcpc": from 3 to 10, the number with the
        largest relative decrease of the inertia within classes.
    n_axes : int, optional
        Number of axes used; by default all of the fit.
    consolidate : bool
        Whether k-means moves rows to the nearest centre after the tree is cut.
    alpha : float
        Level of the test: the probability of finding classes if there are none.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    Clusters
        `labels`, `n_clusters`, `tree`, `tests`; `describe()`, `paragons()`, `stability()`, ….

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
    >>> found = gm.clusters.find(fit, n_clusters=3)
    >>> found.sizes.tolist()
    [50, 53, 47]
    """
    fit = as_fit(drawable(fitted))
    if fit is None or fit.n_axes is None:
        text = "must be a fitted estimator, such as gm.PCA(5).fit(X)"
        raise InputTypeError(f"fitted={short(fitted)} {text}")
    F = _coordinates(fit, n_axes)
    flag(consolidate, "consolidate")
    share(alpha, "alpha")
    rng = generator(random_state)
    p = fit.row_weights
    w = np.full(len(F), 1.0 / len(F)) if p is None else p
    live = w > 0
    if live.sum() < 2:
        raise InputError("fit has fewer than 2 rows with a weight: there is nothing to cluster")
    tree = trees.ward(F[live], w[live])
    tried, hollow, metric = list[Split](), False, np.eye(F.shape[1])
    if n_clusters is None:
        noise = _steps(fit, F, rng)[live]
        codes, tried, hollow = _count_classes(F[live], noise, alpha, rng)
        metric = within_metric(F[live], codes, w[live]) if codes.max() > 0 else metric
    else:
        codes = tree.cut(_number(n_clusters, tree))
    G = F if n_clusters is not None else F @ metric
    if consolidate and codes.max() > 0:
        codes = trees.consolidate_classes(G[live], w[live], codes)
    codes = trees.number_classes(F[live], w[live], codes)
    every = np.empty(len(F), dtype=int)
    every[live] = codes
    every[~live] = trees.nearest(G[~live], trees.centres_of(G[live], w[live], codes))
    index = fit.row_labels
    labels = pd.Series(every + 1, index=pd.RangeIndex(len(F)) if index is None else index)
    return Clusters(labels.rename("class"), tree, F, w, tuple(tried), hollow, alpha, fit, metric)


def _coordinates(fit: Fit, n_axes: int | None) -> np.ndarray:
    if fit.is_streamed:
        text = "fit was made of blocks of rows, and kept no coordinates to cluster: give a fit of "
        raise InputError(text + "one table, such as a sample of the rows")
    F = np.asarray(to_numpy(fit.coordinates_), dtype=float)
    if F.shape[1] == 0:
        raise InputError("fit has no axis: its rows do not differ")
    require_square(float(np.abs(F).max()), "fit: its largest coordinate", "X")
    q = F.shape[1] if n_axes is None else whole(n_axes, "n_axes", 1, F.shape[1], what="the axes")
    return np.ascontiguousarray(F[:, :q])


def _number(n_clusters: int | str, tree: trees.Tree) -> int:
    if isinstance(n_clusters, str) and n_clusters == "hcpc":
        return tree.suggested
    most = len(tree.merges) + 1
    if not is_whole(n_clusters) or not 1 <= int(n_clusters) <= most:
        text = f'must be a whole number from 1 to {most}, "hcpc", or None for as many as are apart'
        raise InputError(f"n_clusters={short(n_clusters)} {text}")
    return int(n_clusters)


def _count_classes(
    F: np.ndarray, noise: np.ndarray, alpha: float, rng: np.random.Generator
) -> tuple[np.ndarray, list[Split], bool]:
    """Return as many classes as are apart, what was tried, and whether it is a ring instead."""
    some = np.arange(len(F))
    if len(F) > _MAX_TESTED_ROWS:
        some = np.sort(rng.choice(len(F), _MAX_TESTED_ROWS, replace=False))
    G = (F + noise)[some]
    codes, tried = divide(G, alpha)
    hollow = G.shape[1] > 1 and outline_of(G[:, :2], rng, rings_only=True).hollow
    if hollow or codes.max() == 0:
        return np.zeros(len(F), dtype=int), tried, hollow
    if len(some) < len(F):
        metric = within_metric(F[some], codes)
        centres = trees.centres_of(F[some] @ metric, np.ones(len(some)), codes)
        codes = trees.nearest(F @ metric, centres)
    return codes, tried, False


def _steps(fit: Any, F: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return what spreads the rows of a table of few values: on a grid each value is a mode."""
    training, model = getattr(fit, "training_", None), getattr(fit, "model_", None)
    if not isinstance(model, FeatureModel) or training is None or training.kind != "table":
        return np.zeros_like(F)
    X = training.require().values
    if X.shape[1] > _MAX_COLUMNS:
        return np.zeros_like(F)
    Z = np.asarray(to_numpy(model.features(X)), dtype=float) * model.unit
    return spread_of_steps(Z, F, rng)
