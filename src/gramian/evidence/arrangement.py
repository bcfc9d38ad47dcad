"""Explanations of the order of rows: groups, a sorted column, runs, alternating groups."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from gramian._nulls.p_values import p_values
from gramian.evidence.order import order

_LEFT_LEVEL = 0.01  # an order at this level is left, and was not explained
_MAX_COMPONENTS = 6  # principal components that a design has to explain
_CLIP = 6.0  # deviations, beyond which a value tells no more of a design
_MIN_SORTED_ROWS = 12  # rows, under which a random walk may be sorted by chance
_SORTED_LEVEL = 1e-3  # that one of the columns is sorted
_MAX_TIES = 0.5  # steps that are none, above which a sorted column is one of groups
_CUBIC_ROWS = 20  # rows, over which the curve of a sorted column is a cubic one
_MIN_STEP, _ROWS_PER_STEP = 4, 12  # rows of a step without a name: at least, and on average
_MIN_STEP_SIZE = 1.5  # deviations by which a step differs from the next: a drift is slower
_MAX_STEPS = 20
_MAX_PERIOD = 12  # rows of a turn
_SMOOTH_PERIOD = 5  # from which on a turn may be a season,
_MIN_ROUGHNESS = 1.4  # which is smoother than this (2 at random)
_MAX_FACTORS = 15  # columns of groups that are tried
_MAX_LAGS = 2  # of the series that a design is compared with
_ROWS_PER_GROUP = 6  # rows, from which on a group in the file is taken at its word
_SURE_ROWS = 40  # in a file of so many
_MARGIN = 10.0  # of the criterion, in smaller files and for groups without a name
_CLEAR_LEVEL = 0.1  # an order within runs at this level is a doubt, of each of two kinds,
_MIN_PAIRS = 45.0  # which so many neighbours within runs, times columns, would show
_LONG_RUN, _FEW_PAIRS = 12, 30.0  # fewer where runs are long
_MIN_RUN = 3  # rows of a run, on average; in runs of fewer than four columns must be many
_SHORT_RUN, _MANY_PAIRS = 4, 200.0
_FREE_ROWS = 3  # part of the rows that a design must leave free
_NAMES = re.compile(r"[\s._\-/:|,;()\[\]]+|(?<=\D)(?=\d)|(?<=\d)(?=\D)")


@dataclass(frozen=True, eq=False)
class Arrangement:
    """An arrangement of the rows that explains their order.

    Attributes
    ----------
    names : tuple
        Columns of groups by which rows are ordered, or which alternate.
    n_steps, period : int
        Number of runs of similar rows, and length of alternations, given by no column; 0 if none.
    sorted_by : tuple
        Columns of numbers by which rows are sorted, as a whole or within runs.
    by_row_names : bool
        Whether the groups are given by the names of rows.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = 5 * rng.standard_normal((3, 6)).repeat(20, axis=0) + rng.standard_normal((60, 6))
    >>> gm.evidence.assumptions(X, rng=0).arrangement.n_steps
    3
    """

    names: tuple[Hashable, ...] = ()
    n_steps: int = 0
    period: int = 0
    sorted_by: tuple[Hashable, ...] = ()
    by_row_names: bool = False


@dataclass(frozen=True, eq=False)
class _Factor:
    """Groups of rows that may explain an order."""

    codes: np.ndarray
    name: Any = None  # the columns of groups, or the rows of a turn
    kind: str = "named"  # or "row names", "turns", "steps"
    n_searched: int = 0  # parameters that were looked for: a period, places of cuts


@dataclass(frozen=True, eq=False)
class _Design:
    """Columns that explain components: an orthonormal basis, and the criterion of each of them."""

    Q: np.ndarray  # (n, d), the constant first
    bic: np.ndarray  # (components,), the smallest so far
    aic: np.ndarray  # that of Akaike, by which groups that the file names are judged
    factors: tuple[_Factor, ...] = field(default=())

    @classmethod
    def of(cls, Q: np.ndarray, F: np.ndarray) -> _Design:
        """Return the design without a factor."""
        E = _rest(F, Q)
        return cls(Q, _bic(E, Q.shape[1]), _bic(E, Q.shape[1], 2.0))

    def with_factor(self, factor: _Factor, F: np.ndarray) -> _Design:
        """Return the design with one factor more."""
        new = _Design.of(_join(self.Q, _indicators(factor.codes)), F)
        search = 2.0 * factor.n_searched * float(np.log(len(F))) / F.shape[1]
        bic, aic = np.minimum(self.bic, new.bic) + search, np.minimum(self.aic, new.aic) + search
        return _Design(new.Q, bic, aic, (*self.factors, factor))

    def rival(self, F: np.ndarray) -> float:
        """Return the criterion of the design and a series beside it."""
        search = 2.0 * sum(factor.n_searched for factor in self.factors) * float(np.log(len(F)))
        return float(_series(F, self.Q, float(np.log(len(F)))).sum()) + search

    def beats(self, rivals: list[float]) -> bool:
        """Whether the design explains components better than series do, beside others or none."""
        # Groups that the file names were not looked for, unless they are so many that one of them
        # follows any series.
        named = all(factor.kind in ("named", "row names") for factor in self.factors)
        few = len(self.Q) >= _SURE_ROWS and self.Q.shape[1] <= len(self.Q) // _ROWS_PER_GROUP
        if named and few:
            return float(self.aic.sum()) <= rivals[0]
        # Steps and turns that were looked for follow a series rather well: they must win clearly.
        return float(self.bic.sum()) <= min(rivals) - _MARGIN


def arrangement(
    X: np.ndarray, frame: pd.DataFrame | None, n_draws: int, rng: np.random.Generator
) -> Arrangement | None:
    """Return what explains the order of rows, None where something of it is left."""
    # A design is added to, one explanation after the other, each the one that lowers Schwarz's
    # criterion of the leading components most, until rows have no order left beside it. It must
    # also explain the components better than their own past and a trend do: a series follows steps
    # as well, but worse than it follows itself.
    n = len(X)
    Z, base, sorted_by = _unsorted(_clipped(X), X, frame)
    F = _components(_rest(Z, base))
    if not F.shape[1]:
        return Arrangement(sorted_by=sorted_by) if sorted_by else None
    start = _Design.of(base, F)
    rivals = [float(_series(F, base).sum())]

    def is_free(design: _Design) -> bool:
        found = order(Z, n_draws, rng, design.Q, both_sides=not sorted_by)
        return found.p_value > _LEFT_LEVEL

    def explained(design: _Design) -> bool:
        return design.beats(rivals) and is_free(design)

    if sorted_by and is_free(start):
        return Arrangement(sorted_by=sorted_by)
    named = named_factors(frame, X)
    best = start
    for pool, criterion in ((named, "bic"), (named, "aic"), ([*named, *_turns(F)], "bic")):
        for design in _grow(start, pool, F, criterion):
            if explained(design):
                return _of(design, sorted_by)
            if criterion == "bic":  # the same and a series
                rivals.append(design.rival(F))
                best = design if pool is named else best
    # Groups that the file does not name, beside those that it does.
    for begin in dict.fromkeys((start, best)):
        for steps in _steps(_rest(F, begin.Q)):
            design = begin.with_factor(steps, F)
            if _spends(design, n):
                break
            rivals.append(design.rival(F))
            for grown in (design, *_grow(design, _turns(F), F)):
                if explained(grown):
                    return _of(grown, sorted_by)
                rivals.append(grown.rival(F))
    # Groups in a small file, or whose means rise with the rows, explain them no better than a
    # trend; but a series or a trend would also be seen within the runs of each group.
    for factor in [*named, *_crossings(named)]:
        design = start.with_factor(factor, F)
        explains = design.bic.sum() < start.bic.sum() and not _spends(design, n)
        if factor.kind == "named" and explains and _is_clear(Z, factor.codes, n_draws, rng):
            return _of(design, sorted_by)
    return None


def _is_clear(Z: np.ndarray, codes: np.ndarray, n_draws: int, rng: np.random.Generator) -> bool:
    """Whether rows within runs of equal codes show no order, although they would show one."""
    starts = np.flatnonzero(np.append(True, np.diff(codes) != 0))
    runs = np.split(np.arange(len(Z)), starts[1:])
    Z = np.vstack([Z[rows] - Z[rows].mean(axis=0) for rows in runs])
    Z = Z / np.maximum(np.sqrt((Z**2).sum(axis=0)), 1e-300)
    squares, free = np.linalg.svd(Z, compute_uv=False) ** 2, len(Z) - len(runs)
    # Correlated columns count as fewer: (Σλ)²/Σλ² of them, less what few rows add to Σλ².
    inverse = (squares**2).sum() / max(float(squares.sum() ** 2), 1e-300) - 1.0 / max(free, 1)
    pairs = free / max(float(inverse), 1.0 / Z.shape[1])
    length = len(Z) / len(runs)
    needed = _FEW_PAIRS if length >= _LONG_RUN else _MIN_PAIRS
    if length < _MIN_RUN or pairs < (needed if length >= _SHORT_RUN else _MANY_PAIRS):
        return False
    shuffled = [np.concatenate([rng.permutation(rows) for rows in runs]) for _ in range(n_draws)]
    orders = np.array([np.arange(len(Z)), *shuffled])
    first = np.concatenate([rows[:-1] for rows in runs])
    place = np.concatenate([np.arange(len(rows)) - (len(rows) - 1) / 2 for rows in runs])
    G = Z @ Z.T
    apart = np.diag(G)[:, None] + np.diag(G) - 2.0 * G
    # Neighbours that are alike, and slopes that runs have in common.
    alike = -apart[orders[:, first], orders[:, first + 1]].sum(axis=1)
    weights = np.zeros((len(orders), len(Z)))
    np.put_along_axis(weights, orders, np.broadcast_to(place, orders.shape), axis=1)
    slopes = np.einsum("bi,ij,bj->b", weights, G, weights, optimize=True)
    return all(p_values(t[0], t[1:]) > _CLEAR_LEVEL for t in (alike, slopes))


def explains_beyond_past(X: np.ndarray, codes: np.ndarray) -> bool:
    """Whether groups and the past explain the components clearly better than the past alone."""
    base = np.full((len(X), 1), len(X) ** -0.5)
    F = _components(_rest(_clipped(X), base))
    both = _series(F, _join(base, _indicators(codes)))
    return bool(both.sum() <= _series(F, base).sum() - _MARGIN)


def _of(design: _Design, sorted_by: tuple[Hashable, ...]) -> Arrangement:
    """Return the record of a design."""
    kinds: dict[str, list[_Factor]] = {}
    for factor in design.factors:
        kinds.setdefault(factor.kind, []).append(factor)
    names = [name for factor in kinds.get("named", []) for name in factor.name]
    return Arrangement(
        tuple(dict.fromkeys(names)),
        sum(int(f.codes.max()) + 1 for f in kinds.get("steps", [])),
        max((int(f.codes.max()) + 1 for f in kinds.get("turns", [])), default=0),
        sorted_by,
        "row names" in kinds,
    )


def _spends(design: _Design, n: int) -> bool:
    """Whether a design leaves too few rows free to see an order."""
    return n - design.Q.shape[1] < max(6, n // _FREE_ROWS)


def _grow(
    design: _Design, pool: list[_Factor], F: np.ndarray, criterion: str = "bic"
) -> Iterator[_Design]:
    """Add factors, and crossings of two, each the best there is, as long as they explain more."""
    n = len(F)

    def value(design: _Design) -> float:
        return float(getattr(design, criterion).sum())

    while True:
        crossed = _crossings([*design.factors, *pool]) if design.factors else []
        options = [design.with_factor(f, F) for f in (*pool, *crossed)]
        options = [o for o in options if not _spends(o, n) and o.Q.shape[1] > design.Q.shape[1]]
        if not options:
            return
        best = min(options, key=value)
        # A turn is looked for: it must lower the criterion clearly.
        gain = _MARGIN if best.factors[-1].kind == "turns" else 1e-9
        if value(best) > value(design) - gain:
            return
        design = best
        yield design


def _crossings(factors: list[_Factor]) -> list[_Factor]:
    """Return the cells of each two factors that have a name, or are turns."""
    out = list[_Factor]()
    for a, b in combinations({id(f): f for f in factors}.values(), 2):
        if a.kind == "named" and b.kind == "named" and len(out) < _MAX_FACTORS * 3:
            codes = np.unique(np.stack([a.codes, b.codes]), axis=1, return_inverse=True)[1]
            if codes.max() + 1 <= len(codes) // 2:
                out.append(_Factor(codes.ravel(), (*a.name, *b.name)))
    return out


def named_factors(frame: pd.DataFrame | None, X: np.ndarray) -> list[_Factor]:
    """Return the groupings in a file: its columns that are not analysed, and parts of names."""
    if frame is None:
        return []
    n, out = len(X), list[_Factor]()
    analysed = {np.ascontiguousarray(x).tobytes() for x in X.T}
    texts: list[tuple[Hashable, pd.Series]] = [(None, pd.Series(frame.index))]
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        numeric = pd.api.types.is_numeric_dtype(column)
        if numeric and column.to_numpy(dtype=float, na_value=np.nan).tobytes() in analysed:
            continue
        codes = np.asarray(pd.factorize(column)[0], dtype=int) + 1
        codes = np.unique(codes, return_inverse=True)[1]
        quantity = pd.api.types.is_float_dtype(column)
        if 2 <= codes.max() + 1 <= n // (4 if quantity else 2):
            out.append(_Factor(codes, (name,)))
        elif not numeric and codes.max() + 1 > n // 2:
            texts.append((name, column))
    for title, labels in texts:
        kind = ("row names", None) if title is None else ("named", (title,))
        out += [_Factor(codes, kind[1], kind[0]) for codes in groups_in_names(labels, n)]
    return out[:_MAX_FACTORS]


def groups_in_names(labels: pd.Series, n: int) -> list[np.ndarray]:
    """Return the groupings that parts of names make: a_1, a_2, b_1, …"""
    if pd.api.types.is_numeric_dtype(labels) or pd.api.types.is_datetime64_any_dtype(labels):
        return []
    parts = [[part for part in _NAMES.split(str(label)) if part] for label in labels]
    out: list[np.ndarray] = []
    for place in range(min(min(map(len, parts)), 4)):
        codes = np.asarray(pd.factorize(pd.Series([part[place] for part in parts]))[0], dtype=int)
        if 2 <= codes.max() + 1 <= n // 2:
            out.append(codes)
    return out


def _turns(F: np.ndarray) -> list[_Factor]:
    """Return places within turns of two rows and more, but those of a season."""
    n = len(F)
    periods = range(2, min(_MAX_PERIOD, n // 4) + 1)
    places = {k: np.arange(n) % k for k in periods}
    return [
        _Factor(codes, k, "turns", 1)
        for k, codes in places.items()
        if k < _SMOOTH_PERIOD or _roughness(F, codes) >= _MIN_ROUGHNESS
    ]


def _roughness(F: np.ndarray, codes: np.ndarray) -> float:
    """Return the squared steps round the means of a turn over their squares: 2 at random."""
    A = _indicators(codes)
    means = A.T @ (F - F.mean(axis=0)) / A.sum(axis=0)[:, None]
    steps = means - np.roll(means, 1, axis=0)
    return float((steps**2).sum() / max((means**2).sum(), 1e-300))


def _steps(F: np.ndarray) -> list[_Factor]:
    """Cut the rows where the means of components change: the designs of one cut and more."""
    # Each cut is the one that lowers Schwarz's criterion most.
    n, cuts = len(F), [0, len(F)]
    out, gains = list[_Factor](), list[float]()
    while len(cuts) - 1 < min(_MAX_STEPS, max(min(4, n // (2 * _MIN_STEP)), n // _ROWS_PER_STEP)):
        gain, at = _best_cut(F, cuts)
        if not at:
            break
        cuts = sorted([*cuts, at])
        codes = np.repeat(np.arange(len(cuts) - 1), np.diff(cuts))
        out.append(_Factor(codes, None, "steps", len(cuts) - 2))
        gains.append(gain)
    total = np.cumsum(gains)  # two cuts may tell what one does not
    found = out[: int(total.argmax()) + 1] if total.max(initial=0.0) > 0 else []
    return [steps for steps in found if _are_clear(F, steps.codes)]


def _are_clear(F: np.ndarray, codes: np.ndarray) -> bool:
    """Whether every step differs from the next in some component by more than a drift does."""
    A = _indicators(codes)
    means = A.T @ F / A.sum(axis=0)[:, None]
    spread = np.sqrt(((F - means[codes]) ** 2).mean(axis=0))
    sizes = np.abs(np.diff(means, axis=0)) / np.maximum(spread, 1e-300)
    return bool((sizes.max(axis=1) >= _MIN_STEP_SIZE).all())


def _best_cut(F: np.ndarray, cuts: list[int]) -> tuple[float, int]:
    """Return by how much the criterion falls by the best cut more, and where it is."""
    n, best, at = len(F), -np.inf, 0
    squares = np.maximum(_within(F, cuts), 1e-12 * (F**2).sum(axis=0))
    for a, b in pairwise(cuts):
        if b - a < 2 * _MIN_STEP:
            continue
        G = F[a:b] - F[a:b].mean(axis=0)
        k = np.arange(1, b - a)[:, None]
        gain = np.cumsum(G, axis=0)[:-1] ** 2 * (1 / k + 1 / (b - a - k))
        gain = gain[_MIN_STEP - 1 : b - a - _MIN_STEP]
        fall = -n * np.log(np.maximum(1 - gain / squares, 1e-12)) - np.log(n)
        total = np.maximum(fall, 0.0).sum(axis=1) - 2 * np.log(n)
        if total.size and total.max() > best:
            best, at = float(total.max()), a + _MIN_STEP + int(total.argmax())
    return best, at


def _within(F: np.ndarray, cuts: list[int]) -> np.ndarray:
    parts = [F[a:b] - F[a:b].mean(axis=0) for a, b in pairwise(cuts)]
    return np.asarray(sum((part**2).sum(axis=0) for part in parts))


def _clipped(X: np.ndarray) -> np.ndarray:
    """Return columns over their spread, without values far out."""
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    size, sd = (high - low) / 1.349, X.std(axis=0)
    size = np.where(size > 1e-9 * sd, size, np.where(sd > 0, sd, 1.0))
    return np.clip((X - middle) / size, -_CLIP, _CLIP)


def _unsorted(
    Z: np.ndarray, X: np.ndarray, frame: pd.DataFrame | None
) -> tuple[np.ndarray, np.ndarray, tuple[Hashable, ...]]:
    """Return columns less those that rows are sorted by, and the curves along these."""
    # What others share with a sorted column follows the order of the rows, straight or bent. Ranks
    # within runs take most of the bend off.
    n = len(X)
    Q = np.full((n, 1), n**-0.5)
    numbers = None if frame is None else frame.select_dtypes("number")
    columns, found = X, _sorted_runs(X)
    if found is None and numbers is not None:
        columns = numbers.to_numpy(dtype=float, na_value=np.nan)
        found = _sorted_runs(columns)
    if found is None:
        return Z, Q, ()
    runs, places = found
    parts = [np.flatnonzero(runs == k) for k in range(int(runs[-1]) + 1)]
    curves = [_curve(rows, columns[:, places[0]]) for rows in parts]
    Z = np.vstack([stats.rankdata(X[rows], axis=0) / len(rows) for rows in parts])
    Z = np.delete(Z, places, axis=1) if columns is X else Z
    return Z, _join(Q, np.hstack(curves)), _labels(columns[:, places], numbers) or (None,)


def _labels(columns: np.ndarray, numbers: pd.DataFrame | None) -> tuple[Hashable, ...]:
    """Return the names of columns by their values."""
    if numbers is None:
        return ()
    wanted, values = {x.tobytes() for x in columns.T}, numbers.to_numpy(float, na_value=np.nan)
    return tuple(c for c, x in zip(numbers.columns, values.T, strict=True) if x.tobytes() in wanted)


def _curve(rows: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return smooth functions of the place in a run, and of the sorted column x, (n, d)."""
    t, degree = np.linspace(-1.0, 1.0, len(rows)), 1 if len(rows) < _MIN_SORTED_ROWS else 3
    columns = [np.vander(t, degree + (len(rows) >= _CUBIC_ROWS))]
    if len(rows) >= _CUBIC_ROWS:
        z = x[rows] - x[rows].mean()
        columns.append(np.vander(z / max(float(np.abs(z).max()), 1e-300), 4)[:, :3])
    block = np.hstack(columns)
    out = np.zeros((len(x), block.shape[1]))
    out[rows] = block
    return out


