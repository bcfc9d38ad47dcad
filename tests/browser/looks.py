"""What a reader sees: no text over another, complete legends, counted names, contrast.

`python -m benchmarks.pages` looks at more tables.
"""

import json
from pathlib import Path

from gramian._browser.map import bundle, payload, stylesheet

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
    outside = [url for url in visit.requests if not url.startswith(("file:", "data:", "blob:"))]
    return [*visit.page.evaluate(LOOK), *visit.errors, *(f"asks for {url}" for url in outside)]


def map_page(fit, table, path):
    """Write a page that holds the map of a fit, and nothing else of a report."""
    sent = payload(fit, table=table, title="points").as_json()
    path.write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>points</title>'
        f"<style>{stylesheet()} body {{ background: var(--gm-paper); }}</style>"
        '<div data-axes="1,2"></div><div id="answer" class="answer" hidden></div>'
        '<script type="application/json" id="texts">{}</script>'
        f'<script type="application/json" id="map-data">{json.dumps(sent)}</script>'
        f'<script type="module">{bundle("report.js")}</script>',
        encoding="utf-8",
    )
    return path
