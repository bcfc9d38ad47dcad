"""The pages name files that exist."""

import re

import pytest
from tests.source import ROOT, SOURCE

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES = [page for page in PAGES if page.name != "CHANGELOG.md"]
PATH = re.compile(r"[\w.]+(?:/[\w.]+)+\.(?:py|pyi|toml|j2|md)\b")
PARENTS = [ROOT, SOURCE, SOURCE / "_core", SOURCE / "_estimators", SOURCE / "_study", ROOT / "docs"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_exist(page):
    text = re.sub(r"https://[\w.]+/gramian/gramian/(?:blob/)?main/", "", page.read_text("utf-8"))
    named = set(PATH.findall(text))
    missing = {path for path in named if not any((parent / path).exists() for parent in PARENTS)}
    assert sorted(missing) == []
