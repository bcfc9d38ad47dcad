"""From a file of expressions to a table of genes and the condition of each sample."""

import csv
import io
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import flag, invalid, is_list, is_whole, text
from gramian._core.check import path as checked_path
from gramian._core.types import TableLike
from gramian._study.language import Count, Name, Number, Sentence, names
from gramian.datasets import Dataset
from gramian.errors import InputError, InputTypeError
from gramian.io import Source, as_source
from gramian.io.content import file_bytes
from gramian.io.expression import join_samples, read_sheet
from gramian.io.roles import are_genes
from gramian.networks.contrasts import conditions_of, contrasts, rows_of
from gramian.networks.infer import Edges, Recipe
from gramian.networks.resampling import median_distances
from gramian.networks.structure import degrees_of, modules_of
from gramian.networks.study import COUNTED, refuse_negative_counts

N_GENES = 500  # that are kept where no number is given
_MAX_SEARCHED = 3_000  # genes among which modules are looked for: pairs fit into memory
_MODULE_FDR = 0.01  # false discovery rate of the links by which genes are chosen
_LINKS_PER_GENE = 10  # such links, the strongest
_OUTLYING = 3.0  # median distances from the medians of its condition, at which a sample is named
_REPLICATE_SUFFIX = re.compile(r"[\s._-]*(?:replicate|repl?|r|n°|#)?[\s._-]*\d+$", re.IGNORECASE)
_GENES = "must be a number, a list of names, variable:200, modules, modules:200, or None"


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table of expressions, the condition of each sample, and how they were prepared.

    Attributes
    ----------
    table : DataFrame (n, p)
        Samples in rows, genes in columns.
    condition : Series (n,)
        The condition of each sample.
    notes : tuple of Sentence
        What was read, guessed, left out and changed.
    source : Source
        What was read.

    Examples
    --------
    >>> plants = gm.datasets.gene_expression(200)
    >>> experiment = gm.networks.prepare(plants.data.join(plants.groups), "temperature", genes=50)
    >>> experiment.table.shape, list(experiment.condition.unique())
    ((24, 50), ['T20', 'T30'])
    """

    table: pd.DataFrame
    condition: pd.Series
    notes: tuple[Sentence, ...]
    source: Source


def prepare(
    data: str | PathLike[str] | TableLike | Dataset | Source,
    group: Hashable | Sequence[Hashable] = None,
    *,
    samples: str | PathLike[str] | pd.DataFrame | None = None,
    genes: int | Sequence[str] | str | None = N_GENES,
    counts: bool | None = None,
    **read_options: Any,
) -> Experiment:
    """Read a table of expressions, find the condition of each sample and choose genes.

    Parameters
    ----------
    data : path, data frame, Dataset or Source
        Samples in rows, or genes in rows, which is recognised by the names and reported
        (`transpose=` overrides it); the condition may then be a row, too.
    group : column name or names, optional
        The column with the condition; several together. By default the names of the samples
        without their last number: control_1 and control_2 are of "control".
    samples : path or data frame, optional
        A second table, one row per sample, which has the column `group`.
    genes : int, list of names, "variable:K", "modules", "modules:K", or None
        Genes to keep. An int: those with significant links within conditions (false discovery rate
        0.01 among the 3,000 that vary most), those with most links first, then those that vary
        most. A list: these genes. "variable:K": the K genes that vary most within conditions.
        "modules:K": K genes (500) in modules of significant links, the largest first. None: all.
        Links are found in the same samples, without their conditions, which makes weak networks
        look a little more stable than they are.
    counts : bool, optional
        Whether the numbers are counts of reads, to be transformed to log2 counts per million; by
        default if they are whole, non-negative and reach 50.
    **read_options
        Options of `gramian.io.read`.

    Examples
    --------
    >>> import pandas as pd
    >>> reads = pd.DataFrame({"a_1": [9, 70], "a_2": [7, 60], "b_1": [90, 7], "b_2": [80, 6]},
    ...                      index=["AT1G01010", "AT1G01020"])
    >>> experiment = prepare(reads)
    >>> experiment.table.shape, experiment.condition.tolist()
    ((4, 2), ['a', 'a', 'b', 'b'])
    """
    given: Any = group
    columns = [] if group is None else list(given) if is_list(given) else [given]
    notes: list[Sentence] = []
    if samples is not None and not columns:
        reason = "needs group: name its column that holds the conditions"
        shown = samples if isinstance(samples, str) else type(samples).__name__
        raise invalid("samples", shown, reason)
    table, rows = (
        (data, samples)
        if samples is not None or not columns
        else _condition_rows(data, columns, read_options, notes)
    )
    sheet = None if rows is None else read_sheet(rows)
    source = _read(table, columns, sheet, read_options, notes)
    if table is not data and isinstance(data, str | PathLike):
        source = replace(source, path=str(data), title=Path(data).stem)
    condition, own = _condition(source, columns, sheet, notes)
    table = source.active().drop(columns=own, errors="ignore")
    table.index = condition.index
    table = _complete(table, notes)
    if table.shape[1] < 2:
        size = "1 column" if table.shape[1] == 1 else f"{table.shape[1]} columns"
        raise InputError(f"data has {size} of genes: a network needs at least 2")
    table = _log_counts(table, counts, notes)
    table = select_genes(table, condition, genes, notes)
    _note_outlying(table, condition, notes)
    return Experiment(table, condition, tuple(notes), source)


def _condition_rows(
    data: Any, columns: list[Any], options: dict[str, Any], notes: list[Sentence]
) -> tuple[Any, pd.DataFrame | None]:
    """Return a table of genes in rows without the rows that name conditions, and these apart."""
    is_path = isinstance(data, str | PathLike)
    if not (is_path or isinstance(data, pd.DataFrame)) or options.keys() - {"transpose", "sep"}:
        return data, None
    if is_path:
        try:
            sep: Any = options.get("sep") or ("," if str(data).lower().endswith(".csv") else "\t")
            content = file_bytes(checked_path(data, "data")).decode("utf-8-sig")
            if set(columns) & set(pd.read_csv(io.StringIO(content), sep=sep, nrows=0)):
                return data, None
            frame = pd.read_csv(io.StringIO(content), sep=sep, dtype=str, index_col=0)
        except (ValueError, csv.Error, OSError):  # `_read` says what is wrong
            return data, None
    else:
        frame = data
    if not all(isinstance(c, Hashable) for c in columns):  # refused where groups are read
        return data, None
    if any(c in frame.columns for c in columns) or not all(c in frame.index for c in columns):
        return data, None
    notes.append(Sentence("net.read.row"))
    options.pop("transpose", None)
    known = frame.loc[columns].T
    numbers = frame.drop(index=columns).apply(pd.to_numeric, errors="coerce").T
    return numbers, known.set_axis([str(name) for name in known.index], axis=0)


def _read(
    data: Any,
    columns: list[Any],
    sheet: pd.DataFrame | None,
    options: dict[str, Any],
    notes: list[Sentence],
) -> Source:
    """Return what was read, samples in rows, and note where genes were."""
    given = options | ({"group": columns} if columns and sheet is None else {})
    source = data if isinstance(data, Source) else as_source(data, **given)
    if source.kind != "table":
        raise InputError(f"data holds {source.kind}: give a table of expressions")
    if source is data or "transpose" in options:
        return source
    if sheet is not None:
        numbers = source.active().columns  # texts beside genes in rows are no samples
        turned = join_samples(numbers, source.names, sheet)[0]
    else:
        turned = not any(c in source.roles for c in columns) and _genes_in_rows(source)
    if not turned:
        return source
    notes.append(Sentence("net.read.turned"))
    return as_source(data, **given | {"transpose": True})


def _genes_in_rows(source: Source) -> bool:
    """Whether samples are columns: rows look like genes, or columns alone are named as samples."""
    rows, columns = [str(name) for name in source.names], [str(name) for name in source.roles]
    if are_genes("", rows) or any(getattr(w, "key", "") == "genes" for w in source.warnings):
        return True
    return not _say_conditions(rows) and not are_genes("", columns) and _say_conditions(columns)


def _stem(name: str) -> str:
    """Return the name of a sample without its last number."""
    return _REPLICATE_SUFFIX.sub("", name) or name


def _say_conditions(labels: list[str]) -> bool:
    """Whether names are those of at least two conditions, each of at least two samples."""
    counts = Counter(map(_stem, labels)).values()
    return len(counts) > 1 and min(counts) > 1


def _condition(
    source: Source, columns: list[Any], sheet: pd.DataFrame | None, notes: list[Sentence]
) -> tuple[pd.Series, list[Any]]:
    """Return the condition of each sample, and the columns of the table that say it."""
    index = pd.Index(source.names)
    if not columns:
        found = [_stem(name) for name in map(str, index)]
        if len(set(found)) == len(found):
            raise InputError(
                "group is missing, and the names of the samples do not give their conditions: "
                "give the column that does"
            )
        if len(set(found)) == 1:
            raise InputError(
                "group is missing, and the names of the samples give a single condition, "
                f"{repr(found[0])[:60]}: give the column with their conditions (the same in all "
                "rows for a single one), or transpose where samples are columns"
            )
        shown = names(list(dict.fromkeys(found)))
        notes.append(Sentence("net.read.names", {"names": shown}))
        return pd.Series(found, index=index, name="condition"), []
    frame = source.table if sheet is None else join_samples((), source.names, sheet)[1]
    unknown = [c for c in columns if frame is None or c not in frame.columns]
    if frame is None or unknown:
        where = "data" if sheet is None else "samples"
        raise invalid("group", unknown[0], f"is no column of {where}: name one that is")
    unknown = [c for c in columns if frame[c].isna().any()]
    if unknown:
        raise invalid("group", unknown[0], "has missing values: fill them in, or drop rows")
    values = frame[columns].astype(str).agg(" ".join, axis=1)
    return pd.Series(values.to_numpy(), index=index, name="condition"), columns


def _complete(table: pd.DataFrame, notes: list[Sentence]) -> pd.DataFrame:
    """Return the genes without missing values that are not the same everywhere."""
    gone = table.isna().any(axis=0)
    still = ~gone & (table.nunique(axis=0) <= 1)
    for key, genes in (("missing", gone), ("constant", still)):
        if genes.any():
            notes.append(Sentence(f"net.read.{key}", {"count": int(genes.sum())}))
    return table.loc[:, ~(gone | still)]


def _log_counts(table: pd.DataFrame, counts: bool | None, notes: list[Sentence]) -> pd.DataFrame:
    """Return counts as log2 counts per million (a half added), other numbers as they are."""
    X = table.to_numpy()
    if counts is None:
        refuse_negative_counts(X)  # of genes that would not be selected, too
        counts = bool((X >= 0).all() and (np.round(X) == X).all() and X.max() >= COUNTED)
    if not flag(counts, "counts"):
        return table
    if (X < 0).any():
        raise InputError(
            "counts=True, but data has negative numbers, which counts cannot be: correct them, or "
            "give counts=False if these are no counts"
        )
    notes.append(Sentence("net.read.counts"))
    millions = (X.sum(axis=1, keepdims=True) + 1.0) / 1e6
    return pd.DataFrame(np.log2((X + 0.5) / millions), table.index, table.columns)


def _note_outlying(table: pd.DataFrame, condition: pd.Series, notes: list[Sentence]) -> None:
    """Note the sample that is farthest out in its condition, if it is far."""
    codes, _ = conditions_of(condition, len(table))
    far = median_distances(table.to_numpy(), codes)
    worst = int(far.argmax())
    if np.isfinite(far[worst]) and far[worst] >= _OUTLYING:
        values = {"name": Name(str(table.index[worst])), "times": Number(far[worst], 2)}
        notes.append(Sentence("net.read.outlying", values))


def select_genes(
    table: pd.DataFrame,
    condition: pd.Series,
    genes: int | Sequence[str] | str | None,
    notes: list[Sentence],
) -> pd.DataFrame:
    """Return the requested genes, and note how they were chosen."""
    wanted: Any = genes
    if genes is None:
        return table
    if is_list(genes):
        return _genes_by_name(table, wanted, notes)
    choose, count = _linked, wanted
    if isinstance(genes, str):
        word, colon, number = genes.partition(":")
        if word not in _CHOICES or (colon and not number.isdecimal()):
            raise invalid("genes", genes, _GENES)
        choose, count = _CHOICES[word], int(number) if colon else N_GENES
    elif not is_whole(genes):
        raise invalid("genes", genes, _GENES, InputTypeError)
    if int(count) < 2:
        raise invalid("genes", genes, "must ask for at least 2 genes, or be a list of names")
    if choose is not _in_modules and table.shape[1] <= int(count):
        return table
    return choose(table, _deviations(table, condition), int(count), notes)


def _deviations(table: pd.DataFrame, condition: pd.Series) -> np.ndarray:
    codes, _ = conditions_of(condition, len(table))
    if len(np.unique(codes)) == len(codes):
        raise InputError("group has one sample a condition: genes cannot be compared within")
    return contrasts(table.to_numpy(), codes)[0]


def _by_variance(Z: np.ndarray) -> np.ndarray:
    return np.argsort(-(Z**2).sum(axis=0), kind="stable")


def _variable(
    table: pd.DataFrame, Z: np.ndarray, count: int, notes: list[Sentence]
) -> pd.DataFrame:
    notes.append(Sentence("net.read.variable", {"count": count, "p": table.shape[1]}))
    return table.iloc[:, np.sort(_by_variance(Z)[:count])]


def _linked(table: pd.DataFrame, Z: np.ndarray, count: int, notes: list[Sentence]) -> pd.DataFrame:
    """Return genes with significant links, those with most first, then those that vary most."""
    searched, links = _links(Z)
    degree = degrees_of(links, searched.size)
    order = np.argsort(-degree, kind="stable")
    linked = searched[order[degree[order] > 0]][:count]
    if linked.size == 0:
        return _variable(table, Z, count, notes)
    by_variance = _by_variance(Z)
    rest = by_variance[~np.isin(by_variance, linked)][: count - linked.size]
    values = {"count": count, "p": table.shape[1], "linked": linked.size, "rest": rest.size}
    notes.append(Sentence("net.read.linked" if rest.size else "net.read.linked.all", values))
    return table.iloc[:, np.sort(np.concatenate([linked, rest]))]


def _links(Z: np.ndarray) -> tuple[np.ndarray, Edges]:
    """Return the genes that are searched, and the significant links within conditions of these."""
    searched = np.sort(_by_variance(Z)[:_MAX_SEARCHED])
    X = rows_of(Z[:, searched])
    if len(X) < Recipe.least_rows:
        return searched, Edges(np.empty(0, dtype=np.int64), np.empty(0))
    return searched, Recipe(fdr=_MODULE_FDR, shrinkage=0.0).edges(X)


def _in_modules(
    table: pd.DataFrame, Z: np.ndarray, count: int, notes: list[Sentence]
) -> pd.DataFrame:
    """Return genes that links within conditions hold together, those of large modules first."""
    if len(Z) + 1 < Recipe.least_rows:
        raise InputError(f"data has {len(table)} samples, too few for links: give genes={N_GENES}")
    searched, edges = _links(Z)
    genes = searched.size
    strongest = np.argsort(-np.abs(edges.weights), kind="stable")[: _LINKS_PER_GENE * genes]
    links = Edges(*(part[np.sort(strongest)] for part in edges))
    module, degree = modules_of(links, genes), degrees_of(links, genes)
    held = np.flatnonzero(module)
    if held.size < 2:
        raise InputError(
            f"genes: no modules were found at a false discovery rate of {_MODULE_FDR}: choose "
            f"those that vary most, genes={N_GENES}"
        )
    size = np.bincount(module)[module]
    order = held[np.lexsort((-degree[held], module[held], -size[held]))][:count]
    values: dict[str, Any] = {"modules": Count("module", len(np.unique(module[order])))}
    values |= {"count": order.size, "p": table.shape[1], "searched": searched.size}
    notes.append(Sentence("net.read.modules", values))
    return table.iloc[:, np.sort(searched[order])]


_CHOICES = {"variable": _variable, "modules": _in_modules}


def _genes_by_name(
    table: pd.DataFrame, genes: Sequence[str], notes: list[Sentence]
) -> pd.DataFrame:
    wanted = dict.fromkeys(text(name, "genes") for name in genes)
    known = [name for name in wanted if name in table.columns]
    if len(known) < 2:
        raise InputError(f"genes: {len(known)} of {len(wanted)} are columns of data: check names")
    values: dict[str, Any] = {"n": Count("variable", len(known)), "of": len(wanted)}
    lost = next((name for name in wanted if name not in table.columns), None)
    values |= {} if lost is None else {"name": Name(lost)}
    notes.append(Sentence("net.read.listed" if lost is None else "net.read.some", values))
    return table[known]
