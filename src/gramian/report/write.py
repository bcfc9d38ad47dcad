"""Writing reports to files: the page of a study, and that of a study of replicates."""

import os
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from gramian._core.check import flag, known_options
from gramian._core.check import path as checked_path
from gramian._study.language import Spelling, Voice, python
from gramian._study.record import Study
from gramian._study.study import study
from gramian.errors import InputError
from gramian.io import read
from gramian.io.files import atomic_write, check_writable

if TYPE_CHECKING:
    from gramian.networks import ReplicateStudy


def write(
    data: Any,
    path: str | os.PathLike[str],
    *,
    language: str = "en",
    seed: int = 0,
    force: bool = False,
    spelling: Spelling = python,
    **options: Any,
) -> Path:
    """Write the report of data or of a study to one self-contained HTML file.

    Parameters
    ----------
    data : Study, or path, data frame, array, Dataset, Source, fitted estimator or reading
        A study, with its own seed and title, or data for `gm.study`.
    path : path
        Where to write; the folder must exist.
    language : "en" or "fr"
        Language of the page.
    seed : int
        Seed of all random draws: the same data and seed give the same file.
    force : bool
        Overwrite an existing file.
    spelling : callable, optional
        How arguments are written in sentences: as in Python, or as on the command line.
    **options
        Options of `gm.study`: title=, kernel=, method=, metric=, scale=, clusters=,
        groups_from_names=, supplementary_rows=, order=, design=, within=, remove=; and of
        `gramian.io.read`: active=, …

    Returns
    -------
    Path
        Of the file that was written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.mkdtemp()
    >>> page = gm.report.write(gm.datasets.cities(), pathlib.Path(folder) / "cities.html")
    >>> page.read_text(encoding="utf-8").count("<html")
    1
    """
    from gramian.report.page import page

    target = _check_target(path, force, language)
    known_options(options, write, study, read)
    if not isinstance(data, Study):
        data = study(data, seed=seed, **options)
    elif options:
        raise InputError("data: a study has read its data: give title=, kernel= and others to it")
    return _replace_file(target, page(data, language, spelling))


def replicates(
    data: Any,
    path: str | os.PathLike[str],
    *,
    group: Hashable | Sequence[Hashable] = None,
    samples: str | os.PathLike[str] | pd.DataFrame | None = None,
    genes: int | Sequence[str] | str | None = 500,
    counts: bool | None = None,
    design: Literal["per-condition", "pooled"] = "per-condition",
    agreement: Literal["links", "weights", "modules"] | float = "links",
    target: float = 0.8,
    language: str = "en",
    seed: int = 0,
    force: bool = False,
    title: str | None = None,
    checkpoint: str | Path | None = None,
    progress: bool | Callable[[int, int], None] = False,
    spelling: Spelling = python,
    choice: dict[str, Any] | None = None,
    result: "ReplicateStudy | None" = None,
    **read_options: Any,
) -> Path:
    """Write a report on how many replicates an experiment needs to infer its networks.

    Parameters
    ----------
    data : path, data frame, Dataset, Source or Experiment
        Expressions; see `networks.prepare` for this and for group, samples, genes and counts.
    path : path
        Where to write; the folder must exist.
    group, samples, genes, counts : optional
        The condition of each sample, and the choice of genes, as for `networks.prepare`.
    design, agreement, target : optional
        As for `networks.replicate_study`.
    language, seed, force, spelling : optional
        As for `write`.
    title : str, optional
        The heading; by default the name of the file that was read.
    checkpoint : path, optional
        A file that saves the state; the same call resumes from it.
    progress : bool or callable (done, total)
        Whether to show progress on standard error.
    choice : dict, optional
        For an Experiment: the arguments of `networks.prepare` it was made with, for the code shown.
    result : ReplicateStudy, optional
        For an Experiment: its study with these options and `random_state=seed`, where there is one.
    **read_options
        Those of `gramian.io.read`.

    Returns
    -------
    Path
        Of the file that was written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> plants = gm.datasets.gene_expression(60, 3, n_modules=2, module_size=10)
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> groups = ["temperature", "co2"]
    >>> _ = gm.report.replicates(plants.data.join(plants.groups[groups]), page, group=groups)
    >>> page.read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    # Networks are loaded by this page only.
    from gramian.networks import Experiment, prepare, replicate_study
    from gramian.report.networks import code, replicates_page
    from gramian.report.say import Say

    file = _check_target(path, force, language)
    experiment = data
    if not isinstance(data, Experiment):
        choice = {"group": group, "samples": samples, "genes": genes, "counts": counts}
        experiment = prepare(data, **choice, **read_options)
    call: dict[str, Any] = {"design": design, "agreement": agreement, "target": target}
    call["random_state"] = seed
    result = result or replicate_study(
        experiment.table, experiment.condition, checkpoint=checkpoint, progress=progress, **call
    )
    heading = experiment.source.title if title is None else str(title)
    lines = code(experiment, choice or {}, call)
    say = Say(language, spelling)
    return _replace_file(file, replicates_page(result, experiment, heading, lines, seed, say))


def _check_target(path: str | os.PathLike[str], force: bool, language: str) -> Path:
    """Return the path to write, or raise before anything is computed."""
    target = checked_path(path)
    flag(force, "force")
    Voice(language)  # raises where it is unknown
    if os.path.exists(target) and not force:
        raise InputError(f"path: {target.name!r:.120} already exists: pass force=True to replace")
    if not os.path.isdir(target.parent):
        raise InputError(f"path: there is no folder {str(target.parent)!r:.200}: create it first")
    check_writable(target)
    return target


def _replace_file(target: Path, text: str) -> Path:
    with atomic_write(target) as file:
        file.write(text)
    return target
