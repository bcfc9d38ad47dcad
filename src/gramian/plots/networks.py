"""Plots of networks: one, a map of many, and the effect of the number of replicates."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

import numpy as np

from gramian._core.check import generator, is_list, is_whole, one_of, short, whole
from gramian.errors import ConvergenceWarning, InputError, InputTypeError, TiedAxesWarning
from gramian.plots.cloud import origin_lines, plane
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import check_axes
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, finish, map_panel, single
from gramian.plots.record import Axis, ColorScale, Curve, Figure, Guide, Layer, Panel, Points
from gramian.plots.style import (
    ACCENT,
    INK,
    MARKERS,
    MUTED,
    PALE_SHARE,
    PALETTE,
    POINT_COLOR,
    across,
    clean,
    text_color,
    upwards,
)

if TYPE_CHECKING:  # plots of networks need not load them
    from scipy.sparse import csr_array

    from gramian.networks import Network, ReplicateStudy

_MAX_JITTER = 0.1  # the most by which a path is taken for longer than it is
_WIDTH, _LOW_HEIGHT, _HIGH_HEIGHT, _GAP = 330.0, 120.0, 190.0, 62.0

_SHARED_COLORS = {"edges": 3, "degrees": 2, "hubs": 4, "modules": 1}  # and their colours


Part: TypeAlias = Literal["agreement", "shared", "both"]  # of the curves of a study


@as_plot
def networks(
    study: ReplicateStudy,
    axes: Sequence[int] = (1, 2),
    *,
    color: Literal["size", "condition"] = "size",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of all networks of a study: kernel PCA, one point per network.

    Conditions have markers of their own; the networks of all replicates are large and named.

    Parameters
    ----------
    study : ReplicateStudy
        The result of `gm.networks.replicate_study`.
    color : "size" or "condition"
        Colour by the number of replicates, or by condition.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> gm.plots.networks(study, backend="none").numbers["coordinates"].shape[1]
    2
    """
    _check_study(study)
    if not is_list(axes) or not all(map(is_whole, axes)) or not len(axes):
        raise InputError(f"axes={short(axes)} must name 2 axes")
    one_of(color, "color", ("size", "condition"))
    fitted = study.map(max(2, *axes))
    axes = check_axes(fitted, axes, 2)
    Z = np.asarray(fitted.coordinates_)[:, [k - 1 for k in axes]]
    whole = study.networks["all"].to_numpy()
    texts = [f"{clean(name)}: all" if name != "all" else "all" for name in study.full]
    naming = Naming(Z[whole], texts, text_color(ACCENT), 6.0, bold=True)
    panel = plane(fitted, axes, Z)
    labels = label_layers(panel, [naming], [panel.to_page(Z)])
    layers = [*origin_lines(), *_marks(study, Z, color), *labels]
    numbers = {"coordinates": Z, "networks": study.networks}
    return single(panel, layers, numbers=numbers)


def _marks(study: ReplicateStudy, Z: np.ndarray, color: str) -> list[Points]:
    """Return the networks of each condition, then those of all its replicates."""
    table, marks = study.networks, []
    size, whole = table["size"].to_numpy(dtype=float), table["all"].to_numpy()
    ends = (float(size.min()), float(size.max()))
    scale = ColorScale(*ends, title="replicates", start=PALE_SHARE)
    for k, condition in enumerate(study.full):
        own = (table["condition"] == condition).to_numpy()
        part, full = own & ~whole, own & whole
        name, marker = clean(condition), MARKERS[k % len(MARKERS)]
        ink = PALETTE[k % len(PALETTE)]
        if part.any():
            hover = [f"{name}, {r:.0f} replicates" for r in size[part]]
            look: dict[str, Any] = {"color": ink, "name": name}
            if color == "size":
                look = {"color": size[part], "scale": scale}
            marks.append(Points(Z[part], size=4.5, marker=marker, labels=hover, **look))
        hover = [f"{name}, all replicates"]
        strong = ACCENT if color == "size" else ink
        marks.append(Points(Z[full], strong, size=11.0, marker=marker, labels=hover))
    return marks


