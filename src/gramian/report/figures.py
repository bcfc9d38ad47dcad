"""The figures of a report: records of gm.plots, thinned and translated, as plotly's JSON."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from gramian import plots
from gramian._core.check import generator
from gramian._reading.rules import PARALLEL, RULES, TABLE
from gramian._study.language import Name, Share, texts
from gramian._study.record import Study
from gramian._study.stability import rows_with_ellipses
from gramian.plots.cloud import name_points, origin_lines, plane, point_layers
from gramian.plots.coloring import Coloring, coloring
from gramian.plots.elements import individuals_of, positions_to_name
from gramian.plots.groups import place_outlines
from gramian.plots.labels import label_layers
from gramian.plots.layout import single
from gramian.plots.record import Axis, ColorScale, Curve, Figure, Labels, Layer, Panel, Points
from gramian.plots.style import INK
from gramian.report.say import Markup, Say

MAX_POINTS = 2_500  # of a map; more make a page slow
_ELLIPSE_MARGIN = 1.0  # of the extent of the rows: how far an ellipse may leave it before it is cut
_MAX_PLANES = 2  # beyond the first
_MAX_NAMES = 40  # columns or categories named on a map, where they find a place
_MAX_CENTRES = 8  # groups whose barycentres are marked
_MAX_CENTRE_ROWS = 1_000  # of more rows none is: the names would have to stand far away


@dataclass(frozen=True)
class PageFigure:
    """A figure ready for the page."""

    name: str
    title: Markup
    alt: Markup
    spec: str  # plotly's JSON
    notes: tuple[str, ...] = ()


def page_figure(
    name: str,
    title: Markup,
    alt: Markup,
    record: Figure,
    say: Say,
    seed: int,
    *,
    translate_points: bool = False,
) -> PageFigure:
    """Return a record of a figure, thinned and translated, ready for a page.

    `translate_points`: texts at its points end in words of ours, after names from the data.
    """
    record = _translate(_thin(record, seed), say)
    if translate_points:
        record = _translate_points(record, say)
    # Notes stand below the figure, where they can wrap.
    figure = plots.draw(replace(record, notes=()), "plotly")
    if say.language == "fr":
        figure.update_layout(separators=",\u202f")  # of decimals and of thousands, on the axes
    return PageFigure(name, title, alt, figure.to_json(), record.notes)


def scree(s: Study, say: Say) -> PageFigure:
    """Return the scree plot, with the references that the rules hold it against."""
    references = {} if s.choices is None else s.choices.reference
    curves = _curves(references, say) if s.fit.n_components_ > 1 else {}
    record = plots.scree(_with_shares(s), reference=curves or None, backend="none")
    count = min(12, s.fit.n_components_)
    alt = say("fig.scree.alt", count=count, share=Share(float(s.shares[0])))
    title = say("fig.scree" if PARALLEL in references else "fig.scree.plain")
    return page_figure("scree", title, alt, record, say, s.seed)


def _curves(references: dict[str, np.ndarray], say: Say) -> dict[str, np.ndarray]:
    """Return the references that have a name for the page; that of the test comes first."""
    names = sorted((name for name in references if name in RULES), key=lambda k: k != PARALLEL)
    titles = {name: say.by_language(RULES[name].curve) or _curve_title(name, say) for name in names}
    return {title: references[name] for name, title in titles.items() if title}


def _curve_title(name: str, say: Say) -> str:
    """Return the name of the reference of a rule of the library, or nothing."""
    key = f"rule.{name}.curve"
    return say.plain(key) if RULES[name] in TABLE and key in texts(say.language) else ""


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
    fit.inertia_ratio_ = s.shares
    fit.inertia_ = float(np.asarray(fit.eigenvalues_)[0] / s.shares[0])
    return fit


def maps(s: Study, say: Say) -> list[PageFigure]:
    """Return the maps of rows and variables."""
    out, fit = [], _with_shares(s)
    has_table = s.subject.kind == "table" or s.subject.table is not None
    what = "fig.individuals" if has_table else "fig.objects"
    for j, k in planes(s):
        where = {"j": j, "k": k}
        share = Share(float(s.shares[j - 1] + s.shares[k - 1]))
        record = _individuals(s, fit, (j, k))
        alt = say("fig.individuals.alt", n=s.subject.n, share=share, **where)
        out.append(page_figure(f"rows-{j}-{k}", say(what, **where), alt, record, say, s.seed))
        if s.has_columns:
            table = s.subject.supplementary
            record = plots.variables(fit, (j, k), table=table, backend="none")
            alt = say("fig.variables.alt", **where)
            title = say("fig.variables", **where)
            out.append(page_figure(f"variables-{j}-{k}", title, alt, record, say, s.seed))
        out += _elements(s, (j, k), say)
    if s.subject.kind == "distances" and s.subject.n <= 1_000:
        axes = min(2, s.fit.n_components_)
        record = plots.shepard(s.fit, s.subject.X, n_axes=axes, backend="none")
        title, alt = say("fig.shepard"), say("fig.shepard.alt")
        out.append(page_figure("shepard", title, alt, record, say, s.seed))
    return out


def _elements(s: Study, axes: tuple[int, int], say: Say) -> list[PageFigure]:
    """Return the maps of the columns of counts, or of categories and numbers."""
    method, fit, out = s.subject.method, _with_shares(s), []
    if method == "ca":
        out.append(("columns", plots.biplot(fit, axes, labels=_MAX_NAMES, backend="none")))
    if method in ("mca", "famd", "mfa") and s.fit.coding_.is_level.any():
        out.append(("categories", plots.categories(fit, axes, labels=_MAX_NAMES, backend="none")))
    if method in ("famd", "mfa") and not s.fit.coding_.is_level.all():
        out.append(("variables", plots.variables(fit, axes, backend="none")))
    where = dict(zip("jk", axes, strict=True))
    return [
        page_figure(
            f"{what}-{axes[0]}-{axes[1]}",
            say(f"fig.{what}", **where),
            say(f"fig.{what}.alt", **where),
            record,
            say,
            s.seed,
        )
        for what, record in out
    ]


def _individuals(s: Study, fit: Any, axes: tuple[int, int]) -> Figure:
    count = 0 if s.color is None else s.color.nunique()
    marked = s.subject.groups is not None and s.subject.n <= _MAX_CENTRE_ROWS
    grouped = marked and 2 <= count <= _MAX_CENTRES
    placed = s.subject.placed if hasattr(fit, "transform") else None
    return plots.individuals(
        fit, axes, color=s.color, barycentres=grouped, supplementary=placed, backend="none"
    )


def contributions(s: Study, axis: int, say: Say) -> PageFigure:
    """Return the bars of what makes an axis: variables, or rows where there are none."""
    own = s.has_columns
    of = "variables" if own else "individuals"
    if s.fit.axis_elements() is not None:
        own, of = True, "categories"
    record = plots.contributions(s.fit, axis, of=of, top=12, backend="none")
    key = "fig.contributions" if own else "fig.contributions.rows"
    alt = say("fig.contributions.alt", k=axis, name=Name(record.numbers["labels"][0]))
    return page_figure(f"contributions-{axis}", say(key, k=axis), alt, record, say, s.seed)


def kernel_maps(s: Study, say: Say, first: PageFigure | None) -> list[PageFigure]:
    """Return the first map, of PCA, and that of kernel PCA, to stand side by side."""
    if s.kernel_map is None or first is None:
        return []
    alt = {name: say(f"fig.{name}.alt", n=s.subject.n) for name in ("pca", "kernel")}
    record = _individuals(s, s.kernel_map.fit, _kernel_plane(s))
    return [
        replace(first, name="beside-pca", title=say("fig.pca"), alt=alt["pca"]),
        page_figure("beside-kernel", say("fig.kernel"), alt["kernel"], record, say, s.seed),
    ]


def _kernel_plane(s: Study) -> tuple[int, int]:
    """Return the axes to draw: one that shows groups that PCA does not, or the first two."""
    shown = [c for c in s.claims if c.effect_name == "eta2 on a kernel axis"]
    best = shown[0].sentence.values["kaxis"] if shown else 1
    return best, 2 if best == 1 else 1


def stability(s: Study, say: Say) -> PageFigure | None:
    """Return the map with the ellipses of a few rows over resamples: those that matter most."""
    if s.places is None:
        return None
    rows = individuals_of(s.fit, (1, 2))
    colors = coloring(s.color, rows.index)
    low, high = rows.coordinates.min(axis=0), rows.coordinates.max(axis=0)
    room = _ELLIPSE_MARGIN * (high - low)
    chosen = rows_with_ellipses(s)
    curves = _ellipses(s.places, chosen, colors, (low - room, high + room))
    outlines = np.vstack([np.column_stack([c.x, c.y]) for c in curves])
    panel = plane(_with_shares(s), (1, 2), np.vstack([rows.coordinates, outlines]))
    every = np.ones(len(rows.index), dtype=bool)
    points = point_layers(rows, colors, every)
    naming = name_points(
        rows, positions_to_name(rows, "auto", "contribution", every), colors.inks()
    )
    names = label_layers(panel, [naming], [panel.to_page(p.at) for p in points])
    layers: list[Layer] = [*origin_lines(), *curves, *points, *names]
    legend = "" if colors.scale else colors.title
    record = single(panel, layers, legend_title=legend)
    title, alt = say("fig.stability"), say("fig.stability.alt")
    drawn = len(chosen)
    key = "sta.ellipses.all" if drawn == s.subject.n else "sta.ellipses"
    record = replace(record, notes=(*record.notes, say.plain(key, drawn=drawn)))
    return page_figure("stability", title, alt, record, say, s.seed)


def _ellipses(
    places: pd.DataFrame,
    chosen: np.ndarray,
    colors: Coloring,
    limits: tuple[np.ndarray, np.ndarray],
) -> list[Curve]:
    """Return the outlines of chosen rows, cut at the limits of the map."""
    inks = np.full(len(places), INK, dtype=object)
    for group in colors.groups:
        inks[group.rows] = group.color
    outlines = place_outlines(places.iloc[chosen], 49)
    return [
        Curve(inside[:, 0], inside[:, 1], ink, width=0.6, fill=0.06)
        for outline, ink in zip(outlines, inks[chosen], strict=True)
        for inside in (np.clip(outline, *limits),)
    ]


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


def _translate(record: Figure, say: Say) -> Figure:
    """Return the record with its own texts in the language of the report."""

    def text(english: str) -> str:
        return say.rewrite(english, "figures")

    def axis(a: Axis) -> Axis:
        return replace(a, title=text(a.title))

    def panel(p: Panel) -> Panel:
        # Names of layers may come from the data: only those of curves are ours.
        layers = [
            layer if isinstance(layer, Points) else replace(layer, name=text(layer.name))
            for layer in p.layers
        ]
        second = None if p.y2 is None else axis(p.y2)
        return replace(p, x=axis(p.x), y=axis(p.y), y2=second, layers=tuple(layers))

    notes = tuple(map(text, record.notes))
    return replace(record, panels=tuple(map(panel, record.panels)), notes=notes)


def _translate_points(record: Figure, say: Say) -> Figure:
    """Return the record with the ends of texts at its points in the language of the report."""

    def text(english: str) -> str:
        return say.rewrite(english, "points")

    def scale(of: ColorScale) -> ColorScale:
        return replace(of, title=text(of.title))

    def layer(of: Layer) -> Layer:
        if isinstance(of, Labels):
            return replace(of, texts=list(map(text, of.texts)))
        if not isinstance(of, Points):
            return of
        return replace(
            of,
            name=text(of.name),
            labels=list(map(text, of.labels)),
            details={text(key): values for key, values in of.details.items()},
            scale=None if of.scale is None else scale(of.scale),
        )

    panels = [replace(p, layers=tuple(map(layer, p.layers))) for p in record.panels]
    bar = record.color_bar
    bar = None if bar is None else replace(bar, scale=scale(bar.scale))
    return replace(record, panels=tuple(panels), color_bar=bar)
