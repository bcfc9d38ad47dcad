"""Rows that keep arriving: the axes of all of them, or nearly, and by how much at most."""

import numpy as np
import pytest
from scipy import sparse

import gramian as gm
from gramian.errors import InputError

KERNEL = gm.kernels.Gaussian(3.0)


def rows(n=900, seed=0, p=3):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) * np.linspace(3.0, 1.0, p) + 5.0


def arriving(X, rank, size=90, w=None, kernel=KERNEL, **options):
    fit = gm.KernelPCA(4, kernel=kernel, approximation=gm.Nystrom(rank, random_state=0), **options)
    for start in range(0, X.shape[0], size):
        some = slice(start, start + size)
        fit.partial_fit(X[some], sample_weight=None if w is None else w[some])
    return fit


def gap(fit, whole):
    """Return Σ(√λ − √μ)² over the axes that were found, and the bound of it."""
    roots = np.sqrt(whole.eigenvalues_[:4]) - np.sqrt(fit.eigenvalues_)
    return float((roots**2).sum()), fit.approximation_error_  # k(x, x) = 1


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["centered", "span"])
def test_with_room_for_every_row_it_is_the_exact_fit(formulation):
    X, kernel = rows(200), gm.kernels.Exponential(3.0)  # whose matrix is far from singular
    fit = arriving(X, 200, 30, kernel=kernel, formulation=formulation)
    whole = gm.KernelPCA(4, kernel=kernel, formulation=formulation).fit(X)
    assert fit.n_samples_seen_ == 200 and fit.approximation_error_ < 1e-12
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-9)
    Z, C = fit.transform(X), whole.coordinates_
    np.testing.assert_allclose(Z * np.sign((Z * C).sum(axis=0)), C, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [8, 30, 90])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_is_bounded(rank, weighted):
    X = rows()
    w = np.random.default_rng(1).integers(1, 6, len(X)).astype(float) if weighted else None
    fit = arriving(X, rank, w=w)
    whole = gm.KernelPCA(4, kernel=KERNEL).fit(X, None, w)
    landmarks = fit.record_.model.principal.features.kernel_map.landmarks.X
    assert len(landmarks) <= rank
    found, bound = gap(fit, whole)
    assert found <= bound + 1e-12
    assert bound < {8: 0.5, 30: 0.05, 90: 0.002}[rank]
    batch = gm.KernelPCA(4, kernel=KERNEL, approximation=gm.Nystrom(rank)).fit(X, None, w)
    assert bound < 3.0 * batch.approximation_error_ + 1e-9  # near what all rows at once would give


@pytest.mark.slow
def test_the_error_is_the_trace_that_was_left_out():
    """Against features written out row by row, with the landmarks there were at the time."""
    X, left, total = rows(300), 0.0, 0.0
    fit = gm.KernelPCA(2, kernel=KERNEL, approximation=gm.Nystrom(500))
    for start in range(0, 300, 100):
        part = X[start : start + 100]
        fit.partial_fit(part)
        Z = fit.record_.model.principal.features.kernel_map.landmarks.X
        k = KERNEL.pairwise(part, Z)
        explained = np.einsum("ij,ij->i", k @ np.linalg.pinv(KERNEL.pairwise(Z), 1e-10), k)
        left, total = left + (1.0 - explained).sum(), total + 100.0
    assert abs(fit.approximation_error_ - left / total) < 1e-8


@pytest.mark.slow
def test_rows_that_move_away_are_followed():
    """The budget goes to where the rows are, and what was given up is in the error."""
    X = np.concatenate([rows(200, k) + 40.0 * k for k in range(4)])
    fit = arriving(X, 80, 100)
    whole = gm.KernelPCA(4, kernel=KERNEL).fit(X)
    found, bound = gap(fit, whole)
    assert found <= bound < 0.12
    Z = fit.record_.model.principal.features.kernel_map.landmarks.X
    groups = np.bincount(np.clip(np.round((Z[:, 0] - 5.0) / 40.0).astype(int), 0, 3), minlength=4)
    assert groups.min() >= 10  # every one of the four places has landmarks
    np.testing.assert_allclose(fit.eigenvalues_[:3], whole.eigenvalues_[:3], rtol=0.05)


