"""The demonstration ends in reports."""

import pytest
from examples import demo
from tests.report.made import body

import gramian as gm

pytestmark = pytest.mark.slow


def test_the_demonstration_writes_figures_and_reports(tmp_path, monkeypatch, capsys):
    made = gm.datasets.gene_expression(n_genes=150)
    monkeypatch.setattr(gm.datasets, "gene_expression", lambda: made)
    written = demo.main(str(tmp_path / "out"))
    reports = [path for path in written if path.suffix == ".html"]
    assert len(reports) == 2 and all(path.stat().st_size > 0 for path in written)
    assert "separates the groups of temperature" in body(reports[0].read_text(encoding="utf-8"))
    assert "24 samples, 150 genes" in capsys.readouterr().out
