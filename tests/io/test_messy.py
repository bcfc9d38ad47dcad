"""Files as people save them: each fault in several dialects, read right or reported."""

import io

import numpy as np
import pandas as pd
import pytest
from tests.io.files import xlsx

import gramian as gm
from gramian.errors import InputError

RNG = np.random.default_rng(31)
N = 30
X = pd.DataFrame(
    np.round(RNG.normal([12.5, 7.4, 830.0, 4.2], [2.0, 0.4, 90.0, 0.8], (N, 4)), 2),
    columns=["Temperature", "pH", "Conductivity", "Nitrate"],
)
STATIONS = [f"ST{k:02d}" for k in range(1, N + 1)]
SPECIES = np.array(["Bombus terrestris", "Bombus lapidarius", "Apis mellifera"])[np.arange(N) % 3]


def table():
    """Return the sound table: station, species, four measures."""
    out = X.copy()
    out.insert(0, "Station", STATIONS)
    out.insert(1, "Species", SPECIES)
    return out


def cells(frame):
    """Return a frame as rows of cells, the header first."""
    return [list(frame.columns), *frame.astype(object).to_numpy().tolist()]


def units(rows):
    return [rows[0], ["", "", "°C", "-", "µS/cm", "mg/L"], *rows[1:]]


def means(rows):
    last = [round(sum(row[j] for row in rows[1:]) / N, 2) for j in range(2, 6)]
    return [*rows, ["Moyenne", None, *last]]


def totals(rows):
    last = [round(sum(row[j] for row in rows[1:]), 2) for j in range(2, 6)]
    return [*rows, ["Total", None, *last]]


def two_cells_above(rows):
    return [["Table 3", "", "2021", "", "", ""], ["", "", "", "", "", ""], *rows]


def record_numbers(rows):
    order = np.random.default_rng(1).permutation(N)
    numbers = ["fiche", *(40001 + order).tolist()]
    return [[*row, number] for row, number in zip(rows, numbers, strict=True)]


def codes(rows):
    return [
        [*row, code]
        for row, code in zip(rows, ["kiln", *(k % 4 + 1 for k in range(N))], strict=True)
    ]


def spellings(rows):
    out = [list(row) for row in rows]
    out[1][1], out[4][1], out[7][1] = "bombus terrestris", "Bombus  terrestris", "BOMBUS TERRESTRIS"
    return out


def lost_point(rows):
    out = [list(row) for row in rows]
    out[9][3] = round(out[9][3] * 10, 2)
    return out


FAULTS = {f.__name__: f for f in (units, means, totals, two_cells_above, record_numbers, codes)}
FAULTS |= {f.__name__: f for f in (spellings, lost_point)}


def text(rows, sep, decimal):
    def cell(value):
        if value is None:
            return ""
        return str(value).replace(".", decimal) if isinstance(value, float) else str(value)

    return "\n".join(sep.join(cell(value) for value in row) for row in rows) + "\n"


