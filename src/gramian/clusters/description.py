"""Description of classes: numbers by their means, categories by their shares."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri_exp
from scipy.stats import chi2_contingency, hypergeom, norm

from gramian._core.array import is_array, is_sparse, power_of_two, to_dense, to_numpy
from gramian._core.check import share
from gramian._core.numbers import as_floats, groups_of_rows
from gramian._core.types import TableLike, VectorLike
from gramian._estimators.factors.correspondence import CA
from gramian._reading.coding import Coding
from gramian._reading.columns import Factor, Numeric, Supplement, supplement_of
from gramian._reading.describe import p_value
from gramian._reading.grouping import Grouping
from gramian.distances.mixed import Gower
from gramian.errors import InputError
from gramian.kernels.mixed import MixedTable

_CLASS_COLUMNS = ["class", "kind", "variable", "category", "v_test", "p_value"]
_CLASS_COLUMNS += ["mean", "overall_mean", "sd", "overall_sd"]
_CLASS_COLUMNS += ["share_of_class", "share_of_category", "overall_share"]
_VARIABLE_COLUMNS = ["variable", "kind", "statistic", "df", "p_value"]


@dataclass(frozen=True, eq=False)
class Description:
    """The columns that characterise groups of rows.

    `classes` has one row per group and number or category that characterises it, the most positive
    v-test first: "class", "kind" ("number" or "category"), "variable", "category", "v_test" and
    "p_value"; of numbers "mean", "overall_mean", "sd", "overall_sd"; of categories "share_of_class"
    (of the rows of the class, how many have it), "share_of_category" (of the rows that have it, how
    many are in the class) and "overall_share". `variables` has one row per variable, the smallest
    p-value first: "statistic" is η² of a number, χ² of categories.

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> found = gm.clusters.describe(iris.groups["species"], iris.data)
    >>> found.classes.loc[0, "variable"], round(float(found.classes.loc[0, "v_test"]), 2)
    ('sepal width (cm)', 7.36)
    """

    classes: pd.DataFrame
    variables: pd.DataFrame

    def __repr__(self) -> str:
        return f"{self.variables.to_string(index=False)}\n\n{self.classes.to_string(index=False)}"


def describe(
    labels: VectorLike, table: TableLike, *, weights: VectorLike | None = None, alpha: float = 0.05
) -> Description:
    """Describe groups of rows by the columns of a table.

    A number characterises a group of n_c of n rows if its mean is far from that of all rows: v =
    (mean_c − mean)/sd·√(n_c (n − 1)/(n − n_c)), the distance in standard deviations of the mean of
    n_c rows drawn without replacement. A category does if more or fewer of its rows are in the
    group than expected from the hypergeometric distribution; v is the normal quantile of its
    p-value. The p-values take the groups as given: for groups found in the same columns they rank
    the columns, but are not a test.

    Parameters
    ----------
    labels : column of n values
        The group of each row.
    table : data frame or array (n, p)
        The columns that describe the classes.
    weights : array (n,), optional
        Weights of the rows, as counts: their sum is the number of rows n.
    alpha : float
        p-values up to this are kept; 1 keeps all.

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> found = gm.clusters.describe(iris.groups["species"], iris.data)
    >>> found.variables["variable"].tolist()[0]
    'petal length (cm)'
    """
    items = groups_of_rows(labels, None, "labels")
    if len(items) == items.nunique():
        raise InputError("labels: every row has a different label: give groups of several rows")
    # Whole numbers are groups too.
    levels = pd.Categorical(labels if isinstance(labels, pd.Series) else items)
    groups, n = Factor("class", np.asarray(levels.codes), levels.categories), len(levels)
    own = supplement_of(table, n, labels.index if isinstance(labels, pd.Series) else None)
    w = np.ones(n) if weights is None else row_counts(weights, n)
    return describe_groups(groups, own, w, alpha)


def row_counts(weights: VectorLike, n: int) -> np.ndarray:
    """Return weights as counts of n rows."""
    w = np.asarray(as_floats(weights, "weights"), dtype=float)
    if w.shape != (n,) or not (np.isfinite(w).all() and (w >= 0).all() and w.sum() > 0):
        raise InputError(f"weights must hold {n} numbers, none below 0: give one for each row")
    return w


def describe_groups(
    groups: Factor,
    table: Supplement,
    w: np.ndarray,
    alpha: float,
    tally: tuple[Factor, np.ndarray] | None = None,
) -> Description:
    """Return what columns say of groups; weights count rows."""
    # `tally` holds the columns of a table of counts, as categories, and their counts in each group.
    share(alpha, "alpha", one=True)
    names = {name: k for k, name in enumerate(groups.labels)}
    classes, variables = list[dict[str, Any]](), list[dict[str, Any]]()
    if tally is not None:
        classes += _categories(tally[0], groups, tally[1], middle=False)
        variables.append(_chi2(*tally))
    for number in table.numeric:
        rows = ~np.isnan(number.values) & (groups.codes >= 0) & (w > 0)
        own = number.values[rows], groups.codes[rows], w[rows]
        classes += _number(number.name, groups, *own)
        variables.append(_eta2(number.name, *own))
    for factor in table.factors:
        rows = (factor.codes >= 0) & (groups.codes >= 0) & (w > 0)
        # The weight of each category in each group, (groups, categories).
        shape = len(groups.labels), len(factor.labels)
        cells = groups.codes[rows] * shape[1] + factor.codes[rows]
        counts = np.bincount(cells, w[rows], minlength=shape[0] * shape[1]).reshape(shape)
        classes += _categories(factor, groups, counts)
        variables.append(_chi2(factor, counts))
    first = pd.DataFrame(classes, columns=_CLASS_COLUMNS)
    first = first[first["p_value"] <= alpha]
    order = np.lexsort((-first["v_test"], first["class"].map(names).astype(int)))
    second = pd.DataFrame(variables, columns=_VARIABLE_COLUMNS)
    second = second[second["p_value"] <= alpha].sort_values("p_value", kind="stable")
    return Description(first.iloc[order].reset_index(drop=True), second.reset_index(drop=True))


def _moments(x: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """Return mean and standard deviation, the divisor the sum of the weights."""
    unit = power_of_two(float(np.abs(x).max()))  # squares of numbers in any unit stay in range
    x = x / unit
    mean = float(w @ x / w.sum())
    return unit * mean, unit * float(np.sqrt(w @ (x - mean) ** 2 / w.sum()))


def _number(
    column: Hashable, groups: Factor, x: np.ndarray, codes: np.ndarray, w: np.ndarray
) -> Iterator[dict[str, Any]]:
    if not len(x):
        return
    n, (mean, sd) = w.sum(), _moments(x, w)
    for code, name in enumerate(groups.labels):
        own = codes == code
        size = w[own].sum()
        if not 0 < size < n or sd <= 1e-12 * np.abs(x).max():
            continue
        own_mean, own_sd = _moments(x[own], w[own])
        v = (own_mean - mean) / sd * np.sqrt(size * max(n - 1.0, 0.0) / (n - size))
        row = {"class": name, "kind": "number", "variable": column, "v_test": float(v)}
        row |= {"p_value": float(2.0 * norm.sf(abs(v))), "mean": own_mean, "sd": own_sd}
        yield row | {"overall_mean": mean, "overall_sd": sd}


def _eta2(column: Hashable, x: np.ndarray, codes: np.ndarray, w: np.ndarray) -> dict[str, Any]:
    """Return the share of variance between groups; degrees of freedom count the rows."""
    used, codes = np.unique(codes, return_inverse=True)
    k, n = len(used), len(x)
    row = {"variable": column, "kind": "number", "df": k - 1, "p_value": 1.0, "statistic": 0.0}
    if k < 2:
        return row
    x = x / power_of_two(float(np.abs(x).max()))
    mean = w @ x / w.sum()
    mass = np.bincount(codes, w)
    between = mass @ (np.bincount(codes, w * x) / mass - mean) ** 2
    whole = w @ (x - mean) ** 2
    eta2 = min(float(between / whole), 1.0) if whole > 0 else 0.0
    return row | {"statistic": eta2, "p_value": float(p_value(eta2, k, n))}


def _categories(
    factor: Factor, groups: Factor, counts: np.ndarray, *, middle: bool = True
) -> Iterator[dict[str, Any]]:
    n, sizes, totals = counts.sum(), counts.sum(axis=1), counts.sum(axis=0)
    for code, name in enumerate(groups.labels):
        for other, label in enumerate(factor.labels):
            if not (0 < sizes[code] < n and totals[other] > 0):
                continue
            log_p = _log_p(counts[code, other], totals[other], sizes[code], n, middle=middle)
            of_class, overall = counts[code, other] / sizes[code], totals[other] / n
            v = -float(ndtri_exp(log_p - np.log(2.0))) * (1.0 if of_class > overall else -1.0)
            row = {"class": name, "kind": "category", "variable": factor.name, "category": label}
            row |= {"v_test": v, "p_value": float(np.exp(log_p)), "share_of_class": of_class}
            of_category = counts[code, other] / totals[other]
            yield row | {"share_of_category": of_category, "overall_share": overall}


def _log_p(count: float, category: float, group: float, n: float, *, middle: bool) -> float:
    """Return log of min(2P(X<k) + P(k), 2P(X>k) + P(k)), X hypergeometric; counts are rounded."""
    # Without `middle`, of 2·min(P(X ≤ k), P(X ≥ k)), as FactoMineR has it for tables of counts.
    k, category, group, n = (round(value) for value in (count, category, group, n))
    law = hypergeom(n, category, group)
    at = law.logpmf(k) + (0.0 if middle else np.log(2.0))
    sides = (law.logcdf(k - 1), law.logsf(k))
    return min(0.0, *(float(np.logaddexp(np.log(2.0) + side, at)) for side in sides))


def _chi2(factor: Factor, counts: np.ndarray) -> dict[str, Any]:
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    df = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    statistic, p = 0.0, 1.0
    if df and counts.size:
        statistic, p = map(float, chi2_contingency(counts, correction=False)[:2])
    row = {"variable": factor.name, "kind": "category", "statistic": statistic}
    return row | {"df": df, "p_value": p}


def own_tally(fit: object, codes: np.ndarray) -> tuple[Factor, np.ndarray] | None:
    """Return the columns of a correspondence analysis, and their counts in each class, (k, J)."""
    if not isinstance(fit, CA):
        return None
    training = fit.training_
    mass = np.full(training.n, 1.0 / training.n) if training.weights is None else training.weights
    counts = np.asarray(to_dense(training.rows), dtype=float) * (mass * fit.total_)[:, None]
    member = codes == np.arange(int(codes.max()) + 1)[:, None]
    columns = Factor("column", np.empty(0, dtype=int), pd.Index(fit.variables().index))
    return columns, member.astype(float) @ counts


def own_columns(fit: object) -> Supplement | None:
    """Return the columns that a fit was made of, None where it keeps none."""
    training = getattr(fit, "training_", None)
    if training is None or training.kind != "table" or isinstance(fit, CA):
        return None
    values, reader = training.rows, training.reader
    if isinstance(reader, MixedTable):
        reader = reader.reader
    if isinstance(reader, Gower):
        return _of_codes(values, reader, training.columns)
    if isinstance(reader, Grouping):
        reader = reader.coding
    if isinstance(reader, Coding):
        return Supplement(reader.numbers(values), reader.factors(values))
    if is_sparse(values):
        values = values.toarray()
    if not is_array(values):
        return None
    X = np.asarray(to_numpy(values), dtype=float)
    names = training.columns or [f"x{j}" for j in range(X.shape[1])]
    return Supplement([Numeric(name, x) for name, x in zip(names, X.T, strict=True)], [])


def join_columns(own: Supplement, other: Supplement) -> Supplement:
    """Return the columns of a fit and those of a table that are not the same ones again."""
    columns: list[Numeric | Factor] = [*own.numeric, *own.factors]
    known = {column.name: column for column in columns}
    numeric = [column for column in other.numeric if not _is_same(known.get(column.name), column)]
    factors = [column for column in other.factors if not _is_same(known.get(column.name), column)]
    return Supplement(own.numeric + numeric, own.factors + factors)


def _is_same(one: Numeric | Factor | None, other: Numeric | Factor) -> bool:
    """Whether two columns agree wherever both have a value."""
    if one is None:
        return False
    if isinstance(one, Factor) and isinstance(other, Factor):
        known = (one.codes >= 0) & (other.codes >= 0)
        texts = [np.asarray(c.labels.astype(str))[c.codes[known]] for c in (one, other)]
        return bool((texts[0] == texts[1]).all())
    a, b = _as_numbers(one), _as_numbers(other)
    known = ~(np.isnan(a) | np.isnan(b))
    return bool(known.any() and np.allclose(a[known], b[known]))


def _as_numbers(column: Numeric | Factor) -> np.ndarray:
    """Return a column as numbers; categories that are no numbers become NaN."""
    if isinstance(column, Numeric):
        return column.values
    levels = pd.to_numeric(pd.Series(column.labels.astype(str)), errors="coerce")
    return np.asarray(np.append(levels.to_numpy(dtype=float), np.nan)[column.codes])


def _of_codes(values: np.ndarray, reader: Gower, names: Sequence[Hashable] | None) -> Supplement:
    """Return numbers and categories that were read as numbers and codes."""
    numbers, factors = list[Numeric](), list[Factor]()
    for k, (column, own) in enumerate(zip(reader.columns, values.T, strict=True)):
        name = f"x{k}" if names is None else names[k]
        if column.codes is None:
            numbers.append(Numeric(name, own))
        else:
            codes = np.where(np.isnan(own), -1, own).astype(int)
            factors.append(Factor(name, codes, pd.Index(list(column.codes), dtype=object)))
    return Supplement(numbers, factors)
