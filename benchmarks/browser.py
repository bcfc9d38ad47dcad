"""What a reader of the map and of the app waits for, in chromium without a GPU.

`python -m benchmarks.browser [--points 1000000]` prints three tables in Markdown. Times are
taken in the page, from the event of the reader to the change of the page that answers it.
"""

import argparse
import io
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright
from tests.browser.conftest import launch
from tests.browser.looks import map_page

import gramian as gm
from gramian._browser.map import payload

# The last time of each change that answers a reader, and of each end of a lasso.
WATCH = """
window.at = {};
const note = (name) => { window.at[name] = performance.now(); };
addEventListener("pointerup", () => note("pointerup"), true);
new MutationObserver((changes) => {
  for (const { type, target, attributeName } of changes) {
    if (type === "attributes") note(attributeName);
    else if (target.closest?.("#answer, #selection")) note("described");
  }
}).observe(document, { subtree: true, childList: true, attributes: true,
  attributeFilter: ["data-drawn", "data-selected", "data-revision", "data-previews"] });
"""


def after(page, act, name, timeout=120_000):
    """Return the milliseconds from an act in the page to the change of this name."""
    start = page.evaluate(
        f"() => {{ const now = performance.now(); delete window.at['{name}']; {act}; return now; }}"
    )
    page.wait_for_function(f"() => window.at['{name}']", timeout=timeout)
    return page.evaluate(f"window.at['{name}']") - start


def draw_lasso(page, part=0.5, released=lambda: None):
    """Draw around the left part of the map."""
    page.locator(".gm-surface").first.scroll_into_view_if_needed()
    box = page.locator(".gm-surface").first.bounding_box()
    x0, y0 = box["x"] + 55, box["y"] + 15
    x1, y1 = box["x"] + part * box["width"], box["y"] + box["height"] - 45
    page.mouse.move(x0, y0)
    page.mouse.down()
    for x, y in [(x1, y0), (x1, y1), (x0, y1), (x0, y0 + 5)]:
        page.mouse.move(x, y, steps=8)
    released()
    page.mouse.up()


def lasso(page, name, part=0.5):
    """Return the milliseconds from the end of a lasso to the change of this name."""
    draw_lasso(page, part, lambda: page.evaluate(f"() => {{ delete window.at['{name}']; }}"))
    page.wait_for_function(f"() => window.at['{name}']", timeout=120_000)
    return page.evaluate(f"window.at['{name}'] - window.at['pointerup']")


def key(name, shift=False):
    """Return what presses a key on the map."""
    options = json.dumps({"key": name, "shiftKey": shift, "bubbles": True})
    surface = "document.querySelector('.gm-surface')"
    return f"{surface}.dispatchEvent(new KeyboardEvent('keydown', {options}))"


def resident():
    """Return the memory of the largest page of any chromium here, in bytes."""
    sizes = [0]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                status = (process / "status").read_text()
                sizes.append(1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1]))
        except OSError:
            continue
    return max(sizes)


def points(browser, n, folder):
    """Yield what is measured on the map of so many points, and its figure."""
    rng = np.random.default_rng(1)
    g = rng.integers(0, 8, n)
    fit = gm.read_map((3 * rng.normal(size=(8, 2)))[g] + rng.normal(size=(n, 2)))
    table = pd.DataFrame({"group": [f"cluster {k}" for k in g]})
    yield "sent, MB", len(payload(fit, table=table).as_bytes()) / 1e6
    path = map_page(fit, table, folder / "points.html")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(WATCH)
    page.goto("about:blank")
    empty = resident()
    page.goto(path.as_uri())
    page.wait_for_selector(".gm-map[data-drawn]", timeout=120_000)
    yield "page opened → first picture, ms", page.evaluate("window.at['data-drawn']")
    moves = [key("+"), key("+"), key("ArrowLeft", True), key("-"), key("ArrowUp", True), key("-")]
    frames = [after(page, moves[k % len(moves)], "data-drawn") for k in range(48)]
    yield "frame while panning and zooming, median, ms", statistics.median(frames)
    yield "… 95th percentile, ms", float(np.percentile(frames, 95))
    after(page, key("0"), "data-drawn")  # all points are in view again
    selects = [lasso(page, "data-selected", part) for part in (0.5, 0.6, 0.7)]
    yield "lasso → selected, median of 3, ms", statistics.median(selects)
    described = [lasso(page, "described", part) for part in (0.5, 0.6, 0.7)]
    yield "lasso → described in the page, median of 3, ms", statistics.median(described)
    yield "memory of the page, MB (an empty one less)", (resident() - empty) / 1e6
    page.close()


DROP = """([name, text]) => { const transfer = new DataTransfer();
  transfer.items.add(new File([text], name)); return transfer; }"""
SLIDE = """(() => {{ const s = document.getElementById("slider"); s.value = String({});
  s.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()"""


def table_of(n, p):
    """Return a table of three groups, as the text of a CSV file."""
    rng = np.random.default_rng(0)
    g = rng.integers(0, 3, n)
    X = pd.DataFrame((3 * rng.normal(size=(3, p)))[g] + rng.normal(size=(n, p))).add_prefix("v")
    return X.round(4).assign(site=[f"site {k}" for k in g]).to_csv(index=False)


