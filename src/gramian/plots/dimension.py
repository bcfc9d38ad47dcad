"""How many axes each rule keeps, and what most of them say."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from gramian.errors import InputTypeError
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.layout import single
from gramian.plots.look import across, upwards
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, BAR_COLOR, FAINT, MUTED
from gramian.plots.text import shorten

_LENGTH, _STEP = 320.0, 16.0


@drawn
def dimension(found: Any, *, title: str = "", **drawing: Unpack[Drawing]) -> Figure:
    """Draw the number of axes that each rule keeps, and the consensus as a dashed line.

    Rules that agree with the consensus are in colour; the p-value of the last axis kept stands
    beside the rules that are tests.

    Parameters
    ----------
    found : Choices
        The result of `gm.dimension.choose`.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> choices = gm.dimension.choose(X, rules=["kaiser", "elbow", "cattell"])
    >>> gm.plots.dimension(choices, backend="none").numbers["q"].tolist()
    [1, 1, 3]
    """
    if not hasattr(found, "consensus") or "q" not in found:
        raise InputTypeError(
            f"found must be the result of gm.dimension.choose, got {type(found).__name__}"
        )
    return _record(found, title)


def _record(choices: Any, title: str) -> Figure:
    q, votes = choices["q"].to_numpy(), choices.votes
    label = f"consensus: {choices.consensus} ({votes[choices.consensus]} of {votes.sum()} votes)"
    consensus = Guide("x", float(choices.consensus), ACCENT, 1.2, "dash", name=label)
    layers: list[Layer] = [*_stems(q), consensus, *_points(choices)]
    numbers = {"q": q, "rules": list(choices.index), "consensus": choices.consensus}
    return single(_panel(choices), layers, title=title, numbers=numbers)


def _heights(q: np.ndarray) -> np.ndarray:
    """Return where rules stand: one below the other, from 1."""
    return np.arange(1.0, len(q) + 1.0)


def _stems(q: np.ndarray) -> list[Curve]:
    return [
        Curve(np.array([0.0, k]), np.array([y, y]), FAINT, width=1.0)
        for k, y in zip(q, _heights(q), strict=True)
    ]


def _points(choices: Any) -> list[Points]:
    """Return the rules that agree with the consensus, then those that differ."""
    q = choices["q"].to_numpy()
    agree = q == choices.consensus
    xy = np.column_stack([q, _heights(q)])
    looks = ((agree, BAR_COLOR, "agree"), (~agree, MUTED, "differ"))
    return [
        Points(xy[rows], color, size=7.0, labels=list(map(str, choices.index[rows])), name=name)
        for rows, color, name in looks
        if rows.any()
    ]


def _panel(choices: Any) -> Panel:
    q = choices["q"].to_numpy()
    ticks = list(zip(_heights(q), _texts(choices), strict=True))
    return Panel(
        left=0.0,
        bottom=0.0,
        width=across(_LENGTH),
        height=upwards(_STEP * len(q) + 8.0),
        x=Axis("Axes kept", (-0.02 * (q.max() or 1), 1.06 * max(q.max(), 1)), whole=True),
        y=Axis("", (len(q) + 0.6, 0.4), ticks, line=False),
        layers=(),
    )


def _texts(choices: Any) -> list[str]:
    """Return the names of the rules, with p-values where they are tests."""
    pairs = zip(choices.index, choices["p_value"], strict=True)
    return [shorten(f"{rule} (p = {p:.2g})" if p == p else str(rule), 32) for rule, p in pairs]