def _check_study(study: ReplicateStudy) -> None:
    if not hasattr(study, "by_condition") or not hasattr(study, "similarities"):
        raise InputTypeError(
            f"study is {type(study).__name__}: give what networks.replicate_study returns"
        )


@as_plot
def network(network: Network, *, labels: int = 12, **drawing: Unpack[Drawing]) -> Figure:
    """Draw a network, with nodes close if paths are short and large if they have many neighbours.

    Nodes without edges are left out. Positive edges are blue, negative ones orange.

    Parameters
    ----------
    network : Network
        The network, for example `study.consensus()`.
    labels : int
        Number of nodes that are named, those with the most neighbours.

    Examples
    --------
    >>> net = gm.networks.Network([[0, 1, 0], [1, 0, -1], [0, -1, 0]], names=["a", "b", "c"])
    >>> gm.plots.network(net, backend="none").numbers["positions"].shape
    (3, 2)
    """
    if not hasattr(network, "degree") or not hasattr(network, "edge_values"):
        raise InputTypeError(f"network is {type(network).__name__}: give a networks.Network")
    whole(labels, "labels", 0)
    degree = network.degree().to_numpy()
    joined = np.flatnonzero(degree > 0)
    Z = _positions(network.adjacency[joined][:, joined])
    # Its axes mean nothing, so neither is ticked nor drawn.
    x, y = (Axis("", around(Z[:, k]), (), line=False) for k in (0, 1))
    panel = map_panel(x, y)
    places = np.full(network.n_nodes, -1)
    places[joined] = np.arange(joined.size)
    ends = places[network.ends.T]
    positive, negative = network.weights > 0, network.weights < 0
    signs = (("positive", positive, PALETTE[5]), ("negative", negative, ACCENT))
    layers: list[Layer] = [
        _lines(Z, ends[:, those], color, name) for name, those, color in signs if those.any()
    ]
    count, names = degree[joined], [clean(network.names[k]) for k in joined]
    sizes = 4.0 + 8.0 * np.sqrt(count / count.max(initial=1))  # areas grow with neighbours
    details = {"neighbours": count.astype(float)}
    layers.append(Points(Z, INK, size=sizes, labels=names, details=details))
    best = np.argsort(-count, kind="stable")[:labels]
    naming = Naming(Z[best], [names[k] for k in best], INK, sizes[best] / 2)
    layers += label_layers(panel, [naming], [panel.to_page(Z)])
    alone = network.n_nodes - joined.size
    left_out = f", nodes without any left out: {alone}" if alone else ""
    notes = [f"edges: {network.n_edges}{left_out}"]
    numbers = {"positions": Z, "nodes": joined}
    return single(panel, layers, notes=notes, numbers=numbers)


def _lines(Z: np.ndarray, ends: np.ndarray, color: str, name: str) -> Curve:
    """Return edges as one line with gaps."""
    gap = np.full(ends.shape[1], np.nan)
    x, y = (np.stack([Z[ends[0], k], Z[ends[1], k], gap], axis=1).ravel() for k in (0, 1))
    return Curve(x, y, color, width=0.8, name=name)


def _positions(A: csr_array) -> np.ndarray:
    """Return nodes in the plane, as far apart as their shortest paths are long (MDS)."""
    from scipy.sparse.csgraph import shortest_path

    from gramian._estimators.scaling.stress_mds import MDS

    n = A.shape[0]
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)])
    D = shortest_path(abs(A).sign(), directed=False, unweighted=True)
    reached = np.isfinite(D)
    D[~reached] = D[reached].max() + 1.0  # parts that nothing joins stand apart
    # Parts alike leave the plane open, and nodes that start on one another would stay there: small
    # differences between paths, always the same, decide.
    U = np.triu(generator(0).random((n, n)), 1)
    D = D * (1.0 + _MAX_JITTER * (U + U.T))
    with warnings.catch_warnings():
        # Rings and stars have no first axis, and large networks settle slowly: nodes need places
        # that can be looked at, neither axes nor the last digit.
        for kind in (TiedAxesWarning, ConvergenceWarning):
            warnings.simplefilter("ignore", kind)
        return np.asarray(MDS(2, metric="precomputed", n_init=1).fit(D).coordinates_)


