"""The page of a study of replicates: its sections, figures and tables."""

from collections.abc import Collection, Iterable
from typing import Any

import pandas as pd

from gramian import plots
from gramian._study.language import Sentence, Share
from gramian._study.study import versions
from gramian.errors import InputError
from gramian.io.notes import Note
from gramian.networks import Experiment, ReplicateStudy, differential
from gramian.networks.result import (
    conditions,
    grounds,
    now,
    recommendation,
    structure,
    summary_sentences,
)
from gramian.plots.text import clean
from gramian.report.figures import PageFigure, page_figure
from gramian.report.page import render, versions_line
from gramian.report.say import Markup, Say, escape
from gramian.report.tables import Column, Table

_SECTIONS = (
    "summary",
    "data",
    "agreement",
    "rests",
    "networks",
    "map",
    "conditions",
    "tables",
)
_MAX_LINKS = 200  # differential links on the page
_MAX_EDGES = 400  # edges of the network that is drawn
_MIN_REPLICATES = 6  # replicates for links that differ


def replicates_page(
    study: ReplicateStudy, experiment: Experiment, title: str, code: str, seed: int, say: Say
) -> str:
    """Return the page of a study as HTML."""
    links = _links(study, experiment, seed)
    source = experiment.source
    first = say.sentence(summary_sentences(study)[0])
    notes, warned = (
        [_note(text, say) for text in part] for part in (source.notes, source.warnings)
    )
    parts: dict[str, Any] = {
        "empty": study.recommended is None,
        "title": clean(title),
        "seed": seed,
        "summary": _list([*recommendation(study), *grounds(study), *conditions(study)[:1]], say),
        "data": [first, *notes, *_list(experiment.notes, say)],
        "warned": [*_warnings(study, say), *warned],
        "agreement": _list([Sentence("net.what"), now(study), *recommendation(study)], say),
        "curve": _curve(study, "agreement", say, seed),
        "shared": _curve(study, "shared", say, seed),
        "rests": _rests(study, say),
        "change": _list(
            [Sentence(f"net.change.{k}") for k in ("strength", "target", "genes")], say
        ),
        "networks": _list([*_network_words(study), structure(study)], say),
        "network": _network(study, say, seed),
        "map": _list([Sentence("net.map")], say),
        "maps": _maps(study, say, seed),
        "conditions": _list([*conditions(study), *_link_words(links)], say),
        "links": None if links is None or links.empty else _link_table(links, say),
        "tables": [_curve_table(study, say), *_edge_tables(study, say)],
        "code": code,
        "versions": versions_line(versions(), seed, say),
    }
    absent = {"map"} if not parts["maps"] else set()
    absent |= {"conditions"} if not parts["conditions"] else set()
    return render("replicates.html.j2", [k for k in _SECTIONS if k not in absent], parts, say)


def code(experiment: Experiment, choice: dict[str, Any], call: dict[str, Any]) -> str:
    """Return the Python code that gives the numbers of the page."""
    source = experiment.source
    given = {name: value for name, value in choice.items() if value is not None}
    given |= {name: value for name, value in source.options.items() if name != "group"}
    arguments = "".join(f", {name}={value!r}" for name, value in given.items())
    origin = repr(source.path) if source.path is not None else "data"
    settings = "".join(f", {name}={value!r}" for name, value in call.items())
    lines = ["import gramian as gm", "", f"experiment = gm.networks.prepare({origin}{arguments})"]
    lines += [
        "study = gm.networks.replicate_study(",
        f"    experiment.table, experiment.condition{settings}",
        ")",
        "print(study.summary())",
        "study.curve, study.by_condition, study.full  # the tables and networks of the page",
    ]
    if _can_compare(experiment.condition.value_counts()):
        lines += [
            "gm.networks.differential(experiment.table, experiment.condition, random_state="
            f"{call['random_state']})",
        ]
    return "\n".join(lines) + "\n"


