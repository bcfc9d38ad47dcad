"""The command: what it prints, what it writes, how it fails."""

import io
import json
import os
import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from unittest.mock import Mock

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from click.testing import CliRunner

import gramian as gm
from gramian import __main__
from gramian.cli import main
from gramian.cli.errors import CODES

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["app", "report", "examine", "fit", "transform", "replicates", "datasets"]
COMMANDS += ["completion"]


def run(*arguments, **options):
    return CliRunner().invoke(main, [str(a) for a in arguments], **options)


def shell(*arguments, **options):
    command = [sys.executable, "-m", "gramian", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


@pytest.fixture
def iris(tmp_path):
    d = gm.datasets.iris()
    path = tmp_path / "iris.csv"
    d.data.join(d.groups).to_csv(path)
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    found = run(command, "--help")
    assert found.exit_code == 0 and f"Usage: main {command}" in found.stdout
    assert command in run("-h").stdout


@pytest.mark.slow
def test_help_and_lists_load_no_heavy_library():
    code = (
        "import sys\nfrom gramian.cli import main\n"
        "for command in sys.argv[1:]:\n"
        "    try: main([command, '--help'] if command != '--help' else ['--help'])\n"
        "    except SystemExit: pass\n"
        "try: main(['datasets'])\n"  # a list, not the sets
        "except SystemExit: pass\n"
        "print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, "--help", *COMMANDS], capture_output=True, text=True
    )
    heavy = {"numpy", "pandas", "sklearn", "scipy", "rich", "pyarrow", "torch", "plotly"}
    assert made.stderr.split() and not heavy & set(made.stderr.split())


def test_version():
    assert gm.__version__ in run("--version").stdout
    assert shell("--version").stdout == f"gramian, version {gm.__version__}\n"


@pytest.mark.slow
def test_the_process_does_not_look_through_modules_for_garbage():
    code = (
        "import atexit, gc, sys\nfrom gramian.__main__ import run\n"
        "sys.argv = ['gramian', '--version']\natexit.register(print, 'bye')\n"
        "try: run()\n"
        "finally: print(gc.get_threshold()[0], gc.get_freeze_count() > 1_000)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.stdout.splitlines()[1:] == ["500000 True", "bye"]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"gramian": "gramian.__main__:run"}


def test_the_commands_are_published():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `gramian (\w+)", text, flags=re.MULTILINE) == COMMANDS


def test_the_exit_codes_are_published():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", text, flags=re.MULTILINE)
    assert {int(code): words for code, words in rows} == CODES


@pytest.mark.slow
def test_fit_prints_the_reading_and_saves_the_model(iris, tmp_path):
    model = tmp_path / "iris.gramian"
    found = run("fit", iris, "-o", model, "--components", 2)
    assert found.exit_code == 0
    d = gm.datasets.iris()
    fitted = gm.PCA(2, scale=True, random_state=0).fit(d.data)
    assert found.stdout == f"{fitted.summary(table=d.groups)}\n"
    assert "note: Column 'species' contains 3 categories" in found.stderr
    assert np.array_equal(gm.load(model).coordinates_, fitted.coordinates_)


@pytest.mark.slow
def test_transform_gives_the_coordinates(iris, tmp_path):
    model, out = tmp_path / "m.gramian", tmp_path / "z.tsv"
    run("fit", iris, "-o", model, "--components", 2, "--no-scale")
    assert run("transform", model, iris, "-o", out, "-q").exit_code == 0
    Z = pd.read_csv(out, sep="\t", index_col=0)
    fitted = gm.PCA(2).fit(gm.datasets.iris().data)
    assert list(Z) == ["axis1", "axis2"] and list(Z.index) == list(gm.datasets.iris().data.index)
    np.testing.assert_allclose(Z.to_numpy(), fitted.coordinates_, rtol=1e-12)


@pytest.mark.slow
def test_transform_flags_rows_outside_the_limits(iris, tmp_path):
    model, data = tmp_path / "m.gramian", tmp_path / "new.csv"
    run("fit", iris, "-o", model, "--components", 2, "--no-scale", "-q")
    new = gm.datasets.iris().data.iloc[:3].copy()
    new.iloc[1, 3] = 30.0
    new.to_csv(data, index_label="name")
    found = run("transform", model, data, "--limits", "-q")
    table = pd.read_csv(io.StringIO(found.stdout), index_col=0)
    assert list(table) == ["axis1", "axis2", "t2", "q", "inside", "columns"]
    assert table["inside"].tolist() == [True, False, True]
    assert table["columns"].iloc[1].startswith("petal width (cm)")
    expected = gm.PCA(2).fit(gm.datasets.iris().data).limits(new)
    np.testing.assert_allclose(table[["t2", "q"]], expected[["t2", "q"]], rtol=1e-9)
    flags = json.loads(run("transform", model, data, "--limits", "--json", "-q").stdout)["limits"]
    assert flags["inside"] == [True, False, True]
    run("fit", iris, "-o", tmp_path / "mds.gramian", "--method", "mds", "-q")
    refused = run("transform", tmp_path / "mds.gramian", data, "--limits", "-q")
    assert refused.exit_code == 3 and "no limits for new rows" in refused.stderr


@pytest.mark.slow
def test_rows_with_missing_answers_are_placed_where_the_fit_took_them_as_a_level(tmp_path):
    data, model = tmp_path / "s.csv", tmp_path / "m.gramian"
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.choice(["yes", "no", ""], 60) for name in ("tea", "milk", "sugar")})
    X.to_csv(data, index=False)
    assert run("fit", data, "-o", model, "-q").exit_code == 0
    found = run("transform", model, data, "-q")
    assert found.exit_code == 0, found.stderr
    Z = pd.read_csv(io.StringIO(found.stdout), index_col=0)
    np.testing.assert_allclose(Z, gm.load(model).coordinates_, atol=1e-9)


@pytest.mark.slow
def test_only_numbers_must_be_there_in_new_rows_of_a_mixed_model(tmp_path):
    model, new = tmp_path / "m.gramian", tmp_path / "new.csv"
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"dose": rng.normal(size=60), "age": rng.normal(size=60)})
    X = X.assign(tea=rng.choice(["yes", "no"], 60))
    gm.save(gm.FAMD().fit(X), model)
    X.assign(tea=[None, *X["tea"][1:]]).to_csv(new, index=False)
    assert run("transform", model, new, "-q").exit_code == 0
    X.assign(dose=[None, *X["dose"][1:]]).to_csv(new, index=False)
    found = run("transform", model, new, "-q")
    assert found.exit_code == 3 and "missing value" in found.stderr


@pytest.mark.slow
def test_a_code_for_missing_in_a_short_new_file_is_known_by_the_rows_of_the_fit(tmp_path):
    model, new = tmp_path / "m.gramian", tmp_path / "new.csv"
    X = pd.DataFrame(np.random.default_rng(0).normal(5, 1, (40, 3)), columns=["a", "b", "c"])
    gm.save(gm.PCA(2).fit(X), model)
    X.head(3).assign(b=[-999, 5, 6]).to_csv(new, index=False)
    found = run("transform", model, new, "-q")
    assert found.exit_code == 3 and "One value -999 of column 'b'" in found.stderr
    kept = run("transform", model, new, "-q", "--missing", "drop-rows")
    assert kept.exit_code == 0 and len(kept.stdout.splitlines()) == 3
    assert run("transform", model, new, "-q", "--as-number", "b").exit_code == 0


@pytest.mark.slow
def test_a_model_fills_in_the_holes_of_new_rows(tmp_path):
    data, model = tmp_path / "air.csv", str(tmp_path / "m.gramian")
    air = gm.datasets.airquality().data
    air.to_csv(data, index_label="day")
    ask = ["fit", str(data), "--missing", "iterative", "--components", "2"]
    assert run(*ask, "-o", model).exit_code == 0
    assert run("transform", model, str(data), "-o", str(tmp_path / "z.csv")).exit_code == 0
    placed = pd.read_csv(tmp_path / "z.csv", index_col=0)
    fit = gm.PCA(2, scale=True, missing="iterative").fit(air)
    np.testing.assert_allclose(placed, fit.coordinates_, atol=1e-9)
    one = tmp_path / "one.csv"
    air.loc[["May 5"]].to_csv(one, index_label="day")  # two of its four values are missing
    alone = pd.read_csv(io.StringIO(run("transform", model, str(one)).stdout), index_col=0)
    np.testing.assert_allclose(alone, fit.coordinates_[[4]], atol=1e-9)


@pytest.mark.slow
def test_columns_are_found_by_name(iris, tmp_path):
    model, shuffled = tmp_path / "m.gramian", tmp_path / "shuffled.csv"
    run("fit", iris, "-o", model, "--components", 2)
    table = pd.read_csv(iris, index_col=0)
    table.assign(more=1.5)[[*table.columns[::-1], "more"]].to_csv(shuffled)
    a, b = (run("transform", model, path, "-q").stdout for path in (iris, shuffled))
    assert a == b and a.count("\n") == 151
    table.drop(columns="petal width (cm)").to_csv(shuffled)
    found = run("transform", model, shuffled, "-q")
    assert found.exit_code == 3 and "no column 'petal width (cm)'" in found.stderr


@pytest.mark.slow
def test_one_new_row_is_placed_without_a_word_about_its_columns(iris, tmp_path):
    model, one = tmp_path / "m.gramian", tmp_path / "one.csv"
    run("fit", iris, "-o", model, "--components", 2)
    one.write_text("".join(iris.read_text().splitlines(keepends=True)[:2]))
    found = run("transform", model, one)
    assert found.exit_code == 0 and "warning" not in found.stderr, found.stderr
    names, row = found.stdout.splitlines()
    whole = run("transform", model, iris, "-q").stdout.splitlines()
    assert names == whole[0] and row.split(",")[0] == whole[1].split(",")[0]
    # One row and many go through different BLAS routines: the same to rounding.
    alone, among = (np.array(line.split(",")[1:], dtype=float) for line in (row, whole[1]))
    np.testing.assert_allclose(alone, among, rtol=1e-12)
    assert "1 sample" in run("fit", one).stderr


@pytest.mark.slow
def test_standard_input_and_output(iris):
    text = iris.read_bytes()
    found = run("fit", "-", "-q", "--components", 2, "--coordinates", "-", input=text)
    assert found.stdout.splitlines()[0] == "name,axis1,axis2"
    assert len(found.stdout.splitlines()) == 151


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--method", "kernel-pca", "--kernel", "matern:nu=1.5,scale=2"], "KernelPCA"),
        (["--method", "kernel-pca", "--nystrom", "20"], "KernelPCA"),
        (["--method", "classical-mds", "--metric", "cityblock", "--correction", "lingoes"], None),
        (["--method", "mds", "--scaling", "ordinal"], "MDS"),
        (["--components", "0.9"], "PCA"),
        (["--components", "kaiser"], "PCA"),
    ],
)
def test_methods_and_json(iris, options, method):
    found = run("fit", iris, "--json", *options)
    assert found.exit_code == 0, found.stderr
    made = json.loads(found.stdout)
    assert made["method"] == (method or "ClassicalMDS") and made["n_individuals"] == 150
    assert len(made["eigenvalues"]) == made["n_components"]
    assert any("separated by commas" in note for note in made["notes"])


@pytest.mark.slow
def test_json_numbers_are_those_of_the_library(iris):
    made = json.loads(run("fit", iris, "--json", "--components", 3).stdout)
    fitted = gm.PCA(3, scale=True).fit(gm.datasets.iris().data)
    assert made["eigenvalues"] == fitted.eigenvalues_.tolist()
    assert made["inertia"] == fitted.inertia_


@pytest.mark.slow
def test_distances_graphs_and_sequences(tmp_path):
    gm.datasets.cities().distances.to_csv(tmp_path / "cities.csv")
    found = run("fit", tmp_path / "cities.csv", "-o", tmp_path / "c.gramian", "--json", "-q")
    assert json.loads(found.stdout)["method"] == "ClassicalMDS"
    placed = run("transform", tmp_path / "c.gramian", tmp_path / "cities.csv", "-q")
    assert placed.exit_code == 0 and placed.stdout.count("\n") == 10
    (tmp_path / "s.fasta").write_text(">a\nACGTACGT\n>b\nACGTTTTT\n>c\nGGGGACGT\n")
    found = run("fit", tmp_path / "s.fasta", "--json", "--kernel", "spectrum:k=2")
    assert "Normalized(kernel=Spectrum(k=2))" in json.loads(found.stdout)["parameters"]["kernel"]
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name, text in (("a", "1 2\n2 3\n"), ("b", "1 2\n2 3\n1 3\n"), ("c", "1 2\n")):
        (folder / f"{name}.edgelist").write_text(text)
    model = tmp_path / "g.gramian"
    assert run("fit", folder, "-o", model, "--components", 1).exit_code == 0
    assert run("transform", model, folder, "-q").stdout.count("\n") == 4
    assert run("transform", model, tmp_path / "cities.csv").exit_code == 3


@pytest.mark.slow
def test_fit_says_how_groups_and_other_columns_go_with_the_axes(iris):
    options = ["--group", "species", "--supplementary", "petal width (cm)"]
    found = run("fit", iris, "-q", *options)
    d = gm.datasets.iris()
    Z = gm.PCA(scale=True).fit(d.data.drop(columns="petal width (cm)")).coordinates_
    between = pd.DataFrame(Z).groupby(d.groups["species"].to_numpy()).transform("mean").to_numpy()
    eta2 = between.var(axis=0) / Z.var(axis=0)
    r = np.corrcoef(Z[:, 0], d.data["petal width (cm)"])[0, 1]
    lines = {line[:16].strip(): line for line in found.stdout.splitlines()}
    assert f"{eta2[0]:.3f}" in lines["species"] and f"{eta2[1]:.3f}" in lines["species"]
    assert f"{r:.3f}" in lines["petal width (…"]
    made = json.loads(run("fit", iris, "--json", *options).stdout)
    assert made["groups"]["species"]["statistic"] == pytest.approx(eta2[:3].tolist())
    assert made["supplementary"]["petal width (cm)"]["statistic"][0] == pytest.approx(r)


@pytest.mark.slow
def test_fit_says_the_stress_of_a_map(iris):
    found = run("fit", iris, "-q", "--method", "mds")
    fitted = gm.MDS(random_state=0).fit(gm.datasets.iris().data)
    assert re.search(r"^  stress +(\S+)", found.stdout, flags=re.M)[1] == f"{fitted.stress_:.4g}"
    made = json.loads(run("fit", iris, "--json", "--method", "mds").stdout)
    assert made["stress"] == pytest.approx(fitted.stress_, rel=1e-12)


@pytest.mark.slow
def test_graphs_keep_their_names_and_have_one_usual_kernel(tmp_path):
    for k in range(5, 8):
        nx.write_graphml(nx.cycle_graph(k), tmp_path / f"ring{k}.graphml")
        nx.write_graphml(nx.complete_graph(k), tmp_path / f"full{k}.graphml")
    found = run("fit", tmp_path, "-q")
    assert all(f"\n  {name}" in found.stdout for name in ("ring5", "full7"))
    made = json.loads(run("fit", tmp_path, "--json", "--components", 1).stdout)
    reported = gm.report.study(str(tmp_path)).fit
    assert made["eigenvalues"][0] == pytest.approx(reported.eigenvalues_[0])
    for name in ("weisfeiler_lehman", "Weisfeiler-Lehman", "WeisfeilerLehman"):
        again = run("fit", tmp_path, "--json", "--components", 1, "--kernel", name)
        assert json.loads(again.stdout)["eigenvalues"] == made["eigenvalues"]


def caught(call):
    with pytest.raises(Exception) as found:
        call()
    return found.value


def test_errors_say_which_argument_and_what_was_found():
    error = caught(lambda: gm.io.read(io.BytesIO(b"a;b\n1;2\n"), sep="ab"))
    assert (error.argument, error.found) == ("sep", "ab")
    error = caught(lambda: gm.PCA(3).fit([[1.0, "x"], [2.0, 3.0]]))
    assert error.argument is None and error.found is None


OF_KERNEL = ["--method", "kernel-pca", "--kernel", "gaussian:scale=-1"]
REFUSED = [
    (["--components", 9], "n_components=9 must lie between 1 and 4", "(option --components)"),
    (["--components", "elbo"], "n_components='elbo' is not a known rule", "(option --components)"),
    (["--sep", "ab"], "sep='ab' must be one character, such as ',' or '\\t'", "(option --sep)"),
    (["--active", "z"], "active: there is no column 'z'", "(option --active)"),
    (OF_KERNEL, "scale=-1 must be a positive finite number", "number"),  # not the flag --scale
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "message", "end"), REFUSED)
def test_exceptions_are_shown_in_english_after_a_translated_prefix(iris, options, message, end):
    for language, prefix in (("en", "error: "), ("fr", "erreur\u202f: ")):
        found = run("fit", iris, "-q", *options, "--language", language)
        assert found.exit_code == 3 and found.stdout == ""
        last = found.stderr.splitlines()[-1]
        assert last.startswith(prefix + message) and last.endswith(end)


COMMANDS_WITH_A_LANGUAGE = [command for command in COMMANDS if command != "completion"]


@pytest.mark.parametrize("command", COMMANDS_WITH_A_LANGUAGE)
def test_every_command_takes_a_language(command):
    assert "--language [en|fr]" in run(command, "--help").stdout


@pytest.mark.slow
def test_a_command_speaks_its_language(iris, tmp_path):
    model, french = tmp_path / "m.gramian", ["--language", "fr"]
    found = run("fit", iris, "-o", model, "--group", "species", *french)
    assert found.exit_code == 0, found.stderr
    assert found.stdout.startswith("PCA de 150 individus, 4 variables\n")
    assert "Valeurs propres" in found.stdout and "Individus, par contribution" in found.stdout
    assert re.search(r"^  1 +2,918 +72,96 +72,96$", found.stdout, flags=re.M)
    assert not re.search(r"[Ii]ndividuals|eigenvalue %|Groups|cumulated", found.stdout)
    prefixes = {line.partition(" ")[0] for line in found.stderr.splitlines()}
    assert prefixes == {"note\u202f:", "avertissement\u202f:"}
    placed = run("transform", model, iris, *french)
    assert "note\u202f: " in placed.stderr and placed.stdout.startswith("name,axis1")
    assert "Treize mesures de vins" in run("datasets", *french).stdout
    again = run("fit", iris, "-o", model, *french)
    assert again.exit_code == 4 and "existe\u202f: utiliser --force" in again.stderr
    missing = run("datasets", "moon", *french)
    assert "il n’y a pas de jeu de données 'moon'" in missing.stderr
    assert "vaut pour --method kernel-pca" in run("fit", iris, "--kernel", "linear", *french).stderr
    found = run("report", iris, "--kernel", "gausian", "-o", tmp_path / "p", *french)
    assert "--kernel 'gausian' n’est ni parmi" in found.stderr


@pytest.mark.slow
def test_warnings_and_errors_speak_of_options(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("x,y\n1,\n3,4\n5,6\n7,1\n")
    found = run("fit", path)
    assert "missing='" not in found.stderr and found.stderr.count("--missing drop-rows") == 2
    french = run("fit", path, "--language", "fr").stderr
    assert "une valeur manque dans 1 colonne\u202f: choisir --missing drop-rows" in french
    made = json.loads(run("report", path, "-o", tmp_path / "r.html", "--json").stdout)
    assert any("--missing drop-rows" in text for text in made["warnings"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "value"),
    [("--metric", "cityblock"), ("--correction", "lingoes"), ("--scaling", "ordinal")],
)
def test_options_of_another_method_are_refused(option, value, iris):
    found = run("fit", iris, "-q", option, value)
    assert found.exit_code == 3 and f"{option} is for --method" in found.stderr


@pytest.mark.slow
def test_an_indefinite_kernel_can_be_asked_for(iris):
    options = [
        "--method",
        "kernel-pca",
        "--kernel",
        "sigmoid:scale=0.1,offset=-1",
        "--components",
        2,
    ]
    found = run("fit", iris, "-q", *options)
    assert found.exit_code == 3 and "indefinite='clip', 'flip' or 'krein'" in found.stderr
    assert "(option --indefinite)" in found.stderr
    assert run("fit", iris, "-q", *options, "--indefinite", "clip").exit_code == 0


def failures(tmp_path):
    broken, pickled = tmp_path / "broken.gramian", tmp_path / "pickled.gramian"
    broken.write_bytes(b"\x10\0\0\0\0\0\0\0{}")
    pickled.write_bytes(b"\x80\x04\x95")
    holes = tmp_path / "holes.csv"
    holes.write_text("x,y\n1,\n3,4\n5,6\n")
    there = tmp_path / "there.gramian"
    there.write_text("")
    iris = tmp_path / "iris.csv"
    return [
        (["fit", tmp_path / "none.csv"], 3, "No such file"),
        (["fit", iris, "--components", "everest"], 3, "not a known rule"),
        (["fit", iris, "--kernel", "linear"], 3, "--kernel is for"),
        (["fit", iris, "--method", "kernel-pca", "--kernel", "magic"], 3, "gaussian"),
        (["fit", iris, "--method", "kernel-pca", "--kernel", "matern:mu=1"], 3, "mu"),
        (["fit", iris, "--active", "petal width"], 3, "did you mean"),
        (["fit", holes], 3, "--missing drop-rows"),
        (["fit", iris, "-o", there], 4, "use --force"),
        (["fit", iris, "-o", tmp_path], 4, "is a folder"),
        (["fit", iris, "-o", tmp_path / "no" / "m.gramian"], 4, "is no folder"),
        (["fit", iris, "-o", "-"], 4, "standard output"),
        (["transform", broken, iris], 5, "not a model file"),
        (["transform", pickled, iris], 5, "pickle"),
        (["report", iris, "-o", there], 4, "use --force"),
        (["datasets", "moon"], 3, "no data set 'moon'"),
        (["datasets", "iris", "-o", there], 4, "use --force"),
    ]


@pytest.mark.parametrize("number", range(16))
def test_failures_are_one_line_and_a_code(number, iris, tmp_path):
    arguments, code, words = failures(tmp_path)[number]
    found = run(*arguments, "-q")
    assert found.exit_code == code and found.stdout == ""
    lines = [line for line in found.stderr.splitlines() if not line.startswith("warning: ")]
    assert len(lines) == 1 and lines[0].startswith("error: ") and words in lines[0]


@pytest.mark.parametrize("arguments", [["fitt"], ["fit"], ["fit", "x", "--methd", "pca"]])
def test_a_command_line_that_is_not_understood(arguments):
    found = run(*arguments)
    assert found.exit_code == 2 and "Usage" in found.stderr


def test_a_traceback_only_with_debug(tmp_path):
    for arguments in (["fit", tmp_path / "none.csv", "--debug"], ["--debug", "fit", "none.csv"]):
        found = run(*arguments)
        assert found.exit_code == 3 and "Traceback" in found.stderr
    assert "Traceback" not in run("fit", tmp_path / "none.csv").stderr


@pytest.mark.slow
def test_other_errors_and_interrupts(iris, monkeypatch):
    for error, code in ((ZeroDivisionError("oh"), 1), (KeyboardInterrupt(), 130)):

        def fail(*_, error=error, **__):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(gm.PCA, "fit", fail)
            found = run("fit", iris, "-q")
        assert found.exit_code == code and "Traceback" not in found.stderr
    with monkeypatch.context() as patch:
        patch.setattr(gm.PCA, "fit", lambda *_: (_ for _ in ()).throw(MemoryError("too big")))
        assert run("fit", iris, "-q").exit_code == 6


def test_force_overwrites(iris, tmp_path):
    out = tmp_path / "z.csv"
    assert run("datasets", "iris", "-o", out).exit_code == 0
    before = out.read_text()
    assert run("datasets", "rings", "-o", out).exit_code == 4 and out.read_text() == before
    assert run("datasets", "rings", "-o", out, "--force").exit_code == 0
    assert out.read_text() != before


@pytest.mark.slow
@pytest.mark.parametrize("name", gm.datasets.names())
def test_data_sets_can_be_written_and_read(name, tmp_path):
    path = tmp_path / f"{name}.csv"
    assert run("datasets", name, "-o", path).exit_code == 0
    d, source = gm.datasets.load(name), gm.io.read(path)
    assert source.kind == d.kind and len(source) == len(d.data)
    if d.kind == "distances":
        found = source.distances.to_numpy()
        np.testing.assert_array_equal(found, d.distances.to_numpy(dtype=float))
    else:
        found = source.table[list(d.data.columns)].to_numpy(dtype=float)
        np.testing.assert_array_equal(found, d.data.to_numpy(dtype=float))


def test_the_list_of_data_sets():
    assert [line.split()[0] for line in run("datasets").stdout.splitlines()] == gm.datasets.names()
    listed = json.loads(run("datasets", "--json").stdout)
    assert [each["name"] for each in listed] == gm.datasets.names()
    cities = gm.datasets.cities()
    assert listed[5]["kind"] == "distances" and listed[5]["description"] == cities.description
    assert [each["shape"] for each in listed[5:7]] == [[9, 9], [150, 4]]


def test_labels_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "hostile.csv"
    path.write_text("name,x,y\na\x1b[2J,1,2\nb\x07,2,5\nc,9,1\n")
    found = run("fit", path)
    assert found.exit_code == 0 and r"\u001b[2J" in found.stdout
    assert not re.search("[\x00-\x08\x1b]", found.stdout + found.stderr)


BARE = """
import importlib.abc, sys
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pyarrow", "safetensors", "rich", "python_calamine", "h5py"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nothing())
import gramian.io.arrow as arrow
arrow.has_arrow = lambda: False
import gramian.io.delimited as delimited
delimited.has_arrow = arrow.has_arrow
from gramian.cli import main
main(sys.argv[1:])
"""


@pytest.mark.slow
def test_without_the_extras(iris, tmp_path):
    def bare(*arguments):
        command = [sys.executable, "-c", BARE, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    assert bare("fit", iris, "-q").returncode == 0
    (tmp_path / "a.parquet").write_bytes(b"PAR1....PAR1")
    found = bare("fit", tmp_path / "a.parquet", "-q")
    assert found.returncode == 3 and "pip install 'gramian[io]'" in found.stderr
    assert bare("fit", iris, "-o", tmp_path / "m.gramian", "-q").returncode == 0
    assert gm.load(tmp_path / "m.gramian").n_components_ >= 1


@pytest.mark.slow
def test_report_gets_what_was_asked_for(iris, tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(gm.report, "write", lambda *a, **k: calls.append((a, k)))
    out = str(tmp_path / "r.html")
    options = ["--language", "fr", "--title", "T", "--seed", 7, "--group", "species", "--json"]
    found = run("report", iris, "-o", out, *options)
    assert found.exit_code == 0 and json.loads(found.stdout)["report"] == out
    (study, path), more = calls[0]
    assert path == out and list(study.subject.groups) == ["species"]
    assert study.seed == 7 and study.subject.title == "T"
    assert more.pop("spelling")("missing", ("mean",)) == "--missing mean"
    assert more == {"language": "fr", "force": False}


@pytest.mark.slow
def test_notes_are_of_the_analysis_that_was_made(tmp_path):
    """Not of the reading before it, which takes categories for groups."""
    rng = np.random.default_rng(0)
    answers = pd.DataFrame(rng.choice(["yes", "no"], (40, 6)), columns=list("abcdef"))
    answers.assign(age=rng.integers(20, 70, 40)).to_csv(tmp_path / "answers.csv")
    found = run("report", tmp_path / "answers.csv", "-o", tmp_path / "page.html")
    assert "multiple correspondence analysis (MCA) was chosen" in found.stderr
    assert "groups" not in found.stderr


def test_a_table_that_is_refused_is_still_described(tmp_path):
    (tmp_path / "one.csv").write_text("a,b\n1,2\n")
    found = run("report", tmp_path / "one.csv", "-o", tmp_path / "page.html")
    assert found.exit_code == 3 and "Columns: 2 active" in found.stderr


@pytest.mark.slow
def test_a_report_is_written(tmp_path):
    gm.datasets.cities().distances.to_csv(tmp_path / "cities.csv")
    out = tmp_path / "cities.html"
    found = run("report", tmp_path / "cities.csv", "-o", out)
    assert found.exit_code == 0, found.stderr
    assert found.stdout == f"{out}\n" and "Chicago" in out.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion(name):
    assert "_GRAMIAN_COMPLETE" in run("completion", name).stdout
    words = {"COMP_WORDS": "gramian fi", "COMP_CWORD": "1", "_GRAMIAN_COMPLETE": "bash_complete"}
    made = shell(env=os.environ | words)
    assert made.stdout == "plain,fit\n"


@pytest.mark.slow
def test_threads_are_held():
    code = (
        "import os, sys\nfrom gramian.cli import main\n"
        "main(['datasets', '--n-jobs', '1'], standalone_mode=False)\n"
        "from gramian._core.parallel import n_threads\nprint(n_threads(), file=sys.stderr)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.stderr == "1\n"


def on_terminal(arguments, env):
    """Run the command with a terminal as its stderr and return what is shown there."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gramian", *map(str, arguments)]
    made = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    made.wait()
    os.close(ours)
    return shown.decode()


@pytest.mark.slow
def test_colours_follow_the_terminal_and_no_color():
    arguments = ["datasets", "-o", "."]
    colour = re.compile("\x1b\\[[0-9;]*m")
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    assert "\x1b[31merror" in on_terminal(arguments, env)
    assert not colour.search(on_terminal(arguments, env | {"NO_COLOR": "1"}))
    assert not colour.search(shell(*arguments, env=env).stderr)


@pytest.mark.slow
def test_progress_is_for_terminals_and_slow_things(monkeypatch, capfd):
    import time

    from gramian.cli.output import progress

    with progress("thinking hard"):
        time.sleep(1.1)
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with progress("quick"):
        pass
    assert capfd.readouterr().err == ""
    with progress("thinking hard"):
        time.sleep(1.6)
    assert "thinking hard" in capfd.readouterr().err


PLUGIN = """
import gramian as gm


@gm.kernels.register
class Lorentz(gm.kernels.Radial):
    def __init__(self, scale="median"):
        self.scale = scale

    def profile(self, t):
        return 1.0 / (1.0 + t)
"""


@pytest.mark.slow
def test_a_kernel_of_a_plugin_is_a_word_of_the_command(iris, tmp_path):
    (tmp_path / "lorentzian.py").write_text(PLUGIN)
    options = ["--method", "kernel-pca", "--components", "2", "-q"]
    kernel = ["--kernel", "lorentz:scale=2", "--plugin", "lorentzian"]
    done = shell("fit", iris, *options, *kernel, "-o", "m.gramian", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parameters"]["kernel"] == "Lorentz(scale=2)"
    placed = shell("transform", "m.gramian", iris, "-q", "--plugin", "lorentzian", cwd=tmp_path)
    assert placed.returncode == 0 and placed.stdout.count("\n") == 151
    refused = shell("transform", "m.gramian", iris, "-q", cwd=tmp_path)
    assert refused.returncode == 5 and "'lorentz', which is not registered" in refused.stderr
    assert "--plugin" in refused.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise OSError('no licence')", "OSError: no licence"),
        ("import nothing_of_this_name", "No module"),
    ],
    ids=["fails", "imports"],
)
def test_a_plugin_that_cannot_be_imported(text, words, iris, tmp_path, monkeypatch):
    (tmp_path / "broken_plugin.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = run("fit", iris, "--plugin", "broken_plugin")
    assert (
        done.exit_code == 3 and words in done.stderr and "--plugin 'broken_plugin'" in done.stderr
    )
    done = run("report", iris, "--plugin", "no_plugin_here", "-o", tmp_path / "r.html")
    assert done.exit_code == 3 and "No module named 'no_plugin_here'" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("array", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_a_model_of_an_array_takes_columns_in_their_order(array, iris, tmp_path):
    X = gm.datasets.iris().data.to_numpy(copy=True)
    gm.save(gm.PCA(2).fit(array(X)), tmp_path / "m.gramian")
    found = run("transform", tmp_path / "m.gramian", iris, "-q")
    assert found.exit_code == 0, found.output
    Z = pd.read_csv(io.StringIO(found.stdout), index_col=0).to_numpy()
    np.testing.assert_allclose(Z, gm.PCA(2).fit_transform(X), atol=1e-9)
    fewer = run("transform", tmp_path / "m.gramian", iris, "-q", "--ignore", "petal width (cm)")
    assert fewer.exit_code == 3 and "has 4 columns without names" in fewer.stderr
    assert "graphs" not in fewer.stderr


@pytest.mark.slow
def test_the_man_page_has_every_command_and_every_exit_code(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "gramian.1").read_text(encoding="utf-8")
    commands = page[page.index(".SH COMMANDS") : page.index(".SH OPTIONS")]
    assert re.findall(r"^\.B (.+)$", commands, re.M) == COMMANDS
    assert list(main.list_commands(None)) == COMMANDS
    status = page[page.index(".SH EXIT STATUS") : page.index(".SH ENVIRONMENT")]
    codes = {int(code) for code in re.findall(r"^\.B (\d+)$", status, re.M)}
    table = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    assert codes == {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.M)}
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert "docs/gramian.1" in wheel["targets"]["wheel"]["shared-data"]
    lines = page[page.index(".SH EXAMPLES") :].replace("\\-", "-").splitlines()
    monkeypatch.chdir(tmp_path)
    for line in (line for line in lines if line.startswith("gramian ")):
        assert run(*line.split()[1:]).exit_code == 0, line


def test_calls_at_any_depth_map_no_memory(monkeypatch):
    resource = pytest.importorskip("resource")

    def leaf():
        return None

    def nest(depth):
        for _ in range(500):
            leaf()
        return depth and nest(depth - 1)

    def faults():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    found = []

    def main(prog_name):
        nest(200)  # the pages of the frames themselves
        before = faults()
        nest(200)
        found.append(faults() - before)

    monkeypatch.setattr(__main__, "main", main)
    monkeypatch.setattr(__main__, "gc", Mock())
    __main__.run()
    assert found[0] < 250  # one for each call where a call begins a piece of 16 kB
