"""What every fit answers, whichever estimator made it."""

from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
import sklearn.decomposition
from sklearn.base import clone

import gramian as gm
from gramian._study import stability, study
from gramian._study.methods import Settings
from gramian._study.subject import subject_of

WINE = gm.datasets.wine().data.iloc[::3]
Z = (WINE - WINE.mean()) / WINE.std(ddof=0)
LEVELS = pd.DataFrame(
    {c: pd.qcut(WINE[c], 3, labels=["low", "middle", "high"]).astype(str) for c in WINE.iloc[:, :3]}
)
BLOCKS = {"a": Z.iloc[:, :4], "b": Z.iloc[:, 4:8]}
MIXED = pd.concat([Z.iloc[:, 3:7], LEVELS], axis=1)
GROUPS = {name: list(block) for name, block in BLOCKS.items()}
D = {name: gm.distances.pairwise(block) for name, block in BLOCKS.items()}
FITS = {
    "PCA": lambda: gm.PCA(2).fit(Z),
    "RobustPCA": lambda: gm.RobustPCA(2).fit(Z),
    "SparsePCA": lambda: gm.SparsePCA(2).fit(Z),
    "Rotated": lambda: gm.PCA(2).fit(Z).rotate("varimax"),
    "KernelPCA": lambda: gm.KernelPCA(2, kernel="gaussian").fit(Z),
    "linear KernelPCA": lambda: gm.KernelPCA(2, kernel="linear").fit(Z),
    "Nystrom": lambda: gm.KernelPCA(2, approximation=gm.Nystrom(rank=20)).fit(Z),
    "precomputed KernelPCA": lambda: gm.KernelPCA(2, kernel="precomputed").fit(Z @ Z.T),
    "MultiKernelPCA": lambda: gm.MultiKernelPCA(2).fit(BLOCKS),
    "ClassicalMDS": lambda: gm.ClassicalMDS(2).fit(Z),
    "precomputed ClassicalMDS": lambda: gm.ClassicalMDS(2, metric="precomputed").fit(D["a"]),
    "MDS": lambda: gm.MDS(2, random_state=0).fit(Z),
    "STATIS": lambda: gm.STATIS(2).fit(BLOCKS),
    "DISTATIS": lambda: gm.DISTATIS(2).fit(D),
    "CA": lambda: gm.CA(2).fit(WINE.abs().round() + 1),
    "MCA": lambda: gm.MCA(2).fit(LEVELS),
    "rotated MCA": lambda: gm.MCA(2).fit(LEVELS).rotate("varimax"),
    "FAMD": lambda: gm.FAMD(2).fit(MIXED),
    "MFA": lambda: gm.MFA(2, groups=GROUPS).fit(Z.iloc[:, :8]),
    "imported PCA": lambda: gm.read_map(sklearn.decomposition.PCA(2).fit(Z), Z),
    "imported KernelPCA": lambda: gm.read_map(
        sklearn.decomposition.KernelPCA(2, kernel="rbf").fit(Z), Z
    ),
    "imported map": lambda: gm.read_map(np.asarray(Z.iloc[:, :2]), Z),
    "imported points": lambda: gm.read_map(np.asarray(Z.iloc[:, :2])),
}


@cache
def fitted(name):
    return FITS[name]()


@pytest.fixture(params=FITS)
def fit(request):
    return fitted(request.param)


def test_dir_lists_the_readings_of_every_fit(fit):
    assert {"individuals", "variables", "why", "places", "rotate", "summary"} <= set(dir(fit))
    assert "coordinates_" in dir(fit)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_dir_lists_numbers_that_are_out_of_range(unit):
    fit = gm.PCA(2).fit(Z.to_numpy() * unit)
    with pytest.raises(gm.errors.InputError, match="out of range"):
        _ = fit.eigenvalues_
    assert {"eigenvalues_", "coordinates_", "why"} <= set(dir(fit))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_study_takes_every_fit(fit, monkeypatch):
    monkeypatch.setattr(study, "count_resamples", lambda *_: 4)
    monkeypatch.setattr(study, "choose", partial(gm.dimension.choose, rules=["elbow"]))
    made = gm.study(fit)
    assert made.claims and made.fit.n_components_ == 2
    np.testing.assert_allclose(made.fit.coordinates_, fit.coordinates_, atol=1e-6)


@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
@pytest.mark.parametrize("name", ["MCA", "FAMD", "MFA", "rotated MCA"])
def test_a_study_resamples_the_table_that_a_fit_has_coded(name):
    fit = fitted(name)
    resampled = stability.map_stability(subject_of(fit, Settings()), 2, 4, seed=0)
    table = {"MCA": LEVELS, "rotated MCA": LEVELS, "FAMD": MIXED, "MFA": Z.iloc[:, :8]}[name]
    expected = gm.stability.bootstrap(fit, table, n_resamples=4, random_state=0)
    np.testing.assert_allclose(resampled.axes["angle"], expected.axes["angle"], atol=1e-6)
    assert (expected.axes["angle"] > 1).all()