def _sorted_runs(columns: np.ndarray) -> tuple[np.ndarray, list[int]] | None:
    """Return the runs within which columns are sorted, and which are; None where none is."""
    # The column with the fewest runs, and those that are sorted within the same ones.
    n = len(columns)
    if n < _MIN_SORTED_ROWS or not columns.shape[1] or n < 2:
        return None
    steps = np.diff(columns, axis=0)
    breaks = np.stack([steps < 0, steps > 0])  # of a rise, of a fall
    counts = breaks.sum(axis=1) + np.where(np.isnan(steps).any(axis=0), n, 0)
    # Few values are groups.
    counts = counts + np.where((steps == 0).mean(axis=0) > _MAX_TIES, n, 0)
    side, j = np.unravel_index(int(counts.argmin()), counts.shape)
    r = int(counts[side, j])
    if r + 1 > n // _MIN_SORTED_ROWS:
        return None
    runs = np.append(0, np.cumsum(breaks[side, :, j]))
    ways = special.gammaln(n) - special.gammaln(r + 1) - special.gammaln(n - r)
    chance = sum(_log_chance(columns[runs == k, j]) for k in range(r + 1))
    if ways + chance > np.log(_SORTED_LEVEL / columns.shape[1]):
        return None
    inside = ~breaks[side, :, j]
    same = ~(breaks[:, inside].any(axis=1)).all(axis=0) & (columns[0] == columns[0])
    return runs, [int(k) for k in np.flatnonzero(same)]


