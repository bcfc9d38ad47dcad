"""Whatever the caller does with what he gave, no answer of the fit changes in silence."""

import copy

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

import gramian as gm
from gramian import kernels as k
from gramian._core.embedding import training as module

RNG = np.random.default_rng(51)
N = 16
X = RNG.standard_normal((N, 4)) * [3.0, 2.0, 1.0, 0.5] + 4.0
NEW = RNG.standard_normal((5, 4)) + 4.0
HALF = ["a", "b"] * (N // 2)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore::gramian.errors.ConvergenceWarning",
        "ignore::gramian.errors.NotEuclideanWarning",
        "ignore::gramian.errors.RankWarning",
        "ignore::gramian.errors.TiedAxesWarning",
    ),
]


def products(A, B):
    return np.asarray(A) @ np.asarray(B).T + 1.0


def apart(a, b):
    return float(np.abs(np.asarray(a) - np.asarray(b)).sum())


KERNELS = {
    "linear": "linear",
    "multiple": 2.0 * k.Linear(),
    "gaussian": "gaussian",
    "laplacian": "laplacian",
    "polynomial": k.Polynomial(2),
    "cosine": "cosine",
    "matern": k.Matern(1.7),
    "callback": products,
    "columns": k.Columns(k.Laplacian(2.0), [0, 2]),
    "mapped": k.Linear().on(np.square),
    "sum": k.Linear() + k.Laplacian(2.0),
    "distance": k.FromDistance("euclidean"),
}
METRICS = {
    "euclidean": "euclidean",
    "cityblock": "cityblock",
    "function": apart,
    "kernel": k.Polynomial(2),
    "gower": "gower",
}
ESTIMATORS = (
    {f"KernelPCA {name}": gm.KernelPCA(2, kernel=kernel) for name, kernel in KERNELS.items()}
    | {
        f"Nystrom {name}": gm.Nystrom(6, kernel=kernel)
        for name, kernel in KERNELS.items()
        if name in ("linear", "gaussian", "laplacian", "polynomial", "sum")
    }
    | {f"ClassicalMDS {name}": gm.ClassicalMDS(2, metric=m) for name, m in METRICS.items()}
    | {f"MDS {name}": gm.MDS(2, metric=m, n_init=1, max_iter=4) for name, m in METRICS.items()}
    | {
        "PCA": gm.PCA(2),
        "RandomFourier": gm.RandomFourier(6),
        "KernelPCA Fourier": gm.KernelPCA(2, approximation=gm.RandomFourier(6)),
        "KernelPCA landmarks": gm.KernelPCA(2, kernel="poly", approximation=gm.Nystrom(6)),
        "ClassicalMDS landmarks": gm.ClassicalMDS(2, metric="cityblock", landmarks=8),
        "ClassicalMDS dense": gm.ClassicalMDS(2, solver="dense"),
        "MultiKernelPCA": gm.MultiKernelPCA(2, kernels={"X": "laplacian"}),
        "Logistic": gm.KernelLogisticRegression(kernel="poly"),
        "Regression": gm.PrincipalComponentRegression(2, kernel="laplacian"),
    }
)
PREDICTORS = ("Logistic", "Regression")


def numbers(answer):
    if isinstance(answer, torch.Tensor):
        return answer.numpy().astype(float)
    return np.array(getattr(answer, "to_numpy", lambda: answer)(), dtype=float)


def placed(fit, new):
    """Return what a fit says of new rows: where they are, or what is likely."""
    return next(
        getattr(fit, name)
        for name in ("transform", "predict_proba", "predict")
        if hasattr(fit, name)
    )(new)


def answers(fit, new, path):
    """Return every answer that a fit gives of rows it was given or of new ones."""
    told = {"new": numbers(placed(fit, new))}
    if hasattr(type(fit), "individuals"):
        told["rows"] = numbers(fit.coordinates_)
        told["individuals"] = numbers(fit.individuals())
        if fit.training_.kind in ("table", "objects"):  # else k(x, x) of new rows is not known
            told["new individuals"] = numbers(fit.individuals(new))
        told["categories"] = numbers(fit.categories({"half": HALF}))
        told["variables"] = numbers(fit.variables({"size": np.arange(float(N))}))
        told["description"] = numbers(
            fit.describe({"size": np.arange(float(N))}).select_dtypes("number")
        )
    if isinstance(fit, gm.KernelPCA) and fit.training_.kind == "table":
        told["back"] = numbers(fit.inverse_transform(fit.coordinates_[:3]))
        told["moved"] = numbers(gm.importance.permutation(fit, n_permutations=1, random_state=0))
    try:
        gm.save(fit, path)
    except gm.errors.InputError:  # code of the user's own is not saved
        return told
    again = gm.load(path)
    told["file"] = numbers(placed(again, new))
    return told


def table_kind(kind, A):
    if kind == "rows in a list":
        return [row.copy() for row in A]
    return {
        "array": np.array,
        "single": lambda A: A.astype("f4"),
        "by columns": np.asfortranarray,
        "list": lambda A: A.tolist(),
        "frame": lambda A: pd.DataFrame(A.copy()),
        "sparse": sparse.csr_array,
        "torch": lambda A: torch.asarray(A.copy()),
    }[kind](A)


