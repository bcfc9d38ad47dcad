"""Two maps compared, and many laid on each other."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.spatial import procrustes as scipy_procrustes

import gramian as gm
from gramian.errors import InputError

RNG = np.random.default_rng(0)
A = RNG.standard_normal((40, 2)) * [3.0, 1.0]


def turn(angle):
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def test_maps_that_are_one_map():
    B = 3.0 * A @ turn(1.0) * [1.0, -1.0] + 7.0
    result = gm.maps.compare(A, B)
    np.testing.assert_allclose([result.correlation, result.overlap], 1.0)
    np.testing.assert_allclose(result.rows["distance"], 0.0, atol=1e-9)
    assert result.p_value == 0.001 and not result.rows["differs"].any()


def test_the_correlation_is_scipys_and_shared_neighbours_are_counted():
    B = A + 0.5 * RNG.standard_normal(A.shape)
    result = gm.maps.compare(A, B, n_neighbors=6)
    np.testing.assert_allclose(result.correlation**2, 1.0 - scipy_procrustes(A, B)[2])
    for i in (0, 13):
        near = [set(np.argsort(((M - M[i]) ** 2).sum(1))[1:7]) for M in (A, B)]
        np.testing.assert_allclose(result.rows["shared"].iloc[i], len(near[0] & near[1]) / 6)


def test_a_row_that_stands_elsewhere():
    X = pd.DataFrame(RNG.standard_normal((60, 2)), index=[f"r{i}" for i in range(60)])
    B = X.to_numpy() + 0.02 * RNG.standard_normal((60, 2))
    i = int(np.argmax(X[0]))
    B[i] = -B[i]
    result = gm.maps.compare(X, B)
    assert result.rows.index[result.rows["differs"]].tolist() == [f"r{i}"]
    assert result.rows["distance"].idxmax() == f"r{i}"


def test_rows_are_paired_by_label():
    frame = pd.DataFrame(A, index=[f"r{i}" for i in range(40)])
    other = frame.iloc[RNG.permutation(40)]
    assert gm.maps.compare(frame, other).correlation == pytest.approx(1.0)
    fit = gm.PCA(2).fit(frame)
    assert gm.maps.compare(fit, gm.PCA(2).fit(other)).correlation == pytest.approx(1.0)
    result = gm.maps.align([frame, other])
    assert result.agreement == pytest.approx(1.0)
    assert result.consensus.index.equals(frame.index)


@pytest.mark.slow
def test_aligned_maps_have_the_least_loss():
    """Against a search over all angles, reflections tried out."""
    maps = [A @ turn(RNG.uniform(0, 6)) + 0.4 * RNG.standard_normal(A.shape) for _ in range(3)]
    maps[1] = maps[1] * [1.0, -1.0]
    result = gm.maps.align(maps, scale=False)
    X = np.stack([M - M.mean(axis=0) for M in maps])
    X /= np.sqrt(np.mean(np.sum(X**2, axis=(1, 2))))

    def loss(angles, mirrors):
        Y = np.stack([M * m @ turn(t) for M, t, m in zip(X, [0.0, *angles], mirrors, strict=True)])
        return np.sum((Y - Y.mean(axis=0)) ** 2)

    mirrors = [[[1, 1], [1, a], [1, b]] for a in (1, -1) for b in (1, -1)]
    starts = [(s, t) for s in (0.0, 2.0, 4.0) for t in (0.0, 2.0, 4.0)]
    best = min(minimize(loss, s, (m,), tol=1e-12).fun for m in mirrors for s in starts)
    np.testing.assert_allclose(result.table["residual"].sum(), best, rtol=1e-6)
    np.testing.assert_allclose(1 - result.agreement, best / 3, rtol=1e-6)


def test_two_aligned_maps_are_as_near_as_procrustes_lays_them():
    B = A @ turn(2.0) + 0.3 * RNG.standard_normal(A.shape)
    correlation = gm.maps.compare(A, B).correlation
    # Of two unit maps the mean holds (1 + r)/2 of the sum of squares.
    np.testing.assert_allclose(gm.maps.align([A, B]).agreement, (1 + correlation) / 2)


def test_scales_and_the_consensus():
    maps = {"a": A, "b": 5.0 * A @ turn(0.3), "c": A + 0.5 * RNG.standard_normal(A.shape)}
    result = gm.maps.align(maps)
    assert list(result.maps) == list(result.table.index) == ["a", "b", "c"]
    mean = np.mean([M.to_numpy() for M in result.maps.values()], axis=0)
    np.testing.assert_allclose(result.consensus, mean, atol=1e-12)
    inner = result.consensus.to_numpy().T @ result.consensus.to_numpy()
    assert abs(inner[0, 1]) < 1e-12 and inner[0, 0] > inner[1, 1]
    np.testing.assert_allclose(result.maps["a"], result.maps["b"], atol=1e-6)
    assert result.table["correlation"].idxmin() == "c"
    spread = [((M.to_numpy() - mean) ** 2).sum(axis=1) for M in result.maps.values()]
    np.testing.assert_allclose(result.rows["spread"] ** 2, np.mean(spread, axis=0))
    wide = gm.maps.align([A, np.column_stack([A, 0.1 * RNG.standard_normal(40)])])
    assert wide.consensus.shape == (40, 3) and wide.agreement > 0.99


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gm.maps.compare(A, A[:5]), "b has 5 rows but a has 40"),
        (lambda: gm.maps.compare(gm.PCA(2), A), "a: PCA is not fitted"),
        (lambda: gm.maps.compare(A, np.ones((40, 2))), "b: all its points are the same"),
        (lambda: gm.maps.compare(A, A, n_neighbors=30), "n_neighbors=30"),
        (lambda: gm.maps.compare(A[:4], A[:4]), "at least 6"),
        (lambda: gm.maps.align([A]), "maps holds 1"),
        (lambda: gm.maps.align(3), "maps=3 must be a list"),
        (lambda: gm.maps.align([A, A], scale="yes"), "scale='yes'"),
        (lambda: gm.plots.procrustes(A, A, axes=(1, 3), backend="none"), "axes=3"),
        (lambda: gm.plots.procrustes(A, A, axes=(1,), backend="none"), "must name 2 axes"),
    ],
)
def test_what_cannot_be_compared(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.slow
def test_the_picture_has_a_line_for_each_row():
    B = A @ turn(1.0) + 0.1 * RNG.standard_normal(A.shape)
    record = gm.plots.procrustes(A, B, backend="none")
    lines = [layer for layer in record.panels[0].layers if type(layer).__name__ == "Curve"]
    assert len(lines) == 40
    lengths = sorted(np.hypot(np.diff(c.x), np.diff(c.y))[0] for c in lines)
    np.testing.assert_allclose(lengths, sorted(gm.maps.compare(A, B).rows["distance"]))
