"""Faults that the walk of hostile inputs found, each by a family of cases."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import multivariate_normal
from sklearn.decomposition import PCA as Sklearn

import gramian as gm
from gramian.errors import InputError, InputTypeError

rng = np.random.default_rng(4)
X = rng.standard_normal((14, 4)) @ np.diag([3.0, 2.0, 1.0, 0.5]) + 5.0
GROUPS = np.resize(["u", "v", "u"], len(X))


@pytest.mark.parametrize("density", [0.0, 0.05, 0.2, 0.29, 0.5])
@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "coo_array"])
def test_sparse_rows_on_axes_of_dense_ones(density, kind):
    """Zeros that are not stored lie as far from the mean of the fit as those that are."""
    new = np.where(rng.random((30, 4)) < density, 7.0, 0.0)
    fit = gm.PCA().fit(X)
    want = (new - X.mean(axis=0)) @ fit.components_.T
    assert np.allclose(fit.transform(getattr(sparse, kind)(new)), want, atol=1e-12)
    linear = gm.KernelPCA(kernel="linear").fit(X)
    assert np.allclose(
        linear.transform(getattr(sparse, kind)(new)), linear.transform(new), atol=1e-10
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-20, 1.0, 1e20, 1e160, 1e300])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_the_likelihood_in_any_unit(scale, q):
    """log p(cx) = log p(x) − p·log c, and that of the unit is SciPy's."""
    fit = gm.PCA(q).fit(X * scale)
    law = multivariate_normal(X.mean(axis=0), Sklearn(q).fit(X).get_covariance())
    want = law.logpdf(X[:5]) - 4 * np.log(scale)
    assert np.allclose(fit.score_samples(X[:5] * scale), want, rtol=1e-11)


def test_the_likelihood_of_scaled_columns():
    Z = X * [0.1, 1.0, 30.0, 1.0]
    fit = gm.PCA(2, scale=True).fit(Z)
    law = multivariate_normal(Z.mean(axis=0), fit.get_covariance())
    assert np.allclose(fit.score_samples(Z), law.logpdf(Z), rtol=1e-10)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e8])
def test_logistic_regression_of_two_far_clouds(far):
    """The functions are those of the two clouds laid on each other: the gap is in no class."""
    y = np.resize([0, 1, 1, 0, 1, 0, 0], 28)
    Z = np.vstack([X, X])
    Z[:14, 0] += far
    fit = gm.KernelLogisticRegression(kernel="linear").fit(Z, y)
    P = fit.predict_proba(Z)[:, 1]
    C = Z - Z.mean(axis=0)
    logit = np.log(P / (1 - P))
    want = C @ (C.T @ (y - P))
    size = (C**2).sum(axis=1).max()
    assert np.allclose((logit - logit.mean()) / size, (want - want.mean()) / size, atol=1e-12)
    assert abs((y - P).sum()) < 1e-9


def test_a_logistic_model_on_its_axes_is_saved(tmp_path):
    Z = X * [1e6, 1.0, 1.0, 1e-3]
    fit = gm.KernelLogisticRegression(kernel="linear").fit(Z, np.resize([0, 1, 1, 0], 14))
    gm.save(fit, tmp_path / "model.gramian")
    back = gm.load(tmp_path / "model.gramian")
    assert np.array_equal(back.predict_proba(Z), fit.predict_proba(Z))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_numbers_without_digits_are_refused(dtype):
    tiny = float(np.finfo(dtype).smallest_normal)
    for estimator in (gm.PCA(), gm.PCA(solver="krylov"), gm.MDS(), gm.KernelPCA()):
        with pytest.raises(InputError, match="lose their digits"):
            estimator.fit((X * tiny / 1e5).astype(dtype))
    assert np.isfinite(gm.PCA().fit(X).transform(np.full((1, 4), 5e-324))).all()


@pytest.mark.parametrize("repair", [gm.validity.lingoes, gm.validity.cailliez])
def test_points_at_distance_zero_that_are_not_equal(repair):
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    D[3, 8] = D[8, 3] = 0.0
    with pytest.raises(InputError, match="points 3 and 8 have distance 0"):
        repair(D)
    with pytest.raises(InputError, match="points 3 and 8 have distance 0"):
        gm.ClassicalMDS(metric="precomputed", correction=repair.__name__).fit(D)
    twice = np.kron(D[:3, :3], np.ones((2, 2)))
    assert repair(twice).constant == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("offset", [1e6, 1e10, 1e15])
def test_correlations_at_an_offset(offset):
    whole = np.round(X * 16)
    net = gm.networks.infer(whole + offset, shrinkage=0.0, threshold=1e-9)
    R = np.corrcoef(whole.T) - np.eye(4)
    assert np.allclose(net.adjacency.toarray(), R, atol=1e-13)


def test_a_kernel_object_must_be_symmetric():
    K = X @ X.T
    K[2, 5] += 1.0
    with pytest.raises(InputError, match="matrix is not symmetric"):
        gm.KernelPCA(kernel=gm.kernels.Precomputed(K)).fit(np.arange(len(X))[:, None])


