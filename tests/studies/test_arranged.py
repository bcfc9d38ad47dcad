"""Files in which rows are arranged by their groups, and tables of counts seen from either side."""

import numpy as np
import pandas as pd
import pytest
from tests.evidence.designs import series

import gramian as gm

pytestmark = pytest.mark.slow


RNG = np.random.default_rng(7)


def said(study, *kinds):
    return [c.text for c in study.claims if c.kind in kinds]


def in_groups(labels, p=5, gap=3.0, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.unique(labels, return_inverse=True)[1]
    X = rng.standard_normal((len(labels), p)) + gap * codes[:, None] * (np.arange(p) < 2)
    return pd.DataFrame(X, columns=[f"v{k}" for k in range(p)]).assign(plot=labels)


@pytest.mark.parametrize("labels", [np.repeat(list("abc"), 20), np.tile(list("ab"), 30)])
def test_groups_in_blocks_or_in_turns_are_no_series(labels):
    study = gm.study(in_groups(labels))
    (told,) = said(study, "assumption")
    assert "is explained by the groups of plot" in told
    assert study.evidence.scheme == "permutation"
    assert any(c.kind == "group" and c.subject == "plot" for c in study.claims)
    assert any(c.kind == "axes" for c in study.claims)


def test_a_series_with_groups_in_turns_is_one_still():
    walks = np.random.default_rng(0).standard_normal((60, 5)).cumsum(axis=0)
    table = pd.DataFrame(walks, columns=list("abcde")).assign(half=np.tile(["am", "pm"], 30))
    found = gm.evidence.assumptions(walks, everything=table, rng=0)
    assert found.order is not None and found.scheme != "permutation"


def test_few_rows_a_group_are_explained_by_it():
    """Three replicates of four conditions."""
    labels = np.repeat(list("abcd"), 3)
    table = in_groups(labels, p=40, gap=2.0, seed=3)
    table.iloc[:, :40] += np.repeat(
        np.random.default_rng(1).standard_normal((4, 40)) * 2, 3, axis=0
    )
    study = gm.study(table)
    assert study.tested and study.evidence.assumptions.arrangement.names == ("plot",)


def test_where_an_order_limits_the_tests_the_option_is_named():
    walks = np.random.default_rng(0).standard_normal((60, 5)).cumsum(axis=0)
    table = pd.DataFrame(walks, columns=list("abcde"))
    (told,) = [c for c in gm.study(table).claims if c.subject == "order"]
    assert "order='ignored'" in told.text and "order='ignored'" in told.say("fr")
    study = gm.study(table, order="ignored")
    assert study.evidence.scheme == "permutation" and not said(study, "assumption")
    with pytest.raises(gm.errors.InputError, match="order"):
        gm.study(table, order="none")


def counts(n, p, seed=0):
    rng = np.random.default_rng(seed)
    law = rng.normal(1.5, 0.8, (n, 1)) + rng.normal(0, 0.8, (1, p))
    law = law + 0.6 * rng.standard_normal((n, 1)) * rng.standard_normal((1, p))
    table = pd.DataFrame(rng.poisson(np.exp(law)), [f"s{k}" for k in range(n)])
    return table.add_prefix("g")


def test_a_wide_table_of_counts_says_why_it_is_not_compared_by_profiles():
    table = counts(12, 200)
    assert gm.study(table.T).subject.method == "ca"
    study = gm.study(table)
    assert study.subject.method == "pca"
    (told,) = [f.text for f in study.subject.findings if f.kind == "counts"]
    assert "outnumber the 12 rows" in told and "method='ca'" in told
    measures = RNG.standard_normal((12, 200)).round(3) * 100
    assert not gm.io.examine(pd.DataFrame(measures, [f"s{k}" for k in range(12)]).add_prefix("g"))


def test_a_method_that_was_asked_for_is_not_advised():
    table = pd.DataFrame(RNG.poisson(RNG.gamma(2, 5, (80, 6))), columns=list("abcdef"))
    assert any("method='ca'" in text for text in said(gm.study(table), "data"))
    assert not any("method='ca'" in text for text in said(gm.study(table, method="ca"), "data"))


def districts():
    """Return counts of districts by categories, whose shares differ little."""
    rng = np.random.default_rng(0)
    N = [rng.multinomial(rng.integers(1_000, 3_000), rng.dirichlet([10] * 6)) for _ in range(12)]
    return pd.DataFrame(N, [f"district {k}" for k in range(12)], list("abcdef"))


def test_whole_numbers_that_may_be_counts_are_asked_about():
    study = gm.study(districts())
    assert study.subject.method == "pca"
    (told,) = [c for c in study.claims if "non-negative integers" in c.text]
    assert told.kind == "data" and "method='ca'" in told.text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "non-negative integers"), ("fr", "nombres entiers, à partir de 0")],
)
def test_a_page_asks_whether_whole_numbers_are_counts(tmp_path, language, words):
    page = gm.report.write(districts(), tmp_path / "page.html", language=language)
    assert words in page.read_text("utf-8")


