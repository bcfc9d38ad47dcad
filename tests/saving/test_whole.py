"""A file with the right digest and a part that is not what its class says is refused at once."""

import re

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

import gramian as gm
from gramian.errors import InputError
from gramian.saving import check, classes

from . import bases, models, mutations
from .forge import at, changed, file_of, parts_of, paths, without

SLICE = [
    *("pca scaled, labelled, weighted", "pca blocks", "kernel pca weighted", "kernel pca krein"),
    *("kernel pca nystrom", "kernel pca sparse", "classical mds gower", "mds interval distances"),
    *("graphs", "several kernels, one of words", "logistic three", "regression two", "twister"),
]


@pytest.mark.slow
def test_a_slice_of_the_mutations():
    """`python -m tests.saving.mutations` runs them all: benchmarks/results/model_mutations.md."""
    results = mutations.run(160, seed=20, names=SLICE)
    assert len(results) > 140
    bad = [result for result in results if result[1] in mutations.BAD]
    assert not bad, "\n".join(map(str, bad))
    assert sum(result[1] == "refused" for result in results) > 100
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


@pytest.mark.slow
@pytest.mark.parametrize(("name", "part"), LOST)
def test_a_part_that_is_lost_is_missed_at_once(name, part, tmp_path):
    tree, tensors = saved(name, tmp_path)
    with pytest.raises(InputError) as caught:
        load(file_of(without(tree, place_of(tree, part)), tensors), tmp_path)
    assert len(str(caught.value)) <= 400


