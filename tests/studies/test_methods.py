"""Which method a table gets, and that its numbers are those of R."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.outside._factors import DATA, frame

import gramian as gm
from gramian._study.evidence import factor_axes
from gramian._study.methods import settings_of
from gramian._study.subject import subject_of
from gramian.errors import InputError, InputTypeError

FOLDER = DATA / "factor_methods" / "data"
RNG = np.random.default_rng(0)


def subject(name, read=None, **settings):
    return subject_of(FOLDER / f"{name}.csv", settings_of(**settings), **(read or {}))


# R 4.5: FactoMineR's MCA(tea, quanti.sup = 19), MCA(poison, quanti.sup = 1:2),
# CA(children[1:14, ]), CA(doubs$fish[-8, ]), PCA(wine[, -(1:2)]), PCA(USArrests)
R = {
    "tea": ("mca", [0.0900685, 0.0816536, 0.0702144, 0.0625967]),
    "poison": ("mca", [0.3540070, 0.1132122, 0.0936091, 0.0821810]),
    "children": ("ca", [0.03405037, 0.01148744, 0.00940835, 0.00433739]),
    "doubs_fish": ("ca", [0.6009926, 0.1443709, 0.1072938, 0.0833732]),
    "wine": ("pca", [15.04989, 5.47181, 2.01715, 1.35956]),
    "USArrests": ("pca", [2.4802416, 0.9897652, 0.3565632, 0.1734301]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", R)
def test_a_table_gets_the_method_that_suits_it_with_the_numbers_of_r(name):
    method, eigenvalues = R[name]
    found = subject(name)
    assert found.method == method
    values = found.estimator.fit(found.X).eigenvalues_[:4]
    np.testing.assert_allclose(values, eigenvalues, rtol=2e-5)


@pytest.mark.slow
def test_rows_without_counts_are_left_out_and_told():
    found = subject("doubs_fish")
    assert "8" not in found.X.index and len(found.X) == 29
    assert "zero_rows" in [f.key for f in found.findings]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "fit"),
    [
        ({"method": "ca"}, gm.CA()),
        (
            {"method": "classical-mds", "metric": "braycurtis"},
            gm.ClassicalMDS(2, metric="braycurtis"),
        ),
    ],
)
def test_counts_that_are_the_same_in_all_rows_have_mass(settings, fit):
    """They are a part of every profile, and a study agrees with a fit to the whole table."""
    rng = np.random.default_rng(5)
    table = pd.DataFrame(rng.poisson(rng.lognormal(2, 1, (12, 1)), (12, 5))).add_prefix("c")
    table = table.assign(same=40, empty=0)
    study = gm.study(table, **settings)
    assert list(study.subject.X) == [*(f"c{k}" for k in range(5)), "same"]
    assert study.subject.dropped == ("empty",)
    told = " ".join(c.text for c in study.claims)
    assert "empty" in told and "carry no information" not in told
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = fit.fit(table).eigenvalues_
    np.testing.assert_allclose(study.fit.eigenvalues_[:2], values[:2], rtol=1e-9)


@pytest.mark.slow
def test_numbers_are_placed_afterwards_by_mca_and_make_axes_in_famd():
    assert list(subject("poison").supplementary) == ["Age", "Time"]
    mixed = subject("poison", method="famd")
    assert list(mixed.X)[:2] == ["Age", "Time"] and mixed.supplementary is None
    placed = subject("poison", {"group": "Sex"})
    assert list(placed.groups) == ["Sex"] and "Sex" not in placed.X


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "categories", "method"),
    [(4, 0, "pca"), (4, 4, "pca"), (1, 2, "pca"), (0, 2, "mca"), (1, 5, "mca"), (3, 5, "famd")],
)
def test_the_choice_by_kinds_of_columns(numbers, categories, method):
    table = pd.DataFrame(RNG.standard_normal((30, numbers))).add_prefix("x")
    for k in range(categories):
        table[f"q{k}"] = RNG.choice(["often", "seldom", "never"], 30)
    assert subject_of(table, settings_of()).method == method


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "mfa2"}, "method='mfa2'"),
        ({"metric": "cityblock"}, "method='classical-mds' or 'mds'"),
        ({"method": "mca", "scale": False}, "scale=False"),
        ({"scale": 3}, "scale=3"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        settings_of(**options)


@pytest.mark.slow
def test_methods_refuse_what_they_cannot_take():
    numbers = pd.DataFrame(RNG.standard_normal((20, 3))).add_prefix("x")
    with pytest.raises(InputError, match="as_category"):
        subject_of(numbers, settings_of("mca"))
    with pytest.raises(InputError, match="negative"):
        subject_of(numbers, settings_of("ca"))
    square = "," + ",".join("abc") + "\na,0,1,2\nb,1,0,3\nc,2,3,0\n"
    with pytest.raises(InputError, match="does not take distances"):
        subject_of(io.StringIO(square), settings_of("pca"))


@pytest.mark.slow
def test_scaling_by_distances_is_that_of_the_estimator():
    found = subject("USArrests", method="classical-mds", metric="cityblock")
    with pytest.warns(gm.errors.NotEuclideanWarning):
        expected = gm.ClassicalMDS(4, metric="cityblock").fit(frame("USArrests")).eigenvalues_
        values = found.estimator.fit(found.X).eigenvalues_[:4]
    np.testing.assert_allclose(values, expected)
    plain = subject("USArrests", method="classical-mds")
    values = plain.estimator.set_params(n_components=4).fit(plain.X).eigenvalues_
    np.testing.assert_allclose(values, R["USArrests"][1], rtol=2e-5)  # MDS is PCA there


@pytest.mark.slow
def test_the_axes_of_a_contingency_table_against_the_chi2_test():
    """Their inertias sum to χ²/total, and both tests tell the same."""
    table = pd.DataFrame([[32, 16, 10], [16, 20, 18], [10, 18, 30]], index=["low", "mid", "high"])
    found = subject_of(table.add_prefix("c"), settings_of("ca"))
    found = type(found)(**{**vars(found), "findings": (_contingency(),)})
    axes = factor_axes(found, np.random.default_rng(0))
    chi2 = stats.chi2_contingency(table)
    assert axes.n_axes == 1 and axes.p_values[0] == axes.floor and chi2.pvalue < 0.001
    assert axes.eigenvalues.sum() == pytest.approx(chi2.statistic / table.to_numpy().sum())


def _contingency():
    rng = np.random.default_rng(3)  # its own: the tests before it may differ
    counts = rng.poisson(np.outer(rng.lognormal(3, 1, 12), [1, 2, 3, 2]))
    table = pd.DataFrame(counts, index=[f"w {k}" for k in range(12)])
    return next(f for f in gm.io.examine(table) if f.kind == "contingency")


@pytest.mark.slow
@pytest.mark.parametrize(("mean", "size"), [(150, 10), (40, 5), (20, 2)])
def test_counts_that_vary_more_than_independent_ones_have_no_axis(mean, size):
    """Every axis of negative binomial counts is larger than in tables of the same margins."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(20):
        means = mean * rng.lognormal(0, 1, (30, 1)) * rng.gamma(size, 1 / size, (30, 8))
        found.append(factor_axes(_counted(rng.poisson(means)), rng).n_axes)
    assert np.count_nonzero(found) <= 4  # at 5 %, more have a chance of 0.3 %


