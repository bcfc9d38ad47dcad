"""A study with a design: claims, removal, page and command."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli.commands import main
from gramian.errors import InputError


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"treat": np.repeat(list("ab"), 18), "time": list("xyz") * 12})
    table["plant"] = [f"p{k}" for k in np.repeat(np.arange(12), 3)]
    table["batch"] = np.tile(list("uv"), 18)
    X = pd.DataFrame(rng.standard_normal((36, 5)), columns=list("ABCDE"))
    X.loc[table["time"] == "y", ["A", "B"]] += 4.0
    X["C"] += 6.0 * (table["batch"] == "u")
    return pd.concat([X, table], axis=1)


@pytest.fixture(scope="module")
def study(data):
    return gm.study(data, design="treat * time", within="plant", remove="batch")


@pytest.mark.slow
def test_terms_are_claims(study):
    found = {c.subject: c for c in study.claims if c.test is not None and c.test.name == "design"}
    assert set(found) == {"treat", "time", "treat:time"}
    assert found["time"].kind == "design" and found["time"].p_value < 0.01
    assert found["treat"].kind == "nothing" and found["time"].effect > 0.2
    assert "inertie" in found["time"].say("fr")


@pytest.mark.slow
def test_the_batch_is_gone_and_dependent_rows_are_not_tested(study, data):
    X = study.subject.table
    assert list(X.columns) == list("ABCDE")
    means = X["C"].groupby(data["batch"].to_numpy()).mean()
    assert np.ptp(means) < 1.0
    assert not study.tested and {"axes", "rows"} <= set(study.evidence.failures)


@pytest.mark.slow
def test_the_page_has_a_section(study, tmp_path):
    gm.report.write(study, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text("utf-8")
    assert 'id="design"' in text and "design-0" in text and "design-1" in text


@pytest.mark.slow
def test_the_command_takes_a_design(data, tmp_path):
    data.to_csv(tmp_path / "d.csv", index=False)
    arguments = ["report", str(tmp_path / "d.csv"), "-o", str(tmp_path / "d.html"), "--design"]
    run = CliRunner().invoke(main, [*arguments, "time", "--remove", "batch"])
    assert run.exit_code == 0, run.output
    assert 'id="design"' in (tmp_path / "d.html").read_text("utf-8")


@pytest.mark.slow
def test_what_a_design_needs(data):
    with pytest.raises(InputError, match="'sort' is not a column"):
        gm.study(data, design="sort")
    with pytest.raises(InputError, match="fitted estimator"):
        gm.study(gm.PCA().fit(data[list("ABC")]), design="time")
    with pytest.raises(InputError, match="remove="):
        gm.study(data, method="famd", remove="batch")
