"""What each column of a table is for: guessed from its name and values, or set by the user."""

import re
from collections.abc import Hashable
from dataclasses import replace

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.doctor.kinds import Content
from gramian.io.doctor.numbers import Roles, number_roles
from gramian.io.doctor.texts import are_dates
from gramian.io.doctor.vocabulary import is_label
from gramian.io.formats import Dtype, Options, Raw, find_columns
from gramian.io.notes import Finding, column_setting, finding
from gramian.io.source import few

_NAME_LABELS = {"", "id", "ids", "index", "name", "names", "nom", "row", "rownames", "row.names"}
_NAME_LABELS |= {"sample", "sampleid", "sample_id", "individual", "unnamed: 0", "no", "nr"}
_GENE_TITLES = {"gene", "genes", "geneid", "genename", "genesymbol", "hgncsymbol", "ensembl"}
_GENE_TITLES |= {"ensemblid", "ensemblgeneid", "probe", "probes", "probeid", "probeset", "idref"}
_GENE_TITLES |= {"transcript", "transcriptid", "protein", "proteinid"}
_GENE = re.compile(
    r"ENS[A-Z]*[GTP]\d{11}(\.\d+)?|AT[1-5CM]G\d{5}(\.\d+)?|[NX][MRP]_\d+(\.\d+)?|"
    r"\d+(_[a-z])*_at|gene_?\d+|ILMN_\d+|FBgn\d{7}|WBGene\d{8}|Y[A-P][LR]\d{3}[WC](-[A-Z])?",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[A-Z][A-Za-z0-9.-]{1,11}")
_MIN_SYMBOL_ROWS = 500  # rows, from which on names may be symbols of genes
_MAX_LEVELS = 30
_MAX_EMPTY_SHARE = 0.5  # of a column of numbers that makes axes
_MAX_SHEET_CODES = 6  # whole numbers of a sheet of samples that are batches, not measures
_MIN_NAMED_ROWS = 5  # rows, from which on any column may name them
_MAX_NAME_LENGTH = 40  # letters of a name
_SHORT_ROWS = 10  # rows, below which a value that comes twice says no name
_ROWS_PER_REPEAT = 20  # rows, of which one may have the name of another
_MAX_DISTINCT_TEXTS = 5000  # distinct texts of a column that are looked at
_OTHER_MARK = re.compile(
    r"[+-]?\d+,\d+([eE][+-]?\d+)?|[+-]?\d{1,3}([ ,.'\u00a0\u202f]\d{3})+([.,]\d+)?"
)


def are_genes(title: str, names: list[str]) -> bool:
    """Whether rows are genes, probes or proteins, by the title of their column or their names."""
    if re.sub(r"[^a-z]", "", title.lower()) in _GENE_TITLES:
        return True
    first = names[:200]
    if first and sum(bool(_GENE.fullmatch(name)) for name in first) >= 0.8 * len(first):
        return True
    return len(names) >= _MIN_SYMBOL_ROWS and _are_symbols(names[:_MIN_SYMBOL_ROWS])


def _are_symbols(names: list[str]) -> bool:
    """Whether names are those of genes, TP53 and BRCA1: no series of one code, nor words."""
    fitting = [name for name in names if _SYMBOL.fullmatch(name)]
    numbered = [name for name in fitting if name[-1].isdigit()]
    stems = {name.rstrip("0123456789") for name in numbered}
    return len(fitting) >= 0.8 * len(names) and len(stems) >= 0.1 * len(names)


def is_numbers(column: pd.Series | Dtype) -> bool:
    """Whether a column, or one of this type, holds real numbers (no truth values or dates)."""
    kind = column.dtype if isinstance(column, pd.Series) else column
    if isinstance(kind, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(kind):
        return False
    return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind)


def row_name_column(raw: Raw, options: Options) -> str | None:
    """Return the column that names the rows, or None."""
    frame, choice = raw.frame, options.row_names
    if choice is False or raw.names is not None or frame.shape[1] == 0:
        return None
    first = str(frame.columns[0])
    if choice is True:
        return first
    if isinstance(choice, int):
        if not 0 <= choice < frame.shape[1]:
            text = f"row_names={choice}: there are {frame.shape[1]} columns"
            raise InputError(text, argument="row_names", found=choice)
        return str(frame.columns[choice])
    if choice is not None:
        return find_columns([choice], frame, "row_names")[0]
    taken = set(raw.roles)  # columns that have another use
    for name in ("active", "supplementary", "group", "ignore", "as_category", "as_number"):
        taken |= set(find_columns(getattr(options, name), frame, name))
    names_first = first not in taken and _names_rows(frame[first], frame)
    counter = np.arange(1, len(frame) + 1)  # which says nothing that rows are called
    if names_first and not (is_numbers(frame[first]) and (frame[first] == counter).all()):
        return first
    others = list(zip(frame.columns, frame.dtypes, strict=True))[1:]
    texts = [c for c, kind in others if kind in ("str", object) and c not in taken]
    name_columns = [str(c) for c in texts if _is_list_of_names(frame[c])]
    if name_columns:
        return max(name_columns, key=lambda c: (is_label(c), float(frame[c].str.len().mean())))
    return first if names_first else None


def _is_list_of_names(column: pd.Series) -> bool:
    """Whether a column of texts that is not the first is a list of names: short, all different."""
    if len(column) < _MIN_NAMED_ROWS or column.isna().any():
        return False
    if not column.is_unique or not all(isinstance(cell, str) for cell in column):
        return False
    letters = column.str.contains(r"[^\W\d]").mean()  # codes of digits say less than a number
    short = column.str.len().mean() <= _MAX_NAME_LENGTH
    return bool(letters == 1 and short and not are_dates(column))


def _names_rows(column: pd.Series, frame: pd.DataFrame) -> bool:
    """Whether the first column is a list of names: all there, different but for a few, no measure.

    A name that occurs twice is reported (`duplicate_names`), and the others keep theirs.
    """
    if frame.shape[1] < 2 or column.isna().any():
        return False
    if str(column.name).strip() == "":
        return True
    if is_numbers(column):
        whole = bool((column == np.floor(column)).all())
        return whole and is_name_label(column.name) and _nearly_distinct(column)
    if not _nearly_distinct(column):
        return False
    if pd.api.types.is_bool_dtype(column.dtype) or find_spoiled_number(column) is not None:
        return False
    if are_dates(column) and len(column) >= _MIN_NAMED_ROWS:
        return False
    return len(frame) >= _MIN_NAMED_ROWS or any(is_numbers(kind) for kind in frame.dtypes.iloc[1:])


def _nearly_distinct(column: pd.Series) -> bool:
    """Whether values are all different, or all but one in twenty of a list that is not short."""
    n = len(column)
    return column.is_unique or (
        n >= _SHORT_ROWS and n - column.nunique() <= max(n // _ROWS_PER_REPEAT, 1)
    )


def is_name_label(name: Hashable) -> bool:
    """Whether a column is called id, name or the like."""
    return str(name).strip().lower() in _NAME_LABELS


def find_spoiled_number(column: pd.Series) -> tuple[list[str], str] | None:
    """Return the texts that keep a column from being numbers, and the key of the warning."""
    if column.dtype not in ("str", object):
        return None
    known = column.dropna()
    levels = pd.Series(known.unique()[:_MAX_DISTINCT_TEXTS]).astype(str)
    numbers = pd.to_numeric(levels, errors="coerce").notna()
    if not len(levels) or numbers.all():
        return None
    if numbers.mean() >= 0.6:
        return levels[~numbers].tolist(), "nearly_numbers"
    # By Python's own engine: that of Arrow, behind some texts of pandas, knows no \u.
    marked = levels.map(lambda level: _OTHER_MARK.fullmatch(level) is not None)
    texts = levels[marked & ~numbers]
    return (texts.tolist(), "other_mark") if (marked | numbers).mean() >= 0.9 else None


def roles_of(
    raw: Raw, options: Options, names: list[str] | None
) -> tuple[dict[Hashable, str], Roles]:
    """Return the role of each column, and the kind of table with what was found on the way."""
    frame = raw.frame
    chosen = _roles_in_options(frame, options)
    known = raw.roles | chosen
    # Tables may have many thousand columns: those of plain numbers are not looked at one by one.
    empty = dict(zip(frame.columns, np.all(frame.isna().to_numpy(), axis=0).tolist(), strict=True))
    kinds = zip(frame.columns, frame.dtypes, strict=True)
    numbers = {c: kind for c, kind in kinds if is_numbers(kind) and c not in known and not empty[c]}
    kept = find_columns(options.as_number, frame, "as_number")
    roles: dict[Hashable, str] = {}
    findings: list[Finding] = []
    for column in frame.columns:
        if column in known:
            roles[column] = known[column]
        elif empty[column]:
            roles[column] = "ignored"
        elif column not in numbers:
            roles[column] = _guess(frame[column])
            findings += _text_findings(frame[column], roles[column])
    groups = sum(role == "group" for role in roles.values())
    gaps = frame[list(numbers)].isna().mean()
    sparse = [c for c in numbers if gaps[c] > _MAX_EMPTY_SHARE and c not in kept]
    if sparse and len(sparse) <= len(numbers) - 2:
        roles |= dict.fromkeys(sparse, "ignored")
        numbers = {c: kind for c, kind in numbers.items() if c not in roles}
        setting, n = column_setting("as_number", *sparse[:20]), len(sparse)
        raw.report("mostly-empty", setting=setting, default="ignored", n=n, names=few(sparse))
    guessed = [c for c in numbers if c not in kept]
    asked = options.content or raw.content
    if options.active is None or asked:
        genes = are_genes("", [str(c) for c in guessed])
        found = number_roles(
            frame[guessed], row_names=names, grouped=groups, genes=genes, asked=asked or ""
        )
    else:
        found = number_roles(frame[guessed], grouped=groups, asked="measurements")
    if not numbers and groups and found.content.kind == "measurements":
        found = replace(found, content=Content("categories"))
    roles |= {c: found.roles.get(c, "active") for c in numbers}
    if options.active is not None:
        others = [c for c in numbers if roles[c] == "active" and c not in chosen]
        roles |= dict.fromkeys(others, "supplementary")
    for column in find_columns(options.as_category, frame, "as_category"):
        roles[column] = roles[column] if column in known else "group"
    ordered: dict[Hashable, str] = {c: roles[c] for c in frame.columns}
    return ordered, replace(found, findings=[*found.findings, *findings])


def sheet_roles(sheet: pd.DataFrame) -> dict[str, str]:
    """Return what columns of a sheet of samples are for: none of them makes axes."""
    out = {}
    for column in sheet:
        values = sheet[column]
        if not is_numbers(values):
            out[str(column)] = _guess(values)
            continue
        known = values.dropna().to_numpy(dtype=float)
        levels = len(np.unique(known))
        codes = levels <= min(_MAX_SHEET_CODES, len(known) // 2) and not (known % 1).any()
        out[str(column)] = "group" if codes and levels > 1 else "supplementary"
    return out


def _text_findings(column: pd.Series, role: str) -> list[Finding]:
    """Say which columns of text are dates or identifiers."""
    if role != "ignored":
        return []
    setting = column_setting("as_category", column.name)
    if _is_date(column):
        cell = str(column.dropna().iloc[0])[:20]
        return [finding("date", column=column.name, setting=setting, default=role, cell=cell)]
    known = column.dropna().astype(str)
    if find_spoiled_number(column) is not None:
        return []  # reported with the word that spoils them
    is_distinct = len(known) >= _MIN_NAMED_ROWS and known.nunique() > 0.9 * len(known)
    if not is_distinct or known.str.len().mean() >= 25:
        return []
    cells = ", ".join(repr(cell)[:30] for cell in known.iloc[:2])
    return [finding("identifier", column=column.name, setting=setting, default=role, cells=cells)]


def _is_date(column: pd.Series) -> bool:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return True
    return column.dtype in ("str", object) and are_dates(column)


def _roles_in_options(frame: pd.DataFrame, options: Options) -> dict[str, str]:
    """Return the roles that the options name; each column has one."""
    chosen: dict[str, str] = {}
    for option in ("active", "supplementary", "group", "ignore"):
        role = "ignored" if option == "ignore" else option
        for column in find_columns(getattr(options, option), frame, option):
            if column in chosen:
                other = "a group" if chosen[column] == "group" else chosen[column]
                raise InputError(f"{option}: column {column!r} is {other} already")
            numbers = is_numbers(frame[column])
            if role == "active" and not numbers:
                held = "dates" if _is_date(frame[column]) else "texts"
                if pd.api.types.is_bool_dtype(frame[column].dtype):
                    held = "true or false"
                raise InputError(
                    f"active: column {column!r} holds {held}, not numbers: give it as group"
                )
            chosen[column] = "group" if role == "supplementary" and not numbers else role
    return chosen


def _guess(column: pd.Series) -> str:
    """Return the role of a column of texts, dates or truth values."""
    if _is_date(column):
        return "ignored"
    levels, count = column.dropna().astype(str).nunique(), column.count()
    few = 2 <= levels <= max(2, min(_MAX_LEVELS, count // 2))
    return "group" if few and levels < count else "ignored"
