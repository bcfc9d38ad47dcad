"""The description of axes."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gramian as gm
from gramian._reading.describe import p_value
from gramian.errors import InputError

from .twins import data, weights

GROUPS = list("abcabcaabbca")


def table() -> pd.DataFrame:
    return pd.DataFrame({"y": data(seed=3)[:, 0], "g": GROUPS})


@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2)])
def test_tests_of_scipy(estimator: gm.PCA) -> None:
    estimator.fit(data())
    found = estimator.describe(table(), alpha=1.0)
    found = found[found["name"].isin(["y", "g"])].set_index(["axis", "kind", "name", "category"])
    for k, f in enumerate(estimator.coordinates_.T, start=1):
        r, p = stats.pearsonr(table()["y"], f)
        row = found.loc[k].loc["quantitative"].iloc[0]
        np.testing.assert_allclose(row, [r, p], rtol=1e-9)
        parts = [f[np.array(GROUPS) == g] for g in "abc"]
        row = found.loc[k].loc["qualitative"].iloc[0]
        np.testing.assert_allclose(row["p_value"], stats.f_oneway(*parts).pvalue, rtol=1e-9)
        middle = np.mean([part.mean() for part in parts])
        categories = found.loc[k].loc["category"].droplevel(0)
        for g, part in zip("abc", parts, strict=True):
            p = stats.pearsonr(np.array(GROUPS) == g, f).pvalue
            wanted = [part.mean() - middle, p]
            np.testing.assert_allclose(categories.loc[g], wanted, rtol=1e-9, atol=1e-12)


def test_layout() -> None:
    found = gm.PCA(2).fit(pd.DataFrame(data(), columns=list("wxyz"))).describe(alpha=1.0)
    assert list(found.columns) == ["axis", "kind", "name", "category", "statistic", "p_value"]
    assert found["category"].isna().all()
    assert len(found) == 8
    none = gm.PCA(2).fit(data()).describe(alpha=1e-300)
    assert none.empty and none.dtypes.equals(found.dtypes)


def test_alpha() -> None:
    pca = gm.PCA(3).fit(data())
    every = pca.describe(table(), alpha=1.0)
    some = pca.describe(table())
    kept = every[every["p_value"] <= 0.05].reset_index(drop=True)
    pd.testing.assert_frame_equal(some, kept)
    for alpha in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(InputError, match="alpha="):
            pca.describe(alpha=alpha)


def test_an_active_column_is_not_described_twice() -> None:
    frame = pd.DataFrame(data(), columns=list("wxyz"))
    pca = gm.PCA(2).fit(frame)
    whole = frame.assign(extra=data(seed=3)[:, 0])
    found = pca.describe(whole, alpha=1.0)
    assert sorted(found.loc[found["axis"] == 1, "name"]) == ["extra", "w", "x", "y", "z"]


def test_another_column_of_the_same_name_is_described() -> None:
    pca = gm.PCA(2).fit(data())
    other = pca.describe(data(p=2, seed=3), alpha=1.0)
    assert sorted(other.loc[other["axis"] == 1, "name"]) == ["x0", "x0", "x1", "x1", "x2", "x3"]
    same = pca.describe(data(), alpha=1.0)
    assert sorted(same.loc[same["axis"] == 1, "name"]) == ["x0", "x1", "x2", "x3"]


def test_rows_that_count() -> None:
    """A missing value or a weight of 0 takes its row out of the test, not out of the others."""
    w = weights(12)
    w[0] = 0
    holes = table().assign(y=lambda t: t["y"].where(t.index != 5))
    pca = gm.PCA(2).fit(data(), sample_weight=w)
    found = pca.describe(holes, alpha=1.0)
    row = found[(found["name"] == "y") & (found["axis"] == 1)].iloc[0]
    np.testing.assert_allclose(row["p_value"], p_value(row["statistic"] ** 2, 2, 10), rtol=1e-12)
    row = found[(found["name"] == "g") & (found["kind"] == "qualitative")].iloc[0]
    np.testing.assert_allclose(row["p_value"], p_value(row["statistic"], 3, 11), rtol=1e-12)
    row = found[found["name"] == "x0"].iloc[0]
    np.testing.assert_allclose(row["p_value"], p_value(row["statistic"] ** 2, 2, 11), rtol=1e-12)


def test_blocks_describe_their_own_variables() -> None:
    X = data()
    wanted = gm.PCA(2).fit(X).describe(alpha=1.0)
    found = gm.PCA(2).fit(iter([X[:5], X[5:]])).describe(alpha=1.0)
    pd.testing.assert_frame_equal(found, wanted, rtol=1e-9)


@pytest.mark.parametrize(("r2", "groups", "n"), [(0.3, 2, 10), (0.97, 4, 30), (1e-9, 3, 7)])
def test_p_value(r2: float, groups: int, n: int) -> None:
    F = (r2 / (groups - 1)) / ((1 - r2) / (n - groups))
    np.testing.assert_allclose(p_value(r2, groups, n), stats.f.sf(F, groups - 1, n - groups))


def test_p_value_at_the_ends() -> None:
    assert p_value(1.0, 2, 10) == 0.0
    assert p_value(0.0, 2, 10) == 1.0
    assert p_value(0.5, 2, 2) == 1.0
    assert p_value(0.5, 1, 10) == 1.0
