"""The honest files that mutations start from: every estimator and every record there is."""

import pickle
import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.base import clone

import gramian as gm

from . import models

rng = np.random.default_rng(8)
X, NEW = models.X, models.NEW
CLASSES = np.array(["low", "middle", "high"])[np.arange(24) % 3]
TWO = np.where(X[:, 0] > 5.0, "yes", "no")
DATES = pd.date_range("2020-01-01", periods=24, freq="h", tz="Europe/Paris")
LEVELS = pd.MultiIndex.from_product([["a", "b"], range(12)], names=["block", "k"])
GRAPHS = [gm.kernels.graph.as_graph(graph) for graph in models.GRAPHS]
PARTS = pd.CategoricalIndex([f"c{k}" for k in range(24)], ordered=True)


@dataclass
class Base:
    """A file, and rows to ask its model about."""

    name: str
    file: str
    new: Any
    reply: Any = None


def _labelled(index):
    return lambda: (gm.PCA(2).fit(models.FRAME.set_axis(index, axis=0)), models.FRAME[:3])


def _seeded(bits):
    def fit():
        seed = np.random.Generator(bits(3))
        return gm.Nystrom(5, landmarks="uniform", random_state=seed).fit(X), NEW

    return fit


UNEVEN = np.geomspace(1e4, 1.0, X.shape[1])  # axes of very different length
MORE = {
    "logistic": lambda: (gm.KernelLogisticRegression().fit(X, TWO), NEW),
    "logistic three": lambda: (
        gm.KernelLogisticRegression(approximation=gm.Nystrom(6)).fit(X, CLASSES),
        NEW,
    ),
    "logistic axes": lambda: (
        gm.KernelLogisticRegression(kernel="linear").fit(X * UNEVEN, TWO),
        NEW * UNEVEN,
    ),
    "logistic precomputed": lambda: (
        gm.KernelLogisticRegression(kernel="precomputed").fit(X @ X.T, TWO),
        NEW @ X.T,
    ),
    "regression": lambda: (gm.PrincipalComponentRegression(2).fit(X, X[:, 2]), NEW),
    "regression two": lambda: (
        gm.PrincipalComponentRegression("cv", kernel="linear").fit(X, X[:, 2:]),
        NEW,
    ),
    "classifier": lambda: (
        gm.PrincipalComponentClassifier(2, penalty=0.1).fit(X, CLASSES),
        NEW,
    ),
    "torch": lambda: (gm.PCA(2).fit(torch.asarray(X)), torch.asarray(NEW)),
    "torch kernel": lambda: (gm.KernelPCA(2).fit(torch.asarray(X)), torch.asarray(NEW)),
    "dates": _labelled(DATES),
    "levels": _labelled(LEVELS),
    "parts": _labelled(PARTS),
    "range": _labelled(pd.RangeIndex(5, 53, 2, name="position")),
    "philox": _seeded(np.random.Philox),
    "pcg": _seeded(np.random.PCG64DXSM),
    "sfc": _seeded(np.random.SFC64),
    "twister": _seeded(np.random.MT19937),
    "old seed": lambda: (
        gm.Nystrom(5, landmarks="uniform", random_state=np.random.RandomState(3)).fit(X),
        NEW,
    ),
    "mds pair weights": lambda: (
        gm.MDS(2, pair_weight=1.0 + models.D, n_init=1).fit(X, sample_weight=models.WEIGHT),
        NEW,
    ),
    "mds sstress": lambda: (gm.MDS(2, loss="sstress", n_init=1, max_iter=20).fit(X[:12]), NEW),
    "mds graphs": lambda: (
        gm.ClassicalMDS(1, metric=gm.kernels.graph.VertexHistogram()).fit(GRAPHS),
        GRAPHS[:2],
    ),
    "mds kernel": lambda: (gm.ClassicalMDS(2, metric=gm.kernels.Gaussian()).fit(X), NEW),
}
KERNELS = {
    f"kernel {k}": lambda kernel=kernel: (
        gm.KernelPCA(2, kernel=clone(kernel, safe=False), indefinite="clip").fit(X),
        NEW,
    )
    for k, kernel in enumerate(models.kernels())
}
EVERY = models.FITS | MORE | KERNELS
NAMES = list(EVERY)


def write(folder, names=None):
    """Write the files and the list of them."""
    made = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names or NAMES:
            fitted, new = EVERY[name]()
            file = re.sub(r"\W+", "_", name) + ".gramian"
            gm.save(fitted, folder / file)
            made.append(Base(name, file, new))
    (folder / "bases.pickle").write_bytes(pickle.dumps(made))
