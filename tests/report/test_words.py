"""A page says what the claims say, in both languages, and nothing else about the data."""

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from tests.report.made import body, normal, page_of, study_of

import gramian as gm
from gramian._study.language import Options, texts
from gramian.report.figures import _with_shares
from gramian.report.page import page

pytestmark = pytest.mark.slow


NAMES = ["experiment", "noise", "rings", "iris", "cities", "hostile"]


def plain(html):
    return unescape(re.sub(r"<[^>]*>", "", html))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", NAMES)
def test_every_assertion_is_a_claim(name, language):
    s = study_of(name)
    texts = {c.say(language) for c in s.claims}
    said = re.findall(r'<span class="claim"[^>]*>(.*?)</span>', page_of(name, language), flags=re.S)
    assert {plain(text) for text in said} == texts  # and every claim is on the page


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_claim_is_an_explanation(name):
    """Outside of claims, prose is of the catalogue's explaining keys, word for word."""
    html = page_of(name)
    html = re.sub(r"<(script|style|pre)\b.*?</\1>", " ", html, flags=re.S)
    html = re.sub(r'<span class="claim"[^>]*>.*?</span>', "", html, flags=re.S)
    html = re.sub(r'<p class="(?:note|kicker|versions)">.*?</p>', "", html, flags=re.S)
    told = {
        plain(text).strip() for text in re.findall(r"<(?:p|li)>(.*?)</(?:p|li)>", html, flags=re.S)
    }
    patterns = [
        re.compile(re.sub(r"\\\{.*?\\\}", ".*", re.escape(text)).replace(r"\ ", r"\s"))
        for key, text in texts("en").items()
        if not key.startswith("claim.")
    ]
    for text in filter(None, told):
        spaced = text.replace("\u202f", " ").replace("\u00a0", " ")
        assert any(p.fullmatch(spaced) for p in patterns), text


def test_in_short_is_a_choice_of_claims():
    for name in NAMES:
        s = study_of(name)
        assert set(s.short) <= set(s.claims)
        summary = re.search(r'<section id="summary".*?</section>', page_of(name), flags=re.S)[0]
        assert len(re.findall("<li>", summary)) == len({c.text for c in s.short})


def test_every_axis_that_is_announced_is_read():
    s = study_of("experiment")
    assert set(range(1, min(s.q, 6) + 1)) <= set(s.read)
    html = page_of("experiment")
    for k in set(s.read) & set(range(1, s.q + 1)):
        words = plain(re.search(rf'<article[^>]* id="axis-{k}">.*?</article>', html, flags=re.S)[0])
        for kind in ("axes", "axis-variable"):
            assert s.of(kind, axis=k) and all(c.text in words for c in s.of(kind, axis=k))
    # The 120 words of the summary go to the axes that carry most; none is passed over.
    told = {c.axis for c in s.short if c.axis is not None}
    assert {1, 2} <= told and told == set(range(1, max(told) + 1))
    assert sum(len(c.text.split()) for c in s.short) <= 120


def test_both_axes_of_the_map_are_read():
    for name in NAMES:
        s = study_of(name)
        assert s.fit.n_components_ < 2 or {1, 2} <= set(s.read)


def test_each_test_states_its_null_and_what_it_needs():
    s = study_of("experiment")
    words = body(page_of("experiment"))
    for c in s.claims:
        if c.p_value is not None and c.kind not in ("assumption", "stability"):
            assert c.null and c.assumption and c.null in words and c.assumption in words


def test_a_page_of_noise_claims_nothing_and_does_not_deny_anything():
    words = body(page_of("noise"))
    assert "this does not show that there is nothing" in words
    for fact in ("nothing to interpret", "carries no information", "exceeds noise"):
        assert fact not in words
    assert not any(c.tested for c in study_of("noise").claims if "opposes" in c.text)


def test_french_pages_speak_french_and_write_commas():
    words = body(page_of("iris", "fr"))
    assert "Combien d’axes\u202f?" in words
    assert re.search(r"L’axe 1 porte \d+(,\d)?.% de l’inertie", words)
    for english in ("carries", "exceeds", "Rows", "Download", " seed "):
        assert english not in words
    assert not re.search(r"\d\.\d", words.split("Tableaux")[0].split("Cartes")[-1])


def test_a_study_is_written_as_it_is(tmp_path):
    s = study_of("iris")
    written = gm.report.write(s, tmp_path / "a.html").read_text(encoding="utf-8")
    assert written == page_of("iris")
    with pytest.raises(gm.errors.InputError, match="a study has read its data"):
        gm.report.write(s, tmp_path / "b.html", title="other")


def test_arguments_are_spelled_as_the_face_does():
    X = normal(30, 5)
    X.iloc[3, 2] = None
    s = gm.study(X)
    assert "missing='drop-columns', 'iterative', 'mean' or 'median'" in body(page(s, "en"))
    ours = Options({"missing": ("--missing", None)})
    words = body(page(s, "en", ours))
    assert (
        "--missing drop-columns, iterative, mean or median" in words
        and "missing='" not in words.split("Reproduce in Python")[0]
    )


def test_tables_that_are_cut_say_so_on_paper():
    assert '"cut":"The first {shown} of {count} rows' in page_of("iris")


def test_rows_outside_the_limits_are_named_the_farthest_first():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        rng.standard_normal((60, 4)), [f"leaf {k}" for k in range(60)], list("abcd")
    )
    table.iloc[7] += [0.0, 0.0, 0.0, 60.0]
    table.iloc[20] += [12.0, 0.0, 0.0, 0.0]
    words = plain(page(gm.study(table), "en"))
    assert words.split("Outside, the farthest first: ")[1].startswith("leaf 7")


def test_rows_of_a_table_with_more_columns_are_not_held_against_limits_for_others():
    """All rows that made the axes are beyond limits for new ones there."""
    table = pd.DataFrame(np.random.default_rng(0).standard_normal((24, 60)))
    words = plain(page(gm.study(table), "en"))
    assert "Outlying rows" in words and "Outside, the farthest first" not in words


@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_shares_of_axes_are_the_same_in_sentences_and_figures():
    """Distances that are not Euclidean: shares are of the positive inertia everywhere."""
    study = gm.study(gm.datasets.cities())
    values = np.linalg.eigvalsh(_double_centred(study.subject.X.to_numpy()))[::-1]
    share = values[:2] / values[values > 0].sum()
    assert values[-1] < -1e-3 * values[0] and study.shares[:2] == pytest.approx(share)
    assert _with_shares(study).axis_shares[:2] == pytest.approx(share)
    bars = gm.plots.scree(_with_shares(study), backend="none").numbers
    assert bars["inertia"][:2] == pytest.approx(100.0 * share)
    below = 100.0 * values[values < -1e-9 * values[0]].sum() / values[values > 0].sum()
    assert bars["negative"].sum() == pytest.approx(below)


def _double_centred(D):
    J = np.eye(len(D)) - 1.0 / len(D)
    return -0.5 * J @ D**2 @ J / len(D)


def test_rules_have_names_in_the_language_of_the_page():
    rules = json.loads(re.search(r'id="table-rules">(.*?)</script>', page_of("iris", "fr"))[1])
    names = [row[0] for row in rules["rows"]]
    assert {"seuil", "coude", "bâton brisé"} <= set(names)
    assert not {"threshold", "elbow", "broken stick"} & set(names)
