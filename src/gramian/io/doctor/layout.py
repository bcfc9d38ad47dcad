"""Tables that are not individuals by variables yet: cells with frequencies, long tables, genotypes.

Each is rearranged and stated. Rows that are no data (units, conditions, means at the end) are taken
out before that.
"""

import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import Count, Name, Setting
from gramian.errors import InputError
from gramian.io.doctor import vocabulary
from gramian.io.doctor.texts import NUMBER, is_unit
from gramian.io.formats import Options, Raw, distinct
from gramian.io.notes import column_setting, note

_MAX_EXPANDED = 10_000  # individuals that cells are expanded to
_MAX_CELL_LEVELS = 50  # categories of a column of a table of cells
_MAX_CODES = 12  # values of a factor written as numbers
_MIN_CELLS = 4
_MIN_COVERAGE = 0.4  # of all combinations that a table of cells has
_MAX_TEXTS = 20  # columns of text in which a second header is sought
_MIN_COUNT = 10  # that the rarest combination does not reach, where no name says that it is counted
_MIN_VARIANCE = 0.5  # of counts, in parts of that of a Poisson distribution
_MAX_TOP_ROWS = 3  # rows below the header that are no data
_MAX_LABELS, _MAX_SUMMARIES = 20_000, 200  # names that are looked at; rows of means
_MIN_SAMPLES = 4  # columns that a row of conditions describes
_GENOTYPE = re.compile(r"([A-Za-z0-9]{1,4})\s*[/|:]\s*([A-Za-z0-9]{1,4})|([ACGT])([ACGT])")
_NO_GENOTYPE = {"", "0", "00", "0000", "000000", "0/0", "000/000", "00/00", "NA/NA", "./.", "-/-"}
_NO_GENOTYPE |= {"N/N", "NN", "--", "?/?", "./. ", "0|0", ".|."}
_MIN_SHARED_ALLELES = 0.35  # of those of both halves of genotypes
_MAX_ALLELES = 60
_MAX_ODD_SHARE = 0.02  # of the cells of a locus that are no genotypes
_SNP = re.compile(r"(rs|snp|loc|locus|marker|chr)[\w.:-]*\d", re.IGNORECASE)
_SUMMARIES = vocabulary.word_set("""
    mean moyenne moy average avg total totals totaux sum somme median mediane médiane sd std
    stdev ecart-type écart-type min max minimum maximum sem cv ensemble overall all variance
""")
_SHORT_SUMMARIES = vocabulary.word_set("n se cv var σ ∑ μ x̄ x̅ lsd ppds count effectif")
_CONDITIONS = vocabulary.word_set("""
    condition conditions treatment traitement group groupe growth tissue batch class classe type
    genotype time timepoint sex sample_type phenotype status lot stage donor patient
""")


def take_odd_rows(raw: Raw, options: Options) -> None:
    """Take out of the table a row of units, rows of conditions and a last row of means."""
    if raw.is_distances or options.kind == "distances" or len(raw.frame) < 4:
        return
    _take_top_rows(raw, options)
    _drop_second_table(raw)
    _fill_merged(raw)
    _take_summary_rows(raw)


def _take_top_rows(raw: Raw, options: Options) -> None:
    """Take out the first rows, texts in columns that hold numbers below them."""
    frame = raw.frame
    texts = [c for c, kind in frame.dtypes.items() if str(kind) in ("str", "object")]
    if not texts or options.header is False:
        return
    head = frame[texts].iloc[:_MAX_TOP_ROWS]
    spoiled = [c for c in texts if _is_text(head[c].iloc[0]) and _is_numeric(frame[c].iloc[1:7])]
    count = 1
    if not spoiled:
        return
    while count < _MAX_TOP_ROWS and all(_is_text(head[c].iloc[count]) for c in spoiled):
        count += 1
    rest = {c: _numbers(frame[c].iloc[count:], raw.decimal) for c in spoiled}
    spoiled = [c for c in spoiled if rest[c] is not None]
    first = frame.columns[0]
    others = [c for c in frame.columns if c not in spoiled and c != first]
    if len(spoiled) < max(2, len(others)):
        return
    labels = [str(frame[first].iloc[k]) if first not in spoiled else "" for k in range(count)]
    top = frame[spoiled].iloc[:count]
    units = [sum(is_unit(str(cell)) for cell in row) for row in top.to_numpy()]
    if count == 1 and units[0] >= 0.5 * len(spoiled):
        listed = ", ".join(dict.fromkeys(str(cell) for cell in top.iloc[0]))[:60]
        raw.report("units", "units_row", default="skipped", cells=listed)
    elif len(spoiled) >= _MIN_SAMPLES and all(map(_is_condition, top.to_numpy())):
        names = [
            label if _is_text(label) else f"condition {k + 1}" for k, label in enumerate(labels)
        ]
        raw.conditions = top.set_axis(names, axis=0).T.astype(object)
    else:
        return
    raw.drop_rows(np.arange(len(frame)) < count)
    raw.frame = raw.frame.assign(**{str(c): rest[c] for c in spoiled})


