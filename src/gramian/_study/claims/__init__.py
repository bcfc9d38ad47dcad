"""All claims of a study: the makers of claims, in the order of a page.

A maker takes the study (and the number of an axis) and returns a list of claims. A new kind of
claim is such a function in a module of this folder, its name in a table below, and its sentences
in `language/en.toml` and `language/fr.toml`.
"""

from collections.abc import Callable, Iterable

from gramian._study.claims import axes, data, groups, rows
from gramian._study.designs import design_claims
from gramian._study.language import LANGUAGES, P, Sentence
from gramian._study.record import Claim, Study, claim, not_tested

_SUMMARY_WORDS = 120
_SUMMARY_AXES = 3
_SUMMARY_GROUPS = 3
_MOSTLY_ONE_ROW = 0.5  # of the inertia of an axis
_SAME_EFFECT = 0.6  # of the largest effect of a column on an axis
_HEADLINES = ("axes", "nothing", "independence")
_SUMMARY_ASSUMPTIONS = ("order", "copies", "unequal rows")
_DESCRIBED = ("axis-variable", "axis-group", "tie")  # by a test, or without one
_FINDINGS = ("design", "axes", "axis-group", "group", "tie", "row", "curve", "cluster")


def failure_claims(study: Study) -> list[Claim]:
    """State each part that failed, and why; the axes have a sentence of their own."""
    failures = study.evidence.failures.items()
    return [not_tested(part, reason) for part, reason in failures if part != "axes"]


Maker = Callable[[Study], list[Claim]]
AxisMaker = Callable[[Study, int], list[Claim]]
_FIRST: tuple[Maker, ...] = (
    data.size_claims,
    data.data_claims,
    data.assumption_claims,
    lambda study: [] if study.designed is None else design_claims(study),
    axes.axes_claims,
    axes.independence_claims,
)
_EACH_AXIS: tuple[AxisMaker, ...] = (
    axes.axis_claims,
    axes.variable_claims,
    axes.element_claims,
    axes.end_claims,
    groups.axis_group_claims,
    axes.described_group_claims,
    groups.tie_claims,
    axes.described_tie_claims,
    rows.axis_stability_claims,
)
_LAST: tuple[Maker, ...] = (
    groups.group_claims,
    groups.community_claims,
    groups.column_tie_claims,
    groups.kernel_group_claims,
    rows.row_claims,
    rows.map_claims,
    rows.robust_claims,
    rows.stability_claims,
    groups.curve_claims,
    groups.kernel_claims,
    failure_claims,
    groups.class_claims,
)


def claims_of(study: Study) -> tuple[Claim, ...]:
    """Return every claim; that nothing was found at all replaces "no axis"."""
    out = [c for maker in _FIRST for c in maker(study)]
    out += [c for k in study.read for maker in _EACH_AXIS for c in maker(study, k)]
    out += [c for maker in _LAST for c in maker(study)]
    complete = study.evidence.tested and not study.evidence.failures
    out = axes.merged(out)
    described = (c for c in out if not c.tested)
    if any(c.kind in _DESCRIBED or c.effect_name == "elements" for c in described):
        out.append(claim("data", Sentence("claim.data.described"), subject="note"))
    if complete and not any(c.kind in _FINDINGS and c.tested for c in out):
        out = [_nothing(study) if c.sentence.key == "claim.none.axes" else c for c in out]
    return tuple(out)


def _nothing(study: Study) -> Claim:
    p = study.evidence.family.axes[0]
    sentence = Sentence("claim.nothing", {"p": P(p)})
    return claim("nothing", sentence, subject="nothing", p_value=p, test=axes.axes_test(study))


def _is_slight(each: Claim) -> bool:
    """Whether a relation is too weak for a summary, however sure it is."""
    least = {"axis-group": axes.MIN_ETA2, "tie": axes.MIN_CORRELATION, "group": axes.MIN_ETA2}
    if each.kind not in least or each.effect is None:
        return False
    if each.kind == "group" and each.effect_name != "eta2":
        return False
    return abs(each.effect) < least[each.kind]


def _has_sides(each: Claim) -> bool:
    """Whether a sentence on groups says which of them are on which side."""
    sides = each.sentence.values.get("sides")
    return sides is not None and sides.key != "claim.sides.none"


