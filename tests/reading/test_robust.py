"""Robust axes against rrcov, and the pieces they are made of against brute force."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from tests.outside._reference import array, load, table

from gramian._reading.cloud import spatial_median
from gramian._reading.robust import (
    RobustAxes,
    distances,
    mad,
    median,
    orthogonal_cutoff,
    robust_axes,
    score_cutoff,
    univariate_mcd,
)

FILES = ["robust_hbk_k2", "robust_wood_k3"]


def reference(file):
    known = load(f"factor_methods/{file}.json")
    result = known["result"]
    p = len(result["PcaClassic"]["center"]["values"])
    return table(f"factor_methods/{known['data']}").to_numpy(dtype=float)[:, :p], result


def axes_of(entry):
    return RobustAxes(*(array(entry[name]) for name in ("center", "loadings", "eigenvalues")))


def equal(n):
    return np.full(n, 1.0 / n)


def own(X, q, method):
    return robust_axes(X, equal(len(X)), q, method, np.random.default_rng(0))


def flags(X, fit):
    d = distances(X, fit)
    cutoff = orthogonal_cutoff(d.orthogonal, equal(len(X)))
    return np.flatnonzero((d.score > score_cutoff(len(fit.values))) | (d.orthogonal > cutoff))


@pytest.mark.parametrize("file", FILES)
def test_distances_and_cutoffs_of_rrcov(file):
    X, known = reference(file)
    for name, entry in known.items():
        if name in ("PcaClassic", "PcaLocantore_scale", "PcaGrid_qn"):  # other cut-offs, or scaled
            continue
        fit = axes_of(entry)
        d = distances(X, fit)
        np.testing.assert_allclose(d.score, array(entry["sd"]), atol=1e-6, err_msg=name)
        np.testing.assert_allclose(d.orthogonal, array(entry["od"]), atol=1e-6, err_msg=name)
        assert abs(score_cutoff(len(fit.values)) - entry["cutoff_sd"]) < 1e-6
        if name != "PcaCov_mcd":
            cutoff = orthogonal_cutoff(d.orthogonal, equal(len(X)))
            assert abs(cutoff - entry["cutoff_od"]) < 1e-5, name


def test_hubert_on_hbk():
    X, known = reference("robust_hbk_k2")
    expected, fit = axes_of(known["PcaHubert_mcd"]), own(X, 2, "hubert")
    sign = np.sign((fit.axes * expected.axes).sum(axis=0))
    np.testing.assert_allclose(fit.axes * sign, expected.axes, atol=1e-8)
    np.testing.assert_allclose(fit.center, expected.center, atol=1e-8)
    np.testing.assert_allclose(fit.values * 61 / 60, expected.values, rtol=1e-8)
    assert flags(X, fit).tolist() == list(range(14))


def test_hubert_with_many_columns():
    X, known = reference("robust_wood_k3")
    fit = own(X, 3, "hubert")
    assert subspace_angles(fit.axes, array(known["PcaHubert_mcd"]["loadings"])).max() < 1e-8
    assert set(flags(X, fit)) >= {3, 5, 7, 18}


@pytest.mark.parametrize("file", FILES)
def test_spherical(file):
    X, known = reference(file)
    entry = known["PcaLocantore"]
    expected = axes_of(entry)
    fit = own(X, len(expected.values), "spherical")
    assert subspace_angles(fit.axes, expected.axes).max() < 5e-3
    np.testing.assert_allclose(fit.center, expected.center, atol=1e-3)  # where theirs stops
    np.testing.assert_allclose(fit.values, array(entry["eigenvalues_textbook"]), rtol=0.03)


@pytest.mark.parametrize("file", FILES)
def test_pursuit_is_not_worse_than_theirs(file):
    X, known = reference(file)
    fit = own(X, len(known["PcaProj_mad"]["eigenvalues"]["values"]), "pursuit")
    for name in ("PcaProj_mad", "PcaGrid_mad"):
        assert fit.values[0] >= axes_of(known[name]).values[0]
    np.testing.assert_allclose(fit.center, array(known["PcaProj_mad"]["center"]), atol=1e-6)
    if file == "robust_hbk_k2":
        assert flags(X, fit).tolist() == list(range(14))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["hubert", "spherical", "pursuit"])
@pytest.mark.parametrize("shape", [(60, 4), (20, 30)])
def test_what_holds_for_every_method(method, shape):
    rng = np.random.default_rng(1)
    X = rng.standard_normal(shape) * np.linspace(5, 1, shape[1])
    fit = own(X, 2, method)
    np.testing.assert_allclose(fit.axes.T @ fit.axes, np.eye(2), atol=1e-10)
    assert (np.diff(fit.values) <= 0).all()
    # Turned and shifted rows have turned and shifted axes; pursuit looks along the columns.
    Q = np.linalg.qr(rng.standard_normal((shape[1], shape[1])))[0]
    turned = own(X @ Q + 3.0, 2, method)
    if method == "spherical":
        np.testing.assert_allclose(
            Q @ turned.center - Q @ np.full(shape[1], 3.0), fit.center, atol=1e-6
        )
        assert subspace_angles(Q @ turned.axes, fit.axes).max() < 1e-6
    # Weights count like repeated rows.
    counts = rng.integers(1, 4, shape[0])
    weighted = robust_axes(X, counts / counts.sum(), 2, method, np.random.default_rng(0))
    repeated = own(np.repeat(X, counts, axis=0), 2, method)
    np.testing.assert_allclose(weighted.axes, repeated.axes, atol=1e-8)
    np.testing.assert_allclose(weighted.values, repeated.values, rtol=1e-8)


def test_weighted_median_and_mad():
    rng = np.random.default_rng(2)
    x, counts = rng.integers(0, 9, (11, 3)).astype(float), rng.integers(1, 5, 11)
    many, w = np.repeat(x, counts, axis=0), counts / counts.sum()
    np.testing.assert_allclose(median(x, w), np.median(many, axis=0))
    expected = 1.4826 * np.median(np.abs(many - np.median(many, axis=0)), axis=0)
    np.testing.assert_allclose(mad(x, w), expected)


def test_spatial_median_is_where_unit_vectors_cancel():
    X = np.random.default_rng(3).standard_normal((30, 4))
    m = spatial_median(X, equal(30))
    pulls = (X - m) / np.linalg.norm(X - m, axis=1, keepdims=True)
    assert np.abs(pulls.mean(axis=0)).max() < 1e-9
    # A row that holds most of the weight is the median.
    w = np.r_[0.9, np.full(29, 0.1 / 29)]
    np.testing.assert_allclose(spatial_median(X, w), X[0], atol=1e-9)


def test_univariate_mcd_by_brute_force():
    x = np.random.default_rng(4).standard_normal(21)
    x[:4] += 50.0
    m, s = univariate_mcd(x, equal(21), 15 / 21)
    y = np.sort(x)
    starts = range(21 - 15 + 1)
    first = min((y[i : i + 15] for i in starts), key=np.var)
    assert abs(m - first.mean()) < 1.0 and 0.3 < s < 2.0
    np.testing.assert_allclose(
        univariate_mcd(3.0 * x + 2.0, equal(21), 15 / 21), (3 * m + 2, 3 * s)
    )


@pytest.mark.slow
def test_a_fifth_of_wild_rows_turns_nothing():
    """A slice of benchmarks/robust_axes.py."""
    from benchmarks.robust_axes import angles

    found = angles("200 × 6", 0.2, tables=3)
    assert found["classical"].min() > 60.0
    assert found["hubert"].max() < 5.0
