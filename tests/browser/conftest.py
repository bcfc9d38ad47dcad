"""A browser for the tests: Debian's chromium, driven by Playwright."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

CANDIDATES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    path = next((found for name in CANDIDATES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no chromium here: `apt-get install chromium` to run the browser tests")
    # Root in a container has no sandbox to start; everybody else keeps theirs.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=args)
        yield made
        made.close()


class Visit:
    """An open page and everything that it did wrong."""

    def __init__(self, browser, html: Path, width: int):
        self.requests, self.errors = [], []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.goto(html.as_uri())
        drawn = "[...document.querySelectorAll('.plot')].every(n => n.dataset.drawn)"
        self.page.wait_for_function(drawn, timeout=120_000)

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)


@pytest.fixture
def visit(browser):
    opened = []

    def go(html, width=1280):
        opened.append(Visit(browser, Path(html), width))
        return opened[-1]

    yield go
    for one in opened:
        one.page.close()
