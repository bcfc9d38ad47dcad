"""`missing="iterative"` of FAMD and MFA: holes of numbers and categories, of new rows too."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError

pytestmark = pytest.mark.slow


AIR = gm.datasets.airquality()
X = AIR.data.assign(month=AIR.groups["month"].astype(str))
X.loc["July 4", "month"] = None
GROUPS = {"gas": ["ozone", "temperature"], "sky": ["solar radiation", "wind"], "when": ["month"]}


def test_famd_is_that_of_the_completed_table():
    fit = gm.FAMD(2, missing="iterative").fit(X)
    whole = gm.FAMD(2).fit(gm.missing.impute(X).table)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-7)
    np.testing.assert_allclose(fit.coordinates_, whole.coordinates_, atol=1e-7)
    assert "NA" not in fit.categories().index.get_level_values(1)


@pytest.mark.parametrize(
    "estimator", [gm.FAMD(2, missing="iterative"), gm.MFA(2, groups=GROUPS, missing="iterative")]
)
def test_new_rows_with_holes_lie_where_the_fit_has_them(estimator, tmp_path):
    fit = estimator.fit(X)
    gm.save(fit, tmp_path / "fit.gramian")
    for model in (fit, gm.load(tmp_path / "fit.gramian")):
        for row in ("May 5", "July 4", "May 1"):  # two numbers, a category, nothing missing
            at = X.index.get_loc(row)
            np.testing.assert_allclose(model.transform(X.loc[[row]])[0], fit.coordinates_[at])
    np.testing.assert_allclose(fit.transform(X), fit.coordinates_)
    none = X.loc[["May 1"]].astype({"month": object}).assign(month=np.nan)  # a batch without one
    assert np.isfinite(fit.transform(none)).all()


def test_one_group_is_pca():
    rng = np.random.default_rng(0)
    Y = pd.DataFrame(rng.standard_normal((30, 2)) @ rng.standard_normal((2, 5))).add_prefix("y")
    Y += 0.3 * rng.standard_normal(Y.shape)
    Y[rng.random(Y.shape) < 0.1] = np.nan
    pca = gm.PCA(2, scale=True, missing="iterative").fit(Y)
    mfa = gm.MFA(2, missing="iterative").fit(Y)
    np.testing.assert_allclose(mfa.eigenvalues_, pca.eigenvalues_ / pca.eigenvalues_[0], rtol=1e-6)


def test_groups_are_balanced_while_holes_are_filled():
    """Where the map rests, each hole is what the axes of MFA say of it, shrunk."""
    fit = gm.MFA(2, groups={"a": ["ozone", "temperature"], "b": ["wind"]}, missing="iterative")
    done = fit.fit(AIR.data)
    filler, table = done.filler_, done.training_.rows
    again = gm.MFA(2, groups=fit.groups).fit(AIR.data.assign(ozone=table[:, 0]))
    np.testing.assert_allclose(done.eigenvalues_, again.eigenvalues_, rtol=1e-9)
    first = again.first_eigenvalues_
    deviation = table.std(axis=0)
    by_group = np.sqrt(first[[0, 0, 1]])
    own = filler.factor[[0, 3, 2]]  # ozone, temperature, wind as the groups have them
    np.testing.assert_allclose(own, 1.0 / (deviation * by_group), rtol=1e-5)
    assert filler.factor[1] == 0.0  # the sun is in no group


def test_what_cannot_be_filled_in_is_refused():
    counts = AIR.data.round().abs()
    with pytest.raises(InputError, match="must be 'raise' with a group of counts"):
        gm.MFA(2, groups={"a": ["ozone", "wind"]}, kinds={"a": "counts"}, missing="iterative").fit(
            counts
        )
    coded = AIR.data.assign(kind=np.arange(153) % 3)
    with pytest.raises(InputError, match="categories written as numbers"):
        gm.MFA(groups={"a": ["kind"], "b": ["wind"]}, kinds={"a": "n"}, missing="iterative").fit(
            coded
        )
    with pytest.raises(InputError, match="missing="):
        gm.FAMD(missing="mean").fit(X)
    with pytest.raises(InputError, match="leave it empty, to be filled in"):
        gm.FAMD(2, missing="iterative").fit(X).transform(X.iloc[:1].assign(month="Brumaire"))
