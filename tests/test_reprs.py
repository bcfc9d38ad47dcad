"""What results say of themselves: the answer in a few lines, and no arrays."""

import re

import numpy as np
import pytest

import gramian as gm

X = gm.datasets.wine().data
A = X.to_numpy()
D = np.sqrt(gm.distances.squared_euclidean(A[:60]))
K = gm.kernels.Gaussian(1.0)
PCA = gm.PCA(10, scale=True).fit(X)

RESULTS = {
    "mmd": (lambda: gm.rkhs.mmd(K, A[:60], A[60:], n_permutations=49), "p_value="),
    "mantel": (lambda: gm.stability.mantel(D, D**2, n_permutations=49), "p_value="),
    "mercer": (lambda: gm.rkhs.mercer(gm.kernels.Gaussian(), A[:50, :2]), "50 points"),
    "select": (lambda: gm.kernels.select(X), "the choice among 15"),
    "bootstrap": (lambda: gm.stability.bootstrap(gm.PCA(2), X, n_resamples=10), "identified"),
    "procrustes": (lambda: gm.stability.procrustes(A, A[:, ::-1]), "statistic="),
    "protest": (lambda: gm.stability.protest(A, A**2, n_permutations=19), "p_value="),
    "parallel": (lambda: gm.dimension.parallel_analysis(X, n_permutations=19), "n_components="),
    "kernel parallel": (
        lambda: gm.dimension.kernel_parallel_analysis(X.iloc[:40] / X.std(), n_permutations=19),
        "scale=",
    ),
    "cross-validation": (lambda: gm.dimension.cross_validation(X), "n_components="),
    "reconstruction": (PCA.reconstruction_error, "178 points"),
    "verdict": (lambda: gm.validity.is_cnd(D**3), "valid=False"),
    "repair": (lambda: gm.validity.nearest_psd(-D), "relative_loss="),
    "study": (lambda: gm.report.study(gm.datasets.iris()), "2 axes above noise"),
    "figure": (lambda: gm.plots.individuals(PCA, backend="none"), "Points"),
    "network": (lambda: gm.networks.infer(A), "13 nodes"),
    "replicates": (lambda: gm.networks.replicate_study(A[:16, :6], n_resamples=2), "interval"),
    "source": (lambda: gm.io.as_source(X), "178 rows"),
}


SLOW = ("select", "study")
CASES = [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in RESULTS]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_results_say_the_answer_and_show_no_arrays(name):
    make, words = RESULTS[name]
    text = repr(make())
    assert words in text and len(text) < 1_500
    assert "array(" not in text and "object at" not in text
    # Tables of a line each are fine, runs of numbers are not.
    numbers = r"-?\d+(\.\d*)?(e[+-]?\d+)?"
    assert not re.search(rf"({numbers},? +){{10}}", text)
