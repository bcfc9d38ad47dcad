"""Numbers that no double holds are refused or given in a stated unit; they are never inf or 0."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import gramian as gm

from .refusals import refuses

N = 14
RNG = np.random.default_rng(9)
X = RNG.standard_normal((N, 4)) * [3.0, 2.0, 1.0, 0.5] + 1.0
GROUPS = {"a": [0, 1], "b": [2, 3]}
SCALES = [1e154, 1e200, 1e300, 1e-200, 1e-160, 1e-300]
FITS = {
    "PCA": lambda A: gm.PCA(2).fit(A),
    "PCA dense": lambda A: gm.PCA(2, solver="dense").fit(A),
    "PCA krylov": lambda A: gm.PCA(2, solver="krylov").fit(A),
    "PCA blocks": lambda A: gm.PCA(2).fit([A[:7], A[7:]]),
    "PCA partial_fit": lambda A: gm.PCA(2).partial_fit(A),
    "PCA sparse": lambda A: gm.PCA(2).fit(scipy.sparse.csr_array(A)),
    "PCA scaled": lambda A: gm.PCA(2, scale=True).fit(A),
    "KernelPCA linear": lambda A: gm.KernelPCA(2, kernel="linear").fit(A),
    "KernelPCA": lambda A: gm.KernelPCA(2).fit(A),
    "Nystrom": lambda A: gm.KernelPCA(2, kernel="linear", approximation=gm.Nystrom(8)).fit(A),
    "ClassicalMDS": lambda A: gm.ClassicalMDS(2).fit(A),
    "MDS": lambda A: gm.MDS(2, n_init=1, max_iter=5).fit(A),
    "FAMD": lambda A: gm.FAMD(2).fit(A),
    "MFA": lambda A: gm.MFA(2, groups=GROUPS).fit(A),
    "MFA centered": lambda A: gm.MFA(2, groups=GROUPS, kinds={"a": "centered"}).fit(A),
    "CA": lambda A: gm.CA(2).fit(np.abs(A)),
    "MultiKernelPCA": lambda A: gm.MultiKernelPCA(2, kernels={"X": "linear"}).fit(A),
}
NUMBERS = ("eigenvalues_", "inertia_", "explained_variance_", "noise_variance_")
ignored = pytest.mark.filterwarnings("ignore::gramian.errors.ConvergenceWarning")


@pytest.mark.slow
@ignored
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", FITS)
def test_eigenvalues_are_numbers_or_refused(name, scale):
    """Those that are given are those of the unit, times the square of the scale or itself."""
    unit = FITS[name](X)
    try:
        fit = FITS[name](X * scale)
        np.testing.assert_allclose(fit.inertia_ratio_, unit.inertia_ratio_, rtol=1e-6)
        for number in (n for n in NUMBERS if hasattr(unit, n)):
            found, want = np.asarray(getattr(fit, number)), np.asarray(getattr(unit, number))
            assert np.isfinite(found).all() and (found > 0).all()
            np.testing.assert_allclose(found, want, rtol=1e-6)  # of methods without a unit
    except gm.errors.InputError as error:
        text = str(error)
        assert "X" in text and len(text) <= 400
        assert any(word in text for word in ("rescale", "multiply")), text
        assert "constant" not in text or "vanish" in text, text


@pytest.mark.parametrize("scale", SCALES)
def test_what_is_right_in_any_unit_stays(scale):
    unit, fit = gm.PCA(2).fit(X), gm.PCA(2).fit(X * scale)
    for number in ("eigenvalues_", "inertia_", "explained_variance_", "noise_variance_"):
        refuses(lambda number=number: getattr(fit, number), "X", "out of range", "rescale")
    for call in (fit.get_covariance, fit.reconstruction_error):
        refuses(call, "X", "out of range", "rescale")
    np.testing.assert_allclose(fit.coordinates_ / scale, unit.coordinates_, atol=1e-12)
    np.testing.assert_allclose(fit.singular_values_ / scale, unit.singular_values_)
    whitened = [gm.PCA(2, whiten=True).fit_transform(A) for A in (X, X * scale)]
    np.testing.assert_allclose(*whitened, atol=1e-9)
    back = gm.PCA(4, whiten=True).fit(X * scale)
    np.testing.assert_allclose(
        back.inverse_transform(back.transform(X * scale)) / scale, X, atol=1e-9
    )


@pytest.mark.parametrize("scale", SCALES)
def test_a_summary_states_its_unit(scale):
    fit = gm.PCA(2).fit(X * scale)
    summary = fit.summary()
    unit = fit.model_.unit
    assert f"squares of {unit:.6g}" in summary.facts["unit"]
    want = gm.PCA(2).fit(X).eigenvalues_ * (scale / unit) ** 2
    np.testing.assert_allclose(summary.eigenvalues["eigenvalue"], want)
    assert not any(word in str(summary) for word in ("inf ", "nan", " 0.000 0.000"))
    assert "unit" not in gm.PCA(2).fit(X).summary().facts


def test_eigenvalues_at_the_ends_of_the_range():
    """As far as they are doubles with all their digits, they are given."""
    for scale in (1e-150, 1e-152, 1e150, 1e152):
        found = gm.PCA(2).fit(X * scale).eigenvalues_
        np.testing.assert_allclose(found, gm.PCA(2).fit(X).eigenvalues_ * scale**2, rtol=1e-9)
    small = gm.PCA().fit(X * [1.0, 1.0, 1.0, 1e-170])  # an axis below the rounding of the first
    np.testing.assert_allclose(small.eigenvalues_[:3], gm.PCA().fit(X[:, :3]).eigenvalues_)


def test_an_estimator_that_is_not_fitted_has_no_eigenvalues():
    assert not hasattr(gm.PCA(2), "eigenvalues_")
    with pytest.raises(AttributeError):
        gm.PCA(2).explained_variance_  # noqa: B018


def test_a_fit_out_of_range_is_saved(tmp_path):
    gm.save(gm.PCA(2).fit(X * 1e200), tmp_path / "far")
    again = gm.load(tmp_path / "far")
    refuses(lambda: again.eigenvalues_, "out of range")
    np.testing.assert_allclose(again.inertia_ratio_, gm.PCA(2).fit(X).inertia_ratio_)


@ignored
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", ["PCA", "ClassicalMDS", "MDS", "KernelPCA linear"])
def test_clusters_of_such_fits(name, scale):
    fit = FITS[name](X * scale)
    for number in (2, None, "hcpc"):
        refuses(lambda number=number: gm.clusters.find(fit, number), "fit", "range", "multiply")
    assert gm.clusters.find(gm.PCA(2, scale=True).fit(X * scale), 2).n_clusters == 2


def test_clusters_of_one_cell_that_is_far():
    A = X.copy()
    A[0, 0] = 1e308
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = gm.PCA(2).fit(A)
    refuses(lambda: gm.clusters.find(fit, 2), "fit", "range", "multiply")


STUDIES = {
    "gradient": lambda A: gm.importance.gradient(gm.PCA(2).fit(A)),
    "permutation": lambda A: gm.importance.permutation(gm.PCA(2).fit(A), n_permutations=2),
    "movement": lambda A: gm.importance.permutation(
        gm.PCA(2).fit(A), n_permutations=2, refit=False
    ),
    "bootstrap": lambda A: gm.stability.bootstrap(gm.PCA(2), A, n_resamples=3),
    "jackknife": lambda A: gm.stability.jackknife(gm.PCA(2), A),
    "procrustes": lambda A: gm.stability.procrustes(A, X**2),
    "choose": gm.dimension.choose,
    "parallel": lambda A: gm.dimension.parallel_analysis(A, n_permutations=9),
    "missing": lambda A: gm.missing.choose(A),
    "scree": lambda A: gm.plots.scree(gm.PCA(2).fit(A), backend="none"),
    "biplot": lambda A: gm.plots.biplot(gm.PCA(2).fit(A), backend="none"),
    "eigenvalue rule": lambda A: gm.PCA("kaiser").fit(A).eigenvalues_,
    "codes": lambda A: gm.MCA(2).fit(A),
}


@pytest.mark.parametrize("scale", [1e200, 1e-200])
@pytest.mark.parametrize("name", STUDIES)
def test_studies_of_such_tables(name, scale):
    refuses(lambda: STUDIES[name](X * scale), "X")


@pytest.mark.parametrize("value", [0.0, 0.1, 7.0, 1e8 / 3, 1e100])
@pytest.mark.parametrize("criterion", ["cv", "kfold", "loo", "gcv"])
def test_a_constant_table_has_no_axis_to_fill_holes_with(criterion, value):
    A = np.full((9, 4), value)
    choice = gm.missing.choose(A, criterion=criterion, max_components=2, n_repeats=3)
    assert choice.n_components == 0
    A[2, 1] = A[5, 3] = np.nan
    assert gm.missing.choose(A, criterion=criterion, max_components=2).n_components == 0
    np.testing.assert_array_equal(gm.missing.impute(A).table, np.full((9, 4), value))
    levels = pd.DataFrame({"a": ["x"] * 9, "b": ["y"] * 9})
    if criterion != "gcv":
        assert gm.missing.choose(levels, criterion=criterion).n_components == 0


@pytest.mark.slow
def test_a_constant_column_counts_for_nothing():
    """Its deviation is that of rounding: errors in it are not errors in deviations."""
    rows = RNG.standard_normal((40, 1)) @ RNG.standard_normal((1, 5))
    rows += 0.3 * RNG.standard_normal(rows.shape)
    plain = gm.missing.choose(rows, random_state=0).n_components
    wide = np.column_stack([rows, np.full(40, 0.1)])
    assert gm.missing.choose(wide, random_state=0).n_components == plain


@pytest.mark.slow
def test_negative_counts_of_replicates():
    counts = RNG.poisson(80.0, (18, 6)).astype(float)
    condition = np.repeat(["a", "b"], 9)
    for wrong in (-counts, np.where(np.eye(18, 6) > 0, -counts, counts)):
        refuses(lambda wrong=wrong: gm.networks.replicate_study(wrong, condition), "X", "negative")
    study = gm.networks.replicate_study(
        np.log2(counts + 0.5) - 7.0, condition, n_resamples=3, n_permutations=0
    )
    assert study.curve is not None
