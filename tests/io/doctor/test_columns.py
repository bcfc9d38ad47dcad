"""Single columns: what is no number, what is a number after all, what is missing."""

import io

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError

N = 40
RNG = np.random.default_rng(0)
MEASURES = pd.DataFrame(
    {"height": RNG.normal(170, 8, N).round(1), "weight": RNG.normal(70, 9, N).round(1)}
)


def examined(**columns):
    """Return the source and the findings of a table with more columns."""
    source = gm.io.as_source(MEASURES.assign(**columns))
    return source, gm.io.examine(source)


def only(findings):
    (found,) = findings
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "values", "kind", "role"),
    [
        ("patient_id", RNG.permutation(np.arange(5_000, 5_000 + N)), "identifier", "ignored"),
        ("ID", np.r_[7, 7, np.arange(98 + N, 100, -1)], "identifier", "ignored"),
        ("zip code", RNG.choice([75001, 69002, 13008, 31000], N), "identifier", "ignored"),
        ("index", np.tile(np.arange(1, 21), 2), "index", "ignored"),
        ("V0", np.arange(1, N + 1), "index", "ignored"),
        ("race", RNG.integers(1, 4, N), "category", "group"),
        ("blood.group", RNG.integers(0, 4, N), "category", "group"),
        ("treated", np.arange(N) % 2, "category", "group"),
        ("Month", RNG.integers(1, 13, N), "date", "supplementary"),
        ("date", 20240101 + RNG.integers(0, 28, N), "date", "supplementary"),
        ("day_seen", [f"2024-03-{k % 28 + 1:02d}" for k in range(N)], "date", "ignored"),
        ("visit", [f"{k % 28 + 1}/02/2023" for k in range(N)], "date", "ignored"),
        ("barcode", [f"X{k:04d}" for k in range(N)], "row-names", None),
    ],
)
def test_numbers_that_measure_nothing_make_no_axes(name, values, kind, role):
    source, findings = examined(**{name: values})
    found = only(findings)
    assert (found.kind, found.column) == (kind, name)
    assert source.roles.get(name) == role and found.remedy and found.text.count("\n") == 0
    assert list(source.active()) == ["height", "weight"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", RNG.integers(18, 90, N)),
        ("children", RNG.poisson(1.5, N)),
        ("satisfaction", RNG.integers(1, 6, N)),
        ("year", RNG.integers(1990, 2020, N)),
        ("price index", RNG.integers(80, 130, N)),
        ("acid", RNG.integers(1000, 2000, N)),
        ("rank", np.arange(1, N + 1)),
        ("balance", RNG.normal(0, 900, N).round()),
        ("population", RNG.lognormal(10, 1, N).round()),
    ],
)
def test_quantities_are_left_alone(name, values):
    source, findings = examined(**{name: values})
    assert findings == () and source.roles[name] == "active"


@pytest.mark.slow
def test_an_identifier_that_is_a_quantity_can_be_told():
    ids = MEASURES.assign(id=np.arange(500, 500 + N)[::-1])
    assert gm.io.as_source(ids, as_number="id").roles["id"] == "active"
    assert gm.io.examine(ids, as_number="id") == ()


@pytest.mark.slow
def test_codes_can_be_told_as_categories_and_categories_as_numbers():
    frame = MEASURES.assign(k=RNG.integers(1, 4, N), race=RNG.integers(1, 4, N))
    source = gm.io.as_source(frame, as_category="k", as_number="race")
    assert source.roles["k"] == "group" and source.roles["race"] == "active"
    assert list(source.groups()["k"].cat.categories) == ["1", "2", "3"]
    with pytest.raises(InputError, match="as_category too"):
        gm.io.as_source(frame, as_category=["k"], as_number=["k"])
    with pytest.raises(InputError, match="did you mean 'race'"):
        gm.io.as_source(frame, as_category="rase")


def test_three_codes_under_an_unknown_name_are_categories_among_decimals():
    _, findings = examined(kat=np.arange(N) % 3 + 1)
    found = only(findings)
    assert (found.kind, found.default) == ("category", "group")
    assert found.remedy == "as_number=['kat']"


