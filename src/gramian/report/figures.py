"""The figures of a report: records of gm.plots, thinned and translated, as SVG."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from gramian import plots
from gramian._core.check import generator
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._reading.rules import PARALLEL, RULES, TABLE
from gramian._study.language import Name, Share, texts
from gramian._study.record import Study
from gramian._study.stability import rows_with_ellipses
from gramian.plots.cloud import name_points, origin_lines, plane, point_layers
from gramian.plots.coloring import coloring
from gramian.plots.elements import individuals_of, positions_to_name
from gramian.plots.groups import place_outlines
from gramian.plots.labels import label_layers
from gramian.plots.layout import single
from gramian.plots.record import Arrows, Axis, ColorScale, Curve, Figure, Labels, Layer, Points
from gramian.plots.style import INK
from gramian.report.say import Markup, Say
from gramian.report.svg import svg

MAX_POINTS = 2_500  # of a map; more make a page slow
_ELLIPSE_MARGIN = 1.0  # of the extent of the rows: how far an ellipse may leave it before it is cut
_MAX_PLANES = 2  # beyond the first
_MAX_NAMES = 40  # columns or categories named on a map, where they find a place
_BESIDE: Any = {"figsize": (5.2, 4.9), "backend": "none"}  # beside a map, in inches
_MAX_CENTRES = 8  # groups whose barycentres are marked
_MAX_CENTRE_ROWS = 1_000  # of more rows none is: the names would have to stand far away


@dataclass(frozen=True)
class PageFigure:
    """A figure ready for the page."""

    name: str
    title: Markup
    drawing: Markup  # SVG, and a legend
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageMap:
    """A map that the page draws from its payload, and the figures that stand beside it."""

    axes: tuple[int, int]
    title: Markup
    beside: tuple[PageFigure, ...]

    @property
    def name(self) -> str:
        """The name of the map in the page."""
        return f"rows-{self.axes[0]}-{self.axes[1]}"


def page_figure(
    name: str,
    key: str,
    record: Figure,
    say: Say,
    seed: int,
    /,
    *,
    alt: str = "",
    own_points: bool = False,
    counted: bool = False,
    **values: Any,
) -> PageFigure:
    """Return a record of a figure, thinned and translated, ready for a page.

    Its title is the sentence `key`, what it shows the sentence `alt`, key.alt by default.
    `own_points`: texts at its points end in words of ours, after names from the data. `counted`:
    every element has a name, and a note counts those that found no place.
    """
    hidden = _hidden_names(record) if counted else 0
    record = _translate(_thin(record, seed), say, own_points)
    title, shows = say(key, **values), say(alt or f"{key}.alt", **values)
    drawing = svg(record, shows.striptags(), decimal="," if say.language == "fr" else ".")
    notes = record.notes
    if hidden:
        notes = (*notes, say.plain("fig.hidden", count=hidden))
    return PageFigure(name, title, Markup(drawing), notes)


def _hidden_names(record: Figure) -> int:
    """Return how many elements have a name that found no place."""
    of = [layer for layer in record.layers() if isinstance(layer, Points | Arrows)]
    named = sum(len(k.texts) for k in record.layers() if isinstance(k, Labels))
    return max(sum(len(layer.labels) for layer in of) - named, 0)


def scree(s: Study, say: Say) -> PageFigure:
    """Return the scree plot, with the references that the rules hold it against."""
    references = {} if s.choices is None else s.choices.reference
    curves = _curves(references, say) if s.fit.n_components_ > 1 else {}
    record = plots.scree(_with_shares(s), reference=curves or None, backend="none")
    count, share = min(12, s.fit.n_components_), Share(float(s.shares[0]))
    values: dict[str, Any] = {"alt": "fig.scree.alt", "count": count, "share": share}
    key = "fig.scree" if PARALLEL in references else "fig.scree.plain"
    return page_figure("scree", key, record, say, s.seed, **values)


def _curves(references: dict[str, np.ndarray], say: Say) -> dict[str, np.ndarray]:
    """Return the references that have a name for the page; that of the test comes first."""
    names = sorted((name for name in references if name in RULES), key=lambda k: k != PARALLEL)
    titles = {name: say.by_language(RULES[name].curve) for name in names}
    for name in names:
        key = f"rule.{name}.curve"
        if not titles[name] and RULES[name] in TABLE and key in texts(say.language):
            titles[name] = say.plain(key)
    return {title: references[name] for name, title in titles.items() if title}


def planes(s: Study) -> list[tuple[int, int]]:
    """Return the planes to draw: that of the first axes, and others so that each read is seen."""
    if s.fit.n_components_ < 2:
        return []
    others = [k for k in s.read if k > 2][: 2 * _MAX_PLANES]
    pairs = [(others[i - 1], others[i]) for i in range(1, len(others), 2)]
    if len(others) % 2:
        pairs.append((others[-2] if len(others) > 1 else 2, others[-1]))
    return [(1, 2), *pairs]


def _with_shares(s: Study) -> Any:
    """Return the fit with shares of the positive inertia, as all of the page counts them."""
    fit = copy(s.fit)
    positive = float(np.asarray(fit.eigenvalues_)[0] / s.shares[0])
    # Plots of an indefinite fit take shares of Σ|λ|, the trace and twice its negative part.
    fit.inertia_ = positive - 2.0 * (fit.negative_inertia_ if isinstance(fit, ClassicalMDS) else 0)
    fit.inertia_ratio_ = s.shares * (positive / fit.inertia_)
    return fit


def maps(s: Study, say: Say) -> list[PageMap]:
    """Return the maps of the rows, each with its maps of variables."""
    out, fit, subject = [], _with_shares(s), s.subject
    has_table = subject.kind == "table" or subject.table is not None
    for axes in planes(s):
        j, k = axes
        share = Share(float(s.shares[j - 1] + s.shares[k - 1]))
        values: dict[str, Any] = {"j": j, "k": k, "n": subject.n, "share": share}
        others = {}
        if s.has_columns:
            table = subject.supplementary
            others["variables"] = plots.variables(fit, axes, table=table, **_BESIDE)
        if subject.method == "ca":
            others["columns"] = plots.biplot(fit, axes, labels=_MAX_NAMES, **_BESIDE)
        if subject.method in ("mca", "famd", "mfa") and s.fit.coding_.is_level.any():
            others["categories"] = plots.categories(fit, axes, labels=_MAX_NAMES, **_BESIDE)
        if subject.method in ("famd", "mfa") and not s.fit.coding_.is_level.all():
            others["variables"] = plots.variables(fit, axes, **_BESIDE)
        beside = [
            page_figure(
                f"{what}-{j}-{k}",
                f"fig.{what}",
                record,
                say,
                s.seed,
                counted=what != "columns",
                j=j,
                k=k,
            )
            for what, record in others.items()
        ]
        title = say("fig.individuals" if has_table else "fig.objects", **values)
        out.append(PageMap(axes, title, tuple(beside)))
    return out


def shepard(s: Study, say: Say) -> PageFigure | None:
    """Return the distances on the map against those that were given."""
    if s.subject.kind != "distances" or s.subject.n > 1_000:
        return None
    axes_drawn = min(2, s.fit.n_components_)
    record = plots.shepard(s.fit, s.subject.X, n_axes=axes_drawn, backend="none")
    return page_figure("shepard", "fig.shepard", record, say, s.seed)


def _individuals(s: Study, fit: Any, axes: tuple[int, int]) -> Figure:
    count = 0 if s.color is None else s.color.nunique()
    marked = s.subject.groups is not None and s.subject.n <= _MAX_CENTRE_ROWS
    grouped = marked and 2 <= count <= _MAX_CENTRES
    placed = s.subject.placed if hasattr(fit, "transform") else None
    return plots.individuals(
        fit, axes, color=s.color, barycentres=grouped, supplementary=placed, backend="none"
    )


def designs(s: Study, say: Say) -> list[PageFigure]:
    """Return the map of each term of the design: its cells, and the rows around them."""
    if s.designed is None:
        return []
    out = []
    for k, (name, term) in enumerate(s.designed.maps.items()):
        if term.fit.n_components_ < 2:
            continue
        color = pd.Series(term.labels, index=term.fit.row_labels, name=name)
        record = plots.individuals(
            term.fit, color=color, barycentres=True, labels=False, backend="none"
        )
        values: dict[str, Any] = {"name": Name(name), "n": s.subject.n}
        out.append(page_figure(f"design-{k}", "fig.design", record, say, s.seed, **values))
    return out


def contributions(s: Study, axis: int, say: Say) -> PageFigure:
    """Return the bars of what makes an axis: variables, or rows where there are none."""
    of: Literal["individuals", "variables", "categories"]
    of = "variables" if s.has_columns else "individuals"
    if s.fit.axis_elements() is not None:
        of = "categories"
    record = plots.contributions(s.fit, axis, of=of, top=12, backend="none")
    key, alt, first = (
        "fig.contributions",
        "fig.contributions.alt",
        Name(record.numbers["labels"][0]),
    )
    place = f"contributions-{axis}"
    return page_figure(place, key, record, say, s.seed, alt=alt, k=axis, name=first)


def kernel_map(s: Study, say: Say) -> PageFigure | None:
    """Return the map of kernel PCA, to be compared with that of PCA."""
    if s.kernel_map is None:
        return None
    # An axis that shows groups that PCA does not, or the first two.
    shown = [c for c in s.claims if c.effect_name == "eta2 on a kernel axis"]
    best = shown[0].sentence.values["kaxis"] if shown else 1
    record = _individuals(s, s.kernel_map.fit, (best, 2 if best == 1 else 1))
    return page_figure("beside-kernel", "fig.kernel", record, say, s.seed, n=s.subject.n)


def stability(s: Study, say: Say) -> PageFigure | None:
    """Return the map with the ellipses of a few rows over resamples: those that matter most."""
    if s.places is None:
        return None
    rows = individuals_of(s.fit, (1, 2))
    colors = coloring(s.color, rows.index)
    low, high = rows.coordinates.min(axis=0), rows.coordinates.max(axis=0)
    room = _ELLIPSE_MARGIN * (high - low)
    chosen = rows_with_ellipses(s)
    inks = np.full(len(s.places), INK, dtype=object)
    for group in colors.groups:
        inks[group.rows] = group.color
    curves = [
        Curve(inside[:, 0], inside[:, 1], ink, width=0.6, fill=0.06)
        for outline, ink in zip(
            place_outlines(s.places.iloc[chosen], 49), inks[chosen], strict=True
        )
        for inside in [np.clip(outline, low - room, high + room)]  # cut at the edge of the map
    ]
    outlines = np.vstack([np.column_stack([c.x, c.y]) for c in curves])
    panel = plane(_with_shares(s), (1, 2), np.vstack([rows.coordinates, outlines]))
    every = np.ones(len(rows.index), dtype=bool)
    points = point_layers(rows, colors, every)
    naming = name_points(
        rows, positions_to_name(rows, "auto", "contribution", every), colors.inks()
    )
    names = label_layers(panel, [naming], [panel.to_page(p.at) for p in points])
    layers: list[Layer] = [*origin_lines(), *curves, *points, *names]
    drawn = len(chosen)
    key = "sta.ellipses.all" if drawn == s.subject.n else "sta.ellipses"
    record = single(panel, layers, legend_title=colors.legend_title)
    record = replace(record, notes=(say.plain(key, drawn=drawn),))
    return page_figure("stability", "fig.stability", record, say, s.seed)


def _thin(record: Figure, seed: int) -> Figure:
    """Keep at most so many points: the outermost, and a random part of the others."""
    total = sum(len(k.at) for k in record.layers() if isinstance(k, Points))
    if total <= MAX_POINTS:
        return record
    rng = generator(seed)
    panels = [
        replace(p, layers=tuple(_fewer(layer, MAX_POINTS / total, rng) for layer in p.layers))
        for p in record.panels
    ]
    return replace(record, panels=tuple(panels))


def _fewer(layer: Layer, share: float, rng: np.random.Generator) -> Layer:
    if not isinstance(layer, Points) or len(layer.at) < 20:
        return layer
    n = len(layer.at)
    count = max(1, round(share * n))
    order = np.argsort(-(layer.at**2).sum(axis=1), kind="stable")
    outer = order[: count // 5]
    others = rng.choice(order[count // 5 :], count - len(outer), replace=False)
    rows = np.sort(np.concatenate([outer, others]))

    def some(values: Any) -> Any:
        return values[rows] if isinstance(values, np.ndarray) and values.ndim else values

    return replace(
        layer,
        at=layer.at[rows],
        color=some(layer.color),
        size=some(layer.size),
        alpha=some(layer.alpha),
        labels=[layer.labels[i] for i in rows] if len(layer.labels) else (),
        details={title: values[rows] for title, values in layer.details.items()},
    )


def _translate(record: Figure, say: Say, own_points: bool) -> Figure:
    """Return the record with its own texts in the language of the report.

    Names of layers may come from the data: those of points are ours where `own_points` says so.
    """

    def axis(a: Axis | None) -> Any:
        return None if a is None else replace(a, title=say.rewrite(a.title, "figures"))

    def point_text(english: str) -> str:
        return say.rewrite(english, "points") if own_points else english

    def scale(of: ColorScale | None) -> Any:
        return None if of is None else replace(of, title=point_text(of.title))

    def layer(of: Layer) -> Layer:
        if isinstance(of, Points):
            return replace(
                of,
                name=point_text(of.name),
                labels=list(map(point_text, of.labels)),
                details={point_text(key): values for key, values in of.details.items()},
                scale=scale(of.scale),
            )
        of = replace(of, name=say.rewrite(of.name, "figures"))
        if isinstance(of, Labels):
            return replace(of, texts=list(map(point_text, of.texts)))
        return of

    panels = [
        replace(p, x=axis(p.x), y=axis(p.y), layers=tuple(map(layer, p.layers)))
        for p in record.panels
    ]
    bar = record.color_bar
    return replace(
        record,
        panels=tuple(panels),
        notes=tuple(say.rewrite(note, "figures") for note in record.notes),
        color_bar=None if bar is None else replace(bar, scale=scale(bar.scale)),
    )
