"""A model that was saved and loaded gives the same numbers, to the last bit."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import safetensors
import torch
from sklearn.base import clone

import gramian as gm

from . import models

FITS = models.FITS
ROOT = Path(__file__).parent.parent.parent


def again(fitted, tmp_path):
    gm.save(fitted, tmp_path / "m.gramian")
    return gm.load(tmp_path / "m.gramian")


def same(a, b):
    if isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b, check_exact=True)
    elif hasattr(a, "toarray"):
        assert np.array_equal(a.toarray(), b.toarray())
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    else:
        assert a == b or (a != a and b != b)


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_every_model_comes_back(name, tmp_path):
    fitted, new = FITS[name]()
    other = again(fitted, tmp_path)
    assert type(other) is type(fitted) and repr(other) == repr(fitted)
    for key in (k for k in vars(fitted) if k.endswith("_")):
        if isinstance(getattr(fitted, key), np.ndarray | float | int | str | tuple):
            same(getattr(fitted, key), getattr(other, key))
    same(fitted.transform(new), other.transform(new))
    assert list(fitted.get_feature_names_out()) == list(other.get_feature_names_out())


READ = [name for name in FITS if name not in ("pca blocks", "nystrom", "fourier", "design")]


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_every_reading_comes_back(name, tmp_path):
    fitted, new = FITS[name]()
    other = again(fitted, tmp_path)
    same(fitted.individuals(), other.individuals())
    assert str(fitted.summary()) == str(other.summary())
    n = len(fitted.coordinates_)
    table = pd.DataFrame(
        {"size": np.arange(n) ** 1.5, "half": ["x", "y"] * (n // 2) + ["x"] * (n % 2)},
        index=fitted.training_.index,
    )
    same(fitted.categories(table[["half"]]), other.categories(table[["half"]]))
    same(fitted.variables(table[["size"]]), other.variables(table[["size"]]))
    mine, theirs = fitted.describe(table), other.describe(table)
    assert str(mine) == str(theirs)
    if "precomputed" not in name:
        same(fitted.individuals(new), other.individuals(new))


Y = np.where(models.X[:, 0] + models.X[:, 1] > 2.0, "high", "low")
PREDICTORS = [
    gm.KernelLogisticRegression(),
    gm.KernelLogisticRegression(class_weight="balanced"),
    gm.KernelLogisticRegression(class_weight={"high": 2.0}),
    gm.PrincipalComponentRegression(n_components=2),
    gm.PrincipalComponentRegression(n_components=2, kernel="linear"),
    gm.PrincipalComponentClassifier(n_components=2),
]


@pytest.mark.parametrize("estimator", PREDICTORS, ids=repr)
def test_every_predictor_comes_back(estimator, tmp_path):
    is_classifier = hasattr(estimator, "predict_proba")
    fitted = clone(estimator).fit(models.X, Y if is_classifier else models.X[:, 2])
    other = again(fitted, tmp_path)
    same(fitted.predict(models.NEW), other.predict(models.NEW))
    if is_classifier:
        same(fitted.predict_proba(models.NEW), other.predict_proba(models.NEW))


def test_variables_and_labels_come_back(tmp_path):
    fitted, _ = FITS["pca scaled, labelled, weighted"]()
    other = again(fitted, tmp_path)
    same(fitted.variables(), other.variables())
    assert list(other.individuals().index) == list(models.FRAME.index)
    assert list(other.feature_names_in_) == list("abcd")
    with pytest.raises(ValueError, match="feature names"):
        other.transform(models.FRAME.rename(columns={"a": "z"}))


@pytest.mark.parametrize("kernel", models.kernels(), ids=repr)
def test_every_kernel_comes_back(kernel, tmp_path):
    fitted = gm.KernelPCA(2, kernel=kernel, indefinite="clip").fit(models.X)
    other = again(fitted, tmp_path)
    assert other.kernel == fitted.kernel and other.kernel_ == fitted.kernel_
    same(fitted.transform(models.NEW), other.transform(models.NEW))


GRAPH = gm.kernels.graph
GRAPH_KERNELS = [name for name in GRAPH.__all__ if hasattr(getattr(GRAPH, name), "pairwise")]


@pytest.mark.parametrize("name", GRAPH_KERNELS)
def test_every_graph_kernel_comes_back(name, tmp_path):
    graphs = [
        (np.asarray(A), labels, list("abcd"))
        for labels, A in (
            (list("uuvw"), [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]),
            (list("uvvv"), [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]),
            (list("wwwu"), [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
        )
    ]
    options = [gm.kernels.graph.WeisfeilerLehman()] if name == "OptimalAssignment" else []
    kernel = getattr(gm.kernels.graph, name)(*options)
    fitted = gm.KernelPCA(1, kernel=kernel, indefinite="clip").fit(graphs)
    other = again(fitted, tmp_path)
    same(fitted.transform(graphs[1:]), other.transform(graphs[1:]))


def test_the_list_of_names_has_every_kernel():
    from gramian.saving.classes import name_of

    functions = {"Callback", "Function"}  # they hold code
    abstract = {"Dot", "Kernel", "Radial"}
    for module in (gm.kernels, gm.kernels.graph, gm.kernels.sequence):
        for name in module.__all__:
            cls = getattr(module, name)
            if isinstance(cls, type) and name not in functions | abstract:
                assert name_of(cls) is not None, name


def test_the_list_of_names_has_every_estimator():
    from sklearn.base import BaseEstimator

    from gramian.saving.classes import name_of

    for name in gm.__all__:
        cls = getattr(gm, name)
        if isinstance(cls, type) and issubclass(cls, BaseEstimator):
            assert name_of(cls) == name


INDEXES = {
    "numbers": pd.Index(np.arange(24) * 3),
    "range": pd.RangeIndex(5, 53, 2, name="position"),
    "texts": pd.Index([f"é{k}" for k in range(24)], name="who"),
    "levels": pd.MultiIndex.from_product([["a", "b"], range(12)], names=["block", "k"]),
    "days": pd.date_range("2020-01-01", periods=24, freq="D"),
    "hours": pd.date_range("2020-01-01", periods=24, freq="h", tz="Europe/Paris"),
    "categories": pd.CategoricalIndex([f"c{k}" for k in range(24)], ordered=True),
    "mixed": pd.Index([*range(12), *"abcdefghijkl"], dtype=object),
}


@pytest.mark.parametrize("name", INDEXES)
def test_labels_of_every_kind_come_back(name, tmp_path):
    fitted = gm.PCA(2).fit(models.FRAME.set_axis(INDEXES[name], axis=0))
    other = again(fitted, tmp_path)
    mine, theirs = fitted.training_.index, other.training_.index
    assert mine.equals(theirs) and mine.names == theirs.names and mine.dtype == theirs.dtype
    pd.testing.assert_frame_equal(
        fitted.individuals(), other.individuals(), check_exact=True, check_freq=False
    )


@pytest.mark.parametrize("seed", [7, np.random.default_rng(7), np.random.RandomState(7)])
def test_random_states_come_back(seed, tmp_path):
    fitted = gm.KernelPCA(2, approximation=gm.Nystrom(5, random_state=seed)).fit(models.X)
    other = again(fitted, tmp_path)
    one, two = clone(fitted).fit(models.X), clone(other).fit(models.X)
    same(one.coordinates_, two.coordinates_)


def test_arrays_of_torch_come_back(tmp_path):
    X, new = torch.asarray(models.X), torch.asarray(models.NEW)
    for fitted in (gm.PCA(2).fit(X), gm.KernelPCA(2).fit(X)):
        other = again(fitted, tmp_path)
        assert isinstance(other.coordinates_, torch.Tensor)
        assert torch.equal(fitted.transform(new), other.transform(new))


@pytest.mark.slow
def test_what_is_shared_is_written_once(tmp_path):
    fitted = gm.KernelPCA(2).fit(np.random.default_rng(0).normal(size=(2000, 30)))
    gm.save(fitted, tmp_path / "m.gramian")
    rows = fitted.training_.rows.nbytes
    assert (tmp_path / "m.gramian").stat().st_size < rows + 2000 * 8 * 20


SAVE = """
import sys, warnings
warnings.simplefilter("ignore")
import gramian as gm
from tests.saving import models
for k, name in enumerate(sys.argv[2:]):
    gm.save(models.FITS[name]()[0], f"{sys.argv[1]}/{k}.gramian")
