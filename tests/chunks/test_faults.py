"""Sources that fail, change or do not fit: what is wrong is reported, with the block it is in."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from tests.chunks.cases import spread

import gramian as gm
from gramian.errors import BlockError, InputError, MemoryBudgetError

X = spread(400, 5)


def npy(path, Y):
    np.save(path.with_suffix(".npy"), Y)
    return path.with_suffix(".npy")


def parquet(path, Y):
    pd.DataFrame(Y, columns=list("abcde")).to_parquet(path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def csv(path, Y):
    pd.DataFrame(Y, columns=list("abcde")).to_csv(path.with_suffix(".csv"), index=False)
    return path.with_suffix(".csv")


@pytest.mark.parametrize("write", [npy, parquet, csv])
def test_a_budget_that_cannot_be_kept_is_refused(tmp_path, write):
    path = write(tmp_path / "rows", X)
    with pytest.raises(
        MemoryBudgetError, match=r"a row of rows\.\w+, of 5 columns, needs 160 bytes"
    ):
        gm.io.scan(path, memory=1)
    assert next(iter(gm.io.scan(path, memory=160))).shape == (1, 5)  # a row at a time


def test_nor_can_blocks_of_a_function_be_read_into_it():
    with pytest.raises(MemoryBudgetError, match="of 5 columns, needs 160 bytes"):
        gm.PCA(2).fit(gm.io.scan([X[:200], X[200:]], memory=100))


def test_blocks_of_wide_rows_take_a_part_of_the_memory(tmp_path):
    """256 rows, the least where there is room, would take 4 MB."""
    scan = gm.io.scan(npy(tmp_path / "wide", spread(300, 2_000)), memory="1MB")
    assert max(block.nbytes for block in scan) <= 250_000


@pytest.mark.parametrize("rows", [300, 500, 400], ids=["shorter", "longer", "other"])
@pytest.mark.parametrize("write", [npy, parquet, csv])
def test_a_file_that_changed_after_it_was_counted(tmp_path, write, rows):
    scan = gm.io.scan(write(tmp_path / "rows", X))
    assert scan.count() == 400
    write(tmp_path / "rows", spread(rows, 5, seed=1))
    with pytest.raises(InputError, match=r"rows\.\w+ changed while it was read"):
        gm.PCA(2).fit(scan)


@pytest.mark.parametrize("rows", [300, 500], ids=["shorter", "longer"])
def test_a_function_that_makes_other_rows_than_were_counted(rows):
    parts = [X[:200], X[200:]]
    scan = gm.io.scan(lambda: iter(parts))
    assert scan.count() == 400
    parts[1] = spread(rows - 200, 5)
    with pytest.raises(InputError, match=r"ends after 300 rows|has more rows than before"):
        gm.PCA(2).fit(scan)


def test_an_array_that_was_shorter_than_it_says(tmp_path):
    """The number of rows is known before they are read, and nobody asked for it."""
    scan = gm.io.scan(npy(tmp_path / "rows", X))
    npy(tmp_path / "rows", X[:300])
    with pytest.raises(InputError, match="ends after 300 rows, where a first pass found 400"):
        gm.PCA(2).fit(scan)


def broken_source():
    yield X[:150]
    yield X[150:300]
    raise ZeroDivisionError("a sensor was off")


def broken(block):
    if block.size and (block == 0).all():
        raise ZeroDivisionError("a sensor was off")
    return block


def off():
    """Blocks of which `broken` does not take the third."""
    return [X[:100], X[100:200], np.zeros((100, 5)), X[300:]]


BROKEN = {
    "source": lambda: gm.io.scan(broken_source),
    "map": lambda: gm.io.scan(off(), memory="10kB").map(broken),
    "dask": lambda: da.from_array(np.concatenate(off()), chunks=(100, 5)).map_blocks(
        broken, dtype=float
    ),
}


@pytest.mark.parametrize(
    "estimator",
    [
        gm.PCA(2),
        gm.PCA(2, solver="krylov"),
        gm.KernelPCA(2),
        gm.KernelPCA(2, approximation=gm.Nystrom(20, random_state=0)),
    ],
    ids=["pca", "products", "pairs", "landmarks"],
)
@pytest.mark.parametrize("kind", BROKEN)
def test_an_exception_of_the_users_code_names_the_block(kind, estimator):
    with pytest.raises(
        BlockError, match=r"^block 3 of .*from row \d+ on\): ZeroDivisionError: a sensor was off"
    ) as caught:
        estimator.fit(BROKEN[kind]())
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_so_it_does_when_new_rows_are_placed():
    fit = gm.PCA(2).fit(X)
    with pytest.raises(BlockError, match=r"^block 3 of the blocks .*a sensor was off"):
        fit.transform(BROKEN["source"]()).collect()


@pytest.mark.slow
@pytest.mark.parametrize(
    "weights", [None, np.r_[2.0, np.ones(398), 3.0]], ids=["equal", "weighted"]
)
@pytest.mark.parametrize(
    "estimator",
    [
        lambda: gm.PCA(2),
        lambda: gm.KernelPCA(
            2, kernel=gm.kernels.Gaussian(9.0), approximation=gm.Nystrom(400, random_state=0)
        ),
    ],
    ids=["pca", "kernel"],
)
def test_a_first_block_of_one_row(estimator, weights):
    """The row is kept until there are axes: the result is that of all rows at once."""
    fit, w = estimator(), weights
    fit.partial_fit(X[:1], sample_weight=None if w is None else w[:1])
    assert fit.n_samples_seen_ == 1 and fit.n_features_in_ == 5
    with pytest.raises(Exception, match="not fitted") as caught:
        fit.transform(X)
    assert type(caught.value).__name__ == "NotFittedError"
    with pytest.raises(InputError, match="4 features"):
        fit.partial_fit(X[:, :4])
    fit.partial_fit(X[1:], sample_weight=None if w is None else w[1:])
    whole = estimator().fit(X, sample_weight=w)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-7)
    assert fit.n_samples_seen_ == 400
    again = estimator().partial_fit(X[:1]).fit(X, sample_weight=w)  # a fit starts anew
    np.testing.assert_array_equal(again.eigenvalues_, whole.eigenvalues_)


def test_rows_one_by_one():
    fit = gm.PCA(1)
    for row in X[:30]:
        fit.partial_fit(row[None])
    np.testing.assert_allclose(fit.eigenvalues_, gm.PCA(1).fit(X[:30]).eigenvalues_, rtol=1e-12)
