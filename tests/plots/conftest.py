"""Fits that the figures are drawn from, made once."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm


@pytest.fixture(scope="session")
def iris():
    return gm.datasets.iris()


@pytest.fixture(scope="session")
def species(iris):
    return iris.groups.iloc[:, 0]


@pytest.fixture(scope="session")
def pca(iris):
    return gm.PCA(scale=True).fit(iris.data)


@pytest.fixture(scope="session")
def kpca(iris):
    return gm.KernelPCA(4).fit(iris.data)


@pytest.fixture(scope="session")
def mds(iris):
    return gm.ClassicalMDS(2).fit(iris.data)


@pytest.fixture(scope="session")
def plants():
    return gm.datasets.gene_expression()


@pytest.fixture(scope="session")
def genes(plants):
    return gm.PCA(scale=True).fit(plants.data)


@pytest.fixture(scope="session")
def crowd():
    """20,000 rows in four groups, with labels."""
    rng = np.random.default_rng(3)
    group = rng.integers(0, 4, 20_000)
    X = rng.normal(0, 3, (4, 5))[group] + rng.normal(size=(group.size, 5))
    index = [f"row {i}" for i in range(group.size)]
    data = pd.DataFrame(X, index, [f"v{j}" for j in range(5)])
    labels = pd.Series(np.array(["north", "south", "east", "west"])[group], index, name="region")
    return gm.PCA(scale=True).fit(data), labels
