"""The code of every page runs as it stands, in a folder with a table to be read."""

import re
from pathlib import Path

import pytest

import gramian as gm

pytestmark = pytest.mark.slow


DOCS = Path(__file__).resolve().parents[2] / "docs"


PAGES = (
    "app claims classes design dimension doctor ecology ecosystem factor_methods figures files "
    "getting_started mds missing places reliability report robust saving scale stability tour"
)
HOWTO = sorted(page.stem for page in (DOCS / "howto").glob("*.md"))
NOTEBOOKS = ("biologist", "data_scientist", "ecologist", "teacher")
ELSEWHERE = {  # pages whose code has a test of its own
    "comparison": "test_comparison",
    "extending": "test_extending",
    "graphs": "test_graphs",
    "importance": "test_models",
    "kernel_choice": "test_models",
    "models": "test_models",
    "multi_kernel": "test_multi_kernel",
    "networks": "test_networks",
    "rkhs": "test_rkhs_page",
}


def blocks_of(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def test_no_page_is_left_out() -> None:
    coded = {page.stem for page in DOCS.glob("*.md") if blocks_of(page)}
    assert coded == {*PAGES.split(), *ELSEWHERE}
    for name, test in ELSEWHERE.items():
        assert name in (Path(__file__).parent / f"{test}.py").read_text(encoding="utf-8")


def test_every_page_is_on_the_site() -> None:
    listed = (DOCS / "index.md").read_text(encoding="utf-8").split()
    assert {page.stem for page in DOCS.glob("*.md")} - {"index"} <= set(listed)


def test_every_how_to_guide_is_one_question_with_code() -> None:
    assert len(HOWTO) >= 10
    for name in HOWTO:
        assert "```" in (DOCS / "howto" / f"{name}.md").read_text(encoding="utf-8")


def test_notebooks_are_for_jupytext_and_on_the_site() -> None:
    pages = sorted((DOCS / "notebooks").glob("*.md"))
    assert [page.stem for page in pages] == [*NOTEBOOKS]
    for page in pages:
        assert page.read_text(encoding="utf-8").startswith("---\njupytext:")
        assert f"notebooks/{page.stem}" in (DOCS / "index.md").read_text(encoding="utf-8")
        assert len(blocks_of(page)) >= 8


@pytest.mark.parametrize(
    "page",
    [f"{page}.md" for page in PAGES.split()]
    + [f"howto/{page}.md" for page in HOWTO if page != "use_a_gpu"]
    + [f"notebooks/{page}.md" for page in NOTEBOOKS]
    + ["fr/premiers_pas.md", "fr/rapport.md"],
)
def test_the_code_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wine = gm.datasets.wine()
    for name in ("wine.csv", "data.csv"):  # files that a reader would have
        wine.data[::3].join(wine.groups).to_csv(name)
    blocks = blocks_of(DOCS / page)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    if page in ("getting_started.md", "fr/premiers_pas.md"):
        assert names["found"].n_components == 3  # as the page says
    if "stress" in names:
        assert round(names["stress"].stress_, 4) == 0.014  # as the page says
