"""`gm.widget`: the map of a fit in a notebook, with the selected rows in Python."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from typing import Any

import numpy as np

from gramian._core.check import is_list, is_whole, one_of
from gramian._core.types import TableLike
from gramian._study.language import LANGUAGES
from gramian._study.record import Study
from gramian.errors import InputError, MissingExtraError


def widget(
    fit: Any,
    *,
    table: TableLike | None = None,
    axes: tuple[int, int] = (1, 2),
    color: str | None = None,
    link: Any = None,
    language: str = "en",
    height: int = 420,
) -> Any:
    """Return an interactive map for Jupyter, VS Code and marimo.

    Rows are selected with the lasso, the box or the keyboard. `.selected` holds their numbers, and
    can be set. A CSV file of new rows that is dropped below the map is placed on it. It needs the
    extra `widget`: `pip install gramian[widget]`. In an exported notebook, where no Python runs, a
    picture of the map is shown.

    Parameters
    ----------
    fit : fitted estimator or Study
        What the map shows.
    table : data frame, optional
        Further columns of the rows, to colour by.
    axes : pair of int
        The axes that are drawn, counted from 1.
    color : str, optional
        The name of the column that colours the rows at first.
    link : widget, optional
        Another map of the same rows that shares its selection with this one.
    language : "en" or "fr"
        Language of the page.
    height : int
        Height of the drawing in pixels.

    Returns
    -------
    anywidget.AnyWidget
        With `selected` (array of row numbers from 0, readable and settable) and `labels` (the
        names of the selected rows).

    Examples
    --------
    >>> import gramian as gm
    >>> map = gm.widget(gm.PCA(2).fit(gm.datasets.iris().data))
    >>> map.selected = [3, 1]
    >>> map.labels
    ['flower_002', 'flower_004']
    """
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        text = f"the widget needs {error.name}: pip install 'gramian[widget]'"
        raise MissingExtraError(text) from error
    from gramian._browser.map import bundle, payload, stylesheet

    one_of(language, "language", LANGUAGES)
    sent = payload(fit, language=language, table=table)
    record = fit.fit if isinstance(fit, Study) else fit
    count = len(sent.header["axes"])
    if (
        not is_list(axes)
        or len(axes) != 2
        or not all(is_whole(k) and 1 <= k <= count for k in axes)
    ):
        raise InputError(f"axes={axes!r:.60} must be two numbers from 1 to {count}")
    keys = {column["name"]: column["key"] for column in sent.header["columns"]}
    one_of(color, "color", keys, none=True)
    n = int(sent.header["n"])
    names = record.row_labels
    labels = [str(k + 1) for k in range(n)] if names is None else [str(name) for name in names]

    class Map(anywidget.AnyWidget):
        """A map of rows in a notebook."""

        _esm = bundle("map.js", "drop.js") + _SCRIPT
        _css = stylesheet()
        header = traitlets.Dict().tag(sync=True)
        buffers = traitlets.List(traitlets.Bytes()).tag(sync=True)
        options = traitlets.Dict().tag(sync=True)
        rows = traitlets.List(traitlets.Int()).tag(sync=True)

        @traitlets.validate("rows")
        def _check(self, proposal: Any) -> list[int]:
            return _row_numbers(proposal["value"], n)

        @property
        def selected(self) -> np.ndarray:
            """The numbers of the selected rows, from 0."""
            return np.asarray(self.rows, dtype=int)

        @selected.setter
        def selected(self, rows: Iterable[int] | np.ndarray | None) -> None:
            self.rows = _row_numbers([] if rows is None else rows, n)

        @property
        def labels(self) -> list[str]:
            """The names of the selected rows."""
            return [labels[k] for k in self.rows]

        def _repr_mimebundle_(self, **options: Any) -> Any:
            """Return the widget, with a picture for where there is no Python."""
            bundle = super()._repr_mimebundle_(**options)
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
            if data is not None:
                data = dict(data) | {"image/png": self._picture()}
            return data, metadata

        def _picture(self) -> str:
            """Return the map as it is drawn without a browser, base64."""
            import gramian as gm

            figure = gm.plots.individuals(record, axes=axes, backend="matplotlib")
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", dpi=110)
            return base64.b64encode(buffer.getvalue()).decode()

    options = {"axes": list(axes), "height": height} | ({"colour": keys[color]} if color else {})
    made = Map(header=sent.header, buffers=sent.buffers, options=options, rows=[])
    if link is not None:
        if getattr(link, "header", {}).get("n") != n:
            raise InputError("link: the other map has other rows: link maps of the same rows")
        traitlets.link((link, "rows"), (made, "rows"))
    return made


def _row_numbers(rows: Any, n: int) -> list[int]:
    """Return row numbers in ascending order; a mask of n values gives those that are true."""
    values = np.asarray(rows)
    if values.size == 0:
        return []
    if values.dtype == bool and values.shape == (n,):
        return [int(k) for k in np.flatnonzero(values)]
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise InputError(f"selected={rows!r:.60} must be row numbers, or a mask of {n} values")
    if values.min() < 0 or values.max() >= n:
        raise InputError(f"selected: {int(values.max())} is no row: numbers go from 0 to {n - 1}")
    return [int(k) for k in np.unique(values)]


_SCRIPT = """
function render({ model, el }) {
  const payload = decode(model.get("header"), model.get("buffers"));
  const map = createMap(el, payload, model.get("options"));
  const field = el.appendChild(document.createElement("div"));
  buildDrop(field, payload, [map], field);
  const same = (a, b) => a.length === b.length && a.every((row, k) => row === b[k]);
  const remove = map.onselect((rows) => {
    const list = Array.from(rows);
    if (same(list, model.get("rows"))) return;
    model.set("rows", list);
    model.save_changes();
  });
  const hear = () => {
    if (!same(Array.from(map.selected), model.get("rows"))) map.select(model.get("rows"));
  };
  model.on("change:rows", hear);
  hear();
  return () => { remove(); model.off("change:rows", hear); map.destroy(); field.remove(); };
}
export default { render };
"""
