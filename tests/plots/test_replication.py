"""Figures of networks and of the study of replicates."""

import warnings

import numpy as np
import pytest
from matplotlib.figure import Figure as MplFigure

import gramian as gm
from gramian.errors import InputTypeError
from gramian.plots.record import Curve, Guide, Labels, Points

BACKENDS = ["matplotlib", "plotly"]


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((16, 4)), 3, axis=1) + 0.3 * rng.standard_normal((16, 12))
    groups = np.repeat(["control", "stress"], 8)
    options = {"n_resamples": 4, "n_permutations": 0, "infer": {"density": 12 / 66}}
    return gm.networks.replicate_study(X, groups, **options)


PLOTS = {
    "replicates": lambda study, b: gm.plots.replicates(study, title="curves", backend=b),
    "networks": lambda study, b: gm.plots.networks(study, backend=b),
    "network": lambda study, b: gm.plots.network(study.consensus(), backend=b),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
def test_the_record_fits_on_its_page(study, name):
    figure = PLOTS[name](study, "none")
    for panel in figure.panels:
        assert panel.left >= 0 and panel.left + panel.width <= figure.width
        assert panel.bottom >= 0 and panel.bottom + panel.height <= figure.height


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", PLOTS)
def test_both_backends_draw_it(study, name, backend, tmp_path):
    drawn = PLOTS[name](study, backend)
    if backend == "matplotlib":
        assert isinstance(drawn, MplFigure)
        drawn.savefig(tmp_path / "figure.png")
        assert (tmp_path / "figure.png").stat().st_size > 5_000
    else:
        assert len(drawn.data) >= 2 and drawn.to_json()


@pytest.mark.slow
def test_curves_show_the_numbers_of_the_study(study):
    figure = gm.plots.replicates(study, backend="none")
    seen = study.curve[study.curve["seen"]]
    curves = {c.name: c for c in figure.layers(Curve) if c.name}
    np.testing.assert_array_equal(curves["seen"].y, seen["observed"])
    np.testing.assert_array_equal(curves["learning curve"].y, study.curve["agreement"])
    for key in ("edges", "degrees", "hubs", "modules"):
        np.testing.assert_array_equal(curves[key].y, seen[key])
    guides = [g.at for g in figure.layers(Guide) if g.axis == "x"]
    assert study.recommended in guides and study.interval[0] in guides
    band = next(c for c in figure.layers(Curve) if c.fill)
    assert band.y.max() == study.curve["agreement_high"].max()
    assert str(study.recommended) in figure.notes[0]
    for what in ("agreement", "shared"):
        assert len(gm.plots.replicates(study, what=what, backend="none").panels) == 1


def test_the_map_shows_every_network(study):
    figure = gm.plots.networks(study, backend="none")
    assert sum(len(layer.at) for layer in figure.layers(Points)) == len(study.networks)
    (labels,) = figure.layers(Labels)
    assert set(labels.texts) == {"all", "control: all", "stress: all"}
    large = [layer for layer in figure.layers(Points) if np.isscalar(layer.size) and layer.size > 8]
    np.testing.assert_array_equal(
        np.vstack([layer.at for layer in large]),
        figure.numbers["coordinates"][study.networks["all"].to_numpy()],
    )
    by_condition = gm.plots.networks(study, color="condition", backend="none")
    assert {layer.name for layer in by_condition.layers(Points)} == {"all", ""}


def test_a_network_is_drawn_edge_by_edge():
    A = np.zeros((6, 6))
    for i, j, w in [(0, 1, 1.0), (1, 2, -1.0), (3, 4, 2.0)]:
        A[i, j] = A[j, i] = w
    network = gm.networks.Network(A, names=["a<b>", "b", "c", "d", "e", "alone"])
    figure = gm.plots.network(network, backend="none")
    Z = figure.numbers["positions"]
    assert figure.numbers["nodes"].tolist() == [0, 1, 2, 3, 4]
    lines = {c.name: np.column_stack([c.x, c.y]) for c in figure.layers(Curve)}
    np.testing.assert_array_equal(lines["negative"][:2], Z[[1, 2]])
    assert len(lines["positive"]) == 6 and np.isnan(lines["positive"][2]).all()
    apart = np.linalg.norm(Z[[0, 0, 0]] - Z[[1, 3, 4]], axis=1)
    assert apart[0] < apart[1:].min()
    assert figure.notes[0] == "edges: 3, nodes without any left out: 1"
    empty = gm.plots.network(gm.networks.Network(np.zeros((3, 3))), backend="none")
    assert empty.numbers["positions"].shape == (0, 2)


def test_other_things_are_refused():
    with pytest.raises(InputTypeError, match="replicate_study"):
        gm.plots.replicates(3)
    with pytest.raises(InputTypeError, match="replicate_study"):
        gm.plots.networks("study")
    with pytest.raises(InputTypeError, match="Network"):
        gm.plots.network([[0, 1], [1, 0]])


@pytest.mark.parametrize("n", [4, 5, 8])
def test_a_ring_is_drawn_without_a_word_about_its_axes(n):
    ring = np.roll(np.eye(n), 1, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gm.plots.network(gm.networks.Network(ring + ring.T), backend="none")


@pytest.mark.slow
def test_no_two_nodes_stand_on_one_another():
    """Parts that are alike have no plane of their own: nodes find places all the same."""
    parts = [np.kron(np.eye(k, dtype=int), np.ones((3, 3), dtype=int)) for k in (2, 4, 6)]
    star = np.zeros((8, 8), dtype=int)
    star[0, 1:] = star[1:, 0] = 1
    for A in [*(part - np.eye(len(part), dtype=int) for part in parts), star]:
        Z = gm.plots.network(gm.networks.Network(A), backend="none").numbers["positions"]
        gaps = np.linalg.norm(Z[:, None] - Z, axis=2)
        np.fill_diagonal(gaps, np.inf)
        assert gaps.min() > 0.1 * np.ptp(Z, axis=0).max() / len(A) ** 0.5
