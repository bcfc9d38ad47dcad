"""The interactive map: what a fit sends to the browser, and the modules that draw it there.

The JavaScript modules are files to serve (`static_folder`), or joined for a page of one file
(`bundle`).
"""

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from gramian._browser.map.payload import Payload as Payload
from gramian._browser.map.payload import payload as payload

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)


def static_folder() -> Traversable:
    """Return the folder of the modules, to be served as they are."""
    return resources.files("gramian._browser.map").joinpath("static")


def stylesheet() -> str:
    """Return the style of the map, its legend and its controls."""
    return static_folder().joinpath("map.css").read_text("utf-8")


@cache
def bundle(*entries: str) -> str:
    """Return modules and those they import as the text of one script, imports first.

    All modules share one scope then: a top-level name belongs to one module only.
    """
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in order:
            for other in _IMPORT.findall(_source(name)):
                visit(other)
            order.append(name)

    for entry in entries:
        visit(entry)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _source(name))) for name in order)


def _source(name: str) -> str:
    return static_folder().joinpath(name).read_text("utf-8")
