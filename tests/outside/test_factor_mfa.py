"""Multiple factor analysis against FactoMineR."""

from functools import cache

import numpy as np
import pytest
from tests.outside import _factors as factors

import gramian as gm

CASES = ["mfa_wine", "mfa_wine_c_indsup", "mfa_wine_n_active", "mfa_mortality_ff"]
CATEGORIES = ["mfa_wine", "mfa_wine_n_active"]


def near(ours, entry, tol=1e-8):
    np.testing.assert_allclose(
        np.asarray(ours), factors.matrix(entry).to_numpy(), rtol=tol, atol=tol
    )


@cache
def fitted(name):
    """The fit, what is stored, its rows, the signs of the axes and the supplementary groups."""
    stored = factors.case(name)
    call, theirs = stored["call"], stored["result"]
    table = factors.frame("mortality_mfa" if name.endswith("ff") else "wine")
    if name == "mfa_wine_n_active":
        table = table.iloc[:, [*range(7), *range(10, 14)]]
    ends = np.cumsum(call["group"])
    groups = {
        label: list(table.columns[end - size : end])
        for label, size, end in zip(call["name.group"], call["group"], ends, strict=True)
    }
    kinds = dict(zip(groups, call["type"], strict=True))
    outside = [
        list(groups)[k - 1] for k in np.atleast_1d(call.get("num.group.sup", [])).astype(int)
    ]
    weight = np.ones(len(table))
    weight[[k - 1 for k in np.atleast_1d(call.get("ind.sup", [])).astype(int)]] = 0.0
    active = {label: columns for label, columns in groups.items() if label not in outside}
    ind = factors.matrix(theirs["ind"]["coord"])
    fit = gm.MFA(ind.shape[1], groups=active, kinds={label: kinds[label] for label in active})
    fit.fit(table, sample_weight=weight)
    own = fit.individuals().loc[list(ind.index)]["coordinate"].to_numpy()
    new = {label: table[groups[label]] for label in outside}
    sign = factors.turned(own, ind.to_numpy())
    return fit, theirs, table, sign, new, {label: kinds[label] for label in outside}


def by_points(table, names):
    """Partial points as FactoMineR lists them: all groups of a point one after the other."""
    rows = table.loc[list(names)]
    blocks = [rows[group].to_numpy() for group in dict.fromkeys(rows.columns.get_level_values(0))]
    return np.stack(blocks, axis=1).reshape(-1, blocks[0].shape[1])


@pytest.mark.parametrize("name", CASES)
def test_individuals_and_partial_points(name):
    fit, theirs, _, sign, _, _ = fitted(name)
    factors.assert_eigenvalues(fit, theirs["eig"])
    rows, stored = fit.individuals(), theirs["ind"]
    factors.assert_measure(rows, "coordinate", stored["coord"], sign=sign)
    factors.assert_measure(rows, "contribution", stored["contrib"], times=100.0)
    factors.assert_measure(rows, "cos2", stored["cos2"])
    factors.assert_measure(rows, "within", stored["within.inertia"], times=100.0)
    names = stored["coord"]["rows"]
    near(by_points(fit.partial(), names) * sign, stored["coord.partiel"])
    near(100.0 * by_points(fit.partial(shares=True), names), stored["within.partial.inertia"])
    q = fit.n_components_
    np.testing.assert_allclose(fit.between_ratio_, theirs["inertia_ratio"]["values"][:q])
    if theirs["ind_sup"]:
        outside = theirs["ind_sup"]
        factors.assert_measure(rows, "coordinate", outside["coord"], sign=sign)
        factors.assert_measure(rows, "cos2", outside["cos2"])
        near(by_points(fit.partial(), outside["coord"]["rows"]) * sign, outside["coord.partiel"])


@pytest.mark.parametrize("name", CASES)
def test_groups(name):
    fit, theirs, _, _, new, kinds = fitted(name)
    groups, stored = fit.group_table(), theirs["group"]
    factors.assert_measure(groups, "coordinate", stored["coord"])
    factors.assert_measure(groups, "contribution", stored["contrib"], times=100.0)
    factors.assert_measure(groups, "cos2", stored["cos2"])
    factors.assert_measure(groups, "correlation", stored["correlation"])
    np.testing.assert_allclose(groups["distance2", ""], stored["dist2"]["values"], rtol=1e-8)
    order = stored["Lg"]["rows"]
    near(fit.lg(new or None, kinds=kinds).loc[order, order], stored["Lg"])
    near(fit.rv(new or None, kinds=kinds).loc[order, order], stored["RV"])
    if new:
        outside = fit.group_table(new, kinds=kinds)
        factors.assert_measure(outside, "coordinate", stored["coord.sup"])
        factors.assert_measure(outside, "cos2", stored["cos2.sup"])


