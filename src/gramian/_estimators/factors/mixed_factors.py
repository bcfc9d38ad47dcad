"""Factor analysis of mixed data: numbers and categories together."""

from __future__ import annotations

from typing import Any

from gramian._estimators.factors.mixed import MixedEstimator


class FAMD(MixedEstimator):
    """Factor analysis of mixed data: PCA of numbers and categories together.

    A number becomes (x − mean)/deviation (divisor n), a level of mass p the column
    (indicator − p)/√p, and the axes are principal components of both. On each of them a number
    counts by r² and a variable of k levels by η²; it holds an inertia of k − 1.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        As for `PCA`.
    solver : "auto", "covariance", "dense" or "krylov"
    missing : "raise" or "iterative"
        What to do with holes: refuse a missing number, a missing category being a level "NA"; or
        fill both in by the axes of the table itself, and those of new rows too.
    random_state : int, optional
        Seed of the iterative solver.

    Attributes
    ----------
    eigenvalues_ : array (q,)
        The inertia of each axis: the weighted variance of its coordinates.
    inertia_ : float
        The total inertia, that of the axes left out, too.
    inertia_ratio_ : array (q,)
        `eigenvalues_` over `inertia_`.
    coordinates_ : array (n, q)
        The rows on the axes.
    components_ : array (q, p)
        The axes in the space of the coded columns.
    residuals_ : array (q,)
        |A·u − λ·u| of each axis.
    n_components_ : int
        The number of axes, q.
    solver_ : str
        The solver and why it was chosen.
    tied_axes_ : list of tuples
        Groups of axes, counted from 1, of which only the span is determined.
    coding_ : Coding
        The variables and their levels.
    total_ : float
        How many individuals the rows stand for: their number, or the sum of the weights.

    See Also
    --------
    PCA : numbers alone.
    MCA : categories alone.

    References
    ----------
    Pagès (2004), Analyse factorielle de données mixtes.

    Notes
    -----
    Columns of text, categories and booleans are categories, the others numbers. A missing
    category is a level of its own, "NA"; a missing number is refused. New rows are read with the
    means, deviations and masses of the fit, one by one or in any batch alike.

    Examples
    --------
    >>> import pandas as pd
    >>> import gramian as gm
    >>> X = pd.DataFrame({"size": [1.0, 2.0, 4.0, 6.0], "colour": ["red", "red", "blue", "blue"]})
    >>> gm.FAMD().fit(X).eigenvalues_.round(3)
    array([1.911, 0.089])
    """

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        solver: str = "auto",
        missing: str = "raise",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.missing = missing
        self.random_state = random_state
