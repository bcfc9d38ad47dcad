"""Labels are hostile until escaped: for HTML, and for JSON inside HTML.

The third door, for CSV, is in the page's own script, where the files are made.
"""

from __future__ import annotations

import json
from typing import Any

try:
    from markupsafe import Markup
    from markupsafe import escape as escape
except ModuleNotFoundError as error:
    raise ImportError("a report needs jinja2 and plotly: pip install 'gramian[plot]'") from error

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
_ESCAPES |= {"\u2029": "\\u2029"}


def json_in_html(value: Any) -> Markup:
    """Return a value as JSON that cannot end the element it stands in; a text is JSON already.

    >>> str(json_in_html({"label": "</script>"}))
    '{"label":"\\\\u003c/script\\\\u003e"}'
    """
    text = value
    if not isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, code in _ESCAPES.items():
        text = text.replace(character, code)
    return Markup(text)