@pytest.mark.parametrize("name", CASES)
def test_variables(name):
    fit, theirs, _, sign, new, _ = fitted(name)
    for key in ("quanti_var", "freq"):
        if theirs[key]:
            stored = theirs[key]
            factors.assert_measure(fit.variables(), "coordinate", stored["coord"], sign=sign)
            factors.assert_measure(fit.variables(), "contribution", stored["contrib"], times=100.0)
            factors.assert_measure(fit.variables(), "cos2", stored["cos2"])
    if theirs["quanti_var_sup"]:
        numbers = fit.variables(new["ens"])
        factors.assert_measure(numbers, "coordinate", theirs["quanti_var_sup"]["coord"], sign=sign)
        factors.assert_measure(numbers, "cos2", theirs["quanti_var_sup"]["cos2"])


@pytest.mark.parametrize("name", CASES)
def test_categories(name):
    fit, theirs, _, sign, new, _ = fitted(name)
    for key, table in (("quali_var", None), ("quali_var_sup", new.get("orig"))):
        if not theirs[key]:
            continue
        groups, stored = fit.categories(table), theirs[key]
        names = factors.places(groups, stored["coord"]["rows"])
        factors.assert_measure(groups, "coordinate", stored["coord"], names=names, sign=sign)
        factors.assert_measure(groups, "cos2", stored["cos2"], names=names)
        factors.assert_measure(groups, "v_test", stored["v.test"], names=names, sign=sign, tol=1e-7)
        if "contrib" in stored:
            factors.assert_measure(
                groups, "contribution", stored["contrib"], names=names, times=100.0
            )
        if name in CATEGORIES:
            partial = fit.partial_categories(table)
            near(by_points(partial, names) * sign, stored["coord.partiel"])
            shares = 100.0 * by_points(fit.partial_categories(table, shares=True), names)
            near(shares, stored["within.partial.inertia"])


def test_partial_categories_beside_supplementary_rows():
    """Where FactoMineR's are not around their category, ours are (docs/conventions.md)."""
    fit, theirs, _, _, new, _ = fitted("mfa_wine_c_indsup")
    stored = theirs["quali_var_sup"]
    G, q = len(fit.grouping_.names), fit.n_components_
    wrong = factors.matrix(stored["coord.partiel"]).to_numpy().reshape(-1, G, q).mean(axis=1)
    assert np.abs(wrong - factors.matrix(stored["coord"]).to_numpy()).max() > 1
    partial = fit.partial_categories(new["orig"])
    mean = partial.T.groupby(level="axis").mean().T
    expected = fit.categories(new["orig"])["coordinate"]
    np.testing.assert_allclose(mean.loc[expected.index], expected, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_partial_axes_and_separate_analyses(name):
    fit, theirs, _, sign, new, kinds = fitted(name)
    alone = fit.separate(new=new or None, kinds=kinds)
    table = fit.partial_axes(new=new or None, kinds=kinds)
    turns = []
    for label, stored in theirs["separate_analyses"].items():
        values = factors.matrix(stored["eig"]).to_numpy()[:, 0]
        own = np.append(alone[label].eigenvalues, 0.0)[: len(values)]  # the last may be rounding
        np.testing.assert_allclose(own, values, atol=1e-8)
        points = factors.matrix(stored["ind_coord"])
        ours = alone[label].coordinates.loc[list(points.index)].to_numpy()[:, : points.shape[1]]
        turn = factors.turned(ours, points.to_numpy())
        near(ours * turn, stored["ind_coord"])
        turns += [((label, k + 1), s) for k, s in enumerate(turn)]
    turns = dict(turns)
    stored = theirs["partial_axes"]
    rows = [(text.split(".", 1)[1], int(text[3:].split(".")[0])) for text in stored["cor"]["rows"]]
    turn = np.array([turns[row] for row in rows])[:, None]
    ours = table.loc[rows]
    near(ours["correlation"].to_numpy() * turn * sign, stored["cor"])
    near(ours["correlation"].to_numpy() * turn * sign, stored["coord"])
    active = [k for k, row in enumerate(rows) if row[0] not in new]
    contribution = 100.0 * ours["contribution"].to_numpy()
    np.testing.assert_allclose(
        contribution[active], factors.matrix(stored["contrib"]).to_numpy()[active], atol=1e-8
    )
