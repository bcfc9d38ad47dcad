"""The doctor and the methods on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.cli.test_cli import run
from tests.outside._factors import DATA

import gramian as gm

FOLDER = DATA / "factor_methods" / "data"


@pytest.fixture
def survey(tmp_path):
    rows = [f"{900 - 7 * k},{k % 3 + 1},{k * k % 17 + 2} mg,{k * 5 % 13}.5" for k in range(30)]
    path = tmp_path / "survey.csv"
    path.write_text("A survey\nx,race,dose,lead\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.slow
def test_findings_are_told_with_the_options_of_the_command(survey):
    found = run("examine", survey, "-q")
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["title-rows", "units", "category"]
    assert "--skip 0" in lines[0] and "--as-number race" in lines[2]
    french = run("examine", survey, "-q", "--language", "fr").stdout
    assert "au-dessus de l’en-tête" in french


@pytest.mark.slow
def test_findings_as_json(survey):
    found = json.loads(run("examine", survey, "-q", "--json").stdout)
    assert found["findings"][1]["column"] == "dose"
    assert found["findings"][1]["remedy"] == "as_category=['dose']"
    settled = run("examine", survey, "-q", "--json", "--skip", "1", "--ignore", "race,dose")
    assert json.loads(settled.stdout)["findings"] == []


def test_a_clean_table_is_told(tmp_path):
    path = tmp_path / "iris.csv"
    gm.datasets.iris().data.drop_duplicates().to_csv(path)
    assert "found nothing unusual" in run("examine", path, "-q").stdout


def test_whole_numbers_are_asked_about(tmp_path):
    rng = np.random.default_rng(0)
    N = [rng.multinomial(rng.integers(1_000, 3_000), rng.dirichlet([10] * 6)) for _ in range(12)]
    path = tmp_path / "ct.csv"
    pd.DataFrame(N, [f"district {k}" for k in range(12)], list("abcdef")).to_csv(path)
    told = run("examine", path, "-q").stdout
    assert told.startswith("counts: All cells are non-negative integers") and "--method ca" in told
    assert "nombres entiers" in run("examine", path, "-q", "--language", "fr").stdout


@pytest.mark.slow
def test_fit_takes_what_suits_the_table_and_says_so():
    found = run("fit", FOLDER / "poison.csv", "--components", "3", "--json")
    assert json.loads(found.stdout)["method"] == "MCA"
    assert json.loads(found.stdout)["eigenvalues"] == pytest.approx(
        [0.3540070, 0.1132122, 0.0936091], rel=1e-5
    )  # FactoMineR
    assert "MCA) was chosen" in found.stderr and "--method famd or pca" in found.stderr
    plain = run("fit", FOLDER / "poison.csv", "--method", "pca", "--json", "-q")
    assert json.loads(plain.stdout)["method"] == "PCA"


@pytest.mark.slow
def test_methods_that_do_not_go_with_options_are_refused():
    refused = run("fit", FOLDER / "poison.csv", "--method", "mfa")
    assert refused.exit_code == 3 and "--groups-from-names" in refused.stderr
    refused = run("report", FOLDER / "poison.csv", "-o", "x.html", "--metric", "cityblock")
    assert refused.exit_code == 3 and "(option --metric)" in refused.stderr


@pytest.mark.slow
def test_a_method_is_named_as_the_command_that_has_it_spells_it(tmp_path):
    path = tmp_path / "sites.csv"
    counts = np.random.default_rng(0).poisson(np.outer(range(14), [0.1, 0.5, 0.2, 1.0, 0.1, 2.0]))
    index = [f"site{k}" for k in range(14)]
    pd.DataFrame(counts, index, [f"sp{j}" for j in range(6)]).to_csv(path)
    for language in ("en", "fr"):
        told = run("examine", path, "-q", "--language", language).stdout
        assert "--content measurements" in told and "content=" not in told
    parts = np.random.default_rng(0).dirichlet([2, 3, 4], 14)
    pd.DataFrame(parts, index, list("abc")).to_csv(path)
    for language in ("en", "fr"):
        told = run("examine", path, "-q", "--language", language).stdout
        assert "gramian report --method ca" in told and "method=" not in told


@pytest.mark.slow
def test_a_report_tells_what_columns_are_for_once_the_method_is_known(tmp_path):
    rng = np.random.default_rng(0)
    answers = {f"q{k}": rng.choice(["yes", "no", "perhaps"], 30) for k in range(4)}
    pd.DataFrame(answers).to_csv(tmp_path / "answers.csv")
    told = run("report", tmp_path / "answers.csv", "-o", tmp_path / "page.html").stderr
    assert "multiple correspondence analysis (MCA) was chosen" in told
    assert "0 active" not in told and "used as groups" not in told
    table = pd.DataFrame(rng.standard_normal((30, 2)), columns=["x", "y"]).assign(q=answers["q0"])
    table.to_csv(tmp_path / "numbers.csv")
    told = run("report", tmp_path / "numbers.csv", "-o", tmp_path / "other.html").stderr
    assert "Columns: 2 active" in told and "'q' contains 3 categories" in told
