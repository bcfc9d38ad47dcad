"""Which genes of a table: those that vary most, those of a list, or those that stand in modules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import invalid, is_list, is_whole, text
from gramian._study.language import Count, Name, Sentence
from gramian.errors import InputError, InputTypeError
from gramian.networks.contrasts import conditions_of, contrasts, rows_of
from gramian.networks.recipe import Edges, Recipe
from gramian.networks.structure import degrees_of, modules_of

FEW = 500  # genes that are kept where no number is said
_SEARCHED = 3_000  # genes among which modules are looked for: pairs fit into memory
_SURE = 0.01  # false discovery rate of the links that hold modules together
_EACH = 10  # such links for a gene, the strongest


def chosen(
    table: pd.DataFrame, condition: pd.Series, genes: Any, notes: list[Sentence]
) -> pd.DataFrame:
    """Return the genes that were asked for, and note how they were chosen."""
    if genes is None:
        return table
    if is_whole(genes):
        return _variable(table, condition, int(genes), notes)
    if isinstance(genes, str):
        return _in_modules(table, condition, _number(genes), notes)
    if is_list(genes):
        return _listed(table, genes, notes)
    raise invalid(
        "genes",
        genes,
        "must be a number, a list of names, modules, modules:200, or None",
        InputTypeError,
    )


def _number(genes: str) -> int:
    """Return how many genes of modules: "modules" or "modules:200"."""
    word, colon, number = genes.partition(":")
    if word != "modules" or (colon and not number.isdecimal()):
        raise invalid(
            "genes", genes, "must be a number, a list of names, modules, modules:200, or None"
        )
    return int(number) if colon else FEW


def _deviations(table: pd.DataFrame, condition: pd.Series) -> np.ndarray:
    """Return the contrasts of all conditions."""
    codes, _ = conditions_of(condition, len(table))
    if len(np.unique(codes)) == len(codes):
        raise InputError("group has one sample a condition: genes cannot be compared within")
    return contrasts(table.to_numpy(), codes)


def _most_variable(Z: np.ndarray, count: int) -> np.ndarray:
    return np.sort(np.argsort(-(Z**2).sum(axis=0), kind="stable")[:count])


def _variable(
    table: pd.DataFrame, condition: pd.Series, count: int, notes: list[Sentence]
) -> pd.DataFrame:
    """Return the genes that vary most within conditions."""
    p = table.shape[1]
    if count < 2:
        raise invalid("genes", count, "must ask for at least 2 genes, or be a list of names")
    if p <= count:
        return table
    notes.append(Sentence("net.read.variable", {"count": count, "p": p}))
    return table.iloc[:, _most_variable(_deviations(table, condition), count)]


def _in_modules(
    table: pd.DataFrame, condition: pd.Series, count: int, notes: list[Sentence]
) -> pd.DataFrame:
    """Return genes that links within conditions hold together, those of large modules first."""
    p = table.shape[1]
    if count < 2:
        raise invalid(
            "genes", f"modules:{count}", "must ask for at least 2 genes, or be a list of names"
        )
    Z = _deviations(table, condition)
    searched = _most_variable(Z, _SEARCHED)
    X = rows_of(Z[:, searched])
    if len(X) < Recipe.least_rows:
        raise InputError(f"data has {len(table)} samples, too few for links: give genes={FEW}")
    module, degree = _modules(X)
    held = np.flatnonzero(module)
    if held.size < 2:
        raise InputError(
            f"genes: no modules hold together at a false discovery rate of {_SURE}: choose those "
            f"that vary most, genes={FEW}"
        )
    size = np.bincount(module)[module]
    order = held[np.lexsort((-degree[held], module[held], -size[held]))][:count]
    values: dict[str, Any] = {"count": order.size, "p": p, "searched": searched.size}
    values["modules"] = Count("module", len(np.unique(module[order])))
    notes.append(Sentence("net.read.modules", values))
    return table.iloc[:, np.sort(searched[order])]


def _modules(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the module of each column, 0 for none, and its number of links."""
    p = X.shape[1]
    edges = Recipe(fdr=_SURE, shrinkage=0.0).edges(X)
    strongest = np.argsort(-np.abs(edges.weights), kind="stable")[: _EACH * p]
    links = Edges(*(part[np.sort(strongest)] for part in edges))
    return modules_of(links, p), degrees_of(links, p)


def _listed(table: pd.DataFrame, genes: Any, notes: list[Sentence]) -> pd.DataFrame:
    """Return the genes of a list that are there."""
    wanted = dict.fromkeys(text(name, "genes") for name in genes)
    known = [name for name in wanted if name in table.columns]
    if len(known) < 2:
        raise InputError(f"genes: {len(known)} of {len(wanted)} are columns of data: check names")
    values: dict[str, Any] = {"n": Count("variable", len(known)), "of": len(wanted)}
    if len(known) < len(wanted):
        lost = next(name for name in wanted if name not in table.columns)
        values["name"] = Name(lost)
    key = "net.read.listed" if len(known) == len(wanted) else "net.read.some"
    notes.append(Sentence(key, values))
    return table[known]