def test_rules_read_the_spectrum_before_a_rotation():
    rules = {"rules": ["kaiser", "parallel"], "random_state": 0}
    turned, plain = (gm.dimension.choose(fitted(name), **rules) for name in ("Rotated", "PCA"))
    pd.testing.assert_frame_equal(turned, plain)


@pytest.mark.parametrize("name", ["SparsePCA", "imported PCA", "imported map"])
def test_rules_say_where_there_is_no_spectrum_of_all_axes(name):
    with pytest.raises(gm.errors.InputError, match="no spectrum of all axes"):
        gm.dimension.choose(fitted(name))


def test_columns_and_rows_with_labels_of_several_levels_are_named_in_why():
    of_two = pd.concat(BLOCKS, axis=1)
    plain = of_two.droplevel(0, axis=1)
    for method in (gm.PCA(2), gm.KernelPCA(2, kernel="gaussian")):
        two, one = (clone(method).fit(X) for X in (of_two, plain))
        found, expected = (fit.why(axis=2) for fit in (two, one))
        assert found.index.tolist() == of_two.columns.tolist()
        np.testing.assert_array_equal(found, expected)
        found, expected = (gm.importance.gradient(fit) for fit in (two, one))
        assert found.index.tolist() == of_two.columns.tolist()
        np.testing.assert_array_equal(found, expected)


def test_rows_are_named_by_labels_of_several_levels_and_by_dates():
    index = pd.MultiIndex.from_product([["a", "b", "c"], range(len(Z) // 3)])
    days = pd.date_range("2020-01-30", periods=len(Z))
    pairs, dates = (gm.PCA(2).fit(Z.set_axis(labels, axis=0)) for labels in (index, days))
    first = fitted("PCA").why(rows=[0, 1])
    for fit, rows in [
        (pairs, index[:2]),
        (pairs, [("a", 0), ("a", 1)]),
        (dates, days[:2]),
        (dates, ["2020-01-30", "2020-01-31"]),
        (dates, "2020-01"),  # all of its days
    ]:
        pd.testing.assert_frame_equal(fit.why(rows=rows), first)
    for rows in (("a", 0), [("a", 0)]):
        pd.testing.assert_frame_equal(pairs.why(rows=rows), fitted("PCA").why(rows=[0]))
    group = fitted("PCA").why(rows=list(range(len(Z) // 3)))
    pd.testing.assert_frame_equal(pairs.why(rows="a"), group)


def test_new_rows_of_an_imported_kernel_map_are_a_frame_or_an_array():
    fit = fitted("imported KernelPCA")
    table = fit.places(Z[:4])
    assert table.index.tolist() == fit.individuals(Z[:4]).index.tolist() == Z.index[:4].tolist()
    A = Z.to_numpy()
    plain = gm.read_map(sklearn.decomposition.KernelPCA(2, kernel="rbf").fit(A), A)
    np.testing.assert_array_equal(table, plain.places(A[:4]))


def test_a_direction_of_weights_is_read_like_an_axis():
    fit = fitted("PCA")
    pd.testing.assert_frame_equal(fit.why(direction=[0, 2.0]), fit.why(axis=2))
    t = np.asarray(fit.coordinates_) @ [1.0, -1.0]
    r = [np.corrcoef(Z[name], t)[0, 1] for name in Z]
    np.testing.assert_allclose(fit.why(direction=[1, -1])["effect"], r)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"direction": 2}, "list of weights"),
        ({"direction": [1, 0, 0]}, "2 weights of the axes"),
        ({"direction": [1, 0], "axis": 1}, "without axis="),
    ],
)
def test_directions_that_are_none(options, words):
    with pytest.raises(gm.errors.InputError, match=words):
        fitted("PCA").why(**options)


def test_principal_axes_that_were_read_can_be_rotated():
    turned = fitted("imported PCA").rotate("varimax")
    own = fitted("PCA").rotate("varimax")
    for name in ("loadings_", "coordinates_", "inertia_ratio_"):
        np.testing.assert_allclose(
            np.abs(getattr(turned, name)), np.abs(getattr(own, name)), atol=1e-9
        )
    np.testing.assert_allclose(turned.transform(Z[:3]), turned.coordinates_[:3], atol=1e-9)
    r, expected = (np.abs(fit.variables()["correlation"]) for fit in (turned, own))
    np.testing.assert_allclose(r, expected)
    np.testing.assert_allclose(np.abs(turned.why()["effect"]), r[1])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("RobustPCA", "correlated over the rows"),
        ("SparsePCA", "correlated over the rows"),
        ("linear KernelPCA", "a linear kernel has its axes"),
        ("ClassicalMDS", "no loadings of columns"),
        ("CA", "no loadings of columns"),
        ("imported map", "no loadings of columns"),
    ],
)
def test_axes_that_cannot_be_rotated_say_why(name, words):
    with pytest.raises(gm.errors.InputError, match=words):
        fitted(name).rotate("varimax")
