"""The code of docs/models.md, kernel_choice.md and importance.md runs as it stands."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", ["models.md", "kernel_choice.md", "importance.md"])
def test_every_block_runs(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 2
    scope = {"__name__": name}
    for block in blocks:
        exec(compile(block, name, "exec"), scope)
