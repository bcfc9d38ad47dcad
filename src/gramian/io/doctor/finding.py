"""A finding: one thing about a table that its owner should know, and the option that mends it."""

from __future__ import annotations

from typing import Any

from gramian._study.language import Sentence, Setting, Voice, python
from gramian.io.notes import Note


class Finding(Note):
    """One sentence about a table, with the option that changes what was done about it.

    Attributes
    ----------
    kind : str
        "identifier", "index", "category", "missing-code", "censored", "units", "decimal-comma",
        "date", "title-rows", "row-names", "empty-rows", "composition", "counts", "contingency",
        "collinear", "copied-column", "copied-rows", "constant", "missing", "genes-in-rows",
        "asymmetric", "spoiled-numbers" or "infinite".
    column : str or None
        The column that it is about, None for the whole table.
    text : str
        The sentence in English; `in_language("fr")` gives it in French.
    remedy : str
        The argument that mends it, such as "ignore=['id']"; empty where there is none.
    default : str
        What was done about it: "ignored", "group", "supplementary", "missing", "number",
        "skipped", "names", "averaged", "ca", or "kept" where nothing was.

    Examples
    --------
    >>> import pandas as pd
    >>> import gramian as gm
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
        """The argument that mends it, as Python writes it."""
        return "" if self.setting is None else python(self.setting.name, self.setting.values)


def finding(
    kind: str,
    key: str = "",
    *,
    column: Any = None,
    setting: Setting | None = None,
    default: str = "kept",
    **values: Any,
) -> Finding:
    """Return a finding in the words of the catalogue; `setting` and `name` are blanks of it.

    >>> finding("index", column="no", setting=named("as_number", "no"), default="ignored").remedy
    "as_number=['no']"
    """
    if column is not None:
        values.setdefault("name", repr(str(column))[:60])
    sentence = Sentence(f"note.{key or kind.replace('-', '_')}", values | {"setting": setting})
    out = Finding(Voice().say(sentence))
    out.key, out.sentence = key or kind.replace("-", "_"), sentence
    out.kind, out.column, out.default = kind, None if column is None else str(column), default
    out.setting = setting
    return out


def named(option: str, *columns: Any) -> Setting:
    """Return the setting of an option that takes names of columns.

    >>> named("ignore", "a", "b")
    Setting(name='ignore', values=(['a', 'b'],))
    """
    return Setting(option, ([str(column) for column in columns],))
