"""The map of all networks of a study of replicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gramian._check import is_list, is_whole, one_of, short
from gramian.errors import InputError, InputTypeError
from gramian.plots.cloud import origin_lines, plane
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.elements import check_axes
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import single
from gramian.plots.record import ColorScale, Figure, Points
from gramian.plots.style import ACCENT, MARKERS, PALETTE, text_color
from gramian.plots.text import clean


@drawn
def networks(
    study: Any,
    axes: Sequence[int] = (1, 2),
    *,
    color: str = "size",
    title: str = "",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of all networks of a study: kernel PCA, one point a network.

    Conditions have markers of their own; the networks of all replicates are large and named.

    Parameters
    ----------
    study : ReplicateStudy
    color : "size" or "condition"
        By the number of replicates, or by condition.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> X = np.random.default_rng(0).standard_normal((8, 6))
    >>> study = gm.networks.replicate_study(X, n_resamples=2)
    >>> gm.plots.networks(study, backend="none").numbers["coordinates"].shape[1]
    2
    """
    check_study(study)
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
    return single(panel, layers, title=title, numbers=numbers)


def _marks(study: Any, Z: np.ndarray, color: str) -> list[Points]:
    """Return the networks of each condition, then those of all its replicates."""
    table, marks = study.networks, []
    size, whole = table["size"].to_numpy(dtype=float), table["all"].to_numpy()
    scale = ColorScale(float(size.min()), float(size.max()), title="replicates")
    for k, condition in enumerate(study.full):
        own = (table["condition"] == condition).to_numpy()
        part, full = own & ~whole, own & whole
        name, marker = clean(condition), MARKERS[k % len(MARKERS)]
        ink = PALETTE[k % len(PALETTE)]
        if part.any():
            hover = [f"{name}, {r:.0f} replicates" for r in size[part]]
            look: dict[str, Any] = {"marker": marker, "labels": hover, "size": 4.5}
            look |= {"name": name if color == "condition" else ""}
            if color == "size":
                marks.append(Points(Z[part], size[part], scale=scale, **look))
            else:
                marks.append(Points(Z[part], ink, **look))
        hover = [f"{name}, all replicates"]
        strong = ACCENT if color == "size" else ink
        marks.append(Points(Z[full], strong, size=11.0, marker=marker, labels=hover))
    return marks


def check_study(study: Any) -> None:
    """Refuse what is not a study of replicates."""
    if not hasattr(study, "by_condition") or not hasattr(study, "similarities"):
        raise InputTypeError(
            f"study is {type(study).__name__}: give what networks.replicate_study returns"
        )