def _log_chance(column: np.ndarray) -> float:
    """Return the logarithm of the chance that shuffled values come out in a sorted order."""
    counts = np.unique(column, return_counts=True)[1]
    ways = special.gammaln(len(column) + 1) - special.gammaln(counts + 1).sum()
    return float(np.log(2.0) - ways)


def _components(Z: np.ndarray) -> np.ndarray:
    """Return the leading principal coordinates, (n, ≤ 6)."""
    size = np.sqrt((Z**2).sum(axis=0))
    Z = Z[:, size > 1e-9 * max(float(size.max(initial=0.0)), 1e-300)]
    if not Z.shape[1]:
        return np.zeros((len(Z), 0))
    U, s, _ = np.linalg.svd(Z / np.sqrt((Z**2).sum(axis=0)), full_matrices=False)
    return np.asarray((U * s)[:, : min(_MAX_COMPONENTS, int((s > 1e-6 * s[0]).sum()))])


def _bic(E: np.ndarray, d: int, price: float | None = None) -> np.ndarray:
    """Return Schwarz's criterion of each component, from residuals E of d parameters."""
    rest = E[_MAX_LAGS:]
    m = len(rest)
    price = float(np.log(m)) if price is None else price
    return np.asarray(m * np.log(np.maximum((rest**2).mean(axis=0), 1e-12)) + d * price)