@pytest.mark.slow
def test_a_planted_axis_of_independent_counts_is_claimed():
    rng = np.random.default_rng(2)
    sides = np.outer(np.tile([1, -1], 6), np.repeat([1, -1], 3))
    law = rng.lognormal(0, 1, (12, 1)) * rng.uniform(1, 2, 6) * (1 + 0.4 * sides)
    tables = rng.multinomial(4000, (law / law.sum()).ravel(), size=20).reshape(20, 12, 6)
    counts = [factor_axes(_counted(table), rng).n_axes for table in tables]
    assert counts.count(1) >= 18
    said = [c for c in gm.study(_counted(tables[counts.index(1)]).X).claims if c.kind == "axes"]
    (chi2,) = [c for c in said if c.subject == "independence"]
    assert "rows and columns are independent" in chi2.null
    said.remove(chi2)
    assert said and all("the same dispersion" in c.null for c in said)


@pytest.mark.slow
def test_a_table_too_small_to_tell_how_much_counts_vary_says_what_it_assumes():
    """Hair and eyes of students, Snee (1974): 4 × 4."""
    eyes = [[68, 119, 26, 7], [20, 84, 17, 94], [15, 54, 14, 10], [5, 29, 14, 16]]
    table = pd.DataFrame(eyes, index=["brown", "blue", "hazel", "green"]).add_prefix("hair")
    said = [c for c in gm.study(table, method="ca").claims if c.kind == "axes"]
    assert said and all("counted independently" in c.text for c in said)
    assert all("comptés indépendamment" in c.say("fr") for c in said)


