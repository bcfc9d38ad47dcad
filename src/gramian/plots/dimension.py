"""How many axes each rule keeps, and what most of them say."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.errors import InputTypeError
from gramian.plots.backends import draw
from gramian.plots.layout import single
from gramian.plots.record import Axis, Curve, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, BAR_COLOR, FAINT, MUTED
from gramian.plots.text import shorten

__all__ = ["dimension"]

_LENGTH, _STEP = 320.0, 16.0


def dimension(found: Any, *, title: str = "", backend: str = "matplotlib") -> Any:
    """Draw the number of axes that each rule keeps, and the consensus as a dashed line.

    Rules that agree with the consensus are in colour; the p-value of the last axis kept stands
    beside the rules that are tests.

    Parameters
    ----------
    found : Choices
        The result of `gm.dimension.choose`.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> found = gm.dimension.choose(gm.datasets.iris().data, rules=["kaiser", "elbow", "cattell"])
    >>> gm.plots.dimension(found, backend="none").numbers["q"].tolist()
    [1, 1, 3]
    """
    if not hasattr(found, "consensus") or "q" not in found:
        raise InputTypeError(
            f"found must be the result of gm.dimension.choose, got {type(found).__name__}"
        )
    q, consensus = found["q"].to_numpy(), found.consensus
    at = np.arange(1.0, len(q) + 1.0)
    agree = q == consensus
    layers: list[Layer] = [
        Curve(np.array([0.0, k]), np.array([y, y]), FAINT, width=1.0)
        for k, y in zip(q, at, strict=True)
    ]
    label = f"consensus: {consensus} ({found.votes[consensus]} of {found.votes.sum()} votes)"
    layers.append(Guide("x", float(consensus), ACCENT, 1.2, "dash", name=label))
    for rows, color, name in ((agree, BAR_COLOR, "agree"), (~agree, MUTED, "differ")):
        if rows.any():
            xy = np.column_stack([q, at])[rows]
            names = [str(rule) for rule in found.index[rows]]
            layers.append(Points(xy, color, size=7.0, labels=names, name=name))
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=_LENGTH,
        height=_STEP * len(q) + 8.0,
        x=Axis("Axes kept", (-0.02 * (q.max() or 1), 1.06 * max(q.max(), 1)), whole=True),
        y=Axis("", (len(q) + 0.6, 0.4), list(zip(at, _texts(found), strict=True)), line=False),
        layers=(),
    )
    numbers = {"q": q, "rules": list(found.index), "consensus": consensus}
    return draw(single(panel, layers, title=title, numbers=numbers), backend)


def _texts(found: Any) -> list[str]:
    """Return the names of the rules, with p-values where they are tests."""
    pairs = zip(found.index, found["p_value"], strict=True)
    return [shorten(f"{rule} (p = {p:.2g})" if p == p else str(rule), 32) for rule, p in pairs]
