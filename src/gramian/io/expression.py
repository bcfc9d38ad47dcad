"""Expression counts as programs write them, the sheet that describes the samples, log-CPM."""

import io
import re
from collections import Counter
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, short
from gramian._core.check import path as checked_path
from gramian._core.table import table as checked_table
from gramian._core.types import TableLike
from gramian.errors import InputError
from gramian.io.content import file_bytes, load, name_damage
from gramian.io.doctor.vocabulary import word_set
from gramian.io.formats import Options, Raw, distinct
from gramian.io.notes import note

_COUNT_COLUMNS = ("Geneid", "Chr", "Start", "End", "Strand", "Length")  # of featureCounts
_ANNOTATION = word_set("""
    chr chrom chromosome start end strand length effectivelength genename gene_name symbol
    gene_symbol gene_biotype biotype genetype gene_type description entrezid entrez_id gene_id
""")
_TOTALS = re.compile(r"N_(unmapped|multimapping|noFeature|ambiguous)|__\w+")  # of STAR, htseq-count
_SUFFIX = re.compile(
    r"(Aligned\.(sortedByCoord\.)?out|[._](sorted|markdup|dedup)|\.bam|\.sam|\.sf|_quant|"
    r"ReadsPerGene\.out\.tab|\.counts|\.txt|\.tsv|\.tab|\.gz)+$"
)
_MIN_COUNT = 10.0  # reads that a gene has in the median library, to be kept
_MIN_READS = 50.0  # that the largest number reaches where it counts reads
MAX_GENES = 5_000  # that are kept, those that vary most
_MAX_CELLS = 60_000_000  # of a sparse matrix that is made dense
_QUANT = {"quant.sf": ("Name", "NumReads"), "abundance.tsv": ("target_id", "est_counts")}


def tidy_counts(raw: Raw, row_names: object = None) -> bool:
    """Take annotation out of a table of genes in place; return whether it is known to be one."""
    frame = raw.frame
    columns = [str(c) for c in frame.columns]
    known = columns[:6] == list(_COUNT_COLUMNS)
    if not known and not (len(columns) > 2 and frame[columns[0]].dtype in ("str", object)):
        return False
    labels = frame[columns[0]].astype(str)
    special = labels.str.fullmatch(_TOTALS.pattern).to_numpy(dtype=bool)
    known |= bool(special.any()) and len(columns) > 1
    title = re.sub(r"[\W_]", "", columns[0].lower())
    genes = title in ("geneid", "gene", "genes", "name", "targetid")
    if not known and not genes:
        return False
    about = [c for c in columns[1:] if c.lower() in _ANNOTATION and c != row_names]
    if about and len(about) < len(columns) - 2:
        raw.frame = frame = frame.drop(columns=about)
        raw.notes.append(note("annotation", n=len(about), names=", ".join(about[:6])))
    if special.any():
        raw.drop_rows(special)
        frame = raw.frame
    if known:
        names = [columns[0], *(sample_name(c) for c in frame.columns[1:])]
        raw.frame = frame.set_axis(distinct(names)[0], axis=1)
    return known


def sample_name(label: object) -> str:
    """Return the name of a sample without the path and the suffixes of its file."""
    return _SUFFIX.sub("", re.split(r"[/\\]", str(label))[-1]) or str(label)


