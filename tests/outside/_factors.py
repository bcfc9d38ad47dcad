"""Reading the stored results of factor methods: matrices by name, axes turned one way."""

from functools import cache

import numpy as np
import pandas as pd
from tests.outside._reference import DATA, load, signs


@cache
def case(name):
    """One stored case of `factor_methods`; callers do not modify it."""
    return load(f"factor_methods/{name}.json")


def frame(name):
    """A data table of `factor_methods`; texts stay texts, "NA" is missing."""
    path = DATA / "factor_methods" / "data" / f"{name}.csv"
    table = pd.read_csv(path, index_col=0, keep_default_na=False, na_values=["NA"])
    table.index = table.index.astype(str)
    return table


def matrix(entry):
    """A stored matrix with its names."""
    return pd.DataFrame(entry["data"], index=entry["rows"], columns=entry["cols"], dtype=float)


def turned(ours, theirs):
    """The signs that turn our axes the way theirs point, from two arrays."""
    return signs(ours, theirs)


def assert_measure(table, measure, entry, *, names=None, sign=1.0, times=1.0, tol=1e-8):
    """A measure of one of our tables is a stored matrix, row by row (`names`: ours, in order)."""
    theirs = matrix(entry)
    q = theirs.shape[1]
    rows = table.loc[list(names)] if names is not None else table.loc[list(theirs.index)]
    ours = rows[measure][list(range(1, q + 1))].to_numpy() * times * sign
    np.testing.assert_allclose(ours, theirs.to_numpy(), rtol=tol, atol=tol)


def assert_eigenvalues(fit, entry, tol=1e-8):
    """Eigenvalues and shares of the axes that were kept."""
    theirs = matrix(entry).to_numpy()
    q = min(len(theirs), fit.n_components_)
    np.testing.assert_allclose(fit.eigenvalues_[:q], theirs[:q, 0], rtol=tol, atol=tol)
    np.testing.assert_allclose(100.0 * fit.inertia_ratio_[:q], theirs[:q, 1], rtol=tol, atol=tol)


def places(table, index, separator="."):
    """The rows of our categories that go with stored names, whatever these are made of."""
    by_name = {}
    for pair in table.index:
        for name in (str(pair[1]), f"{pair[0]}{separator}{pair[1]}", f"{pair[0]}_{pair[1]}"):
            by_name.setdefault(name, pair)
    return [by_name[name] for name in index]


def assert_described(table, entries, sign, leave_out=()):
    """What is tied to the axes, with p-values, is what `dimdesc` lists."""
    kinds = {"quanti": "quantitative", "quali": "qualitative", "category": "category"}
    for k, entry in enumerate(entries.values()):
        for key, kind in kinds.items():
            theirs = matrix(entry[key]).drop(index=list(leave_out), errors="ignore")
            ours = table[(table["axis"] == k + 1) & (table["kind"] == kind)]
            names = ours["name"].astype(str)
            if kind == "category":
                names = names + "=" + ours["category"].astype(str)
            ours = ours.set_axis(names).loc[list(theirs.index)]
            turn = 1.0 if kind == "qualitative" else sign[k]
            np.testing.assert_allclose(ours["statistic"] * turn, theirs.iloc[:, 0], atol=1e-8)
            np.testing.assert_allclose(ours["p_value"], theirs["p.value"], rtol=1e-6, atol=1e-300)


def assert_individuals(fit, theirs, sign):
    """Compare eigenvalues and the table of individuals, which is returned."""
    assert_eigenvalues(fit, theirs["eig"])
    rows = fit.individuals()
    assert_measure(rows, "coordinate", theirs["ind"]["coord"], sign=sign)
    assert_measure(rows, "contribution", theirs["ind"]["contrib"], times=100.0)
    assert_measure(rows, "cos2", theirs["ind"]["cos2"])
    return rows
