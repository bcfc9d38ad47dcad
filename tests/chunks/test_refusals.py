"""What dask may bring that is no table: refused in words, with the block it is in."""

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from tests.chunks.cases import as_frame, even, named, spread

import gramian as gm
from gramian._core.parallel import cluster_failure
from gramian.errors import InputError, InputTypeError

X = spread(40, 4)


@pytest.fixture(autouse=True)
def scheduler():
    with dask.config.set(scheduler="synchronous"):
        yield


def blocks(*parts, meta=None):
    """Return an array that says its blocks are of 10 rows and 4 columns."""
    made = [da.from_delayed(dask.delayed(part), (10, 4), dtype=float) for part in parts]
    return da.concatenate(made)


def spoiled(value):
    Y = X.copy()
    Y[25, 1] = value
    return even(Y)


CASES = {
    "NaN": (
        spoiled(np.nan),
        r"^block 3 of X \(from row 20 on\): X contains NaN at row 25, column 1",
    ),
    "infinity": (spoiled(np.inf), r"^block 3 of X .*contains inf at row 25, column 1"),
    "width": (
        blocks(X[:10], X[:10, :3]),
        r"^block 2 of X \(from row 10 on\): it has 3 columns, but",
    ),
    "length": (blocks(X[:10], X[:9]), r"^block 2 of X .*: it has 9 rows, but X says 10"),
    "flat": (blocks(X[:10], X[0]), r"^block 2 of X .*: Expected 2D array"),
    "texts": (blocks(X[:10], np.full((10, 4), "a")), r"^block 2 of X "),
    "one row": (even(X[:1]), "1 sample.* minimum of 2"),
    "one dimension": (da.ones(10), "Expected 2D array"),
    "no columns": (da.ones((10, 0)), "0 feature"),
    "unknown columns": (da.ones((10, 4))[:, da.ones(4) > 0], "compute_chunk_sizes"),
    "a column of text": (
        dd.from_pandas(named(X).assign(c0="a"), npartitions=2),
        r"^X has a column that is not numeric: 'c0' holds .*: leave it out, as X.select_dtypes",
    ),
    "holes of a frame": (
        dd.from_pandas(named(X).replace(X[30, 2], np.nan), npartitions=2),
        r"^block 2 of X: X has a missing value \(NaN\) at row 30, column 'c2'",
    ),
}


@pytest.mark.parametrize(
    "estimator", [gm.PCA(1), gm.PCA(1, solver="krylov"), gm.KernelPCA(1)], ids=str
)
@pytest.mark.parametrize("name", CASES)
def test_rows(name, estimator):
    D, words = CASES[name]
    with pytest.raises(InputError, match=words):
        estimator.fit(D)


def test_a_frame_of_other_columns():
    meta = named(X)
    parts = [dask.delayed(meta), dask.delayed(meta.rename(columns={"c1": "other"}))]
    D = dd.from_delayed(parts, meta=meta.iloc[:0], verify_meta=False)
    with pytest.raises(InputError, match=r"^block 2 of X: it has the column 'other' where"):
        gm.PCA(1).fit(D)


def test_new_rows():
    fit = gm.PCA(1).fit(X)
    with pytest.raises(InputError, match=r"^block 3 of X .* NaN"):
        fit.transform(spoiled(np.nan)).compute()
    with pytest.raises(InputError, match=r"^block \d of X .* 3 features.* 4 features"):
        fit.transform(even(X[:, :3])).compute()
    fit = gm.PCA(1).fit(as_frame(X))
    with pytest.raises(InputError, match=r"^block \d of X.*feature names"):
        fit.transform(as_frame(X).rename(columns={"c0": "other"})).compute()


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.ones(39), "39"),
        (np.full(40, -1.0), "not negative"),
        (np.zeros(40), "all zero"),
        (da.ones(39), "39 entries but X has 40 rows"),
        (da.ones((40, 1)), "2 dimensions"),
        (da.from_array(np.r_[np.ones(25), -1.0, np.ones(14)]), "^block 3 of X .*not negative"),
        (da.zeros(40), "0 sample"),
    ],
)
def test_weights(weights, words):
    with pytest.raises(InputError, match=words):
        gm.PCA(1).fit(even(X), None, weights)


def test_weights_of_a_frame():
    D = dd.from_pandas(named(X), npartitions=4)
    with pytest.raises(InputError, match="column of the dask DataFrame"):
        gm.PCA(1).fit(D, None, named(X)["c0"])
    with pytest.raises(InputError, match="3 blocks but X has 4"):
        gm.PCA(1).fit(D, None, dd.from_pandas(named(X)["c0"], npartitions=3))


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (gm.KernelPCA(1, kernel="precomputed"), "precomputed"),
        (gm.KernelPCA(1, device="cpu"), "device= does not go with dask"),
        (gm.KernelPCA(1, missing="iterative"), "missing='iterative' does not go with"),
        (gm.KernelPCA(1, approximation=gm.Nystrom(3, refine=True)), "refine=True"),
        (gm.KernelPCA(1, kernel=gm.kernels.sequence.Spectrum(k=2)), "takes no rows of numbers"),
        (gm.PCA(9), "n_components=9"),
        (gm.PCA("parallel"), "parallel"),
        (gm.PCA(1, solver="krylov", column_weight=[1, 0, 1, 1]), "zeros"),
    ],
    ids=str,
)
def test_options(estimator, words):
    with pytest.raises(InputError, match=words):
        estimator.fit(even(X))


@pytest.mark.parametrize("estimator", [gm.ClassicalMDS(1), gm.MDS(1), gm.MCA(1)], ids=str)
def test_methods_that_need_all_rows(estimator):
    with pytest.raises(InputTypeError, match=r"dask Array.*X\.compute\(\)"):
        estimator.fit(even(X))


def test_what_has_no_rows():
    for other in (dask.delayed(X), named(X).pipe(dd.from_pandas, npartitions=1)["c0"]):
        with pytest.raises(InputTypeError, match=r"which has no rows of numbers.*X\.compute\(\)"):
            gm.PCA(1).fit(other)


def test_only_errors_about_machines_are_translated():
    assert cluster_failure(ConnectionResetError("gone")).startswith(
        "dask lost what it was computing"
    )
    assert cluster_failure(ZeroDivisionError()) is None


def test_an_error_leaves_the_old_fit():
    fit = gm.PCA(1).fit(even(X))
    before = fit.eigenvalues_
    with pytest.raises(InputError):
        fit.fit(spoiled(np.nan))
    assert fit.eigenvalues_ is before


def test_exact_fits_are_not_for_files(tmp_path):
    with pytest.raises(InputError, match="blocks"):
        gm.save(gm.KernelPCA(1).fit(even(X)), tmp_path / "model")
    gm.save(gm.PCA(1).fit(even(X)), tmp_path / "model")
    np.testing.assert_allclose(
        gm.load(tmp_path / "model").transform(X), gm.PCA(1).fit(X).coordinates_, atol=1e-12
    )
