"""Classes of the rows, where a study is asked for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from gramian import clusters
from gramian._core.check import invalid, is_whole, whole
from gramian._study.claim import Claim, claim
from gramian._study.language import Fixed, Listed, Name, P, Sentence, rows
from gramian._study.subject import Subject

_NAMED = 4  # columns or categories of a class, and rows that show it


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes, the axes they were found on, and what is particular to each."""

    found: Any
    n_axes: int
    table: pd.DataFrame  # of gm.clusters.describe
    paragons: pd.DataFrame


def checked_clusters(value: Any) -> int | str | None:
    """Return None, "auto" or a number of classes.

    >>> checked_clusters(3), checked_clusters("auto")
    (3, 'auto')
    """
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if not is_whole(value):
        raise invalid("clusters", value, 'must be None, "auto" or a whole number')
    return whole(value, "clusters", least=2)


def check_number(number: int | str | None, n: int) -> None:
    """Raise an error where more classes are requested than there are rows.

    >>> check_number(3, 30)
    """
    if isinstance(number, int):
        whole(number, "clusters", 2, n, what="the rows")


def classes_of(
    subject: Subject, fit: Any, q: int, number: int | str | None, seed: int
) -> Classes | None:
    """Return the classes on the axes that are read; None where none were asked for."""
    if number is None:
        return None
    axes = min(max(2, q), fit.n_components_)
    count = None if number == "auto" else number
    found = clusters.find(fit, count, n_axes=axes, random_state=seed)
    table = subject.X if subject.kind == "table" else None
    described = found.axes() if table is None else clusters.describe(found.labels, table)
    return Classes(found, axes, described.classes, found.paragons(_NAMED))


def class_claims(classes: Classes | None) -> list[Claim]:
    """Say how many classes there are, by a test or as asked, and describe each."""
    if classes is None:
        return []
    found = classes.found
    values = {"count": found.n_clusters, "axes": classes.n_axes}
    p = found.p_value
    if p is not None:
        values["p"] = P(p)
    key = "asked" if p is None else "one" if found.n_clusters == 1 else "found"
    out = [claim("data", Sentence(f"claim.classes.{key}", values), subject="classes", p_value=p)]
    return out + ([] if found.n_clusters == 1 else [_class(classes, k) for k in found.sizes.index])


def _class(classes: Classes, k: int) -> Claim:
    own = classes.table[classes.table["class"] == k]
    high = own[own["v_test"] > 0].nlargest(_NAMED, "v_test")
    low = own[(own["v_test"] < 0) & (own["kind"] == "number")].nsmallest(_NAMED, "v_test")
    typical = classes.paragons[classes.paragons["class"] == k]["row"]
    values = {
        "k": int(k),
        "n": int(classes.found.sizes[k]),
        "rows": rows(list(typical)[:_NAMED]),
        "high": Listed(tuple(_part(row) for _, row in high.iterrows())),
        "low": Listed(tuple(_part(row) for _, row in low.iterrows())),
    }
    sides = "both" if len(high) and len(low) else "high" if len(high) else "low"
    sides = sides if len(own) else "none"
    return claim("data", Sentence(f"claim.classes.{sides}", values), subject="class")


def _part(row: pd.Series) -> Sentence:
    name = row["variable"] if row["kind"] == "number" else f"{row['variable']}={row['category']}"
    return Sentence("category.v", {"name": Name(name), "v": Fixed(float(row["v_test"]), 1)})