"""
SEEDED = ["pca scaled, labelled, weighted", "kernel pca", "mfa", "distatis", "classical mds gower"]
SEEDED += ["graphs", "several kernels, one of words", "mds ordinal", "nystrom"]


@pytest.mark.slow
def test_two_processes_write_the_same_bytes(tmp_path):
    """Whatever the hash seed, and when a file is loaded and saved again."""
    for seed in ("0", "1234"):
        (tmp_path / seed).mkdir()
        run = [sys.executable, "-c", SAVE, str(tmp_path / seed), *SEEDED]
        subprocess.run(run, env=os.environ | {"PYTHONHASHSEED": seed}, check=True, cwd=ROOT)
    for k, name in enumerate(SEEDED):
        one, two = (tmp_path / seed / f"{k}.gramian" for seed in ("0", "1234"))
        assert one.read_bytes() == two.read_bytes(), name
        gm.save(gm.load(one), two)
        assert one.read_bytes() == two.read_bytes(), name


def test_the_file_is_one_that_others_can_read(tmp_path):
    fitted, _ = FITS["pca single precision"]()
    gm.save(fitted, tmp_path / "m.gramian")
    with safetensors.safe_open(tmp_path / "m.gramian", "numpy") as file:
        assert file.metadata()["format"] == "gramian"
        arrays = [file.get_tensor(name) for name in file.keys()]  # noqa: SIM118
    assert any(np.array_equal(a, models.X.astype("f4")) for a in arrays)


def test_the_caller_keeps_the_model(tmp_path):
    fitted, new = FITS["kernel pca"]()
    before = fitted.transform(new)
    other = again(fitted, tmp_path)
    other.coordinates_[:] = 0.0
    same(fitted.transform(new), before)