def read_counts(folder: Path, options: Options) -> Raw | None:
    """Read a folder of one file a sample (salmon, kallisto, STAR, htseq) or of a sparse matrix."""
    matrix = next((p for p in sorted(folder.glob("matrix.mtx*"))), None)
    if matrix is not None:
        return _sparse_matrix(folder, matrix, options)
    files: dict[str, pd.Series] = {}
    for name, (key, value) in _QUANT.items():
        for path in sorted(folder.glob(f"*/{name}")) + sorted(folder.glob(f"*{name}")):
            label = path.parent.name if path.name == name else path.name
            table = _table_of(path, header=0).set_index(key)[value]
            files[sample_name(label.removesuffix(name).rstrip("._-") or label)] = table
    for path in sorted(
        [*folder.glob("*ReadsPerGene.out.tab*"), *folder.glob("*/*PerGene.out.tab")]
    ):
        files[sample_name(path.name.removesuffix(".gz"))] = _table_of(path).set_index(0)[1]
    if len(files) < 2:
        return None
    frame = pd.DataFrame({name: each.groupby(level=0).sum() for name, each in files.items()})
    frame = frame.fillna(0.0).rename_axis("gene").reset_index()
    raw = Raw(frame)
    raw.notes.append(note("sample_files", n=len(files)))
    return raw


def _table_of(path: Path, header: int | None = None) -> pd.DataFrame:
    with name_damage(f"{path.name} cannot be read"):
        text = io.BytesIO(load(path).data)
        table: pd.DataFrame = pd.read_csv(text, sep="\t", header=header, comment=None)
        return table


