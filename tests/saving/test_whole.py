"""A model that was loaded answers as it did, or it was refused when it was loaded."""

import importlib

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

import gramian as gm
from gramian.errors import InputError
from gramian.saving import names
from gramian.saving.fitted import RESULTS
from gramian.saving.records import RECORDS

from . import bases, models, mutations
from .forge import at, changed, file_of, parts_of, paths, without

SLICE = [
    *("pca scaled, labelled, weighted", "pca blocks", "kernel pca weighted", "kernel pca krein"),
    *("kernel pca nystrom", "kernel pca sparse", "classical mds gower", "mds interval distances"),
    *("graphs", "several kernels, one of words", "logistic three", "regression two", "twister"),
]


def test_a_slice_of_the_mutations():
    """`python -m tests.saving.mutations` runs them all: benchmarks/results/model_mutations.md."""
    results = mutations.run(400, seed=20, names=SLICE)
    assert len(results) > 350
    bad = [result for result in results if result[1] in mutations.BAD]
    assert not bad, "\n".join(map(str, bad))
    assert sum(result[1] == "refused" for result in results) > 250
    unsigned = [result for result in results if not result[3]]
    assert unsigned and all(result[1] == "refused" for result in unsigned)


def load(data, tmp_path):
    path = tmp_path / "m.gramian"
    path.write_bytes(data)
    return gm.load(path)


def saved(name, tmp_path):
    fitted, _ = bases.EVERY[name]()
    gm.save(fitted, tmp_path / "m.gramian")
    return parts_of((tmp_path / "m.gramian").read_bytes())


def place_of(tree, *ends):
    """Return the first place of a tree whose last parts are these."""
    for place in paths(tree):
        keys = [key for key in place if key != "parts"]
        if tuple(keys[-len(ends) :]) == ends:
            return place
    raise LookupError(ends)


LOST = [
    ("pca", "record_"),
    ("pca", "eigenvalues_"),
    ("pca", "components_"),
    ("pca", "n_features_in_"),
    ("pca", "solver"),
    ("pca scaled, labelled, weighted", "feature_names_in_"),
    ("pca blocks", "stream_"),
    ("kernel pca", "kernel_"),
    ("kernel pca", "spectrum"),
    ("kernel pca", "values"),
    ("kernel pca", "coefficients"),
    ("kernel pca", "centering"),
    ("kernel pca", "X"),
    ("kernel pca nystrom", "kernel_map"),
    ("kernel pca nystrom", "W"),
    ("mds ordinal", "curve"),
    ("mds", "arrangement"),
    ("several kernels", "combination_"),
    ("logistic", "dual_coef_"),
    ("classifier", "decomposition_"),
    ("regression", "coef_"),
    ("nystrom", "_map"),
    ("graphs", "indptr"),
]


@pytest.mark.parametrize(("name", "part"), LOST)
def test_a_part_that_is_lost_is_missed_at_once(name, part, tmp_path):
    tree, tensors = saved(name, tmp_path)
    with pytest.raises(InputError) as caught:
        load(file_of(without(tree, place_of(tree, part)), tensors), tmp_path)
    assert len(str(caught.value)) <= 400


def array_at(tree, *ends):
    return at(tree, place_of(tree, *ends))["name"]


# Each number is tied to others: that of the rows, of the axes, of the points, of the pairs.
TIED = [
    ("pca", ("values",)),
    ("pca", ("eigenvalues_",)),
    ("pca", ("components_",)),
    ("pca", ("mean_",)),
    ("pca", ("deviation",)),
    ("pca", ("vectors",)),
    ("pca", ("factor",)),
    ("pca", ("shift",)),
    ("pca", ("table", "values")),
    ("pca blocks", ("moments", "first")),
    ("pca blocks", ("second",)),
    ("pca blocks", ("rest",)),
    ("kernel pca", ("coordinates",)),
    ("kernel pca", ("coefficients",)),
    ("kernel pca", ("means",)),
    ("kernel pca", ("p",)),
    ("kernel pca", ("distance2",)),
    ("kernel pca", ("table", "values")),
    ("kernel pca span", ("model", "shift")),
    ("kernel pca precomputed", ("K",)),
    ("kernel pca nystrom", ("W",)),
    ("kernel pca nystrom", ("landmarks_",)),
    ("kernel pca fourier", ("omega",)),
    ("classical mds cityblock", ("rows",)),
    ("classical mds landmarks", ("places", "distance2")),
    ("classical mds landmarks", ("places", "coordinates")),
    ("kernel pca weighted", ("places", "distance2")),
    ("mds", ("delta",)),
    ("mds", ("fit", "distance")),
    ("mds ordinal", ("curve", "level")),
    ("mds ordinal", ("disparity",)),
    ("mds", ("stress_per_point_",)),
    ("several kernels", ("combination_", "weights")),
    ("several kernels", ("inertias",)),
    ("several kernels", ("kernel_weights_", "values")),
    ("graphs", ("codes",)),
    ("graphs", ("weights",)),
    ("nystrom", ("_F",)),
]


