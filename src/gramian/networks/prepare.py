"""From a file of expressions to a table of genes and the condition of each sample."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import flag, invalid, is_list, short
from gramian._core.check import path as checked_path
from gramian._study.language import Sentence, names
from gramian.errors import InputError
from gramian.io import Source, as_source, read
from gramian.io.content import file_bytes
from gramian.io.roles import are_genes
from gramian.networks.genes import FEW, chosen
from gramian.networks.study import COUNTED

_ENDING = re.compile(r"[\s._-]*(?:replicate|repl?|r|n°|#)?[\s._-]*\d+$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table of expressions, the condition of each sample, and what was done to get there.

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
    >>> import gramian as gm
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
    data: Any,
    group: Any = None,
    *,
    samples: Any = None,
    genes: Any = FEW,
    counts: bool | None = None,
    **read_options: Any,
) -> Experiment:
    """Read a table of expressions, find the condition of each sample and choose genes.

    Parameters
    ----------
    data : path, data frame, Dataset or Source
        Samples in rows, or genes in rows, which is seen by the names of both and said
        (`transpose=` decides).
    group : column name or names, optional
        The column with the condition; several together. By default the names of the samples
        without their last number: control_1 and control_2 are of "control".
    samples : path or data frame, optional
        A second table, one row a sample, which has the column `group`.
    genes : int, list of names, "modules", "modules:K", or None
        So many genes that vary most within conditions; these genes; K genes (500) that significant
        links hold together in modules, the largest first; or all. Modules are found in the same
        samples, which makes networks look a little more stable than they are.
    counts : bool, optional
        Whether the numbers are counts of reads, which become log2 counts per million; by default
        where they are whole, none negative, and reach 50.
    **read_options
        Those of `gramian.io.read`.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> import pandas as pd
    >>> reads = pd.DataFrame({"a_1": [9, 70], "a_2": [7, 60], "b_1": [90, 7], "b_2": [80, 6]},
    ...                      index=["AT1G01010", "AT1G01020"])
    >>> experiment = prepare(reads)
    >>> experiment.table.shape, experiment.condition.tolist()
    ((4, 2), ['a', 'a', 'b', 'b'])
    """
    columns = [] if group is None else _listed(group)
    notes: list[Sentence] = []
    if samples is not None and not columns:
        raise invalid(
            "samples", _shown(samples), "needs group: name its column that holds the conditions"
        )
    known = None if samples is None else _known(samples)
    source = _read(data, columns, known, read_options, notes)
    condition, own = _condition(source, columns, known, notes)
    table = source.active().drop(columns=own, errors="ignore")
    table.index = condition.index
    table = _complete(table, notes)
    if table.shape[1] < 2:
        found = "1 column" if table.shape[1] == 1 else f"{table.shape[1]} columns"
        raise InputError(f"data has {found} of genes: a network needs at least 2")
    table = _stabilised(table, counts, notes)
    return Experiment(chosen(table, condition, genes, notes), condition, tuple(notes), source)


def _shown(samples: Any) -> Any:
    """Return a second table as a message shows it: a path as it is, a table by its kind."""
    return samples if isinstance(samples, str) else type(samples).__name__


def _listed(group: Any) -> list[Any]:
    return list(group) if is_list(group) else [group]


def _read(
    data: Any,
    columns: list[Any],
    known: pd.DataFrame | None,
    options: dict[str, Any],
    notes: list[Sentence],
) -> Source:
    """Return what was read, samples in rows, and note where genes were."""
    given = options | ({"group": columns} if columns and known is None else {})
    source = _source(data, given)
    if source.kind != "table":
        raise InputError(f"data holds {source.kind}: give a table of expressions")
    inside = known is None and any(c in source.roles for c in columns)
    if source is data or "transpose" in options or inside or not _genes_in_rows(source, known):
        return source
    notes.append(Sentence("net.read.turned"))
    return _source(data, given | {"transpose": True})


def _source(data: Any, options: dict[str, Any]) -> Source:
    if isinstance(data, Source):
        return data
    if isinstance(data, str | PathLike) or hasattr(data, "read"):
        return read(data, **options)
    return as_source(data, **options)


def _genes_in_rows(source: Source, known: pd.DataFrame | None) -> bool:
    """Whether samples are columns: rows look like genes, or columns alone are named as samples."""
    rows, columns = [str(name) for name in source.names], [str(name) for name in source.roles]
    if are_genes("", rows) or any(getattr(w, "key", "") == "genes" for w in source.warnings):
        return True
    if known is not None:
        return not known.index.isin(rows).any() and set(columns) <= set(known.index)
    return not _say_conditions(rows) and not are_genes("", columns) and _say_conditions(columns)


def _stem(name: str) -> str:
    """Return the name of a sample without its last number."""
    return _ENDING.sub("", name) or name


def _say_conditions(labels: list[str]) -> bool:
    """Whether names are those of at least two conditions, each of at least two samples.

    >>> _say_conditions(["a_1", "a_2", "b_1", "b_2"]), _say_conditions(["AT1", "AT2", "AT3"])
    (True, False)
    """
    counts = Counter(map(_stem, labels)).values()
    return len(counts) > 1 and min(counts) > 1


def _condition(
    source: Source, columns: list[Any], known: pd.DataFrame | None, notes: list[Sentence]
) -> tuple[pd.Series, list[Any]]:
    """Return the condition of each sample, and the columns of the table that say it."""
    index = pd.Index(source.names)
    if not columns:
        found = [_stem(name) for name in map(str, index)]
        if len(set(found)) == len(found):
            raise InputError(
                "group is missing, and the names of the samples do not say their conditions: "
                "give the column that does"
            )
        if len(set(found)) == 1:
            raise InputError(
                "group is missing, and the names of the samples say one condition alone, "
                f"{repr(found[0])[:60]}: give the column with their conditions, or transpose "
                "where samples are columns"
            )
        shown = names(list(dict.fromkeys(found)))
        notes.append(Sentence("net.read.names", {"names": shown}))
        return pd.Series(found, index=index, name="condition"), []
    frame = source.table if known is None else _rows_of(known, index)
    unknown = [c for c in columns if frame is None or c not in frame.columns]
    if frame is None or unknown:
        where = "data" if known is None else "samples"
        raise invalid("group", unknown[0], f"is no column of {where}: name one that is")
    values = frame[columns].astype(str).agg(" ".join, axis=1)
    if frame[columns].isna().any(axis=None):
        raise invalid("group", columns[0], "has missing values: fill them in, or drop rows")
    return pd.Series(values.to_numpy(), index=index, name="condition"), columns


def _known(samples: Any) -> pd.DataFrame:
    """Return a second table, one row a sample, named by its first column."""
    known = samples
    if not isinstance(samples, pd.DataFrame):
        try:
            content = io.StringIO(file_bytes(checked_path(samples, "samples")).decode("utf-8-sig"))
            known = pd.read_csv(content, sep=None, engine="python", dtype=str, index_col=0)
        except (ValueError, csv.Error) as error:
            reason = f"is no table of text: {str(error)[:200]}"
            raise invalid("samples", _shown(samples), reason) from error
    return known.set_axis([str(name) for name in known.index], axis=0)


def _rows_of(known: pd.DataFrame, index: pd.Index) -> pd.DataFrame:
    """Return the rows of a second table that belong to the samples."""
    lost = [name for name in index if name not in known.index]
    if lost:
        raise InputError(f"samples has no row for {short(lost[0])}: name its rows as in the data")
    if known.index.duplicated().any():
        twice = known.index[known.index.duplicated()][0]
        raise InputError(f"samples has two rows for {short(twice)}: keep one")
    return known.loc[index]


def _complete(table: pd.DataFrame, notes: list[Sentence]) -> pd.DataFrame:
    """Return the genes without missing values that are not the same everywhere."""
    gone = table.isna().any(axis=0)
    if gone.any():
        notes.append(Sentence("net.read.missing", {"count": int(gone.sum())}))
    table = table.loc[:, ~gone]
    still = table.nunique(axis=0) <= 1
    if still.any():
        notes.append(Sentence("net.read.constant", {"count": int(still.sum())}))
    return table.loc[:, ~still]


def _stabilised(table: pd.DataFrame, counts: Any, notes: list[Sentence]) -> pd.DataFrame:
    """Return counts as log2 counts per million (a half added), other numbers as they are."""
    X = table.to_numpy()
    if counts is None:
        counts = bool((X >= 0).all() and (np.round(X) == X).all() and X.max() >= COUNTED)
    if not flag(counts, "counts"):
        return table
    if (X < 0).any():
        raise InputError("counts=True, but data has negative numbers: give counts=False")
    notes.append(Sentence("net.read.counts"))
    millions = (X.sum(axis=1, keepdims=True) + 1.0) / 1e6
    return pd.DataFrame(np.log2((X + 0.5) / millions), table.index, table.columns)
