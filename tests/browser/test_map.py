"""The modules of the map in a browser, compared with what the library computes."""

import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.path import Path as Polygon

import gramian as gm
from gramian._browser.map import bundle, payload, stylesheet

pytestmark = pytest.mark.slow

NAMES = "decode, createMap, describeRows, placeRows, parseCsv, rowsInside, aligned, shorten"
NAMES += ", placeLabels, tailQuantile, logHypergeometric, ticks"


@pytest.fixture(scope="module")
def scripts():
    """Every module but that of the page."""
    return bundle("map.js", "answer.js", "drop.js") + f"\nwindow.gm = {{{NAMES}}};"


@pytest.fixture(scope="module")
def blank(browser, scripts):
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.set_content(
        f"<style>{stylesheet()} body {{width: 700px}}</style><div id=map></div>"
        f'<script type="module">{scripts}</script>'
    )
    page.wait_for_function("window.gm")
    yield page
    page.close()


def mixed():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(80, 4)), columns=list("abcd"))
    X["a"] = rng.exponential(size=80) ** 2
    X["colour"] = np.array(["red", "green", "blue"])[rng.integers(0, 3, 80)]
    X["size"] = np.array(["small", "large"])[rng.integers(0, 2, 80)]
    return X


def described(page, sent, rows):
    return page.evaluate(
        """([header, rows]) => {
          const found = gm.describeRows(gm.decode(header), rows);
          return {tests: found.tests, compactness: found.compactness,
            findings: found.findings.map((f) => [f.column.name,
              f.level < 0 ? null : f.column.levels[f.level], f.v, f.own, f.all])};
        }""",
        [sent.as_json(), rows],
    )


def test_a_description_has_the_v_tests_of_the_library(blank):
    X = mixed()
    rows = np.flatnonzero((X["b"] > 0.6) | (X["colour"] == "red"))
    fit = gm.FAMD(3).fit(X)
    found = described(blank, payload(fit), rows.tolist())
    labels = np.isin(np.arange(len(X)), rows).astype(int)
    table = gm.clusters.describe(labels, X, alpha=1.0).classes
    table = table[table["class"] == 1]
    assert len(found["findings"]) >= 2 and found["tests"] == 4 + 3 + 2
    for name, level, v, own, overall in found["findings"]:
        line = table[table["variable"] == name]
        line = line if level is None else line[line["category"] == level]
        assert v == pytest.approx(line["v_test"].item(), rel=1e-4)
        means = ("mean", "overall_mean") if level is None else ("share_of_class", "overall_share")
        expected = [line[key].item() for key in means]
        assert [own, overall] == pytest.approx(expected, rel=1e-4)
    Z = fit.coordinates_
    share = Z[rows].var(axis=0).sum() / Z.var(axis=0).sum()
    assert found["compactness"] == pytest.approx(share, rel=1e-3)


def test_random_rows_are_seldom_named_and_planted_columns_are(blank):
    """A slice of benchmarks/selections.py."""
    rng = np.random.default_rng(0)
    X = mixed()
    sent = payload(gm.FAMD(3).fit(X))
    draws = [np.sort(rng.choice(80, 20, replace=False)).tolist() for _ in range(60)]
    named = blank.evaluate(
        """([header, draws]) => { const p = gm.decode(header);
          return draws.map((rows) => gm.describeRows(p, rows).findings.length); }""",
        [sent.as_json(), draws],
    )
    assert np.count_nonzero(named) <= 8  # 5 %, and three standard errors
    planted = X.copy()
    planted.loc[draws[0], "c"] += 2.5
    found = described(blank, payload(gm.FAMD(3).fit(planted)), draws[0])
    assert found["findings"][0][0] == "c"


@pytest.mark.parametrize("name", ["pca", "scaled", "ca", "mca", "famd", "kernel"])
def test_new_rows_lie_where_transform_puts_them(blank, name):
    rng = np.random.default_rng(2)
    X, new = mixed(), mixed().iloc[:9].copy()
    new[list("abcd")] += rng.normal(size=(9, 4))
    new.loc[0, "colour"] = "violet"  # no row of the fit has it
    if name == "ca":
        X = pd.DataFrame(rng.poisson(4, (30, 5)) + 1, columns=list("vwxyz"))
        new = X.iloc[:9] + rng.poisson(2, (9, 5))
    elif name == "mca":
        X, new = X[["colour", "size"]], new[["colour", "size"]]
    elif name != "famd":
        X, new = X[list("abcd")], new[list("abcd")]
    makers = {"pca": gm.PCA(2), "scaled": gm.PCA(3, scale=True), "ca": gm.CA(2), "mca": gm.MCA(2)}
    makers |= {"famd": gm.FAMD(3), "kernel": gm.KernelPCA(3)}
    fit = makers[name].fit(X)
    found = blank.evaluate(
        """([header, text]) => {
          const p = gm.decode(header);
          return gm.placeRows(p.model, gm.parseCsv(text));
        }""",
        [payload(fit).as_json(), new.rename_axis("id").to_csv(sep=";", decimal=",")],
    )
    assert found["absent"] == [] and found["bad"] == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.UnknownLevelWarning)
        Z, limits = fit.transform(new), fit.limits(new)
    assert np.abs(np.array([row["z"] for row in found["placed"]]) - Z).max() <= 1e-6
    assert [row["inside"] for row in found["placed"]] == limits["inside"].tolist()
    assert [row["t2"] for row in found["placed"]] == pytest.approx(limits["t2"].tolist(), rel=1e-6)
    if "columns" in limits:
        assert [tuple(row["columns"]) for row in found["placed"]] == limits["columns"].tolist()


