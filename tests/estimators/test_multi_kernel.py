"""MultiKernelPCA: identities with KernelPCA, blocks of any kind, readings, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Columns, Gaussian, Linear
from gramian.kernels.sequence import Spectrum

COMBINE = ["statis", "mean", "umkl", "sparse-umkl"]
BALANCE = ["inertia", "norm", "axis", None]


def data(n=40, seed=0):
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((n, 2))
    return {
        "near": z,
        "noisy": z @ rng.standard_normal((2, 5)) + 0.3 * rng.standard_normal((n, 5)),
        "other": rng.standard_normal((n, 3)),
    }


def truth(X, kernels, weights, scales):
    """Σ w_b k_b/s_b, each block's Gram matrix by hand."""
    return sum(
        w * kernels[name].pairwise(X[name]) / s
        for name, w, s in zip(X, weights, scales, strict=True)
    )


def own_scale(K, balance):
    n = len(K)
    H = np.eye(n) - 1.0 / n
    A = H @ K @ H / n
    values = np.linalg.eigvalsh(A)
    return {
        "inertia": values.sum(),
        "norm": np.sqrt((values**2).sum()),
        "axis": values.max(),
        None: 1.0,
    }[balance]


@pytest.mark.slow
@pytest.mark.parametrize("combine", COMBINE)
@pytest.mark.parametrize("balance", BALANCE)
def test_it_is_kernel_pca_of_the_weighted_sum(combine, balance):
    X = data()
    kernels = {name: Gaussian(scale=2.0) for name in X}
    fit = gm.MultiKernelPCA(4, kernels=kernels, combine=combine, balance=balance).fit(X)
    w = fit.kernel_weights_
    assert list(w.index) == list(X)
    assert w.min() >= 0
    assert w.sum() == pytest.approx(1.0, abs=1e-13)
    scales = [own_scale(kernels[name].pairwise(X[name]), balance) for name in X]
    K = truth(X, kernels, w, scales)
    same = gm.KernelPCA(4, kernel="precomputed").fit(K)
    np.testing.assert_allclose(fit.coordinates_, same.coordinates_, atol=1e-11)
    assert fit.inertia_ == pytest.approx(same.inertia_, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("combine", COMBINE)
def test_weights_do_not_depend_on_units_or_balance(combine):
    X = data()
    first = gm.MultiKernelPCA(2, kernels=dict.fromkeys(X, "linear"), combine=combine).fit(X)
    scaled = {name: 10.0**k * block for k, (name, block) in enumerate(X.items())}
    for balance in BALANCE:
        fit = gm.MultiKernelPCA(
            2, kernels=dict.fromkeys(X, "linear"), combine=combine, balance=balance
        ).fit(scaled)
        np.testing.assert_allclose(fit.kernel_weights_, first.kernel_weights_, atol=1e-10)
        np.testing.assert_allclose(fit.rv_, first.rv_, atol=1e-12)


@pytest.mark.parametrize("size", [1e-145, 1e145])
@pytest.mark.parametrize("combine", COMBINE)
def test_tiny_and_huge_blocks(size, combine):
    X = data()
    model = gm.MultiKernelPCA(2, kernels=dict.fromkeys(X, "linear"), combine=combine)
    first = model.fit(X)
    weights, Z, table = first.kernel_weights_, first.coordinates_, first.blocks()
    fit = model.fit({name: size * block for name, block in X.items()})
    np.testing.assert_allclose(fit.kernel_weights_, weights, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fit.coordinates_, Z, atol=1e-9)
    rest = [column for column in table if column[0] != "inertia"]
    np.testing.assert_allclose(fit.blocks()[rest], table[rest], atol=1e-9)


def test_statis_weighs_what_agrees():
    w = gm.MultiKernelPCA(2).fit(data()).kernel_weights_
    assert w["other"] < 0.7 * min(w["near"], w["noisy"])


def test_one_block_is_kernel_pca():
    X = data()["noisy"]
    fit = gm.MultiKernelPCA(3, kernels={"X": "gaussian"}, balance=None).fit(X)
    same = gm.KernelPCA(3).fit(X)
    np.testing.assert_allclose(fit.coordinates_, same.coordinates_, atol=1e-12)
    assert fit.kernel_weights_.tolist() == [1.0]


def test_balanced_linear_blocks_are_multiple_factor_analysis():
    """PCA of the tables side by side, each divided by its first singular value."""
    X = data()
    kernels = dict.fromkeys(X, "linear")
    fit = gm.MultiKernelPCA(3, kernels=kernels, combine="mean", balance="axis").fit(X)
    beside = []
    for block in X.values():
        Z = block - block.mean(axis=0)
        beside.append(Z / np.linalg.svd(Z / np.sqrt(len(Z)))[1][0])
    U, s, _ = np.linalg.svd(np.hstack(beside) / np.sqrt(3), full_matrices=False)
    Z = U[:, :3] * s[:3]
    Z = Z * np.sign((Z * fit.coordinates_).sum(axis=0))
    np.testing.assert_allclose(fit.coordinates_, Z, atol=1e-11)


@pytest.mark.parametrize("combine", COMBINE)
def test_new_individuals(combine):
    X, new = data(), data(7, seed=9)
    fit = gm.MultiKernelPCA(3, combine=combine).fit(X)
    np.testing.assert_allclose(fit.transform(X), fit.coordinates_, atol=1e-12)
    together = fit.transform(new)
    alone = [fit.transform({name: b[[i]] for name, b in new.items()})[0] for i in range(7)]
    np.testing.assert_allclose(together, alone, atol=1e-12)
    table = fit.individuals(new)
    np.testing.assert_allclose(table["coordinate"], together, atol=1e-12)
    assert ((table["quality", 3] >= 0) & (table["quality", 3] <= 1)).all()


def test_columns_of_one_table_are_blocks():
    X = data()
    frame = pd.DataFrame(np.hstack([X["near"], X["other"]]), columns=list("abcde"))
    kernels = {
        "near": Columns(Gaussian(), ["a", "b"]),
        "other": Columns(Gaussian(), ["c", "d", "e"]),
    }
    fit = gm.MultiKernelPCA(2, kernels=kernels).fit(frame)
    blocks = {"near": X["near"], "other": X["other"]}
    same = gm.MultiKernelPCA(2).fit(blocks)
    np.testing.assert_allclose(fit.coordinates_, same.coordinates_, atol=1e-12)
    np.testing.assert_allclose(fit.transform(frame[:3]), same.coordinates_[:3], atol=1e-12)
    combined = gm.KernelPCA(2, kernel=fit.kernel_).fit(frame)
    np.testing.assert_allclose(combined.coordinates_, fit.coordinates_, atol=1e-12)


@pytest.mark.slow
def test_blocks_of_any_kind():
    X = data(12)
    rng = np.random.default_rng(4)
    words = ["".join(rng.choice(list("acgt"), 30)) for _ in range(12)]
    graphs = [sparse.csr_array(np.triu(rng.random((6, 6)) < 0.5, 1).astype(float)) for _ in words]
    graphs = [A + A.T for A in graphs]
    blocks = {
        "table": pd.DataFrame(X["near"], index=[f"i{k}" for k in range(12)]),
        "sparse": sparse.csr_array(X["other"] * (X["other"] > 0)),
        "words": words,
        "graphs": graphs,
        "given": Linear().pairwise(X["noisy"]),
    }
    kernels = {
        "table": "gaussian",
        "sparse": "linear",
        "words": Spectrum(k=2).normalized(),
        "graphs": gm.kernels.graph.Graphlet(k=3).normalized(),
        "given": "precomputed",
    }
    fit = gm.MultiKernelPCA(3, kernels=kernels).fit(blocks)
    np.testing.assert_allclose(fit.transform(blocks), fit.coordinates_, atol=1e-11)
    assert fit.individuals().index.tolist()[:2] == ["i0", "i1"]
    assert fit.rv_.shape == (5, 5)
    parts = {
        "table": gm.kernels.Gaussian().pairwise(X["near"]),
        "sparse": Linear().pairwise(blocks["sparse"].toarray()),
        "words": kernels["words"].pairwise(words),
        "graphs": kernels["graphs"].pairwise(graphs),
        "given": blocks["given"],
    }
    same = gm.MultiKernelPCA(3, kernels=dict.fromkeys(parts, "precomputed")).fit(parts)
    np.testing.assert_allclose(fit.coordinates_, same.coordinates_, atol=1e-11)
    np.testing.assert_allclose(fit.kernel_weights_, same.kernel_weights_, atol=1e-13)
    kept = {n: [b[0], b[1]] if isinstance(b, list) else b[:2] for n, b in blocks.items()}
    with pytest.raises(InputError, match="pair"):
        fit.individuals(kept)
    kept["given"] = (blocks["given"][:2], np.diag(blocks["given"])[:2])
    found = fit.individuals(kept)["distance2", ""]
    np.testing.assert_allclose(found, fit.individuals()["distance2", ""][:2], atol=1e-12)


@pytest.mark.parametrize("combine", COMBINE)
def test_tiles_and_stored_matrices_agree(combine):
    X = data(60)
    stored = gm.MultiKernelPCA(2, combine=combine, solver="krylov").fit(X)
    tiled = gm.MultiKernelPCA(2, combine=combine, solver="krylov", memory="160kB").fit(X)
    np.testing.assert_allclose(tiled.kernel_weights_, stored.kernel_weights_, atol=1e-12)
    np.testing.assert_allclose(tiled.coordinates_, stored.coordinates_, atol=1e-7)


@pytest.mark.parametrize("combine", ["statis", "mean"])
def test_integer_weights_are_repeated_rows(combine):
    X = data(20)
    times = np.array([1, 2, 3, 1] * 5)
    many = {name: np.repeat(block, times, axis=0) for name, block in X.items()}
    kernels = {name: Gaussian(scale=1.5) for name in X}
    model = gm.MultiKernelPCA(3, kernels=kernels, combine=combine)
    a, b = model.fit(X, sample_weight=times), clone(model).fit(many)
    np.testing.assert_allclose(a.kernel_weights_, b.kernel_weights_, atol=1e-13)
    np.testing.assert_allclose(np.repeat(a.coordinates_, times, axis=0), b.coordinates_, atol=1e-11)
    np.testing.assert_allclose(a.blocks(), b.blocks(), atol=1e-11)


@pytest.mark.parametrize("combine", COMBINE)
def test_rows_of_weight_zero_are_new_individuals(combine):
    X = data(30)
    live = np.arange(30) % 4 > 0
    kernels = {name: Gaussian(scale=1.5) for name in X}
    model = gm.MultiKernelPCA(3, kernels=kernels, combine=combine)
    part = clone(model).fit({n: b[live] for n, b in X.items()})
    fit = model.fit(X, sample_weight=live.astype(float))
    np.testing.assert_allclose(fit.coordinates_, part.transform(X), atol=1e-12)
    np.testing.assert_allclose(fit.blocks(), part.blocks(), atol=1e-12)
    assert fit.partial().index.tolist() == np.flatnonzero(live).tolist()
    given = {name: kernels[name].pairwise(block) for name, block in X.items()}
    same = gm.MultiKernelPCA(3, kernels=dict.fromkeys(X, "precomputed"), combine=combine)
    same.fit(given, sample_weight=live.astype(float))
    np.testing.assert_allclose(same.coordinates_, fit.coordinates_, atol=1e-11)
    np.testing.assert_allclose(same.individuals(), fit.individuals(), atol=1e-10)


@pytest.mark.parametrize("combine", COMBINE)
def test_order_of_rows_and_blocks_does_not_matter(combine):
    X = data(30)
    order = np.random.default_rng(1).permutation(30)
    a = gm.MultiKernelPCA(2, combine=combine).fit(X)
    b = gm.MultiKernelPCA(2, combine=combine).fit(
        {name: X[name][order] for name in reversed(list(X))}
    )
    np.testing.assert_allclose(b.kernel_weights_[list(X)], a.kernel_weights_, atol=1e-12)
    np.testing.assert_allclose(b.coordinates_, a.coordinates_[order], atol=1e-10)


def test_blocks_table():
    X = data()
    fit = gm.MultiKernelPCA(kernels=dict.fromkeys(X, "linear"), balance="norm").fit(X)
    table = fit.blocks()
    np.testing.assert_allclose(table["contribution"].sum(), 1.0, atol=1e-12)
    np.testing.assert_allclose(table["inertia_ratio"].sum(axis=1), 1.0, atol=1e-11)
    variances = [block.var(axis=0).sum() for block in X.values()]
    np.testing.assert_allclose(table["inertia", ""], variances, rtol=1e-12)
    K = truth(
        X,
        {name: Linear() for name in X},
        fit.kernel_weights_,
        [own_scale(b @ b.T, "norm") for b in X.values()],
    )
    H = np.eye(40) - 1 / 40
    for name, block in X.items():
        A, B = H @ K @ H, H @ block @ block.T @ H
        rv = np.sum(A * B) / np.linalg.norm(A) / np.linalg.norm(B)
        assert table.loc[name, ("rv", "")] == pytest.approx(rv, rel=1e-12)
        U = fit.coordinates_ / np.sqrt(40 * fit.eigenvalues_)
        along = np.diag(U.T @ B @ U)
        np.testing.assert_allclose(
            table.loc[name, "cos2"], (along / np.linalg.norm(B)) ** 2, atol=1e-12
        )


def test_partial_points_average_to_the_individuals():
    X, new = data(), data(5, seed=3)
    fit = gm.MultiKernelPCA(3, combine="umkl").fit(X)
    w = fit.kernel_weights_
    for found, expected in [
        (fit.partial(), fit.coordinates_),
        (fit.partial(new), fit.transform(new)),
    ]:
        assert found.columns.names == ["block", "axis"]
        mean = sum(w[name] * found[name].to_numpy() for name in X)
        np.testing.assert_allclose(mean, expected, atol=1e-12)


@pytest.mark.slow
def test_readings_and_figures():
    X = data()
    fit = gm.MultiKernelPCA(3).fit(X)
    group = pd.DataFrame({"side": np.where(X["near"][:, 0] > 0, "right", "left")})
    assert fit.categories(group)["v_test", 1].abs().max() > 2
    assert fit.describe(group, alpha=0.01).shape[0] > 0
    assert "MultiKernelPCA of 40 individuals" in str(fit.summary())
    assert fit.reconstruction_error().total.iloc[0] == pytest.approx(fit.inertia_)
    assert gm.plots.individuals(fit, backend="none") is not None
    assert gm.plots.scree(fit, backend="none") is not None
    shown = gm.plots.gram(fit, backend="none").numbers
    K = fit.kernel_.pairwise(X)
    np.testing.assert_allclose(shown["matrix"], K[np.ix_(shown["order"], shown["order"])])
    assert gm.plots.gram(fit.rv_, backend="none").numbers["labels"]


@pytest.mark.slow
def test_a_second_fit_replaces_the_first():
    X = data()
    model = gm.MultiKernelPCA(2).fit(X)
    again = model.fit({name: block[:30] for name, block in X.items()})
    fresh = gm.MultiKernelPCA(2).fit({name: block[:30] for name, block in X.items()})
    np.testing.assert_array_equal(again.coordinates_, fresh.coordinates_)
    assert model.fit(X["near"]).n_features_in_ == 2


def test_parameters_of_kernels_are_reached_by_name():
    first = {"near": Gaussian(scale=1.0), "noisy": "gaussian", "other": Linear()}
    model = gm.MultiKernelPCA(2, kernels=first)
    assert model.get_params()["kernels__near__scale"] == 1.0
    changed = clone(model).set_params(
        combine="mean", kernels__near__scale=3.0, kernels__noisy__scale=2.0, kernels__other="cosine"
    )
    expected = {"near": Gaussian(scale=3.0), "noisy": Gaussian(scale=2.0), "other": "cosine"}
    assert (changed.kernels, changed.combine) == (expected, "mean")
    assert first["near"].scale == model.kernels["near"].scale == 1.0
    with pytest.raises(InputError, match="'far'"):
        model.set_params(kernels__far__scale=1.0)
    with pytest.raises(InputError, match="sale"):
        model.set_params(kernels__near__sale=1.0)


def test_set_output_and_names():
    fit = gm.MultiKernelPCA(2).set_output(transform="pandas").fit(data())
    assert list(fit.transform(data()).columns) == ["axis 1", "axis 2"]


@pytest.mark.slow
def test_rules_choose_the_number_of_axes():
    X = data()
    assert gm.MultiKernelPCA(0.5).fit(X).quality_[-1] >= 0.5
    assert gm.MultiKernelPCA("kaiser").fit(X).n_components_ >= 1
    assert gm.dimension.choose(gm.MultiKernelPCA(), X).loc["kaiser", "q"] >= 1
    with pytest.raises(InputError, match="one table"):
        gm.MultiKernelPCA("parallel").fit(X)
    one = {"line": "linear", "bell": "gaussian"}
    assert gm.MultiKernelPCA("parallel", kernels=one).fit(X["noisy"]).n_components_ >= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"combine": "best"}, "combine"),
        ({"balance": "size"}, "balance"),
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"n_neighbors": True}, "n_neighbors"),
        ({"ridge": -1.0}, "ridge"),
        ({"ridge": np.nan}, "ridge"),
        ({"kernels": {"near": "linear"}}, "without a kernel"),
        ({"kernels": {}}, "dict"),
        ({"kernels": "linear"}, "dict"),
    ],
)
def test_refused_options(change, message):
    with pytest.raises((InputError, InputTypeError), match=message) as caught:
        gm.MultiKernelPCA(2, **change).fit(data())
    assert len(str(caught.value)) <= 400