ARRAYS = [
    ("pca", ("spectrum", "values")),
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
    ("kernel pca fourier", ("omega",)),
    ("kernel pca weighted", ("training", "weights")),
    ("mds", ("fit", "distance")),
    ("mds ordinal", ("curve", "level")),
    ("several kernels", ("combination_", "weights")),
    ("several kernels", ("inertias",)),
    ("graphs", ("weights",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ends"), ARRAYS, ids=str)
def test_numbers_that_are_none_and_other_shapes_and_types_are_refused(name, ends, tmp_path):
    tree, tensors = saved(name, tmp_path)
    array = at(tree, place_of(tree, *ends))["name"]
    a = tensors[array]
    missing, endless = a.copy(), a.copy()
    missing.reshape(-1)[-1], endless.reshape(-1)[-1] = np.nan, np.inf
    # A letter of a shape has one meaning in a record, so that an array cut short is noticed.
    for other in (missing, endless, a[:-1], a[None], a.astype(int), a.reshape(-1)[:0]):
        with pytest.raises(InputError, match=r"field model\.\S+: expected .+, got .+") as caught:
            load(file_of(tree, tensors | {array: other}), tmp_path)
        assert len(str(caught.value)) <= 400


NUMBERS = [
    ("kernel pca", ("kernel_", "scale"), [None, [], True]),
    ("kernel pca", ("total",), [0.0, "1", None]),
    ("kernel pca", ("training", "n"), [23, 25, -1, 10**12, 24.0, 2**70]),
    ("kernel pca", ("kind",), ["square", "objects", "gone", "gram", "x", 3]),
    ("kernel pca", ("scale",), ["x", 1, None]),
    ("pca", ("n_components_",), [1, 3, 0, -2, 10**9]),
    ("pca", ("n_features_in_",), [3, 5, None]),
    ("pca", ("unit",), [0.0, -1.0, "1"]),
    ("pca", ("whiten",), [1, "yes", None]),
    ("pca", ("solver",), [1, None]),
    ("classical mds gower", ("constant",), [-1.0, "x"]),
    ("classical mds gower", ("operator", "correction"), ["x", 3]),
    ("classical mds cityblock", ("metric", "metric"), ["gower", 3]),
    ("mds", ("raw",), [-1.0, None]),
    ("mds ordinal", ("scaling", "scaling"), ["ratio", "x"]),
    ("graphs", ("kernel_", "n_iter"), ["x", None]),
    ("old seed", ("pos",), [10**6, 625, -5]),
]


@pytest.mark.parametrize(("name", "ends", "values"), NUMBERS, ids=str)
def test_values_of_other_types_and_ranges_are_refused(name, ends, values, tmp_path):
    tree, tensors = saved(name, tmp_path)
    place = place_of(tree, *ends) if ends != ("pos",) else position_of(tree)
    for value in values:
        with pytest.raises(InputError):
            load(file_of(changed(tree, place, value), tensors), tmp_path)


def position_of(tree):
    """Return where the position of a random state stands, the second of its pair."""
    return next((*p[:-1], 1) for p in paths(tree) if p and p[-1] == 0 and at(tree, p) == "pos")


def test_a_refusal_names_the_field(tmp_path):
    tree, tensors = saved("pca", tmp_path)
    place = place_of(tree, "standard", "mean")
    forged = file_of(changed(tree, place, [1.0]), tensors)
    words = (
        "the model file: field model.record_.model.principal.standard.mean: expected numbers (p,), "
        "got a list: fit and save again"
    )
    with pytest.raises(InputError, match=re.escape(words)):
        load(forged, tmp_path)


def test_arcs_that_lead_nowhere_are_refused(tmp_path):
    """Compiled loops go where these numbers point."""
    tree, tensors = saved("graphs", tmp_path)
    for part, value in (("indices", 99), ("indices", -1), ("indptr", 99), ("codes", 5)):
        name = at(tree, place_of(tree, part))["name"]
        a = tensors[name].copy()
        a[-1] = np.array(value).astype(a.dtype)
        with pytest.raises(InputError, match="field"):
            load(file_of(tree, tensors | {name: a}), tmp_path)


def test_a_value_may_not_stand_in_the_place_of_a_method(tmp_path):
    tree, tensors = saved("pca", tmp_path)
    for word in ("transform", "fit", "individuals", "coordinates_", "get_params", "__class__"):
        place = ("model", "parts", word)
        with pytest.raises(InputError, match="hidden"):
            load(file_of(changed(tree, place, 5), tensors), tmp_path)
    place = (*place_of(tree, "training"), "parts", "check")
    with pytest.raises(InputError, match="no such field of Training"):
        load(file_of(changed(tree, place, 5), tensors), tmp_path)


def test_an_attribute_of_the_users_own_comes_back(tmp_path):
    fitted = gm.PCA(1).fit(models.X)
    fitted.note = "of Monday"
    gm.save(fitted, tmp_path / "m.gramian")
    assert gm.load(tmp_path / "m.gramian").note == "of Monday"


@pytest.mark.slow
def test_kernels_that_double_are_refused(tmp_path):
    """Forty sums of one kernel with itself are a million million of it, written out."""
    tree, tensors = saved("kernel pca", tmp_path)
    node = {"is": "object", "class": "kernels.Linear", "number": 500, "parts": {}}
    for k in range(40):
        parts = {"left": node, "right": {"is": "same", "as": 500 + k}}
        node = {"is": "object", "class": "kernels.Sum", "number": 501 + k, "parts": parts}
    with pytest.raises(InputError, match="a kernel of at most"):
        load(file_of(changed(tree, ("model", "parts", "kernel"), node), tensors), tmp_path)


def test_what_fit_does_not_make_is_not_saved(tmp_path):
    """A file that could not be loaded is not written."""
    fitted = gm.KernelPCA(2).fit(models.X)
    fitted.eigenvalues_ = fitted.eigenvalues_[:1]
    with pytest.raises(InputError, match=r"field KernelPCA.eigenvalues_.*changed after the fit"):
        gm.save(fitted, tmp_path / "m.gramian")
    assert not list(tmp_path.iterdir())


def test_a_parameter_that_is_newer_than_the_file_has_its_default(tmp_path):
    tree, tensors = saved("pca whitened", tmp_path)
    assert load(file_of(tree, tensors), tmp_path).whiten
    old = file_of(without(tree, ("model", "parts", "whiten")), tensors)
    assert load(old, tmp_path).whiten is False


def test_parameters_may_be_set_anew(tmp_path):
    fitted = gm.PCA(2, scale=True).fit(models.X).set_params(n_components=3, scale=False)
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian")
    assert other.n_components == 3 and other.n_components_ == 2


def test_every_class_of_the_list_says_what_its_parts_are():
    """A class that is new to the list has annotations that can be read."""
    for name in classes._MODULE_OF:
        cls = classes.class_named(name)
        if issubclass(cls, gm.kernels.Kernel):
            assert set(check.parameter_hints(cls)) == set(check.parameters(cls)), name
        else:
            assert check.record_parts(cls) or check.parameter_hints(cls), name
    for name in gm.__all__:
        if (cls := classes.class_named(name)) is not None:
            assert check.result_hints(cls), name
            assert set(check.parameter_hints(cls)) == set(check.parameters(cls)), name


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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HONEST)
def test_no_honest_model_is_refused(name, tmp_path):
    fitted = HONEST[name]()
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian")
    assert np.array_equal(vars(fitted)["eigenvalues_"], vars(other)["eigenvalues_"])
    if fitted.training_.kind != "gone":
        mine, theirs = (np.asarray(f.coordinates_) for f in (fitted, other))
        assert np.array_equal(mine, theirs)
        _ = fitted.individuals()  # what is computed once is written too, and read again
        gm.save(fitted, tmp_path / "m.gramian")
        assert np.array_equal(mine, np.asarray(gm.load(tmp_path / "m.gramian").coordinates_))
