"""Barycentres of groups, on a map or in space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.plots.coloring import Coloring
from gramian.plots.labels import Naming
from gramian.plots.record import Points
from gramian.plots.style import TEXT, TITLE, text_color

_FEW = 200  # points between which names find places


def barycentre(Z: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the weighted mean of the rows of Z."""
    return w @ Z / w.sum()


def barycentres_of(Z: np.ndarray, colors: Coloring, w: np.ndarray) -> pd.DataFrame:
    """Return the barycentre of each group with a name, one row each."""
    groups = [g for g in colors.groups if g.name and w[g.rows].sum() > 0]
    if not groups:
        raise InputError("barycentres=True needs groups: give color= a column of categories")
    centres = [barycentre(Z[g.rows], w[g.rows]) for g in groups]
    return pd.DataFrame(np.array(centres), index=[g.name for g in groups])


def barycentre_layers(centres: pd.DataFrame, colors: Coloring) -> list[Points]:
    """Return a large marker for each barycentre."""
    looks = {group.name: group for group in colors.groups}
    return [
        Points(
            centre[None, :],
            color=looks[name].color,
            size=11.0,
            alpha=1.0,
            marker=looks[name].marker,
            labels=(f"barycentre of {name}",),
            name=name,
        )
        for name, centre in zip(centres.index, centres.to_numpy(), strict=True)
    ]


def names_of_groups(
    Z: np.ndarray, colors: Coloring, w: np.ndarray, *, marked: bool
) -> list[Naming]:
    """Return the names of groups that are marked, or more than colours tell apart."""
    if not marked and not colors.crowded:
        return []
    naming = name_barycentres(barycentres_of(Z, colors, w), colors)
    return [naming if marked else replace(naming, radius=0.0, size=TITLE, over=len(Z) > _FEW)]


def name_barycentres(centres: pd.DataFrame, colors: Coloring) -> Naming:
    """Return the names of the groups, to stand by their barycentres."""
    inks = {group.name: text_color(group.color) for group in colors.groups}
    names = list(centres.index)
    colors_of = [inks[name] for name in names]
    return Naming(centres.to_numpy(), names, colors_of, 6.0, bold=True, size=TEXT)
