"""Tables that are read block by block: the numbers of the whole table, in the memory of a block."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError, OutputError

NAMES = list("abcde")


def rows(n=1200, offset=1e3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 5)) * [5, 4, 3, 2, 1] + offset


def frame(X):
    return pd.DataFrame(X, columns=NAMES).assign(label="x")


def parquet(folder, X):
    frame(X).to_parquet(folder / "rows.parquet", row_group_size=170)
    return folder / "rows.parquet"


def many_files(folder, X):
    (folder / "parts").mkdir()
    for k, part in enumerate(np.array_split(X, 3)):
        frame(part).to_parquet(folder / "parts" / f"part{k}.parquet")
    return folder / "parts"


def array(folder, X):
    np.save(folder / "rows.npy", X)
    return folder / "rows.npy"


def csv(folder, X):
    frame(X).to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def tabs(folder, X):
    frame(X).to_csv(folder / "rows.tsv", index=False, sep="\t")
    return folder / "rows.tsv"


def feather(folder, X):
    frame(X).to_feather(folder / "rows.feather", chunksize=100)
    return folder / "rows.feather"


SOURCES = {
    "parquet": parquet,
    "folder": many_files,
    "npy": array,
    "csv": csv,
    "tsv": tabs,
    "feather": feather,
    "lazy": lambda folder, X: pl.from_pandas(frame(X)).lazy(),
    "function": lambda folder, X: lambda: (X[k : k + 97] for k in range(0, len(X), 97)),
    "list": lambda folder, X: list(np.array_split(X, 7)),
    "ragged": lambda folder, X: [X[:1], X[1:1000], X[1000:1001], X[1001:]],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("scale", [False, True])
def test_pca_is_that_of_the_whole_table(kind, scale, tmp_path):
    X = rows()
    scan = gm.io.scan(SOURCES[kind](tmp_path, X), memory="100kB")
    fit, whole = gm.PCA(3, scale=scale).fit(scan), gm.PCA(3, scale=scale).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-12)
    Z = np.asarray(fit.transform(scan))
    np.testing.assert_allclose(Z, whole.coordinates_, atol=1e-9 * np.abs(Z).max())
    assert scan.n_rows == 1200 and len(list(scan)) > 1
    table = fit.individuals(scan).collect()
    np.testing.assert_allclose(table["cos2"], whole.individuals()["cos2"], atol=1e-9)
    assert np.abs(fit.fit_transform(scan).collect() - Z).max() == 0.0


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_an_offset_costs_no_digits(offset, tmp_path):
    X = rows(offset=offset)
    whole = gm.PCA(3).fit(X)
    fit = gm.PCA(3).fit(gm.io.scan(parquet(tmp_path, X), memory="100kB"))
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-10)


def test_single_precision_stays_single(tmp_path):
    X = rows().astype(np.float32)
    scan = gm.io.scan(array(tmp_path, X))
    Z = gm.PCA(2).fit(scan).transform(scan).collect()
    assert Z.dtype == np.float32


@pytest.mark.parametrize("name", ["map.parquet", "map.arrow", "map.csv", "map.tsv", "map.npy"])
def test_coordinates_are_written_block_by_block(name, tmp_path):
    X = rows()
    scan = gm.io.scan(array(tmp_path, X), memory="100kB")
    fit = gm.PCA(2).fit(scan)
    assert fit.transform(scan).write(tmp_path / name) == 1200
    again = gm.io.scan(tmp_path / name).collect()
    np.testing.assert_allclose(np.asarray(again), gm.PCA(2).fit(X).coordinates_, atol=1e-9)
    with pytest.raises(OutputError, match="exists"):
        fit.transform(scan).write(tmp_path / name)


def test_a_failed_write_leaves_nothing(tmp_path):
    scan = gm.io.scan([rows(10), np.full((5, 5), np.nan)])
    fit = gm.PCA(2).fit(rows())
    with pytest.raises(InputError, match="block 2"):
        fit.transform(scan).write(tmp_path / "map.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_columns_and_notes(tmp_path):
    scan = gm.io.scan(parquet(tmp_path, rows()))
    assert scan.columns == NAMES and scan.notes == (
        "One non-numeric column was left out: 'label'.",
    )
    assert scan.notes[0].french.startswith("Une colonne")
    assert scan.n_rows == 1200  # a Parquet file says so before it is read
    some = gm.io.scan(parquet(tmp_path, rows()), columns=["c", "a"])
    assert list(some.head(2).columns) == ["c", "a"]
    assert list(scan.take(["b"]).collect().columns) == ["b"]
    assert list(gm.PCA(2).fit(scan).variables().index) == NAMES
    with pytest.raises(InputError, match="'label' is no column of numbers"):
        gm.io.scan(parquet(tmp_path, rows()), columns=["label"])
    for left in (scan, scan.complete(), scan.take(["b"]), some):
        with pytest.raises(InputError, match="'label' is no column of numbers of"):
            left.take(["label"])
        with pytest.raises(InputError, match="'nobody' is no column of"):
            left.take(["nobody"])
    for left in (scan.take(["c", "a"]), some):
        with pytest.raises(InputError, match="'b' is not among the columns that were taken of"):
            left.take(["b"])


def test_a_column_that_names_the_rows_is_said_to_be_one(tmp_path):
    path = tmp_path / "named.csv"
    path.write_text("id,a,b,who\n" + "".join(f"{k + 11},{k}.5,{k**2}.25,u{k}\n" for k in range(9)))
    scan = gm.io.scan(path)
    assert scan.columns == ["a", "b"]
    with pytest.raises(InputError, match=r"'id' holds the names of the rows of named\.csv"):
        scan.take(["id"])


def nothing(X):
    return gm.PCA(2).fit(X)


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([rows(50), np.full((5, 5), np.nan)], r"block 2 of the blocks \(from row 50 on\): .*NaN"),
        ([rows(50), rows(50)[:, :4]], "block 2 .* has 4 columns, but the blocks before have 5"),
        ([frame(rows(9))[NAMES], frame(rows(9))[NAMES[::-1]]], "has the column 'e' where"),
        ([rows(1)], "minimum of 2"),
        ([], "no file|no rows"),
    ],
)
def test_what_is_wrong_with_a_block_is_said(blocks, words):
    with pytest.raises((InputError, InputTypeError), match=words):
        gm.PCA(2).fit(gm.io.scan(lambda: iter(blocks)))


def test_a_source_that_changes_between_passes_is_refused():
    parts = [rows(50), rows(40)]
    scan = gm.io.scan(lambda: iter(parts))
    fit = gm.PCA(2).fit(scan)
    parts.pop()
    with pytest.raises(InputError, match="ends after 50 rows, where a first pass found 90"):
        fit.transform(scan).collect()
    parts.extend([rows(40), rows(10)])
    with pytest.raises(InputError, match="has more rows than before"):
        fit.transform(scan).collect()


def test_a_file_that_is_cut_is_refused(tmp_path):
    path = parquet(tmp_path, rows())
    data = path.read_bytes()
    scan = gm.io.scan(path)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"rows.parquet cannot be read"):
        gm.PCA(2).fit(scan)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere.parquet", "no file nowhere"),
        (3, "must be the path"),
        (lambda: 3, "return an iterator"),
        (lambda: iter([3]), "give tables of rows"),
    ],
)
def test_refused_sources(source, words):
    with pytest.raises((InputError, InputTypeError), match=words):
        list(gm.io.scan(source))


def test_files_of_other_kinds_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(InputError, match="files of one kind"):
        gm.io.scan(tmp_path / "a.txt")
    with pytest.raises(InputError, match="files of one kind"):
        gm.io.scan(tmp_path)


def test_other_estimators_say_what_to_do():
    with pytest.raises(InputTypeError, match=r"X.collect\(\)"):
        gm.ClassicalMDS(2).fit(gm.io.scan([rows(9)]))
    with pytest.raises(InputError, match="refine=True is not for a scan"):
        how = gm.Nystrom(5, refine=True)
        gm.KernelPCA(2, approximation=how).fit(gm.io.scan([rows(9)]))


@pytest.mark.slow
def test_kernel_pca_on_landmarks_is_near_the_exact_one():
    X = rows(3000, 0.0)
    scan = gm.io.scan(list(np.array_split(X, 9)))
    fit = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(8.0), approximation=gm.Nystrom(300)).fit(scan)
    whole = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(8.0)).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-3)
    assert 0 < fit.approximation_error_ < 0.01
    Z = fit.transform(scan).collect()
    np.testing.assert_allclose(Z, whole.coordinates_, atol=0.02 * np.abs(Z).max())
    np.testing.assert_allclose((Z**2).mean(axis=0), fit.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(Z.mean(axis=0), 0.0, atol=1e-12)


@pytest.mark.slow
def test_small_groups_that_no_sample_has_are_found():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((30_000, 2))
    X[12_345:12_360] += 60.0  # 15 of 30,000 rows: a sample of 2,000 has one of them, or none
    scan = gm.io.scan(list(np.array_split(X, 11)))
    kernel = gm.kernels.Gaussian(1.0)
    fit = gm.KernelPCA(5, kernel=kernel, approximation=gm.Nystrom(60, random_state=0)).fit(scan)
    apart = np.linalg.norm(fit.record_.model.principal.features.kernel_map.landmarks.X, axis=1)
    assert (apart > 40).any()


@pytest.mark.slow
def test_such_a_fit_can_be_saved(tmp_path):
    X = rows(3000, 0.0)
    scan = gm.io.scan(list(np.array_split(X, 4)), memory="100kB")
    kernel_fits = [gm.KernelPCA(2, approximation=gm.Nystrom(50)), gm.KernelPCA(2, kernel="linear")]
    for fit in (gm.PCA(2), *kernel_fits):
        fit.fit(scan)
        gm.save(fit, tmp_path / "fit.gramian")
        again = gm.load(tmp_path / "fit.gramian")
        np.testing.assert_array_equal(again.transform(X[:7]), fit.transform(X[:7]))


def test_whitened_coordinates_of_a_scan():
    X = rows(300)
    fit = gm.PCA(2, whiten=True)
    Z = fit.fit_transform(gm.io.scan(list(np.array_split(X, 4)))).collect()
    np.testing.assert_allclose(Z, gm.PCA(2, whiten=True).fit_transform(X), atol=1e-9)
    np.testing.assert_allclose(Z.var(axis=0, ddof=1), 1.0)


@pytest.mark.parametrize("kind", ["parquet", "feather", "csv", "folder"])
def test_names_of_rows_are_kept(tmp_path, kind):
    """Those that pandas wrote: they are no feature, and individuals have them."""
    labels = [f"row {k}" for k in range(60)]
    X = np.random.default_rng(0).standard_normal((60, 3))
    frame = pd.DataFrame(X, labels, ["a", "b", "c"])
    path = tmp_path / f"rows.{kind}"
    if kind == "folder":
        path.mkdir()
        for k in (0, 1):
            frame[30 * k : 30 * k + 30].to_parquet(path / f"{k}.parquet")
    else:
        write = {"parquet": frame.to_parquet, "feather": frame.to_feather, "csv": frame.to_csv}
        write[kind](path)
    rows = gm.io.scan(path)
    assert list(rows.collect().index) == labels and list(rows.collect().columns) == ["a", "b", "c"]
    whole = gm.PCA(2).fit(frame).individuals(frame)
    table = gm.PCA(2).fit(rows).individuals(rows).collect()
    pd.testing.assert_frame_equal(table, whole, rtol=1e-9)
    assert list(gm.KernelPCA(2).fit(rows).individuals().index) == labels  # in memory: it fits


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("name", ["id", "year"])
def test_a_column_that_numbers_the_rows_is_no_feature(tmp_path, name, kind):
    """The rule of tables in memory: by what it is called, and that no number stands there twice."""
    X = np.random.default_rng(0).standard_normal((50, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.insert(0, name, np.arange(100, 150))
    path = tmp_path / f"rows.{kind}"
    getattr(frame, f"to_{kind}")(path, index=False)
    rows = gm.io.scan(path)
    assert rows.columns == list(gm.io.read(path).table.columns)
    assert (list(rows.collect().index) == list(range(100, 150))) == (name == "id")
    assert gm.io.scan(path, columns=[name, "a"]).columns == [name, "a"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_long_numbers_name_rows_to_the_last_digit(tmp_path, kind):
    """They are whole as names and would be rounded as doubles."""
    labels = 9_007_199_254_740_993 + np.arange(50)
    frame = pd.DataFrame({"id": labels, "a": np.arange(50.0) ** 2, "b": np.arange(50.0)})
    path = tmp_path / f"rows.{kind}"
    getattr(frame, f"to_{kind}")(path, index=False)
    rows = gm.io.scan(path)
    assert rows.columns == ["a", "b"] and rows.collect().index.tolist() == labels.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("late", ["1.5", "oops"])
def test_types_of_a_csv_file_do_not_depend_on_the_memory(tmp_path, late):
    X = np.random.default_rng(0).integers(0, 9, (30_000, 4)).astype(str)
    X[29_000, 2] = late
    pd.DataFrame(X, columns=list("abcd")).to_csv(tmp_path / "x.csv", index=False)
    for memory in ("1MB", "1GB"):
        if late == "oops":
            with pytest.raises(
                InputError, match=r"'c' would be numbers but for 'oops' \(row 29,001"
            ):
                gm.io.scan(tmp_path / "x.csv", memory=memory)
            continue
        rows = gm.io.scan(tmp_path / "x.csv", memory=memory)
        assert rows.columns == list("abcd") and gm.PCA(2).fit(rows).n_features_in_ == 4


def test_several_levels_of_names_are_kept(tmp_path):
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["plot", "year"])
    frame = pd.DataFrame(np.arange(12.0).reshape(6, 2), index, ["x", "y"])
    frame.to_parquet(tmp_path / "rows.parquet")
    rows = gm.io.scan(tmp_path / "rows.parquet")
    assert rows.collect().index.equals(index) and rows.known_columns() == ["x", "y"]


@pytest.mark.parametrize("name", ["cust", None])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_the_index_that_pandas_wrote_is_no_column_of_the_table(tmp_path, name, kind):
    index = pd.Index([7, 3, 5], name=name)
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [0.0, 1.0, 1.0]}, index=index)
    path = tmp_path / f"ix.{kind}"
    getattr(frame, f"to_{kind}")(path)
    rows = gm.io.scan(path)
    if (name, kind) == ("cust", "csv"):  # nothing says that it is one
        assert rows.columns == ["cust", "a", "b"]
        return
    assert rows.columns == ["a", "b"] and rows.collect().shape == (3, 2)
    left = {"parquet": repr(name or "__index_level_0__"), "csv": "one without a name"}[kind]
    assert rows.notes == (f"One column of row names was left out: {left}.",)
