"""`gramian replicates`."""

import math
import os
import sys
from typing import Any

import click

from gramian._study.language.labels import escape_controls
from gramian.cli.options import common_options, reading_options, take_reading_options


@click.command("replicates")
@click.argument("data")
@click.option(
    "-o", "--output", metavar="FILE", default="replicates.html", show_default=True, help="The page."
)
@click.option(
    "--samples", metavar="FILE", help="A second table, one row per sample, with the column --group."
)
@click.option(
    "--genes",
    metavar="N|variable:N|modules[:N]|FILE|all",
    default="500",
    show_default=True,
    help="How many, those with links within conditions first; or those that vary most, or those of "
    "modules; a file of names; all.",
)
@click.option(
    "--counts/--no-counts", default=None, help="Whether the numbers are counts; guessed by default."
)
@click.option(
    "--design",
    type=click.Choice(["per-condition", "pooled"]),
    default="per-condition",
    show_default=True,
    help="One network per condition, or one for all.",
)
@click.option(
    "--agreement",
    type=click.Choice(["links", "weights", "modules"]),
    default="links",
    show_default=True,
    help="What is compared between experiments: links, correlations as weights, or modules.",
)
@click.option(
    "--target", type=float, default=0.8, show_default=True, help="The required agreement."
)
@click.option("--checkpoint", metavar="FILE", help="File that saves the state, and is kept.")
@click.option("--title", metavar="TEXT", help="The heading; the file's name by default.")
@click.option("--seed", type=int, default=0, show_default=True)
@reading_options
@common_options
def command(data: str, output: str, genes: str, checkpoint: str | None, **options: Any) -> None:
    """Say how many replicates the networks of DATA need, on a page.

    DATA is a table of expressions, samples in rows or genes in rows. --group names the column with
    the condition of each sample; without it, conditions are the names of the samples without their
    last number. A run that was stopped resumes when the same command is given again; -f discards
    what another command left.
    """
    import gramian as gm
    from gramian.cli.errors import Failure, tell, voice
    from gramian.cli.output import as_json, check_free, counter
    from gramian.networks.work import CheckpointError

    force, quiet, json = options.pop("force"), options.pop("quiet"), options.pop("as_json")
    seed, title = options.pop("seed"), options.pop("title")
    settings = {key: options.pop(key) for key in ("design", "agreement", "target")}
    choice = {key: options.pop(key) for key in ("samples", "counts")}
    check_free(output, force)
    if output == "-":
        raise Failure("out.page", 4)
    read_options = take_reading_options(options)
    group = read_options.pop("group", None)
    experiment = gm.networks.prepare(data, group, genes=_genes(genes), **choice, **read_options)
    for note in [] if quiet else experiment.notes:
        tell("note", note)
    kept, speaker = checkpoint or f"{output}.part", voice()
    call = settings | {"random_state": seed, "checkpoint": kept}
    call["progress"] = counter("parts") if sys.stderr.isatty() and not quiet else False
    settings |= {"language": speaker.language, "spelling": speaker.spelling, "seed": seed}
    settings |= {"title": title, "force": force}
    settings["choice"] = {"group": group, "genes": _genes(genes), **choice}
    table = experiment.table, experiment.condition
    try:
        study = gm.networks.replicate_study(*table, **call)
    except CheckpointError as error:
        # A file that is no checkpoint is removed only where the name is ours.
        if not force or (error.damaged and checkpoint is not None):
            key = "checkpoint.damaged" if error.damaged else "checkpoint"
            raise Failure(key, 3, name=repr(kept)) from error
        os.remove(kept)
        study = gm.networks.replicate_study(*table, **call)
    gm.report.replicates(experiment, output, result=study, **settings)
    if checkpoint is None and os.path.exists(kept):
        os.remove(kept)
    n, p = experiment.table.shape
    low, high = study.interval
    outcome = {"report": output, "n_samples": n, "n_genes": p, "recommended": study.recommended}
    outcome |= {"low": low, "high": None if math.isinf(high) else int(high)}
    outcome["reason"] = study.reason or None
    click.echo(as_json(outcome) if json else escape_controls(f"{output}\n"), nl=False)


def _genes(text: str) -> int | str | list[str] | None:
    """Return a number, a text that asks for modules, the names in a file, or None for all."""
    from gramian.cli.errors import Failure

    if text == "all":
        return None
    if text.partition(":")[0] in ("modules", "variable"):
        return text
    if text.isdigit():
        return int(text)
    try:
        with open(text, encoding="utf-8") as file:
            return [line.split("\t")[0].split(",")[0].strip() for line in file if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise Failure("genes", 3, name=repr(text)) from error