@pytest.mark.parametrize(("name", "ends"), TIED, ids=str)
def test_one_number_alone_cannot_change(name, ends, tmp_path):
    tree, tensors = saved(name, tmp_path)
    array = array_at(tree, *ends)
    for other in (lambda x: 1.5 * x + 1.0, lambda x: x * np.nan, lambda x: -3.0 * x - 2.0):
        a = tensors[array].copy()
        if a.dtype.kind == "f":
            a.reshape(-1)[-1] = other(a.reshape(-1)[-1])
        else:
            a.reshape(-1)[-1] ^= 5
        with pytest.raises(InputError):
            load(file_of(tree, tensors | {array: a}), tmp_path)


NUMBERS = [
    ("kernel pca", ("kernel_", "scale"), [-1.0, 0.0, "x", None, [], True, 1.0, 1e400]),
    ("kernel 5", ("kernel_", "scale"), [10**6, 70, 3, -2]),
    ("kernel pca", ("total",), [0.0, 9.9, "1"]),
    ("kernel pca", ("grand",), [7.0]),
    ("kernel pca", ("training", "n"), [23, 25, -1, 10**12, 24.0]),
    ("kernel pca", ("kind",), ["square", "objects", "gone", "gram", "x"]),
    ("pca", ("n_components_",), [1, 3, 0, -2, 10**9]),
    ("pca", ("n_features_in_",), [3, 5, None]),
    ("pca", ("unit",), [2.0, 0.0, -1.0]),
    ("classical mds gower", ("constant",), [0.1, -1.0]),
    ("classical mds gower", ("correction_constant_",), [0.1]),
    ("classical mds cityblock", ("metric", "metric"), ["x", "gower", 3, "euclidean"]),
    ("mds", ("stress_",), [0.5]),
    ("mds", ("raw",), [0.5, -1.0]),
    ("mds ordinal", ("scaling", "scaling"), ["ratio", "x"]),
    ("several kernels", ("kernel_", "left", "left", "value"), [9.0, -1.0]),
    ("graphs", ("kernel_", "n_iter"), [10**12, 1, -1]),
    ("sequences", ("kernel_", "k"), [10**12, 3]),
    ("old seed", ("state", "items", 2), [10**6, 625, -5]),
]


@pytest.mark.parametrize(("name", "ends", "values"), NUMBERS, ids=str)
def test_nor_can_a_number_of_the_tree(name, ends, values, tmp_path):
    tree, tensors = saved(name, tmp_path)
    place = place_of(tree, *ends)
    for value in values:
        with pytest.raises(InputError):
            load(file_of(changed(tree, place, value), tensors), tmp_path)


def test_a_value_may_not_stand_in_the_place_of_a_method(tmp_path):
    tree, tensors = saved("pca", tmp_path)
    for word in ("transform", "fit", "individuals", "coordinates_", "get_params"):
        place = ("model", "parts", word)
        with pytest.raises(InputError, match=r"hidden|not hold"):
            load(file_of(changed(tree, place, 5), tensors), tmp_path)


def test_an_attribute_of_the_users_own_comes_back(tmp_path):
    fitted = gm.PCA(1).fit(models.X)
    fitted.note = "of Monday"
    gm.save(fitted, tmp_path / "m.gramian")
    assert gm.load(tmp_path / "m.gramian").note == "of Monday"


def test_kernels_that_double_are_refused(tmp_path):
    """Forty sums of one kernel with itself are a million million of it, written out."""
    tree, tensors = saved("kernel pca", tmp_path)
    node = {"is": "object", "class": "kernels.Linear", "number": 500, "parts": {}}
    for k in range(40):
        parts = {"left": node, "right": {"is": "same", "as": 500 + k}}
        node = {"is": "object", "class": "kernels.Sum", "number": 501 + k, "parts": parts}
    with pytest.raises(InputError, match="a kernel of more than"):
        load(file_of(changed(tree, ("model", "parts", "kernel"), node), tensors), tmp_path)


