"""The calls of scikit-learn's user guide: they run after `from_sklearn`, or the line is said."""

import re

import numpy as np
import pytest
import sklearn
import sklearn.metrics.pairwise
from sklearn import decomposition, kernel_approximation, manifold
from sklearn.datasets import load_digits, load_iris, make_circles

import gramian as gm
from gramian.errors import InputError, InputTypeError

IRIS = load_iris().data
DIGITS = load_digits().data[:120] / 16.0
CIRCLES = make_circles(n_samples=90, factor=0.3, noise=0.05, random_state=0)[0]
DISTANCES = np.sqrt(((IRIS[::5, None] - IRIS[::5]) ** 2).sum(axis=-1))

# One entry a call, as it stands in the guide, its gallery and the reference.
KERNEL_PCA = [
    (DIGITS, {"n_components": 7, "kernel": "linear"}),
    (CIRCLES, {"n_components": 2}),
    (CIRCLES, {"n_components": 5, "kernel": "rbf"}),
    (CIRCLES, {"n_components": 2, "kernel": "rbf", "gamma": 10, "fit_inverse_transform": True}
        | {"alpha": 0.1}),
    (DIGITS, {"n_components": 40, "kernel": "rbf", "gamma": 1e-3, "fit_inverse_transform": True}
        | {"alpha": 5e-3}),
    (CIRCLES, {"kernel": "rbf", "gamma": 0.04, "n_components": 2}),
    (CIRCLES, {"n_components": 2, "kernel": "poly", "degree": 3}),
    (CIRCLES, {"n_components": 2, "kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 2}),
    (CIRCLES, {"n_components": 2, "kernel": "sigmoid", "gamma": 1e-3, "coef0": 0}),
    (DIGITS, {"n_components": 3, "kernel": "cosine"}),
    (IRIS @ IRIS.T, {"n_components": 2, "kernel": "precomputed"}),
    (CIRCLES, {"n_components": 3, "eigen_solver": "dense", "kernel": "rbf"}),
    (CIRCLES, {"n_components": 3, "eigen_solver": "arpack", "kernel": "rbf"}),
    (CIRCLES, {"n_components": 3, "eigen_solver": "randomized", "kernel": "rbf", "n_jobs": 1}
        | {"random_state": 0, "remove_zero_eig": True, "iterated_power": 8}),
    (CIRCLES[:30], {"n_components": 2, "kernel": lambda x, y: float(np.exp(-abs(x - y).sum()))}),
]  # fmt: skip
PCA = [
    (IRIS, {"n_components": 2}),
    (IRIS, {"n_components": 2, "svd_solver": "full"}),
    (IRIS, {"n_components": 1, "svd_solver": "arpack"}),
    (IRIS, {"n_components": "mle"}),
    (IRIS, {"svd_solver": "full", "n_components": "mle"}),
    (IRIS, {"svd_solver": "full"}),
    (IRIS, {"n_components": 0.95}),
    (IRIS, {"n_components": 3, "svd_solver": "covariance_eigh"}),
    (DIGITS, {"n_components": 6, "svd_solver": "randomized", "whiten": True, "random_state": 0}
        | {"iterated_power": 30}),
    (IRIS, {"n_components": 3, "whiten": True}),
]  # fmt: skip
NYSTROEM = [
    (IRIS, {"gamma": 0.2, "random_state": 1, "n_components": 150}),
    (IRIS, {"gamma": 0.2, "random_state": 1}),
    (IRIS, {"kernel": "poly", "degree": 2, "n_components": 150, "random_state": 0}),
    (IRIS, {"kernel": "rbf", "n_components": 150, "n_jobs": None}),
    (IRIS, {"kernel": "laplacian", "gamma": 0.1, "n_components": 150}),
    (IRIS, {"kernel": "laplacian", "n_components": 150}),
    (IRIS, {"kernel": "chi2", "n_components": 150}),
    (IRIS, {"kernel": "cosine", "n_components": 150}),
]
MDS = [
    (IRIS[::5], {"n_components": 2, "n_init": 1, "init": "random", "random_state": 0}),
    (DISTANCES, {"n_components": 2, "max_iter": 3000, "eps": 1e-9, "n_init": 1, "random_state": 42}
        | {"metric": "precomputed", "n_jobs": 1, "init": "classical_mds"}),
    (DISTANCES, {"n_components": 2, "metric_mds": False, "max_iter": 3000, "eps": 1e-9}
        | {"metric": "precomputed", "random_state": 42, "n_jobs": 1, "n_init": 1}),
    (DISTANCES, {"n_components": 2, "dissimilarity": "precomputed", "random_state": 42}
        | {"normalized_stress": "auto", "verbose": 0}),
    (DISTANCES, {"n_components": 2, "metric": False, "dissimilarity": "precomputed"}
        | {"max_iter": 300, "n_init": 4}),
]  # fmt: skip
CALLS = [
    *((gm.KernelPCA, decomposition.KernelPCA, X, options) for X, options in KERNEL_PCA),
    *((gm.PCA, decomposition.PCA, X, options) for X, options in PCA),
    *((gm.Nystrom, kernel_approximation.Nystroem, X, options) for X, options in NYSTROEM),
    *((gm.MDS, manifold.MDS, X, options) for X, options in MDS),
]
NAMED = [pytest.param(*call, id=f"{call[0].__name__} {k}") for k, call in enumerate(CALLS)]


def spread(Z):
    """What a rotation and signs leave alone: the products of the rows."""
    return Z @ Z.T


@pytest.mark.slow
@pytest.mark.parametrize(("ours", "theirs", "X", "options"), NAMED)
def test_every_call_runs(ours, theirs, X, options):
    Z = ours.from_sklearn(**options).fit_transform(X)
    assert len(Z) == len(X)
    assert np.isfinite(Z).all()


@pytest.mark.parametrize(
    ("X", "options"), [pytest.param(*call, id=str(k)) for k, call in enumerate(KERNEL_PCA)]
)
def test_kernel_pca_is_theirs(X, options):
    fit = gm.KernelPCA.from_sklearn(options).fit(X)
    known = decomposition.KernelPCA(**options).fit(X.copy())
    q = len(fit.eigenvalues_)
    np.testing.assert_allclose(len(X) * fit.eigenvalues_, known.eigenvalues_[:q], rtol=1e-6)
    np.testing.assert_allclose(
        np.abs(fit.coordinates_), np.abs(known.transform(X))[:, :q], atol=1e-5
    )
    np.testing.assert_allclose(np.abs(fit.eigenvectors_), np.abs(known.eigenvectors_), atol=1e-5)
    if options.get("kernel") != "precomputed":  # which theirs centres in place
        np.testing.assert_array_equal(fit.X_fit_, known.X_fit_)
    if options.get("kernel") in ("rbf", "poly", "laplacian", "sigmoid"):
        assert fit.gamma_ == pytest.approx(known.gamma_)
    if options.get("fit_inverse_transform"):
        assert fit.inverse_transform(fit.coordinates_).shape == X.shape


@pytest.mark.parametrize(
    ("X", "options"), [pytest.param(*call, id=str(k)) for k, call in enumerate(PCA)]
)
def test_pca_is_theirs(X, options):
    fit = gm.PCA.from_sklearn(decomposition.PCA(**options)).fit(X)
    known = decomposition.PCA(**options).fit(X)
    assert fit.n_components_ == known.n_components_
    np.testing.assert_allclose(np.abs(fit.transform(X)), np.abs(known.transform(X)), atol=1e-6)
    np.testing.assert_allclose(np.abs(fit.fit_transform(X)), np.abs(known.transform(X)), atol=1e-6)
    np.testing.assert_allclose(fit.noise_variance_, known.noise_variance_, atol=1e-10)
    back = known.inverse_transform(known.transform(X))
    np.testing.assert_allclose(fit.inverse_transform(fit.transform(X)), back, atol=1e-6)
    # Whitening changes no law of the rows; theirs squares the whitened components.
    known = known.set_params(whiten=False)
    np.testing.assert_allclose(fit.get_covariance(), known.get_covariance(), atol=1e-7)
    if known.noise_variance_ > 0 or known.n_components_ == X.shape[1]:
        np.testing.assert_allclose(fit.get_precision(), known.get_precision(), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(fit.score_samples(X), known.score_samples(X), rtol=1e-6)
        assert fit.score(X) == pytest.approx(known.score(X))


@pytest.mark.parametrize(
    ("X", "options"), [pytest.param(*call, id=str(k)) for k, call in enumerate(NYSTROEM)]
)
def test_nystroem_approximates_the_same_kernel(X, options):
    options = options | {"n_components": len(X)}  # every row a landmark: the kernel itself
    F = gm.Nystrom.from_sklearn(**options).fit_transform(X)
    known = kernel_approximation.Nystroem(**options).fit_transform(X)
    np.testing.assert_allclose(spread(F), spread(known), atol=1e-6)


@pytest.mark.slow
def test_the_classical_start_ends_where_theirs_does():
    X, options = MDS[1]
    fit = gm.MDS.from_sklearn(**options).fit(X)
    known = manifold.MDS(**options).fit(X)
    assert fit.stress_ == pytest.approx(known.stress_, rel=0.05) or fit.raw_stress_ == (
        pytest.approx(known.stress_, rel=0.05)
    )


def line_in(message):
    return re.search(r"write (gm\..*)$", message)[1]


@pytest.mark.parametrize(("ours", "theirs", "X", "options"), NAMED)
def test_a_call_as_it_stands_works_or_says_the_line(ours, theirs, X, options):
    names = {"gm": gm, "sklearn": sklearn, "f": options.get("kernel")}
    meant = ours.from_sklearn(**options)
    try:
        ours(**options)
    except InputTypeError as error:
        written = eval(line_in(str(error)), names)
        mine, its = written.get_params(), meant.get_params()
        callables = [k for k, v in its.items() if callable(v) and not hasattr(v, "pairwise")]
        assert all(callable(mine.pop(k)) and its.pop(k) for k in callables)
        assert mine == its
    else:
        assert not set(options) - set(ours().get_params())


def test_what_is_not_theirs():
    with pytest.raises(InputTypeError, match="must be a KernelPCA"):
        gm.KernelPCA.from_sklearn(decomposition.PCA())
    with pytest.raises(InputTypeError, match="is not a parameter of scikit-learn's KernelPCA"):
        gm.KernelPCA.from_sklearn(gama=3)
    with pytest.raises(InputTypeError, match=r"use gm\.KernelPCA\.from_sklearn"):
        gm.MultiKernelPCA.from_sklearn(n_components=2)
    with pytest.raises(TypeError, match="KernelPCA has no parameter 'gama'"):
        gm.KernelPCA(gama=3)


UNHASHABLE = [np.zeros((3, 2)), [[0.0, 1.0]], {"a": 1}]


@pytest.mark.parametrize("value", [*UNHASHABLE, "pca", None])
def test_a_start_that_scikit_learn_has_not_points_to_ours(value):
    with pytest.raises(InputTypeError, match=r"init=.*start= of gm.MDS"):
        gm.MDS(2, init=value)
    with pytest.raises(InputError, match=r"'classical_mds' or 'random'.*start="):
        gm.MDS.from_sklearn(init=value)


@pytest.mark.parametrize("value", UNHASHABLE)
@pytest.mark.parametrize("ours", [gm.KernelPCA, gm.PCA, gm.Nystrom, gm.MDS])
def test_a_value_that_is_no_word_is_refused_or_has_its_line(ours, value):
    theirs = {gm.Nystrom: kernel_approximation.Nystroem}.get(ours)
    theirs = theirs or getattr(decomposition, ours.__name__, None) or manifold.MDS
    own = ours().get_params(deep=False)
    for name in theirs().get_params(deep=False):
        if name not in own:
            with pytest.raises(InputTypeError, match=f"^{name}=.*is scikit-learn's: "):
                ours(**{name: value})


def test_the_line_to_write_keeps_our_own_options():
    with pytest.raises(TypeError, match=r"write gm\.PCA\(n_components=2, scale=True\)"):
        gm.PCA(2, scale=True, svd_solver="full")
