"""`gramian replicates`: a table in, a page out, and on again after it was stopped."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main

pytestmark = pytest.mark.slow


GROUPS = np.repeat(["control", "stress"], 4)


def run(*arguments):
    return CliRunner().invoke(main, ["replicates", *map(str, arguments)])


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((8, 4)), 3, axis=1) + 0.2 * rng.standard_normal((8, 12))
    frame = pd.DataFrame(X, columns=[f"g{k}" for k in range(12)])
    frame.index = [f"s{k}" for k in "abcdefgh"]
    frame.insert(0, "condition", GROUPS)
    path = tmp_path / "expr.csv"
    frame.to_csv(path)
    return path


@pytest.fixture
def terminal(monkeypatch):
    """Have the standard error be a terminal."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)


def told(page):
    text = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            [
                "Networks of 12 variables in 2 conditions",
                "Basis of the number",
                "and stress: 4",
            ],
        ),
        ("fr", ["Réseaux de 12 variables dans 2 conditions", "Sur quoi repose ce nombre"]),
    ],
)
def test_a_page_in_both_languages(table, tmp_path, language, words):
    page = tmp_path / "page.html"
    done = run(table, "--group", "condition", "-o", page, "--language", language)
    assert done.exit_code == 0, done.output
    assert "parts" not in done.stderr  # a file is no terminal
    assert not list(tmp_path.glob("*.part"))  # what was kept on the way is gone
    found = told(page)
    for each in words:
        assert each in found
    assert "experiment = gm.networks.prepare(" in found


def test_figures_of_a_french_page_are_french(table, tmp_path):
    page = tmp_path / "page.html"
    done = run(table, "--group", "condition", "-o", page, "--language", "fr", "-q")
    assert done.exit_code == 0 and "Warning" not in done.output
    figures = r'<figure id="fig-[^"]*">(.*?)</figure>'
    found = re.findall(figures, page.read_text(encoding="utf-8"), re.DOTALL)
    texts = [re.findall(r'aria-label="([^"]*)"|>([^<>]+)<', each) for each in found]
    drawn = "\n".join(label or text for each in texts for label, text in each)
    assert len(found) == 5 and "toutes, 3 répétitions" in drawn
    assert "0,5" in drawn and not re.findall(r"\d\.\d", drawn)
    english = r"\b(replicates|neighbours|edges|seen|shared|experiments|agreement|learning|all)\b"
    assert not re.findall(english, drawn, re.IGNORECASE)


def test_the_code_of_the_page_gives_its_numbers(table, tmp_path):
    page = tmp_path / "page.html"
    run(table, "--group", "condition", "-o", page, "-q")
    code = re.search(r"<code>(.*?)</code>", page.read_text(encoding="utf-8"), re.DOTALL)[1]
    code = code.replace("&#39;", "'").replace("&#34;", '"').replace("&gt;", ">")
    lines = [line for line in code.splitlines() if not line.startswith("gm.networks.differential")]
    space = {}
    exec("\n".join(lines).replace("print(", "str("), space)
    study = space["study"]
    low, high = study.interval
    end = f"between {low} and {high:.0f}" if np.isfinite(high) else f"{low} or more"
    assert end in told(page) or f"more than {low - 1}" in told(page).lower()


@pytest.mark.parametrize(("n", "compared"), [(4, False), (6, True)])
def test_the_code_compares_links_only_where_there_are_samples_enough(tmp_path, n, compared):
    X = np.random.default_rng(0).standard_normal((2 * n, 5))
    X = pd.DataFrame(X, [f"{group}_{k}" for group in "ab" for k in range(n)], list("vwxyz"))
    gm.report.replicates(X, tmp_path / "page.html")
    assert ("gm.networks.differential(" in told(tmp_path / "page.html")) == compared


