"""No control character of a name reaches a terminal or a table, nor do the words of a library."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian._study.language.labels import escape_controls
from gramian.cli import main
from gramian.errors import InputError
from gramian.io.csv_cells import escape_formula

FAMILY = [*range(0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F]
FAMILY += [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
HELD = "\t\n\r"  # by the quotes of a table
FORBIDDEN = {chr(code) for code in FAMILY} - {"\t", "\n"}
MARKS = [
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\x9b31m",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u061c",
    "\x7f",
    "\x08",
]


def hostile(folder):
    rng = np.random.default_rng(0)
    names = [f"r{k}{mark}" for k, mark in enumerate(MARKS)]
    frame = pd.DataFrame(rng.standard_normal((len(names), 3)), names, ["a\u202eb", "c\x1b[1m", "d"])
    frame["g\u2067"] = [f"l\u202e{k % 2}" for k in range(len(names))]
    path = folder / "hostile.csv"
    frame.to_csv(path, index_label="name")
    return path


def harmless(text):
    return not FORBIDDEN & set(text)


COMMANDS = {
    "fit": ["fit", "{data}"],
    "fit as JSON": ["fit", "{data}", "--json"],
    "fit, refused": ["fit", "{data}", "--active", "a\u202eb,z\x1b[2J"],
    "fit, no such file": ["fit", "{out}/\x1b[2Jnone.csv"],
    "coordinates": ["fit", "{data}", "--coordinates", "{out}/c.csv"],
    "coordinates, printed": ["fit", "{data}", "--coordinates", "-"],
    "transform to CSV": ["transform", "{model}", "{data}", "-o", "{out}/t.csv"],
    "transform to TSV": ["transform", "{model}", "{data}", "-o", "{out}/t.tsv"],
    "transform, printed": ["transform", "{model}", "{data}", "-o", "-"],
    "transform to JSON": ["transform", "{model}", "{data}", "--json", "-o", "{out}/t.json"],
    "examine": ["examine", "{data}"],
    "examine as JSON": ["examine", "{data}", "--json"],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_writes_no_control_character(command, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    data, model = hostile(tmp_path), tmp_path / "m.gramian"
    gm.save(gm.PCA(2).fit(gm.io.read(data).active()), model)
    words = [text.format(data=data, model=model, out=out) for text in COMMANDS[command]]
    run = CliRunner().invoke(main, words)
    assert run.exit_code in (0, 2, 3) and (run.exit_code == 0) == ("," not in command[:4]), (
        run.output
    )
    written = [path.read_text(encoding="utf-8") for path in out.iterdir()]
    for text in (run.stdout, run.stderr, *written):
        assert harmless(text), [ch for ch in text if ch in FORBIDDEN]
    if command == "transform to JSON":  # where escapes are part of the format, nothing is lost
        found = json.loads((written or [run.stdout])[0])
        assert "\u202e" in json.dumps(found, ensure_ascii=False)
    elif command.startswith(("coordinates", "transform")):
        assert "\\u202e" in (written or [run.stdout])[0]


@pytest.mark.parametrize("code", FAMILY)
def test_the_whole_family(code):
    text = f"a{chr(code)}b"
    assert escape_controls(text, keep="") == f"a\\u{code:04x}b"
    assert harmless(escape_controls(text))
    assert (escape_formula(text) == text) == (chr(code) in HELD)


def test_other_letters_are_left_alone():
    text = "naïve 日本 עברית العربية e\u0301 👩\u200d🔬 a\u00a0b"
    assert escape_controls(text) == text == escape_formula(text)


def test_blocks_and_networks(tmp_path):
    frame = pd.DataFrame({"x\u202e": [1.0, 2.0, 4.0]}, index=["a\x1b[2J", "b\u202e", "c"])
    gm.io.scan([frame]).write(tmp_path / "rows.csv")
    network = gm.networks.Network(np.ones((2, 2)) - np.eye(2), names=["a\x1b[2J", "b\u202e"])
    gm.networks.write_edges(network, tmp_path / "edges.csv")
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf-8")
        assert harmless(text) and "\\u202e" in text and "\\u001b" in text


def spoiled_header(path):
    np.save(path, np.ones((5, 2)))
    path.write_bytes(path.read_bytes().replace(b"'shape': (5, 2)", b"'shape': (5*2j)"))


def cut(path):
    np.save(path, np.ones((500, 2)))
    path.write_bytes(path.read_bytes()[:-100])


def pickled(path):
    np.save(path, np.array([{}, 1], dtype=object), allow_pickle=True)


@pytest.mark.parametrize(
    ("write", "words"),
    [(spoiled_header, "header is damaged"), (cut, "ends before"), (pickled, "never opened")],
)
def test_a_spoiled_array_in_our_words(write, words, tmp_path):
    path = tmp_path / "x.npy"
    write(path)
    with pytest.raises(InputError, match=words) as caught:
        gm.PCA(1).fit(gm.io.scan(path))
    assert not re.search("0x|object at|ast|pickle|mmap", str(caught.value))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n" + "x" * 200_000 + ",3\n", "131,072 letters"),
        ("3\na 0 1 2\nb 1 0 <ast.BinOp>\nc 2 1 0\n", "'<ast.BinOp>' is no number"),
    ],
)
def test_a_spoiled_text_in_our_words(text, words, tmp_path):
    path = tmp_path / ("x.csv" if "," in text else "x.phy")
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        gm.io.read(path)
