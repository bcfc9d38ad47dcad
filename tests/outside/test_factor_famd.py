"""Factor analysis of mixed data against FactoMineR."""

import numpy as np
import pytest
from tests.outside import _factors as factors

import gramian as gm

CASES = {
    "famd_geomorphology": "geomorphology",
    "famd_geomorphology_supvar": "geomorphology",
    "famd_geomorphology_roww": "geomorphology",
    "famd_geomorphology_indsup": "geomorphology",
    "famd_wine_sup": "wine",
}


def fitted(name):
    stored, table = factors.case(name), factors.frame(CASES[name])
    call, theirs = stored["call"], stored["result"]
    outside = table.columns[[k - 1 for k in np.atleast_1d(call.get("sup.var", [])).astype(int)]]
    weight = np.ones(len(table))
    weight[[k - 1 for k in np.atleast_1d(call.get("ind.sup", [])).astype(int)]] = 0.0
    if "row.w" in call:
        weight[weight > 0] = call["row.w"]
    ind = factors.matrix(theirs["ind"]["coord"])
    fit = gm.FAMD(ind.shape[1]).fit(table.drop(columns=outside), sample_weight=weight)
    own = fit.individuals().loc[list(ind.index)]["coordinate"].to_numpy()
    return fit, theirs, table[outside], factors.turned(own, ind.to_numpy())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_individuals_variables_and_categories(name):
    fit, theirs, _, sign = fitted(name)
    rows = factors.assert_individuals(fit, theirs, sign)
    if theirs["ind_sup"]:
        factors.assert_measure(rows, "coordinate", theirs["ind_sup"]["coord"], sign=sign)
        factors.assert_measure(rows, "cos2", theirs["ind_sup"]["cos2"])
    variables, numbers = fit.variables(), theirs["quanti_var"]
    factors.assert_measure(variables, "coordinate", numbers["coord"], sign=sign)
    factors.assert_measure(variables, "cos2", numbers["cos2"])
    factors.assert_measure(variables, "contribution", numbers["contrib"], times=100.0)
    factors.assert_measure(variables, "link", theirs["var"]["coord"])
    factors.assert_measure(variables, "contribution", theirs["var"]["contrib"], times=100.0)
    groups, stored = fit.categories(), theirs["quali_var"]
    names = factors.places(groups, stored["coord"]["rows"])
    factors.assert_measure(groups, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(groups, "cos2", stored["cos2_textbook"], names=names)
    factors.assert_measure(groups, "contribution", stored["contrib"], names=names, times=100.0)
    factors.assert_measure(groups, "v_test", stored["v.test"], names=names, sign=sign, tol=1e-7)
    distance2 = groups.loc[names, ("distance2", "")]
    np.testing.assert_allclose(distance2, stored["dist2_barycentre"]["values"], rtol=1e-8)


def test_cos2_of_links():
    """That of a variable in the space of variables: r⁴, or η⁴/(levels − 1)."""
    fit, theirs, _, _ = fitted("famd_geomorphology")
    variables = fit.variables()
    stored = factors.matrix(theirs["var"]["cos2"])
    q = stored.shape[1]
    groups = [v.name for v in fit.coding_.variables if v.levels is not None]
    ours = variables["link"].to_numpy() ** 2
    ours[variables.index.isin(groups)] = variables.loc[groups, "cos2"].to_numpy()
    np.testing.assert_allclose(ours[:, :q], stored.loc[list(variables.index)], atol=1e-8)


@pytest.mark.slow
def test_supplementary_variables():
    fit, theirs, outside, sign = fitted("famd_wine_sup")
    numbers = fit.variables(outside)
    factors.assert_measure(numbers, "coordinate", theirs["quanti_sup"]["coord"], sign=sign)
    factors.assert_measure(numbers, "cos2", theirs["quanti_sup"]["cos2"])
    groups, stored = fit.categories(outside), theirs["quali_sup"]
    names = factors.places(groups, stored["coord"]["rows"])
    factors.assert_measure(groups, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(groups, "cos2", stored["cos2"], names=names)
    factors.assert_measure(groups, "v_test", stored["v.test"], names=names, sign=sign, tol=1e-7)
    factors.assert_measure(groups, "eta2", stored["eta2"], names=names[:1])
    fit, theirs, outside, sign = fitted("famd_geomorphology_supvar")
    numbers = fit.variables(outside)
    factors.assert_measure(numbers, "coordinate", theirs["quanti_sup"]["coord"], sign=sign)


def test_new_rows():
    stored, table = factors.case("famd_wine_predict"), factors.frame("wine").iloc[:, :29]
    theirs, call = stored["result"], stored["call"]
    fit = gm.FAMD(3).fit(table.iloc[[k - 1 for k in call["fit_rows"]]])
    factors.assert_eigenvalues(fit, theirs["eig"])
    new = fit.individuals(table.iloc[[k - 1 for k in call["new_rows"]]])
    sign = factors.turned(new["coordinate"].to_numpy(), factors.matrix(theirs["coord"]).to_numpy())
    factors.assert_measure(new, "coordinate", theirs["coord"], sign=sign)
    factors.assert_measure(new, "cos2", theirs["cos2"])
    np.testing.assert_allclose(new["distance2", ""] ** 0.5, theirs["dist"]["values"], rtol=1e-8)
