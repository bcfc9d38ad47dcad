"""The app in a browser: open, fix, fit, slide, lasso, group, undo, export, reopen."""

import contextlib
import http.server
import io
import json
import os
import socketserver
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from tests.app.running import app_server

import gramian as gm

pytestmark = pytest.mark.slow
HOSTILE = '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script>'


def made(n=90, seed=0):
    r = np.random.default_rng(seed)
    g = r.integers(0, 3, n)
    X = 3 * r.normal(size=(3, 6))[g] + r.normal(size=(n, 6))
    frame = pd.DataFrame(X.round(4), columns=[f"v{k}" for k in range(1, 7)])
    frame.insert(0, "patient_id", r.permutation(np.arange(9000, 9000 + n)))
    return frame.assign(site=[f"site {k}" for k in g])


class Tab:
    """A page of the app, and everything that it did wrong."""

    def __init__(self, browser, client, width=1280, **options):
        self.client, self.errors, self.requests, self.seen = client, [], [], 0
        self.page = browser.new_page(viewport={"width": width, "height": 900}, **options)
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("console", self._heard)
        self.page.goto(f"http://127.0.0.1:{client.port}/#{client.server.token}")
        self.page.wait_for_selector("body[data-ready=true]")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    @property
    def session(self):
        return list(self.client.server.sessions.values())[-1]

    def drop(self, name, content):
        """Drop a file onto the page."""
        data = self.page.evaluate_handle(
            """([name, text]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], name));
            return transfer;
        }""",
            [name, content.decode()],
        )
        self.page.dispatch_event("body", "drop", {"dataTransfer": data})

    def settled(self, changes=1):
        """Wait for so many new recipes, and for the map of the latest one."""
        for _ in range(3000):
            if self.session.revision >= self.seen + changes:
                break
            self.page.wait_for_timeout(20)
        self.seen = self.session.revision
        # The revision of the screen is in the map once it is drawn.
        self.page.wait_for_selector(f"#map[data-revision='{self.seen}']", timeout=60_000)
        self.page.wait_for_selector("#status[data-busy=false]", timeout=60_000)

    def lasso(self, part=0.5):
        """Draw around the left part of the map."""
        box = self.page.locator(".gm-surface").bounding_box()
        x0, y0 = box["x"] + 55, box["y"] + 15
        x1, y1 = box["x"] + part * box["width"], box["y"] + box["height"] - 45
        mouse = self.page.mouse
        mouse.move(x0, y0)
        mouse.down()
        for x, y in [(x1, y0), (x1, y1), (x0, y1), (x0, y0 + 5)]:
            mouse.move(x, y, steps=6)
        mouse.up()
        self.page.wait_for_selector("#selection:not([hidden]) #clear")

    def export(self, what):
        with self.page.expect_download() as info:
            self.page.select_option("#export", what)
        return info.value.suggested_filename, info.value.path().read_bytes()

    def check(self):
        assert self.errors == []
        own = f"http://127.0.0.1:{self.client.port}/"
        foreign = [u for u in self.requests if not u.startswith((own, "blob:", "data:"))]
        assert foreign == []


@pytest.fixture
def client():
    with pytest.MonkeyPatch.context() as patch, app_server() as made_client:
        patch.setattr("gramian._browser.app.session.LONG_STUDY", 0.0)
        yield made_client


