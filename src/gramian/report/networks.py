"""Writing the page of a study of replicates: table in, answer out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gramian._core.check import flag
from gramian._core.check import path as checked_path
from gramian._study.language import Spelling, Voice, python
from gramian.errors import InputError
from gramian.io.files import atomic_write, check_writable
from gramian.networks import Experiment, prepare, replicate_study


def replicates(
    data: Any,
    path: str | os.PathLike[str],
    *,
    group: Any = None,
    samples: Any = None,
    genes: Any = 500,
    counts: bool | None = None,
    design: str = "per-condition",
    agreement: float = 0.8,
    language: str = "en",
    seed: int = 0,
    force: bool = False,
    title: str | None = None,
    checkpoint: str | Path | None = None,
    progress: Any = False,
    spelling: Spelling = python,
    choice: dict[str, Any] | None = None,
    **read_options: Any,
) -> Path:
    """Write a page that says how many replicates an experiment needs for its networks.

    Parameters
    ----------
    data : path, data frame, Dataset, Source or Experiment
        Expressions; see `networks.prepare` for this and for group, samples, genes and counts.
    path : path
        Where to write; the folder must exist.
    group, samples, genes, counts : optional
        The condition of each sample, and which genes.
    design, agreement : optional
        Of `networks.replicate_study`.
    language : "en" or "fr"
    seed : int
        For everything that draws at random: the same data and seed give the same file.
    force : bool
        Replace a file that is already there.
    title : str, optional
        The heading; by default the name of the file that was read.
    checkpoint : path, optional
        A file that keeps what is done; the same call continues from it.
    progress : bool or callable (done, total)
    spelling : callable, optional
        How arguments are written in sentences.
    choice : dict, optional
        Of an Experiment: with which arguments of `networks.prepare` it was made, for the code.
    **read_options
        Those of `gramian.io.read`.

    Returns
    -------
    Path
        Of the file that was written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> import gramian as gm
    >>> plants = gm.datasets.gene_expression(60, 3, n_modules=2, module_size=10)
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> groups = ["temperature", "co2"]
    >>> _ = gm.report.replicates(plants.data.join(plants.groups[groups]), page, group=groups)
    >>> page.read_text(encoding="utf-8")[:15]
    '<!DOCTYPE html>'
    """
    from gramian.report.networks_page import code, replicates_page
    from gramian.report.say import Say

    target = checked_path(path)
    flag(force, "force")
    Voice(language)
    if os.path.exists(target) and not force:
        raise InputError(f"path: {target.name!r:.120} is already there: give force=True to replace")
    if not os.path.isdir(target.parent):
        raise InputError(f"path: there is no folder {str(target.parent)!r:.200}: make it first")
    check_writable(target)
    experiment = data
    if not isinstance(data, Experiment):
        choice = {"group": group, "samples": samples, "genes": genes, "counts": counts}
        experiment = prepare(data, **choice, **read_options)
    study = replicate_study(
        experiment.table,
        experiment.condition,
        design=design,
        agreement=agreement,
        random_state=seed,
        checkpoint=checkpoint,
        progress=progress,
    )
    heading = experiment.source.title if title is None else str(title)
    call = {"design": design, "agreement": agreement, "random_state": seed}
    lines = code(experiment, choice or {}, call)
    text = replicates_page(study, experiment, heading, lines, seed, Say(language, spelling))
    with atomic_write(target) as file:
        file.write(text)
    return target