def _is_condition(row: np.ndarray) -> bool:
    """Whether cells repeat a few words: that of a condition of several samples."""
    return 2 <= len(set(map(str, row))) <= len(row) // 2


def _is_text(cell: object) -> bool:
    if not isinstance(cell, str) or not cell.strip():
        return False
    return NUMBER.fullmatch(cell.strip().replace(",", ".")) is None


def _is_numeric(cells: pd.Series) -> bool:
    known = [str(cell).strip() for cell in cells if isinstance(cell, str | float | int)]
    known = [cell for cell in known if cell and cell != "nan"]
    fits = sum(NUMBER.fullmatch(cell.replace(",", ".")) is not None for cell in known)
    return len(known) > 1 and fits >= 0.8 * len(known)


def _numbers(column: pd.Series, decimal: str) -> pd.Series | None:
    """Return texts as numbers; None where one of ten is none."""
    texts = column.astype(object).where(column.notna(), None)
    if decimal == ",":
        texts = texts.map(lambda cell: cell.replace(",", ".") if isinstance(cell, str) else cell)
    numbers = pd.to_numeric(texts, errors="coerce")
    known, good = column.notna().sum(), numbers.notna().sum()
    if good < 0.9 * known or good == 0:
        return None
    # A word for missing stays a text here, which the columns are mended of later.
    return (numbers if good == known else texts).reset_index(drop=True)


def _take_summary_rows(raw: Raw) -> None:
    """Take out rows that are called mean or total, and are that of rows above them."""
    frame = raw.frame
    texts = [c for c in frame.columns[:2] if frame[c].dtype in ("str", object)]
    labels = frame[texts] if texts else pd.DataFrame({"": raw.names or [""] * len(frame)})
    last = labels.iloc[-_MAX_LABELS:].astype(object)
    levels = {x: _is_summary(str(x)) for x in pd.unique(last.to_numpy().ravel())}
    called = labels.isin([x for x, is_called in levels.items() if is_called]).any(axis=1).to_numpy()
    if not 0 < called.sum() <= _MAX_SUMMARIES or (~called).sum() < 4:
        return
    X = frame.drop(columns=texts).apply(pd.to_numeric, errors="coerce").astype(float)
    X = X.loc[:, X[~called].notna().mean() > 0.5]
    gone, start, places = np.zeros(len(frame), dtype=bool), 0, np.arange(len(frame))
    gone[-1] = not X.shape[1] and called[-1] and called.sum() == 1
    rows = np.flatnonzero(called)
    for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
        above = ~called & (places < run[0])
        for i in run:
            parts = [above & (places >= start), above]  # those since the last ones, or all
            parts += [above & (labels[c] == labels[c].iloc[i]).to_numpy() for c in labels]
            if any(_sums_up(X.iloc[i], X[part]) for part in parts if part.sum() > 1):
                gone[run] = True
        start = run[-1] + 1
    for column in labels:  # a word that other rows have is the name of a group
        gone[labels[column].isin(labels[column][called & ~gone].dropna()) & gone] = False
    if not gone.any():
        return
    cells = [next(str(x) for x in row if levels.get(x)) for row in labels[gone].to_numpy()]
    key = "summary_rows" if gone[-gone.sum() :].all() else "summary_rows.inside"
    raw.drop_rows(gone)
    listed = ", ".join(repr(cell)[:30] for cell in cells[:4])
    raw.report("summary-rows", key, default="skipped", n=len(cells), cells=listed)


