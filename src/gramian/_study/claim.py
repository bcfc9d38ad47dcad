"""A claim: one sentence about the data, with the test that supports it."""

from __future__ import annotations

from dataclasses import dataclass, field

from gramian._study.language import Sentence, Voice

KINDS = (
    "axes",
    "nothing",
    "axis-group",
    "group",
    "axis-variable",
    "row",
    "curve",
    "cluster",
    "stability",
    "tie",
    "assumption",
    "not-tested",
    "data",
)


@dataclass(frozen=True)
class NullTest:
    """The test behind a claim: its name, and the sentences of its null and its assumption."""

    name: str  # "axes", "groups", "numbers", "loadings", "rows", "curves" or "clusters"
    null: str  # keys of the catalogue
    assumption: str


@dataclass(frozen=True)
class Claim:
    """One sentence about the data, and the test that supports it.

    Attributes
    ----------
    kind : str
        "axes" (above noise), "axis-group", "group", "axis-variable", "tie" (a supplementary column
        goes with an axis), "row" (stands apart), "curve", "cluster": what was found. "nothing":
        what a test did not find; with subject "nothing", that none found anything. "stability",
        "assumption" (what the data break), "not-tested", "data" (a description).
    subject : str
        The column, group, row or finding that it is about.
    axis : int or None
        Counted from 1.
    p_value, effect : float or None
    effect_name : str
        What `effect` measures.
    null, assumption : str
        The null hypothesis of the test, and what it needs to be valid.
    text : str
        The sentence in English; `say` gives it in another language.

    Examples
    --------
    >>> import gramian as gm
    >>> axes = [c for c in gm.study(gm.datasets.iris()).claims if c.kind == "axes"]
    >>> axes[0].effect_name, axes[0].p_value < 0.05
    ('axes', True)
    """

    kind: str
    subject: str
    axis: int | None
    p_value: float | None
    effect: float | None
    effect_name: str
    null: str
    assumption: str
    text: str
    sentence: Sentence = field(repr=False, compare=False)
    test: NullTest | None = field(default=None, repr=False, compare=False)

    def say(self, language: str = "en") -> str:
        """Return the sentence in "en" or "fr"."""
        voice = Voice(language)
        return voice.capitalize(voice.say(self.sentence))


def claim(
    kind: str,
    sentence: Sentence,
    *,
    subject: object = "",
    axis: int | None = None,
    p_value: float | None = None,
    effect: float | None = None,
    effect_name: str = "",
    test: NullTest | None = None,
) -> Claim:
    """Return a claim in the words of a sentence of the catalogue."""
    voice = Voice()
    return Claim(
        kind,
        str(subject),
        axis,
        None if p_value is None else float(p_value),
        None if effect is None else float(effect),
        effect_name,
        "" if test is None else voice.say(Sentence(test.null)),
        "" if test is None else voice.say(Sentence(test.assumption)),
        voice.capitalize(voice.say(sentence)),
        sentence,
        test,
    )
