"""Messages of readers to the user, in English and French."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from gramian._study.language import Sentence, Setting, Spelling, Voice, python


class Word(str):
    """A word or two in English, with the same in French."""

    french: str

    def __new__(cls, english: str, french: str = "") -> Word:
        """Keep both; a name that is the same in French needs no second."""
        word = super().__new__(cls, english)
        word.french = french or english
        return word


class Note(str):
    """A sentence in English, with its key and its French translation."""

    key: str
    sentence: Sentence

    @property
    def french(self) -> str:
        """The sentence in French."""
        return self.in_language("fr")

    def in_language(self, language: str, spelling: Spelling = python) -> str:
        """Return the sentence in "en" or "fr", arguments spelled as one face does."""
        return Voice(language, spelling).say(self.sentence)


def note(key: str, **values: object) -> Note:
    """Return a sentence, its blanks filled."""
    sentence = Sentence(f"note.{key}", values)
    text = Note(Voice().say(sentence))
    text.key, text.sentence = key, sentence
    return text


def size_note(kind: str, sizes: Sequence[int]) -> Note:
    """Return how many graphs or sequences were read, and of which sizes."""
    low, high = min(sizes), max(sizes)
    return note(kind if low < high else f"{kind}.same", n=len(sizes), low=low, high=high)


class Finding(Note):
    """A possible fault of a table, with the option that changes how it was handled.

    Attributes
    ----------
    kind : str
        "identifier", "index", "category", "missing-code", "censored", "units", "decimal-comma",
        "date", "design", "title-rows", "row-names", "empty-rows", "merged-cells", "mostly-empty",
        "counts", "composition", "contingency", "collinear", "copied-column", "copied-rows",
        "constant", "missing", "genes-in-rows", "asymmetric", "spoiled-numbers" or "infinite".
    column : str or None
        The column concerned, None for the whole table.
    text : str
        The sentence in English; `in_language("fr")` gives it in French.
    remedy : str
        The argument that corrects it, such as "ignore=['id']"; empty if there is none.
    default : str
        What was done about it: "ignored", "group", "supplementary", "missing", "number",
        "skipped", "names", "averaged", "ca", or "kept" where nothing was.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"patient_id": range(9, 109, 5), "x": [k % 7 for k in range(20)]})
    >>> found = gm.io.examine(frame.assign(y=frame["x"] ** 2))[0]
    >>> found.kind, found.column, found.remedy, found.default
    ('identifier', 'patient_id', "as_number=['patient_id']", 'ignored')
    """

    kind: str
    column: str | None
    default: str
    setting: Setting | None

    @property
    def text(self) -> str:
        """The sentence in English."""
        return str(self)

    @property
    def remedy(self) -> str:
        """The argument that corrects it, as written in Python."""
        return "" if self.setting is None else python(self.setting.name, self.setting.values)


def finding(
    kind: str,
    key: str = "",
    *,
    column: Hashable = None,
    setting: Setting | None = None,
    default: str = "kept",
    **values: object,
) -> Finding:
    """Return a finding in the words of the catalogue; `setting` and `name` are blanks of it."""
    if column is not None:
        values.setdefault("name", repr(str(column))[:60])
    sentence = Sentence(f"note.{key or kind.replace('-', '_')}", values | {"setting": setting})
    out = Finding(Voice().say(sentence))
    out.key, out.sentence = key or kind.replace("-", "_"), sentence
    out.kind, out.column, out.default = kind, None if column is None else str(column), default
    out.setting = setting
    return out


def column_setting(option: str, *columns: Hashable) -> Setting:
    """Return the setting of an option that takes names of columns."""
    return Setting(option, ([str(column) for column in columns],))
