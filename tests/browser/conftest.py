"""A browser for the tests: Debian's chromium, driven by Playwright."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

CANDIDATES = ("chromium", "chromium-browser", "google-chrome")


def launch(playwright):
    """Start the browser; None where there is none."""
    path = next((found for name in CANDIDATES if (found := shutil.which(name))), None)
    # Root in a container has no sandbox to start; everybody else keeps theirs.
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    return path and playwright.chromium.launch(executable_path=path, args=args)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        made = launch(playwright)
        if made is None:
            pytest.skip("no chromium here: `apt-get install chromium` to run the browser tests")
        yield made
        made.close()


class Visit:
    """An open page and everything that it did wrong."""

    def __init__(self, browser, html: Path, width: int, scheme: str):
        self.requests, self.errors = [], []
        size = {"width": width, "height": 900}
        self.page = browser.new_page(viewport=size, color_scheme=scheme)
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.goto(html.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
        pending = ".gm-map:not([data-drawn])"
        self.page.wait_for_selector(pending, state="detached", timeout=120_000)

    def settle(self):
        """Wait until the page was drawn anew: what it hears of its medium comes with a frame."""
        for _ in range(3):  # told of the change, told of its size, drawn
            self.page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)


@pytest.fixture
def visit(browser):
    opened = []

    def go(html, width=1280, scheme="light"):
        opened.append(Visit(browser, Path(html), width, scheme))
        return opened[-1]

    yield go
    for one in opened:
        one.page.close()