def _sums_up(row: pd.Series, rows: pd.DataFrame) -> bool:
    """Whether most numbers of a row are the same statistic of other rows."""
    known = row.notna()
    row, rows = row[known], rows.loc[:, known]
    mean, sd = rows.mean(), rows.std()
    others = (rows.sum(), rows.median(), rows.min(), rows.max(), rows.sem(), rows.count())
    with np.errstate(all="ignore"):
        stats = np.array([mean, sd, sd / mean, 100 * sd / mean, sd**2, *others], dtype=float)
        near = np.abs(row.to_numpy() - stats) <= 0.02 * np.abs(stats) + 0.006
    return len(row) > 0 and bool((near.mean(axis=1) >= 0.6).any())


def _is_summary(label: str) -> bool:
    """Whether one of a few words says that a row sums up others."""
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", label.lower())
    several = {form for word in words for form in (word, word.removesuffix("s"))}
    whole = {label.strip().lower(), "".join(words)} & (_SHORT_SUMMARIES | _SUMMARIES)
    return bool(whole or (len(words) <= 5 and several & _SUMMARIES))


def _drop_second_table(raw: Raw) -> None:
    """Take out headers that are repeated in the table, or a further table below it."""
    frame, key = raw.frame, "header_again"
    texts = [c for c, k in frame.dtypes.items() if str(k) in ("str", "object")][:_MAX_TEXTS]
    gone = (frame[texts] == texts).sum(axis=1).to_numpy() >= max(2, 0.6 * len(texts))
    listed = ""
    for column in (c for c in texts if not gone.any() and _is_numeric(frame[c].iloc[:4])):
        row = int(frame[column].map(_is_text).argmax())
        below = frame.iloc[row:].dropna(axis=1, how="all")  # narrower, with a header of words
        is_narrow = row > 3 and 1 < below.shape[1] < frame.shape[1] and len(below) > 1
        if is_narrow and all(map(_is_text, below.iloc[0])):
            gone[row:], key, listed = True, "second_table", ", ".join(below.iloc[0])[:60]
    if gone.any():
        raw.drop_rows(gone)
        values = {"n": int(gone.sum()), "cells": listed}
        raw.report("title-rows", key, default="skipped", **values)


def _fill_merged(raw: Raw) -> None:
    """Fill down what stands in the first row of each run only, as merged cells do."""
    live = raw.frame.notna().any(axis=1)
    known = raw.frame[live].notna()
    is_full = known.mean() > 0.5
    if is_full.all() or is_full.sum() < 2 or not known.loc[:, is_full].all(axis=None):
        return
    numbers = raw.frame.loc[:, is_full].select_dtypes("number").columns
    # What follows full columns of numbers may be remarks.
    end = raw.frame.columns.get_loc(numbers[1]) if len(numbers) > 1 else None
    for column in (c for c in raw.frame.columns[:end] if not is_full[c]):
        cells, starts = raw.frame[column].dropna().to_numpy(), np.flatnonzero(known[column])
        changes = len(cells) > 1 and starts[0] == 0 and (cells[1:] != cells[:-1]).all()
        is_text = raw.frame[column].dtype in ("str", object)
        even = len(set(np.diff([*starts, len(known)]))) == 1
        if changes and (is_text or (even and (np.diff(cells) == 1).all())):  # 2019, 2020, …
            raw.frame = raw.frame.assign(**{column: raw.frame[column].ffill().where(live)})
            setting = column_setting("ignore", column)
            raw.report("merged-cells", column=column, setting=setting, default="filled")


def rearrange(raw: Raw, names: list[str] | None, options: Options) -> list[str] | None:
    """Return the names of the rows of a table of individuals by variables, made in place."""
    asked = options.content
    roles = (options.active, options.supplementary, options.group, options.row_names)
    if raw.roles or (asked is None and any(role is not None for role in roles)):
        return names
    if asked in (None, "genotypes") and _read_genotypes(raw, asked is not None):
        return names
    if asked in (None, "cells", "long", "contingency"):
        made = _cells(raw, asked) or _long(raw, asked)
        if made is not None:
            return made
        if asked in ("cells", "long"):
            what = "columns of categories and one of frequencies"
            if asked == "long":
                what = "a column of places, one of what was counted and one of numbers"
            raise InputError(f"content={asked!r} needs {what}: name another kind of table")
    return names


