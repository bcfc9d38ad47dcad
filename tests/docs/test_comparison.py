"""docs/comparison.md: every call and every recipe is executed; rows are counted."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "comparison.md").read_text("utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.S)
ROWS = {
    int(number): answer
    for number, answer in re.findall(r"^\| (\d+) \| .* \| .* \| (.*) \|$", PAGE, re.M)
}
NO = {number for number, answer in ROWS.items() if answer.startswith("no: ")}
YES = sorted(set(ROWS) - NO)
RECIPES = CODE[1:]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning"),
]


@pytest.fixture(scope="module")
def names():
    out: dict[str, object] = {}
    exec(CODE[0], out)
    return out


def test_the_table_is_whole():
    assert sorted(ROWS) == list(range(1, 139))
    assert len(YES) >= 120
    assert all(len(ROWS[number]) > len("no: because") for number in NO)
    requests = re.findall(r"^\*\*(\d+)\. ", PAGE, re.M)
    assert [int(number) for number in requests] == list(range(1, 21))
    assert len(RECIPES) >= 16 and all(len(code.splitlines()) <= 10 for code in RECIPES)


@pytest.mark.parametrize("number", YES)
def test_a_call(number, names):
    call = re.fullmatch(r"`(.*)`", ROWS[number])
    assert call is not None
    eval(call[1], dict(names))


@pytest.mark.parametrize("place", range(len(RECIPES)))
def test_a_recipe(place, names):
    exec(RECIPES[place], dict(names))
