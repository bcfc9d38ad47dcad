"""The examples of docs/rkhs.md run and give what they show."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rkhs.md"


@pytest.mark.slow
def test_examples():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 25 and found.failed == 0