KINDS = ["array", "single", "by columns", "list", "rows in a list", "frame", "sparse", "torch"]


def change(data):
    """Turn the rows round, enlarge and move them, in place."""
    if isinstance(data, list):
        for row in data:
            row[:] = [3.0 * value + 1.0 for value in row]
    elif isinstance(data, pd.DataFrame):
        data.iloc[:, :] = 3.0 * data.to_numpy()[::-1] + 1.0
    elif sparse.issparse(data):
        data.data[:] = 3.0 * data.data[::-1] + 1.0
    elif isinstance(data, torch.Tensor):
        data.copy_(3.0 * data.flip(0) + 1.0)
    else:
        data[:] = 3.0 * data[::-1] + 1.0


def is_taken(name, kind):
    if kind == "sparse":
        dense = ("Fourier", "cityblock", "function", "kernel", "gower", "landmarks")
        return not name.startswith(("MDS", "ClassicalMDS")) and not name.endswith(dense)
    if kind == "torch":
        return not name.endswith(("cityblock", "distance", "landmarks", "gower", "function"))
    return True


def assert_told_again(before, after):
    assert before.keys() == after.keys()
    for what, truth in before.items():
        np.testing.assert_array_equal(after[what], truth, err_msg=what)


def fitted(estimator, data, name):
    fresh = copy.deepcopy(estimator)
    return (
        fresh.fit(data, HALF if name == "Logistic" else np.arange(N))
        if (name in PREDICTORS)
        else fresh.fit(data)
    )


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_array(name, tmp_path):
    data = X.copy()
    truth = answers(fitted(ESTIMATORS[name], X.copy(), name), NEW, tmp_path / "a.gramian")
    fit = fitted(ESTIMATORS[name], data, name)
    change(data)
    assert_told_again(truth, answers(fit, NEW, tmp_path / "b.gramian"))


WALK = ["KernelPCA polynomial", "Nystrom sum", "MDS euclidean", "MultiKernelPCA", "Logistic"]


@pytest.mark.parametrize("kind", KINDS[1:])
@pytest.mark.parametrize("name", WALK)
def test_every_container(name, kind, tmp_path):
    if not is_taken(name, kind):
        return
    truth = answers(
        fitted(ESTIMATORS[name], table_kind(kind, X), name), NEW, tmp_path / "a.gramian"
    )
    data = table_kind(kind, X)
    fit = fitted(ESTIMATORS[name], data, name)
    change(data)
    assert_told_again(truth, answers(fit, NEW, tmp_path / "b.gramian"))


SQUARES = {
    "KernelPCA": (gm.KernelPCA(2, kernel="precomputed"), products),
    "Logistic": (gm.KernelLogisticRegression(kernel="precomputed"), products),
    "ClassicalMDS": (gm.ClassicalMDS(2, metric="precomputed", correction="lingoes"), gm.distances),
    "MDS": (gm.MDS(2, metric="precomputed", n_init=1, max_iter=4), gm.distances),
}


@pytest.mark.parametrize("kind", ["array", "list", "torch"])
@pytest.mark.parametrize("name", SQUARES)
def test_matrices(name, kind, tmp_path):
    estimator, of = SQUARES[name]
    of = of if callable(of) else of.euclidean
    truth = answers(
        fitted(estimator, table_kind(kind, of(X, X)), name), of(NEW, X), tmp_path / "a.gramian"
    )
    data = table_kind(kind, of(X, X))
    fit = fitted(estimator, data, name)
    change(data)
    assert_told_again(truth, answers(fit, of(NEW, X), tmp_path / "b.gramian"))


def test_blocks(tmp_path):
    kernels = {"one": k.Polynomial(2), "two": "laplacian", "three": "precomputed"}

    def blocks(A):
        return {"one": A[:, :2].copy(), "two": A[:, 2:].copy(), "three": products(A, X)}

    truth = answers(
        gm.MultiKernelPCA(2, kernels=kernels).fit(blocks(X)), blocks(NEW), tmp_path / "a"
    )
    data = blocks(X)
    fit = gm.MultiKernelPCA(2, kernels=kernels).fit(data)
    for block in data.values():
        change(block)
    assert_told_again(truth, answers(fit, blocks(NEW), tmp_path / "b"))


def graphs():
    drawn = [nx.gnp_random_graph(6, 0.5, seed=seed) for seed in range(N)]
    for g in drawn:
        nx.set_node_attributes(g, {v: str(v % 3) for v in g}, "label")
    return drawn


def change_graphs(data):
    for g in data:
        g.add_edges_from([(0, 1), (1, 2), (9, 8)])
        nx.set_node_attributes(g, "z", "label")
    data[0] = data[1]


def matrices():
    return [
        (sparse.csr_array(nx.to_scipy_sparse_array(g).astype(float)), [1] * 6) for g in graphs()
    ]


def change_matrices(data):
    for A, labels in data:
        A.data[:] = 3.0
        labels[:] = [2] * len(labels)


