"""Rows of a scan: some of them by chance, without holes, all of them where they fit."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import gramian as gm
from gramian.errors import InputError, MemoryBudgetError

X = np.random.default_rng(0).standard_normal((900, 3)) * [3, 2, 1] + 1e6
NAMES = ["a", "b", "c"]


def framed(part, start):
    return pd.DataFrame(part, columns=NAMES)  # as files are read: counted from 0 in each block


KINDS = {
    "arrays": lambda part, start: part,
    "frames": framed,
    "named": lambda part, start: framed(part, start).rename(lambda k: f"row {start + k}"),
    "sparse": lambda part, start: sparse.csr_array(part),
}


def blocks(Y, kind="arrays", **options):
    cuts = [0, 350, 400, len(Y)]
    parts = [KINDS[kind](Y[a:b], a) for a, b in itertools.pairwise(cuts)]
    return gm.io.scan(parts, **options)


def dense(table):
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_some_of_the_rows_in_their_order(kind):
    rows = blocks(X, kind)
    sample = rows.sample(100, random_state=3)
    known = {tuple(row): k for k, row in enumerate(X)}
    at = [known[tuple(row)] for row in dense(sample)]
    assert len(at) == 100 and at == sorted(set(at))
    if kind == "frames":
        assert sample.index.tolist() == at
    if kind == "named":
        assert sample.index.tolist() == [f"row {k}" for k in at]
    assert np.array_equal(dense(rows.sample(100, random_state=3)), dense(sample))
    assert len(dense(rows.sample(5_000))) == 900


def test_each_row_is_as_likely_as_any_other():
    rows = blocks(np.arange(900.0)[:, None])
    counts = np.zeros(900)
    for seed in range(200):
        counts[rows.sample(90, random_state=seed)[:, 0].astype(int)] += 1
    parts = np.add.reduceat(counts, [0, 350, 400])  # 18,000 draws, a tenth of each block
    expected = 18_000 * np.array([350, 50, 500]) / 900
    assert (np.abs(parts - expected) < 4 * np.sqrt(expected)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_holes_are_left_out_or_filled_in_by_means_of_all_rows(kind):
    Y = X.copy()
    holes = np.random.default_rng(1).choice(900, 60, replace=False)
    Y[holes, holes % 3] = np.nan
    whole = np.delete(Y, holes, axis=0)
    rows = blocks(Y, kind)
    with pytest.raises(InputError, match=r"X\.complete\(\) leaves out .*X\.complete\('mean'\)"):
        gm.PCA(2).fit(rows)
    left = rows.complete()
    assert np.array_equal(dense(left.collect()), whole)
    fit, other = gm.PCA(2).fit(left), gm.PCA(2).fit(whole)
    np.testing.assert_allclose(fit.eigenvalues_, other.eigenvalues_, rtol=1e-12)
    assert len(dense(fit.transform(left).collect())) == 840
    if kind == "sparse":
        with pytest.raises(InputError, match="use 'drop-rows'"):
            rows.complete("mean")
        return
    filled = np.where(np.isnan(Y), np.nanmean(Y, axis=0), Y)
    np.testing.assert_allclose(dense(rows.complete("mean").collect()), filled, rtol=1e-13)
    fit, other = gm.PCA(2).fit(rows.complete("mean")), gm.PCA(2).fit(filled)
    np.testing.assert_allclose(fit.eigenvalues_, other.eigenvalues_, rtol=1e-9)


@pytest.mark.slow
def test_rows_that_are_left_out_leave_the_others_their_numbers():
    Y = X.copy()
    Y[[10, 380]] = np.nan
    labels = blocks(Y, "frames").complete().collect().index
    assert labels.tolist() == [k for k in range(900) if k not in (10, 380)]
    exact = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(2.0))
    fit = exact.fit(blocks(Y, "frames", memory="30kB").complete())
    whole = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(2.0)).fit(np.delete(Y, [10, 380], axis=0))
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-7)


def test_a_column_without_values_has_no_mean():
    Y = X.copy()
    Y[:, 1] = np.nan
    with pytest.raises(InputError, match="the column 'b' has no value"):
        blocks(Y, "frames").complete("mean")
    with pytest.raises(InputError, match="how="):
        blocks(Y).complete("median")


@pytest.mark.parametrize("kind", ["arrays", "frames", "named"])
def test_what_is_wrong_is_said_of_the_row_of_the_table(kind):
    Y = X.copy()
    Y[420, 1] = np.nan
    row = "'row 420'" if kind == "named" else "420"
    with pytest.raises(InputError, match=rf"block 3 of .*from row 400 on.* at row {row}, column"):
        gm.PCA(2).fit(blocks(Y, kind))
    fit = gm.PCA(2).fit(X if kind == "arrays" else framed(X, 0))
    with pytest.raises(InputError, match=rf"block 3 of .* at row {row}, column"):
        fit.transform(blocks(Y, kind)).collect()


def test_the_shape_of_a_scan():
    rows = blocks(X, "frames")
    assert rows.shape == (None, 3)
    gm.PCA(2).fit(rows)
    assert rows.shape == (900, 3)
    assert gm.PCA(2).fit(X).transform(blocks(X)).shape == (None, 2)


@pytest.mark.parametrize(
    "ask",
    [
        np.asarray,
        lambda rows: gm.dimension.parallel_analysis(rows, n_permutations=19),
        lambda rows: gm.missing.impute(rows),
        lambda rows: gm.distances.squared_euclidean(rows),
        lambda rows: gm.io.examine(rows),
    ],
)
def test_what_needs_all_rows_takes_them_only_where_they_fit(ask):
    ask(blocks(X[:450]))
    with pytest.raises(MemoryBudgetError, match=r"all rows of the blocks.*collect\(\).*sample\(\)"):
        ask(blocks(X, memory="20kB"))
    assert len(blocks(X, memory="20kB").collect()) == 900


def test_the_memory_of_all_rows_is_their_number_or_at_least_what_was_read():
    """Two tables of doubles: the blocks, and what they are put together to."""
    rows = blocks(X, memory="20kB")
    with pytest.raises(MemoryBudgetError, match="needs at least"):
        rows.at_hand()
    rows.count()
    with pytest.raises(MemoryBudgetError, match=rf"needs .*\({2 * 8 * X.size} bytes\)"):
        rows.at_hand()


def test_a_column_of_texts_in_blocks_is_left_out_by_take():
    parts = [framed(X[:450], 0).assign(g="u"), framed(X[450:], 450).assign(g="v")]
    rows = gm.io.scan(parts)
    with pytest.raises(InputError, match=r"'g' holds .*leave it out, as X\.take\(names\)"):
        gm.PCA(2).fit(rows)
    assert gm.PCA(2).fit(rows.take(NAMES)).n_samples_seen_ == 900
