"""Correspondence analysis against FactoMineR."""

import warnings

import numpy as np
import pytest
from tests.outside import _factors as factors

import gramian as gm

CASES = {
    "ca_housetasks": ("housetasks", 13, 4),
    "ca_housetasks_roww": ("housetasks", 13, 4),
    "ca_children_sup": ("children", 14, 5),
    "ca_doubs_zerorow": ("doubs_fish", 30, 27),
    "ca_mite_9x8": ("mite_9x8", 9, 8),
    "ca_mite_sup": ("mite_env", 60, 35),
}


def fitted(name):
    data, rows, columns = CASES[name]
    stored, table = factors.case(name), factors.frame(data)
    q = factors.matrix(stored["result"]["row"]["coord"]).shape[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.EmptyProfileWarning)
        active = table.iloc[:rows, :columns].astype(float)
        fit = gm.CA(q).fit(active, sample_weight=stored["call"].get("row.w"))
    theirs = factors.matrix(stored["result"]["col"]["coord"]).to_numpy()
    sign = factors.turned(fit.variables()["coordinate"].to_numpy(), theirs)
    return fit, stored["result"], table, sign


@pytest.mark.parametrize("name", CASES)
def test_rows_columns_and_inertias(name):
    fit, theirs, _, sign = fitted(name)
    factors.assert_eigenvalues(fit, theirs["eig"])
    for ours, stored in ((fit.individuals(), theirs["row"]), (fit.variables(), theirs["col"])):
        names = [label if label in ours.index else int(label) for label in stored["coord"]["rows"]]
        factors.assert_measure(ours, "coordinate", stored["coord"], names=names, sign=sign)
        factors.assert_measure(ours, "contribution", stored["contrib"], names=names, times=100.0)
        factors.assert_measure(ours, "cos2", stored["cos2"], names=names)
        np.testing.assert_allclose(
            ours.loc[names, ("inertia", "")], stored["inertia"]["values"], atol=1e-10
        )
    np.testing.assert_allclose(fit.variables()["mass", ""], theirs["marge_col"]["values"])
    assert fit.total_ == theirs["N"]


def test_supplementary_rows_and_columns():
    fit, theirs, table, sign = fitted("ca_children_sup")
    rows = fit.individuals(table.iloc[14:, :5].astype(float))
    factors.assert_measure(rows, "coordinate", theirs["row_sup"]["coord"], sign=sign)
    factors.assert_measure(rows, "cos2", theirs["row_sup"]["cos2"])
    columns = fit.variables(table.iloc[:14, 5:].astype(float))
    factors.assert_measure(columns, "coordinate", theirs["col_sup"]["coord"], sign=sign)
    factors.assert_measure(columns, "cos2", theirs["col_sup"]["cos2"])


def test_rows_without_a_weight_are_supplementary():
    fit, theirs, table, sign = fitted("ca_children_sup")
    counts = table.iloc[:, :5].astype(float)
    whole = gm.CA(4).fit(counts, sample_weight=[1.0] * 14 + [0.0] * 4)
    np.testing.assert_allclose(whole.eigenvalues_, fit.eigenvalues_)
    factors.assert_measure(whole.individuals(), "coordinate", theirs["row_sup"]["coord"], sign=sign)


def test_description_of_the_first_axis():
    """FactoMineR repeats it for the others."""
    fit, theirs, table, sign = fitted("ca_mite_sup")
    described = fit.describe(table.iloc[:60, 35:], alpha=1.0)
    first = {"Dim 1": theirs["dimdesc"]["Dim 1"]}
    others = [f"Dim {k}" for k in (2, 3, 4)]  # the other axes, among its variables
    factors.assert_described(described, first, sign, leave_out=others)


@pytest.mark.slow
def test_supplementary_numbers_and_categories():
    fit, theirs, table, sign = fitted("ca_mite_sup")
    rows = fit.individuals(table.iloc[60:, :35].astype(float))
    factors.assert_measure(rows, "coordinate", theirs["row_sup"]["coord"], sign=sign)
    factors.assert_measure(rows, "cos2", theirs["row_sup"]["cos2"])
    outside = table.iloc[:60, 35:]
    numbers = fit.variables(outside, kind="numbers")
    factors.assert_measure(numbers, "coordinate", theirs["quanti_sup"]["coord"], sign=sign)
    factors.assert_measure(numbers, "cos2", theirs["quanti_sup"]["cos2"])
    counts = fit.variables(outside)
    factors.assert_measure(counts, "correlation", theirs["quanti_sup"]["coord"], sign=sign)
    groups = fit.categories(outside)
    stored = theirs["quali_sup"]
    names = factors.places(groups, stored["coord"]["rows"])
    factors.assert_measure(groups, "coordinate", stored["coord"], names=names, sign=sign)
    factors.assert_measure(groups, "cos2", stored["cos2"], names=names)
    factors.assert_measure(
        groups, "v_test", stored["v_test_textbook"], names=names, sign=sign, tol=1e-7
    )
    first = [next(pair for pair in groups.index if pair[0] == v) for v in stored["eta2"]["rows"]]
    factors.assert_measure(groups, "eta2", stored["eta2"], names=first)
