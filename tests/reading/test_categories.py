"""The table of categories, for every method, against its definitions."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch

import gramian as gm
from gramian.errors import InputError, NotEuclideanWarning

from .twins import METHODS, NAMES, centred, data, fitted, gaussian, given, gram_of, weights

GROUPS = ["b", "a", "a", "c", "b", "a", "c", "c", "a", "b", "a", "b"]


def group(label: str) -> np.ndarray:
    return np.array(GROUPS) == label


@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("method", NAMES)
def test_definitions(method: str, q: int | None) -> None:
    X, w = data(), weights(12)
    p = w / w.sum()
    est = fitted(method, X, q, w)
    F = est.coordinates_ - p @ est.coordinates_
    K = centred(gram_of(method, X), p)
    found = est.categories(pd.DataFrame({"g": GROUPS}))
    assert list(found.index) == [("g", "a"), ("g", "b"), ("g", "c")]
    between = 0.0
    for label in "abc":
        row = found.loc[("g", label)]
        inside = p * group(label)
        mass = inside.sum()
        mean = inside @ F / mass
        distance2 = inside @ K @ inside / mass**2
        np.testing.assert_allclose(row["coordinate"], inside @ est.coordinates_ / mass, atol=1e-12)
        np.testing.assert_allclose(row["distance2", ""], distance2, rtol=1e-9)
        np.testing.assert_allclose(row["cos2"], mean**2 / distance2, atol=1e-9)
        v = mean / np.sqrt(est.eigenvalues_ / 11 * (1 - mass) / mass)
        np.testing.assert_allclose(row["v_test"], v, atol=1e-9)
        between = between + mass * mean**2
    np.testing.assert_allclose(found["eta2"], np.tile(between / est.eigenvalues_, (3, 1)))
    if q is None:
        np.testing.assert_allclose(found["cos2"].sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("method", NAMES)
def test_rows_of_weight_zero_belong_to_no_category(method: str) -> None:
    X, w = data(), weights(12)
    w[[0, 3]] = 0
    live = w > 0
    groups = np.array(GROUPS, dtype=object)
    groups[0] = "only here"
    found = fitted(method, X, 2, w).categories({"g": groups})
    alone = fitted(method, X[live], 2, w[live]).categories({"g": groups[live]})
    pd.testing.assert_frame_equal(found, alone, rtol=1e-9)
    assert ("g", "only here") not in found.index


@pytest.mark.slow
@pytest.mark.parametrize("method", NAMES)
def test_v_test_does_not_depend_on_the_scale_of_the_weights(method: str) -> None:
    X, w = data(), weights(12)
    first = fitted(method, X, 2, w).categories({"g": GROUPS})
    for factor in (1e-6, 1 / w.sum(), 1000.0):
        again = fitted(method, X, 2, factor * w).categories({"g": GROUPS})
        pd.testing.assert_frame_equal(first, again, rtol=1e-10)


@pytest.mark.parametrize("correction", [None, "lingoes", "cailliez"])
@pytest.mark.parametrize("metric", ["cityblock", "precomputed"])
@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_distances_of_barycentres_in_mds(metric: str, correction: str | None) -> None:
    """d²(g_c, g) from distances alone: Σ p d²(c, i) within less between, by Huygens' theorem."""
    X = data()
    X[3] = X[0]  # a duplicate: a correction leaves its distance 0
    D = np.abs(X[:, None] - X[None]).sum(axis=-1) ** 1.3
    rows, metric = (D, metric) if metric == "precomputed" else (X, powered)
    est = gm.ClassicalMDS(2, metric=metric, correction=correction).fit(rows)
    c, apart = est.correction_constant_, D > 0
    if correction == "lingoes":
        D = np.sqrt(D**2 + 2 * c * apart)
    elif correction == "cailliez":
        D = D + c * apart
    p = np.full(12, 1 / 12)
    found = est.categories({"g": GROUPS})
    for label in "abc":
        a = group(label) / group(label).sum()
        wanted = a @ D**2 @ p - 0.5 * a @ D**2 @ a - 0.5 * p @ D**2 @ p
        np.testing.assert_allclose(found.loc[("g", label), ("distance2", "")], wanted, rtol=1e-9)


def powered(A: Any, B: Any) -> np.ndarray:
    return np.abs(np.asarray(A)[:, None] - np.asarray(B)[None]).sum(axis=-1) ** 1.3


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("method", ["pca", "mds", "mds, Gram", "linear", "precomputed distances"])
def test_any_scale(method: str, scale: float) -> None:
    X = data()
    usual = fitted(method, X, 2).categories({"g": GROUPS})
    found = METHODS[method](X, 2).fit(given(method, X) * scale).categories({"g": GROUPS})
    for measure in ("cos2", "v_test", "eta2"):
        np.testing.assert_allclose(found[measure], usual[measure], atol=1e-10)
    np.testing.assert_allclose(found["coordinate"] / scale, usual["coordinate"], atol=1e-10)


