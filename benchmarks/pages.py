"""Pages of ten tables and more, looked at: no text over another, complete legends, contrast.

`python -m benchmarks.pages [--folder FOLDER] [TABLE ...]` makes the pages of the tables below in
both languages, opens them at three widths, light, dark and printed, and prints a table in Markdown
of what it found. FOLDER gets a picture of each, of the printed sheets too where `pdftoppm` is
installed. The faults that are looked for are those of `tests/browser/looks.js`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright
from tests.browser.conftest import Visit, launch
from tests.browser.looks import MODES, WIDTHS, faults, map_page

import gramian as gm

MAX_BYTES = 2_000_000  # of a page of 41 rows


def tables(folder):
    """Return tables by name, with the options of their studies."""
    rng = np.random.default_rng(0)
    factor = Path(__file__).parents[1] / "tests" / "data" / "factor_methods" / "data"
    g = rng.integers(0, 20, 5_000)
    wide = pd.DataFrame((2 * rng.normal(size=(20, 12)))[g] + rng.normal(size=(5_000, 12)))
    wide = wide.add_prefix("mesure ").round(3)
    wide.insert(0, "site", [f"Station de prélèvement n° {k + 1}" for k in g])
    genes = gm.datasets.gene_expression(3_000, 6)
    digits = gm.datasets.digits()
    return {
        "small": (_cloud(rng, 8, 3).set_axis(list("abcdefgh")), {}),
        "three": (_cloud(rng, 3, 3).set_axis(["one", "two", "three"]), {}),
        "long": (_long_names(rng), {}),
        "scale": (_numbers_as_colours(rng), {"supplementary": ["temperature (°C)", "depth (m)"]}),
        "mds": (gm.datasets.cities(), {"method": "mds"}),
        "kernel": (gm.datasets.rings(noise=0.2), {"method": "kernel-pca"}),
        "numbers": (factor / "decathlon.csv", {}),
        "classes": (gm.datasets.iris(), {"clusters": 3}),
        "counts": (factor / "housetasks.csv", {"method": "ca"}),
        "categories": (factor / "poison.csv", {"method": "mca"}),
        "mixed": (factor / "wine.csv", {"method": "famd"}),
        "distances": (gm.datasets.cities(), {}),
        "graphs": (_graphs(folder / "graphs"), {}),
        "genes": (genes.data.join(genes.groups), {}),
        "digits": (pd.DataFrame(np.asarray(digits.data)[:600]).add_prefix("px"), {}),
        "sites": (wide.iloc[:600], {}),
        "rows5000": (wide, {}),
    }


def _cloud(rng, n, p):
    return pd.DataFrame(rng.normal(size=(n, p)).round(3), columns=[f"v{j + 1}" for j in range(p)])


def _long_names(rng):
    """Rows, columns and groups whose names fill a line, and differ at their ends only."""
    n, p = 60, 8
    X = _cloud(rng, n, p).set_axis(
        [f"Concentration of dissolved organic carbon at depth {j} (mg/L)" for j in range(p)], axis=1
    )
    group = np.arange(n) % 4
    X += 2 * rng.normal(size=(4, p))[group]
    X["Administrative district of the sampling campaign"] = [
        f"Département de la Seine-Saint-Denis, commune no {k}" for k in group
    ]
    return X.set_axis([f"Observatory of the northern coastal waters, buoy {i}" for i in range(n)])


def _numbers_as_colours(rng):
    """Rows along a gradient that two further numbers follow, one with missing values."""
    t = np.sort(rng.uniform(size=200))
    X = (
        _cloud(rng, 200, 5) * 0.3
        + 2 * np.outer(t, [1, -1, 1, 0.5, 0])
        + np.outer(t**2, [0, 1, 1, 0, 2])
    )
    X["temperature (°C)"] = (4 + 20 * t + rng.normal(size=200)).round(1)
    X["depth (m)"] = np.where(rng.uniform(size=200) < 0.1, np.nan, (1e4 * t**2).round())
    return X


def _graphs(folder):
    """Write rings, complete graphs and stars, and return their folder."""
    folder.mkdir(exist_ok=True)
    for k in range(4, 14):
        for kind, graph in (
            ("ring", nx.cycle_graph),
            ("full", nx.complete_graph),
            ("hub", nx.star_graph),
        ):
            nx.write_graphml(graph(k), folder / f"{kind}_{k}.graphml")
    return folder


def many_points(folder, n=100_000):
    """Write the page of a map of so many rows alone: tests would take hours."""
    rng = np.random.default_rng(1)
    g = rng.integers(0, 8, n)
    X = pd.DataFrame((3 * rng.normal(size=(8, 6)))[g] + rng.normal(size=(n, 6))).add_prefix("v")
    table = pd.DataFrame({"group": [f"cluster {k}" for k in g]})
    return map_page(gm.PCA(2).fit(X), table, folder / f"points{n}.html")


def look_at(browser, path):
    """Return the faults of a page at all widths, and leave its pictures beside it."""
    found = {}
    for width in WIDTHS:
        for mode in MODES:
            visit = Visit(browser, path, width, "dark" if mode == "dark" else "light")
            found[width, mode] = faults(visit, mode)
            if mode != "print":
                shot = path.with_name(f"{path.stem}-{width}-{mode}.png")
                visit.page.screenshot(path=shot, full_page=True)
            visit.page.close()
    visit = Visit(browser, path, WIDTHS[0], "light")
    sheets = path.with_suffix(".pdf")
    visit.page.pdf(path=sheets, format="A4", print_background=True)
    visit.page.close()
    if tool := shutil.which("pdftoppm"):
        subprocess.run([tool, "-png", "-r", "60", sheets, sheets.with_suffix("")], check=True)
    return found


FIRST = """() => [document.querySelector(".gm-stage")?.getBoundingClientRect().top + scrollY,
  [...document.querySelectorAll("#summary > ul li")].map((n) => n.textContent.replace("◎", ""))
    .join(" ").split(/\\s+/).length]"""


def line(browser, path, light):
    """Print what was found on a page, which is to be light or not; return the number of faults."""
    found = look_at(browser, path)
    visit = Visit(browser, path, WIDTHS[0], "light")
    top, words = visit.page.evaluate(FIRST)
    visit.page.close()
    size = path.stat().st_size
    each = Counter(fault for list_ in found.values() for fault in list_)
    if light and size > MAX_BYTES:
        each["too large"] += 1
    total = sum(each.values())
    cells = [path.stem, len(found), f"{size / 1e6:.2f}", f"{top:.0f}", words, total]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    for (width, mode), list_ in found.items():
        for fault in list_:
            print(f"{path.stem} {width} {mode}: {fault}", file=sys.stderr, flush=True)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("tables", nargs="*")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    print("| page | views | MB | first map at, px | words of the summary | faults |")
    print("|---|---|---|---|---|---|", flush=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (data, settings) in tables(folder).items():
            if options.tables and name not in options.tables:
                continue
            study = gm.study(data, title=name, **settings)
            for language in ("en", "fr"):
                path = folder / f"{name}-{language}.html"
                gm.report.write(study, path, language=language, force=True)
                X = study.subject.X
                light = study.subject.n <= 41 and np.shape(X)[1:] <= (100,)
                total += line(browser, path, light)
        if not options.tables or "points" in options.tables:
            total += line(browser, many_points(folder), False)
    print(f"\n{total} faults; pictures in {folder}", file=sys.stderr)
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