def _series(F: np.ndarray, base: np.ndarray, search: float = 0.0) -> np.ndarray:
    """Return the criterion of the best series: trends, and up to two lags of each component."""
    n, own = len(F), _bic(_rest(F, base), base.shape[1])
    best = own.copy()
    t = np.linspace(-1.0, 1.0, n)[:, None]
    lagged = [np.vstack([np.zeros((k, F.shape[1])), F[:-k]]) for k in range(1, _MAX_LAGS + 1)]
    for degree in (0, 1, 2):
        trend = _join(base, np.hstack([t**k for k in range(1, degree + 1)])) if degree else base
        best = np.minimum(best, _bic(_rest(F, trend), trend.shape[1]))
        for c in range(F.shape[1]):
            for lags in range(1, _MAX_LAGS + 1):
                A = np.column_stack([trend, *(lag[:, c] for lag in lagged[:lags])])[_MAX_LAGS:]
                y = F[_MAX_LAGS:, c]
                e = y - A @ np.linalg.lstsq(A, y, rcond=None)[0]
                padded = np.concatenate([np.zeros(_MAX_LAGS), e])[:, None]
                best[c] = min(best[c], _bic(padded, trend.shape[1] + lags)[0])
    return np.minimum(own, best + search)


def _indicators(codes: np.ndarray) -> np.ndarray:
    return (codes[:, None] == np.arange(codes.max() + 1)).astype(float)


def _join(Q: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the columns of both."""
    U, s, _ = np.linalg.svd(_rest(A, Q), full_matrices=False)
    return np.hstack([Q, U[:, s > 1e-8 * max(float(np.sqrt((A**2).sum())), 1e-300)]])


def _rest(Z: np.ndarray, Q: np.ndarray) -> np.ndarray:
    return np.asarray(Z - Q @ (Q.T @ Z))
