"""What a fit on blocks cannot do is refused with what to do instead; what it can, agrees."""

import numpy as np
import pytest
from tests.chunks.cases import even, spread

import gramian as gm
from gramian.errors import InputError

X = spread(300, 6)
SPECTRAL = ["threshold", "kaiser", "elbow", "cattell", "broken_stick", "marchenko_pastur", "minka"]


def blocks(kind):
    return even(X) if kind == "dask" else gm.io.scan([X[:170], X[170:]], memory="10kB")


@pytest.fixture(params=["dask", "scan"])
def rows(request):
    return blocks(request.param)


@pytest.mark.parametrize("scale", [False, True])
def test_rules_of_the_spectrum_read_the_moments(rows, scale):
    fit = gm.PCA(2, scale=scale).fit(rows)
    whole = gm.dimension.choose(X, scale=scale, rules=SPECTRAL)
    np.testing.assert_allclose(gm.dimension.choose(fit, rules=SPECTRAL), whole, rtol=1e-9)


def test_the_weighted_moments_too():
    w = np.random.default_rng(0).integers(1, 4, 300)
    few = ["threshold", "elbow", "cattell", "broken_stick"]
    fit = gm.PCA(2).fit(even(X), sample_weight=w)
    whole = gm.dimension.choose(X, sample_weight=w, rules=few)
    np.testing.assert_allclose(gm.dimension.choose(fit, rules=few), whole, rtol=1e-9)


def test_columns_cannot_be_permuted_in_blocks(rows):
    """A permutation within blocks would leave what differs between them."""
    fit = gm.PCA(2).fit(rows)
    with pytest.raises(InputError, match=r"parallel.*use some of .*kaiser.*or give the rows"):
        gm.dimension.choose(fit, rules=["parallel"])
    with pytest.raises(InputError, match=r"needs the data.*give X as one table"):
        gm.dimension.parallel_analysis(fit)
    landmarks = gm.KernelPCA(2, approximation=gm.Nystrom(20, random_state=0)).fit(rows)
    with pytest.raises(InputError, match=r"did not keep them.*X.compute\(\)"):
        gm.dimension.choose(landmarks)


def test_a_table_in_place_of_them_is_a_way_out(rows):
    fit, table = gm.PCA(2).fit(rows), X
    q = gm.dimension.choose(fit, table, rules=["parallel"], random_state=0)["q"]
    assert q.equals(gm.dimension.choose(X, rules=["parallel"], random_state=0)["q"])


def test_maps_and_classes_of_rows_that_are_gone(rows):
    fit = gm.PCA(2).fit(rows)
    for ask in (fit.individuals, lambda: gm.plots.individuals(fit, backend="none")):
        with pytest.raises(InputError, match=r"fit\.individuals\(sample\)"):
            ask()
    assert len(fit.individuals(X[:20])) == 20
    with pytest.raises(InputError, match="a sample of the rows"):
        gm.clusters.find(fit)
    with pytest.raises(InputError, match=r"one table, X\.compute\(\)"):
        gm.stability.bootstrap(gm.PCA(2), rows, n_resamples=5)


@pytest.mark.parametrize("estimator", [gm.PCA, gm.KernelPCA])
def test_holes_are_not_filled_in_block_by_block(rows, estimator):
    with pytest.raises(InputError, match=r"missing='iterative' does not go with.*before"):
        estimator(2, missing="iterative").fit(rows)


def test_nor_as_they_arrive():
    nystrom = gm.Nystrom(10)
    for estimator in (
        gm.PCA(2, missing="iterative"),
        gm.KernelPCA(2, missing="iterative", approximation=nystrom),
    ):
        with pytest.raises(InputError, match="does not go with partial_fit"):
            estimator.partial_fit(X)
