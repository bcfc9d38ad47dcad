"""From a table of expressions to a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.blocks import budget_bytes, require
from gramian._core.check import flag, generator, share, whole
from gramian._core.labels import in_order_of, labels_of
from gramian._core.validate import table
from gramian._core.warn import warn
from gramian.errors import ConstantColumnWarning, InputError
from gramian.networks.contrasts import conditions_of, without_means
from gramian.networks.correlations import unit_columns, upper
from gramian.networks.network import Network
from gramian.networks.recipe import TESTED, Recipe, q_values


def infer(
    X: Any,
    method: str = "correlation",
    *,
    condition: Any = None,
    shrinkage: float | None = None,
    penalty: float | None = None,
    threshold: float | None = None,
    density: float | None = None,
    fdr: float | None = None,
    stability: float | None = None,
    n_subsamples: int = 50,
    join: str = "and",
    signed: bool = True,
    random_state: Any = None,
) -> Network:
    """Infer a network between the columns of a table, such as genes measured on samples.

    | method | an edge says |
    |---|---|
    | "correlation" | two variables move together |
    | "partial" | they do so given all the others; correlations are shrunk first |
    | "glasso" | the same, by a penalised precision matrix |
    | "neighbourhood" | each is needed to predict the other (Meinshausen and Bühlmann 2006) |

    Parameters
    ----------
    X : table (n, p)
        Rows are samples, columns variables, which may outnumber the samples.
    method : "correlation", "partial", "glasso" or "neighbourhood"
    condition : n labels, optional
        The condition of each sample. The means of the conditions are taken off first, so that
        variables which only differ between conditions are not joined; n samples of C conditions
        then count as n − C + 1.
    shrinkage : float in [0, 1], optional
        λ of (1 − λ)R + λI, for the first two methods; by default the λ of least expected error
        (Schäfer and Strimmer 2005).
    penalty : positive float, optional
        Of the last two methods, on the scale of correlations. By default "glasso" takes the one of
        least extended BIC, and "neighbourhood" that of Meinshausen and Bühlmann at level 0.05.
    threshold, density, fdr : float, optional
        One rule for edges: |weight| at least `threshold`; the share `density` of the pairs, those
        of largest |weight|; or false discoveries at rate `fdr` (Benjamini and Hochberg). By default
        fdr = 0.05 for the first two methods, and all that the penalty leaves for the others.
    stability : float in (0, 1], optional
        Keep the edges that the rule finds in at least this share of random half-samples.
    n_subsamples : int
        The number of half-samples.
    join : "and" or "or"
        For "neighbourhood": whether both variables must choose each other, or one.
    signed : bool
        False gives absolute weights.
    random_state : int, optional
        For the half-samples.

    Returns
    -------
    Network
        Named after the columns. `edges` has p- and q-values where there are tests, and the share
        of half-samples with `stability`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> hub = rng.standard_normal((40, 1))
    >>> X = np.hstack([hub, hub + 0.5 * rng.standard_normal((40, 2)), rng.normal(size=(40, 3))])
    >>> infer(X).edges[["source", "target"]].to_numpy().tolist()
    [['x0', 'x1'], ['x0', 'x2'], ['x1', 'x2']]
    >>> infer(X, "partial").n_edges
    2
    >>> groups = np.repeat(["a", "b"], 20)
    >>> far = rng.normal(size=(40, 6)) + 5.0 * (groups == "b")[:, None]
    >>> infer(far).n_edges, infer(far, condition=groups).n_edges
    (15, 0)
    """
    recipe = Recipe(
        method, shrinkage, penalty, threshold, density, fdr, join, flag(signed, "signed")
    )
    values, names = checked_table(X, recipe.least_rows)
    details: dict[str, Any] = {"method": method, "n_rows": len(values)}
    if condition is not None:
        condition = in_order_of(condition, labels_of(X), "condition")
        values = _within(values, condition, recipe.least_rows)
    ends = np.stack(upper(values.shape[1]), axis=1)
    if stability is not None:
        least = share(stability, "stability", one=True)
        count = whole(n_subsamples, "n_subsamples", 2)
        edges, frequency = recipe.stable(values, least, count, generator(random_state))
        known = {"frequency": frequency}
        return Network.from_edges(names, ends[edges.pairs], edges.weights, known, details)
    scores = recipe.scores(values)
    pairs = recipe.chosen(scores)
    weights = scores.values[pairs]
    known = {}
    if scores.p_values is not None:
        p, q = q_values(scores)
        known = {"p_value": p[pairs], "q_value": q[pairs]}
    if method in TESTED:
        details["shrinkage"] = scores.shrinkage
    weights = weights if signed else np.abs(weights)
    return Network.from_edges(names, ends[pairs], weights, known, details)


def _within(values: np.ndarray, condition: Any, least: int) -> np.ndarray:
    """Return the table less the means of conditions; refuse one of which nothing is left."""
    codes, names = conditions_of(condition, len(values))
    left = len(values) - len(names) + 1
    if left < least:
        raise InputError(
            f"condition has {len(names)} conditions for {len(values)} rows, which leaves too "
            f"little to see links by: give at least {len(names) + least - 1} rows"
        )
    return without_means(values, codes)


def checked_table(X: Any, least_rows: int) -> tuple[np.ndarray, list[Any]]:
    """Return the numbers and the names of the columns; warn about constant ones."""
    rows = table(X, min_rows=least_rows, allow_sparse=False)
    values = np.asarray(to_numpy(rows.values), dtype=np.float64)
    p = values.shape[1]
    require(40.0 * p**2, budget_bytes(None), f"all pairs of {p} columns", "keep fewer columns")
    if p < 2:
        raise InputError("X has 1 column: a network needs at least 2")
    names = [f"x{k}" for k in range(p)] if rows.columns is None else rows.columns
    constant = np.flatnonzero(unit_columns(values)[1])
    if constant.size:
        shown = ", ".join(str(names[k])[:40] for k in constant[:3])
        more = f" and {constant.size - 3} more" if constant.size > 3 else ""
        warn(
            f"X has constant columns ({shown}{more}): they have no edges",
            ConstantColumnWarning,
        )
    return values, names
