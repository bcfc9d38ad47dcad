"""The code that a report shows runs, and gives the numbers of the report."""

import contextlib
import io
import json
import re
import warnings
from html import unescape
from importlib import import_module

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from examples import demo
from tests.report.made import body, normal

import gramian as gm
from gramian.report.code import code
from gramian.report.page import page
from gramian.studies import study

pytestmark = pytest.mark.slow


def run(s, **names):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code(s), "report", "exec"), names)
    return names


def said(s):
    """The claims, but for how the data were read."""
    return [c.text for c in s.claims if c.kind != "data"]


def agrees(s, made):
    assert made["fit"].eigenvalues_ == pytest.approx(s.fit.eigenvalues_, rel=1e-12)
    assert np.abs(made["fit"].coordinates_) == pytest.approx(np.abs(s.fit.coordinates_), rel=1e-6)


def table():
    X = normal(30, 5).assign(flat=3.0, kind=["a", "b"] * 15)
    X["v1"] += X["v0"]
    X.iloc[4, 2] = np.nan
    return X


def test_a_table_from_a_file(tmp_path):
    path = tmp_path / "it's.csv"
    table().to_csv(path)
    s = study(str(path))
    made = run(s)
    agrees(s, made)
    pd.testing.assert_frame_equal(pd.DataFrame(made["choices"]), pd.DataFrame(s.choices))
    assert said(made["study"]) == said(s)
    assert made["kernel_fit"].eigenvalues_ == pytest.approx(s.kernel_map.fit.eigenvalues_)


def test_a_data_frame_with_options():
    X = table()
    s = study(X, missing="mean", supplementary=["v4"])
    made = run(s, data=X)
    agrees(s, made)
    assert "v4" not in made["X"]


def test_a_large_table(monkeypatch):
    module = import_module("gramian._study.study")
    monkeypatch.setattr(module, "_MAX_RULE_CELLS", 1_000)
    monkeypatch.setattr(module, "_SMALL_TABLE", 500)
    X = normal(400, 5)
    s = study(X)
    made = run(s, data=X)
    agrees(s, made)
    pd.testing.assert_frame_equal(pd.DataFrame(made["choices"]), pd.DataFrame(s.choices))
    assert "deflated" not in s.choices.index


def test_distances():
    data = gm.datasets.cities()
    s = study(data)
    agrees(s, run(s, data=data))


def test_graphs(tmp_path):
    for k in range(5, 9):
        nx.write_graphml(nx.cycle_graph(k), tmp_path / f"ring{k}.graphml")
        nx.write_graphml(nx.complete_graph(k), tmp_path / f"full{k}.graphml")
    s = study(str(tmp_path))
    agrees(s, run(s))
    ends = next(c.text for c in s.claims if c.effect_name == "ends")
    assert ends.startswith(("Axis 1 runs from ring", "Axis 1 runs from full"))


def test_sequences(tmp_path):
    path = tmp_path / "s.fasta"
    path.write_text("".join(f">s{k}\n{('ACGT', 'AATT')[k % 2] * (5 + k)}\n" for k in range(8)))
    s = study(str(path))
    agrees(s, run(s))


def shown(path):
    """The code of a page, and the eigenvalues in its table."""
    text = path.read_text(encoding="utf-8")
    printed = unescape(re.search(r"<pre[^>]*><code>(.*?)</code></pre>", text, flags=re.S)[1])
    table = json.loads(re.search(r'id="table-eigenvalues">(.*?)</script>', text, flags=re.S)[1])
    return printed, [row[1] for row in table["rows"]]


def repeated(path, **names):
    """Run the code of a page with nothing else in sight, and compare its eigenvalues."""
    printed, values = shown(path)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(printed, "report", "exec"), names)
    assert list(names["fit"].eigenvalues_) == pytest.approx(values, rel=1e-3)


def test_the_demonstration_can_be_repeated(tmp_path, monkeypatch, capsys):
    make = gm.datasets.gene_expression
    monkeypatch.setattr(gm.datasets, "gene_expression", lambda n_genes=150: make(n_genes=n_genes))
    reports = [path for path in demo.main(str(tmp_path)) if path.suffix == ".html"]
    assert len(reports) == 2
    for path in reports:
        repeated(path)


@pytest.mark.parametrize("kind", ["table", "distances", "graphs"])
def test_a_page_can_be_repeated(kind, tmp_path):
    source = tmp_path / kind
    if kind == "table":
        table().to_csv(source)
    elif kind == "distances":
        gm.datasets.cities().distances.to_csv(source)
    else:
        source.mkdir()
        for k in range(5, 9):
            nx.write_graphml(nx.cycle_graph(k), source / f"ring{k}.graphml")
            nx.write_graphml(nx.path_graph(k), source / f"path{k}.graphml")
    repeated(gm.report.write(str(source), tmp_path / "page.html"))


def test_what_cannot_be_repeated_is_named(tmp_path):
    X = normal(20, 4)
    path = gm.report.write(X, tmp_path / "page.html")
    assert "# data: what the report was given\n" in shown(path)[0]
    repeated(path, data=X)


@pytest.mark.parametrize("estimator", [gm.PCA(3), gm.KernelPCA(3), gm.ClassicalMDS(2)])
def test_a_fit(estimator):
    X = normal(20, 4)
    fitted = estimator.fit(X)
    s = study(fitted)
    agrees(s, run(s, fitted=fitted))
    assert list(s.subject.index) == list(X.index)


def test_a_fit_with_weights_keeps_them():
    X, w = normal(20, 4), np.arange(20.0)
    fitted = gm.PCA(3).fit(X, sample_weight=w)
    s = study(fitted)
    assert s.fit is fitted and s.stability is None and not s.tested
    assert "the rows have weights, which the available tests do not support" in body(page(s, "en"))