@pytest.mark.slow
def test_axes_that_may_all_be_true_or_none_are_not_tested():
    """Household tasks (FactoMineR): χ² is 1944 with 36 degrees of freedom, on all three axes."""
    study = gm.study(FOLDER / "housetasks.csv")
    said = [c for c in study.claims if c.kind == "not-tested" and c.subject == "axes"]
    assert not study.tested and len(said) == 1
    assert "3 axes exceed it if individuals were counted independently" in said[0].text
    assert "0.005" in said[0].text
    assert "3 axes le dépassent" in said[0].say("fr")


def _counted(counts):
    """Return the subject of a contingency table."""
    table = pd.DataFrame(counts, index=[f"w {k}" for k in range(len(counts))]).add_prefix("c")
    found = subject_of(table, settings_of())
    assert [f.kind for f in found.findings] == ["contingency"]
    return found


@pytest.mark.slow
def test_questions_without_a_link_make_no_axis():
    answers = pd.DataFrame(
        {f"q{k}": RNG.choice(["often", "seldom", "never"], 60) for k in range(6)}
    )
    axes = factor_axes(subject_of(answers, settings_of()), np.random.default_rng(1))
    assert axes.n_axes == 0
    linked = answers.assign(q1=answers["q0"], q2=answers["q0"])
    assert factor_axes(subject_of(linked, settings_of()), np.random.default_rng(1)).n_axes >= 1


@pytest.mark.slow
def test_a_study_of_questions_says_what_is_tested_and_what_is_not():
    study = gm.study(FOLDER / "poison.csv")
    axes = [c for c in study.claims if c.kind == "axes"]
    assert axes and "permuted" in axes[0].null
    made = [c for c in study.claims if c.effect_name == "elements"]
    assert {c.kind for c in made} == {"data"} and all("(described)" in c.text for c in made)
    assert [c.subject for c in study.claims if c.kind == "tie"] == ["Time"]
    chosen = [c for c in study.short if c.subject == "method"]
    assert len(chosen) == 1 and "MCA" in chosen[0].text


@pytest.mark.slow
def test_abundances_are_not_tested():
    study = gm.study(FOLDER / "doubs_fish.csv")
    assert not study.tested and [c.subject for c in study.claims if c.kind == "not-tested"] == [
        "axes"
    ]


@pytest.mark.slow
def test_holes_are_filled_in_where_rows_would_be_lost():
    table = frame("USArrests").astype(float)
    table[np.arange(50)[:, None] % 4 == np.arange(4)] = np.nan
    study = gm.study(table)
    assert study.subject.missing == "iterative" and study.subject.n == 50
    expected = gm.missing.impute(table, random_state=0).table.to_numpy()
    np.testing.assert_allclose(study.subject.X, expected)


def test_an_option_that_there_is_not_is_refused_with_those_there_are():
    table = pd.DataFrame({"a": [1.0, 2.0, 4.0, 7.0], "c": list("xyxy")})
    with pytest.raises(InputTypeError, match=r"groups='c' must be an option.*kind.* group,"):
        gm.study(table, groups="c")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mca", "famd"])
def test_missing_answers_are_told_to_be_a_level(method):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"dose": rng.normal(size=40), "tea": rng.choice(["green", "black"], 40)})
    X = X.assign(milk=rng.choice(["yes", "no", None], 40))
    X.loc[:2, "dose"] = np.nan
    told = [c.text for c in gm.study(X, method=method).claims if c.kind == "data"]
    assert "Missing answers are a category of their own, “NA”, in these columns: milk." in told
    left_out = "3 of 40 rows have a missing value in 'dose' and are left out."
    assert (left_out in told) == (method == "famd")
    assert not any("category of their own" in c.text for c in gm.study(X[["dose", "tea"]]).claims)