def test_a_file_that_cannot_be_placed_is_explained(blank):
    sent = payload(gm.PCA(2).fit(mixed()[list("abcd")])).as_json()
    place = "([header, text]) => gm.placeRows(gm.decode(header).model, gm.parseCsv(text))"
    assert blank.evaluate(place, [sent, "a,b,c\n1,2,3\n"])["absent"] == ["d"]
    found = blank.evaluate(place, [sent, "id,a,b,c,d\nu,1,2,,4\nv,1,2,3,4\n"])
    assert found["bad"] == [{"label": "u", "column": "c"}]
    assert [row["label"] for row in found["placed"]] == ["v"]


@pytest.mark.parametrize("n", [300, 200_000])
def test_a_lasso_holds_the_points_inside(blank, n):
    rng = np.random.default_rng(0)
    xy = rng.normal(size=(n, 2)).astype(np.float32)
    angles = np.linspace(0, 2 * np.pi, 220, endpoint=False)
    radius = 1 + 0.4 * np.sin(5 * angles)
    polygon = np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])
    rows = blank.evaluate(
        "([xy, polygon]) => [...gm.rowsInside(Float32Array.from(xy), polygon)]",
        [xy.ravel().tolist(), polygon.tolist()],
    )
    inside = np.flatnonzero(Polygon(polygon).contains_points(xy))
    assert len(np.setxor1d(rows, inside)) <= (0 if n < 1_000 else 2e-3 * len(inside))


def test_maps_are_turned_onto_each_other(blank):
    rng = np.random.default_rng(0)
    onto = rng.normal(size=(40, 2))
    mirror = np.array([[0.6, 0.8], [0.8, -0.6]])
    for turn in (mirror, mirror @ np.diag([1, -1])):
        moved = onto @ turn + 3.0
        back = blank.evaluate(
            "([a, b]) => [...gm.aligned(Float32Array.from(a), Float32Array.from(b))]",
            [moved.ravel().tolist(), onto.ravel().tolist()],
        )
        assert np.abs(np.reshape(back, (-1, 2)) - onto).max() <= 1e-5


def test_short_names_differ(blank):
    names = [f"Station de prélèvement n° {k}" for k in range(1, 21)]
    short = blank.evaluate("(names) => gm.shorten(names)", names)
    assert short == [f"…{k}" for k in range(1, 21)]
    long = [f"{'x' * 30}{k}{'y' * 30}" for k in range(5)]
    assert len(set(blank.evaluate("(names) => gm.shorten(names)", long))) == 5


def test_groups_are_listed_in_their_order(blank):
    for levels, order in (
        (["n 1", "n 10", "n 2"], ["n 1", "n 2", "n 10"]),
        (["low", "middle", "high"], ["low", "middle", "high"]),
    ):
        table = pd.DataFrame({"g": pd.Categorical(levels * 4, categories=levels)})
        X = np.random.default_rng(0).normal(size=(12, 3))
        sent = payload(gm.PCA(2).fit(X), table=table).as_json()
        blank.evaluate("(h) => { window.map = gm.createMap(document.body, gm.decode(h)); }", sent)
        shown = blank.locator(".gm-legend .gm-entry bdi").all_inner_texts()
        blank.evaluate("map.destroy()")
        assert shown == order


def test_a_map_selects_colours_and_turns_grey(blank):
    data = gm.datasets.iris()
    sent = payload(gm.PCA(3).fit(data.data), table=data.groups)
    heard = blank.evaluate(
        """(header) => {
          const heard = [];
          window.map = gm.createMap(document.getElementById("map"), gm.decode(header));
          map.onselect((rows) => heard.push([...rows]));
          map.select([3, 1, 999]);
          return heard;
        }""",
        sent.as_json(),
    )
    assert heard == [[1, 3]]
    entries = blank.locator(".gm-legend .gm-entry").all_inner_texts()
    assert [text.split()[0] for text in entries] == ["setosa", "versicolor", "virginica"]
    blank.select_option(".gm-colour", label="petal width (cm)")
    assert blank.locator(".gm-scale").count() == 1
    blank.focus(".gm-surface")
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        blank.keyboard.press(key)
    assert blank.evaluate("map.selected.length") == 1
    blank.keyboard.press("Escape")
    assert blank.evaluate("map.selected.length") == 0
    assert blank.evaluate("map.find('flower_00')") == 9
    blank.evaluate("map.destroy()")
    assert blank.locator(".gm-map").count() == 0


def test_many_points_become_counts(blank):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60_000, 2))
    table = pd.DataFrame({"group": np.array(["a", "b"])[rng.integers(0, 2, len(Z))]})
    blank.evaluate(
        """(header) => {
          window.map = gm.createMap(document.getElementById("map"), gm.decode(header));
        }""",
        payload(gm.read_map(Z), table=table).as_json(),
    )
    blank.wait_for_selector(".gm-map[data-drawn=counts]", timeout=20_000)
    shades = blank.evaluate(
        """() => { const c = document.querySelector(".gm-stage canvas");
          const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
          let n = 0; for (let k = 3; k < d.length; k += 4) if (d[k]) n++; return n; }"""
    )
    assert shades > 10_000
    blank.evaluate("map.destroy()")
