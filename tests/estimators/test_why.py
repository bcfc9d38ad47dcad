"""Why: parts of columns in places and axes, held-out tests, sets of columns."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.why import shares
from scipy import sparse
from sklearn.base import clone

import gramian as gm
from gramian.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 6))
X[:, :4] += 1.5 * RNG.standard_normal((50, 1))
FRAME = pd.DataFrame(X, columns=list("abcdef"), index=[f"r{i}" for i in range(50)])
FIT = gm.PCA(2).fit(FRAME)
ROWS, ROWS_AT = ["r3", "r5", "r7"], [3, 5, 7]


@pytest.mark.slow
def test_parts_of_columns_add_up_to_the_place():
    Z = pd.DataFrame(FIT.coordinates_, index=FRAME.index).loc[ROWS].mean()
    on_axis = FIT.why(ROWS, axis=2)
    assert list(on_axis) == ["effect", "p_value", "q_value"]
    assert on_axis.index.tolist() == list("abcdef")
    np.testing.assert_allclose(on_axis["effect"].sum(), Z[1])
    by_hand = (FRAME.loc[ROWS].mean() - FRAME.mean()) * FIT.components_[1]
    np.testing.assert_allclose(on_axis["effect"], by_hand)
    away = FIT.why(ROWS)  # along the line from the origin to them
    np.testing.assert_allclose(away["effect"].sum(), np.linalg.norm(Z))
    scaled = gm.PCA(3, scale=True).fit(FRAME)
    place = np.asarray(scaled.coordinates_)[[3, 5, 7]].mean(axis=0)
    np.testing.assert_allclose(scaled.why([3, 5, 7], axis=1)["effect"].sum(), place[0])


def test_the_effect_on_an_axis_is_the_correlation():
    effect = FIT.why(axis=1)["effect"]
    np.testing.assert_allclose(effect, FIT.variables()["correlation", 1])
    pd.testing.assert_frame_equal(FIT.why(), FIT.why(axis=1))
    np.testing.assert_allclose(FIT.why(axis=[-2.0, 0.0])["effect"], -effect)


@pytest.mark.parametrize("kernel", ["gaussian", "matern", "mixture"])
def test_derivatives_along_the_path_add_up_for_kernels(kernel):
    if kernel == "mixture":
        kernel = gm.kernels.Gaussian(3.0) + 0.1 * gm.kernels.Linear()
    fit = gm.KernelPCA(2, kernel=kernel).fit(FRAME)
    effect = fit.why(ROWS, axis=1)["effect"]
    mean = FRAME.mean().to_frame().T
    between = fit.transform(FRAME.loc[ROWS])[:, 0].mean() - fit.transform(mean)[0, 0]
    np.testing.assert_allclose(effect.sum(), between, rtol=1e-4)


@pytest.mark.parametrize("estimator", [gm.PCA(2, scale=True), gm.KernelPCA(2, kernel="linear")])
def test_sparse_rows_have_the_answer_of_dense_ones(estimator):
    rows = np.where(X > 0.5, X, 0.0)
    dense = clone(estimator).fit(rows).why(ROWS_AT, axis=1)
    thin = clone(estimator).fit(sparse.csr_array(rows)).why(ROWS_AT, axis=1)
    np.testing.assert_allclose(thin["effect"], dense["effect"], atol=1e-9)
    # Equal rows are tied on the map, whichever way their coordinates are rounded.
    np.testing.assert_allclose(thin["p_value"], dense["p_value"], rtol=1e-6)


def test_a_linear_kernel_has_the_parts_of_pca():
    fit = gm.KernelPCA(2, kernel=gm.kernels.Polynomial(1, 0.0)).fit(FRAME)
    sign = np.sign(fit.coordinates_[0, 0] * FIT.coordinates_[0, 0])
    np.testing.assert_allclose(
        fit.why(ROWS, axis=1)["effect"], sign * FIT.why(ROWS, axis=1)["effect"], atol=1e-9
    )


@pytest.mark.slow
def test_gradients_agree_with_differences_of_transform():
    exact = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(4.0)).fit(FRAME)
    rough = gm.KernelPCA(2, kernel=gm.kernels.Callback(gm.kernels.Gaussian(4.0))).fit(FRAME)
    for options in ({"axis": 1}, {"rows": ROWS, "axis": 2}):
        a, b = (fit.why(**options)["effect"] for fit in (exact, rough))
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-8)


@pytest.mark.slow
def test_tied_columns_are_named_and_noise_is_not():
    for fit in (
        FIT,
        gm.KernelPCA(2).fit(FRAME),
        gm.read_map(np.tanh(FIT.coordinates_ / 3.0), FRAME),
    ):
        for options in ({"axis": 1}, {"rows": FIT.coordinates_[:, 0] > 1.0}):
            q = fit.why(**options)["q_value"]
            assert (q[:4] < 0.01).all() and (q[4:] > 0.05).all()


@pytest.mark.slow
def test_a_slice_of_the_simulation():
    false, found = shares("PCA(2)", "axis", 6).mean(axis=0)
    assert false < 0.2 and found > 0.8


@pytest.mark.slow
def test_columns_of_noise_do_not_look_tied_to_their_own_axis():
    """With more columns than rows every column is correlated with the axis it helps to make."""
    rng = np.random.default_rng(1)
    small = []
    for _ in range(6):
        fit = gm.PCA(2).fit(rng.standard_normal((30, 150)))
        top = np.argsort(fit.coordinates_[:, 0])[:8]
        small += [
            (fit.why(axis=1)["p_value"] < 0.05).mean(),
            (fit.why(top)["p_value"] < 0.05).mean(),
        ]
    assert np.mean(small) < 0.09


NOISE = {
    "PCA(2)": lambda X: gm.PCA(2).fit(X),
    "PCA()": lambda X: gm.PCA().fit(X),
    "Gaussian kernel": lambda X: gm.KernelPCA(2).fit(X),
    "map read": lambda X: gm.read(gm.PCA(2).fit_transform(X), X),
    "MCA": lambda X: gm.MCA(2).fit(pd.DataFrame((X > 0).astype(int).astype(str)).add_prefix("x")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NOISE)
def test_nothing_is_named_where_all_is_noise(name):
    """The axes of a few columns of noise owe much to each, and so does a map that is read."""
    answers = [
        NOISE[name](np.random.default_rng(k).standard_normal((60, 20))).why(axis=1)
        for k in range(20)
    ]
    assert np.mean([(table["p_value"] < 0.05).mean() for table in answers]) < 0.065
    assert np.mean([(table["q_value"] <= 0.1).any() for table in answers]) <= 0.25


def answers(strength, n=80):
    """Return answers in three levels, the first four columns tied to one factor."""
    rng = np.random.default_rng(2)
    values = rng.standard_normal((n, 12))
    values[:, :4] += strength * rng.standard_normal((n, 1))
    levels = np.array(["low", "middle", "high"])[np.digitize(values, (-0.7, 0.7))]
    return pd.DataFrame(levels).add_prefix("q").assign(size=values[:, 0] + rng.standard_normal(n))


@pytest.mark.parametrize("rotated", [False, True])
def test_categories_have_parts_that_add_up(rotated):
    fit = gm.FAMD(2).fit(answers(2.0))
    fit = fit.rotate("varimax") if rotated else fit
    place = np.asarray(fit.coordinates_)[ROWS_AT, 1].mean()
    table = fit.why(ROWS_AT, axis=2)
    np.testing.assert_allclose(table["effect"].sum(), place, atol=1e-9)
    assert {"q0=low", "size"} <= set(table.index)


def test_categories_and_sets_of_questions_are_named():
    fit = gm.MCA(2).fit(answers(2.0).drop(columns="size"))
    table = fit.why(axis=1)
    named = {label.split("=")[0] for label in table.index[table["q_value"] <= 0.1]}
    assert named == {"q0", "q1", "q2", "q3"}
    sets = fit.why(axis=1, sets={"tied": ["q0", "q1", "q2"], "noise": ["q6", "q7", "q8=low"]})
    assert sets["size"].tolist() == [9, 7]
    assert sets.loc["tied", "q_value"] < 0.01 < sets.loc["noise", "p_value"]


def test_blocks_and_single_columns_are_held_out_alike():
    weighted = gm.PCA(2).fit(FRAME, sample_weight=np.ones(50) + 1e-9 * np.arange(50))
    a, b = FIT.why(axis=1)["p_value"], weighted.why(axis=1)["p_value"]
    np.testing.assert_allclose(np.log(a), np.log(b), rtol=0.05)


def test_weights_count_as_repeated_rows_in_effects():
    w = np.where(np.arange(50) < 20, 2, 1)
    one = gm.PCA(2).fit(X, sample_weight=w).why(axis=1)["effect"]
    two = gm.PCA(2).fit(np.repeat(X, w, axis=0)).why(axis=1)["effect"]
    np.testing.assert_allclose(one, two, atol=1e-9)


@pytest.mark.slow
def test_sets_of_columns():
    rng = np.random.default_rng(3)
    wide = rng.standard_normal((60, 100))
    wide[:, :10] += rng.standard_normal((60, 1))
    sets = {"planted": range(10), "mixed": [0, 1, *range(20, 40)], "noise": list(range(50, 70))}
    table = gm.PCA(2).fit(wide).why(axis=1, sets=sets)
    assert table.index.tolist() == list(sets) and table["size"].tolist() == [10, 22, 20]
    assert table.loc["planted", "q_value"] < 1e-4 and table.loc["noise", "p_value"] > 0.05
    names = FIT.why(axis=1, sets={"u": ["a", "b"], "one": ["c"]})
    assert np.isnan(names.loc["one", "p_value"]) and names.loc["u", "p_value"] < 0.5


@pytest.mark.slow
def test_sets_of_correlated_noise_are_rarely_named():
    rng = np.random.default_rng(4)
    p = []
    for _ in range(12):
        wide = rng.standard_normal((60, 60))
        wide[:, :12] += 1.5 * rng.standard_normal((60, 1))
        wide[:, 20:30] += 0.7 * rng.standard_normal((60, 1))
        p.append(gm.PCA(1).fit(wide).why(axis=1, sets={"s": range(20, 30)})["p_value"].iloc[0])
    assert np.mean(np.array(p) < 0.05) <= 0.2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: FIT.why(["r3", "z"]), "must be labels of rows"),
        (lambda: FIT.why(np.ones(50, dtype=bool)), "not all of them"),
        (lambda: FIT.why(axis=3), "axis=3"),
        (lambda: FIT.why(axis=[1.0]), "2 weights of the axes"),
        (lambda: FIT.why(axis=[0.0, 0.0]), "the direction is zero"),
        (lambda: FIT.why(sets=["a"]), "must be a dict"),
        (lambda: FIT.why(sets={"s": ["q"]}), "which is no column"),
        (lambda: FIT.why(sets={"s": "ab"}), "must be a list"),
        (lambda: gm.read_map(FIT.coordinates_).why(), "no table of numbers"),
        (lambda: gm.KernelPCA(2, kernel="precomputed").fit(X @ X.T).why(), "no table of numbers"),
        (lambda: gm.CA(2).fit(np.abs(X)).why(), "no table of numbers"),
        (lambda: gm.PCA(1).fit(X[:4]).why(), "at least 6"),
    ],
)
def test_questions_without_an_answer(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_one_column_has_nothing_to_be_compared_with():
    assert gm.PCA(1).fit(X[:, :1]).why()["p_value"].tolist() == [1.0]


@pytest.mark.slow
def test_saved_fits_give_the_same_answer(tmp_path):
    gm.save(FIT, tmp_path / "fit.gramian")
    pd.testing.assert_frame_equal(gm.load(tmp_path / "fit.gramian").why(ROWS), FIT.why(ROWS))