DIALECTS = {
    "comma": lambda rows: text(rows, ",", ".").encode(),
    "semicolon": lambda rows: text(rows, ";", ",").encode("latin-1"),
    "tab": lambda rows: text(rows, "\t", ".").replace("\n", "\r\n").encode("utf-16"),
    "excel": lambda rows: xlsx([[v if v != "" else None for v in row] for row in rows]),
}
EXPECTED = {
    "units": ("units", ""),
    "means": ("summary-rows", "Moyenne"),
    "totals": ("summary-rows", "Total"),
    "two_cells_above": ("title-rows", "Table 3"),
    "record_numbers": ("index", "fiche"),
    "codes": ("category", "kiln"),
    "spellings": ("spelling", "Species"),
    "lost_point": ("typing-error", "pH"),
}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_messy_file_is_read_as_the_sound_one(fault, dialect):
    data = DIALECTS[dialect](FAULTS[fault](cells(table())))
    source = gm.io.read(io.BytesIO(data))
    kind, word = EXPECTED[fault]
    found = [f for f in gm.io.examine(source) if f.kind == kind]
    assert len(found) == 1 and word in found[0].text and word in found[0].in_language("fr")
    assert list(source.active()) == list(X) and source.names == STATIONS
    assert source.groups()["Species"].nunique() == 3
    expected = X.copy()
    if fault == "lost_point":
        expected.iloc[8, 1] *= 10
    np.testing.assert_allclose(source.active().to_numpy(), expected.to_numpy(), rtol=1e-9)
    if fault == "codes":
        assert source.roles["kiln"] == "group"


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["comma", "tab"])
def test_the_remedy_of_a_lost_point_works(dialect):
    data = DIALECTS[dialect](lost_point(cells(table())))
    (found,) = [f for f in gm.io.examine(io.BytesIO(data)) if f.kind == "typing-error"]
    mended = gm.io.read(io.BytesIO(data), **eval(f"dict({found.remedy})"))
    assert np.isnan(mended.active()["pH"].iloc[8]) and mended.active().isna().sum().sum() == 1


@pytest.mark.parametrize(("option", "value"), [("sheet", 3), ("sheet", "data"), ("layer", "raw")])
def test_an_option_that_does_not_apply_is_refused(option, value):
    data = DIALECTS["comma"](cells(table()))
    with pytest.raises(InputError, match=f"{option}=.*leave it out"):
        gm.io.read(io.BytesIO(data), **{option: value})
    gm.io.read(io.BytesIO(data))


def test_an_open_quote_is_named_whatever_the_separator():
    for sep in ",;\t":
        lines = ["id;u;v", "r1;1;2", 'r2;"3;4', "r3;5;6", "r4;7;8", "r5;9;1"]
        with pytest.raises(InputError, match="line 3 opens a quote"):
            gm.io.read(io.StringIO("\n".join(lines).replace(";", sep) + "\n"))


@pytest.mark.slow
def test_a_misspelt_category_is_asked_about():
    frame = table()
    frame.loc[2, "Species"] = "Apis melifera"
    found = [f for f in gm.io.examine(frame) if f.kind == "spelling"]
    assert [f.key for f in found] == ["spelling.perhaps"] and "Apis mellifera" in found[0].text


def test_alleles_in_capitals_and_small_letters_stay_apart():
    frame = X.assign(genotype=np.array(["AA", "Aa", "aa"])[np.arange(N) % 3])
    assert gm.io.as_source(frame).groups()["genotype"].nunique() == 3


@pytest.mark.slow
def test_sound_values_are_no_typing_errors():
    rng = np.random.default_rng(0)
    heavy = pd.DataFrame({k: rng.lognormal(0, 1.5, 80) for k in "abcdef"})
    plain = pd.DataFrame({k: rng.normal(50, 8, 80) for k in "abcdef"})
    for frame in (heavy, plain, X):
        assert not [f for f in gm.io.examine(frame) if f.kind == "typing-error"]


@pytest.mark.slow
@pytest.mark.parametrize("group", [True, False])
def test_rows_with_missing_values_are_imputed_where_too_much_would_be_lost(group):
    rng = np.random.default_rng(2)
    f = rng.standard_normal((60, 1))
    frame = pd.DataFrame(f + 0.5 * rng.standard_normal((60, 5)), columns=list("abcde"))
    frame["river"] = np.repeat(["Tech", "Eyne", "Arac"], 20)
    frame.loc[54 : 58 if not group else 59, "b"] = np.nan
    if group:
        frame["river"] = ["Tech"] * 54 + ["Eyne"] * 6
    study = gm.study(frame)
    lost = [c for c in study.claims if c.subject == "lost"]
    assert study.subject.n == (60 if group else 55) and len(lost) == group
    if group:
        assert "Eyne" in lost[0].text and "Eyne" in lost[0].say("fr") and lost[0] in study.short


