"""Groups of variables: how their columns become columns of numbers, and what each column weighs."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import expect
from gramian._core.numbers import require_square
from gramian._core.operators.moments import Moments
from gramian._core.table import Table, raw_weights, weights
from gramian._core.types import VectorLike
from gramian._reading.coding import Coding, encode_table
from gramian._reading.columns import Factor, Numeric, as_categories
from gramian.errors import InputError, InputTypeError

# What a group is, by its name and by the letter that FactoMineR gives it.
KINDS = {"scaled": "s", "centered": "c", "categories": "n", "counts": "f", "mixed": "m"}
_WORDS = {letter: word for word, letter in KINDS.items()} | {word: word for word in KINDS}


Groups: TypeAlias = Mapping[Any, Sequence[Any]]  # columns, by name or by position
Kinds: TypeAlias = Mapping[Any, str]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups of coded variables."""

    coding: Coding
    columns: Annotated[np.ndarray, "(K,)", "whole", ">= 0"]  # positions of variables in the table
    names: tuple[Any, ...]  # of the groups
    kinds: tuple[str, ...]  # of each group
    member: Annotated[np.ndarray, "(K,)", "whole", ">= 0"]  # the group of each variable
    margin: Annotated[np.ndarray, "(J,)", ">= 0"]  # share of a column of counts in all, else 0

    def check(self) -> None:
        K, J, G = len(self.coding.variables), int(self.coding.starts[-1]), len(self.names)
        expect(len(self.member) == K and len(self.margin) == J, f"groups of {K} variables")
        expect(len(self.kinds) == G and set(self.kinds) <= set(KINDS), f"kinds of {G} groups")
        expect(set(self.member.tolist()) == set(range(G)), f"{G} groups with variables")

    @property
    def owner(self) -> np.ndarray:
        """The position of the group of each column of numbers, (J,)."""
        return self.member[self.coding.owner]

    @property
    def weights(self) -> np.ndarray:
        """The weight of each variable before groups are balanced: 1, or 1/K for K questions."""
        of = np.array([kind == "categories" for kind in self.kinds])[self.member]
        size = np.bincount(self.member, minlength=len(self.names))[self.member]
        return np.where(of, 1.0 / size, 1.0)

    def columns_of(self, g: int) -> np.ndarray:
        """Return the positions of the columns of numbers of a group."""
        return np.flatnonzero(self.owner == g)

    def metric(self, m: Moments, own: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return what columns `own`, divided by their deviations, weigh before groups balance."""
        kind = np.array(self.kinds)[self.owner][own]
        own_unit = (kind == "counts") | (kind == "centered")
        deviation = np.where(own_unit, to_numpy(m.deviation), 1.0)
        require_square(deviation.max(), "X: the largest deviation of columns that are not scaled")
        deviation2 = deviation**2
        as_it_is = np.where(kind == "counts", deviation2 * self.margin[own], 1.0)
        as_it_is = np.where(kind == "centered", deviation2, as_it_is)
        level = np.where(self.coding.is_level[own], 1.0 - to_numpy(m.mean), as_it_is)
        return level * self.weights[self.coding.owner][own]

    def encode(self, columns: Sequence[Numeric | Factor], index: pd.Index | None) -> Table:
        """Return coded rows; counts as differences of their profiles from those of their table."""
        rows = encode_table(columns, index, self.coding)
        values, is_count = rows.values, self.margin > 0
        if not is_count.any():
            return Table(values, index, rows.columns, self)
        total = values[:, is_count].sum(axis=1, keepdims=True)
        profile = np.divide(values, total, out=np.zeros_like(values), where=total > 0)
        coded = values.copy()
        for g in np.flatnonzero([kind == "counts" for kind in self.kinds]):
            own = np.flatnonzero((self.owner == g) & is_count)
            part = profile[:, own]
            share = part.sum(axis=1, keepdims=True) / self.margin[own].sum()
            coded[:, own] = part / self.margin[own] - share
        return Table(coded, index, rows.columns, self)


def encode_groups(
    columns: list[Numeric | Factor],
    index: pd.Index | None,
    groups: Groups | None,
    kinds: Kinds | None,
    sample_weight: VectorLike | None,
) -> tuple[Table, np.ndarray | None]:
    names = [column.name for column in columns]
    groups = {"X": list(range(len(names)))} if groups is None else groups
    if not isinstance(groups, Mapping) or not groups:
        raise InputTypeError("groups must be a dict of lists of columns, with one group or more")
    if kinds is not None and not isinstance(kinds, Mapping):
        raise InputTypeError("kinds must be a dict with the kind of some groups, or None")
    unknown = [name for name in kinds or {} if name not in groups]
    if unknown:
        raise InputError(f"kinds has {unknown[0]!r}, which is not one of the groups")
    places = _positions(groups, names, "X")
    chosen: list[Numeric | Factor] = []
    found = []
    for name, own in zip(groups, places, strict=True):
        texts = [isinstance(columns[k], Factor) for k in own]
        kind = _kind_of((kinds or {}).get(name), name, texts)
        chosen += columns_of_kind([columns[k] for k in own], kind, name)
        found.append(kind)
    coding = Coding.of(chosen)
    member = np.repeat(np.arange(len(places)), [len(own) for own in places])
    n = len(chosen[0].values if isinstance(chosen[0], Numeric) else chosen[0].codes)
    w = raw_weights(sample_weight, n)
    is_count = np.array([kind == "counts" for kind in found])[member]
    margin = np.zeros(coding.starts[-1])
    if is_count.any():
        share, w = _margins(chosen, is_count, np.ones(n) if w is None else w)
        margin[is_count[coding.owner]] = share
    flat = np.array([k for own in places for k in own])
    grouping = Grouping(coding, flat, tuple(groups), tuple(found), member, margin)
    return grouping.encode(chosen, index), weights(w, n)


def membership(
    coding: Coding, groups: Groups | None, kinds: Kinds | None
) -> tuple[np.ndarray, list[str]]:
    """Return the group of each variable, −1 for none, (K,), and what each group is."""
    names = coding.names
    groups = {"X": list(range(len(names)))} if groups is None else groups
    member, found = np.full(len(names), -1), []
    for g, (name, own) in enumerate(zip(groups, _positions(groups, names, "X"), strict=True)):
        member[list(own)] = g
        texts = [coding.variables[k].levels is not None for k in own]
        found.append(_kind_of((kinds or {}).get(name), name, texts))
    return member, found


def _kind_of(kind: object, name: Hashable, texts: Sequence[bool]) -> str:
    """Return the kind of a group: as requested, or by which of its columns hold categories."""
    if kind is None:
        return "categories" if all(texts) else "mixed" if any(texts) else "scaled"
    if not isinstance(kind, str) or kind not in _WORDS:
        raise InputError(
            f"kinds[{name!r}]={str(kind)[:40]!r} must be one of {', '.join(KINDS)} (or "
            f"{', '.join(KINDS.values())})"
        )
    return _WORDS[kind]


def columns_of_kind(
    columns: Sequence[Numeric | Factor], kind: str, name: Hashable
) -> list[Numeric | Factor]:
    """Return the columns of a group as its kind takes them."""
    if kind == "categories":
        return as_categories(columns, f"the group {name!r}")
    if kind == "mixed":
        return list(columns)
    for column in columns:
        if isinstance(column, Factor):
            raise InputError(
                f"X, column {column.name!r} holds categories, but kinds[{name!r}]={kind!r} is for "
                "numbers: use kinds 'categories' or 'mixed'"
            )
        if kind == "counts" and (column.values < 0).any():
            raise InputError(
                f"kinds[{name!r}]='counts', but column {column.name!r} has negative numbers: use "
                "'scaled' or 'centered'"
            )
    return list(columns)


def _margins(
    columns: Sequence[Numeric | Factor], is_count: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of columns of counts in all counts and the masses of the rows."""
    N = np.stack([c.values for c, one in zip(columns, is_count, strict=True) if one], axis=1)  # type: ignore[union-attr]
    N = N * w[:, None]
    total = N.sum()
    if not np.isfinite(total) or total <= 0:
        raise InputError("X: the groups of counts hold no counts, or their sum overflows")
    if not (N.sum(axis=0) > 0).all():
        names = [c.name for c, one in zip(columns, is_count, strict=True) if one]
        empty = names[int(np.argmin(N.sum(axis=0)))]
        raise InputError(f"X has no counts in column {empty!r}: drop it")
    return N.sum(axis=0) / total, N.sum(axis=1) / total


def _positions(groups: Mapping[Any, Any], names: Sequence[Any], name: str) -> list[list[int]]:
    """Return the positions of the columns of each group, given by name or by position."""
    place = {label: k for k, label in enumerate(names)}
    taken: dict[int, Any] = {}
    out = []
    for group, labels in groups.items():
        if isinstance(labels, str) or not hasattr(labels, "__iter__"):
            raise InputError(f"groups[{group!r}] must be a list of columns")
        own = []
        for label in labels:
            k = place.get(label, label if isinstance(label, int) else None)
            if k is None or isinstance(k, bool) or not 0 <= k < len(names):
                raise InputError(
                    f"groups[{group!r}] has {label!r}, which is no column of {name}: name one"
                )
            if k in taken:
                raise InputError(
                    f"column {label!r} is in the groups {taken[k]!r} and {group!r}: put it in one"
                )
            taken[k] = group
            own.append(k)
        if not own:
            raise InputError(f"groups[{group!r}] has no column: give it one, or leave it out")
        out.append(own)
    return out