def words():
    drawn = np.random.default_rng(52)
    return [list("".join(drawn.choice(list("ACGT"), 12))) for _ in range(N)]


def change_words(data):
    for word in data:
        word[:] = ["A"] * len(word)
    data[0] = data[1]


def bags():
    return [{*range(i % 7 + 1), i} for i in range(N)]


def change_bags(data):
    for bag in data:
        bag.add(100)


def difference(a, b):
    return float(len(a ^ b))


class Shared(k.Kernel):
    """How many things two sets share."""

    psd = True
    takes_vectors = False

    def evaluate(self, pairs):
        return np.array([[float(len(a & b)) for b in pairs.Y] for a in pairs.X])

    def self_similarity(self, X):
        return np.array([float(len(a)) for a in X])


THINGS = {
    "graphs": (graphs, change_graphs, k.graph.WeisfeilerLehman(n_iter=1)),
    "walks": (graphs, change_graphs, k.graph.RandomWalk(decay=0.05)),
    "matrices": (matrices, change_matrices, k.graph.ShortestPath()),
    "words": (words, change_words, k.sequence.Spectrum(k=2)),
    "gaps": (words, change_words, k.sequence.Subsequence()),
    "sets": (bags, change_bags, Shared()),
}
METHODS = {
    "KernelPCA": lambda kernel: gm.KernelPCA(2, kernel=kernel),
    "Nystrom": lambda kernel: gm.Nystrom(6, kernel=kernel),
    "ClassicalMDS": lambda kernel: gm.ClassicalMDS(2, metric=kernel),
    "MDS": lambda kernel: gm.MDS(2, metric=kernel, n_init=1, max_iter=4),
    "Logistic": lambda kernel: gm.KernelLogisticRegression(kernel=kernel),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", THINGS)
def test_things_that_are_no_numbers(name, method, tmp_path):
    make, change_, kernel = THINGS[name]
    truth = answers(
        fitted(METHODS[method](kernel), make(), method), make()[:4], tmp_path / "a.gramian"
    )
    data = make()
    fit = fitted(METHODS[method](kernel), data, method)
    change_(data)
    assert_told_again(truth, answers(fit, make()[:4], tmp_path / "b.gramian"))


@pytest.mark.parametrize("method", [gm.ClassicalMDS, gm.MDS])
def test_things_of_a_metric(method, tmp_path):
    data = bags()
    truth = answers(method(2, metric=difference).fit(bags()), bags()[:4], tmp_path / "a")
    fit = method(2, metric=difference).fit(data)
    change_bags(data)
    assert_told_again(truth, answers(fit, bags()[:4], tmp_path / "b"))


def test_what_cannot_be_copied_is_taken_as_it_is():
    class Fixed:
        def __init__(self, size):
            self.size = size

        def __deepcopy__(self, memo):
            raise RuntimeError("there is only one of me")

    data = [Fixed(i % 5) for i in range(8)]
    fit = gm.ClassicalMDS(1, metric=lambda a, b: float(abs(a.size - b.size))).fit(data)
    np.testing.assert_allclose(np.abs(np.ptp(fit.coordinates_)), 4.0)


@pytest.mark.parametrize(
    "estimator",
    [gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2), gm.MDS(2, n_init=1, max_iter=4)],
    ids=lambda estimator: type(estimator).__name__,
)
def test_coordinates_that_were_given_back_are_the_caller_s(estimator):
    Z = estimator.fit_transform(X)
    kept = Z.copy()
    Z *= 2.0
    np.testing.assert_array_equal(estimator.coordinates_, kept)


@pytest.mark.parametrize("kind", ["array", "single", "torch"])
@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.ClassicalMDS(2)], ids=["PCA", "ClassicalMDS"])
def test_a_large_table_that_was_lent_is_refused_or_right(estimator, kind, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "MIN_LENT_SIZE", 10)
    truth = answers(fitted(estimator, table_kind(kind, X), ""), NEW, tmp_path / "a.gramian")
    data = table_kind(kind, X)
    fit = fitted(estimator, data, "")
    change(data)
    np.testing.assert_array_equal(numbers(fit.transform(NEW)), truth["new"])
    for what, ask in {
        "rows": lambda: fit.coordinates_,
        "individuals": lambda: fit.individuals(),
        "categories": lambda: fit.categories({"half": HALF}),
        "variables": lambda: fit.variables({"size": np.arange(float(N))}),
        "file": lambda: gm.save(fit, tmp_path / "b.gramian"),
    }.items():
        try:
            answer = ask()
        except gm.errors.InputError as error:
            assert "changed since the fit" in str(error)
        else:
            np.testing.assert_array_equal(numbers(answer), truth[what])


def test_an_array_of_torch_is_marked_as_one_of_numpy():
    X = np.random.default_rng(0).standard_normal((3_000, 40))
    mark = module.fingerprint(X)
    assert module.fingerprint(torch.asarray(X)) == mark
    X[[7, 8]] = X[[8, 7]]
    assert module.fingerprint(torch.asarray(X)) == module.fingerprint(X) != mark
