"""The map of all networks of a study of replicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gramian._check import is_list, is_whole, short
from gramian.errors import InputError, InputTypeError
from gramian.plots.cloud import origin_lines, plane
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.elements import check_axes
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import single
from gramian.plots.record import ColorScale, Figure, Points
from gramian.plots.style import ACCENT, MARKERS, text_color
from gramian.plots.text import clean

__all__ = ["check_study", "networks"]


@drawn
def networks(
    study: Any, axes: Sequence[int] = (1, 2), *, title: str = "", **drawing: Unpack[Drawing]
) -> Figure:
    """Draw the map of all networks of a study: kernel PCA, coloured by number of replicates.

    Conditions have markers of their own; the networks of all replicates are large and named.

    Parameters
    ----------
    study : ReplicateStudy
    axes : (int, int)
        Counted from 1.
    title : str

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
    check_study(study)
    if not is_list(axes) or not all(map(is_whole, axes)) or not len(axes):
        raise InputError(f"axes={short(axes)} must name 2 axes")
    fitted = study.map(max(2, *axes))
    axes = check_axes(fitted, axes, 2)
    Z = np.asarray(fitted.coordinates_)[:, [k - 1 for k in axes]]
    whole = study.networks["all"].to_numpy()
    names = [clean(name) for name in study.replicates]
    texts = [f"{name}: all" if len(names) > 1 else "all" for name in names]
    naming = Naming(Z[whole], texts, text_color(ACCENT), 6.0, bold=True)
    panel = plane(fitted, axes, Z)
    labels = label_layers(panel, [naming], [panel.to_page(Z)])
    layers = [*origin_lines(), *_marks(study, Z), *labels]
    numbers = {"coordinates": Z, "networks": study.networks}
    return single(panel, layers, title=title, numbers=numbers)


def _marks(study: Any, Z: np.ndarray) -> list[Points]:
    """Return the networks of each condition, by their number of replicates, then that of all."""
    table, marks = study.networks, []
    size, whole = table["size"].to_numpy(dtype=float), table["all"].to_numpy()
    scale = ColorScale(float(size.min()), float(size.max()), title="replicates")
    for k, condition in enumerate(study.replicates):
        own = (table["condition"] == condition).to_numpy()
        part, full = own & ~whole, own & whole
        name = clean(condition) if len(study.replicates) > 1 else ""
        marker = MARKERS[k % len(MARKERS)]
        hover = [f"{name}, {r:.0f} replicates" for r in size[part]]
        look: dict[str, Any] = {"scale": scale, "marker": marker, "labels": hover, "name": name}
        marks.append(Points(Z[part], size[part], size=4.5, **look))
        hover = [f"{name}, all replicates"]
        marks.append(Points(Z[full], ACCENT, size=11.0, marker=marker, labels=hover))
    return marks


def check_study(study: Any) -> None:
    """Refuse what is not a study of replicates."""
    if not hasattr(study, "by_condition") or not hasattr(study, "similarities"):
        raise InputTypeError(
            f"study is {type(study).__name__}: give what networks.replicate_study returns"
        )