def _factors(frame: pd.DataFrame, value: Hashable) -> list[str] | None:
    """Return the other columns if all of them are categories."""
    others = [c for c in frame.columns if c != value]
    for column in others:
        levels, kind = frame[column].nunique(), frame[column].dtype
        whole = pd.api.types.is_numeric_dtype(kind)
        if whole and (levels > _MAX_CELL_LEVELS or (frame[column].dropna() % 1 != 0).any()):
            return None
        if levels < 2 or levels > _MAX_CELL_LEVELS or frame[column].isna().any():
            return None
    return others


def _is_crossed(factors: pd.DataFrame) -> bool:
    """Whether each combination of the levels has one row."""
    return not factors.duplicated().any() and len(factors) == np.prod(
        factors.nunique().to_numpy(), dtype=float
    )


def _are_counted(frame: pd.DataFrame, value: str) -> bool:
    """Whether a column may count individuals: some are few, and they vary as counts do at least."""
    factors, x = [str(c) for c in frame if c != value], frame[value].to_numpy(dtype=float)
    if any(map(vocabulary.is_counter, factors)) or not 0 <= x.min() < _MIN_COUNT:
        return False  # of a trial, or far from zero: a response
    means = [frame.groupby(c)[value].transform("mean").to_numpy() / x.mean() for c in factors]
    expected = np.maximum(x.mean() * np.prod(means, axis=0), 1e-300)
    freedom = len(x) - 1 - (frame[factors].nunique() - 1).sum()
    return bool(((x - expected) ** 2 / expected).sum() >= _MIN_VARIANCE * freedom)


def _cells(raw: Raw, asked: str | None) -> list[str] | None:
    """Expand combinations of categories with a frequency, or arrange two as a table."""
    frame = raw.frame
    values = [
        c
        for c in frame.columns
        if vocabulary.is_frequency(str(c)) and pd.api.types.is_numeric_dtype(frame[c].dtype)
    ]
    others = [c for c in frame.columns if pd.api.types.is_numeric_dtype(frame[c].dtype)]
    if not values and len(others) == 1 and frame.shape[1] >= 4 and len(frame) >= 4 * _MIN_CELLS:
        crossed = _is_crossed(frame.drop(columns=others))
        values = others if crossed and (asked or _are_counted(frame, str(others[0]))) else []
    if len(values) != 1 or len(frame) < _MIN_CELLS:
        return None
    value, counts = values[0], frame[values[0]].to_numpy(dtype=float)
    factors = _factors(frame, value)
    if factors is None or len(factors) < 2 or not np.isfinite(counts).all():
        return None
    if (counts < 0).any() or (counts % 1).any() or not counts.any():
        return None
    # A factor that groups the levels of another makes no combinations.
    pairs = [(c, d) for c in factors for d in factors if c != d]
    coarse = {c for c, d in pairs if (frame.groupby(d)[c].nunique() == 1).all()}
    if coarse and any(map(vocabulary.is_taxon, factors)):
        return None  # places, what is counted there, and what is known of the places
    finest = [c for c in factors if c not in coarse] or factors
    sizes = [frame[c].nunique() for c in finest]
    every = float(np.prod(sizes, dtype=float))
    texts = [c for c in factors if not pd.api.types.is_numeric_dtype(frame[c].dtype)]
    measure = any(c not in texts and frame[c].nunique() > _MAX_CODES for c in finest)
    # A number of many values is a factor where it stands with all others, as ages do.
    least = every if measure or not texts else _MIN_COVERAGE * every
    if frame.duplicated(factors).any() or len(frame) < least:
        return None
    if not texts and "freq" not in str(value).lower():
        return None
    setting = Setting("content", ("measurements",))
    if len(factors) == 2:
        few = frame[factors[0]].nunique() < 3  # too few profiles: those of the other are compared
        # With a few dozen taxa on a few dozen places, empty places are left out of the list.
        first, second = sorted(factors, key=lambda c: -frame[c].nunique()) if few else factors
        wide = frame.pivot(index=first, columns=second, values=value).fillna(0.0)
        rows = list(frame[first].unique())
        wide = wide.loc[rows, list(frame[second].unique())].astype(float)
        raw.frame = wide.set_axis([str(c) for c in wide.columns], axis=1).reset_index(drop=True)
        raw.content = "contingency"
        size: dict[str, Any] = {
            "rows": Count("line", len(wide)),
            "columns": Count("column", wide.shape[1]),
        }
        raw.report(
            "contingency", "content.cells.table", column=value, setting=setting, default="ca",
            first=Name(first), second=Name(second), **size,
        )  # fmt: skip
        return [str(label) for label in rows]
    total, times = int(counts.sum()), counts.astype(int)
    if total > _MAX_EXPANDED:
        exact = counts * _MAX_EXPANDED / total
        times = np.floor(exact).astype(int)
        rest = np.argsort(times - exact, kind="stable")[: _MAX_EXPANDED - times.sum()]
        times[rest] += 1
        raw.notes.append(note("content.cells.scaled", n=total, m=int(times.sum())))
    people = frame[factors].loc[np.repeat(frame.index.to_numpy(), times)]
    raw.frame = people.astype(str).reset_index(drop=True)
    raw.content = "cells"
    raw.report("cells", "content.cells", column=value, setting=setting, default="weights", n=total)
    return [str(k + 1) for k in range(len(people))]