def test_what_was_changed_after_the_fit_is_not_saved(tmp_path):
    """A file that could not be loaded is not written."""
    fitted = gm.KernelPCA(2).fit(models.X)
    fitted.eigenvalues_[0] *= 2.0
    with pytest.raises(InputError, match="changed after the fit"):
        gm.save(fitted, tmp_path / "m.gramian")
    assert not list(tmp_path.iterdir())


def test_parameters_may_be_set_anew(tmp_path):
    fitted = gm.PCA(2, scale=True).fit(models.X).set_params(n_components=3, scale=False)
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian")
    assert other.n_components == 3 and other.n_components_ == 2


def test_every_class_of_model_files_says_what_it_must_be():
    """A class that is new to the list gets its lines in `records` or `fitted`."""
    from sklearn.base import BaseEstimator

    from gramian.kernels import Kernel

    for name, (module, attribute) in names._places().items():
        cls = getattr(importlib.import_module(module), attribute)
        if issubclass(cls, BaseEstimator):
            assert name in RESULTS, name
        elif not issubclass(cls, Kernel) and attribute != "Graph":  # which `graphs` looks at
            assert name in RECORDS, name


K, KP = gm.kernels, gm.KernelPCA
X, rng = models.X, np.random.default_rng(0)
Z = X - X.mean(axis=0)
HALF = np.where(np.arange(24) % 3 == 0, 0.0, 1.0)
SPARSE = sparse.csr_array(Z * (Z > 0)).astype(np.float32)
HONEST = {
    "tiny": lambda: KP(3, kernel="linear").fit(Z * 1e-150),
    "huge": lambda: gm.PCA(3).fit(Z * 1e150),
    "beyond": lambda: gm.PCA(2).fit(Z * 1e200),
    "offset": lambda: gm.PCA(2).fit(Z + 1e8),
    "graded": lambda: gm.PCA().fit(Z * [1.0, 1e-4, 1e-8, 1e-12]),
    "constant": lambda: gm.PCA().fit(np.c_[Z, np.ones(24)]),
    "wide": lambda: KP(formulation="span").fit(rng.normal(size=(5, 40))),
    "single": lambda: KP(3).fit((Z + 100.0).astype(np.float32), sample_weight=HALF),
    "sparse single": lambda: KP(2).fit(SPARSE),
    "twice": lambda: gm.MDS(2, n_init=1, metric="cityblock").fit(np.r_[Z[:9], Z[:9]]),
    "rough": lambda: KP(2, solver="krylov", tol=0.3).fit(Z),
    "all axes": lambda: KP(kernel=K.Polynomial(3)).fit(Z),
    "flip": lambda: KP(4, kernel=K.Sigmoid(scale=0.05), indefinite="flip").fit(Z),
    "torch": lambda: KP(2, formulation="span").fit(torch.asarray(Z), sample_weight=HALF),
    "torch pca": lambda: gm.PCA(2, scale=True).fit(torch.asarray(Z.astype(np.float32))),
    "refined": lambda: KP(2, approximation=gm.Nystrom(6, refine=True)).fit(Z),
    "leverage": lambda: KP(2, approximation=gm.Nystrom(6, landmarks="leverage")).fit(Z),
    "cosine": lambda: gm.ClassicalMDS(2, metric="cosine", correction="cailliez").fit(X),
    "mahalanobis": lambda: gm.ClassicalMDS(2, metric="mahalanobis").fit(Z),
    "gram": lambda: KP(2).fit(gm.operators.DenseGram(Z @ Z.T)),
    "gone": lambda: gm.PCA(2, scale=True).fit(iter([pd.DataFrame(Z), pd.DataFrame(Z + 1)])),
    "numbers as names": lambda: gm.PCA(2).fit(pd.DataFrame(Z)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HONEST)
def test_no_honest_model_is_refused(name, tmp_path):
    fitted = HONEST[name]()
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian")
    assert np.array_equal(fitted.eigenvalues_, other.eigenvalues_)
    if fitted.training_.kind != "gone":
        mine, theirs = (np.asarray(f.coordinates_) for f in (fitted, other))
        assert np.array_equal(mine, theirs)
        _ = fitted.individuals()  # what is computed once is written too, and read again
        gm.save(fitted, tmp_path / "m.gramian")
        assert np.array_equal(mine, np.asarray(gm.load(tmp_path / "m.gramian").coordinates_))
