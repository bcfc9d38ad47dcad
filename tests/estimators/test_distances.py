"""From distances of any kind: what is taken, what is refused, metrics, landmarks, Gower's."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

import gramian as gm
from gramian.errors import InputError, NotEuclideanWarning

RNG = np.random.default_rng(0)
X = RNG.random((20, 3)) + 0.1
D = squareform(pdist(X))
BOTH = pytest.mark.parametrize(
    "estimator",
    [gm.ClassicalMDS(metric="precomputed"), gm.MDS(metric="precomputed", n_init=1)],
    ids=["classical", "stress"],
)
quiet = pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")


def at(i, j, value, both=True):
    out = D.copy()
    out[i, j] = value
    if both:
        out[j, i] = value
    return out


REFUSED = {
    "negative": (at(2, 5, -1.0), r"negative distance, -1 at \(2, 5\)"),
    "asymmetric": (at(2, 5, 9.0, both=False), r"not symmetric: entry \(2, 5\)"),
    "similarities": (np.exp(-D), "similarity"),
    "correlations": (np.corrcoef(RNG.standard_normal((20, 5))), "similarit"),
    "diagonal": (D + np.diag(np.full(20, 0.5)), "diagonal"),
    "infinite": (at(2, 5, np.inf), "inf"),
    "not square": (D[:, :7], "square"),
    "complex": (D + 0j, "[Cc]omplex"),
    "texts": (D.astype(str), "not numbers"),
    "vector": (pdist(X)[:-1], "189 values"),
    "all zero": (np.zeros((6, 6)), "zero"),
    "one point": (np.zeros((1, 1)), "minimum of 2"),
    "empty": (np.zeros((0, 0)), "0 sample"),
}


@BOTH
@pytest.mark.parametrize("case", list(REFUSED))
def test_refused(estimator, case):
    given, words = REFUSED[case]
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        estimator.fit(given)
    assert len(str(caught.value)) <= 400
    assert not hasattr(estimator, "coordinates_")


def test_missing_distances_are_for_stress_only():
    with pytest.raises(InputError, match="NaN at row 2, column 5"):
        gm.ClassicalMDS(metric="precomputed").fit(at(2, 5, np.nan))
    assert np.isfinite(gm.MDS(metric="precomputed", n_init=1).fit(at(2, 5, np.nan)).stress_)


@BOTH
@pytest.mark.parametrize(
    "given",
    [
        D.tolist(),
        pd.DataFrame(D),
        squareform(D),
        D.astype(object),
        np.asfortranarray(D),
        D.astype(np.longdouble),
    ],
    ids=["list", "frame", "condensed", "object", "fortran", "longdouble"],
)
def test_one_matrix_in_many_forms(estimator, given):
    expected = estimator.fit(D).coordinates_
    np.testing.assert_allclose(estimator.fit(given).coordinates_, expected, atol=1e-10)


@quiet
@BOTH
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "bool", "float16", "float32"])
def test_integers_are_promoted_before_they_are_squared(estimator, dtype):
    given = np.round(60 * D).astype(dtype) if dtype != "bool" else np.median(D) < D
    a, b = (estimator.fit(M).coordinates_ for M in (given, given.astype(float)))
    np.testing.assert_allclose(a, b, atol=1e-3 * np.abs(b).max())


@BOTH
def test_labels_are_kept(estimator):
    names = [f"site {k}" for k in range(20)]
    frame = pd.DataFrame(D, index=names, columns=names)
    assert estimator.fit(frame).individuals().index.tolist() == names
    with pytest.raises(InputError, match="different orders"):
        estimator.fit(frame[names[::-1]])


METRICS = ["braycurtis", "canberra", "chebyshev", "cityblock", "cosine", "correlation", "minkowski"]


@quiet
@pytest.mark.parametrize("metric", METRICS)
def test_metrics_of_scipy(metric):
    expected = gm.ClassicalMDS(2, metric="precomputed").fit(squareform(pdist(X, metric)))
    found = gm.ClassicalMDS(2, metric=metric).fit(X)
    np.testing.assert_allclose(found.coordinates_, expected.coordinates_, atol=1e-9)
    new = RNG.random((4, 3)) + 0.1
    far = expected.transform(cdist(new, X, metric))
    np.testing.assert_allclose(found.transform(new), far, atol=1e-9)
    np.testing.assert_allclose(found.transform(X), found.coordinates_, atol=1e-9)


@quiet
def test_a_function_of_rows_of_tables_or_of_objects():
    expected = gm.ClassicalMDS(2, metric="cityblock").fit(X).coordinates_
    rows = gm.ClassicalMDS(2, metric=lambda x, y: np.abs(x - y).sum())
    tables = gm.ClassicalMDS(2, metric=lambda A, B: np.abs(A[:, None] - B).sum(-1))
    for mds in (rows, tables):
        np.testing.assert_allclose(mds.fit(X).coordinates_, expected, atol=1e-10)
    words = ["a", "ab", "abc", "abcd"]
    length = gm.ClassicalMDS(1, metric=lambda a, b: abs(len(a) - len(b))).fit(words)
    np.testing.assert_allclose(np.abs(np.diff(length.coordinates_[:, 0])), 1.0)
    side = np.sign(length.coordinates_[3, 0])
    assert length.transform(["abcde"])[0, 0] == pytest.approx(2.5 * side)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        (lambda x, y: np.nan, "NaN"),
        (lambda x, y: np.ones(3), "return one distance"),
        (lambda x, y: "far", "return one distance"),
        (lambda x, y: x[0] - y[0], "negative"),
        ("manhatten", "metric='manhatten'"),
        (3, "metric=3"),
    ],
)
def test_metrics_that_are_none(metric, words):
    with pytest.raises(InputError, match=words):
        gm.ClassicalMDS(metric=metric).fit(X)


def test_bray_curtis_is_for_amounts():
    with pytest.raises(InputError, match="amounts"):
        gm.ClassicalMDS(metric="braycurtis").fit(X - 0.5)


MIXED = pd.DataFrame(
    {
        "size": [1.0, 2.0, 5.0, np.nan, 3.0],
        "colour": ["red", "blue", "red", "red", None],
        "grade": pd.Categorical(
            ["low", "high", "mid", "low", "high"], ["low", "mid", "high"], ordered=True
        ),
        "old": [True, False, True, True, False],
    }
)


def by_hand(a, b):
    """Gower's distance of two rows of MIXED, a number or a rank over its range."""
    rank = {"low": 0.0, "mid": 1.0, "high": 2.0}
    parts = []
    if not (np.isnan(a["size"]) or np.isnan(b["size"])):
        parts.append(abs(a["size"] - b["size"]) / 4.0)
    if isinstance(a["colour"], str) and isinstance(b["colour"], str):
        parts.append(float(a["colour"] != b["colour"]))
    parts.append(abs(rank[a["grade"]] - rank[b["grade"]]) / 2.0)
    parts.append(float(a["old"] != b["old"]))
    return np.mean(parts)