def _sparse_matrix(folder: Path, matrix: Path, options: Options) -> Raw:
    """Read matrix.mtx with its features (or genes) and barcodes, cells in rows."""
    from scipy.io import mmread

    with name_damage(f"{matrix.name} cannot be read"):
        counts = mmread(io.BytesIO(load(matrix, options.largest).data)).tocsr()
    labels = []
    for names in ("features", "genes"), ("barcodes",):
        path = next((p for name in names for p in sorted(folder.glob(f"{name}.tsv*"))), None)
        if path is None:
            raise InputError(f"the folder has no {names[0]}.tsv beside {matrix.name}: add it")
        lines = load(path).data.decode("utf-8").splitlines()
        labels.append([line.split("\t")[-2 if line.count("\t") >= 2 else 0] for line in lines])
    genes, cells = labels
    if counts.shape != (len(genes), len(cells)):
        raise InputError(f"{matrix.name} is {counts.shape}, not {len(genes)} genes by {len(cells)}")
    live = np.flatnonzero(np.asarray((counts > 0).sum(axis=1)).ravel() >= max(3, len(cells) // 100))
    if live.size * len(cells) > _MAX_CELLS:
        raise InputError(
            f"{matrix.name} has {live.size} genes by {len(cells)} cells, too many for a page: "
            "select cells or genes, or fit h5ad with gramian fit"
        )
    kept = distinct(genes[i] for i in live)[0]
    raw = Raw(
        pd.DataFrame(counts[live].T.toarray().astype(float), columns=kept), distinct(cells)[0]
    )
    raw.content = "expression"
    return raw


def read_sheet(samples: str | PathLike[str] | pd.DataFrame) -> pd.DataFrame:
    """Return the sheet of samples as it stands, whatever its separator."""
    if isinstance(samples, pd.DataFrame):
        if isinstance(samples.index, pd.RangeIndex):
            return samples.reset_index(drop=True)
        free = next(name for name in ("sample", "name", "") if name not in samples.columns)
        return samples.reset_index(names=free)
    from gramian.io.reader import read

    file_bytes(checked_path(samples, "samples"))  # an unreadable sheet is reported by its path
    source = read(Path(samples), row_names=False, kind="table", content="measurements")
    assert source.table is not None
    return source.table.reset_index(drop=True)


def _sheet_key(label: object) -> str:
    """Return the name of a sample as it is compared: a sheet may hold 001 as the number 1."""
    name = sample_name(str(label).removesuffix(".0"))
    return str(int(name)) if name.isascii() and name.isdecimal() else name


def sheet_by_names(sheet: pd.DataFrame, labels: Iterable[object]) -> pd.DataFrame | None:
    """Return the sheet by the names of samples, found in the column that holds most of them."""
    wanted = [_sheet_key(label) for label in labels]
    best, most = None, 0
    for column in sheet.columns:
        cells = sheet[column].astype(object).map(_sheet_key)
        hits = len(set(wanted) & set(cells))
        if hits > most:
            best, most = (column, cells), hits
    if best is None or most < max(2, 0.5 * len(set(wanted))):
        return None
    column, cells = best
    twice = [name for name, count in Counter(cells).items() if count > 1 and name in set(wanted)]
    if twice:
        raise InputError(f"samples has two rows for {short(twice[0])}: keep one")
    lost = [name for name in wanted if name not in set(cells)]
    if lost:
        raise InputError(f"samples has no row for {short(lost[0])}: name its rows as in the data")
    return sheet.drop(columns=column).set_axis(cells.to_numpy(), axis=0).loc[wanted]


def join_samples(
    columns: Iterable[object], names: list[str] | None, sheet: pd.DataFrame
) -> tuple[bool, pd.DataFrame]:
    """Return whether samples are columns, and the sheet in the order of the samples."""
    columns = [str(c) for c in columns]
    across = sheet_by_names(sheet, columns)
    if across is not None:
        return True, across
    along = None if names is None else sheet_by_names(sheet, names)
    if along is None:
        shown = ", ".join(repr(c)[:30] for c in [*(names or [])[:2], *columns[:2]])
        raise InputError(
            f"samples: no column of the sheet names the rows or columns of the data ({shown}, …): "
            "give a sheet with one row a sample, named as in the data"
        )
    return False, along


def are_counts(table: pd.DataFrame) -> bool:
    """Whether numbers are reads, perhaps estimated ones: none negative, and beyond logarithms."""
    X = table.to_numpy(dtype=float)
    return X.size > 0 and bool(np.isfinite(X).all() and (X >= 0).all() and X.max() >= _MIN_READS)


def log_counts(counts: TableLike, *, filtered: bool = True) -> pd.DataFrame:
    """Return log2 counts per million of samples in rows, without genes that have hardly any reads.

    Half a read is added to a library of mean size, and to others in proportion to their size, so
    that a zero has the same value in all: log2((x + h) / (N + 2h) · 10⁶) with h = N / (2 N̄).

    Parameters
    ----------
    counts : data frame or array (n, p)
        Numbers of reads, non-negative.
    filtered : bool
        Whether to keep only genes with 10 reads in a library of median size in at least a fifth of
        the samples, and of these the 5,000 that vary most.

    Returns
    -------
    DataFrame (n, kept)

    Examples
    --------
    >>> log_counts([[90, 10], [900, 100]], filtered=False).round(2).to_numpy().tolist()
    [[19.78, 16.62], [19.78, 16.62]]
    """
    flag(filtered, "filtered")
    checked = checked_table(counts, "counts", min_rows=1, allow_sparse=False)
    table: Any = pd.DataFrame(to_numpy(checked.values), checked.index, checked.columns)
    X = table.to_numpy(dtype=float)
    if (X < 0).any():
        raise InputError("counts must hold numbers of reads: give none that is negative")
    N = X.sum(axis=1, keepdims=True)
    if (N == 0).any():
        empty = table.index[int(np.flatnonzero(N[:, 0] == 0)[0])]
        raise InputError(f"counts: sample {short(empty)} has no reads: leave it out")
    half = 0.5 * N / N.mean()
    Z = np.log2((X + half) / (N + 2 * half) * 1e6)
    if filtered:
        enough = X / N * float(np.median(N)) >= _MIN_COUNT
        kept = np.flatnonzero(enough.sum(axis=0) >= max(2, len(X) // 5))
        kept = kept if kept.size >= 3 else np.flatnonzero(X.any(axis=0))
        order = np.argsort(-Z[:, kept].var(axis=0), kind="stable")[:MAX_GENES]
        kept = np.sort(kept[order])
        return pd.DataFrame(Z[:, kept], table.index, table.columns[kept])
    return pd.DataFrame(Z, table.index, table.columns)
