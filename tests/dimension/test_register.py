"""One registry: a rule that is registered is known wherever rules are."""

import subprocess
import sys
from unittest import mock

import numpy as np
import pytest
from tests.report.made import normal

import gramian as gm
from gramian import dimension
from gramian._study.language import LANGUAGES, texts
from gramian.plots.record import Curve
from gramian.report import figures, tables
from gramian.report.say import Say
from gramian.studies import study

from .designs import planted

RULES = dimension.RULES
LIBRARY = ["threshold", "kaiser", "karlis", "elbow", "cattell", "broken_stick", "parallel"]
LIBRARY += ["signflip", "deflated", "deterministic", "gavish_donoho", "marchenko_pastur", "minka"]
LIBRARY += ["gcv", "smooth", "em", "bcv"]
RNG = np.random.default_rng(0)
X = planted(RNG, 60, 8, [60.0, 40.0], RNG.standard_normal((60, 8)))


@pytest.fixture(autouse=True)
def registry():
    with mock.patch.dict(RULES):
        yield


def halving(values, total, dimension):
    return int(np.count_nonzero(values >= 0.5 * values[0]))


@pytest.mark.slow
def test_the_registry_is_complete_without_the_studies_above_it():
    code = "import sys; from gramian._reading.rules import RULES; print(*RULES); "
    code += "print([n for n in sys.modules if n.startswith(('gramian.dim', 'gramian.est'))])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == [" ".join(LIBRARY), "[]"]
    assert list(RULES) == LIBRARY


@pytest.mark.parametrize("name", LIBRARY)
def test_every_rule_says_what_it_asks_in_every_language(name):
    assert all(texts(language)[f"rule.{name}"] for language in LANGUAGES)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning")
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("name", LIBRARY)
def test_n_components_and_choose_agree(name, scale):
    q = dimension.choose(X, rules=[name], scale=scale, random_state=3)["q"].iloc[0]
    assert gm.PCA(name, scale=scale, random_state=3).fit(X).n_components_ == max(q, 1)
    if not scale:
        assert gm.ClassicalMDS(name).fit(X).n_components_ == max(q, 1)
    if not scale and RULES[name].needs not in ("shape", "tall"):
        fit = gm.KernelPCA(name, kernel="linear", random_state=3).fit(X)
        assert fit.n_components_ == max(q, 1)


@pytest.mark.slow
def test_weights_mean_the_same_to_a_fit_and_to_parallel_analysis():
    """Scaled columns keep their unit variance when rows of unequal weight are permuted."""
    w = np.geomspace(1.0, 30.0, 60)
    for name in ("parallel", "signflip", "deflated"):
        choices = dimension.choose(X, rules=[name], scale=True, sample_weight=w, random_state=3)
        fit = gm.PCA(name, scale=True, random_state=3).fit(X, sample_weight=w)
        assert fit.n_components_ == max(choices["q"].iloc[0], 1)


def test_a_bare_number_is_enough():
    assert dimension.register(halving) is halving
    choices = dimension.choose(X, n_permutations=19)
    row = choices.loc["halving"]
    assert row["q"] == 2 and row[["value", "threshold", "p_value"]].isna().all()
    assert choices.evidence["halving"].rule == "halving"
    assert "halving" not in choices.reference
    assert choices.votes.sum() == len(choices) - 1  # all but "threshold"
    for estimator in (gm.PCA("halving"), gm.ClassicalMDS("halving"), gm.MDS("halving", n_init=1)):
        assert estimator.fit(X).n_components_ == 2
    assert len(gm.rkhs.mercer(gm.kernels.Linear(), X, "halving").eigenvalues) == 2


def test_four_ways_to_register():
    dimension.register(halving, "call")
    dimension.register(halving, name="keyword")
    assert dimension.register("decorator")(halving) is halving
    assert dimension.register(votes=False)(halving) is halving
    assert set(RULES) - set(LIBRARY) == {"call", "keyword", "decorator", "halving"}


def test_its_vote_counts_unless_it_has_none():
    dimension.register(lambda values, total, dimension: 3, name="three")
    dimension.register(lambda values, total, dimension: 3, name="silent", votes=False)
    choices = dimension.choose([4.0, 3.0, 2.0, 1.0], rules=["kaiser", "three", "silent"])
    assert choices.voting.to_dict() == {"kaiser": 2, "three": 3}
    assert choices.consensus == 2


