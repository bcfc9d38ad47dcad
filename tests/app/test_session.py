"""A session: open, fix, fit, preview, describe, group, undo, export; what it exports repeats it."""

import contextlib
import csv
import io
import json
import os
import warnings

import numpy as np
import pandas as pd
import pytest
from tests.app.running import app_server

import gramian as gm
from gramian._browser.app.exports import open_state
from gramian._browser.app.recipe import Recipe
from gramian._browser.app.session import Data, Session, estimate
from gramian._browser.app.worker import Cancelled, Workers
from gramian.errors import InputError

RNG = np.random.default_rng(0)
HOSTILE = '<img src=x onerror="window.stolen=1">'


def table(n=60):
    g = RNG.integers(0, 3, n)
    X = 3 * RNG.normal(size=(3, 5))[g] + RNG.normal(size=(n, 5))
    frame = pd.DataFrame(X.round(4), columns=[f"v{k}" for k in range(1, 6)])
    frame.insert(0, "patient_id", RNG.permutation(np.arange(9000, 9000 + n)))
    return frame.assign(site=[f"site {k}" for k in g])


FRAME = table()
CSV = FRAME.to_csv(index=False).encode()


@pytest.fixture(scope="module")
def client():
    with pytest.MonkeyPatch.context() as patch, app_server() as made:
        patch.setattr(
            "gramian._browser.app.session.LONG_STUDY", 0.0
        )  # tests are run when asked for
        yield made


@pytest.fixture
def opened(client):
    client.start()
    client.description = client.upload("my data.csv".replace(" ", "%20"), CSV)
    client.wait("exact")
    return client


def act(client, action, **values):
    answer = client.json("/api/recipe", {"action": action, **values})
    client.wait("exact")
    return answer


def export(client, what, **values):
    body = json.dumps({"what": what, **values}).encode()
    status, headers, content = client.send("POST", "/api/export", body)
    assert status == 200, content
    return headers["content-disposition"], content


def run(code, folder):
    """Return what a script defines, run in a folder."""
    space, before = {}, os.getcwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # distances that are not Euclidean
            exec(compile(code, "exported", "exec"), space)
    finally:
        os.chdir(before)
    return space


@pytest.mark.slow
def test_findings_come_with_buttons_that_settle_them(opened):
    found = [f for f in opened.description["findings"] if f["column"] == "patient_id"]
    assert [fix["name"] for fix in found[0]["fixes"]] == ["as_number"]
    assert "patient_id" in found[0]["fixes"][0]["label"]
    fix = {key: found[0]["fixes"][0][key] for key in ("name", "value")}
    after = act(opened, "fix", value=fix)
    assert after["recipe"]["read"] == {"as_number": ["patient_id"]}
    roles = {c["name"]: c["role"] for c in after["columns"]}
    assert roles["patient_id"] == "active"
    assert not [f for f in after["findings"] if f["column"] == "patient_id"]


@pytest.mark.parametrize("role", ["supplementary", "group", "ignored", "active"])
@pytest.mark.parametrize("column", ["v2", "site", "patient_id"])
def test_a_column_takes_the_role_it_is_given(role, column):
    if (column, role) == ("site", "active") or (column, role) == ("site", "supplementary"):
        pytest.skip("texts are no numbers")
    source = gm.io.read(io.StringIO(CSV.decode()))
    recipe = Recipe().with_role(column, role, source)
    again = gm.io.read(io.StringIO(CSV.decode()), **recipe.read)
    assert again.roles[column] == role
    others = {name: own for name, own in source.roles.items() if name != column}
    assert {name: again.roles[name] for name in others} == others


@pytest.mark.slow
def test_roles_can_be_changed_one_after_another():
    source = gm.io.read(io.StringIO(CSV.decode()))
    recipe = Recipe()
    for column, role in [("v1", "ignored"), ("v2", "supplementary"), ("v1", "active")]:
        recipe = recipe.with_role(column, role, source)
        source = gm.io.read(io.StringIO(CSV.decode()), **recipe.read)
    assert source.roles["v1"] == "active" and source.roles["v2"] == "supplementary"
    assert source.columns("active") == ["v1", "v3", "v4", "v5"]


@pytest.mark.slow
def test_the_map_is_that_of_the_library(opened):
    exact = gm.study(io.StringIO(CSV.decode())).fit.coordinates_
    assert np.abs(opened.own.study.fit.coordinates_ - exact).max() < 1e-12
    status, _, body = opened.send("GET", "/api/map")
    assert status == 200
    size = int.from_bytes(body[:4], "little")
    assert json.loads(body[4 : 4 + size])["n"] == 60


