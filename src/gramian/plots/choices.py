"""What was chosen: the number of axes by each rule, kernels that were compared, classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np
from scipy.cluster.hierarchy import leaves_list

from gramian._core.check import short
from gramian.errors import InputError
from gramian.plots.coloring import Coloring, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import require_kind
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import around, empty_panel, single
from gramian.plots.record import Axis, Curve, Figure, Guide, Layer, Points
from gramian.plots.style import ACCENT, BAR_COLOR, FAINT, MUTED, PALETTE, clean, look, shorten

if TYPE_CHECKING:
    from gramian.clusters import Clusters
    from gramian.dimension import Choices, ParallelAnalysis
    from gramian.selection import KernelSelection

_RULES_WIDTH, _RULE_STEP = 320.0, 16.0
_KERNELS_WIDTH, _KERNELS_HEIGHT = 420.0, 230.0
_TREE_WIDTH, _TREE_HEIGHT = 460.0, 260.0
_RANK_REACH = 11.0  # of a number from its point
_MAX_NAMES = 60  # leaves up to which their names stand below
_MAJORITY = 0.8  # share of its rows in one class from which on a branch has its colour


@as_plot
def dimension(found: Choices | ParallelAnalysis, **drawing: Unpack[Drawing]) -> Figure:
    """Draw the number of axes that each rule keeps, with the consensus as a dashed line.

    Rules that agree with the consensus are in colour; the p-value of the last axis kept stands
    beside the rules that are tests. For a parallel analysis, the eigenvalues are drawn with those
    of noise, and a dashed line follows the last axis above noise.

    Parameters
    ----------
    found : Choices or ParallelAnalysis
        The result of `gm.dimension.choose` or of `gm.dimension.parallel_analysis`.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> choices = gm.dimension.choose(X, rules=["kaiser", "elbow", "cattell"])
    >>> gm.plots.dimension(choices, backend="none").numbers["q"].tolist()
    [1, 1, 3]
    """
    if hasattr(found, "p_values") and hasattr(found, "reference"):
        return _parallel(cast("ParallelAnalysis", found))
    found = cast("Choices", found)
    known = hasattr(found, "consensus") and "q" in found
    wanted = "the result of gm.dimension.choose or parallel_analysis"
    require_kind(known, found, "found", wanted)
    votes, consensus = found.votes, found.consensus
    found = found[found["q"].notna()]  # a registered rule may have failed
    q = found["q"].to_numpy()
    agree, heights = q == consensus, np.arange(1.0, len(q) + 1.0)  # one below the other
    label = f"consensus: {consensus} ({votes[consensus]} of {votes.sum()} votes)"
    layers: list[Layer] = [
        Curve(np.array([0.0, k]), np.array([y, y]), FAINT, width=1.0)
        for k, y in zip(q, heights, strict=True)
    ]
    layers.append(Guide("x", float(consensus), ACCENT, 1.2, "dash", name=label))
    for rows, color in ((agree, BAR_COLOR), (~agree, MUTED)):  # the dashed line is their legend
        if rows.any():
            at, rules = np.column_stack([q, heights])[rows], list(map(str, found.index[rows]))
            layers.append(Points(at, color, size=7.0, labels=rules))
    pairs = zip(found.index, found["p_value"], strict=True)
    named = ((str(rule).replace("_", " "), p) for rule, p in pairs)
    wide = look().page[0] > _RULES_WIDTH  # or names alone
    texts = [shorten(f"{rule} (p = {p:.2g})" if wide and p == p else rule, 32) for rule, p in named]
    x = Axis("Axes kept", (-0.02 * (q.max() or 1), 1.06 * max(q.max(), 1)), whole=True)
    y = Axis("", (len(q) + 0.6, 0.4), list(zip(heights, texts, strict=True)), line=False)
    panel = empty_panel(_RULES_WIDTH, _RULE_STEP * len(q) + 8.0, x, y)
    numbers = {"q": q, "rules": list(found.index), "consensus": consensus}
    return single(panel, layers, numbers=numbers)


def _parallel(found: ParallelAnalysis) -> Figure:
    """Return the eigenvalues of the data beside those under the null model."""
    y, level = np.asarray(found.eigenvalues), found.reference["quantile"].to_numpy()
    mean, at = found.reference["mean"].to_numpy(), np.arange(1.0, len(y) + 1.0)
    noise = f"{100 * (1 - found.alpha):.3g} % limit of noise"
    layers: list[Layer] = [
        Curve(at, mean, MUTED, width=1.0, dash="dot", name="mean of noise"),
        Curve(at, level, ACCENT, width=1.4, dash="dash", marker_size=3.0, name=noise),
        Curve(at, y, BAR_COLOR, marker_size=4.5, name="data"),
    ]
    if 0 < found.n_components < len(y):
        layers.insert(0, Guide("x", found.n_components + 0.5, FAINT, 1.2, "dash"))
    x = Axis("Axis", (0.4, len(y) + 0.6), whole=True)
    axis = Axis("Eigenvalue", (0.0, 1.08 * float(max(y.max(), level.max()))))
    numbers = {"eigenvalues": y, "limit": level, "q": found.n_components}
    return single(empty_panel(_KERNELS_WIDTH, _KERNELS_HEIGHT, x, axis), layers, numbers=numbers)


@as_plot
def selection(
    found: KernelSelection, criterion: str | None = None, **drawing: Unpack[Drawing]
) -> Figure:
    """Draw the criterion of each candidate of `gm.kernels.select`, and its effective rank.

    Numbers at the points are effective ranks. Unusable kernels are hollow; a dashed line marks the
    selected one.

    Parameters
    ----------
    found : KernelSelection
        The result of `gm.kernels.select`.
    criterion : str, optional
        A numeric column of its table; by default the criterion of the selection.

    Examples
    --------
    >>> candidates = gm.kernels.select(gm.datasets.iris().data, criterion="contrast")
    >>> gm.plots.selection(candidates, backend="none").numbers["contrast"].max().round(2)
    np.float64(0.37)
    """
    known = hasattr(found, "table") and hasattr(found, "kernels")
    require_kind(known, found, "found", "the result of gm.kernels.select")
    table = found.table
    name = found.criterion if criterion is None else criterion
    columns = [str(column) for column, kind in table.dtypes.items() if kind.kind == "f"]
    if not isinstance(name, str) or name not in columns:
        raise InputError(
            f"criterion={short(name)} is not a column of the table: use one of {', '.join(columns)}"
        )
    values, rank = table[name].to_numpy(), table["effective_rank"].to_numpy()
    useful = (table["verdict"] == "useful").to_numpy()
    kinds = {type(kernel) for kernel in found.kernels.values()}
    is_grid = len(kinds) == 1 and bool(table["scale"].notna().all())  # one kernel, several scales
    labels = [shorten(label, 24) for label in found.kernels]
    if is_grid:
        labels = [f"{scale:.3g}" for scale in table["scale"]]
    at = np.arange(1.0, len(values) + 1.0)
    shown = np.isfinite(values)
    winner = float(1 + list(found.kernels).index(found.label))
    layers: list[Layer] = [
        Guide("x", winner, ACCENT, dash="dash"),
        Curve(at[shown], values[shown], PALETTE[0], width=1.5, name=name),
    ]
    for rows, filled, kind in ((useful, True, ""), (~useful, False, "of no use")):
        if (rows & shown).any():
            xy = np.column_stack([at, values])[rows & shown]
            layers.append(Points(xy, PALETTE[0], size=6.0, filled=filled, name=kind))
    points = np.column_stack([at, values])[shown]
    ticks = list(zip(at, labels, strict=True))
    x = Axis("scale" if is_grid else "kernel", (0.4, len(at) + 0.6), ticks, upright=True)
    y = Axis(name, around(values[shown], zero=True))
    panel = empty_panel(_KERNELS_WIDTH, _KERNELS_HEIGHT, x, y)
    texts, along = [f"{value:.3g}" for value in rank[shown]], np.linspace(1.0, len(at), 400)
    line = np.column_stack([along, np.interp(along, *points.T)])
    ranks = Naming(points, texts, MUTED, reach=_RANK_REACH, patience=6.0)
    layers += label_layers(panel, [ranks], [panel.to_page(line)])
    numbers = {name: values, "effective_rank": rank, "useful": useful, "labels": labels}
    notes = ["numbers: effective rank", *(shorten(note, 90) for note in found.notes)]
    return single(panel, layers, numbers=numbers, notes=notes)


@as_plot
def dendrogram(found: Clusters, **drawing: Unpack[Drawing]) -> Figure:
    """Draw the tree that classes were cut from; the height of a merge is the inertia it costs.

    Branches have the colour of the class of most of their rows, marks below the class of each row
    after consolidation: a mark of another colour is a row that changed its class.

    Parameters
    ----------
    found : Clusters
        The result of `gm.clusters.find`.

    Examples
    --------
    >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.dendrogram(gm.clusters.find(fit, n_clusters=3), backend="none")
    >>> record.numbers["gains"][:2].round(2).tolist()
    [2.52, 0.53]
    """
    require_kind(hasattr(found, "paragons"), found, "found", "the result of gm.clusters.find")
    merges = found.tree.merges
    order = leaves_list(merges).astype(int)
    place = np.empty(len(order))
    place[order] = np.arange(1.0, len(order) + 1.0)
    live = np.flatnonzero(found.weights > 0)
    counts = np.zeros((len(order), found.n_clusters))
    np.add.at(counts, (found.tree.leaves, found.labels.to_numpy()[live] - 1), 1.0)
    colors = coloring(found, found.labels.index)
    layers: list[Layer] = [*_branches(merges, place, counts, colors)]
    own, size = counts.argmax(axis=1), float(np.clip(300.0 / len(place), 2.0, 5.0))
    for k, group in enumerate(colors.groups):  # a mark below each leaf, in its class's colour
        if (own == k).any():
            at = np.column_stack([place[own == k], np.zeros((own == k).sum())])
            look: dict[str, Any] = {"marker": group.marker, "filled": group.filled}
            layers.append(Points(at, group.color, size=size, name=group.name, **look))
    ticks: list[tuple[float, str]] = []
    if len(order) == len(live) <= _MAX_NAMES:  # each leaf is a row, and there is room
        rows = found.labels.index[live][order]
        ticks = [(k + 1.0, shorten(clean(row), 16)) for k, row in enumerate(rows)]
    high = float(merges[-1, 2]) or 1.0
    x = Axis("", (0.0, len(order) + 1.0), ticks, line=False, upright=True)
    y = Axis("Inertia between classes lost", (-0.03 * high, 1.05 * high))
    panel = empty_panel(_TREE_WIDTH, _TREE_HEIGHT, x, y)
    numbers = {"gains": found.tree.gains, "order": order, "suggested": found.tree.suggested}
    return single(panel, layers, legend_title="class", numbers=numbers)


def _branches(
    merges: np.ndarray, place: np.ndarray, counts: np.ndarray, colors: Coloring
) -> list[Curve]:
    """Return the unions as brackets, one line for all of a colour."""
    n = len(place)
    x = np.concatenate([place, np.zeros(n - 1)])
    y = np.zeros(2 * n - 1)
    held = np.vstack([counts, np.zeros((n - 1, counts.shape[1]))])
    lines: dict[str, list[np.ndarray]] = {}
    for step, (a, b, height, _) in enumerate(merges):
        i, j, node = int(a), int(b), n + step
        x[node], y[node], held[node] = 0.5 * (x[i] + x[j]), height, held[i] + held[j]
        bracket = [[x[i], y[i]], [x[i], height], [x[j], height], [x[j], y[j]], [np.nan, np.nan]]
        most = int(held[node].argmax())
        clear = held[node, most] >= _MAJORITY * held[node].sum()
        color = colors.groups[most].color if clear else MUTED
        lines.setdefault(color, []).append(np.array(bracket))
    joined = {color: np.vstack(parts) for color, parts in lines.items()}
    return [Curve(line[:, 0], line[:, 1], color, width=0.9) for color, line in joined.items()]
