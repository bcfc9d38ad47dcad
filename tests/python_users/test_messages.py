"""What a user reads after a slip: the name that was meant, and what to write."""

import functools

import numpy as np
import pytest
import scipy.spatial.distance
import sklearn.metrics

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
        assert _message(lambda call=call: call(X, **{name: 1})).endswith(f"use {ours}=")
    text = _message(lambda: gm.report.write(X, tmp_path / "a.html", langage="fr"))
    assert text.endswith("use language=")
    assert not list(tmp_path.iterdir())
