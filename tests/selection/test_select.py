"""The choice between kernels where the answer is known."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm

pytestmark = pytest.mark.slow


RINGS = gm.datasets.rings(200, random_state=4)
CLASSES = RINGS.groups["ring"]
FEW = {"small": gm.kernels.Gaussian(0.001), "good": gm.kernels.Gaussian(1.5), "line": "linear"}


def test_an_optimum_on_the_edge_of_the_grid_is_told():
    rings = gm.datasets.rings()
    y = rings.groups["ring"]
    whole = gm.kernels.select(rings.data, y=y)
    assert whole.edge == "" and "of those compared" not in repr(whole)
    scales = sorted(whole.table["scale"])
    at = scales.index(whole.best.scale)
    for part, edge in ((scales[at:], "smallest"), (scales[: at + 1], "largest")):
        found = gm.kernels.select(rings.data, [gm.kernels.Gaussian(s) for s in part], y)
        assert found.best == whole.best and found.edge == edge
        assert f"the {edge} of those compared" in repr(found) and found.notes[0] in found.summary()
    other = gm.kernels.select(rings.data, ["linear", "gaussian", gm.kernels.Gaussian(9.0)], y)
    assert other.edge == ""


def test_a_target_of_rings_needs_a_bell():
    found = gm.kernels.select(RINGS.data, FEW, CLASSES)
    assert found.label == "good" and found.best == gm.kernels.Gaussian(1.5)
    assert found.criterion == "score"
    assert found.table.loc["line", "score"] < 0.05 < 0.2 < found.table.loc["good", "score"]
    assert "scale too small" in found.table.loc["small", "verdict"]
    assert "small: flat spectrum" in found.summary()


def test_alignment_decides_if_asked():
    found = gm.kernels.select(RINGS.data, FEW, CLASSES, criterion="alignment")
    assert found.label == "good" and "score" not in found.table


def test_numbers_as_a_target():
    X = np.random.default_rng(0).uniform(-3, 3, (150, 2))
    found = gm.kernels.select(X, ["linear", gm.kernels.Gaussian(1.0)], np.sin(2 * X[:, 0]))
    assert found.best == gm.kernels.Gaussian(1.0)
    assert found.table["score"].iloc[1] > 0.8 > 0.3 > found.table["score"].iloc[0]


@pytest.mark.parametrize("criterion", ["reconstruction", "entropy", "parallel"])
def test_groups_of_a_known_size_set_the_scale(criterion):
    """Six tight groups far apart: the scale must lie between their width and their distances."""
    rng = np.random.default_rng(1)
    centres = rng.uniform(-10, 10, (6, 4))
    X = centres[np.arange(120) % 6] + 0.3 * rng.standard_normal((120, 4))
    found = gm.kernels.select(X, criterion=criterion)
    assert 0.3 < found.best.scale < 10.0
    assert not found.notes


@pytest.mark.parametrize("criterion", ["reconstruction", "entropy", "parallel"])
def test_independent_columns_speak_for_no_kernel(criterion):
    """One table in twenty may seem to, whatever the number of kernels that are tried."""
    alarms = 0
    for seed in range(12):
        X = np.random.default_rng(seed).standard_normal((40, 3))
        found = gm.kernels.select(X, criterion=criterion)
        told = any("stands out" in note for note in found.notes)
        alarms += not told
        if told:
            middle = gm.kernels.median_scale(X)
            assert middle / 3 < found.best.scale < 3 * middle
    assert alarms <= 2


def test_the_grid_of_scales():
    found = gm.kernels.select(RINGS.data, "matern", criterion="contrast")
    assert len(found.table) == 15
    assert all(isinstance(kernel, gm.kernels.Matern) for kernel in found.kernels.values())
    ratio = found.table["scale"].to_numpy() / gm.kernels.median_scale(RINGS.data)
    np.testing.assert_allclose(ratio, 2.0 ** np.arange(-4.0, 3.5, 0.5))
    assert found.table["contrast"].idxmax() == found.label


def test_large_tables_are_sampled_and_it_is_said():
    X = np.random.default_rng(3).standard_normal((400, 2))
    found = gm.kernels.select(X, ["linear", "gaussian"], X[:, 0] > 0, max_rows=100)
    assert (found.n_rows, found.n) == (100, 400)
    assert any("100 of 400 rows" in note for note in found.notes)


def test_the_same_seed_gives_the_same_table():
    tables = [gm.kernels.select(RINGS.data, FEW, random_state=5).table for _ in range(2)]
    pd.testing.assert_frame_equal(*tables)
    other = gm.kernels.select(RINGS.data, FEW, random_state=6).table
    assert not tables[0]["reconstruction"].equals(other["reconstruction"])


def test_strings_have_no_columns_to_shuffle():
    words = ["abab", "baba", "abba", "ccdd", "ddcc", "cdcd", "abcd", "dcba"]
    kernels = {f"k={k}": gm.kernels.sequence.Spectrum(k=k) for k in (1, 2, 3)}
    assert gm.kernels.select(words, kernels).criterion == "contrast"
    with pytest.raises(ValueError, match="shuffles"):
        gm.kernels.select(words, kernels, criterion="parallel")


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"candidates": []}, "empty"),
        ({"candidates": ["linear", "linear"]}, "twice"),
        ({"candidates": "linear"}, "no scale"),
        ({"criterion": "best"}, "must be one of parallel"),
        ({"criterion": []}, "criterion"),
        ({"criterion": "score"}, "y="),
        ({"n_permutations": 0}, "n_permutations"),
        ({"max_rows": 2.5}, "max_rows"),
        ({"y": np.zeros(200)}, "constant"),
        ({"y": np.zeros(3)}, "shape"),
        ({"y": np.full(200, np.nan)}, "missing"),
    ],
)
def test_refusals(arguments, match):
    with pytest.raises(ValueError, match=match) as caught:
        gm.kernels.select(RINGS.data, **arguments)
    assert len(str(caught.value)) <= 400


def test_kernels_that_are_all_of_no_use():
    bad = {"a": gm.kernels.Gaussian(1e-4), "b": gm.kernels.Gaussian(2e-4)}
    found = gm.kernels.select(RINGS.data, bad, criterion="contrast")
    assert any("no candidate is of use" in note for note in found.notes)


def test_a_class_of_one_row_is_not_held_against_a_kernel():
    y = np.r_[np.arange(199) % 2, 2]
    a = gm.kernels.select(RINGS.data, FEW, y).table["score"]
    b = gm.kernels.select(RINGS.data[:199], FEW, y[:199]).table["score"]
    np.testing.assert_allclose(a, b, atol=0.1)