@quiet
def test_gowers_distance():
    rows = [row for _, row in MIXED.iterrows()]
    expected = np.array([[by_hand(a, b) for b in rows] for a in rows])
    np.testing.assert_allclose(gm.distances.gower(MIXED), expected, atol=1e-15)
    a = gm.ClassicalMDS(2, metric="gower").fit(MIXED)
    b = gm.ClassicalMDS(2, metric="precomputed").fit(expected)
    np.testing.assert_allclose(a.coordinates_, b.coordinates_, atol=1e-12)
    np.testing.assert_allclose(a.transform(MIXED), a.coordinates_, atol=1e-12)


@quiet
def test_rules_read_gowers_codes_as_categories():
    """The eigenvalues that `choose` sees are those of the fit."""
    fit = gm.ClassicalMDS(None, metric="gower").fit(MIXED)
    for found in (
        gm.dimension.choose(fit, rules=["kaiser", "threshold"]),
        gm.dimension.choose(gm.ClassicalMDS(metric="gower"), MIXED, rules=["kaiser", "threshold"]),
        gm.dimension.choose(gm.MDS(metric="gower", n_init=1).fit(MIXED), rules=["kaiser"]),
    ):
        q = found.loc["kaiser", "q"]
        assert found.loc["kaiser", "value"] == pytest.approx(fit.eigenvalues_[q - 1])
        assert found.loc["kaiser", "threshold"] == pytest.approx(fit.inertia_ / 4)


