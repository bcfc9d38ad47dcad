"""What a user reads after a slip: the name that was meant, and what to write."""

import functools
import inspect
import re

import numpy as np
import pandas as pd
import pytest
import scipy.spatial.distance
import sklearn.decomposition
import sklearn.metrics
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian as gm
from gramian.errors import InputTypeError
from gramian.kernels import Gaussian, Matern, Polynomial, Sigmoid

X = np.random.default_rng(0).standard_normal((12, 3))


def _message(call):
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    text = str(caught.value)
    assert type(caught.value).__module__ == "gramian.errors" and len(text) <= 400
    return text


@pytest.mark.parametrize(
    ("kernel", "name", "ours"),
    [
        (Gaussian, "sigma", "scale"),
        (Gaussian, "length_scale", "scale"),
        (Gaussian, "gama", "gamma"),
        (Matern, "length_scale", "scale"),
        (Polynomial, "coef0", "offset"),
        (Polynomial, "degre", "degree"),
        (Sigmoid, "coef0", "offset"),
    ],
)
def test_a_kernel_names_the_parameter_that_was_meant(kernel, name, ours):
    with pytest.raises(InputTypeError) as caught:
        kernel(**{name: 1})
    assert str(caught.value) == f"{kernel.__name__} has no parameter {name!r}: use {ours}="


def test_a_custom_kernel_explains_its_names_and_keeps_its_signature():
    class Cauchy(gm.kernels.Radial):
        def __init__(self, scale="median"):
            self.scale = scale

        def profile(self, t):
            return 1.0 / (1.0 + t)

    assert Cauchy(scale=2.0).get_params() == {"scale": 2.0}
    assert "use scale=" in _message(lambda: Cauchy(sigma=1.0))


@pytest.mark.parametrize("method", [gm.STATIS, gm.DISTATIS, gm.MultiKernelPCA])
def test_methods_without_a_counterpart_name_the_nearest_parameter(method):
    expected = f"{method.__name__} has no parameter 'n_component': use n_components="
    assert _message(lambda: method(n_component=2)) == expected


def test_parameters_of_a_kernel_are_not_dropped():
    text = _message(lambda: gm.KernelPCA(3, gamma=0.2))
    assert "ignores gamma" in text
    made = eval(text[text.index("gm.KernelPCA") :], {"gm": gm})
    assert made.n_components == 3 and made.kernel == Gaussian(gamma=0.2)
    made = _message(lambda: gm.KernelPCA(3, n_jobs=2))
    assert "linear by default" in made


@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_the_parameters_of_a_metric_are_in_a_line_that_can_be_run():
    text = _message(lambda: gm.ClassicalMDS(metric="minkowski", metric_params={"p": 3}))
    names = {"gm": gm, "functools": functools, "sklearn": sklearn}
    fit = eval(text[text.index("gm.ClassicalMDS") :], names).fit(X)
    D = scipy.spatial.distance.cdist(X, X, "minkowski", p=3)
    expected = gm.ClassicalMDS(metric="precomputed").fit(D)
    np.testing.assert_allclose(fit.eigenvalues_, expected.eigenvalues_)


@pytest.mark.parametrize(
    ("name", "ours"),
    [("desgin", "design"), ("withn", "within"), ("sed", "seed"), ("activ", "active")],
)
def test_a_study_and_a_report_name_the_nearest_option(tmp_path, name, ours):
    for call in (gm.study, lambda X, **o: gm.report.write(X, tmp_path / "a.html", **o)):
        assert f": use {ours}=, or one of" in _message(lambda call=call: call(X, **{name: 1}))
    text = _message(lambda: gm.report.write(X, tmp_path / "a.html", langage="fr"))
    assert ": use language=, or one of" in text
    assert not list(tmp_path.iterdir())


FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
FIT = gm.PCA(2).fit(FRAME)
THEIRS = sklearn.decomposition.PCA(2).fit(X)
GROUPS = pd.DataFrame({"t": list("uvw") * 4, "time": list("xy") * 6})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gm.kernels.Linear() + "rbf", "'rbf' is not a kernel: write gm.kernels.as_kernel"),
        (lambda: gm.kernels.Linear() / 2, "multiply it by 1 / 2"),
        (
            lambda: gm.kernels.Cosine().set_params(a=1),
            "Cosine has no parameter 'a': there are none",
        ),
        (lambda: gm.KernelPCA(kernel=Gaussian("medain")).fit(X), '"learn" or a list of numbers'),
        (lambda: FIT.transform(FRAME[["c", "b", "a"]]), "as they were in fit: give the columns"),
        (lambda: FIT.transform(FRAME[["a"]]), "now missing: b, c: give the columns of the fit"),
        (lambda: FIT.inverse_transform([1, 2]), "2D array for Z, got 1D array"),
        (lambda: FIT.inverse_transform([[1, 2, 3]]), "Z has 3 columns but there are 2 axes"),
        (lambda: gm.CA(2).fit(abs(FRAME)).why(axis=1), "variables() has the contributions"),
        (lambda: gm.maps.compare(FIT, THEIRS), "give gm.read_map(fitted, X)"),
        (lambda: gm.clusters.find(THEIRS), "give gm.read_map(fitted, X)"),
    ],
)
def test_what_to_write(call, words):
    assert words in _message(call)


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_distances_given_as_a_kernel_are_recognised(solver):
    D = scipy.spatial.distance.cdist(X, X)
    kernel = gm.KernelPCA(2, kernel="precomputed", solver=solver)
    assert "gm.ClassicalMDS(metric='precomputed')" in _message(lambda: kernel.fit(D))
    K = X @ X.T
    K[0, 1] = K[1, 0] = 2.0 * K[0, 0] + 2.0 * K[1, 1]  # indefinite, and no distances
    assert "indefinite='clip'" in _message(lambda: kernel.fit(K))


def test_partial_fit_is_absent_in_a_plain_sentence():
    with pytest.raises(
        AttributeError, match="this KernelPCA keeps its rows and has no partial_fit"
    ):
        gm.KernelPCA(2).partial_fit(X)
    assert not hasattr(gm.KernelPCA(2), "partial_fit")


@pytest.mark.parametrize(
    "formula", ["~ t + time", "Y ~ t", "1 + t", "(t + time) * b", "", "t|time"]
)
def test_a_formula_in_the_style_of_r_says_what_a_formula_is(formula):
    text = _message(lambda: gm.Design(formula).fit(FRAME, GROUPS))
    assert "names joined by + * or :" in text
    text = _message(lambda: gm.study(FRAME.join(GROUPS), design=formula))
    assert "names joined by + * or :" in text
    assert "joined" not in _message(lambda: gm.Design("dose").fit(FRAME, GROUPS))


def test_a_pipeline_is_its_last_step_where_maps_are_compared_and_clustered():
    pipeline = make_pipeline(StandardScaler(), gm.PCA(2)).fit(X)
    own = gm.PCA(2).fit(StandardScaler().fit_transform(X))
    assert gm.maps.compare(own, pipeline).correlation == pytest.approx(1.0)
    labels = gm.clusters.find(pipeline, 2).labels
    np.testing.assert_array_equal(labels, gm.clusters.find(own, 2).labels)


@pytest.mark.parametrize(
    "function",
    [
        gm.PCA.fit,
        gm.PCA.score,
        gm.CA.ellipses,
        gm.MDS.stress_test,
        gm.KernelLogisticRegression.fit,
        gm.Nystrom.transform,
        gm.kernels.Chi2,
    ],
    ids=lambda function: function.__qualname__,
)
def test_every_parameter_is_described(function):
    section = inspect.getdoc(function).split("Parameters\n----------\n")[1].split("\n\n")[0]
    described = {
        name for names in re.findall(r"^(\w.*?) :", section, re.M) for name in names.split(", ")
    }
    assert set(inspect.signature(function).parameters) - {"self", "y"} == described - {"y"}