@pytest.mark.slow
def test_a_scan_may_be_followed_by_rows_more():
    X = rows(2600)
    fit = gm.KernelPCA(3, kernel=KERNEL, approximation=gm.Nystrom(60))
    fit.fit(gm.io.scan(list(np.array_split(X[:2000], 4)))).partial_fit(X[2000:])
    assert fit.n_samples_seen_ == 2600
    whole = gm.KernelPCA(3, kernel=KERNEL).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=0.01)


def test_a_saved_fit_goes_on(tmp_path):
    X = rows(300)
    fit = arriving(X[:200], 40, 100)
    gm.save(fit, tmp_path / "fit.gramian")
    again = gm.load(tmp_path / "fit.gramian").partial_fit(X[200:])
    np.testing.assert_allclose(
        again.eigenvalues_, fit.partial_fit(X[200:]).eigenvalues_, rtol=1e-12
    )


def test_sparse_rows_and_random_features():
    X = np.where(np.random.default_rng(2).random((300, 3)) < 0.5, rows(300), 0.0)
    dense, thin = (arriving(M, 40, 100) for M in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(thin.eigenvalues_, dense.eigenvalues_, rtol=1e-12)
    how = gm.RandomFourier(60, random_state=0)
    fit, whole = (gm.KernelPCA(3, kernel=KERNEL, approximation=how) for _ in range(2))
    fit.partial_fit(X[:100]).partial_fit(X[100:])
    np.testing.assert_allclose(fit.eigenvalues_, whole.fit(X).eigenvalues_, rtol=1e-9)


def test_what_cannot_be_done_is_said():
    assert not hasattr(gm.KernelPCA(2), "partial_fit")
    for how in (gm.Nystrom(0.1), gm.Nystrom(10, refine=True)):
        with pytest.raises(InputError, match="a whole number of them"):
            gm.KernelPCA(2, approximation=how).partial_fit(rows())
    fit = arriving(rows(100), 20, 50)
    with pytest.raises(InputError, match="features"):
        fit.partial_fit(rows(20, p=4))
    before = fit.eigenvalues_
    with pytest.raises(InputError, match="NaN"):
        fit.partial_fit(np.full((5, 3), np.nan))
    np.testing.assert_array_equal(fit.eigenvalues_, before)


def test_several_kernels_need_all_rows():
    fit = gm.MultiKernelPCA(2, kernels={"a": "linear", "b": "gaussian"})
    assert not hasattr(fit, "partial_fit")
    with pytest.raises(gm.errors.InputTypeError, match=r"X\.collect\(\)"):
        fit.fit(gm.io.scan([rows(50), rows(40)]))


def test_partial_fit_goes_on_from_a_fit():
    """As scikit-learn's IncrementalPCA does; `fit` starts anew."""
    X = rows()
    fit, whole = gm.PCA(2).fit(X[:300]).partial_fit(X[300:]), gm.PCA(2).fit(X)
    assert fit.n_samples_seen_ == 900
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-12)
    again = fit.fit(X[:200]).partial_fit(X[200:300])
    np.testing.assert_allclose(again.eigenvalues_, gm.PCA(2).fit(X[:300]).eigenvalues_, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_landmarks_go_on_from_a_fit(kind):
    X = rows(200)
    fit = gm.KernelPCA(4, kernel=KERNEL, approximation=gm.Nystrom(150, random_state=0))
    fit.fit(kind(X[:120])).partial_fit(kind(X[120:]))
    found, bound = gap(fit, gm.KernelPCA(4, kernel=KERNEL).fit(X))
    assert fit.n_samples_seen_ == 200 and found <= bound < 1e-3


def test_what_a_fit_kept_too_little_of_is_refused():
    X, w = rows(100), np.arange(1.0, 101.0)
    with pytest.raises(InputError, match="only the proportions of its sample_weight"):
        gm.PCA(2).fit(X, sample_weight=w).partial_fit(X)
    with pytest.raises(InputError, match="neither its rows nor moments"):
        gm.PCA(2, solver="krylov").fit(gm.io.scan([X])).partial_fit(X)


def test_without_landmarks_there_is_no_such_method_and_the_refusal_says_why():
    assert not hasattr(gm.KernelPCA(2), "partial_fit")
    with pytest.raises(AttributeError, match=r"KernelPCA\(approximation=gm\.Nystrom\(rank=200\)\)"):
        gm.KernelPCA(2).partial_fit(rows(50))
