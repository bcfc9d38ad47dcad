"""Data read from a file, and the role of each part."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from gramian._core.check import invalid, is_list, one_of, text
from gramian._study.language import Count
from gramian.errors import InputTypeError, NearlyEmptyWarning
from gramian.io.notes import Note, note

Kind: TypeAlias = Literal["table", "distances", "graphs", "sequences"]
Missing: TypeAlias = Literal["keep", "drop-rows", "drop-columns", "iterative", "mean", "median"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MISSING: tuple[Missing, ...] = get_args(Missing)
ROLES = ("active", "supplementary", "group", "ignored")


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """Data to analyse, with the role of each column and a record of how they were read.

    Parameters
    ----------
    kind, names : {"table", "distances", "graphs", "sequences"}, list of str
        What the data are, and the labels of the individuals in their order.
    table : DataFrame, for a table
        All columns that were read, with the labels as index.
    roles : dict, for a table
        The role of each column: "active" (makes the axes), "supplementary" (numbers placed
        afterwards), "group" (categories placed afterwards) or "ignored".
    distances : DataFrame, for distances
        Square, the labels on both sides.
    graphs, sequences : list of Graph, list of str
        The objects, one per individual.
    notes : list of str
        What was detected or guessed, one sentence each, with its translation `.french`.
    warnings : list of str
        Possible faults of the data that affect the results, and the options that address them.
    path : str, optional
        Where the data come from.
    holes : DataFrame of bool, optional
        The cells of the table that were imputed.
    options : dict
        The options of `gramian.io.read`, so that the reading can be repeated.
    title : str
        A short name for headings.
    content : str, for a table
        The kind of table: "measurements", "categories", "codes", "scores", "presence",
        "abundances", "contingency", "composition", "expression", "genotypes" or "cells".
    code : str
        The Python expression that creates the data, if known.
    steps : tuple of str
        Lines of Python that repeat what was done to the source after it was read.
    added : tuple of str
        Columns of groups that `with_group` added.

    Examples
    --------
    >>> import pandas as pd
    >>> source = gm.io.as_source(pd.DataFrame({"x": [1.0, 2.0, 4.0], "sex": ["f", "m", "f"]}))
    >>> source.roles, source.active().shape
    ({'x': 'active', 'sex': 'group'}, (3, 1))
    """

    kind: Kind
    names: list[str]
    table: pd.DataFrame | None = None
    roles: dict[Any, str] = field(default_factory=dict)
    distances: pd.DataFrame | None = None
    graphs: list[Any] | None = None
    sequences: list[str] | None = None
    notes: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    path: str | None = None
    title: str = "data"
    options: dict[str, Any] = field(default_factory=dict)
    holes: pd.DataFrame | None = None
    content: str = "measurements"
    code: str = ""
    steps: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        """Say in a few lines what was read and how."""
        lines = [f"Source {self.title!r}: {self._size()}"]
        lines += [f"  {text}" for text in [*self.notes, *self.warnings]]
        return "\n".join(lines)

    def _size(self) -> str:
        n = len(self)
        if self.kind == "table":
            counts = {role: len(self.columns(role)) for role in ROLES}
            return f"{n} rows; columns: " + ", ".join(f"{k} {role}" for role, k in counts.items())
        return f"{n} × {n} distances" if self.kind == "distances" else f"{n} {self.kind}"

    @property
    def data(self) -> Any:
        """The input for an estimator: active columns, distances, graphs or sequences."""
        if self.kind == "table":
            return self.active()
        return getattr(self, self.kind)

    def columns(self, role: str) -> list[Any]:
        """Return the columns of a role, in the order of the file."""
        text(role, "role")
        return [column for column, own in self.roles.items() if own == role]

    def active(self) -> pd.DataFrame:
        """Return the columns that make the axes, as floating-point numbers."""
        return self._take("active").astype(float)

    def supplementary(self) -> pd.DataFrame:
        """Return the numeric columns that are placed afterwards."""
        return self._take("supplementary").astype(float)

    def groups(self) -> pd.DataFrame:
        """Return the columns of categories that are placed afterwards."""
        return self._take("group").apply(_categories)

    def _take(self, role: str) -> pd.DataFrame:
        if self.table is None:
            return pd.DataFrame(index=pd.Index(self.names))
        return self.table.loc[:, self.columns(role)]

    def missing(self) -> pd.Series:
        """Return the number of missing values of each active column that has any."""
        active = self._take("active")
        count = pd.Series(active.isna().to_numpy().sum(axis=0), index=active.columns, dtype=int)
        return count[count > 0]

    def take(self, names: Iterable[str]) -> Source:
        """Return the source with some of its rows only, in their own order.

        Examples
        --------
        >>> len(gm.io.as_source(gm.datasets.iris()).take(["flower_001", "flower_007"]))
        2
        """
        wanted = self._known(names)
        keep = [k for k, name in enumerate(self.names) if name in wanted]
        parts: dict[str, Any] = {"names": [self.names[k] for k in keep]}
        for part in ("table", "holes"):
            if (frame := getattr(self, part)) is not None:
                parts[part] = frame.iloc[keep]
        if self.distances is not None:
            parts["distances"] = self.distances.iloc[keep, keep]
        for part in ("graphs", "sequences"):
            if (objects := getattr(self, part)) is not None:
                parts[part] = [objects[k] for k in keep]
        step = f"source = source.take({parts['names']!r})"
        return replace(self, steps=(*self.steps, step), **parts)

    def with_group(
        self, column: str, levels: Mapping[str, Iterable[str]], *, rest: str = "other"
    ) -> Source:
        """Return the source with a further column of groups, placed afterwards.

        Parameters
        ----------
        column : str
            The name of the new column, which must not exist yet.
        levels : dict
            The names of the rows of each group.
        rest : str
            The group of all other rows.

        Examples
        --------
        >>> source = gm.io.as_source(gm.datasets.iris())
        >>> source = source.with_group("mine", {"a": ["flower_001", "flower_007"]})
        >>> source.groups()["mine"].value_counts().to_dict()
        {'other': 148, 'a': 2}
        """
        text(column, "column")
        if column in self.roles:
            raise invalid("column", column, "is the name of a column: give another one")
        text(rest, "rest")
        if not isinstance(levels, Mapping):
            raise invalid("levels", levels, "must be a dict of names of rows", InputTypeError)
        rows = {str(level): self._known(names) for level, names in levels.items()}
        values = {name: level for level, names in rows.items() for name in names}
        index = pd.Index(self.names)
        table = pd.DataFrame(index=index) if self.table is None else self.table.copy(deep=False)
        table[column] = [values.get(name, rest) for name in self.names]
        order = {level: [name for name in self.names if name in own] for level, own in rows.items()}
        end = "" if rest == "other" else f", rest={rest!r}"
        return replace(
            self,
            table=table,
            roles=self.roles | {column: "group"},
            steps=(*self.steps, f"source = source.with_group({column!r}, {order!r}{end})"),
            added=(*self.added, column),
        )

    def _known(self, names: Iterable[str]) -> set[str]:
        """Return names of rows, all of which must be there."""
        if not is_list(names) and not isinstance(names, set | frozenset):
            raise invalid("names", names, "must be a list of names of rows", InputTypeError)
        wanted = {str(name) for name in names}
        if unknown := wanted.difference(self.names):
            raise invalid("names", min(unknown), "is not the name of a row: see source.names")
        return wanted

    def complete(self, how: str = "drop-rows") -> Source:
        """Return the source without missing values in its active columns.

        Parameters
        ----------
        how : {"drop-rows", "drop-columns", "iterative", "mean", "median", "keep"}
            Drop rows or columns with missing values; impute them from the axes of the table
            (`gm.missing.impute`; rows and columns without any value are dropped); replace them by
            the mean or median of the column; or keep them, which most methods do not accept.
        """
        one_of(how, "missing", MISSING)
        gaps = self.missing()
        if self.table is None or how == "keep" or gaps.empty:
            return self
        rest = [text for text in self.warnings if getattr(text, "key", "") != "missing"]
        table, roles, names, holes = self.table, self.roles, self.names, self.holes
        if how == "drop-rows":
            keep = table[list(gaps.index)].notna().all(axis=1).to_numpy()
            table, names = table[keep], [name for name, k in zip(names, keep, strict=True) if k]
            # Where answers are missing in rows that stay, the note names what the others lack.
            stay = table[self.columns("group")].isna().to_numpy().any()
            lack = {"names": few(gaps.index)} if stay else {}
            key = "dropped_numbers" if stay else "dropped_rows"
            rest.append(note(key, n=int((~keep).sum()), of=len(keep), **lack))
        elif how == "iterative":
            # Not needed to read most files.
            from gramian._estimators.imputation.choose import complete_frame

            known = self._take("active").notna()  # rows and columns without any value are left out
            full, keep = known.any(axis=0), known.any(axis=1).to_numpy()
            roles = {c: r if r != "active" or full[c] else "ignored" for c, r in roles.items()}
            table, names = table[keep], [name for name, k in zip(names, keep, strict=True) if k]
            if len(table) > 2 and list(roles.values()).count("active") > 1:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", NearlyEmptyWarning)
                    active = [c for c, role in roles.items() if role == "active"]
                    filled, q = complete_frame(table[active].astype(float))
                holes = table.isna()
                table = table.copy()
                table[active] = filled
                if any(issubclass(each.category, NearlyEmptyWarning) for each in caught):
                    rest.append(note("nearly_empty"))
                axes = {"axes": Count("axis", q)} if q else {}
                key = "iterative" if q else "mean"
                rest.append(note(key, n=int(gaps.sum()), names=few(gaps.index), **axes))
        elif how == "drop-columns":
            roles = {c: "ignored" if c in gaps.index else role for c, role in roles.items()}
            rest.append(note("dropped_columns", n=len(gaps), names=few(gaps.index)))
        else:
            numbers = table[list(gaps.index)].astype(float)
            table = table.copy()
            table[numbers.columns] = numbers.fillna(getattr(numbers, how)())
            rest.append(note(how, n=int(gaps.sum()), names=few(gaps.index)))
        n, p = len(table), list(roles.values()).count("active")
        # Axes to fill in by take a row and a column more.
        if n < 2 + (how == "iterative") or p < 1 + (how == "iterative"):
            text = f"leaves {n} row{'' if n == 1 else 's'} and {p} active "
            text += f"column{'' if p == 1 else 's'}: choose another way, one of "
            raise invalid("missing", how, text + ", ".join(MISSING[1:]))
        return replace(self, table=table, roles=roles, names=names, warnings=rest, holes=holes)


def _categories(column: pd.Series) -> pd.Series:
    """Return a column of categories as texts; missing ones stay missing."""
    known = column.notna()
    levels = column[known]
    if pd.api.types.is_float_dtype(levels.dtype) and (levels == np.floor(levels)).all():
        levels = levels.astype(int)
    out = pd.Series(pd.NA, index=column.index, dtype=object, name=column.name)
    out[known] = levels.astype(str)
    return out.astype("category")


def few(names: Iterable[Any], most: int = 5) -> str:
    """Write a few names, and how many more there are."""
    texts = [repr(str(name))[:40] for name in names]
    return ", ".join(texts[:most]) + (f", … ({len(texts)})" if len(texts) > most else "")
