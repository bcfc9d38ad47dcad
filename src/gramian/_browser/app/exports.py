"""What one takes home: code, report, figures, tables, the model, and a state that reopens."""

from __future__ import annotations

import base64
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import gramian as gm
from gramian._browser.app.recipe import MAX_ITEMS, STATE, STATE_VERSION, VIEW, Recipe, check_entries
from gramian._browser.app.session import Data, Session
from gramian._study.language import texts
from gramian._study.record import Study
from gramian.errors import InputError
from gramian.io.csv_cells import csv_text
from gramian.report.code import code as code_of
from gramian.report.page import page

MAX_STORED = 20_000_000  # bytes of a file that a state file carries along
_FIGURES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
_MEASURES = ("cos2", "contribution")


class File(NamedTuple):
    """A file to download."""

    name: str
    kind: str
    content: bytes


def export(session: Session, what: str, request: dict[str, Any]) -> File:
    """Return a file of the screen: code, report, figure, table, model or state."""
    makers = {
        "code": _code,
        "report": _report,
        "figure": _figure,
        "table": _table,
        "model": _model,
        "state": _state,
    }
    if what not in makers:
        raise InputError(f"export={what[:40]!r} is not known: use one of {', '.join(makers)}")
    view = check_entries(request.get("view", {}), VIEW, "view")
    rows = request.get("rows") or []
    names = session.names_of(rows) if rows else []
    stem = Path(session.data.name).stem if session.data is not None else "gramian"
    name, kind, content = makers[what](session, names, view, request)
    return File(f"{stem}{name}", kind, content)


def _code(session: Session, *_: Any) -> File:
    return File(".py", "text/x-python", code_of(session.current()).encode())


def _report(session: Session, *_: Any) -> File:
    study = session.current()
    if not study.claims:
        raise InputError("report: the tests are not done yet: start them, or wait for them")
    return File(".html", "text/html", page(study, session.language).encode())


def _figure(session: Session, names: Sequence[str], view: Any, request: dict[str, Any]) -> File:
    """The map as it is coloured, by `gm.plots.individuals`."""
    form = str(request.get("format", "svg"))
    if form not in _FIGURES:
        raise InputError(f"format={form[:20]!r} is not known: use one of {', '.join(_FIGURES)}")
    study = session.current()
    axes = tuple(view.get("axes", (1, min(2, study.fit.n_components_))))
    figure = gm.plots.individuals(
        study.fit, axes=axes, color=_colour(study, view.get("colour"), names), backend="matplotlib"
    )
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=200)
    return File(f".{form}", _FIGURES[form], buffer.getvalue())


def _colour(study: Study, name: str | None, selected: Sequence[str]) -> Any:
    """Return the values of the column that colours the map; a selection where there is none."""
    if name in _MEASURES:
        return name
    frames = [study.subject.groups, study.subject.supplementary, study.subject.everything]
    for frame in frames:
        if frame is not None and name in frame:
            return frame.loc[study.subject.index, name]
    if study.classes is not None:
        return study.classes.found.labels.astype(str)
    if selected:
        return np.where(study.subject.index.astype(str).isin(list(selected)), "selected", "other")
    return None


def _table(session: Session, names: Sequence[str], *_: Any) -> File:
    """The columns of the rows, their coordinates, classes, and whether they are selected."""
    study, words = session.current(), texts(session.language, "app")
    everything, index = study.subject.everything, study.subject.index
    frame = pd.DataFrame(index=index) if everything is None else everything.loc[index].copy()
    Z = np.asarray(study.fit.coordinates_, dtype=float)
    more = {words["axis"].format(k=k + 1): z for k, z in enumerate(Z.T[:12])}
    if study.classes is not None:
        more[words["class"]] = study.classes.found.labels
    more[words["selected"]] = index.astype(str).isin(list(names)).astype(int)
    for name, values in more.items():
        while name in frame:  # a name that no column has
            name += "'"
        frame[name] = values
    return File(".csv", "text/csv", csv_text(frame, ",", "name").encode("utf-8-sig"))


def _model(session: Session, *_: Any) -> File:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.gramian"
        gm.save(session.current().fit, path)
        return File(".gramian", "application/octet-stream", path.read_bytes())


def _state(session: Session, names: Sequence[str], view: Any, *_: Any) -> File:
    data = session.data
    if data is None or data.kind in ("memory", "fit"):
        raise InputError("state: data that are in memory only cannot be reopened: save a file")
    content = data.of_file()
    stored = content if content is not None and len(content) <= MAX_STORED else None
    state = {
        "gramian": gm.__version__,
        "state": STATE_VERSION,
        "name": data.name,
        "dataset": data.name if data.kind == "dataset" else None,
        "sha256": data.digest(),
        "file": None if stored is None else base64.b64encode(stored).decode(),
        "recipe": session.recipe.to_json(),
        "selected": list(names),
        "view": view,
    }
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, indent=1)
    return File(".gramian.json", "application/json", text.encode())


def open_state(session: Session, text: bytes) -> dict[str, Any]:
    """Open a state file: its data where it carries them, else those that are open already."""
    try:
        value = json.loads(text)
    except ValueError as error:  # bad UTF-8, too
        raise InputError("state: the file is not JSON: choose one that this app saved") from error
    except RecursionError as error:
        raise InputError("state: the file is nested too deeply: not saved by this app") from error
    state = check_entries(value, STATE, "state")
    if missing := STATE.keys() - state.keys() - {"file", "dataset"}:
        raise InputError(f"state: {min(missing)} is missing: choose a file that this app saved")
    view = check_entries(state["view"], VIEW, "state.view")
    recipe = Recipe.from_json(state["recipe"])
    data = session.data
    if state.get("dataset") is not None:
        data = Data.dataset(state["dataset"])
    elif state.get("file") is not None:
        try:
            content = base64.b64decode(state["file"], validate=True)
        except ValueError as error:
            raise InputError("state: its data are damaged: open the file itself") from error
        data = Data(Path(state["name"]).name[:200] or "data", content, "upload")
    if data is None or data.digest() != state["sha256"]:
        raise InputError(f"state: open {state['name'][:100]!r} first, then this file again")
    if len(state["selected"]) > MAX_ITEMS:
        raise InputError("state: too many rows are selected")
    return session.open(data, recipe) | {"selected": state["selected"], "view": view}
