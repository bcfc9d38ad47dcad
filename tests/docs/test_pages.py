"""The code of the pages on maps and on the number of axes runs as it stands."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


PAGES = "classes dimension doctor ecology ecosystem factor_methods figures mds missing scale "
PAGES += "reliability"


@pytest.mark.parametrize("page", [f"{page}.md" for page in PAGES.split()])
def test_the_code_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    if "stress" in names:
        assert round(names["stress"].stress_, 4) == 0.014  # as the page says