@pytest.mark.slow
def test_claims_are_those_of_a_study(opened):
    opened.json("/api/test", {})
    opened.wait("tested")
    said = [c["text"] for c in opened.json("/api/reading?axes=1,2")["claims"]]
    assert said == [c.text for c in gm.study(io.StringIO(CSV.decode())).claims]


@pytest.mark.slow
def test_a_preview_is_near_the_exact_map(opened):
    act(opened, "set", value={"method": "kernel-pca"})
    usual = opened.json("/api/reading?axes=1,2")["usual_scale"]
    X = (FRAME.filter(like="v") - FRAME.filter(like="v").mean()) / FRAME.filter(like="v").std(
        ddof=0
    )
    assert usual == pytest.approx(gm.KernelPCA(2).fit(X).kernel_.scale, rel=1e-9)
    spec = {"name": "gaussian", "scale": 1.7 * usual}
    body = json.dumps({"kernel": spec}).encode()
    status, _, quick = opened.send("POST", "/api/preview", body)
    assert status == 200
    act(opened, "set", value={"kernel": spec})
    exact = np.asarray(opened.own.study.fit.coordinates_)[:, :2]
    quick = np.frombuffer(quick, "<f4").reshape(-1, 2)
    fit = gm.stability.procrustes(exact, quick, symmetric=True)
    assert fit.statistic < 1e-4


@pytest.mark.slow
def test_a_selection_is_described_by_what_was_planted(opened):
    rows = np.flatnonzero(FRAME["v1"] > FRAME["v1"].quantile(0.7)).tolist()
    answer = opened.json("/api/select", {"rows": rows})
    assert answer["rows"] == len(rows) and answer["of"] == 60
    assert answer["tests"] == 5 + 3  # numbers and categories; the ignored id is left out
    named = {found["variable"] for found in answer["found"]}
    assert "v1" in named and "patient_id" not in named
    first = next(found for found in answer["found"] if found["variable"] == "v1")
    assert first["mean"] == pytest.approx(FRAME["v1"].iloc[rows].mean())
    assert first["v_test"] > 3


@pytest.mark.slow
def test_random_rows_are_seldom_described(opened):
    """One draw in twenty may name something; that of 100 draws, within three deviations."""
    rng, named = np.random.default_rng(1), 0
    for _ in range(100):
        rows = rng.choice(60, 15, replace=False).tolist()
        named += bool(opened.own.selection(rows)["found"])
    assert named <= 100 * 0.05 + 3 * np.sqrt(100 * 0.05 * 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [[], None, "all", [-1], [60], [1.5], [True], [[1]], {"0": 1}])
def test_rows_that_are_none_are_refused(opened, rows):
    body = json.dumps({"rows": rows}).encode()
    assert opened.send("POST", "/api/select", body)[0] == 422


@pytest.mark.slow
def test_a_selection_becomes_a_group_and_undo_takes_it_back(opened):
    before = opened.own.recipe
    act(opened, "group", rows=[0, 4, 7], name="mine")
    groups = opened.own.study.subject.groups["mine"]
    assert list(np.flatnonzero(groups == "mine")) == [0, 4, 7]
    after = act(opened, "undo")
    assert opened.own.recipe == before and after["redo"] and not after["undo"]
    act(opened, "redo")
    assert "mine" in opened.own.study.subject.groups


@pytest.mark.slow
def test_only_these_and_supplementary_rows(opened):
    act(opened, "supplementary", rows=[1, 2])
    assert opened.own.study.subject.n == 58
    placed = opened.json("/api/reading?axes=1,2")["placed"]
    assert [point["label"] for point in placed] == ["2", "3"]
    act(opened, "only", rows=list(range(20)))
    assert opened.own.study.subject.n == 20
    act(opened, "undo")
    act(opened, "undo")
    assert opened.own.study.subject.n == 60


