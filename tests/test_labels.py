"""Whatever pairs two labelled tables does so by label, or refuses."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.evidence import groups, numbers

RNG = np.random.default_rng(5)
N = 24
NAMES = [f"s{i}" for i in range(N)]
X = pd.DataFrame(RNG.standard_normal((N, 3)), index=NAMES, columns=list("abc"))
OTHER = X**2 + 0.3 * pd.DataFrame(RNG.standard_normal((N, 3)), NAMES, list("abc"))
CLASS = pd.Series(np.where(X["a"] + RNG.standard_normal(N) > 0, "high", "low"), index=NAMES)
SIZE = 3.0 * X["a"] + RNG.standard_normal(N)
WEIGHT = pd.Series(RNG.random(N) + 0.2, index=NAMES)
GROUP = pd.Series(np.repeat(["u", "v"], N // 2), index=NAMES)
SHUFFLED = list(RNG.permutation(NAMES))
PLAIN = {"n_permutations": 19}


def gap(frame):
    """Distances between rows, labelled on both sides."""
    D = np.sqrt(((frame.to_numpy()[:, None] - frame.to_numpy()) ** 2).sum(axis=-1))
    return pd.DataFrame(D, frame.index, frame.index)


def seeded():
    return np.random.default_rng(0)


def products(frame):
    return frame @ frame.T


def mixed(kernel="linear"):
    return gm.MultiKernelPCA(2, kernels={"x": kernel, "y": kernel})


# What is paired with X → a number that tells the pairing apart.
PAIRINGS = {
    "mantel": lambda y: gm.stability.mantel(gap(X), gap(y), **PLAIN).statistic,
    "mantel given": lambda y: (
        gm.stability.mantel(gap(X), gap(X**3), given=gap(y), **PLAIN).statistic
    ),
    "procrustes": lambda y: gm.stability.procrustes(X, y).statistic,
    "protest": lambda y: gm.stability.protest(X, y, **PLAIN).statistic,
    "rv": lambda y: gm.rkhs.rv("linear", "gaussian", X, y, **PLAIN).statistic,
    "rv of matrices": lambda y: gm.rkhs.rv(products(X), products(y), **PLAIN).statistic,
    "rv of a matrix": lambda y: gm.rkhs.rv(products(X), "linear", y, **PLAIN).statistic,
    "hsic": lambda y: gm.rkhs.hsic("gaussian", "gaussian", X, y, **PLAIN).statistic,
    "alignment": lambda y: gm.rkhs.alignment("linear", "linear", X, y),
    "blocks": lambda y: mixed().fit({"x": X, "y": y}).eigenvalues_,
    "matrices": lambda y: (
        mixed("precomputed").fit({"x": products(X), "y": products(y)}).eigenvalues_
    ),
    "new blocks": lambda y: mixed().fit({"x": X, "y": OTHER}).transform({"x": X, "y": y}),
    "numbers": lambda y: (
        numbers(X, y, rng=np.random.default_rng(0)).table["correlation"].to_numpy()
    ),
    "variables": lambda y: gm.PCA(2).fit(X).variables(y)["correlation"].to_numpy(),
}
COLUMNS = {
    "weights": (WEIGHT, lambda w: gm.PCA(2).fit(X, sample_weight=w).eigenvalues_),
    "weights of a kernel": (WEIGHT, lambda w: gm.KernelPCA(2).fit(X, None, w).eigenvalues_),
    "weights of landmarks": (
        WEIGHT,
        lambda w: gm.ClassicalMDS(2, landmarks=12).fit(X, sample_weight=w).eigenvalues_,
    ),
    "weights of a block": (WEIGHT, lambda w: gm.PCA(2).partial_fit(X, None, w).eigenvalues_),
    "weights of a mean": (WEIGHT, lambda w: gm.rkhs.mean_embedding("gaussian", X, w)(X)),
    "weights of a model": (
        WEIGHT,
        lambda w: gm.KernelLogisticRegression().fit(X, CLASS, w).intercept_,
    ),
    "weights of a choice": (
        WEIGHT,
        lambda w: (
            gm.dimension.parallel_analysis(
                X, sample_weight=w, n_permutations=9, alpha=0.5
            ).eigenvalues
        ),
    ),
    "classes": (CLASS, lambda y: gm.KernelLogisticRegression().fit(X, y).dual_coef_),
    "classes on axes": (
        CLASS,
        lambda y: gm.PrincipalComponentClassifier(2).fit(X, y).coef_,
    ),
    "numbers on axes": (SIZE, lambda y: gm.PrincipalComponentRegression(2).fit(X, y).coef_),
    "score": (CLASS, lambda y: gm.KernelLogisticRegression(0.01).fit(X, CLASS).score(X, y)),
    "score of numbers": (
        SIZE,
        lambda y: gm.PrincipalComponentRegression(2).fit(X, SIZE).score(X, y),
    ),
    "select": (
        CLASS,
        lambda y: (
            gm.kernels.select(X, ["linear", "gaussian"], y=y, n_permutations=1).table["score"]
        ).to_numpy(),
    ),
    "groups": (
        GROUP,
        lambda g: groups(X, X, g, rng=seeded()).axes["eta2"].to_numpy(),
    ),
}
EVERY = {name: (OTHER, answer) for name, answer in PAIRINGS.items()} | COLUMNS
CASES = [pytest.param(name, marks=pytest.mark.slow if name == "select" else ()) for name in EVERY]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_rows_go_together_by_label(name):
    y, answer = EVERY[name]
    shuffled = y.loc[SHUFFLED]
    np.testing.assert_allclose(answer(shuffled), answer(y), rtol=1e-9, atol=1e-12)
    by_position = y.set_axis(shuffled.index, axis=0)
    assert not np.allclose(answer(by_position), answer(y))  # else the labels would not matter


@pytest.mark.parametrize("name", EVERY)
def test_other_labels_are_refused(name):
    y, answer = EVERY[name]
    with pytest.raises(InputError, match=r"other row labels .*'else'.*reset_index"):
        answer(y.rename({"s3": "else"}))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_rows_without_labels_go_by_position(name):
    y, answer = EVERY[name]
    np.testing.assert_allclose(answer(y.reset_index(drop=True)), answer(y), rtol=1e-9, atol=1e-12)


def test_counted_rows_in_another_order():
    frame = X.reset_index(drop=True)
    fit = mixed().fit({"x": frame, "y": frame.sample(frac=1.0, random_state=1)})
    np.testing.assert_allclose(fit.rv_.to_numpy(), np.ones((2, 2)))


@pytest.mark.parametrize(
    "estimator",
    [gm.KernelPCA(2, kernel="precomputed"), gm.ClassicalMDS(2, metric="precomputed")],
    ids=["kernel", "distances"],
)
@pytest.mark.parametrize("counted", [False, True])
def test_a_square_whose_sides_are_ordered_otherwise(estimator, counted):
    D = gap(X.reset_index(drop=True) if counted else X)
    square = np.exp(-D) if estimator.__class__ is gm.KernelPCA else D
    permuted = square[list(reversed(square.columns))]
    with pytest.raises(InputError, match=r"different orders: use X\.loc\[X\.columns\]"):
        estimator.fit(permuted)
    estimator.fit(permuted.loc[permuted.columns])
