"""Networks: one network, the map of many, and what the number of replicates changes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian.errors import InputTypeError, TiedAxesWarning
from gramian.plots.backends import draw
from gramian.plots.cloud import origin_lines, plane
from gramian.plots.elements import check_axes
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, finish, single, sized_map
from gramian.plots.record import Axis, ColorScale, Curve, Guide, Layer, Panel, Points
from gramian.plots.style import ACCENT, INK, MARKERS, MUTED, PALETTE, POINT_COLOR, text_color
from gramian.plots.text import clean

__all__ = ["network", "networks", "replicates"]

_WIDTH, _HEIGHT, _GAP = 300.0, 190.0, 62.0


def replicates(study: Any, *, title: str = "", backend: str = "matplotlib") -> Any:
    """Draw what changes with the number of replicates: agreement, distances, shares found again.

    Parameters
    ----------
    study : ReplicateStudy
        What `networks.replicate_study` returns.
    title : str
    backend : "matplotlib", "plotly" or "none"

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
    curve = _studied(study).curve
    seen = curve[curve["seen"]]
    agreement: list[Layer] = [
        Guide("y", study.target, color=MUTED, dash="dash"),
        *_interval(study, curve),
        *_banded(seen, "agreement", POINT_COLOR, "agreement"),
    ]
    if not curve["seen"].all():
        rest = curve.iloc[len(seen) - 1 :]
        dashed = Curve(_x(rest), rest["agreement"].to_numpy(), POINT_COLOR, dash="dash")
        agreement.append(dashed)
    distance = _banded(curve, "distance", PALETTE[2], "distance to all replicates")
    look: dict[str, Any] = {"width": 1.5, "marker_size": 4.0}
    shares = [
        Curve(_x(seen), seen[key].to_numpy(), color, name=f"{key} found again", **look)
        for key, color in (("edges", PALETTE[3]), ("hubs", PALETTE[4]))
    ]
    layers = (shares, distance, agreement)  # from the bottom up
    titles = ("Share found again", "Distance in H", "Agreement")
    limits = [(0.0, 1.05), (0.0, 1.08 * float(curve["distance_high"].max() or 1.0))]
    limits.append((min(0.0, float(seen["agreement_low"].min())), 1.05))
    span = around(_x(curve), 0.04)
    panels = [
        Panel(
            left=0.0,
            bottom=k * (_HEIGHT * 0.6 + _GAP),
            width=_WIDTH,
            height=_HEIGHT * 0.6,
            x=Axis("Replicates per condition", span, whole=True),
            y=Axis(titles[k], limits[k]),
            layers=tuple(layers[k]),
        )
        for k in range(3)
    ]
    numbers = {"curve": curve, "recommended": study.recommended, "interval": study.interval}
    return draw(finish(panels, title=title, notes=[_note(study)], numbers=numbers), backend)


def _studied(study: Any) -> Any:
    if not hasattr(study, "by_condition") or not hasattr(study, "similarities"):
        raise InputTypeError(
            f"study is {type(study).__name__}: give what networks.replicate_study returns"
        )
    return study


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
    found = "none in reach" if study.recommended is None else str(study.recommended)
    how = " (extrapolated)" if study.extrapolated and study.recommended is not None else ""
    return f"recommended: {found}{how}, {100 * study.level:.0f} % interval: {span}"


def networks(
    study: Any, axes: Sequence[int] = (1, 2), *, title: str = "", backend: str = "matplotlib"
) -> Any:
    """Draw the map of all networks of a study: kernel PCA, coloured by number of replicates.

    Conditions have markers of their own; the networks of all replicates are large and named.

    Parameters
    ----------
    study : ReplicateStudy
    axes : (int, int)
        Counted from 1.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> gm.plots.networks(study, backend="none").numbers["coordinates"].shape[1]
    2
    """
    table = _studied(study).networks
    fitted = study.map(max(2, *axes))
    axes = check_axes(fitted, axes, 2)
    Z = np.asarray(fitted.coordinates_)[:, [k - 1 for k in axes]]
    size, whole = table["size"].to_numpy(dtype=float), table["all"].to_numpy()
    scale = ColorScale(float(size.min()), float(size.max()), title="replicates")
    marks: list[Points] = []
    names = list(study.replicates)
    for k, name in enumerate(names):
        mine = (table["condition"] == name).to_numpy()
        part = mine & ~whole
        marker, label = MARKERS[k % len(MARKERS)], clean(name) if len(names) > 1 else ""
        look: dict[str, Any] = {"marker": marker, "scale": scale}
        hover = [f"{label}, {r:.0f} replicates" for r in size[part]]
        marks.append(Points(Z[part], size[part], size=4.5, labels=hover, name=label, **look))
        hover = [f"{label}, all replicates"]
        full = mine & whole
        marks.append(Points(Z[full], ACCENT, size=11.0, marker=marker, labels=hover))
    panel = plane(fitted, axes, Z)
    texts = [f"{clean(name)}: all" if len(names) > 1 else "all" for name in names]
    naming = Naming(Z[whole], texts, text_color(ACCENT), 6.0, bold=True)
    spots = [panel.to_page(Z)]
    layers = [*origin_lines(), *marks, *label_layers(panel, [naming], spots)]
    numbers = {"coordinates": Z, "networks": table}
    return draw(single(panel, layers, title=title, numbers=numbers), backend)