@quiet
def test_rules_for_objects_and_amounts():
    words = ["kitten", "sitting", "mitten", "sit", "kit"]
    fit = gm.ClassicalMDS(2, metric=lambda a, b: abs(len(a) - len(b)) + (a[0] != b[0])).fit(words)
    assert "parallel" not in gm.dimension.choose(fit).index
    amounts = gm.dimension.choose(gm.ClassicalMDS(metric="braycurtis"), X, n_permutations=19)
    assert "parallel" in amounts.index and "signflip" not in amounts.index


@quiet
@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_landmarks(metric):
    n = 200
    Y = np.random.default_rng(1).standard_normal((n, 3)) * [5.0, 2.0, 0.1]
    whole = gm.ClassicalMDS(2, metric=metric, landmarks=n).fit(Y)
    plain = gm.ClassicalMDS(2, metric=metric).fit(Y)
    np.testing.assert_allclose(whole.coordinates_, plain.coordinates_, atol=1e-8)
    few = gm.ClassicalMDS(2, metric=metric, landmarks=30).fit(Y)
    assert gm.stability.procrustes(plain.coordinates_, few.coordinates_).correlation > 0.99
    chosen = gm.ClassicalMDS(2, metric=metric, landmarks=np.arange(30)).fit(Y)
    alone = gm.ClassicalMDS(2, metric=metric).fit(Y[:30])
    np.testing.assert_allclose(chosen.coordinates_[:30], alone.coordinates_, atol=1e-8)
    np.testing.assert_allclose(chosen.coordinates_[30:], alone.transform(Y[30:]), atol=1e-8)


@pytest.mark.parametrize("landmarks", [0, 21, 2, [1, 1, 2, 3], [25, 1, 2], [0.5, 1.0], True])
def test_refused_landmarks(landmarks):
    with pytest.raises(InputError, match="landmarks"):
        gm.ClassicalMDS(2, landmarks=landmarks).fit(X)


def test_goodness_of_fit_in_both_conventions():
    cities = gm.datasets.cities()
    with pytest.warns(NotEuclideanWarning, match="negative eigenvalues"):
        fit = gm.ClassicalMDS(2, metric="precomputed").fit(cities.distances)
    B = -0.5 * np.asarray(cities.distances, dtype=float) ** 2
    J = np.eye(9) - 1 / 9
    values = np.linalg.eigvalsh(J @ B @ J)[::-1]
    top = values[:2].sum()
    assert fit.goodness_of_fit_.signed == pytest.approx(top / np.abs(values).sum())
    assert fit.goodness_of_fit_.positive == pytest.approx(top / values[values > 0].sum())
    assert fit.negative_inertia_ == pytest.approx(-values[values < -1e-6].sum() / 9)
    assert round(fit.goodness_of_fit_.signed, 4) == 0.9584
    assert round(fit.goodness_of_fit_.positive, 4) == 0.9810


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["kaiser", "elbow", "cattell", "broken_stick", "parallel", 0.8])
@pytest.mark.parametrize("shape", [(40, 6), (12, 30)])
def test_rules_count_the_same_axes_as_pca(rule, shape):
    """PCA = linear kernel PCA = classical scaling, whatever the solver."""
    rng = np.random.default_rng(2)
    Y = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1])) * 3
    Y = np.column_stack([Y + rng.standard_normal(shape), np.ones(shape[0])])
    q = gm.PCA(rule).fit(Y).n_components_
    others = [
        gm.KernelPCA(rule, kernel="linear"),
        gm.ClassicalMDS(rule),
        gm.ClassicalMDS(rule, solver="dense"),
        gm.ClassicalMDS(rule, solver="krylov"),
    ]
    assert [e.fit(Y).n_components_ for e in others] == [q] * 4
    if isinstance(rule, str):
        sources = [Y, gm.KernelPCA(2, kernel="linear").fit(Y), gm.ClassicalMDS(2).fit(Y)]
        found = [gm.dimension.choose(s, rules=[rule])["q"].iloc[0] for s in sources]
        assert found == [q] * 3
