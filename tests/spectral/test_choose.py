"""Which solver, and why: every branch of the two choices."""

import pytest

import gramian as gm
from gramian._core.spectral.solve import choose_features, choose_gram, krylov_bytes
from gramian._core.spectral.spectrum import Choice, Request, dense_bytes
from gramian._reading.rules import Selection

PLENTY, LITTLE = 1 << 40, 1_000_000

# n, q, solver, budget, what is known → name, a word of the reason
PSD = {"psd": True}
GRAM = [
    (50, 3, "dense", PLENTY, PSD, "dense", "asked for"),
    (50, 3, "krylov", PLENTY, PSD, "krylov", "asked for"),
    (50, 3, "krylov", PLENTY, {"policy": "clip"}, "krylov", "asked for"),
    (50, None, "krylov", PLENTY, PSD, "krylov", "asked for"),
    (100_000, 3, "auto", PLENTY, {"policy": "clip"}, "dense", "indefinite='clip'"),
    (100_000, 3, "auto", PLENTY, {"policy": "clip"} | PSD, "krylov", "3 of 100000"),
    (2_000, 3, "auto", PLENTY, {}, "dense", "every eigenvalue is looked at"),
    (2_001, 3, "auto", PLENTY, {}, "krylov", "3 of 2001 axes"),
    (2_000, 3, "auto", PLENTY, {"policy": "drop"}, "dense", "tells if X is Euclidean"),
    (100_000, None, "auto", PLENTY, PSD, "dense", "every axis"),
    (400, 3, "auto", PLENTY, PSD, "dense", "n = 400 is small"),
    (401, 3, "auto", PLENTY, PSD, "krylov", "3 of 401 axes"),
    (5_000, 10, "auto", PLENTY, PSD, "krylov", "10 of 5000 axes"),
    (5_000, 10, "auto", LITTLE, PSD, "krylov", "10 of 5000 axes"),
    (5_000, 2_000, "auto", PLENTY, PSD, "dense", "too many"),
    (5_000, 2_000, "auto", LITTLE, PSD, "krylov", "2000 of 5000 axes"),
]


def request(q, solver="auto", budget=PLENTY, **known):
    return Request(Selection(q=q), solver, budget=budget, **known)


@pytest.mark.parametrize(("n", "q", "solver", "budget", "known", "name", "why"), GRAM)
def test_choose_gram(n, q, solver, budget, known, name, why):
    choice = choose_gram(n, request(q, solver, budget, **known))
    assert choice.name == name
    assert why in choice.reason
    assert str(choice) == f"{name}: {choice.reason}"


# n, p, q, solver → name, a word of the reason
FEATURES = [
    (100, 5, 2, "covariance", "covariance", "asked for"),
    (100, 5, 2, "dense", "dense", "asked for"),
    (100, 5, 2, "krylov", "krylov", "asked for"),
    (100, 5, 2, "auto", "covariance", "p = 5 ≤ n = 100"),
    (100, 5, None, "auto", "covariance", "p = 5 ≤ n = 100"),
    (50, 50, None, "auto", "covariance", "p = 50 ≤ n = 50"),
    (5, 100, 2, "auto", "dense", "n = 5 < p = 100"),
    (5, 100, None, "auto", "dense", "n = 5 < p = 100"),
    (1_000_000, 100, 10, "auto", "covariance", "p = 100"),
    (10_000, 5_000, 10, "auto", "krylov", "10 of 5000 axes"),
    (5_000, 10_000, 10, "auto", "krylov", "10 of 5000 axes"),
    (10_000, 5_000, None, "auto", "covariance", "p = 5000"),
    (10_000, 5_000, 2_000, "auto", "covariance", "p = 5000"),
    (5_000, 10_000, 2_000, "auto", "dense", "n = 5000"),
    (2_000, 1_000, 3, "auto", "covariance", "p = 1000"),
    (2_000, 1_001, 3, "auto", "krylov", "3 of 1001 axes"),
]


@pytest.mark.parametrize(("n", "p", "q", "solver", "name", "why"), FEATURES)
def test_choose_features(n, p, q, solver, name, why):
    choice = choose_features(n, p, q, solver)
    assert choice.name == name
    assert why in choice.reason


def test_the_same_question_has_the_same_answer():
    assert choose_gram(5_000, request(10)) == choose_gram(5_000, request(10))
    assert isinstance(choose_features(10, 3, None, "auto"), Choice)


@pytest.mark.parametrize("solver", ["arpack", "Dense", "", None])
def test_unknown_solvers_are_refused_with_the_known_ones(solver):
    with pytest.raises(gm.errors.InputError, match="auto, dense, krylov"):
        choose_gram(10, request(2, solver))
    with pytest.raises(gm.errors.InputError, match="auto, covariance, dense, krylov"):
        choose_features(10, 3, 2, solver)


def test_covariance_is_no_solver_of_a_gram_matrix():
    with pytest.raises(gm.errors.InputError, match="covariance"):
        choose_gram(10, request(2, "covariance"))


def test_bytes_grow_as_they_should():
    assert dense_bytes(1_000) == 4 * 8_000_000
    assert krylov_bytes(2_000, 10) == 2 * krylov_bytes(1_000, 10)
    assert krylov_bytes(1_000, 20) > krylov_bytes(1_000, 10)


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (gm.PCA(2), "covariance: p = 4 ≤ n = 30"),
        (gm.PCA(2, solver="dense"), "dense: asked for"),
        (gm.KernelPCA(2), "dense: n = 30 is small"),
        (gm.KernelPCA(2, solver="krylov"), "krylov: asked for"),
        (gm.KernelPCA(), "dense: every axis is wanted"),
        (gm.KernelPCA(2, kernel="sigmoid", indefinite="clip"), "dense: indefinite='clip'"),
        (gm.ClassicalMDS(2), "covariance: p = 4 ≤ n = 30"),
        (gm.ClassicalMDS(2, metric="cityblock"), "dense: every eigenvalue tells"),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_estimators_say_which_and_why(estimator, expected):
    import numpy as np

    X = np.random.default_rng(0).standard_normal((30, 4))
    assert estimator.fit(X).solver_.startswith(expected)