def _note(note: Note, say: Say) -> Markup:
    """Return a note of the reading in the language of the page."""
    return escape(note.in_language(say.language, say.spelling))


def _list(sentences: Iterable[Sentence], say: Say) -> list[Markup]:
    return [say.sentence(each) for each in sentences]


def _warnings(study: ReplicateStudy, say: Say) -> list[Markup]:
    out = []
    if study.shared and len(study.replicates) > 1:
        out.append(Sentence("net.shared"))
    if study.design == "pooled" and len(study.replicates) > 1:
        out.append(Sentence("net.pooled"))
    return _list(out, say)


def _rests(study: ReplicateStudy, say: Say) -> list[Markup]:
    """Return what the number rests on."""
    seen = [int(r) for r in study.curve.index[study.curve["seen"]]]
    values: dict[str, Any] = {"low": seen[0], "high": seen[-1], "count": len(seen)}
    shares = {name.replace("-", ""): Share(round(x, 2)) for name, x in study.families.items()}
    sentences = [
        Sentence("net.rests.seen", values),
        Sentence("net.rests.jackknife"),
        Sentence("net.rests.curves", shares),
        Sentence("net.rests.prior"),
        Sentence("net.rests.edges", {"count": next(iter(study.full.values())).n_edges}),
    ]
    return _list(sentences, say)


def _network_words(study: ReplicateStudy) -> list[Sentence]:
    consensus = study.consensus()
    size = int(study.curve.index[study.curve["seen"]][-1])
    values: dict[str, Any] = {"count": consensus.n_edges, "r": size}
    return [Sentence("net.consensus", values)]


def _network(study: ReplicateStudy, say: Say, seed: int) -> PageFigure | None:
    """Return the edges that are found again and again, the strongest of many."""
    consensus = study.consensus()
    if consensus.n_edges == 0:
        return None
    edges = consensus.edges.sort_values("frequency", ascending=False, kind="stable")[:_MAX_EDGES]
    ends = edges.index.to_numpy()
    part = type(consensus).from_edges(
        consensus.names, consensus.ends[ends], consensus.weights[ends]
    )
    record = plots.network(part, backend="none")
    title, alt = say("fig.network"), say("fig.network.alt")
    return page_figure("network", title, alt, record, say, seed, translate_points=True)


def _curve(study: ReplicateStudy, what: str, say: Say, seed: int) -> PageFigure:
    record = plots.replicates(study, what=what, backend="none")
    title, alt = say(f"fig.{what}"), say(f"fig.{what}.alt")
    return page_figure(f"curve-{what}", title, alt, record, say, seed)


def _maps(study: ReplicateStudy, say: Say, seed: int) -> list[PageFigure]:
    out = []
    for color in ("size", "condition"):
        try:
            record = plots.networks(study, color=color, backend="none")
        except InputError:  # all alike, or all empty
            return []
        title, alt = say(f"fig.map.{color}"), say("fig.map.alt")
        out.append(
            page_figure(f"map-{color}", title, alt, record, say, seed, translate_points=True)
        )
    return out


def _links(study: ReplicateStudy, experiment: Experiment, seed: int) -> pd.DataFrame | None:
    """Return the links that differ between conditions, None where there are too few samples."""
    if not _can_compare(study.replicates.values()):
        return None
    return differential(experiment.table, experiment.condition, random_state=seed)


def _can_compare(counts: Collection[int]) -> bool:
    """Whether links are compared between conditions of so many samples."""
    return len(counts) > 1 and min(counts) >= _MIN_REPLICATES


def _link_words(links: pd.DataFrame | None) -> list[Sentence]:
    if links is None:
        return []
    return [Sentence("net.links" if len(links) else "net.links.none", {"count": len(links)})]


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


def _edge_tables(study: ReplicateStudy, say: Say) -> list[Table]:
    """Return the hubs and the edges that are found again and again."""
    consensus = study.consensus()
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
