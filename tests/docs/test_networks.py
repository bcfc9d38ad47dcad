"""The code of the page on networks runs as it stands, and says what the page says."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

pytestmark = pytest.mark.slow


DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_code_runs_and_finds_what_was_planted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "networks.md").read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, names)
    plt.close("all")
    net, edges = names["net"], names["plants"].truth["edges"]
    planted = {frozenset(pair) for pair in edges[["source", "target"]].to_numpy()}
    found = [frozenset(pair) for pair in net.edges[["source", "target"]].to_numpy()]
    right = sum(pair in planted for pair in found)
    assert f"({right} of {len(found)}, of {len(planted)} planted)" in text
    assert right / len(found) >= 0.9
    assert names["study"].summary().startswith("Networks of 60 variables in 4 conditions")
