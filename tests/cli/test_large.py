"""Files larger than the memory that is allowed: the same numbers, block by block."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main

NAMES = ["alpha", "beta", "gamma", "delta"]


def run(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 4)) * [4, 3, 2, 1] + 10
    return pd.DataFrame(X, columns=NAMES).assign(label="x")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "csv", "semicolons"])
def test_a_large_file_is_fitted_in_blocks(kind, frame, tmp_path):
    data = tmp_path / ("rows.parquet" if kind == "parquet" else "rows.csv")
    if kind == "parquet":
        frame.to_parquet(data)
    else:
        frame.to_csv(data, index=False, sep=";" if kind == "semicolons" else ",")
    model, places = tmp_path / "m.gramian", tmp_path / "places.parquet"
    options = ["--components", "2", "-o", model, "--coordinates", places, "--memory", "200kB"]
    found = run("fit", data, *options, "--json")
    assert found.exit_code == 0, found.output
    assert f"{data.name} contains" in found.stderr and "a quarter of 200 kB" in found.stderr
    assert "One non-numeric column was left out: 'label'." in found.stderr
    whole = gm.PCA(2, scale=True).fit(frame[NAMES])
    printed = json.loads(found.stdout)
    np.testing.assert_allclose(printed["eigenvalues"], whole.eigenvalues_, rtol=1e-12)
    assert printed["n_individuals"] == 3000
    written = pd.read_parquet(places)
    assert list(written) == ["axis1", "axis2"]
    np.testing.assert_allclose(written, whole.coordinates_, atol=1e-10)
    again = tmp_path / "again.csv"
    placed = run("transform", model, data, "-o", again, "--memory", "200kB")
    assert placed.exit_code == 0 and "block by block" in placed.stderr
    np.testing.assert_allclose(pd.read_csv(again), whole.coordinates_, atol=1e-10)
    out = run("transform", model, data, "--memory", "200kB", "-q").stdout
    assert out.splitlines()[0] == "axis1,axis2" and len(out.splitlines()) == 3001


@pytest.mark.slow
def test_a_small_file_is_held(frame, tmp_path):
    frame.to_parquet(tmp_path / "rows.parquet")
    found = run("fit", tmp_path / "rows.parquet", "--memory", "2MB", "--method", "pca")
    assert found.exit_code == 0 and "block by block" not in found.stderr


@pytest.mark.slow
def test_kernel_pca_and_columns(frame, tmp_path):
    data = tmp_path / "rows.parquet"
    frame.to_parquet(data)
    options = ["--method", "kernel-pca", "--kernel", "gaussian:scale=5", "--nystrom", "60"]
    found = run("fit", data, *options, "--memory", "200kB", "--ignore", "beta,delta", "--json")
    assert found.exit_code == 0, found.output
    how = gm.Nystrom(60, random_state=0)
    kernel = gm.kernels.Gaussian(5.0)
    fit = gm.KernelPCA(kernel=kernel, approximation=how).fit(frame[["alpha", "gamma"]])
    got = json.loads(found.stdout)["eigenvalues"]
    np.testing.assert_allclose(got[:3], fit.eigenvalues_[:3], rtol=1e-3)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--method", "mds"], 3, "needs all rows at once"),
        (["--sheet", "2"], 3, "--sheet does not go with a file that is read block by block"),
        (["--active", "nothing"], 3, "'nothing' is no column of rows.parquet"),
        (["--memory", "much"], 3, "not a size"),
        (["--coordinates", "places.xlsx"], 4, "write .parquet"),
        (["--method", "kernel-pca", "-o", "m.gramian"], 3, "is not saved without the rows"),
    ],
)
def test_what_is_refused(options, code, words, frame, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame.to_parquet("rows.parquet")
    found = run("fit", "rows.parquet", "--memory", "200kB", *options)
    assert found.exit_code == code and words in found.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_names_of_rows_go_along(kind, frame, tmp_path):
    labels = [f"n{k}" for k in range(3000)]
    frame = frame.set_axis(["=1+1", *labels[1:]])
    data, places = tmp_path / f"rows.{kind}", tmp_path / "places.csv"
    getattr(frame, f"to_{kind}")(data)
    model = tmp_path / "m.gramian"
    options = ["--components", "2", "-o", model, "--coordinates", places, "--memory", "200kB"]
    assert run("fit", data, *options).exit_code == 0
    again = tmp_path / "again.parquet"
    assert run("transform", model, data, "-o", again, "--memory", "200kB").exit_code == 0
    assert pd.read_parquet(again).index.tolist() == frame.index.tolist()
    held = run("transform", model, data, "-q").stdout
    out = run("transform", model, data, "--memory", "200kB", "-q").stdout
    assert out.splitlines()[0] == held.splitlines()[0] == "name,axis1,axis2"
    assert len(out.splitlines()) == 3001 and "'=1+1," in out.splitlines()[1]
    assert [line.split(",")[0] for line in out.splitlines()] == [
        line.split(",")[0] for line in held.splitlines()
    ]
    table = pd.read_csv(places, index_col="name")
    assert table.index.tolist() == ["'=1+1", *labels[1:]]


@pytest.mark.slow
def test_holes_are_left_out_or_filled_in(frame, tmp_path):
    frame.loc[[20, 2500], "beta"] = np.nan
    data = tmp_path / "rows.parquet"
    frame.to_parquet(data)
    options = ["--memory", "200kB", "--method", "pca", "--json"]
    found = run("fit", data, *options)
    assert found.exit_code == 3 and "use --missing drop-rows or mean" in found.stderr
    numbers = frame[NAMES]
    for how, whole in {
        "drop-rows": numbers.dropna(),
        "mean": numbers.fillna(numbers.mean()),
    }.items():
        found = run("fit", data, *options, "--missing", how)
        assert found.exit_code == 0, found.output
        values = json.loads(found.stdout)["eigenvalues"]
        np.testing.assert_allclose(values, gm.PCA(scale=True).fit(whole).eigenvalues_, rtol=1e-9)
    found = run("fit", data, *options, "--missing", "iterative")
    assert found.exit_code == 3 and "needs all rows at once" in found.stderr


def test_holes_leave_no_file(frame, tmp_path):
    frame.loc[2500, "beta"] = np.nan
    data = tmp_path / "rows.parquet"
    frame.to_parquet(data)
    found = run("fit", data, "--memory", "200kB", "--coordinates", tmp_path / "c.csv")
    assert found.exit_code == 3 and "block" in found.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.fixture
def small_sample(monkeypatch):
    """Files of more than 10 kB are sampled to about 3 kB."""
    monkeypatch.setattr("gramian.cli.large.SAMPLED_FROM", 10_000)
    monkeypatch.setattr("gramian.cli.large.SAMPLE_BYTES", 3_000)


def test_a_page_of_a_large_file_is_one_of_a_sample(tmp_path, small_sample):
    from gramian.cli.large import sample_of

    path = tmp_path / "large.csv"
    rows = [f"{k},{k % 7},{k * k}" for k in range(1, 3001)]
    path.write_text("a,b,c\n" + "\n".join(rows) + "\n")
    with sample_of(str(path), 0) as (part, notes):
        lines = Path(part).read_text().splitlines()
    assert Path(part).name == "large.csv" and not Path(part).exists()
    assert lines[0] == "a,b,c" and lines[1:100] == rows[:99]
    drawn = [int(line.partition(",")[0]) for line in lines[100:]]
    assert drawn == sorted(set(drawn)) and set(lines[1:]) <= set(rows)
    # uniform: the mean of N numbers from 100 to 3,000 has this standard deviation
    assert abs(np.mean(drawn) - 1550) < 4 * 2900 / np.sqrt(12 * len(drawn))
    assert f"{len(lines):,} of its 3,001 lines" in notes[0]
    with sample_of(str(path), 1) as (part, _):
        assert Path(part).read_text().splitlines() != lines


@pytest.fixture
def small_memory(monkeypatch, small_sample):
    """PCA of files of more than 40 kB takes blocks where it can."""
    monkeypatch.setattr("gramian.cli.large._USUAL_MEMORY", 160_000)
    monkeypatch.setattr("gramian.cli.large.SAMPLE_BYTES", 20_000)


@pytest.mark.parametrize("named", [False, True])
def test_pca_of_a_large_text_takes_blocks_by_itself(frame, tmp_path, small_memory, named):
    data, model = tmp_path / "rows.csv", tmp_path / "m.gramian"
    frame = frame[NAMES].set_axis([f"r{k}" for k in range(3000)]) if named else frame[NAMES]
    frame.rename_axis("name").to_csv(data, index=named)
    found = run("fit", data, "-o", model, "--json")
    assert found.exit_code == 0 and "read block by block" in found.stderr
    whole = gm.PCA(scale=True).fit(frame)
    np.testing.assert_allclose(json.loads(found.stdout)["eigenvalues"], whole.eigenvalues_)
    np.testing.assert_allclose(gm.load_model(model).transform(frame), whole.coordinates_, atol=1e-9)
    assert "block by block" not in run("fit", data, "-f", "--memory", "9MB").stderr


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({"label": ["x", "y"] * 1500}, [], "Groups"),
        ({}, ["--supplementary", "beta"], "Supplementary variables"),
        ({}, ["--method", "classical-mds", "--ignore", "beta"], "ClassicalMDS"),
        ({"beta": [np.nan, 1.0] * 1500}, ["--missing", "median"], "PCA of 3000"),
        ({"beta": 1.0}, [], "PCA of 3000"),  # of which the reader is warned
        ({}, ["--coordinates", "places.csv"], "PCA of 3000"),
    ],
)
def test_what_blocks_do_otherwise_is_read_as_a_whole(
    frame, tmp_path, small_memory, monkeypatch, change, options, words
):
    monkeypatch.chdir(tmp_path)
    frame[NAMES].assign(**change).round(4).to_csv("rows.csv", index=False)
    found = run("fit", "rows.csv", *options)
    assert found.exit_code == 0, found.output
    assert words in found.stdout and "block by block" not in found.stderr


def test_a_cell_that_no_sample_shows_is_read_with_the_others(frame, tmp_path, small_memory):
    data = tmp_path / "rows.csv"
    for cell, words in (("oops", "'oops'"), ("", "--missing drop-rows")):
        frame[NAMES].astype(object).assign(beta=[*frame["beta"][:-1], cell]).to_csv(data, index=0)
        found = run("fit", data)
        assert words in found.stderr
        assert found.stderr.endswith(run("fit", data, "--memory", "9MB").stderr)


def test_a_text_over_two_lines_is_not_cut(tmp_path, small_sample):
    from gramian.cli.large import sample_of

    path = tmp_path / "quoted.csv"
    path.write_text("a,b\n" + '"one\ntwo",3\n' * 2000)
    with sample_of(str(path), 0) as (part, notes):
        assert part == str(path) and notes == ()


@pytest.mark.slow
def test_the_note_of_a_sample_is_on_the_page(tmp_path, small_sample):
    path = tmp_path / "large.csv"
    X = np.random.default_rng(0).standard_normal((600, 3)).round(4)
    pd.DataFrame(X, columns=list("abc")).to_csv(path, index=False)
    page = tmp_path / "page.html"
    out = CliRunner().invoke(main, ["report", str(path), "-o", str(page)])
    assert out.exit_code == 0 and "lines, drawn at random" in out.output
    assert "lines, drawn at random" in page.read_text()
    out = CliRunner().invoke(main, ["report", str(path), "-o", str(page), "-f", "--all-rows"])
    assert out.exit_code == 0 and "lines, drawn at random" not in page.read_text()
