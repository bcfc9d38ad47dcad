"""The report in a browser: drawn, sorted, downloaded; silent on the network; inert."""

import csv
import io
import json
import re

import numpy as np
import pytest
from PIL import Image
from tests.browser.looks import MODES, WIDTHS, faults
from tests.report.made import HOSTILE, page_of, study_of

from gramian.plots.style import clean

pytestmark = pytest.mark.slow


NAMES = ["experiment", "noise", "hostile", "cities"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    paths = {}
    for name in NAMES:
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(page_of(name), encoding="utf-8")
    return paths


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_drawn_quiet_and_no_wider_than_the_window(visit, files, name, width):
    v = visit(files[name], width)
    assert v.errors == []
    assert [url for url in v.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert v.page.evaluate("document.documentElement.scrollWidth") <= width
    figures = v.page.locator("svg.fig")
    assert figures.count() >= 3
    for k in range(figures.count()):
        assert figures.nth(k).locator("path").count() >= 1
        assert figures.nth(k).get_attribute("aria-label")
    assert v.page.locator(".gm-stage canvas").first.get_attribute("aria-label")


def pixels(v):
    """The first map as it is seen."""
    shot = Image.open(io.BytesIO(v.page.locator(".gm-stage").first.screenshot()))
    return np.asarray(shot.convert("RGB"), dtype=int)


@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_dark_screen_gets_a_dark_page_and_paper_does_not(visit, files, media):
    v = visit(files["cities"])
    v.page.emulate_media(color_scheme="dark", media=media)
    paper = v.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(26, 26, 26)" if media == "screen" else "rgb(255, 255, 255)")
    # Maps and figures follow.
    v.settle()
    v.page.wait_for_timeout(100)
    shade = pixels(v)[-3, 3]
    assert max(abs(shade - (26 if media == "screen" else 255))) <= 2
    ink = v.page.evaluate("getComputedStyle(document.querySelector('svg.fig text')).fill")
    light = sum(map(int, re.findall(r"\d+", ink))) > 3 * 128
    assert light == (media == "screen")


def drag(v, corners):
    """Draw a lasso through these shares of the first map."""
    box = v.page.locator(".gm-surface").first.bounding_box()
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    v.page.mouse.move(*at[0])
    v.page.mouse.down()
    for place in [*at[1:], at[0]]:
        v.page.mouse.move(*place, steps=3)
    v.page.mouse.up()


def test_a_lasso_is_described_in_the_page(visit, files):
    v = visit(files["experiment"])
    before = pixels(v)
    drag(v, [(0.1, 0.03), (0.5, 0.03), (0.5, 0.88), (0.1, 0.88)])
    count = int(v.page.locator(".gm-map").first.get_attribute("data-selected"))
    s = study_of("experiment")
    Z = s.fit.coordinates_
    assert 0 < count < len(Z)
    # All maps and the table of rows follow, and the answer counts its tests.
    shown = {n.get_attribute("data-selected") for n in v.page.locator(".gm-map").all()}
    assert shown == {str(count)}
    marked = v.page.locator("#tab-individuals tr.marked td:first-child").all_inner_texts()
    assert len(marked) == min(count, 12)
    words = v.page.locator("#answer").inner_text()
    assert f"{count} selected rows of {len(Z)}" in words
    assert "proves nothing" in words and "were compared" in words
    assert np.abs(pixels(v) - before).max() > 60  # what is not selected is grey
    v.page.locator("#answer > button").click()
    assert v.page.locator("#answer").is_hidden()
    assert v.errors == []


def test_colours_are_chosen_by_menu_figure_and_claim(visit, files):
    v = visit(files["experiment"])
    first = v.page.locator(".gm-map").first
    start = first.get_attribute("data-colour")
    assert start
    v.page.locator(".gm-colour").first.select_option(label="cos² on axis 1")
    assert first.get_attribute("data-colour") == "cos2-1"
    v.page.locator("svg.fig g[data-label]").first.dispatch_event("click")
    assert first.get_attribute("data-colour") != "cos2-1"
    v.page.locator("#summary details").evaluate("n => n.open = true")
    v.page.locator("#summary .show").first.click()
    assert first.get_attribute("data-colour")
    assert v.errors == []


def test_dropped_rows_are_placed_as_by_transform(visit, files, tmp_path):
    v = visit(files["experiment"])
    s = study_of("experiment")
    new = s.subject.X.iloc[:4] * 1.1
    new.iloc[0] *= 40.0
    path = tmp_path / "new.csv"
    new.to_csv(path)
    v.page.set_input_files(".gm-file", path)
    v.page.wait_for_selector(".gm-save")
    words = v.page.locator(".gm-placed").inner_text()
    assert words.startswith("4 rows were placed") and "outside, mostly by" in words
    assert v.page.locator(".gm-stage").first.locator(".gm-new").count() == 4
    with v.page.expect_download() as info:
        v.page.click(".gm-save")
    _, *rows = csv.reader(io.StringIO(info.value.path().read_text(encoding="utf-8-sig")))
    axes = v.page.locator(".gm-axes").first.locator("select").first.locator("option").count()
    Z = np.array([[float(x) for x in row[1 : 1 + axes]] for row in rows])
    assert np.abs(Z - s.fit.transform(new)[:, :axes]).max() <= 1e-6 * np.abs(Z).max()
    assert v.errors == []


def test_a_printed_page_has_every_column(visit, files):
    v = visit(files["experiment"])
    v.page.emulate_media(media="print")
    v.settle()
    v.page.wait_for_timeout(100)
    table = json.loads(v.page.locator("#table-individuals").text_content())
    heads = v.page.locator("#tab-individuals .paper th").all_inner_texts()
    assert {c["title"] for c in table["columns"]} == set(heads)
    assert v.page.locator("#tab-individuals .paper table").first.locator("tbody tr").count() == min(
        len(table["rows"]), 200
    )
    assert v.page.locator("#summary details").evaluate("n => n.open")
    wide = v.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 1280


def test_hostile_labels_stay_texts(visit, files):
    v = visit(files["hostile"])
    assert v.page.evaluate("window.stolen") is None
    assert v.page.locator("img").count() == 0
    v.page.locator(".gm-surface").first.focus()
    v.page.keyboard.press("ArrowRight")
    tip = v.page.locator(".gm-tip strong").first.text_content()
    assert tip in {clean(label) for label in study_of("hostile").subject.index}
    v.page.keyboard.press("Enter")
    assert v.page.locator(".gm-map").first.get_attribute("data-selected") == "1"
    assert v.page.evaluate("window.stolen") is None
    assert v.page.locator("h1").inner_text() == HOSTILE[0]
    assert v.errors == []


def column(v, name, k):
    cells = v.page.locator(f"#tab-{name} tbody tr td:nth-child({k})").all_inner_texts()
    return [float(text.replace("−", "-")) for text in cells]


def test_tables_sort_by_mouse_and_by_keyboard(visit, files):
    v = visit(files["experiment"])
    button = v.page.locator("#tab-individuals th:nth-child(2) button")
    button.click()
    first = column(v, "individuals", 2)
    assert first == sorted(first, reverse=True)
    largest = study_of("experiment").fit.coordinates_[:, 0].max()
    assert first[0] == pytest.approx(largest, rel=1e-3)
    head = v.page.locator("#tab-individuals th:nth-child(2)")
    assert head.get_attribute("aria-sort") == "descending"
    button.focus()
    v.page.keyboard.press("Enter")
    again = column(v, "individuals", 2)
    assert again == sorted(again) and head.get_attribute("aria-sort") == "ascending"


def test_tables_are_searched_and_unfolded(visit, files):
    v = visit(files["experiment"])
    rows = v.page.locator("#tab-variables tbody tr")
    assert rows.count() == 12
    v.page.click("#tab-variables .more")
    assert rows.count() == 60
    v.page.fill("#tab-variables input", "G0001")
    assert rows.count() == 1


def downloaded(v, name):
    with v.page.expect_download() as info:
        v.page.click(f"#tab-{name} .csv")
    assert info.value.suggested_filename == f"{name}.csv"
    text = info.value.path().read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_a_download_holds_the_whole_table(visit, files):
    s = study_of("experiment")
    head, *rows = downloaded(visit(files["experiment"]), "variables")
    assert len(rows) == s.subject.table.shape[1]
    assert [row[0] for row in rows] == [str(c) for c in s.subject.table.columns]
    r = s.fit.variables()["correlation", 1].to_numpy()
    assert [float(row[1]) for row in rows] == pytest.approx(r, rel=1e-3, abs=1e-12)
    assert len(head) == len(rows[0])


def test_a_download_holds_no_formula(visit, files):
    _, *rows = downloaded(visit(files["hostile"]), "individuals")
    labels = [row[0] for row in rows]
    assert any(label.startswith("'=1+1") for label in labels)
    assert not any(label[:1] in tuple("=+-@\t\r") for label in labels)
    assert any(float(row[1]) < 0 for row in rows)  # negative numbers stay numbers


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["experiment", "cities"])
def test_a_page_is_legible(visit, files, name, width, mode):
    """Two of the tables of `python -m tests.browser.looks`."""
    assert faults(visit(files[name], width, "dark" if mode == "dark" else "light"), mode) == []
