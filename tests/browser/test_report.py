"""The report in a browser: drawn, sorted, downloaded; silent on the network; inert."""

import csv
import io

import pytest
from PIL import Image
from tests.report.made import HOSTILE, page_of, study_of

from gramian.plots.text import clean

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
    plots = v.page.locator(".plot")
    assert plots.count() >= 4
    for k in range(plots.count()):
        assert plots.nth(k).locator("svg.main-svg").count() >= 1
        assert plots.nth(k).locator("svg .trace").count() >= 1
        assert plots.nth(k).get_attribute("aria-label")


@pytest.mark.parametrize("media", ["screen", "print"])
def test_a_dark_screen_gets_a_dark_page_and_paper_does_not(visit, files, media):
    v = visit(files["cities"])
    v.page.emulate_media(color_scheme="dark", media=media)
    paper = v.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(26, 26, 26)" if media == "screen" else "rgb(255, 255, 255)")
    # Figures follow: what was white in them is the colour of the page.
    shot = Image.open(io.BytesIO(v.page.locator(".plot svg.main-svg").first.screenshot()))
    shade = shot.convert("RGB").getpixel((1, shot.height - 2))
    assert max(abs(c - (26 if media == "screen" else 255)) for c in shade) <= 2


def test_the_map_shows_every_row(visit, files):
    v = visit(files["experiment"])
    points = v.page.locator("#fig-rows-1-2 svg .scatterlayer path.point")
    assert points.count() >= len(study_of("experiment").subject.index)


def test_hostile_labels_stay_texts(visit, files):
    v = visit(files["hostile"])
    assert v.page.evaluate("window.stolen") is None
    assert v.page.locator("img").count() == 0
    v.page.hover("#fig-rows-1-2 svg .scatterlayer path.point >> nth=0", force=True)
    told = v.page.locator("#fig-rows-1-2 .hoverlayer .hovertext").first
    assert told.text_content().startswith(clean(HOSTILE[0])[:20])
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


def test_a_narrow_window_keeps_figures_inside_and_texts_apart(visit, files):
    v = visit(files["experiment"], 390)
    boxes = v.page.evaluate(
        """[...document.querySelectorAll('#fig-rows-1-2 .annotation')]
        .filter(n => n.style.visibility !== 'hidden')
        .map(n => (n.querySelector('.annotation-text-g') || n).getBoundingClientRect())
        .map(b => [b.left, b.top, b.right, b.bottom])"""
    )
    assert len(boxes) >= 4
    assert all(box[0] >= -1 and box[2] <= 391 for box in boxes)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] + 2 or b[3] <= a[1] + 2
            assert apart


def test_a_figure_that_is_made_narrower_has_one_legend(visit, files):
    v = visit(files["experiment"], 390)
    found = v.page.evaluate(
        """[...document.querySelectorAll('.plot')].map(n => ({
          columns: Object.keys(n._fullLayout).filter(k => /^legend\\d+$/.test(k)).length,
          shown: n.querySelectorAll('.legend').length,
        }))"""
    )
    assert any(one["shown"] for one in found)
    assert all(one["columns"] == 0 and one["shown"] <= 1 for one in found)
