"""The code of the pages on maps and on the number of axes runs as it stands."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(
    "page",
    [
        "classes.md",
        "dimension.md",
        "doctor.md",
        "ecology.md",
        "factor_methods.md",
        "figures.md",
        "mds.md",
    ],
)
def test_the_code_runs(page: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    if "stress" in names:
        assert round(names["stress"].stress_, 4) == 0.014  # as the page says