def test_a_choice_brings_evidence_and_a_curve():
    @dimension.register(curve="half")
    def half(values, total, dimension):
        level = 0.5 * values[0]
        return gm.dimension.Choice(2, value=values[1], threshold=level, reference=level)

    choices = dimension.choose(X, n_permutations=19)
    values = gm.PCA().fit(X).eigenvalues_
    assert choices.loc["half", ["value", "threshold"]].tolist() == pytest.approx(
        [values[1], values[0] / 2]
    )
    assert choices.reference["half"] == pytest.approx(np.full(8, values[0] / 2))
    drawn = gm.plots.scree(gm.PCA().fit(X), reference=choices, cumulated=False, backend="none")
    assert [curve.name for curve in drawn.layers(Curve)] == list(choices.reference)
    assert len({(curve.color, curve.dash) for curve in drawn.layers(Curve)}) == len(
        choices.reference
    )
    assert "half" in gm.plots.dimension(choices, backend="none").numbers["rules"]


def test_the_number_of_rows_is_a_fourth_argument():
    calls = []

    @dimension.register(needs="shape")
    def rows(values, total, dimension, n):
        calls.append((dimension, n))
        return 1

    wide = X[:6]
    dimension.choose(wide, rules=["rows"])
    gm.PCA("rows").fit(wide)
    assert set(calls) == {(5, 6)}  # five axes, though there are eight columns
    dimension.register(rows, needs="shape", over="columns")
    dimension.choose(wide, rules=["rows"])
    assert calls[-1] == (8, 6)
    with pytest.raises(gm.errors.InputError, match="needs a table"):
        gm.KernelPCA("rows").fit(X)
    assert "rows" not in dimension.choose(gm.KernelPCA(), X[:20], n_permutations=19).index


def test_a_rule_may_look_at_a_table():
    @dimension.register(needs="columns", options=("random_state", "alpha"))
    def drawn(columns, random_state=None, alpha=0.05):
        calls.append((columns.values.shape, random_state, alpha))
        return int(np.count_nonzero(columns.observed > 5 * np.median(columns.observed)))

    calls = []
    choices = dimension.choose(X, rules=["drawn"], alpha=0.2, random_state=4)
    assert choices["q"].tolist() == [2] == [gm.PCA("drawn", random_state=5).fit(X).n_components_]
    assert calls == [((8, 60), 4, 0.2), ((8, 60), 5, 0.05)]
    assert gm.KernelPCA("drawn", kernel="linear").fit(X).n_components_ == 2
    with pytest.raises(gm.errors.InputError, match="columns of one table"):
        gm.KernelPCA("drawn", kernel="precomputed").fit(X @ X.T)


def test_none_of_a_table_keeps_one_axis_with_a_warning():
    dimension.register(lambda columns: 0, name="nothing", needs="columns")
    with pytest.warns(gm.errors.RankWarning, match="'nothing' finds no axis above noise: one"):
        assert gm.PCA("nothing").fit(X).n_components_ == 1


def test_slow_rules_are_left_out():
    dimension.register(halving, name="slow", pace="slow")
    dimension.register(halving, name="rare", pace="on demand")
    assert "slow" in dimension.choose([2.0, 1.0]).index
    quick = dimension.choose([2.0, 1.0], quick=True).index
    assert not {"slow", "rare"} & {*quick, *dimension.choose([2.0, 1.0]).index.drop("slow")}
    assert dimension.choose([2.0, 1.0], rules=["rare"])["q"].tolist() == [2]
    left_out = {"signflip", "deflated", "em", "bcv"}
    assert set(LIBRARY) - set(dimension.choose(X, quick=True).index) == left_out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "neutral", "own"),
    [
        ("en", "the rule halving keeps 2 axes", "half of it"),
        ("fr", "la règle halving garde 2 axes", "la moitié"),
    ],
)
def test_the_report_names_it(language, neutral, own):
    dimension.register(halving)
    dimension.register(halving, name="told", sentence={"en": "half of it", "fr": "la moitié"})
    dimension.register(halving, name="one", sentence="<b>{x}</b>")
    s, say = study(normal(20, 3).assign(v3=lambda t: t["v0"], v4=lambda t: t["v1"])), Say(language)
    rows = {row[0]: row[1] for row in tables.rules(s, say).rows}
    q = s.choices.loc["halving", "q"]
    assert q == 2 and rows["halving"] == neutral and rows["told"] == own
    assert rows["one"] == "<b>{x}</b>"  # a cell is text


@pytest.mark.slow
def test_the_report_draws_a_curve_that_has_a_name():
    @dimension.register(curve={"en": "my level", "fr": "mon niveau"})
    def level(values, total, dimension):
        return gm.dimension.Choice(1, reference=1.0)

    s = study(normal(20, 3))
    names = {"en": ("permuted columns", "my level"), "fr": ("colonnes permutées", "mon niveau")}
    for language, words in names.items():
        drawing = str(figures.scree(s, Say(language)).drawing)
        assert all(word in drawing for word in words)


