"""Quotes and cells in tables of text: no row is lost without a word."""

import gzip
import io
import itertools

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.io import delimited

pytestmark = pytest.mark.slow


@pytest.fixture(params=["quick", "patient"], autouse=True)
def engine(request, monkeypatch):
    monkeypatch.setattr(delimited, "has_arrow", lambda: request.param == "quick")


def read(text, **options):
    data = text.encode() if isinstance(text, str) else text
    return gm.io.read(io.BytesIO(data), **options)


SEPARATORS = [",", ";", "\t", "|"]
ENDS = ["\n", "\r\n", "\r"]


def written(lines, sep, end):
    return end.join(line.replace(",", sep) for line in lines) + end


UNCLOSED = {
    "a number": (["a,b", "1,2", '3,"unclosed', "4,5", "6,7"], 3),
    "the last line": (["a,b", "1,2", "3,4", '5,"6'], 4),
    "the header": (['a,"b', "1,2", "3,4"], 1),
    "the first cell": (["a,b", '"1,2', "3,4", "5,6"], 2),
    "after a space": (["a,b", "1,2", '3, "x', "4,5"], 3),
    "after doubled ones": (["a,b", "1,2", '3,"x ""y"" z', "4,5"], 3),
    "closed by the next": (["a,b", "1,2", '3,"x', '4,"y', "5,6"], 3),
    "before the end": (["a,b", "1,2", '3,"x" y', "4,5"], 3),
    "an inch": (["a,b", "1,2", '3,"5" pipe"', "4,5"], 3),
    "twice": (["a,b", "1,2", '3,"x', "4,5", '6,"', "7,8"], None),
    "alone": (["a,b", "1,2", '"', "4,5"], 3),
}


@pytest.mark.parametrize("name", [name for name in UNCLOSED if name != "twice"])
@pytest.mark.parametrize(("sep", "end"), list(itertools.product(SEPARATORS, ENDS)))
def test_a_quote_that_does_not_close_is_named_by_its_line(name, sep, end):
    lines, line = UNCLOSED[name]
    text = written(lines, sep, end)
    for data in (text.encode(), gzip.compress(text.encode()), ("\ufeff" + text).encode()):
        with pytest.raises(InputError, match=f"line {line} opens a quote") as caught:
            read(data, sep=sep)
        assert len(str(caught.value)) <= 400


def test_comments_count_as_lines():
    with pytest.raises(InputError, match="line 5 opens"):
        read('# one\n# two\na,b\n1,2\n3,"x\n')
    with pytest.raises(InputError, match="line 5 has 3 cells"):
        read("# one\n# two\na,b\n1,2\n3,4,5\n6,7\n")


@pytest.mark.parametrize(("sep", "end"), list(itertools.product(SEPARATORS, ENDS)))
def test_line_breaks_in_quotes_are_legal_and_told(sep, end):
    lines = ["name,x,y", '"two' + end + 'lines",1,2', '"a,b",3,4', '"say ""hi""",5,7', "plain,2,2"]
    source = read(end.join(line.replace(",", sep) for line in lines) + end, sep=sep)
    broken = "two\nlines" if end == "\r" else f"two{end}lines"
    assert source.names[1:] == [f"a{sep}b", 'say "hi"', "plain"]
    assert source.names[0].split() == broken.split()
    assert source.active().to_numpy().tolist() == [[1, 2], [3, 4], [5, 7], [2, 2]]
    (told,) = [note for note in source.notes if note.key == "quoted_lines"]
    assert "quoted cell contains line breaks" in told and "line 2" in told


def test_a_quote_that_closes_rows_later_is_told():
    """It may be what was meant: the reader cannot know, and says where."""
    source = read('a,b\n1,2\n3,"x\n4,5\n6,y"\n7,8\n')
    assert len(source) == 3
    assert any("line 3" in note for note in source.notes if note.key == "quoted_lines")


