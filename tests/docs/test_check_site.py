"""The check of a built site finds what is wrong with it."""

import runpy
from pathlib import Path

import pytest
from tests.source import ROOT

problems = runpy.run_path(str(ROOT / "tools" / "check_site.py"))["problems"]


def site(folder: Path, **pages: str) -> Path:
    """Write a small site that is right, with some pages replaced or added."""
    right = {
        "index.html": '<a href="other.html#top">x</a><img src="_images/a.png">',
        "other.html": '<h1 id="top">x</h1><link rel="canonical" href="https://example.org">',
        "gallery/g/one.html": '<img srcset="../../_images/a.png, ../../_images/a.png 2x">',
        "_static/site.css": "a { background: url(../_images/a.png) }",
        "_images/a.png": "pixels",
    }
    for name, text in (right | pages).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_site_that_is_right_passes(tmp_path):
    assert problems(site(tmp_path)) == []


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("other.html", '<h1 id="end">x</h1>', "no such anchor: other.html#top"),
        ("third.html", '<a href="gone.html">x</a>', "no such file: gone.html"),
        ("third.html", '<a href="#here">x</a>', "no such anchor: #here"),
        ("third.html", '<script src="https://example.org/a.js"></script>', "loads https"),
        ("third.html", '<link rel="stylesheet" href="//example.org/a.css">', "loads //"),
        ("third.html", '<img src="gone.png">', "no such file: gone.png"),
        ("third.html", '<img srcset="gone.png 2x">', "no such file: gone.png"),
        ("_images/a.png", "", "an empty file"),
        ("_static/site.css", "@import 'https://example.org/a.css'", "loads https"),
        ("_static/site.css", "a { background: url('gone.png') }", "no such file: gone.png"),
        ("gallery/g/one.html", "<p>no picture</p>", "an example without a figure"),
    ],
)
def test_what_is_wrong_is_found(tmp_path, name, text, words):
    found = problems(site(tmp_path, **{name: text}))
    assert found and all(words in line for line in found)


def test_a_site_that_was_not_built_is_found(tmp_path):
    assert "not built" in problems(tmp_path)[0]
