"""Make the pictures of docs/figures anew: those of the pages' own code, and the README's report.

python tools/pictures.py [NAME …]

A picture of a page is the last figure of the code block above it. `missing.svg` shows results of a
benchmark, `kernel_pca.svg` too (`benchmarks/figure.py`); they are not made here.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "agg"

from matplotlib.figure import Figure
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import launch  # noqa: E402

DOCS = ROOT / "docs"
PARTS = re.compile(r"```python\n(?P<code>.*?)```|!\[.*?\]\(figures/(?P<picture>.*?)\)", re.DOTALL)
PAGES = {
    "figures.md": {"panels.png", "digits.png"},
    "factor_methods.md": {"ca_eyes.png", "mca_answers.png"},
}
SCREEN = {"width": 1280, "height": 1180}


def last_figure(code: str, names: dict[str, Any]) -> Figure | None:
    """Run a block of a page in `names`; return the last figure it makes."""
    known, body = set(map(id, names.values())), ast.parse(code).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<page>", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names) if last else None
    made = [v for v in [*names.values(), value] if isinstance(v, Figure) and id(v) not in known]
    return made[-1] if made else None


def draw(page: str, wanted: set[str]) -> None:
    """Save the pictures of a page."""
    figure, names = None, {"__name__": "page"}
    for part in PARTS.finditer((DOCS / page).read_text(encoding="utf-8")):
        if part["code"] is not None:
            figure = last_figure(part["code"], names)
        elif part["picture"] in wanted and figure is not None:
            figure.savefig(DOCS / "figures" / part["picture"], dpi=130)


def photograph(target: Path) -> None:
    """Save the first screen of the report of the README's wines."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tools:
        code = "import gramian as gm; gm.report.write(gm.datasets.wine(), 'wine.html')"
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
        browser = launch(tools)
        page = browser.new_page(viewport=SCREEN)
        page.goto((Path(folder) / "wine.html").as_uri())
        page.wait_for_timeout(1000)
        page.screenshot(path=target)
        browser.close()


def main(names: set[str]) -> None:
    """Make the pictures named, or all."""
    for page, pictures in PAGES.items():
        wanted = pictures & names if names else pictures
        if wanted:
            with tempfile.TemporaryDirectory() as folder:
                here = Path.cwd()
                os.chdir(folder)  # pages write files
                try:
                    draw(page, wanted)
                finally:
                    os.chdir(here)
    if not names or "report.png" in names:
        photograph(DOCS / "figures" / "report.png")


if __name__ == "__main__":
    main(set(sys.argv[1:]))