def test_the_whole_path(browser, client, tmp_path):
    frame = made()
    content = frame.to_csv(index=False).encode()
    tab = Tab(browser, client)
    page = tab.page
    tab.drop("patients.csv", content)
    tab.settled()
    assert page.inner_text("#name") == "patients.csv"
    # The doctor comes first; its button settles what it found.
    assert page.locator(".finding").count() >= 1
    assert page.locator("#columns .role[data-role=ignored] li").all_inner_texts() == ["patient_id"]
    page.click("[data-fix=as_number]")
    tab.settled()
    assert "patient_id" in " ".join(page.locator(".role[data-role=active] li").all_inner_texts())
    page.focus("li[data-column=patient_id]")
    page.keyboard.press("i")  # roles by keyboard
    tab.settled()
    assert tab.session.source.roles["patient_id"] == "ignored"
    page.drag_and_drop("li[data-column=v6]", ".role[data-role=supplementary]")
    tab.settled()
    assert tab.session.source.roles["v6"] == "supplementary"
    # Kernel PCA: the slider shows previews, then the exact map.
    page.select_option("#method", "kernel-pca")
    tab.settled()
    before = tab.session.revision
    page.wait_for_selector("#slider")
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    tab.settled()
    page.wait_for_selector("#map[data-previews]")
    assert tab.session.revision > before
    scale = tab.session.recipe.kernel["scale"]
    assert tab.session.study.fit.kernel_.scale == pytest.approx(scale, rel=1e-12)
    # A lasso is described; it becomes a group, and undo takes it back.
    tab.lasso()
    count = page.locator("#found li").count()
    assert count >= 1
    page.fill("#group-name", "left side")
    page.click("#make-group")
    tab.settled()
    assert "left side" in tab.session.study.subject.groups
    assert page.locator(".gm-colour option", has_text="left side").count() == 1
    page.click("#undo")
    tab.settled()
    assert tab.session.study.subject.groups.columns.tolist() == ["site"]
    page.click("#redo")
    tab.settled()
    # Clusters.
    page.focus("#clusters")
    page.keyboard.press("ArrowRight")
    tab.settled()
    page.focus("#clusters")
    page.keyboard.press("ArrowRight")
    tab.settled()
    assert tab.session.study.classes.found.n_clusters == 3
    # The code repeats the screen.
    name, code = tab.export("code")
    assert name == "patients.py"
    (tmp_path / "patients.csv").write_bytes(content)
    space, folder = {}, os.getcwd()
    os.chdir(tmp_path)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = code.split(b"study = ")[0]  # its tests resample for a minute
            exec(compile(code, "exported", "exec"), space)
    finally:
        os.chdir(folder)
    screen = tab.session.study
    assert np.abs(space["fit"].coordinates_ - screen.fit.coordinates_).max() < 1e-10
    assert (space["classes"].labels == screen.classes.found.labels).all()
    name, figure = tab.export("svg")
    assert name == "patients.svg" and b"<svg" in figure
    # The state reopens in another tab.
    with page.expect_download() as info:
        page.click("#save")
    state = info.value.path().read_bytes()
    assert info.value.suggested_filename == "patients.gramian.json"
    json.loads(state)
    tab.check()
    page.close()
    other = Tab(browser, client)
    other.drop("patients.gramian.json", state)
    other.settled()
    assert np.array_equal(other.session.study.fit.coordinates_, screen.fit.coordinates_)
    assert other.page.input_value("#clusters") == "3"
    other.check()
    other.page.close()


@pytest.mark.parametrize("method", ["pca", "kernel-pca"])
def test_new_rows_are_placed_as_by_transform(browser, client, tmp_path, method):
    tab = Tab(browser, client)
    tab.drop("x.csv", made().drop(columns="patient_id").to_csv(index=False).encode())
    tab.settled()
    if method != "pca":
        tab.page.select_option("#method", method)
        tab.settled()
    new = made(7, seed=3).drop(columns="patient_id").set_axis([f"new {k}" for k in range(7)])
    new.iloc[0, :6] *= 30.0
    new.to_csv(tmp_path / "new.csv")
    tab.page.set_input_files("#place .gm-file", tmp_path / "new.csv")
    tab.page.wait_for_function("() => document.querySelectorAll('.gm-new').length === 7")
    tab.page.wait_for_function(
        "() => document.querySelector('.gm-placed').innerText.includes('7 rows were placed')"
    )
    with tab.page.expect_download() as info:
        tab.page.click(".gm-save")
    placed = pd.read_csv(info.value.path(), index_col=0, encoding="utf-8-sig")
    space = {}
    (tmp_path / "x.csv").write_bytes(made().drop(columns="patient_id").to_csv(index=False).encode())
    _, code = tab.export("code")
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code.split(b"study = ")[0], "exported", "exec"), space)
    fit = tab.session.study.fit
    assert np.abs(space["fit"].coordinates_ - fit.coordinates_).max() < 1e-10
    columns = [name for name in new if name != "site"]
    rows = new[columns]
    if method != "pca":  # its study standardised the columns
        known = tab.session.study.subject.everything[columns]
        rows = (rows - known.mean()) / known.std(ddof=0)
    Z = fit.transform(rows)
    own = placed[[name for name in placed if name.isdecimal()]].to_numpy()
    assert np.abs(own - Z[:, : own.shape[1]]).max() <= 1e-6 * np.abs(Z).max()
    assert not placed["inside"].iloc[0] or method != "pca"
    # Another map places nothing until a file is dropped again.
    tab.page.click("#clusters-auto")
    tab.settled()
    assert tab.page.locator(".gm-new").count() == 0
    tab.check()
    tab.page.close()