def network(network: Any, *, labels: int = 12, title: str = "", backend: str = "matplotlib") -> Any:
    """Draw a network: near nodes are joined by short paths, large ones have many neighbours.

    Nodes without edges are left out. Positive edges are blue, negative ones orange.

    Parameters
    ----------
    network : Network
        Such as `study.consensus()`.
    labels : int
        How many nodes are named, those with most neighbours.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> net = gm.networks.Network([[0, 1, 0], [1, 0, -1], [0, -1, 0]], names=["a", "b", "c"])
    >>> gm.plots.network(net, backend="none").numbers["positions"].shape
    (3, 2)
    """
    if not hasattr(network, "degree") or not hasattr(network, "edge_values"):
        raise InputTypeError(f"network is {type(network).__name__}: give a networks.Network")
    degree = network.degree()
    kept = np.flatnonzero(degree.to_numpy() > 0)
    Z = _positions(network.adjacency[kept][:, kept])
    x = Axis("", around(Z[:, :1]), (), line=False)
    panel = sized_map(x, Axis("", around(Z[:, 1:]), (), line=False))
    place = np.full(network.n_nodes, -1)
    place[kept] = np.arange(kept.size)
    ends = place[network.ends.T]
    lines = [
        _lines(Z, ends[:, chosen], color, name)
        for name, chosen, color in (
            ("positive", network.weights > 0, PALETTE[5]),
            ("negative", network.weights < 0, ACCENT),
        )
        if chosen.any()
    ]
    count = degree.to_numpy()[kept]
    names = [clean(network.names[k]) for k in kept]
    sizes = 4.0 + 8.0 * np.sqrt(count / count.max(initial=1))
    told = {"neighbours": count.astype(float)}
    nodes = Points(Z, INK, size=sizes, labels=names, details=told)
    ranked = np.argsort(-count, kind="stable")[:labels]
    naming = Naming(Z[ranked], [names[k] for k in ranked], INK, sizes[ranked] / 2)
    texts = label_layers(panel, [naming], [panel.to_page(Z)])
    alone = network.n_nodes - kept.size
    left_out = f", {alone} nodes without any left out" if alone else ""
    notes = [f"{network.n_edges} edges{left_out}"]
    numbers = {"positions": Z, "nodes": kept}
    record = single(panel, [*lines, nodes, *texts], title=title, notes=notes, numbers=numbers)
    return draw(record, backend)


def _lines(Z: np.ndarray, ends: np.ndarray, color: str, name: str) -> Curve:
    """Return edges as one line with gaps."""
    gap = np.full(ends.shape[1], np.nan)
    x, y = (np.stack([Z[ends[0], k], Z[ends[1], k], gap], axis=1).ravel() for k in (0, 1))
    return Curve(x, y, color, width=0.8, name=name)


def _positions(A: Any) -> np.ndarray:
    """Return nodes in the plane, as far apart as their shortest paths are long (MDS)."""
    from scipy.sparse.csgraph import shortest_path

    from gramian.estimators.stress_mds import MDS

    n = A.shape[0]
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)])
    D = shortest_path(abs(A).sign(), directed=False, unweighted=True)
    reached = np.isfinite(D)
    D[~reached] = D[reached].max() + 1.0  # parts that nothing joins stand apart
    with warnings.catch_warnings():
        # Rings and stars have no first axis: nodes need places, not axes.
        warnings.simplefilter("ignore", TiedAxesWarning)
        return np.asarray(MDS(2, metric="precomputed", n_init=1).fit(D).coordinates_)
