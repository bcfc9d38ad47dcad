"""Sentences: both languages say the same, numbers and names are written as people do."""

import pytest

from gramian._study.language import (
    Count,
    Fixed,
    Listed,
    Name,
    Number,
    Options,
    P,
    Sentence,
    Setting,
    Share,
    Voice,
    names,
    python,
    rows,
)
from gramian.errors import InputError

EN, FR = Voice("en"), Voice("fr")


def test_one_is_not_several():
    assert EN.write(Count("row", 1)) == "1 row" and EN.write(Count("column", 2)) == "2 columns"
    assert FR.write(Count("row", 0)) == "0 individu" and EN.write(Count("row", 0)) == "0 rows"


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (1234, "1,234", "1\u202f234"),
        (Number(0.012345), "0.0123", "0,0123"),
        (Number(-3.2e9), "−3.20e+09", "−3,20e+09"),
        (Share(0.125), "12.5\u202f%", "12,5\u202f%"),
        (Share(0.99999), "100\u202f%", "100\u202f%"),
        (Fixed(-0.5), "−0.50", "−0,50"),
        (Fixed(-0.001), "0.00", "0,00"),
        (Fixed(2.0, 1, signed=True), "+2.0", "+2,0"),
        (P(0.0321), "p\u00a0=\u00a00.032", "p\u00a0=\u00a00,032"),
        (P(1e-9), "p\u00a0<\u00a00.001", "p\u00a0<\u00a00,001"),
        (P(0.005, floor=0.005), "p\u00a0≤\u00a00.005", "p\u00a0≤\u00a00,005"),
        (P(0.01, floor=0.005), "p\u00a0=\u00a00.01", "p\u00a0=\u00a00,01"),
        (P(0.0496), "p\u00a0=\u00a00.0496", "p\u00a0=\u00a00,0496"),
        (names("abc"), "a, b and c", "a, b et c"),
        (names("abcd", 2), "a, b and 2 others", "a, b et 2 autres"),
        (names("abc", 2), "a, b and one other", "a, b et un autre"),
        (Listed(()), "", ""),
    ],
)
def test_what_goes_into_blanks(value, english, french):
    assert EN.write(value) == english
    assert FR.write(value) == french


def test_rows_that_are_numbers_are_called_rows():
    say = Sentence("claim.row", {"row": rows([21]), "x": Fixed(1.5), "where": "x", "why": ""})
    assert EN.capitalize(EN.say(say)).startswith("Row 21 is an outlier")
    assert FR.capitalize(FR.say(say)).startswith("L’individu 21 est atypique")
    assert (
        EN.write(rows([3, 4.5])) == "rows 3 and 4.5" and EN.write(rows(["a", 3])) == "a and row 3"
    )
    assert EN.capitalize("r7 alone") == "r7 alone"  # a name keeps its letters


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (["Athens"], ["Oslo"], "L’axe 1 va d’Athens (bout négatif) à Oslo (bout positif)."),
        (
            ["Rome"],
            [3, 4],
            "L’axe 1 va de Rome (bout négatif) aux individus 3 et 4 (bout positif).",
        ),
        (["Évry"], ["Rome"], "L’axe 1 va d’Évry (bout négatif) à Rome (bout positif)."),
        ([1, 2], ["Rome"], "L’axe 1 va des individus 1 et 2 (bout négatif) à Rome (bout positif)."),
    ],
)
def test_french_elides_and_contracts(low, high, said):
    assert FR("claim.data.ends", k=1, low=rows(low), high=rows(high)) == said


OPTIONS = Options(
    {
        "missing": ("--missing", None),
        "scale": ("--scale", "--no-scale"),
        "na_values": ("--na", None),
    }
)


@pytest.mark.parametrize(
    ("setting", "in_python", "in_options"),
    [
        (
            Setting("missing", ("mean", "median")),
            "missing='mean' or 'median'",
            "--missing mean or median",
        ),
        (Setting("scale", (False,)), "scale=False", "--no-scale"),
        (Setting("scale", (True,)), "scale=True", "--scale"),
        (Setting("missing"), "missing=", "--missing"),
        (Setting("missing", (False,)), "missing=False", "--missing no"),
        (Setting("na_values", (["?", "a b"],)), "na_values=['?', 'a b']", "--na '?' --na 'a b'"),
        (Setting("memory", (5,)), "memory=5", "memory=5"),
        (Setting("missing", None), "missing", "--missing"),
        (Setting("method", ("mds",)), "method='mds'", "method='mds'"),
    ],
)
def test_settings_are_spelled_as_the_face_does(setting, in_python, in_options):
    assert Voice("en", python).write(setting) == in_python
    assert Voice("en", OPTIONS).write(setting) == in_options


def test_a_name_is_one_short_line():
    assert EN.write(Name("two\nlines")) == "two lines"
    assert len(EN.write(Name("x" * 300))) == 40


def test_a_language_nobody_wrote_is_refused():
    with pytest.raises(InputError, match="language='xx'"):
        Voice("xx")


@pytest.mark.parametrize("key", ["iterative", "mean", "median"])
def test_one_missing_value_is_counted_as_one(key):
    values = {"n": 1, "names": names(["a"]), "axes": Count("axis", 1)}
    assert EN(f"note.{key}", **values).startswith("One missing value ")
    assert FR(f"note.{key}", **values).startswith("Une valeur manquante ")