def test_only_these_supplementary_and_cancel(browser, client):
    tab = Tab(browser, client)
    tab.drop("x.csv", made().to_csv(index=False).encode())
    tab.settled()
    tab.lasso()
    chosen = int(tab.page.inner_text("#selection h3").split(":")[1].split()[0])
    tab.page.click("#only")
    tab.settled()
    assert tab.session.study.subject.n == chosen
    tab.lasso(0.4)
    tab.page.click("#supplementary")
    tab.settled()
    assert tab.session.study.subject.n < chosen
    tab.page.wait_for_selector(".gm-new", state="attached")
    tab.page.click("#drawer summary")
    assert tab.page.locator("#table tbody tr").count() > 5
    tab.check()
    tab.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hostile_tables_do_nothing(browser, client, scheme):
    frame = made(40).rename(columns={"v1": HOSTILE, "site": HOSTILE + "2"})
    frame[HOSTILE + "2"] = [HOSTILE, "=1+1"] * 20
    frame.insert(0, "name", [f"{HOSTILE}{k}" for k in range(40)])
    tab = Tab(browser, client, color_scheme=scheme)
    tab.drop("x.csv", frame.to_csv(index=False).encode())
    tab.settled()
    tab.lasso()
    tab.page.fill("#group-name", HOSTILE)
    tab.page.click("#make-group")
    tab.settled()
    tab.page.click("#drawer summary")
    tab.page.hover(".gm-surface")
    assert tab.page.evaluate("() => window.stolen") is None
    assert tab.page.locator("img").count() == 0
    assert tab.page.locator("script").count() == 1
    tab.check()
    tab.page.close()


ATTACK = """async (own) => {
  const found = {};
  const image = new Image();
  found.image = await new Promise((done) => {
    [image.onload, image.onerror] = [() => done("loaded"), () => done("refused")];
    image.src = own + "/static/app/app.css";
  });
  const script = document.createElement("script");
  found.script = await new Promise((done) => {
    [script.onload, script.onerror] = [() => done("loaded"), () => done("refused")];
    script.src = own + "/static/map/payload.js";
    document.head.append(script);
  });
  for (const path of ["/", "/api/session", "/api/open?dataset=iris"]) {
    for (const mode of ["cors", "no-cors"]) {
      const method = path === "/" ? "GET" : "POST";
      const answer = await fetch(own + path, {mode, method}).catch(() => null);
      found[mode + path] = !answer ? "refused" : answer.type === "opaque" ? "opaque" : "read";
    }
  }
  const form = document.createElement("form");
  const frame = document.createElement("iframe");
  frame.name = form.target = "inside";
  [form.method, form.action] = ["post", own + "/api/session"];
  document.body.append(frame, form);
  form.submit();
  await new Promise((done) => setTimeout(done, 400));
  return found;
}"""


def test_another_site_reads_and_changes_nothing(browser, client):
    before = len(client.server.sessions)
    with socketserver.TCPServer(("127.0.0.1", 0), Quiet) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{other.server_address[1]}/")
        found = page.evaluate(ATTACK, f"http://127.0.0.1:{client.port}")
        page.close()
        other.shutdown()
    assert "read" not in found.values() and "loaded" not in found.values()
    assert len(client.server.sessions) == before
    assert client.send("GET", "/")[0] == 200


class Quiet(http.server.BaseHTTPRequestHandler):
    """Another site: an empty page."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><title>other</title><body></body>")

    def log_message(self, *parts):
        """Write nothing."""


def test_what_is_refused_is_said(browser, client):
    tab = Tab(browser, client)
    tab.drop("x.csv", b"a,b\n1,2\n")
    tab.page.wait_for_selector("#alert:not(:empty)")
    tab.drop("x.gramian.json", b"{}")
    tab.page.wait_for_function(
        "() => document.querySelector('#alert').textContent.includes('state')"
    )
    # A browser notes an answer of 422 on its console; nothing else went wrong.
    assert all("422" in text for text in tab.errors)
    tab.page.close()


def test_a_fit_that_ends_before_its_recipe_is_described(browser, client):
    tab = Tab(browser, client)
    tab.page.evaluate("""() => {
        const plain = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await plain(path, options);
            const isLate = /^.api.(open|recipe)/.test(path);
            if (isLate) await new Promise((done) => setTimeout(done, 1500));
            return answer;
        };
    }""")
    tab.drop("x.csv", made().to_csv(index=False).encode())
    tab.settled()
    tab.page.wait_for_selector("#claims :not(:empty)")
    tab.page.select_option("#method", "kernel-pca")
    tab.settled()
    assert len(tab.session.events) >= 4  # both fits had ended
    tab.check()
    tab.page.close()


def test_an_address_without_token_says_so(browser, client):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{client.port}/")
    page.wait_for_selector("#alert:not(:empty)")
    assert "token" in page.inner_text("#alert")
    page.close()


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_no_window_is_too_narrow(browser, width):
    with app_server(gm.datasets.wine(), language="fr") as client:
        tab = Tab(browser, client, width)
        tab.settled()
        page = tab.page
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        if width < 800:
            page.click("[data-tab=recipe]")
            assert page.is_visible("#method") and not page.is_visible("#map")
        assert page.inner_text("#undo") == "Annuler"
        tab.check()
        page.close()