@pytest.mark.slow
@pytest.mark.parametrize("code", [-999.0, -99.0, 9999.0, 99999.0])
def test_codes_for_missing_are_missing(code):
    values = RNG.integers(20, 80, N).astype(float)
    values[[3, 8, 20]] = code
    source, findings = examined(dose=values)
    assert [f.kind for f in findings] == ["missing-code", "missing"]
    assert np.flatnonzero(source.active()["dose"].isna()).tolist() == [3, 8, 20]
    kept = gm.io.as_source(MEASURES.assign(dose=values), as_number="dose")
    assert kept.active()["dose"].tolist() == values.tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.r_[np.arange(-995, -960), -999.0, 4, 5, 6, 7],  # an ordinary value there
        np.r_[np.linspace(0, 98, N - 1), 99.0],
        np.r_[RNG.poisson(30, N - 1), 99.0],
    ],
)
def test_values_near_others_are_no_codes(values):
    source, _ = examined(x=values)
    assert source.active()["x"].notna().all()


def test_na_values_hold_for_numbers_too():
    frame = MEASURES.assign(x=np.r_[-1.0, RNG.uniform(0, 5, N - 1)])
    source = gm.io.as_source(frame, na_values=["-1"])
    assert source.active()["x"].isna().tolist() == [True] + [False] * (N - 1)


TEXTS = {
    "units": ([f"{x:g} mg" for x in range(1, N + 1)], np.arange(1.0, N + 1), "number"),
    "decimal-comma": ([f"{x},5" for x in range(N)], np.arange(N) + 0.5, "number"),
    "missing-code": (
        ["ND", *(f"{x}.25" for x in range(1, N))],
        np.r_[np.nan, np.arange(1, N) + 0.25],
        "missing",
    ),
    "censored": (
        ["<0.5", *(f"{x}.25" for x in range(1, N))],
        np.r_[np.nan, np.arange(1, N) + 0.25],
        "missing",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_texts_that_are_numbers_are_read_so(kind):
    texts, numbers, default = TEXTS[kind]
    source, findings = examined(x=texts)
    assert findings[0].kind == kind and findings[0].default == default
    assert np.array_equal(source.active()["x"], numbers, equal_nan=True)
    told = gm.io.as_source(MEASURES.assign(x=texts), as_category="x")
    assert told.roles["x"] == "group"


@pytest.mark.slow
def test_mixed_units_are_not_mixed():
    texts = [f"{x} mg" if x % 2 else f"{x / 1000} g" for x in range(1, N + 1)]
    source, findings = examined(dose=texts)
    found = only(findings)
    assert (found.kind, found.default) == ("units", "ignored") and "mg" in found.text
    assert source.roles["dose"] == "ignored"
    forced = gm.io.as_source(MEASURES.assign(dose=texts), as_number="dose")
    assert forced.active()["dose"].iloc[:2].tolist() == [1.0, 0.002]


@pytest.mark.slow
@pytest.mark.parametrize("levels", [["1st", "2nd", "3rd"], ["2WD", "4WD"], ["A1", "B2"]])
def test_categories_with_digits_stay_categories(levels):
    texts = [levels[k % len(levels)] for k in range(N)]
    source, findings = examined(drive=texts)
    assert source.roles["drive"] == "group" and findings == ()


@pytest.mark.slow
def test_several_columns_by_commas():
    text = 'a,b,"c,d",e,f\n' + "".join(f"{k}.5,{k * k},{k % 5}.5,{k}.1,{-k}\n" for k in range(12))
    source = gm.io.read(io.StringIO(text), ignore="a,b")
    assert source.columns("ignored") == ["a", "b"]
    assert gm.io.read(io.StringIO(text), ignore=["c,d"]).columns("ignored") == ["c,d"]
    with pytest.raises(InputError, match="no column 'z'"):
        gm.io.read(io.StringIO(text), ignore="a,z")