def short(claims: Iterable[Claim], read: tuple[int, ...]) -> tuple[Claim, ...]:
    """Return the claims of a summary: what axes show, what else was found, how it was analysed.

    At most `_SUMMARY_WORDS` words in either language: what a reader would quote comes first, and
    what does not fit is left to the page.
    """
    # The variables of an axis that cannot be distinguished from noise are stated beside the axis.
    every = [c for c in claims if not _is_slight(c) and c.sentence.key != axes.NOT_FOUND]

    def of(*kinds: str, axis: int | None = None) -> list[Claim]:
        return [c for c in every if c.kind in kinds and c.axis == axis]

    def about(kind: str, *subjects: str) -> list[Claim]:
        return [c for c in of(kind) if c.subject in subjects]

    designed = [c for c in about("data", "design") if c.effect_name == ""] + of("design")
    headline = [c for c in of("axes", "nothing", "not-tested") if c.subject in _HEADLINES]
    untested = any(c.kind == "not-tested" for c in headline)
    counted = any(c.subject == "independence" for c in headline)
    untested |= any(c.subject == "independence" and c.kind == "axes" for c in headline)
    # Distances are of these objects, not of a sample: who is where is shown whatever a test finds.
    untested |= any(c.sentence.key == "claim.data.distances" for c in about("data", "size"))
    related = {c.axis for c in every if c.kind in ("axis-group", "tie")}
    # A group may be related to an axis that carries next to nothing: its columns say more of it.
    plane = [k for k in read if k <= 2 or of("axes", axis=k)]
    matter = [k for k in plane if untested or of("axes", axis=k) or k in related][:_SUMMARY_AXES]
    most: dict[tuple[str, str], float] = {}
    for c in every:
        if c.axis in matter and c.effect is not None:
            most[c.kind, c.subject] = max(most.get((c.kind, c.subject), 0.0), abs(c.effect))

    placed = {c.subject for c in every if c.kind == "axis-group" and _has_sides(c)}

    def best(c: Claim) -> bool:  # what another axis shows twice as well is stated there
        if c.kind == "axis-group" and c.subject in placed and not _has_sides(c):
            return False
        return abs(c.effect or 0.0) >= _SAME_EFFECT * most.get((c.kind, c.subject), 0.0)

    shown: dict[int, list[Claim]] = {}
    made: dict[int, list[Claim]] = {}
    for k in matter:
        stands = untested or bool(of("axes", axis=k))
        shown[k] = [*filter(best, of("axis-group", axis=k))][:1]
        shown[k] += [*filter(best, of("tie", axis=k))][:1]
        variables = of("axis-variable", axis=k)[:1]
        elements = [c for c in of("data", axis=k) if c.effect_name == "elements"]
        ends = [c for c in of("data", axis=k) if c.effect_name == "ends"]
        # The variables of an axis that is noise are stated beside the axis only, unless a group is
        # related to it.
        made[k] = (variables or elements or ends) if stands or shown[k] else []
        if counted and stands:  # rows are categories as columns are
            made[k] = ends or elements
        if not shown[k] and not made[k]:
            shown[k] = of("axes", axis=k)
    on_axes = {c.subject for k in matter for c in shown[k] if c.kind == "axis-group"}
    # Means that an axis shows are stated beside it; spread and correlations are not.
    within = groups.WITHIN.values()
    apart = [c for c in of("group") if c.subject not in on_axes or c.effect_name in within]
    gradients = [c for c in of("tie") if c.effect_name == groups.GRADIENT][:1]
    if gradients:  # which name more than the columns of single axes
        shown = {k: [c for c in some if c.kind != "tie"] for k, some in shown.items()}
    found = [
        *gradients,
        *about("curve", "arch"),
        *apart[:_SUMMARY_GROUPS],
        *of("tie")[:_SUMMARY_GROUPS],
    ]
    found += [*of("curve", "cluster"), *about("data", "classes")]
    rest = [*about("data", "rows", "robust")]
    of_rows = [c for c in every if c.effect_name == "share of an axis"]
    rest += [c for k in dict.fromkeys([*matter, *read[:2]]) for c in of_rows if c.axis == k]
    display = [c for k in matter for c in (*shown[k], *made[k])]
    display = [*designed, *display] or about("data", "size")
    display += [*found, *headline, *about("data", "method"), *about("data", "lost"), *rest]
    display += [*about("data", "size"), *about("stability", "map")]
    display += [c for c in of("assumption") if c.subject in _SUMMARY_ASSUMPTIONS]
    kind = [c for c in about("data", "method") if c.sentence.key != "claim.data.method.pca"]
    first = [*headline, *kind, *designed, *gradients]
    # Variables of an axis that is mostly one row are those of this row.
    alone = {c.axis for c in of_rows if c.effect is not None and c.effect >= _MOSTLY_ONE_ROW}
    first += [c for k in matter[:1] for c in (*shown[k], *([] if k in alone else made[k]))]
    first += about("data", "lost")
    first += about("data", "rows") + [c for k in matter[1:] for c in shown[k]]
    first += about("data", "robust")
    means = [c for c in found if c.effect_name not in within]
    first += [*means, *(c for k in matter[1:] for c in made[k]), *found, *rest, *display]
    return _within_budget(first, display)


def _within_budget(first: list[Claim], display: list[Claim]) -> tuple[Claim, ...]:
    """Return claims in the order of `display`, as many as fit, those of `first` before others."""
    left, kept = _SUMMARY_WORDS, set[str]()
    for each in first:
        words = max(len(each.say(language).split()) for language in LANGUAGES)
        if each.text not in kept and words <= left:
            left -= words
            kept.add(each.text)
    return tuple({c.text: c for c in display if c.text in kept}.values())
