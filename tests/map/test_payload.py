"""What a browser gets: the coordinates, columns and model of the fit, in few bytes."""

import json
from importlib import import_module, resources

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._browser.map import bundle, payload, static_folder
from gramian._study.language import LANGUAGES


@pytest.fixture(scope="module")
def iris():
    data = gm.datasets.iris()
    fit = gm.PCA(3, scale=True).fit(data.data)
    return fit, payload(fit, table=data.groups), data


def array(sent, reference):
    values = np.frombuffer(sent.buffers[reference["buffer"]], dtype=f"<{reference['type']}")
    return values.reshape(reference["shape"])


def test_coordinates_are_those_of_the_fit_to_a_step_of_the_axis(iris):
    fit, sent, _ = iris
    ends = sent.header["coordinates"]
    low, high = np.array(ends["low"]), np.array(ends["high"])
    Z = low + array(sent, ends["data"]).T / 65_535 * (high - low)
    assert np.abs(Z - fit.coordinates_).max() <= (high - low).max() / 65_535


def test_columns_are_those_of_the_table(iris):
    _, sent, data = iris
    by_name = {c["name"]: c for c in sent.header["columns"]}
    species = by_name["species"]
    codes = array(sent, species["data"])
    assert [species["levels"][k] for k in codes] == data.groups["species"].tolist()
    width = array(sent, by_name["petal width (cm)"]["data"])
    assert width == pytest.approx(data.data["petal width (cm)"].to_numpy(), rel=1e-6)
    assert [c["role"] for c in sent.header["columns"]][:2] == ["group", "active"]


def test_one_block_holds_header_and_buffers(iris):
    _, sent, _ = iris
    block = sent.as_bytes()
    length = int.from_bytes(block[:4], "little")
    header = json.loads(block[4 : 4 + length])
    at = 4 + length
    for size, buffer in zip(header["sizes"], sent.buffers, strict=True):
        at += -at % 8
        assert block[at : at + size] == buffer
        at += size
    assert at == len(block)


@pytest.mark.slow
def test_a_missing_group_has_the_last_code():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 3)), columns=list("abc"))
    table = pd.DataFrame({"kind": ["u", "v", None] * 4})
    sent = payload(gm.PCA(2).fit(X), table=table)
    codes = array(sent, sent.header["columns"][0]["data"])
    assert codes.tolist() == [0, 1, 255] * 4


@pytest.mark.slow
def test_rows_that_are_only_numbered_have_no_names():
    X = np.random.default_rng(0).normal(size=(12, 3))
    assert payload(gm.PCA(2).fit(X)).header["labels"] is None
    named = pd.DataFrame(X, index=[f"r{i}" for i in range(12)])
    assert payload(gm.PCA(2).fit(named)).header["labels"][0] == "r0"


@pytest.mark.slow
def test_many_points_take_five_bytes_each(monkeypatch):
    monkeypatch.setattr(import_module("gramian._browser.map.payload"), "MAX_CELLS", 0)
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(50_000, 2)).astype(np.float32)
    table = pd.DataFrame({"group": np.array(["a", "b", "c"])[rng.integers(0, 3, len(Z))]})
    sent = payload(gm.read_map(Z), table=table)
    assert sum(map(len, sent.buffers)) == 5 * len(Z)


def test_each_plane_starts_with_the_group_that_its_axes_separate():
    rng = np.random.default_rng(0)
    n = 60
    first, second = np.repeat(["a", "b"], n // 2), np.tile(["u", "v"], n // 2)
    X = rng.normal(size=(n, 4)) * 0.3
    X[:, 0] += 9.0 * (first == "a")
    X[:, 1] += 5.0 * (second == "u")
    fit = gm.PCA(4).fit(X)
    sent = payload(fit, table=pd.DataFrame({"second": second, "first": first}))
    names = {c["key"]: c["name"] for c in sent.header["columns"]}
    assert names[sent.header["start"]["1,3"]] == "first"
    assert names[sent.header["start"]["2,3"]] == "second"


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_of_the_language(iris, language):
    sent = payload(iris[0], language=language)
    assert sent.header["axes"][0]["name"].startswith({"en": "Axis 1", "fr": "Axe 1"}[language])
    used = set()
    for path in static_folder().iterdir():
        if path.name.endswith(".js"):
            text = path.read_text("utf-8")
            for key in sent.header["texts"]:
                if any(part in text for part in (f"texts.{key}", f'"{key}"', f" {key}: [")):
                    used.add(key)
    assert sorted(set(sent.header["texts"]) - used) == []


def test_modules_are_short_and_joined_without_imports():
    folders = (static_folder(), resources.files("gramian._browser.app").joinpath("static"))
    files = [p for folder in folders for p in folder.iterdir() if p.name.endswith(".js")]
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in files}
    assert max(lines.values()) < 300 and sum(lines.values()) <= 3_000
    # Their types are checked by tools/check_scripts.py.
    assert all(path.read_text("utf-8").startswith("// @ts-check\n") for path in files)
    joined = bundle("report.js")
    assert "\nimport " not in joined and "\nexport " not in joined
    assert joined.count("function createMap(") == 1


def test_fits_without_a_model_say_so():
    X = np.random.default_rng(0).normal(size=(12, 3))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    fit = gm.ClassicalMDS(2, metric="precomputed").fit(D)
    assert payload(fit).header["model"] is None


def test_without_groups_the_categories_of_the_axes_colour_the_map():
    rng = np.random.default_rng(0)
    kind = np.array(["u", "v"])[rng.integers(0, 2, 60)]
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")).assign(kind=kind)
    X.loc[kind == "u", ["a", "b"]] += 4.0
    sent = payload(gm.FAMD(3).fit(X))
    key = next(c["key"] for c in sent.header["columns"] if c["name"] == "kind")
    assert sent.header["start"]["1,2"] == key
    assert payload(gm.PCA(2).fit(X[["a", "b", "c"]])).header["start"]["1,2"] is None
