"""Ways back from axes, passive levels, ellipses of counts, fields, arrows of curved maps."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import gramian as gm
from gramian._core.pairs import Points
from gramian.preimage import from_distances

RNG = np.random.default_rng(3)
X = RNG.standard_normal((30, 3))
K = gm.kernels
MIXED = pd.DataFrame(
    {"x": X[:, 0], "y": X[:, 1] * 1e3, "q": RNG.choice(list("abc"), 30), "h": ["u", None, "v"] * 10}
)


@pytest.mark.parametrize("kernel", [K.Gaussian(1.0), K.Matern(nu=1.5, scale=1.5)], ids=repr)
def test_distances_bring_training_rows_back(kernel):
    fit = gm.KernelPCA(None, kernel=kernel).fit(X)
    back = fit.inverse_transform(fit.coordinates_, method="distances")
    np.testing.assert_allclose(back, X, atol=1e-6)


def test_kwok_and_tsang_by_brute_force():
    """x and a constant, by a general optimiser, so that |x − x_i|² + c are the wanted squares."""
    gamma = RNG.dirichlet(np.ones(30), 3)
    G = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    found = from_distances(K.Gaussian(1.0), Points(X), gamma, n_neighbours=8)
    for x, g in zip(found, gamma, strict=True):
        value = G @ g + 0.5 * (1.0 - g @ G @ g)  # k(x, x_i) at the distances of feature space
        near = np.argsort(-value)[:8]
        wanted = -2.0 * np.log(value[near])

        def loss(v, near=near, wanted=wanted):
            return float(np.sum((((v[:3] - X[near]) ** 2).sum(axis=1) + v[3] - wanted) ** 2))

        best = minimize(loss, np.r_[X[near].mean(axis=0), 0.0], options={"gtol": 1e-10})
        np.testing.assert_allclose(x, best.x[:3], atol=1e-5)


def test_weights_by_brute_force():
    """The nearest mixture in feature space, against a constrained optimiser."""
    G = np.asarray(K.Gaussian(1.0)(X[:12]))
    fit = gm.KernelPCA(2, kernel="precomputed").fit(G)
    Z = fit.coordinates_[:3] * 0.7
    W = fit.inverse_transform(Z, method="weights").to_numpy()
    assert W.min() >= 0
    np.testing.assert_allclose(W.sum(axis=1), 1.0)
    A = np.column_stack([axis.coefficients for axis in fit.axes()])
    for w, z in zip(W, Z, strict=True):
        target = 1 / 12 + A @ z

        def loss(v, target=target):
            return float((v - target) @ G @ (v - target))

        sums = {"type": "eq", "fun": lambda v: v.sum() - 1.0}
        start, limits = np.full(12, 1 / 12), [(0, 1)] * 12
        best = minimize(loss, start, bounds=limits, constraints=sums, options={"ftol": 1e-14})
        assert loss(w) <= best.fun + 1e-9


def test_weights_of_distances_are_those_of_the_linear_kernel():
    D = np.linalg.norm(X[:, None] - X, axis=2)
    mds, kernel = gm.ClassicalMDS(2, metric="precomputed").fit(D), gm.KernelPCA(2, kernel="linear")
    kernel.fit(X)
    Z = mds.coordinates_[:4] * 0.5
    signs = np.sign((mds.coordinates_ * kernel.coordinates_).sum(axis=0))
    a = mds.inverse_transform(Z).to_numpy()
    b = kernel.inverse_transform(Z * signs, method="weights").to_numpy()
    np.testing.assert_allclose(a @ X, b @ X, atol=1e-6)
    every = gm.ClassicalMDS(3, metric="precomputed").fit(D)
    corner = int(np.argmax(D.sum(axis=1)))  # a corner of the hull is itself alone
    one = every.inverse_transform(every.coordinates_[[corner]]).to_numpy()[0]
    np.testing.assert_allclose(one, np.eye(30)[corner], atol=1e-6)


@pytest.mark.parametrize("fit", [gm.FAMD(), gm.MFA(groups={"a": ["x", "y"], "b": ["q", "h"]})])
def test_a_mixed_table_comes_back(fit):
    back = fit.fit(MIXED).inverse_transform(fit.coordinates_)
    np.testing.assert_allclose(back[["x", "y"]], MIXED[["x", "y"]], rtol=1e-8, atol=1e-8)
    assert back["q"].tolist() == MIXED["q"].tolist()
    assert back["h"].isna().tolist() == MIXED["h"].isna().tolist()
    with pytest.raises(gm.errors.InputError):
        fit.inverse_transform([[1.0]])


def test_passive_levels_are_specific_mca():
    """Indicators without the passive ones, masses kept: a singular value decomposition."""
    answers = MIXED[["q", "h"]].assign(z=RNG.choice(list("rs"), 30))
    fit = gm.MCA(passive={"q": ["b"], "h": ["NA"]}).fit(answers)
    assert fit.rare_levels_ == {"q": ["b"], "h": ["NA"]}
    kept = pd.get_dummies(answers).to_numpy(float)[:, [0, 2, 3, 4, 5, 6]]
    P, c = kept / 90, kept.sum(axis=0) / 90
    S = (P - c / 30) / np.sqrt(c / 30)
    values = np.linalg.svd(S, compute_uv=False) ** 2
    np.testing.assert_allclose(fit.eigenvalues_, values[: len(fit.eigenvalues_)], atol=1e-12)
    for wrong in ({"q": ["z"]}, {"no": ["a"]}, ["a"], {"q": ["a", "b", "c"]}):
        with pytest.raises(gm.errors.InputError, match="passive"):
            gm.MCA(passive=wrong).fit(answers)


@pytest.mark.parametrize("of", ["rows", "columns"])
def test_ellipses_of_counts_by_simulation(of):
    rng = np.random.default_rng(0)
    N = rng.poisson(20, (8, 5)) + 30 * np.eye(8, 5, dtype=int)
    fit, T = gm.CA().fit(N), N.sum()
    root = np.sqrt(fit.eigenvalues_[:2])
    F, G = (t["coordinate"].to_numpy()[:, :2] / root for t in (fit.individuals(), fit.variables()))
    draws = rng.multinomial(T, (N / T).ravel(), 4000).reshape(-1, 8, 5)
    at = draws if of == "rows" else draws.transpose(0, 2, 1)
    places = at / at.sum(axis=2, keepdims=True) @ (G if of == "rows" else F)
    table = fit.ellipses(of=of)
    for i, row in enumerate(table.itertuples()):
        half = np.sqrt(np.linalg.eigvalsh(np.cov(places[:, i].T)) * 5.991)
        np.testing.assert_allclose([row.minor, row.major], half, rtol=0.06)
    if of == "rows":
        record = gm.plots.individuals(fit, ellipses=fit, backend="none")
        assert len(record.numbers["ellipses"]) == 8


class Field:
    """What is used of a DataArray of xarray."""

    def __init__(self, values, **coords):
        self.values, self.dims = values, tuple(coords)
        self.shape, self.ndim = values.shape, values.ndim
        self.coords = {
            d: Field(np.asarray(c), **{d: ()}) if len(c) else 0 for d, c in coords.items()
        }

    def to_numpy(self):
        return self.values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


def test_a_field_keeps_its_names_and_takes_area_weights():
    values, lat = RNG.standard_normal((10, 2, 3)), [10.0, 50.0]
    field = Field(values, time=list(range(2000, 2010)), lat=lat, lon=[0, 5, 9])
    area = np.repeat(np.cos(np.radians(lat)), 3).reshape(2, 3)
    fit = gm.PCA(2, column_weight=Field(area, lat=lat, lon=[0, 5, 9])).fit(field)
    plain = gm.PCA(2, column_weight=area.ravel()).fit(values.reshape(10, 6))
    np.testing.assert_allclose(fit.coordinates_, plain.coordinates_)
    assert fit.individuals().index.tolist() == list(range(2000, 2010))
    assert fit.variables().index[1] == "lat=10.0, lon=5"
    np.testing.assert_allclose(fit.transform(field), fit.coordinates_, atol=1e-12)


def test_arrows_of_curved_maps():
    """With the linear kernel they are loadings times deviations; else central differences."""
    line = gm.KernelPCA(2, kernel="linear").fit(X)
    record = gm.plots.biplot(line, backend="none")
    pca = gm.PCA(2).fit(X)
    signs = np.sign((pca.coordinates_ * line.coordinates_).sum(axis=0))
    expected = pca.components_.T * signs * X.std(axis=0)[:, None]
    np.testing.assert_allclose(record.numbers["columns"], expected, atol=1e-6)
    np.testing.assert_allclose(record.numbers["steady"], 1.0, atol=1e-6)
    bell, h = gm.KernelPCA(2, kernel=K.Gaussian(1.5)).fit(X), 1e-5
    record, step = gm.plots.biplot(bell, backend="none"), h * np.eye(3)
    slopes = np.stack([bell.transform(X + s) - bell.transform(X - s) for s in step], 1) / (2 * h)
    mean = slopes.mean(axis=0) * X.std(axis=0)[:, None]
    np.testing.assert_allclose(record.numbers["columns"], mean, atol=1e-6)
    square = (slopes**2).mean(axis=0).sum(axis=1) * X.var(axis=0)
    np.testing.assert_allclose(record.numbers["steady"], (mean**2).sum(axis=1) / square, atol=1e-6)