CHANGES = {
    "as read": [],
    "classes": [("set", {"value": {"clusters": 3}})],
    "kernel": [
        ("set", {"value": {"method": "kernel-pca"}}),
        ("set", {"value": {"kernel": {"name": "gaussian", "scale": 2.345678}}}),
    ],
    "distances": [("set", {"value": {"method": "classical-mds", "metric": "cityblock"}})],
    "roles": [
        ("role", {"value": {"column": "v5", "role": "supplementary"}}),
        ("set", {"value": {"scale": False}}),
    ],
    "rows": [
        ("group", {"rows": [0, 5, 9], "name": "mine"}),
        ("only", {"rows": list(range(40))}),
        ("supplementary", {"rows": [3, 8]}),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_exported_code_repeats_the_screen(opened, tmp_path, name):
    for action, values in CHANGES[name]:
        act(opened, action, **values)
    (tmp_path / "my data.csv").write_bytes(CSV)
    disposition, code = export(opened, "code")
    assert "my%20data.py" in disposition
    space = run(code, tmp_path)
    screen = opened.own.study
    assert np.abs(space["fit"].coordinates_ - screen.fit.coordinates_).max() < 1e-10
    if name == "classes":
        assert (space["classes"].labels == screen.classes.found.labels).all()
    if name == "rows":
        assert list(space["source"].groups()["mine"].value_counts().sort_index()) == [3, 37]


@pytest.mark.slow
def test_a_state_reopens_elsewhere(opened, tmp_path):
    act(opened, "set", value={"method": "kernel-pca"})
    act(opened, "group", rows=[0, 4, 7], name="mine")
    view = {"axes": [1, 2], "colour": "mine"}
    before = opened.own.study.fit.coordinates_
    _, state = export(opened, "state", view=view, rows=[2, 3])
    opened.start()
    status, _, body = opened.send("POST", "/api/state", state)
    assert status == 200, body
    opened.wait("exact")
    again = json.loads(body)
    assert again["selected"] == ["3", "4"] and again["view"] == view
    assert np.abs(opened.own.study.fit.coordinates_ - before).max() < 1e-10
    assert "mine" in opened.own.study.subject.groups


@pytest.mark.slow
def test_the_table_carries_the_selection(opened):
    act(opened, "set", value={"clusters": 2})
    _, content = export(opened, "table", rows=[1, 5])
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    assert len(rows) == 60 and head[-2:] == ["class", "selected"]
    assert [k for k, row in enumerate(rows) if row[-1] == "1"] == [1, 5]
    axis = np.array([float(row[head.index("axis 1")]) for row in rows])
    assert np.allclose(axis, opened.own.study.fit.coordinates_[:, 0], rtol=1e-12)


@pytest.mark.slow
def test_the_model_is_a_model(opened, tmp_path):
    _, content = export(opened, "model")
    (tmp_path / "m.gramian").write_bytes(content)
    again = gm.load(tmp_path / "m.gramian")
    assert np.array_equal(again.coordinates_, opened.own.study.fit.coordinates_)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_figures(opened, form, start):
    view = {"axes": [1, 2], "colour": "site"}
    _, content = export(opened, "figure", format=form, view=view)
    assert content.startswith(start) and len(content) > 5000


@pytest.mark.slow
def test_the_report_is_that_of_the_screen(opened):
    body = b'{"what": "report"}'
    assert opened.send("POST", "/api/export", body)[0] == 422  # not tested yet
    opened.json("/api/test", {})
    opened.wait("tested")
    _, content = export(opened, "report")
    assert content.startswith(b"<!DOCTYPE html>") and b"my data" in content


STATE = {
    "gramian": "0", "state": 1, "name": "x.csv", "sha256": "0", "recipe": {}, "selected": [],
    "view": {},
}  # fmt: skip
SPOILED = {
    "no object": [],
    "unknown": STATE | {"path": "/etc/passwd"},
    "version": STATE | {"state": 99},
    "missing": {k: v for k, v in STATE.items() if k != "recipe"},
    "recipe": STATE | {"recipe": {"method": "rm -rf"}},
    "read": STATE | {"recipe": {"read": {"largest": "9TB"}}},
    "kernel": STATE | {"recipe": {"kernel": {"name": "os.system"}}},
    "scale": STATE | {"recipe": {"kernel": {"name": "gaussian", "scale": -1}}},
    "flag": STATE | {"recipe": {"scale": "yes"}},
    "rows": STATE | {"selected": [1, 2]},
    "view": STATE | {"view": {"axes": ["1", "2"]}},
    "file": STATE | {"file": "%%%"},
    "dataset": STATE | {"dataset": "../x"},
    "other data": STATE,
    "clusters": STATE | {"recipe": {"clusters": 1}},
    "seed": STATE | {"recipe": {"seed": True}},
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_state_is_refused(name):
    with pytest.raises(InputError):
        open_state(Session(Workers()), json.dumps(SPOILED[name]).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_state_that_is_no_json_is_refused(text):
    with pytest.raises(InputError, match="state"):
        open_state(Session(Workers()), text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "action",
    [
        {},
        {"action": "explode"},
        {"action": "undo"},
        {"action": "redo"},
        {"action": "set", "value": {"method": "magic"}},
        {"action": "set", "value": {"read": {"source": "/etc/passwd"}}},
        {"action": "fix", "value": {"name": "source", "value": "/etc/passwd"}},
        {"action": "role", "value": {"column": "nowhere", "role": "active"}},
        {"action": "role", "value": {"column": "v1", "role": "king"}},
        {"action": "only", "rows": [0]},
    ],
)
def test_a_change_that_is_none_leaves_the_recipe(opened, action):
    before = opened.own.recipe
    status, _, body = opened.send("POST", "/api/recipe", json.dumps(action).encode())
    if action.get("action") == "only":  # one row can be read, but not fitted
        assert status == 202
        assert "3" in opened.wait("failed")["text"]
        return
    assert status == 422 and json.loads(body)["error"]
    assert opened.own.recipe == before


@pytest.mark.slow
def test_a_fit_in_a_process_can_be_stopped_and_the_next_one_runs():
    X = np.random.default_rng(0).normal(size=(4000, 3)).round(3)
    content = pd.DataFrame(X, columns=list("abc")).to_csv(index=False).encode()
    with app_server(workers=Workers()) as client:
        client.start()
        client.upload("large.csv", content)
        client.wait("exact")
        change = {"action": "set", "value": {"method": "mds"}, "confirm": True}
        client.json("/api/recipe", change)
        client.wait("started")
        client.json("/api/cancel", {})
        client.wait("stopped")
        act(client, "set", value={"method": "pca"})
        assert client.own.study.subject.method == "pca"
        client.upload("small.csv", b"a,b\n1,2\n2,x\n")  # too few rows: said by the process
        assert "3" in client.wait("failed")["text"]


@pytest.mark.slow
def test_one_is_asked_before_a_long_fit(client, monkeypatch):
    monkeypatch.setattr("gramian._browser.app.session.LONG_FIT", 0.0)
    client.start()
    answer = client.upload("x.csv", CSV)
    assert answer["waits"] and answer["estimate"]["seconds"] > 0
    assert client.own.study is None
    answer = client.json("/api/recipe", {"action": "run", "confirm": True})
    assert not answer["waits"]
    client.wait("exact")


def test_estimates_grow_with_the_work():
    small, large = estimate(100, 10, "pca"), estimate(10_000, 10, "pca")
    assert small["seconds"] < large["seconds"] < estimate(10_000, 10, "kernel-pca")["seconds"]
    assert estimate(10_000, 10, "mds")["bytes"] >= 8e8
    assert estimate(100, 10, "pca", tests=True)["seconds"] > small["seconds"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_hostile_texts_stay_texts(client, language):
    _, _, body = client.send("POST", "/api/session", json.dumps({"language": language}).encode())
    client.session = json.loads(body)["session"]
    frame = FRAME.rename(columns={"v1": HOSTILE}).assign(site=[HOSTILE, "=1+1"] * 30)
    client.upload("x.csv", frame.to_csv(index=False).encode())
    client.wait("exact")
    _, content = export(client, "table")
    cells = [cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))) for cell in row]
    assert not any(cell.startswith("=") for cell in cells)
    _, code = export(client, "code")
    compile(code, "exported", "exec")


@pytest.mark.parametrize("name", ["iris", "cities"])
def test_data_sets_of_the_library(client, name):
    client.start()
    client.json(f"/api/open?dataset={name}", {})
    client.wait("exact")
    assert client.json("/api/reading?axes=1,2")["shares"]


@pytest.mark.slow
def test_a_fitted_estimator_keeps_its_method():
    fit = gm.PCA(3, scale=True).fit(FRAME.filter(like="v"))
    with app_server(fit) as client:
        assert client.start()["given"] == "PCA"
        assert client.json("/api/open", {})["kind"] == "fit"
        client.wait("exact")
        assert np.array_equal(client.own.study.fit.coordinates_, fit.coordinates_)
        act(client, "set", value={"clusters": 3})
        assert client.own.study.classes.found.n_clusters == 3
        body = b'{"action": "set", "value": {"method": "mds"}}'
        assert client.send("POST", "/api/recipe", body)[0] == 422


@pytest.mark.parametrize("data", [FRAME, gm.datasets.iris(), FRAME.filter(like="v").to_numpy()])
def test_data_in_memory(data):
    session = Session(Workers())
    assert Data.of(data).kind == "memory"
    source = Data.of(data).read({})
    assert len(source) in (60, 150)
    session.workers.close()


def test_closed_workers_start_nothing():
    workers = Workers()
    workers.close()
    with pytest.raises(Cancelled):
        workers.take()