@pytest.mark.parametrize("sep", SEPARATORS)
def test_quotes_inside_a_cell_are_letters(sep):
    lines = ["name,x", '5" pipe,1', 'the "best" one,2', 'end",3', "'a,4"]
    source = read(written(lines, sep, "\n"), sep=sep)
    assert source.names == ['5" pipe', 'the "best" one', 'end"', "'a"]
    assert source.active()["x"].tolist() == [1, 2, 3, 4]


def test_a_header_over_two_lines():
    source = read('"a\nb",c\n1,2\n3,4\n')
    assert list(source.active()) == ["a\nb", "c"] and len(source) == 2


def test_marks_that_are_no_line_ends():
    source = read("a\u2028b,c\x0cd\n1,2\n3,4\n")
    assert list(source.active()) == ["a\u2028b", "c\x0cd"]
    assert source.active().to_numpy().tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("lines", "line", "cells"),
    [
        (["a,b", "1,2", "3,4,5", "6,7"], 3, 3),
        (["a,b", "1,2", "3", "6,7"], 3, 1),
        (["a,b,c", "1,2", "3,4", "5,6"], 2, 2),
        (["a", "1,2,3", "4,5,6", "7,8,9"], 2, 3),
        (["a,b", "1,2", "3,4,", "6,7"], 3, 3),
        (["a,b", "1,2", '"3,4"', "6,7"], 3, 1),
    ],
)
@pytest.mark.parametrize("sep", SEPARATORS)
def test_rows_with_more_or_fewer_cells_are_named(lines, line, cells, sep):
    with pytest.raises(InputError, match=f"line {line} has {cells} cells"):
        read(written(lines, sep, "\n"), sep=sep)


def naive(text, sep):
    """Return the rows of a table by the rule, letter by letter; None where a quote is wrong."""
    rows, row, cell, at, state, start = [], [], "", 0, "start", 0
    while at <= len(text):
        c = text[at] if at < len(text) else ""
        if state == "quoted":
            if c == "":
                return None
            if c == '"' and text[at + 1 : at + 2] == '"':
                cell, at = cell + '"', at + 1
            elif c == '"':
                state = "closed"
            else:
                cell += c
        elif c in (sep, "\n", ""):
            row.append(cell)
            cell, state = "", "start"
            if c != sep:
                if at > start:  # an empty line is no row
                    rows.append(row)
                row, start = [], at + 1
        elif state == "closed":
            return None
        elif state == "start" and c == '"':
            state = "quoted"
        else:
            cell, state = cell + c, "plain"
        at += 1
    return rows


def test_random_tables_against_the_rule():
    rng = np.random.default_rng(3)
    kinds = {"read": 0, "refused": 0}
    for _ in range(300):
        size = int(rng.integers(1, 14))
        middle = "".join(rng.choice(list('"",;x\n'), size))
        text = (
            f"n,x\np,1\nq{middle},2\nr,3\n" if rng.random() < 0.5 else f"n,x\np,1\n{middle}\nr,3\n"
        )
        rows = naive(text, ",")
        try:
            source = read(text, sep=",", row_names=0)
        except InputError:
            assert rows is None or any(len(row) != 2 for row in rows) or _no_numbers(rows)
            kinds["refused"] += 1
            continue
        assert rows is not None
        filled = [row for row in rows[1:] if any(cell.strip() for cell in row)]  # others are told
        names = [name.partition(" (")[0] for name in source.names]
        assert [row[0].strip() or "?" for row in filled] == names
        kinds["read"] += 1
    assert min(kinds.values()) > 20


def _no_numbers(rows):
    return not all(row[1].isdigit() or not row[1] for row in rows[1:])


def test_many_quotes_take_no_long_time():
    """Each of these sends a pattern that goes back on a walk of the square of its size."""
    for text in ("a,b\n" + '"x""' * 40_000, "a,b\n" + ',"a' * 40_000, "a,b\n1," + '"' * 80_001):
        with pytest.raises(InputError):
            read(text, sep=",")
