"""Multiple correspondence analysis against FactoMineR."""

import numpy as np
import pytest
from tests.outside import _factors as factors

import gramian as gm

CASES = {
    "mca_poison": ("poison", slice(4, 15)),
    "mca_poison_roww_indsup": ("poison", slice(4, 15)),
    "mca_poison_ventil": ("poison_ventilated_0.2_seed1", slice(4, 15)),
    "mca_tea_sup": ("tea", slice(0, 18)),
    "mca_vnf_na_category": ("vnf_150", slice(0, 14)),
}


def fitted(name):
    data, active = CASES[name]
    stored = factors.case(name)
    table = factors.frame(data)
    call, theirs = stored["call"], stored["result"]
    weight = np.ones(len(table))
    outside = [k - 1 for k in np.atleast_1d(call.get("ind.sup", [])).astype(int)]
    weight[outside] = 0.0
    if "row.w" in call:
        weight[weight > 0] = call["row.w"]
    q = factors.matrix(theirs["ind"]["coord"]).shape[1]
    fit = gm.MCA(q).fit(table.iloc[:, active], sample_weight=weight)
    stored_ind = factors.matrix(theirs["ind"]["coord"])
    own = fit.individuals().loc[list(stored_ind.index)]["coordinate"].to_numpy()
    return fit, theirs, table, factors.turned(own, stored_ind.to_numpy())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_individuals_and_categories(name):
    fit, theirs, _, sign = fitted(name)
    rows = factors.assert_individuals(fit, theirs, sign)
    levels = fit.categories()
    stored = theirs["var"]
    names = factors.places(levels, stored["coord"]["rows"])
    factors.assert_measure(levels, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(levels, "contribution", stored["contrib"], names=names, times=100.0)
    factors.assert_measure(levels, "cos2", stored["cos2"], names=names)
    factors.assert_measure(levels, "v_test", stored["v.test"], names=names, sign=sign, tol=1e-7)
    factors.assert_measure(fit.variables(), "link", stored["eta2"])
    factors.assert_measure(fit.variables(), "coordinate", stored["eta2"])
    if theirs.get("ind_sup"):
        factors.assert_measure(rows, "coordinate", theirs["ind_sup"]["coord"], sign=sign)
        factors.assert_measure(rows, "cos2", theirs["ind_sup"]["cos2"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in CASES if factors.case(name)["result"].get("quali_sup")]
)
def test_supplementary_variables(name):
    fit, theirs, table, sign = fitted(name)
    stored = theirs["quali_sup"]
    groups = fit.categories(table[list(stored["eta2"]["rows"])])
    names = factors.places(groups, stored["coord"]["rows"])
    factors.assert_measure(groups, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(groups, "cos2", stored["cos2"], names=names)
    factors.assert_measure(groups, "v_test", stored["v.test"], names=names, sign=sign, tol=1e-7)
    first = [next(pair for pair in groups.index if pair[0] == v) for v in stored["eta2"]["rows"]]
    factors.assert_measure(groups, "eta2", stored["eta2"], names=first)
    if theirs["quanti_sup"]:
        numbers = fit.variables(table[list(theirs["quanti_sup"]["coord"]["rows"])])
        factors.assert_measure(numbers, "coordinate", theirs["quanti_sup"]["coord"], sign=sign)


@pytest.mark.parametrize(
    "name", [n for n in CASES if factors.case(n)["result"].get("adjusted_inertia")]
)
def test_adjusted_inertias(name):
    fit, theirs, _, _ = fitted(name)
    stored = theirs["adjusted_inertia"]
    for ratio, key in ((fit.benzecri_ratio_, "benzecri"), (fit.greenacre_ratio_, "greenacre")):
        percent = np.append(stored[f"{key}_percent"]["values"], np.zeros(10))[: len(ratio)]
        np.testing.assert_allclose(100.0 * ratio, percent, rtol=1e-8, atol=1e-8)


def test_description_of_the_axes():
    fit, theirs, table, sign = fitted("mca_poison")
    names = [*theirs["quali_sup"]["eta2"]["rows"], *theirs["quanti_sup"]["coord"]["rows"]]
    factors.assert_described(fit.describe(table[names], alpha=1.0), theirs["dimdesc"], sign)


@pytest.mark.slow
def test_burt_table():
    fit, _, table, _ = fitted("mca_poison")
    theirs = factors.case("mca_poison_burt")["result"]
    values = factors.matrix(theirs["eig"]).to_numpy()[:, 0]
    np.testing.assert_allclose(fit.eigenvalues_**2, values[: fit.n_components_], rtol=1e-8)
    stored, levels = theirs["var"], fit.categories(burt=True)
    names = factors.places(levels, stored["coord"]["rows"])
    ours = levels.loc[names]["coordinate"].to_numpy()
    sign = factors.turned(ours, factors.matrix(stored["coord"]).to_numpy())
    factors.assert_measure(levels, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(levels, "cos2", stored["cos2"], names=names)
    factors.assert_measure(levels, "contribution", stored["contrib"], names=names, times=100.0)
    factors.assert_measure(
        levels, "v_test", stored["v_test_textbook"], names=names, sign=sign, tol=1e-7
    )
    rows = fit.individuals()
    factors.assert_measure(rows, "coordinate", theirs["ind"]["coord"], sign=sign)
    factors.assert_measure(rows, "contribution", theirs["ind"]["contrib"], times=100.0)
    outside = theirs["quali_sup"]
    groups = fit.categories(table[list(outside["eta2"]["rows"])], burt=True)
    names = factors.places(groups, outside["coord"]["rows"])
    factors.assert_measure(groups, "coordinate", outside["coord"], names=names, sign=sign)
    factors.assert_measure(groups, "cos2", outside["cos2"], names=names)
    factors.assert_measure(
        groups, "v_test", outside["v_test_textbook"], names=names, sign=sign, tol=1e-7
    )


def test_rare_levels_are_those_of_the_rule():
    """FactoMineR deals them at random; where one level would stay, nothing is done, as here."""
    fit, theirs, _, _ = fitted("mca_poison_ventil")
    original = factors.frame("poison").iloc[:, 4:15]
    chosen = {name: text for name, text in theirs["rare_levels"].items() if isinstance(text, str)}
    for name, level in chosen.items():
        assert (original[name] == level).mean() < 0.2
    rare = gm.MCA(3, rare=0.2).fit(original)
    np.testing.assert_allclose(rare.eigenvalues_, fit.eigenvalues_)
    assert rare.rare_levels_ == {}


def test_new_rows():
    theirs, table = (
        factors.case("mca_poison_predict")["result"],
        factors.frame("poison").iloc[:, 4:15],
    )
    fit = gm.MCA(4).fit(table.iloc[:45])
    new = fit.individuals(table.iloc[45:])
    sign = factors.turned(new["coordinate"].to_numpy(), factors.matrix(theirs["coord"]).to_numpy())
    factors.assert_measure(new, "coordinate", theirs["coord"], sign=sign)
    factors.assert_measure(new, "cos2", theirs["cos2"])