def summary(label, *statistics):
    """Return a fault: last rows that sum up the others, the first called so."""

    def fault(rows):
        values = np.array([row[2:] for row in rows[1:]], dtype=float)
        last = [[label, None, *(round(float(v), 2) for v in f(values, axis=0))] for f in statistics]
        return [*rows, *([f"{f.__name__}", *row[1:]] if k else row for k, (f, row) in
                         enumerate(zip(statistics, last, strict=True)))]  # fmt: skip

    return fault


def column(name, values):
    return lambda rows: [[*row, v] for row, v in zip(rows, [name, *values], strict=True)]


def spelt(*names):
    def fault(rows):
        out = [list(row) for row in rows]
        for k, name in enumerate(names):
            out[1 + 3 * k][1] = name
        return out

    return fault


def absent(token):
    """Return a fault: a measure that all rows of one group lack."""
    return lambda rows: [
        [*row[:3], token, *row[4:]] if row[1] == "Apis mellifera" else row for row in rows
    ]


ORDER = np.random.default_rng(3).permutation(N).tolist()
OTHERS = {
    "units in brackets": lambda r: [r[0], ["unit", "", "(°C)", "(-)", "(µS/cm)", "(mg/L)"], *r[1:]],
    "mean and sd": summary("Mean", np.mean, np.std),
    "median, min, max": summary("Median", np.median, np.min, np.max),
    "grand total": summary("Grand total", np.sum),
    "plural": summary("Moyennes :", np.mean),
    "two cells": lambda r: [["Water quality", "", "", "March 2021", "", ""], *r],
    "two titles": lambda r: [["Survey 12", *5 * [""]], ["By M.", "", "checked", "", "", ""], *r],
    "accession": column("accession", [7001 + k for k in range(N)]),
    "sheet number": column("fiche n°", [812 + k for k in ORDER]),
    "week": column("week", [k % 4 + 1 for k in range(N)]),
    "lot": column("lot", [101 + k % 3 for k in range(N)]),
    "dose": column("dose", [(0, 5, 10)[k % 3] for k in range(N)]),
    "spaces": spelt("Bombus_terrestris", "bombus terrestris", "Bombus  terrestris "),
    "no-break space": spelt("Bombus\u00a0terrestris", " Bombus terrestris", "BOMBUS TERRESTRIS"),
    "stations last": lambda r: [[*row[1:], row[0]] for row in r],
    "stations second": lambda r: [[row[1], row[0], *row[2:]] for row in r],
    "absent": absent("NA"),
    "not determined": absent("n.d."),
    "coded": absent(-999.0),
}
OTHER_DIALECTS = {
    "byte order mark": lambda rows: b"\xef\xbb\xbf" + text(rows, ";", ",").encode(),
    "latin-1": lambda rows: text(rows, "\t", ",").encode("latin-1"),
    "quotes": lambda rows: text(
        [[f'"{"" if v is None else v}"' for v in row] for row in rows], ";", "."
    ).encode(),
}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", OTHER_DIALECTS)
@pytest.mark.parametrize("fault", OTHERS)
def test_a_member_of_a_family_is_read_as_the_sound_file(fault, dialect):
    source = gm.io.read(io.BytesIO(OTHER_DIALECTS[dialect](OTHERS[fault](cells(table())))))
    lacking = fault in ("absent", "not determined", "coded")
    assert list(source.active()) == list(X) and source.names == STATIONS
    assert source.groups()["Species"].nunique() == 3
    assert gm.io.examine(source) or fault.startswith("stations")
    expected = X.mask(np.outer(SPECIES == "Apis mellifera", X.columns == "pH")) if lacking else X
    np.testing.assert_allclose(source.active().to_numpy(), expected.to_numpy(), rtol=1e-9)
    if lacking:  # without these rows a group would be gone
        study = gm.study(source)
        assert study.subject.n == N and [c for c in study.claims if c.subject == "lost"]
