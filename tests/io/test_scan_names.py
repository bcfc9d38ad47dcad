"""Names of rows go along with them to the files that blocks are written to."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, OutputError

X = np.random.default_rng(0).standard_normal((900, 3)) * [3, 2, 1]
LABELS = [f"n{k}" for k in range(900)]
LABELS[3] = "=1+1"  # a spreadsheet would run it
FRAME = pd.DataFrame(X, columns=list("abc"), index=LABELS)
SOURCES = {
    "parquet": lambda name: FRAME.to_parquet(name, row_group_size=200),
    "named index": lambda name: FRAME.rename_axis("who").to_parquet(name, row_group_size=200),
    "csv": lambda name: FRAME.to_csv(name),
    "csv with a name": lambda name: FRAME.rename_axis("id").to_csv(name),
}


def scanned(folder, kind):
    path = folder / ("rows.csv" if "csv" in kind else "rows.parquet")
    SOURCES[kind](path)
    return gm.io.scan(path, memory="50kB")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "tsv"])
@pytest.mark.parametrize("what", ["transform", "individuals"])
@pytest.mark.parametrize("kind", SOURCES)
def test_names_are_written_and_read_again(tmp_path, kind, what, ending):
    rows = scanned(tmp_path, kind)
    fit = gm.PCA(2).fit(rows)
    path = tmp_path / f"out.{ending}"
    assert getattr(fit, what)(rows).write(path) == 900
    back = gm.io.read(path)
    assert back.names == LABELS
    np.testing.assert_allclose(back.table.iloc[:, :2], gm.PCA(2).fit(X).transform(X), atol=1e-12)
    again = gm.io.scan(path).collect()
    assert again.index.tolist() == LABELS and again.shape == back.table.shape


@pytest.mark.slow
def test_formulas_are_guarded_in_text_alone(tmp_path):
    rows = scanned(tmp_path, "parquet")
    places = gm.PCA(2).fit(rows).transform(rows)
    places.write(tmp_path / "out.csv")
    places.write(tmp_path / "out.parquet")
    assert "'=1+1" in (tmp_path / "out.csv").read_text().splitlines()[4]
    assert pd.read_parquet(tmp_path / "out.parquet").index[3] == "=1+1"


def test_numbers_of_rows_that_are_left_out_are_names_then(tmp_path):
    Y = pd.DataFrame(X, columns=list("abc"))
    Y.iloc[[5, 700], 1] = np.nan
    rows = gm.io.scan([Y[:300], Y[300:]]).complete()
    gm.PCA(2).fit(rows).transform(rows).write(tmp_path / "out.parquet")
    kept = [k for k in range(900) if k not in (5, 700)]
    assert pd.read_parquet(tmp_path / "out.parquet").index.tolist() == kept


def test_rows_without_names_have_no_such_column(tmp_path):
    rows = gm.io.scan([X[:300], X[300:]])
    gm.PCA(2).fit(rows).transform(rows).write(tmp_path / "out.csv")
    assert pd.read_csv(tmp_path / "out.csv").columns.tolist() == ["axis 1", "axis 2"]
    mixed = gm.io.scan([FRAME[:300], FRAME[300:].reset_index(drop=True)])
    with pytest.raises(InputError, match="a block has rows without names"):
        mixed.write(tmp_path / "mixed.csv")
    assert not (tmp_path / "mixed.csv").exists()


def test_a_model_is_replaced_or_refused(tmp_path):
    fit, path = gm.PCA(2).fit(X), tmp_path / "fit.gramian"
    gm.save(fit, path, force=False)
    gm.save(gm.PCA(1).fit(X), path)
    with pytest.raises(OutputError, match="exists: pass force=True"):
        gm.save(fit, path, force=False)
    assert gm.load(path).n_components_ == 1