def test_a_run_that_was_stopped_goes_on_to_the_same_page(table, tmp_path, monkeypatch, terminal):
    whole, again = tmp_path / "whole.html", tmp_path / "again.html"
    assert run(table, "--group", "condition", "-o", whole).exit_code == 0
    from gramian.cli import output

    def killed(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(output, "counter", lambda key: killed)
        assert run(table, "--group", "condition", "-o", again).exit_code == 130
    assert (tmp_path / "again.html.part").exists() and not again.exists()
    assert run(table, "--group", "condition", "-o", again).exit_code == 0
    assert whole.read_bytes() == again.read_bytes()


def test_genes_by_number_by_list_and_in_rows(table, tmp_path):
    page, names = tmp_path / "page.html", tmp_path / "names.txt"
    names.write_text("g0\ng1\ng2\ng3\n", encoding="utf-8")
    done = run(table, "--group", "condition", "-o", page, "--genes", names, "--json")
    assert json.loads(done.stdout)["n_genes"] == 4
    done = run(table, "--group", "condition", "-o", page, "-f", "--genes", "modules:6")
    assert done.exit_code == 0 and "6 that belong to 2 modules" in done.stderr
    assert "genes=&#39;modules:6&#39;" in page.read_text(encoding="utf-8")
    turned = pd.read_csv(table, index_col=0).drop(columns="condition").T
    turned.index = [f"AT1G{k:05d}" for k in range(12)]
    turned.columns = [f"{group}_{k}" for k, group in enumerate(GROUPS)]
    turned.to_csv(tmp_path / "genes.csv")
    done = run(tmp_path / "genes.csv", "-o", page, "-f", "--genes", "6")
    assert done.exit_code == 0 and "control and stress" in done.stderr
    assert "Of 12 genes, " in done.stderr and " links within conditions" in done.stderr


def test_refusals_are_one_line(table, tmp_path):
    page = tmp_path / "page.html"
    two = pd.read_csv(table, index_col=0).iloc[[0, 1, 4, 5]]
    two.to_csv(tmp_path / "two.csv")
    done = run(tmp_path / "two.csv", "--group", "condition", "-o", page)
    assert done.exit_code == 3 and "two samples differ in one way only" in done.stderr
    done = run(table, "--group", "nothing", "-o", page)
    assert done.exit_code == 3 and "nothing" in done.stderr
    done = run(table, "--group", "condition", "--genes", "no such file", "-o", page)
    assert done.exit_code == 3 and "--genes" in done.stderr


def test_the_shipped_data_set_has_a_bounded_answer():
    """The truth, 13, comes from independent experiments of the same design."""
    data = gm.datasets.replicated_expression()
    study = gm.networks.replicate_study(
        data.data, data.groups["treatment"], n_permutations=0, n_resamples=10
    )
    low, high = study.interval
    assert low <= 13 <= high < 24 and 11 <= study.recommended <= 15


def test_the_page_claims_no_check_that_was_not_made(table, tmp_path):
    page = tmp_path / "page.html"
    run(table, "--group", "condition", "-o", page, "-q")
    assert "found nothing" not in told(page)
    assert "as if conditions had the same network" in told(page)


def test_a_terminal_shows_how_far_it_is(table, tmp_path, terminal):
    done = run(table, "--group", "condition", "-o", tmp_path / "page.html")
    assert re.search(r"(\d+) of \1 parts", done.stderr)
    done = run(
        table, "--group", "condition", "-o", tmp_path / "page.html", "-f", "--language", "fr"
    )
    assert re.search(r"(\d+) parties sur \1", done.stderr)


def test_a_second_table_needs_the_name_of_its_column(table, tmp_path):
    done = run(table, "--samples", table, "-o", tmp_path / "page.html")
    assert done.exit_code == 3 and "needs group" in done.stderr and "--samples)" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_a_file_that_is_in_the_way_is_reported_as_the_command_spells_it(table, tmp_path):
    left = tmp_path / "page.html.part"
    left.write_text("no checkpoint", encoding="utf-8")
    done = run(table, "--group", "condition", "-o", tmp_path / "page.html")
    assert done.exit_code == 3 and "--checkpoint" in done.stderr and left.exists()
    page = tmp_path / "page.html"
    done = run(table, "--group", "condition", "-o", page, "--checkpoint", table, "-f")
    assert done.exit_code == 3 and table.exists()  # data are not removed


def test_numbers_for_programs_are_those_of_the_study(table, tmp_path):
    page = tmp_path / "page.html"
    found = json.loads(run(table, "--group", "condition", "-o", page, "--json", "-q").stdout)
    experiment = gm.networks.prepare(str(table), "condition")
    study = gm.networks.replicate_study(experiment.table, experiment.condition, random_state=0)
    assert (found["recommended"], found["low"]) == (study.recommended, study.interval[0])
    high = study.interval[1]
    assert found["high"] == (None if np.isinf(high) else high)
    assert found["reason"] == (study.reason or None)


def test_a_page_of_noise_shows_no_network_and_no_interval(tmp_path):
    X = np.random.default_rng(3).standard_normal((24, 30))
    X = pd.DataFrame(X, [f"{group}_{k}" for group in "ab" for k in range(12)])
    X.columns = [f"g{k}" for k in X.columns]
    page = tmp_path / "page.html"
    X.to_csv(tmp_path / "noise.csv")
    done = run(tmp_path / "noise.csv", "-o", page, "--json", "-q")
    assert json.loads(done.stdout)["reason"] == "chance"
    text = told(page)
    assert "No recommendation" in text and "edges are found in at least half" not in text
    assert "fig-network" not in page.read_text(encoding="utf-8")
    assert "none in reach" in page.read_text(encoding="utf-8")
    assert "95 % interval" not in page.read_text(encoding="utf-8")
    assert "--design pooled uses all samples together" in text
