"""What kind of table this is, decided once: by the values of its columns, then by their names.

The kind decides which columns make the axes, which are set aside and which method a study takes.
`content=` of `gramian.io.read` overrules it.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import Count, Number, Setting, Share, names
from gramian.io.doctor import vocabulary
from gramian.io.notes import Finding, finding

CONTENTS = (
    *("measurements", "categories", "codes", "scores", "presence", "abundances", "contingency"),
    *("composition", "expression", "genotypes", "cells", "long"),
)
PROFILES = ("presence", "abundances", "contingency")  # compared as profiles, by CA
_MIN_PARTS = 3  # columns of a composition, and of a table of counts
_MIN_SPECIES = 5  # columns of a table of abundances
_MIN_ZERO_SHARE = 0.2
_MIN_SPREAD = 0.5  # sd / mean of a column of counts; measures that are whole numbers spread less
_MAX_MEAN_RATIO = 50.0  # times that the largest column may be larger on average than the smallest
_MAX_CONTINGENCY_ROWS = 200  # rows of a contingency table
_MAX_CONTINGENCY_ZEROS = 0.5  # share of empty cells of a contingency table
_MAX_CONTINGENCY_CELLS = 1_200
_HIGH_PERCENT = 80
_MIN_COUNTED = 10  # columns whose variances are near their means, and
_MIN_COUNTED_RATIO = 20.0  # times that the largest is larger: no measures are so by chance
_MIN_GENES = 100  # columns of a table of reads, more than it has rows
_MAX_ANSWERS = 10  # of answers to a question: a table of them holds no counts
_MAX_GRADE = 20.0  # that a grade or an answer may reach
_MIN_RANGE = 5.0  # of a column of codes
_MAX_SIZE_RATIO = 30.0  # times that a column in the same unit may be larger on average than another
_MIN_DISPERSION = 0.25  # variance / mean of a column; that of counts is 1 or more, but for chance
_YEAR_RANGE = (1800.0, 2100.0)
_MAX_CODE = 9  # levels of a column of codes
_MIN_ROWS_PER_LEVEL = 3
_MIN_RARE = 0.6  # share of zeros of abundances that are small and of many rows
_LIKERT_LEVELS = 5  # of one scale that all columns share, from which on it is a score
_MIN_HALVES = 0.95  # of the answers to a question
_MIN_ITEM_SHARE = 0.6  # of the columns that are items of a questionnaire
_MAX_SHARED_CODE = 20  # the largest mark of a common scale
_SPECIES_PER_GROUP = 6  # columns of 0 and 1 for each of several columns of categories beside them
_SIZE_OF_SPECIES = 3.0  # times the usual largest abundance, beyond which a column is none
_MAX_INDICES = 6  # columns of indices and others that stand on one side of the species
_MAX_INDEXED, _MAX_INDEX_ROWS = 300, 20  # columns of a table in which they are sought, and rows
_ROUNDED = 0.006  # what an index of diversity may have been rounded by
_CA = Setting("method", ("ca",))


@dataclass(frozen=True)
class Content:
    """The kind of a table, the columns that are set aside, and what to say about it."""

    kind: str = "measurements"
    aside: tuple[Hashable, ...] = ()  # numbers that are not of this kind: supplementary
    totals: tuple[Hashable, ...] = ()  # that sum up other columns: supplementary
    categories: tuple[Hashable, ...] = ()  # codes
    values: dict[str, Any] = field(default_factory=dict)  # of its sentence


def _are_named(labels: Sequence[str] | None, columns: pd.Index) -> bool:
    """Whether rows have names: not their numbers in any order, unless columns are called so too."""
    if labels is None:
        return False
    numbers = {str(k + 1) for k in range(len(labels))}
    return set(labels) != numbers or numbers == set(map(str, columns))


def _are_classes(labels: Sequence[str] | pd.Index) -> bool:
    """Whether labels are different numbers, a step apart but for gaps: classes of a measure."""
    numbers = pd.to_numeric(pd.Series([str(label) for label in labels]), errors="coerce")
    if len(labels) < 3 or numbers.isna().any() or not numbers.is_unique:
        return False
    return bool(np.ptp(numbers) <= 2 * len(labels) * np.diff(np.sort(numbers)).min())


@np.errstate(all="ignore")  # numbers near the largest that there are
def content_of(
    numbers: pd.DataFrame,
    *,
    row_names: Sequence[str] | None = None,
    grouped: int,
    genes: bool = False,
    asked: str = "",
) -> Content:
    """Return the kind of a table by its numbers; rows may be named, or put in groups by texts."""
    named = _are_named(row_names, numbers.columns)
    classes = row_names is not None and _are_classes(row_names) and _are_classes(numbers.columns)
    profile = _Columns(numbers.columns, numbers.to_numpy(dtype=float, na_value=np.nan))
    if not asked and profile.is_table and (derived := _indices(profile)).any():
        profile.derived = derived
        others: dict[str, Any] = {"row_names": row_names, "grouped": grouped, "genes": genes}
        rest = content_of(numbers.loc[:, ~derived], **others)
        if rest.kind in ("presence", "abundances"):
            return replace(rest, totals=rest.totals + profile.takes(derived))
    makers = {
        "expression": lambda: _expression(profile, genes),
        "presence": lambda: _presence(profile, named, grouped),
        "abundances": lambda: _abundances(profile),
        "contingency": lambda: _contingency(profile, named and not grouped, classes),
        "composition": lambda: _composition(profile),
        "scores": lambda: _scores(profile),
        "codes": lambda: _codes(profile),
    }
    if asked:
        made = makers[asked]() if asked in makers and profile.is_table else None
        return made if made is not None and made.kind == asked else _as_asked(profile, asked)
    if not profile.is_table:
        return Content()
    if _are_ranks(profile):
        return _scored(profile)
    order = ("expression", "composition", "presence", "contingency", "scores", "abundances")
    found = (makers[kind]() for kind in (*order, "codes"))
    return next((content for content in found if content is not None), Content())


class _Columns:
    """Columns of numbers and what tells of them: how many values are zero, whole, distinct."""

    def __init__(self, labels: pd.Index, X: np.ndarray) -> None:
        self.labels, self.X = labels, X
        self.n, self.p = X.shape
        self.derived = np.zeros(self.p, dtype=bool)  # indices of the others
        self.is_table = X.size > 0 and self.n >= 3 and self.p >= 2
        if not self.is_table:
            return
        known = np.isfinite(X)
        count = np.maximum(known.sum(axis=0), 1)
        self.zeros = (X == 0).sum(axis=0) / count
        self.low = np.where(known, X, np.inf).min(axis=0)
        self.high = np.where(known, X, -np.inf).max(axis=0)
        self.whole = (~known | (np.floor(X) == X)).all(axis=0)
        self.mean = np.where(known, X, 0.0).sum(axis=0) / count
        self.flags = (~known | (X == 0) | (X == 1)).all(axis=0)
        self.binary = self.flags & (self.low < self.high)
        self.is_finite = bool(np.isfinite(X).all())

    def levels(self) -> np.ndarray:
        """Return the number of distinct values of each column."""
        return np.asarray((np.diff(np.sort(self.X, axis=0), axis=0) > 0).sum(axis=0) + 1)

    def takes(self, some: np.ndarray) -> tuple[Hashable, ...]:
        """Return the labels of some columns."""
        return tuple(self.labels[np.flatnonzero(some)])


def _as_asked(columns: _Columns, asked: str) -> Content:
    """Return the kind that was requested of a table that does not look like it."""
    if asked == "codes" and columns.is_table:
        some = columns.whole & (columns.levels() <= max(_MAX_CODE, 2))
        return Content("codes", categories=columns.takes(some))
    return Content(asked)


def _indices(columns: _Columns) -> np.ndarray:
    """Return the columns that are the total, the richness or the diversity of a run of others."""
    p, out = columns.p, np.zeros(columns.p, dtype=bool)
    fits = columns.is_finite and columns.low.min() >= 0 and _MIN_SPECIES < p <= _MAX_INDEXED
    if not fits or (columns.zeros > 0).sum() < _MIN_PARTS:
        return out
    X = columns.X[np.argsort(-(columns.X > 0).sum(axis=1), kind="stable")[:_MAX_INDEX_ROWS]]
    logs = X * np.log(np.where(X > 0, X, 1.0))
    sums = [np.cumsum(np.c_[0 * X[:, 0], x], axis=1) for x in (X, X > 0, logs, X**2)]
    for end in range(max(p - _MAX_INDICES, _MIN_SPECIES), p + 1):  # of a run with any start
        N, S, L, Q = (x[:, [end]] - x[:, : end - _MIN_SPECIES + 2] for x in sums)
        H = np.log(N) - L / N
        for index in (N, S, H, H / np.log(2), H / np.log(S), 1 - Q / N**2, N**2 / Q):
            gap = 1e-9 * N if index is N or index is S else _ROUNDED
            for k in np.flatnonzero((columns.zeros < _MIN_ZERO_SHARE) & ~columns.flags):
                fits = (np.abs(index - X[:, [k]]) <= gap).all(axis=0)
                out[k] |= fits[0 if k >= end else k + 1 :].any()
    return out


def _expression(columns: _Columns, genes: bool) -> Content | None:
    """Reads of genes: whole numbers of very different sizes in more columns than rows."""
    X = columns.X
    if not columns.is_finite or (X < 0).any() or (X % 1).any():
        return None
    if not is_wide_counts(X) and not (genes and columns.p >= _MIN_PARTS and X.max() >= 50):
        return None
    sparse = (X == 0).mean() >= _MIN_ZERO_SHARE
    if sparse and not genes:  # species are as many, and rarer
        return None
    totals = X.sum(axis=1)
    low, high = Number(float(totals.min()), 4), Number(float(totals.max()), 4)
    return Content("expression", values={"least": low, "most": high})


def _composition(columns: _Columns) -> Content | None:
    if columns.p < _MIN_PARTS or (columns.low < 0).any():
        return None
    X = columns.X[np.isfinite(columns.X).all(axis=1)]
    total = _common_total(X) if len(X) >= 3 else None
    if total is None:
        return None
    if columns.whole.all() and not _is_usual_total(total):
        return None  # so many individuals were asked in every row
    parts = names(columns.labels, 5)
    return Content("composition", values={"names": parts, "total": Number(total, 4)})


def _presence(columns: _Columns, named: bool, grouped: int) -> Content | None:
    """Most columns are 0 and 1: what is present where. Beside questions they are answers."""
    some, least = columns.flags, _MIN_SPECIES if named or grouped else 2 * _MIN_SPECIES
    if columns.binary.sum() < least or some.mean() < 0.75:
        return None  # a few flags of rows without names are answers of individuals
    if grouped >= 3 and some.sum() < _SPECIES_PER_GROUP * grouped:
        return None
    if grouped and columns.n > 10 * some.sum():  # many people, few questions
        return None
    if np.isnan(columns.X[:, some]).any():  # who did not answer; a species is there or is not
        return None
    rest = ~some
    if rest.any() and (columns.zeros[rest] >= _MIN_ZERO_SHARE).mean() > 0.5:
        return None  # abundances, most of them of rare species
    share = float(np.nanmean(columns.X[:, some]))
    return Content("presence", columns.takes(rest), values={"share": Share(share)})


def _abundances(columns: _Columns) -> Content | None:
    """Most columns are zero more often than anything else; what is not is set aside."""
    X = columns.X
    positive = columns.low >= 0
    sparse = positive & (columns.zeros >= _MIN_ZERO_SHARE) & (columns.low == 0)
    sparse &= columns.high > 0
    # Classes of abundance share one scale from 0 on, in many columns for the rows that there are.
    classes = columns.n < 3 * columns.p and np.mean(columns.high >= columns.high.max() - 1) >= 0.8
    classes &= np.mean(columns.low == 0) >= 0.6 and columns.p >= 2 * _MIN_SPECIES
    least = 0.35 if classes else 0.5
    if sparse.sum() < _MIN_SPECIES - 1 or columns.p < _MIN_SPECIES:
        return None
    aside = _environment(columns, sparse)
    some = sparse & ~aside
    if (sparse if sparse.sum() < 2 * _MIN_SPECIES else sparse[~aside]).mean() < least:
        return None
    values = np.unique(X[:, sparse][np.isfinite(X[:, sparse])])
    if len(values) <= 2 or (len(values) <= 3 and values.max() <= 2):
        return None
    empty = (X[:, some] == 0).mean()
    if columns.n > 3 * columns.p and values.max() <= _MAX_CODE and empty < _MIN_RARE:
        return None  # many individuals and few levels: codes
    # Zero is what most species are most often; codes that start at 0 have another usual value.
    usual = np.array([_usual_value(x) for x in X[:, sparse].T])
    if (usual == 0).mean() < (0.4 if classes else 0.65) or _are_traits(columns, sparse):
        return None
    share = float((X[:, ~aside] == 0).mean())
    return Content("abundances", columns.takes(aside), values={"share": Share(share)})


def _usual_value(x: np.ndarray) -> float:
    values, counts = np.unique(x[np.isfinite(x)], return_counts=True)
    return float(values[counts.argmax()]) if len(values) else np.nan


def _are_traits(columns: _Columns, sparse: np.ndarray) -> bool:
    """Whether most of the columns with zeros are flags and short codes beside other scales."""
    short = sparse & columns.whole & (columns.high <= 4)
    flags = short & columns.binary
    others = ~sparse
    return bool(
        flags.sum() >= 0.5 * sparse.sum()
        and others.any()
        and short.sum() >= 0.75 * sparse.sum()
        and columns.n > columns.p
    )


def are_inside(some: np.ndarray) -> np.ndarray:
    """Return which columns stand between two of some columns."""
    before = np.maximum.accumulate(some)
    return np.asarray(before & np.maximum.accumulate(some[::-1])[::-1] & ~some)


def _environment(columns: _Columns, sparse: np.ndarray) -> np.ndarray:
    """Return the columns of a table of species that are not species."""
    # Decimals among whole numbers, negative numbers, and what is called a measure of a place. The
    # first or last columns without zeros are so, too, where most of them are larger by far than
    # species are: descriptors stand before or after the species, common species among them.
    whole = bool(columns.whole[sparse].mean() > 0.5)
    usual_size = float(np.median(columns.high[sparse]))
    large = columns.mean >= _SIZE_OF_SPECIES * usual_size
    called = np.array([vocabulary.is_environment(str(c)) for c in columns.labels])
    alike = (sparse | (columns.whole & (columns.low == 0))) & ~large
    called &= ~(alike & are_inside(sparse & ~called))
    known = (~columns.whole & whole) | (columns.low < 0) | called
    dense = (columns.zeros < _MIN_ZERO_SHARE) | large | called
    out = known.copy()
    for order in (np.arange(columns.p), np.arange(columns.p)[::-1]):
        stop = np.flatnonzero(~dense[order])
        block = order[: stop[0]] if len(stop) else order[:0]
        signs = (large | known)[block]
        if len(block) > 1 and (signs.mean() >= 0.5 or known[block].sum() > 1):
            last = np.flatnonzero(signs)[-1]
            out[block[: last + 1]] = True
    return out


def _contingency(columns: _Columns, named: bool, classes: bool) -> Content | None:
    """Individuals counted in rows by columns, both of them categories, or classes of measures."""
    X = columns.X[~np.isnan(columns.X).any(axis=1)]
    if not named or len(X) < 3 or not np.isfinite(X).all() or (X < 0).any():
        return None
    if (
        (X[:, ~columns.derived] % 1).any()
        or columns.n > _MAX_CONTINGENCY_ROWS
        or columns.p < _MIN_PARTS
    ):
        return None
    sparse = (columns.zeros >= _MIN_ZERO_SHARE) & (columns.high > 0)
    if sparse.sum() >= _MIN_SPECIES and (_environment(columns, sparse) & ~columns.derived).any():
        return _abundances(columns)  # beside measures of places
    totals, whole = columns.derived.copy(), np.flatnonzero(columns.whole)
    totals[whole] |= _totals(X[:, whole])
    N = X[:, ~totals]
    if N.shape[1] < _MIN_PARTS or N.size > 4 * _MAX_CONTINGENCY_CELLS:
        return None
    constant = _common_total(N) if len(N) >= 3 else None
    if constant is not None and not _is_usual_total(constant) and constant > N.shape[1]:
        return _counted(columns, totals)
    zeros = float((N == 0).mean())
    if (zeros > _MAX_CONTINGENCY_ZEROS and not classes) or len(np.unique(N)) <= _MAX_ANSWERS / (
        2 if classes else 1
    ):
        return None
    if (
        not classes
        and zeros >= _MIN_ZERO_SHARE
        and (N.size > _MAX_CONTINGENCY_CELLS or min(N.shape) > 25)
    ):
        return None  # sites and species
    empty = (N.sum(axis=0) == 0).any()
    if N.max() <= 100 and (N.max(axis=0) >= _HIGH_PERCENT).sum() >= _MIN_PARTS:
        return None  # percentages, each of another question
    if not classes and (
        empty or not (_spread_as_counts(N, bool(totals.any())) or _vary_as_counts(N))
    ):
        return None
    return _counted(columns, totals)


def _counted(columns: _Columns, totals: np.ndarray) -> Content:
    p = columns.p - int(totals.sum())
    size: dict[str, Any] = {"rows": Count("line", columns.n), "columns": Count("column", p)}
    return Content("contingency", totals=columns.takes(totals), values=size)


def _totals(X: np.ndarray) -> np.ndarray:
    """Return the columns that count individuals of other columns again: totals, abstentions."""
    p = X.shape[1]
    out, parts = np.zeros(p, dtype=bool), np.zeros(p, dtype=bool)
    for j in range(p):
        for others in (np.arange(j + 1, p), np.arange(j)[::-1]):
            sums = np.cumsum(X[:, others], axis=1)
            equal = np.flatnonzero((sums == X[:, [j]]).all(axis=0))
            equal = equal[equal > 0]  # of at least two columns
            if equal.size and X[:, j].any():
                out[j] = True
                if equal[-1] + 1 > parts.sum():
                    parts[:] = False
                    parts[others[: equal[-1] + 1]] = True
    if not out.any():
        for one in np.flatnonzero((X.sum(axis=1, keepdims=True) <= 2 * X).all(axis=0))[:1]:
            out[one] = X[:, one].sum() == X.sum() - X[:, one].sum()
        return out
    # Larger than all parts in every row, or the difference of two totals.
    out |= ~parts & (X[:, parts & ~out].sum(axis=1, keepdims=True) <= X).all(axis=0)
    some = np.flatnonzero(out)
    for other in np.flatnonzero(~out & ~parts):
        out[other] = any(np.array_equal(X[:, a] - X[:, b], X[:, other]) for a in some for b in some)
    return out


def _scores(columns: _Columns) -> Content | None:
    """Marks: whole numbers or halves on one scale that columns share, not zero as a rule."""
    X = columns.X
    halves = ~np.isfinite(X) | (np.floor(2 * X) == 2 * X)
    marks = halves.mean(axis=0) >= _MIN_HALVES  # a missing answer may be filled in by a mean
    marks &= (columns.low >= 0) & (columns.high <= _MAX_SHARED_CODE)
    if _are_marks(columns):
        return _scored(columns)
    if not marks.all():  # beside a questionnaire stands the age, or the time that it took
        if marks.mean() < _MIN_ITEM_SHARE or marks.sum() < 2 * _LIKERT_LEVELS:
            return None
        items = _scores(_Columns(columns.labels[marks], X[:, marks]))
        return None if items is None else replace(items, aside=columns.takes(~marks))
    if columns.p < _MIN_PARTS or columns.zeros.mean() > 0.15:
        return None
    levels, ceiling = columns.levels(), columns.high.max()
    if ceiling < _LIKERT_LEVELS or columns.binary.any() or np.median(levels) < _LIKERT_LEVELS:
        return None
    # One scale: the best marks of the columns are alike, and so are the worst.
    if np.quantile(columns.high, 0.1) < 0.5 * ceiling or levels.min() < 4:
        return None
    if columns.low.max() > max(1.0, 0.5 * ceiling):
        return None
    return None if max(levels.max(), 3) > 0.9 * columns.n else _scored(columns)


def _are_marks(columns: _Columns) -> bool:
    """Whether columns are called as subjects at school are, with means of marks on one scale."""
    called = np.mean([vocabulary.is_subject(str(c)) for c in columns.labels])
    low, ceiling = columns.low.min(), columns.high.max()
    fits = columns.p >= _MIN_PARTS and low >= 0 and ceiling <= 100
    return bool(fits and called > 0.5 and np.quantile(columns.high, 0.1) >= 0.5 * ceiling)


def _are_ranks(columns: _Columns) -> bool:
    """Whether every column puts the rows in an order, from 1 to n, ties by their mean rank."""
    sums, n = columns.X.sum(axis=0), columns.n
    ends = (columns.low >= 1) & (columns.high <= n) & (columns.high > columns.low)
    return columns.p >= _MIN_PARTS and n >= 5 and bool((ends & (2 * sums == n * (n + 1))).all())


def _scored(columns: _Columns) -> Content:
    low, high = float(columns.low.min()), float(columns.high.max())
    size: dict[str, Any] = {"columns": Count("column", columns.p)}
    return Content("scores", values=size | {"least": Number(low), "most": Number(high)})


def _codes(columns: _Columns) -> Content | None:
    """Traits and answers as codes: most columns have few whole values, of different scales."""
    levels = columns.levels()
    span = columns.high - columns.low
    few = columns.whole & (levels >= 2) & (levels <= _MAX_CODE) & (span <= _MAX_CODE)
    few &= (columns.low >= 0) & (columns.low <= 2) & (levels >= 0.6 * (span + 1))
    few &= levels * _MIN_ROWS_PER_LEVEL <= columns.n
    ordinal = ~columns.flags & [vocabulary.is_ordinal(str(c)) for c in columns.labels]
    if few.sum() < _MIN_PARTS or few.mean() < 0.6 or (few & ordinal).mean() > 0.5:
        return None
    codes = few & (levels <= max(4, int(np.median(levels[few]))))
    if not columns.binary.any() and np.ptp(columns.high[few]) == 0 and levels[few].max() >= 5:
        return None  # answers on one scale
    count = {"count": int(codes.sum()), "names": names(columns.takes(codes), 5)}
    return Content("codes", categories=columns.takes(codes), values=count)


def is_wide_counts(X: np.ndarray) -> bool:
    """Whether a table counts many more things than it has rows, as reads of genes do.

    Its columns are whole numbers of very different sizes.
    """
    n, p = X.shape
    if p < _MIN_GENES or p <= n or not np.isfinite(X).all() or (X < 0).any() or (X % 1).any():
        return False
    means = np.quantile(X.mean(axis=0), (0.05, 0.95))
    return bool(
        means[1] > _MAX_MEAN_RATIO * means[0]
        or (means[1] > _MAX_ANSWERS and (X == 0).mean() >= _MIN_ZERO_SHARE)
    )


def _common_total(X: np.ndarray) -> float | None:
    """Return what all rows sum to: 1, 100 or another constant."""
    totals = X.sum(axis=1)
    mean = float(totals.mean())
    near = np.abs(totals - mean) <= (0.03 if X.shape[1] > _MIN_PARTS + 1 else 0.011) * mean
    exact = bool((np.abs(totals - mean) <= 1e-9 * mean).all())
    varies = bool((X.std(axis=0) > 0).sum() >= _MIN_PARTS - 1)
    known = _is_usual_total(mean) and near.mean() >= 0.95
    return mean if mean > 0 and varies and (exact or known) else None


def _is_usual_total(mean: float) -> bool:
    """Whether parts of a whole are shares, per cent or parts per million."""
    return min(abs(mean - 1), abs(mean - 100) / 100, abs(mean - 1e6) / 1e6) < 0.01


def _spread_as_counts(X: np.ndarray, summed: bool = False) -> bool:
    """Whether columns of whole numbers, summed up or not, spread as counts of one kind do."""
    means = X.mean(axis=0)
    if means.min() <= 0:
        return False
    spread = X.std(axis=0) / means
    # Columns in other units differ in size; where every one spreads as counts, some are rarer.
    most = _MAX_MEAN_RATIO * (10 if spread.min() >= _MIN_SPREAD else 1)
    if means.max() > most * means.min() and not summed:
        return False
    return bool(np.median(spread) >= _MIN_SPREAD and X.min() <= 0.25 * X.mean())


def _vary_as_counts(N: np.ndarray) -> bool:
    """Whether each of many columns varies about as much as counts of its size do."""
    expected = np.outer(N.sum(axis=1), N.sum(axis=0)) / N.sum()
    means, ratio = N.mean(axis=0), ((N - expected) ** 2 / expected).sum(axis=0) / (len(N) - 1)
    if (
        not _MIN_COUNTED <= N.shape[1] < _MIN_GENES
        or means.max() < _MIN_COUNTED_RATIO * means.min()
    ):
        return False
    low, middle, high = np.quantile(ratio, (0.1, 0.5, 0.9))
    return bool(low >= 0.3 and middle <= 10 and high <= 30)


def content_findings(content: Content, active: pd.DataFrame) -> Iterator[Finding]:
    """State the kind of a table that is not one of measurements, and the option that changes it."""
    kind = content.kind
    other = {"codes": "scores", "scores": "codes"}.get(kind, "measurements")
    if kind in ("codes", "scores", "presence", "abundances", "contingency", "expression"):
        default = "ca" if kind in PROFILES else {"codes": "group"}.get(kind, "kept")
        word = {"abundances": "counts", "expression": "counts"}.get(kind, kind)
        setting = Setting("content", (other,))
        values = content.values or _plain_values(kind, active)
        yield finding(word, f"content.{kind}", setting=setting, default=default, **values)
    elif kind == "composition":
        yield finding("composition", setting=_CA, **content.values)
    for key in ("aside", "totals"):
        columns: Sequence[Hashable] = getattr(content, key)
        if columns:
            listed, setting = names(columns, 6), Setting("active", ([str(columns[0])],))
            yield finding(
                "supplementary", f"content.{key}", setting=setting, default="supplementary",
                count=len(columns), names=listed,
            )  # fmt: skip
    if kind in PROFILES:
        X = active.to_numpy(dtype=float)
        empty = np.flatnonzero((X == 0).all(axis=1))
        if empty.size:
            labels = names(active.index[empty], 5)
            yield finding("empty-rows", "zero_rows", setting=None, n=empty.size, names=labels)


def _plain_values(kind: str, active: pd.DataFrame) -> dict[str, Any]:
    """Return what the sentence of a requested kind says of the columns."""
    X = active.to_numpy(dtype=float)
    totals = np.nansum(X, axis=1) if X.size else np.zeros(1)
    share = Share(float((X == 0).mean()) if X.size else 0.0)
    if kind == "presence":
        share = Share(float((X != 0).mean()) if X.size else 0.0)
    ends = (totals.min(), totals.max()) if kind == "expression" else (np.nanmin(X), np.nanmax(X))
    size: dict[str, Any] = {"rows": Count("line", len(active)), "share": share}
    size |= {"columns": Count("column", active.shape[1]), "names": names(active.columns, 5)}
    size |= {"least": Number(float(ends[0]), 4), "most": Number(float(ends[1]), 4)}
    return size | {"count": active.shape[1]}


def perhaps_counts(active: pd.DataFrame) -> Iterator[Finding]:
    """Say that measurements are counts, or ask whether they are."""
    X = active.to_numpy(dtype=float)
    n, p = X.shape
    whole = np.isfinite(X).all() and (X >= 0).all() and not (X % 1).any()
    if p >= _MIN_PARTS and n >= 3 and whole and len(np.unique(X)) > _MAX_ANSWERS:
        if _spread_as_counts(X):
            columns = Count("active", int((np.ptp(X, axis=0) > 0).sum()))
            yield finding("counts", setting=_CA, columns=columns)
            return
        if p > n and p >= _MIN_GENES and _spread_as_counts(X.T):
            size: dict[str, Any] = {"rows": Count("line", n), "columns": Count("column", p)}
            yield finding("counts", "counts.wide", setting=_CA, **size)
            return
    if may_count(X) and not any(map(vocabulary.is_measure, active.columns)):
        yield finding("counts", "counts.perhaps", setting=_CA)


def may_count(X: np.ndarray) -> bool:
    """Whether whole numbers may be counts of one kind, by their sizes and how much they vary.

    Measures in different units differ in size, or vary less than counts would. Counters of rows
    and years are neither.
    """
    n, p = X.shape
    if n < 3 or p < _MIN_PARTS or not np.isfinite(X).all() or (X < 0).any() or (X % 1).any():
        return False
    means = X.mean(axis=0)
    if X.max() <= _MAX_GRADE or np.ptp(X, axis=0).min() <= _MIN_RANGE:
        return False
    if means.max() > _MAX_SIZE_RATIO * means.min():
        return False
    steps = (np.diff(X, axis=0) == 1).all(axis=0)
    first, last = _YEAR_RANGE
    years = (X.min(axis=0) >= first) & (X.max(axis=0) <= last)
    return bool((X.var(axis=0) >= _MIN_DISPERSION * means).all() and not (steps | years).any())