def _long(raw: Raw, asked: str | None) -> list[str] | None:
    """Arrange a table of one value a row: places in rows, what was counted in columns."""
    frame = raw.frame
    numeric = [c for c in frame.columns if pd.api.types.is_numeric_dtype(frame[c].dtype)]
    texts = [c for c in frame.columns if c not in numeric]
    if len(frame) < 6 or not texts:
        return None
    values = [c for c in numeric if vocabulary.is_value(str(c))]
    value = values[-1] if values else (numeric[-1] if len(numeric) == 1 else None)
    items = [c for c in texts if vocabulary.is_taxon(str(c)) and frame[c].nunique() >= 3]
    if value is None or (not items and asked is None):
        return None
    item = items[0] if items else texts[-1]
    # The place is the column, or the few, that together with the item name each value once.
    keys = [c for c in frame.columns if c not in (item, value) and not frame[c].isna().any()]
    some = next((k for k in keys if not frame.duplicated([k, item]).any()), None)
    units = [some] if some is not None else keys
    if not units or frame.duplicated([*units, item]).any():
        return None
    key = frame[units].astype(str).agg(" ".join, axis=1)
    if key.nunique() < 3 or len(frame) < 1.5 * key.nunique():
        return None
    wide = frame.assign(**{"\0": key}).pivot(index="\0", columns=item, values=value)
    wide = wide.loc[list(key.unique()), list(frame[item].unique())]
    x = frame[value].dropna()
    counted = bool((x >= 0).all()) and bool((x % 1 == 0).all())
    gaps = float(wide.isna().to_numpy().mean())
    if gaps > 0.05 and not counted and gaps > 0.6:
        return None
    # What was not listed was not there; a measure that was not listed is missing.
    wide = wide.fillna(0.0) if counted or vocabulary.is_frequency(str(value)) else wide
    own = frame.groupby(key.to_numpy(), sort=False)
    same = [c for c in frame.columns if c not in (item, value) and (own[c].nunique() <= 1).all()]
    about = own[same].first() if same else pd.DataFrame(index=wide.index)
    about = about.drop(columns=units if len(units) == 1 else [])
    joined = pd.concat([about.loc[wide.index], wide], axis=1)
    raw.frame = joined.set_axis(distinct(joined.columns)[0], axis=1).reset_index(drop=True)
    setting = Setting("content", ("measurements",))
    size = {"rows": Count("line", len(wide)), "columns": Count("column", wide.shape[1])}
    unit = Name(" × ".join(map(str, units)))
    raw.report(
        "long", "content.long", column=value, setting=setting, default="rearranged",
        value=Name(value), item=Name(item), unit=unit, **size,
    )  # fmt: skip
    return [str(label) for label in wide.index]


