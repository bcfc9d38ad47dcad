"""What each column of a table is for: guessed from its name and values, or said by the user."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from gramian._check import is_list, short
from gramian.errors import InputError, InputTypeError
from gramian.io.raw import Options, Raw

__all__ = ["are_genes", "is_numbers", "named_rows", "roles_of", "spoiled_numbers"]

_GROUPS = {
    "batch",
    "class",
    "classe",
    "cluster",
    "condition",
    "gender",
    "group",
    "groupe",
    "label",
    "sex",
    "sexe",
    "site",
    "species",
    "target",
    "treatment",
}
_LABELS = {"", "id", "ids", "index", "name", "names", "nom", "row", "rownames", "row.names"}
_LABELS |= {"sample", "sampleid", "sample_id", "individual", "unnamed: 0", "no", "nr"}
_GENES = {"gene", "genes", "geneid", "genename", "genesymbol", "hgncsymbol", "ensembl"}
_GENES |= {"ensemblid", "ensemblgeneid", "probe", "probes", "probeid", "probeset", "idref"}
_GENES |= {"transcript", "transcriptid", "protein", "proteinid"}
_GENE = re.compile(
    r"ENS[A-Z]*[GTP]\d{11}(\.\d+)?|AT[1-5CM]G\d{5}(\.\d+)?|[NX][MRP]_\d+(\.\d+)?|"
    r"\d+(_[a-z])*_at|ILMN_\d+|FBgn\d{7}|WBGene\d{8}|Y[A-P][LR]\d{3}[WC](-[A-Z])?",
    re.IGNORECASE,
)
_MOST_LEVELS = 30
_LOOK = 5000  # distinct texts of a column that are looked at
_OTHER_MARK = re.compile(
    r"[+-]?\d+,\d+([eE][+-]?\d+)?|[+-]?\d{1,3}([ ,.'\u00a0\u202f]\d{3})+([.,]\d+)?"
)


def are_genes(title: str, names: list[str]) -> bool:
    """Whether rows are genes, probes or proteins, by the title of their column or their names.

    >>> are_genes("", ["ENSG00000141510", "ENSG00000012048"]), are_genes("name", ["Ann", "Bob"])
    (True, False)
    """
    if re.sub(r"[^a-z]", "", title.lower()) in _GENES:
        return True
    first = names[:200]
    return bool(first) and sum(bool(_GENE.fullmatch(name)) for name in first) >= 0.8 * len(first)


def is_numbers(column: Any) -> bool:
    """Whether a column, or one of this type, holds real numbers (no truth values or dates)."""
    kind = getattr(column, "dtype", column)
    if isinstance(kind, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(kind):
        return False
    return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind)


def named_rows(raw: Raw, choice: Any) -> str | None:
    """Return the column that names the rows, or None."""
    frame = raw.frame
    if choice is False or raw.names is not None or frame.shape[1] == 0:
        return None
    if choice is not None and choice is not True:
        if isinstance(choice, int):
            if not 0 <= choice < frame.shape[1]:
                raise InputError(f"row_names={choice}: there are {frame.shape[1]} columns")
            return str(frame.columns[choice])
        return _known([choice], frame, "row_names")[0]
    first = str(frame.columns[0])
    return first if choice is True or _names_rows(frame[first], frame) else None


def _names_rows(column: pd.Series, frame: pd.DataFrame) -> bool:
    """Whether the first column is a list of names: all there, all different, no measure."""
    if frame.shape[1] < 2 or column.isna().any():
        return False
    name = str(column.name).strip().lower()
    if name == "":
        return True
    if not column.is_unique:
        return False
    if is_numbers(column):
        return name in _LABELS and bool((column == np.floor(column)).all())
    if pd.api.types.is_bool_dtype(column.dtype) or spoiled_numbers(column) is not None:
        return False
    return any(is_numbers(kind) for kind in frame.dtypes.iloc[1:])


def spoiled_numbers(column: pd.Series) -> tuple[str, str] | None:
    """Return a text that keeps a column from being numbers, and the key of the warning."""
    if column.dtype not in ("str", object):
        return None
    known = column.dropna()
    levels = pd.Series(known.unique()[:_LOOK]).astype(str)
    numbers = pd.to_numeric(levels, errors="coerce").notna()
    if not len(levels) or numbers.all():
        return None
    wrong = str(levels[~numbers].iloc[0])
    if numbers.mean() >= 0.6:
        return wrong, "nearly_numbers"
    # By Python's own engine: that of Arrow, behind some texts of pandas, knows no \u.
    marked = levels.map(lambda level: _OTHER_MARK.fullmatch(level) is not None)
    return (wrong, "other_mark") if (marked | numbers).mean() >= 0.9 else None


def roles_of(raw: Raw, options: Options) -> dict[Any, str]:
    """Return the role of each column."""
    frame = raw.frame
    chosen = _chosen(frame, options)
    known = raw.roles | chosen
    # Tables may have many thousand columns: those of plain numbers are not looked at one by one.
    empty = dict(zip(frame.columns, np.all(frame.isna().to_numpy(), axis=0).tolist(), strict=True))
    roles = {}
    for column, kind in zip(frame.columns, frame.dtypes, strict=True):
        if column in known:
            roles[column] = known[column]
        elif empty[column]:
            roles[column] = "ignored"
        elif is_numbers(kind) and str(column).strip().lower() not in _GROUPS:
            roles[column] = "active"
        else:
            roles[column] = _guess(frame[column])
        if options.active is not None and roles[column] == "active" and column not in chosen:
            roles[column] = "supplementary"
    return roles


def _chosen(frame: pd.DataFrame, options: Options) -> dict[str, str]:
    """Return the roles that the options name; each column has one."""
    chosen: dict[str, str] = {}
    for role, option in (
        ("active", "active"),
        ("supplementary", "supplementary"),
        ("group", "group"),
        ("ignored", "ignore"),
    ):
        for column in _known(_listed(getattr(options, option)), frame, option):
            if column in chosen:
                raise InputError(f"{option}: column {column!r} is {chosen[column]} already")
            numbers = is_numbers(frame[column])
            if role == "active" and not numbers:
                raise InputError(
                    f"active: column {column!r} holds {frame[column].dtype}, not numbers: give it "
                    "as group"
                )
            chosen[column] = "group" if role == "supplementary" and not numbers else role
    return chosen


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, str | int):
        return [value]
    if not is_list(value) and not isinstance(value, set | frozenset):
        raise InputTypeError(f"{short(value)} names no columns: give a name or a list of names")
    return list(value)


def _known(names: Iterable[Any], frame: pd.DataFrame, option: str) -> list[str]:
    """Return names of columns that exist; suggest one where a name does not."""
    texts = [str(name) for name in names]
    columns = [str(c) for c in frame.columns] if texts else []
    for text in texts:
        if text not in columns:
            near = difflib.get_close_matches(text, columns, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"they are {columns[:5]}"
            raise InputError(f"{option}: there is no column {text[:60]!r}; {hint[:150]}")
    return texts


def _guess(column: pd.Series) -> str:
    """Return the role of a column of texts, or of numbers whose name is that of a group."""
    known = column.dropna()
    if is_numbers(column):
        return "group" if _few_whole(known) else "active"
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "ignored"
    levels = known.astype(str).nunique()
    return "group" if 2 <= levels <= max(2, min(_MOST_LEVELS, len(known) // 2)) else "ignored"


def _few_whole(known: pd.Series) -> bool:
    """Whether numbers are codes of a few categories."""
    if not len(known) or not bool((known == np.floor(known)).all()):
        return False
    return 2 <= known.nunique() <= min(12, max(2, len(known) // 2))
