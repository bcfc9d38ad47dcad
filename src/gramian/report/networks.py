"""The page of a study of replicates: its sections, figures and tables."""

from collections.abc import Collection
from typing import Any

import pandas as pd

from gramian import plots
from gramian._study.language import Listed, Sentence, Share
from gramian._study.study import versions
from gramian.errors import InputError
from gramian.networks import (
    DifferentialPower,
    Experiment,
    Network,
    Pooling,
    ReplicateStudy,
    differential_power,
    pooling,
)
from gramian.networks.finder import MIN_EDGES
from gramian.networks.learning import GRADED, LIMITED
from gramian.networks.result import (
    conditions,
    grounds,
    now,
    recommendation,
    structure,
    summary_sentences,
)
from gramian.plots.networks import Part
from gramian.plots.style import clean
from gramian.report.figures import PageFigure, page_figure
from gramian.report.page import render, versions_line
from gramian.report.say import Markup, Say, escape
from gramian.report.tables import Column, Table

_SECTIONS = ["summary", "data", "agreement", "rests", "networks", "map", "conditions", "tables"]
_MAX_LINKS = 200  # differential links on the page
_MAX_EDGES = 400  # edges of the network that is drawn
_MIN_REPLICATES = 6  # replicates for links that differ


def replicates_page(
    study: ReplicateStudy, experiment: Experiment, title: str, code: str, seed: int, say: Say
) -> str:
    """Return the page of a study as HTML."""
    links, found = None, list[Sentence]()  # those that differ between conditions
    if _can_compare(study.replicates.values()):
        data = experiment.table, experiment.condition
        power = differential_power(*data, random_state=seed)
        links = power.now
        found = [Sentence("net.links" if len(links) else "net.links.none", {"count": len(links)})]
        found += [_more_links(power), _pooled(pooling(*data, random_state=seed))]
    source, consensus = experiment.source, study.consensus()
    seen = [int(r) for r in study.curve.index[study.curve["seen"]]]
    first = say.sentence(summary_sentences(study)[0])
    notes, warned = (
        [escape(note.in_language(say.language, say.spelling)) for note in part]
        for part in (source.notes, source.warnings)
    )
    several = len(study.replicates) > 1
    doubts = [Sentence("net.shared")] if study.shared and several else []
    doubts += [Sentence("net.pooled")] if study.design == "pooled" and several else []
    edges = {"count": consensus.n_edges, "r": seen[-1]}
    # Sets of the same samples share links of noise, too.
    recurs = study.reason != "chance"
    repeated = [Sentence("net.consensus", edges)] if recurs else []
    what = Sentence(f"net.what.{study.agreement}", {"points": Sentence("net.points")})

    def paragraphs(*sentences: Sentence) -> list[Markup]:
        return [say.sentence(each) for each in sentences]

    parts: dict[str, Any] = {
        "empty": study.recommended is None,
        "title": clean(title),
        "seed": seed,
        "summary": paragraphs(*recommendation(study), *grounds(study), *conditions(study)[:1]),
        "data": [first, *notes, *paragraphs(*experiment.notes)],
        "warned": [*paragraphs(*doubts), *warned],
        "agreement": paragraphs(what, now(study), *recommendation(study)),
        "curve": _curve(study, "agreement", say, seed),
        "shared": _curve(study, "shared", say, seed),
        "rests": paragraphs(*_rests(study, seen)),
        "change": paragraphs(
            *(Sentence(f"net.change.{k}") for k in ("strength", "target", "genes"))
        ),
        "networks": paragraphs(*repeated, structure(study)),
        "network": _network(consensus, say, seed) if recurs else None,
        "map": paragraphs(Sentence("net.map")),
        "maps": _maps(study, say, seed),
        "conditions": paragraphs(*conditions(study), *found),
        "links": None if links is None or links.empty else _link_table(links, say),
        "tables": [_curve_table(study, say), *(_edge_tables(consensus, say) if recurs else ())],
        "code": code,
        "versions": versions_line(versions(), seed, say),
    }
    absent = {name for name, part in (("map", "maps"), ("conditions",) * 2) if not parts[part]}
    return render("replicates.html.j2", [k for k in _SECTIONS if k not in absent], parts, say)


def code(experiment: Experiment, choice: dict[str, Any], call: dict[str, Any]) -> str:
    """Return the Python code that gives the numbers of the page."""
    source = experiment.source
    given = {name: value for name, value in choice.items() if value is not None}
    given |= {name: value for name, value in source.options.items() if name != "group"}
    arguments = "".join(f", {name}={value!r}" for name, value in given.items())
    origin = repr(source.path) if source.path is not None else "data"
    settings = "".join(f", {name}={value!r}" for name, value in call.items())
    lines = [
        "import gramian as gm",
        "",
        f"experiment = gm.networks.prepare({origin}{arguments})",
        "study = gm.networks.replicate_study(",
        f"    experiment.table, experiment.condition{settings}",
        ")",
        "print(study.summary())",
        "study.curve, study.by_condition, study.full  # the tables and networks of the page",
    ]
    if _can_compare(experiment.condition.value_counts()):
        lines += [
            f"gm.networks.{name}(experiment.table, experiment.condition, random_state="
            f"{call['random_state']})"
            for name in ("differential", "differential_power", "pooling")
        ]
    return "\n".join(lines) + "\n"


def _more_links(power: DifferentialPower) -> Sentence:
    """Say how many links more replicates would show."""
    if power.share == 0.0:
        return Sentence("net.more.none")
    each = [
        Sentence(
            "net.more.each",
            dict(zip(("more", "found", "low", "high"), map(round, row), strict=True)),
        )
        for row in power.curve.itertuples(name=None)
        if row[0] > 0
    ]
    return Sentence("net.more", {"each": Listed(tuple(each))})