@as_plot
def replicates(study: ReplicateStudy, *, what: Part = "both", **drawing: Unpack[Drawing]) -> Figure:
    """Draw agreement, and the links that two experiments share, by the number of replicates.

    Points are observations; the dashed line and its band are the learning curves, the dotted line
    is the level expected at random.

    Parameters
    ----------
    study : ReplicateStudy
        What `networks.replicate_study` returns.
    what : "agreement", "shared" or "both"
        Agreement with its band, the links that two experiments share, or one above the other.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> len(gm.plots.replicates(study, backend="none").panels)
    2
    """
    _check_study(study)
    one_of(what, "what", ("agreement", "shared", "both"))
    curve = study.curve
    seen = curve[curve["seen"]]
    sizes, seen_sizes = (table.index.to_numpy(dtype=float) for table in (curve, seen))
    parts: list[tuple[float, Axis, list[Layer]]] = []  # from the bottom up
    if what != "agreement":
        lowest = min(-0.04, 1.1 * float(seen[list(_SHARED_COLORS)].min().min()))
        shares: list[Layer] = [
            Curve(
                seen_sizes, seen[key].to_numpy(), PALETTE[k], width=1.5, marker_size=4.0, name=key
            )
            for key, k in _SHARED_COLORS.items()
        ]
        parts.append((_LOW_HEIGHT, Axis("Shared by two experiments", (lowest, 1.05)), shares))
    if what != "shared":
        layers = _agreement(study, sizes)
        observed = seen["observed"].to_numpy()
        layers.append(
            Curve(seen_sizes, observed, POINT_COLOR, width=1.6, marker_size=5.0, name="seen")
        )
        parts.append((_HIGH_HEIGHT, Axis("Agreement", (0.0, 1.05)), layers))
    x = Axis("Replicates per condition", around(sizes, 0.04), whole=True)
    panels = [
        Panel(0.0, bottom, across(_WIDTH), upwards(height), x, y, tuple(layers))
        for k, (height, y, layers) in enumerate(parts)
        for bottom in [k * (upwards(_LOW_HEIGHT) + _GAP)]
    ]
    low, high = study.interval
    span = f"{low} or more" if np.isinf(high) else f"{low} to {high:.0f}"
    size = "none in reach" if study.recommended is None else str(study.recommended)
    how = " (extrapolated)" if study.extrapolated and study.recommended is not None else ""
    note = f"recommended: {size}{how}"
    if study.reason != "chance":  # else there may be no network that any number would show
        note += f", {100 * study.level:.0f} % interval: {span}"
    numbers = {"curve": curve, "recommended": study.recommended, "interval": study.interval}
    return finish(panels, notes=[note], numbers=numbers)


def _agreement(study: ReplicateStudy, x: np.ndarray) -> list[Layer]:
    """Return the band of the learning curves, with target, chance and what is recommended."""
    layers: list[Layer] = [
        Guide("y", study.target, color=MUTED, dash="dash"),
        Guide("y", max(study.chance, 0.0), color=MUTED, dash="dot"),
    ]
    ends = study.interval if study.reason != "chance" else ()
    layers += [Guide("x", float(end), color=ACCENT, dash="dot") for end in ends if end <= x[-1]]
    if study.recommended is not None and study.recommended <= x[-1]:
        layers.append(Guide("x", float(study.recommended), color=ACCENT, width=1.4))
    names = ("agreement", "agreement_low", "agreement_high")
    y, low, high = (study.curve[name].to_numpy() for name in names)
    around_x = np.concatenate([x, x[::-1], x[:1]])
    around_y = np.concatenate([high, low[::-1], high[:1]])
    return [
        *layers,
        Curve(around_x, around_y, POINT_COLOR, width=0.0, fill=0.18),
        Curve(x, y, POINT_COLOR, width=1.6, dash="dash", name="learning curve"),
    ]
