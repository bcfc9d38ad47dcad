"""The axes above noise, tested one after the other."""

from dataclasses import dataclass, field

import numpy as np

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.deflation import NULLS, USUAL_DRAWS, axis_tests
from gramian._nulls.p_values import count_axes, smallest_p_value
from gramian._nulls.spectra import Reference
from gramian.evidence.order import innovations
from gramian.evidence.table import table_of
from gramian.evidence.validation import Scheme, distinct_rows

# The null of each scheme; signs are flipped after each but "sign flips".
_NULL = {
    "permutation": "permutation",
    "sign flips": "signflip",
    "blocks": "permutation",
    "shifts": "shifts",
    "copies": "permutation",
}


@dataclass(frozen=True)
class AxesEvidence:
    """How many axes stand out of noise, and which noise that is.

    Attributes
    ----------
    n_axes : int or None
        Axes before the first that noise would reach; None where no null model holds.
    p_values : array (m,)
        Of axes 1 to m, the first that fails included. Each is the largest so far: an axis is above
        noise only after those before it.
    floor : float
        The smallest p-value that so many draws can give.
    scheme : str
        "permutation", "sign flips", "blocks", "shifts", "copies" or "none"; "directions" of a cloud
        without columns, "counts" of a contingency table.
    reference : array (m,)
        The eigenvalue that noise exceeds with probability alpha, axis by axis.
    eigenvalues : array (m,)
        Those of the rows that were tested.
    deflated : tuple of int
        Axes that show only once those before them are taken off.
    alpha : float

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> gm.evidence.axes((X - X.mean(axis=0)) / X.std(axis=0), rng=0).n_axes
    1
    """

    n_axes: int | None
    p_values: np.ndarray
    floor: float
    scheme: str
    reference: np.ndarray = field(repr=False)
    eigenvalues: np.ndarray = field(repr=False)
    deflated: tuple[int, ...]
    alpha: float


def axes(
    X: TableLike,
    *,
    scheme: Scheme = "permutation",
    groups_of_copies: VectorLike | None = None,
    n_draws: int = USUAL_DRAWS,
    alpha: float = 0.05,
    rng: SeedLike = None,
) -> AxesEvidence:
    """Count the axes that stand out of noise, by parallel analysis with deflation.

    Axis k + 1 is held against the largest eigenvalue of tables drawn from the residual of the first
    k axes. The count stops at the first axis that noise reaches with probability above alpha, so
    that the chance of one axis too many is alpha, whatever their number. The test is that of
    `gm.dimension.parallel_analysis(X, method="deflated")`, with draws that suit the rows.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed: standardised where the analysis standardises.
    scheme : str
        "permutation": each column is permuted, and then the signs of its entries flipped; an axis
        must stand out of both. "sign flips": signs only, right where rows differ in variance.
        "copies": the same as "permutation" with one row of each group of copies. "blocks": for rows
        in an order that matters, what each column brings beyond its own past. "shifts": each column
        moves along the rows as a whole and keeps its order. "none": no test.
    groups_of_copies : array (n,), optional
        The group of each row, for "copies".
    n_draws : int
        At most, for each axis and null; 99 where they leave no doubt.
    alpha : float
    rng : Generator or seed, optional

    Returns
    -------
    AxesEvidence

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 1)) + rng.standard_normal((50, 6))
    >>> axes(X, rng=rng).n_axes
    1
    """
    share(alpha, "alpha")
    whole(n_draws, "n_draws", int(np.ceil(1 / alpha - 1 - 1e-9)))
    table, rng = table_of(X), generator(rng, "rng")
    rows = distinct_rows(scheme, table.n, groups_of_copies)
    # The rows that are exchangeable under the null.
    if rows is not None and scheme == "copies":
        table = table.rows(rows)
    elif scheme == "blocks":
        table = table.like(innovations(table.values)) if table.n > 4 else table.rows(np.arange(0))
    if rows is None or table.rank < 2:
        empty = np.zeros(0)
        return AxesEvidence(None, empty, 1.0, scheme, empty, empty, (), alpha)
    columns, null = np.ascontiguousarray(table.values.T), NULLS[_NULL[scheme]]
    tests = axis_tests(columns, null, rng, n_draws=n_draws, alpha=alpha, scaled=table.scaled)
    p = np.array([test.p_value for test in tests])
    values, spectra = table.axes[1] ** 2 / table.n, tests[0].spectra
    assert spectra is not None
    # Without deflation: the k-th eigenvalue against the k-th drawn.
    m = min(table.rank, spectra.shape[1])
    plain = count_axes(Reference(values[:m], spectra[:, :m]).p_values(), alpha)
    count = count_axes(p, alpha)
    return AxesEvidence(
        count,
        p,
        min(smallest_p_value(test.n_draws) for test in tests),
        scheme,
        np.array([test.level for test in tests]),
        values[: len(p)],
        tuple(range(plain + 1, count + 1)),
        alpha,
    )
