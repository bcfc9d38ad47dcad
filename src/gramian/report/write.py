"""Writing a report to a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gramian._core.check import flag
from gramian._core.check import path as checked_path
from gramian._study.language import Spelling, Voice, python
from gramian.errors import InputError
from gramian.io.files import atomic_write, check_writable
from gramian.studies import Study, study


def write(
    data: Any,
    path: str | os.PathLike[str],
    *,
    language: str = "en",
    seed: int = 0,
    force: bool = False,
    title: str | None = None,
    kernel: Any = None,
    method: str = "auto",
    metric: str | None = None,
    scale: bool = True,
    clusters: int | str | None = None,
    groups_from_names: bool = False,
    supplementary_rows: Any = (),
    spelling: Spelling = python,
    **read_options: Any,
) -> Path:
    """Write the report of data or of a study: one HTML file that needs nothing else.

    Parameters
    ----------
    data : Study, or path, data frame, array, Dataset, Source, fitted estimator or reading
        What `gm.study` returned, with its own seed and title; other data are studied first.
    path : path
        Where to write; the folder must exist.
    language : "en" or "fr"
    seed : int
        For everything that draws at random: the same data and seed give the same file.
    force : bool
        Replace a file that is already there.
    title : str, optional
        The heading; by default the name of the file that was read.
    kernel : Kernel or name, optional
        For the comparison of a table with kernel PCA (Gaussian by default), or for graphs and
        sequences.
    method, metric, scale, clusters, groups_from_names, supplementary_rows : optional
        Those of `gm.study`: by default what suits the data.
    spelling : callable, optional
        How arguments are written in sentences: as Python does, or as a command does.
    **read_options
        Those of `gramian.io.read`: active=, group=, missing=, …

    Returns
    -------
    Path
        Of the file that was written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import gramian as gm
    >>> folder = tempfile.mkdtemp()
    >>> page = gm.report.write(gm.datasets.cities(), pathlib.Path(folder) / "cities.html")
    >>> page.read_text(encoding="utf-8").count("<html")
    1
    """
    from gramian.report.page import page

    target = checked_path(path)
    flag(force, "force")
    Voice(language)  # an unknown language is refused before anything is computed
    if os.path.exists(target) and not force:
        raise InputError(f"path: {target.name!r:.120} is already there: give force=True to replace")
    if not os.path.isdir(target.parent):
        raise InputError(f"path: there is no folder {str(target.parent)!r:.200}: make it first")
    check_writable(target)
    if not isinstance(data, Study):
        means: dict[str, Any] = {"method": method, "metric": metric, "scale": scale}
        means |= {"clusters": clusters, "groups_from_names": groups_from_names}
        means |= {"supplementary_rows": supplementary_rows, "kernel": kernel, "title": title}
        data = study(data, seed=seed, **means, **read_options)
    elif read_options or not all(
        given is usual or given == usual
        for given, usual in (
            *((option, None) for option in (kernel, title, metric, clusters)),
            *((method, "auto"), (scale, True), (groups_from_names, False)),
            (supplementary_rows, ()),
        )
    ):
        raise InputError("data: a study has read its data: give title=, kernel= and others to it")
    text = page(data, language, spelling)
    with atomic_write(target) as file:
        file.write(text)
    return target
