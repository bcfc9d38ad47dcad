"""Tables spread over processes: each once, kept at once, and gone on with."""

import json

import pytest
from benchmarks.spread import spread

SECONDS = {"cheap": 0.1, "dear": 1.0}


def one(name, seed):
    return {"is": f"{name} {seed}", "seconds": SECONDS[name]}


def wanted(tables):
    return {
        name: [{"is": f"{name} {k}", "seconds": SECONDS[name]} for k in range(tables)]
        for name in SECONDS
    }


@pytest.mark.slow
def test_each_table_is_made_once_by_one_process_or_two():
    assert spread(list(SECONDS), one, tables=5) == wanted(5)
    assert spread(list(SECONDS), one, tables=5, processes=2) == wanted(5)


def test_designs_take_turns_and_cheap_ones_end_first():
    made = []
    spread(list(SECONDS), lambda *item: made.append(item) or one(*item), tables=20)
    assert {name for name, _ in made[:2]} == set(SECONDS)
    last = {name: max(k for k, item in enumerate(made) if item[0] == name) for name in SECONDS}
    assert last["cheap"] < last["dear"] and made[last["cheap"] - 1][1] > 15


def test_what_was_kept_is_not_made_again_and_a_cut_line_is(tmp_path):
    assert spread(["cheap"], one, tables=3, keep=tmp_path)["cheap"] == wanted(3)["cheap"]
    path = tmp_path / "cheap.jsonl"
    lines = path.read_text().strip().splitlines()
    assert [json.loads(line)[0] for line in lines] == [0, 1, 2]
    path.write_text(path.read_text()[:-5])
    made = []
    again = spread(
        ["cheap"], lambda *item: made.append(item) or one(*item), tables=4, keep=tmp_path
    )
    assert again["cheap"] == wanted(4)["cheap"] and [seed for _, seed in made] == [2, 3]


def test_no_table_begins_after_the_end(tmp_path):
    assert spread(["cheap"], one, tables=3, minutes=0) == {}
    assert spread(["cheap"], one, tables=3, minutes=0, processes=2) == {}
