"""Pipelines and estimators of other libraries in the studies: the last step is read."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.decomposition import PCA, KernelPCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian as gm
from gramian.errors import InputError, InputTypeError

pytestmark = pytest.mark.slow


RNG = np.random.default_rng(7)
X = pd.DataFrame(
    RNG.standard_normal((60, 4)) * [1.0, 0.6, 0.4, 0.5]
    + np.outer(RNG.standard_normal(60), [9.0, 3.0, 1.5, 0.2])
    + np.outer(RNG.standard_normal(60), [0.1, 2.0, -1.0, 0.9]),
    index=[f"r{i}" for i in range(60)],
    columns=list("abcd"),
)
SCALED = make_pipeline(StandardScaler(), gm.PCA(2))


def test_bootstrap_of_a_pipeline_is_that_of_scaled_pca():
    """Standardising inside each resample, as PCA(scale=True) does."""
    one = gm.stability.bootstrap(SCALED, X, n_resamples=20, random_state=1)
    two = gm.stability.bootstrap(gm.PCA(2, scale=True), X, n_resamples=20, random_state=1)
    pd.testing.assert_frame_equal(
        one.eigenvalues[["estimate", "mean", "sd"]], two.eigenvalues[["estimate", "mean", "sd"]]
    )
    assert list(one.points.index) == list(X.index)
    three = gm.stability.jackknife(SCALED, X, n_groups=6)
    four = gm.stability.jackknife(gm.PCA(2, scale=True), X, n_groups=6)
    np.testing.assert_allclose(three.eigenvalues["sd"], four.eigenvalues["sd"])


def test_bootstrap_of_another_library():
    one = gm.stability.bootstrap(PCA(2), X, n_resamples=10, random_state=1)
    two = gm.stability.bootstrap(gm.PCA(2), X, n_resamples=10, random_state=1)
    np.testing.assert_allclose(one.eigenvalues["mean"], two.eigenvalues["mean"])


def test_gradient_of_a_pipeline():
    one = gm.importance.gradient(SCALED.fit(X), X)
    two = gm.importance.gradient(gm.PCA(2, scale=True).fit(X))
    np.testing.assert_allclose(one["gradient"].to_numpy(), two["gradient"].to_numpy(), rtol=1e-6)
    assert list(one.index) == list("abcd")
    theirs = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
    mine = gm.KernelPCA.from_sklearn(clone(theirs)).fit(X)
    np.testing.assert_allclose(
        gm.importance.gradient(theirs, X)["gradient"].to_numpy(),
        gm.importance.gradient(mine)["gradient"].to_numpy(),
        rtol=1e-5,
    )
    with pytest.raises(InputError, match="keeps no rows"):
        gm.importance.gradient(SCALED)


@pytest.mark.parametrize("refit", [True, False])
def test_permutation_of_a_pipeline(refit):
    one = gm.importance.permutation(SCALED.fit(X), X, n_permutations=3, refit=refit)
    two = gm.importance.permutation(gm.PCA(2, scale=True).fit(X), n_permutations=3, refit=refit)
    np.testing.assert_allclose(one["share"].to_numpy(), two["share"].to_numpy(), rtol=1e-6)


def test_choose_of_a_pipeline():
    known = gm.dimension.choose(gm.PCA(scale=True), X, rules=["kaiser", "elbow", "broken_stick"])
    rules = {"rules": ["kaiser", "elbow", "broken_stick"]}
    for choice in (
        gm.dimension.choose(SCALED, X, **rules),
        gm.dimension.choose(SCALED.fit(X), **rules),
        gm.dimension.choose(make_pipeline(StandardScaler(), PCA()), X, **rules),
        gm.dimension.choose(PCA().fit(StandardScaler().fit_transform(X)), **rules),
    ):
        assert choice["q"].tolist() == known["q"].tolist()
    with pytest.raises(InputError, match=r"2 of 4 eigenvalues and no rows: .*choose\(fitted, X\)"):
        gm.dimension.choose(PCA(2).fit(X), **rules)
    theirs = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
    mine = gm.KernelPCA.from_sklearn(clone(theirs)).fit(X)
    pd.testing.assert_frame_equal(
        pd.DataFrame(gm.dimension.choose(theirs, **rules)),
        pd.DataFrame(gm.dimension.choose(mine, **rules)),
    )


def test_figures_of_a_pipeline():
    fit = SCALED.fit(X)
    known = gm.PCA(2, scale=True).fit(X)
    layers = gm.plots.variables(fit, backend="none").panels[0].layers
    texts = [layer.texts for layer in layers if hasattr(layer, "texts")]
    assert {str(text) for each in texts for text in each} == {"a", "b", "c", "d"}
    mine = gm.plots.scree(fit, backend="none").numbers["inertia"]
    np.testing.assert_allclose(mine, gm.plots.scree(known, backend="none").numbers["inertia"])
    theirs = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
    assert gm.plots.individuals(theirs, backend="none") is not None
    with pytest.raises(InputTypeError, match=r"give gm\.read_map\(fitted, X\)"):
        gm.plots.individuals(PCA(2).fit(X))
    with pytest.raises(InputTypeError, match="call fit first"):
        gm.plots.individuals(PCA(2))
