"""What the number of replicates changes: the curves of a study of networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import pandas as pd

from gramian.plots.drawing import Drawing, drawn
from gramian.plots.layout import around, finish
from gramian.plots.look import across, upwards
from gramian.plots.networks import check_study
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Panel
from gramian.plots.style import ACCENT, MUTED, PALETTE, POINT_COLOR

__all__ = ["replicates"]

_WIDTH, _HEIGHT, _GAP = 300.0, 114.0, 62.0


@drawn
def replicates(study: Any, *, title: str = "", **drawing: Unpack[Drawing]) -> Figure:
    """Draw what changes with the number of replicates: agreement, distances, shares found again.

    Parameters
    ----------
    study : ReplicateStudy
        What `networks.replicate_study` returns.
    title : str

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none". Bands are those of the study;
    a dashed line is extrapolated.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> len(gm.plots.replicates(study, backend="none").panels)
    3
    """
    check_study(study)
    curve = study.curve
    seen = curve[curve["seen"]]
    lowest = min(0.0, float(seen["agreement_low"].min()))
    farthest = 1.08 * float(curve["distance_high"].max() or 1.0)
    parts: list[tuple[Axis, Sequence[Layer]]] = [  # from the bottom up
        (Axis("Share found again", (0.0, 1.05)), _shares(seen)),
        (Axis("Distance in H", (0.0, farthest)), _distance(curve)),
        (Axis("Agreement", (lowest, 1.05)), _agreement(study, curve, seen)),
    ]
    x = Axis("Replicates per condition", around(_x(curve), 0.04), whole=True)
    high = upwards(_HEIGHT)
    panels = [
        Panel(0.0, k * (high + _GAP), across(_WIDTH), high, x, y, tuple(layers))
        for k, (y, layers) in enumerate(parts)
    ]
    numbers = {"curve": curve, "recommended": study.recommended, "interval": study.interval}
    return finish(panels, title=title, notes=[_note(study)], numbers=numbers)


def _shares(seen: pd.DataFrame) -> list[Curve]:
    """Return which share of the edges and of the hubs each size finds again."""
    look: dict[str, Any] = {"width": 1.5, "marker_size": 4.0}
    return [
        Curve(_x(seen), seen[key].to_numpy(), color, name=f"{key} found again", **look)
        for key, color in (("edges", PALETTE[3]), ("hubs", PALETTE[4]))
    ]


def _distance(curve: pd.DataFrame) -> list[Curve]:
    return _banded(curve, "distance", PALETTE[2], "distance to all replicates")


def _agreement(study: Any, curve: pd.DataFrame, seen: pd.DataFrame) -> list[Layer]:
    """Return the agreement with its target, dashed beyond the sizes that were seen."""
    layers: list[Layer] = [
        Guide("y", study.target, color=MUTED, dash="dash"),
        *_interval(study, curve),
        *_banded(seen, "agreement", POINT_COLOR, "agreement"),
    ]
    if not curve["seen"].all():
        rest = curve.iloc[len(seen) - 1 :]  # from the last size seen, so that the line goes on
        layers.append(Curve(_x(rest), rest["agreement"].to_numpy(), POINT_COLOR, dash="dash"))
    return layers


def _x(table: pd.DataFrame) -> np.ndarray:
    return table.index.to_numpy(dtype=float)


def _banded(table: pd.DataFrame, key: str, color: str, name: str) -> list[Curve]:
    """Return a curve in its band."""
    x, low, high = _x(table), table[f"{key}_low"].to_numpy(), table[f"{key}_high"].to_numpy()
    around_x = np.concatenate([x, x[::-1], x[:1]])
    around_y = np.concatenate([high, low[::-1], high[:1]])
    return [
        Curve(around_x, around_y, color, width=0.0, fill=0.18),
        Curve(x, table[key].to_numpy(), color, width=1.6, marker_size=4.0, name=name),
    ]


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