def test_sparse_rows() -> None:
    from scipy import sparse

    X = data() * (np.random.default_rng(2).random((12, 4)) < 0.6)
    for estimator in (gm.PCA(2), gm.KernelPCA(2, kernel="linear"), gm.ClassicalMDS(2)):
        wanted = estimator.fit(X).categories({"g": GROUPS})
        found = estimator.fit(sparse.csr_array(X)).categories({"g": GROUPS})
        pd.testing.assert_frame_equal(found, wanted, rtol=1e-9)


@pytest.mark.slow
def test_torch_rows() -> None:
    for method in ("pca", "gaussian", "mds", "precomputed kernel"):
        X = data()
        wanted = fitted(method, X, 2).categories({"g": GROUPS})
        found = METHODS[method](X, 2).fit(torch.asarray(given(method, X)))
        pd.testing.assert_frame_equal(found.categories({"g": GROUPS}), wanted, rtol=1e-9)


def test_several_columns_of_every_kind() -> None:
    frame = pd.DataFrame(
        {
            "text": GROUPS,
            "number": np.arange(12.0),
            "ordered": pd.Categorical(GROUPS, categories=["c", "b", "a", "unused"], ordered=True),
            "flag": group("a"),
            "mixed": [2 if g == "a" else g for g in GROUPS],
        }
    )
    found = gm.PCA(2).fit(data()).categories(frame)
    assert list(found.index) == [
        *[("text", g) for g in "abc"],
        *[("ordered", g) for g in "cba"],
        *[("flag", b) for b in (False, True)],
        *[("mixed", g) for g in (2, "b", "c")],
    ]
    for name in ("ordered", "mixed"):
        np.testing.assert_allclose(found.loc[(name, "b")], found.loc[("text", "b")])
    np.testing.assert_allclose(found.loc[("flag", True)][:4], found.loc[("text", "a")][:4])


def test_polars_columns() -> None:
    frame = pl.DataFrame(
        {"text": GROUPS, "flag": group("a").tolist()},
        schema_overrides={"text": pl.Enum(["c", "b", "a"])},
    )
    found = gm.PCA(2).fit(data()).categories(frame)
    assert list(found.index) == [*[("text", g) for g in "cba"], ("flag", False), ("flag", True)]
    again = gm.PCA(2).fit(data()).categories(frame.with_columns(pl.col("text").cast(pl.String)))
    np.testing.assert_allclose(found.loc["text"].loc[list("abc")], again.loc["text"])


def test_rows_without_a_value_belong_to_no_category() -> None:
    """Barycentres and v-tests are among all rows, η² among the rows that have a value."""
    X = data()
    holes: list[Any] = [None if i in (1, 7) else g for i, g in enumerate(GROUPS)]
    held = np.array([g is not None for g in holes])
    pca = gm.PCA(2).fit(X)
    found = pca.categories(pd.DataFrame({"g": holes}))
    polars = pca.categories(pl.DataFrame({"g": holes}))
    np.testing.assert_array_equal(found, polars)
    F = pca.coordinates_
    total = ((F[held] - F[held].mean(axis=0)) ** 2).sum(axis=0)
    within = sum(
        ((F[held & group(g)] - F[held & group(g)].mean(axis=0)) ** 2).sum(axis=0) for g in "abc"
    )
    np.testing.assert_allclose(found["eta2"].iloc[0], 1 - within / total, rtol=1e-9)
    inside = held & group("a")
    mean = F[inside].mean(axis=0)
    v = mean / np.sqrt(pca.eigenvalues_ / 11 * (1 - 4 / 12) / (4 / 12))
    assert inside.sum() == 4
    np.testing.assert_allclose(found.loc[("g", "a"), "v_test"], v, rtol=1e-9)


@pytest.mark.slow
def test_one_category_for_all_has_no_test() -> None:
    found = gm.PCA(2).fit(data()).categories({"g": ["same"] * 12})
    assert (found["v_test"] == 0).all(axis=None)
    np.testing.assert_allclose(found["eta2"], 0.0, atol=1e-25)
    assert not found.isna().any(axis=None)


