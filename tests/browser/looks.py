"""What a reader sees: no text over another, complete legends, counted names, contrast.

``python -m tests.browser.looks [FOLDER]`` makes the pages of ten tables in both languages, opens
them at three widths, light, dark and printed, prints every fault and leaves pictures in FOLDER.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import sync_playwright
from tests.browser.conftest import Visit, launch

import gramian as gm

WIDTHS = (1400, 768, 390)
MODES = ("light", "dark", "print")
PAPER = 718  # A4 between its margins, in CSS pixels

LOOK = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")


def faults(visit, mode):
    """Return what is wrong with a page that is open."""
    if mode == "print":
        visit.page.set_viewport_size({"width": PAPER, "height": 1040})
        visit.page.emulate_media(media="print")
        visit.settle()
        visit.page.wait_for_timeout(150)
    return [*visit.page.evaluate(LOOK), *visit.errors]


def tables():
    """Ten tables, by name, with the options of their studies."""
    rng = np.random.default_rng(0)
    factor = Path(__file__).parents[1] / "data" / "factor_methods" / "data"
    g = rng.integers(0, 20, 5_000)
    wide = pd.DataFrame((2 * rng.normal(size=(20, 12)))[g] + rng.normal(size=(5_000, 12)))
    wide = wide.add_prefix("mesure ").round(3)
    wide.insert(0, "site", [f"Station de prélèvement n° {k + 1}" for k in g])
    genes = gm.datasets.gene_expression(3_000, 6)
    digits = gm.datasets.digits()
    return {
        "numbers": (factor / "decathlon.csv", {}),
        "classes": (gm.datasets.iris(), {"clusters": 3}),
        "counts": (factor / "housetasks.csv", {"method": "ca"}),
        "categories": (factor / "poison.csv", {"method": "mca"}),
        "mixed": (factor / "wine.csv", {"method": "famd"}),
        "distances": (gm.datasets.cities(), {}),
        "genes": (genes.data.join(genes.groups), {}),
        "digits": (pd.DataFrame(np.asarray(digits.data)[:600]).add_prefix("px"), {}),
        "sites": (wide.iloc[:600], {}),
        "rows5000": (wide, {}),
    }


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    found = 0
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (data, options) in tables().items():
            study = gm.study(data, title=name, **options)
            for language in ("en", "fr"):
                path = gm.report.write(
                    study, folder / f"{name}-{language}.html", language=language, force=True
                )
                for width in WIDTHS:
                    for mode in MODES:
                        visit = Visit(browser, path, width, "dark" if mode == "dark" else "light")
                        for fault in faults(visit, mode):
                            print(f"{name} {language} {width} {mode}: {fault}", flush=True)
                            found += 1
                        if language == "en":
                            shot = folder / f"{name}-{width}-{mode}.png"
                            visit.page.screenshot(path=shot, full_page=mode != "print")
                        visit.page.close()
    print(f"{found} faults; pictures in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
