"""Every figure of the library at 10, 300 and 20,000 points with 2, 10 and 30 groups, as cases.

A case is a name and a function of the backend. What they are drawn from is made once.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

import gramian as gm

SIZES, GROUPS = (10, 300, 20_000), (2, 10, 30)
ONCE = ("density", "scatter", "supplementary")  # drawn of 300 rows only
# Further figures that change with 20,000 rows; the others are of columns, or of a sample of rows.
OF_ROWS = ("numbers", "quality", "supplement", "scree", "contributions", "shepard", "answers")


@cache
def table(n: int, groups: int = 2) -> tuple[pd.DataFrame, pd.Series]:
    """Return n rows of eight columns, and the group of each (no more groups than rows)."""
    rng = np.random.default_rng([n, groups])
    code = np.arange(n) % min(n, groups)
    X = 3.0 * rng.normal(size=(groups, 8))[code] @ np.diag(0.8 ** np.arange(8))
    X += rng.normal(size=(n, 8))
    index = [f"row {i}" for i in range(n)]
    group = pd.Series([f"group {k + 1}" for k in code], index, name="group")
    return pd.DataFrame(X.round(6), index, [f"column {j}" for j in "abcdefgh"]), group


@cache
def pca(n: int, groups: int = 2) -> gm.PCA:
    return gm.PCA(5, scale=True).fit(table(n, groups)[0])


@cache
def kernel(n: int) -> gm.KernelPCA:
    approximation = gm.Nystrom(100, random_state=0) if n > 1_000 else None
    return gm.KernelPCA(5, approximation=approximation, random_state=0).fit(table(n)[0])


@cache
def distances(n: int) -> gm.ClassicalMDS:
    return gm.ClassicalMDS(2).fit(table(min(n, 600))[0])


@cache
def indefinite() -> gm.KernelPCA:
    """Return the axes of a kernel with positive and negative eigenvalues."""
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(80, 80)))[0]
    values = np.arange(1.0, 81.0) ** -1.5 * np.where(np.arange(80) % 4 == 3, -1.0, 1.0)
    K = (Q * values) @ Q.T
    return gm.KernelPCA(60, kernel="precomputed", indefinite="krein").fit((K + K.T) / 2)


@cache
def stress() -> gm.MDS:
    return gm.MDS(2, n_init=1, random_state=0).fit(table(30, 3)[0])


@cache
def classifier(n: int, groups: int) -> Any:
    X, group = table(n, groups)
    return KNeighborsClassifier(1 if n < 100 else 15).fit(X.iloc[:, :2], group)


@cache
def answers(n: int) -> gm.MCA:
    rng = np.random.default_rng(n)
    trait = rng.normal(size=n)
    frame = {
        f"question {j}": np.array(["often", "seldom", "never"])[
            np.digitize(trait + rng.normal(size=n), [-0.5, 0.5])
        ]
        for j in range(1, 5)
    }
    return gm.MCA(3).fit(pd.DataFrame(frame, [f"row {i}" for i in range(n)]))


@cache
def holes(n: int) -> Any:
    X = table(n)[0].iloc[:, :5].copy()
    mask = np.random.default_rng(n).random(X.shape) < (0.06 if n > 100 else 0.15)
    return gm.missing.multiple(X.mask(mask), 2, n_tables=10, random_state=0)


@cache
def replicate_study() -> Any:
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((16, 4)), 3, axis=1) + 0.3 * rng.standard_normal((16, 12))
    options = {"n_resamples": 4, "n_permutations": 0, "infer": {"density": 12 / 66}}
    return gm.networks.replicate_study(X, np.repeat(["control", "stress"], 8), **options)


@cache
def clusters(n: int) -> Any:
    return gm.clusters.find(pca(n), 3, n_axes=2)


@cache
def choices(n: int) -> Any:
    return gm.dimension.choose(table(n)[0], rules=["kaiser", "elbow", "cattell", "broken_stick"])


@cache
def parallel() -> Any:
    X = gm.datasets.wine().data
    return gm.dimension.parallel_analysis(X / X.std(), n_permutations=19, random_state=0)


@cache
def kernels(n: int) -> Any:
    return gm.kernels.select(table(n)[0], criterion="contrast", random_state=0)


@cache
def digits() -> tuple[pd.DataFrame, gm.PCA]:
    rows = gm.datasets.digits().data.iloc[:300]
    return rows, gm.PCA(20).fit(rows)


def _again() -> pd.DataFrame:
    rows, fit = digits()
    return fit.inverse_transform(fit.transform(rows[:10]))


def grouped(n: int, groups: int) -> dict[str, Callable[..., Any]]:
    """Return the figures that show groups."""
    color = partial(lambda: table(n, groups)[1])
    fit = partial(pca, n, groups)
    plots = gm.plots
    return {
        "individuals": lambda **o: plots.individuals(fit(), color=color(), **o),
        "ellipses": lambda **o: plots.individuals(
            fit(), (1, 3), color=color(), ellipses="concentration", barycentres=True, **o
        ),
        "density": lambda **o: plots.individuals(
            fit(), color=color(), ellipses="density", labels=False, **o
        ),
        "biplot": lambda **o: plots.biplot(fit(), color=color(), **o),
        "pairs": lambda **o: plots.pairs(fit(), 3, color=color(), **o),
        "map3d": lambda **o: plots.map3d(fit(), color=color(), **o),
        "scatter": lambda **o: plots.scatter(table(n, groups)[0], color=color(), **o),
        "supplementary": lambda **o: plots.categories(fit(), table=color(), individuals=True, **o),
        "regions": lambda **o: plots.regions(
            classifier(n, groups), table(n, groups)[0].iloc[:, :2], color(), resolution=80, **o
        ),
    }


def plain(n: int) -> dict[str, Callable[..., Any]]:
    """Return the figures of rows, of variables and of studies that groups do not change."""
    plots, X = gm.plots, partial(lambda: table(n)[0])
    few = min(n, 300)
    return {
        "numbers": lambda **o: plots.individuals(kernel(n), color=X().iloc[:, 0], **o),
        "quality": lambda **o: plots.individuals(pca(n), color="cos2", size="cos2", **o),
        "supplement": lambda **o: plots.individuals(
            pca(n), labels=3, supplementary=X().iloc[:4] + 2.0, title="With new rows", **o
        ),
        "scree": lambda **o: plots.scree(kernel(n), **o),
        "reference": lambda **o: plots.scree(pca(n), reference=1.0, values="eigenvalues", **o),
        "log": lambda **o: plots.scree(kernel(n), scale="log", reference={"1 %": 0.01}, **o),
        "variables": lambda **o: plots.variables(pca(n), color="contribution", **o),
        "correlated": lambda **o: plots.variables(kernel(n), table=X(), **o),
        "contributions": lambda **o: plots.contributions(pca(n), **o),
        "cos2": lambda **o: plots.cos2(pca(n), (1, 2), **o),
        "gram": lambda **o: plots.gram(kernel(few), **o),
        "shepard": lambda **o: plots.shepard(distances(n), **o),
        "procrustes": lambda **o: plots.procrustes(pca(n), kernel(n), color=table(n)[1], **o),
        "reconstruction": lambda **o: plots.reconstruction(pca(n), **o),
        "correlations": lambda **o: plots.correlations(X(), **o),
        "answers": lambda **o: plots.categories(answers(n), individuals=True, **o),
        "dendrogram": lambda **o: plots.dendrogram(clusters(few), **o),
        "dimension": lambda **o: plots.dimension(choices(few), **o),
        "selection": lambda **o: plots.selection(kernels(few), **o),
        "imputations": lambda **o: plots.imputations(holes(few), **o),
    }


def alone() -> dict[str, Callable[..., Any]]:
    """Return the figures that have a size of their own."""
    plots = gm.plots
    return {
        "components": lambda **o: plots.images(digits()[1], shape=(8, 8), n_images=8, **o),
        "components-mean": lambda **o: plots.images(
            digits()[1], shape=(8, 8), n_images=24, columns=5, mean=True, each=True, **o
        ),
        "outliers": lambda **o: plots.outliers(gm.PCA(2, scale=True).fit(table(300)[0]), **o),
        "film": lambda **o: plots.film(pca(300), n_images=5, **o),
        "film-images": lambda **o: plots.film(digits()[1], shape=(8, 8), **o),
        "parallel": lambda **o: plots.dimension(parallel(), **o),
        "images": lambda **o: plots.images(digits()[0][:10], _again(), shape=(8, 8), **o),
        "replicates": lambda **o: plots.replicates(replicate_study(), **o),
        "log-log": lambda **o: plots.scree(indefinite(), n_axes=60, scale="log-log", **o),
        "negative": lambda **o: plots.scree(indefinite(), n_axes=10, **o),
        "stress": lambda **o: plots.individuals(stress(), **o),
        "networks": lambda **o: plots.networks(replicate_study(), **o),
        "network": lambda **o: plots.network(replicate_study().consensus(), **o),
        "dark": lambda **o: plots.individuals(
            pca(300), color="cos2", ellipses="concentration", theme="dark", **o
        ),
        "paper": lambda **o: plots.biplot(
            pca(300, 10), color=table(300, 10)[1], theme="paper", figsize=(3.35, 3.0), **o
        ),
    }


def cases() -> dict[str, Callable[..., Any]]:
    """Return every case under its name, "biplot-300-10" say."""
    made = {
        f"{name}-{n}-{g}": draw
        for n in SIZES
        for g in GROUPS
        if g <= n or g == 10
        for name, draw in grouped(n, g).items()
        if n == 300 or name not in ONCE
    }
    made |= {
        f"{name}-{n}": draw
        for n in SIZES
        for name, draw in plain(n).items()
        if n < 20_000 or name in OF_ROWS
    }
    return made | alone()