def test_a_category_for_each_row() -> None:
    X = data()
    pca = gm.PCA(2).fit(X)
    found = pca.categories({"g": [f"{i:02d}" for i in range(12)]})
    table = pca.individuals()
    np.testing.assert_allclose(found["cos2"], table["cos2"], rtol=1e-9)
    np.testing.assert_allclose(found["distance2"], table["distance2"], rtol=1e-9)
    np.testing.assert_allclose(found["eta2"], 1.0, rtol=1e-12)


def test_one_column_alone() -> None:
    pca = gm.PCA(2).fit(data())
    wanted = pca.categories({"g": GROUPS})
    for column in (pd.Series(GROUPS, name="g"), pl.Series("g", GROUPS)):
        pd.testing.assert_frame_equal(pca.categories(column), wanted)
    for column in (GROUPS, np.array(GROUPS), pd.Series(GROUPS)):
        assert list(pca.categories(column).index) == [("x0", g) for g in "abc"]


@pytest.mark.parametrize("method", METHODS)
def test_rows_changed_in_place_change_no_answer(method) -> None:
    X = data()
    rows = given(method, X).copy()
    est = METHODS[method](X, 2).fit(rows)
    before = METHODS[method](X, 2).fit(rows.copy()).categories({"g": GROUPS})
    rows *= 2.0
    pd.testing.assert_frame_equal(est.categories({"g": GROUPS}), before)


def test_refusals() -> None:
    pca = gm.PCA(2).fit(data())
    with pytest.raises(InputError, match="no categorical column"):
        pca.categories(data())
    with pytest.raises(InputError, match="no numeric column"):
        pca.variables({"g": GROUPS})
    with pytest.raises(InputError, match="table is None"):
        pca.categories(None)
    with pytest.raises(InputError, match="blocks of rows"):
        gm.PCA(2).fit(iter([data()])).categories({"g": GROUPS})
    with pytest.warns(NotEuclideanWarning):
        gm.ClassicalMDS(metric="cityblock").fit(data() ** 3)


@pytest.mark.parametrize("q", [None, 2])
def test_approximate_kernel(q: int | None) -> None:
    """With landmarks Z the Gram matrix that is read is k(X, Z) k(Z, Z)⁻¹ k(Z, X)."""
    X, w = data(), weights(12)
    p = w / w.sum()
    landmarks = gm.Nystrom(rank=5, random_state=0)
    kernel = gm.kernels.Gaussian(scale=1.5)
    est = gm.KernelPCA(q, kernel=kernel, approximation=landmarks).fit(X, sample_weight=w)
    Z = X[est.landmarks_]
    C = gaussian(X, Z, 1.5)
    K = centred(C @ np.linalg.solve(gaussian(Z, Z, 1.5), C.T), p)
    table, groups = est.individuals(), est.categories({"g": GROUPS})
    np.testing.assert_allclose(table["distance2"], np.diag(K), rtol=1e-8)
    np.testing.assert_allclose(est.individuals(X)["distance2"], np.diag(K), rtol=1e-8)
    for label in "abc":
        inside = p * group(label) / p[group(label)].sum()
        row = groups.loc[("g", label)]
        np.testing.assert_allclose(row["distance2", ""], inside @ K @ inside, rtol=1e-8)
    if q is None:
        np.testing.assert_allclose(groups["cos2"].sum(axis=1), 1.0, rtol=1e-8)


class Letters(gm.kernels.Kernel):
    """k(x, y) = the number of pairs of equal letters of two words, 1 added on the diagonal."""

    psd = True
    takes_vectors = False

    def evaluate(self, pairs: Any) -> np.ndarray:
        return np.array([[equal_letters(x, y) for y in pairs.Y] for x in pairs.X])

    def self_similarity(self, X: Any) -> np.ndarray:
        return np.array([equal_letters(x, x) for x in X])


def equal_letters(x: str, y: str) -> float:
    return float(sum(a == b for a in x for b in y) + (x == y))


@pytest.mark.slow
def test_objects_that_are_no_vectors() -> None:
    words = ["ab", "abb", "b", "ba", "bab", "aab", "bb", "a", "abab", "bbba", "aa", "baa"]
    K = np.array([[equal_letters(x, y) for y in words] for x in words])
    est = gm.KernelPCA(2, kernel=Letters()).fit(words)
    same = gm.KernelPCA(2, kernel="precomputed").fit(K)
    pd.testing.assert_frame_equal(est.individuals(), same.individuals(), rtol=1e-9)
    new = est.individuals(words[:3])
    np.testing.assert_allclose(new["cos2"], same.individuals()["cos2"].iloc[:3], rtol=1e-9)
    wanted = same.categories({"g": GROUPS})
    pd.testing.assert_frame_equal(est.categories({"g": GROUPS}), wanted, rtol=1e-9)
    assert "KernelPCA of 12 individuals\n" in str(est.summary())
