"""The page: one file, inert whatever the labels say, the same for the same seed."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import jinja2
import pytest
from tests.report.made import HOSTILE, hostile_table, normal, page_of

import gramian as gm
from gramian._study.language import LANGUAGES, texts
from gramian.plots.style import clean
from gramian.report.page import SECTIONS, page
from gramian.report.say import json_in_html
from gramian.studies import study

pytestmark = pytest.mark.slow


RUN = {"", "text/javascript", "module"}


class Tags(HTMLParser):
    """Every tag with its attributes, and the texts of scripts."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self._open = [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self._open = dict(attrs)
            self.scripts.append([self._open, ""])

    def handle_endtag(self, tag):
        self._open = None if tag == "script" else self._open

    def handle_data(self, data):
        if self._open is not None:
            self.scripts[-1][1] += data


def test_only_our_own_script_can_run():
    found = Tags(page_of("hostile"))
    policy = next(a["content"] for t, a in found.tags if a.get("http-equiv"))
    run = [text for attrs, text in found.scripts if attrs.get("type", "") in RUN]
    assert len(run) == 1
    for text in run:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]


def test_hostile_labels_make_no_tag_and_no_handler():
    plain, hostile = Tags(page_of("iris")), Tags(page_of("hostile"))
    kinds = {tag for tag, _ in plain.tags} | {"li", "ul", "article"}
    assert {tag for tag, _ in hostile.tags} <= kinds
    handlers = [a for _, attrs in hostile.tags for a in attrs if a.startswith("on")]
    assert handlers == []
    assert "49" not in re.findall(r"<bdi>([^<]*)</bdi>", page_of("hostile"))


def test_nothing_is_fetched():
    found = Tags(page_of("experiment"))
    for tag, attrs in found.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img", "form")
        assert "src" not in attrs
        assert attrs.get("href", "#").startswith("#")
    ours = re.sub(r"<script\b.*?</script>", "", page_of("experiment"), flags=re.S)
    assert not re.search(r"https?:|@import|url\(", ours)


def test_tables_hold_the_numbers_and_labels_of_the_fit():
    X = hostile_table()
    s = study(X)
    found = Tags(page(s, "en"))
    island = {a["id"]: json.loads(t) for a, t in found.scripts if "json" in a.get("type", "")}
    table = island["table-individuals"]
    assert [row[0] for row in table["rows"]] == [clean(k) for k in s.subject.index]
    first = [row[1] for row in table["rows"]]
    assert first == pytest.approx(s.fit.coordinates_[:, 0], rel=1e-3)
    shares = [row[3] for row in table["rows"]]
    assert sum(shares) == pytest.approx(100, abs=0.1)


def test_json_cannot_leave_its_element():
    text = str(json_in_html({"a": [*HOSTILE, "\u2028"]}))
    assert "<" not in text and ">" not in text and "\u2028" not in text
    assert json.loads(text) == {"a": [*HOSTILE, "\u2028"]}


def test_the_same_data_and_seed_give_the_same_file(tmp_path):
    X = normal(20, 4)
    a, b, c = (
        gm.report.write(X, tmp_path / name, seed=seed).read_bytes()
        for name, seed in (("a.html", 1), ("b.html", 1), ("c.html", 2))
    )
    assert a == b != c


def test_a_file_is_replaced_only_when_asked(tmp_path):
    target = tmp_path / "r.html"
    target.write_text("mine")
    with pytest.raises(gm.errors.InputError, match="force=True"):
        gm.report.write(normal(10, 3), target)
    assert target.read_text() == "mine"
    assert gm.report.write(normal(10, 3), target, force=True) == target
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(gm.errors.InputError, match="no folder"):
        gm.report.write(normal(10, 3), tmp_path / "none" / "r.html")


def test_a_large_table_makes_a_page_of_bounded_size():
    X = normal(6_000, 4)
    X["v1"] += X["v0"]
    html = page(study(X), "en")
    assert len(html) < 2_000_000
    assert json.loads(re.search(r'id="map-data">(.*?)</script>', html).group(1))["n"] == 6_000
    figure = re.search(r'id="fig-beside-kernel">(.*?)</figure>', html, flags=re.S).group(1)
    assert figure.count("a") > 2_000 and len(figure) < 400_000  # a random part of the rows


def test_a_page_of_41_rows_is_small_and_holds_no_other_library():
    html = page_of("iris")
    assert len(html.encode()) < 500_000 and "plotly" not in html.lower().split("versions")[0]


def test_the_summary_of_the_first_screen_is_short():
    for name in ("iris", "experiment", "rings"):
        summary = re.search(r'<section id="summary".*?</section>', page_of(name), flags=re.S)[0]
        shown = re.sub(r"<details>.*?</details>", "", summary, flags=re.S)
        assert 1 <= shown.count("<li>") <= 3
        assert len(re.sub(r"<[^>]*>", " ", shown).split()) <= 125
    order = re.findall(r'<section id="(\w+)"', page_of("iris"))
    assert order[:2] == ["summary", "maps"]


def order_of(html):
    """Return the ids of the table of contents and of the sections of the page."""
    contents = re.search(r"<nav.*?</nav>", html, flags=re.S)[0]
    return re.findall(r'href="#(\w+)"', contents), re.findall(r'<section id="(\w+)"', html)


def test_contents_and_sections_are_in_one_order():
    X = normal(40, 5)
    X.iloc[:20] += 4.0
    X["site"] = ["north"] * 20 + ["south"] * 20
    contents, sections = order_of(page(gm.study(X, clusters=2), "en"))
    assert contents == sections
    assert {"groups", "classes", "doctor", "tables", "code"} <= set(sections)
    assert sections.index("groups") < sections.index("classes")


def test_a_section_is_a_block_of_the_template_and_a_heading():
    """The page and its contents loop over one list, whose names are blocks and headings."""
    blocks = jinja2.Environment(loader=jinja2.PackageLoader("gramian.report", "templates"))
    assert set(blocks.get_template("report.html.j2").blocks) == set(SECTIONS)
    assert all(f"h.{name}" in texts(language) for name in SECTIONS for language in LANGUAGES)


def test_every_section_of_a_page_has_its_heading():
    for name in ("iris", "cities", "noise"):
        html = page_of(name)
        contents, sections = order_of(html)
        assert contents == sections
        assert len(re.findall("<h2>", html)) == len(sections)