def test_refused_blocks():
    X = data(10)
    model = gm.MultiKernelPCA(2)
    with pytest.raises(InputError, match="same rows"):
        model.fit(X | {"other": X["other"][:9]})
    with pytest.raises(InputError, match=r"'other'.*NaN"):
        model.fit(X | {"other": np.full((10, 2), np.nan)})
    with pytest.raises(InputError, match="no inertia"):
        gm.MultiKernelPCA(kernels=dict.fromkeys(X, "linear")).fit(X | {"other": np.ones((10, 2))})
    labelled = {name: pd.DataFrame(b, index=list("abcdefghij")) for name, b in X.items()}
    with pytest.raises(InputError, match="other row labels"):
        model.fit(labelled | {"other": labelled["other"].rename({"a": "z"})})
    fit = model.fit(labelled)
    with pytest.raises(InputError, match="no block 'other'"):
        fit.transform({name: X[name] for name in ("near", "noisy")})
    with pytest.raises(InputError, match="columns"):
        fit.transform(X | {"other": X["other"][:, :2]})
    with pytest.raises(InputError, match="column 0"):
        renamed = labelled["other"].rename(columns={0: "zero"})
        fit.transform(labelled | {"other": renamed})
    with pytest.raises(InputError, match="another kind"):
        fit.transform(X["near"])
    with pytest.raises(InputTypeError, match="dict"):
        gm.MultiKernelPCA(kernels={"words": Spectrum(k=2)}).fit(X["near"])
