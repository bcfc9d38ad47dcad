"""The widget in a page that plays the notebook: a model with `get`, `set` and events."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.app.running import app_server

import gramian as gm

pytestmark = pytest.mark.slow
# What a notebook does with a widget: import its module, decode its traits, call `render`.
PAGE = """
async ([source, css, traits, count]) => {
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  document.adoptedStyleSheets = [style];
  document.body.replaceChildren();
  const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const state = {...traits, buffers: traits.buffers.map(bytes)};
  const listeners = new Set();
  const model = {
    get: (key) => state[key],
    set: (key, value) => { state[key] = value; listeners.forEach((hear) => hear()); },
    save_changes: () => { window.saved = [...state.rows]; },
    on: (name, hear) => listeners.add(hear),
    off: (name, hear) => listeners.delete(hear),
  };
  window.model = model;
  for (let k = 0; k < count; k++) {
    const el = document.createElement("div");
    el.className = `map-${k}`;
    document.body.append(el);
    module.default.render({model, el});
  }
}
"""


@pytest.fixture
def page(browser):
    made, errors = browser.new_page(viewport={"width": 900, "height": 1000}), []
    made.on("pageerror", lambda e: errors.append(str(e)))
    made.on("console", lambda m: m.type == "error" and errors.append(m.text))
    made.goto("about:blank")
    yield made
    assert errors == []
    made.close()


def show(page, widget, count=1):
    import base64

    traits = {
        "header": json.loads(json.dumps(widget.header)),
        "buffers": [base64.b64encode(b).decode() for b in widget.buffers],
        "options": dict(widget.options),
        "rows": list(widget.rows),
    }
    page.evaluate(PAGE, [str(widget._esm), str(widget._css), traits, count])
    page.wait_for_selector(".map-0 canvas")


def test_a_selection_goes_both_ways_between_two_maps(page):
    iris = gm.datasets.iris()
    widget = gm.widget(gm.PCA(3, scale=True).fit(iris.data), table=iris.groups, color="species")
    widget.selected = [0, 1, 2]
    show(page, widget, count=2)
    page.wait_for_timeout(300)
    page.evaluate("() => window.model.set('rows', [4, 5])")  # set in Python: both maps hear it
    page.wait_for_timeout(100)
    box = page.locator(".map-1 .gm-surface").bounding_box()
    x0, y0 = box["x"] + 55, box["y"] + 15
    x1, y1 = box["x"] + 0.45 * box["width"], box["y"] + box["height"] - 45
    page.mouse.move(x0, y0)
    page.mouse.down()
    for x, y in [(x1, y0), (x1, y1), (x0, y1), (x0, y0 + 5)]:
        page.mouse.move(x, y, steps=6)
    page.mouse.up()
    rows = page.evaluate("() => window.saved")
    assert set(rows) >= set(range(50)) - {41, 15}  # setosa lies on the left
    counts = [page.inner_text(f".map-{k} .gm-status") for k in (0, 1)]
    assert counts[0] == counts[1] and str(len(rows)) in counts[0]


def test_new_rows_are_placed_as_by_transform(page, tmp_path):
    iris = gm.datasets.iris().data
    fit = gm.PCA(3, scale=True).fit(iris)
    show(page, gm.widget(fit))
    new = 1.1 * iris.iloc[::30]
    new.to_csv(tmp_path / "new.csv")
    page.set_input_files(".map-0 .gm-file", tmp_path / "new.csv")
    page.wait_for_function("() => document.querySelectorAll('.map-0 .gm-new').length === 5")
    with page.expect_download() as info:
        page.click(".gm-save")
    placed = pd.read_csv(info.value.path(), index_col=0, encoding="utf-8-sig")
    assert np.abs(placed[["1", "2", "3"]].to_numpy() - fit.transform(new)).max() <= 1e-6


def test_the_app_and_the_widget_use_the_same_module():
    with app_server() as client:
        _, _, served = client.send("GET", "/static/map/map.js")
    widget = gm.widget(gm.PCA(2).fit(gm.datasets.iris().data))
    body = served.decode().split("export function createMap", 1)[1][:2000]
    assert body in str(widget._esm)
