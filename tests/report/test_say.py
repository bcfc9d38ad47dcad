"""The voice of a page: escaped, marked, and silent about the data but for claims."""

import pytest

from gramian._study.language import Name, Sentence
from gramian._study.record import claim
from gramian.report.say import Say, json_in_html


def test_say_refuses_to_claim_by_itself():
    with pytest.raises(KeyError, match="by a claim only"):
        Say("en")("claim.axes", count=2)


def test_names_and_texts_are_escaped():
    c = claim("data", Sentence("claim.data.text", {"text": "<script>1 < 2</script>"}))
    assert str(Say("en").claim(c)) == (
        '<span class="claim" data-kind="data">&lt;script&gt;1 &lt; 2&lt;/script&gt;</span>'
    )
    assert '<b class="name"><bdi>&lt;i&gt;</bdi></b>' in Say("en")("row", name=Name("<i>"))


def test_a_name_in_markup_is_elided_too():
    said = Say("fr").say(Sentence("claim.data.ends", {"k": 1, "low": Name("Oslo"), "high": "x"}))
    assert "va d’<b" in said


def test_figures_speak_the_language():
    assert Say("fr").rewrite("Axis 1 (57.6 %)", "figures") == "Axe 1 (57,6 %)"
    pairs = Say("fr").rewrite("36 pairs, correlation 0.999", "figures")
    assert pairs == "36 paires, corrélation 0,999"
    assert Say("en").rewrite("Axis 1 (57.6 %)", "figures") == "Axis 1 (57.6 %)"


def test_names_from_the_data_are_no_markup():
    text = str(Say("en")("row", name=Name("<b>")))
    assert text == 'Row <b class="name"><bdi>&lt;b&gt;</bdi></b>'
    assert str(json_in_html({"label": "</script>"})) == '{"label":"\\u003c/script\\u003e"}'
