"""The words follow the numbers, in both languages."""

import re
import string

import numpy as np
import pytest
from tests.report.made import body, experiment, normal, page_of, study_of

import gramian as gm
from gramian.report.axis_words import axis_words
from gramian.report.language import CATALOGUES
from gramian.report.say import Say
from gramian.report.study import study
from gramian.report.words import summary_words


def text(words):
    return " ".join(str(word.striptags()) for word in words)


def test_the_experiment_is_read_as_it_was_planted():
    s, truth = study_of("experiment"), experiment().truth
    first = text(axis_words(s, s.axes[0], Say("en")))
    assert "It separates the groups of temperature" in first
    genes = re.findall(r"G\d+", first)
    assert len(genes) >= 6
    assert set(genes) <= set(truth["responding"]["temperature"])
    second = text(axis_words(s, s.axes[1], Say("en")))
    assert "groups of co2" in second
    assert set(re.findall(r"G\d+", second)) <= set(truth["responding"]["co2"])


def test_the_sides_of_the_groups_are_those_of_the_map():
    s = study_of("experiment")
    tie = s.axes[0].groups[0]
    side = s.fit.coordinates_[:, 0] > 0
    for label, high in ((tie.low[0], False), (tie.high[0], True)):
        assert (side[experiment().groups["temperature"] == label] == high).all()


def test_the_share_of_a_group_is_its_variance_between():
    s = study_of("experiment")
    z, g = s.fit.coordinates_[:, 0], experiment().groups["temperature"].to_numpy()
    between = sum((g == k).mean() * z[g == k].mean() ** 2 for k in np.unique(g))
    assert s.axes[0].groups[0].eta2 == pytest.approx(between / (z**2).mean(), rel=1e-9)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("shape", [(60, 8), (30, 100)], ids=["tall", "wide"])
def test_noise_has_nothing_to_interpret(shape, seed):
    s = study(normal(*shape, seed=seed))
    assert s.empty and s.axes == []
    assert "nothing to interpret" in text(summary_words(s, Say("en")))
    assert "rien à interpréter" in text(summary_words(s, Say("fr")))


def test_a_page_of_noise_describes_no_axis():
    words = body(page_of("noise"))
    assert "nothing to interpret" in words and "none is described" in words
    assert "It opposes" not in words


def test_rings_are_no_noise_though_no_axis_stands_out():
    s = study_of("rings")
    assert s.q == 0 and s.bent and not s.empty
    words = text(summary_words(s, Say("en")))
    assert "nothing to interpret" not in words and "kernel map" in words
    row = s.linearity.separation.loc["ring"]
    assert row["kernel", "eta2"] > 0.2 > row["pca", "eta2"]


def test_a_dominant_row_is_named_with_its_reason():
    X = normal(40, 6, seed=3)
    X["v1"] += X["v0"]
    X.iloc[7, [0, 1]] = 12.0
    s = study(X)
    pull = s.axes[0].carrier.pulls[0]
    assert pull.name == "r7" and {why.name for why in pull.why} == {"v0", "v1"}
    words = text(axis_words(s, s.axes[0], Say("en")))
    assert "r7 alone makes" in words and "a high v0" in words


def test_how_sure_it_is_follows_the_resamples():
    s = study_of("experiment")
    words = text(axis_words(s, s.axes[0], Say("en")))
    angle = s.stability.axes.loc[1, "angle"]
    assert f"by {angle:.0f}°" in words
    said = "hardly moves" if angle < 15 else "moves somewhat" if angle < 35 else "moves a lot"
    assert said in words


def test_distances_and_their_negative_inertia():
    words = body(page_of("cities"))
    fit = gm.ClassicalMDS(2, metric="precomputed")
    with pytest.warns(gm.errors.NotEuclideanWarning):
        fit.fit(gm.datasets.cities().data)
    negative = abs(fit.negative_inertia_)
    share = 100 * negative / (fit.inertia_ + negative)
    assert f"{share:.1f}\u202f% of the inertia is negative" in words
    assert "no test against noise" in words


def fields(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_languages_have_the_same_sentences_with_the_same_blanks():
    english, french = CATALOGUES["en"], CATALOGUES["fr"]
    assert list(english) == list(french)
    differ = [k for k in english if fields(english[k]) != fields(french[k])]
    assert differ == []


def test_french_pages_speak_french_and_write_commas():
    words = body(page_of("iris", "fr"))
    assert "Combien d’axes\u202f?" in words
    assert re.search(r"Il porte \d+(,\d)?.% de l’inertie", words)
    for english in ("It carries", "stands out", "Rows", "Download"):
        assert english not in words


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1,234", "0.0123", "12.5\u202f%", "p\u00a0=\u00a00.032"]),
        ("fr", ["1\u202f234", "0,0123", "12,5\u202f%", "p\u00a0=\u00a00,032"]),
    ],
)
def test_numbers_are_written_as_people_do(language, said):
    say = Say(language)
    written = [say.whole(1234), say.number(0.012345), say.percent(0.125), say.p(0.0321)]
    assert [str(w) for w in written] == said
    assert str(say.p(1e-9)).startswith("p\u00a0&lt;")


def test_a_language_nobody_wrote_is_refused():
    with pytest.raises(gm.errors.InputError, match="language='xx'"):
        Say("xx")