def _pooled(found: Pooling) -> Sentence:
    """Say whether one network for all conditions shows more of each than its own does."""
    low, high = found.interval
    key = "gain" if low > 0 else "cost" if high < 0 else "even"
    values: dict[str, Any] = {"r": found.r, "own": Share(round(found.own, 2))}
    values |= {"pooled": Share(round(found.pooled, 2)), "count": len(found.by_condition) * found.r}
    return Sentence(f"net.pooling.{key}", values)


def _rests(study: ReplicateStudy, seen: list[int]) -> list[Sentence]:
    """Return what the number rests on."""
    values: dict[str, Any] = {"low": seen[0], "high": seen[-1], "count": len(seen)}
    shares = {name.replace("-", ""): Share(round(x, 2)) for name, x in _shares(study).items()}
    return [
        Sentence("net.rests.seen", values),
        Sentence("net.rests.jackknife"),
        Sentence("net.rests.curves", shares),
        Sentence("net.rests.prior"),
        Sentence(
            "net.rests.edges.each" if study.separated and not study.shared else "net.rests.edges",
            {"count": next(iter(study.full.values())).n_edges}
            | {"least": -(-min(2 * MIN_EDGES, len(study.names)) // 2)},
        ),
    ]


def _shares(study: ReplicateStudy) -> dict[str, float]:
    """Return the weight of each scale of learning curves, of graded links, and with a limit."""
    shares = {"graded": 0.0, "limited": 0.0}
    for name, share in study.families.items():
        scale = name.split()[-1]
        shares[scale] = shares.get(scale, 0.0) + share
        shares["graded"] += share if GRADED in name else 0.0
        shares["limited"] += share if LIMITED in name else 0.0
    return shares


def _network(consensus: Network, say: Say, seed: int) -> PageFigure | None:
    """Return the edges that are found again and again, the strongest of many."""
    if consensus.n_edges == 0:
        return None
    edges = consensus.edges.sort_values("frequency", ascending=False, kind="stable")[:_MAX_EDGES]
    ends = edges.index.to_numpy()
    part = type(consensus).from_edges(
        consensus.names, consensus.ends[ends], consensus.weights[ends]
    )
    record = plots.network(part, backend="none")
    return page_figure("network", "fig.network", record, say, seed, own_points=True)


def _curve(study: ReplicateStudy, what: Part, say: Say, seed: int) -> PageFigure:
    record = plots.replicates(study, what=what, backend="none")
    return page_figure(f"curve-{what}", f"fig.{what}", record, say, seed)


def _maps(study: ReplicateStudy, say: Say, seed: int) -> list[PageFigure]:
    out = []
    for color in ("size", "condition"):
        try:
            record = plots.networks(study, color=color, backend="none")
        except InputError:  # all alike, or all empty
            return []
        key, alt = f"fig.map.{color}", "fig.map.alt"
        out.append(page_figure(f"map-{color}", key, record, say, seed, alt=alt, own_points=True))
    return out


def _can_compare(counts: Collection[int]) -> bool:
    """Whether links are compared between conditions of so many samples."""
    return len(counts) > 1 and min(counts) >= _MIN_REPLICATES


def _link_table(links: pd.DataFrame, say: Say) -> Table:
    names = list(links.columns[2:-3])
    columns: list[Column] = [(str(say(f"col.{key}")), False, None) for key in ("source", "target")]
    columns += [(f"r {clean(name)}", True, 2) for name in names]
    columns += [(str(say("col.p_value")), True, None), (str(say("col.q_value")), True, None)]
    shown = links.drop(columns="difference")[:_MAX_LINKS]
    rows = [[clean(a), clean(b), *map(_short, rest)] for a, b, *rest in shown.to_numpy()]
    return Table("links", say("tab.net.links"), columns, rows)


def _curve_table(study: ReplicateStudy, say: Say) -> Table:
    keys = ["agreement", "agreement_low", "agreement_high", "observed", "edges", "degrees", "hubs"]
    keys += ["modules", "told_apart"]
    columns: list[Column] = [
        (str(say(f"col.net.{key}")), True, 0 if key == "size" else 2) for key in ("size", *keys)
    ]
    rows = [[int(r), *map(_short, row)] for r, *row in study.curve[keys].itertuples(name=None)]
    return Table("curve", say("tab.curve"), columns, rows, few=20)


def _edge_tables(consensus: Network, say: Say) -> list[Table]:
    """Return the hubs and the edges that are found again and again."""
    degree = consensus.degree().sort_values(ascending=False, kind="stable")
    degree = degree[degree > 0]
    columns: list[Column] = [(str(say("col.label")), False, None)]
    columns.append((str(say("col.degree")), True, 0))
    hubs = [[clean(name), int(k)] for name, k in degree.items()]
    edges = consensus.edges.sort_values("frequency", ascending=False, kind="stable")
    titles = ("source", "target", "weight", "frequency")
    heads: list[Column] = [(str(say(f"col.{key}")), key in titles[2:], 2) for key in titles]
    rows = [[clean(a), clean(b), _short(w), _short(f)] for a, b, w, f in edges[:5000].to_numpy()]
    return [
        Table("hubs", say("tab.hubs"), columns, hubs),
        Table("edges", say("tab.edges"), heads, rows),
    ]


def _short(x: Any) -> float | None:
    return float(f"{float(x):.3g}") if pd.notna(x) else None
