"""What the number of replicates changes: the curves of a study of networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gramian._check import one_of
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.layout import around, finish
from gramian.plots.look import across, upwards
from gramian.plots.networks import check_study
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel
from gramian.plots.style import ACCENT, MUTED, PALETTE, POINT_COLOR

_WIDTH, _LOW, _HIGH, _GAP = 330.0, 120.0, 190.0, 62.0

_SHARED = {"edges": 3, "degrees": 2, "hubs": 4, "modules": 1}  # and their colours


@drawn
def replicates(
    study: Any, *, what: str = "both", title: str = "", **drawing: Unpack[Drawing]
) -> Figure:
    """Draw what changes with the number of replicates: agreement, and what experiments share.

    Points are observations; the dashed line and its band are the learning curves, the dotted level
    is chance.

    Parameters
    ----------
    study : ReplicateStudy
        What `networks.replicate_study` returns.
    what : "agreement", "shared" or "both"
        Agreement with its band, what two experiments share, or one above the other.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> len(gm.plots.replicates(study, backend="none").panels)
    2
    """
    check_study(study)
    curve = study.curve
    seen = curve[curve["seen"]]
    one_of(what, "what", ("agreement", "shared", "both"))
    parts: list[tuple[float, Axis, Sequence[Layer]]] = []  # from the bottom up
    if what != "agreement":
        lowest = min(0.0, 1.1 * float(seen[list(_SHARED)].min(axis=None)))
        parts.append((_LOW, Axis("Shared by two experiments", (lowest, 1.05)), _shares(seen)))
    if what != "shared":
        parts.append((_HIGH, Axis("Agreement", (0.0, 1.05)), _agreement(study, curve, seen)))
    x = Axis("Replicates per condition", around(_x(curve), 0.04), whole=True)
    low = upwards(_LOW)
    panels = [
        Panel(0.0, k * (low + _GAP), across(_WIDTH), upwards(height), x, y, tuple(layers))
        for k, (height, y, layers) in enumerate(parts)
    ]
    numbers = {"curve": curve, "recommended": study.recommended, "interval": study.interval}
    return finish(panels, title=title, notes=[_note(study)], numbers=numbers)


def _shares(seen: pd.DataFrame) -> list[Curve]:
    """Return what two experiments share at each size that was seen."""
    look: dict[str, Any] = {"width": 1.5, "marker_size": 4.0}
    return [
        Curve(_x(seen), seen[key].to_numpy(), PALETTE[k], name=key, **look)
        for key, k in _SHARED.items()
    ]


def _agreement(study: Any, curve: pd.DataFrame, seen: pd.DataFrame) -> list[Layer]:
    """Return what was seen in the band of the curves, dashed beyond, with target and chance."""
    x, y = _x(curve), curve["agreement"].to_numpy()
    low, high = curve["agreement_low"].to_numpy(), curve["agreement_high"].to_numpy()
    around_x = np.concatenate([x, x[::-1], x[:1]])
    around_y = np.concatenate([high, low[::-1], high[:1]])
    layers: list[Layer] = [
        Guide("y", study.target, color=MUTED, dash="dash"),
        Guide("y", max(study.chance, 0.0), color=MUTED, dash="dot"),
        *_interval(study, curve),
        Curve(around_x, around_y, POINT_COLOR, width=0.0, fill=0.18),
        Curve(x, y, POINT_COLOR, width=1.6, dash="dash", name="learning curve"),
    ]
    observed = seen["observed"].to_numpy()
    return [
        *layers,
        Curve(_x(seen), observed, POINT_COLOR, width=1.6, marker_size=5.0, name="seen"),
    ]


def _x(table: pd.DataFrame) -> np.ndarray:
    return table.index.to_numpy(dtype=float)


def _interval(study: Any, curve: pd.DataFrame) -> list[Layer]:
    """Return upright lines at the recommendation and at the ends of its interval."""
    last = float(curve.index[-1])
    ends = [float(end) for end in study.interval if end <= last]
    lines: list[Layer] = [Guide("x", end, color=ACCENT, dash="dot") for end in ends]
    if study.recommended is not None and study.recommended <= last:
        lines.append(Guide("x", float(study.recommended), color=ACCENT, width=1.4))
    return lines


def _note(study: Any) -> str:
    low, high = study.interval
    span = f"{low} or more" if np.isinf(high) else f"{low} to {high:.0f}"
    size = "none in reach" if study.recommended is None else str(study.recommended)
    how = " (extrapolated)" if study.extrapolated and study.recommended is not None else ""
    return f"recommended: {size}{how}, {100 * study.level:.0f} % interval: {span}"
