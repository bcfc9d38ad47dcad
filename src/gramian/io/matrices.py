"""Distances in files: PHYLIP's triangles and square tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.table import Table, distance_matrix
from gramian._study.language import Setting, Share
from gramian.errors import InputError
from gramian.io.content import decoded
from gramian.io.doctor.finding import finding
from gramian.io.notes import Note, note
from gramian.io.opening import damage
from gramian.io.raw import Options, Raw, distinct

_EQUAL = 1e-8  # what rounding makes
_NEARLY = 0.1  # what distances that were measured or judged twice may differ by


def phylip(data: bytes, options: Options) -> Raw:
    """Read PHYLIP distances: the number of points, then a name and distances for each."""
    text, _ = decoded(data, options.encoding)
    words = text.decode("utf-8").split("\n")
    lines = [line for line in words if line.strip()]
    try:
        n = int(lines[0].split()[0])
    except (IndexError, ValueError) as error:
        raise InputError("the PHYLIP file must start with the number of points") from error
    rows = _records(lines[1:], n)
    if len(rows) != n:
        raise InputError(f"the PHYLIP file says {n} points but holds {len(rows)}: it is cut off")
    widths = [len(numbers) for _, numbers in rows]
    if max(widths, default=n) > n:
        name = rows[widths.index(max(widths))][0]
        most = str(max(widths))
        raise InputError(f"PHYLIP row {name[:60]!r} holds {most} distances for {n} points")
    triangles = (list(range(n)), list(range(1, n + 1)))
    if widths not in triangles and widths != [n] * n:  # known before room is made for them
        raise InputError(
            f"the PHYLIP rows hold {widths[:4]} … distances: give all {n} in each row, or the "
            "lower triangle"
        )
    D = np.full((n, n), np.nan)
    for i, (_, numbers) in enumerate(rows):
        D[i, : len(numbers)] = numbers
    raw = Raw(pd.DataFrame(), [name for name, _ in rows], is_distances=True)
    if widths in triangles:
        D = _mirrored(D)
        raw.notes.append(note("triangle"))
    raw.frame = pd.DataFrame(D, columns=distinct(name for name, _ in rows)[0])
    return raw


def _records(lines: list[str], n: int) -> list[tuple[str, list[float]]]:
    """Return names and their distances; rows may go on over several lines."""
    rows: list[tuple[str, list[float]]] = []
    square = bool(lines) and len(lines[0].split()) > 2
    for line in lines:
        words = line.split()
        if rows and square and len(rows[-1][1]) < n and line[0] in " \t":
            rows[-1][1].extend(_floats(words, rows[-1][0]))
        else:
            rows.append((words[0], _floats(words[1:], words[0])))
    return rows


def _floats(words: list[str], name: str) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError as error:
        raise InputError(f"PHYLIP row {name[:60]!r}: {damage(error)}") from error


def _mirrored(D: np.ndarray) -> np.ndarray:
    """Return one triangle as a symmetric matrix with a zero diagonal where it is empty."""
    lower = np.tril(np.ones_like(D, dtype=bool), -1)
    out = np.where(lower, D, 0.0)
    out = out + out.T
    diagonal = np.diagonal(D)
    np.fill_diagonal(out, np.where(np.isnan(diagonal), 0.0, diagonal))
    return out


def looks_like_distances(frame: pd.DataFrame, names: list[str] | None) -> bool:
    """Whether a table can only be distances: square, symmetric, not negative, zero diagonal."""
    n, p = frame.shape
    if n != p or n < 3 or not all(_is_real(kind) for kind in frame.dtypes):
        return False
    if names is not None and not _same(names, frame.columns):
        return False
    D = frame.to_numpy(dtype=float)
    if np.isnan(D).any():
        D = _from_triangle(D)
    if not np.isfinite(D).all() or (D < 0).any() or np.diagonal(D).any() or not D.any():
        return False
    return _gap(D) <= _NEARLY and (_gap(D) <= _EQUAL or names is not None)


def _gap(D: np.ndarray) -> float:
    """Return how far distances are from their mirror image, in parts of their mean."""
    n = len(D)
    return float(np.sqrt(((D - D.T) ** 2).sum() / (n * (n - 1))) / (D.sum() / (n * (n - 1))))


def _averaged(D: np.ndarray) -> tuple[np.ndarray, list[Note]]:
    """Return distances that are nearly symmetric as the mean of both triangles, and say so."""
    gap = _gap(D) if D.any() and (D >= 0).all() else 0.0
    if not _EQUAL < gap <= _NEARLY:
        return D, []
    pairs = int((np.abs(D - D.T) > _EQUAL * D.max()).sum()) // 2
    told = finding(
        "asymmetric", setting=Setting("kind", ("table",)), default="averaged", n=pairs,
        share=Share(gap),
    )  # fmt: skip
    return (D + D.T) / 2, [told]


def _is_real(kind: Any) -> bool:
    return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)


def _same(names: list[str], columns: pd.Index) -> bool:
    return [str(name) for name in names] == [str(c) for c in columns]


def _from_triangle(D: np.ndarray) -> np.ndarray:
    """Return a triangle that was written alone as a full matrix; anything else as it is."""
    for M in (D, D.T):
        lower, upper = np.tril_indices_from(M, -1), np.triu_indices_from(M, 1)
        if np.isnan(M[upper]).all() and not np.isnan(M[lower]).any():
            return _mirrored(M)
    return D


def as_distances(
    frame: pd.DataFrame, names: list[str] | None
) -> tuple[pd.DataFrame, list[Note], list[Note]]:
    """Return the square table of distances, notes and warnings, or say why it is none."""
    n, p = frame.shape
    if n != p:
        raise InputError(f"distances need a square table, but this one has shape ({n}, {p})")
    other = next((c for c in frame if not _is_real(frame[c].dtype)), None)
    if other is not None:
        raise InputError(f"distances must be numbers, but column {other!r} holds others")
    if names is not None and not _same(names, frame.columns) and set(names) == set(frame):
        raise InputError("distances: rows and columns have the same names in another order")
    labels = names if names is not None else [str(c) for c in frame.columns]
    D = frame.to_numpy(dtype=float)
    notes: list[Note] = []
    warnings: list[Note] = []
    if np.isnan(D).any():
        D = _from_triangle(D)
        if not np.isnan(D).any():
            notes.append(note("triangle"))
        else:
            warnings.append(note("missing_distances", n=int(np.isnan(D).sum())))
    if not np.isnan(D).any():
        D, told = _averaged(D)
        warnings += told
    distance_matrix(Table(np.nan_to_num(D)), "the distances")
    return pd.DataFrame(D, index=labels, columns=labels), notes, warnings
