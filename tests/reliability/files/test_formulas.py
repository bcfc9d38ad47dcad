"""No text that we write is a formula to a spreadsheet, no number changes, and labels come back."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main
from gramian.io.csv_cells import csv_text, escape_formula, unescape_formula

pytestmark = pytest.mark.slow


SPACES = ["", " ", "  ", '"', "'", "\u200b", "\ufeff", "\u00a0", "''"]
STARTS = ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
LABELS = [f"{space}{start}cmd|x{k}" for k, space in enumerate(SPACES) for start in STARTS]
LABELS += ["=1+1", "+1", "-3+1", "@SUM(A1)", "-", "=", '=HYPERLINK("http://x","y")', "\tx", "\rx"]
HARMLESS = [
    "a",
    "a=b",
    "1-2",
    "'tis",
    "x@y",
    "",
    "5",
    "naïve",
    '"quoted"',
    "a\nb",
    "a,b",
    "�",
    "x ",
]
DANGEROUS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def is_safe(cell):
    """Whether a spreadsheet takes a cell for a text (or a plain number)."""
    first = cell.strip(" \"'\u200b\ufeff\u00a0\x01")[:1]
    return not first or first not in DANGEROUS or cell.startswith("'")


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("label", LABELS)
def test_a_text_like_a_formula_is_guarded_and_comes_back(label):
    assert escape_formula(label) == f"'{label}"
    for text in (label, f"'{label}", f"''{label}"):
        assert unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize("label", HARMLESS)
def test_other_texts_are_left_alone(label):
    assert escape_formula(label) == label and unescape_formula(label) == label


NUMBERS = [-1.5, -0.0, 1e-300, -1e300, np.nextafter(1.0, 2.0), -1.0 / 3.0, np.nan]


@pytest.mark.parametrize("sep", [",", "\t"])
@pytest.mark.parametrize("kind", ["object", "str", "category"])
def test_tables(kind, sep):
    n = len(LABELS)
    frame = pd.DataFrame({"=x": np.resize(NUMBERS, n), "k": np.arange(n) - 5}, index=LABELS)
    frame["-t"] = pd.Series(LABELS[::-1], index=LABELS, dtype=kind)
    before = frame.copy()
    rows = list(csv.reader(io.StringIO(csv_text(frame, sep), newline=""), delimiter=sep))
    assert rows[0] == ["name", "'=x", "k", "'-t"]
    for row, label, x, k in zip(rows[1:], LABELS, frame["=x"], frame["k"], strict=True):
        assert is_safe(row[0]) and is_safe(row[3]) and unescape_formula(row[0]) == label
        assert row[2] == str(k) and (row[1] == "" if np.isnan(x) else float(row[1]) == x)
    pd.testing.assert_frame_equal(frame, before)


def test_a_line_end_in_a_text_is_quoted():
    frame = pd.DataFrame([["a\rb", 1.5, "c"], ["d", -2.0, "e\r\nf"]], columns=["t", "x", "t"])
    text = csv_text(frame)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[1:] == [["0", "a\rb", "1.5", "c"], ["1", "d", "-2.0", "e\r\nf"]]
    assert len(gm.io.read(io.StringIO(text, newline=""))) == 2


def test_numbers_as_labels_stay_numbers_and_dates_are_dates():
    frame = pd.DataFrame({-1: [1.0, 2.0], "d": pd.to_datetime(["2020-01-01", "2021-05-06"])})
    frame.index = pd.Index([-7, -8])
    assert csv_text(frame) == "name,-1,d\n-7,1.0,2020-01-01\n-8,2.0,2021-05-06\n"
    columns = pd.MultiIndex.from_tuples([("=a", 1), ("=a", 2)])
    assert "'=a" in csv_text(pd.DataFrame([[1.0, 2.0]], columns=columns))


def labels_that_stay():
    """Those that a reader of CSV, which takes spaces off, gives as they are."""
    return [label for label in LABELS if label == label.strip() and "\x01" not in label]


@pytest.fixture
def table(tmp_path):
    labels = labels_that_stay()
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((len(labels), 3)), labels, ["=a", "b", "@c"])
    (tmp_path / "in.csv").write_text(csv_text(frame), encoding="utf-8")
    return tmp_path, frame


def test_our_own_file_is_read_back(table):
    folder, frame = table
    source = gm.io.read(folder / "in.csv")
    assert source.names == list(frame.index) and list(source.active()) == list(frame)
    np.testing.assert_array_equal(source.active().to_numpy(), frame.to_numpy())


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_what_the_command_writes(table, suffix):
    folder, frame = table
    model, out = str(folder / "m.gramian"), [str(folder / f"{k}.{suffix}") for k in "ab"]
    fit = ["fit", str(folder / "in.csv"), "-q", "-o", model, "--coordinates", out[0]]
    place = ["transform", model, str(folder / "in.csv"), "-q", "-o", out[1]]
    for arguments in (fit, place):
        run = CliRunner().invoke(main, arguments)
        assert run.exit_code == 0, run.output
    for path in out:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t" if suffix == "tsv" else ","))
        assert all(is_safe(row[0]) for row in rows)
        assert [unescape_formula(row[0]) for row in rows[1:]] == list(frame.index)
        assert all(is_number(cell) for row in rows[1:] for cell in row[1:])
        assert gm.io.read(path).names == list(frame.index)
    run = CliRunner().invoke(main, [*place[:-2], "-o", "-"])
    rows = list(csv.reader(io.StringIO(run.stdout, newline="")))
    assert all(is_safe(row[0]) for row in rows)


def test_data_sets_have_no_formulas():
    run = CliRunner().invoke(main, ["datasets", "cities", "-q"])
    rows = list(csv.reader(io.StringIO(run.stdout)))
    assert len(rows) > 5 and all(is_safe(row[0]) for row in rows)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_networks(suffix, tmp_path):
    names = [*LABELS[:40], *HARMLESS[:4], "x "]
    A = np.zeros((len(names), len(names)))
    A[np.arange(30), np.arange(30) + 1] = A[np.arange(30) + 1, np.arange(30)] = -0.5
    network = gm.networks.Network(A, names=names)
    path = tmp_path / f"n.{suffix}"
    gm.networks.write_edges(network, path)
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t" if suffix == "tsv" else ","))
    assert all(is_safe(cell) for row in rows for cell in row[:2])
    assert {row[2] for row in rows[1:]} == {"-0.5", ""}
    back = gm.networks.read_edges(path)
    assert sorted(back.names) == sorted(names) and back.n_edges == 30