def register(**options):
    return dimension.register(options.pop("decide", halving), **options)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: register(name="kaiser"), "rule of the library"),
        (lambda: register(name="two words"), "cannot name a rule"),
        (lambda: register(name="cv"), "cannot name a rule"),
        (lambda: register(decide=lambda v, t, d: 1), "cannot name a rule"),
        (lambda: register(decide=3), "must be a function"),
        (lambda: register(needs="luck"), "needs='luck' must be one of eigenvalues"),
        (lambda: register(over="rows"), "over"),
        (lambda: register(pace="fast"), "pace"),
        (lambda: register(options=["scale"]), "options"),
        (lambda: register(sentence={"de": "halb"}), "sentence"),
        (lambda: gm.PCA("halfing").fit(X), "not a known rule: use one of .*bcv"),
        (lambda: dimension.choose(X, rules="halfing"), "not a known rule: use some of .*bcv"),
        (lambda: dimension.choose([2.0, 1.0], rules=["gcv"]), "apply here, it needs 3 principal"),
        (lambda: gm.KernelPCA("gcv").fit(X), "needs 3 principal components"),
        (lambda: gm.PCA("gcv").fit(X, sample_weight=np.arange(1, 61)), "without weights"),
        (lambda: gm.PCA("bcv", column_weight=np.arange(1, 9)).fit(X), "without weights"),
        (lambda: gm.KernelPCA("deflated").fit(X), "needs principal components of a table"),
        (lambda: gm.ClassicalMDS("signflip", metric="cityblock").fit(X), "signs can be flipped"),
        (lambda: gm.PCA("minka").fit(X[:6]), "more rows than columns"),
    ],
)
def test_refusals(call, words):
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call()
    assert isinstance(caught.value, gm.errors.InputError | gm.errors.InputTypeError)
    assert len(str(caught.value)) <= 400


@pytest.mark.parametrize("answer", [-1, 2.5, "two", 4])
def test_answers_that_are_no_number_of_axes(answer):
    dimension.register(lambda values, total, dimension: answer, name="odd")
    with pytest.raises(gm.errors.InputError, match="the rule 'odd'"):
        dimension.choose([3.0, 2.0, 1.0], rules=["odd"])


def _divide(values, total, dimension):
    return total / len(rest)  # noqa: F821  a slip of the user


@pytest.mark.parametrize(
    ("rule", "words"), [(_divide, "NameError: name 'rest'"), (lambda *a: 99, "keeps 99 axes")]
)
def test_a_rule_that_fails_is_marked_and_the_others_are_kept(rule, words):
    kept = dimension.choose(X, rules=["kaiser", "parallel", "gcv"])
    dimension.register(rule, name="odd")
    with pytest.warns(UserWarning, match="'odd' failed"):
        choices = dimension.choose(X, rules=["kaiser", "odd", "parallel", "gcv"])
    assert words in choices.loc["odd", "failed"]
    assert choices["q"].isna().tolist() == [False, True, False, False]
    assert choices["q"].drop("odd").tolist() == kept["q"].tolist()
    assert choices["failed"].drop("odd").tolist() == [""] * 3
    assert choices.votes.to_dict() == kept.votes.to_dict()
    assert choices.consensus == kept.consensus
    assert list(choices.reference) == list(kept.reference)


def test_a_rule_that_fails_is_not_drawn():
    @dimension.register("broken")
    def broken(values, total, dimension):
        raise ValueError("no")

    with pytest.warns(UserWarning, match="broken"):
        found = dimension.choose(X, rules=["kaiser", "broken", "elbow"])
    numbers = gm.plots.dimension(found, backend="none").numbers
    assert numbers["rules"] == ["kaiser", "elbow"] and np.isfinite(numbers["q"]).all()
    gm.plots.dimension(found)


def test_a_report_shows_the_error_of_a_rule_that_fails():
    dimension.register(_divide, name="odd")
    with pytest.warns(UserWarning, match="odd"):
        choices = dimension.choose(X, rules=["kaiser", "odd"])
    s = mock.Mock(choices=choices)
    for language in LANGUAGES:
        rows = tables.rules(s, Say(language)).rows
        assert [row[0].lower() for row in rows] == ["kaiser", "odd"]
        assert rows[0][2] == choices["q"].iloc[0] and "name 'rest' is not defined" not in rows[0][1]
        assert "name 'rest' is not defined" in rows[1][1] and rows[1][2:] == [None] * 4


def test_a_rule_may_be_registered_again_and_lists_of_many_stay_short():
    for k in range(60):
        dimension.register(halving, name=f"halving_{k}")
        dimension.register(halving, name="halving")
    with pytest.raises(gm.errors.InputError, match="…") as caught:
        gm.PCA("everest").fit(X)
    assert len(str(caught.value)) <= 400
