"""The figure of all rules, and ellipses of resampled points on the map."""

import numpy as np
import pytest

import gramian as gm
from gramian.plots.record import Curve, Guide, Points


@pytest.fixture(scope="module")
def choices(iris):
    return gm.dimension.choose(iris.data, n_permutations=39)


@pytest.fixture(scope="module")
def study(iris):
    return gm.stability.bootstrap(gm.PCA(3, scale=True), iris.data, n_resamples=20)


@pytest.mark.slow
def test_every_rule_is_a_point_and_the_consensus_a_line(choices):
    record = gm.plots.dimension(choices, backend="none")
    at = np.vstack([layer.at for layer in record.layers(Points)])
    shown = {int(y): int(x) for x, y in at}
    assert [shown[k + 1] for k in range(len(choices))] == choices["q"].tolist()
    (guide,) = record.layers(Guide)
    assert guide.at == choices.consensus and str(choices.consensus) in guide.name
    texts = [text for _, text in record.panels[0].y.ticks]
    assert texts[0] == "threshold" and any(text.startswith("parallel (p = ") for text in texts)


@pytest.mark.parametrize("backend", ["matplotlib", "plotly"])
def test_both_backends_draw_it(choices, backend):
    assert gm.plots.dimension(choices, backend=backend) is not None


def test_no_axis_can_be_drawn():
    noise = np.random.default_rng(0).standard_normal((40, 5))
    found = gm.dimension.choose(noise, rules=["parallel"])
    assert gm.plots.dimension(found, backend="none").numbers["consensus"] == 0


def test_something_else_is_refused(pca):
    with pytest.raises(TypeError, match=r"dimension\.choose"):
        gm.plots.dimension(pca)


@pytest.mark.slow
def test_ellipses_of_a_study_stand_around_the_points(pca, study, species):
    record = gm.plots.individuals(pca, (1, 3), color=species, ellipses=study, backend="none")
    outlines = list(record.layers(Curve))
    assert len(outlines) == 150
    table = study.ellipses(axes=(1, 3))
    near = outlines[7]
    np.testing.assert_allclose([near.x[:-1].mean(), near.y[:-1].mean()], table.iloc[7, :2])
    far = np.hypot(near.x - table.iloc[7, 0], near.y - table.iloc[7, 1])
    assert far.max() == pytest.approx(table["major"].iloc[7], rel=1e-2)
    assert far.min() == pytest.approx(table["minor"].iloc[7], rel=1e-2)
    few = gm.plots.individuals(pca, ellipses=study, select=10, backend="none")
    assert len(list(few.layers(Curve))) == 10


def test_a_study_of_other_rows_is_refused(iris, pca):
    other = gm.stability.bootstrap(gm.PCA(2), iris.data[::3], n_resamples=5)
    with pytest.raises(ValueError, match="50 points but the map has 150"):
        gm.plots.individuals(pca, ellipses=other)