def _read_genotypes(raw: Raw, forced: bool) -> bool:
    """Put the frequencies of alleles in the place of genotypes such as 136146, 136/146 or AG."""
    frame = raw.frame
    pairs: dict[str, pd.DataFrame] = {}
    candidates = [c for c in frame.columns if frame[c].nunique() > 1]
    for column in candidates[:2_000]:
        halves = _halves(frame[column])
        if halves is not None:
            pairs[column] = halves
    plain = [c for c in candidates if pd.api.types.is_numeric_dtype(frame[c].dtype)]
    if len(pairs) > 1:  # beside loci, one whose alleles are rarely on both sides is a locus, too
        more = [c for c in plain if c not in pairs and frame[c].max() >= 100_000]
        pairs |= {c: h for c in more if (h := _halves(frame[c], 0.0)) is not None}
    rivals = [c for c in plain if c not in pairs]
    if len(pairs) < (1 if forced else 2) or len(pairs) < len(rivals):
        return _read_doses(raw, plain)
    parts, cell = [], ""
    for column, halves in pairs.items():
        alleles = sorted(set(halves[0].dropna()) | set(halves[1].dropna()))
        known = halves.notna().all(axis=1).to_numpy()
        for allele in alleles:
            share = (halves == allele).to_numpy().mean(axis=1)
            parts.append(pd.Series(np.where(known, share, np.nan), name=f"{column}.{allele}"))
        cell = cell or str(frame[column].dropna().iloc[0]).removesuffix(".0")
    table = pd.concat(parts, axis=1)
    gaps = int(table.isna().any(axis=1).sum())
    table = table.fillna(table.mean())  # as adegenet does: a missing genotype makes no distance
    rest = frame.drop(columns=list(pairs))
    raw.frame = pd.concat([rest.reset_index(drop=True), table], axis=1)
    raw.content = "genotypes"
    raw.roles |= dict.fromkeys(map(str, table.columns), "active")
    setting = Setting("content", ("measurements",))
    columns = Count("column", len(pairs))
    values = {"columns": columns, "cell": repr(cell)[:20], "n": table.shape[1]}
    raw.report("genotypes", "content.genotypes", setting=setting, default="alleles", **values)
    if gaps:
        raw.warnings.append(note("content.genotypes.missing", n=gaps))
    return True


def _read_doses(raw: Raw, numeric: list[str]) -> bool:
    """Whether columns are doses of an allele, 0, 1 and 2, of markers that are called so."""
    named = [c for c in numeric if _SNP.fullmatch(str(c))]
    if len(named) < 10:
        return False
    X = raw.frame[named].to_numpy(dtype=float, na_value=np.nan)
    if not (np.isnan(X) | np.isin(X, (0.0, 1.0, 2.0))).all() or not (X == 2).any():
        return False
    raw.content = "genotypes"
    raw.frame = raw.frame.copy()
    means = np.nanmean(X, axis=0)
    raw.frame[named] = np.where(np.isnan(X), means, X)
    raw.roles |= dict.fromkeys(map(str, named), "active")
    return True


def _halves(column: pd.Series, shared: float = _MIN_SHARED_ALLELES) -> pd.DataFrame | None:
    """Return the two alleles of each genotype, None where a column holds none."""
    known = column.dropna()
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
        values = known.to_numpy(dtype=float)
        if not len(values) or not (values.min() >= 0 and values.max() < 1e6) or (values % 1).any():
            return None
        base = 1_000 if values.max() >= 10_000 else 100
        live = values > 0
        odd = int((values[live] < base).sum())  # a slip or two, which are missing
        if live.mean() < 0.5 or odd > max(1, _MAX_ODD_SHARE * len(values)):
            return None
        first, second = values // base, values % base
        texts: list[tuple[str | None, str | None]] = [
            (f"{a:.0f}", f"{b:.0f}") if a and b else (None, None)
            for a, b in zip(first, second, strict=True)
        ]
    else:
        matches = [_match(str(cell).strip()) for cell in known]
        if not matches or any(match is None for match in matches):
            return None
        texts = [match or (None, None) for match in matches]
    halves = pd.DataFrame(texts, index=known.index, columns=[0, 1]).reindex(column.index)
    one, two = (set(halves[k].dropna()) for k in (0, 1))
    if len(one & two) < shared * max(len(one | two), 1) or not 1 <= len(one | two) <= _MAX_ALLELES:
        return None
    return halves.reset_index(drop=True)


def _match(cell: str) -> tuple[str | None, str | None] | None:
    if cell in _NO_GENOTYPE:
        return None, None
    match = _GENOTYPE.fullmatch(cell)
    if match is None:
        return None
    return (match[1], match[2]) if match[1] else (match[3], match[4])