def app(browser, n, p):
    """Yield what is measured in the app with a table of this size."""
    started = time.perf_counter()
    command = [sys.executable, "-u", "-m", "gramian", "app", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = next(found for line in server.stdout if (found := re.search(r"http://\S+", line)))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(WATCH)
        page.goto(address[0])
        page.wait_for_selector("body[data-ready=true]")
        yield "command → page that can be used, ms", 1e3 * (time.perf_counter() - started)
        page.wait_for_timeout(3_000)
        page.evaluate("() => { delete window.at['data-revision']; }")
        data = page.evaluate_handle(DROP, ["x.csv", table_of(n, p)])
        start = page.evaluate("performance.now()")
        page.dispatch_event("body", "drop", {"dataTransfer": data})
        page.wait_for_function("() => window.at['data-revision']", timeout=120_000)
        yield "file dropped → first map, ms", page.evaluate("window.at['data-revision']") - start
        scale = "document.getElementById('scale').click()"
        page.wait_for_selector("#scale")
        times = []
        for _ in range(5):
            page.wait_for_timeout(500)
            times.append(after(page, scale, "data-revision"))
        yield "scaling changed → new map, median of 5, ms", statistics.median(times)
        times = [lasso(page, "described", part) for part in (0.4, 0.45, 0.5, 0.55, 0.6)]
        yield "lasso → what is particular, median of 5, ms", statistics.median(times)
        page.select_option("#method", "kernel-pca")
        page.wait_for_selector("#slider", timeout=120_000)
        page.wait_for_selector("#status[data-busy=false]", timeout=120_000)
        page.wait_for_timeout(3_000)
        moves = [after(page, SLIDE.format((k % 24 - 12) / 2), "data-previews") for k in range(50)]
        yield "slider → preview, median of 50, ms", statistics.median(moves)
        yield "… 95th percentile, ms", float(np.percentile(moves, 95))
        page.close()
    finally:
        server.terminate()
        server.wait(20)


def preview_errors(n, p, moves=13):
    """Yield how far previews are from exact maps along the slider, after rotation alone."""
    text = io.StringIO(table_of(n, p))
    X = pd.read_csv(text).filter(like="v")
    Z = ((X - X.mean()) / X.std(ddof=0)).to_numpy()
    preview = gm.KernelPCA(2, random_state=0).preview(Z)
    usual = gm.KernelPCA(2).fit(Z).kernel_.scale
    errors = []
    for k in np.linspace(-6, 5.5, moves):
        kernel = gm.kernels.Gaussian(usual * 2 ** (k / 4))
        exact = gm.KernelPCA(2, kernel=kernel).fit(Z).coordinates_
        found = gm.stability.procrustes(exact, preview(kernel), scale=False)
        errors.append(np.sqrt(found.statistic / ((exact - exact.mean(axis=0)) ** 2).sum()))
    yield f"preview → exact map, largest distance of {moves} scales, %", 100 * max(errors)
    yield "… median, %", 100 * statistics.median(errors)


def protocol(browser, folder):
    """Yield the seconds of each step of "Three minutes" in docs/app.md."""
    path = folder / "genes.csv"
    command = [sys.executable, "-m", "gramian", "datasets", "gene_expression", "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    command = [sys.executable, "-u", "-m", "gramian", "app", str(path), "--no-browser"]
    start = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = next(found for line in server.stdout if (found := re.search(r"http://\S+", line)))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address[0])
        page.wait_for_selector("#map[data-revision] .gm-map[data-drawn]", timeout=120_000)
        yield "command → map", time.perf_counter() - start
        named = "/temperature[^]*co2/.test(document.querySelector('#claims').textContent)"
        page.wait_for_function(f"() => {named}", timeout=120_000)
        yield "… → sentences that name both groups", time.perf_counter() - start
        page.select_option(".gm-colour", label="co2")
        page.locator(".gm-axes select").first.select_option("2")
        page.locator(".gm-axes select").last.select_option("3")
        page.locator(".gm-axes select").first.select_option("1")
        page.locator(".gm-axes select").last.select_option("2")
        page.wait_for_timeout(600)
        draw_lasso(page)
        page.wait_for_selector("#found li")
        yield "… → genes of a cloud", time.perf_counter() - start
        before = page.locator(".gm-colour option").count()
        page.fill("#group-name", "left")
        page.click("#make-group")
        page.wait_for_function(
            f"() => document.querySelectorAll('.gm-colour option').length > {before}"
        )
        page.click("#undo")
        page.wait_for_function(
            f"() => document.querySelectorAll('.gm-colour option').length === {before}"
        )
        with page.expect_download() as info:
            page.select_option("#export", "svg")
        assert b"<svg" in info.value.path().read_bytes()
        with page.expect_download() as info:
            page.click("#save")
        assert info.value.suggested_filename == "genes.gramian.json"
        yield "… → figure and state file saved", time.perf_counter() - start
        page.close()
    finally:
        server.terminate()
        server.wait(20)


def rows(*columns):
    """Print measurements that have the same names, one column each."""
    for lines in zip(*columns, strict=True):
        cells = [f"{value:.1f}" if value < 10 else f"{value:.0f}" for _, value in lines]
        print(f"| {lines[0][0]} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    n = parser.parse_args().points
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launch(playwright)
        print(f"| map | {n:,} points |\n|---|---|")
        rows(list(points(browser, n, Path(folder))))
        print("\n| app | 150 × 4 | 5,000 × 20 |\n|---|---|---|")
        rows(*(list(app(browser, *size)) for size in ((150, 4), (5_000, 20))))
        rows(*(list(preview_errors(*size)) for size in ((150, 4), (5_000, 20))))
        print("\n| protocol of docs/app.md, step by step | seconds |\n|---|---|")
        rows(list(protocol(browser, Path(folder))))


if __name__ == "__main__":
    main()