@pytest.mark.parametrize("method", ["pca", "ca", "classical-mds"])
def test_whole_numbers_are_not_asked_about_where_a_method_was_given(method):
    study = gm.study(districts(), method=method)
    assert not any("non-negative integers" in c.text for c in study.claims)


def test_constant_columns_are_not_counted_as_active():
    table = pd.DataFrame(RNG.poisson(RNG.gamma(2, 5, (80, 6))), columns=list("abcdef"))
    told = said(gm.study(table.assign(k=3)), "data")
    assert "Columns: 6 active, 0 supplementary, 0 as groups, 1 ignored." in told
    assert any("All 6 active columns" in text for text in told)


def test_rows_of_a_contingency_table_are_no_sample():
    """Hair and eyes of students, Snee (1974)."""
    eyes = [[68, 119, 26, 7], [20, 84, 17, 94], [15, 54, 14, 10], [5, 29, 14, 16]]
    table = pd.DataFrame(
        eyes, ["brown", "blue", "hazel", "green"], ["black", "brunette", "red", "blond"]
    )
    study = gm.study(table)
    told = said(study, "data")
    assert "A total count of 592, in 4 rows by 4 columns." in told
    assert not any("There are only" in text for text in told)
    largest = "Among the columns, the largest contributions to axis 1 are those of blond"
    assert any(text.startswith(largest) for text in told)
    # Rows and columns of a contingency table stand in one sentence, at the ends they share.
    ends = "Axis 1 runs from brown, with black (negative end), to blue, with blond (positive end)."
    assert ends in told
    few = gm.study(pd.DataFrame(RNG.standard_normal((6, 3)), columns=list("abc")))
    assert any("There are only 6 rows" in text for text in said(few, "data"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["year", "date"])
def test_a_shuffled_series_with_times_is_a_series(kind):
    rng = np.random.default_rng(2)
    times = {
        "year": np.arange(1950, 2010),
        "date": pd.date_range("2001-01-01", periods=60, freq="MS").strftime("%d/%m/%Y"),
    }
    for seed in range(3):
        frame = pd.DataFrame(series(rng, 60, 6, 0.9)).add_prefix("v").assign(**{kind: times[kind]})
        shuffled = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
        studies = [gm.study(each, seed=seed).evidence for each in (frame, shuffled)]
        assert all(tests.assumptions.order is not None for tests in studies)
        one, other = (tests.axes.p_values for tests in studies)
        assert np.array_equal(one, other)


def in_subjects(rng, n_subjects=16, size=10, effect=0.0):
    """Rows of subjects, which differ; a diet was given to whole subjects, and shifts a column."""
    subjects = np.repeat(np.arange(n_subjects), size)
    diet = rng.permutation(np.arange(n_subjects) % 2)[subjects]
    X = 2.0 * rng.standard_normal((n_subjects, 3))[subjects]
    X += 0.5 * rng.standard_normal((len(subjects), 3)) + effect * diet[:, None] * [1, 0, 0]
    names = pd.Series(subjects).map("S{:02d}".format)
    table = pd.DataFrame(X).add_prefix("v").assign(subject=names, diet=np.array(["a", "b"])[diet])
    return table.sample(frac=1, random_state=0).reset_index(drop=True)


@pytest.mark.parametrize("form", ["column", "row names", "sorted"])
def test_a_treatment_of_subjects_is_compared_between_subjects(form):
    rng, false = np.random.default_rng(5), 0
    for _ in range(4):
        table = in_subjects(rng)
        if form == "row names":
            place = table.groupby("subject").cumcount().astype(str)
            table = table.set_index(table.pop("subject") + "_" + place)
        elif form == "sorted":
            table = table.sort_values("subject", ignore_index=True)
        study = gm.study(table)
        record = study.evidence.groups["diet"]
        assert record.test == "units" and record.n_rows == 16
        assert any("16 units are compared" in text for text in said(study, "data"))

        false += study.evidence.group_p_values["diet"] <= 0.05
    assert false <= 1
    found = gm.study(in_subjects(rng, effect=6.0))
    assert found.evidence.group_p_values["diet"] <= 0.05


def test_rows_of_a_subject_that_are_not_alike_are_rows():
    rng, tests = np.random.default_rng(6), []
    for _ in range(4):
        table = in_subjects(rng)
        table[["v0", "v1", "v2"]] = rng.standard_normal((160, 3))
        tests.append(gm.study(table).evidence.groups["diet"].test)
    assert tests.count("permutation") >= 2  # a tenth look alike at random