def test_a_row_without_counts_lies_at_the_origin():
    counts = np.round(np.abs(X) * 3)
    counts[4] = 0
    with pytest.warns(gm.errors.EmptyProfileWarning):
        fit = gm.CA().fit(counts)
    assert fit.individuals()["distance2"].to_numpy()[4] == 0


def test_masses_that_one_row_holds_nearly_alone():
    """χ²/total by its definition, in fractions of integers."""
    counts = np.round(np.abs(X) * 3).astype(int) + 1
    counts[7, 2] = 10**12
    r, c, total = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    chi2 = sum(
        (int(counts[i, j]) * int(total) - int(r[i]) * int(c[j])) ** 2
        / (int(r[i]) * int(c[j]) * int(total) ** 2)
        for i in range(14)
        for j in range(4)
    )
    assert gm.CA().fit(counts).inertia_ == pytest.approx(chi2, rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_axes_of_columns_of_very_different_scale_stay_apart(seed):
    """Coordinates on two axes are not correlated, however short one of them is."""
    draw = np.random.default_rng(seed)
    size = np.logspace(0, -draw.integers(5, 14), 8)[draw.permutation(8)]
    Z = draw.standard_normal((12 + seed, 8)) * size
    V = gm.PCA().fit(Z).components_.T.astype(np.longdouble)
    assert np.abs(V.T @ V - np.eye(8)).max() < 1e-14
    F = (Z - Z.astype(np.longdouble).mean(axis=0)) @ V
    F = F / np.sqrt((F**2).sum(axis=0))
    assert np.abs(F.T @ F - np.eye(8)).max() < 1e-13


@pytest.mark.parametrize("unit", [1.0, 3.0, 0.1, 1e-7, 7e9])
def test_a_scree_above_its_chord_has_no_corner(unit):
    """Its two ends lie on the chord, and rounding must not choose between them."""
    scree = np.array([4.499009, 3.832212, 2.786314, 0.819965]) * unit
    assert gm.dimension.elbow(scree) == 1


def test_the_barycentre_is_at_no_distance():
    S = np.arange(36.0).reshape(9, 4)
    assert gm.rkhs.distance_to_set("linear", S, S)[4] == 0


CELLS = {
    "dates without a unit": np.full((14, 2), np.datetime64("NaT")),
    "bytes": np.zeros((14, 2), "V8"),
    "records": np.zeros((14, 2), dtype=[("a", float)]),
    "lists": np.array([[[1], [2]]] * 14 + [None], dtype=object)[:14].reshape(14, 1),
    "too large": np.array([[10**400, i] for i in range(14)], dtype=object),
}


@pytest.mark.parametrize("name", CELLS)
def test_cells_that_no_table_holds(name):
    """One door: beside a fit, in Gower's distance, as a source."""
    table = CELLS[name]
    for take in (gm.PCA().fit(X).variables, gm.distances.gower, gm.io.as_source):
        with pytest.raises((InputError, InputTypeError)):
            take(table)


def test_lengths_of_time_are_no_numbers():
    table = np.array([[np.timedelta64(i, "D"), 1.0] for i in range(14)], dtype=object)
    with pytest.raises((InputError, InputTypeError)):
        gm.PCA().fit(X).variables(table)
    assert gm.distances.gower(table).max() == 0.5  # labels, all of them different


def test_texts_among_numbers_are_not_categories():
    column = np.array([*X[:13, 0], "seven"], dtype=object)
    with pytest.raises(InputError, match="'seven' at row 13"):
        gm.PCA().fit(X).variables(pd.DataFrame({"a": X[:, 1], "b": column}))


LABELS = {
    "masked": np.ma.array(np.arange(14) % 2, mask=np.arange(14) == 3),
    "missing": [None, *GROUPS[1:]],
    "lists": [["u"], ["v"]] * 7,
    "complex": (np.arange(14) % 2) + 1j,
    "infinite": [np.inf, *(np.arange(13) % 2)],
    "too short": GROUPS[:-1],
    "a word": "u",
    "a dictionary": dict(enumerate(GROUPS)),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_rows_come_in_by_one_door(name):
    for take in (
        lambda labels: gm.ecology.dispersion(X, labels),
        lambda labels: gm.ecology.permanova(X, pd.DataFrame({"g": GROUPS}), strata=labels),
        lambda labels: gm.networks.differential(X, labels),
    ):
        with pytest.raises((InputError, InputTypeError), match=r"groups|strata|condition"):
            take(LABELS[name])


def test_a_refusal_has_at_most_400_characters():
    with pytest.raises(InputError) as told:
        gm.MCA().fit(pd.DataFrame({"a" * 10**5: X[:, 0], "b": X[:, 1]}))
    text = str(told.value)
    assert len(text) <= 400 and text.startswith("X, column") and text.endswith("use gm.FAMD")
